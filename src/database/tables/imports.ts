import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** An import of a file from another program. */
export interface FileImportRow {
  id: Generated<number>
  userId: number
  filename: string
  /** Null until the content was recognised. */
  format: string | null
  size: number
  state: string
  /** JSON of `ImportOptions`. */
  options: string
  /** JSON of `ImportAnalysis`, the result of the dry run. */
  analysis: string | null
  /** JSON of `ImportCounts`. */
  counts: string
  /** Records of the file that are stored or reported. The next attempt continues after them. */
  doneRecords: number
  problemCount: number
  /** Why the import failed. */
  error: string | null
  version: number
  createdAt: string
  updatedAt: string
  finishedAt: string | null
}

/** A part of an uploaded file. It is deleted when the import ends. */
export interface FileImportPieceRow {
  importId: number
  number: number
  userId: number
  size: number
  blob: string
}

/** An item that an import created or changed. */
export interface FileImportItemRow {
  id: Generated<number>
  userId: number
  importId: number
  kind: string
  /** Identifies the source record, so that a second import of it adds nothing. */
  key: string
  /** Null if the item was changed and not created. */
  itemId: number | null
  /** JSON: the state after the import, and the one before it. */
  payload: string
}

/** A part of the file that did not fit. */
export interface FileImportProblemRow {
  id: Generated<number>
  userId: number
  importId: number
  severity: 'skipped' | 'changed' | 'unknown'
  /** The path within an archive; empty for a single file. */
  file: string
  line: number | null
  /** The column of a table, or the property of a vCard. */
  field: string
  /** The original text, shortened. */
  value: string
  reason: string
}

export interface ImportsTables {
  file_imports: FileImportRow
  file_import_pieces: FileImportPieceRow
  file_import_items: FileImportItemRow
  file_import_problems: FileImportProblemRow
}

export const importsKeys: TableKeys<ImportsTables> = {
  file_imports: ['id'],
  file_import_pieces: ['importId', 'number'],
  file_import_items: ['id'],
  file_import_problems: ['id'],
}
