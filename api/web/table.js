/**
 * One game on the screen: whatever all three games have in common. The board itself is drawn by the
 * game's own module (engarde.js, roquefort.js, stratego.js), which exports a Play.
 *
 * @typedef {import('./refereed.js').View} View
 * @typedef {import('./refereed.js').Move} Move
 * @typedef {import('./refereed.js').GameEvent} GameEvent
 * @typedef {Object<string, any>} Ui  what the player has picked up but not played; the module's own
 *
 * What a module gets whenever it draws:
 * @typedef {{
 *   view: View,                 the newest view; in a replay one made of open faces
 *   you: string | null,         the seat, null for spectators and replays
 *   acting: boolean,            this seat may move now, and nothing is on its way
 *   moves: Move[],              its legal moves, each ready for play()
 *   events: GameEvent[],        all so far
 *   last: GameEvent[],          those that came with the newest change
 *   ui: Ui,                     kept between draws, emptied by the table when a move was taken
 *   redraw: () => void,         after ui was changed
 *   play: (move: Move) => Promise<boolean>,   true: taken; refusals are shown by the table
 *   setup: (pieces: Object<string, string>) => Promise<boolean>,
 *   defend: (piece: string) => Promise<boolean>,   Stratego with only combats told: this one is attacked
 *   keep: import('./refereed.js').Keep | null,  players' custody: the faces that are here alone
 *   name: (seat: string) => string,
 *   replay: boolean,
 *   game: import('./refereed.js').Game,
 * }} Context
 *
 * @typedef {{
 *   id: string, seats: string[],
 *   board: (c: Context) => any,         the board, and what is needed to move on it
 *   side?: (c: Context) => any,         what lies beside it: losses, hands, cheeses
 *   setup?: (c: Context) => any,        status `setup`, this seat to act
 *   sent?: (c: Context) => any,         status `setup`, this seat has sent its own
 *   called?: (view: View) => boolean,   whether the window's title calls this seat; else whenever it may act
 *   hint?: (c: Context) => string,      what is asked of this seat now; '' for the table's own words
 *   tell: (event: GameEvent, c: Context) => string | null,  a line of the log; '' none, null the table's own
 *   replay: (transcript: any, events: GameEvent[], view: View) => {event: GameEvent, board: any}[],
 *       one board an event from `started` on, everything open; the last one is the end
 * }} Play
 */
import { html, nothing } from './lib/lit-html.js'
import { Keep, Problem, Witness, claimsOf, keep, revealed, unhex } from './refereed.js'
import { load, save } from './keeper.js'
import { language, t, teach } from './words.js'
import { ask, say } from './dialog.js'
import { engarde } from './engarde.js'
import { roquefort } from './roquefort.js'
import { stratego } from './stratego.js'
import { invitations, sit } from './create.js'

teach({
  en: { seat_lost: 'This seat was given to somebody else, or this device has an old key to it. Ask whoever runs the referee for a new invitation.',
    no_record: 'Nothing was played: there is nothing to replay.', own_check: 'This browser: signatures, chain and {n} faces', own_check_bad: 'This browser: {why}' },
  cs: { seat_lost: 'Toto místo dostal někdo jiný, nebo má toto zařízení starý klíč. Požádejte správce rozhodčího o novou pozvánku.',
    no_record: 'Nic se neodehrálo: není co přehrát.', own_check: 'Tento prohlížeč: podpisy, řetěz a tváře ({n})', own_check_bad: 'Tento prohlížeč: {why}' },
})

/** @type {Object<string, Play>} */
export const plays = { engarde, roquefort, stratego }

const ended = (view) => ['over', 'aborted'].includes(view?.status)

export class Table {
  #stop = new AbortController()
  /** @type {ReturnType<typeof setInterval> | null} */
  #ticking = null
  /** @type {Ui} */
  #ui = {}
  #last = []
  #gone = ''
  #proved = null
  #ownChecked = null
  #answering = ''
  #replay = null
  #rulings = {}

  /**
   * @param {import('./refereed.js').Referee} referee @param {string} id
   * @param {string} seat '' to watch @param {() => void} redraw
   */
  constructor(referee, id, seat, redraw) {
    this.referee = referee
    this.id = id
    this.seat = seat
    this.redraw = redraw
    this.record = load(id, seat) ?? { id, seat, at: 0 }
    this.#begin()
    this.keep = this.record.kept ? Keep.from(this.record.kept) : null
  }

  #begin() {
    const { id, seat, record } = this
    this.game = this.referee.game(id, record.credential ?? null, { seed: record.seed ? unhex(record.seed) : undefined })
    if (record.keys) this.game.witness.keys = record.keys
    this.game.onpending = (pending) => { if (record.at) save({ id, seat, pending }) }
  }

  /** @returns {Play | undefined} */
  get play() { return plays[this.game.view?.ruleset ?? ''] }

  async open() {
    if (this.record.take && !this.record.credential) { // the page was left while it sat down
      try { await sit(this.referee, { id: this.id, seat: this.seat }) } catch (problem) { this.#leave(problem); return }
      if (this.#stop.signal.aborted) return
      this.record = load(this.id, this.seat) ?? this.record
      this.#begin()
    }
    this.game.follow({
      signal: this.#stop.signal,
      line: () => this.redraw(),
      verdict: () => this.#pin(),
      change: (_, news) => this.#changed(news),
    }).catch((problem) => this.#leave(problem))
    const pending = this.record.pending
    if (pending) this.#send(() => this.game.resume(pending, this.#waiting()))
  }

  close() {
    this.#stop.abort()
    clearInterval(this.#ticking ?? undefined)
    if (this.#replay?.timer) clearInterval(this.#replay.timer)
  }

  /** In another language: what the referee says. */
  load() {
    this.#rulings = {}
    if (this.game.view) this.#learn(this.game.view)
  }

  #leave(problem) {
    if (this.#stop.signal.aborted) return
    this.#gone = problem.status === 401 && this.seat ? t('seat_lost') : problem.message
    document.title = 'refereed'
    this.redraw()
  }

  #learn({ ruleset }) {
    const { language: asked } = this.referee
    this.#rulings.en = ' '
    this.referee.ruleset(ruleset).then((set) => {
      if (asked !== this.referee.language) return
      this.#rulings = { en: ' ', ...Object.fromEntries(set.rulings.map((ruling) => [ruling.id, ruling.text])) }
      this.redraw()
    }).catch(() => { this.#rulings = {} })
  }

  #pin() { // the first key seen is the one that is trusted from then on, and vouches for those after it
    const { keys } = this.game.witness
    if (keys && this.record.at && String(keys) !== String(this.record.keys))
      this.record = save({ id: this.id, seat: this.seat, keys })
  }

  #changed(news) {
    const { view } = this.game
    if (news.length) { this.#last = news; this.#ui = {} }
    // Not if another tab has removed it meanwhile: what is forgotten stays forgotten.
    if (view && this.record.at && load(this.id, this.seat))
      this.record = save({ id: this.id, seat: this.seat, ruleset: view.ruleset, variant: view.variant, custody: view.custody, over: ended(view),
        ...(view.status !== 'waiting' && { invites: undefined }) }) // they are spent
    if (view && this.play && !this.#rulings.en) this.#learn(view)
    document.title = this.#acts() && this.play?.called?.(/** @type {View} */ (view)) !== false ? `${t('turn_title')} · refereed` : 'refereed'
    this.redraw()
    this.#duties()
  }

  #acts() {
    const { view } = this.game
    return !!view?.you && view.to_act.includes(view.you)
  }

  /** What is not a player's choice: seeds, openings that are asked for, the audit. */
  async #duties() {
    const { game } = this
    const { view } = game
    if (!view || !this.#acts() || game.pending) return
    if (this.keep) this.keep.follow(game.events)
    const once = `${view.status} ${view.seq}`
    if (this.#answering === once) return
    if (view.status === 'seeding' && game.seed) {
      this.#answering = once
      await this.#send(() => game.reveal())
    } else if (view.status === 'challenge' && this.keep?.seq === view.seq) {
      const answer = this.keep.answer()
      this.#answering = once
      if (answer) await this.#send(() => game.change(answer.route, answer.body, { match: true, ...this.#waiting() }))
    } else if (view.status === 'audit' && this.keep) {
      this.#answering = once
      const body = this.keep.audit(view.status)
      await this.#send(() => game.audit(body))
    }
  }

  #waiting() { return { signal: this.#stop.signal, waiting: () => this.redraw() } }

  /** Sends, and shows what was refused. @param {() => Promise<any>} send @returns {Promise<boolean>} */
  async #send(send) {
    try {
      const sent = send()
      this.redraw()
      await sent
      this.#ui = {}
      return true
    } catch (problem) {
      // A seat that is lost is told by the page, once, when the stream says so too.
      if (!this.#stop.signal.aborted && !this.#gone) this.refuse(problem)
      return false
    } finally {
      if (!this.#stop.signal.aborted && !this.#gone) {
        await this.game.refresh().catch(() => {})
        this.#changed([])
      }
    }
  }

  /** @param {Problem | Error} problem */
  refuse(problem) {
    if (!(problem instanceof Problem)) return void say({ title: t('refused'), text: problem.message })
    if (problem.code === 'stale') return void say({ title: t('refused'), text: t('stale') })
    const { ruling } = problem
    say({
      title: problem.title || t('refused'),
      text: problem.message,
      more: ruling ? html`<p class="ruling"><a href="/rules/${this.game.view?.ruleset}#${ruling}" target="_blank" rel="noopener">${t('by_ruling', { ruling })}</a> ${this.#rulings[ruling] ?? ''}</p>` : nothing,
    })
  }

  name = (seat) => {
    const name = this.game.view?.seats[seat]?.name
    const own = seat === this.game.view?.you
    return name ?? (own ? t('me') : t(`seat_${seat}`))
  }

  /** @returns {Context} */
  #context() {
    const { game } = this
    const view = /** @type {View} */ (game.view)
    const at = this.#replay?.frames[this.#replay.at]
    if (this.keep) this.keep.follow(game.events.filter((event) => event.seq <= view.seq))
    return {
      view: at ? { ...view, board: at.board, to_act: [] } : view,
      you: view.you,
      acting: !at && this.#acts() && !game.pending && game.line !== 'waiting',
      moves: at ? [] : game.moves,
      events: at ? game.events.filter((event) => event.seq <= at.event.seq) : game.events,
      last: at ? [at.event] : this.#last,
      ui: this.#ui,
      redraw: this.redraw,
      play: (move) => this.#play(move),
      setup: (pieces) => this.#setup(pieces),
      defend: (piece) => this.#send(() => game.defend({ piece }, this.#waiting())),
      keep: this.keep,
      name: this.name,
      replay: !!at,
      game,
    }
  }

  #play(move) {
    if (this.keep) {
      let body
      try { body = this.keep.move(move.from, move.to) } catch (error) { this.refuse(error); return Promise.resolve(false) }
      return this.#send(() => this.game.play(body.move, body.open, this.#waiting()))
    }
    return this.#send(() => this.game.play(move, undefined, this.#waiting()))
  }

  #setup(pieces) {
    const { view } = this.game
    if (view?.custody !== 'players') return this.#send(() => this.game.setup({ pieces }, this.#waiting()))
    try {
      this.keep = keep({ game: this.id, seat: /** @type {any} */ (view.you), variant: view.variant, pieces })
    } catch (error) { this.refuse(error); return Promise.resolve(false) }
    this.record = save({ id: this.id, seat: this.seat, kept: this.keep.toJSON() })
    return this.#send(() => this.game.setup(/** @type {Keep} */ (this.keep).commitments(), this.#waiting()))
  }

  // ---- drawing ----

  draw() {
    if (this.#gone) return html`<main class="page"><h1>${t('not_found_page')}</h1><p>${t('gone', { why: this.#gone })}</p><p><a href="#/">${t('back')}</a></p></main>`
    const { view } = this.game
    if (!view || !this.play) return html`<main class="page"><p>${t('loading')}</p></main>`
    const c = this.#context()
    return html`<main class="table ${view.ruleset}">
      <section class="field" aria-label=${t(`game_${view.ruleset}`)}>
        ${this.#head(c)}
        ${this.#middle(c)}
        ${this.#replayBar()}
      </section>
      <aside class="beside">
        ${this.#result()}
        ${view.board && this.play.side ? this.play.side(c) : nothing}
        ${this.#keeping()}
        ${this.#actions()}
        ${this.#log(c)}
        ${this.#proof()}
      </aside>
    </main>`
  }

  #head(c) {
    const { view, line, pending } = this.game
    const you = view.you
    return html`<header class="who">
      ${Object.entries(view.seats).map(([seat]) => html`<span class="seat seat-${seat} ${view.to_act.includes(seat) ? 'acts' : ''} ${seat === you ? 'own' : ''}">
        <i aria-hidden="true"></i><b>${this.name(seat)}</b>${seat === you ? html` <small>${t('me')}</small>` : nothing}</span>`)}
    </header>
    <p class="hint ${c.acting ? 'now' : ''}" role="status" aria-live="polite">${line === 'waiting' ? t('line_waiting') : pending ? t('sending') : this.#hint(c)}
      ${view.answer_by && !view.clock?.running.length ? html`<small>${t('answer_by', { time: new Date(view.answer_by).toLocaleString(language()) })}</small>` : nothing}</p>
    ${this.#clocks()}`
  }

  /** What is left to each seat. Only those that run change, so screen readers are left in peace. */
  #clocks() {
    const { view, viewedAt } = this.game
    if (!view.clock) return nothing
    const runs = view.clock.running.length > 0
    if (runs && !this.#ticking) this.#ticking = setInterval(() => this.redraw(), 1000)
    if (!runs) { clearInterval(this.#ticking); this.#ticking = null }
    return html`<ul class="clocks" aria-label=${t('clocks')}>${Object.entries(view.clock.left_ms).map(([seat, left]) => {
      const on = view.clock.running.includes(seat)
      const ms = Math.max(0, on ? left - (Date.now() - viewedAt) : left)
      return html`<li class="seat-${seat} ${on ? 'on' : ''} ${ms < 30000 ? 'short' : ''}"><i aria-hidden="true"></i>${this.name(seat)} <b role="timer">${timeLeft(ms)}</b></li>`
    })}</ul>`
  }

  #hint(c) {
    const { view } = this.game
    if (ended(view)) return this.#outcome()
    const own = this.play?.hint?.(c)
    if (own) return own
    const others = view.to_act.filter((seat) => seat !== view.you).map(this.name).join(', ')
    if (view.status === 'waiting') return t('waiting_seats', { seats: Object.keys(view.seats).filter((seat) => !view.seats[seat].taken).map((seat) => t(`seat_${seat}`)).join(', ') })
    if (view.status === 'seeding') return t('seeding')
    if (view.status === 'audit') return t('audit_wait')
    if (this.#acts()) return t('your_turn')
    if (view.status === 'setup') return view.you ? t('setting_up') : t('they_act', { name: others })
    return t(view.you ? 'turn_of' : 'turn_of', { name: others })
  }

  #outcome() {
    const { result, you, status } = this.game.view
    if (status === 'aborted' || !result) return t('aborted')
    const how = t(`reason_${result.reason}`)
    const who = !result.winner ? t('drawn') : result.winner === you ? t('you_won') : t('won', { name: this.name(result.winner) })
    return `${who}: ${how}`
  }

  #middle(c) {
    const { view } = this.game
    if (view.status === 'waiting') return this.#lobby()
    if (view.custody === 'players' && view.you && !this.keep && ['playing', 'challenge', 'audit'].includes(view.status)) return this.#missing()
    if (view.status === 'setup' && this.play.setup && this.#acts()) return this.play.setup(c)
    if (view.status === 'setup' && this.play.sent && view.you) return this.play.sent(c)
    if (view.board || c.view.board) return this.play.board(c)
    return html`<div class="quiet-board"></div>`
  }

  #lobby() {
    const { invites } = this.record
    return html`<div class="lobby">${invites ? invitations(this.id, this.game.view, invites) : nothing}</div>`
  }

  #missing() {
    const take = async (event) => {
      try {
        this.keep = Keep.from(await event.target.files[0].text())
        if (this.keep.game !== this.id) throw new Error(t('secret_missing'))
        this.record = save({ id: this.id, seat: this.seat, kept: this.keep.toJSON() })
        this.#changed([])
      } catch (error) { this.keep = null; this.refuse(error) }
    }
    return html`<div class="warning"><p>${t('secret_missing')}</p><label class="button">${t('import_secret')}<input type="file" accept=".json" hidden @change=${take}></label></div>`
  }

  #keeping() {
    const { view } = this.game
    if (!this.keep || ended(view)) return nothing
    return html`<section class="panel warning"><p>${t('secret_warning')}</p>
      <button @click=${() => download(`refereed-${this.id}-${view.you}.json`, this.keep.toJSON())}>${t('export_secret')}</button></section>`
  }

  #result() {
    const { view } = this.game
    if (!ended(view)) return nothing
    return html`<section class="panel result ${view.result?.winner && view.result.winner === view.you ? 'won' : ''}">
      <h2>${this.#outcome()}</h2>
      ${view.result?.ruling ? html`<p class="ruling"><a href="/rules/${view.ruleset}#${view.result.ruling}" target="_blank" rel="noopener">${t('by_ruling', { ruling: view.result.ruling })}</a> ${this.#rulings[view.result.ruling] ?? ''}</p>` : nothing}
      <div class="row"><button class="primary" @click=${() => this.#openReplay()}>${t('replay')}</button>
      <button @click=${() => this.#verify()}>${t('verify')}</button>
      <button @click=${() => this.#download()}>${t('download')}</button></div>
      ${this.#proved ? html`<div class="verdict ${this.#proved.ok ? 'good' : 'bad'}"><p><b>${t(this.#proved.ok ? 'verified' : 'not_verified')}</b></p>
        <ul>${this.#proved.checks.map((check) => html`<li class=${check.ok ? 'good' : 'bad'}>${check.detail}</li>`)}</ul><p><small>${t('verify_text')}</small></p></div>` : nothing}
    </section>`
  }

  #actions() {
    const { view, game } = { view: this.game.view, game: this.game }
    if (ended(view)) return nothing
    const { you } = view
    const offers = view.draw_offered ?? []
    const others = offers.filter((seat) => seat !== you)
    const sure = async (text, act) => { if (await ask(t(text))) this.#send(act) }
    const host = this.record.host && ['waiting', 'seeding', 'setup'].includes(view.status)
    return html`<section class="actions row" aria-label=${t('menu')}>
      ${others.length && you ? html`<p>${t('draw_offered_by', { name: others.map(this.name).join(', ') })}</p>
        <button class="primary" @click=${() => this.#send(() => game.offer('accept'))}>${t('accept_draw')}</button>
        <button @click=${() => this.#send(() => game.offer('decline'))}>${t('decline_draw')}</button>` : nothing}
      ${you && view.status === 'playing' && !offers.length ? html`<button @click=${() => this.#send(() => game.offer('offer'))}>${t('offer_draw')}</button>` : nothing}
      ${this.keep && view.status === 'playing' && this.#acts() ? html`<button title=${t('claim_text')} @click=${() => sure('claim_text', () => game.claim(this.keep.claim()))}>${t('claim')}</button>` : nothing}
      ${you && ['setup', 'playing', 'challenge'].includes(view.status) ? html`<button class="plain" @click=${() => sure('resign_sure', () => game.resign())}>${t('resign')}</button>` : nothing}
      ${host ? html`<button class="plain" @click=${() => sure('abort_sure', () => this.referee.game(this.id, this.record.host).abort())}>${t('abort')}</button>` : nothing}
    </section>`
  }

  #log(c) {
    const lines = c.events.map((event) => [event, this.#line(event, c)]).filter(([, line]) => line)
    return html`<details class="panel log" open><summary>${t('log')}</summary>
      <ol reversed tabindex="0" aria-label=${t('log')}>${lines.reverse().slice(0, 200).map(([event, line]) => html`<li value=${event.seq}><span>${line}</span></li>`)}</ol></details>`
  }

  #line(event, c) {
    const own = this.play.tell(event, c)
    if (own !== null && own !== undefined) return own
    const name = event.seat ? this.name(event.seat) : ''
    if (event.type === 'offered' && event.accepts) return t('accepted', { name })
    if (event.type === 'ended') return `${t('ended')}`
    const line = t(event.type, { name, note: event.note, s: event.s })
    return line === event.type ? '' : line
  }

  #proof() {
    const { witness } = this.game
    const chain = witness.verdicts.filter((verdict) => verdict.name === 'chain' && verdict.ok).length
    this.#checkOwn()
    return html`<details class="panel proof ${witness.ok ? 'good' : 'bad'}"><summary>${t('proof')}
        <span class="seal" aria-hidden="true">${witness.ok ? '✓' : '✗'}</span></summary>
      <p>${witness.ok ? t('proof_ok', { n: chain, faces: witness.faces.size }) : t('proof_bad')}</p>
      ${witness.verdicts.filter((verdict) => !verdict.ok).map((verdict) => html`<p class="bad">#${verdict.seq} ${verdict.component ?? ''} ${verdict.detail}</p>`)}
      ${this.#ownChecked === true ? html`<p>${t('proof_own')}</p>` : nothing}
      ${this.#ownChecked === false ? html`<p class="bad">${t('proof_bad')}</p>` : nothing}
      ${(witness.keys ?? []).slice(0, 1).map((key) => html`<p><small>${t('proof_key')}: <code>${key}</code></small></p>`)}
    </details>`
  }

  /** Stratego: is what was published for one's own side what one has set up? Asked once. */
  async #checkOwn() {
    const { game } = this
    const { commitments } = game.witness
    if (this.#ownChecked !== null || game.view?.ruleset !== 'stratego' || !game.view.you || !commitments.started) return
    this.#ownChecked = undefined
    if (this.keep) this.#ownChecked = this.keep.check(commitments)
    else if (game.view.custody === 'referee') {
      const own = await game.get('/setup').catch(() => null)
      if (own?.secret) {
        const shown = revealed(own.secret, /** @type {any} */ (game.view.you), commitments)
        const pieces = own.pieces ?? {}
        this.#ownChecked = commitments.setupsFit() && Object.entries(pieces).every(([square, face]) => shown[square] === face)
      }
    }
    if (this.#ownChecked !== undefined) this.redraw()
  }

  async #verify() {
    try {
      const transcript = await this.game.transcript()
      const proved = await this.referee.verify({ transcript })
      const { witness } = this.game
      const own = new Witness(this.id, witness.keys)
      await own.seeRecord(transcript)
      const ok = own.ok && (!witness.seq || own.link === witness.link)
      const why = own.verdicts.find((verdict) => !verdict.ok)?.detail ?? t('proof_bad')
      const detail = ok ? t('own_check', { n: own.faces.size }) : t('own_check_bad', { why })
      this.#proved = { ok: proved.ok && ok, checks: [{ name: 'own', ok, detail }, ...proved.checks] }
    } catch (problem) { this.refuse(problem) }
    this.redraw()
  }

  async #download() {
    try { download(`refereed-${this.id}.json`, await this.game.transcript()) } catch (problem) { this.refuse(problem) }
  }

  async #openReplay() {
    try {
      const transcript = await this.game.transcript()
      const events = transcript.events.map(({ token }) => claimsOf(token))
      const frames = this.play.replay(transcript, events, this.game.view)
      if (frames.length) this.#replay = { frames, at: 0, timer: null }
      else say({ title: t('replay'), text: t('no_record') })
    } catch (problem) { this.refuse(problem) }
    this.redraw()
  }

  #replayBar() {
    const replay = this.#replay
    if (!replay) return nothing
    const go = (at) => { replay.at = Math.max(0, Math.min(replay.frames.length - 1, at)); this.redraw() }
    const run = () => {
      if (replay.timer) { clearInterval(replay.timer); replay.timer = null; this.redraw(); return }
      if (replay.at === replay.frames.length - 1) replay.at = 0
      replay.timer = setInterval(() => {
        if (replay.at >= replay.frames.length - 1 || this.#stop.signal.aborted) { clearInterval(replay.timer); replay.timer = null }
        go(replay.at + 1)
      }, 700)
      this.redraw()
    }
    return html`<div class="replay" role="group" aria-label=${t('replay')}>
      <button aria-label=${t('first_move')} @click=${() => go(0)}>❚◀</button>
      <button aria-label=${t('step_back')} @click=${() => go(replay.at - 1)}>◀</button>
      <button aria-label=${replay.timer ? t('halt') : t('play_on')} @click=${run}>${replay.timer ? '❚❚' : '▶▶'}</button>
      <button aria-label=${t('step_on')} @click=${() => go(replay.at + 1)}>▶</button>
      <button aria-label=${t('last_move')} @click=${() => go(replay.frames.length - 1)}>▶❚</button>
      <input type="range" min="0" max=${replay.frames.length - 1} .value=${String(replay.at)} aria-label=${t('replay')} @input=${(event) => go(Number(event.target.value))}>
      <output>${replay.at + 1}/${replay.frames.length}</output>
    </div>`
  }
}

/** @param {number} ms */
function timeLeft(ms) {
  const s = Math.ceil(ms / 1000)
  const two = (n) => String(n).padStart(2, '0')
  if (s >= 86400) return t('clock_days', { d: Math.floor(s / 86400), h: Math.floor(s / 3600) % 24 })
  const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
  return s >= 3600 ? `${Math.floor(s / 3600)}:${rest}` : rest
}

/** Gives the browser a file. @param {string} name @param {any} data */
export function download(name, data) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

