import type { CollectionRecord } from './repository.ts'

/** RFC 6578 §4: a token is a URI. */
const PREFIX = 'urn:factotum:sync:'

export interface TokenWriter {
  /** Writes the token of the current state of a collection, or of an earlier revision. */
  write(log: Pick<CollectionRecord, 'id' | 'revision'>): string
  /** Returns the revision of a token of this collection; undefined if it is invalid or has expired. */
  read(log: CollectionRecord, token: string): number | undefined
}

/** A token from before a restore has another epoch. */
export const createTokenWriter = (epoch: string): TokenWriter => ({
  write: ({ id, revision }) => `${PREFIX}${epoch}-${id}-${revision}`,
  read(log, token) {
    const [, ownEpoch, id, given] = /^urn:factotum:sync:(\w+)-(\d+)-(\d{1,15})$/.exec(token) ?? []
    const revision = Number(given)
    const isOwn = ownEpoch === epoch && Number(id) === log.id
    return isOwn && revision <= log.revision && revision >= log.prunedRevision ? revision : undefined
  },
})
