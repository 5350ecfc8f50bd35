/** Placeholder until the tool is there. */
import { html } from './lib/lit-html.js'

export class Combat {
  constructor(referee, redraw) { this.referee = referee; this.redraw = redraw }
  draw() { return html`<main class="page"></main>` }
}
