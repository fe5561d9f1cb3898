import Type from 'typebox'
import { HIGHEST_ID } from '../../../platform/portable/columns.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import type { DataPart } from './parts.ts'

/*
 * An export is one zip, the same from either engine:
 *
 *   README.txt             what it is, for a person
 *   ROOM/TABLE.jsonl       one row a line, see platform/portable
 *   ROOM/…                 files beside: messages, attachments, a calendar, captions, a picture
 *   SHA256SUMS             of every file above, as `sha256sum --check` reads it
 *   manifest.json          what made it, what it counts, and the sum of SHA256SUMS
 *
 * Bytes that rows speak of (messages, attachments) are found by their sum, whatever their file is called.
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
  /** How many rows each file of rows has. */
  rows: Type.Record(Type.String(), Count),
  /** How many files there are, this one and the sums aside. */
  files: Count,
  /** The highest number that each table ever gave out: none is given out again. */
  sequences: Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: HIGHEST_ID })),
  sums: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type Manifest = Type.Static<typeof Manifest>

export const fileOf = (part: DataPart, table: PortableTable): string => `${part.folder}/${table.file}`

export const ABOUT = `This is everything that one person has in Factotum, as of the moment it was made.

Each folder is a part of the product. Files that end in .jsonl hold one thing a line, as JSON. Beside them lie
every e-mail as a message (mail/messages), attachments, the calendar as a file for any calendar program, and captions.

No password, key or token is in it. To bring it into an empty instance: Settings, Your data, Import; or
POST /api/settings/import with this file as application/zip. To see whether it is whole: sha256sum --check SHA256SUMS
`
