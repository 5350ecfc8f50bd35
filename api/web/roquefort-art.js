/**
 * What the castle is drawn with: cheeses, mice, towers and roofs, each in a box of 100 by 100. The
 * colours of things are fixed, as those of a real box are; only the ground follows light and dark.
 */
import { nothing, svg } from './lib/lit-html.js'

/** Each cheese differs from the others by its shape, by its colour, and by the plate it lies on. */
const cheeses = {
  emmental: svg`<path d="M12 64 66 30Q90 38 90 60L12 70Z" fill="#ffe789"></path>
    <path d="M12 66 90 58V84H12Z" fill="#f7c832"></path>
    <g fill="#b9851a"><ellipse cx="30" cy="77" rx="6" ry="5"></ellipse><ellipse cx="54" cy="71" rx="9" ry="7"></ellipse><ellipse cx="76" cy="76" rx="6" ry="7"></ellipse><ellipse cx="64" cy="48" rx="8" ry="4"></ellipse><ellipse cx="40" cy="59" rx="5" ry="2.5"></ellipse></g>
    <path d="M12 66 66 30Q90 38 90 60V84H12Z" class="rq-edge"></path>`,
  gouda: svg`<path d="M12 50V68A38 20 0 0 0 88 68V50Z" fill="#c46a12"></path>
    <ellipse cx="50" cy="50" rx="38" ry="20" fill="#f0a02c"></ellipse>
    <path d="M50 50 86 56A38 20 0 0 1 62 69Z" fill="#7a3d08"></path><path d="M50 50 62 69V87L50 66Z" fill="#ffe3a0"></path>
    <ellipse cx="45" cy="47" rx="17" ry="8" fill="none" stroke="#c46a12" stroke-width="3"></ellipse>
    <path d="M12 50V68A38 20 0 0 0 88 68V50A38 20 0 0 0 12 50Z" class="rq-edge"></path>`,
  edam: svg`<circle cx="50" cy="58" r="30" fill="#cf2a2a"></circle>
    <path d="M50 58 56 28.6A30 30 0 0 1 79.5 53Z" fill="#ffd968" stroke="#8d1414" stroke-width="3" stroke-linejoin="round"></path>
    <path d="M28 52A24 24 0 0 1 42 36" fill="none" stroke="#ffb3a6" stroke-width="5" stroke-linecap="round"></path>
    <circle cx="50" cy="58" r="30" class="rq-edge"></circle>`,
  roquefort: svg`<path d="M20 86V54Q20 28 52 28T84 54V86Z" fill="#f6f1e2"></path>
    <g fill="#2f6f93"><path d="M32 50q8-8 12 0t-6 9-6-9zM56 42q10-4 12 4t-8 7-4-11zM60 66q8-6 13 2t-4 9-9-11zM38 70q6-4 10 2t-5 8-5-10z"></path><circle cx="52" cy="60" r="3"></circle><circle cx="29" cy="66" r="3"></circle><circle cx="72" cy="56" r="2.5"></circle><circle cx="54" cy="80" r="2.5"></circle></g>
    <path d="M44 52q8 6 14 0M46 70q8-10 14-2" fill="none" stroke="#5f95b3" stroke-width="2.5"></path>
    <path d="M20 86V54Q20 28 52 28T84 54V86Z" class="rq-edge"></path>`,
  camembert: svg`<path d="M50 60 78 74A32 32 0 1 1 80 50Z" fill="#fffdf6"></path>
    <path d="M50 60 78 74 82 82 50 67Z" fill="#f4d67c"></path><path d="M50 60 80 50 83 56 50 67Z" fill="#f9e5a4"></path>
    <path d="M25 54q3-15 18-18M28 74q7 10 18 12M32 62q1-9 8-13" fill="none" stroke="#cfc6ad" stroke-width="4" stroke-linecap="round"></path>
    <path d="M50 60 78 74A32 32 0 1 1 80 50Z" class="rq-edge"></path>`,
  cheddar: svg`<path d="M12 54 28 36H92L78 54Z" fill="#ffab4a"></path><path d="M78 54 92 36V68L78 86Z" fill="#b94a08"></path>
    <path d="M12 54H78V86H12Z" fill="#ee7a18"></path>
    <path d="M20 64l12 4 8-5M50 76l10-4 9 5M30 78l7 2" fill="none" stroke="#b94a08" stroke-width="3" stroke-linecap="round"></path>
    <path d="M12 54 28 36H92V68L78 86H12Z" class="rq-edge"></path>`,
  brie: svg`<path d="M58 20 88 76Q60 94 26 82Z" fill="#fff3c9"></path>
    <path d="M88 76Q60 94 26 82L28 74Q58 85 84 69Z" fill="#fffefa"></path>
    <path d="M52 46q4 12-1 20M62 44q8 12 10 18M42 64q-3 6-2 9" fill="none" stroke="#e3c67b" stroke-width="3.5" stroke-linecap="round"></path>
    <path d="M58 20 88 76Q60 94 26 82Z" class="rq-edge"></path>`,
}

export const CHEESES = Object.keys(cheeses)
export const FACES = [...CHEESES, 'blank', 'trapdoor']

const planks = svg`<path d="M6 29H94M6 52H94M6 75H94M38 6V29M68 29V52M26 52V75M60 75V94" class="rq-planks"></path>`

/** A hole, its lid thrown back. */
const hatch = svg`<path d="M24 42H76L80 90H20Z" fill="#0b0807"></path><path d="M24 42H76L75 52H25Z" fill="#3a2b1e"></path><path d="M24 42 20 90 28 82 30 52Z" fill="#241a12"></path><path d="M76 42 80 90 72 82 70 52Z" fill="#1a120c"></path>
  <path d="M24 42H76L86 12H14Z" fill="#dbb271"></path><path d="M41 42 37 12M59 42 63 12" class="rq-planks"></path><path d="M19 28H81" stroke="#6b4820" stroke-width="5"></path>
  <circle cx="50" cy="19" r="5" fill="none" stroke="#2c1b0c" stroke-width="3"></circle>
  <path d="M24 42H76L86 12H14ZM24 42 20 90H80L76 42" class="rq-edge"></path>`

/** A floor tile. `mark`: two letters, so that nobody needs to know cheeses by sight.
 * @param {string | null} face @param {string} [mark] */
export function tile(face, mark = '') {
  const inner = !face ? svg`<text x="50" y="68" class="rq-unknown">?</text>` : face === 'blank' ? planks : face === 'trapdoor' ? hatch : cheeses[face]
  return svg`<g class="rq-tile rq-${face ?? 'null'}"><rect x="4" y="4" width="92" height="92" rx="7" class="rq-plate"></rect>${inner}
    ${mark ? svg`<rect x="7" y="7" width="40" height="27" rx="8" class="rq-label"></rect><text x="27" y="28" class="rq-mark">${mark}</text>` : nothing}</g>`
}

/** A mouse from above, nose to the north; its seat's initial is on its back.
 * @param {string} seat @param {string} initial */
export const mouse = (seat, initial) => svg`<g class="rq-mouse rq-of-${seat}">
  <ellipse cx="52" cy="78" rx="28" ry="20" class="rq-shade"></ellipse>
  <path d="M52 88C58 104 86 98 80 80" class="rq-tail"></path>
  <circle cx="29" cy="41" r="14" class="rq-fur"></circle><circle cx="71" cy="41" r="14" class="rq-fur"></circle>
  <circle cx="29" cy="41" r="7" class="rq-ear"></circle><circle cx="71" cy="41" r="7" class="rq-ear"></circle>
  <path d="M50 14C63 22 78 44 78 66C78 84 66 92 50 92S22 84 22 66C22 44 37 22 50 14Z" class="rq-fur"></path>
  <path d="M30 27 42 25M29 20 43 22M70 27 58 25M71 20 57 22" class="rq-whisker"></path>
  <circle cx="42" cy="35" r="4" class="rq-eye"></circle><circle cx="58" cy="35" r="4" class="rq-eye"></circle><circle cx="50" cy="16" r="4.5" class="rq-nose"></circle>
  <circle cx="50" cy="66" r="19" class="rq-badge"></circle><text x="50" y="76.5" class="rq-initial">${initial}</text></g>`

/** A corner tower from above: battlements around a floor of stone. */
export const tower = () => {
  const merlons = Array.from({ length: 12 }, (_, i) => svg`<rect x="42" y="1" width="16" height="15" rx="2" transform="rotate(${i * 30} 50 50)" class="rq-merlon"></rect>`)
  return svg`<circle cx="50" cy="52" r="50" class="rq-shade"></circle>${merlons}<circle cx="50" cy="50" r="42" class="rq-keep"></circle>
    <circle cx="50" cy="50" r="34" class="rq-loft"></circle><path d="M50 16V84M16 50H84M26 26 74 74M74 26 26 74" class="rq-boards"></path>`
}

/** Patterns that fill: shingles along each slope, and slabs. */
export const defs = () => svg`<defs>
  <pattern id="rq-shingle-y" width="16" height="14" patternUnits="userSpaceOnUse"><path d="M0 0Q4 8 8 0Q12 8 16 0M-8 7Q-4 15 0 7Q4 15 8 7Q12 15 16 7Q20 15 24 7" class="rq-shingle"></path></pattern>
  <pattern id="rq-shingle-x" width="16" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(90)"><path d="M0 0Q4 8 8 0Q12 8 16 0M-8 7Q-4 15 0 7Q4 15 8 7Q12 15 16 7Q20 15 24 7" class="rq-shingle"></path></pattern>
  <pattern id="rq-lawn" width="137" height="83" patternUnits="userSpaceOnUse"><path d="M8 12q1-6 4-8M12 13q2-5 6-5M5 13q-1-5-4-6M71 51q1-6 4-8M75 52q2-5 6-5M68 52q-1-5-4-6M113 24q1-6 4-8M117 25q2-5 6-5M38 74q1-6 4-8M35 75q-1-5-4-6" class="rq-grass"></path></pattern>
</defs>`

/**
 * The roof of a room seen from above, as a hipped roof over any union of squares: each quarter of a
 * square belongs to one slope, or is cut in two by a hip or a valley.
 * @param {[number, number][]} cells columns and rows, rows counted from above
 */
export function roofOf(cells) {
  const has = (x, y) => cells.some(([a, b]) => a === x && b === y)
  const slopes = { n: '', e: '', s: '', w: '' }
  let edge = ''
  let ridge = ''
  let valley = ''
  for (const [x, y] of cells) {
    const [cx, cy] = [x * 100 + 50, y * 100 + 50]
    for (const [dx, dy] of [[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
      const [across, along] = [has(x + dx, y), has(x, y + dy)]
      const [px, py] = [cx + 50 * dx, cy + 50 * dy]
      const side = dx > 0 ? 'e' : 'w'
      const end = dy > 0 ? 's' : 'n'
      const beside = `M${cx} ${cy}H${px}V${py}Z` // the half of the quarter that touches the side
      const below = `M${cx} ${cy}V${py}H${px}Z`
      if (!across && !along) { slopes[side] += beside; slopes[end] += below; ridge += `M${cx} ${cy}L${px} ${py}` }
      else if (!across) slopes[side] += beside + below
      else if (!along) slopes[end] += beside + below
      else if (has(x + dx, y + dy)) slopes.n += beside + below
      else { slopes[side] += below; slopes[end] += beside; valley += `M${cx} ${cy}L${px} ${py}` }
    }
    for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
      if (has(x + dx, y + dy)) { if (dx + dy > 0) ridge += `M${cx} ${cy}l${100 * dx} ${100 * dy}` }
      else edge += `M${cx + 50 * (dx - dy)} ${cy + 50 * (dy - dx)}L${cx + 50 * (dx + dy)} ${cy + 50 * (dy + dx)}`
    }
  }
  return { slopes, edge, ridge, valley, whole: cells.map(([x, y]) => `M${x * 100} ${y * 100}h100v100h-100Z`).join('') }
}
