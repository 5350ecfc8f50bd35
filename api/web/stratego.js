import { html } from './lib/lit-html.js'

/** @type {import('./table.js').Play} */
export const stratego = {
  id: 'stratego',
  seats: ['red', 'blue'],
  board: (c) => html`<pre>${JSON.stringify(c.view.board, null, 1)}</pre>`,
  tell: () => null,
  replay: () => [],
}
