/** What the figures of the rules are drawn from. Colours come from rules.css by class: the page's
 * policy forbids style attributes, and light and dark differ. */
import { html, nothing, svg } from './lib/lit-html.js'
import { language } from './words.js'

/** One of two texts, by the language. @param {string} en @param {string} cs */
export const say = (en, cs) => language() === 'cs' ? cs : en

/** Links to rulings of this page: ref('EG-5', 'EG-6'). @param {...string} ids */
export const ref = (...ids) => html`<span class="refs">${ids.map((id) => html`<a class="ref" href="#${id}">${id}</a>`)}</span>`

/**
 * A figure with its caption. `alt` says what is to be seen to who cannot see it.
 * @param {number} width @param {number} height @param {string} alt @param {any} content @param {any} caption
 * @param {string} [size] "small": no wider than a column, "wide": all of the page
 */
export const figure = (width, height, alt, content, caption, size = '') => html`<figure class=${size}>
  <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${alt}>${content}</svg>
  ${caption ? html`<figcaption>${caption}</figcaption>` : nothing}</figure>`

/** @param {number} x @param {number} y @param {any} text @param {string} [kind] classes */
export const text = (x, y, text, kind = '') => svg`<text x=${x} y=${y} class=${kind}>${text}</text>`

/** A square, its corner at x, y. */
export const square = (x, y, size, kind = '') => svg`<rect x=${x} y=${y} width=${size} height=${size} class="sq ${kind}"></rect>`

export const box = (x, y, width, height, kind = '', round = 4) => svg`<rect x=${x} y=${y} width=${width} height=${height} rx=${round} class=${kind}></rect>`

const head = (x, y, angle, size) => {
  const at = (turn) => `${(x - size * Math.cos(angle + turn)).toFixed(1)} ${(y - size * Math.sin(angle + turn)).toFixed(1)}`
  return `M${at(0.45)}L${x} ${y}L${at(-0.45)}`
}

/** A straight arrow. kind: "yes", "no" (crossed out) or a seat. */
export function arrow(x1, y1, x2, y2, kind = 'yes', size = 9) {
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return svg`<g class="arrow ${kind}"><path d="M${x1} ${y1}L${x2} ${y2}"></path><path d=${head(x2, y2, Math.atan2(y2 - y1, x2 - x1), size)}></path>
    ${kind === 'no' ? svg`<path d="M${x - 6} ${y - 6}L${x + 6} ${y + 6}M${x - 6} ${y + 6}L${x + 6} ${y - 6}"></path>` : nothing}</g>`
}

/** An arrow in a bow above (height > 0) or below the line. */
export function bow(x1, x2, y, height, kind = 'yes') {
  const [cx, cy] = [(x1 + x2) / 2, y - 2 * height]
  return svg`<g class="arrow ${kind}"><path d="M${x1} ${y}Q${cx} ${cy} ${x2} ${y}"></path><path d=${head(x2, y, Math.atan2(y - cy, x2 - cx), 9)}></path></g>`
}

/** A tick or a cross, to say whether something is allowed. */
export const mark = (x, y, good) => good
  ? svg`<path class="tick" d="M${x - 7} ${y}l5 6l9 -12"></path>`
  : svg`<path class="cross" d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12"></path>`
