/** En garde by the interface: a whole game of each variant, a real table, a spectator, the replay, the proof. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, fits, sitDown } from './lib.mjs'

const daemon = await new Daemon().start()
const browser = await new Browser().start()
setTimeout(() => { console.error('engarde.mjs: takes too long'); process.exit(1) }, 150000).unref()
const expect = /422/ // refusals are asked for
const ann = await browser.person({ expect })
const bob = await browser.person({ size: 'phone', expect })
const players = [ann, bob]

const acts = (page) => page.locator('.eg-acts')
const fieldsOf = (page) => page.locator('.eg-stage').evaluate((stage) => [stage.style.getPropertyValue('--left').trim(), stage.style.getPropertyValue('--right').trim()])
const diceOf = (page) => page.locator('.eg-count').evaluateAll((dice) => dice.map((one) => one.getAttribute('aria-label')))

/** @param {any} game @returns {Promise<{id: string}>} both seats taken, by the pages */
async function setOut(game) {
  const answer = await fetch(`${daemon.base}/v1/games`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ruleset: 'engarde', ...game }) })
  const made = await answer.json()
  assert.equal(answer.status, 201, JSON.stringify(made))
  await sitDown(ann, `${daemon.base}/#/join/${made.id}/left/${made.seats.left.invite}`, 'Ann')
  await sitDown(bob, `${daemon.base}/#/join/${made.id}/right/${made.seats.right.invite}`, 'Bob')
  for (const page of players) await page.locator('.eg-board').waitFor()
  return made
}

/** Who is to act; null when the game is over. */
async function next() {
  for (let i = 0; i < 400; i++) {
    for (const page of players) if (await acts(page).count()) return page
    if (await ann.locator('.result').count()) return null
    await ann.waitForTimeout(25)
  }
  throw new Error('nobody is to act')
}

/** One move, whichever is open: an answer, else an attack, else a step forward. */
async function move(page) {
  const fits = page.locator('.eg-act:not(.unfit)')
  const before = await page.locator('.log li').first().getAttribute('value')
  if (!await fits.count()) await page.locator('.eg-card:not(.idle)').last().click()
  for (const kind of ['.parry', '.attack', '.advance', '.retreat'])
    if (await fits.and(page.locator(kind)).count()) { await fits.and(page.locator(kind)).last().click(); break }
  await page.waitForFunction((seen) => document.querySelector('.log li')?.getAttribute('value') !== seen, before)
}

async function toTheEnd(each = async (page) => { void page }) {
  for (let n = 0; n < 300; n++) {
    const page = await next()
    if (!page) return
    await each(page)
    await move(page)
  }
  throw new Error('no end')
}

/** The replay's last board is the end of the game, and the record holds. */
async function after(page) {
  await page.locator('.result').waitFor()
  await page.locator('.eg-board').waitFor()
  const end = [await fieldsOf(page), await diceOf(page)]
  const told = await page.evaluate(async () => {
    const { engarde } = await import('/web/engarde.js')
    const { claimsOf } = await import('/web/refereed.js')
    const id = location.hash.split('/')[2]
    const read = (part) => fetch(`/v1/games/${id}${part}`).then((answer) => answer.json())
    const [view, transcript] = [await read(''), await read('/transcript')]
    const frames = engarde.replay(transcript, transcript.events.map(({ token }) => claimsOf(token)), view)
    const open = frames.filter(({ event }) => event.type === 'drawn_cards').every(({ board }) => Array.isArray(board.hands.left) && Array.isArray(board.hands.right))
    return { end: view.board, last: frames.at(-1).board, open, custody: view.custody }
  })
  assert.deepEqual(told.last, told.end)
  assert.equal(told.open, told.custody === 'referee')
  await page.getByRole('button', { name: 'Replay' }).click()
  const bar = page.locator('.replay')
  assert.deepEqual(await fieldsOf(page), ['1', '23'])
  for (let i = 0; i < 6; i++) await bar.getByRole('button', { name: 'One move on' }).click()
  assert.notDeepEqual(await fieldsOf(page), ['1', '23'])
  await bar.getByRole('button', { name: 'To the end' }).click()
  assert.deepEqual([await fieldsOf(page), await diceOf(page)], end)
  await page.getByRole('button', { name: 'Verify the whole record' }).click()
  await page.locator('.verdict.good').waitFor()
}

// ---- a whole game, set up on the page ----

await ann.goto(`${daemon.base}/#/new`)
await ann.locator('.pick .tile.engarde').click()
await ann.locator('input[name=name]').fill('Ann')
await ann.locator('summary', { hasText: 'House rules' }).click()
await ann.locator('details input[type=number][max="9"]').fill('2')
await ann.locator('button.primary.big').click()
await sitDown(bob, await ann.locator('.invite .link').inputValue(), 'Bob')
for (const page of players) await page.locator('.eg-board').waitFor()
const eve = await browser.person()
await eve.goto(`${daemon.base}/#/game/${ann.url().split('/').at(-2)}`)
await eve.locator('.eg-board').waitFor()

const first = /** @type {import('playwright-core').Page} */ (await next())
const value = await first.locator('.eg-card').last().getAttribute('data-value')
await first.keyboard.press(`${value}`) // by keys alone: a card, and what to do with it
await first.locator(`.eg-card[data-value="${value}"][aria-pressed=true]:focus`).first().waitFor()
assert.ok(await first.locator('.eg-strip .aim').count(), 'the field that the card leads to is lit')
for (const page of players) {
  assert.deepEqual(await barriers(page), [])
  assert.ok(await fits(page), 'the page is wider than the screen')
}
await first.getByRole('button', { name: new RegExp(`^\\s*retreat ${value} .*against the rules`) }).click()
await first.locator('dialog .ruling', { hasText: 'EG-2' }).waitFor()
assert.ok(await first.locator('dialog .ruling').evaluate((ruling) => ruling.textContent.length > 40), 'the ruling has no text')
await first.locator('dialog button').click()
await first.keyboard.press('Escape')
await first.keyboard.press(`${value}`)
const going = first.getByRole('button', { name: new RegExp(`^\\s*advance ${value} to field \\d+\\s*$`) })
await going.focus()
await first.keyboard.press('Enter')
await first.locator('.log li', { hasText: `goes forward ${value}` }).waitFor()

let watched = 0
await toTheEnd(async (page) => {
  if (watched++ % 5) return
  const fields = await fieldsOf(page)
  await eve.waitForFunction((at) => document.querySelector('.eg-stage')?.style.getPropertyValue('--left').trim() === at[0] && document.querySelector('.eg-stage')?.style.getPropertyValue('--right').trim() === at[1], fields)
  assert.equal(await eve.locator('.eg-hand, .eg-acts, .eg-held .eg-face').count(), 0, 'a spectator sees a hand')
  assert.equal(await page.locator('.eg-held .eg-face').count(), 0, 'a player sees the other hand')
})
assert.ok((await diceOf(ann)).some((label) => label?.includes(': 2 hits')))
assert.ok(await ann.locator('.eg-rounds li').count() >= 2)
await eve.locator('.result').waitFor()
for (const page of players) assert.deepEqual(await barriers(page), [])
for (const page of players) await after(page)
for (const page of players) assert.ok(await fits(page))

// ---- knizia, advanced ----

await setOut({ variant: 'knizia', options: { hits_to_lose: 2 } })
await toTheEnd()
await after(ann)

// ---- a real table: the players say what they hold ----

await setOut({ custody: 'table', options: { hits_to_lose: 2, first: 'left' } })

/** @param {import('playwright-core').Page} page @param {number} card @param {string} name how the button's begins */
async function say(page, card, name) {
  await acts(page).waitFor({ timeout: 8000 })
  if (card) await page.locator(`.eg-card[data-value="${card}"]`).click()
  await page.getByRole('button', { name: new RegExp(`^\\s*${name}`) }).click()
}
const line = (text) => Promise.all(players.map((page) => page.locator('.log li', { hasText: text }).first().waitFor()))
const refused = async (page, ruling) => {
  await page.locator('dialog .ruling', { hasText: ruling }).waitFor()
  await page.locator('dialog button').click()
}
/** Left and right in turn: 3 goes forward 3, -3 back. */
async function walk(page, ...path) {
  for (const way of path) {
    const old = await fieldsOf(page)
    await say(page, Math.abs(way), way > 0 ? `advance ${way} ` : `retreat ${-way} `)
    await page.waitForFunction((at) => document.querySelector('.eg-stage')?.style.getPropertyValue('--left').trim() !== at[0] || document.querySelector('.eg-stage')?.style.getPropertyValue('--right').trim() !== at[1], old)
    page = page === ann ? bob : ann
  }
}

await ann.locator('.eg-orders', { hasText: 'deal five cards' }).waitFor()
await say(ann, 0, 'I have nothing to play')
await refused(ann, 'EG-11')
await walk(ann, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2)
await ann.locator('.eg-orders', { hasText: 'Bob: draw 1 card' }).waitFor()
await walk(ann, -3, -3, -3, -3, 3)
for (const page of players) await page.locator('.eg-show').waitFor() // the deck is empty
assert.deepEqual(await barriers(bob), [])
assert.ok(await fits(bob))
const show = (page) => page.locator('.eg-act.show').click()
for (const [page, card] of [[ann, 4], [bob, 5]]) for (let i = 0; i < 5; i++) {
  if (page === ann && i === 4) { await show(ann); await refused(ann, 'EG-9') } // one too few
  await page.getByRole('button', { name: `one ${card} more` }).click()
}
await show(ann)
await line('Ann shows 4 4 4 4 4')
await ann.locator('.eg-show', { hasText: 'may correct' }).waitFor()
assert.equal(await bob.locator('.eg-steps output').last().textContent(), '5', 'what is being entered survives the news of the other hand')
await show(bob)
await line('Bob is hit (EG-10)')
await ann.locator('.eg-ended .eg-open').waitFor()

await walk(bob, 5, 5, 5, 4)
await say(bob, 3, 'attack with 1 card of value 3')
await ann.locator('.eg-pile.right .eg-face').waitFor()
await say(ann, 0, 'I cannot parry')
await line('Ann is hit (EG-5)')

await walk(ann, 5, 1, 5, -1, 5, 1, 4, -1, 2)
await say(bob, 0, 'I have nothing to play')
await line('Bob is hit (EG-11)')
await after(ann)

await browser.stop()
await daemon.stop()
console.log('engarde.mjs: a game of each variant, a real table, watching, refusals, replay, proof')
