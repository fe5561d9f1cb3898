import type { Db } from '../../../database/db.ts'
import { isUniqueViolation } from '../../../database/errors.ts'
import { inTransaction, isInTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { createYielder } from '../../../platform/yield.ts'
import { requireTarget } from '../calendars/store.ts'
import { fieldsOf } from '../event.ts'
import { findNamed } from '../event-repository.ts'
import { entryOf } from '../export.ts'
import type { Entry, Found, FoundEvent } from '../ical/entry.ts'
import { createDuplicateCheck } from '../ical/objects.ts'
import type { CalendarReader, ReadFile } from '../ical/reader.ts'
import { continueSeries } from '../ical/this-and-future.ts'
import { isSeries } from '../series.ts'
import { startOfDay, startOfDayAfter } from '../times.ts'
import type { BatchWriter } from './batch.ts'
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

export interface Remark {
  uid: string | null
  /** The first line in the file. */
  line: number
  reason: string
}

export interface ImportReport {
  found: number
  created: number
  updated: number
  unchanged: number
  skippedCount: number
  skipped: Remark[]
  /** Components that were imported with changes. */
  warnings: Remark[]
  /** The undoable action; null if nothing changed. */
  actionId: number | null
}

const FILE_ORIGIN = { source: 'ics', emailId: null, takesCancelled: true, isFile: true } as const

/** Some programs write events without a date. They become all-day events that do not block time. */
export const withDate = (component: FoundEvent, timezone: string, now: string): FoundEvent => {
  if (component.kind === 'entry' || component.method === 'CANCEL') return component
  const start = startOfDay(component.entry.revisedAt ?? now, timezone)
  const when = { start, end: startOfDayAfter(start, 1, timezone), allDay: true, timezone, busy: false }
  return { ...component, kind: 'entry', entry: { ...component.entry, ...when } }
}
export const NO_START_WARNING =
  'The event has no start (DTSTART). It was added to the day on which it was written.'

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

export const createImport = (deps: {
  db: Db
  clock: Clock
  write: BatchWriter
  journal: ImportJournal
  reader: Pick<CalendarReader, 'readFile'>
  zoneOf: (userId: number) => Promise<string>
}) => {
  const { db, clock, write, journal } = deps

  const findSeries = async (userId: number, uid: string): Promise<Entry | undefined> => {
    const row = await findNamed(db, userId, uid, '')
    return row && isSeries(fieldsOf(row)) ? entryOf(row) : undefined
  }

  return {
    /**
     * Opens a calendar file. A large file waits for a worker thread, so this must not run in a transaction.
     */
    async open(userId: number, bytes: Uint8Array, calendarId?: number): Promise<OpenedFile> {
      const timezone = await deps.zoneOf(userId)
      const file = await deps.reader.readFile(bytes, timezone, { splitsSeries: true })
      if (!file.isCalendar) throw invalid('This is not an iCalendar file: BEGIN:VCALENDAR is missing.')
      return { userId, file, timezone, calendarId }
    },

    /**
     * Imports a calendar file and yields a report after each batch. Importing the same file again changes
     * nothing, so an interrupted import can be repeated.
     */
    async *read({ userId, file, timezone, calendarId }: OpenedFile): AsyncGenerator<ImportReport> {
      const now = clock.now().toISOString()
      const counts = { found: 0, created: 0, updated: 0, unchanged: 0, skippedCount: 0 }
      const skipped: Remark[] = []
      const warnings: Remark[] = []
      const skip = (component: Remark): void => {
        counts.skippedCount++
        if (skipped.length < MAX_REASONS) skipped.push(component)
      }
      const breathe = createYielder()
      const checkDuplicate = createDuplicateCheck()
      let batch: FoundEvent[] = []
      let weight = 0
      let soFar = NO_PROGRESS
      const flush = async (): Promise<ImportReport> => {
        const written = batch
        const { verdicts, progress } =
          written.length === 0
            ? { verdicts: [], progress: soFar }
            : await writeWithOthers(db, async (tx) => {
                if (calendarId !== undefined) await requireTarget(tx, userId, calendarId)
                return journal.write(tx, userId, soFar, (beforeWrite) =>
                  write(tx, userId, written, { ...FILE_ORIGIN, calendarId, beforeWrite }),
                )
              })
        soFar = progress
        for (const [index, verdict] of verdicts.entries()) {
          const { line, entry } = batch[index] as FoundEvent
          if (typeof verdict === 'string') counts[verdict]++
          else if ('kept' in verdict) {
            counts.unchanged++
            if (warnings.length < MAX_REASONS) warnings.push({ uid: entry.uid, line, reason: verdict.kept })
          } else skip({ uid: entry.uid, line, reason: verdict.reason })
        }
        batch = []
        weight = 0
        return {
          ...counts,
          skipped: skipped.toSorted((a, b) => a.line - b.line),
          warnings,
          actionId: soFar.actionId,
        }
      }
      const take = (found: Found): void => {
        counts.found++
        const checked = found.kind === 'skipped' ? found : checkDuplicate(found)
        if ('reason' in checked) {
          const uid = found.kind === 'skipped' ? found.uid : found.entry.uid
          skip({ uid, line: found.line, reason: checked.reason })
          return
        }
        const component = withDate(checked.event, timezone, now)
        const read = checked.event.kind === 'entry' ? checked.event.warning : undefined
        const warning = checked.warning ?? (component !== checked.event ? NO_START_WARNING : read)
        if (warning !== undefined && warnings.length < MAX_REASONS)
          warnings.push({ uid: component.entry.uid, line: found.line, reason: warning })
        batch.push(component)
        weight += weightOf(component)
      }
      for await (const read of file.found()) {
        for (const found of read.lacksSeries
          ? await continueSeries(read, (uid) => findSeries(userId, uid))
          : [read]) {
          take(found)
          await breathe()
          if (weight >= BATCH_SIZE) yield await flush()
        }
      }
      yield await flush()
    },
  }
}
