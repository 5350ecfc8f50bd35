/** What a page of Stratego knows of the pieces: whose face is which, as far as this seat was shown it,
 * and what has fallen. The board and the table with a phone each both go by it. */
import { html } from './lib/lit-html.js'
import { revealed } from './refereed.js'
import { t } from './words.js'

/** @typedef {import('./table.js').Context} Context */
/** @typedef {{faces: Map<string, string>, facesAt: number, asked: boolean}} Known  faces by component: "blue/a7" */

export const SIDES = ['red', 'blue']
export const rival = (seat) => (seat === 'red' ? 'blue' : 'red')
export const titled = (text) => text[0].toUpperCase() + text.slice(1)

/** @returns {Known} */
export const nothingKnown = () => ({ faces: new Map(), facesAt: 0, asked: false })

/** Faces as far as this seat has been shown them; its own; after the end all.
 * @param {Context} c @param {Known} known */
export function learn(c, known) {
  const { game, view, keep } = c
  for (const event of game.events.at(-1)?.seq === known.facesAt ? [] : game.events) {
    if (event.seq <= known.facesAt) continue
    known.facesAt = event.seq
    for (const { component, face } of event.openings ?? []) known.faces.set(component, String(face))
    if (event.type === 'ended') for (const seat of SIDES) {
      if (!event.secrets?.[seat]) continue
      const shown = revealed(event.secrets[seat], /** @type {any} */ (seat), game.witness.commitments)
      for (const [square, face] of Object.entries(shown)) if (face) known.faces.set(`${seat}/${square}`, face)
    }
  }
  if (known.asked || !view.you || (!view.board && (view.status !== 'setup' || view.to_act.includes(view.you)))) return
  known.asked = true
  const own = (pieces) => { for (const [square, face] of Object.entries(pieces ?? {})) known.faces.set(`${view.you}/${square}`, face) }
  if (keep) own(Object.fromEntries(keep.toJSON().pieces.map(({ square, face }) => [square, face])))
  else if (view.custody === 'referee') game.get('/setup').then((sent) => { own(sent.pieces); c.redraw() }, () => { known.asked = false })
}

/** Counts by seat, whether the view tells them as own and enemy or as red and blue.
 * @param {Context} c @returns {Object<string, {count: number, known: Object<string, number>}>} */
export function lostOf({ view, you }) {
  const { lost } = view.board
  if (lost.red) return lost
  const own = { count: Object.values(lost.own).reduce((sum, n) => sum + n, 0), known: lost.own }
  return { [/** @type {string} */ (you)]: own, [rival(you)]: lost.enemy }
}

/** One mark a piece of the rank, those that have fallen hollow. */
export function pips(seat, all, n, text) {
  return html`<td class="st-pips ${seat}"><span class="st-said">${t(text, { n, all })}</span>${Array.from({ length: all }, (_, i) => html`<i class=${i < all - n ? '' : 'gone'} aria-hidden="true"></i>`)}</td>`
}
