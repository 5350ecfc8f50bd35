/** What the tests of the web table share: a daemon of their own, browsers, and what a page may not do. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const B = process.env.B ?? '../../build'

/** @returns {Promise<number>} that nobody listens on */
export const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {any} */ (server.address())
    server.close(() => resolve(port))
  })
})

/** The real daemon on a store of its own. kill() is kill -9; start() comes back on the same port. */
export class Daemon {
  constructor(flags = []) { this.flags = flags; this.folder = mkdtempSync(join(tmpdir(), 'refereed-web-')) }

  async start() {
    this.port ??= await freePort()
    this.base = `http://127.0.0.1:${this.port}`
    this.process = spawn(`${B}/refereed`, ['--listen', `127.0.0.1:${this.port}`, '--state', this.folder, '--rate', '0', '--log-level', 'error', ...this.flags], { stdio: ['ignore', 'inherit', 'inherit'] })
    this.gone = new Promise((resolve) => this.process.once('exit', resolve))
    for (let i = 0; i < 200; i++) {
      if (await fetch(`${this.base}/healthz`).then((answer) => answer.ok, () => false)) return this
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the daemon does not answer')
  }

  async kill(signal = 'SIGKILL') { this.process.kill(signal); await this.gone }

  async stop() { await this.kill('SIGTERM'); rmSync(this.folder, { recursive: true, force: true }) }
}

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/** A browser whose pages fail the test for what they say on the console. */
export class Browser {
  /** @type {string[]} */
  complaints = []

  async start() {
    this.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    })
    return this
  }

  /** A person of his own: storage is shared with nobody.
   * @param {{size?: 'desktop' | 'phone', locale?: string, expect?: RegExp} & Object<string, any>} [options] expect: complaints that
   *     the test brings about itself (a daemon that is gone) */
  async person({ size = 'desktop', locale = 'en-GB', expect, ...more } = {}) {
    const context = await this.browser.newContext({ viewport: sizes[size], locale, hasTouch: size === 'phone', ...more })
    const page = await context.newPage()
    const complain = (text) => { if (!expect?.test(text)) this.complaints.push(text) }
    page.on('pageerror', (error) => complain(`${error.stack}`))
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complain(`${message.type()}: ${message.text()}`) })
    return page
  }

  async stop() {
    await this.browser.close()
    assert.deepEqual(this.complaints, [], 'pages complained on the console')
  }
}

/** Sets a table through the page. Returns the links of invitation by seat.
 * @param {import('playwright-core').Page} page */
export async function setTable(page, base, { game, name = 'Ann', variant, custody, seat, players, spectators = true }) {
  await page.goto(`${base}/#/new`)
  await page.locator(`.pick .tile.${game}`).click()
  await page.locator('input[name=name]').fill(name)
  if (variant) await page.locator('select[name=variant]').selectOption(variant)
  if (players) await page.locator('input[name=players]').nth(players - 2).check()
  if (seat) await page.locator(`.chip.seat-${seat} input[name=seat]`).check()
  if (custody) await page.locator(`input[name=custody][value=${custody}]`).check()
  if (!spectators) await page.locator('input[name=spectators]').uncheck()
  await page.locator('button.primary.big').click()
  await page.locator('.invite').first().waitFor()
  const links = await page.locator('.invite .link').evaluateAll((inputs) => inputs.map((input) => input.value))
  return Object.fromEntries(links.map((link) => [link.split('/').at(-2), link]))
}

/** @param {import('playwright-core').Page} page */
export async function sitDown(page, link, name = 'Bob') {
  await page.goto(link)
  await page.locator('input[name=name]').fill(name)
  await page.locator('button.primary.big').click()
  await page.locator('main.table').waitFor()
}

/** Whether nothing is wider than the window, also in a font with wider letters than the machine's own: what fits by a hair here is too wide on somebody's phone.
 * @param {import('playwright-core').Page} page */
export const fits = (page) => page.evaluate(() => {
  const sheet = new CSSStyleSheet()
  const own = [...document.adoptedStyleSheets], fit = () => document.documentElement.scrollWidth <= innerWidth
  sheet.replaceSync('* { letter-spacing: .06em !important }')
  const plain = fit()
  document.adoptedStyleSheets = [...own, sheet]
  const wide = fit()
  document.adoptedStyleSheets = own
  return plain && wide
})

/** Serious findings of axe-core on the page as it stands; none is what is wanted.
 * @param {import('playwright-core').Page} page */
export async function barriers(page) {
  const { readFileSync } = await import('node:fs')
  const source = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
  // The page's policy forbids scripts from elsewhere: this one comes in by the debugger, in a world of its own.
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' })
  const run = async (expression) => (await session.send('Runtime.evaluate', { contextId: executionContextId, expression, awaitPromise: true, returnByValue: true })).result.value
  await run(`${source}; 0`)
  const found = await run('axe.run(document).then(({ violations }) => violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 5).map(({ target }) => target.join(" ")).join(" | ")}`))')
  return found ?? ['axe did not run']
}
