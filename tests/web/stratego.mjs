/** Stratego at the web table: set-ups, two whole games by what lights up on the board, in the referee's
 * and in the players' custody, the replay, the record's proof; and combat over a real board. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, fits, setTable, sitDown } from './lib.mjs'

const daemon = await new Daemon().start()
const browser = await new Browser().start()
const began = Date.now()
const still = { reducedMotion: 'reduce' } // most need no motion; it costs time here

/** @typedef {import('playwright-core').Page} Page */
const square = (page, name) => page.locator(`.st-board [data-square="${name}"]`)
const faces = (page) => page.locator('.st-token.face').count()

/** What a player sees who is to choose a move. @param {Page} page */
const sight = (page) => page.evaluate(() => {
  const names = (selector) => [...document.querySelectorAll(`.st-board ${selector}`)].map((one) => one.dataset.square)
  return { acting: !!document.querySelector('.st-wrap.acting'), over: !!document.querySelector('.result'),
    seq: document.querySelector('.log li')?.value ?? 0, movable: names('.movable'), enemies: names('.other'), targets: names('.target'), attacks: names('.attack') }
})
const at = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1))]
const far = (one, two) => Math.abs(at(one)[0] - at(two)[0]) + Math.abs(at(one)[1] - at(two)[1])
const nearest = (name, enemies) => Math.min(...enemies.map((enemy) => far(name, enemy)))

/** Plays one move towards the nearest enemy, now and then one by chance: what walks into a lake must come out again. */
async function move(page) {
  const { movable, enemies, seq } = await sight(page)
  const wild = Math.random() < 0.15
  const key = new Map(movable.map((name) => [name, wild ? Math.random() : nearest(name, enemies) + Math.random() / 2]))
  // An attack that is just being answered looks for a moment like a turn without a move.
  if (!movable.length && !await page.locator('.actions button', { hasText: /Claim|Uplatnit/ }).isVisible()) return
  if (!movable.length) return claim(page, seq)
  for (const from of movable.sort((a, b) => key.get(a) - key.get(b))) {
    await square(page, from).click()
    const { targets, attacks } = await sight(page)
    if (!targets.length && !attacks.length) continue
    const to = attacks[0] ?? targets.sort((a, b) => wild ? Math.random() - 0.5 : nearest(a, enemies) - nearest(b, enemies))[0]
    await square(page, to).click()
    await page.waitForFunction((was) => document.querySelector('.log li')?.value > was || document.querySelector('.result'), seq)
    return
  }
  throw new Error('nothing lights up')
}

/** In players' custody nobody but the player knows that he has no move left: he claims the end. */
async function claim(page, seq) {
  await page.locator('.actions button', { hasText: /Claim|Uplatnit/ }).click()
  await page.locator('dialog .primary').click()
  await page.waitForFunction((was) => document.querySelector('.log li')?.value > was || document.querySelector('.result'), seq)
}

/** Plays until the result is there. `check` looks on at every move. @param {Page[]} players */
async function playOut(players, check = async () => {}) {
  for (let n = 0; n < 500;) {
    const seen = await Promise.all(players.map(sight))
    if (seen.some(({ over }) => over)) return Promise.all(players.map((page) => page.locator('.result').waitFor()))
    const turn = seen.findIndex(({ acting }) => acting)
    if (turn < 0) { await new Promise((resolve) => setTimeout(resolve, 30)); continue }
    await move(players[turn])
    await check()
    n++
  }
  throw new Error('the game does not end')
}

const view = async (id, part = '') => (await fetch(`${daemon.base}/v1/games/${id}${part}`)).json()
const onBoard = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.st-board [data-square]')]
  .filter((one) => one.querySelector('.st-token')).map((one) => [one.dataset.square, one.getAttribute('aria-label')?.split(', ')[1]])))
const spokenOf = (pieces) => Object.fromEntries(Object.entries(pieces).map(([name, [seat, rank]]) => [name, `${seat} ${rank}`]))

// ---- combat over a real board ----

{
  const phone = await browser.person({ ...still, size: 'phone' })
  await phone.goto(`${daemon.base}/#/combat`)
  const fight = async (attacker, defender) => {
    await phone.locator(`[data-rank=${attacker}]`).click()
    await phone.locator('.primary').click()
    const cover = await phone.locator('.st-cover').evaluate((one) => one.outerHTML)
    assert.ok(!cover.includes(attacker) && !(await faces(phone)), 'the cover shows what was picked')
    await phone.locator('.st-cover button').click()
    await phone.locator(`[data-rank=${defender}]`).click()
    await phone.locator('.primary').click()
    assert.ok(!(await phone.locator('main').innerHTML()).includes(defender))
    await phone.locator('.st-cover button').click()
    await phone.locator('.st-outcome').waitFor()
    return phone.locator('.st-outcome').innerText()
  }
  assert.match(await fight('scout', 'general'), /attacker falls/)
  assert.equal(await phone.locator('.st-token.face').count(), 0)
  assert.deepEqual(await barriers(phone), [])
  await phone.locator('.st-only button').click()
  assert.match(await phone.locator('.st-only').innerText(), /general/)
  assert.ok(!(await phone.locator('main').innerHTML()).includes('scout'))
  assert.equal(await phone.locator('.st-only').count(), 1)
  await phone.locator('.primary').click()
  await phone.locator('[name=captives]').check()
  assert.match(await fight('captain', 'mine'), /attacker falls/) // ST-11 with captives
  await phone.locator('.st-only[data-viewer=defender] button').click()
  assert.match(await phone.locator('.st-only[data-viewer=defender]').innerText(), /captain/)
  assert.ok(!(await phone.locator('main').innerHTML()).includes('mine'))
  assert.deepEqual(await barriers(phone), [])
  await phone.locator('.primary').click()
  assert.match(await fight('marshal', 'captain'), /defender falls/)
  assert.equal(await phone.locator('.st-only').count(), 1)
  await phone.locator('.primary').click()
  assert.match(await fight('spy', 'flag'), /attacker wins/)
  await phone.locator('.primary').click()
  await phone.locator('select[name=variant]').selectOption('classic')
  assert.deepEqual(await barriers(phone), [])
  assert.match(await fight('major', 'major'), /Both fall/)
  assert.equal(await phone.locator('.st-pair .st-token.face').count(), 2)
  await phone.context().close()
}

// ---- forty pieces: by chance, saved, loaded, through a reload and the other's set-up ----

{
  const ann = await browser.person(still)
  const bob = await browser.person({ size: 'phone', locale: 'cs-CZ' })
  const { blue } = await setTable(ann, daemon.base, { game: 'stratego', seat: 'red' })
  await sitDown(bob, blue)
  await ann.locator('.st-tray').waitFor()
  await ann.locator('[data-rank=scout]').click()
  for (const name of ['a4', 'b4']) await square(ann, name).click()
  await ann.keyboard.press('Escape')
  await square(ann, 'a4').click()
  await square(ann, 'c3').click()
  assert.deepEqual(Object.keys(await onBoard(ann)).sort(), ['b4', 'c3'])
  await ann.locator('[data-rank=flag]').dragTo(square(ann, 'j1'))
  assert.equal((await onBoard(ann)).j1, 'red flag')
  assert.deepEqual(await barriers(ann), [])
  await ann.locator('.st-random').click()
  const made = await onBoard(ann)
  assert.equal(Object.keys(made).length, 40)
  await ann.locator('input[name=setup]').fill('Old wall')
  await ann.locator('.st-saved form button').click()
  await ann.locator('.st-mirror').click()
  assert.notDeepEqual(await onBoard(ann), made)
  await ann.locator('.st-clear').click()
  await ann.locator('dialog .primary').click()
  await ann.waitForFunction(() => !document.querySelector('.st-board .st-token'))
  await ann.locator('.st-load').click()
  assert.deepEqual(await onBoard(ann), made)

  await bob.locator('.st-random').click()
  assert.deepEqual(await barriers(bob), [])
  await bob.locator('.st-send').click()
  await ann.locator('.log li', { hasText: 'Bob has set up' }).waitFor()
  await bob.waitForFunction(() => document.querySelectorAll('.st-board .own .face').length === 40)
  assert.deepEqual(await onBoard(ann), made, 'the draft is gone with the other set-up')
  await ann.reload()
  await ann.locator('.st-setup').waitFor()
  assert.deepEqual(await onBoard(ann), made, 'the draft is gone with a reload')
  await ann.locator('.st-send').click()
  for (const page of [ann, bob]) await page.locator('.st-strip').waitFor()
  assert.equal((await onBoard(ann)).a7, 'enemy')
  assert.deepEqual(Object.fromEntries(Object.entries(await onBoard(ann)).filter(([, what]) => what !== 'enemy')), made)
  for (const page of [ann, bob]) assert.deepEqual(await barriers(page), [])
  assert.ok(await fits(bob), 'the page is wider than the window')
  await ann.context().close()
  await bob.context().close()
}

// ---- barrage in the referee's custody, watched, to its end ----

/** @param {Page} page */
async function setUp(page) {
  await page.locator('.st-random').click()
  await page.locator('.st-send').click()
}

{
  const ann = await browser.person({ ...still, expect: /422/ })
  const bob = await browser.person({ ...still, size: 'phone' })
  const eve = await browser.person(still)
  const { blue } = await setTable(ann, daemon.base, { game: 'stratego', variant: 'barrage', seat: 'red' })
  const id = blue.split('/').at(-3)
  await sitDown(bob, blue)
  for (const page of [ann, bob]) await setUp(page)
  await eve.goto(`${daemon.base}/#/game/${id}`)
  for (const page of [ann, bob, eve]) await page.locator('.st-strip').waitFor()
  const start = { ...await onBoard(ann), ...Object.fromEntries(Object.entries(await onBoard(bob)).filter(([, what]) => what.startsWith('blue'))) }

  // Against the rules: the referee says which.
  await ann.locator('.acting').waitFor()
  const [from] = (await sight(ann)).movable
  await square(ann, from).click()
  await square(ann, 'd6').click()
  await ann.locator('dialog.says .ruling', { hasText: 'SC-' }).waitFor()
  assert.deepEqual(await barriers(ann), [])
  await ann.locator('dialog.says .primary').click()

  // By the keyboard alone, then by dragging.
  await ann.keyboard.press('Escape')
  const one = (await sight(ann)).movable[0]
  await square(ann, one).focus()
  await ann.keyboard.press('Enter')
  await ann.locator(`.picked[data-square="${one}"]`).waitFor()
  const [to] = (await sight(ann)).targets.filter((name) => far(name, one) === 1)
  const [[x, y], [u, v]] = [at(one), at(to)]
  await ann.keyboard.press(u > x ? 'ArrowRight' : u < x ? 'ArrowLeft' : v > y ? 'ArrowUp' : 'ArrowDown')
  assert.equal(await ann.evaluate(() => document.activeElement?.dataset.square), to)
  await ann.keyboard.press('Enter')
  await bob.locator('.acting').waitFor()
  const two = (await sight(bob)).movable[0]
  await square(bob, two).click()
  const [goal] = (await sight(bob)).targets
  await bob.keyboard.press('Escape')
  await square(bob, two).dragTo(square(bob, goal))
  await ann.locator('.acting').waitFor()
  assert.equal(await eve.locator(`.last[data-square="${goal}"] .st-mark.moved`).count(), 1)

  let fights = 0
  await playOut([ann, bob], async () => {
    if (await eve.locator('.result').count()) return
    if (await faces(eve)) assert.equal((await view(id)).status, 'over', 'a spectator sees a face')
    fights += await ann.locator('.st-strip.fight .face').count()
  })
  const fought = (await view(id, '/events')).events.filter(({ type }) => type === 'combat').length
  assert.ok(fights || fought < 3, 'no combat was shown')
  await eve.locator('.result').waitFor()
  const { board, result } = await view(id)
  for (const page of [ann, bob, eve]) assert.deepEqual(await onBoard(page), spokenOf(board.pieces))
  const said = await (result.winner === 'blue' ? bob : ann).locator('.result h2').innerText()
  assert.match(said, result.winner ? /You win/ : /draw/i)
  for (const page of [ann, bob]) assert.deepEqual(await barriers(page), [])

  // Verified; and played again from the record alone.
  for (const page of [bob, eve]) {
    await page.locator('.result button').nth(1).click()
    await page.locator('.verdict.good').waitFor()
    await page.locator('.result button').nth(0).click()
    await page.locator('.replay').waitFor()
    assert.deepEqual(await onBoard(page), start, 'the replay does not begin as the game did')
    await page.locator('.replay button').nth(4).click()
    await page.waitForFunction(() => { const { value, max } = document.querySelector('.replay input'); return value === max })
    assert.deepEqual(await onBoard(page), spokenOf(board.pieces), 'the replay does not end as the game did')
    await page.locator('.replay button').nth(1).click()
  }
  assert.deepEqual(await barriers(bob), [])
  for (const page of [ann, bob, eve]) await page.context().close()
}

// ---- duel in the players' custody: no face leaves its player, and the audit finds nothing ----

{
  const ann = await browser.person(still)
  const bob = await browser.person({ ...still, size: 'phone', locale: 'cs-CZ' })
  const { blue } = await setTable(ann, daemon.base, { game: 'stratego', variant: 'duel', custody: 'players', seat: 'red' })
  const id = blue.split('/').at(-3)
  await sitDown(bob, blue)
  for (const page of [ann, bob]) await setUp(page)
  for (const page of [ann, bob]) await page.locator('.st-strip').waitFor()
  assert.equal(await ann.locator('.st-board .own .face').count(), 10)
  assert.equal(await ann.locator('.st-board .other .face').count(), 0)
  await playOut([ann, bob])
  const { board, result } = await view(id)
  assert.ok(result.winner || ['dead', 'no_move', 'limit'].includes(result.reason), 'over, but not as a game ends')
  assert.deepEqual(await onBoard(ann), spokenOf(board.pieces))
  const { events } = await view(id, '/events?after=0')
  assert.equal(events.at(-1).audit, 'clean')
  await ann.locator('.result button').nth(1).click()
  await ann.locator('.verdict.good').waitFor()
  await ann.locator('.result button').nth(0).click()
  await ann.locator('.replay button').nth(4).click()
  await ann.waitForFunction(() => { const { value, max } = document.querySelector('.replay input'); return value === max })
  assert.deepEqual(await onBoard(ann), spokenOf(board.pieces))
  assert.deepEqual(await barriers(bob), [])
}

// ---- a claim: blue throws away all that can move, which only blue's own phone can know ----

{
  const ann = await browser.person(still)
  const bob = await browser.person({ ...still, size: 'phone' })
  const { blue } = await setTable(ann, daemon.base, { game: 'stratego', variant: 'duel', custody: 'players', seat: 'red' })
  const id = blue.split('/').at(-3)
  await sitDown(bob, blue)
  const place = async (page, ranks) => {
    for (const [rank, names] of Object.entries(ranks)) {
      await page.locator(`[data-rank=${rank}]`).click()
      for (const name of names.split(' ')) await square(page, name).click()
      await page.keyboard.press('Escape')
    }
    await page.locator('.st-send').click()
  }
  await place(ann, { bomb: 'a4 b4', marshal: 'e4', general: 'f4', flag: 'i1', miner: 'g1 h1', scout: 'j1 j4', spy: 'c1' })
  await place(bob, { marshal: 'a7', general: 'b7', spy: 'a8', scout: 'b8 a9', miner: 'e7 f7', bomb: 'h10 i10', flag: 'j10' })
  for (const page of [ann, bob]) await page.locator('.st-strip').waitFor()
  const go = async (page, from, to) => {
    await page.locator('.acting').waitFor()
    await square(page, from).click()
    await square(page, to).click()
    await page.locator('.st-wrap:not(.acting)').or(page.locator('.result')).first().waitFor()
  }
  const down = (file, rank) => Array.from({ length: rank - 4 }, (_, n) => [`${file}${rank - n}`, `${file}${rank - n - 1}`])
  const marches = [['a', 7], ['b', 7], ['a', 8], ['b', 8], ['a', 9], ['e', 7], ['f', 7]].flatMap(([file, rank]) => down(file, rank))
  const idle = ['j1', 'j2', 'j3', 'j2', 'j1'].flatMap((one, n, all) => (n ? [[all[n - 1], one]] : []))
  for (const [n, [from, to]] of marches.entries()) {
    await go(ann, ...idle[n % idle.length])
    await go(bob, from, to)
  }
  await go(ann, ...idle[marches.length % idle.length])
  await bob.locator('.acting').waitFor()
  assert.deepEqual((await sight(bob)).movable, [])
  assert.equal((await view(id)).status, 'playing', 'the referee knows what only the player can')
  await claim(bob, (await sight(bob)).seq)
  for (const page of [ann, bob]) await page.locator('.result').waitFor()
  const { result } = await view(id)
  assert.equal(result.winner, 'red')
  assert.equal(result.reason, 'no_move')
  assert.equal((await view(id, '/events?after=0')).events.at(-1).audit, 'clean')
  assert.deepEqual(await onBoard(ann), spokenOf((await view(id)).board.pieces))
  assert.deepEqual(await barriers(bob), [])
}

await browser.stop()
await daemon.stop()
console.log(`stratego.mjs: combat, set-up, barrage, duel in players' custody, a claim, replay (${Math.round((Date.now() - began) / 1000)} s)`)
