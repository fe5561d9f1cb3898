import type { Db } from '../../../database/db.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EventRecord, type EventSource, fieldsOf } from '../event.ts'
import { listByUid, lockByUid } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { entryOf, writeCalendar } from '../export.ts'
import { type Entry, type FoundEvent, type PersonExtra, readExtra, writeExtra } from '../ical/entry.ts'
import { contentOf, duplicateRange, duplicateUid, originalUid } from '../ical/objects.ts'
import { splitParameters } from '../ical/people.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { isMirroredUid } from '../mirrors/mirrored-fields.ts'
import type { BatchWriter } from './batch.ts'
import { writeWithOthers } from './import.ts'

// RFC 6638: a server with implicit scheduling emails all attendees of an event without SCHEDULE-AGENT, or
// with SCHEDULE-AGENT=SERVER. If the parameter is added later, the server emails a cancellation (section
// 3.2.1.2).

const CLIENT = 'SCHEDULE-AGENT=CLIENT'
/** Parameters that make a server send email, or that report its delivery. */
const SENDING = /^SCHEDULE-(?:AGENT=(?!CLIENT$|NONE$)|FORCE-SEND=|STATUS=)/i

const withClientAgent = (parameters: string): string => {
  const kept = splitParameters(parameters).filter((parameter) => !SENDING.test(parameter))
  return (kept.some((parameter) => /^SCHEDULE-AGENT=/i.test(parameter)) ? kept : [...kept, CLIENT]).join(';')
}

/** The line of a participant without an email address, which is kept verbatim. */
const PERSON_LINE = /^(ATTENDEE|ORGANIZER)((?:;(?:"[^"]*"|[^":])*)?)(:.*)$/

const lineWithClientAgent = (line: string): string => {
  const [, name, parameters = '', value] = PERSON_LINE.exec(line) ?? []
  return name === undefined ? line : `${name};${withClientAgent(parameters.slice(1))}${value}`
}

const keyOf = (email: string): string => email.toLowerCase()

const keyPeople = (people: readonly PersonExtra[] = []): Map<string, PersonExtra> =>
  new Map(people.map((person) => [keyOf(person.email), person]))

/** The participants of an event as stored on the server. */
interface StoredPeople {
  attendees: Map<string, PersonExtra>
  organizer: PersonExtra | undefined
}

const readStoredPeople = ({ attendees, organizer, extra }: Entry): StoredPeople => {
  const read = readExtra(extra)
  const kept = keyPeople(read.people)
  return {
    attendees: keyPeople(attendees.map(({ email }) => kept.get(keyOf(email)) ?? { email, parameters: '' })),
    organizer: organizer ? { parameters: '', ...read.organizer, email: organizer.email } : undefined,
  }
}

type StoredObject = ReturnType<typeof readStoredObject>

/**
 * Finds participants in the object on the server: first in the same occurrence, then in the series, then
 * anywhere.
 */
const readStoredObject = (entries: readonly Entry[]) => {
  const occurrences = new Map(entries.map((entry) => [entry.recurrenceId, readStoredPeople(entry)]))
  const everybody: StoredPeople['attendees'] = new Map()
  for (const { attendees } of occurrences.values())
    for (const [key, person] of attendees) if (!everybody.has(key)) everybody.set(key, person)
  const lines = new Set(entries.flatMap((entry) => readExtra(entry.extra).lines ?? []))
  const near = (recurrenceId: string | null): StoredPeople[] =>
    [occurrences.get(recurrenceId), occurrences.get(null)].filter((one) => one !== undefined)
  return {
    hasLine: (line: string): boolean => lines.has(line),
    attendee: (recurrenceId: string | null, email: string): PersonExtra | undefined =>
      [...near(recurrenceId).map(({ attendees }) => attendees), everybody]
        .find((people) => people.has(keyOf(email)))
        ?.get(keyOf(email)),
    organizer: (recurrenceId: string | null, email: string): PersonExtra | undefined =>
      near(recurrenceId).find((one) => one.organizer && keyOf(one.organizer.email) === keyOf(email))
        ?.organizer,
  }
}

/**
 * Sets the scheduling parameters to send. Participants that the server knows keep the stored parameters. New
 * participants get SCHEDULE-AGENT=CLIENT if `isClient`.
 */
const withScheduling = (
  entry: Entry,
  { stored, isClient }: { stored: StoredObject; isClient: boolean },
): Entry => {
  const extra = readExtra(entry.extra)
  const kept = keyPeople(extra.people)
  const keptOrganizer = keyPeople(extra.organizer ? [extra.organizer] : [])
  const resolve = (email: string, known: PersonExtra | undefined, own: typeof kept): PersonExtra => {
    if (known) return { ...known, email }
    const person = { parameters: '', ...own.get(keyOf(email)), email }
    return isClient ? { ...person, parameters: withClientAgent(person.parameters) } : person
  }
  const { recurrenceId, organizer } = entry
  const people = entry.attendees.map(({ email }) =>
    resolve(email, stored.attendee(recurrenceId, email), kept),
  )
  const lines = extra.lines?.map((line) =>
    isClient && !stored.hasLine(line) ? lineWithClientAgent(line) : line,
  )
  return {
    ...entry,
    extra: writeExtra({
      ...extra,
      people,
      organizer:
        organizer === null
          ? extra.organizer
          : resolve(organizer.email, stored.organizer(recurrenceId, organizer.email), keptOrganizer),
      lines,
    }),
  }
}

/** Whether Factotum or another client that schedules by itself wrote this object. */
const hasClientAgent = (body: string): boolean => body.replace(/\r?\n[ \t]/g, '').includes(CLIENT)

/** All entries of one UID: an event, or a series with its changed occurrences. */
export type Entries = readonly Entry[]

export type MirroredEvents = ReturnType<typeof createMirroredEvents>

const hashContent = (entries: Entries): string => entries.map(contentOf).toSorted().join('\n')

/** Sorts a series before its changed occurrences. */
const inOrder = (rows: readonly EventRecord[]): EventRecord[] =>
  rows.toSorted((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1))

/** Reads and writes events that are also stored on a server. */
export const createMirroredEvents = (
  deps: Pick<Platform, 'db' | 'clock'> & {
    saving: Saving
    write: BatchWriter
    reader: Pick<CalendarReader, 'readEntries'>
    zoneOf: (userId: number) => Promise<string>
  },
) => {
  const { db, clock, saving, write } = deps

  const readObject = async (userId: number, bytes: Uint8Array) =>
    deps.reader.readEntries(bytes, await deps.zoneOf(userId))

  /** Replaces the stored events of all UIDs in `entries` with the server's version. */
  const adopt = async (
    tx: Db,
    userId: number,
    entries: Entries,
    { source, calendarId }: { source: EventSource; calendarId: number },
  ): Promise<void> => {
    if (entries.length === 0) return
    const batch = entries.map((entry): FoundEvent => ({ kind: 'entry', line: 0, method: null, entry }))
    await write(tx, userId, batch, {
      source,
      calendarId,
      emailId: null,
      takesCancelled: true,
      isAuthority: true,
    })
    const named = Map.groupBy(entries, ({ uid }) => uid)
    for (const row of await lockByUid(tx, userId, [...named.keys()])) {
      if (named.get(row.uid)?.some(({ recurrenceId }) => (recurrenceId ?? '') === row.recurrenceId)) continue
      await saving.remove(tx, row)
      if (row.seriesId !== null) await saving.expandAnew(tx, userId, row.seriesId)
    }
  }

  return {
    /** Parses the events of a calendar object. */
    read: async (userId: number, bytes: Uint8Array): Promise<Entry[]> =>
      (await readObject(userId, bytes)).entries,

    /** Like `read`, with the titles of duplicates and the errors of events that cannot be parsed. */
    readObject,

    /** Writes and parses the entries, so that equivalent entries become equal. */
    normalize: async (userId: number, entries: Entries): Promise<Entry[]> =>
      entries.length === 0
        ? []
        : (await readObject(userId, Buffer.from(writeCalendar(entries, clock.now())))).entries,

    /** Locks and returns the events of a UID until the transaction ends. */
    async lock(tx: Db, userId: number, uid: string): Promise<Entry[]> {
      return inOrder(await lockByUid(tx, userId, [uid])).map(entryOf)
    },

    /** Whether the events of a UID are shown from another calendar, so that the server does not decide about them. */
    has: async (tx: Db, userId: number, uid: string): Promise<boolean> =>
      (await listByUid(tx, userId, [uid])).some(({ mirrorOf }) => mirrorOf !== null),

    isMirroredUid,

    /** Locks the events of many UIDs and returns the UIDs that exist. */
    async lockAll(tx: Db, userId: number, uids: readonly string[]): Promise<Set<string>> {
      return new Set((await lockByUid(tx, userId, uids)).map(({ uid }) => uid))
    },

    /** Writes an object for a server that stores `before`, or nothing if it is empty. */
    async text(userId: number, entries: Entries, before: string): Promise<string> {
      const uids = [...new Set(entries.map(({ uid }) => uid))]
      const rows = before === '' ? [] : await listByUid(db, userId, uids)
      const isCreatedLocally = rows.every(({ source }) => source !== 'caldav')
      const scheduling = {
        stored: readStoredObject(
          before === '' ? [] : (await readObject(userId, Buffer.from(before))).entries,
        ),
        isClient: isCreatedLocally || hasClientAgent(before),
      }
      return writeCalendar(
        entries.map((entry) => withScheduling(entry, scheduling)),
        clock.now(),
      )
    },

    /** Whether a server with this object may email guests. New objects are written so that it does not. */
    maySchedule: (body: string): boolean => body !== '' && !hasClientAgent(body),

    /** The UID of a second object with the same UID: see ical/objects.ts. */
    separateUid: duplicateUid,
    separateRange: duplicateRange,
    serverUid: originalUid,
    haveSameContent: (one: Entries, other: Entries): boolean => hashContent(one) === hashContent(other),

    /** Retries after a collision with another import: see `writeWithOthers`. */
    change: <T>(work: (tx: Db) => Promise<T>): Promise<T> => writeWithOthers(db, work),
    adopt,

    /** Moves an event to the calendar in which its server has it. */
    async moveTo(tx: Db, userId: number, uid: string, calendarId: number): Promise<void> {
      for (const row of inOrder(await lockByUid(tx, userId, [uid])))
        if (row.seriesId === null) await saving.update(tx, row, fieldsOf(row), { calendarId })
    },

    async remove(tx: Db, userId: number, uid: string): Promise<void> {
      for (const row of inOrder(await lockByUid(tx, userId, [uid]))) await saving.remove(tx, row)
    },
  }
}
