/** Pages that are interrupted: by a daemon that dies, a network that goes, a reload, a second tab; and
 * what a page keeps, sends and may run. Moves of the boards are no matter here: what is sent from the
 * page is an offer of a draw, which every game has. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Browser, Daemon, barriers, setTable, sitDown } from './lib.mjs'
import { Referee } from '../../api/web/refereed.js'

const keys = mkdtempSync(join(tmpdir(), 'refereed-keys-'))
const program = `${process.env.B ?? '../../build'}/refereed`
const token = execFileSync(program, ['keygen', keys]).toString()
const operator = /rfs_[\w-]+/.exec(token)?.[0] ?? execFileSync('cat', [join(keys, 'operator.token')]).toString().trim()
const daemon = await new Daemon(['--operator-token-file', join(keys, 'operator.token')]).start()
const browser = await new Browser().start()
const referee = new Referee(daemon.base)
const away = /Failed to load resource|ERR_|net::/ // what a browser says of a daemon or a network that is gone
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(what, said, ms = 30000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) if (await what()) return
  assert.fail(`it never came to this: ${said}`)
}

/** A person whose requests to other hosts, and whose page's breaches of its policy, fail the test. */
async function person(options = {}) {
  const page = await browser.person(options)
  page.context().on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (['http:', 'https:', 'ws:', 'wss:'].includes(protocol) && host !== new URL(daemon.base).host) browser.complaints.push(`asked ${host}`)
  })
  if (!options.violates) await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)))
  return page
}

const records = (page) => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('refereed/game/')).map(([, text]) => JSON.parse(text)))
const record = async (page) => (await records(page)).sort((a, b) => b.at - a.at)[0]
/** The game as the seat of this page has it, by way of node. */
async function mine(page) {
  const { id, credential } = await record(page)
  return referee.game(id, credential)
}
/** So many events the page has seen and checked. */
const seen = (page) => page.evaluate(() => Number(/\d+/.exec(document.querySelector('.proof p')?.textContent ?? '0')))
const good = (page) => page.locator('.proof.good').count()
const atTruth = async (page) => {
  const game = await mine(page)
  await until(async () => (await seen(page)) === (await game.refresh()).seq, 'the page has seen all')
  assert.equal(await good(page), 1)
}
const mark = (page) => page.evaluate(() => { globalThis.marked = true })
const unmarked = async (page) => assert.equal(await page.evaluate(() => globalThis.marked), true, 'the page was loaded anew')
/** A move by whoever is to act, from node. */
async function move(...pages) {
  for (const page of pages) {
    const game = await mine(page)
    const view = await game.refresh()
    if (!view.to_act.includes(view.you)) continue
    await game.play(game.moves[0])
    return
  }
}
const count = async (page, type) => (await (await mine(page)).get('/events?after=0')).events.filter((event) => event.type === type).length
const begin = async (ann, bob, options) => {
  const links = await setTable(ann, daemon.base, { game: 'engarde', ...options })
  await sitDown(bob, Object.values(links)[0])
  await until(async () => (await (await mine(bob)).refresh()).status === 'playing', 'it begins') // seeds are revealed by the pages
  await atTruth(ann)
  await atTruth(bob)
  return links
}
const draws = (page) => page.getByRole('button', { name: 'Offer a draw' })

const tests = {
  async 'kill -9, an offline browser, a second tab'() {
    const ann = await person({ expect: away })
    const bob = await person({ expect: away, size: 'phone' })
    await begin(ann, bob)
    for (const page of [ann, bob]) await mark(page)
    await move(ann, bob)
    await daemon.kill()
    for (const page of [ann, bob]) await page.getByText('The line is down').waitFor()
    await daemon.start()
    for (const page of [ann, bob]) await page.getByText('The line is down').waitFor({ state: 'detached', timeout: 60000 })
    await move(ann, bob)
    for (const page of [ann, bob]) { await atTruth(page); await unmarked(page) }

    await bob.context().setOffline(true)
    await bob.getByText('The line is down').waitFor()
    await move(ann, bob)
    await atTruth(ann)
    await bob.context().setOffline(false)
    await bob.getByText('The line is down').waitFor({ state: 'detached', timeout: 20000 })
    await atTruth(bob)
    await unmarked(bob)

    const tab = await ann.context().newPage()
    await tab.goto(ann.url())
    await atTruth(tab)
    await move(ann, bob)
    for (const page of [ann, tab, bob]) await atTruth(page)
    assert.equal(await tab.locator('.hint').textContent(), await ann.locator('.hint').textContent())
  },

  async 'a reload while a change is on its way; two tabs that take it up'() {
    for (const tabs of [1, 2]) {
      const ann = await person({ expect: away })
      const bob = await person({ expect: away })
      await begin(ann, bob)
      const held = []
      await ann.context().route('**/draw', (route) => { held.push(route) })
      await draws(ann).click()
      await until(() => held.length === 1, 'the request is held')
      const { pending } = await record(ann)
      assert.match(pending.path, /\/draw$/)
      assert.equal(await count(ann, 'offered'), 0)
      const [first] = held
      const others = []
      if (tabs === 1) {
        await ann.reload()
      } else {
        const tab = await ann.context().newPage()
        await tab.goto(ann.url())
        others.push(tab)
      }
      await until(() => held.length === 2, 'it was taken up')
      assert.equal(held[1].request().headers()['idempotency-key'], pending.key)
      // The one that was lost in the reload arrives all the same.
      if (tabs === 1) await fetch(first.request().url(), { method: 'POST', headers: await first.request().allHeaders(), body: first.request().postData() })
      await ann.context().unroute('**/draw')
      for (const route of held) await route.continue().catch(() => {})
      await until(async () => (await record(ann)).pending === null, 'it is answered')
      assert.equal(await count(ann, 'offered'), 1)
      for (const page of [ann, ...others]) {
        await atTruth(page)
        assert.equal(await page.locator('dialog').count(), 0, 'something was refused')
      }
      await bob.getByText('offers a draw').first().waitFor()
    }
  },

  async 'a reload while somebody sits down'() {
    const ann = await person({ expect: away })
    let held = 0
    await ann.context().route('**/seats/*', (route) => { held++; return held === 1 ? undefined : route.continue() })
    await ann.goto(`${daemon.base}/#/new`)
    await ann.locator('.tile.engarde').click()
    await ann.locator('button.primary.big').click()
    await until(() => held === 1, 'the seat is asked for')
    await ann.goto(`${daemon.base}/`)
    await ann.locator('.games a').first().click()
    await ann.locator('.invite').waitFor()
    assert.ok((await record(ann)).credential)
    // And who was invited and pressed twice, with another name, sits as he said first.
    const bob = await person({ expect: away })
    let lost = true
    await bob.context().route('**/seats/*', (route) => { if (lost) { lost = false; return } return route.continue() })
    await bob.goto(await ann.locator('.invite .link').inputValue())
    await bob.locator('input[name=name]').fill('Bob')
    await bob.locator('button.primary.big').click()
    await until(() => !lost, 'the seat is asked for')
    await bob.reload()
    await bob.locator('input[name=name]').fill('Robert')
    await bob.locator('button.primary.big').click()
    await ann.locator('main.table', { hasText: 'Bob' }).waitFor()
  },

  async 'what a page keeps'() {
    const ann = await person()
    const bob = await person()
    const links = await begin(ann, bob)
    const invite = /rfs_[\w-]+/.exec(Object.values(links)[0])[0]
    await move(ann, bob)
    await atTruth(bob)
    for (const page of [ann, bob]) {
      const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }))
      assert.ok(!kept.includes(invite), 'the invite is kept')
      const allowed = ['id', 'seat', 'ruleset', 'variant', 'custody', 'name', 'credential', 'seed', 'host', 'pending', 'keys', 'at', 'over']
      assert.deepEqual(Object.keys(await record(page)).filter((key) => !allowed.includes(key)), [])
      assert.ok(!/hands|board|moves|face|"card/.test(kept), kept)
      assert.ok(!page.url().includes('rfs_'))
      const session = await page.context().newCDPSession(page)
      const { entries } = await session.send('Page.getNavigationHistory')
      assert.ok(entries.every(({ url }) => !url.includes('rfs_')), 'the invite is in the history')
      assert.ok(!(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes('rfs_'))
    }
  },

  async 'what a page may run'() {
    const eve = await person({ violates: true, expect: /Content Security Policy|TrustedScript|Trusted|policy/i })
    await eve.goto(daemon.base)
    await eve.locator('.hero').waitFor()
    const tried = await eve.evaluate(async () => {
      const said = []
      document.addEventListener('securitypolicyviolation', (event) => said.push(event.violatedDirective))
      const inline = document.createElement('script')
      try { inline.append('globalThis.hacked = 1'); document.body.append(inline) } catch { said.push('thrown') }
      try { document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="globalThis.hacked = 2">') } catch { said.push('thrown') }
      await fetch('http://localhost:1/').catch(() => said.push('thrown'))
      await new Promise((resolve) => setTimeout(resolve, 300))
      // By now the debugger, which may do all, is not the one that runs this.
      try { (0, eval)('globalThis.hacked = 3') } catch { said.push('thrown') }
      return { hacked: globalThis.hacked, said }
    })
    assert.equal(tried.hacked, undefined)
    assert.ok(tried.said.length >= 4, String(tried.said))
    browser.complaints = browser.complaints.filter((text) => text !== 'asked localhost:1')
    // That is what barriers() is worth: it finds what is planted.
    await eve.evaluate(() => {
      const [pale, nameless] = [document.createElement('p'), document.createElement('button')]
      pale.textContent = 'hardly to be read'
      pale.style.color = '#ddd'
      pale.style.background = '#fff'
      document.querySelector('main').append(pale, nameless)
    })
    const found = (await barriers(eve)).map((text) => text.split(':')[0])
    assert.deepEqual(found.sort(), ['button-name', 'color-contrast'])
  },

  async 'without TLS there is neither clipboard nor crypto.subtle'() {
    const ann = await person()
    await ann.addInitScript(() => {
      for (const [of, name] of [[Navigator.prototype, 'clipboard'], [Navigator.prototype, 'share'], [Crypto.prototype, 'subtle']])
        Object.defineProperty(of, name, { configurable: true, value: undefined })
    })
    const links = await setTable(ann, daemon.base, { game: 'engarde' })
    await ann.getByRole('button', { name: 'Copy link' }).click()
    await ann.locator('.invite [role=status]', { hasText: 'Copied' }).waitFor()
    assert.equal(await ann.evaluate(() => getSelection().toString()), Object.values(links)[0])
    const bob = await person()
    await sitDown(bob, Object.values(links)[0])
    await atTruth(ann)
    assert.ok((await seen(ann)) >= 5)
  },

  async 'names of all sorts; a game that nobody may watch'() {
    const ann = await person()
    const bob = await person({ expect: /403/ }) // the page looks, and may not
    const links = await setTable(ann, daemon.base, { game: 'stratego', name: '🐭'.repeat(16), seat: 'red', spectators: false })
    await bob.goto(links.blue)
    await bob.locator('.emblem.stratego').waitFor()
    await bob.reload()
    await bob.locator('.emblem.stratego').waitFor()
    await bob.locator('input[name=name]').fill('Žluťoučký kůň příšerně úpěl ďábel')
    await bob.locator('button.primary.big').click()
    await bob.locator('main.table').waitFor()
    // Both have committed to seeds under the right number: else nobody could reveal, and both would lose.
    await until(async () => (await (await mine(bob)).refresh()).status === 'setup', 'both seeds are revealed')
    const { seats } = await (await mine(ann)).refresh()
    assert.equal(seats.red.name, '🐭'.repeat(10))
    assert.ok(seats.blue.name.startsWith('Žluťoučký kůň příšer'))
    const eve = await person({ expect: /403/ })
    await eve.goto(`${daemon.base}/#/game/${(await record(ann)).id}`)
    await eve.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    assert.deepEqual(await records(eve), [])
    // An invitation that is spent leaves nothing behind.
    const late = await person({ expect: /401|403/ })
    await late.goto(links.blue)
    await late.locator('button.primary.big').click()
    await late.locator('[role=alert]').waitFor()
    assert.deepEqual(await records(late), [])
    assert.equal(await late.locator('button.primary.big').isEnabled(), true)
  },

  async 'another language does not close the table, nor empty a form'() {
    const ann = await person()
    const bob = await person()
    await begin(ann, bob)
    const asked = []
    ann.on('request', (request) => { if (request.url().includes('/events')) asked.push(request.url()) })
    await ann.locator('.proof summary').click()
    await ann.getByRole('button', { name: 'Česky' }).click()
    await ann.getByRole('button', { name: 'Vzdát se' }).waitFor()
    assert.equal(await ann.locator('.proof').getAttribute('open'), '')
    await move(ann, bob)
    await until(async () => (await seen(ann)) === (await (await mine(ann)).refresh()).seq, 'it goes on')
    assert.deepEqual(asked, [], 'the stream was opened anew')
    await ann.goto(`${daemon.base}/#/new`)
    await ann.locator('.tile.engarde').click()
    await ann.locator('input[name=name]').fill('Anna')
    await ann.locator('.chip.seat-right input').check()
    await ann.getByRole('button', { name: 'English' }).click()
    await ann.getByRole('button', { name: 'Set the table' }).waitFor()
    assert.equal(await ann.locator('input[name=name]').inputValue(), 'Anna')
    assert.ok(await ann.locator('.chip.seat-right input').isChecked())
  },

  async 'dialogs: focus comes back, a key closes them, nothing bars the way'() {
    const ann = await person()
    const bob = await person()
    await begin(ann, bob)
    const resign = ann.getByRole('button', { name: 'Resign' })
    await resign.focus()
    await ann.keyboard.press('Enter')
    await ann.getByRole('dialog').waitFor()
    assert.deepEqual(await barriers(ann), [])
    const box = await ann.locator('dialog').boundingBox()
    await ann.mouse.click(box.x + 4, box.y + 4) // its padding is not outside of it
    assert.equal(await ann.locator('dialog').count(), 1)
    await ann.keyboard.press('Escape')
    await ann.locator('dialog').waitFor({ state: 'detached' })
    assert.equal(await ann.evaluate(() => document.activeElement?.textContent), 'Resign')
    await ann.keyboard.press('Enter')
    await ann.getByRole('button', { name: 'Yes' }).click()
    for (const page of [ann, bob]) await page.locator('.result').waitFor()
    // Over: the record holds, here and by the referee; and again after a reload.
    for (const reload of [false, true]) {
      if (reload) await bob.reload()
      await bob.locator('.result').waitFor()
      await atTruth(bob)
      assert.equal(await bob.getByText('The line is down').count(), 0)
      await bob.getByRole('button', { name: 'Verify the whole record' }).click()
      await bob.locator('.verdict.good li', { hasText: 'This browser' }).waitFor()
    }
    assert.equal((await record(bob)).over, true)
    await bob.goto(`${daemon.base}/#/`)
    await bob.locator('.games', { hasText: '· over' }).waitFor()
    await bob.getByRole('button', { name: 'Remove from this list' }).click()
    assert.deepEqual(await records(bob), [])
  },

  async 'a game that is called off'() {
    const ann = await person()
    const links = await setTable(ann, daemon.base, { game: 'roquefort', players: 4 })
    assert.equal(Object.keys(links).length, 3)
    const bob = await person()
    await sitDown(bob, links.red)
    await ann.locator('.invite').nth(1).waitFor()
    await until(async () => (await ann.locator('.invite').count()) === 2, 'one is taken')
    assert.deepEqual(await barriers(ann), [])
    await ann.getByRole('button', { name: 'Call it off' }).click()
    await ann.getByRole('button', { name: 'Yes' }).click()
    for (const page of [ann, bob]) {
      await page.locator('.result', { hasText: 'Called off' }).waitFor()
      await page.reload()
      await page.locator('.result', { hasText: 'Called off' }).waitFor()
      await atTruth(page)
      await page.getByRole('button', { name: 'Replay' }).click()
      await sleep(300)
    }
  },

  async 'a seat that is given to somebody else'() {
    const ann = await person({ expect: /401/ })
    const bob = await person()
    await begin(ann, bob)
    const { id, seat } = await record(ann)
    await referee.request('POST', `/v1/games/${id}/seats/${seat}/invite`, { body: {}, credential: operator })
    await ann.getByText('This seat was given to somebody else').waitFor({ timeout: 60000 })
    assert.equal(await ann.locator('main button').count(), 0)
    await ann.reload()
    await ann.getByText('This seat was given to somebody else').waitFor()
    assert.equal(await ann.locator('dialog').count(), 0)
    await bob.locator('main.table').waitFor()
  },

  async 'a name that the operator replaces'() {
    const ann = await person()
    const bob = await person()
    await begin(ann, bob)
    for (const page of [ann, bob]) await mark(page)
    const { id, seat } = await record(ann)
    const old = (await (await mine(bob)).refresh()).seats[seat].name
    const called = (page) => page.getByText(old, { exact: true }).count()
    assert.ok(await called(bob))
    await referee.request('POST', `/v1/games/${id}/seats/${seat}/name`, { body: { name: 'Player one' }, credential: operator })
    for (const page of [ann, bob]) {
      await page.locator('.log li', { hasText: 'The operator has changed a name: Player one' }).waitFor()
      await page.locator('.log li', { hasText: 'Player one sits down' }).waitFor()
      assert.equal(await called(page), 0, 'the old name is nowhere')
      await atTruth(page)
      await unmarked(page)
    }
    await bob.evaluate(() => localStorage.setItem('refereed/language', JSON.stringify('cs')))
    await bob.reload()
    await bob.locator('.log li', { hasText: 'Správce změnil jméno: Player one' }).waitFor()
  },

  async 'addresses that lead nowhere, and a store that somebody spoilt'() {
    const ann = await person({ expect: /404/ })
    await ann.goto(`${daemon.base}/#/game/%E0%A4`)
    await ann.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await ann.evaluate(() => { localStorage.setItem('refereed/game/x/left', '{'); localStorage.setItem('refereed/name', 'Ann'); localStorage.setItem('refereed/game/y/left', 'null') })
    await ann.goto(`${daemon.base}/#/`)
    await ann.reload()
    await ann.locator('.hero').waitFor()
    await ann.goto(`${daemon.base}/#/game/x/left`)
    await ann.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  },
}

let done = 0
for (const [name, test] of Object.entries(tests)) {
  if (process.argv[2] && !name.includes(process.argv[2])) continue
  const start = Date.now()
  try {
    await test()
    assert.deepEqual(browser.complaints, [], 'pages complained on the console')
  } catch (error) {
    console.error(`reconnect.mjs: ${name}:`, error, browser.complaints)
    process.exitCode = 1
    break
  }
  await Promise.all(browser.browser.contexts().map((context) => context.close()))
  if (process.env.VERBOSE) console.log(`${name} (${Date.now() - start} ms)`)
  done++
}
await browser.stop().catch(() => {})
await daemon.stop()
rmSync(keys, { recursive: true, force: true })
console.log(`reconnect.mjs: ${done} tests of pages that are interrupted`)
process.exit()
