// refereed's tokens in the npm libraries paseto (4 and 3) and paseto-ts, and theirs in refereed.
//
//     TOOL=path/to/token_tool node interop.js
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PublicProtocol } from 'paseto'
import * as paseto4 from 'paseto/v4/public'
import paseto3 from 'paseto-3'
import * as pasetoTs from 'paseto-ts/v4'

const tool = process.env.TOOL
const vector = JSON.parse(readFileSync('../../vectors/protocol.json', 'utf8')).token
const run = (args, input = '') =>
  execFileSync(tool, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim()
const bytes = (text) => new TextEncoder().encode(text)
const assertion = (typ) => `refereed/v1/${typ}`

const [publicHex, paserk, pid] = run(['key', vector.seed]).split('\n')
const secretKey =
  'k4.secret.' + Buffer.from(vector.seed + publicHex, 'hex').toString('base64url')
const footer = { kid: pid }

const v4 = new PublicProtocol(
  paseto4.SignFactory,
  paseto4.VerifyFactory,
  paseto4.ImportPublicKeyFactory,
  paseto4.ImportSecretKeyFactory,
)

// Records do not expire: each library is told so in its own way.
const libraries = {
  'paseto 4': {
    verify: async (key, token, typ) => {
      const verified = await v4.Verify(await v4.ImportPublicKey(key), token, {
        allowNonExpiring: true,
        footer: bytes(JSON.stringify(footer)),
        implicitAssertion: bytes(assertion(typ)),
      })
      return verified.claims
    },
    sign: async (claims, typ) =>
      v4.Sign(await v4.ImportSecretKey(secretKey), claims, {
        nonExpiring: true,
        footer: bytes(JSON.stringify(footer)),
        implicitAssertion: bytes(assertion(typ)),
      }),
  },
  'paseto 3': {
    verify: (key, token, typ) => paseto3.V4.verify(token, key, { assertion: assertion(typ) }),
    sign: (claims, typ) =>
      paseto3.V4.sign(claims, secretKey, { footer, assertion: assertion(typ), iat: false }),
  },
  'paseto-ts': {
    verify: async (key, token, typ) =>
      pasetoTs.verify(key, token, { assertion: assertion(typ) }).payload,
    sign: async (claims, typ) =>
      pasetoTs.sign(secretKey, claims, {
        footer,
        assertion: assertion(typ),
        addExp: false,
        addIat: false,
      }),
  },
}

let checks = 0
let failed = 0
const check = (name, good, detail = '') => {
  checks++
  if (good) return
  failed++
  console.log(`FAILED ${name} ${detail}`)
}
const refused = async (name, attempt) => {
  try {
    await attempt()
    check(name, false, 'was accepted')
  } catch {
    check(name, true)
  }
}

const samples = [
  ['event', vector.claims],
  ['ruling', '{"iat":"2026-01-02T03:04:05Z","typ":"ruling"}'],
  ['game', '{"iat":"2026-01-02T03:04:05.678Z","seats":{"left":{"name":"Žofie \\"Ž\\" Nová"}},"typ":"game"}'],
  ['receipt', `{"iat":"2026-01-02T03:04:05Z","pad":"${'0'.repeat(2000)}","typ":"receipt"}`],
]

// One character changed in each part, the parts swapped, cut and lengthened.
const spoilt = (token) => {
  const parts = token.split('.')
  const flip = (text, at) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const change = (part, at) => parts.map((text, i) => (i === part ? flip(text, at) : text)).join('.')
  return {
    'changed claim': change(2, 10),
    'changed signature': change(2, parts[2].length - 20),
    'changed footer': change(3, 12),
    'no footer': parts.slice(0, 3).join('.'),
    'another header': ['v4', 'local', parts[2], parts[3]].join('.'),
    'another version': ['v3', 'public', parts[2], parts[3]].join('.'),
    'cut short': token.slice(0, -1),
    'longer': token + 'AAAA',
    'empty': '',
  }
}

const verifyHere = (key, typ, token) => run(['verify', key, typ, token])
const [otherHex, otherPaserk] = run(['key', '01'.repeat(32)]).split('\n')
check('keys differ', otherHex !== publicHex)
check('key names', paserk === vector.paserk && pid === vector.pid)

for (const [name, library] of Object.entries(libraries)) {
  for (const [typ, text] of samples) {
    const claims = JSON.parse(text)
    const ours = run(['sign', vector.seed, typ], text)
    try {
      const read = await library.verify(paserk, ours, typ)
      check(`${name} reads our ${typ}`, JSON.stringify(read) === JSON.stringify(claims))
    } catch (error) {
      check(`${name} reads our ${typ}`, false, error.message)
    }
    const theirs = await library.sign(claims, typ)
    // Ed25519 has one signature of one message: the tokens agree to the last character.
    check(`${name} signs ${typ} as we do`, theirs === run(['sign', vector.seed, typ], JSON.stringify(claims)))
    check(`we read ${typ} of ${name}`, verifyHere(paserk, typ, theirs) === JSON.stringify(claims))
    for (const [what, token] of Object.entries(spoilt(ours))) {
      await refused(`${name}, ${typ}, ${what}`, () => library.verify(paserk, token, typ))
      await refused(`refereed, ${typ}, ${what}`, () => verifyHere(paserk, typ, token))
    }
    await refused(`${name}, ${typ}, another key`, () => library.verify(otherPaserk, ours, typ))
    await refused(`${name}, ${typ}, another kind`, () => library.verify(paserk, ours, 'other'))
    await refused(`refereed, ${typ}, another key`, () => verifyHere(otherPaserk, typ, theirs))
    await refused(`refereed, ${typ}, another kind`, () => verifyHere(paserk, 'other', theirs))
  }
}

console.log(`interop.js: ${checks} checks, ${failed} failed`)
process.exit(failed ? 1 : 0)
