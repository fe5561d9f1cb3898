import { createCipheriv, createDecipheriv } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Random } from '../random.ts'
import type { KeyRing } from './keys.ts'

/** What a person is told where a secret was sealed with a key that is not there any more. */
export const LOCKED =
  'What is kept here was sealed with another SECRET_KEY: give it again, or set that key as SECRET_KEY_PREVIOUS.'

const FORMAT = 's1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Keeps secrets at rest: AES-256-GCM, bound to where they belong. `context` (such as `users.twoFactorSecret:7`)
 * is authenticated, so a sealed value copied to another row does not open there.
 */
export interface Sealer {
  seal(secret: string, context: string): string
  open(sealed: string, context: string): string
  /** Whether there is a key for it. One that was lost takes what it sealed along: that must be given anew. */
  opens(sealed: string): boolean
  /** Whether it was sealed by a previous key and should be sealed anew. */
  isStale(sealed: string): boolean
}

export const createSealer = (current: KeyRing, previous: KeyRing | null, random: Random): Sealer => {
  const rings = new Map([current, ...(previous ? [previous] : [])].map((ring) => [ring.id, ring]))
  return {
    seal(secret, context) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.sealing, nonce)
      cipher.setAAD(Buffer.from(context))
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${FORMAT}.${current.id}.${sealed.toString('base64url')}`
    },
    open(sealed, context) {
      const [format, keyId, text] = sealed.split('.')
      const ring = rings.get(keyId ?? '')
      if (format !== FORMAT || !text) throw new Error('Not a sealed secret.')
      if (!ring) throw new AppError('unavailable', 'unavailable', LOCKED)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', ring.sealing, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return (
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    opens: (sealed) => rings.has(sealed.split('.')[1] ?? ''),
    isStale: (sealed) => sealed.split('.')[1] !== current.id,
  }
}
