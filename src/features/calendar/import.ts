import type { Db } from '../../database/db.ts'
import { isDeadlock } from '../../database/deadlock.ts'
import { inTransaction, isInTransaction } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalid } from '../../platform/errors.ts'
import { decodeCalendar } from './icalendar/decoding.ts'
import { openCalendar } from './icalendar/reading.ts'
import { createBatchWriter, type Told } from './import-batch.ts'
import type { Verdict } from './import-scheduling.ts'
import type { Occurrences } from './occurrences.ts'
import type { Saving } from './saving.ts'
import { startOfDay, startOfDayAfter } from './times.ts'

/** Written together: what was told of as imported is there to stay. */
const AT_ONCE = 200
/** Reasons are for people to read; beyond these, only their number is told. */
const MOST_REASONS = 1000
const TRIES = 5

export interface Remark {
  uid: string | null
  /** Where in the file it begins. */
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
  /** What was read, but not as it stands in the file. */
  warnings: Remark[]
}

/** Programs do write events without a date. They are not lost, but put where they disturb nothing. */
const placed = (told: Told, timezone: string, now: string): Told => {
  if (told.kind === 'entry' || told.method === 'CANCEL') return told
  const start = startOfDay(told.entry.revisedAt ?? now, timezone)
  const when = { start, end: startOfDayAfter(start, 1, timezone), allDay: true, timezone, busy: false }
  return { ...told, kind: 'entry', entry: { ...told.entry, ...when } }
}
const PLACED = 'It does not say when it is, and was put on the day it was written.'

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export type Import = ReturnType<typeof createImport>

export const createImport = (deps: {
  db: Db
  clock: Clock
  saving: Saving
  occurrences: Occurrences
  timezone: () => Promise<string>
}) => {
  const { db, clock } = deps
  const write = createBatchWriter(deps)

  /**
   * Someone else may bring in the same event at the same moment: then there is another to compare with. Or both wait
   * for what the other has, and the database lets one of them begin again.
   */
  const writeAll = async (batch: readonly Told[]): Promise<Verdict[]> => {
    for (let attempt = 1; ; attempt++)
      try {
        return await inTransaction(db, (tx) => write(tx, batch))
      } catch (error) {
        if (!(isUniqueViolation(error) || isDeadlock(error)) || isInTransaction() || attempt === TRIES)
          throw error
      }
  }

  return {
    /**
     * Reads a calendar file into events, and tells after each part that was written how far it has come. Reading the
     * same file again changes nothing, so what was cut short is finished by sending it once more.
     */
    async *read(bytes: Uint8Array): AsyncGenerator<ImportReport> {
      const timezone = await deps.timezone()
      const now = clock.now().toISOString()
      const file = await openCalendar(decodeCalendar(bytes), { timezone })
      if (!file.isCalendar) throw invalid('This is no iCalendar file: it has no BEGIN:VCALENDAR in it.')
      const counts = { found: 0, created: 0, updated: 0, unchanged: 0, skippedCount: 0 }
      const skipped: Remark[] = []
      const warnings: Remark[] = []
      const skip = (component: Remark): void => {
        counts.skippedCount++
        if (skipped.length < MOST_REASONS) skipped.push(component)
      }
      let batch: Told[] = []
      const flush = async (): Promise<ImportReport> => {
        const verdicts = batch.length === 0 ? [] : await writeAll(batch)
        for (const [index, verdict] of verdicts.entries()) {
          const { line, entry } = batch[index] as Told
          if (typeof verdict === 'string') counts[verdict]++
          else skip({ uid: entry.uid, line, reason: verdict.reason })
        }
        batch = []
        await pause()
        return { ...counts, skipped: skipped.toSorted((a, b) => a.line - b.line), warnings }
      }
      for (const found of file.found()) {
        counts.found++
        if (found.kind === 'skipped') skip({ uid: found.uid, line: found.line, reason: found.reason })
        else {
          const told = placed(found, timezone, now)
          const warning = told !== found ? PLACED : found.kind === 'entry' ? found.warning : undefined
          if (warning !== undefined && warnings.length < MOST_REASONS)
            warnings.push({ uid: found.entry.uid, line: found.line, reason: warning })
          batch.push(told)
        }
        if (counts.found % AT_ONCE === 0) yield await flush()
      }
      yield await flush()
    },
  }
}
