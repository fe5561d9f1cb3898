import Type, { type Static } from 'typebox'

/*
 * A backup is one zip, the same from either engine. With a passphrase the whole zip is encrypted
 * (platform/secrets/encrypted-file.ts). Its entries:
 *
 *   manifest.json          what it is
 *   secret.key             where the instance made its own
 *   sequences.json         the highest id that each table ever gave out
 *   files/…                what else lies in DATA_DIR
 *   blobs/HASH             the bytes of a row in `blobs`
 *   tables/NAME.jsonl      one row a line
 *   jobs.jsonl             one unfinished job a line
 */

export const FORMAT = 'factotum-backup'
export const VERSION = 1

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Literal(VERSION),
  madeBy: Type.String(),
  madeAt: Type.String(),
  engine: Type.String(),
  /** The schema that the rows have. */
  migration: Type.String(),
  /** Names the SECRET_KEY that sealed what is sealed in them. */
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

/** The blob whose bytes an entry holds; undefined when it holds none. */
export const blobOf = (entry: string): string | undefined => /^blobs\/([0-9a-f]{64})$/.exec(entry)?.[1]

/** The table whose rows an entry holds; undefined when it holds none. */
export const tableOf = (entry: string): string | undefined =>
  /^tables\/([a-z][a-z0-9_]*)\.jsonl$/.exec(entry)?.[1]
