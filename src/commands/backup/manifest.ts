import Type, { type Static } from 'typebox'

/*
 * A backup is one zip, equal for both engines. With a passphrase the whole zip is encrypted
 * (platform/secrets/encrypted-file.ts). Its entries:
 *
 * - manifest.json          version and contents
 * - secret.key             only if the instance generated its own
 * - sequences.json         the highest id that each table ever assigned
 * - files/…                other files of DATA_DIR
 * - blobs/HASH             the bytes of a row in `blobs`
 * - tables/NAME.jsonl      one row per line
 * - jobs.jsonl             one unfinished job per line
 */

export const FORMAT = 'factotum-backup'
export const VERSION = 1

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Literal(VERSION),
  madeBy: Type.String(),
  madeAt: Type.String(),
  engine: Type.String(),
  /** The schema version of the rows. */
  migration: Type.String(),
  /** Identifies the SECRET_KEY of the sealed values. */
  keyId: Type.String(),
})
export type Manifest = Static<typeof Manifest>

export const MANIFEST = 'manifest.json'
export const SECRET = 'secret.key'
export const SEQUENCES = 'sequences.json'
export const JOBS = 'jobs.jsonl'
export const FILES = 'files/'
export const BLOBS = 'blobs/'

export const tableEntry = (table: string): string => `tables/${table}.jsonl`

/** Returns the blob hash of an entry; undefined for another entry. */
export const blobOf = (entry: string): string | undefined => /^blobs\/([0-9a-f]{64})$/.exec(entry)?.[1]

/** Returns the table name of an entry; undefined for another entry. */
export const tableOf = (entry: string): string | undefined =>
  /^tables\/([a-z][a-z0-9_]*)\.jsonl$/.exec(entry)?.[1]
