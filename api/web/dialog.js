/** Two small windows: one that says something, one that asks. Built on <dialog>. */
import { html, nothing, render } from './lib/lit-html.js'
import { t } from './words.js'

/** The focus goes back to where it was when it is closed: <dialog> sees to that. */
function show(name, content) {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', name)
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect() // its padding is not outside
    const outside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
    if (event.target === dialog && outside) dialog.close()
  })
  render(content(dialog), dialog)
  dialog.showModal()
  return dialog
}

/** @param {{title: string, text: string, more?: any}} what */
export function say({ title, text, more = nothing }) {
  document.querySelectorAll('dialog.says').forEach((old) => old.close())
  const dialog = show(title, (self) => html`<h2>${title}</h2><p>${text}</p>${more}
    <div class="row"><button class="primary" autofocus @click=${() => self.close()}>${t('close')}</button></div>`)
  dialog.classList.add('says')
}

/** @param {string} question @returns {Promise<boolean>} */
export function ask(question) {
  return new Promise((resolve) => {
    let yes = false
    const dialog = show(question, (self) => html`<p>${question}</p><div class="row">
      <button class="primary" @click=${() => { yes = true; self.close() }}>${t('yes')}</button>
      <button autofocus @click=${() => self.close()}>${t('no')}</button></div>`)
    dialog.addEventListener('close', () => resolve(yes))
  })
}
