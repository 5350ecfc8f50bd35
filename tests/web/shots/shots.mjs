/** Makes the pictures of docs/images: `B=build node tests/web/shots/shots.mjs`. Not a test. */
import { Browser, Daemon, sitDown } from '../lib.mjs'

const out = new URL('../../../docs/images/', import.meta.url).pathname
const daemon = await new Daemon().start()
const browser = await new Browser().start()
let chance = 7
const below = (n) => { chance = (chance * 1103515245 + 12345) % 2147483648; return Math.floor(chance / 2147483648 * n) }

const ask = async (method, path, credential, body) => (await fetch(daemon.base + path, {
  method, headers: { ...(credential && { Authorization: `Bearer ${credential}` }), ...(body && { 'Content-Type': 'application/json' }) },
  body: body && JSON.stringify(body),
})).json()

/** A game with a page at each seat. */
async function table(creation, seats) {
  const made = await ask('POST', '/v1/games', null, creation)
  const credentials = {}
  for (const [seat, [page, name]] of Object.entries(seats)) {
    await sitDown(page, `${daemon.base}/#/join/${made.id}/${seat}/${made.seats[seat].invite}`, name)
    credentials[seat] = await page.evaluate((key) => JSON.parse(localStorage.getItem(key)).credential, `refereed/game/${made.id}/${seat}`)
  }
  return { id: made.id, credentials }
}

/** `count` moves for all seats, `choose` picks one of the legal ones. */
async function play({ id, credentials }, count, choose = (moves) => moves[below(moves.length)]) {
  for (let n = 0; n < count; n++) {
    const view = await ask('GET', `/v1/games/${id}`)
    const seat = view.to_act[0]
    if (!seat || view.status !== 'playing') return
    const { moves } = await ask('GET', `/v1/games/${id}/moves`, credentials[seat])
    await ask('POST', `/v1/games/${id}/moves`, credentials[seat], { move: choose(moves, view) })
  }
}

const shot = async (page, name, more = {}) => { await page.waitForTimeout(900); await page.screenshot({ path: `${out}${name}.png`, ...more }) }
const desktop = await browser.person({ expect: /./ })
const phone = await browser.person({ size: 'phone', colorScheme: 'dark', locale: 'cs-CZ', expect: /./ })

await desktop.goto(daemon.base)
await shot(desktop, 'start')

const stratego = await table({ ruleset: 'stratego' }, { red: [desktop, 'Ann'], blue: [phone, 'Bob'] })
for (const page of [desktop, phone]) {
  await page.getByRole('button', { name: /Shuffle|Zamíchat/ }).click()
  if (page === desktop) await shot(desktop, 'stratego-setup')
  await page.getByRole('button', { name: /Ready|Hotovo/ }).click()
}
await desktop.locator('.st-board').waitFor()
await play(stratego, 90, (moves, view) => {
  const far = (move) => Math.abs(Number(move.to.slice(1)) - (view.to_act[0] === 'red' ? 10 : 1))
  const attacks = moves.filter((move) => view.board.pieces[move.to])
  if (attacks.length && below(3)) return attacks[below(attacks.length)]
  const ahead = moves.filter((move) => far(move) < Math.abs(Number(move.from.slice(1)) - (view.to_act[0] === 'red' ? 10 : 1)))
  return ahead.length ? ahead[below(ahead.length)] : moves[below(moves.length)]
})
await shot(desktop, 'stratego')
await shot(phone, 'stratego-phone')

// A phone each at a board of cardboard: after a combat, as the attacker sees it.
const light = await browser.person({ size: 'phone', expect: /./ })
await table({ ruleset: 'stratego', options: { told: 'combats' } }, { red: [light, 'Ann'], blue: [phone, 'Bob'] })
const pick = async (page, rank) => { await page.locator(`.st-choice[data-rank=${rank}]`).click(); await page.locator('.st-enter').click() }
for (const page of [light, phone]) await page.locator('.st-send').click()
await light.locator('.st-attack').click()
await pick(light, 'captain')
await pick(phone, 'miner')
await light.locator('.st-only button').click()
await shot(light, 'stratego-table')

const engarde = await table({ ruleset: 'engarde', options: { first: 'left' } }, { left: [desktop, 'Ann'], right: [phone, 'Bob'] })
await play(engarde, 7, (moves) => moves.find((move) => move.type === 'advance') ?? moves[0])
await shot(desktop, 'engarde')
await shot(phone, 'engarde-phone')

const castle = await table({ ruleset: 'roquefort', options: { first: 'yellow' } }, { yellow: [desktop, 'Ann'], red: [phone, 'Bob'] })
await play(castle, 34, (moves) => {
  const wanted = ['step', 'uncover', 'enter', 'jump', 'shift'].map((type) => moves.filter((move) => move.type === type)).filter((some) => some.length)
  const some = wanted[below(Math.min(2, wanted.length))] ?? moves
  return some[below(some.length)]
})
await shot(desktop, 'castle')
await shot(phone, 'castle-phone')

await desktop.goto(`${daemon.base}/rules/stratego`)
await shot(desktop, 'rules')

await browser.stop()
await daemon.stop()
