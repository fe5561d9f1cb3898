import { describe, expect, it } from 'vitest'
import { returnedForms } from '../../../test/support/returned-mail.ts'
import { systemRandom } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { createResetToken, findResetHashes, formatReference } from './reset-token.ts'

const token = createResetToken(systemRandom)
const hash = digest(token)
const mail = [
  'From: Factotum <desk@example.org>',
  'Message-ID: <1@example.org>',
  'X-Factotum-Signature: v1.reset.none',
  '',
  `https://desk.example.org/reset-password#${token}`,
  '',
  `Reference: ${formatReference(hash)}`,
].join('\r\n')

describe('the token of a reset link', () => {
  it('consists of lower-case letters and digits only', () => {
    expect(token).toMatch(/^[0-9a-z]{72}$/)
  })

  it.each(Object.entries(returnedForms(mail)).filter(([form]) => form !== 'the signature alone left'))(
    'is found %s',
    async (_form, raw) => {
      expect(await findResetHashes(Buffer.from(raw, 'latin1'))).toContain(hash)
    },
  )

  it('is found across the boundaries of the search windows', async () => {
    for (const before of [65_400, 65_500, 65_536, 69_600, 131_000])
      for (const filler of ['x', '\n'])
        expect(await findResetHashes(Buffer.from(filler.repeat(before) + token))).toEqual([hash])
  })

  it('is not found in other messages, and the number of candidates is limited', async () => {
    expect(await findResetHashes(Buffer.from('reset key 0123, resetkey of deadbeef'))).toEqual([])
    expect(await findResetHashes(Buffer.alloc(0))).toEqual([])
    const many = Array.from({ length: 3_000 }, () => createResetToken(systemRandom)).join('\n')
    expect(await findResetHashes(Buffer.from(many))).toHaveLength(1_000)
  })
})
