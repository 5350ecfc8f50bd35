/** The castle: a game of two to its end by the interface, one of three that loses a player, and one at
 * a real table that is told by forms. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, fits, sitDown } from './lib.mjs'

/** @typedef {import('playwright-core').Page} Page */

const daemon = await new Daemon().start()
process.on('exit', () => daemon.process.kill('SIGKILL'))
const browser = await new Browser().start()
const refused = /422/ // the browser notes what the referee refuses

const headers = (credential) => ({ 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID(), ...(credential && { Authorization: `Bearer ${credential}` }) })
const create = async (body) => (await fetch(`${daemon.base}/v1/games`, { method: 'POST', headers: headers(), body: JSON.stringify({ ruleset: 'roquefort', ...body }) })).json()
const viewOf = async (id) => (await fetch(`${daemon.base}/v1/games/${id}`)).json()

/** One page a seat, the first on a desk, the second a phone. @returns {Promise<Object<string, Page>>} */
async function seated(made) {
  /** @type {Object<string, Page>} */
  const pages = {}
  for (const [i, [seat, { invite }]] of Object.entries(made.seats).entries()) {
    pages[seat] = await browser.person({ size: i === 1 ? 'phone' : 'desktop', expect: refused, reducedMotion: 'reduce' })
    await sitDown(pages[seat], `${daemon.base}/#/join/${made.id}/${seat}/${invite}`, seat.toUpperCase())
  }
  for (const page of Object.values(pages)) await page.locator('.rq-castle').waitFor()
  return pages
}

const spot = (page, where) => page.locator(`.rq-spot[data-at="${where}"]`)
const shown = (page) => page.locator('.rq-spot').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label').replace(/ \(yours\)|, (room touches your mouse|you may enter|\d+ actions?: go here)/g, '')))
const turnOver = (page) => page.locator('.rq-acting').waitFor({ state: 'detached' })

/** What the page lets its player do now, as its picture says it. @param {Page} page */
const offered = (page) => page.evaluate(() => {
  const spots = [...document.querySelectorAll('.rq-spot')].map((one) => ({ at: one.getAttribute('data-at'), label: one.getAttribute('aria-label') }))
  return {
    mice: spots.filter(({ label }) => label.includes('(yours)')).map(({ at }) => at),
    towers: spots.filter(({ label }) => label.includes('you may enter')).map(({ at }) => at),
    roofs: spots.filter(({ label }) => label.includes('room touches')).map(({ at }) => at),
    targets: spots.filter(({ label }) => label.includes('go here')).map(({ at }) => at),
    left: document.querySelectorAll('.rq-pips .rq-full').length,
    arrows: document.querySelectorAll('.rq-arrow.rq-on').length,
    acting: !!document.querySelector('.rq-acting'),
    trap: spots.filter(({ label }) => label.includes('trapdoor')).map(({ at }) => at),
  }
})

let chance = 7
const pick = (list) => { chance = (chance * 1103515245 + 12345) % 2147483648; return list[Math.floor(chance / 65536) % list.length] }
const SLOTS = ['Nb', 'Nd', 'Nf', 'Sb', 'Sd', 'Sf', 'W2', 'W4', 'W6', 'E2', 'E4', 'E6']

/** Waits until the page has taken what was just done. */
const settled = (page, seq) => page.waitForFunction((before) => document.querySelector('.log li')?.value !== before && !document.querySelector('.hint')?.textContent.includes('Sending'), seq)
const newest = (page) => page.evaluate(() => document.querySelector('.log li')?.value)

/** One action by taps. @param {Page} page @returns {Promise<string>} what was done */
async function act(page) {
  const can = await offered(page)
  if (!can.acting) return ''
  const before = await newest(page)
  const done = async (what) => { await settled(page, before); return what }
  if (can.towers.length && can.mice.length < 3) { await spot(page, pick(can.towers)).click(); return done('enter') }
  if (can.left && can.arrows && pick([0, 1])) {
    const slot = pick(SLOTS)
    await spot(page, slot).click()
    await page.locator('.rq-preview').waitFor({ state: 'attached' })
    await spot(page, slot).click()
    return done('shift')
  }
  if (can.left && can.mice.length && pick([0, 1, 1])) {
    await spot(page, pick(can.mice)).click()
    const { targets } = await offered(page)
    if (targets.length) { await spot(page, pick(targets)).click(); return done('step') }
    await page.keyboard.press('Escape')
  }
  if (can.left && can.roofs.length) { await spot(page, pick(can.roofs)).click(); return done('uncover') }
  await page.locator('.rq-end').click()
  return done('end')
}

// ---- two play to the end, a third watches ----

const made = await create({ players: 2 })
const players = await seated(made)
const { yellow, red } = players
const watcher = await browser.person({ expect: refused })
await watcher.goto(`${daemon.base}/#/game/${made.id}`)
await watcher.locator('.rq-castle').waitFor()

const first = (await viewOf(made.id)).to_act[0]
const opening = players[first]
// A try before the set-up is done: the referee says by which ruling it is refused.
await spot(opening, 'd4').click()
await opening.locator('dialog.says .ruling', { hasText: 'CR-2' }).waitFor()
await opening.locator('dialog.says button.primary').click()

// By keys alone: from d4, where the last tap was, to the tower in the corner, and in.
await opening.locator('.rq-spot[tabindex="0"]').focus()
for (const key of ['ArrowLeft', 'ArrowUp']) for (let i = 0; i < 3; i++) await opening.keyboard.press(key)
assert.equal(await opening.evaluate(() => document.activeElement?.getAttribute('data-at')), 'a7')
await opening.keyboard.press('Enter')
await opening.waitForFunction(() => document.querySelector('.rq-spot[data-at="a7"]')?.getAttribute('aria-label').includes('mouse'))

for (const page of [yellow, red]) assert.deepEqual(await barriers(page), [])
for (const page of [yellow, red]) assert.ok(await fits(page), 'the page scrolls sideways')

const done = {}
let tries = 0
const begun = Date.now()
const kinds = ['enter', 'uncover', 'shift', 'step']
const tooLong = () => Date.now() - begun > 25000 && kinds.every((kind) => done[kind])
for (let turn = 0; turn < 400 && !tooLong(); turn++) {
  const view = await viewOf(made.id)
  if (view.status !== 'playing') break
  const page = players[view.to_act[0]]
  await page.locator('.rq-acting').waitFor()
  const what = await act(page)
  done[what] = (done[what] ?? 0) + 1
  if (what === 'uncover' && tries++ === 0) { // a roof that no mouse touches: refused, and why
    const far = await page.evaluate(() => [...document.querySelectorAll('.rq-spot')].find((one) => /covered$/.test(one.getAttribute('aria-label') ?? ''))?.getAttribute('data-at'))
    if (far && (await offered(page)).left) {
      await spot(page, far).click()
      await page.locator('dialog.says .ruling', { hasText: /CR-4/ }).waitFor()
      await page.locator('dialog.says button.primary').click()
    }
  }
  if (turn === 25) {
    for (const one of [yellow, red]) assert.deepEqual(await barriers(one), [])
    const label = await newest(page)
    for (const one of [yellow, red, watcher]) await one.waitForFunction((seq) => document.querySelector('.log li')?.value === seq, label)
    assert.deepEqual(await shown(yellow), await shown(red), 'both see the same castle')
    assert.deepEqual(await shown(yellow), await shown(watcher), 'who watches sees it too')
  }
}
for (const page of [yellow, red, watcher]) // all who look on have seen what is told of
  assert.ok(!(await page.locator('.log').textContent())?.includes('unknown'), 'the log tells of a tile as unknown')
for (const kind of kinds) assert.ok(done[kind], `no ${kind} was made: ${JSON.stringify(done)}`)
if ((await viewOf(made.id)).status === 'playing') { // by chance it is a long one: red gives up
  await red.locator('.actions .plain').click()
  await red.locator('dialog button.primary').click()
}
for (const page of [yellow, red, watcher]) await page.locator('.result h2').waitFor()
const over = await viewOf(made.id)
assert.equal(over.status, 'over')

await yellow.locator('.result button', { hasText: 'Verify' }).click()
await yellow.locator('.verdict.good').waitFor()

/** The replay's last board is the finished game's. @param {Page} page @param {string} id */
async function replayed(page, id, beginning = /tower$/) {
  await page.locator('.result button.primary').click()
  await page.locator('.replay').waitFor()
  assert.match((await shown(page))[0], beginning, 'the start has a mouse on a7')
  await page.locator('.replay button').last().click()
  const end = await page.evaluate(async (of) => {
    const { roquefort } = await import('/web/roquefort.js')
    const { claimsOf } = await import('/web/refereed.js')
    const [view, transcript] = await Promise.all(['', '/transcript'].map(async (part) => (await fetch(`/v1/games/${of}${part}`)).json()))
    const frames = roquefort.replay(transcript, transcript.events.map(({ token }) => claimsOf(token)), view)
    return { board: frames.at(-1).board, view: view.board, frames: frames.length, events: transcript.events.length }
  }, id)
  const told = ({ tiles, ids, spare, spare_id, players: all }) => ({ tiles, ids, spare, spare_id, players: Object.fromEntries(Object.entries(all).map(([seat, { mice, cheeses, ...rest }]) => [seat, { ...rest, mice: [...mice].sort(), cheeses: [...cheeses].sort() }])) })
  assert.deepEqual(told(end.board), told(end.view))
  await page.locator('.replay output', { hasText: `${end.frames}/${end.frames}` }).waitFor()
}
await replayed(yellow, made.id)
for (const page of [yellow, red, watcher]) await page.close()

// ---- three, one of whom goes ----

const trio = await create({ players: 3 })
const three = await seated(trio)
const seats = Object.keys(three)
const goOn = async (n) => {
  for (let i = 0; i < n; i++) {
    const { to_act: [seat], status } = await viewOf(trio.id)
    if (status !== 'playing') return
    await three[seat].locator('.rq-acting').waitFor()
    await act(three[seat])
  }
}
await goOn(9)
const leaver = (await viewOf(trio.id)).to_act[0]
await three[leaver].locator('.actions .plain').click()
await three[leaver].locator('dialog button.primary').click()
await turnOver(three[leaver])
const stays = seats.find((seat) => seat !== leaver)
await three[stays].locator(`.rq-players .seat-${leaver}.rq-is-out`).waitFor()
await goOn(6)
const still = await viewOf(trio.id)
assert.equal(still.status, 'playing')
assert.ok(still.board.players[leaver].out)
const last = seats.findLast((seat) => seat !== leaver)
await three[last].locator('.actions .plain').click()
await three[last].locator('dialog button.primary').click()
await three[stays].locator('.result.won').waitFor()
await replayed(three[stays], trio.id)
for (const page of Object.values(three)) await page.close()

// ---- at a real table, told by forms, to the end: red loses three mice through one trapdoor ----

const real = await create({ players: 2, custody: 'table', variant: 'burg-appenzell', options: { first: 'yellow', spare: 'trapdoor' } })
const table = await seated(real)
const asked = (page) => page.locator('.rq-asked button').evaluateAll((all) => all.map((one) => one.dataset.ask))
const onTurn = (page) => page.locator('.rq-acting').waitFor()
const said = (page, text) => page.locator('.rq-last', { hasText: text }).waitFor()

/** Answers the form by pictures. @param {Page} page @param {Object<string, string>} faces */
async function tell(page, faces) {
  await page.locator('.rq-form').waitFor()
  assert.deepEqual(await asked(page), Object.keys(faces))
  for (const [ask, face] of Object.entries(faces)) {
    await page.locator(`.rq-asked [data-ask="${ask}"]`).click()
    await page.locator(`.rq-faces [data-face="${face}"]`).click()
  }
  await page.locator('.rq-tells').click()
}

async function push(page, slot, faces) {
  await spot(page, slot).click()
  await page.locator('.rq-buttons .primary', { hasText: slot }).click()
  await tell(page, faces)
}

await onTurn(table.yellow)
await spot(table.yellow, 'g1').click()
await onTurn(table.red)
await spot(table.red, 'a7').click()
await onTurn(table.yellow)
await table.yellow.locator('.rq-end').click()
for (const fallen of [1, 2, 3]) {
  await onTurn(table.red)
  if (fallen > 1) {
    await push(table.red, 'Sb', { out: 'trapdoor' })
    await said(table.red, 'Sb')
    await spot(table.red, 'a7').click()
    await said(table.red, 'enters')
  }
  await spot(table.red, 'c7').click() // the room b7 c7 d7, over all of which the roof lies
  await table.red.locator('.rq-form').waitFor()
  assert.ok(await table.red.locator('.rq-tells').isDisabled(), 'nothing is told yet')
  if (fallen === 1) {
    assert.deepEqual(await barriers(table.red), [])
    if (process.env.SHOTS) await table.red.screenshot({ path: `${process.env.SHOTS}/rq-form.png` })
  }
  if (fallen === 2) { // told wrong: the form stays, and is mended
    await tell(table.red, { b7: 'blank', d7: 'brie' })
    await table.red.locator('dialog.says .ruling', { hasText: 'CR-1' }).waitFor()
    await table.red.locator('dialog.says button.primary').click()
  }
  await tell(table.red, { b7: 'blank', d7: 'edam' })
  await said(table.red, 'b7 blank, d7 edam')
  assert.match(await spot(table.yellow, 'd7').getAttribute('aria-label') ?? '', /edam/)
  await spot(table.red, 'a7').click()
  await spot(table.red, 'b7').click()
  if (fallen === 1) {
    await said(table.red, 'a7 → b7')
    await table.red.locator('.rq-end').click()
  }
  await onTurn(table.yellow)
  await push(table.yellow, 'Nb', { out: 'trapdoor' })
  if (fallen === 3) break
  await said(table.yellow, 'falls into the cellar at b7')
  await table.yellow.locator('.rq-end').click()
}
await table.yellow.locator('.result', { hasText: 'third mouse fallen' }).waitFor()
await replayed(table.yellow, real.id)
await table.yellow.locator('.result button', { hasText: 'Verify' }).click()
await table.yellow.locator('.verdict.good').waitFor()

await browser.stop()
await daemon.stop()
console.log(`roquefort.mjs: two to the end (${over.result.reason}, ${JSON.stringify(done)}), three less one, a real table`)
