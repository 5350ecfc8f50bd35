/** The rules of a game as a page: prose and figures of the game's own module, then its options and
 * rulings, whose texts are the daemon's. `/rules/engarde#EG-5` leads to a ruling. */
import { html, nothing, render } from './lib/lit-html.js'
import { Referee } from './refereed.js'
import { language, speak, t, teach } from './words.js'
import { engarde } from './rules-engarde.js'
import { roquefort } from './rules-roquefort.js'
import { stratego } from './rules-stratego.js'

teach({
  en: {
    contents: 'Contents', table_page: 'To the table', rulings: 'All rulings', options_title: 'Options of each edition', option: 'Option', values: 'Values', default_: 'Default',
    rulings_lead: 'The referee judges by these and names one of them when it refuses a move. They are short here; the full wording is in the documents of the project, docs/rules.',
    options_lead: 'Whoever sets the table chooses them. What is not chosen has the default.', all_editions: 'all editions', all_but: 'all but {variant}', others: 'the others',
    only: 'only {variant}', yes_no: 'yes or no', from_to: '{min} to {max}', plate: 'A, B or a list of rooms', only_table: 'real table only', only_referee: "referee's custody only", link_to: 'Link to {ruling}',
    rules_of: 'Rules of {game}', failed: 'The rulings cannot be loaded: {why}', games: 'Games', editions: 'Editions',
    is_true: 'yes', is_false: 'no', is_lot: 'by lot', is_left: 'left', is_right: 'right', is_red: 'red', is_blue: 'blue', is_yellow: 'yellow', is_green: 'green',
    is_last_attacker: 'who attacked last', is_defender: 'the defender', is_level: 'allowed', is_none: 'not allowed', is_basic: 'basic', is_standard: 'standard', is_advanced: 'advanced',
    is_strict: 'forgotten when covered', is_open: 'shown for ever', is_hidden: 'no', is_shown: 'yes', is_moves: 'every move', is_combats: 'only combats', is_blank: 'blank', is_trapdoor: 'trapdoor',
  },
  cs: {
    contents: 'Obsah', table_page: 'Ke stolu', rulings: 'Všechna ustanovení', options_title: 'Volby jednotlivých vydání', option: 'Volba', values: 'Hodnoty', default_: 'Výchozí',
    rulings_lead: 'Podle nich rozhodčí soudí, a když tah odmítne, jedno z nich uvede. Zde jsou krátce; úplné znění je v dokumentech projektu, docs/rules.',
    options_lead: 'Vybírá je ten, kdo zakládá stůl. Co nevybere, má výchozí hodnotu.', all_editions: 'všechna vydání', all_but: 'všechna kromě: {variant}', others: 'ostatní',
    only: 'jen {variant}', yes_no: 'ano nebo ne', from_to: '{min} až {max}', plate: 'A, B nebo seznam místností', only_table: 'jen u opravdového stolu', only_referee: 'jen když tajemství drží rozhodčí', link_to: 'Odkaz na {ruling}',
    rules_of: 'Pravidla hry {game}', failed: 'Ustanovení nelze načíst: {why}', games: 'Hry', editions: 'Vydání',
    is_true: 'ano', is_false: 'ne', is_lot: 'losem', is_left: 'levý', is_right: 'pravý', is_red: 'červený', is_blue: 'modrý', is_yellow: 'žlutý', is_green: 'zelený',
    is_last_attacker: 'kdo naposledy útočil', is_defender: 'obránce', is_level: 'dovolen', is_none: 'nedovolen', is_basic: 'základní', is_standard: 'běžná', is_advanced: 'pokročilá',
    is_strict: 'po zakrytí zapomenout', is_open: 'ukazovat stále', is_hidden: 'ne', is_shown: 'ano', is_moves: 'každý tah', is_combats: 'jen souboje', is_blank: 'prázdný', is_trapdoor: 'padací dveře',
  },
})

/**
 * What a game's module tells. Sections are told in order; `en` and `cs` make their text anew at each drawing.
 * @typedef {{id: string, title: {en: string, cs: string}, lead: {en: string, cs: string},
 *     sections: {id: string, title: {en: string, cs: string}, en: () => any, cs: () => any}[]}} Rules
 */
/** @type {Rules[]} */
const GAMES = [engarde, roquefort, stratego]

const root = /** @type {HTMLElement} */ (document.getElementById('app'))
const game = /** @type {Rules} */ (GAMES.find(({ id }) => location.pathname.endsWith(`/${id}`)) ?? stratego)
const referee = new Referee('', { language: language() })
/** @type {any} */
let set = null
let problem = ''

function draw() {
  const to = language()
  const other = to === 'en' ? 'cs' : 'en'
  document.title = `${t('rules_of', { game: game.title[to] })} – refereed`
  render(html`<nav class="bar"><a class="brand" href="/"><img src="/web/icon.svg" alt="" width="28" height="28"> refereed</a>
    <span class="grow"></span><a href="/">${t('table_page')}</a>
    <button class="plain" lang=${other} @click=${() => { speak(other); load() }}>${other === 'cs' ? 'Česky' : 'English'}</button></nav>
    <div class="rules ${game.id}">
      <aside><nav class="games" aria-label=${t('games')}>${GAMES.map(({ id, title }) => html`<a href="/rules/${id}" aria-current=${id === game.id ? 'page' : nothing}>${title[to]}</a>`)}</nav>
        <details class="contents" ?open=${matchMedia('(min-width: 62rem)').matches}><summary>${t('contents')}</summary><ol>
          ${game.sections.map(({ id, title }) => html`<li><a href="#${id}">${title[to]}</a></li>`)}
          <li><a href="#options">${t('options_title')}</a></li><li><a href="#rulings">${t('rulings')}</a></li></ol></details></aside>
      <main><header><h1>${game.title[to]}</h1><p class="lead">${game.lead[to]}</p></header>
        ${game.sections.map((section) => html`<section id=${section.id}><h2>${section.title[to]}</h2>${section[to]()}</section>`)}
        ${problem ? html`<p class="bad" role="alert">${t('failed', { why: problem })}</p>` : set ? [options(), rulings()] : html`<p>${t('loading')}</p>`}
      </main></div>`, root)
}

// ---- what the daemon tells ----

const titles = (ids) => ids.map((id) => set.variants.find((variant) => variant.id === id)?.title ?? id).join(', ')

function where(ids) {
  const rest = set.variants.map(({ id }) => id).filter((id) => !ids.includes(id))
  if (!rest.length) return t('all_editions')
  return rest.length === 1 && ids.length > 1 ? t('all_but', { variant: titles(rest) }) : t('only', { variant: titles(ids) })
}

/** A value as it is sent, and in words where it has any. */
function value(one) {
  const word = t(`is_${one}`)
  return html`<span class="value"><code>${String(one)}</code>${word === `is_${one}` || word === one ? nothing : html` ${word}`}</span>`
}

function values({ type, values: list, min, max }) {
  if (type === 'boolean') return t('yes_no')
  if (type === 'plate') return t('plate')
  if (list) return list.map(value)
  return min === max ? value(min) : t('from_to', { min, max })
}

/** The same default in several editions is told once, the commonest as "the others". */
function defaults(option) {
  /** @type {Map<any, string[]>} */
  const by = new Map()
  for (const { id } of set.variants) if (id in option.default) by.set(option.default[id], [...by.get(option.default[id]) ?? [], id])
  const rows = [...by].sort((a, b) => a[1].length - b[1].length)
  if (rows.length === 1) return value(rows[0][0])
  return rows.map(([one, ids], i) => html`<div>${value(one)} <small>${i === rows.length - 1 && ids.length > 1 ? t('others') : titles(ids)}</small></div>`)
}

/** `code` in a text of the daemon. @param {string} words */
const coded = (words) => words.split('`').map((part, i) => i % 2 ? html`<code>${part}</code>` : part)

const options = () => html`<section id="options"><h2>${t('options_title')}</h2><p>${t('options_lead')}</p>
  <table class="options"><thead><tr><th scope="col">${t('option')}</th><th scope="col">${t('values')}</th><th scope="col">${t('default_')}</th></tr></thead>
  <tbody>${set.options.map((option) => html`<tr><th scope="row">${coded(option.text)} <code>${option.name}</code>
    <small>${where(Object.keys(option.default))}${option.custody ? html` · ${t(`only_${option.custody[0]}`)}` : nothing}</small></th><td>${values(option)}</td><td>${defaults(option)}</td></tr>`)}</tbody></table></section>`

const rulings = () => html`<section id="rulings"><h2>${t('rulings')}</h2><p>${t('rulings_lead')}</p>
  <ol class="rulings">${set.rulings.map(({ id, text, variants }) => html`<li id=${id} tabindex="-1"><a class="id" href="#${id}" aria-label=${t('link_to', { ruling: id })}>${id}</a>
    <div><p>${coded(text)}</p><small>${where(variants)}</small></div></li>`)}</ol></section>`

// ---- the address ----

/** The page is drawn after the browser has looked for the anchor, so that is done here. */
function arrive() {
  const name = decodeURIComponent(location.hash.slice(1))
  const place = name && (document.getElementById(name) ?? document.getElementById(name.toUpperCase()))
  for (const old of document.querySelectorAll('.here')) old.classList.remove('here')
  if (!place) return
  place.scrollIntoView()
  if (!place.matches('.rulings > li')) return
  place.classList.add('here')
  place.focus({ preventScroll: true })
}

async function load() {
  referee.language = language()
  draw()
  try {
    set = await referee.ruleset(game.id)
    problem = ''
  } catch (error) { problem = error.message }
  draw()
}

addEventListener('hashchange', arrive)
load().then(arrive)
