import type { Db } from '../../database/db.ts'
import type { Changes } from '../../platform/changes.ts'
import type { ImportRow } from './repository.ts'
import type { FileImport, ImportAnalysis, ImportCounts, ImportOptions, ImportState } from './schema.ts'

/** The stored options also have the format that the user chose. */
export type StoredOptions = ImportOptions & { format?: string }

export const readOptions = ({ options }: Pick<ImportRow, 'options'>): StoredOptions =>
  JSON.parse(options) as StoredOptions

const noCounts = () => ({ created: 0, updated: 0, duplicates: 0, skipped: 0 })

export const emptyCounts = (): ImportCounts => ({
  emails: noCounts(),
  contacts: noCounts(),
  events: noCounts(),
  tasks: noCounts(),
  undo: null,
})

const nothing = () => ({ count: 0, duplicates: 0, earliest: null, latest: null, samples: [] })

export const emptyAnalysis = (): ImportAnalysis => ({
  records: 0,
  emails: nothing(),
  contacts: nothing(),
  events: nothing(),
  tasks: nothing(),
})

/** States in which a job works on the import. */
export const ACTIVE_STATES: readonly ImportState[] = ['analysing', 'running', 'undoing']

export const toFileImport = (row: ImportRow): FileImport & { version: number } => {
  const { format: _, ...options } = readOptions(row)
  const analysis = row.analysis === null ? null : (JSON.parse(row.analysis) as ImportAnalysis)
  return {
    id: row.id,
    filename: row.filename,
    format: row.format as FileImport['format'],
    size: row.size,
    state: row.state as ImportState,
    options,
    analysis,
    counts: JSON.parse(row.counts) as ImportCounts,
    progress: { done: row.doneRecords, total: analysis?.records ?? null },
    problemCount: row.problemCount,
    error: row.error,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    finishedAt: row.finishedAt,
    version: row.version,
  }
}

/** Tells the console about a new state or progress. */
export const announce = (changes: Changes, tx: Db, row: ImportRow): Promise<void> =>
  changes.record(tx, {
    userId: row.userId,
    type: 'import.updated',
    subject: String(row.id),
    data: { id: row.id, state: row.state as ImportState, done: row.doneRecords },
  })
