import { createHash } from 'node:crypto'

/*
 * What was done cannot be changed afterwards without its being seen. Every entry commits to its personal part by a
 * salted hash, and each sealed entry's hash covers the hash of the one before it. When somebody's account is deleted
 * the personal part and its salt are blanked; the commitment stays, tells nothing, and the chain still verifies.
 */

const sha256 = (...parts: readonly (string | number)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) {
    const bytes = Buffer.from(String(part))
    // With its length, so that no two lists of parts look the same.
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest('base64url')
}

export interface PersonalPart {
  userId: number | null
  ip: string
  userAgent: string
  details: string
}

export const commitmentOf = (salt: string, { userId, ip, userAgent, details }: PersonalPart): string =>
  sha256(salt, userId ?? 0, ip, userAgent, details)

/** What the first entry follows. */
export const BEGINNING = sha256('activity')

export interface ChainedEntry {
  at: string
  action: string
  commitment: string
}

export const linkOf = (before: string, position: number, { at, action, commitment }: ChainedEntry): string =>
  sha256(before, position, at, action, commitment)

/** Where the chain ends, and from where on it is kept. Sealed, so that it cannot be cut short or begun anew. */
export interface ChainEnds {
  position: number
  hash: string
  prunedPosition: number
  prunedHash: string
}

export const EMPTY: ChainEnds = {
  position: 0,
  hash: BEGINNING,
  prunedPosition: 0,
  prunedHash: BEGINNING,
}
