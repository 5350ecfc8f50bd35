/**
 * What this browser keeps of its games, in localStorage: what a player needs to come back, and
 * nothing of what was on the board. `fought`: at a cardboard board, which own piece fought after which event. One record a game and seat; a watched game has seat ''.
 *
 * @typedef {{id: string, seat: string, ruleset?: string, variant?: string, custody?: string,
 *     name?: string, credential?: string | null, seed?: string, kept?: import('./refereed.js').Kept,
 *     host?: string, invites?: Object<string, string>, pending?: import('./refereed.js').Change | null,
 *     take?: {key: string, invite: string, name?: string, index?: number}, keys?: string[], fought?: Object<string, string>, at: number, over?: boolean}} Record
 */
const PREFIX = 'refereed/game/'
const name = (id, seat) => `${PREFIX}${id}/${seat}`

/** @param {string} id @param {string} [seat] @returns {Record | null} */
export function load(id, seat = '') {
  const text = localStorage.getItem(name(id, seat))
  return text ? parse(text) : null
}

/** What is not JSON was not written here: it is passed over, and no page fails by it. */
function parse(text) {
  try { return JSON.parse(text) } catch { return null }
}

/** Adds to what is kept. @param {{id: string, seat?: string} & Object<string, any>} part @returns {Record} */
export function save(part) {
  const seat = part.seat ?? ''
  const record = { ...load(part.id, seat), ...part, seat, at: Date.now() }
  localStorage.setItem(name(part.id, seat), JSON.stringify(record))
  return record
}

/** @param {string} id @param {string} [seat] */
export function forget(id, seat = '') { localStorage.removeItem(name(id, seat)) }

/** All records, the newest first. @returns {Record[]} */
export function all() {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
    .map((key) => parse(/** @type {string} */ (localStorage.getItem(key))))
    .filter((record) => record?.id)
    .sort((a, b) => b.at - a.at)
}

/** A small thing to remember: language, name, saved set-ups. */
export const recall = (key, otherwise = null) => parse(localStorage.getItem(`refereed/${key}`) ?? 'null') ?? otherwise
export const remember = (key, value) => localStorage.setItem(`refereed/${key}`, JSON.stringify(value))
