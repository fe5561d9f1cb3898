import type { Db } from '../../../database/db.ts'
import { isUniqueViolation } from '../../../database/errors.ts'
import { inTransaction, isInTransaction } from '../../../database/transaction.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { FoundEvent } from '../ical/entry.ts'
import type { ReadFile } from '../ical/reader.ts'
import type { ImportReport } from '../schema.ts'
import type { FileEvents } from './file-events.ts'
import { type ImportJournal, NO_PROGRESS } from './journal.ts'

const TRIES = 5

/**
 * Writes events that other requests may import at the same time. After a unique violation, the work runs
 * again and sees the other event. Inside a larger transaction that is impossible, so the caller must retry.
 */
export const writeWithOthers = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      if (isInTransaction() || attempt === TRIES)
        throw new AppError(
          'unavailable',
          'unavailable',
          'Another request imported the same event at the same time. Try again.',
          { cause: error, details: { retryAfterSeconds: 1 } },
        )
    }
}

/** Batch size: each batch is committed before it is reported, and other writers do not wait long. */
const BATCH_SIZE = 200
/** Limit of reported reasons. Above it, only the number is reported. */
const MAX_REASONS = 1000

type Remark = ImportReport['skipped'][number]

/** The cost of a component: recurrence rules and reminders take time to expand. */
const weightOf = ({ entry }: FoundEvent): number =>
  1 + (entry.recurrence?.split('\n').length ?? 0) * (1 + entry.reminders.length / 5)

/** A parsed calendar file, ready to be imported. */
export interface OpenedFile {
  userId: number
  file: ReadFile
  timezone: string
  /** The calendar of new events. */
  calendarId: number | undefined
}

export type Import = ReturnType<typeof createImport>

export const createImport = (
  deps: Pick<Platform, 'db'> & {
    fileEvents: Pick<FileEvents, 'open' | 'find' | 'write'>
    journal: ImportJournal
    zoneOf: (userId: number) => Promise<string>
  },
) => {
  const { db, fileEvents, journal } = deps

  return {
    async open(userId: number, bytes: Uint8Array, calendarId?: number): Promise<OpenedFile> {
      const timezone = await deps.zoneOf(userId)
      return { userId, file: await fileEvents.open(bytes, timezone), timezone, calendarId }
    },

    /**
     * Imports a calendar file and yields a report after each batch. Importing the same file again changes
     * nothing, so an interrupted import can be repeated.
     */
    async *read({ userId, file, timezone, calendarId }: OpenedFile): AsyncGenerator<ImportReport> {
      const counts = { found: 0, created: 0, updated: 0, unchanged: 0, skippedCount: 0 }
      const skipped: Remark[] = []
      const warnings: Remark[] = []
      const skip = (component: Remark): void => {
        counts.skippedCount++
        if (skipped.length < MAX_REASONS) skipped.push(component)
      }
      const warn = (component: Remark): void => {
        if (warnings.length < MAX_REASONS) warnings.push(component)
      }
      const yieldIfNeeded = createYielder()
      let batch: FoundEvent[] = []
      let weight = 0
      let soFar = NO_PROGRESS
      const flush = async (): Promise<ImportReport> => {
        const written = batch
        batch = []
        weight = 0
        const { verdicts, progress } =
          written.length === 0
            ? { verdicts: [], progress: soFar }
            : await writeWithOthers(db, async (tx) => {
                const result = await fileEvents.write(tx, userId, written, calendarId)
                const progress = await journal.record(tx, userId, soFar, result)
                return { verdicts: result.verdicts, progress }
              })
        soFar = progress
        for (const [index, verdict] of verdicts.entries()) {
          const { line, entry } = written[index] as FoundEvent
          if (typeof verdict === 'string') counts[verdict]++
          else if ('kept' in verdict) {
            counts.unchanged++
            warn({ uid: entry.uid, line, reason: verdict.kept })
          } else skip({ uid: entry.uid, line, reason: verdict.reason })
        }
        return {
          ...counts,
          skipped: skipped.toSorted((a, b) => a.line - b.line),
          warnings,
          actionId: soFar.actionId,
        }
      }
      for await (const found of fileEvents.find(userId, file, timezone)) {
        counts.found++
        const { line, event } = found
        if (event === null) skip({ uid: found.uid, line, reason: found.reason })
        else {
          if (found.warning !== null) warn({ uid: event.entry.uid, line, reason: found.warning })
          batch.push(event)
          weight += weightOf(event)
        }
        await yieldIfNeeded()
        if (weight >= BATCH_SIZE) yield await flush()
      }
      yield await flush()
    },
  }
}
