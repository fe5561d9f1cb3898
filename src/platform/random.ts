import { randomBytes } from 'node:crypto'

/** The only source of chance: ids, secrets, nonces. */
export interface Random {
  bytes(size: number): Buffer
}

export const systemRandom: Random = { bytes: (size) => randomBytes(size) }

/** An opaque, unguessable identifier: 128 bits, URL-safe. */
export const randomId = (random: Random): string => random.bytes(16).toString('base64url')

/** A secret to hand out once: 256 bits, URL-safe. */
export const randomSecret = (random: Random): string => random.bytes(32).toString('base64url')
