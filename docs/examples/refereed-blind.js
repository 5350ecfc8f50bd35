/**
 * refereed in the browser and in Node: what a player's own device does in Stratego with players'
 * custody, where the faces never leave it; and the checks of commitments, openings and tokens
 * that any table can make, whoever holds the faces. docs/protocol.md is the same byte by byte.
 *
 * No dependencies, no network: bodies for the requests come out, events and tokens go in.
 *
 * WARNING. What `keep()` makes is the only place where the faces are. Store `toJSON()` before the
 * commitments are sent, where nobody else can read it. Whoever loses it can open nothing more and
 * cannot audit: no audit, no win. Nobody can restore it, the referee least of all.
 *
 * @typedef {'red' | 'blue'} Side
 * @typedef {{slot: number, face: string, nonce: string}} PieceOpening  what a player sends
 * @typedef {{component: string, face: string | number, nonce?: string}} Opening  what a receipt holds
 * @typedef {{seq: number, type?: string, seat?: string} & Object<string, any>} GameEvent  of GET …/events,
 *     or the claims of a token
 * @typedef {{from: string, to: string}} Move
 * @typedef {{game: string, seat: Side, variant: string, secret: string,
 *     pieces: {slot: number, square: string, face: string, nonce: string, commitment: string}[]}} Kept
 *     the same form as blind.sh keeps
 */

// BLAKE2b (RFC 7693), without a key.

const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
]
const SIGMA = [
  '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d',
  '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
].map((row) => [...row].map((digit) => parseInt(digit, 16)))
const COLUMNS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
]
const rotated = (word, by) => (word >> by) | (word << (64n - by)) // cut to 64 bits by the array

/** @param {BigUint64Array} h @param {DataView} block @param {number} size @param {boolean} last */
function compress(h, block, size, last) {
  const v = BigUint64Array.from([...h, ...IV])
  v[12] ^= BigInt(size)
  if (last) v[14] = ~v[14]
  for (let round = 0; round < 12; round++) {
    const order = SIGMA[round % 10]
    const word = (i) => block.getBigUint64(8 * order[i], true)
    COLUMNS.forEach(([a, b, c, d], i) => {
      v[a] += v[b] + word(2 * i)
      v[d] = rotated(v[d] ^ v[a], 32n)
      v[c] += v[d]
      v[b] = rotated(v[b] ^ v[c], 24n)
      v[a] += v[b] + word(2 * i + 1)
      v[d] = rotated(v[d] ^ v[a], 16n)
      v[c] += v[d]
      v[b] = rotated(v[b] ^ v[c], 63n)
    })
  }
  for (let i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8]
}

/**
 * @param {Uint8Array} input
 * @param {number} [size] of the hash, 1 to 64 bytes
 * @returns {Uint8Array}
 */
export function blake2b(input, size = 32) {
  const blocks = Math.max(1, Math.ceil(input.length / 128))
  const padded = new Uint8Array(blocks * 128)
  const h = BigUint64Array.from(IV)
  const out = new DataView(new ArrayBuffer(64))

  padded.set(input)
  h[0] ^= 0x01010000n ^ BigInt(size)
  for (let i = 0; i < blocks; i++) {
    const last = i === blocks - 1
    compress(h, new DataView(padded.buffer, i * 128, 128), last ? input.length : (i + 1) * 128, last)
  }
  h.forEach((word, i) => out.setBigUint64(8 * i, word, true))
  return new Uint8Array(out.buffer, 0, size)
}

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
const COUNTS = {
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
    /** @type {Map<string, string[]>} component to the hashes, one of which must be its own */
    this.sealed = new Map()
    /** @type {GameEvent | null} */
    this.started = null
    this.follow(events)
  }

  /** @param {GameEvent[]} events */
  follow(events) {
    for (const event of events) {
      if (event.type === 'created') this.variant = event.variant
      if (event.type === 'round_started')
        event.commitments.forEach((hash, i) => this.sealed.set(`card/${event.round}/${i}`, [hash]))
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

/**
 * The claims of a token whose signature holds; throws otherwise. Take the key from somewhere else
 * than the record that it signs. Needs Ed25519 in the platform's WebCrypto.
 * @param {string} token @param {string} key k4.public.…
 * @returns {Promise<{claims: Object<string, any>, link: string}>} link: the next event's `prev`
 */
export async function openToken(token, key) {
  const [version, purpose, body, footer, ...more] = token.split('.')
  const header = `${version}.${purpose}.`
  if (header !== 'v4.public.' || !footer || more.length || !key.startsWith('k4.public.'))
    throw new TypeError('not a token and a key of v4.public')
  const signed = unbase64(body)
  const message = signed.subarray(0, -64)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(message)
  const claims = JSON.parse(text)
  const bytes = pae(ascii(header), message, unbase64(footer), ascii(`refereed/v1/${claims.typ}`))
  const id = `k4.pid.${base64(blake2b(ascii('k4.pid.' + key), 33))}`
  const right = new TextDecoder().decode(unbase64(footer)) === JSON.stringify({ kid: id })
  const by = await crypto.subtle.importKey('raw', unbase64(key.slice(10)), 'Ed25519', false, ['verify'])
  if (!right || !(await crypto.subtle.verify('Ed25519', by, signed.subarray(-64), bytes)))
    throw new Error('the signature does not hold')
  return { claims, link: hex(hashes.link(text)) }
}
