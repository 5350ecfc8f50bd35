/**
 * The castle: Chateau Roquefort, Burg Appenzell. One picture shows it, roofs and all, and is played
 * on: a mouse is picked up and set down, a roof, a tower, an arrow is tapped. docs/rules/roquefort.md
 * has moves, events and boards.
 *
 * @typedef {import('./table.js').Context} Context
 * @typedef {import('./table.js').GameEvent} GameEvent
 * @typedef {import('./table.js').Move} Move
 */
import { html, nothing, svg } from './lib/lit-html.js'
import { count, t, teach } from './words.js'
import { CHEESES, FACES, defs, mouse, roofOf, tile, tower } from './roquefort-art.js'

teach({
  en: {
    rq_emmental: 'emmental', rq_gouda: 'gouda', rq_edam: 'edam', rq_roquefort: 'roquefort', rq_camembert: 'camembert', rq_cheddar: 'cheddar', rq_brie: 'brie', rq_blank: 'blank', rq_trapdoor: 'trapdoor', rq_null: 'unknown',
    rq_mark_emmental: 'Em', rq_mark_gouda: 'Go', rq_mark_edam: 'Ed', rq_mark_roquefort: 'Ro', rq_mark_camembert: 'Ca', rq_mark_cheddar: 'Ch', rq_mark_brie: 'Br',
    rq_initial_yellow: 'Y', rq_initial_red: 'R', rq_initial_blue: 'B', rq_initial_green: 'G',
    rq_mouse_yellow: 'yellow mouse', rq_mouse_red: 'red mouse', rq_mouse_blue: 'blue mouse', rq_mouse_green: 'green mouse',
    rq_castle: 'The castle', rq_action: 'action|actions', rq_left: 'Actions left', rq_spare: 'Spare tile', rq_end: 'End turn', rq_all: 'All moves', rq_push: 'Push', rq_drop: 'Not that',
    rq_enter_first: 'Put your first mouse on a tower.', rq_look: 'No action left. Look around, then end your turn.',
    rq_choose: '{left} left. Tap a mouse, a roof, a tower or an arrow.', rq_to: 'Where to? The ring says what it costs.',
    rq_pushing: '{slot}: {face} in, {out} out, for 1 action. Tap the arrow again to push.', rq_falls: 'A mouse falls: {squares}!',
    rq_tower: 'tower', rq_covered: 'covered', rq_stone: 'stone', rq_touches: 'room touches your mouse', rq_go: '{cost}: go here', rq_free: 'you may enter', rq_slot: '{slot}: push the spare in here', rq_own: 'yours',
    rq_do_enter: 'Mouse on {tower}', rq_do_uncover: 'Roof off {squares}', rq_do_step: 'Step {from} → {to}', rq_do_jump: 'Jump {from} → {to}', rq_do_shift: 'Push in at {slot}', rq_do_end_turn: 'End turn',
    rq_reserve: 'waiting outside', rq_cellar: 'in the cellar', rq_out: 'out', rq_taken: 'Cheeses: {n} of {all}', rq_turn: 'on turn', rq_players: 'Players',
    rq_entered: '{name} enters at {to}', rq_stepped: '{name}: {from} → {to}', rq_jumped: '{name} jumps {from} → {to}', rq_uncovered: '{name} lifts a roof: {faces}', rq_bare: 'bare stone',
    rq_shifted: '{name} pushes {in} in at {slot}, {out} falls out', rq_light: 'comes to light: {faces}', rq_fell: 'A mouse of {name} falls into the cellar at {square}', rq_went_out: '{name} is out', rq_got: '{name} takes cheese: {cheese}', rq_covers: "{name}'s turn ends", rq_roofs: "{name}'s turn ends, roofs go back on", rq_starter: '{name} begins',
    rq_ask: 'What lies at {square}?', rq_ask_out: 'Which tile falls out?', rq_tell: 'Tell the referee', rq_told: 'Told so far', rq_tell_why: 'The referee cannot see your box. Say what comes to light.', rq_falling: 'falls out',
  },
  cs: {
    rq_emmental: 'ementál', rq_gouda: 'gouda', rq_edam: 'eidam', rq_roquefort: 'rokfór', rq_camembert: 'camembert', rq_cheddar: 'čedar', rq_brie: 'brie', rq_blank: 'prázdná', rq_trapdoor: 'propadlo', rq_null: 'neznámá',
    rq_mark_emmental: 'Em', rq_mark_gouda: 'Go', rq_mark_edam: 'Ei', rq_mark_roquefort: 'Ro', rq_mark_camembert: 'Ca', rq_mark_cheddar: 'Če', rq_mark_brie: 'Br',
    rq_initial_yellow: 'Ž', rq_initial_red: 'Č', rq_initial_blue: 'M', rq_initial_green: 'Z',
    rq_mouse_yellow: 'žlutá myš', rq_mouse_red: 'červená myš', rq_mouse_blue: 'modrá myš', rq_mouse_green: 'zelená myš',
    rq_castle: 'Hrad', rq_action: 'akce|akce|akcí', rq_left: 'Zbývající akce', rq_spare: 'Kostka navíc', rq_end: 'Ukončit tah', rq_all: 'Všechny tahy', rq_push: 'Zasunout', rq_drop: 'Ne, jinak',
    rq_enter_first: 'Postavte první myš na věž.', rq_look: 'Akce došly. Prohlédněte si hrad a ukončete tah.',
    rq_choose: 'Zbývá: {left}. Klepněte na myš, střechu, věž nebo šipku.', rq_to: 'Kam? Kroužek říká, kolik akcí to stojí.',
    rq_pushing: '{slot}: dovnitř {face}, ven {out}, za 1 akci. Klepněte na šipku znovu.', rq_falls: 'Spadne myš: {squares}!',
    rq_tower: 'věž', rq_covered: 'pod střechou', rq_stone: 'kámen', rq_touches: 'pokoj u vaší myši', rq_go: '{cost}: jít sem', rq_free: 'sem smíte vstoupit', rq_slot: '{slot}: zasunout kostku', rq_own: 'vaše',
    rq_do_enter: 'Myš na {tower}', rq_do_uncover: 'Zvednout střechu {squares}', rq_do_step: 'Krok {from} → {to}', rq_do_jump: 'Skok {from} → {to}', rq_do_shift: 'Zasunout u {slot}', rq_do_end_turn: 'Ukončit tah',
    rq_reserve: 'čeká venku', rq_cellar: 've sklepě', rq_out: 'vypadl', rq_taken: 'Sýry: {n} z {all}', rq_turn: 'na tahu', rq_players: 'Hráči',
    rq_entered: '{name} vstupuje na {to}', rq_stepped: '{name}: {from} → {to}', rq_jumped: '{name} skáče {from} → {to}', rq_uncovered: '{name} zvedá střechu: {faces}', rq_bare: 'holý kámen',
    rq_shifted: '{name} zasouvá u {slot}: {in}, vypadá {out}', rq_light: 'vychází najevo: {faces}', rq_fell: 'Hráči {name} spadla myš do sklepa na {square}', rq_went_out: '{name} vypadl', rq_got: '{name} bere sýr: {cheese}', rq_covers: 'Konec tahu: {name}', rq_roofs: 'Konec tahu: {name}; střechy se vracejí', rq_starter: 'Začíná {name}',
    rq_ask: 'Co leží na {square}?', rq_ask_out: 'Která kostka vypadla?', rq_tell: 'Říct rozhodčímu', rq_told: 'Zatím řečeno', rq_tell_why: 'Rozhodčí do vaší krabice nevidí. Řekněte, co vyšlo najevo.', rq_falling: 'vypadla',
  },
})

// ---- the castle, as geometry ----

const PLATES = {
  A: ['*AAABB*', 'CDEEFFG', 'CDHHFFG', 'IDHHJKG', 'ILLLJKM', 'INNOPPM', '*QQORR*'],
  B: ['*AABBB*', 'CCDDEEF', 'CCDDGHF', 'CIJGGHF', 'KIJLLMN', 'KOOPPMN', '*QQQRR*'],
}
const TOWERS = ['a1', 'g1', 'a7', 'g7']
const SLOTS = ['Nb', 'Nd', 'Nf', 'Sb', 'Sd', 'Sf', 'W2', 'W4', 'W6', 'E2', 'E4', 'E6']
const SQUARES = [7, 6, 5, 4, 3, 2, 1].flatMap((row) => [...'abcdefg'].map((file) => file + row))

/** Column and row, rows counted from above. @param {string} square @returns {[number, number]} */
const xy = (square) => [square.charCodeAt(0) - 97, 7 - Number(square[1])]
const at = (x, y) => 'abcdefg'[x] + (7 - y)
const isTower = (square) => TOWERS.includes(square)
const isFloor = (square) => !isTower(square) && (xy(square)[0] % 2 === 1 || Number(square[1]) % 2 === 0)
const byRow = (a, b) => Number(a[1]) - Number(b[1]) || (a < b ? -1 : 1)
/** The floor squares in the order of their first tiles: b1 is 0, f7 is 32. */
const FLOOR = [...SQUARES].sort(byRow).filter(isFloor)

/** The seven squares of a line, from where the spare goes in to where a tile falls out. */
function lineOf(slot) {
  const along = [0, 1, 2, 3, 4, 5, 6].map((i) => 'WE'.includes(slot[0]) ? at(i, 7 - Number(slot[1])) : at(slot.charCodeAt(1) - 97, i))
  return 'ES'.includes(slot[0]) ? along.reverse() : along
}

/** Beside the castle, where a slot is: column and row, one step outside. @returns {[number, number]} */
function outside(slot) {
  const [x, y] = xy(lineOf(slot)[0])
  return [x + ({ W: -1, E: 1 }[slot[0]] ?? 0), y + ({ N: -1, S: 1 }[slot[0]] ?? 0)]
}

/** @type {Map<string, {squares: string[], cells: [number, number][], art: any, tint: number}[]>} */
const plans = new Map()

/** The rooms of a plate, with their roofs. @param {string | string[][]} rooms */
function planOf(rooms) {
  const key = JSON.stringify(rooms)
  if (!plans.has(key)) plans.set(key, tinted(listed(rooms).map((squares) => ({ squares, cells: squares.map(xy), art: roofOf(squares.map(xy)), tint: 0 }))))
  return /** @type {any} */ (plans.get(key))
}

function listed(rooms) {
  if (typeof rooms !== 'string') return rooms
  const byLetter = {}
  for (const square of [...SQUARES].sort(byRow)) { // in the referee's order: from the south, row by row
    const [x, y] = xy(square)
    if (!isTower(square)) (byLetter[PLATES[rooms][y][x]] ??= []).push(square)
  }
  return Object.values(byLetter)
}

/** Neighbours get other tints, as far as four go. */
function tinted(plan) {
  plan.forEach((room, i) => {
    const beside = plan.slice(0, i).filter((other) => other.cells.some(([a, b]) => room.cells.some(([x, y]) => Math.abs(a - x) + Math.abs(b - y) === 1)))
    const free = [0, 1, 2, 3].map((n) => (n + i) % 4).filter((tint) => !beside.some((other) => other.tint === tint))
    room.tint = free[0] ?? i % 4
  })
  return plan
}

const roomAt = (plan, square) => plan.find(({ squares }) => squares.includes(square))
const isOpen = (board, room) => !!room && room.squares.some((square) => board.uncovered.includes(square))
const touches = (squares, others) => squares.some((a) => others.some((b) => Math.max(...xy(a).map((v, i) => Math.abs(v - xy(b)[i]))) <= 1))
const mouseAt = (board, square) => Object.keys(board.players).find((seat) => board.players[seat].mice.includes(square))
const mark = (face) => CHEESES.includes(face) ? t(`rq_mark_${face}`) : ''
const faceWord = (face) => t(`rq_${face}`)
const costOf = ({ type, from, to }) => type === 'end_turn' ? 0 : type === 'jump' ? Math.max(...xy(from).map((v, i) => Math.abs(v - xy(to)[i]))) : 1
const costWord = (move) => count(costOf(move), 'rq_action')

// ---- what is kept of a game between draws, and is not the table's to empty ----

/** @type {WeakMap<object, {cursor: string, mice: Object<string, (string | null)[]>}>} */
const kept = new WeakMap()

function keptOf({ game }) {
  if (!kept.has(game)) kept.set(game, { cursor: 'a1', mice: {} })
  return /** @type {any} */ (kept.get(game))
}

/** The four mice of a seat in places that stay: one that has moved keeps its place, so that it can be
 * seen to walk. */
function placed(c, seat) {
  const { mice } = keptOf(c)
  const now = c.view.board.players[seat].mice
  const old = mice[seat] ?? [null, null, null, null]
  const places = old.map((square) => now.includes(square) ? square : null)
  for (const square of now.filter((one) => !places.includes(one))) {
    const moved = places.findIndex((one, i) => !one && old[i])
    places[moved < 0 ? places.indexOf(null) : moved] = square
  }
  mice[seat] = places
  return places
}

/** Faces that the newest change told, by tile: they may lie under a roof that is back already (CR-11). */
function toldNow({ last, view }) {
  if (last.at(-1)?.seq !== view.seq) return {}
  return Object.fromEntries(newest(last).filter(({ type }) => type === 'shifted').flatMap(opened))
}

// ---- acting ----

/** The legal move of a form, or the move itself: the referee then says why it is none. */
const legal = (c, wanted) => c.moves.find((move) => Object.entries(wanted).every(([key, value]) => move[key] === value))

function change(c, ui) {
  for (const key of ['mouse', 'slot', 'form']) delete c.ui[key]
  Object.assign(c.ui, ui)
  c.redraw()
}

/** Plays a move; at a real table it asks first for what the move brings to light. */
function play(c, move) {
  const need = c.view.custody === 'table' ? needed(c, move) : []
  if (need.length) return change(c, { form: { move, need, given: {}, at: need[0] } })
  delete c.ui.mouse
  delete c.ui.slot
  return c.play(move)
}

/** What must be told with a move: squares, and 'out'. What the referee shows need not be told again. */
function needed(c, move) {
  const { board } = c.view
  const plan = planOf(board.rooms)
  if (!legal(c, move)) return []
  if (move.type === 'uncover') return roomAt(plan, move.square).squares.filter(isFloor)
  if (move.type !== 'shift') return []
  const line = lineOf(move.slot)
  const news = line.filter((square, i) => isOpen(board, roomAt(plan, square)) && (i ? board.tiles[line[i - 1]] : board.spare) === null)
  return [...(board.tiles[line[6]] === null ? ['out'] : []), ...news]
}

function tellMove({ form }) {
  const { out, ...shows } = form.given
  return { ...form.move, ...(out && { out }), ...(Object.keys(shows).length && { shows }) }
}

function tapSlot(c, slot) {
  const move = { type: 'shift', slot }
  if (!legal(c, move) || c.ui.slot === slot) return play(c, move)
  change(c, { slot })
}

function tapSquare(c, square) {
  const { board } = c.view
  const { mouse: from } = c.ui
  const plan = planOf(board.rooms)
  const room = roomAt(plan, square)
  const going = from && c.moves.find((move) => move.from === from && move.to === square)
  if (going) return play(c, going)
  if (mouseAt(board, square) === c.you) return change(c, from === square ? {} : { mouse: square })
  if (isTower(square)) return tapTower(c, square)
  if (!isOpen(board, room)) {
    const roof = c.moves.find((move) => move.type === 'uncover' && room?.squares.includes(move.square))
    return play(c, roof ?? { type: 'uncover', square })
  }
  if (from && near(from, square)) return play(c, { type: straight(from, square) === 2 ? 'jump' : 'step', from, to: square })
  const comers = c.moves.filter((move) => move.to === square)
  change(c, comers.length === 1 ? { mouse: comers[0].from } : {})
}

/** A tower is entered; a mouse in hand that stands beside it asks whether it may go there. */
function tapTower(c, square) {
  const { mouse: from } = c.ui
  if (from && straight(from, square) === 1) return play(c, { type: 'step', from, to: square })
  const enters = legal(c, { type: 'enter', tower: square })
  if (enters || !mouseAt(c.view.board, square) || !c.view.board.players[c.you].mice.length) return play(c, { type: 'enter', tower: square })
  change(c, {})
}

const gaps = (a, b) => xy(a).map((v, i) => Math.abs(v - xy(b)[i]))
const straight = (a, b) => { const [x, y] = gaps(a, b); return x && y ? 0 : x + y }
/** Near enough for a try that was meant. */
const near = (a, b) => { const [x, y] = gaps(a, b); return x <= 1 && y <= 1 || [1, 2].includes(straight(a, b)) }

/** Arrow keys go over the nine by nine of castle and slots; where nothing is they go on. */
function onKey(c, event) {
  if (event.key === 'Escape') { event.preventDefault(); return change(c, {}) }
  const from = event.target.dataset?.at
  if (!from) return
  if (['Enter', ' '].includes(event.key)) { event.preventDefault(); return tap(c, from) }
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
  if (!way) return
  event.preventDefault()
  let [x, y] = SLOTS.includes(from) ? outside(from) : xy(from)
  for (let i = 0; i < 9; i++) {
    x += way[0]
    y += way[1]
    const next = [...SQUARES, ...SLOTS].find((one) => { const [a, b] = SLOTS.includes(one) ? outside(one) : xy(one); return a === x && b === y })
    if (next) return event.currentTarget.querySelector(`[data-at="${next}"]`).focus()
  }
}

function tap(c, where) {
  if (!c.acting) return
  return SLOTS.includes(where) ? tapSlot(c, where) : tapSquare(c, where)
}

// ---- the picture ----

const place = ([x, y], scale = 1) => `transform:translate(${x * 100}px,${y * 100}px)${scale === 1 ? '' : ` scale(${scale})`}`

function board(c) {
  const { board: b } = c.view
  const plan = planOf(b.rooms)
  return html`<div class="rq ${c.acting ? 'rq-acting' : ''} ${c.ui.mouse ? 'rq-moving' : ''}">
    <svg class="rq-castle" viewBox="-60 -60 820 820" role="group" aria-label=${t('rq_castle')} @keydown=${(event) => onKey(c, event)}>
      ${defs()}
      <g aria-hidden="true">
        <rect x="-60" y="-60" width="820" height="820" rx="26" class="rq-ground"></rect><rect x="-60" y="-60" width="820" height="820" rx="26" fill="url(#rq-lawn)"></rect>
        ${path}
        ${floor()}
        ${tiles(c, plan)}
        ${plan.map((room) => roof(c, room))}
        ${TOWERS.map((square) => svg`<g .style=${place(xy(square))}>${tower()}</g>`)}
        ${recent(c)}
        ${preview(c)}
        ${Object.keys(b.players).map((seat) => placed(c, seat).map((square) => walker(c, seat, square)))}
        ${lights(c, plan)}
        ${SLOTS.map((slot) => arrow(c, slot))}
      </g>
      ${[...SQUARES, ...SLOTS].map((where) => spot(c, plan, where))}
    </svg>
    ${tray(c)}
    ${c.ui.form ? form(c) : nothing}
    ${c.acting ? allMoves(c) : nothing}
  </div>`
}

/** The castle's outline: the wall that all stands in. */
const path = svg`<path d="M95-14H605V-6H714V95H708V605H714V714H605V708H95V714H-14V605H-8V95H-14V-14Z" class="rq-moat"></path>
  <path d="M95-10H605V95H710V605H605V710H95V605H-10V95H95Z" class="rq-wall"></path>`

const floor = () => SQUARES.filter((square) => !isTower(square)).map((square) => svg`<g .style=${place(xy(square))}>${isFloor(square) ? svg`<rect width="100" height="100" class="rq-shaft"></rect>`
  : svg`<rect width="100" height="100" class="rq-stone"></rect><path d="M4 33H96M4 66H96M48 4V33M26 33V66M72 33V66M50 66V96" class="rq-joints"></path>`}</g>`)

/** Every tile at its place by its number, those that nobody sees too: so they slide when pushed. */
function tiles(c, plan) {
  const { board: b } = c.view
  const lies = Object.fromEntries(FLOOR.map((square) => [b.ids?.[square], square]))
  const told = toldNow(c)
  return Array.from({ length: 34 }, (_, id) => {
    const square = lies[id]
    const slot = c.ui.slot ?? lastSlot(c)
    const where = square ? xy(square) : c.ui.slot ? waiting(c.ui.slot) : slot ? fallen(slot) : /** @type {[number, number]} */ ([-1, 7])
    const face = square ? b.tiles[square] ?? told[id] ?? null : b.spare
    const seen = square ? face || isOpen(b, roomAt(plan, square)) : !!c.ui.slot
    return svg`<g class="rq-lies ${seen ? '' : 'rq-unseen'}" .style=${place(where, !square && c.ui.slot ? 0.5 : 1)}>${seen ? tile(face, mark(face)) : nothing}</g>`
  })
}

/** Where the spare waits, drawn small, at the slot that is looked at. */
function waiting(slot) {
  const [x, y] = outside(slot)
  const [dx, dy] = { N: [0.25, 0.44], S: [0.25, 0.06], W: [0.44, 0.25], E: [0.06, 0.25] }[slot[0]] ?? [0, 0]
  return /** @type {[number, number]} */ ([x + dx, y + dy])
}

const lastSlot = (c) => c.events.findLast(({ type }) => type === 'shifted')?.slot

function fallen(slot) {
  const [x, y] = xy(lineOf(slot)[6])
  return /** @type {[number, number]} */ ([x + ({ W: 1, E: -1 }[slot[0]] ?? 0), y + ({ N: 1, S: -1 }[slot[0]] ?? 0)])
}

function roof(c, room) {
  const { board: b } = c.view
  const { slopes, edge, ridge, valley, whole } = room.art
  const open = isOpen(b, room)
  const told = toldNow(c)
  const glass = !open && room.squares.some((square) => isFloor(square) && (b.tiles[square] || told[b.ids?.[square]]))
  return svg`<g class="rq-room"><path d=${edge} class="rq-walls"></path>
    <g class="rq-roof rq-tint-${room.tint} ${open ? 'rq-off' : glass ? 'rq-glass' : ''}" .style=${`transform-origin:${room.cells[0][0] * 100 + 50}px ${room.cells[0][1] * 100 + 50}px`}>
      <path d=${whole} class="rq-base"></path>
      ${Object.entries(slopes).map(([side, d]) => svg`<path d=${d} class="rq-slope-${side}"></path><path d=${d} fill="url(#rq-shingle-${'ns'.includes(side) ? 'y' : 'x'})"></path>`)}
      <path d=${valley} class="rq-valley"></path><path d=${ridge} class="rq-ridge"></path><path d=${edge} class="rq-eaves"></path></g></g>`
}

function walker(c, seat, square) {
  const picked = square && c.ui.mouse === square
  const movable = c.acting && seat === c.you && c.moves.some(({ from }) => from === square)
  const [x, y] = square ? xy(square) : [3, 3]
  const spot_ = square && isTower(square) ? /** @type {[number, number]} */ ([x + 0.13, y + 0.1]) : /** @type {[number, number]} */ ([x + 0.26, y + 0.24])
  return svg`<g class="rq-walks ${square ? '' : 'rq-unseen'} ${movable ? 'rq-movable' : ''} ${picked ? 'rq-picked' : ''}" .style=${place(spot_, 0.74)}>${mouse(seat, t(`rq_initial_${seat}`))}</g>`
}

const isAction = ({ type }) => ['moved', 'uncovered', 'shifted'].includes(type)

/** The last action of some events, and what followed from it. */
const newest = (events) => events.slice(Math.max(0, events.findLastIndex(isAction)))

/** All that happened in the turn that goes on, or that has just ended. */
function latest(c) {
  if (c.replay) return c.events.slice(-1)
  const from = c.events.slice(0, -1).findLastIndex(({ type }) => ['covered', 'started'].includes(type))
  return c.events.slice(from + 1).slice(-6)
}

/** What the newest change did: squares that were left, reached, uncovered, pushed. */
function recent(c) {
  return newest(c.last).map((event) => {
    const { type, from, to, slot, square, squares } = event
    if (type === 'shifted') return svg`<path d=${band(slot)} class="rq-pushed"></path>`
    if (type === 'uncovered') { const room = roomAt(planOf(c.view.board.rooms), squares[0]); return svg`<path d=${room.art.edge} class="rq-news"></path>` }
    const marks = type === 'moved' ? [from, to] : type === 'fell' ? [square] : []
    return marks.filter(Boolean).map((one) => svg`<rect x="5" y="5" width="90" height="90" rx="12" class="rq-news ${type === 'fell' ? 'rq-fell' : ''}" .style=${place(xy(one))}></rect>`)
  })
}

/** Around the seven squares of a line. */
function band(slot) {
  const line = lineOf(slot).map(xy)
  const [x, y] = [Math.min(...line.map((cell) => cell[0])) * 100, Math.min(...line.map((cell) => cell[1])) * 100]
  return 'WE'.includes(slot[0]) ? `M${x} ${y + 3}h700v94h-700z` : `M${x + 3} ${y}v700h94v-700z`
}

function preview(c) {
  const { slot } = c.ui
  if (!slot) return nothing
  const turn = { N: 180, S: 0, W: 90, E: -90 }[slot[0]]
  return svg`<path d=${band(slot)} class="rq-preview"></path>${lineOf(slot).slice(0, 6).map((square, i) => {
    const [[x, y], [nx, ny]] = [xy(square), xy(lineOf(slot)[i + 1])]
    return svg`<path d="M-22 12 0-10 22 12" transform="translate(${50 * (x + nx) + 50} ${50 * (y + ny) + 50}) rotate(${turn})" class="rq-chevron"></path>`
  })}`
}

/** What may be done now: rings on squares, edges on roofs, rings on towers. */
function lights(c, plan) {
  if (!c.acting || c.ui.form) return nothing
  const { mouse: from } = c.ui
  if (from) return c.moves.filter((move) => move.from === from).map((move) => svg`<g class="rq-target" .style=${place(xy(move.to))}>
    <rect x="6" y="6" width="88" height="88" rx="12" class="rq-lit"></rect><circle cx="50" cy="50" r="21" class="rq-ring"></circle><text x="50" y="60" class="rq-cost">${costOf(move)}</text></g>`)
  return c.moves.map((move) => {
    if (move.type === 'uncover') return svg`<path d=${roomAt(plan, move.square).art.edge} class="rq-may"></path>`
    if (move.type === 'enter') return svg`<circle cx="50" cy="50" r="40" class="rq-may" .style=${place(xy(move.tower))}></circle>`
    return nothing
  })
}

function arrow(c, slot) {
  const [x, y] = outside(slot)
  const turn = { N: 180, S: 0, W: 90, E: -90 }[slot[0]]
  const [dx, dy] = { N: [0, 0.24], S: [0, -0.24], W: [0.24, 0], E: [-0.24, 0] }[slot[0]] ?? [0, 0]
  const on = c.acting && legal(c, { type: 'shift', slot })
  const picked = c.ui.slot === slot
  return svg`<g class="rq-arrow ${on ? 'rq-on' : ''} ${picked ? 'rq-picked' : ''}" .style=${place([x + dx, y + dy])}>
    <path d="M50 28 75 54H60V72H40V54H25Z" transform="rotate(${turn} 50 50)"></path></g>`
}

/** What is tapped and what the keys go over: transparent, above all that is drawn. */
function spot(c, plan, where) {
  const slot = SLOTS.includes(where)
  const memory = keptOf(c)
  const [x, y] = slot ? outside(where) : xy(where)
  const [fx, fy, w, h] = !slot ? [0, 0, 100, 100] : 'NS'.includes(where[0]) ? [0, where[0] === 'N' ? 40 : 0, 100, 60] : [where[0] === 'W' ? 40 : 0, 0, 60, 100]
  const picked = slot ? c.ui.slot === where : c.ui.mouse === where
  return svg`<g class="rq-spot" role="button" data-at=${where} tabindex=${memory.cursor === where ? 0 : -1} transform="translate(${x * 100} ${y * 100})"
    aria-label=${slot ? t('rq_slot', { slot: where }) : describe(c, plan, where)} aria-disabled=${c.acting ? 'false' : 'true'} aria-pressed=${picked ? 'true' : 'false'}
    @click=${() => tap(c, where)} @focus=${() => { if (memory.cursor !== where) { memory.cursor = where; c.redraw() } }}>
    <rect x=${fx + 2} y=${fy + 2} width=${w - 4} height=${h - 4} rx="10"></rect></g>`
}

function describe(c, plan, square) {
  const { board: b } = c.view
  const room = roomAt(plan, square)
  const open = isOpen(b, room)
  const seat = mouseAt(b, square)
  const own = c.you ? b.players[c.you]?.mice ?? [] : []
  const going = c.ui.mouse && c.moves.find((move) => move.from === c.ui.mouse && move.to === square)
  return [square,
    isTower(square) ? t('rq_tower') : !open ? t('rq_covered') : isFloor(square) ? faceWord(b.tiles[square]) : t('rq_stone'),
    !isTower(square) && !open && touches(room.squares, own) ? t('rq_touches') : '',
    seat ? t(`rq_mouse_${seat}`) + (seat === c.you ? ` (${t('rq_own')})` : '') : '',
    legal(c, { type: 'enter', tower: square }) ? t('rq_free') : '',
    going ? t('rq_go', { cost: costWord(going) }) : ''].filter(Boolean).join(', ')
}

// ---- beside and below the picture ----

/** A thing in a picture of its own. */
const little = (content, label) => html`<svg class="rq-little" viewBox="0 0 100 104" role=${label ? 'img' : nothing} aria-label=${label || nothing} aria-hidden=${label ? nothing : 'true'}>${content}</svg>`

function tray(c) {
  const { board: b } = c.view
  const { slot } = c.ui
  const end = legal(c, { type: 'end_turn' })
  const news = latest(c).map((event) => tell(event, c)).filter(Boolean)
  const used = settingUp(b) ? null : b.actions_left
  return html`<div class="rq-tray">
    <figure class="rq-spare">${little(tile(b.spare, mark(b.spare)), faceWord(b.spare))}<figcaption>${t('rq_spare')}<b>${faceWord(b.spare)}</b>
      ${used === null || ended(c) ? nothing : html`<span class="rq-pips" role="img" aria-label="${t('rq_left')}: ${used}">${[1, 2, 3, 4].map((n) => html`<i class=${n <= used ? 'rq-full' : ''}></i>`)}</span>`}</figcaption></figure>
    <div class="rq-buttons">
      ${c.acting && slot ? html`<button class="primary" @click=${() => tapSlot(c, slot)}>${t('rq_push')} ${slot}</button><button @click=${() => change(c, {})}>${t('rq_drop')}</button>` : nothing}
      ${c.acting && end && !slot ? html`<button class="rq-end ${b.actions_left === 0 ? 'primary' : ''}" @click=${() => play(c, end)}>${t('rq_end')}</button>` : nothing}
    </div>
    <ul class="rq-last" aria-live="polite">${news.map((line) => html`<li>${line}</li>`)}</ul>
  </div>`
}

const settingUp = (b) => b.turn && b.players[b.turn].reserve === 4 && !b.players[b.turn].out
const ended = (c) => !c.replay && ['over', 'aborted'].includes(c.view.status)

function words(c, move) {
  const room = move.type === 'uncover' && roomAt(planOf(c.view.board.rooms), move.square)
  return t(`rq_do_${move.type}`, { ...move, squares: room ? room.squares.join(' ') : '' })
}

const allMoves = (c) => html`<details class="panel rq-all"><summary>${t('rq_all')} (${c.moves.length})</summary>
  <div class="row">${c.moves.map((move) => html`<button @click=${() => play(c, move)}>${words(c, move)}${costOf(move) ? html` <small>${costWord(move)}</small>` : nothing}</button>`)}</div></details>`

/** At a real table: one question after another, answered by pictures. */
function form(c) {
  const { form: f } = c.ui
  const title = (key) => key === 'out' ? t('rq_ask_out') : t('rq_ask', { square: key })
  const give = (face) => {
    f.given[f.at] = face
    f.at = f.need.find((key) => !f.given[key]) ?? f.at
    c.redraw()
  }
  const done = f.need.every((key) => f.given[key])
  return html`<section class="panel rq-form" aria-label=${words(c, f.move)} @keydown=${(event) => { if (event.key === 'Escape') change(c, {}) }}>
    <h2>${words(c, f.move)}</h2><p><small>${t('rq_tell_why')}</small></p>
    <div class="rq-asked" role="group" aria-label=${t('rq_told')}>${f.need.map((key) => html`<button class=${key === f.at ? 'rq-now' : ''} aria-pressed=${key === f.at ? 'true' : 'false'} data-ask=${key} @click=${() => { f.at = key; c.redraw() }}>
      ${f.given[key] ? little(tile(f.given[key], mark(f.given[key])), faceWord(f.given[key])) : html`<span class="rq-open">?</span>`}<span>${key === 'out' ? t('rq_falling') : key}</span></button>`)}</div>
    <h3>${title(f.at)}</h3>
    <div class="rq-faces" role="group" aria-label=${title(f.at)}>${FACES.map((face) => html`<button data-face=${face} aria-pressed=${f.given[f.at] === face ? 'true' : 'false'} @click=${() => give(face)}>
      ${little(tile(face, mark(face)), '')}<span>${faceWord(face)}</span></button>`)}</div>
    <div class="row"><button class="primary rq-tells" ?disabled=${!done || !c.acting} @click=${() => c.play(tellMove(c.ui))}>${t('rq_tell')}</button><button @click=${() => change(c, {})}>${t('rq_drop')}</button></div>
  </section>`
}

function side(c) {
  const { board: b } = c.view
  const all = c.events.find(({ type }) => type === 'created')?.options?.cheeses_to_win ?? 4
  const order = b.order ?? Object.keys(b.players)
  return html`<section class="panel rq-players" aria-label=${t('rq_players')}><ol>${order.map((seat) => player(c, seat, all))}</ol></section>`
}

function player(c, seat, all) {
  const { board: b } = c.view
  const { reserve, cellar, cheeses, out } = b.players[seat]
  const row = (n) => Array.from({ length: n }, () => little(mouse(seat, t(`rq_initial_${seat}`)), ''))
  const slots = Array.from({ length: Math.max(all, cheeses.length) }, (_, i) => cheeses[i])
  return html`<li class="seat-${seat} ${out ? 'rq-is-out' : ''} ${b.turn === seat && !ended(c) ? 'rq-on-turn' : ''}">
    <p class="rq-name"><i aria-hidden="true"></i><b>${c.name(seat)}</b>${out ? html` <span>${t('rq_out')}</span>` : b.turn === seat && !ended(c) ? html` <span>${t('rq_turn')}</span>` : nothing}</p>
    <p class="rq-chips" role="group" aria-label=${t('rq_taken', { n: cheeses.length, all })}>${slots.map((face) => face ? little(tile(face, mark(face)), faceWord(face)) : html`<span class="rq-hole"></span>`)}</p>
    <p class="rq-counts">${reserve ? html`<span>${row(reserve)} ${t('rq_reserve')}</span>` : nothing}${cellar ? html`<span class="rq-down">${row(cellar)} ${t('rq_cellar')}</span>` : nothing}</p></li>`
}

function hint(c) {
  const { board: b } = c.view
  if (!c.acting || !b) return ''
  if (settingUp(b)) return t('rq_enter_first')
  if (c.ui.form) return words(c, c.ui.form.move)
  if (c.ui.slot) return pushing(c, c.ui.slot)
  if (c.ui.mouse) return t('rq_to')
  return b.actions_left ? t('rq_choose', { left: count(b.actions_left, 'rq_action') }) : t('rq_look')
}

function pushing(c, slot) {
  const { board: b } = c.view
  const line = lineOf(slot)
  const falls = line.filter((square, i) => (i ? b.tiles[line[i - 1]] : b.spare) === 'trapdoor' && mouseAt(b, square))
  const text = t('rq_pushing', { slot, face: faceWord(b.spare), out: faceWord(b.tiles[line[6]]) })
  return falls.length ? `${text} ${t('rq_falls', { squares: falls.join(', ') })}` : text
}

// ---- the log ----

const opened = ({ openings = [] }) => openings.map(({ component, face }) => [Number(component.split('/')[1]), face])

/** @type {import('./table.js').Play['tell']} */
function tell(event, c) {
  const name = event.seat ? c.name(event.seat) : ''
  const { type, from, to, square, squares = [], slot } = event
  if (type === 'started') return t('rq_starter', { name: c.name(event.starter) })
  if (type === 'moved') return t(!from ? 'rq_entered' : straight(from, to) > 1 ? 'rq_jumped' : 'rq_stepped', { name, from, to })
  if (type === 'uncovered') {
    const ids = lyingAt(c.events, event.seq)
    const list = squares.filter(isFloor).map((one) => `${one} ${faceWord(faceOf(c, event.seq, ids[one]))}`)
    return t('rq_uncovered', { name, faces: list.join(', ') || t('rq_bare') })
  }
  if (type === 'shifted') return tellShift(event, c, name, slot)
  if (type === 'fell') return t('rq_fell', { name, square })
  if (type === 'out') return t('rq_went_out', { name })
  if (type === 'cheese_taken') return t('rq_got', { name, cheese: faceWord(event.cheese) })
  if (type === 'covered') return t(squares.length ? 'rq_roofs' : 'rq_covers', { name })
  return null
}

function tellShift(event, c, name, slot) {
  const face = (id) => faceWord(faceOf(c, event.seq, id))
  const light = opened(event).filter(([id]) => id !== event.out && id !== event.in).map(([, one]) => faceWord(one))
  const text = t('rq_shifted', { name, slot, in: face(event.in), out: face(event.out) })
  return light.length ? `${text}; ${t('rq_light', { faces: light.join(', ') })}` : text
}

/** A tile's face as it was told last, by this event or before: an event tells only what was not to be
 * seen already. The first spare lay open from the start. */
function faceOf({ events }, seq, id) {
  for (const event of events.filter((one) => one.seq <= seq && one.openings).reverse())
    for (const [tile_, face] of opened(event)) if (tile_ === id) return face
  return id === 33 ? events[0]?.options?.spare ?? 'blank' : null
}

/** Which tile lay where at an event, by what was pushed before. */
function lyingAt(events, seq) {
  const board = { ids: Object.fromEntries(FLOOR.map((square, i) => [square, i])), spare_id: 33 }
  for (const event of events) if (event.type === 'shifted' && event.seq < seq) push(board, event.slot)
  return board.ids
}

// ---- a game that is over, from its start, with every face open ----

/** @type {import('./table.js').Play['replay']} */
function replay(transcript, events, view) {
  const frames = []
  const faces = facesOf(transcript, events)
  const start = events.findIndex(({ type }) => type === 'started')
  if (start < 0) return []
  let board = laid(events[start], view, faces)
  for (const event of events.slice(start)) {
    board = after(board, event, faces)
    frames.push({ event, board })
  }
  return frames
}

/** Tiles by number. At a real table the last event says what was told of them. */
function facesOf({ openings = [] }, events) {
  const told = events.at(-1)?.faces ?? []
  const faces = Array.from({ length: 34 }, (_, i) => told[i] ?? null)
  for (const { component, face } of openings) if (component.startsWith('tile/')) faces[Number(component.slice(5))] = face
  return faces
}

function laid({ starter }, view, faces) {
  const seats = Object.keys(view.seats)
  const first = seats.indexOf(starter)
  const ids = Object.fromEntries(FLOOR.map((square, i) => [square, i]))
  return {
    rooms: view.board.rooms, order: [...seats.slice(first), ...seats.slice(0, first)], turn: starter, actions_left: 4, shifted: false,
    ids, spare_id: 33, ...shown(ids, 33, faces), uncovered: [],
    players: Object.fromEntries(seats.map((seat) => [seat, { mice: [], reserve: 4, cellar: 0, cheeses: [] }])),
  }
}

const shown = (ids, spare, faces) => ({ tiles: Object.fromEntries(FLOOR.map((square) => [square, faces[ids[square]]])), spare: faces[spare] })

/** The board after an event; the one before stays as it is. */
function after(before, event, faces) {
  const board = structuredClone(before)
  const own = board.players[event.seat]
  const spend = (n) => { board.actions_left = Math.max(0, board.actions_left - n) }
  if (event.type === 'moved') {
    const { from, to } = event
    const first = !from && own.reserve === 4
    own.mice = [...own.mice.filter((square) => square !== from), to].sort()
    if (!from) own.reserve--
    if (first && !own.cellar) board.turn = next(board, event.seat) // CR-2: the set-up goes round
    else spend(from ? straight(from, to) : 1)
  } else if (event.type === 'uncovered') {
    board.uncovered.push(event.squares[0])
    spend(1)
  } else if (event.type === 'shifted') {
    push(board, event.slot)
    Object.assign(board, shown(board.ids, board.spare_id, faces), { shifted: true })
    spend(1)
  } else if (event.type === 'fell') {
    own.mice = own.mice.filter((square) => square !== event.square)
    own.cellar++
  } else if (event.type === 'out') {
    own.reserve += own.mice.length
    Object.assign(own, { mice: [], out: true })
    if (board.turn === event.seat && own.reserve === 4) board.turn = next(board, event.seat)
  } else if (event.type === 'cheese_taken') {
    own.cheeses.push(event.cheese)
  } else if (event.type === 'covered') {
    board.uncovered = board.uncovered.filter((square) => !event.squares.includes(square))
    Object.assign(board, { turn: next(board, event.seat), actions_left: 4, shifted: false })
  }
  return board
}

function next({ order, players }, seat) {
  const from = order.indexOf(seat)
  return [...order.slice(from + 1), ...order.slice(0, from + 1)].find((one) => !players[one].out) ?? seat
}

function push(board, slot) {
  const line = lineOf(slot)
  const out = board.ids[line[6]]
  for (let i = 6; i > 0; i--) board.ids[line[i]] = board.ids[line[i - 1]]
  board.ids[line[0]] = board.spare_id
  board.spare_id = out
}

/** @type {import('./table.js').Play} */
export const roquefort = { id: 'roquefort', seats: ['yellow', 'red', 'blue', 'green'], board, side, hint, tell, replay }
