import type { Db } from '../../../database/db.ts'
import { createBreather } from '../../../platform/breather.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalid } from '../../../platform/errors.ts'
import { fieldsOf } from '../event.ts'
import { findNamed } from '../event-store.ts'
import { entryOf } from '../exports/told-event.ts'
import { createDuplicateCheck } from '../icalendar/duplicate-uids.ts'
import type { Entry, Found, Told } from '../icalendar/entry.ts'
import { continueSeries } from '../icalendar/from-there-on.ts'
import type { CalendarReader, ReadFile } from '../icalendar/reader.ts'
import { isSeries } from '../series.ts'
import { startOfDay, startOfDayAfter } from '../times.ts'
import type { BatchWriter } from './batch.ts'
import { writeWithOthers } from './collisions.ts'
import { type ImportJournal, NOTHING_NOTED } from './journal.ts'

/** Written together: what was told of as imported is there to stay, and nobody else waits long to write. */
const AT_ONCE = 200
/** Reasons are for people to read; beyond these, only their number is told. */
const MOST_REASONS = 1000

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
  /** What it is undone by; null when nothing was changed. */
  actionId: number | null
}

const A_FILE = { source: 'ics', emailId: null, takesCancelled: true } as const

/** Programs do write events without a date. They are not lost, but put where they disturb nothing. */
const placed = (told: Told, timezone: string, now: string): Told => {
  if (told.kind === 'entry' || told.method === 'CANCEL') return told
  const start = startOfDay(told.entry.revisedAt ?? now, timezone)
  const when = { start, end: startOfDayAfter(start, 1, timezone), allDay: true, timezone, busy: false }
  return { ...told, kind: 'entry', entry: { ...told.entry, ...when } }
}
const PLACED = 'It does not say when it is, and was put on the day it was written.'

/** How much of a batch it is: what recurs, and what is told of in advance, takes a while to work out. */
const weightOf = ({ entry }: Told): number =>
  1 + (entry.recurrence?.split('\n').length ?? 0) * (1 + entry.reminders.length / 5)

/** A calendar file whose events are about to be read. */
export interface OpenedFile {
  file: ReadFile
  timezone: string
}

export type Import = ReturnType<typeof createImport>

export const createImport = (deps: {
  db: Db
  clock: Clock
  write: BatchWriter
  journal: ImportJournal
  reader: Pick<CalendarReader, 'readFile'>
  timezone: () => Promise<string>
}) => {
  const { db, clock, write, journal } = deps

  const findSeries = async (uid: string): Promise<Entry | undefined> => {
    const row = await findNamed(db, uid, '')
    return row && isSeries(fieldsOf(row)) ? entryOf(row) : undefined
  }

  return {
    /** Opens a calendar file. A large one waits for a worker thread: this must not be part of a transaction. */
    async open(bytes: Uint8Array): Promise<OpenedFile> {
      const timezone = await deps.timezone()
      const file = await deps.reader.readFile(bytes, timezone, { splitsSeries: true })
      if (!file.isCalendar) throw invalid('This is no iCalendar file: it has no BEGIN:VCALENDAR in it.')
      return { file, timezone }
    },

    /**
     * Reads a calendar file into events, and tells after each part that was written how far it has come. Reading the
     * same file again changes nothing, so what was cut short is finished by sending it once more.
     */
    async *read({ file, timezone }: OpenedFile): AsyncGenerator<ImportReport> {
      const now = clock.now().toISOString()
      const counts = { found: 0, created: 0, updated: 0, unchanged: 0, skippedCount: 0 }
      const skipped: Remark[] = []
      const warnings: Remark[] = []
      const skip = (component: Remark): void => {
        counts.skippedCount++
        if (skipped.length < MOST_REASONS) skipped.push(component)
      }
      const breathe = createBreather()
      const checkDuplicate = createDuplicateCheck()
      let batch: Told[] = []
      let weight = 0
      let soFar = NOTHING_NOTED
      const flush = async (): Promise<ImportReport> => {
        const written = batch
        const { verdicts, noted } =
          written.length === 0
            ? { verdicts: [], noted: soFar }
            : await writeWithOthers(db, (tx) =>
                journal.write(tx, soFar, (witness) => write(tx, written, { ...A_FILE, witness })),
              )
        soFar = noted
        for (const [index, verdict] of verdicts.entries()) {
          const { line, entry } = batch[index] as Told
          if (typeof verdict === 'string') counts[verdict]++
          else skip({ uid: entry.uid, line, reason: verdict.reason })
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
        const told = placed(checked.told, timezone, now)
        const read = checked.told.kind === 'entry' ? checked.told.warning : undefined
        const warning = checked.warning ?? (told !== checked.told ? PLACED : read)
        if (warning !== undefined && warnings.length < MOST_REASONS)
          warnings.push({ uid: told.entry.uid, line: found.line, reason: warning })
        batch.push(told)
        weight += weightOf(told)
      }
      for await (const read of file.found()) {
        for (const found of read.lacksSeries ? await continueSeries(read, findSeries) : [read]) {
          take(found)
          await breathe()
          if (weight >= AT_ONCE) yield await flush()
        }
      }
      yield await flush()
    },
  }
}
