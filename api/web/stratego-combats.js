/** Stratego on a board of cardboard, with a phone each (option `told`: `combats`). Nothing moves here: the
 * phone holds the army, says "I attack" and "this is what stands there", and shows what comes of it.
 * Squares are names of pieces and no places; who bears which is drawn by chance. */
import { html, nothing } from './lib/lit-html.js'
import { load, save } from './keeper.js'
import { choices, emblem, mark, nameOf, setOf, token } from './stratego-pieces.js'
import { SIDES, learn, lostOf, nothingKnown, pips, rival } from './stratego-known.js'
import { count, t, teach } from './words.js'

/** @typedef {import('./table.js').Context} Context */
/** @typedef {import('./refereed.js').GameEvent} GameEvent */
/** @typedef {{seq: number, seat: string, outcome: string, attacker: string | null, defender: string | null}} Fight
 *     the pieces as components ("blue/g9"), null where they are not known */

teach({
  en: {
    st_c_setup: 'Your army', st_c_setup_text: 'Put up your pieces on the board, as you like. Nothing is typed in: the phone needs no places, only that you have these pieces.', st_c_ready: 'My army is ready',
    st_c_sent: 'Your army is ready. {name} is still putting up.', st_c_hint_setup: 'Put up your army on the board', st_c_pieces: 'piece|pieces',
    st_c_begins: '{name} begins', st_c_begins_text: 'Move the pieces on the board. Whoever attacks taps here; the other then says which piece stands there.', st_c_attack: 'I attack',
    st_c_hint_begin: 'On the board: {name} begins', st_c_hint_next: 'On the board: {name} is to move', st_c_hint_attacked: 'You are attacked', st_c_hint_waits: '{name} says which piece is attacked',
    st_c_with: 'With what do you attack?', st_c_what: 'You are attacked. Which piece stands there?', st_c_secret: 'Only you look at the screen.', st_c_left: '{name}, {n} left', st_c_cancel: 'Back',
    st_c_send_attack: 'Attack', st_c_send_defend: 'This one stands there', st_c_which: 'Which {piece}?', st_c_new: 'one that {name} does not know', st_c_known: 'the one from combat {n}: {name} knows it', st_c_known_one: 'one that {name} knows',
    st_c_you_attack: 'You attack', st_c_they_attack: '{name} attacks', st_c_waits: 'Point at the piece on the board. {name} says on the other phone what it is.', st_c_watching: 'The referee waits for the attacked piece.', st_c_mine_is: 'You attack with: {piece}', st_c_show_own: 'Show what I attack with',
    st_c_combat: 'Combat {n}: {name} attacked', st_c_own_falls: 'Your piece falls', st_c_other_falls: 'The enemy piece falls', st_c_attacker_lost: 'The attacker falls', st_c_defender_lost: 'The attacked piece falls', st_c_both_lost: 'Both fall', st_c_flag: 'The flag is taken',
    st_c_off: 'Off the board', st_c_in: 'Moves onto its square', st_c_stays: 'Stays where it is', st_c_next: 'Next move', st_c_as_attacker: '{name}, the attacker', st_c_as_defender: '{name}, the attacked piece',
    st_c_only: 'Only for you: show what I attacked', st_c_only_came: 'Only for you: show what attacked me', st_c_was: 'You attacked: {piece}', st_c_came: 'It was attacked by: {piece}', st_c_hide: 'Hide it again', st_c_silent: 'You learn no more. {name} has seen your piece.',
    st_c_army: 'My army', st_c_show_army: 'Show my army', st_c_hide_army: 'Hide my army', st_c_of: '{name}, {n} of {all} left', st_c_of_known: '{name}, {n} of {all} left, the enemy knows {known}', st_c_army_help: 'the enemy knows one of these',
    st_c_enemy: 'The enemy', st_c_standing: 'you know one that stands', st_c_standing_n: 'known to stand: {n}', st_c_log: 'Combat {n}: {name} attacked, {outcome}', st_c_log_open: 'Combat {n}: {attacker} × {defender}, {outcome}',
    st_c_none: 'There was no combat.',
  },
  cs: {
    st_c_setup: 'Vaše vojsko', st_c_setup_text: 'Postavte figury na desku, jak chcete. Nic se nezadává: telefon nepotřebuje místa, jen to, že máte tyto figury.', st_c_ready: 'Mé vojsko je připraveno',
    st_c_sent: 'Vaše vojsko je připraveno. {name} ještě staví.', st_c_hint_setup: 'Postavte vojsko na desku', st_c_pieces: 'figura|figury|figur',
    st_c_begins: 'Začíná {name}', st_c_begins_text: 'Táhněte na desce. Kdo útočí, ťukne sem; druhý pak řekne, která figura tam stojí.', st_c_attack: 'Útočím',
    st_c_hint_begin: 'Na desce začíná {name}', st_c_hint_next: 'Na desce je na tahu {name}', st_c_hint_attacked: 'Útočí se na vás', st_c_hint_waits: '{name} říká, na kterou figuru se útočí',
    st_c_with: 'Čím útočíte?', st_c_what: 'Útočí se na vás. Která figura tam stojí?', st_c_secret: 'Na displej se díváte jen vy.', st_c_left: '{name}, zbývá {n}', st_c_cancel: 'Zpět',
    st_c_send_attack: 'Zaútočit', st_c_send_defend: 'Stojí tam tato', st_c_which: 'Která z nich? ({piece})', st_c_new: 'ta, kterou {name} nezná', st_c_known: 'ta ze souboje {n}: {name} ji zná', st_c_known_one: 'ta, kterou {name} zná',
    st_c_you_attack: 'Útočíte', st_c_they_attack: 'Útočí {name}', st_c_waits: 'Ukažte na desce na figuru. {name} na druhém telefonu řekne, která to je.', st_c_watching: 'Rozhodčí čeká na napadenou figuru.', st_c_mine_is: 'Útočíte figurou: {piece}', st_c_show_own: 'Ukázat, čím útočím',
    st_c_combat: 'Souboj {n}: útočí {name}', st_c_own_falls: 'Vaše figura padla', st_c_other_falls: 'Nepřátelská figura padla', st_c_attacker_lost: 'Padl útočník', st_c_defender_lost: 'Padla napadená figura', st_c_both_lost: 'Padly obě', st_c_flag: 'Prapor je dobyt',
    st_c_off: 'Z desky', st_c_in: 'Vstupuje na její pole', st_c_stays: 'Zůstává stát', st_c_next: 'Další tah', st_c_as_attacker: '{name}, útočící figura', st_c_as_defender: '{name}, napadená figura',
    st_c_only: 'Jen pro vás: ukázat, na co jsem zaútočil', st_c_only_came: 'Jen pro vás: ukázat, co zaútočilo na mě', st_c_was: 'Napadli jste: {piece}', st_c_came: 'Útočila figura: {piece}', st_c_hide: 'Zase zakrýt', st_c_silent: 'Víc se nedozvíte. {name} vaši figuru viděl.',
    st_c_army: 'Mé vojsko', st_c_show_army: 'Ukázat mé vojsko', st_c_hide_army: 'Zakrýt mé vojsko', st_c_of: '{name}, zbývá {n} z {all}', st_c_of_known: '{name}, zbývá {n} z {all}, nepřítel zná {known}', st_c_army_help: 'jednu z nich nepřítel zná',
    st_c_enemy: 'Nepřítel', st_c_standing: 'o jedné víte, že stojí', st_c_standing_n: 'víte, že stojí: {n}', st_c_log: 'Souboj {n}: útočí {name}, {outcome}', st_c_log_open: 'Souboj {n}: {attacker} × {defender}, {outcome}',
    st_c_none: 'K žádnému souboji nedošlo.',
  },
})

/** Do the events tell of such a game? @param {GameEvent[]} events */
export const toldBy = (events) => events.some(({ type, options }) => type === 'created' && options?.told === 'combats')

/** @param {Context} c */
export const told = ({ view, game }) => (view.board ? view.board.told === 'combats' : toldBy(game.events))

/** Both may act all the time; only who is attacked is waited for. @param {import('./refereed.js').View} view */
export const called = (view) => view.board?.told !== 'combats' || view.status !== 'playing'

const silent = (variant) => variant === 'marsal-a-spion' // ST-11: the attacked player learns nothing
const squareOf = (component) => component?.split('/')[1] ?? ''
const lowered = (text) => text[0].toLowerCase() + text.slice(1)

// ---- chance ----

/** A number below n, each as likely as the others. @param {number} n */
function below(n) {
  const end = 2 ** 32 - 2 ** 32 % n
  const drawn = new Uint32Array(1)
  do crypto.getRandomValues(drawn); while (drawn[0] >= end)
  return drawn[0] % n
}

const oneOf = (list) => list[below(list.length)]

/** The whole set on the own squares, in an order that tells nothing. @param {string} variant @param {string} seat
 * @returns {Object<string, string>} */
export function army(variant, seat) {
  const squares = (seat === 'red' ? [1, 2, 3, 4] : [7, 8, 9, 10]).flatMap((row) => [...'abcdefghij'].map((file) => file + row))
  for (let n = squares.length; n > 1; n--) {
    const at = below(n);
    [squares[n - 1], squares[at]] = [squares[at], squares[n - 1]]
  }
  const ranks = setOf(variant).flatMap(([rank, all]) => Array(all).fill(rank))
  return Object.fromEntries(ranks.map((rank, n) => [squares[n], rank]))
}

// ---- what is known ----

/**
 * What this page remembers beside the view: of which event what is secret is shown, whether the army is, and what it showed last.
 * @typedef {import('./stratego-known.js').Known & {shown: number, army: boolean, stage: string}} Desk
 * @type {WeakMap<object, Desk>}
 */
const desks = new WeakMap()

/** @param {Context} c @returns {Desk} */
function deskOf(c) {
  let desk = desks.get(c.game)
  if (!desk) desks.set(c.game, desk = { ...nothingKnown(), shown: 0, army: false, stage: '' })
  learn(c, desk)
  return desk
}

const notesOf = (c) => load(c.game.id, c.view.you ?? '')?.fought ?? {}
function note(c, after, square) {
  const { [after]: old, ...rest } = notesOf(c)
  save({ id: c.game.id, seat: c.view.you, fought: square ? { ...rest, [after]: square } : rest })
}

/** Sends a piece into combat. Which it was the referee tells nobody again before the end, so it is noted
 * here, before it is sent: a reload just then loses nothing. @param {Context} c @param {string} square */
async function enter(c, square, send) {
  const { seq } = c.view
  const before = notesOf(c)[seq]
  note(c, seq, square)
  if (!await send(square)) return note(c, seq, before)
  heading()
}

/** A screen reader and the keyboard go on where the page does. */
const heading = () => requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector('.st-told h1'))?.focus())

/** The note that was made last before an event, and not before another. @returns {string | undefined} */
function notedIn(notes, from, to) {
  const at = Object.keys(notes).map(Number).filter((seq) => seq >= from && seq < to)
  return at.length ? notes[Math.max(...at)] : undefined
}

/** All combats so far. Which pieces they were: of the enemy those that were opened to this seat, of one's
 * own those that were noted; at the end `ended` tells of all. @param {Context} c @returns {Fight[]} */
function fightsOf(c) {
  const notes = notesOf(c)
  const pairs = c.game.events.findLast(({ type }) => type === 'ended')?.combats ?? []
  const fights = []
  let asked = 0, before = 0
  for (const event of c.events) {
    if (event.type === 'challenge') asked = event.seq
    if (event.type !== 'combat') continue
    const { seq, outcome, seat } = event
    const pair = pairs[fights.length] ?? []
    const piece = (side, square, from, to) => {
      const known = square ?? (side === c.view.you ? notedIn(notes, from, to) : squareOf(event.openings?.find(({ component }) => component.startsWith(`${side}/`))?.component))
      return known ? `${side}/${known}` : null
    }
    fights.push({ seq, seat, outcome, attacker: piece(seat, pair[0], before, asked), defender: piece(rival(seat), pair[1], asked, seq) })
    before = seq
  }
  return fights
}

/** Pieces that stand and that the other side has seen, with the number of the combat, as far as it is known here which
 * fought. Of one's own the view says for sure (`seen`). @param {string} variant @param {Fight[]} fights @returns {Map<string, number>} by component */
function seenIn(variant, fights) {
  const seen = new Map()
  fights.forEach(({ outcome, attacker, defender }, n) => {
    if (outcome === 'attacker_lost') { seen.delete(attacker); if (defender) seen.set(defender, n + 1) }
    if (outcome === 'defender_lost') { seen.delete(defender); if (attacker && !silent(variant)) seen.set(attacker, n + 1) }
    if (outcome === 'both_lost') { seen.delete(attacker); seen.delete(defender) }
  })
  return seen
}

/** Has the other side seen this own piece? @param {Context} c @param {string} square */
const isSeen = (c, square) => (c.view.board.seen ?? []).includes(square)

/** One's own pieces that are left, by rank. @param {Context} c @returns {Map<string, string[]>} */
function ranksOf(c, squares = Object.keys(c.view.board.pieces)) {
  const ranks = new Map()
  for (const square of squares) {
    const [seat, rank] = c.view.board.pieces[square] ?? []
    if (seat === c.you) ranks.set(rank, [...ranks.get(rank) ?? [], square])
  }
  return ranks
}

const ends = (view) => ['over', 'aborted'].includes(view.status)

// ---- setting up ----

function tray(c, ranks) {
  return html`<div class="st-tray st-brief">${ranks.map(([rank, left, all, known]) => html`<span class="st-pile ${left ? '' : 'none'}" role="img" data-rank=${rank}
      aria-label=${all === undefined ? `${nameOf(rank)}, ${left}` : t(known ? 'st_c_of_known' : 'st_c_of', { name: nameOf(rank), n: left, all, known })}>
    ${token(c.you, rank, { seen: known > 0 })}<b aria-hidden="true">${left}${all === undefined ? nothing : html`<small>/${all}</small>`}</b></span>`)}</div>`
}

/** @param {Context} c */
export function setup(c) {
  const ranks = setOf(c.view.variant)
  const all = ranks.reduce((sum, [, n]) => sum + n, 0)
  return html`<div class="combat st-told"><h1>${t('st_c_setup')}: ${count(all, 'st_c_pieces')}</h1><p>${t('st_c_setup_text')}</p>${tray(c, ranks)}
    <button class="primary big st-send" ?disabled=${!c.acting} @click=${() => c.setup(army(c.view.variant, /** @type {string} */ (c.you)))}>${t('st_c_ready')}</button></div>`
}

/** @param {Context} c */
export function sent(c) {
  const other = rival(c.you)
  return html`<div class="combat st-told"><section class="st-cover ${c.you}"><h1>${t('st_c_sent', { name: c.name(other) })}</h1><div class="st-pair">${token(c.you, null)}</div></section></div>`
}

// ---- combat ----

/** @param {Context} c */
export function board(c) {
  const { view, ui } = c
  const asked = view.board.challenge
  const fights = fightsOf(c)
  if (asked?.piece && !notedIn(notesOf(c), fights.at(-1)?.seq ?? 0, view.seq)) note(c, view.seq - 1, asked.piece) // another device has sent it
  const stage = c.replay || ends(view) ? last : asked && asked.seat !== c.you && c.you ? defend : asked ? waits : ui.step === 'attack' && c.you ? attack : last
  top(deskOf(c), `${stage.name} ${fights.length}`)
  return html`<div class="combat st-told">${stage(c)}${c.you && !c.replay && !ends(view) && stage !== attack && stage !== defend ? ownArmy(c) : nothing}</div>`
}

/** What has come from the other phone must not be out of sight. */
function top(desk, stage) {
  if (desk.stage && desk.stage !== stage) requestAnimationFrame(() => scrollTo(0, 0))
  desk.stage = stage
}

/** Ranks to choose from, and which piece of the rank if it makes a difference.
 * @param {Context} c @param {{title: string, squares: string[], button: string, send: (square: string) => Promise<boolean>, back?: boolean}} how */
function choose(c, { title, squares, button, send, back }) {
  const { ui } = c
  const other = c.name(rival(c.you))
  const left = ranksOf(c, squares)
  const ranks = setOf(c.view.variant).map(([rank]) => rank).filter((rank) => left.has(rank))
  const seen = seenIn(c.view.variant, fightsOf(c))
  const those = left.get(ui.rank) ?? []
  const known = those.filter((square) => isSeen(c, square))
  const fresh = those.filter((square) => !known.includes(square))
  const which = known.includes(ui.which) ? ui.which : fresh.length ? '' : known[0]
  const put = (part) => { Object.assign(ui, part); c.redraw() }
  const go = () => { if (those.length) enter(c, which || oneOf(fresh), send) }
  const said = (square) => {
    const n = seen.get(`${c.you}/${square}`)
    return t(n ? 'st_c_known' : 'st_c_known_one', { name: other, n })
  }
  const chip = (value, text) => html`<label class="choice"><input type="radio" name="which" value=${value || 'new'} .checked=${which === value} @change=${() => put({ which: value })}><span>${text}</span></label>`
  return html`<h1 tabindex="-1">${t(title)}</h1><p>${t('st_c_secret')}</p>
    ${choices({ seat: /** @type {string} */ (c.you), label: t(title), ranks, picked: left.has(ui.rank) ? ui.rank : '', take: (rank) => put({ rank, which: '' }),
    said: (rank) => t('st_c_left', { name: nameOf(rank), n: left.get(rank)?.length }), mark: (rank) => html`<b class="st-badge" aria-hidden="true">${left.get(rank)?.length}</b>` })}
    <div class="st-bottom">${known.length && those.length > 1 ? html`<fieldset class="st-which"><legend>${t('st_c_which', { piece: nameOf(ui.rank) })}</legend>
        ${fresh.length ? chip('', t('st_c_new', { name: other })) : nothing}${known.map((square) => chip(square, said(square)))}</fieldset>` : nothing}
      <div class="row">${back ? html`<button class="big" @click=${() => put({ step: '', rank: '', which: '' })}>${t('st_c_cancel')}</button>` : nothing}
        <button class="primary big st-enter" ?disabled=${!c.acting || !those.length} @click=${go}>${t(button)}${those.length ? html`: ${nameOf(ui.rank)}` : nothing}</button></div></div>`
}

const attack = (c) => choose(c, { title: 'st_c_with', squares: c.moves.map(({ piece }) => piece), button: 'st_c_send_attack', send: (piece) => c.play({ piece }), back: true })
const defend = (c) => choose(c, { title: 'st_c_what', squares: Object.keys(c.view.board.pieces), button: 'st_c_send_defend', send: (piece) => c.defend(piece) })

/** An attack that waits for its answer, for him who made it and those who watch. @param {Context} c */
function waits(c) {
  const desk = deskOf(c)
  const { seat, piece } = c.view.board.challenge
  const own = seat === c.you
  const open = own && desk.shown === c.view.seq
  const rank = c.view.board.pieces[piece]?.[1] ?? null
  return html`<section class="st-card waits"><h1 tabindex="-1">${own ? t('st_c_you_attack') : t('st_c_they_attack', { name: c.name(seat) })}</h1>
    <div class="st-pair">${token(seat, open ? rank : null)}<span class="st-versus" aria-hidden="true">⚔</span>${token(rival(seat), null)}</div>
    <p>${own ? t('st_c_waits', { name: c.name(rival(seat)) }) : t('st_c_watching')}</p>
    ${own ? veil(c, desk, c.view.seq, 'st_c_show_own', rank ? t('st_c_mine_is', { piece: nameOf(rank) }) : '') : nothing}</section>`
}

/** What is for one pair of eyes: behind a tap, and hidden again by the next. */
function veil(c, desk, seq, button, text) {
  const turn = () => { desk.shown = desk.shown === seq ? 0 : seq; c.redraw() }
  return html`<div class="st-only"><p role="status">${desk.shown === seq ? text : nothing}</p><button @click=${turn}>${t(desk.shown === seq ? 'st_c_hide' : button)}</button></div>`
}

/** The last combat, or who begins; and from there into the next. @param {Context} c */
function last(c) {
  const fights = fightsOf(c)
  const { view } = c
  const plays = c.you && !c.replay && view.status === 'playing'
  const pick = () => {
    c.ui.step = 'attack'
    c.redraw()
    heading()
  }
  const starter = c.events.find(({ type }) => type === 'started')?.starter
  return html`${fights.length ? card(c, fights) : ends(view) && !c.replay ? html`<p>${t('st_c_none')}</p>`
    : html`<section class="st-card begins"><h1>${starter ? t('st_c_begins', { name: c.name(starter) }) : t('started')}</h1>
      <div class="st-pair">${token('red', null)}<span class="st-versus" aria-hidden="true">⚔</span>${token('blue', null)}</div>${plays ? html`<p>${t('st_c_begins_text')}</p>` : nothing}</section>`}
    ${plays ? html`<button class="primary st-attack" ?disabled=${!c.acting || !c.moves.length} @click=${pick}><span aria-hidden="true">⚔</span> ${t('st_c_attack')}</button>` : nothing}`
}

const fallsOf = ({ outcome, seat }, side) => outcome === 'both_lost' || (outcome === 'attacker_lost') === (side === seat)
const facesIn = (c, { attacker, defender }) => [attacker, defender].map((piece) => (c.view.board.faces ?? deskOf(c).faces).get(piece) ?? null)

function titleOf(c, fight, taken) {
  if (taken) return 'st_c_flag'
  if (fight.outcome === 'both_lost' || !c.you || c.replay) return `st_c_${fight.outcome}`
  return fallsOf(fight, c.you) ? 'st_c_own_falls' : 'st_c_other_falls'
}

/** What came of a combat: for all first, then what this seat alone may see. @param {Context} c @param {Fight[]} fights */
function card(c, fights) {
  const desk = deskOf(c)
  const fight = /** @type {Fight} */ (fights.at(-1))
  const { seat, outcome, seq } = fight
  const over = c.replay || ends(c.view)
  const open = over || (c.you && !silent(c.view.variant)) // SC-4: both see both
  const faces = facesIn(c, fight)
  const shown = open || desk.shown === seq
  const taken = over && outcome === 'defender_lost' && faces[1] === 'flag'
  const one = (side) => html`<dd><i class="st-dot ${side}" aria-hidden="true"></i>${t(side === seat ? 'st_c_as_attacker' : 'st_c_as_defender', { name: c.name(side) })}</dd>`
  const sides = [seat, rival(seat)]
  const fallen = sides.filter((side) => fallsOf(fight, side))
  const stands = sides.find((side) => !fallsOf(fight, side))
  return html`<section class="st-card ${c.you && !c.replay && fallsOf(fight, c.you) ? 'lost' : ''}"><p class="st-number">${t('st_c_combat', { n: fights.length, name: c.name(seat) })}</p>
    <h1 class="st-outcome" tabindex="-1">${t(titleOf(c, fight, taken))}</h1>
    <div class="st-pair">${sides.map((side, n) => html`${n ? html`<span class="st-versus" aria-hidden="true">⚔</span>` : nothing}${token(side, shown ? faces[n] : null, { fallen: fallsOf(fight, side) })}`)}</div>
    ${shown && faces[0] && faces[1] ? html`<p class="st-ranks">${nameOf(faces[0])} × ${nameOf(faces[1])}</p>` : nothing}
    ${over ? nothing : html`<dl class="st-todo"><div><dt>${t('st_c_off')}</dt>${fallen.map(one)}</div>
      ${stands ? html`<div><dt>${t(stands === seat ? 'st_c_in' : 'st_c_stays')}</dt>${one(stands)}</div>` : nothing}
      <div><dt>${t('st_c_next')}</dt><dd><i class="st-dot ${rival(seat)}" aria-hidden="true"></i>${c.name(rival(seat))}</dd></div></dl>`}
    ${open || !c.you ? nothing : secret(c, desk, fight, faces)}</section>`
}

/** ST-11: the attacker sees what he attacked; the attacked player at most what he has captured. */
function secret(c, desk, { seat, seq }, [attacker, defender]) {
  if (seat === c.you) return defender ? veil(c, desk, seq, 'st_c_only', t('st_c_was', { piece: nameOf(defender) })) : nothing
  if (attacker) return veil(c, desk, seq, 'st_c_only_came', t('st_c_came', { piece: nameOf(attacker) }))
  return html`<p><small>${t('st_c_silent', { name: c.name(seat) })}</small></p>`
}

/** The own army, covered: the phone lies on the table. @param {Context} c */
function ownArmy(c) {
  const desk = deskOf(c)
  const turn = () => { desk.army = !desk.army; c.redraw() }
  const left = ranksOf(c)
  const rows = setOf(c.view.variant).map(([rank, all]) => {
    const those = left.get(rank) ?? []
    return [rank, those.length, all, those.filter((square) => isSeen(c, square)).length]
  })
  return html`<section class="panel st-army" aria-label=${t('st_c_army')}><button class="plain" aria-expanded=${desk.army ? 'true' : 'false'} @click=${turn}>${t(desk.army ? 'st_c_hide_army' : 'st_c_show_army')}</button>
    ${desk.army ? html`${tray(c, rows)}${rows.some(([, , , known]) => known) ? html`<p class="st-legend"><span>${mark('seen')} ${t('st_c_army_help')}</span></p>` : nothing}` : nothing}</section>`
}

// ---- in words, and beside ----

/** @param {Context} c */
export function hint(c) {
  const { view, you, events } = c
  if (view.status === 'setup') return you && view.to_act.includes(you) ? t('st_c_hint_setup') : ''
  const asked = view.board?.challenge
  if (asked) return asked.seat !== you && you ? t('st_c_hint_attacked') : t('st_c_hint_waits', { name: c.name(rival(asked.seat)) })
  if (view.status !== 'playing') return ''
  const before = events.findLast(({ type }) => type === 'combat')
  if (before) return t('st_c_hint_next', { name: c.name(rival(before.seat)) })
  const starter = events.find(({ type }) => type === 'started')?.starter
  return starter ? t('st_c_hint_begin', { name: c.name(starter) }) : t('started')
}

/** What stays on the screen tells no secret before the end. @param {GameEvent} event @param {Context} c */
export function tell(event, c) {
  const name = event.seat ? c.name(event.seat) : ''
  if (event.type === 'started') return event.starter ? t('st_c_begins', { name: c.name(event.starter) }) : null
  if (event.type === 'challenge') return t('st_c_they_attack', { name })
  if (event.type !== 'combat') return null
  const n = c.events.filter(({ type, seq }) => type === 'combat' && seq <= event.seq).length
  const [attacker, defender] = ends(c.view) ? facesIn(c, fightsOf(c)[n - 1]) : []
  const outcome = lowered(t(defender === 'flag' && event.outcome === 'defender_lost' ? 'st_c_flag' : `st_c_${event.outcome}`))
  if (!attacker || !defender) return t('st_c_log', { n, name, outcome })
  return t('st_c_log_open', { n, outcome, attacker: `${name} (${nameOf(attacker)})`, defender: `${c.name(rival(event.seat))} (${nameOf(defender)})` })
}

/** Of the enemy what one knows; at the end, and in a replay, of both. @param {Context} c */
export function side(c) {
  const { view, you } = c
  const lost = lostOf(c)
  const over = c.replay || ends(view)
  const seats = over ? SIDES : you ? [rival(you)] : []
  const set = setOf(view.variant)
  const all = set.reduce((sum, [, n]) => sum + n, 0)
  const { faces } = deskOf(c)
  const standing = over ? [] : [...seenIn(view.variant, fightsOf(c)).keys()].filter((component) => !component.startsWith(`${you}/`)).map((component) => faces.get(component))
  const row = ([rank, n]) => html`<tr><th scope="row">${emblem(rank)}${nameOf(rank)}</th>${seats.map((seat) => pips(seat, n, lost[seat].known[rank] ?? 0, 'st_known_of'))}
    ${standing.length ? html`<td class="st-stand">${standing.filter((one) => one === rank).map((_, i, those) => html`${mark('seen')}${i ? nothing : html`<span class="st-said">${t('st_c_standing_n', { n: those.length })}</span>`}`)}</td>` : nothing}</tr>`
  const known = (seat) => Object.values(lost[seat].known).reduce((sum, n) => sum + n, 0)
  return html`<section class="panel st-losses"><h2>${t(you && !over ? 'st_c_enemy' : 'st_losses')}</h2>
    ${SIDES.map((seat) => html`<p class="st-count ${seat}"><i class="st-dot ${seat}" aria-hidden="true"></i>${t('st_fallen', { name: c.name(seat), n: `${lost[seat].count}/${all}` })}${seats.includes(seat) && lost[seat].count > known(seat) ? html`, ${t('st_unknown', { n: lost[seat].count - known(seat) })}` : nothing}</p>`)}
    ${seats.length ? html`<table><thead><tr><th scope="col"><span class="st-said">${t('st_rank')}</span></th>${seats.map((seat) => html`<th scope="col" class=${seat}><i aria-hidden="true"></i>${c.name(seat)}</th>`)}${standing.length ? html`<td></td>` : nothing}</tr></thead>
      <tbody>${set.map(row)}</tbody></table>` : nothing}
    ${standing.length ? html`<p class="st-legend"><span>${mark('seen')} ${t('st_c_standing')}</span></p>` : nothing}</section>`
}

// ---- the replay ----

/** One after another, with faces open: the beginning, each combat, the end. An attack that nobody answered is one too.
 * @param {any} transcript @param {GameEvent[]} events */
export function replay(transcript, events) {
  const faces = new Map((transcript.openings ?? []).map(({ component, face }) => [component, face]))
  const lost = Object.fromEntries(SIDES.map((seat) => [seat, { count: 0, known: {} }]))
  const pairs = events.findLast(({ type }) => type === 'ended')?.combats ?? []
  const fall = (component) => {
    const heap = lost[component.split('/')[0]]
    const face = faces.get(component)
    heap.count++
    if (face) heap.known[face] = (heap.known[face] ?? 0) + 1
  }
  let n = 0
  const step = (event) => {
    if (event.type === 'combat') {
      const [attacker, defender] = (pairs[n++] ?? []).map((square, i) => `${i ? rival(event.seat) : event.seat}/${square}`)
      if (attacker && event.outcome !== 'defender_lost') fall(attacker)
      if (defender && event.outcome !== 'attacker_lost') fall(defender)
    }
    return { told: 'combats', pieces: {}, moved: [], lost: structuredClone(lost), turn: null, faces }
  }
  const first = events.findIndex(({ type }) => type === 'started')
  return first < 0 ? [] : events.slice(first).filter(({ type }) => ['started', 'combat', 'ended'].includes(type)).map((event) => ({ event, board: step(event) }))
}
