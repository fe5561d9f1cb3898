import { randomBytes } from 'node:crypto'

/** The only source of randomness: ids, secrets, nonces. */
export interface Random {
  bytes(size: number): Buffer
}

const POOL_BYTES = 4096

/**
 * Fetches random bytes in advance, because a system call costs the same for a few bytes as for many. No byte
 * is used twice.
 */
const createSystemRandom = (): Random => {
  let pool = Buffer.alloc(0)
  return {
    bytes(size) {
      if (size > POOL_BYTES) return randomBytes(size)
      if (pool.length < size) pool = randomBytes(POOL_BYTES)
      const given = Buffer.from(pool.subarray(0, size))
      pool.fill(0, 0, size)
      pool = pool.subarray(size)
      return given
    },
  }
}

export const systemRandom = createSystemRandom()

/** An opaque, unguessable identifier: 128 bits, URL-safe. */
export const randomId = (random: Random): string => random.bytes(16).toString('base64url')

/** Like `randomId`, but sorted by time: new entries of an index are then adjacent. */
export const orderedId = (random: Random, now: Date): string =>
  `${now.getTime().toString(36).padStart(9, '0')}-${randomId(random)}`

/** A secret that is returned once: 256 bits, URL-safe. */
export const randomSecret = (random: Random): string => random.bytes(32).toString('base64url')
