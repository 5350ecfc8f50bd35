/** Setting a table: which game, by which rules, who sits where; and the invitations to it. */
import { html, nothing } from './lib/lit-html.js'
import { correction, generate } from './lib/lean-qr.js'
import { Problem, draw, hex, seatIndex, unhex } from './refereed.js'
import { forget, load, recall, remember, save } from './keeper.js'
import { t, teach } from './words.js'

teach({
  en: { told: 'What the phones are told', told_moves: 'Every move', told_moves_text: 'The board is on the screen. The referee sees each move and says what is allowed.',
    told_combats: 'Only combats: the board is on the table', told_combats_text: 'You play with real pieces and have a phone each. Type in nothing but who attacks and what stands there; moves, and whose turn it is, you see to yourselves.' },
  cs: { told: 'Co se telefonům říká', told_moves: 'Každý tah', told_moves_text: 'Deska je na displeji. Rozhodčí vidí každý tah a řekne, co je dovoleno.',
    told_combats: 'Jen souboje: deska je na stole', told_combats_text: 'Hrajete s opravdovými figurami, každý má telefon. Zadává se jen to, kdo útočí a co tam stojí; na tahy a na to, kdo je na řadě, dohlížíte sami.' },
})

export const GAMES = ['stratego', 'engarde', 'roquefort']
/** For play in one go, and by post. */
const CLOCKS = { '5+5': { initial_s: 300, increment_s: 5 }, '15+10': { initial_s: 900, increment_s: 10 }, '30+15': { initial_s: 1800, increment_s: 15 },
  '1d': { per_move_s: 86400 }, '3d': { per_move_s: 259200 }, '7d': { per_move_s: 604800 } }
const CUSTODY = { stratego: ['referee', 'players'], engarde: ['referee', 'table'], roquefort: ['referee', 'table'] }

/** As much of a name as the referee takes: 40 bytes, and no character in halves.
 * @param {string} text @returns {string} */
export function nameOf(text) {
  const bytes = new TextEncoder()
  const parts = globalThis.Intl?.Segmenter ? [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment) : [...text]
  let name = ''
  for (const part of parts) {
    if (bytes.encode(name + part).length > 40) break
    name += part
  }
  return name
}

/** Takes a seat and keeps what is needed to come back to it. Stored before it is sent: a line that
 * breaks just then costs nothing. What was begun is sent again as it was, name and all: under the
 * same key the same body. */
export async function sit(referee, { id, seat, invite = '', name = '', index, signal }) {
  const old = load(id, seat)
  const take = old?.take ?? { key: hex(draw()), invite, name: nameOf(name).trim(), index }
  const seed = old?.seed ?? hex(draw())
  save({ id, seat, name: take.name, seed, take })
  try {
    // A seed is committed to under the number of the seat; where that is not known, there is none.
    const known = take.index ?? seatIndex(seat)
    const game = await referee.take(id, seat, take.invite, { name: take.name, seed: known === undefined ? undefined : unhex(seed), index: known, key: take.key })
    save({ id, seat, credential: game.credential, take: undefined, ...(known === undefined && { seed: undefined }) })
    remember('name', name)
  } catch (problem) {
    if (problem instanceof Problem) { // refused, and so not made: nothing is left to come back to
      if (old && (old.host || old.credential)) save({ id, seat, take: old.host ? { ...take, key: hex(draw()) } : undefined })
      else forget(id, seat)
    }
    throw problem
  }
}

/** What a referee that is told only combats cannot see to. */
const UNSEEN = ['two_square', 'more_square', 'ply_limit', 'quiet_limit']

export class Create {
  /** @param {import('./refereed.js').Referee} referee @param {() => void} redraw @param {(to: string) => void} go
   * @param {{told?: string}} [asked] the board is here already */
  constructor(referee, redraw, go, { told } = {}) {
    this.referee = referee
    this.redraw = redraw
    this.go = go
    this.game = recall('last-game', 'stratego')
    this.sets = {}
    this.chosen = { variant: '', custody: 'referee', options: {}, players: 2, clock: '', seat: '', spectators: true, name: recall('name', '') }
    if (told) Object.assign(this, { game: 'stratego' }).chosen.options.told = told
    this.busy = false
    this.problem = ''
    this.load()
  }

  /** Is the board of cardboard, and are only combats told? */
  get #unseen() { return this.game === 'stratego' && this.chosen.options.told === 'combats' }

  /** Again after a change of language: the names of options come from the referee. */
  async load() {
    try { for (const id of GAMES) this.sets[id] = await this.referee.ruleset(id) } catch (problem) { this.problem = problem.message }
    this.redraw()
  }

  #pick(game) {
    this.game = game
    Object.assign(this.chosen, { variant: '', custody: 'referee', options: {}, seat: '', players: 2 })
    remember('last-game', game)
    this.redraw()
  }

  get variant() { return this.chosen.variant || this.sets[this.game]?.variants[0].id }

  get options() {
    return (this.sets[this.game]?.options ?? []).filter((option) => option.default[this.variant] !== undefined && option.name !== 'hand' &&
      !(this.#unseen && UNSEEN.includes(option.name)) && (!option.custody || option.custody.includes(this.chosen.custody)))
  }

  async start(event) {
    event.preventDefault()
    const { chosen, game } = this
    const set = this.sets[game]
    const seats = set.seats.slice(0, game === 'roquefort' ? chosen.players : set.players_max)
    const seat = seats.includes(chosen.seat) ? chosen.seat : seats[0]
    const options = Object.fromEntries(this.options.filter(({ name }) => chosen.options[name] !== undefined).map(({ name }) => [name, chosen.options[name]]))
    this.busy = true
    this.problem = ''
    this.redraw()
    try {
      const made = await this.referee.create({
        ruleset: game, variant: this.variant, custody: chosen.custody, options, spectators: chosen.spectators,
        ...(game === 'roquefort' && { players: chosen.players }),
        ...(chosen.clock && !this.#unseen && { clock: CLOCKS[chosen.clock] }),
      })
      const invites = Object.fromEntries(Object.entries(made.seats).filter(([one]) => one !== seat).map(([one, { invite }]) => [one, invite]))
      save({ id: made.id, seat, ruleset: game, variant: this.variant, custody: chosen.custody, host: made.host, invites,
        take: { key: hex(draw()), invite: made.seats[seat].invite, name: nameOf(chosen.name).trim(), index: set.seats.indexOf(seat) }, seed: hex(draw()) })
      await sit(this.referee, { id: made.id, seat, name: chosen.name })
      this.go(`#/game/${made.id}/${seat}`)
    } catch (problem) { this.problem = problem.message } finally { this.busy = false; this.redraw() }
  }

  draw() {
    const { chosen, game } = this
    const set = this.sets[game]
    const put = (key, value) => { chosen[key] = value; this.redraw() }
    const seats = set?.seats.slice(0, game === 'roquefort' ? chosen.players : 4) ?? []
    return html`<main class="page create"><h1>${t('new_game')}</h1>
      <div class="pick" role="group" aria-label=${t('new_game')}>${GAMES.map((id) => html`
        <button aria-pressed=${id === game} class="tile ${id} ${id === game ? 'on' : ''}" @click=${() => this.#pick(id)}>
          <span class="emblem ${id}" aria-hidden="true"></span><b>${t(`game_${id}`)}</b><small>${t(`about_${id}`)}</small></button>`)}</div>
      ${!set ? html`<p>${this.problem || t('loading')}</p>` : html`<form class="panel" @submit=${(event) => this.start(event)}>
        <label>${t('your_name')}<input name="name" maxlength="32" autocomplete="nickname" .value=${chosen.name} @input=${(event) => { chosen.name = event.target.value = nameOf(event.target.value) }}></label>
        ${set.variants.length > 1 ? html`<label>${t('variant')}<select name="variant" @change=${(event) => put('variant', event.target.value)}>
          ${set.variants.map((variant) => html`<option value=${variant.id} ?selected=${variant.id === this.variant}>${variant.title}</option>`)}</select></label>` : nothing}
        ${game === 'roquefort' ? html`<fieldset><legend>${t('players')}</legend><div class="chips">${[2, 3, 4].map((n) => html`<label class="chip"><input type="radio" name="players" .checked=${chosen.players === n} @change=${() => put('players', n)}>${n}</label>`)}</div></fieldset>` : nothing}
        <fieldset><legend>${t('your_seat')}</legend><div class="chips">${seats.map((seat) => html`<label class="chip seat-${seat}"><input type="radio" name="seat" .checked=${(chosen.seat || seats[0]) === seat} @change=${() => put('seat', seat)}><i aria-hidden="true"></i>${t(`seat_${seat}`)}</label>`)}</div></fieldset>
        ${this.options.some(({ name }) => name === 'told') ? html`<fieldset><legend>${t('told')}</legend>${['moves', 'combats'].map((one) => this.#choice('told', one, this.#unseen === (one === 'combats'), () => this.#tell(one)))}</fieldset>` : nothing}
        ${this.#unseen ? nothing : html`<label>${t('clock')}<select name="clock" @change=${(event) => put('clock', event.target.value)}>${['', ...Object.keys(CLOCKS)].map((one) => html`<option value=${one} ?selected=${one === chosen.clock}>${t(`clock_${one || 'none'}`)}</option>`)}</select></label>
        <fieldset><legend>${t('custody')}</legend>${CUSTODY[game].map((one) => this.#choice('custody', one, chosen.custody === one, () => put('custody', one)))}</fieldset>`}
        <label class="choice"><input type="checkbox" name="spectators" .checked=${chosen.spectators} @change=${(event) => put('spectators', event.target.checked)}><span>${t('spectators')}</span></label>
        <details><summary>${t('options')}</summary>${this.options.filter(({ name }) => name !== 'told').map((option) => this.#option(option))}</details>
        ${this.problem ? html`<p class="bad" role="alert">${this.problem}</p>` : nothing}
        <button class="primary big" ?disabled=${this.busy}>${t('start')}</button>
      </form>`}
    </main>`
  }

  #choice(name, value, checked, on) {
    return html`<label class="choice"><input type="radio" name=${name} value=${value} .checked=${checked} @change=${on}>
      <span><b>${t(`${name}_${value}`)}</b><small>${t(`${name}_${value}_text`)}</small></span></label>`
  }

  /** Players can keep their own faces only where the referee sees what they fight for. */
  #tell(told) {
    const { told: before, ...options } = this.chosen.options
    Object.assign(this.chosen, { options: told === 'combats' ? { ...options, told } : options, ...(told === 'combats' && { custody: 'referee' }) })
    this.redraw()
  }

  #option(option) {
    const { chosen } = this
    const given = chosen.options[option.name] ?? option.default[this.variant]
    const put = (value) => { chosen.options[option.name] = value; this.redraw() }
    if (option.type === 'boolean') return html`<label class="choice"><input type="checkbox" .checked=${given} @change=${(event) => put(event.target.checked)}><span>${option.text}</span></label>`
    const values = option.type === 'plate' ? ['A', 'B'] : option.values
    if (values) return html`<label>${option.text}<select @change=${(event) => put(event.target.value)}>${values.map((value) => html`<option value=${value} ?selected=${value === given}>${this.#word(value)}</option>`)}</select></label>`
    return html`<label>${option.text}<input type="number" min=${option.min} max=${option.max} .value=${String(given)} @change=${(event) => put(Number(event.target.value))}></label>`
  }

  #word(value) {
    for (const key of [`seat_${value}`, `value_${value}`]) if (t(key) !== key) return t(key)
    return value
  }
}

/** The ruleset comes with it, for a game that may not be watched does not tell it before one sits.
 * @param {string} id @param {string} seat @param {string} invite @param {string} ruleset */
export const inviteLink = (id, seat, invite, ruleset) => `${location.origin}/#/join/${id}/${seat}/${invite}?${ruleset}`

/** Into the clipboard, also where a page without TLS has none. @returns {Promise<boolean>} */
async function copied(text, input) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    input.focus()
    input.select()
    return document.execCommand('copy')
  }
}

/** Links and QR codes for the seats that are free. */
export function invitations(id, view, invites) {
  return html`${Object.entries(invites).filter(([seat]) => !view.seats[seat].taken).map(([seat, invite]) => {
    const link = inviteLink(id, seat, invite, view.ruleset)
    const copy = async (event) => {
      const said = event.currentTarget.parentNode.querySelector('[role=status]')
      if (await copied(link, event.currentTarget.parentNode.querySelector('.link'))) said.textContent = t('copied')
    }
    return html`<section class="panel invite seat-${seat}"><h2>${t('invite_title', { seat: t(`seat_${seat}`) })}</h2><p>${t('invite_text')}</p>
      ${code(link)}
      <div class="row"><button class="primary" @click=${copy}>${t('copy')}</button>
      <input class="link" readonly aria-label=${t('copy')} .value=${link} @focus=${(event) => event.target.select()}>
      ${navigator.share ? html`<button @click=${() => navigator.share({ title: 'refereed', url: link }).catch(() => {})}>${t('share')}</button>` : nothing}
      <button class="plain" @click=${() => print()}>${t('print')}</button> <span role="status"></span></div></section>`
  })}`
}

function code(link) {
  const qr = generate(link, { minCorrectionLevel: correction.M })
  let path = ''
  for (let y = 0; y < qr.size; y++) for (let x = 0; x < qr.size; x++) if (qr.get(x, y)) path += `M${x} ${y}h1v1h-1z`
  return html`<svg class="qr" role="img" aria-label="QR" viewBox="-3 -3 ${qr.size + 6} ${qr.size + 6}" shape-rendering="crispEdges"><rect x="-3" y="-3" width=${qr.size + 6} height=${qr.size + 6} fill="#fff"></rect><path d=${path} fill="#000"></path></svg>`
}
