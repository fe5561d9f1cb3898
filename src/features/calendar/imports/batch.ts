import type { Db } from '../../../database/db.ts'
import { privateTagsOf } from '../../../nlu/mail/facts.ts'
import { createYielder } from '../../../platform/yield.ts'
import { occursAt } from '../../../recurrence/series.ts'
import {
  type Attendee,
  BLANK,
  type EventFields,
  type EventRecord,
  type EventSource,
  fieldsOf,
  LOCAL_FIELDS,
  pickFields,
} from '../event.ts'
import {
  attachOccurrences,
  deleteEvent,
  deleteOccurrences,
  findNamed,
  listNamed,
  listOverrides,
  listUnattached,
  lockByUid,
  lockEvents,
} from '../event-repository.ts'
import { changedFields, type Saving } from '../event-writer.ts'
import { type Entry, type FoundEvent, keyByName, nameOf, readExtra } from '../ical/entry.ts'
import { duplicateUid, withUid } from '../ical/objects.ts'
import type { Occurrences } from '../occurrences.ts'
import { isSeries, seriesOf } from '../series.ts'
import { shiftBy } from '../times.ts'

/** `kept`: the stored event was kept although the given one has other content, for the reason that it names. */
export type Verdict = 'created' | 'updated' | 'unchanged' | { reason: string } | { kept: string }

/** RFC 5546: components with these methods are messages about an event, not events. */
const REASONS: Readonly<Record<string, string>> = {
  COUNTER: 'The file contains a proposal for another time, which is not applied automatically.',
  DECLINECOUNTER: 'The file declines a proposal. The event is unchanged.',
  REFRESH: 'The file requests the current version of the event from its organizer.',
  ADD: 'The file adds occurrences to an existing series. Import the whole series instead.',
}

/** Whether the message is older than the author's last revision. Local changes do not count. */
const isOutdated = ({ sequence, revisedAt }: FoundEvent['entry'], row: EventRecord): boolean =>
  sequence < row.sequence && row.revisedAt !== null && (revisedAt ?? '') < row.revisedAt

const withReplies = (attendees: readonly Attendee[], answers: readonly Attendee[]): Attendee[] => {
  const byEmail = new Map(answers.map((answer) => [answer.email.toLowerCase(), answer]))
  const answered = attendees.map((one) => {
    const answer = byEmail.get(one.email.toLowerCase())
    byEmail.delete(one.email.toLowerCase())
    return answer ? { ...one, status: answer.status } : one
  })
  // An attendee who was not invited may reply and is added (RFC 5546, 3.2.3).
  return [...answered, ...byEmail.values()]
}

export const cancels = ({ method }: FoundEvent): boolean => method === 'CANCEL'

const isOtherMessage = ({ method }: FoundEvent): boolean => method !== null && Object.hasOwn(REASONS, method)

/** Whether the component is a message about an event. */
const isMessage = (component: FoundEvent): boolean =>
  cancels(component) || component.method === 'REPLY' || isOtherMessage(component)

/** Applies messages about stored events: cancellations, replies and others. */
const createSchedulingWriter = (deps: { saving: Saving; occurrences: Occurrences }) => {
  const { saving, occurrences } = deps

  const change = async (
    tx: Db,
    row: EventRecord,
    component: FoundEvent,
    make: (fields: EventFields) => EventFields,
  ): Promise<Verdict> => {
    const [before, after] = [fieldsOf(row), make(fieldsOf(row))]
    if (isOutdated(component.entry, row) || changedFields(before, after).length === 0) return 'unchanged'
    // Keep the author's revision, because the organizer's next message is compared with it.
    const { sequence, revisedAt } = component.entry
    const kept = cancels(component)
      ? { sequence: Math.max(sequence, row.sequence), revisedAt: revisedAt ?? row.revisedAt }
      : { revisedAt: row.revisedAt }
    await saving.update(tx, row, after, kept)
    if (cancels(component))
      for (const one of await listOverrides(tx, row.userId, row.id)) await change(tx, one, component, make)
    return 'updated'
  }

  /**
   * Changes an unchanged occurrence, or cancels it and all following. Returns undefined if it does not exist.
   */
  const changeOccurrence = async (
    tx: Db,
    userId: number,
    component: FoundEvent,
    make: (fields: EventFields) => EventFields,
  ): Promise<Verdict | undefined> => {
    const { uid, recurrenceId, extra } = component.entry
    const series = recurrenceId === null ? undefined : await findNamed(tx, userId, uid, '')
    const one = series && (await occurrences.locate(tx, series, recurrenceId as string))
    if (!series || !one) return undefined
    const after = make(one.fields)
    if (isOutdated(component.entry, series) || changedFields(one.fields, after).length === 0)
      return 'unchanged'
    if (cancels(component) && readExtra(extra).recurrenceId?.range)
      await occurrences.remove(
        tx,
        userId,
        series.id,
        { occurrence: one.start, scope: 'following' },
        undefined,
      )
    else await occurrences.changeOne(tx, series, one, after)
    return 'updated'
  }

  return async (
    tx: Db,
    userId: number,
    row: EventRecord | undefined,
    component: FoundEvent,
  ): Promise<Verdict> => {
    if (isOtherMessage(component)) return { reason: REASONS[component.method as string] as string }
    const make = (fields: EventFields): EventFields =>
      cancels(component)
        ? { ...fields, status: 'cancelled' }
        : { ...fields, attendees: withReplies(fields.attendees, component.entry.attendees) }
    const verdict = row
      ? await change(tx, row, component, make)
      : await changeOccurrence(tx, userId, component, make)
    return (
      verdict ?? {
        reason: cancels(component)
          ? 'The file cancels an event that is not in the calendar.'
          : 'The file replies to an occurrence that the series does not have.',
      }
    )
  }
}

const isWholeDayOccurrence = (component: FoundEvent): boolean =>
  component.kind === 'entry' && component.entry.allDay && component.entry.recurrenceId !== null

/**
 * All-day events in a file have no zone and are read in the zone of the account. An occurrence of a stored
 * series must use the zone of that series. Otherwise it would match no occurrence.
 */
const toSeriesZone = (component: FoundEvent, series: EventRecord | undefined): FoundEvent => {
  if (component.kind !== 'entry' || !component.entry.allDay || component.entry.recurrenceId === null)
    return component
  const { timezone, start, end, recurrenceId } = component.entry
  if (!series || series.allDay === 0 || series.timezone === timezone) return component
  const moved = (instant: string): string => shiftBy(instant, 0, timezone, series.timezone)
  const when = { start: moved(start), end: moved(end), recurrenceId: moved(recurrenceId) }
  return { ...component, entry: { ...component.entry, ...when, timezone: series.timezone } }
}

type Dated = Extract<FoundEvent, { kind: 'entry' }>
type Known = ReadonlyMap<string, EventRecord>

/** The source of imported events. */
export interface Origin {
  source: EventSource
  emailId: number | null
  /** The calendar of new events. Default: the default calendar. */
  calendarId?: number | undefined
  /** Tags to add to those in the file. */
  tags?: readonly string[]
  /** Whether to create events that are already cancelled. */
  takesCancelled?: boolean
  /**
   * Whether the data always replaces the stored event, regardless of its revision. True for the server that
   * owns the event.
   */
  isAuthority?: boolean
  /**
   * Whether a user imports a file. Its events are then reported if an equal UID hides their content, and an event of
   * another organizer does not replace the stored one.
   */
  isFile?: boolean
  /** Called with the components about to be written, after their rows are locked. */
  beforeWrite?: (tx: Db, written: readonly FoundEvent[]) => Promise<void>
  /** Keeps the user's own changes when a later revision arrives. */
  keep?: (before: EventFields, after: EventFields) => EventFields
}

const seriesNameOf = ({ uid }: { uid: string }): string => nameOf({ uid, recurrenceId: null })

/** Keeps the fields that a file does not contain. */
const fieldsFrom = (
  entry: Entry,
  { source, emailId, keep, tags = [] }: Origin,
  before?: EventFields,
): EventFields => {
  const { recurrenceId: _, sequence: __, revisedAt: ___, extra: ____, ...said } = entry
  // Private tags stay, regardless of a later revision.
  const own = [...tags, ...privateTagsOf(before?.tags ?? [])]
  const merged = own.length === 0 ? said : { ...said, tags: [...new Set([...said.tags, ...own])] }
  if (!before) return { ...BLANK, ...merged, source, emailId }
  const after = { ...merged, ...pickFields(before, LOCAL_FIELDS) }
  return keep ? keep(before, after) : after
}

type SeriesPlace = Pick<EventRecord, 'id' | 'calendarId'>

/** A changed occurrence is in the calendar of its series. */
const placeOf = (entry: Entry, series: SeriesPlace | undefined, { calendarId }: Origin) =>
  entry.recurrenceId !== null && series
    ? { seriesId: series.id, calendarId: series.calendarId }
    : { seriesId: null, ...(calendarId !== undefined && { calendarId }) }

/** Whether the component has other content than the stored event. */
const hidesContent = (component: FoundEvent, row: EventRecord, origin: Origin): boolean => {
  if (component.kind !== 'entry') return false
  const before = fieldsOf(row)
  return changedFields(before, fieldsFrom(component.entry, origin, before)).length > 0
}

const bookkeepingFrom = ({ sequence, revisedAt, extra }: Entry) => ({ sequence, revisedAt, extra })

/** RFC 5546, 2.1.5: the higher SEQUENCE is later; for equal ones, the later revision time. */
export const isNews = ({ sequence, revisedAt }: FoundEvent['entry'], row: EventRecord): boolean =>
  sequence > row.sequence ||
  (sequence === row.sequence && (revisedAt ?? '') > (row.revisedAt ?? row.updatedAt))

const isApplied = (entry: FoundEvent['entry'], row: EventRecord, { isAuthority = false }: Origin): boolean =>
  isAuthority || isNews(entry, row)

const MIRRORED_REASON = 'The calendar shows this event from another calendar, so it cannot be changed here.'

const readKnown = async (tx: Db, userId: number, batch: readonly FoundEvent[]): Promise<Known> => {
  const uids = new Set(batch.map(({ entry }) => entry.uid))
  const recurrenceIds = new Set(batch.flatMap(({ entry }) => entry.recurrenceId ?? []))
  return keyByName(await listNamed(tx, userId, [...uids], [...recurrenceIds]))
}

/** Deletes changed occurrences that the new rule of their series does not contain. */
const dropStale = async (
  tx: Db,
  row: EventRecord,
  after: EventFields,
  named: ReadonlySet<string>,
): Promise<void> => {
  const series = isSeries(after) ? seriesOf(after) : undefined
  const yieldIfNeeded = createYielder()
  for (const one of await listOverrides(tx, row.userId, row.id)) {
    await yieldIfNeeded()
    if (!named.has(nameOf(one)) && !(series && occursAt(series, Date.parse(one.recurrenceId))))
      await deleteEvent(tx, one.userId, one.id)
  }
}

/** A series that the batch updates takes the zone of the batch, together with its occurrences. */
const withSeriesZones = async (
  tx: Db,
  userId: number,
  given: readonly FoundEvent[],
  origin: Origin,
): Promise<readonly FoundEvent[]> => {
  if (!given.some(isWholeDayOccurrence)) return given
  const known = await readKnown(tx, userId, given)
  const renewed = new Set(
    given.flatMap(({ entry }) => {
      const row = entry.recurrenceId === null ? known.get(nameOf(entry)) : undefined
      return row && isApplied(entry, row, origin) ? [entry.uid] : []
    }),
  )
  return given.map((component) =>
    renewed.has(component.entry.uid)
      ? component
      : toSeriesZone(component, known.get(seriesNameOf(component.entry))),
  )
}

const OLDER_CONTENT =
  'The calendar has this event with other content, and the file has no later revision (SEQUENCE, DTSTAMP). The stored event was kept.'

const toOrganizer = (organizer: { email: string } | null): string | null =>
  organizer?.email.toLowerCase() ?? null

/** Gives events of another organizer than the stored one a UID of their own. */
const separateOrganizers = async (
  tx: Db,
  userId: number,
  given: readonly FoundEvent[],
): Promise<readonly FoundEvent[]> => {
  const known = await readKnown(tx, userId, given)
  return given.map((component) => {
    const { entry } = component
    const row = known.get(nameOf(entry)) ?? known.get(seriesNameOf(entry))
    const stored = row ? toOrganizer(fieldsOf(row).organizer) : null
    const own = toOrganizer(entry.organizer)
    const isForeign = stored !== null && own !== null && stored !== own && !cancels(component)
    return isForeign ? withUid(component, duplicateUid(entry.uid, own)) : component
  })
}

export type BatchWriter = ReturnType<typeof createBatchWriter>

/** Writes a batch of components in the given transaction and returns a verdict for each. */
export const createBatchWriter = (deps: { saving: Saving; occurrences: Occurrences }) => {
  const { saving } = deps
  const writeMessage = createSchedulingWriter(deps)

  /** Reads the stored events of a batch and locks those that the batch may change. */
  const lockKnown = async (
    tx: Db,
    userId: number,
    batch: readonly FoundEvent[],
    origin: Origin,
  ): Promise<Known> => {
    const known = await readKnown(tx, userId, batch)
    const touched = new Map<number, EventRecord>()
    for (const component of batch) {
      const row = known.get(nameOf(component.entry))
      if (row && !isMessage(component) && !isApplied(component.entry, row, origin)) continue
      for (const one of [row, known.get(seriesNameOf(component.entry))]) if (one) touched.set(one.id, one)
    }
    if (touched.size === 0) return known
    const idsOf = (isOccurrence: boolean): number[] =>
      [...touched.values()].filter((row) => (row.recurrenceId !== '') === isOccurrence).map(({ id }) => id)
    await lockEvents(tx, userId, idsOf(false))
    await lockEvents(tx, userId, idsOf(true))
    return readKnown(tx, userId, batch)
  }

  /** Deletes continuation series that a later revision does not contain. */
  const dropContinued = async (tx: Db, row: EventRecord, entry: Entry): Promise<void> => {
    const still = new Set(readExtra(entry.extra).continued)
    const gone = (readExtra(row.extra).continued ?? []).filter((uid) => !still.has(uid))
    if (gone.length === 0) return
    for (const one of await lockByUid(tx, row.userId, gone))
      if (one.seriesId === null) await saving.remove(tx, one)
  }

  const updateStored = async (
    tx: Db,
    row: EventRecord,
    entry: Entry,
    origin: Origin,
    named: ReadonlySet<string>,
  ): Promise<Verdict> => {
    if (!isApplied(entry, row, origin)) return 'unchanged'
    const before = fieldsOf(row)
    const after = fieldsFrom(entry, origin, before)
    if (changedFields(before, after).length === 0 && row.extra === entry.extra) return 'unchanged'
    const emailId = origin.emailId ?? before.emailId
    await saving.update(tx, row, { ...after, emailId }, bookkeepingFrom(entry))
    if (row.recurrenceId !== '') return 'updated'
    if (!origin.isAuthority) await dropContinued(tx, row, entry)
    if (isSeries(before)) await dropStale(tx, row, after, named)
    if (isSeries(after)) await attachOccurrences(tx, row.userId, row.uid, row)
    return 'updated'
  }

  const insert = async (
    tx: Db,
    userId: number,
    many: readonly Dated[],
    series: ReadonlyMap<string, SeriesPlace>,
    origin: Origin,
  ) => {
    if (many.length === 0) return []
    return saving.insertAll(
      tx,
      userId,
      many.map(({ entry, method }) => ({
        fields: {
          ...fieldsFrom(entry, origin),
          ...(method === 'CANCEL' && { status: 'cancelled' as const }),
        },
        kept: {
          ...bookkeepingFrom(entry),
          recurrenceId: entry.recurrenceId ?? '',
          ...placeOf(entry, series.get(entry.uid), origin),
        },
      })),
    )
  }

  /** Inserts series before their changed occurrences, and attaches occurrences from earlier files. */
  const insertAll = async (
    tx: Db,
    userId: number,
    fresh: readonly Dated[],
    known: Known,
    origin: Origin,
  ): Promise<void> => {
    const series = new Map<string, SeriesPlace>()
    for (const row of known.values())
      if (row.recurrenceId === '' && row.expandedFrom !== null) series.set(row.uid, row)
    const whole = fresh.filter(({ entry }) => entry.recurrenceId === null)
    const recurring = new Set(whole.filter(({ entry }) => isSeries(entry)).map(({ entry }) => entry.uid))
    for (const made of await insert(tx, userId, whole, series, origin))
      if (recurring.has(made.uid)) series.set(made.uid, made)
    if (recurring.size > 0)
      for (const uid of await listUnattached(tx, userId, [...recurring]))
        await attachOccurrences(tx, userId, uid, series.get(uid) as SeriesPlace)
    const occurrences = fresh.filter(({ entry }) => entry.recurrenceId !== null)
    await insert(tx, userId, occurrences, series, origin)
    for (const [uid, many] of Map.groupBy(occurrences, ({ entry }) => entry.uid)) {
      const id = series.get(uid)?.id
      const starts = many.map(({ entry }) => entry.recurrenceId as string)
      if (id !== undefined) await deleteOccurrences(tx, userId, id, starts)
    }
  }

  return async (tx: Db, userId: number, given: readonly FoundEvent[], origin: Origin): Promise<Verdict[]> => {
    const own = origin.isFile ? await separateOrganizers(tx, userId, given) : given
    const batch = await withSeriesZones(tx, userId, own, origin)
    const known = await lockKnown(tx, userId, batch, origin)
    const isMirrored = ({ entry }: FoundEvent): boolean =>
      [nameOf(entry), seriesNameOf(entry)].some((name) => (known.get(name)?.mirrorOf ?? null) !== null)
    const named = new Set(batch.map(({ entry }) => nameOf(entry)))
    const fresh = new Map<string, Dated>()
    for (const component of batch) {
      const name = nameOf(component.entry)
      const isNew = !known.has(name) && !fresh.has(name)
      const isWanted = !cancels(component) || origin.takesCancelled
      if (
        component.kind === 'entry' &&
        isNew &&
        isWanted &&
        !isMirrored(component) &&
        // Without a stored series, a message is the only information, so it becomes an event.
        !(isMessage(component) && known.has(seriesNameOf(component.entry)))
      )
        fresh.set(name, component)
    }
    const isUnchanged = (component: FoundEvent): boolean => {
      const row = known.get(nameOf(component.entry))
      return row !== undefined && !isMessage(component) && !isApplied(component.entry, row, origin)
    }
    await origin.beforeWrite?.(
      tx,
      batch.filter((component) => !isUnchanged(component) && !isMirrored(component)),
    )
    await insertAll(tx, userId, [...fresh.values()], known, origin)
    const verdicts: Verdict[] = []
    const counting = new Set<number>()
    for (const component of batch) {
      const { uid, recurrenceId } = component.entry
      if (fresh.get(nameOf(component.entry)) === component) verdicts.push('created')
      else if (isMirrored(component)) verdicts.push({ reason: MIRRORED_REASON })
      else if (isUnchanged(component))
        verdicts.push(
          origin.isFile && hidesContent(component, known.get(nameOf(component.entry)) as EventRecord, origin)
            ? { kept: OLDER_CONTENT }
            : 'unchanged',
        )
      else {
        // Read the row again: an earlier component of the batch may have changed it.
        const present = await findNamed(tx, userId, uid, recurrenceId ?? '')
        if (isMessage(component)) verdicts.push(await writeMessage(tx, userId, present, component))
        else if (component.kind === 'undated') verdicts.push({ reason: 'The event has no start (DTSTART).' })
        else verdicts.push(await updateStored(tx, present as EventRecord, component.entry, origin, named))
        if (present?.seriesId && verdicts.at(-1) === 'updated') counting.add(present.seriesId)
      }
    }
    // Touch each series once: updating a row thousands of times in one transaction makes it slow to read.
    await saving.touch(tx, userId, [...counting])
    return verdicts
  }
}
