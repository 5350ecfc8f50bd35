/** The web table: which page is shown, in which language. Addresses are fragments; an invite in one
 * is taken out of the address bar at once. */
import { html, nothing, render, svg } from './lib/lit-html.js'
import { Referee, seatIndex } from './refereed.js'
import { all, forget, load, recall } from './keeper.js'
import { language, speak, t, teach } from './words.js'
import { Create, GAMES, nameOf, sit } from './create.js'
import { Table, plays } from './table.js'
import { Combat } from './combat.js'
import { ask } from './dialog.js'

teach({
  en: { yes: 'Yes', no: 'No', game_engarde: 'En garde', game_roquefort: 'Chateau Roquefort', game_stratego: 'Stratego',
    about_engarde: 'A duel with 25 cards on a strip of 23 fields', about_roquefort: 'Mice, roofs, moving floors and cheese, for two to four', about_stratego: 'Two hidden armies, one flag each',
    seat_left: 'left', seat_right: 'right', seat_yellow: 'yellow', seat_red: 'red', seat_blue: 'blue', seat_green: 'green',
    value_lot: 'by lot', value_strict: 'forgotten when covered', value_open: 'shown for ever', value_last_attacker: 'who attacked last', value_defender: 'the defender', value_level: 'allowed', value_none: 'not allowed', value_hidden: 'no', value_shown: 'yes', value_basic: 'basic', value_standard: 'standard', value_advanced: 'advanced',
    board_one: 'One phone', board_one_text: 'It lies between you and judges single combats: each picks his piece in secret, the referee says who falls. Nothing is kept.', board_each: 'A phone each', board_each_text: 'Each phone holds its own army. In a combat each picks on his own; in the end the referee proves that nobody cheated.', board_lead: 'The pieces are on the table and you move them. The referee only looks under them.',
    status_waiting: 'waiting for players', status_seeding: 'shuffling', status_setup: 'setting up', status_playing: 'in play', status_challenge: 'in play', status_audit: 'audit', status_over: 'over', status_aborted: 'called off' },
  cs: { yes: 'Ano', no: 'Ne', game_engarde: 'Do střehu', game_roquefort: 'Burg Appenzell', game_stratego: 'Maršál a špión',
    about_engarde: 'Souboj s 25 kartami na pruhu 23 polí', about_roquefort: 'Myši, střechy, posuvné podlahy a sýr, pro dva až čtyři', about_stratego: 'Dvě skrytá vojska, každé s jedním praporem',
    seat_left: 'levý', seat_right: 'pravý', seat_yellow: 'žlutý', seat_red: 'červený', seat_blue: 'modrý', seat_green: 'zelený',
    value_lot: 'losem', value_strict: 'po zakrytí zapomenout', value_open: 'ukazovat stále', value_last_attacker: 'kdo naposledy útočil', value_defender: 'obránce', value_level: 'dovolen', value_none: 'nedovolen', value_hidden: 'ne', value_shown: 'ano', value_basic: 'základní', value_standard: 'běžná', value_advanced: 'pokročilá',
    board_one: 'Jeden telefon', board_one_text: 'Leží mezi vámi a soudí jednotlivé souboje: každý tajně vybere figuru, rozhodčí řekne, kdo padl. Nic se neukládá.', board_each: 'Každý svůj telefon', board_each_text: 'Každý telefon drží své vojsko. V souboji vybírá každý na svém; na konci rozhodčí dokáže, že nikdo nepodváděl.', board_lead: 'Figury stojí na stole a táhnete jimi vy. Rozhodčí se jen dívá pod ně.',
    status_waiting: 'čeká na hráče', status_seeding: 'míchá se', status_setup: 'rozestavuje se', status_playing: 'hraje se', status_challenge: 'hraje se', status_audit: 'audit', status_over: 'skončila', status_aborted: 'zrušena' },
})

const referee = new Referee('', { language: language() })
const root = /** @type {HTMLElement} */ (document.getElementById('app'))
/** load: again what the referee says in a language
 * @type {{draw: () => any, open?: () => void, close?: () => void, load?: () => void, ruleset?: () => string | undefined}} */
let page = { draw: () => nothing }
let planned = false

function redraw() {
  if (planned) return
  planned = true
  queueMicrotask(() => { planned = false; render(shell(), root) })
}

const go = (to) => { location.hash = to }

function shell() {
  const other = language() === 'en' ? 'cs' : 'en'
  return html`<nav class="bar"><a class="brand" href="#/"><img src="/web/icon.svg" alt="" width="28" height="28"> refereed</a>
    <span class="grow"></span>
    <a href="/rules/${page.ruleset?.() ?? 'stratego'}">${t('rules')}</a>
    <button class="plain" lang=${other} @click=${() => { speak(other); referee.language = other; page.load?.(); redraw() }}>${other === 'cs' ? 'Česky' : 'English'}</button></nav>
    ${page.draw()}`
}

// ---- the pages ----

class Home {
  constructor() { this.open_ = null }
  open() {
    referee.games({ status: 'playing', limit: '20' }).then((list) => { this.open_ = list.games; redraw() }).catch(() => { this.open_ = []; redraw() })
  }
  draw() {
    const own = all().filter((record) => record.seat || record.host)
    const drop = async (record) => { if (record.over || await ask(t('forget_sure'))) { forget(record.id, record.seat); redraw() } }
    return html`<main class="page home">
      <header class="hero"><h1>${t('tagline')}</h1><p>${t('lead')}</p><p class="row"><a class="button primary big" href="#/new">${t('new_game')}</a>
        <a class="button" href="#/board">${t('board_here')}</a></p></header>
      <section><h2>${t('your_games')}</h2>${own.length ? html`<ul class="games">${own.map((record) => html`<li class="panel ${record.ruleset ?? ''}">
          <span class="emblem ${record.ruleset ?? ''}" aria-hidden="true"></span>
          <a href="#/game/${record.id}/${record.seat}"><b>${record.ruleset ? t(`game_${record.ruleset}`) : t('play')}</b> <small>${t(`seat_${record.seat}`)} · ${new Date(record.at).toLocaleDateString(language())}${record.over ? ` · ${t('status_over')}` : ''}</small></a>
          <button class="plain" aria-label=${t('forget')} title=${t('forget')} @click=${() => drop(record)}>✕</button></li>`)}</ul>` : html`<p>${t('no_games')}</p>`}</section>
      <section><h2>${t('open_games')}</h2>${this.open_?.length ? html`<ul class="games">${this.open_.map((game) => html`<li class="panel ${game.ruleset}">
          <span class="emblem ${game.ruleset}" aria-hidden="true"></span>
          <a href="#/game/${game.id}"><b>${t(`game_${game.ruleset}`)}</b> <small>${Object.entries(game.seats ?? {}).map(([seat, { name }]) => name ?? t(`seat_${seat}`)).join(' – ')}</small></a></li>`)}</ul>` : html`<p>${t('none_open')}</p>`}</section>
      <section><h2>${t('rules')}</h2><div class="pick">${GAMES.map((id) => html`<a class="tile ${id}" href="/rules/${id}"><span class="emblem ${id}" aria-hidden="true"></span><b>${t(`game_${id}`)}</b><small>${t(`about_${id}`)}</small></a>`)}</div></section>
    </main>`
  }
}

/** At a board of cardboard: who holds the armies, a phone between them or a phone each. */
class Board {
  draw() {
    const phones = (n) => html`<svg class="phones" viewBox="0 0 56 40" aria-hidden="true">${[2, 30].slice(0, n).map((x) => svg`<rect x=${x} y="3" width="20" height="34" rx="3.500"></rect><path d=${`M${x + 8} 32.500h4`}></path>`)}</svg>`
    return html`<main class="page"><h1>${t('board_here')}</h1><p>${t('board_lead')}</p><div class="pick boards">
      ${[['#/new/combats', 'board_each', 2], ['#/combat', 'board_one', 1]].map(([to, key, n]) => html`<a class="tile" href=${to}>${phones(n)}<b>${t(key)}</b><small>${t(`${key}_text`)}</small></a>`)}</div></main>`
  }
}

class Join {
  constructor(id, seat, text) {
    const [invite, game = ''] = text.split('?')
    Object.assign(this, { id, seat, text, invite, game: plays[game] ? game : '', view: null, problem: '', name: recall('name', ''), busy: false })
  }
  open() {
    referee.game(this.id, null).refresh().then((view) => { this.view = view; redraw() })
      .catch((problem) => { if (problem.status !== 403) this.problem = problem.message; redraw() })
  }
  ruleset() { return this.view?.ruleset ?? (this.game || undefined) }
  async #take(event) {
    event.preventDefault()
    this.busy = true
    this.problem = ''
    redraw()
    try {
      await sit(referee, { id: this.id, seat: this.seat, invite: this.invite, name: this.name, index: seatIndex(this.seat, this.ruleset()) })
      sessionStorage.removeItem(inviteKey(this.id, this.seat)) // it is spent
      go(`#/game/${this.id}/${this.seat}`)
    } catch (problem) { this.problem = problem.message }
    this.busy = false
    redraw()
  }
  draw() {
    const ruleset = this.ruleset() ?? ''
    const game = ruleset ? t(`game_${ruleset}`) : ''
    if (load(this.id, this.seat)?.credential) return html`<main class="page"><p>${t('already_here')}</p><p><a class="button primary" href="#/game/${this.id}/${this.seat}">${t('play')}</a></p></main>`
    return html`<main class="page join"><span class="emblem ${ruleset}" aria-hidden="true"></span><h1>${t('join_title', { game })}</h1>
      <p>${t('join_text', { seat: t(`seat_${this.seat}`) })} ${Object.entries(this.view?.seats ?? {}).filter(([, { taken }]) => taken).map(([seat, { name }]) => `${t(`seat_${seat}`)}: ${name ?? '?'}`).join(', ')}</p>
      <form class="panel" @submit=${(event) => this.#take(event)}><label>${t('your_name')}<input name="name" maxlength="32" autocomplete="nickname" .value=${this.name} @input=${(event) => { this.name = event.target.value = nameOf(event.target.value) }}></label>
      ${this.problem ? html`<p class="bad" role="alert">${this.problem}</p>` : nothing}
      <button class="primary big" ?disabled=${this.busy}>${t('take_seat')}</button></form></main>`
  }
}

// ---- from the address to the page ----

function pageOf([name, ...rest]) {
  if (name === 'new') return new Create(referee, redraw, go, rest[0] === 'combats' ? { told: 'combats' } : {})
  if (name === 'board') return new Board()
  if (name === 'combat') return new Combat(referee, redraw)
  if (name === 'game' && rest[0]) {
    const table = new Table(referee, rest[0], rest[1] ?? '', redraw)
    return Object.assign(table, { ruleset: () => table.game.view?.ruleset })
  }
  return new Home()
}

/** An address that somebody cut in the middle of a %-sequence leads nowhere, and fails nothing. */
function plain(part) {
  try { return decodeURIComponent(part) } catch { return part }
}

function route() {
  const parts = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(plain)
  page.close?.()
  document.title = 'refereed'
  if (parts[0] === 'join' && parts.length === 4) {
    const [, id, seat, invite] = parts
    history.replaceState(null, '', `#/join/${id}/${seat}`) // the invite stays out of the address and the history
    page = new Join(id, seat, invite)
  } else if (parts[0] === 'join' && parts.length === 3) {
    const kept = sessionInvite(parts[1], parts[2])
    page = kept ? new Join(parts[1], parts[2], kept) : load(parts[1], parts[2]) ? pageOf(['game', parts[1], parts[2]]) : new Home()
  } else {
    page = pageOf(parts)
  }
  if (page instanceof Join) sessionStorage.setItem(inviteKey(page.id, page.seat), page.text)
  page.open?.()
  redraw()
  if (routed) heading()
  routed = true
}

/** Whoever hears the page or goes by keys is at the head of the new one, as after a link elsewhere. */
let routed = false
function heading() {
  requestAnimationFrame(() => {
    const head = /** @type {HTMLElement | null} */ (document.querySelector('main h1, main h2'))
    if (!head || document.activeElement?.closest('main')) return
    head.tabIndex = -1
    head.focus({ preventScroll: true })
  })
}

/** A reload of the invitation page must not lose the invite; it lives as long as the tab. */
function sessionInvite(id, seat) { return sessionStorage.getItem(inviteKey(id, seat)) }
function inviteKey(id, seat) { return `refereed/invite/${id}/${seat}` }

addEventListener('hashchange', route)
addEventListener('storage', redraw)
route()
