import { createSecretKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchStep } from '../src/features/auth/two-factor.ts'
import { verifyJws } from '../src/platform/secrets/signatures.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import { sampleOf } from './support/scale.ts'

const VECTORS = '../shared/data/security-vectors'
const isThere = existsSync(VECTORS)
if (!isThere) console.log(`Skipped: the public security vectors are not at ${VECTORS}.`)

const read = <T>(name: string): T[] =>
  isThere
    ? readFileSync(`${VECTORS}/${name}`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
    : []

interface Jwk {
  kty: string
  k?: string
  alg?: string
}

describe.skipIf(!isThere)('the signature check', () => {
  const vectors = read<{
    id: number
    comment: string
    jws: string
    result: string
    private?: Jwk
    public?: Jwk
  }>('jws_wycheproof.public.jsonl')
  /** Uses the text of a non-HMAC key as the secret, as in an algorithm confusion attack. */
  const keyOf = (jwk: Jwk | undefined) =>
    createSecretKey(
      jwk?.kty === 'oct' ? Buffer.from(jwk.k ?? '', 'base64url') : Buffer.from(JSON.stringify(jwk ?? {})),
    )

  it('rejects every invalid signature of the vectors', () => {
    const taken = vectors
      .filter(({ result }) => result === 'invalid')
      .filter(({ jws, private: secret, public: open }) =>
        [secret, open].some((jwk) => verifyJws(jws, keyOf(jwk ?? undefined)) !== undefined),
      )
    expect(taken).toEqual([])
  })

  it('returns the expected result for every HS256 vector', () => {
    const selected = vectors.filter(({ private: secret }) => secret?.kty === 'oct' && secret.alg === 'HS256')
    expect(selected.length).toBeGreaterThan(10)
    for (const { id, jws, result, private: secret } of selected)
      expect([id, verifyJws(jws, keyOf(secret)) === undefined ? 'invalid' : 'valid']).toEqual([id, result])
  })
})

describe.skipIf(!isThere)('the TOTP vectors of RFC 6238', () => {
  const vectors = read<{
    algorithm: 'SHA1' | 'SHA256' | 'SHA512'
    secret_hex: string
    time: number
    step: number
    totp: string
    totp6: string
  }>('totp_rfc6238.jsonl')

  it.each(vectors)(
    'match for $algorithm at $time: $totp',
    ({ algorithm, secret_hex, time, step, totp, totp6 }) => {
      const secret = Secret.fromHex(secret_hex).base32
      const at = new Date(time * 1000)
      expect(matchStep(secret, totp, at, { digits: 8, algorithm })).toBe(Math.floor(time / step))
      expect(matchStep(secret, totp6, at, { digits: 6, algorithm })).toBe(Math.floor(time / step))
      const wrong = String((Number(totp6) + 1) % 1_000_000).padStart(6, '0')
      expect(matchStep(secret, wrong, at, { digits: 6, algorithm })).not.toBe(Math.floor(time / step))
      expect(
        new TOTP({ secret: Secret.fromHex(secret_hex), algorithm, digits: 8 }).generate({
          timestamp: time * 1000,
        }),
      ).toBe(totp)
    },
  )
})

onOneDatabase('postgres', 'naughty strings', (engine) => {
  const strings = read<{ s: string }>('blns.public.jsonl').map(({ s }) => s)
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
  })
  afterAll(() => instance.close())

  it.skipIf(!isThere)('are stored unchanged as a name or rejected with 4xx', async () => {
    let kept = 0
    for (const name of strings) {
      const { status, body } = await instance.call('PATCH', '/api/settings/profile', {
        body: { name },
        token: person.token,
      })
      expect([name, status < 500]).toEqual([name, true])
      if (status !== 200) continue
      kept++
      expect(body.name).toBe(name)
      expect((await instance.get('/api/auth/me', { token: person.token })).body.name).toBe(name)
    }
    expect(kept).toBeGreaterThan(strings.length * 0.9)
  })

  it.skipIf(!isThere)('cause no server error as an email, time zone, cursor, path or header', async () => {
    for (const text of sampleOf(strings, 120)) {
      const escaped = encodeURIComponent(text.toWellFormed())
      const answers = await Promise.all([
        instance.post('/api/auth/login', { email: text, password: 'x' }),
        instance.call('PATCH', '/api/settings/preferences', {
          body: { timezone: text, locale: text },
          token: person.token,
        }),
        instance.get(`/api/settings/tokens?cursor=${escaped}`, { token: person.token }),
        instance.get(`/api/settings/tokens/${escaped}`, { token: person.token }),
        instance.get(`/api/settings/tokens?${escaped}=${escaped}`, { token: person.token }),
        instance.get('/api/auth/me', {
          headers: { authorization: `Bearer ${Buffer.from(text).toString('base64')}` },
        }),
      ])
      for (const { status } of answers)
        expect([text, status >= 400 && status < 500 ? 'rejected' : status]).toEqual([text, 'rejected'])
    }
  })
})
