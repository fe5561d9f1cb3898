import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Random } from '../random.ts'

/** Hashes a token for storage. A plain hash suffices, because a token has 256 random bits. */
export const digest = (text: string | Buffer): string => hash('sha256', text, 'base64url')

/** The keys derived from one `SECRET_KEY`. Each purpose has its own key, so uses cannot be confused. */
export interface KeyRing {
  /** Identifies the key without revealing it. */
  readonly id: string
  readonly signing: KeyObject
  readonly sealing: KeyObject
  /** Signs mail that the server sends. */
  readonly mail: KeyObject
  readonly browsers: KeyObject
}

const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'factotum', purpose, 32))

export const deriveKeys = (secret: string): KeyRing => ({
  id: createHash('sha256').update(derive(secret, 'key id')).digest('base64url').slice(0, 8),
  signing: createSecretKey(derive(secret, 'access tokens')),
  sealing: createSecretKey(derive(secret, 'sealed secrets')),
  mail: createSecretKey(derive(secret, 'system mail')),
  browsers: createSecretKey(derive(secret, 'known browsers')),
})

/** Error message for a secret that was sealed with a lost key. */
export const LOCKED =
  'The stored secret was encrypted with another SECRET_KEY. Enter it again, or set that key as SECRET_KEY_PREVIOUS.'

const FORMAT = 's1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts secrets at rest with AES-256-GCM, bound to their context. `context` (such as
 * `users.twoFactorSecret:7`) is authenticated, so a sealed value that is copied to another row does not open
 * there.
 */
export interface Sealer {
  seal(secret: string, context: string): string
  open(sealed: string, context: string): string
  /** Whether a key for the value exists. If the key is lost, the user must enter the secret again. */
  opens(sealed: string): boolean
  /** Whether the value was sealed with a previous key and should be sealed again. */
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
