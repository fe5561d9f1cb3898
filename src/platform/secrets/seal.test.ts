import { describe, expect, it } from 'vitest'
import { systemRandom } from '../random.ts'
import { createSealer, deriveKeys } from './seal.ts'

const keysOf = (letter: string) => deriveKeys(letter.repeat(32))
const sealer = createSealer(keysOf('a'), null, systemRandom)
const CONTEXT = 'users.twoFactorSecret:7'

/** Splits a sealed secret into its parts, and joins them again. */
const split = (sealed: string) => {
  const [format = '', keyId = '', text = ''] = sealed.split('.')
  return { format, keyId, bytes: Buffer.from(text, 'base64url') }
}
const join = ({ format, keyId, bytes }: ReturnType<typeof split>): string =>
  `${format}.${keyId}.${bytes.toString('base64url')}`

describe('a sealed secret', () => {
  it.each(['JBSWY3DPEHPK3PXP', '', 'ü🦉 "quotes"\n', 'x'.repeat(10_000)])(
    'opens with the original text: %j',
    (secret) => {
      expect(sealer.open(sealer.seal(secret, CONTEXT), CONTEXT)).toBe(secret)
    },
  )

  it('reveals nothing of its content, and differs every time', () => {
    const sealed = Array.from({ length: 50 }, () => sealer.seal('JBSWY3DPEHPK3PXP', CONTEXT))
    expect(new Set(sealed.map((text) => text.split('.')[2]?.slice(0, 16))).size).toBe(50)
    for (const text of sealed) {
      expect(text).not.toContain('JBSWY3DP')
      expect(split(text).bytes.toString('latin1')).not.toContain('JBSWY3DP')
      expect(text).not.toContain('aaaa')
    }
  })

  it('opens only in its own context', () => {
    const sealed = sealer.seal('secret', CONTEXT)
    for (const elsewhere of [
      'users.twoFactorSecret:8',
      'users.twoFactorSecret:77',
      'keys.secret:7',
      '',
      `${CONTEXT} `,
    ])
      expect(() => sealer.open(sealed, elsewhere)).toThrow()
  })

  it('does not open if any bit was changed', () => {
    const parts = split(sealer.seal('secret', CONTEXT))
    for (let index = 0; index < parts.bytes.length; index++)
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(parts.bytes)
        bytes[index] = (bytes[index] as number) ^ (1 << bit)
        expect(() => sealer.open(join({ ...parts, bytes }), CONTEXT)).toThrow()
      }
  })

  it('does not open if it was truncated or extended', () => {
    const parts = split(sealer.seal('secret', CONTEXT))
    for (let length = 0; length < parts.bytes.length; length++)
      expect(() => sealer.open(join({ ...parts, bytes: parts.bytes.subarray(0, length) }), CONTEXT)).toThrow()
    const longer = Buffer.concat([parts.bytes, Buffer.from([0])])
    expect(() => sealer.open(join({ ...parts, bytes: longer }), CONTEXT)).toThrow()
  })

  it.each(['', '.', '..', 's1', 's1.', 's1..', 'plain text', 's1.unknown0.AAAA', '{"sealed":true}'])(
    'does not open if it is just "%s"',
    (text) => {
      expect(() => sealer.open(text, CONTEXT)).toThrow()
    },
  )

  it('has exactly one format', () => {
    const parts = split(sealer.seal('secret', CONTEXT))
    for (const format of ['s0', 's2', 'S1', ''])
      expect(() => sealer.open(join({ ...parts, format }), CONTEXT)).toThrow()
  })
})

describe('a key rotation', () => {
  const [before, now, other] = [keysOf('a'), keysOf('b'), keysOf('c')]
  const old = createSealer(before, null, systemRandom).seal('secret', CONTEXT)

  it('locks secrets of the old key, and names the setting that helps', () => {
    expect(() => createSealer(now, null, systemRandom).open(old, CONTEXT)).toThrow('SECRET_KEY_PREVIOUS')
    expect(() => createSealer(now, other, systemRandom).open(old, CONTEXT)).toThrow('SECRET_KEY_PREVIOUS')
  })

  it('opens old secrets with the previous key, and marks them as stale', () => {
    const rotating = createSealer(now, before, systemRandom)
    expect(rotating.open(old, CONTEXT)).toBe('secret')
    expect(rotating.isStale(old)).toBe(true)
    const anew = rotating.seal(rotating.open(old, CONTEXT), CONTEXT)
    expect(rotating.isStale(anew)).toBe(false)
    expect(createSealer(now, null, systemRandom).open(anew, CONTEXT)).toBe('secret')
    expect(() => createSealer(before, null, systemRandom).open(anew, CONTEXT)).toThrow()
  })

  it('cannot be bypassed by relabelling', () => {
    const relabelled = join({ ...split(old), keyId: now.id })
    expect(() => createSealer(now, before, systemRandom).open(relabelled, CONTEXT)).toThrow()
  })

  it('to the same key changes nothing', () => {
    const same = createSealer(before, before, systemRandom)
    expect(same.isStale(old)).toBe(false)
    expect(same.open(old, CONTEXT)).toBe('secret')
  })
})

describe('the keys of one SECRET_KEY', () => {
  it('are stable, differ by purpose, and have an id that reveals nothing', () => {
    const [one, two] = [keysOf('a'), keysOf('a')]
    expect(one.id).toBe(two.id)
    expect(one.signing.equals(two.signing)).toBe(true)
    expect(one.signing.equals(one.sealing)).toBe(false)
    expect(keysOf('b').id).not.toBe(one.id)
    for (const key of [one.signing, one.sealing]) {
      expect(key.export()).toHaveLength(32)
      expect(key.export().toString('base64url')).not.toContain(one.id)
    }
  })
})
