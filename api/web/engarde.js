/** En garde at the table: the piste, the two hands, what may be done with a card. */
import { html, nothing } from './lib/lit-html.js'
import { back, dice, face, fencer, hall, small } from './fencing.js'
import { count, t, teach } from './words.js'

/**
 * @typedef {import('./table.js').Context} Context
 * @typedef {import('./refereed.js').Move} Move
 * @typedef {import('./refereed.js').GameEvent} GameEvent
 * @typedef {'left' | 'right'} Seat
 * @typedef {{fields: Object<Seat, number>, hits: Object<Seat, number>, hands: Object<Seat, number | number[]>,
 *     deck: number, played: number[], round: number, starter: string | null,
 *     exchange: null | {card: number, played: Object<Seat, number>, last_attacker: string, advanced?: boolean}}} Board
 */
/** @type {Seat[]} */
const SEATS = ['left', 'right']
const VALUES = [1, 2, 3, 4, 5]
const FIELDS = 23
const PAUSE = 2600 // how long a hit stands on the piste before the next round is shown, in ms

teach({
  en: {
    eg_card: 'card|cards', eg_cards: 'card|cards', eg_of: '{cards} of value {card}', eg_piste: 'Piste: {left} on field {at_left}, {right} on field {at_right}, {distance} apart',
    eg_distance: 'Distance', eg_round: 'Round {round}', eg_begins: '{name} began', eg_deck: 'Deck', eg_hits: 'hits {hits} of {limit}', eg_die: '{name}: {hits} hits received',
    eg_hand: 'Your hand', eg_hand_of: 'Hand of {name}', eg_card_n: 'card {card}', eg_left_n: '{n} left', eg_out: 'Cards played', eg_out_n: 'value {card}: {n} of 5 played',
    eg_advance: 'Forward', eg_retreat: 'Back', eg_attack: 'Attack', eg_parry: 'Parry', eg_counter: 'Counterattack', eg_level: 'Level', eg_again: 'Counter again', eg_rush: 'Forward and attack',
    eg_to: 'to field {to}', eg_off: 'off the strip', eg_far: 'out of reach',
    eg_say_advance: 'advance {card} to field {to}', eg_say_retreat: 'retreat {card} to field {to}', eg_say_attack: 'attack with {cards}', eg_say_parry: 'parry with {cards}', eg_say_counter: 'counterattack with {cards}', eg_say_level: 'level with {cards}', eg_say_rush: 'advance {move}, then attack with {cards}', eg_say_against: '{what}: against the rules now, the referee will say why',
    eg_yield: 'I cannot parry', eg_stuck: 'I have nothing to play', eg_show: 'Show this hand', eg_show_title: 'The deck is empty: show your hand', eg_show_text: 'Set your whole hand, {n}. Whoever holds more cards of the distance wins the round.', eg_shown: 'Shown. Until the other hand is in, you may correct yours.', eg_more: 'one {card} more', eg_less: 'one {card} less', eg_total: '{n} of {size}',
    eg_pick: 'Choose a card.', eg_pick_table: 'Say which card you play.', eg_reach: 'In reach: a {distance} attacks.', eg_answer: '{name} attacks with {cards}. Parry with at least {least}.', eg_answer_exact: '{name} attacks with {cards}. Parry with {least}.', eg_answer_level: '{name} counterattacks: add at least {least} of value {card}.', eg_or_retreat: 'Or retreat.', eg_waits: '{name} must parry {cards}', eg_deal: 'Round {round}: shuffle, and deal five cards to each.', eg_take: '{name}: draw {n}', eg_show_hint: 'The deck is empty: both show their hands.', eg_show_wait: 'Waiting for the hand of {name}', eg_keys: 'Keys 1 to 5 choose a card', eg_chosen: 'Card {card} chosen', eg_no_use: 'Nothing can be done with this card now.',
    eg_rounds: 'Rounds', eg_is_hit: '{name} is hit', eg_nobody: 'nobody is hit', eg_touch: 'Touché!', eg_void: 'Void', eg_lies_open: 'What was in the hands', eg_hands_open: 'Hands laid open', eg_parried: 'parried',
    eg_log_round: 'Round {round}: {name} begins', eg_log_forward: '{name} goes forward {n}, to field {to}', eg_log_back: '{name} goes back {n}, to field {to}', eg_log_attack: '{name} attacks with {cards}', eg_log_parry: '{name} parries with {cards}', eg_log_draw: '{name} draws {n}', eg_log_show: '{name} shows {cards}', eg_log_hit: '{name} is hit ({ruling}), hits: {hits}', eg_log_void: 'Nobody is hit ({ruling})',
  },
  cs: {
    eg_card: 'karta|karty|karet', eg_cards: 'kartu|karty|karet', eg_of: '{cards} hodnoty {card}', eg_piste: 'Planš: {left} na poli {at_left}, {right} na poli {at_right}, vzdálenost {distance}',
    eg_distance: 'Vzdálenost', eg_round: 'Kolo {round}', eg_begins: 'začal: {name}', eg_deck: 'Balíček', eg_hits: 'zásahy {hits} z {limit}', eg_die: '{name}: obdržené zásahy {hits}',
    eg_hand: 'Vaše ruka', eg_hand_of: 'Ruka: {name}', eg_card_n: 'karta {card}', eg_left_n: 'zbývá {n}', eg_out: 'Zahrané karty', eg_out_n: 'hodnota {card}: zahráno {n} z 5',
    eg_advance: 'Vpřed', eg_retreat: 'Zpět', eg_attack: 'Útok', eg_parry: 'Kryt', eg_counter: 'Protiútok', eg_level: 'Dorovnat', eg_again: 'Znovu protiútok', eg_rush: 'Vpřed a útok',
    eg_to: 'na pole {to}', eg_off: 'mimo planš', eg_far: 'mimo dosah',
    eg_say_advance: 'vpřed o {card} na pole {to}', eg_say_retreat: 'zpět o {card} na pole {to}', eg_say_attack: 'útok: {cards}', eg_say_parry: 'kryt: {cards}', eg_say_counter: 'protiútok: {cards}', eg_say_level: 'dorovnat: {cards}', eg_say_rush: 'vpřed o {move}, pak útok: {cards}', eg_say_against: '{what}: teď proti pravidlům, rozhodčí řekne proč',
    eg_yield: 'Nemohu krýt', eg_stuck: 'Nemám co zahrát', eg_show: 'Ukázat tuto ruku', eg_show_title: 'Balíček je prázdný: ukažte ruku', eg_show_text: 'Zadejte celou ruku, {n}. Kdo má víc karet vzdálenosti, vyhrává kolo.', eg_shown: 'Ukázáno. Než přijde druhá ruka, můžete svou opravit.', eg_more: 'o jednu {card} víc', eg_less: 'o jednu {card} méně', eg_total: '{n} z {size}',
    eg_pick: 'Vyberte kartu.', eg_pick_table: 'Řekněte, kterou kartu hrajete.', eg_reach: 'Na dosah: útočí se kartou {distance}.', eg_answer: '{name} útočí: {cards}. Kryjte aspoň tolika: {least}.', eg_answer_exact: '{name} útočí: {cards}. Kryjte přesně tolika: {least}.', eg_answer_level: '{name} vede protiútok: přidejte aspoň {least} hodnoty {card}.', eg_or_retreat: 'Nebo ustupte.', eg_waits: '{name} musí krýt: {cards}', eg_deal: 'Kolo {round}: zamíchejte a rozdejte každému pět karet.', eg_take: '{name} si bere {n}', eg_show_hint: 'Balíček je prázdný: oba ukažte ruce.', eg_show_wait: 'Čeká se, až svou ruku ukáže {name}', eg_keys: 'Klávesy 1 až 5 vybírají kartu', eg_chosen: 'Vybrána karta {card}', eg_no_use: 'S touto kartou teď nelze nic.',
    eg_rounds: 'Kola', eg_is_hit: 'zásah obdržel {name}', eg_nobody: 'zásah nedostal nikdo', eg_touch: 'Zásah!', eg_void: 'Bez zásahu', eg_lies_open: 'Co bylo v rukou', eg_hands_open: 'Vyložené ruce', eg_parried: 'kryto',
    eg_log_round: 'Kolo {round}: začíná {name}', eg_log_forward: '{name} jde o {n} vpřed, na pole {to}', eg_log_back: '{name} jde o {n} zpět, na pole {to}', eg_log_attack: '{name} útočí: {cards}', eg_log_parry: '{name} kryje: {cards}', eg_log_draw: '{name} si bere {n}', eg_log_show: '{name} ukazuje {cards}', eg_log_hit: '{name} má zásah ({ruling}), celkem: {hits}', eg_log_void: 'Bez zásahu ({ruling})',
  },
})

/** "2 cards of value 3" */
const cardsOf = (n, card) => t('eg_of', { cards: count(n, 'eg_card'), card })
const other = (seat) => seat === 'left' ? 'right' : 'left'
const ahead = (seat) => seat === 'left' ? 1 : -1
const sizeOf = (hand) => Array.isArray(hand) ? hand.length : hand
const distanceOf = (board) => board.fields.right - board.fields.left
const lastOf = (list, fits) => list[list.findLastIndex(fits)]
const ACTIONS = ['moved', 'attacked', 'parried']
const ENDS = ['hit', 'round_void']

// ---- the game by its events ----

/** @returns {Board} */
const empty = () => ({ fields: { left: 1, right: FIELDS }, hits: { left: 0, right: 0 }, hands: { left: 0, right: 0 },
  deck: 25, played: [], exchange: null, round: 0, starter: null })

/** A hand with cards taken out, or with some put in: by value if it lies open, else by their number. */
function without(hand, value, n) {
  if (!Array.isArray(hand)) return hand - n
  const rest = [...hand]
  for (let i = 0; i < n; i++) rest.splice(rest.indexOf(value), 1)
  return rest
}
const withCards = (hand, values, n) => Array.isArray(hand) ? [...hand, ...values].sort() : hand + n

/** @param {Board} board changed @param {string} seat @param {number} value @param {number} n */
function lay(board, seat, value, n) {
  board.hands[seat] = without(board.hands[seat], value, n)
  board.played = [...board.played, ...Array(n).fill(value)].sort()
}

/** @type {Object<string, (board: Board, event: GameEvent, cards: (from: number, n: number) => number[] | null, before?: GameEvent) => void>} */
const steps = {
  round_started(board, { round, starter }, cards) {
    Object.assign(board, { ...empty(), hits: board.hits, deck: 15, round, starter })
    board.hands = { left: cards(0, 5)?.sort() ?? 5, right: cards(5, 5)?.sort() ?? 5 }
  },
  moved(board, { seat, from, to }) {
    board.exchange = null // EK-5: a retreat answers the attack
    board.fields[seat] = to
    lay(board, seat, Math.abs(to - from), 1)
  },
  attacked(board, { seat, card, count }, _, before) {
    lay(board, seat, card, count)
    const advanced = before?.type === 'moved' && before.seat === seat // a step that ends a turn is followed by a draw
    board.exchange = { card, played: { left: 0, right: 0, [seat]: count }, last_attacker: seat, ...(advanced && { advanced }) }
  },
  parried(board, { seat, card, count }) {
    lay(board, seat, card, count)
    const { exchange } = board
    exchange.played[seat] += count
    if (exchange.played.left === exchange.played.right) board.exchange = null
    else exchange.last_attacker = seat
  },
  drawn_cards(board, { seat, count }, cards) {
    board.hands[seat] = withCards(board.hands[seat], cards(25 - board.deck, count), count)
    board.deck -= count
  },
  shown(board, { seat, cards }) { board.hands[seat] = [...cards] },
  hit(board, { seat, hits, hands }) { board.hits[seat] = hits; if (hands) board.hands = { ...hands } },
  round_void(board, { hands }) { if (hands) board.hands = { ...hands } },
}

/**
 * A board for every event from `started` on.
 * @param {GameEvent[]} events @param {Map<string, number>} [faces] "card/<round>/<position>": with them all lies open
 * @returns {{event: GameEvent, board: Board}[]}
 */
export function follow(events, faces) {
  let board = empty()
  let before
  return events.slice(Math.max(0, events.findIndex(({ type }) => type === 'started'))).map((event) => {
    board = { ...board, fields: { ...board.fields }, hits: { ...board.hits }, hands: { ...board.hands },
      exchange: board.exchange && { ...board.exchange, played: { ...board.exchange.played } } }
    const round = event.type === 'round_started' ? event.round : board.round
    const cards = (from, n) => faces?.has(`card/${round}/${from}`)
      ? Array.from({ length: n }, (_, i) => /** @type {number} */ (faces.get(`card/${round}/${from + i}`))) : null
    steps[event.type]?.(board, event, cards, before)
    before = event
    return { event, board }
  })
}

function replay(transcript, events) {
  return follow(events, new Map((transcript.openings ?? []).map(({ component, face: value }) => [component, Number(value)])))
}

// ---- what is seen now ----

/** How many hits lose, and what else was agreed: the first event tells. @param {Context} c */
const optionsOf = (c) => c.events.find(({ type }) => type === 'created')?.options ?? {}

/** Games whose last hit is still standing on the piste. @type {WeakMap<any, {seq: number, until: number}>} */
const pauses = new WeakMap()

/**
 * The next round is dealt with the answer that ends one: what ended it would never be seen. So it stays
 * for a moment, with the board that the events tell.
 * @param {Context} c @param {{event: GameEvent, board: Board}[]} frames
 */
function held(c, frames) {
  if (c.replay) return null
  const end = frames.findLastIndex(({ event }) => ENDS.includes(event.type))
  const started = frames.findLastIndex(({ event }) => event.type === 'round_started')
  const live = c.last.some(({ seq }) => seq === frames[end]?.event.seq) && !c.last.some(({ type }) => type === 'created')
  const pause = pauses.get(c.game)
  if (frames.length && frames[started]?.board.round < c.view.board.round) return frames.at(-1) // the view has come before its events
  if (end < 0 || started < end) return null
  if (live && pause?.seq !== frames[end].event.seq) {
    pauses.set(c.game, { seq: frames[end].event.seq, until: Date.now() + PAUSE })
    setTimeout(c.redraw, PAUSE + 20)
    return frames[end]
  }
  return pause && pause.seq === frames[end].event.seq && Date.now() < pause.until ? frames[end] : null
}

/** @param {Context} c */
function sceneOf(c) {
  const frames = follow(c.events)
  const hold = held(c, frames)
  const board = /** @type {Board} */ (hold?.board ?? c.view.board)
  const round = frames.filter((frame) => frame.board.round === board.round && (!hold || frame.event.seq <= hold.event.seq)).map(({ event }) => event)
  const act = lastOf(round, ({ type }) => ACTIONS.includes(type))
  const end = lastOf(round, ({ type }) => ENDS.includes(type))
  return { board, hold: !!hold, frames, round, act, end, pose: poses(act, end, c.view), table: tableOf(frames, board, act) }
}

/** @returns {Object<string, string>} */
function poses(act, end, view) {
  const pose = { left: 'guard', right: 'guard' }
  if (act?.type === 'attacked') pose[act.seat] = 'lunge'
  if (act?.type === 'parried') Object.assign(pose, { [act.seat]: 'parry', [other(act.seat)]: 'lunge' })
  if (end?.type === 'hit') Object.assign(pose, { [end.seat]: 'hit', [other(end.seat)]: 'lunge' })
  if (view.result?.winner && end) Object.assign(pose, { [view.result.winner]: 'salute' })
  return pose
}

/** The cards between the fencers: of the exchange, or of the one that has just been parried. */
function tableOf(frames, board, act) {
  if (board.exchange) return { ...board.exchange, over: false }
  const at = frames.findLastIndex(({ event }) => event === act)
  if (act?.type !== 'parried' || at < 1) return null
  const before = frames[at - 1].board.exchange
  if (!before) return null
  return { card: act.card, played: { ...before.played, [act.seat]: before.played[act.seat] + act.count }, last_attacker: before.last_attacker, over: true }
}

// ---- the piste ----

/** Fields that a step leads to, by the card that does. @param {Context} c @returns {Map<number, Move>} */
function reach(c) {
  const found = new Map()
  if (!c.acting || !c.you) return found
  const here = c.view.board.fields[c.you]
  for (const move of c.moves) {
    if (move.type !== 'advance' && move.type !== 'retreat') continue
    found.set(here + ahead(c.you) * (move.type === 'advance' ? 1 : -1) * move.card, move)
  }
  return found
}

/** @param {Context} c */
function piste(c, scene) {
  const { board, pose, end } = scene
  const distance = distanceOf(board)
  const lit = scene.hold ? new Map() : reach(c)
  const label = t('eg_piste', { left: c.name('left'), right: c.name('right'), at_left: board.fields.left, at_right: board.fields.right, distance })
  const attack = !scene.hold && c.acting && c.moves.some(({ type }) => type === 'attack')
  return html`<div class="eg-stage ${distance <= 5 ? 'close' : ''} ${end?.type === 'hit' ? 'touched' : ''}" role="img" aria-label=${label}
      .style=${`--left: ${board.fields.left}; --right: ${board.fields.right}`}>
    ${hall()}
    <div class="eg-floor"></div>
    ${SEATS.map((seat) => html`<div class="eg-stand ${seat}">${fencer(pose[seat], seat)}</div>`)}
    ${onTable(scene)}
    <div class="eg-strip">${Array.from({ length: FIELDS }, (_, i) => field(c, i + 1, board, lit))}</div>
    <div class="eg-gap ${attack ? 'may' : ''}"><b>${distance}</b></div>
  </div>`
}

function field(c, n, board, lit) {
  const move = lit.get(n)
  const seat = SEATS.find((one) => board.fields[one] === n)
  const aim = move && c.ui.card === move.card
  const classes = `${seat ? `on ${seat}` : ''} ${n < 3 || n > FIELDS - 2 ? 'end' : ''} ${n === 12 ? 'mid' : ''} ${n % 5 ? '' : 'five'} ${move ? 'reach' : ''} ${aim ? 'aim' : ''}`
  return html`<i class=${classes} @click=${move ? () => (aim ? c.play(move) : choose(c, move.card)) : null}>
    ${move ? html`<em>${move.card}</em>` : nothing}<span>${n}</span></i>`
}

function onTable({ table, hold, end }) {
  if (!table && !hold) return nothing
  const pile = (seat) => html`<span class="eg-pile ${seat}">${Array.from({ length: table?.played[seat] ?? 0 }, () => face(table.card))}</span>`
  const between = hold && end ? html`<b class="eg-touch ${end.seat ?? ''}">${t(end.type === 'hit' ? 'eg_touch' : 'eg_void')}</b>`
    : html`<b>${table?.over ? t('eg_parried') : '⚔'}</b>`
  return html`<div class="eg-exchange ${table?.over ? 'over' : ''}">${pile('left')}${between}${pile('right')}</div>`
}

// ---- above the piste: dice, hands, deck ----

function corner(c, seat, board, acts) {
  const hand = board.hands[seat]
  const limit = optionsOf(c).hits_to_lose ?? 5
  const open = Array.isArray(hand) && (c.replay || c.you !== seat || c.view.custody === 'table' || c.view.status !== 'playing')
  const cards = open ? hand.map(small) : Array.from({ length: sizeOf(hand) }, back)
  const says = `${t('eg_hand_of', { name: c.name(seat) })}: ${open ? hand.join(' ') : count(sizeOf(hand), 'eg_card')}`
  return html`<div class="eg-corner ${seat} ${acts ? 'acts' : ''}">
    <span class="eg-count" role="img" aria-label=${t('eg_die', { name: c.name(seat), hits: board.hits[seat] })}>${dice(board.hits[seat] + 1)}</span>
    <span class="eg-who"><b>${c.name(seat)}</b><small>${t('eg_hits', { hits: board.hits[seat], limit })}</small>
      <span class="eg-held" role="img" aria-label=${says}>${cards}</span></span>
  </div>`
}

function heads(c, scene) {
  const { board } = scene
  const acts = c.replay ? [c.last[0]?.seat] : scene.hold ? [] : c.view.to_act
  return html`<div class="eg-heads">
    ${corner(c, 'left', board, acts.includes('left'))}
    <div class="eg-deck"><span class="eg-stack s${Math.min(3, Math.ceil(board.deck / 5))}" role="img" aria-label="${t('eg_deck')}: ${count(board.deck, 'eg_card')}">${board.deck ? back() : nothing}<b>${board.deck}</b></span>
      <small>${t('eg_round', { round: board.round })}</small></div>
    ${corner(c, 'right', board, acts.includes('right'))}
  </div>`
}

// ---- what is done with a card ----

let current = null // the context that was drawn last: for keys, which know of none

function choose(c, value) {
  c.ui.card = c.ui.card === value ? null : value
  c.redraw()
}

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target)
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest?.('input, select, textarea, dialog') || document.querySelector('dialog[open]')) return
  const hand = document.querySelector('.eg-hand')
  if (!hand || !current?.acting) return
  if (event.key === 'Escape' && current.ui.card) return choose(current, current.ui.card)
  const card = hand.querySelector(`[data-value="${CSS.escape(event.key)}"]`)
  if (!card) return
  event.preventDefault()
  card.focus()
  if (current.ui.card !== Number(event.key)) choose(current, Number(event.key))
})

/** For those who hear the table: a button's name in full, where the eye has a picture. */
const said = (text) => html`<span class="eg-said">${text}</span>`

/** A button that plays. What the referee would refuse can be asked all the same: he says why. */
function button(c, { move, word, detail = '', says, kind = '' }) {
  const fits = c.moves.some((one) => Object.keys(move).every((key) => one[key] === move[key]))
  return html`<button class="eg-act ${kind} ${fits ? '' : 'unfit'}" @click=${() => c.play(move)}>
    <b aria-hidden="true">${word}</b>${detail ? html`<small aria-hidden="true">${detail}</small>` : nothing}${said(fits ? says : t('eg_say_against', { what: says }))}</button>`
}

function stepButton(c, type, card) {
  const { fields } = c.view.board
  const to = fields[c.you] + ahead(c.you) * (type === 'advance' ? card : -card)
  const detail = to < 1 || to > FIELDS ? t('eg_off') : t('eg_to', { to })
  return button(c, { move: { type, card }, word: `${t(`eg_${type}`)} ${card}`, detail, says: t(`eg_say_${type}`, { card, to }), kind: `${type} ${type === 'advance' === (c.you === 'left') ? 'rightward' : 'leftward'}` })
}

const attackButton = (c, card, n) => button(c, { move: { type: 'attack', card, count: n }, word: t('eg_attack'), detail: Array(n).fill(card).map(small), says: t('eg_say_attack', { cards: cardsOf(n, card) }), kind: 'attack' })

const rushButton = (c, move) => button(c, { move, word: t('eg_rush'), detail: html`${small(move.move)} → ${Array(move.count).fill(move.card).map(small)}`, kind: 'attack',
  says: t('eg_say_rush', { move: move.move, cards: cardsOf(move.count, move.card) }) })

/** How many of a value this seat can lay at most, as far as is known here. */
function most(c, value) {
  const { hands, played } = c.view.board
  const hand = hands[c.you]
  return Array.isArray(hand) ? hand.filter((one) => one === value).length
    : Math.min(hand, 5 - played.filter((one) => one === value).length)
}

/** @param {Context} c */
function offers(c, value) {
  const { board } = c.view
  const distance = distanceOf(board)
  const several = value === distance && !board.exchange ? Math.max(1, most(c, value)) : 1
  const order = [stepButton(c, 'retreat', value), stepButton(c, 'advance', value)]
  return html`${c.you === 'left' ? order : order.reverse()}
    ${distance <= 5 || value === distance ? Array.from({ length: several }, (_, i) => attackButton(c, value, i + 1)) : nothing}
    ${c.moves.filter(({ type, move }) => type === 'advance_attack' && move === value).map((move) => rushButton(c, move))}`
}

/** Attacked: parries by their number, and what is a counterattack. @param {Context} c */
function answers(c) {
  const { exchange } = c.view.board
  const own = exchange.played[c.you]
  const least = exchange.played[other(c.you)] - own
  return c.moves.filter(({ type }) => type === 'parry').map((move) => {
    const plain = move.count === least
    const word = plain ? (own ? 'eg_level' : 'eg_parry') : own ? 'eg_again' : 'eg_counter'
    const says = plain ? (own ? 'eg_say_level' : 'eg_say_parry') : 'eg_say_counter'
    return button(c, { move, word: t(word), detail: Array(move.count).fill(exchange.card).map(small), says: t(says, { cards: cardsOf(move.count, exchange.card) }), kind: plain ? 'parry' : 'attack' })
  })
}

const claim = (c, type) => button(c, { move: { type }, word: t(`eg_${type}`), says: t(`eg_${type}`), kind: 'claim' })

/** @param {Context} c */
function actions(c) {
  const { board, custody } = c.view
  const value = c.ui.card
  const offered = [
    ...(board.exchange ? answers(c) : []),
    ...(value ? [offers(c, value)] : []),
    ...(custody === 'table' ? [claim(c, board.exchange ? 'yield' : 'stuck')] : []),
  ]
  return html`<div class="eg-acts" role="group" aria-label=${value ? t('eg_chosen', { card: value }) : t('your_turn')}>
    ${offered.length ? offered : html`<p class="eg-quiet">${t('eg_pick')} <span class="eg-keys">${t('eg_keys')}.</span></p>`}</div>`
}

/** The own cards; at a real table the five values, for nobody here knows the hand. @param {Context} c */
function hand(c) {
  const { board, custody } = c.view
  if (!c.you || c.replay || c.view.status !== 'playing') return nothing
  if (custody === 'table') return tableHand(c)
  const own = board.hands[c.you]
  if (!Array.isArray(own)) return nothing
  const parry = c.acting && board.exchange?.card
  return html`<section class="eg-own" aria-label=${t('eg_hand')}>
    <div class="eg-hand">${own.map((value, i) => card(c, value, own.indexOf(value) === i, c.moves.some((move) => (move.card ?? parry) === value || move.move === value)))}</div>
    ${c.acting ? actions(c) : html`<div class="eg-rest"></div>`}</section>`
}

function card(c, value, first, fits, note = '') {
  const on = c.acting && c.ui.card === value
  return html`<button class="eg-card ${on ? (first ? 'on' : 'like') : ''} ${c.acting && !fits ? 'idle' : ''}" data-value=${value} aria-pressed=${on} ?disabled=${!c.acting}
    @click=${() => choose(c, value)}>${said(t('eg_card_n', { card: value }))}${face(value)}${note ? html`<small>${note}</small>` : nothing}</button>`
}

function tableHand(c) {
  const { board } = c.view
  if (showing(c)) return shower(c)
  const left = (value) => 5 - board.played.filter((one) => one === value).length
  return html`<section class="eg-own" aria-label=${t('eg_hand')}>
    <div class="eg-hand">${VALUES.map((value) => card(c, value, true, left(value) > 0, t('eg_left_n', { n: left(value) })))}</div>
    ${c.acting ? actions(c) : html`<div class="eg-rest"></div>`}</section>`
}

// ---- custody `table`: the hands that decide a round ----

const showing = (c) => c.view.custody === 'table' && c.view.status === 'playing' && c.acting && c.moves.some(({ type }) => type === 'show')

/** What is being entered outlives the news of the other hand, which would empty `ui`. @type {WeakMap<any, {round: number, counts: Object<number, number>}>} */
const drafts = new WeakMap()

/** @param {Context} c @returns {Object<number, number>} */
function entered(c) {
  const { round, hands } = c.view.board
  if (drafts.get(c.game)?.round !== round) {
    const own = Array.isArray(hands[c.you]) ? hands[c.you] : []
    drafts.set(c.game, { round, counts: Object.fromEntries(VALUES.map((value) => [value, own.filter((one) => one === value).length])) })
  }
  return drafts.get(c.game)?.counts ?? {}
}

/** @param {Context} c */
function shower(c) {
  const { board } = c.view
  const size = sizeOf(board.hands[c.you])
  const shown = Array.isArray(board.hands[c.you])
  const counts = entered(c)
  const cards = VALUES.flatMap((value) => Array(counts[value]).fill(value))
  const put = (value, by) => { counts[value] = Math.max(0, Math.min(5, counts[value] + by)); c.redraw() }
  return html`<section class="eg-own eg-show panel" aria-label=${t('eg_show')}><h2>${t('eg_show_title')}</h2>
    <p>${shown ? t('eg_shown') : t('eg_show_text', { n: count(size, 'eg_card') })}</p>
    <div class="eg-hand">${VALUES.map((value) => html`<div class="eg-steps">${face(value)}<span>
      <button aria-label=${t('eg_less', { card: value })} ?disabled=${!counts[value]} @click=${() => put(value, -1)}>−</button><output>${counts[value]}</output>
      <button aria-label=${t('eg_more', { card: value })} ?disabled=${counts[value] === 5} @click=${() => put(value, 1)}>+</button></span></div>`)}</div>
    <div class="eg-acts"><button class="eg-act show primary ${cards.length === size ? '' : 'unfit'}" @click=${() => c.play({ type: 'show', cards })}><b>${t('eg_show')}</b><small>${t('eg_total', { n: cards.length, size })}</small></button></div>
  </section>`
}

/** At a real table the referee says who draws, and when to deal. */
function orders(c, { round, act }) {
  if (c.view.custody !== 'table' || c.view.status !== 'playing' || c.replay) return nothing
  const since = act ? round.slice(round.indexOf(act)) : round
  const draws = since.filter(({ type }) => type === 'drawn_cards')
  const lines = act ? draws.map(({ seat, count: n }) => html`<li class=${seat === c.you ? 'own' : ''}>${t('eg_take', { name: c.name(seat), n: count(n, 'eg_cards') })}</li>`)
    : [html`<li class="own">${t('eg_deal', { round: c.view.board.round })}</li>`]
  return lines.length ? html`<ul class="eg-orders">${lines}</ul>` : nothing
}

// ---- the end of a round ----

const how = (c, event) => event.type === 'hit' ? t('eg_is_hit', { name: c.name(event.seat) }) : t('eg_nobody')

const rulingLink = (ruling) => html`<a href="/rules/engarde#${ruling}" target="_blank" rel="noopener">${ruling}</a>`

function openHands(c, hands) {
  return html`<ul class="eg-open">${SEATS.map((seat) => html`<li><b class="seat-${seat}">${c.name(seat)}</b><span role="img" aria-label=${`${t('eg_hand_of', { name: c.name(seat) })}: ${hands[seat].join(' ')}`}>${hands[seat].map(small)}</span></li>`)}</ul>`
}

/** The round that has just ended: until both have moved in the next one. */
function lastRound(c, { frames, hold }) {
  const at = frames.findLastIndex(({ event }) => ENDS.includes(event.type))
  const since = frames.slice(at + 1).filter(({ event }) => ACTIONS.includes(event.type)).length
  if (at < 0 || since > 1 || c.replay && at < frames.length - 1) return nothing
  const { event, board } = frames[at]
  return html`<section class="eg-ended ${hold ? 'fresh' : ''} ${event.seat ? `seat-${event.seat}` : ''}" role="status"><p><b>${t('eg_round', { round: board.round })}:</b> ${how(c, event)} (${rulingLink(event.ruling)})</p>
    ${event.hands ? openHands(c, event.hands) : nothing}</section>`
}

// ---- beside the board ----

function tally(board) {
  return html`<section class="eg-tally" aria-label=${t('eg_out')}><h2>${t('eg_out')}</h2><ul>${VALUES.map((value) => {
    const n = board.played.filter((one) => one === value).length
    return html`<li aria-label=${t('eg_out_n', { card: value, n })}>${small(value)}<span aria-hidden="true">${VALUES.map((i) => html`<i class=${i <= n ? 'gone' : ''}></i>`)}</span></li>`
  })}</ul></section>`
}

/** @param {Context} c */
function side(c) {
  const frames = follow(c.events)
  const ends = frames.filter(({ event }) => ENDS.includes(event.type))
  const { board } = c.view
  return html`<section class="panel eg-rounds"><h2>${t('eg_rounds')}</h2>
    <p><b>${t('eg_round', { round: board.round })}</b> · ${t('eg_begins', { name: c.name(board.starter ?? 'left') })}</p>
    ${ends.length ? html`<ol>${ends.map(({ event, board: { round } }) => html`<li value=${round} class=${event.seat ? `seat-${event.seat}` : ''}><i aria-hidden="true"></i> ${how(c, event)} <small>${rulingLink(event.ruling)}</small>
      ${event.hands ? html`<details><summary>${t('eg_hands_open')}</summary>${openHands(c, event.hands)}</details>` : nothing}</li>`)}</ol>` : nothing}
  </section>`
}

// ---- words ----

/** @param {Context} c */
function hint(c) {
  const { board, to_act: acting, you, status } = c.view
  if (status !== 'playing' || !board) return ''
  const { exchange } = board
  const { hold, end } = sceneOf(c)
  if (hold) return end ? how(c, end) : ''
  if (showing(c)) return Array.isArray(board.hands[you]) ? t('eg_show_wait', { name: c.name(other(you)) }) : t('eg_show_hint')
  if (!exchange) {
    if (!c.acting) return ''
    const near = distanceOf(board) <= 5 && c.moves.some(({ type }) => type === 'attack') ? ` ${t('eg_reach', { distance: distanceOf(board) })}` : ''
    return `${t('your_turn')}. ${t(c.view.custody === 'table' ? 'eg_pick_table' : 'eg_pick')}${near}`
  }
  const attacker = exchange.last_attacker
  const to = other(attacker)
  const least = exchange.played[attacker] - exchange.played[to]
  const told = { name: c.name(attacker), cards: cardsOf(exchange.played[attacker], exchange.card), card: exchange.card, least }
  if (!acting.includes(you)) return t('eg_waits', { name: c.name(to), cards: cardsOf(least, exchange.card) })
  if (exchange.played[you]) return t('eg_answer_level', told)
  const exact = c.view.variant === 'knizia' || optionsOf(c).counterattack === 'none'
  const retreat = c.moves.some(({ type }) => type === 'retreat') ? ` ${t('eg_or_retreat')}` : ''
  return t(exact ? 'eg_answer_exact' : 'eg_answer', told) + retreat
}

/** @type {Object<string, (event: GameEvent, name: string, c: Context) => string>} */
const lines = {
  round_started: ({ round, starter }, _, c) => t('eg_log_round', { round, name: c.name(starter) }),
  moved: ({ seat, from, to }, name) => t((to - from) * ahead(seat) > 0 ? 'eg_log_forward' : 'eg_log_back', { name, n: Math.abs(to - from), to }),
  attacked: ({ card: value, count: n }, name) => t('eg_log_attack', { name, cards: cardsOf(n, value) }),
  parried: ({ card: value, count: n }, name) => t('eg_log_parry', { name, cards: cardsOf(n, value) }),
  drawn_cards: ({ count: n }, name) => t('eg_log_draw', { name, n: count(n, 'eg_cards') }),
  shown: ({ cards }, name) => t('eg_log_show', { name, cards: cards.join(' ') }),
  hit: ({ ruling, hits }, name) => t('eg_log_hit', { name, ruling, hits }),
  round_void: ({ ruling }) => t('eg_log_void', { ruling }),
}

/** @type {import('./table.js').Play} */
export const engarde = {
  id: 'engarde',
  seats: SEATS,
  board(c) {
    const scene = sceneOf(c)
    current = scene.hold ? null : c
    return html`<div class="eg-board">
      ${heads(c, scene)}
      ${piste(c, scene)}
      ${lastRound(c, scene)}
      ${scene.hold ? nothing : html`${orders(c, scene)}${hand(c)}`}
      ${tally(scene.board)}</div>`
  },
  side,
  hint,
  tell: (event, c) => lines[event.type]?.(event, event.seat ? c.name(event.seat) : '', c) ?? null,
  replay,
}
