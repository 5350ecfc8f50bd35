/** Stratego's pieces: their names, their emblems, and the token that stands on a square. The board,
 * the set-up and the combat over a real board all draw with these. */
import { html, nothing, svg } from './lib/lit-html.js'
import { COUNTS, ranksOf } from './refereed.js'
import { t, teach } from './words.js'

teach({
  en: {
    st_marshal: 'marshal', st_general: 'general', st_colonel: 'colonel', st_major: 'major', st_captain: 'captain', st_lieutenant: 'lieutenant', st_sergeant: 'sergeant',
    st_cadet: 'cadet', st_corporal: 'corporal', st_gunner: 'gunner', st_scout: 'scout', st_miner: 'miner', st_spy: 'spy', st_mine: 'mine', st_bomb: 'bomb', st_flag: 'flag',
    st_short_marshal: 'Marsh', st_short_general: 'Gen', st_short_colonel: 'Col', st_short_major: 'Major', st_short_captain: 'Capt', st_short_lieutenant: 'Lieut', st_short_sergeant: 'Serg',
    st_short_cadet: 'Cadet', st_short_corporal: 'Corp', st_short_gunner: 'Gun', st_short_scout: 'Scout', st_short_miner: 'Miner', st_short_spy: 'Spy', st_short_mine: 'Mine', st_short_bomb: 'Bomb', st_short_flag: 'Flag',
  },
  cs: {
    st_marshal: 'maršál', st_general: 'generál', st_colonel: 'plukovník', st_major: 'major', st_captain: 'kapitán', st_lieutenant: 'poručík', st_sergeant: 'seržant',
    st_cadet: 'kadet', st_corporal: 'kaprál', st_gunner: 'střelec', st_scout: 'průzkumník', st_miner: 'minér', st_spy: 'špión', st_mine: 'minové pole', st_bomb: 'bomba', st_flag: 'prapor',
    st_short_marshal: 'Marš', st_short_general: 'Gen', st_short_colonel: 'Pluk', st_short_major: 'Major', st_short_captain: 'Kapit', st_short_lieutenant: 'Por', st_short_sergeant: 'Serž',
    st_short_cadet: 'Kadet', st_short_corporal: 'Kapr', st_short_gunner: 'Střel', st_short_scout: 'Průz', st_short_miner: 'Minér', st_short_spy: 'Špión', st_short_mine: 'Pole', st_short_bomb: 'Bomba', st_short_flag: 'Prap',
  },
})

export const IMMOBILE = ['flag', 'mine', 'bomb']

const ORDER = ['marshal', 'general', 'colonel', 'major', 'captain', 'lieutenant', 'sergeant', 'cadet', 'corporal', 'gunner']

/** The ranks of a variant, strongest first, and what never moves last; with how many a side has.
 * @param {string} variant @returns {[string, number][]} */
export function setOf(variant) {
  const ranks = ranksOf(variant)
  // The scout outranks the miner in one family of variants, and not in the other.
  const order = [...ORDER, ...(variant === 'marsal-a-spion' ? ['scout', 'miner'] : ['miner', 'scout']), 'spy', 'mine', 'bomb', 'flag']
  return order.filter((rank) => ranks.includes(rank))
    .map((rank) => /** @type {[string, number]} */ ([rank, COUNTS[variant][ranks.indexOf(rank)]]))
    .filter(([, count]) => count)
}

export const nameOf = (rank) => t(`st_${rank}`)
const titled = (text) => text[0].toUpperCase() + text.slice(1)

// Emblems in a box of 64 by 64. `f` is filled with ivory, `l` drawn as a line, `c` cut out of what lies below.

const f = (d) => svg`<path class="f" d=${d}></path>`
const l = (d, width = 6) => svg`<path class="l" d=${d} stroke-width=${width}></path>`
const c = (d) => svg`<path class="c" d=${d}></path>`
const cl = (d, width = 3) => svg`<path class="cl" d=${d} stroke-width=${width}></path>`

function star(x, y, r) {
  const point = (i) => {
    const by = i % 2 ? r * 0.42 : r
    const angle = Math.PI * (i / 5 - 0.5)
    return `${(x + by * Math.cos(angle)).toFixed(1)} ${(y + by * Math.sin(angle)).toFixed(1)}`
  }
  return `M${Array.from({ length: 10 }, (_, i) => point(i)).join('L')}Z`
}

const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
const rays = (x, y, from, to, count) => Array.from({ length: count }, (_, i) => {
  const [cos, sin] = [Math.cos(2 * Math.PI * i / count), Math.sin(2 * Math.PI * i / count)]
  return `M${(x + from * cos).toFixed(1)} ${(y + from * sin).toFixed(1)}L${(x + to * cos).toFixed(1)} ${(y + to * sin).toFixed(1)}`
}).join('')

const SABRE = 'M53 3C56 25 45 42 25 53L20 48C37 37 46 22 53 3Z'
const HILT = 'M13 42Q18 56 31 59M20 53L11 61'
const flipped = (drawn) => svg`<g transform="matrix(-1 0 0 1 64 0)">${drawn}</g>`
const sabre = () => svg`${f(SABRE)}${l(HILT, 4.5)}`

const EMBLEMS = {
  marshal: () => svg`${l('M11 60L53 32M53 60L11 32', 8)}${cl('M18 51L23 58M46 51L41 58', 2.5)}${f('M14 27L9 5L22 15L32 1L42 15L55 5L50 27Z')}${cl('M15 22H49', 2.5)}`,
  general: () => svg`${f(star(32, 26, 20))}<path class="l leaves" d="M9 22C5 44 18 57 32 59C46 57 59 44 55 22" stroke-width="8"></path>`,
  colonel: () => svg`${f('M32 40C27 22 16 14 2 15C4 21 6 24 10 26L6 28C9 33 13 35 16 36L13 39C18 45 26 47 32 47C38 47 46 45 51 39L48 36C51 35 55 33 58 28L54 26C58 24 60 21 62 15C48 14 37 22 32 40Z')}${f('M25 45L20 60L27 56L32 62L37 56L44 60L39 45Z')}${f('M26 24A8 8 0 0 1 40 18L46 23L39 25V36H27Z')}`,
  major: () => svg`${f('M17 4H47A7 7 0 0 1 54 11V38H10V11A7 7 0 0 1 17 4Z')}${l('M13 44V57M20.600 44V59M28.200 44V60M35.800 44V60M43.400 44V59M51 44V57', 4.6)}${c(star(32, 21, 13))}`,
  captain: () => svg`${sabre()}${flipped(sabre())}`,
  lieutenant: () => svg`${sabre()}${f(star(18, 18, 13))}`,
  sergeant: () => l('M8 25L32 9L56 25M8 41L32 25L56 41M8 57L32 41L56 57', 7.5),
  corporal: () => l('M8 34L32 17L56 34M8 52L32 35L56 52', 8),
  cadet: () => svg`${f('M15 44L11 16C24 11 40 11 53 16L49 44C38 40 26 40 15 44Z')}${f('M7 54C15 44 49 44 57 54C45 61 19 61 7 54Z')}${l('M32 13V3', 5)}${c(star(32, 28, 10))}`,
  gunner: () => svg`${f('M6 31C4 26 8 22 12 22L57 8L62 20L22 42C14 44 8 40 6 31Z')}${l(ring(27, 45, 14), 5)}${cl(ring(27, 45, 9.500), 3)}${l(rays(27, 45, 2, 13, 6), 3.500)}${l('M40 57H60', 5)}`,
  scout: () => svg`${f('M2 41L14 34L20 44L8 51Z')}${f('M16 31L34 20L41 32L23 43Z')}${f('M36 16L54 5Q64 12 63 22L45 33Z')}${l('M34 41L25 62M36 40L47 62', 4)}`,
  miner: () => svg`${l('M12 60L45 22', 5.5)}${f('M24 10C38 3 59 16 60 38C54 27 44 20 24 10Z')}${l('M52 60L24 27', 5.5)}${f('M5 6C14 4 24 10 27 19L31 27L22 33L15 27C7 23 4 14 5 6Z')}`,
  spy: () => svg`${f('M17 25C16 9 24 3 32 8C40 3 48 9 47 25Z')}${f('M3 29C14 22 50 22 61 29C50 35 14 35 3 29Z')}${f('M8 40H56C57 52 40 55 34 46H30C24 55 7 52 8 40Z')}${c('M15 44H26C24 49 17 49 15 44Z')}${c('M38 44H49C47 49 40 49 38 44Z')}${l('M12 62L27 56L32 62L37 56L52 62', 4)}`,
  mine: () => svg`${l(rays(32, 32, 16, 23, 8), 5)}${l(rays(32, 32, 26, 26.100, 8), 9)}${f(ring(32, 32, 18))}${cl('M22 31A11 11 0 0 1 33 21', 4)}`,
  bomb: () => svg`${f(ring(27, 41, 20))}${f('M33 23L42 14L51 23L42 32Z')}${l('M46 18Q52 8 58 15', 4)}${l(rays(58, 9, 3, 7, 5), 2.500)}${cl('M15 41A12 12 0 0 1 27 29', 4)}`,
  flag: () => svg`${l('M14 4V61', 6)}${f('M18 6C29 -1 37 15 58 6V36C37 45 29 29 18 36Z')}${l('M5 61H25', 5)}`,
}

// What an enemy shows of itself: nothing. A rose of winds.
const BACK = () => svg`<path class="l" d=${ring(50, 50, 25)} stroke-width="2.500"></path><path class="f" d="M50 16L56 44L84 50L56 56L50 84L44 56L16 50L44 44Z"></path><path class="c" d=${ring(50, 50, 6)}></path>`

/** The small mark alone, for the legend. @param {'moved' | 'seen'} name */
export const mark = (name) => html`<svg class="st-mark ${name}" viewBox="0 0 16 16" aria-hidden="true">${MARKS[name]}</svg>`

/** The emblem alone, for lists. @param {string} rank */
export const emblem = (rank) => html`<svg class="st-emblem" viewBox="-2 -2 68 68" aria-hidden="true">${EMBLEMS[rank]()}</svg>`

const MARKS = {
  moved: svg`<path d="M3 8H11M8 4.500L12 8L8 11.500"></path>`,
  seen: svg`<path d="M1.500 8C4.500 3.500 11.500 3.500 14.500 8C11.500 12.500 4.500 12.500 1.500 8Z"></path><circle cx="8" cy="8" r="1.800"></circle>`,
}

/**
 * A piece: its face, or its back where the rank is null. Read by nobody: the square says what stands there.
 * @param {string} seat @param {string | null} rank
 * @param {{moved?: boolean, seen?: boolean, fallen?: boolean}} [marks]
 */
export function token(seat, rank, { moved = false, seen = false, fallen = false } = {}) {
  return html`<span class="st-token ${seat} ${rank ? 'face' : 'back'} ${fallen ? 'fallen' : ''}" aria-hidden="true">
    <svg class="st-face" viewBox="0 0 100 100">${rank ? svg`<g transform="translate(19 7)">${EMBLEMS[rank]()}</g>` : BACK()}</svg>
    ${rank ? html`<b class="st-name ${nameOf(rank).length > 7 ? 'tight' : ''}" data-name=${titled(nameOf(rank))} data-short=${t(`st_short_${rank}`)}></b>` : nothing}${moved ? mark('moved') : nothing}${seen ? mark('seen') : nothing}</span>`
}

/**
 * Ranks to choose one of: a group of radio buttons, where the arrows choose.
 * @param {{seat: string, label: string, ranks: string[], picked: string, take: (rank: string) => void,
 *     said?: (rank: string) => string, mark?: (rank: string) => any}} how said: the name read to the blind; mark: what is drawn over it
 */
export function choices({ seat, label, ranks, picked, take, said = nameOf, mark: drawn = () => nothing }) {
  const roam = (event, at) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const to = (at + step + ranks.length) % ranks.length
    take(ranks[to])
    event.currentTarget.parentElement.children[to].focus()
  }
  return html`<div class="st-choices" role="radiogroup" aria-label=${label}>${ranks.map((rank, at) => html`
    <button role="radio" class="st-choice" data-rank=${rank} aria-label=${said(rank)} aria-checked=${rank === picked ? 'true' : 'false'}
      tabindex=${rank === picked || (!picked && !at) ? 0 : -1} @keydown=${(event) => roam(event, at)} @click=${() => take(rank)}>${token(seat, rank)}${drawn(rank)}</button>`)}</div>`
}

/** Moves the focus over squares that lie in rows of ten. @param {KeyboardEvent} event
 * @returns {string} the square that has it now, '' if the key was another */
export function roam(event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10, Home: 'home', End: 'end' }
  const step = steps[event.key]
  const here = /** @type {HTMLElement} */ (event.target).closest('[data-square]')
  if (step === undefined || !here) return ''
  event.preventDefault()
  const squares = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('[data-square]')]
  const at = squares.indexOf(here)
  const row = at - at % 10
  const to = step === 'home' ? row : step === 'end' ? row + 9 : at + step
  if (!squares[to] || (Math.abs(Number(step)) === 1 && to - to % 10 !== row)) return here.dataset.square
  squares[to].focus()
  return squares[to].dataset.square
}

/**
 * A piece that follows the pointer once it has gone some way; less than that is a tap.
 * @param {PointerEvent} event pointerdown @param {Element | null} what is carried, as an image
 * @param {() => void} lift @param {(under: Element | null) => void} drop
 */
export function carry(event, what, lift, drop) {
  if (!what || event.button || !event.isPrimary) return
  const { clientX, clientY, pointerId } = event
  const { width, height } = what.getBoundingClientRect()
  const stop = new AbortController()
  /** @type {HTMLElement | null} */
  let ghost = null
  const start = () => {
    ghost = /** @type {HTMLElement} */ (what.cloneNode(true))
    ghost.classList.add('st-carried')
    ghost.style.width = `${width}px`
    ghost.style.height = `${height}px`
    document.body.append(ghost)
    lift()
  }
  const move = (now) => {
    if (now.pointerId !== pointerId) return
    if (!ghost && Math.hypot(now.clientX - clientX, now.clientY - clientY) < 8) return
    if (!ghost) start()
    ghost.style.translate = `${now.clientX - width / 2}px ${now.clientY - height * 0.6}px`
  }
  const end = (now) => {
    if (now.pointerId !== pointerId) return
    stop.abort()
    if (!ghost) return
    ghost.remove()
    // The click that follows belongs to the drag.
    const swallow = (click) => click.stopPropagation()
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    drop(now.type === 'pointerup' ? document.elementFromPoint(now.clientX, now.clientY) : null)
  }
  addEventListener('pointermove', move, { signal: stop.signal })
  addEventListener('pointerup', end, { signal: stop.signal })
  addEventListener('pointercancel', end, { signal: stop.signal })
}
