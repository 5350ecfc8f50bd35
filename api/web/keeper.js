/**
 * What this browser keeps of its games, in localStorage: what a player needs to come back, and
 * nothing of what was on the board. One record a game and seat; a watched game has seat ''.
 *
 * @typedef {{id: string, seat: string, ruleset?: string, variant?: string, custody?: string,
 *     name?: string, credential?: string | null, seed?: string, kept?: import('./refereed.js').Kept,
 *     host?: string, invites?: Object<string, string>, pending?: import('./refereed.js').Change | null,
 *     take?: {key: string, invite: string}, keys?: string[], at: number, over?: boolean}} Record
 */
const PREFIX = 'refereed/game/'
const name = (id, seat) => `${PREFIX}${id}/${seat}`

/** @param {string} id @param {string} [seat] @returns {Record | null} */
export function load(id, seat = '') {
  const text = localStorage.getItem(name(id, seat))
  return text ? JSON.parse(text) : null
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
    .map((key) => JSON.parse(/** @type {string} */ (localStorage.getItem(key))))
    .sort((a, b) => b.at - a.at)
}

/** A small thing to remember: language, name, saved set-ups. */
export const recall = (key, otherwise = null) => JSON.parse(localStorage.getItem(`refereed/${key}`) ?? 'null') ?? otherwise
export const remember = (key, value) => localStorage.setItem(`refereed/${key}`, JSON.stringify(value))
