/** Drawings for the piste: fencers, cards and dice. SVG alone; colours come from engarde.css. */
import { html, nothing, svg } from './lib/lit-html.js'

/**
 * Where the joints of a fencer are who looks to the right, in a box of 140 by 160, feet on 152.
 * @typedef {{head: number[], neck: number[], hip: number[], knees: number[][], feet: number[][],
 *     arm: number[][], back: number[][], tip: number[]}} Pose
 */
/** @type {Object<string, Pose>} */
const POSES = {
  guard: {
    head: [60, 33], neck: [58, 50], hip: [53, 92], knees: [[84, 112], [27, 116]], feet: [[86, 151], [13, 151]],
    arm: [[80, 74], [102, 64]], back: [[34, 52], [27, 27]], tip: [170, 54],
  },
  lunge: {
    head: [84, 48], neck: [79, 63], hip: [62, 103], knees: [[108, 112], [32, 126]], feet: [[112, 151], [0, 151]],
    arm: [[103, 66], [126, 60]], back: [[57, 80], [30, 94]], tip: [194, 62],
  },
  parry: {
    head: [52, 35], neck: [51, 52], hip: [49, 94], knees: [[78, 113], [22, 116]], feet: [[84, 151], [8, 151]],
    arm: [[76, 80], [99, 84]], back: [[27, 55], [20, 30]], tip: [140, 22],
  },
  hit: {
    head: [38, 42], neck: [42, 57], hip: [52, 96], knees: [[84, 116], [30, 120]], feet: [[92, 151], [14, 151]],
    arm: [[62, 84], [88, 98]], back: [[22, 72], [4, 56]], tip: [134, 146],
  },
  salute: {
    head: [58, 27], neck: [57, 44], hip: [56, 92], knees: [[66, 120], [48, 120]], feet: [[66, 151], [42, 151]],
    arm: [[78, 68], [74, 42]], back: [[40, 66], [32, 88]], tip: [80, -26],
  },
}

const line = (points) => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}`

/** The limbs, once as an outline beneath and once in their colours. @param {Pose} p */
const limbs = (p, kind) => svg`<g class=${kind}>
  <path class="sleeve" d=${line([p.neck, ...p.back])}></path><circle class="glove" cx=${p.back[1][0]} cy=${p.back[1][1]} r="5"></circle>
  ${[1, 0].map((i) => svg`<path class="breeches" d=${line([p.hip, p.knees[i]])}></path><path class="sock" d=${line([p.knees[i], p.feet[i]])}></path>
    <path class="shoe" d=${line([p.feet[i], [p.feet[i][0] + (i ? 9 : 15), p.feet[i][1]]])}></path>`)}
  <path class="jacket" d=${line([[p.neck[0], p.neck[1] + 8], p.hip])}></path>
  <path class="sleeve front" d=${line([[p.neck[0] + 2, p.neck[1] + 6], ...p.arm])}></path>
</g>`

/** @param {string} pose @param {'left' | 'right'} seat */
export function fencer(pose, seat) {
  const p = POSES[pose] ?? POSES.guard
  const [x, y] = p.arm[1]
  const [hx, hy] = p.head
  const angle = Math.atan2(p.tip[1] - y, p.tip[0] - x) * 180 / Math.PI
  return html`<svg class="eg-fencer ${seat} ${pose}" viewBox="0 0 140 160" aria-hidden="true">
    <ellipse class="ground" cx="52" cy="155" rx="62" ry="4"></ellipse>
    ${limbs(p, 'outline')}${limbs(p, 'filled')}
    <path class="collar" d=${line([[p.neck[0] - 4, p.neck[1] + 3], [p.neck[0] + 7, p.neck[1] + 4]])}></path>
    <g class="mask" transform="translate(${hx} ${hy})"><path class="hood" d="M-14 -2A14 15 0 0 1 13 -6L14 8Q8 17 -2 15Q-13 12 -14 -2Z"></path>
      <path class="mesh" d="M0 -14A14 15 0 0 1 14 -5L14.500 7Q10 14 3 13Z"></path><path class="wire" d="M3 -8L14 -4M3 -2L14.500 1M4 4L14 6M8 -12L9 12"></path></g>
    <g transform="translate(${x} ${y}) rotate(${angle})"><path class="blade" d="M-8 0H${Math.hypot(p.tip[0] - x, p.tip[1] - y)}"></path>
      <path class="guard" d="M7 -8Q13 0 7 8Z"></path><circle class="glove front" r="6"></circle></g>
  </svg>`
}

// ---- cards ----

/** Where the lozenges of a card stand, by its value, in a box of 100 by 140. */
const PIPS = {
  1: [[50, 70]], 2: [[50, 44], [50, 96]], 3: [[50, 36], [50, 70], [50, 104]],
  4: [[34, 52], [66, 52], [34, 88], [66, 88]], 5: [[32, 50], [68, 50], [50, 70], [32, 90], [68, 90]],
}

/** The face of a card. @param {number} value */
export const face = (value) => html`<svg class="eg-face v${value}" viewBox="0 0 100 140" aria-hidden="true">
  <rect class="paper" x="1" y="1" width="98" height="138" rx="10"></rect><rect class="rim" x="6.500" y="6.500" width="87" height="127" rx="6"></rect>
  ${PIPS[value].map(([x, y]) => svg`<path class="pip" d="M${x} ${y - 15}Q${x + 3} ${y - 4} ${x + 13} ${y}Q${x + 3} ${y + 4} ${x} ${y + 15}Q${x - 3} ${y + 4} ${x - 13} ${y}Q${x - 3} ${y - 4} ${x} ${y - 15}Z"></path>`)}
  <text class="value" x="19" y="31">${value}</text><text class="value" x="-81" y="-109" transform="rotate(180)">${value}</text>
</svg>`

/** A small one with nothing but its value. @param {number} value */
export const small = (value) => html`<svg class="eg-face small v${value}" viewBox="0 0 100 140" aria-hidden="true">
  <rect class="paper" x="3" y="3" width="94" height="134" rx="14"></rect><text class="value" x="50" y="98">${value}</text></svg>`

export const back = () => html`<svg class="eg-back" viewBox="0 0 100 140" aria-hidden="true">
  <rect class="paper" x="1" y="1" width="98" height="138" rx="10"></rect><rect class="rim" x="8" y="8" width="84" height="124" rx="5"></rect>
  <path class="lattice" d="M8 40L40 8M8 75L75 8M8 110L92 26M20 132L92 60M55 132L92 95M92 40L60 8M92 75L25 8M92 110L8 26M80 132L8 60M45 132L8 95"></path>
  <circle class="boss" cx="50" cy="70" r="19"></circle><path class="foils" d="M38 83L62 57M62 83L38 57M38 76L45 83M62 76L55 83"></path>
</svg>`

// ---- dice ----

const DOTS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] }

const die = (n) => html`<svg viewBox="0 0 60 60" aria-hidden="true"><rect x="2" y="2" width="56" height="56" rx="13"></rect>
  ${DOTS[n].map((at) => svg`<circle cx=${15 + at % 3 * 15} cy=${15 + Math.floor(at / 3) * 15} r="5.500"></circle>`)}</svg>`

/** More than six needs a second die: house rules go up to nine hits. @param {number} n */
export const dice = (n) => html`<span class="eg-dice">${die(Math.min(n, 6))}${n > 6 ? die(Math.min(n - 6, 6)) : nothing}</span>`

/** What stands behind: a hall with tall windows. */
export const hall = () => html`<svg class="eg-hall" viewBox="0 0 900 260" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
  ${[70, 240, 410, 580, 750].map((x) => svg`<path class="window" d="M${x} 210V80A40 46 0 0 1 ${x + 80} 80V210Z"></path>
    <path class="bars" d="M${x + 40} 34V210M${x} 84H${x + 80}M${x} 126H${x + 80}M${x} 168H${x + 80}"></path>`)}
  <path class="dado" d="M0 218H900V260H0Z"></path><path class="bars" d="M0 218H900"></path>
</svg>`
