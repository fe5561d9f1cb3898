import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** What is derived from one `SECRET_KEY`. Each purpose has a key of its own, so no two uses can be confused. */
export interface KeyRing {
  /** Names the key without telling anything of it. */
  readonly id: string
  readonly signing: KeyObject
  readonly sealing: KeyObject
  /** Signs mail that the service itself sends. */
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
