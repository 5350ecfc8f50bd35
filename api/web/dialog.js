/** Two small windows: one that says something, one that asks. Built on <dialog>. */
import { html, nothing, render } from './lib/lit-html.js'
import { t } from './words.js'

function show(content) {
  const dialog = document.createElement('dialog')
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close() })
  render(content(dialog), dialog)
  dialog.showModal()
  return dialog
}

/** @param {{title: string, text: string, more?: any}} what */
export function say({ title, text, more = nothing }) {
  document.querySelectorAll('dialog.says').forEach((old) => old.close())
  const dialog = show((self) => html`<h2>${title}</h2><p>${text}</p>${more}
    <div class="row"><button class="primary" autofocus @click=${() => self.close()}>${t('close')}</button></div>`)
  dialog.classList.add('says')
}

/** @param {string} question @returns {Promise<boolean>} */
export function ask(question) {
  return new Promise((resolve) => {
    let yes = false
    const dialog = show((self) => html`<p>${question}</p><div class="row">
      <button class="primary" @click=${() => { yes = true; self.close() }}>${t('yes')}</button>
      <button autofocus @click=${() => self.close()}>${t('no')}</button></div>`)
    dialog.addEventListener('close', () => resolve(yes))
  })
}
