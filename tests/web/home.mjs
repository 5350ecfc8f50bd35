/** The pages around the games: start, new game, invitation and join, in both languages and sizes. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, setTable } from './lib.mjs'

const daemon = await new Daemon().start()
const browser = await new Browser().start()
const ann = await browser.person()
const bob = await browser.person({ size: 'phone', locale: 'cs-CZ' })

await ann.goto(daemon.base)
await ann.locator('.hero h1').waitFor()
assert.deepEqual(await barriers(ann), [])
await ann.evaluate(() => { location.hash = '#/new' })
await ann.locator('.tile.engarde').waitFor()
await ann.waitForFunction(() => document.activeElement?.matches('main h1, main h2')) // the new page's head is read
assert.deepEqual(await barriers(ann), [])

const { right } = await setTable(ann, daemon.base, { game: 'engarde' })
assert.deepEqual(await barriers(ann), [])
await bob.goto(right)
await bob.locator('h1').waitFor()
assert.equal(await bob.locator('html').getAttribute('lang'), 'cs')
assert.ok(!bob.url().includes('rfs_'), 'the invite stays in the address')
assert.deepEqual(await barriers(bob), [])
await bob.reload() // the invite must not be lost by it
await bob.locator('input[name=name]').fill('Bob')
await bob.locator('button.primary.big').click()
await bob.locator('main.table').waitFor()
await ann.locator('main.table', { hasText: 'Bob' }).waitFor()
await ann.locator('.proof.good').waitFor()

// The same invitation again, by somebody else: refused, and said so.
const eve = await browser.person({ expect: /401/ })
await eve.goto(right)
await eve.locator('button.primary.big').click()
await eve.locator('[role=alert]').waitFor()

await browser.stop()
await daemon.stop()
console.log('home.mjs: start, new game, invitation, join')
