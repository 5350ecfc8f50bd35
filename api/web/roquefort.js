import { html } from './lib/lit-html.js'

/** @type {import('./table.js').Play} */
export const roquefort = {
  id: 'roquefort',
  seats: ['yellow', 'red', 'blue', 'green'],
  board: (c) => html`<pre>${JSON.stringify(c.view.board, null, 1)}</pre>`,
  tell: () => null,
  replay: () => [],
}
