/**
 * refereed in a page of your own, or in Node 20: one module for the whole interface.
 *
 *     import { Referee } from './refereed.js'
 *     const referee = new Referee()                      // or new Referee('https://referee.example')
 *     const { id, seats } = await referee.create({ ruleset: 'engarde' })
 *     const game = await referee.take(id, 'left', seats.left.invite, { name: 'Ann' })
 *     game.follow({ change: () => draw(game.view, game.moves) })
 *     await game.play({ type: 'advance', card: 3 })
 *
 * - `Referee` talks to the daemon, `Game` follows one game: its view, its legal moves, its events,
 *   by a stream that comes back by itself. A change is sent until it is answered, under one
 *   Idempotency-Key, so that it is made once however often the line breaks.
 * - `Witness` checks what the referee says: signatures, the chain, and that each face shown is the
 *   one that was committed to before play.
 * - `keep()` is for Stratego in players' custody, where no face leaves its player.
 *
 * docs/api.md and docs/protocol.md of the project say the same in full. This file needs lib/ beside
 * it (hashes and signatures); nothing else, and nothing from another host.
 *
 * @typedef {'red' | 'blue'} Side
 * @typedef {{slot: number, face: string, nonce: string}} PieceOpening  what a player sends
 * @typedef {{component: string, face: string | number, nonce?: string}} Opening  what a receipt holds
 * @typedef {{seq: number, type?: string, seat?: string, openings?: Opening[], token?: string,
 *     receipt?: string} & Object<string, any>} GameEvent  of GET …/events, or the claims of a token
 * @typedef {Object<string, any>} Move  as GET …/moves lists them; with only combats told {piece: "a4"}, the
 *     own piece that attacks, by the square of its set-up
 * @typedef {{id: string, ruleset: string, variant: string, custody: 'referee' | 'players' | 'table',
 *     status: 'waiting' | 'seeding' | 'setup' | 'playing' | 'challenge' | 'audit' | 'over' | 'aborted',
 *     seq: number, seats: Object<string, {name: string | null, taken: boolean}>, you: string | null,
 *     to_act: string[], draw_offered: string[], answer_by: string | null, clock: null | {left_ms: Object<string, number>,
 *     running: string[], per_move_s?: number, initial_s?: number, increment_s?: number},
 *     result: null | {winner: string | null, reason: string, ruling?: string},
 *     board: any}} View
 * @typedef {{game: string, seat: Side, variant: string, secret: string,
 *     pieces: {slot: number, square: string, face: string, nonce: string, commitment: string}[]}} Kept
 *     what `keep()` made, to be stored
 * @typedef {{path: string, body: any, key: string, match?: number}} Change  one that is on its way
 * @typedef {{name: string, ok: boolean, seq: number, component?: string, detail: string}} Verdict
 */
import { blake2b as blake } from './lib/blake2.js'
import { sha512 } from './lib/sha2.js'
import { hashes as curve, verify as verifySync } from './lib/noble-ed25519.js'

curve.sha512 = sha512

/** What the referee refused, or what kept it from answering. */
export class Problem extends Error {
  /** @param {Object<string, any>} body of application/problem+json */
  constructor(body) {
    super(body.detail ?? body.title ?? body.code)
    this.name = 'Problem'
    /** @type {number} HTTP status; 0: nobody answered */
    this.status = body.status ?? 0
    /** @type {string} stable: "illegal_move", "stale", … */
    this.code = body.code ?? 'unreachable'
    /** @type {string} */
    this.title = body.title ?? ''
    /** @type {string | undefined} the ruling that forbids a move: "EG-2" */
    this.ruling = body.ruling
    /** @type {string | undefined} why, more closely: "off_strip" */
    this.reason = body.reason
    /** @type {number | undefined} where the game is */
    this.seq = body.seq
    /** @type {string | undefined} JSON pointer into the body that was sent */
    this.pointer = body.pointer
    /** @type {number | undefined} seconds */
    this.retryAfter = body.retryAfter
  }
}

/** Credentials, keys of changes and seeds: 32 bytes from the platform. @returns {Uint8Array} */
export const draw = () => crypto.getRandomValues(new Uint8Array(32))

const sleep = (ms, signal) => new Promise((resolve, reject) => {
  const stop = () => { clearTimeout(timer); reject(signal.reason) }
  const timer = setTimeout(() => { signal?.removeEventListener('abort', stop); resolve() }, ms)
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
})

/** Waits that grow: half a second, doubled up to 15 s, with chance so that not all come at once. */
const pause = (attempt) => Math.min(15000, 500 * 2 ** Math.min(attempt, 9)) * (0.7 + 0.6 * Math.random())

/** A pause that ends early when the network or the page comes back. Throws if `signal` is aborted. */
async function patience(ms, signal) {
  const early = new AbortController()
  const stop = () => early.abort()
  const wake = () => { if (globalThis.document?.visibilityState !== 'hidden') stop() }
  globalThis.addEventListener?.('online', wake)
  globalThis.document?.addEventListener('visibilitychange', wake)
  signal?.addEventListener('abort', stop)
  await sleep(ms, early.signal).catch(() => {})
  signal?.removeEventListener('abort', stop)
  globalThis.removeEventListener?.('online', wake)
  globalThis.document?.removeEventListener('visibilitychange', wake)
  signal?.throwIfAborted()
}

/** The daemon, as one language sees it. */
export class Referee {
  /**
   * @param {string} [base] '' for the daemon that served the page
   * @param {{language?: string, fetch?: typeof fetch}} [options] language of titles and details
   */
  constructor(base = '', { language = 'en', fetch: by } = {}) {
    this.base = base.replace(/\/$/, '')
    this.language = language
    this.fetch = by ?? ((...all) => fetch(...all))
  }

  /**
   * One request, one answer. Throws a Problem for all that is not 2xx, and for an answer that does
   * not come whole within `timeout` (a phone that slept holds a line that is dead and does not know).
   * @param {string} method @param {string} path
   * @param {{body?: any, credential?: string | null, headers?: Object<string, string>,
   *     signal?: AbortSignal, timeout?: number}} [options]
   * @returns {Promise<any>} the JSON
   */
  async request(method, path, { signal, timeout = 30000, ...options } = {}) {
    const late = new AbortController()
    const stop = () => late.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    const timer = setTimeout(stop, timeout)
    try {
      const answer = await this.open(method, path, { ...options, signal: late.signal })
      return answer.status === 204 ? null : await answer.json()
    } catch (error) { // also an answer that was cut: it must not pass for one
      if (signal?.aborted || error instanceof Problem) throw error
      throw new Problem({ detail: String(error?.message ?? error) })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  /** The same, but gives the Response itself. */
  async open(method, path, { body, credential, headers = {}, signal } = {}) {
    const all = { 'Accept-Language': this.language, ...headers }
    if (body !== undefined) all['Content-Type'] = 'application/json'
    if (credential) all.Authorization = `Bearer ${credential}`
    const text = body === undefined ? undefined : JSON.stringify(body)
    let answer
    try {
      answer = await this.fetch(this.base + path, { method, headers: all, body: text, signal, cache: 'no-store' })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new Problem({ detail: String(error?.message ?? error) })
    }
    if (answer.ok) return answer
    const problem = await answer.json().catch(() => ({ title: answer.statusText }))
    const retryAfter = Number(answer.headers.get('Retry-After')) || undefined
    throw new Problem({ status: answer.status, code: 'http', ...problem, retryAfter })
  }

  /**
   * A change, sent until it is answered: no answer, 429, 503 and 507 are tried again under the same
   * key, and the referee makes it once. Throws what it refuses.
   * @param {Change} change
   * @param {{credential?: string | null, signal?: AbortSignal, waiting?: (problem: Problem) => void}} [options]
   */
  async change({ path, body, key, match }, { credential, signal, waiting } = {}) {
    const headers = { 'Idempotency-Key': key }
    if (match !== undefined) headers['If-Match'] = `"${match}"`
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.request('POST', path, { body: body ?? {}, credential, headers, signal })
      } catch (problem) {
        const again = problem instanceof Problem && [0, 429, 502, 503, 504, 507].includes(problem.status)
        if (!again) throw problem
        waiting?.(problem)
        if (problem.retryAfter) await sleep(problem.retryAfter * 1000, signal)
        else await patience(pause(attempt), signal)
      }
    }
  }

  /** @returns {Promise<{rulesets: any[]}>} */
  rulesets() { return this.request('GET', '/v1/rulesets') }

  /** @param {string} id with variants, options and rulings in this language */
  ruleset(id) { return this.request('GET', `/v1/rulesets/${id}`) }

  /** @returns {Promise<{keys: {public: string, id: string}[]}>} the current one first */
  keys() { return this.request('GET', '/v1/keys') }

  /** The stateless judge. @param {Object<string, any>} body */
  adjudicate(body) { return this.request('POST', '/v1/adjudicate', { body }) }

  /** @param {{token?: string, transcript?: any, key?: string}} body */
  verify(body) { return this.request('POST', '/v1/verify', { body }) }

  /** Games that anybody may watch. @param {{status?: string, after?: string, limit?: number}} [query] */
  games(query = {}) { return this.request('GET', `/v1/games?${new URLSearchParams(/** @type {any} */ (query))}`) }

  /**
   * @param {{ruleset: string, variant?: string, options?: any, custody?: string, players?: number,
   *     seats?: Object<string, {name: string}>, spectators?: boolean}} game
   * @returns {Promise<{id: string, host: string, seats: Object<string, {invite: string}>, seq: number}>}
   *     the credentials are told here and never again
   */
  create(game) { return this.change({ path: '/v1/games', body: game, key: base64(draw()) }) }

  /**
   * Takes a seat. `seed` are 32 random bytes that have a say in the shuffle: they are committed to
   * here and revealed by the Game when all seats are taken. Store both before you go on.
   * @param {string} id @param {string} seat @param {string} invite
   * @param {{name?: string, seed?: Uint8Array, round?: number, index?: number, key?: string}} [options]
   *     index: of the seat, 0 for the first; asked for if a seat of that name is not always the same
   * @returns {Promise<Game>}
   */
  async take(id, seat, invite, { name, seed, index, key = base64(draw()) } = {}) {
    const body = { ...(name && { name }) }
    if (seed) {
      const at = index ?? seatIndex(seat) ?? seatIndex(seat, (await this.game(id).get()).ruleset)
      if (at === undefined) throw new RangeError(`which seat is ${seat}? Say its index`)
      body.seed_commit = hex(hashes.playerSeed(id, 0, at, seed))
    }
    const answer = await this.change({ path: `/v1/games/${id}/seats/${seat}`, body, key }, { credential: invite })
    return this.game(id, answer.credential, { seed })
  }

  /**
   * A game as a seat, or its host, or (without a credential) a spectator sees it.
   * @param {string} id @param {string | null} [credential] @param {{seed?: Uint8Array}} [options]
   */
  game(id, credential = null, options = {}) { return new Game(this, id, credential, options) }
}

/** One game, followed. All members are to be read, not written. */
export class Game {
  #sending = Promise.resolve()

  /** @param {Referee} referee @param {string} id @param {string | null} credential */
  constructor(referee, id, credential, { seed } = {}) {
    this.referee = referee
    this.id = id
    this.credential = credential
    /** @type {Uint8Array | undefined} */
    this.seed = seed
    /** @type {View | null} */
    this.view = null
    /** When the view was got: clocks of `view.clock.running` have gone on since. */
    this.viewedAt = 0
    /** @type {Move[]} legal moves of this seat at `view.seq`; empty if it is not to act */
    this.moves = []
    /** @type {GameEvent[]} oldest first, without a gap */
    this.events = []
    /** @type {Change | null} on its way, not answered yet */
    this.pending = null
    /** @type {'idle' | 'live' | 'waiting'} waiting: the line is down and comes back by itself */
    this.line = 'idle'
    this.witness = new Witness(id)
    /** Called with the pending change, or null when it has been answered; may be async. Store it, and
     * give it to `resume()` after a reload. @type {(change: Change | null) => void} */
    this.onpending = () => {}
  }

  get path() { return `/v1/games/${this.id}` }

  /** @param {string} part @param {{signal?: AbortSignal}} [options] */
  get(part = '', options = {}) {
    return this.referee.request('GET', this.path + part, { ...options, credential: this.credential })
  }

  /** Asks for the view and, if this seat is to act, its moves. */
  async refresh(signal) {
    const view = await this.get('', { signal })
    const asked = view.you && view.to_act.includes(view.you) && view.status === 'playing'
    const listed = asked ? await this.get('/moves', { signal }) : { seq: view.seq, moves: [] }
    if (listed.seq !== view.seq) return this.refresh(signal)
    if (this.view && view.seq < this.view.seq) return this.view
    this.view = view
    this.viewedAt = Date.now()
    this.moves = listed.moves
    return view
  }

  /**
   * Follows the game until it is over or `signal` is aborted. The line may break: it comes back by
   * itself, and what was missed is told in order.
   * @param {{change?: (game: Game, news: GameEvent[]) => void, line?: (state: string) => void,
   *     verdict?: (verdicts: Verdict[]) => void, signal?: AbortSignal}} hooks
   */
  async follow({ change = () => {}, line = () => {}, verdict = () => {}, signal } = {}) {
    const say = (state) => { if (this.line !== state) { this.line = state; line(state) } }
    let told = this.events.length
    // All that is not seen yet: a line that broke just here would leave a hole in the chain.
    const tell = async () => {
      verdict(await this.witness.see(this.events.filter(({ seq }) => seq > this.witness.seq), this.referee))
      const news = this.events.slice(told)
      told += news.length
      change(this, news)
    }
    for (let attempt = 0; !signal?.aborted;) {
      try {
        await this.refresh(signal)
        await tell()
        await this.#stream(signal, async (fresh) => {
          this.events.push(...fresh)
          await this.refresh(signal)
          say('live')
          await tell()
        }, () => { attempt = 0; say('live') })
        const ended = ['over', 'aborted'].includes(this.view?.status ?? '')
        if (ended && this.events.at(-1)?.seq === this.view?.seq) return say('idle')
      } catch (problem) {
        if (signal?.aborted) return say('idle')
        // Only what the daemon itself says is final: a proxy before it may say 404 while it restarts.
        const gone = problem instanceof Problem && problem.code !== 'http' && [400, 401, 403, 404, 410].includes(problem.status)
        if (gone) { say('idle'); throw problem }
      }
      say('waiting')
      await patience(pause(attempt++), signal).catch(() => {})
    }
    say('idle')
  }

  async #stream(signal, take, opened) {
    const quiet = new AbortController() // heartbeats come every 15 s: after 40 s without one the line is dead
    const stop = () => quiet.abort(signal.reason)
    signal?.addEventListener('abort', stop)
    let timer = setTimeout(() => quiet.abort(), 40000)
    const wake = () => { if (globalThis.document?.visibilityState === 'visible' && Date.now() - heard > 20000) quiet.abort() }
    let heard = Date.now()
    const other = () => quiet.abort() // what was sent over the old network does not arrive over the new one
    globalThis.document?.addEventListener('visibilitychange', wake)
    globalThis.addEventListener?.('online', other)
    globalThis.addEventListener?.('offline', other)
    try {
      const after = this.events.at(-1)?.seq ?? 0
      const answer = await this.referee.open('GET', `${this.path}/events?after=${after}&tokens=1`, {
        credential: this.credential, signal: quiet.signal, headers: { Accept: 'text/event-stream' },
      })
      opened()
      for await (const news of eventsOf(answer.body)) {
        heard = Date.now()
        clearTimeout(timer)
        timer = setTimeout(() => quiet.abort(), 40000)
        const last = this.events.at(-1)?.seq ?? 0
        const fresh = news.filter((event) => event.seq > last)
        if (fresh.length) await take(fresh)
      }
    } finally {
      clearTimeout(timer)
      quiet.abort()
      signal?.removeEventListener('abort', stop)
      globalThis.document?.removeEventListener('visibilitychange', wake)
      globalThis.removeEventListener?.('online', other)
      globalThis.removeEventListener?.('offline', other)
    }
  }

  /**
   * Sends a change once, however often that takes. `match` (the view's seq) makes it fail as `stale`
   * if the game has gone on.
   * @param {string} part "moves" @param {any} body @param {{match?: boolean, signal?: AbortSignal,
   *     waiting?: (problem: Problem) => void}} [options]
   */
  async change(part, body, { match = false, ...options } = {}) {
    const change = { path: `${this.path}/${part}`, body, key: base64(draw()), ...(match && this.view && { match: this.view.seq }) }
    return this.resume(change, options)
  }

  /** Sends a change that was stored by `onpending`, under its own key. One after another: only one is
   * ever stored, and a second one must not push out a first that is still on its way. @param {Change} change */
  async resume(change, options = {}) {
    const before = this.#sending
    let done = () => {}
    this.#sending = new Promise((resolve) => { done = () => resolve(undefined) })
    await before
    try {
      options.signal?.throwIfAborted()
      return await this.#send(change, options)
    } finally {
      done()
    }
  }

  async #send(change, options) {
    this.pending = change
    await this.onpending(change)
    try {
      return await this.referee.change(change, { credential: this.credential, ...options })
    } finally {
      if (!options.signal?.aborted) {
        this.pending = null
        await this.onpending(null)
      }
    }
  }

  /** @param {Move} move @param {PieceOpening} [open] in players' custody */
  play(move, open, options = {}) { return this.change('moves', { move, ...(open && { open }) }, { match: true, ...options }) }

  /** Reveals the seed that was committed to, when all seats are taken. */
  reveal(seed = this.seed) { return this.change('seeds', { seed: hex(/** @type {Uint8Array} */ (seed)) }) }

  /** @param {{pieces: Object<string, string>} | {commitments: (string | null)[]}} body */
  setup(body, options = {}) { return this.change('setup', body, options) }

  /** What is attacked, in answer to a challenge. @param {{open: PieceOpening} | {piece: string}} body open: in players'
   * custody; piece: in a game of Stratego in which only combats are told, by the square of its set-up */
  defend(body, options = {}) { return this.change('defend', body, { match: true, ...options }) }
  claim(body, options = {}) { return this.change('open', body, { match: true, ...options }) }
  audit(body) { return this.change('audit', body) }
  resign() { return this.change('resign', {}) }

  /** @param {'offer' | 'accept' | 'decline'} action */
  offer(action) { return this.change('draw', { action }, { match: true }) }

  abort() { return this.change('abort', {}) }

  /** The whole signed record of a game that is over. */
  transcript() { return this.get('/transcript') }
}

/** Server-sent events of a body, those of one chunk together. @param {ReadableStream<Uint8Array> | null} body
 *     null: 204, nothing more will come */
async function* eventsOf(body) {
  if (!body) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = /** @type {string} */ (blocks.pop())
      yield blocks.flatMap((block) => {
        const data = block.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim())
        return data.length ? [JSON.parse(data.join('\n'))] : []
      })
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const SEATS_OF = { engarde: ['left', 'right'], roquefort: ['yellow', 'red', 'blue', 'green'], stratego: ['red', 'blue'] }

/**
 * The number of a seat, as commitments have it. Without the ruleset undefined for a name that is not
 * the same in all games: a seed committed to under another number could never be revealed.
 * @param {string} seat @param {string} [ruleset] @returns {number | undefined}
 */
export function seatIndex(seat, ruleset) {
  const lists = ruleset ? [SEATS_OF[ruleset] ?? []] : Object.values(SEATS_OF)
  const found = new Set(lists.map((seats) => seats.indexOf(seat)).filter((at) => at >= 0))
  return found.size === 1 ? [...found][0] : undefined
}

/**
 * Checks what a referee says of one game, event by event, as it comes: the signature of each token,
 * that the event says what is signed and nothing else, that each carries the link of the one before,
 * and that each face shown is the one that was committed to. Verdicts that are not `ok` are proof:
 * keep the tokens.
 *
 * `keys[0]` is the key that was seen first, and stays so. Another one counts only while the daemon
 * lists it together with that one, as it does after `refereed rotate`.
 */
export class Witness {
  /** @type {Set<string>} ids of keys that were asked for */
  #asked = new Set()

  /** @param {string} id of the game @param {string[]} [keys] k4.public.… that are trusted; else those
   *     that the daemon names at the first event are taken, and stay */
  constructor(id, keys) {
    this.id = id
    this.keys = keys
    this.commitments = new Commitments(id)
    /** @type {Verdict[]} */
    this.verdicts = []
    /** @type {Map<string, string | number>} component to a face that fits its commitment */
    this.faces = new Map()
    this.seq = 0
    /** @type {string | null} null: the event before had no token that holds */
    this.link = '0'.repeat(64)
  }

  /** May be called again with the same events after it threw a Problem.
   * @param {GameEvent[]} events with tokens=1, in order @param {Referee} [referee] to ask for keys */
  async see(events, referee) {
    const before = this.verdicts.length
    for (const event of events) {
      if (event.seq <= this.seq) continue
      await this.#trust(event.token, referee)
      const claims = await this.#chain(event)
      if (claims) this.commitments.follow([claims])
      for (const opening of event.openings ?? []) this.#face(event, opening)
    }
    return this.verdicts.slice(before)
  }

  /** The same for the record of a game that is over. @param {any} transcript */
  async seeRecord(transcript) {
    let last
    for (const { seq, token } of transcript.events) {
      const { gid, typ, iat, ...told } = claimsOf(token)
      await this.see([{ ...told, seq, at: iat, token }])
      last = told
    }
    if (transcript.id !== this.id || !same(last?.result ?? null, transcript.result ?? null))
      this.#say('result', false, this.seq, 'the result is not the one that was signed')
    for (const opening of transcript.openings) this.#face({ seq: this.seq }, opening)
    return this.ok
  }

  /** Did everything hold so far? */
  get ok() { return this.verdicts.every((verdict) => verdict.ok) }

  #say(name, ok, seq, detail, component) {
    this.verdicts.push({ name, ok, seq, detail, ...(component && { component }) })
  }

  /** A key that nobody has heard of is asked for once. */
  async #trust(token, referee) {
    const kid = kidOf(token)
    if (!referee || this.#asked.has(kid) || this.keys?.some((key) => idOf(key) === kid)) return
    const listed = (await referee.keys()).keys.map((key) => key.public)
    this.#asked.add(kid)
    if (!this.keys) this.keys = listed
    else if (listed.includes(this.keys[0])) this.keys = [...new Set([...this.keys, ...listed])]
  }

  async #chain(event) {
    const { seq, token, receipt } = event
    let signed = null // what this event says by its token, whatever came with it
    let link = null
    try {
      if (!token) throw new Error('no token came with the event')
      const { claims, link: next } = await openToken(token, this.keys ?? [])
      if (claims.gid !== this.id || claims.seq !== seq) throw new Error('the token is of another event')
      signed = claims
      link = next
      if (!agree(event, claims)) throw new Error('the event is not what was signed')
      if (receipt) {
        const { claims: own } = await openToken(receipt, this.keys ?? [])
        const { gid, typ, prev, openings } = own
        if (gid !== this.id || typ !== 'receipt' || own.seq !== seq || prev !== claims.prev || !same(openings, event.openings ?? []))
          throw new Error('the receipt says something else')
      }
      if (seq !== this.seq + 1 || claims.prev !== this.link) throw new Error('the chain is broken before it')
      this.#say('chain', true, seq, 'signed, and linked to the event before')
    } catch (error) {
      this.#say('chain', false, seq, error.message)
    }
    this.link = link
    this.seq = seq
    return signed
  }

  #face(event, opening) {
    if (this.commitments.custody === 'table') return // nobody has committed to anything
    const ok = fits(opening, this.commitments)
    if (ok) this.faces.set(opening.component, opening.face)
    this.#say('face', ok, event.seq, ok ? 'this face is the one committed to at the start'
      : 'this face is not the one that was committed to', opening.component)
  }
}

/** Does the event say what its token does, and no more? What is not signed is left out. */
function agree({ at, token, receipt, openings, pad, ...told }, { gid, typ, iat, ...signed }) {
  return at === iat && same(told, signed)
}

/** JSON values are equal, in whatever order their members stand. */
function same(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return a === b
  const [names, others] = [Object.keys(a), Object.keys(b)]
  return Array.isArray(a) === Array.isArray(b) && names.length === others.length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
}

/**
 * BLAKE2b (RFC 7693) without a key.
 * @param {Uint8Array} input @param {number} [size] of the hash, 1 to 64 bytes @returns {Uint8Array}
 */
export const blake2b = (input, size = 32) => blake(input, { dkLen: size })

// Bytes and names.

const ascii = (text) => new TextEncoder().encode(text)

/** @param {(Uint8Array | number[])[]} parts */
function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** @param {string} text @returns {Uint8Array} */
export function unhex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new TypeError('not lower-case hex')
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** base64url without padding. @param {Uint8Array} bytes */
export const base64 = (bytes) =>
  btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')

/** @param {string} text @returns {Uint8Array} */
export function unbase64(text) {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  const bytes = Uint8Array.from(plain, (c) => c.charCodeAt(0))
  if (base64(bytes) !== text) throw new TypeError('not base64url in its one form')
  return bytes
}

const MARSAL = ['flag', 'spy', 'scout', 'miner', 'gunner', 'corporal', 'cadet', 'captain',
  'general', 'marshal', 'mine']
const CLASSIC = ['flag', 'spy', 'scout', 'miner', 'sergeant', 'lieutenant', 'captain', 'major',
  'colonel', 'general', 'marshal', 'bomb']
const SYMBOLS = ['blank', 'emmental', 'gouda', 'edam', 'roquefort', 'camembert', 'cheddar', 'brie',
  'trapdoor']
/** How many of each a side has, in the order of `ranksOf`. */
export const COUNTS = {
  'marsal-a-spion': [1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8],
  classic: [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
  isf: [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
  barrage: [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
  duel: [1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2],
  ultimate: [1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2],
}
const IMMOBILE = ['flag', 'mine', 'bomb']
const SIDES = ['red', 'blue']

/** The ranks of a variant in the order of their bytes. @param {string} variant */
export const ranksOf = (variant) => (variant === 'marsal-a-spion' ? MARSAL : CLASSIC)

function byteOf(names, name) {
  const byte = names.indexOf(name)
  if (byte < 0) throw new RangeError(`no such face: ${name}`)
  return byte
}

function cell(square) {
  const [, file, row] = /^([a-j])([1-9]|10)$/.exec(square) ?? []
  if (!file) throw new RangeError(`no such square: ${square}`)
  return [file.charCodeAt(0) - 97, Number(row)]
}

/** 0 is the side's own left back corner, then row by row. @param {Side} seat @param {string} square */
export function slotOf(seat, square) {
  const [x, y] = cell(square)
  if (seat === 'red' ? y > 4 : y < 7) throw new RangeError(`${square} is not one of ${seat}'s squares`)
  return seat === 'red' ? (y - 1) * 10 + x : (10 - y) * 10 + 9 - x
}

// The protocol's hashes. `game` is the id of the game, the rest is bytes and numbers.

const hashed = (tag, ...parts) => blake2b(joined(ascii(tag), ...parts))
const gid = (game) => {
  const bytes = unbase64(game)
  if (bytes.length !== 16) throw new TypeError('not the id of a game')
  return bytes
}

export const hashes = {
  nonce: (secret, game, context, index) =>
    hashed('refereed/nonce/1', secret, gid(game), [context, index]),
  piece: (game, seat, slot, rank, nonce) =>
    hashed('refereed/piece/1', gid(game), [seat, slot, rank, 0], nonce),
  setup: (game, seat, commitments) =>
    hashed('refereed/setup/1', gid(game), [seat, commitments.length], ...commitments),
  card: (game, round, position, value, nonce) =>
    hashed('refereed/cards/1', gid(game), [round, position, value, 0], nonce),
  tile: (game, tile, symbol, nonce) =>
    hashed('refereed/tiles/1', gid(game), [0, tile, symbol, 0], nonce),
  /** What a seat sends as `seed_commit` (round 0), before it reveals its 32 random bytes. */
  playerSeed: (game, round, seat, seed) => hashed('refereed/pseed/1', gid(game), [round, seat], seed),
  refereeSeed: (game, round, seed) => hashed('refereed/sseed/1', gid(game), [round], seed),
  /** What the next event's `prev` must be. @param {string} claims the text, as it was signed */
  link: (claims) => hashed('refereed/event/1', ascii(claims)),
}

// What was committed to, and whether an opening fits: any game, any custody.

/** The commitments of a game by its components, from the events in which they were published. */
export class Commitments {
  /** @param {string} game its id @param {GameEvent[]} [events] */
  constructor(game, events = []) {
    this.game = game
    this.variant = ''
    this.custody = ''
    /** @type {Map<string, string[]>} component to the hashes, one of which must be its own */
    this.sealed = new Map()
    /** @type {GameEvent | null} */
    this.started = null
    this.follow(events)
  }

  /** @param {GameEvent[]} events */
  follow(events) {
    for (const event of events) {
      if (event.type === 'created') [this.variant, this.custody] = [event.variant, event.custody]
      if (event.type === 'round_started')
        (event.commitments ?? []).forEach((hash, i) => this.sealed.set(`card/${event.round}/${i}`, [hash]))
      if (event.type === 'started') this.#start(event)
    }
  }

  #start(event) {
    this.started = event
    const { commitments = [], squares } = event
    if (Array.isArray(commitments)) {
      commitments.forEach((hash, i) => this.sealed.set(`tile/${i}`, [hash]))
      return
    }
    for (const seat of SIDES) {
      const list = commitments[seat]
      const own = squares?.[seat]
      for (const square of own ?? allSquares(seat)) {
        // In the referee's custody the smaller sets do not tell their squares; the hash holds the slot.
        const at = own ? own.indexOf(square) : list.length === 40 ? slotOf(seat, square) : -1
        this.sealed.set(`${seat}/${square}`, at < 0 ? list : [list[at]])
      }
    }
  }

  /** Do the hashes over both lists in `started` fit? */
  setupsFit() {
    const { commitments, setups } = this.started ?? {}
    return !!setups && SIDES.every((seat, i) =>
      hex(hashes.setup(this.game, i, commitments[seat].map(unhex))) === setups[seat])
  }
}

function allSquares(seat) {
  const rows = seat === 'red' ? [1, 2, 3, 4] : [7, 8, 9, 10]
  return rows.flatMap((row) => [...'abcdefghij'].map((file) => file + row))
}

/** @param {Opening} opening @param {Commitments} commitments */
function hashOf({ component, face, nonce }, { game, variant }) {
  const [kind, first, second] = component.split('/')
  const bytes = unhex(/** @type {string} */ (nonce))
  if (kind === 'card') return hashes.card(game, Number(first), Number(second), Number(face), bytes)
  if (kind === 'tile') return hashes.tile(game, Number(first), byteOf(SYMBOLS, face), bytes)
  return hashes.piece(game, SIDES.indexOf(kind), slotOf(/** @type {Side} */ (kind), first),
    byteOf(ranksOf(variant), face), bytes)
}

/**
 * Is this the face that was committed to before play? False too for an opening of the wrong form,
 * or without a nonce, as in table custody, where nobody has committed to anything.
 * @param {Opening} opening @param {Commitments} commitments @returns {boolean}
 */
export function fits(opening, commitments) {
  const sealed = commitments.sealed.get(opening?.component)
  if (!sealed || typeof opening.nonce !== 'string' || opening.nonce.length !== 64) return false
  try {
    return sealed.includes(hex(hashOf(opening, commitments)))
  } catch {
    return false
  }
}

/**
 * What a secret shows, as the audit sees it: each of the side's faces by its square at the start,
 * null where the commitment fits no face. `ended` publishes both secrets.
 * @param {string} secret in hex @param {Side} seat @param {Commitments} commitments
 * @returns {Object<string, string | null>}
 */
export function revealed(secret, seat, commitments) {
  const squares = commitments.started?.squares?.[seat] ?? allSquares(seat)
  return Object.fromEntries(squares.map((square) => {
    const nonce = hex(hashes.nonce(unhex(secret), commitments.game, 0, slotOf(seat, square)))
    const face = ranksOf(commitments.variant).find((rank) =>
      fits({ component: `${seat}/${square}`, face: rank, nonce }, commitments))
    return [square, face ?? null]
  }))
}

// One's own faces.

/**
 * Draws a secret for a set-up. The referee cannot see a wrong set-up before the audit, which would
 * lose the game; so it is refused here.
 * @param {{game: string, seat: Side, variant?: string, pieces: Object<string, string>,
 *     secret?: Uint8Array}} setup pieces: {"a1": "flag", …}
 * @returns {Keep}
 */
export function keep({ game, seat, variant = 'marsal-a-spion', pieces, secret }) {
  const counts = COUNTS[variant]
  if (!counts) throw new RangeError(`no such variant: ${variant}`)
  const faces = Object.values(pieces)
  const wrong = faces.length !== counts.reduce((sum, count) => sum + count) ||
    ranksOf(variant).some((rank, i) => faces.filter((face) => face === rank).length !== counts[i])
  if (wrong) throw new RangeError(`these are not the pieces of ${variant}`)
  return new Keep(game, seat, variant, pieces, secret ?? crypto.getRandomValues(new Uint8Array(32)))
}

/** A side that its player keeps. It follows the game by its events alone. */
export class Keep {
  #secret
  #pieces
  #seq = 0
  /** @type {Map<string, string>} square now to component, of both sides */
  #board = new Map()
  /** @type {GameEvent | null} a challenge that nobody has answered yet */
  #asked = null

  constructor(game, seat, variant, pieces, secret) {
    if (!SIDES.includes(seat)) throw new RangeError(`no such seat: ${seat}`)
    if (secret.length !== 32) throw new RangeError('a secret has 32 bytes')
    this.game = game
    this.seat = seat
    this.variant = variant
    this.#secret = secret
    this.#pieces = new Map(Object.entries(pieces).map(([square, face]) => {
      const slot = slotOf(seat, square)
      const nonce = hashes.nonce(secret, game, 0, slot)
      const commitment = hashes.piece(game, SIDES.indexOf(seat), slot, byteOf(ranksOf(variant), face), nonce)
      return [`${seat}/${square}`, { slot, square, face, nonce: hex(nonce), commitment: hex(commitment) }]
    }))
  }

  /** To be stored: everything, the secret too. @returns {Kept} */
  toJSON() {
    const { game, seat, variant } = this
    const pieces = [...this.#pieces.values()].sort((a, b) => a.slot - b.slot)
    return { game, seat, variant, secret: hex(this.#secret), pieces }
  }

  /** Throws if what was stored does not hold together. @param {Kept | string} kept */
  static from(kept) {
    const { game, seat, variant, secret, pieces } = typeof kept === 'string' ? JSON.parse(kept) : kept
    const faces = Object.fromEntries(pieces.map(({ square, face }) => [square, face]))
    const again = new Keep(game, seat, variant, faces, unhex(secret))
    for (const piece of pieces)
      if (again.#pieces.get(`${seat}/${piece.square}`).commitment !== piece.commitment)
        throw new Error(`what was kept of ${piece.square} does not fit its commitment`)
    return again
  }

  /** Body of POST …/setup. @returns {{commitments: (string | null)[]}} */
  commitments() {
    const commitments = Array(40).fill(null)
    for (const piece of this.#pieces.values()) commitments[piece.slot] = piece.commitment
    return { commitments }
  }

  /**
   * Has the referee published what this side sent, at its squares, and do both lists fit their
   * hashes? To be asked once the game has started.
   * @param {Commitments} commitments
   */
  check(commitments) {
    const { started, game, sealed } = commitments
    const own = [...this.#pieces].every(([component, { commitment }]) => {
      const published = sealed.get(component)
      return published?.length === 1 && published[0] === commitment
    })
    return game === this.game && own && commitments.setupsFit() &&
      started.commitments[this.seat].length === this.#pieces.size
  }

  /**
   * All events in order, from the first on; those that are known already are passed over. A gap
   * throws: fetch `GET …/events?after=` `seq`.
   * @param {GameEvent[]} events
   */
  follow(events) {
    for (const event of events) {
      if (event.seq <= this.#seq) continue
      if (event.seq !== this.#seq + 1) throw new RangeError(`the events after ${this.#seq} are missing`)
      this.#seq = event.seq
      this.#play(event)
    }
  }

  get seq() {
    return this.#seq
  }

  #play(event) {
    const { type, from, to, outcome } = event
    if (type === 'started')
      for (const seat of SIDES)
        for (const square of event.squares[seat]) this.#board.set(square, `${seat}/${square}`)
    if (['challenge', 'combat', 'claimed', 'timed_out'].includes(type))
      this.#asked = type === 'challenge' ? event : null
    if (type === 'combat' && outcome !== 'attacker_lost') this.#board.delete(to)
    if (type === 'moved' || outcome === 'defender_lost') this.#board.set(to, this.#board.get(from))
    if (type === 'moved' || type === 'combat') this.#board.delete(from)
  }

  #on(square) {
    const piece = this.#pieces.get(this.#board.get(square))
    if (!piece) throw new RangeError(`no piece of ${this.seat} stands on ${square}`)
    return piece
  }

  /** What is left: {"c5": "scout", …} by the square now. */
  pieces() {
    const own = [...this.#board].filter(([, component]) => this.#pieces.has(component))
    return Object.fromEntries(own.map(([square]) => [square, this.#on(square).face]))
  }

  /** By the square on which the piece stands now. @param {string} square @returns {PieceOpening} */
  opening(square) {
    const { slot, face, nonce } = this.#on(square)
    return { slot, face, nonce }
  }

  /**
   * Body of POST …/moves, with the opening if it attacks or goes far. A mine that moves would not
   * be seen before the audit, and lose then: it is refused here.
   * @param {string} from @param {string} to @returns {{move: Move, open?: PieceOpening}}
   */
  move(from, to) {
    const { face } = this.#on(from)
    const [a, b] = [cell(from), cell(to)]
    const far = Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])) > 1
    if (IMMOBILE.includes(face)) throw new RangeError(`a ${face} never moves`)
    if (far && face !== 'scout') throw new RangeError(`a ${face} goes one square`)
    const attacks = this.#board.has(to) && !this.#pieces.has(this.#board.get(to))
    return { move: { from, to }, ...((far || attacks) && { open: this.opening(from) }) }
  }

  /**
   * What the rival's attack or claim asks for: which route, and its body. Null if nothing does.
   * @returns {{route: 'defend' | 'open', body: {open: PieceOpening} | {opens: PieceOpening[]}} | null}
   */
  answer() {
    if (!this.#asked || this.#asked.seat === this.seat) return null
    return this.#asked.claim
      ? { route: 'open', body: this.claim() }
      : { route: 'defend', body: { open: this.opening(this.#asked.to) } }
  }

  /** Body of POST …/open: all that is left, for an end that only open pieces show. */
  claim() {
    return { opens: Object.keys(this.pieces()).map((square) => this.opening(square)) }
  }

  /** Body of POST …/audit. Given in no status but `audit`: it opens every piece. @param {string} status */
  audit(status) {
    if (status !== 'audit') throw new RangeError('the game is not over: the secret stays here')
    return { secret: hex(this.#secret) }
  }
}

// Tokens: PASETO v4.public.

function pae(...pieces) {
  const size = (n) => Uint8Array.from({ length: 8 }, (_, i) => Math.floor(n / 256 ** i) % 256)
  return joined(size(pieces.length), ...pieces.flatMap((piece) => [size(piece.length), piece]))
}

/** Ed25519 by the platform where it can, else by lib/: a page without TLS has no crypto.subtle. */
async function signed(signature, message, key) {
  try {
    const by = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', by, signature, message)
  } catch {
    return verifySync(signature, message, key, { zip215: false })
  }
}

const ids = new Map()
const idOf = (key) => ids.get(key) ?? ids.set(key, `k4.pid.${base64(blake2b(ascii('k4.pid.' + key), 33))}`).get(key)

/** Which key a token says it is signed with; '' if it says none. */
function kidOf(token) {
  try {
    return JSON.parse(new TextDecoder().decode(unbase64(token.split('.')[3]))).kid ?? ''
  } catch {
    return ''
  }
}

/**
 * The claims of a token whose signature holds; throws otherwise. Take the keys from somewhere else
 * than the record that they sign.
 * @param {string} token @param {string | string[]} keys k4.public.…: any of these
 * @returns {Promise<{claims: Object<string, any>, link: string}>} link: the next event's `prev`
 */
export async function openToken(token, keys) {
  const [version, purpose, body, footer, ...more] = token.split('.')
  const header = `${version}.${purpose}.`
  const trusted = [keys].flat()
  if (header !== 'v4.public.' || !footer || more.length || !trusted.every((key) => key.startsWith('k4.public.')))
    throw new TypeError('not a token and a key of v4.public')
  const whole = unbase64(body)
  const message = whole.subarray(0, -64)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(message)
  const claims = JSON.parse(text)
  const bytes = pae(ascii(header), message, unbase64(footer), ascii(`refereed/v1/${claims.typ}`))
  const said = new TextDecoder().decode(unbase64(footer))
  const key = trusted.find((one) => said === JSON.stringify({ kid: idOf(one) }))
  if (!key || !(await signed(whole.subarray(-64), bytes, unbase64(key.slice(10)))))
    throw new Error('the signature does not hold')
  return { claims, link: hex(hashes.link(text)) }
}

/** The claims of a token, unchecked: for showing, never for believing. @param {string} token */
export const claimsOf = (token) =>
  JSON.parse(new TextDecoder().decode(unbase64(token.split('.')[2]).subarray(0, -64)))
