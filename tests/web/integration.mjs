/** The example of docs/integration.md, served from an origin of its own: a move goes through it, and
 * an origin that is not configured gets nothing. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Browser, Daemon, freePort } from './lib.mjs'

const page = readFileSync(new URL('../../docs/examples/page/index.html', import.meta.url))
const [own, strange] = [await freePort(), await freePort()]
const servers = [own, strange].map((port) => createServer((request, response) => {
  response.writeHead(request.url.startsWith('/?') ? 200 : 404, { 'Content-Type': 'text/html' }).end(page)
}).listen(port, '127.0.0.1'))
const daemon = await new Daemon(['--cors-origin', `http://127.0.0.1:${own}`]).start()
const browser = await new Browser().start()

const ann = await browser.person({ expect: /favicon|404/ })
await ann.goto(`http://127.0.0.1:${own}/?referee=${encodeURIComponent(daemon.base)}`)
const field = async () => JSON.parse(await ann.locator('#board').textContent()).fields
await ann.locator('#moves button', { hasText: 'advance' }).first().waitFor()
assert.deepEqual(await field(), { left: 1, right: 23 })
const [, card] = (await ann.locator('#moves button', { hasText: 'advance' }).first().textContent()).split(' ')
await ann.locator('#moves button', { hasText: 'advance' }).first().click()
await ann.waitForFunction(() => { const { fields } = JSON.parse(document.getElementById('board').textContent); return fields.left > 1 && fields.right < 23 })
assert.equal((await field()).left, 1 + Number(card))

// Another origin: the browser does not even load the module.
const eve = await browser.person({ expect: /CORS|favicon|404|ERR_FAILED|^$/ })
await eve.goto(`http://127.0.0.1:${strange}/?referee=${encodeURIComponent(daemon.base)}`)
await eve.waitForTimeout(1000)
assert.equal(await eve.locator('#board').textContent(), 'One moment…')

await browser.stop()
await daemon.stop()
for (const server of servers) server.close()
console.log('integration.mjs: the example plays a move from another origin')
