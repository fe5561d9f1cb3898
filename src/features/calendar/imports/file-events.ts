import type { Db } from '../../../database/db.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { requireTarget } from '../calendars/store.ts'
import { type EventRecord, fieldsOf } from '../event.ts'
import { findNamed } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { entryOf } from '../export.ts'
import type { Entry, Found, FoundEvent } from '../ical/entry.ts'
import { createDuplicateCheck } from '../ical/objects.ts'
import type { CalendarReader, ReadFile } from '../ical/reader.ts'
import { continueSeries } from '../ical/this-and-future.ts'
import { isSeries } from '../series.ts'
import { startOfDay, startOfDayAfter } from '../times.ts'
import type { BatchWriter } from './batch.ts'
import {
  type Changed,
  changesBetween,
  createRestoration,
  mergeChanges,
  readConcerned,
  type WrittenEvents,
} from './journal.ts'

/** An event of a file, or the reason why a component of the file is none. */
export type FileEvent =
  | { line: number; event: FoundEvent; title: string; start: string | null; warning: string | null }
  | { line: number; event: null; uid: string | null; reason: string }

/** Some programs write events without a date. They become all-day events that do not block time. */
const withDate = (component: FoundEvent, timezone: string, now: string): FoundEvent => {
  if (component.kind === 'entry' || component.method === 'CANCEL') return component
  const start = startOfDay(component.entry.revisedAt ?? now, timezone)
  const when = { start, end: startOfDayAfter(start, 1, timezone), allDay: true, timezone, busy: false }
  return { ...component, kind: 'entry', entry: { ...component.entry, ...when } }
}
const NO_START_WARNING = 'The event has no start (DTSTART). It was added to the day on which it was written.'

export type FileEvents = ReturnType<typeof createFileEvents>

/** Imports events of a file in steps, each in a transaction of the caller, and reverts them. */
export const createFileEvents = (
  deps: Pick<Platform, 'db' | 'clock'> & {
    saving: Saving
    write: BatchWriter
    reader: Pick<CalendarReader, 'readFile'>
  },
) => {
  const { db, clock, saving, write, reader } = deps
  const restore = createRestoration(saving)

  const findSeries = async (userId: number, uid: string): Promise<Entry | undefined> => {
    const row = await findNamed(db, userId, uid, '')
    return row && isSeries(fieldsOf(row)) ? entryOf(row) : undefined
  }

  /** Parses a calendar file. A large file waits for a worker thread, so this must not run in a transaction. */
  const open = async (bytes: Uint8Array, timezone: string): Promise<ReadFile> => {
    const file = await reader.readFile(bytes, timezone, { splitsSeries: true })
    if (!file.isCalendar) throw invalid('This is not an iCalendar file: BEGIN:VCALENDAR is missing.')
    return file
  }

  async function* find(userId: number, file: ReadFile, timezone: string): AsyncGenerator<FileEvent> {
    const now = clock.now().toISOString()
    const checkDuplicate = createDuplicateCheck()
    const toFileEvent = (found: Found): FileEvent => {
      const { line } = found
      const checked = found.kind === 'skipped' ? found : checkDuplicate(found)
      if ('reason' in checked) {
        const uid = found.kind === 'skipped' ? found.uid : found.entry.uid
        return { line, event: null, uid, reason: checked.reason }
      }
      const event = withDate(checked.event, timezone, now)
      const read = checked.event.kind === 'entry' ? checked.event.warning : undefined
      const warning = checked.warning ?? (event === checked.event ? read : NO_START_WARNING) ?? null
      const start = event.kind === 'entry' ? event.entry.start : null
      return { line, event, title: event.entry.title, start, warning }
    }
    for await (const read of file.found())
      for (const found of await continueSeries(read, (uid) => findSeries(userId, uid)))
        yield toFileEvent(found)
  }

  return {
    open,

    find,

    /** Reads the events of a calendar file in order. Floating times are in `timezone`. */
    async *read(userId: number, bytes: Uint8Array, timezone: string): AsyncGenerator<FileEvent> {
      yield* find(userId, await open(bytes, timezone), timezone)
    },

    /** Counts the events that exist already. */
    async countKnown(userId: number, events: readonly FoundEvent[]): Promise<number> {
      let known = 0
      for (const { entry } of events)
        if (await findNamed(db, userId, entry.uid, entry.recurrenceId ?? '')) known++
      return known
    },

    async write(
      tx: Db,
      userId: number,
      events: readonly FoundEvent[],
      calendarId: number | undefined,
    ): Promise<WrittenEvents> {
      if (calendarId !== undefined) await requireTarget(tx, userId, calendarId)
      let concerned: readonly FoundEvent[] = []
      let before = new Map<string, EventRecord>()
      const verdicts = await write(tx, userId, events, {
        source: 'ics',
        emailId: null,
        takesCancelled: true,
        isFile: true,
        calendarId,
        async beforeWrite(at, written) {
          concerned = written
          before = await readConcerned(at, userId, written)
        },
      })
      const isChanged = verdicts.some((verdict) => verdict === 'created' || verdict === 'updated')
      const changed = isChanged ? changesBetween(before, await readConcerned(tx, userId, concerned)) : []
      return { verdicts, changed }
    },

    /** Reverts all changes of one UID. Returns false, and changes nothing, if an event was changed since. */
    async revert(tx: Db, userId: number, changed: readonly Changed[]): Promise<boolean> {
      try {
        await restore(tx, userId, mergeChanges(changed))
        return true
      } catch (error) {
        if (error instanceof AppError && error.kind === 'conflict') return false
        throw error
      }
    },
  }
}
