import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { EventRecord, EventSource } from '../event.ts'
import { deleteEvent, listByUid, lockByUid } from '../event-store.ts'
import { entryOf, writeCalendar } from '../exports/told-event.ts'
import { decodeCalendar } from '../icalendar/decoding.ts'
import {
  contentOf,
  duplicateRange,
  duplicateUid,
  isLaterRevision,
  originalUid,
} from '../icalendar/duplicate-uids.ts'
import type { Entry, Told } from '../icalendar/entry.ts'
import { toldOfEach } from '../icalendar/following-occurrences.ts'
import { openCalendar } from '../icalendar/reading.ts'
import type { Saving } from '../saving.ts'
import { type BatchWriter, nameOf } from './batch.ts'
import { writeWithOthers } from './collisions.ts'
import { hasClientAgent, readStoredObject, withScheduling } from './server-scheduling.ts'

/** Of one uid: an event, or a series with its changed occurrences. */
export type Entries = readonly Entry[]

export type MirroredEvents = ReturnType<typeof createMirroredEvents>

const printOf = (entries: Entries): string => entries.map(contentOf).toSorted().join('\n')

/** The series before what was changed of it. */
const inOrder = (rows: readonly EventRecord[]): EventRecord[] =>
  rows.toSorted((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1))

/** Events that lie on a server as well: as it tells of them, and as it is told of them. */
export const createMirroredEvents = (deps: {
  db: Db
  clock: Clock
  saving: Saving
  write: BatchWriter
  timezone: () => Promise<string>
}) => {
  const { db, clock, saving, write } = deps

  /** Of two with one name the later revision counts; the other is named in `superseded` if it says something else. */
  const readEntries = async (body: string): Promise<{ entries: Entry[]; superseded: string[] }> => {
    const file = await openCalendar(body, { timezone: await deps.timezone() })
    const entries = new Map<string, Entry>()
    const superseded: string[] = []
    for (const found of file.found()) {
      if (found.kind !== 'entry') continue
      const { entry } = found
      const other = entries.get(nameOf(entry))
      const isTaken = !other || isLaterRevision(entry, other)
      if (other && contentOf(other) !== contentOf(entry)) superseded.push((isTaken ? other : entry).title)
      if (isTaken) entries.set(nameOf(entry), entry)
    }
    return {
      entries: Map.groupBy(entries.values(), ({ uid }) => uid)
        .values()
        .flatMap((family) => toldOfEach(family))
        .toArray(),
      superseded,
    }
  }

  const entriesIn = async (body: string): Promise<Entry[]> => (await readEntries(body)).entries

  /** The word of the server about what it holds replaces what is here; of as many uids as there are in it. */
  const adopt = async (tx: Db, entries: Entries, source: EventSource): Promise<void> => {
    if (entries.length === 0) return
    const batch = entries.map((entry): Told => ({ kind: 'entry', line: 0, method: null, entry }))
    await write(tx, batch, { source, emailId: null, takesCancelled: true, isAuthority: true })
    const named = Map.groupBy(entries, ({ uid }) => uid)
    for (const row of await lockByUid(tx, [...named.keys()])) {
      if (named.get(row.uid)?.some(({ recurrenceId }) => (recurrenceId ?? '') === row.recurrenceId)) continue
      await deleteEvent(tx, row.id)
      if (row.seriesId === null) await saving.removed(tx, row)
      else {
        await saving.expandAnew(tx, row.seriesId)
        await saving.restored(tx, row)
      }
    }
  }

  return {
    /** What a calendar that came from outside says of events. */
    read: (bytes: Uint8Array): Promise<Entry[]> => entriesIn(decodeCalendar(bytes)),

    /** Likewise, and the titles of events that are in it twice. */
    readObject: (bytes: Uint8Array) => readEntries(decodeCalendar(bytes)),

    /** As we would tell of them: two that mean the same are the same then. */
    retold: (entries: Entries): Promise<Entry[]> =>
      entries.length === 0 ? Promise.resolve([]) : entriesIn(writeCalendar(entries, clock.now())),

    /** What is here, held until the transaction ends. */
    async hold(tx: Db, uid: string): Promise<Entry[]> {
      return inOrder(await lockByUid(tx, [uid])).map(entryOf)
    },

    /** Likewise of many, without a look at what they say: the uids of those that are here. */
    async holdAll(tx: Db, uids: readonly string[]): Promise<Set<string>> {
      return new Set((await lockByUid(tx, uids)).map(({ uid }) => uid))
    },

    /** As a server takes it that holds `before`, or nothing yet. */
    async text(entries: Entries, before: string): Promise<string> {
      const uids = [...new Set(entries.map(({ uid }) => uid))]
      const rows = before === '' ? [] : await listByUid(db, uids)
      const isMadeHere = rows.every(({ source }) => source !== 'caldav')
      const scheduling = {
        stored: readStoredObject(before === '' ? [] : await entriesIn(before)),
        isClient: isMadeHere || hasClientAgent(before),
      }
      return writeCalendar(
        entries.map((entry) => withScheduling(entry, scheduling)),
        clock.now(),
      )
    },

    /** Whether a server that holds this may mail guests. What it does not hold yet is written so that it does not. */
    maySchedule: (body: string): boolean => body !== '' && !hasClientAgent(body),

    /** Of a second object with the same UID: see duplicate-uids.ts. */
    separateUid: duplicateUid,
    separateRange: duplicateRange,
    serverUid: originalUid,

    saysTheSame: (one: Entries, other: Entries): boolean => printOf(one) === printOf(other),

    /** Several may bring in the same: see collisions.ts. */
    change: <T>(work: (tx: Db) => Promise<T>): Promise<T> => writeWithOthers(db, work),

    adopt,

    async remove(tx: Db, uid: string): Promise<void> {
      for (const row of inOrder(await lockByUid(tx, [uid]))) {
        await deleteEvent(tx, row.id)
        if (row.seriesId === null) await saving.removed(tx, row)
      }
    },
  }
}
