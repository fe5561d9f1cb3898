import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Tables } from '../../../database/tables.ts'
import { HIGHEST_ID } from '../../../platform/portable/references.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import type { ZipSource } from '../../../platform/zip/writer.ts'

/*
 * An export is one zip. SQLite and PostgreSQL produce the same format.
 *
 *   README.txt             a description for people.
 *   FOLDER/TABLE.jsonl     one row per line, see platform/portable.
 *   FOLDER/…               other files: messages, attachments, a calendar, captions, a picture.
 *   SHA256SUMS             checksums of all files above, for `sha256sum --check`.
 *   manifest.json          version, row counts, and the checksum of SHA256SUMS.
 *
 * The import finds content that rows refer to (messages, attachments) by its checksum. File names do not
 * matter.
 */

export const FORMAT = 'factotum-export'
export const VERSION = 2

export const README = 'README.txt'
export const SUMS = 'SHA256SUMS'
export const MANIFEST = 'manifest.json'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Literal(VERSION),
  madeBy: Type.String(),
  madeAt: Type.String(),
  /** The number of rows in each `.jsonl` file. */
  rows: Type.Record(Type.String(), Count),
  /** The number of files, without the manifest and the checksums. */
  files: Count,
  /** The highest id that each table has used. Ids are never reused. */
  sequences: Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: HIGHEST_ID })),
  sums: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type Manifest = Type.Static<typeof Manifest>

export const fileOf = (part: DataPart, table: PortableTable): string => `${part.folder}/${table.file}`

export const ABOUT = `This is all data that one person has in Factotum, at the time of the export.

Each folder is a part of the product. Files that end in .jsonl have one JSON object per line. Other files are
emails as messages (mail/messages), attachments, the calendar as an iCalendar file, and captions.

It contains no passwords, keys or tokens. To import it into an account without data: Settings, Your data,
Import; or POST /api/settings/import with this file as application/zip. To verify it: sha256sum --check SHA256SUMS
`

/** Adds a file to the folder of the part. Resolves when the source has been read. */
export type AddFile = (name: string, source: ZipSource) => Promise<void>

/** The part that a feature contributes to export, import and deletion. Most parts only list their tables. */
export interface DataPart {
  /** The folder of its files in an export. */
  folder: string
  /** Parents before their children. */
  tables: readonly PortableTable[]
  /**
   * Tables that are not exported, because they are derived or local to the instance. A wipe deletes them too.
   */
  others: readonly (keyof Tables)[]
  /** Files in formats that other programs read. */
  files?: {
    names: RegExp
    /** `view` is a snapshot. Files must not contain secrets. */
    add(add: AddFile, view: Db, userId: number): Promise<void>
  }
  /** Runs after the rows of all parts are imported. Rebuilds derived data of the account and enqueues jobs. */
  afterImport?(tx: Db, imported: ImportedAccount): Promise<void>
  /** Runs before an account is deleted, for clean-up that the foreign keys do not do. */
  leave?(tx: Db, userId: number): Promise<void>
  /** Replaces the default, which deletes all rows of all tables. */
  wipe?(tx: Db): Promise<void>
}

export interface ImportedAccount {
  userId: number
}
