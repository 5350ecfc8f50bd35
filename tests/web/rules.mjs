/** The rules as pages: every ruling has its place and its text, every link leads somewhere, in both
 * languages and sizes. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, fits } from './lib.mjs'

const GAMES = ['engarde', 'roquefort', 'stratego']
const daemon = await new Daemon().start()
const browser = await new Browser().start()

const ruleset = (id, language) => fetch(`${daemon.base}/v1/rulesets/${id}`, { headers: { 'Accept-Language': language } }).then((answer) => answer.json())

/** Does this element begin within the window? */
const inSight = (place) => place.evaluate((element) => { const { top } = element.getBoundingClientRect(); return top >= -1 && top < innerHeight })

async function complete(page, id, language) {
  const set = await ruleset(id, language)
  assert.equal(await page.locator('html').getAttribute('lang'), language)
  const plain = (text) => text.replaceAll('`', '')
  const told = await page.locator('.rulings > li').evaluateAll((rows) => rows.map((row) => [row.id, row.querySelector('p').textContent]))
  assert.deepEqual(told, set.rulings.map(({ id: ruling, text }) => [ruling, plain(text)]))
  const table = await page.locator('.options tbody').textContent()
  for (const { name, text } of set.options) assert.ok(table.includes(`${plain(text)} ${name}`), `${name} in ${language}`)
  const named = await page.locator('main section:not(#rulings) .ref').evaluateAll((places) => places.map((place) => place.textContent))
  assert.deepEqual(set.rulings.filter(({ id: ruling }) => !named.includes(ruling)), [], `not told in the text of ${id} in ${language}`)
  const dead = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')).filter((to) => !document.getElementById(to.slice(1))))
  assert.deepEqual(dead, [], 'links to places that are not there')
  assert.ok(await page.locator('figure svg[role=img]').count() >= 8, 'figures are missing')
  assert.ok(await fits(page), 'the page is wider than the window')
  assert.deepEqual(await barriers(page), [], `${id} in ${language}`)
}

const links = new Set()
for (const size of ['desktop', 'phone']) {
  for (const [locale, language] of [['en-GB', 'en'], ['cs-CZ', 'cs']]) {
    const page = await browser.person({ size, locale, colorScheme: size === 'phone' ? 'dark' : 'light' })
    for (const id of GAMES) {
      await page.goto(`${daemon.base}/rules/${id}`)
      await page.locator('#rulings li').first().waitFor()
      await complete(page, id, language)
      for (const to of await page.evaluate(() => [...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href')))) links.add(to)
    }
    await page.context().close()
  }
}

// An address with an anchor scrolls to the ruling and marks it; a link in the text moves the mark.
const reader = await browser.person({ size: 'phone' })
for (const [id, anchor, ruling] of [['engarde', 'EG-5', 'EG-5'], ['stratego', 'sc-7', 'SC-7'], ['roquefort', 'CB-2', 'CB-2']]) {
  await reader.goto(`${daemon.base}/rules/${id}#${anchor}`)
  await reader.locator('.here').waitFor()
  assert.equal(await reader.locator('.here').getAttribute('id'), ruling)
  assert.ok(await inSight(reader.locator('.here')), `${ruling} is out of sight`)
}
await reader.locator('main .ref[href="#CR-6"]').first().click()
await reader.locator('#CR-6.here').waitFor()
assert.equal(await reader.locator('.here').count(), 1)
await reader.locator('.contents summary').click()
await reader.locator('.contents a[href="#shift"]').click()
assert.ok(await inSight(reader.locator('#shift')))
assert.equal(await reader.locator('.here').count(), 0)

// The switch of language changes all of it, rulings too, and is remembered.
await reader.goto(`${daemon.base}/rules/engarde#EG-5`)
await reader.locator('.here').waitFor()
await reader.locator('button[lang=cs]').click()
const czech = (await ruleset('engarde', 'cs')).rulings[0].text
await reader.locator('#EG-1 p', { hasText: czech }).waitFor()
await complete(reader, 'engarde', 'cs')
assert.ok((await reader.title()).startsWith('Pravidla hry'))
await reader.reload()
await reader.locator('#EG-1 p', { hasText: czech }).waitFor()

// From page to page by the links, and to the table.
for (const id of GAMES) {
  await reader.locator(`nav.games a[href="/rules/${id}"]`).click()
  await reader.locator(`.rules.${id} #rulings li`).first().waitFor()
  assert.equal(await reader.locator('nav.games [aria-current=page]').count(), 1)
}
await reader.locator('.bar a.brand').click()
await reader.locator('.hero h1').waitFor()
await reader.locator('.pick a[href="/rules/engarde"]').click()
await reader.locator('#EG-1').waitFor()
for (const to of links) assert.equal((await fetch(daemon.base + to)).status, 200, to)
assert.equal((await fetch(`${daemon.base}/rules/chess`)).status, 404)

await browser.stop()
await daemon.stop()
console.log('rules.mjs: rulings, figures and links of three games, in both languages and sizes')
