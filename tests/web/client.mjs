/** The client module, api/web/refereed.js, in node against the real daemon; between them a proxy that
 * loses, cuts, delays and forges. What is changed must be changed once, what is told must be whole,
 * and who forges must be found out. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import { Daemon, freePort } from './lib.mjs'
import * as client from '../../api/web/refereed.js'

const { Problem, Referee, Witness, base64, draw, hex, keep, openToken, seatIndex, unbase64 } = client
const examples = new URL('../../docs/examples/', import.meta.url)
const example = (name) => JSON.parse(readFileSync(new URL(name, examples), 'utf8'))
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until it is so. */
async function until(what, said, ms = 20000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) if (await what()) return
  assert.fail(`it never came to this: ${said}`)
}

/** What lies between client and daemon. `meddle` says of each request what becomes of it:
 *    'lost'     it does not arrive
 *    'unheard'  it arrives; the answer is lost
 *    'half'     it arrives; half of the answer is lost
 *    [status, headers, body]   the proxy answers itself
 * `forge` gets each event of a stream and each answer's JSON, and may change it, or leave it out (null);
 * `cut` says after how many bytes the next stream breaks. */
class Proxy {
  meddle = (_request) => undefined
  forge = undefined
  forgeKeys = undefined
  cut = () => Infinity
  seen = []

  constructor(daemon) { this.daemon = daemon }

  async start() {
    this.port = await freePort()
    this.base = `http://127.0.0.1:${this.port}`
    this.server = createServer((request, response) => this.#pass(request, response).catch(() => request.socket.destroy()))
    await new Promise((resolve) => this.server.listen(this.port, '127.0.0.1', () => resolve(undefined)))
    return this
  }

  stop() { this.server.closeAllConnections(); this.server.close() }

  /** As at the start. */
  honest() { this.meddle = () => undefined; this.forge = this.forgeKeys = undefined; this.cut = () => Infinity; this.seen = [] }

  async #pass(request, response) {
    const body = Buffer.concat(await request.toArray())
    this.seen.push(`${request.method} ${request.url}`)
    const fate = this.meddle(request)
    if (fate === 'lost') return request.socket.destroy()
    if (Array.isArray(fate)) return response.writeHead(fate[0], { 'Content-Type': 'application/problem+json', ...fate[1] }).end(JSON.stringify(fate[2] ?? {}))
    const answer = await new Promise((resolve, reject) => {
      const { host, connection, ...headers } = request.headers
      const up = ask({ host: '127.0.0.1', port: this.daemon.port, method: request.method, path: request.url, headers, agent: false }, resolve)
      up.on('error', reject)
      response.on('close', () => up.destroy())
      up.end(body)
    })
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
    if (headers['content-type'] === 'text/event-stream') return this.#stream(answer, response, headers)
    let whole = Buffer.concat(await answer.toArray())
    if (fate === 'unheard') return request.socket.destroy()
    if (this.forgeKeys && request.url === '/v1/keys') whole = Buffer.from(JSON.stringify({ keys: this.forgeKeys(JSON.parse(whole.toString()).keys) }))
    response.writeHead(answer.statusCode, answer.statusCode === 204 ? headers : { ...headers, 'Content-Length': whole.length })
    if (fate !== 'half') return response.end(whole)
    response.write(whole.subarray(0, whole.length >> 1))
    setTimeout(() => request.socket.destroy(), 20)
  }

  async #stream(answer, response, headers) {
    response.writeHead(200, headers)
    answer.on('error', () => response.destroy())
    let left = this.cut()
    let text = ''
    for await (const chunk of answer) {
      let bytes = chunk
      if (this.forge) {
        text += chunk.toString('latin1')
        const blocks = text.split('\n\n')
        text = blocks.pop()
        bytes = Buffer.concat(blocks.map((block) => this.#forged(Buffer.from(block + '\n\n', 'latin1'))))
      }
      response.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left <= 0) return setTimeout(() => response.destroy(), 20)
    }
    response.end()
  }

  #forged(block) {
    const text = block.toString()
    const data = /^data: (.*)$/m.exec(text)
    if (!data) return block
    const event = this.forge(JSON.parse(data[1]))
    return Buffer.from(event ? text.replace(data[0], () => `data: ${JSON.stringify(event)}`) : ': nothing\n\n')
  }
}

const daemon = await new Daemon().start()
const proxy = await new Proxy(daemon).start()
const direct = new Referee(daemon.base)
const through = new Referee(proxy.base)

// ---- games ----

let luck = 7
const chance = (n) => (luck = (luck * 1103515245 + 12345) % 2147483648) % n

/** A game with all seats taken: one Game a seat. */
async function table(creation, { by = through, seeds = true } = {}) {
  const made = await direct.create(creation)
  const games = {}
  for (const seat of Object.keys(made.seats))
    games[seat] = await by.take(made.id, seat, made.seats[seat].invite, { name: `${seat} Žofie 🐭`, seed: seeds ? draw() : undefined, index: seatIndex(seat, creation.ruleset) })
  return { id: made.id, host: made.host, games, made }
}

const sides = { red: example('setup-red.json').pieces, blue: example('setup-blue.json').pieces }

/** Does what `seat` has to do now. */
async function act(game, seat, secrets) {
  const view = await game.refresh()
  if (!view.to_act.includes(seat)) return false
  const own = secrets?.[seat]
  if (own) own.follow((await game.get(`/events?after=${own.seq}`)).events)
  if (view.status === 'seeding') await game.reveal()
  else if (view.status === 'setup') await game.setup(own ? own.commitments() : { pieces: sides[seat] })
  else if (view.status === 'challenge') { const { route, body } = own.answer(); await game.change(route, body, { match: true }) }
  else if (view.status === 'audit') await game.audit(own.audit(view.status))
  else if (view.status === 'playing') await somehow(game, own)
  else return false
  return true
}

/** Some move that is taken: not all that are listed can be played by who holds his own faces, or by
 * real cards. Captures first, so that faces are shown. */
async function somehow(game, own) {
  const taken = game.view.ruleset === 'stratego' ? new Set(Object.keys(game.view.board.pieces)) : new Set()
  const rank = (move) => (taken.has(move.to) || move.type === 'uncover' || move.type === 'attack' ? 0 : 1)
  const moves = game.moves.map((move) => [rank(move), chance(1000), move]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
  for (const [, , move] of moves) {
    try {
      if (own) {
        const { move: step, open } = own.move(move.from, move.to)
        return await game.play(step, open)
      }
      return await game.play(move)
    } catch (problem) {
      if (problem instanceof RangeError || ['illegal_move', 'invalid_body'].includes(problem.code)) continue
      throw problem
    }
  }
  await game.resign()
}

async function play({ id, games, custody }, plies, secrets) {
  for (let i = 0; i < plies; i++)
    for (const [seat, game] of Object.entries(games)) await act(game, seat, secrets)
}

/** Begins a game by chance, and makes what is secret in players' custody. */
async function begun(creation, options) {
  const made = await table(creation, options)
  const secrets = creation.custody === 'players'
    ? Object.fromEntries(Object.keys(made.games).map((seat) => [seat, keep({ game: made.id, seat, pieces: sides[seat] })])) : undefined
  for (let i = 0; i < 3; i++)
    for (const [seat, game] of Object.entries(made.games))
      if (['seeding', 'setup'].includes((await game.refresh()).status)) await act(game, seat, secrets)
  assert.equal((await made.games[Object.keys(made.games)[0]].refresh()).status, 'playing')
  return { ...made, secrets }
}

async function finish({ games, secrets }) {
  for (const [seat, game] of Object.entries(games)) {
    if (['playing', 'challenge'].includes((await game.refresh()).status)) await game.resign()
    void seat
  }
  for (let i = 0; i < 2; i++)
    for (const [seat, game] of Object.entries(games)) if ((await game.refresh()).status === 'audit') await act(game, seat, secrets)
  assert.equal((await Object.values(games)[0].refresh()).status, 'over')
}

/** Follows from the first event on until `seq` is known; gives the verdicts. */
async function followed(game, seq) {
  const stop = new AbortController()
  game.follow({ signal: stop.signal }).catch(() => {})
  await until(() => game.witness.seq >= seq, `event ${seq} is seen`)
  stop.abort()
  return game.witness
}

const again = (game, options = {}) => Object.assign(through.game(game.id, game.credential), options)
const bad = (witness) => witness.verdicts.filter((verdict) => !verdict.ok).map(({ seq, detail }) => `${seq}: ${detail}`)
const whole = (events) => assert.deepEqual(events.map(({ seq }) => seq), events.map((_, i) => i + 1), 'a gap or a double')

// ---- the tests ----

const tests = {
  async 'a change is made once, however its request and its answer fare'() {
    for (const fate of ['lost', 'unheard', 'half']) {
      // Each change of a game has its first request spoilt, and its third.
      let count = 0
      proxy.meddle = ({ method }) => (method === 'POST' && [0, 2].includes(count++ % 4) ? fate : undefined)
      const before = (await direct.games({ limit: 100 })).games.length
      const made = await through.create({ ruleset: 'stratego', options: { first: 'red' } })
      assert.equal((await direct.games({ limit: 100 })).games.length, before + 1, fate)
      const games = {}
      for (const seat of ['red', 'blue']) games[seat] = await through.take(made.id, seat, made.seats[seat].invite, { seed: draw(), index: seatIndex(seat, 'stratego') })
      for (const seat of ['red', 'blue']) await games[seat].reveal()
      for (const seat of ['red', 'blue']) await games[seat].setup({ pieces: sides[seat] })
      await games.red.refresh()
      const { events } = await games.red.play({ from: 'g4', to: 'g6' })
      assert.equal(events.at(-1).type, 'moved')
      await games.blue.refresh()
      await games.blue.offer('offer')
      await games.red.resign()
      const told = (await direct.game(made.id).get('/events?after=0')).events
      const kinds = told.map(({ type }) => type).filter((type) => !['created', 'started', 'ended', 'seed_committed'].includes(type))
      assert.deepEqual(kinds, ['seat_taken', 'seat_taken', 'seed_revealed', 'seed_revealed', 'setup_done', 'setup_done', 'moved', 'offered', 'resigned'], fate)
      assert.ok(count > kinds.length, 'nothing was spoilt')
      proxy.honest()
    }
  },

  async 'Retry-After is honoured, and said'() {
    const { games } = await begun({ ruleset: 'engarde', options: { first: 'left' } })
    for (const status of [503, 429]) {
      const seat = (await games.left.refresh()).to_act[0]
      await games[seat].refresh()
      let refusals = 2
      proxy.meddle = ({ method }) => (method === 'POST' && refusals-- > 0 ? [status, { 'Retry-After': '1' }, { code: 'busy', status, detail: 'later' }] : undefined)
      const told = []
      const start = Date.now()
      await games[seat].play(games[seat].moves[0], undefined, { waiting: (problem) => told.push(problem) })
      assert.ok(Date.now() - start >= 2000, 'it came too early')
      assert.deepEqual(told.map(({ status: said, retryAfter }) => [said, retryAfter]), [[status, 1], [status, 1]])
      proxy.honest()
    }
  },

  async 'a request that nobody answers is sent again'() {
    const { games } = await begun({ ruleset: 'engarde', options: { first: 'left' } })
    await games.left.refresh()
    const hold = new Referee(daemon.base, { fetch: (path, init) => (init.method === 'POST' && !hold.held
      ? new Promise((_, reject) => { hold.held = true; init.signal.addEventListener('abort', () => reject(init.signal.reason)) }) : fetch(path, init)) })
    hold.request = (method, path, options) => Referee.prototype.request.call(hold, method, path, { ...options, timeout: 300 })
    const game = hold.game(games.left.id, games.left.credential)
    await game.refresh()
    assert.equal((await game.play(game.moves[0])).events[0].seat, 'left')
  },

  async 'a stream that breaks inside events has neither gap nor double'() {
    const made = await begun({ ruleset: 'engarde' })
    await play(made, 12)
    await finish(made)
    const { seq } = await direct.game(made.id).refresh()
    for (const step of [997, 3001]) {
      let cut = 300
      proxy.cut = () => (cut += step) // an event with its tokens has some 2,000 bytes
      const game = again(made.games.left)
      const { length } = proxy.seen
      const told = []
      const lines = []
      // An end that is known but not told is no end: it returns by itself only when all is there.
      await Promise.race([game.follow({ change: (_, news) => told.push(...news), line: (line) => lines.push(line) }), sleep(60 * 1000).then(() => assert.fail('no end'))])
      whole(told)
      assert.equal(told.length, seq)
      assert.deepEqual(bad(game.witness), [])
      assert.ok(lines.includes('waiting') && lines.at(-1) === 'idle', String(lines))
      assert.ok(proxy.seen.length - length > 3, 'the stream never broke')
    }
    proxy.honest()
  },

  async 'a line that breaks between an event and the view of it leaves no hole'() {
    const made = await begun({ ruleset: 'engarde' })
    await play(made, 3)
    await finish(made)
    const { seq } = await direct.game(made.id).refresh()
    const game = again(made.games.left)
    let count = 0
    proxy.meddle = ({ url }) => (url === `/v1/games/${made.id}` && count++ === 1 ? 'lost' : undefined)
    const told = []
    await Promise.race([game.follow({ change: (_, news) => told.push(...news) }), sleep(20000)])
    assert.equal(game.line, 'idle')
    whole(told)
    assert.equal(told.length, seq)
    assert.deepEqual(bad(game.witness), [])
    // The keys that cannot be had yet are no forgery either.
    const other = again(made.games.left)
    count = 0
    proxy.meddle = ({ url }) => (url === '/v1/keys' && count++ === 0 ? 'lost' : undefined)
    await followed(other, seq)
    assert.deepEqual(bad(other.witness), [])
    proxy.honest()
  },

  async 'what a proxy says of a daemon that is away is not final; what the daemon says is'() {
    const { games, id } = await begun({ ruleset: 'engarde' })
    const game = again(games.left)
    let count = 0
    proxy.meddle = () => (count++ < 2 ? [404, { 'Content-Type': 'text/html' }] : undefined)
    await followed(game, (await direct.game(id).refresh()).seq)
    proxy.honest()
    await assert.rejects(through.game('AAAAAAAAAAAAAAAAAAAAAA').follow(), (problem) => problem instanceof Problem && problem.code === 'not_found')
    await assert.rejects(through.game(id, 'rfs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').follow(), { status: 401, code: 'unauthorized' })
  },

  async 'kill -9 in the middle, and all goes on'() {
    const made = await begun({ ruleset: 'engarde' })
    const watched = Object.values(made.games).map((game) => again(game))
    const stop = new AbortController()
    const lines = []
    for (const game of watched) game.follow({ signal: stop.signal, line: (line) => lines.push(line) }).catch(() => {})
    await play(made, 2)
    await daemon.kill()
    const busy = act(watched[0], 'left').catch(() => {}) // asks while nobody is there
    await until(() => watched.every(({ line }) => line === 'waiting'), 'the line is down')
    await daemon.start()
    await busy
    await play(made, 2)
    const now = (await direct.game(made.id).refresh()).seq
    await until(() => watched.every((game) => game.view.seq === now && game.events.length === now && game.line === 'live'), 'both are back')
    for (const game of watched) { whole(game.events); assert.deepEqual(bad(game.witness), []) }
    // A change that was sent to a daemon that is dead is made by the one that comes after it.
    const seat = (await made.games.left.refresh()).to_act[0]
    const actor = made.games[seat]
    await actor.refresh()
    await daemon.kill()
    const waits = []
    const sent = actor.play(actor.moves[0], undefined, { waiting: (problem) => waits.push(problem.code) })
    await until(() => waits.length > 0, 'it waits')
    await daemon.start()
    assert.ok((await sent).seq > now)
    stop.abort()
  },

  async 'who is late is told so, and nothing is changed'() {
    const { games } = await begun({ ruleset: 'engarde', options: { first: 'left' } })
    await games.left.refresh()
    const twin = again(games.left)
    await twin.refresh()
    await games.left.play(games.left.moves[0])
    const pending = []
    twin.onpending = (change) => pending.push(change && change.match)
    const { seq } = await direct.game(twin.id).refresh()
    await assert.rejects(twin.play(twin.moves[0]), (problem) => problem.code === 'stale' && problem.status === 412 && problem.seq === seq)
    assert.deepEqual(pending, [twin.view.seq, null])
    assert.equal((await direct.game(twin.id).refresh()).seq, seq)
  },

  async 'a spent invite gives the seat again to who has its key, and to nobody else'() {
    const made = await direct.create({ ruleset: 'engarde' })
    const key = hex(draw())
    const seed = draw()
    let lost = true
    proxy.meddle = ({ method }) => { if (method === 'POST' && lost) { lost = false; return 'unheard' } }
    const first = await through.take(made.id, 'left', made.seats.left.invite, { name: 'Ann', seed, key })
    const again = await through.take(made.id, 'left', made.seats.left.invite, { name: 'Ann', seed, key })
    assert.equal(again.credential, first.credential)
    await assert.rejects(through.take(made.id, 'left', made.seats.left.invite, { name: 'Ann', seed }), { status: 401 })
    await assert.rejects(through.take(made.id, 'left', made.seats.left.invite, { name: 'Bob', seed, key }), { code: 'idempotency_conflict' })
    proxy.honest()
  },

  async 'a stored change is made once, by however many it is resumed'() {
    const { games } = await begun({ ruleset: 'engarde', options: { first: 'left' } })
    const { left } = games
    await left.refresh()
    let stored
    const gone = new AbortController()
    left.onpending = (change) => { stored = structuredClone(change) }
    proxy.meddle = ({ method }) => (method === 'POST' ? 'unheard' : undefined)
    const reload = left.play(left.moves[0], undefined, { signal: gone.signal, waiting: () => gone.abort(new Error('the page is gone')) })
    await assert.rejects(reload, /the page is gone/)
    assert.equal(stored.match, left.view.seq, 'it is still stored')
    proxy.honest()
    const tabs = [again(left), again(left)]
    const answers = await Promise.all(tabs.map((tab) => tab.resume(stored)))
    assert.deepEqual(answers[0], answers[1])
    assert.equal((await tabs[0].refresh()).seq, answers[0].seq)
  },

  async 'a second change waits for the first, and neither pushes the other out of store'() {
    const { games } = await begun({ ruleset: 'engarde', options: { first: 'left' } })
    const { left } = games
    await left.refresh()
    const stored = []
    left.onpending = (change) => stored.push(change?.path.split('/').pop() ?? null)
    const [moved, resigned] = await Promise.all([left.play(left.moves[0]), left.resign()])
    assert.ok(resigned.seq > moved.seq)
    assert.deepEqual(stored, ['moves', null, 'resign', null])
  },

  async 'events are read at whatever byte they are cut'() {
    const made = await table({ ruleset: 'engarde' })
    await finish(await (async () => { await play(made, 2); return made })())
    const crumbs = new Referee(daemon.base, { fetch: async (path, init) => {
      const answer = await fetch(path, init)
      if (!answer.headers.get('Content-Type')?.startsWith('text/event-stream')) return answer
      const byte = new TransformStream({ transform(chunk, to) { for (const one of chunk) to.enqueue(Uint8Array.of(one)) } })
      return new Response(answer.body.pipeThrough(byte), answer)
    } })
    const game = crumbs.game(made.id, made.games.right.credential)
    await game.follow()
    const { events } = await direct.game(made.id, made.games.right.credential).get('/events?after=0')
    assert.deepEqual(game.events.map(({ token, receipt, ...event }) => event), events)
    assert.equal(game.events.find(({ type }) => type === 'seat_taken').name, 'left Žofie 🐭')
    assert.deepEqual(bad(game.witness), [])
  },

  async 'problems have their members'() {
    const czech = new Referee(daemon.base, { language: 'cs' })
    const { games } = await begun({ ruleset: 'engarde', options: { first: 'left' } })
    const { seq } = await games.left.refresh()
    const refusal = async (promise, wanted) => {
      const problem = await promise.then(() => assert.fail('it was taken'), (error) => error)
      assert.ok(problem instanceof Problem && problem.title && problem.message, String(problem))
      for (const [name, value] of Object.entries(wanted)) assert.equal(problem[name], value, name)
      return problem
    }
    const back = { type: 'retreat', card: games.left.view.board.hands.left[0] } // off the strip, whatever was dealt
    const illegal = await refusal(games.left.play(back), { status: 422, code: 'illegal_move', seq })
    assert.match(illegal.ruling, /^EG-/)
    const said = await refusal(czech.game(games.left.id, games.left.credential).change('moves', { move: back }), { code: 'illegal_move' })
    assert.notEqual(said.message, illegal.message)
    await refusal(games.left.change('moves', { move: { type: 'advance' } }), { status: 422, code: 'invalid_body', pointer: '/move' })
    await refusal(games.right.play({ type: 'advance', card: 1 }), { status: 409, code: 'not_your_turn' })
    await refusal(games.left.transcript(), { status: 409, code: 'wrong_status' })
    await refusal(direct.game(games.left.id).get('/moves'), { status: 401 })
    const nobody = await new Referee(`http://127.0.0.1:${await freePort()}`).keys().catch((error) => error)
    assert.ok(nobody instanceof Problem && nobody.status === 0 && nobody.code === 'unreachable')
  },

  async 'the number of a seat is not guessed'() {
    assert.deepEqual([seatIndex('right'), seatIndex('yellow'), seatIndex('red'), seatIndex('blue')], [1, 0, undefined, undefined])
    assert.deepEqual([seatIndex('red', 'stratego'), seatIndex('red', 'roquefort'), seatIndex('x', 'chess')], [0, 1, undefined])
    const made = await direct.create({ ruleset: 'stratego' })
    for (const seat of ['red', 'blue']) await (made[seat] = await through.take(made.id, seat, made.seats[seat].invite, { seed: draw() }))
    for (const seat of ['red', 'blue']) await made[seat].reveal()
    const closed = await direct.create({ ruleset: 'stratego', spectators: false })
    await assert.rejects(through.take(closed.id, 'red', closed.seats.red.invite, { seed: draw() }), { status: 403 })
  },

  async 'honest games: everything holds, in all games and custodies'() {
    const kinds = [['engarde', 'referee'], ['engarde', 'table'], ['roquefort', 'referee', 3], ['roquefort', 'table', 2], ['stratego', 'referee'], ['stratego', 'players']]
    for (const [ruleset, custody, players] of kinds) {
      const made = await begun({ ruleset, custody, ...(players && { players }) })
      await play(made, ruleset === 'stratego' ? 12 : 8, made.secrets)
      await finish(made)
      const view = await direct.game(made.id).refresh()
      const shown = {}
      for (const game of [...Object.values(made.games), { id: made.id, credential: null }]) {
        const witness = await followed(again(game), view.seq)
        assert.deepEqual(bad(witness), [], `${ruleset} ${custody}`)
        shown.faces = Math.max(shown.faces ?? 0, witness.faces.size)
        const record = new Witness(made.id, witness.keys)
        assert.ok(await record.seeRecord(await direct.game(made.id, game.credential).transcript()), `${ruleset} ${custody}: ${bad(record)}`)
        assert.equal(record.link, witness.link)
      }
      if (custody !== 'table') assert.ok(shown.faces > 0, `${ruleset} ${custody}: no face was shown`)
    }
  },

  async 'who forges is found out'() {
    const made = await begun({ ruleset: 'engarde' })
    await play(made, 6)
    await finish(made)
    const other = await begun({ ruleset: 'engarde' })
    await finish(other)
    const { seq } = await direct.game(made.id).refresh()
    const tokens = (await direct.game(other.id).get('/events?after=0&tokens=1')).events.map(({ token }) => token)
    const flip = (text, at = 0) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)
    const at = (number, change) => (event) => (event.seq === number ? change(event) : event)
    const moved = (change) => { let done = false; return (event) => (done || !['moved', 'attacked'].includes(event.type) ? event : (done = true, change(event))) }
    const opened = (change) => { let done = false; return (event) => {
      if (done || !event.openings?.length) return event
      done = true
      const { receipt, ...rest } = event // one that forges faces would not send what gives it away
      return { ...rest, openings: [change(event.openings[0]), ...event.openings.slice(1)] }
    } }
    const forgeries = {
      'a token of another event': at(4, (event) => ({ ...event, token: tokens[3] })),
      'a token that is changed': at(4, (event) => ({ ...event, token: flip(event.token, 30) })),
      'a signature that is changed': at(4, (event) => ({ ...event, token: event.token.replace(/.{4}\.([^.]*)$/, (tail) => flip(tail, 0)) })),
      'no token': at(4, ({ token, ...event }) => event),
      'a number that is changed': at(4, (event) => ({ ...event, seq: 5 })),
      'a link that is changed': at(4, (event) => ({ ...event, prev: flip(event.prev, 7) })),
      'an event that is left out': at(4, () => null),
      'the first event left out': at(1, () => null),
      'a time that is changed': at(4, (event) => ({ ...event, at: '2020-01-01T00:00:00Z' })),
      'a move that is changed': moved((event) => ({ ...event, seat: event.seat === 'left' ? 'right' : 'left' })),
      'a target that is changed': moved((event) => ({ ...event, ...(event.to ? { to: event.to + 1 } : { card: event.card % 5 + 1 }) })),
      'something that is added': moved((event) => ({ ...event, hits: 1 })),
      'a custody that is changed': at(1, (event) => ({ ...event, custody: 'table' })),
      'another face': opened((opening) => ({ ...opening, face: opening.face % 5 + 1 })),
      'another nonce': opened((opening) => ({ ...opening, nonce: flip(opening.nonce) })),
      'a face without a nonce': opened(({ nonce, ...opening }) => ({ ...opening, face: opening.face % 5 + 1 })),
      'a place that is changed': opened((opening) => ({ ...opening, component: opening.component.replace(/\d+$/, (n) => String((Number(n) + 1) % 25)) })),
      'an opening that is kept back': (event) => (event.openings?.length ? { ...event, openings: [] } : event),
      'a receipt of another event': (() => { let last; return (event) => { const mine = last; last = event.receipt; return mine && event.seq === 6 ? { ...event, receipt: mine } : event } })(),
    }
    for (const [what, forge] of Object.entries(forgeries)) {
      let forged = false
      proxy.forge = (event) => { const result = forge(event); forged ||= result !== event; return result }
      const witness = await followed(again(made.games.left), seq)
      assert.ok(forged, `${what}: nothing was forged`)
      assert.ok(!witness.ok, `${what} was not found out`)
      assert.ok(witness.verdicts.length > seq - 2, what)
      proxy.honest()
    }
    // Records.
    const record = await made.games.left.transcript()
    const { keys } = await direct.keys()
    const seen = async (change) => {
      const copy = structuredClone(record)
      change(copy)
      return new Witness(made.id, keys.map((key) => key.public)).seeRecord(copy)
    }
    assert.ok(await seen(() => {}))
    assert.ok(!(await seen((copy) => { copy.events.splice(3, 1) })))
    assert.ok(!(await seen((copy) => { copy.openings[0].face = copy.openings[0].face % 5 + 1 })))
    assert.ok(!(await seen((copy) => { copy.result.winner = copy.result.winner === 'left' ? 'right' : 'left' })))
    assert.ok(!(await seen((copy) => { copy.id = other.id })))
  },

  async 'a key that is changed by the operator is taken; one that is slipped in is not'() {
    const made = await begun({ ruleset: 'engarde' })
    const { seq } = await made.games.left.refresh()
    const game = again(made.games.left)
    const stop = new AbortController()
    game.follow({ signal: stop.signal }).catch(() => {})
    await until(() => game.witness.seq === seq, 'all is seen')
    const [pinned] = game.witness.keys
    const rotate = async () => {
      await daemon.kill('SIGTERM')
      execFileSync(`${process.env.B ?? '../../build'}/refereed`, ['rotate', '--state', daemon.folder])
      await daemon.start()
    }
    await rotate()
    await play(made, 3)
    await until(async () => game.witness.seq === (await direct.game(made.id).refresh()).seq, 'it goes on')
    assert.deepEqual(bad(game.witness), [])
    assert.equal(game.witness.keys[0], pinned)
    const { keys } = await direct.keys()
    assert.ok(keys[0].public !== pinned && game.witness.keys.includes(keys[0].public))
    stop.abort()
    // After a reload: the first key was stored, and it does not matter that it signs no more.
    const now = (await direct.game(made.id).refresh()).seq
    const reloaded = again(made.games.left)
    reloaded.witness.keys = [pinned]
    await followed(reloaded, now)
    assert.deepEqual(bad(reloaded.witness), [])
    // A daemon whose list has not the first key is another daemon.
    const forgers = await new Daemon().start()
    const theirs = (await new Referee(forgers.base).keys()).keys
    await forgers.stop()
    for (const forge of [(list) => list.filter((key) => key.public !== pinned), () => theirs, () => [theirs[0], ...keys.filter((key) => key.public !== pinned)]]) {
      proxy.forgeKeys = forge
      const swapped = again(made.games.left)
      swapped.witness.keys = [pinned]
      const { length } = proxy.seen
      await followed(swapped, now)
      assert.ok(!swapped.witness.ok, 'a key that is not listed with the first one was taken')
      assert.equal(swapped.witness.keys[0], pinned)
      assert.equal(proxy.seen.slice(length).filter((line) => line.endsWith('/v1/keys')).length, 1, 'asked once')
      proxy.honest()
    }
    // A list that names the signer's key beside keys that sign nothing does no harm, and one that was
    // swapped from the first event on does not sign what the daemon signs.
    proxy.forgeKeys = () => theirs
    assert.ok(!(await followed(again(made.games.left), now)).ok, 'swapped from the start')
    proxy.honest()
  },

  async 'signatures are checked without crypto.subtle as well'() {
    const made = await begun({ ruleset: 'engarde' })
    const { events } = await direct.game(made.id).get('/events?after=0&tokens=1')
    const keys = (await direct.keys()).keys.map((key) => key.public)
    const { crypto } = globalThis
    const verdicts = async () => {
      const all = []
      for (const { token } of events) {
        all.push((await openToken(token, keys)).link)
        const [version, purpose, body, footer] = token.split('.')
        const bytes = unbase64(body)
        for (const at of [0, bytes.length - 64, bytes.length - 1]) {
          const changed = bytes.slice()
          changed[at] ^= 1
          await assert.rejects(openToken([version, purpose, base64(changed), footer].join('.'), keys))
        }
      }
      return all
    }
    const byPlatform = await verdicts()
    let asked = 0
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value: { getRandomValues: (bytes) => crypto.getRandomValues(bytes), get subtle() { asked++; return undefined } } })
    try {
      assert.deepEqual(await verdicts(), byPlatform)
      assert.ok(asked > 0)
    } finally {
      Object.defineProperty(globalThis, 'crypto', { configurable: true, value: crypto })
    }
  },
}

let done = 0
for (const [name, test] of Object.entries(tests)) {
  if (process.argv[2] && !name.includes(process.argv[2])) continue
  proxy.honest()
  const start = Date.now()
  try { await test() } catch (error) { console.error(`client.mjs: ${name}:`, error); process.exitCode = 1; break }
  if (process.env.VERBOSE) console.log(`${name} (${Date.now() - start} ms)`)
  done++
}
proxy.stop()
await daemon.stop()
console.log(`client.mjs: ${done} tests of the client module`)
process.exit()
