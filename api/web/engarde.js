import { html } from './lib/lit-html.js'

/** @type {import('./table.js').Play} */
export const engarde = {
  id: 'engarde',
  seats: ['left', 'right'],
  board: (c) => html`<pre>${JSON.stringify(c.view.board, null, 1)}</pre>`,
  tell: () => null,
  replay: () => [],
}
