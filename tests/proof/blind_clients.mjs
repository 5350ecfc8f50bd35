// Blue's side of blind_clients.sh, by api/web/refereed.js and against a real daemon. It
// listens, for a process a move would be slow: a request has four lines (address of the game,
// credential, file of what is kept, variant), then the words of one command, a line each. Nothing
// is remembered from one to the next. The signing key is in the environment.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as blind from '../../api/web/refereed.js'

let GAME, CREDENTIAL, KEPT, VARIANT
let said = []
const say = (...words) => said.push(words.join(' '))
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

async function ask(path, body, credential = CREDENTIAL, game = GAME) {
  const headers = credential ? { authorization: `Bearer ${credential}` } : {}
  const request = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  if (body) headers['content-type'] = 'application/json'
  const answer = await (await fetch(game + path, { ...request, headers })).json()
  if (answer.code) throw new Error(`${answer.code}: ${answer.detail}`)
  return answer
}

async function act(path, body) {
  const { status, events } = await ask(path, body)
  say(status, ...events.map((event) => JSON.stringify(event)))
}

// The game so far, as what was signed tells it: each token and the chain are checked on the way.
async function followed() {
  const keep = blind.Keep.from(read(KEPT))
  const { events } = await ask('/events?after=0&tokens=1')
  const commitments = new blind.Commitments(keep.game)
  let prev = '0'.repeat(64)
  for (const event of events) {
    const { claims, link } = await blind.openToken(event.token, process.env.KEY)
    assert.equal(claims.prev, prev)
    prev = link
    keep.follow([claims])
    commitments.follow([claims])
  }
  return { keep, commitments, events }
}

const commands = {
  // Our hashes are b2sum's at all sizes, and the vectors'.
  vectors(file) {
    const { hashes, token, id } = read(file)
    for (const { name, preimage, bits, hash } of hashes)
      assert.equal(blind.hex(blind.blake2b(blind.unhex(preimage), bits / 8)), hash, name)
    const bytes = (text) => blind.unhex(text)
    const layouts = {
      nonce: (a) => blind.hashes.nonce(bytes(a.secret), id, a.context, a.index),
      piece: (a) => blind.hashes.piece(id, a.seat, a.slot, a.rank, bytes(a.nonce)),
      setup: (a) => blind.hashes.setup(id, a.seat, a.commitments.map(bytes)),
      cards: (a) => blind.hashes.card(id, a.round, a.position, a.value, bytes(a.nonce)),
      tiles: (a) => blind.hashes.tile(id, a.tile, a.symbol, bytes(a.nonce)),
      pseed: (a) => blind.hashes.playerSeed(id, a.round, a.seat, bytes(a.seed)),
      sseed: (a) => blind.hashes.refereeSeed(id, a.round, bytes(a.seed)),
      event: (a) => Buffer.from(blind.hashes.link(a.claims)),
    }
    for (const { kind, name, args, hash } of hashes)
      if (layouts[kind]) assert.equal(blind.hex(layouts[kind](args)), hash, name)
    for (const size of [0, 1, 64, 127, 128, 129, 255, 256, 257, 1000])
      for (const out of size === 129 ? [1, 20, 32, 33, 64] : [32]) {
        const input = Uint8Array.from({ length: size }, (_, i) => (i * 131 + 7) & 255)
        const said = execFileSync('b2sum', ['-l', String(8 * out)], { input }).toString()
        assert.equal(blind.hex(blind.blake2b(input, out)), said.split(' ')[0], `${size} to ${out}`)
      }
    return tokens(token)
  },

  keep(file) {
    const [game, seat, variant] = [GAME.split('/').pop(), 'blue', VARIANT]
    const keep = blind.keep({ game, seat, variant, ...read(file) })
    writeFileSync(KEPT, JSON.stringify(keep), { mode: 0o600, flag: 'wx' })
  },
  // What the other client kept is read too, and comes to the same commitments.
  reads(file, body) {
    const keep = blind.Keep.from(readFileSync(file, 'utf8'))
    assert.deepEqual(keep.commitments(), read(body))
    const { url, ...rest } = read(file)
    assert.deepEqual(keep.toJSON(), rest)
    const bad = read(file)
    bad.pieces[3].face = bad.pieces[3].face === 'scout' ? 'miner' : 'scout'
    assert.throws(() => blind.Keep.from(bad), /does not fit/)
  },
  async setup() { await act('/setup', (await followed()).keep.commitments()) },
  async move(from, to) { await act('/moves', (await followed()).keep.move(from, to)) },
  async raw(from, to) { await act('/moves', { move: { from, to } }) },
  async defend() {
    const { route, body } = (await followed()).keep.answer()
    await act('/' + route, body)
  },
  async lie() {
    const { body: { open } } = (await followed()).keep.answer()
    await act('/defend', { open: { ...open, face: open.face === 'mine' ? 'scout' : 'mine' } })
  },
  async claim() { await act('/open', (await followed()).keep.claim()) },
  async resign() { await act('/resign', {}) },
  async audit() {
    const { status } = await ask('')
    await act('/audit', (await followed()).keep.audit(status))
  },
  async pieces() { say(JSON.stringify((await followed()).keep.pieces())) },

  async check() {
    const { keep, commitments, events } = await followed()
    assert.ok(keep.check(commitments), 'my commitments are not the published ones')
    const openings = events.flatMap((event) => event.openings ?? [])
    for (const opening of openings) assert.ok(blind.fits(opening, commitments), JSON.stringify(opening))
    const { secrets } = events.at(-1)
    for (const seat of secrets ? ['red', 'blue'] : []) {
      const faces = Object.values(blind.revealed(secrets[seat], seat, commitments))
      assert.equal(faces.length, 40)
      assert.ok(faces.every(Boolean), `${seat}'s secret does not open its pieces`)
    }
    if (secrets) openings.push(...(await transcriptOf(GAME, commitments)))
    forged(keep, commitments)
    say(`ok: ${openings.length} openings`)
  },
  fits,
}

// Commitments that are not one's own are noticed; so is a gap.
function forged(keep, commitments) {
  const started = structuredClone(commitments.started)
  const other = (change) => {
    const forgery = structuredClone(started)
    change(forgery)
    return new blind.Commitments(keep.game, [{ type: 'created', variant: keep.variant }, forgery])
  }
  const list = started.commitments.blue
  assert.ok(keep.check(other(() => {})))
  assert.ok(!keep.check(other((s) => { s.commitments.blue = [list[1], list[0], ...list.slice(2)] })))
  assert.ok(!keep.check(other((s) => { s.commitments.red[5] = list[5] })))
  assert.ok(!keep.check(other((s) => { s.squares.blue.reverse() })))
  assert.throws(() => keep.follow([{ seq: keep.seq + 2, type: 'moved' }]), /missing/)
}

async function tokens({ token, paserk, claims }) {
  const [head, kind, body, footer] = token.split('.')
  const good = await blind.openToken(token, paserk)
  assert.deepEqual(good.claims, JSON.parse(claims))
  const bytes = blind.unbase64(body)
  for (const at of [0, 20, bytes.length - 1]) {
    const changed = bytes.slice()
    changed[at] ^= 1
    await assert.rejects(blind.openToken([head, kind, blind.base64(changed), footer].join('.'), paserk))
  }
  const key = blind.unbase64(paserk.slice(10))
  key[0] ^= 1
  await assert.rejects(blind.openToken(token, 'k4.public.' + blind.base64(key)))
  await assert.rejects(blind.openToken(token + '.x', paserk))
}

async function transcriptOf(game, commitments) {
  const { openings } = await ask('/transcript', null, CREDENTIAL, game)
  for (const opening of openings) assert.ok(blind.fits(opening, commitments), JSON.stringify(opening))
  return openings
}

// The referee's custody: cards, tiles and pieces, in play and at the end.
async function fits(games) {
  const options = { first: 'red' }
  const small = ['flag', 'bomb', 'spy', 'scout', 'scout', 'miner', 'general', 'marshal']
  const row = (y) => Object.fromEntries(small.map((rank, i) => ['abcdefgh'[i] + y, rank]))
  const kinds = [[{ ruleset: 'engarde' }], [{ ruleset: 'roquefort' }],
    [{ ruleset: 'stratego', options }, read('docs/examples/setup-red.json'), read('docs/examples/setup-blue.json')],
    [{ ruleset: 'stratego', variant: 'barrage', options }, { pieces: row(3) }, { pieces: row(8) }]]
  for (const [body, ...setups] of kinds) {
    const made = await ask('', body, null, games)
    const [seat] = Object.keys(made.seats)
    const game = `${games}/${made.id}`
    const all = []
    for (const name of Object.keys(made.seats))
      all.push((await ask(`/seats/${name}`, {}, made.seats[name].invite, game)).credential)
    for (const [i, setup] of setups.entries()) await ask('/setup', setup, all[i], game)
    for (let i = 0; i < 6; i++)
      for (const credential of all) {
        const { moves } = await ask('/moves', null, credential, game)
        const move = moves.find((m) => m.type === 'uncover' || m.to === 'a7' || m.to === 'e8') ?? moves[0]
        if (move) await ask('/moves', { move }, credential, game)
      }
    for (const credential of all) await ask('/resign', {}, credential, game).catch(() => {})
    const { events } = await ask('/events?after=0', null, all[0], game)
    const commitments = new blind.Commitments(made.id, events)
    const openings = events.flatMap((event) => event.openings ?? [])
    const end = await transcriptOf(game, commitments)
    const [opening] = openings
    assert.ok(end.length >= 16 && openings.length && [...openings, ...end].every((o) => blind.fits(o, commitments)))
    const twin = end.find((o) => o.face !== opening.face)
    const wrong = [{ face: twin.face }, { component: twin.component }, { nonce: twin.nonce },
      { nonce: undefined }, { nonce: opening.nonce.toUpperCase() }, { component: 'card/99/1' }, { face: 'x' }]
    for (const change of wrong)
      assert.ok(!blind.fits({ ...opening, ...change }, commitments), JSON.stringify(change))
    say(`${body.variant ?? body.ruleset}, ${seat}: ${openings.length} openings in play, ${end.length} at the end`)
  }
}

async function run(text) {
  const [game, credential, kept, variant, name, ...args] = text.split('\n')
  ;[GAME, CREDENTIAL, KEPT, VARIANT, said] = [game, credential, kept, variant, []]
  try {
    await commands[name](...args)
    return [200, said.map((line) => line + '\n').join('')]
  } catch (error) {
    return [400, error.code === 'ERR_ASSERTION' ? error.stack : error.message]
  }
}

let busy = Promise.resolve() // one after another
createServer(async (request, response) => {
  const parts = await request.toArray()
  busy = busy.then(async () => {
    const [status, text] = await run(Buffer.concat(parts).toString())
    response.writeHead(status).end(text)
  })
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})
