/** Clocks on the table: chosen in the form, shown and counting, back after a reload, and who runs out loses. */
import assert from 'node:assert/strict'
import { Browser, Daemon, barriers, sitDown } from './lib.mjs'

const daemon = await new Daemon().start()
const browser = await new Browser().start()
const ann = await browser.person()
const bob = await browser.person({ size: 'phone', locale: 'cs-CZ' })

// By the form: what was chosen is what the game has.
await ann.goto(`${daemon.base}/#/new`)
await ann.locator('.pick .tile.engarde').click()
await ann.locator('select[name=clock]').selectOption('5+5')
await ann.locator('input[name=name]').fill('Ann')
await ann.locator('button.primary.big').click()
await ann.locator('.invite').waitFor()
const id = ann.url().split('/').at(-2)
const { clock } = await (await fetch(`${daemon.base}/v1/games/${id}`)).json()
assert.deepEqual([clock.initial_s, clock.increment_s, clock.running], [300, 5, []])
await sitDown(bob, await ann.locator('.invite .link').inputValue())
await ann.locator('.clocks .on').waitFor()
await bob.locator('.clocks .on').waitFor()
assert.deepEqual(await barriers(ann), [])
assert.deepEqual(await barriers(bob), [])
const shown = (page) => page.locator('.clocks .on b').textContent()
const seconds = (text) => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1])
const before = seconds(await shown(ann))
assert.ok(before <= 300 && before > 270, `${before} s are left`)
await ann.waitForFunction((was) => document.querySelector('.clocks .on b').textContent !== was, await shown(ann))
assert.ok(seconds(await shown(ann)) < before, 'the clock does not count')
await ann.reload()
await ann.locator('.clocks .on').waitFor()
assert.ok(seconds(await shown(ann)) < before, 'a reload gives time back')

// To the end, with a clock as short as no form has it.
const made = await (await fetch(`${daemon.base}/v1/games`, { method: 'POST', headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ ruleset: 'roquefort', options: { first: 'yellow' }, clock: { initial_s: 6 } }) })).json()
await sitDown(ann, `${daemon.base}/#/join/${made.id}/yellow/${made.seats.yellow.invite}`, 'Ann')
await sitDown(bob, `${daemon.base}/#/join/${made.id}/red/${made.seats.red.invite}`, 'Bob')
await ann.locator('.result').waitFor({ timeout: 20000 })
await bob.locator('.result.won').waitFor()
assert.match(await bob.locator('.result').textContent(), /na čas/)
assert.equal(await ann.locator('.clocks .on').count(), 0)
await ann.locator('.log', { hasText: 'Ann is out of time' }).waitFor()
await ann.locator('.proof.good').waitFor()

await browser.stop()
await daemon.stop()
console.log('clocks.mjs: chosen, counting, reloaded, and over on time')
