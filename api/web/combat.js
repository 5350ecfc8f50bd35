/** Combat over a real board: a cardboard board, two people, one phone. Each picks his piece in secret,
 * the referee's stateless judge says who falls. Nothing is stored, and nobody sees more than by the
 * rulings: what was picked leaves the page as soon as it is. */
import { html, nothing } from './lib/lit-html.js'
import { Problem } from './refereed.js'
import { recall, remember } from './keeper.js'
import { IMMOBILE, choices, nameOf, setOf, token } from './stratego-pieces.js'
import { t, teach } from './words.js'

teach({
  en: {
    st_combat_attacker: 'Attacker: with what do you attack?', st_combat_defender: 'Defender: what is attacked?', st_combat_secret: 'Only you look at the screen. Pick the piece, then hand the phone over.',
    st_combat_done: 'Chosen, hide it', st_combat_to_defender: 'Hand the phone to the defender', st_combat_to_both: 'Put the phone between you', st_combat_go: 'I am the defender', st_combat_show: 'Show who falls',
    st_combat_attacker_lost: 'The attacker falls', st_combat_defender_lost: 'The defender falls', st_combat_both_lost: 'Both fall', st_combat_flag: 'The flag is taken: the attacker wins',
    st_combat_attacker_lost_text: 'Take the attacker off the board. The attacked piece stays.', st_combat_defender_lost_text: 'Take the attacked piece off the board. The attacker moves onto its square.', st_combat_both_lost_text: 'Take both pieces off the board.', st_combat_flag_text: 'The game is over.',
    st_combat_only: 'Only for the attacker: show what I attacked', st_combat_turn: 'Turn the phone so that only the attacker sees it', st_combat_hide: 'Hide it again', st_combat_it_was: 'You attacked: {name}', st_combat_silent: 'Neither learns anything more.', st_combat_open: 'Both see both pieces.',
    st_combat_captives: 'The attacked player sees an attacker that leaves the game', st_combat_only_defender: 'Only for the defender: show what attacked', st_combat_turn_defender: 'Turn the phone so that only the defender sees it', st_combat_it_came: '{name} attacked',
    st_combat_next: 'Next combat', st_combat_each: 'Have you a phone each? Then each holds its own army.', st_combat_attacks: 'attacker', st_combat_defends: 'defender', st_combat_judging: 'The referee looks…',
    'st_variant_marsal-a-spion': 'Maršál a špión', st_variant_classic: 'Stratego, classic', st_variant_barrage: 'Barrage', st_variant_duel: 'Duel', st_variant_ultimate: 'Ultimate',
  },
  cs: {
    st_combat_attacker: 'Útočníku, čím útočíte?', st_combat_defender: 'Obránce, na co se útočí?', st_combat_secret: 'Na displej se díváte jen vy. Vyberte figuru a telefon předejte.',
    st_combat_done: 'Vybráno, zakrýt', st_combat_to_defender: 'Předejte telefon obránci', st_combat_to_both: 'Položte telefon mezi sebe', st_combat_go: 'Jsem obránce', st_combat_show: 'Ukázat, kdo padl',
    st_combat_attacker_lost: 'Padl útočník', st_combat_defender_lost: 'Padl obránce', st_combat_both_lost: 'Padli oba', st_combat_flag: 'Prapor je dobyt: útočník vyhrává',
    st_combat_attacker_lost_text: 'Útočník jde z desky. Napadená figura zůstává.', st_combat_defender_lost_text: 'Napadená figura jde z desky. Útočník vstupuje na její pole.', st_combat_both_lost_text: 'Obě figury jdou z desky.', st_combat_flag_text: 'Hra skončila.',
    st_combat_only: 'Jen pro útočníka: ukázat, na co jsem zaútočil', st_combat_turn: 'Natočte telefon tak, aby viděl jen útočník', st_combat_hide: 'Zase zakrýt', st_combat_it_was: 'Napadli jste: {name}', st_combat_silent: 'Víc se nedozví nikdo.', st_combat_open: 'Oba vidí obě figury.',
    st_combat_captives: 'Napadený vidí útočníka, který odchází ze hry', st_combat_only_defender: 'Jen pro obránce: ukázat, co zaútočilo', st_combat_turn_defender: 'Natočte telefon tak, aby viděl jen obránce', st_combat_it_came: 'Zaútočil: {name}',
    st_combat_next: 'Další souboj', st_combat_each: 'Máte každý svůj telefon? Pak každý drží své vojsko.', st_combat_attacks: 'útočník', st_combat_defends: 'obránce', st_combat_judging: 'Rozhodčí se dívá…',
    'st_variant_marsal-a-spion': 'Maršál a špión', st_variant_classic: 'Stratego, klasické', st_variant_barrage: 'Barrage', st_variant_duel: 'Duel', st_variant_ultimate: 'Ultimate',
  },
})

const VARIANTS = ['marsal-a-spion', 'classic', 'ultimate', 'duel', 'barrage']

/** A position with nothing in it but this combat and, far away, what a position must have.
 * @param {string} attacker @param {string} defender */
export function positionOf(attacker, defender) {
  const pieces = { e5: ['red', attacker], e6: ['blue', defender], a1: ['red', 'flag'] }
  if (defender !== 'flag') pieces.j10 = ['blue', 'flag']
  return { pieces, turn: 'red' }
}

export class Combat {
  /** The page goes through these: attacker, handover, defender, cover, outcome. */
  #step = 'attacker'
  #attacker = ''
  #defender = ''
  #picked = ''
  /** @type {null | {outcome: string, flag: boolean}} */
  #result = null
  /** Whose secret is shown: '', attacker or defender. */
  #shown = ''
  #busy = false
  #problem = ''

  constructor(referee, redraw) {
    this.referee = referee
    this.redraw = redraw
    const last = recall('combat-variant', VARIANTS[0])
    this.variant = VARIANTS.includes(last) ? last : VARIANTS[0]
    this.captives = recall('combat-captives', false) === true
  }

  get #silent() { return this.variant === 'marsal-a-spion' } // ST-11

  close() { this.#forget() }

  #forget() {
    this.#attacker = this.#defender = this.#picked = this.#problem = ''
    this.#result = null
    this.#shown = ''
    this.#step = 'attacker'
  }

  #go(step) {
    this.#step = step
    this.#picked = ''
    this.redraw()
    scrollTo(0, 0)
    // A screen reader and the keyboard go on where the page does.
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector('.combat h1'))?.focus())
  }

  #choose(variant) {
    this.#forget()
    this.variant = variant
    remember('combat-variant', variant)
    this.redraw()
  }

  #done() {
    if (!this.#picked) return
    if (this.#step === 'attacker') { this.#attacker = this.#picked; return this.#go('handover') }
    this.#defender = this.#picked
    this.#go('cover')
  }

  async #judge() {
    this.#busy = true
    this.#problem = ''
    this.redraw()
    try {
      const answer = await this.referee.adjudicate({ ruleset: 'stratego', variant: this.variant, state: positionOf(this.#attacker, this.#defender), move: { from: 'e5', to: 'e6' } })
      const combat = answer.effects?.find(({ type }) => type === 'combat')
      if (!combat) throw new Problem(answer)
      this.#result = { outcome: combat.outcome, flag: answer.result?.reason === 'flag' }
      this.#go('outcome')
    } catch (problem) { this.#problem = problem.message }
    this.#busy = false
    this.redraw()
  }

  #next() {
    this.#forget()
    this.#go('attacker')
  }

  draw() {
    const steps = { attacker: () => this.#pick(true), defender: () => this.#pick(false), handover: () => this.#cover('blue', 'st_combat_to_defender', 'st_combat_go', () => this.#go('defender')),
      cover: () => this.#cover('red', 'st_combat_to_both', 'st_combat_show', () => this.#judge()), outcome: () => this.#outcome() }
    return html`<main class="page combat">${steps[this.#step]()}</main>`
  }

  #pick(attacking) {
    const seat = attacking ? 'red' : 'blue'
    const ranks = setOf(this.variant).map(([rank]) => rank).filter((rank) => !attacking || !IMMOBILE.includes(rank))
    const take = (rank) => { this.#picked = rank; this.redraw() }
    return html`${attacking ? html`<label>${t('variant')}<select name="variant" @change=${(event) => this.#choose(event.target.value)}>
        ${VARIANTS.map((variant) => html`<option value=${variant} ?selected=${variant === this.variant}>${t(`st_variant_${variant}`)}</option>`)}</select></label>
        ${this.#silent ? html`<label class="check"><input type="checkbox" name="captives" ?checked=${this.captives} @change=${(event) => { this.captives = event.target.checked; remember('combat-captives', this.captives) }}> ${t('st_combat_captives')}</label>` : nothing}` : nothing}
      <h1 tabindex="-1">${t(attacking ? 'st_combat_attacker' : 'st_combat_defender')}</h1><p>${t('st_combat_secret')}</p>
      ${choices({ seat, label: t(attacking ? 'st_combat_attacker' : 'st_combat_defender'), ranks, picked: this.#picked, take })}
      <button class="primary big" ?disabled=${!this.#picked} @click=${() => this.#done()}>${t('st_combat_done')}</button>
      ${attacking ? html`<p class="st-also"><a href="#/new/combats">${t('st_combat_each')}</a></p>` : nothing}`
  }

  #cover(seat, title, button, on) {
    return html`<section class="st-cover ${seat}"><h1 tabindex="-1">${t(title)}</h1>
      <div class="st-pair">${token('red', null)}<span class="st-versus" aria-hidden="true">⚔</span>${token('blue', null)}</div>
      <button class="big" ?disabled=${this.#busy} @click=${on}>${t(this.#busy ? 'st_combat_judging' : button)}</button></section>
      ${this.#problem ? html`<p class="bad" role="alert">${this.#problem}</p>` : nothing}`
  }

  #outcome() {
    const { outcome, flag } = /** @type {{outcome: string, flag: boolean}} */ (this.#result)
    const open = !this.#silent || flag
    const key = flag ? 'st_combat_flag' : `st_combat_${outcome}`
    return html`<h1 class="st-outcome" tabindex="-1" role="status">${t(key)}</h1>
      <div class="st-pair">${token('red', open ? this.#attacker : null, { fallen: outcome !== 'defender_lost' })}<span class="st-versus" aria-hidden="true">⚔</span>${token('blue', open ? this.#defender : null, { fallen: outcome !== 'attacker_lost' })}</div>
      ${open ? html`<p>${nameOf(this.#attacker)} × ${nameOf(this.#defender)}</p>` : nothing}
      <p>${t(`${key}_text`)}</p>
      ${open ? html`<p><small>${t('st_combat_open')}</small></p>` : this.#reveal()}
      <button class="primary big" @click=${() => this.#next()}>${t('st_combat_next')}</button>`
  }

  /** ST-11: the attacker sees what he attacked; with `captives` the attacked player what fell to him. */
  #reveal() {
    const fell = this.captives && this.#result?.outcome !== 'defender_lost'
    return html`${this.#only('attacker')}${fell ? this.#only('defender') : nothing}<p><small>${t('st_combat_silent')}</small></p>`
  }

  #only(viewer) {
    const [seat, rank, button, turn_, it] = viewer === 'attacker'
      ? ['blue', this.#defender, 'st_combat_only', 'st_combat_turn', 'st_combat_it_was']
      : ['red', this.#attacker, 'st_combat_only_defender', 'st_combat_turn_defender', 'st_combat_it_came']
    const turn = () => { this.#shown = this.#shown === viewer ? '' : viewer; this.redraw() }
    return html`<section class="panel st-only" data-viewer=${viewer}>${this.#shown === viewer ? html`<div class="st-pair">${token(seat, rank)}</div><p role="status">${t(it, { name: nameOf(rank) })}</p>
        <button @click=${turn}>${t('st_combat_hide')}</button>` : html`<p>${t(turn_)}</p><button @click=${turn}>${t(button)}</button>`}</section>`
  }
}
