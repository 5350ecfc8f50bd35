/** Setting up an army: a box of pieces, the own four rows, and set-ups that are kept for another day.
 * What is not yet sent is a draft in sessionStorage: it outlives events, redraws and a reload. */
import { html, nothing } from './lib/lit-html.js'
import { slotOf } from './refereed.js'
import { recall, remember } from './keeper.js'
import { carry, nameOf, roam, setOf, token } from './stratego-pieces.js'
import { ask } from './dialog.js'
import { t, teach } from './words.js'

/** @typedef {import('./table.js').Context} Context */
/** @typedef {{pieces: Object<string, string>, rank: string, square: string, focus: string, name: string}} Draft */

teach({
  en: {
    st_setup: 'Your own four rows', st_box: 'In the box', st_left: '{name}, {n} left', st_random: 'Shuffle', st_mirror: 'Mirror', st_clear: 'Clear', st_send: 'Ready', st_send_more: '{n} to place',
    st_to_box: 'Back into the box', st_front: 'front', st_saved: 'Saved set-ups', st_save: 'Save', st_save_name: 'Name of this set-up', st_load: 'Load', st_delete: 'Delete {name}', st_clear_sure: 'Take all pieces off the board?',
    st_setup_help: 'Tap a piece and then a square, or drag it. Tap two pieces to swap them.', st_box_empty: 'All pieces stand.', st_place_here: 'can be placed here',
  },
  cs: {
    st_setup: 'Vaše čtyři řady', st_box: 'V krabici', st_left: '{name}, zbývá {n}', st_random: 'Zamíchat', st_mirror: 'Zrcadlit', st_clear: 'Vyklidit', st_send: 'Hotovo', st_send_more: 'Zbývá {n}',
    st_to_box: 'Zpět do krabice', st_front: 'čelo', st_saved: 'Uložená rozestavení', st_save: 'Uložit', st_save_name: 'Jméno rozestavení', st_load: 'Načíst', st_delete: 'Smazat {name}', st_clear_sure: 'Sundat všechny figury z desky?',
    st_setup_help: 'Ťukněte na figuru a pak na pole, nebo ji přetáhněte. Dvě figury prohodíte ťuknutím na obě.', st_box_empty: 'Všechny figury stojí.', st_place_here: 'sem ji lze postavit',
  },
})

const FILES = [...'abcdefghij']

/** The own rows, the front first, as the side sees them. @param {string} seat */
function rowsOf(seat) {
  const rows = (seat === 'blue' ? [7, 8, 9, 10] : [4, 3, 2, 1])
  const files = seat === 'blue' ? FILES.toReversed() : FILES
  return rows.map((row) => files.map((file) => file + row))
}

// ---- drafts and what is saved ----

/** @type {Map<string, Draft>} */
const drafts = new Map()
const nameOfDraft = (c) => `refereed/draft/${c.game.id}/${c.you}`

/** @param {Context} c @returns {Draft} */
function draftOf(c) {
  const key = nameOfDraft(c)
  let draft = drafts.get(key)
  if (!draft) {
    const pieces = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    drafts.set(key, draft = { pieces, rank: '', square: '', focus: rowsOf(/** @type {string} */ (c.you))[0][0], name: '' })
  }
  return draft
}

/** @param {Context} c @param {Object<string, string>} pieces */
function put(c, pieces, { rank = '', square = '' } = {}) {
  Object.assign(draftOf(c), { pieces, rank, square })
  sessionStorage.setItem(nameOfDraft(c), JSON.stringify(pieces))
  c.redraw()
}

/** Saved ones are kept by slot, so that red may load what blue has saved. */
const savedOf = (variant) => recall(`setups/${variant}`, {})
const toSlots = (seat, pieces) => Object.entries(pieces).map(([square, rank]) => [slotOf(seat, square), rank])
function fromSlots(seat, slots) {
  const squares = rowsOf(seat).flat()
  return Object.fromEntries(slots.map(([slot, rank]) => [squares.find((square) => slotOf(seat, square) === slot), rank]))
}

/** What of the set is not on the board. @returns {[string, number][]} */
function leftOf(variant, pieces) {
  const placed = Object.values(pieces)
  return setOf(variant).map(([rank, count]) => [rank, count - placed.filter((one) => one === rank).length])
}

// ---- a set-up by chance, but one that can be played ----

const shuffled = (list) => list.map((one) => /** @type {const} */ ([Math.random(), one])).sort(([a], [b]) => a - b).map(([, one]) => one)

// How far back a rank likes to stand: 0 the front, 3 the last row. The rest goes where there is room.
const DEPTH = { marshal: 1.2, general: 1, colonel: 1, major: 1, captain: 1.2, lieutenant: 1.4, sergeant: 1.6, cadet: 1, corporal: 1.2, gunner: 1.3, scout: 1, miner: 2.2, spy: 1.8, mine: 2.1, bomb: 2.1 }

/** The flag at the back, some mines around it, the others about where they are of use.
 * @param {string} variant @param {string} seat */
export function chance(variant, seat) {
  const rows = rowsOf(seat)
  const pieces = {}
  const pool = setOf(variant).flatMap(([rank, count]) => Array(count).fill(rank))
  const take = (rank, square) => { pool.splice(pool.indexOf(rank), 1); pieces[square] = rank }
  const x = Math.floor(Math.random() * 10)
  take('flag', rows[3][x])
  const wall = pool.includes('mine') ? 'mine' : 'bomb'
  for (const square of shuffled([rows[3][x - 1], rows[3][x + 1], rows[2][x]].filter(Boolean)))
    if (pool.includes(wall) && Math.random() < 0.85) take(wall, square)
  const free = new Map(rows.flatMap((row, y) => row.map((square) => /** @type {[string, number]} */ ([square, y]))).filter(([square]) => !pieces[square]))
  for (const rank of shuffled(pool.slice())) {
    const [square] = [...free].map(([one, y]) => /** @type {[string, number]} */ ([one, Math.abs(y - DEPTH[rank]) + Math.random() * 2.4])).sort((a, b) => a[1] - b[1])[0]
    take(rank, square)
    free.delete(square)
  }
  return pieces
}

function mirrored(pieces) {
  const other = (square) => FILES[9 - FILES.indexOf(square[0])] + square.slice(1)
  return Object.fromEntries(Object.entries(pieces).map(([square, rank]) => [other(square), rank]))
}

// ---- hands ----

/** A square is tapped: place, pick up, move or swap. @param {Context} c */
function touch(c, square) {
  const { pieces, rank, square: held } = draftOf(c)
  if (rank) return place(c, rank, square)
  if (held) return held === square ? put(c, pieces) : swap(c, held, square)
  if (pieces[square]) put(c, pieces, { square })
}

/** From the box; what stood there goes back into it. */
function place(c, rank, square) {
  const { pieces } = draftOf(c)
  const next = { ...pieces, [square]: rank }
  const more = leftOf(c.view.variant, next).some(([one, n]) => one === rank && n > 0)
  if (leftOf(c.view.variant, next).some(([one, n]) => one === rank && n < 0)) return put(c, pieces)
  put(c, next, { rank: more ? rank : '' })
}

function swap(c, from, to) {
  const { pieces } = draftOf(c)
  const { [from]: one, [to]: two, ...rest } = pieces
  put(c, { ...rest, [to]: one, ...(two && { [from]: two }) })
}

function unplace(c, square) {
  const { [square]: gone, ...rest } = draftOf(c).pieces
  put(c, rest)
}

/** Drags out of the box and over the board. @param {Context} c @param {PointerEvent} event */
function lift(c, event) {
  const target = /** @type {HTMLElement} */ (event.target)
  const { rank } = target.closest('[data-rank]')?.dataset ?? {}
  const { square } = target.closest('[data-square]')?.dataset ?? {}
  const draft = draftOf(c)
  if (square && !draft.pieces[square]) return
  const what = target.closest('[data-rank], [data-square]')?.querySelector('.st-token')
  const drop = (under) => {
    const to = under?.closest('.st-board [data-square]')?.dataset.square
    if (rank) return to ? place(c, rank, to) : put(c, draft.pieces)
    if (!to) return under?.closest('.st-box') ? unplace(c, square) : put(c, draft.pieces)
    return to === square ? put(c, draft.pieces) : swap(c, square, to)
  }
  if (rank || square) carry(event, what, () => put(c, draft.pieces, { rank, square }), drop)
}

// ---- drawing ----

/** @param {Context} c */
export function setup(c) {
  const seat = /** @type {string} */ (c.you)
  const draft = draftOf(c)
  const left = leftOf(c.view.variant, draft.pieces)
  const more = left.reduce((sum, [, n]) => sum + n, 0)
  const clear = async () => { if (await ask(t('st_clear_sure'))) put(c, {}) }
  const send = async () => {
    if (!await c.setup({ ...draft.pieces })) return
    drafts.delete(nameOfDraft(c))
    sessionStorage.removeItem(nameOfDraft(c))
  }
  return html`<div class="st-wrap st-setup ${draft.rank || draft.square ? 'holding' : ''}" @pointerdown=${(event) => lift(c, event)}>
    ${field(c, draft, seat)}
    <div class="row st-tools">
      <button class="st-random" @click=${() => put(c, chance(c.view.variant, seat))}>${t('st_random')}</button>
      <button class="st-mirror" ?disabled=${!Object.keys(draft.pieces).length} @click=${() => put(c, mirrored(draft.pieces))}>${t('st_mirror')}</button>
      <button class="st-clear" ?disabled=${!Object.keys(draft.pieces).length} @click=${clear}>${t('st_clear')}</button>
      ${draft.square ? html`<button class="st-unplace" @click=${() => unplace(c, draft.square)}>${t('st_to_box')}</button>` : nothing}
      <button class="primary st-send" ?disabled=${more > 0 || !c.acting} @click=${send}>${more ? t('st_send_more', { n: more }) : t('st_send')}</button>
    </div>
    ${box(c, draft, seat, left, more)}
    ${saved(c, draft, seat, more)}</div>`
}

function field(c, draft, seat) {
  const { pieces } = draft
  const holding = draft.rank || draft.square
  const at = (event) => event.target.closest?.('[data-square]')?.dataset.square
  const key = (event) => {
    if (event.key === 'Escape') put(c, pieces)
    if (['Delete', 'Backspace'].includes(event.key) && pieces[at(event)]) unplace(c, at(event))
    roam(event)
  }
  const square = (one) => html`<button role="gridcell" data-square=${one} class="st-square ${pieces[one] ? 'own movable' : 'free'} ${one === draft.square ? 'picked' : ''} ${holding && !pieces[one] ? 'target' : ''}"
    tabindex=${one === draft.focus ? 0 : -1} aria-selected=${one === draft.square ? 'true' : 'false'}
    aria-label=${[one, pieces[one] ? `${t(`seat_${seat}`)} ${nameOf(pieces[one])}` : t('st_empty'), one === draft.square && t('st_picked'), holding && !pieces[one] && t('st_place_here')].filter(Boolean).join(', ')}>
    ${pieces[one] ? token(seat, pieces[one]) : nothing}</button>`
  const rows = rowsOf(seat)
  return html`<div class="st-frame half ${seat}">
    <div class="st-rows" aria-hidden="true">${rows.map((row) => html`<span>${row[0].slice(1)}</span>`)}</div>
    <div class="st-board" role="grid" aria-label=${t('st_setup')} @keydown=${key}
      @click=${(event) => { if (at(event)) touch(c, at(event)) }} @focusin=${(event) => { if (at(event) && at(event) !== draft.focus) { draft.focus = at(event); c.redraw() } }}>
      ${GROUND}${rows.map((row) => html`<div class="st-row" role="row">${row.map(square)}</div>`)}</div>
    <div class="st-files" aria-hidden="true">${rows[0].map((one) => html`<span>${one[0]}</span>`)}</div></div>`
}

const CHECKS = Array.from({ length: 20 }, (_, i) => {
  const y = Math.floor(i / 5)
  return `M${(i % 5) * 20 + (y % 2 ? 0 : 10)} ${y * 10}h10v10h-10z`
}).join('')
const GROUND = html`<svg class="st-ground" viewBox="0 0 100 40" aria-hidden="true"><rect class="base" width="100" height="40"></rect><path class="checks" d=${CHECKS}></path>
  <path class="hills" d="M-2 22C10 14 20 24 33 17S55 6 68 13S90 22 102 12M-2 27C11 19 22 29 35 22S57 11 70 18S91 27 102 18"></path>
  <path class="lines" d="M10 0V40M20 0V40M30 0V40M40 0V40M50 0V40M60 0V40M70 0V40M80 0V40M90 0V40M0 10H100M0 20H100M0 30H100"></path></svg>`

function box(c, draft, seat, left, more) {
  return html`<section class="st-box" aria-label=${t('st_box')}>
    ${more ? html`<div class="st-tray st-brief">${left.filter(([, n]) => n > 0).map(([rank, n]) => html`<button data-rank=${rank} class="st-pile ${rank === draft.rank ? 'picked' : ''}" aria-pressed=${rank === draft.rank ? 'true' : 'false'}
        aria-label=${t('st_left', { name: nameOf(rank), n })} @click=${() => put(c, draft.pieces, { rank: rank === draft.rank ? '' : rank })}>
        ${token(seat, rank)}<b aria-hidden="true">${n}</b></button>`)}</div>` : html`<p class="st-all">${t('st_box_empty')}</p>`}
    <p><small>${t('st_setup_help')}</small></p></section>`
}

function saved(c, draft, seat, more) {
  const { variant } = c.view
  const all = savedOf(variant)
  const keep = (event) => {
    event.preventDefault()
    if (!draft.name.trim()) return
    remember(`setups/${variant}`, { ...savedOf(variant), [draft.name.trim()]: toSlots(seat, draft.pieces) })
    draft.name = ''
    c.redraw()
  }
  const drop = (name) => {
    const { [name]: gone, ...rest } = savedOf(variant)
    remember(`setups/${variant}`, rest)
    c.redraw()
  }
  return html`<section class="panel st-saved"><h2>${t('st_saved')}</h2>
    <form class="row" @submit=${keep}><input name="setup" maxlength="30" aria-label=${t('st_save_name')} placeholder=${t('st_save_name')} .value=${draft.name} @input=${(event) => { draft.name = event.target.value; c.redraw() }}>
      <button ?disabled=${more > 0 || !draft.name.trim()}>${t('st_save')}</button></form>
    <ul>${Object.entries(all).map(([name, slots]) => html`<li><button class="st-load" @click=${() => put(c, fromSlots(seat, slots))}>${name}</button><button class="plain st-delete" aria-label=${t('st_delete', { name })} title=${t('st_delete', { name })} @click=${() => drop(name)}>✕</button></li>`)}</ul></section>`
}
