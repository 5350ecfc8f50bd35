/** Stratego on a board of cardboard, with a phone each: only combats are told. Two phones play to the end and a third
 * watches; what a player may not see is neither on his page nor in what it was sent; a reload, a second tab
 * and a killed daemon lose nothing. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, fits, sitDown } from './lib.mjs'

const daemon = await new Daemon().start()
const browser = await new Browser().start()
const began = Date.now()
const still = { reducedMotion: 'reduce', expect: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|Failed to fetch|network error/i }

/** @typedef {import('playwright-core').Page} Page */
const view = async (id, part = '') => (await fetch(`${daemon.base}/v1/games/${id}${part}`)).json()

/** All that the page gets by other ways than its stream. @param {Page} page */
function listen(page) {
  const said = []
  page.on('response', async (answer) => {
    if (!answer.url().includes('/v1/games/') || answer.headers()['content-type']?.includes('event-stream')) return
    said.push(await answer.text().catch(() => ''))
  })
  return said
}

/** A game of that variant by the way that people go: from the first page to two phones with an army each.
 * @param {Page} ann @param {Page} bob */
async function sit(ann, bob, variant, options = async () => {}) {
  await ann.goto(daemon.base)
  await ann.locator('a[href="#/board"]').click()
  await ann.locator('a[href="#/new/combats"]').click()
  await ann.locator('input[name=name]').fill('Ann')
  if (variant) await ann.locator('select[name=variant]').selectOption(variant)
  assert.ok(await ann.locator('input[name=told][value=combats]').isChecked())
  assert.equal(await ann.locator('select[name=clock]').count(), 0, 'a clock is offered that cannot run')
  assert.deepEqual(await barriers(ann), [])
  assert.ok(await fits(ann))
  await options(ann)
  await ann.locator('.chip.seat-red input[name=seat]').check()
  await ann.locator('button.primary.big').click()
  await ann.locator('.invite').first().waitFor()
  const link = await ann.locator('.invite .link').first().inputValue()
  await sitDown(bob, link)
  for (const page of [ann, bob]) await page.locator('.st-send').waitFor()
  assert.deepEqual(await barriers(ann), [])
  for (const page of [ann, bob]) await page.locator('.st-send').click()
  for (const page of [ann, bob]) await page.locator('.st-attack').waitFor()
  return link.split('/').at(-3)
}

/** Picks and sends; picks again if the page has just come back to the table meanwhile. @param {Page} page */
async function defend(page, rank) {
  await page.locator('.hint.now').waitFor()
  const enter = page.locator('.st-enter')
  for (let n = 0; n < 50 && !await enter.isEnabled(); n++) {
    await page.locator(`.st-choice[data-rank=${rank}]`).click()
    await page.waitForTimeout(50)
  }
  await enter.click()
}

/** @param {Page} page */
async function attack(page, rank) {
  await page.locator('.st-attack').click()
  await defend(page, rank)
}

/** The result of the n-th combat, on these pages. @param {Page[]} pages */
const settled = (pages, n) => Promise.all(pages.map((page) => page.locator('.st-number', { hasText: `Combat ${n}:` }).waitFor()))

// ---- Maršál a špión: the attacked player learns the outcome alone ----

{
  const ann = await browser.person({ ...still, size: 'phone' })
  const bob = await browser.person({ ...still, size: 'phone', colorScheme: 'dark' })
  const eve = await browser.person(still)
  const bobs = listen(bob)
  const id = await sit(ann, bob, '')
  await eve.goto(`${daemon.base}/#/game/${id}`)
  await eve.locator('main.table').waitFor()
  const pages = [ann, bob, eve]

  // The armies lie in an order of chance, and no two games alike.
  const { pieces } = JSON.parse(await ann.evaluate(async ([base, id]) => {
    const { credential } = JSON.parse(localStorage.getItem(Object.keys(localStorage).find((key) => key.includes(id)) ?? '') ?? '{}')
    return (await fetch(`${base}/v1/games/${id}/setup`, { headers: { authorization: `Bearer ${credential}` } })).text()
  }, [daemon.base, id]))
  assert.equal(Object.keys(pieces ?? {}).length, 40)

  await attack(ann, 'captain')
  await bob.locator('.st-choice').first().waitFor()
  assert.deepEqual(await barriers(ann), [])
  assert.deepEqual(await barriers(bob), [])
  for (const page of [ann, bob]) assert.ok(await fits(page))
  assert.match(await ann.locator('h1').innerText(), /You attack/)
  assert.equal(await eve.locator('.st-token.face').count(), 0)

  // The phones are switched off and on, and the referee dies, while the attack waits.
  await ann.reload()
  await bob.reload()
  await daemon.kill()
  await daemon.start()
  await bob.locator('.st-choice[data-rank=miner]').waitFor()
  await ann.locator('.st-card.waits').waitFor()
  await defend(bob, 'miner')
  await settled(pages, 1)
  assert.match(await ann.locator('.st-outcome').innerText(), /enemy piece falls/)
  assert.match(await bob.locator('.st-outcome').innerText(), /Your piece falls/)
  assert.match(await eve.locator('.st-outcome').innerText(), /attacked piece falls/)

  // For one pair of eyes: what was attacked, and hidden again by the next tap.
  assert.equal(await ann.locator('.st-token.face').count(), 0)
  await ann.locator('.st-only button').click()
  assert.match(await ann.locator('.st-only').innerText(), /miner/)
  await ann.locator('.st-only button').click()
  assert.ok(!/miner/.test(await ann.locator('.st-card').innerText()))
  assert.equal(await bob.locator('.st-only').count(), 0)
  for (const page of pages) assert.deepEqual(await barriers(page), [])

  // Both fall; then Ann's captain is attacked and stands: from now on Bob knows it, and Ann's phone that he does.
  await attack(bob, 'scout')
  await defend(ann, 'scout')
  await settled(pages, 2)
  await attack(bob, 'gunner')
  await defend(ann, 'captain')
  await settled(pages, 3)
  await ann.reload()
  await ann.locator('.st-attack').click()
  await ann.locator('.st-choice[data-rank=captain]').click()
  assert.equal(await ann.locator('.st-which input').count(), 2)
  await ann.locator('.st-which input').nth(1).check()
  await ann.locator('.st-enter').click()
  await defend(bob, 'mine')
  await settled(pages, 4)
  const { board: after } = await view(id)
  assert.equal(after.lost.red.count, 2)
  await ann.locator('.st-attack').click()
  await ann.locator('.st-choice[data-rank=captain]').click()
  assert.equal(await ann.locator('.st-which').count(), 0, 'the one that he knew has fallen')
  await ann.keyboard.press('Tab')
  await ann.locator('.row button').first().click()

  // Another phone of the same player, which was not there when it happened, offers the same.
  assert.ok(!(await bob.locator('main').innerHTML()).includes('st-token red face'), 'Bob sees a piece of Ann')
  const told = bobs.join('\n')
  assert.ok(!/"component":"red\//.test(told), 'Bob was sent an opening of a piece that attacked him')
  assert.ok(!/:\["red","(?!blue")/.test(told), 'Bob was sent a piece of Ann')

  await attack(ann, 'spy')
  await defend(bob, 'flag')
  for (const page of pages) await page.locator('.result').waitFor()
  assert.match(await ann.locator('.result h2').innerText(), /You win/)
  for (const page of pages) assert.deepEqual(await barriers(page), [])
  const { events } = await view(id, '/events?after=0')
  assert.equal(events.at(-1).combats.length, 5)
  assert.equal(events.at(-1).result.ruling, 'ST-12')

  // Proved, and played again with all faces open.
  for (const page of [bob, eve]) {
    await page.locator('.result button').nth(1).click()
    await page.locator('.verdict.good').waitFor()
    await page.locator('.result button').nth(0).click()
    await page.locator('.replay').waitFor()
    await page.locator('.replay button').nth(4).click()
    await page.waitForFunction(() => { const { value, max } = document.querySelector('.replay input'); return value === max })
    assert.match(await page.locator('.st-card').innerText(), /spy × flag/)
    assert.deepEqual(await barriers(page), [])
  }
  for (const page of pages) await page.context().close()
}

// ---- classic: both see both; by the keyboard; in a second tab ----

{
  const ann = await browser.person({ ...still, size: 'phone' })
  const bob = await browser.person({ ...still, size: 'phone' })
  const id = await sit(ann, bob, 'classic')
  const tab = await bob.context().newPage()
  await tab.goto(bob.url())
  await tab.locator('.st-attack').waitFor()

  await ann.locator('.st-attack').focus()
  await ann.keyboard.press('Enter')
  await ann.locator('.st-choice[data-rank=marshal]').focus()
  await ann.keyboard.press('ArrowRight')
  assert.equal(await ann.locator('.st-choice[aria-checked=true]').getAttribute('data-rank'), 'general')
  await ann.locator('.st-enter').focus()
  await ann.keyboard.press('Enter')
  for (const page of [bob, tab]) await page.locator('.st-choice[data-rank=major]').waitFor()
  await defend(tab, 'major')
  await settled([ann, bob, tab], 1)
  for (const page of [ann, bob, tab]) assert.match(await page.locator('.st-ranks').innerText(), /general × major/)
  await attack(bob, 'spy')
  await defend(ann, 'marshal')
  await settled([ann, bob, tab], 2)
  assert.match(await ann.locator('.st-outcome').innerText(), /Your piece falls/)

  // Whoever does not want to answer may give up; the attack stays on record, and it verifies.
  await attack(ann, 'scout')
  await bob.locator('.st-choice').first().waitFor()
  await bob.locator('.actions button', { hasText: /Resign/ }).click()
  await bob.locator('dialog .primary').click()
  for (const page of [ann, bob, tab]) await page.locator('.result').waitFor()
  assert.equal((await view(id, '/events?after=0')).events.at(-1).combats.at(-1).length, 1)
  await ann.locator('.result button').nth(1).click()
  await ann.locator('.verdict.good').waitFor()
  await ann.locator('.result button').nth(0).click()
  await ann.locator('.replay').waitFor()
  assert.deepEqual(await barriers(ann), [])
}

await browser.stop()
await daemon.stop()
console.log(`stratego-combats.mjs: two phones at a board, reload, kill -9, a second tab, the end, the proof, the replay (${Math.round((Date.now() - began) / 1000)} s)`)
