/** Stratego and Maršál a špión on the screen: the board as one's own side sees it, what has fallen,
 * the log and the replay. The set-up is in stratego-setup.js, the pieces in stratego-pieces.js, the table
 * whose board is of cardboard in stratego-combats.js. */
import { html, nothing, svg } from './lib/lit-html.js'
import { IMMOBILE, carry, emblem, mark, nameOf, roam, setOf, token } from './stratego-pieces.js'
import { SIDES, learn, lostOf, nothingKnown, pips, rival, titled } from './stratego-known.js'
import { setup } from './stratego-setup.js'
import * as combats from './stratego-combats.js'
import { t, teach } from './words.js'

/** @typedef {import('./table.js').Context} Context */
/** @typedef {import('./refereed.js').GameEvent} GameEvent */
/** @typedef {{seat: string, attacker: string, defender: string}} Fight  components: "blue/a7" */

teach({
  en: {
    st_board: 'Board', st_empty: 'empty', st_lake: 'lake', st_enemy: 'enemy', st_own: 'yours, unknown', st_piece: '{seat} piece', st_has_moved: 'has moved', st_is_seen: 'the enemy knows it',
    st_can_go: 'can go here', st_can_attack: 'can attack here', st_picked: 'picked up',
    st_hint_to: '{piece} on {square}: choose where to', st_hint_stuck: '{piece} on {square} has no move now', st_hint_setup: 'Set up your army, then send it', st_hint_answer: 'You are attacked on {to}: your piece is shown to the referee',
    st_hint_challenge: '{name} attacks {to}: the referee waits for the other piece',
    st_moved: '{name}: {from} → {to}', st_ran: '{name}: {piece} {from} → {to}', st_combat: '{name}: {attacker} {from} × {defender} {to}: {outcome}', st_attacker_lost: 'the attacker falls', st_defender_lost: 'the defender falls', st_both_lost: 'both fall', st_flag_lost: 'the flag is taken',
    st_started: 'The game begins, {name} first', st_challenge: '{name} attacks {to} from {from}', st_claims: '{name} claims the end', st_claim_holds: 'The claim holds', st_claim_fails: 'The claim fails',
    st_losses: 'The armies', st_rank: 'rank, strongest first', st_fallen_of: '{n} of {all} fallen', st_known_of: '{n} of {all} known to have fallen', st_fallen: 'Fallen: {name} {n}', st_unknown: 'unknown to you: {n}', st_quiet: 'Moves: {plies}, without combat: {quiet}',
    st_legend_moved: 'has moved', st_legend_seen: 'the enemy has seen it',
  },
  cs: {
    st_board: 'Deska', st_empty: 'prázdné', st_lake: 'jezero', st_enemy: 'nepřítel', st_own: 'vaše, neznámá', st_piece: '{seat} figura', st_has_moved: 'už táhla', st_is_seen: 'nepřítel ji zná',
    st_can_go: 'sem lze táhnout', st_can_attack: 'sem lze zaútočit', st_picked: 'zvednuto',
    st_hint_to: '{piece} na {square}: zvolte, kam', st_hint_stuck: '{piece} na {square} teď nemá tah', st_hint_setup: 'Rozestavte vojsko a odešlete', st_hint_answer: 'Útok na {to}: vaše figura se ukazuje rozhodčímu',
    st_hint_challenge: '{name} útočí na {to}: rozhodčí čeká na druhou figuru',
    st_moved: '{name}: {from} → {to}', st_ran: '{name}: {piece} {from} → {to}', st_combat: '{name}: {attacker} {from} × {defender} {to}: {outcome}', st_attacker_lost: 'padl útočník', st_defender_lost: 'padl obránce', st_both_lost: 'padli oba', st_flag_lost: 'prapor je dobyt',
    st_started: 'Hra začíná, první je {name}', st_challenge: '{name} útočí z {from} na {to}', st_claims: '{name} uplatňuje konec', st_claim_holds: 'Konec platí', st_claim_fails: 'Konec neplatí',
    st_losses: 'Vojska', st_rank: 'hodnost, od nejsilnější', st_fallen_of: 'padlo {n} z {all}', st_known_of: 'víte, že padlo {n} z {all}', st_fallen: 'Padlo: {name} {n}', st_unknown: 'vám neznámých: {n}', st_quiet: 'Tahů: {plies}, bez boje: {quiet}',
    st_legend_moved: 'už táhla', st_legend_seen: 'nepřítel ji viděl',
  },
})

const FILES = [...'abcdefghij']
const LAKES = ['c5', 'd5', 'c6', 'd6', 'g5', 'h5', 'g6', 'h6']
const hasLakes = (variant) => variant !== 'marsal-a-spion'
const cell = (square) => [square.charCodeAt(0) - 97, Number(square.slice(1))]
const isStep = ({ from, to }) => Math.max(...cell(from).map((at, i) => Math.abs(at - cell(to)[i]))) === 1

/** Squares from the upper left, as the side sees them. */
function squaresOf(seat) {
  const rows = Array.from({ length: 10 }, (_, i) => FILES.map((file) => `${file}${10 - i}`))
  return seat === 'blue' ? rows.reverse().map((row) => row.reverse()) : rows
}

// ---- which piece is which ----

/**
 * Follows pieces from their squares at the start. Where they started need not be known: a square that
 * nothing has come to holds what was set up there.
 */
class Story {
  /** @type {Map<string, string | null>} square to component, where something has changed */
  #at = new Map()
  /** @type {Map<number, Fight>} by the event's seq */
  fights = new Map()
  /** @type {Set<string>} components that survived a combat in which the other side saw them */
  seen = new Set()
  seq = 0

  constructor(variant) { this.variant = variant }

  /** @param {string} square */
  on(square) {
    const at = this.#at.get(square)
    return at !== undefined ? at : `${cell(square)[1] <= 4 ? 'red' : 'blue'}/${square}`
  }

  /** @param {GameEvent[]} events */
  follow(events) {
    if (events.at(-1)?.seq === this.seq) return this
    for (const event of events) {
      if (event.seq <= this.seq) continue
      this.seq = event.seq
      if (event.type === 'moved' && event.from) this.#go(event)
      if (event.type === 'combat') this.#fight(event)
    }
    return this
  }

  #go({ from, to }) {
    this.#at.set(to, this.on(from))
    this.#at.set(from, null)
  }

  #fight(event) {
    const { from, to, outcome, seq } = event
    const [attacker, defender] = [this.on(from), this.on(to)]
    this.fights.set(seq, { seat: attacker.split('/')[0], attacker, defender })
    if (outcome === 'attacker_lost') { this.#at.set(from, null); this.seen.add(defender) }
    if (outcome === 'both_lost') { this.#at.set(from, null); this.#at.set(to, null) }
    if (outcome === 'defender_lost') {
      this.#go(event)
      if (this.variant !== 'marsal-a-spion') this.seen.add(attacker) // ST-11: there the defender sees nothing
    }
  }
}

/**
 * What this page remembers of a game beside the view.
 * @typedef {import('./stratego-known.js').Known & {story: Story, focus: string, shown: number | undefined}} Desk
 * @type {WeakMap<object, Desk>}
 */
const desks = new WeakMap()

/** @param {Context} c @returns {Desk} */
function deskOf(c) {
  let desk = desks.get(c.game)
  if (!desk) desks.set(c.game, desk = { ...nothingKnown(), story: new Story(c.view.variant), focus: '', shown: undefined })
  desk.story.follow(c.game.events)
  learn(c, desk)
  return desk
}

/** What stands where, with one's own faces also where the referee does not know them.
 * @param {Context} c @returns {Object<string, [string, string | null]>} */
function piecesOf(c) {
  const pieces = { ...c.view.board.pieces }
  if (c.keep && !c.replay)
    for (const [square, face] of Object.entries(c.keep.pieces())) if (pieces[square]?.[0] === c.you) pieces[square] = [c.you, face]
  // While the other sets up, nothing is on the board yet; one's own army was sent and is known here.
  if (c.view.status === 'setup' && c.you) for (const [component, face] of deskOf(c).faces) {
    const [seat, square] = component.split('/')
    if (seat === c.you) pieces[square] ??= [c.you, face]
  }
  return pieces
}

/** In players' custody the referee takes every piece it does not know for a scout; one knows better oneself. */
function movesOf(c, pieces) {
  if (!c.keep) return c.moves
  return c.moves.filter((move) => {
    const face = pieces[move.from]?.[1]
    return face === 'scout' || (!IMMOBILE.includes(face) && isStep(move))
  })
}

const lastOf = (events) => events.findLast(({ type, claim }) => ['moved', 'combat', 'challenge'].includes(type) && !claim)

// ---- the board ----

const CHECKS = Array.from({ length: 50 }, (_, i) => {
  const y = Math.floor(i / 5)
  return `M${(i % 5) * 20 + (y % 2 ? 0 : 10)} ${y * 10}h10v10h-10z`
}).join('')
const LINES = Array.from({ length: 9 }, (_, i) => `M${(i + 1) * 10} 0V100M0 ${(i + 1) * 10}H100`).join('')
const HILLS = 'M-2 22C10 14 20 24 33 17S55 6 68 13S90 22 102 12M-2 27C11 19 22 29 35 22S57 11 70 18S91 27 102 18M-2 84C12 74 22 88 36 80S60 72 74 82S92 80 102 86M-2 79C12 69 24 83 38 75S60 67 75 77S93 75 102 81M40 50C44 44 56 44 60 50S56 58 50 57S36 56 40 50M43 50.500C46 47 54 47 57 50S54 55 50 54.500S41 53 43 50.500'
const LAKE = 'M2.200 5C2 2.500 5 1.600 8 2.200S14.500 1 17 2.800S18.600 7 18 10S19 15.500 17 17.400S11.500 17.800 9 18.200S3.500 18.800 2.200 16.500S3 12 2.400 10S2.300 7 2.200 5Z'
const WAVES = 'M5 6.500q1.500-1.200 3 0t3 0M10.500 10.500q1.300-1 2.600 0t2.600 0M4.500 13.800q1.400-1.100 2.800 0t2.800 0'

/** The ground: a map on parchment, the same from both sides. */
const ground = (lakes, seat) => html`<svg class="st-ground" viewBox="0 0 100 100" aria-hidden="true">
  <rect class="base" width="100" height="100"></rect><path class="checks" d=${CHECKS}></path>
  <rect class="home ${rival(seat ?? 'red')}" width="100" height="40"></rect><rect class="home ${seat ?? 'red'}" y="60" width="100" height="40"></rect>
  <path class="hills" d=${HILLS}></path><path class="lines" d=${LINES}></path>
  ${lakes ? [20, 60].map((x) => svg`<g transform="translate(${x} 40)"><path class="lake" d=${LAKE}></path><path class="waves" d=${WAVES}></path></g>`) : nothing}</svg>`

/** Frame, ground and squares. @param {any} rows @param {{seat: string | null, lakes: boolean, label: string, classes?: string}} how */
export function framed(rows, { seat, lakes, label, classes = '', on = {} }) {
  const all = squaresOf(seat)
  return html`<div class="st-frame ${classes}">
    <div class="st-rows" aria-hidden="true">${all.map((row) => html`<span>${row[0].slice(1)}</span>`)}</div>
    <div class="st-board" role="grid" aria-label=${label} @click=${on.click} @keydown=${on.key} @pointerdown=${on.down} @focusin=${on.focus}>${ground(lakes, seat)}${rows}</div>
    <div class="st-files" aria-hidden="true">${all[0].map((square) => html`<span>${square[0]}</span>`)}</div></div>`
}

/** What is where, and what may be done there: once a draw. @param {Context} c */
function look(c) {
  const desk = deskOf(c)
  const pieces = piecesOf(c)
  const moves = movesOf(c, pieces)
  const last = lastOf(c.events)
  const { challenge } = c.view.board
  const from = c.acting && pieces[c.ui.from]?.[0] === c.you ? c.ui.from : ''
  return {
    desk, pieces, last, from,
    moved: new Set(c.view.board.moved),
    movable: new Set(c.acting ? moves.map((move) => move.from) : []),
    targets: new Map(moves.filter((move) => move.from === from).map((move) => [move.to, move])),
    challenge: challenge?.to ? challenge : null,
  }
}

/** @param {Context} c */
function board(c) {
  const seen = look(c)
  const { desk, last } = seen
  const rows = squaresOf(c.you)
  if (!desk.focus) desk.focus = rows[7][4]
  slide(desk, last)
  const at = (event) => /** @type {HTMLElement} */ (event.target).closest?.('[data-square]')?.dataset.square
  const on = {
    click: (event) => { const square = at(event); if (square) choose(c, seen, square) },
    focus: (event) => { const square = at(event); if (square && square !== desk.focus) { desk.focus = square; c.redraw() } },
    key: (event) => {
      if (event.key === 'Escape' && c.ui.from) { c.ui.from = ''; c.redraw() }
      roam(event)
    },
    down: (event) => lift(c, seen, event, at(event)),
  }
  return html`<div class="st-wrap ${c.acting ? 'acting' : ''} ${seen.from ? 'holding' : ''}">
    ${framed(rows.map((row) => html`<div class="st-row" role="row">${row.map((square) => drawSquare(c, seen, square))}</div>`),
    { seat: c.you, lakes: hasLakes(c.view.variant), label: t('st_board'), on })}
    ${strip(c, seen)}</div>`
}

function drawSquare(c, seen, square) {
  const { desk, pieces, moved, movable, targets, last, from, challenge } = seen
  const piece = pieces[square]
  const known = piece && piece[0] === c.you && !c.replay && c.view.status !== 'over' && desk.story.seen.has(desk.story.on(square))
  const classes = [
    'st-square', piece ? (piece[0] === c.you ? 'own' : 'other') : 'free',
    movable.has(square) && 'movable', square === from && 'picked',
    targets.has(square) && (piece ? 'attack' : 'target'),
    last && (square === last.from || square === last.to) && 'last',
    challenge && (square === challenge.to || square === challenge.from) && 'asked',
  ].filter(Boolean).join(' ')
  return html`<button role="gridcell" class=${classes} data-square=${square} tabindex=${square === desk.focus ? 0 : -1}
    aria-label=${spoken(c, seen, square, known)} aria-selected=${square === from ? 'true' : 'false'}>
    ${piece ? token(piece[0], piece[1], { moved: moved.has(square), seen: known }) : nothing}
    ${last?.type === 'combat' && square === last.to && !challenge ? html`<i class="st-clash"></i>` : nothing}</button>`
}

/** "c4, red scout, has moved" */
function spoken(c, { pieces, moved, targets, from }, square, known) {
  const piece = pieces[square]
  const seat = piece && t(`seat_${piece[0]}`)
  const what = !piece ? (hasLakes(c.view.variant) && LAKES.includes(square) ? t('st_lake') : t('st_empty'))
    : piece[1] ? `${seat} ${nameOf(piece[1])}`
      : !c.you ? t('st_piece', { seat }) : piece[0] === c.you ? t('st_own') : t('st_enemy')
  return [square, what, moved.has(square) && t('st_has_moved'), known && t('st_is_seen'), square === from && t('st_picked'),
    targets.has(square) && t(piece ? 'st_can_attack' : 'st_can_go')].filter(Boolean).join(', ')
}

/** A tap: picks up an own piece, or asks the referee to move there, whatever he may say. */
function choose(c, { pieces, targets, from }, square) {
  if (!c.acting) return
  if (pieces[square]?.[0] === c.you) {
    c.ui.from = from === square ? '' : square
    c.redraw()
  } else if (from) {
    c.play(targets.get(square) ?? { from, to: square })
  }
}

function lift(c, seen, event, square) {
  if (!c.acting || seen.pieces[square]?.[0] !== c.you) return
  const held = event.target.closest('[data-square]').querySelector('.st-token')
  const drop = (under) => {
    const to = under?.closest('.st-board [data-square]')?.dataset.square
    if (to && seen.pieces[to]?.[0] !== c.you) return void c.play(c.moves.find((move) => move.from === square && move.to === to) ?? { from: square, to })
    c.ui.from = ''
    c.redraw()
  }
  carry(event, held, () => { c.ui.from = square; c.redraw() }, drop)
}

/** What has just moved comes from where it was. Nothing does when the page is opened. */
function slide(desk, last) {
  const before = desk.shown
  desk.shown = last?.seq ?? 0
  const arrives = last?.type === 'moved' || last?.outcome === 'defender_lost'
  if (before === undefined || !arrives || last.seq <= before || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  requestAnimationFrame(() => {
    const [from, to] = [last.from, last.to].map((square) => document.querySelector(`.st-board [data-square="${square}"]`))
    const piece = to?.querySelector('.st-token')
    if (!from || !to || !piece) return
    const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()]
    piece.animate([{ translate: `${a.x - b.x}px ${a.y - b.y}px`, zIndex: 3 }, { translate: '0 0', zIndex: 3 }], { duration: 280, easing: 'cubic-bezier(.3,.8,.4,1)' })
  })
}

// ---- what has happened ----

const faceOf = (desk, component) => desk.faces.get(component) ?? null

function outcomeOf(event, defender) {
  return t(event.outcome === 'defender_lost' && defender === 'flag' ? 'st_flag_lost' : `st_${event.outcome}`)
}

/** Below the board: the last move, or the combat as this side may see it. */
function strip(c, { desk, last, pieces, challenge }) {
  if (!last) return html`<div class="st-strip"></div>`
  if (challenge) {
    const seat = pieces[challenge.from]?.[0] ?? rival(pieces[challenge.to]?.[0])
    return html`<div class="st-strip st-brief fight">${token(seat, pieces[challenge.from]?.[1] ?? null)}<span class="st-versus" aria-hidden="true">⚔</span>${token(rival(seat), pieces[challenge.to]?.[1] ?? null)}
      <p>${t('st_challenge', { name: c.name(seat), ...challenge })}</p></div>`
  }
  const fight = desk.story.fights.get(last.seq)
  if (!fight) return html`<div class="st-strip"><p>${tell(last, c)}</p></div>`
  const [attacker, defender] = [faceOf(desk, fight.attacker), faceOf(desk, fight.defender)]
  return html`<div class="st-strip st-brief fight">
    ${token(fight.seat, attacker, { fallen: last.outcome !== 'defender_lost' })}<span class="st-versus" aria-hidden="true">⚔</span>${token(rival(fight.seat), defender, { fallen: last.outcome !== 'attacker_lost' })}
    <p><b>${titled(outcomeOf(last, defender))}</b><br><small>${c.name(fight.seat)}: ${last.from} × ${last.to}</small></p></div>`
}

/** @param {GameEvent} event @param {Context} c */
function tell(event, c) {
  const desk = deskOf(c)
  const { type, from, to } = event
  const name = event.seat ? c.name(event.seat) : ''
  if (type === 'moved') return t('st_moved', { name, from, to })
  if (type === 'started') return event.starter ? t('st_started', { name: c.name(event.starter) }) : null
  if (type === 'challenge') return event.claim ? t('st_claims', { name }) : t('st_challenge', { name, from, to })
  if (type === 'claimed') return t(event.holds ? 'st_claim_holds' : 'st_claim_fails')
  const fight = type === 'combat' && desk.story.fights.get(event.seq)
  if (!fight) return null
  const [attacker, defender] = [faceOf(desk, fight.attacker), faceOf(desk, fight.defender)]
  return t('st_combat', { name: c.name(fight.seat), from, to, attacker: attacker ? nameOf(attacker) : '', defender: defender ? nameOf(defender) : '', outcome: outcomeOf(event, defender) })
}

/** @param {Context} c */
function hint(c) {
  const { view } = c
  if (view.status === 'setup' && c.acting) return t('st_hint_setup')
  const { challenge } = view.board ?? {}
  if (challenge?.to) return view.to_act.includes(/** @type {string} */ (c.you)) ? t('st_hint_answer', challenge) : t('st_hint_challenge', { ...challenge, name: c.name(view.board.turn) })
  if (view.status !== 'playing' || !c.acting || !c.ui.from) return ''
  const { pieces, targets, from } = look(c)
  if (!from) return ''
  return t(targets.size ? 'st_hint_to' : 'st_hint_stuck', { piece: titled(nameOf(pieces[from][1])), square: from })
}

// ---- beside the board ----

/** @param {Context} c */
function side(c) {
  const { view, you } = c
  const lost = lostOf(c)
  const seats = you === 'blue' ? ['blue', 'red'] : SIDES
  const known = (seat) => Object.values(lost[seat].known).reduce((sum, n) => sum + n, 0)
  const all = setOf(view.variant).reduce((sum, [, count]) => sum + count, 0)
  return html`<section class="panel st-losses"><h2>${t('st_losses')}</h2>
    <table><thead><tr><th scope="col"><span class="st-said">${t('st_rank')}</span></th>${seats.map((seat) => html`<th scope="col" class=${seat}><i aria-hidden="true"></i>${c.name(seat)}</th>`)}</tr></thead>
    <tbody>${setOf(view.variant).map(([rank, count]) => html`<tr><th scope="row">${emblem(rank)}${nameOf(rank)}</th>
      ${seats.map((seat) => pips(seat, count, lost[seat].known[rank] ?? 0, seat === you ? 'st_fallen_of' : 'st_known_of'))}</tr>`)}</tbody></table>
    ${seats.map((seat) => html`<p class="st-count ${seat}">${t('st_fallen', { name: c.name(seat), n: `${lost[seat].count}/${all}` })}${lost[seat].count > known(seat) ? html`, ${t('st_unknown', { n: lost[seat].count - known(seat) })}` : nothing}</p>`)}
    <p class="st-legend"><span>${mark('moved')} ${t('st_legend_moved')}</span>${you ? html`<span>${mark('seen')} ${t('st_legend_seen')}</span>` : nothing}</p>
    ${view.board.plies !== undefined ? html`<p class="st-count">${t('st_quiet', view.board)}</p>` : nothing}
  </section>`
}

// ---- the replay ----

/** Every piece that was set up: those that the record opens, and those that are known by their ways alone. */
function startOf(transcript, events, view) {
  const faces = new Map((transcript.openings ?? []).map(({ component, face }) => [component, face]))
  const story = new Story(view.variant).follow(events)
  const { squares } = events.find(({ type }) => type === 'started') ?? {}
  const all = new Set([
    ...faces.keys(), ...SIDES.flatMap((seat) => (squares?.[seat] ?? []).map((square) => `${seat}/${square}`)),
    ...[...story.fights.values()].flatMap(({ attacker, defender }) => [attacker, defender]),
    ...Object.keys(view.board?.pieces ?? {}).map((square) => story.on(square)),
  ])
  return { faces, fights: story.fights, at: new Map([...all].map((component) => [component.split('/')[1], component])) }
}

/** @type {import('./table.js').Play['replay']} */
function replay(transcript, events, view) {
  const { faces, fights, at } = startOf(transcript, events, view)
  const moved = new Set()
  const lost = Object.fromEntries(SIDES.map((seat) => [seat, { count: 0, known: {} }]))
  let turn = null
  const fall = (component) => {
    const heap = lost[component.split('/')[0]]
    const face = faces.get(component)
    heap.count++
    if (face) heap.known[face] = (heap.known[face] ?? 0) + 1
  }
  const go = ({ from, to }) => {
    const component = at.get(from)
    at.delete(from)
    at.set(to, component)
    moved.add(component)
  }
  const step = (event) => {
    const { type, from, to, outcome } = event
    const fight = fights.get(event.seq)
    if (type === 'started') turn = event.starter
    if (type === 'moved') { turn = rival(at.get(from).split('/')[0]); go(event) }
    if (fight) {
      turn = rival(fight.seat)
      moved.add(fight.attacker)
      if (outcome !== 'attacker_lost') { fall(fight.defender); at.delete(to) }
      if (outcome !== 'defender_lost') { fall(fight.attacker); at.delete(from) } else go(event)
    }
    if (type === 'ended') turn = null
    return {
      pieces: Object.fromEntries([...at].map(([square, component]) => [square, [component.split('/')[0], faces.get(component) ?? null]])),
      moved: [...at].filter(([, component]) => moved.has(component)).map(([square]) => square),
      lost: structuredClone(lost), turn,
    }
  }
  const first = events.findIndex(({ type }) => type === 'started')
  return first < 0 ? [] : events.slice(first).map((event) => ({ event, board: step(event) }))
}

/** The own army is sent and the other side still sets up: the referee has no board to tell yet. */
function sent(c) {
  return board({ ...c, view: { ...c.view, board: { pieces: {}, moved: [], lost: {}, challenge: null, turn: null } } })
}

/** With a phone each the same is drawn by another module. Which it is the events tell before there is a board. */
const either = (name, own) => (c) => (combats.told(c) ? combats[name](c) : c.view.board || c.game.events.length ? own(c) : '')

/** @type {import('./table.js').Play} */
export const stratego = {
  id: 'stratego', seats: SIDES, called: combats.called,
  board: either('board', board), side: either('side', side), setup: either('setup', setup), sent: either('sent', sent), hint: either('hint', hint),
  tell: (event, c) => (combats.told(c) ? combats.tell(event, c) : tell(event, c)),
  replay: (transcript, events, view) => (combats.toldBy(events) ? combats.replay(transcript, events) : replay(transcript, events, view)),
}
