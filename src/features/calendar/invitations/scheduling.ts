import { isSameJson } from '../../../platform/fingerprint.ts'
import { type Attendee, type Person, PLACE_FIELDS } from '../event.ts'
import { BLANK_ENTRY, listZones } from '../export.ts'
import { type Entry, type PersonExtra, readExtra, writeExtra } from '../ical/entry.ts'
import { writeEntry } from '../ical/event.ts'
import { calendarHead, calendarTail } from '../ical/parser.ts'
import { splitParameters } from '../ical/people.ts'
import { timezoneComponents } from '../ical/zones.ts'
import { isSameAddress } from '../people.ts'
import { endOf, isSeries } from '../series.ts'
import { isoOf } from '../times.ts'

export type SchedulingMethod = 'REQUEST' | 'CANCEL' | 'REPLY'

/** An iTIP message that a change of an event requires (RFC 5546). */
export interface SchedulingMessage {
  method: SchedulingMethod
  sender: Person
  recipient: Person
  entries: Entry[]
  /** `uninvited`: the event takes place without the recipient. */
  kind: 'invited' | 'updated' | 'cancelled' | 'uninvited' | 'answered'
  /** False if nothing changed that matters to the recipient, so that the message may be left out. */
  isSignificant: boolean
}

/** Changes of these fields matter to every attendee. */
const SIGNIFICANT_FIELDS = [
  'title',
  'description',
  ...PLACE_FIELDS,
  'start',
  'end',
  'allDay',
  'timezone',
  'status',
  'recurrence',
  'exdates',
  'rdates',
] as const satisfies (keyof Entry)[]

/** RFC 6638, 7.1 to 7.3: these parameters are for a CalDAV server and must not be sent to attendees. */
const SERVER_PARAMETER = /^SCHEDULE-(?:AGENT|STATUS|FORCE-SEND)=/i
const FORCED = /(?:^|;)SCHEDULE-FORCE-SEND=(REQUEST|REPLY)(?:;|$)/i

const withoutServerParameters = (person: PersonExtra): PersonExtra => ({
  ...person,
  parameters: splitParameters(person.parameters)
    .filter((parameter) => !SERVER_PARAMETER.test(parameter))
    .join(';'),
})

const isForced = (person: PersonExtra | undefined, method: SchedulingMethod): boolean =>
  FORCED.exec(person?.parameters ?? '')?.[1]?.toUpperCase() === method

const extraOfPerson = ({ extra }: Entry, email: string): PersonExtra | undefined =>
  readExtra(extra).people?.find((person) => isSameAddress(person.email, email))

const findAttendee = ({ attendees }: Entry, email: string): Attendee | undefined =>
  attendees.find((attendee) => isSameAddress(attendee.email, email))

const isWhole = ({ recurrenceId }: Entry): boolean => recurrenceId === null

const findWhole = (entries: readonly Entry[]): Entry | undefined => entries.find(isWhole)

const findSame = (entries: readonly Entry[], { recurrenceId }: Entry): Entry | undefined =>
  entries.find((entry) => entry.recurrenceId === recurrenceId)

/**
 * Selects the part of an event that one attendee may know: an occurrence without the attendee is an exception
 * of the series.
 */
const selectFor = (entries: readonly Entry[], email: string): Entry[] => {
  const others = entries.filter((entry) => !isWhole(entry) && !findAttendee(entry, email))
  const hidden = others.flatMap(({ recurrenceId }) => recurrenceId ?? [])
  return entries
    .filter((entry) => findAttendee(entry, email))
    .map((entry) =>
      isWhole(entry) && hidden.length > 0
        ? { ...entry, exdates: [...new Set([...entry.exdates, ...hidden])].sort() }
        : entry,
    )
}

const isSame = (one: Entry, other: Entry | undefined): boolean =>
  other !== undefined && SIGNIFICANT_FIELDS.every((name) => isSameJson(one[name], other[name]))

const maxSequence = (entries: readonly Entry[]): number =>
  Math.max(0, ...entries.map(({ sequence }) => sequence))

/** Adds RSVP, so that the programs of attendees ask for an answer. */
const withRsvp = (person: PersonExtra, { status }: Attendee): PersonExtra =>
  status !== 'needs-action' || /(?:^|;)RSVP=/i.test(person.parameters)
    ? person
    : { ...person, parameters: [...splitParameters(person.parameters), 'RSVP=TRUE'].join(';') }

/** Removes everything that only concerns the organizer: reminders, tags and unknown properties. */
const toInvitation = (entry: Entry, attendees: readonly Attendee[], asksForAnswer: boolean): Entry => {
  const { people = [], organizer, floating, ending, recurrenceId, periods } = readExtra(entry.extra)
  const extras = attendees.flatMap((attendee) => {
    const found = people.find((person) => isSameAddress(person.email, attendee.email))
    const kept = withoutServerParameters(found ?? { email: attendee.email, parameters: '' })
    const { answeredAt: _, ...person } = asksForAnswer ? withRsvp(kept, attendee) : kept
    return person
  })
  return {
    ...entry,
    attendees: [...attendees],
    tags: [],
    reminders: [],
    extra: writeExtra({
      people: extras,
      organizer: organizer && withoutServerParameters(organizer),
      floating,
      ending,
      recurrenceId,
      periods,
    }),
  }
}

const toRequest = (entry: Entry, organizer: Person): Entry => ({
  ...toInvitation(entry, entry.attendees, true),
  organizer,
})

/** RFC 5546, 3.2.5: `isCancelled` is false if only this attendee is no longer invited. */
const toCancellation = (
  entry: Entry,
  attendee: Attendee,
  organizer: Person,
  { sequence, isCancelled }: { sequence: number; isCancelled: boolean },
): Entry => ({
  ...toInvitation(entry, [attendee], false),
  organizer,
  sequence,
  status: isCancelled ? 'cancelled' : entry.status,
})

/** The changes that concern one attendee, as messages of the organizer. */
const planForAttendee = (
  before: readonly Entry[],
  after: readonly Entry[],
  organizer: Person,
  email: string,
): SchedulingMessage[] => {
  const [known, present] = [selectFor(before, email), selectFor(after, email)]
  const isOver = ({ status }: Entry): boolean => status === 'cancelled'
  const whole = findWhole(after)
  const attendeeIn = (entry: Entry): Attendee => findAttendee(entry, email) as Attendee
  const listed = [...present, ...known].map(attendeeIn)[0] as Attendee
  const message = { sender: organizer, recipient: { name: listed.name, email: listed.email } }

  const cancel = (entries: readonly Entry[]): SchedulingMessage[] => {
    const isDeleted = after.length === 0
    const cancelled = entries.map((entry) => {
      const now = findSame(after, entry) ?? whole
      return toCancellation(entry, attendeeIn(entry), organizer, {
        sequence: isDeleted ? maxSequence(before) + 1 : (now?.sequence ?? entry.sequence + 1),
        isCancelled: isDeleted || (now !== undefined && isOver(now)),
      })
    })
    if (cancelled.length === 0) return []
    const kind = cancelled.every(isOver) ? 'cancelled' : 'uninvited'
    return [{ ...message, method: 'CANCEL', entries: cancelled, kind, isSignificant: true }]
  }

  const isCancelledNow = present.length > 0 && (whole ? isOver(whole) : present.every(isOver))
  if (present.length === 0 || isCancelledNow) {
    if (known.length === 0 || known.every(isOver)) return []
    const series = findWhole(known)
    return cancel(series ? [series] : known.filter((entry) => !isOver(entry)))
  }

  const changed = present.filter((entry) => !isSame(entry, findSame(known, entry)))
  const isReduced = known.some((entry) => !findSame(present, entry))
  const isForcedHere = present.some((entry) => isForced(extraOfPerson(entry, email), 'REQUEST'))
  const isKnownSeries = findWhole(known) !== undefined && !changed.some(isWhole) && !isReduced
  if (isKnownSeries && changed.length > 0 && changed.every(isOver)) return cancel(changed)
  const entries = isKnownSeries && changed.length > 0 ? changed : present
  return [
    {
      ...message,
      method: 'REQUEST',
      entries: entries.map((entry) => toRequest(entry, organizer)),
      kind: known.length === 0 ? 'invited' : 'updated',
      isSignificant: changed.length > 0 || isReduced || isForcedHere,
    },
  ]
}

const listAddresses = (entries: readonly Entry[]): string[] => {
  const all = entries.flatMap(({ attendees }) => attendees.map(({ email }) => email))
  return [...new Map(all.map((email) => [email.toLowerCase(), email])).values()]
}

const occurrenceOf = (series: Entry, start: string): Entry => ({
  ...series,
  recurrenceId: start,
  start,
  end: isoOf(endOf(series, Date.parse(start))),
  recurrence: null,
  exdates: [],
  rdates: [],
})

/**
 * Reduces an event to a REPLY (RFC 5546, 3.2.3): identifiers, the attendee and the answer. The organizer has
 * all other data.
 */
export const toReplyEntry = (entry: Entry, attendee: Attendee, lines: readonly string[] = []): Entry => {
  const { people = [], organizer, recurrenceId, floating, ending } = readExtra(entry.extra)
  return {
    ...BLANK_ENTRY,
    uid: entry.uid,
    recurrenceId: entry.recurrenceId,
    sequence: entry.sequence,
    title: entry.title,
    location: entry.location,
    start: entry.start,
    end: entry.end,
    allDay: entry.allDay,
    timezone: entry.timezone,
    status: entry.status,
    busy: attendee.status !== 'declined',
    organizer: entry.organizer,
    attendees: [attendee],
    extra: writeExtra({
      people: people
        .filter(({ email }) => isSameAddress(email, attendee.email))
        .map(({ answeredAt: _, ...person }) => withoutServerParameters(person)),
      organizer: organizer && withoutServerParameters(organizer),
      recurrenceId,
      floating,
      ending,
      lines: [...lines],
    }),
  }
}

/** The answers of an attendee that a change contains. An occurrence that they deleted is declined. */
const planReplies = (
  before: readonly Entry[],
  after: readonly Entry[],
  organizer: Person,
  isOwn: (email: string) => boolean,
): SchedulingMessage[] => {
  const find = (entry: Entry | undefined): Attendee | undefined =>
    entry?.attendees.find(({ email }) => isOwn(email))
  const [former, present] = [findWhole(before), findWhole(after)]
  const title = present?.title || former?.title || ''
  const replies: { entry: Entry; attendee: Attendee }[] = []
  const answer = (entry: Entry, attendee: Attendee): void => {
    replies.push({ entry: { ...entry, title: entry.title || title }, attendee })
  }
  const decline = (entry: Entry): void => {
    const attendee = find(entry)
    if (!attendee || attendee.status === 'declined' || entry.status === 'cancelled') return
    answer(entry, { ...attendee, status: 'declined' })
  }
  const isForcedBy = ({ extra }: Entry): boolean => isForced(readExtra(extra).organizer, 'REPLY')

  if (after.length === 0) {
    if (former) decline(former)
    else for (const entry of before) decline(entry)
  }
  for (const entry of after) {
    const attendee = find(entry)
    if (!attendee) continue
    const known = find(findSame(before, entry) ?? former)
    const isNews = attendee.status !== (known?.status ?? 'needs-action')
    if ((isNews && attendee.status !== 'needs-action') || isForcedBy(entry)) answer(entry, attendee)
  }
  const excluded = present?.exdates.filter((start) => !former?.exdates.includes(start)) ?? []
  for (const start of excluded) {
    const series = present as Entry
    if (findSame(after, { ...series, recurrenceId: start })) continue
    const own = findSame(before, { ...series, recurrenceId: start }) ?? occurrenceOf(former ?? series, start)
    decline(own)
  }
  const [first] = replies
  if (!first) return []
  const { name, email } = first.attendee
  return [
    {
      method: 'REPLY',
      sender: { name, email },
      recipient: organizer,
      entries: replies.map(({ entry, attendee }) => toReplyEntry({ ...entry, organizer }, attendee)),
      kind: 'answered',
      isSignificant: true,
    },
  ]
}

/**
 * Lists the messages that a change of an event requires: from its organizer to each attendee, or from an
 * attendee to the organizer. `before` and `after` are the event and its changed occurrences.
 */
export const planMessages = (
  before: readonly Entry[],
  after: readonly Entry[],
  isOwn: (email: string) => boolean,
): SchedulingMessage[] => {
  const organizer = [...after, ...before].find((entry) => entry.organizer !== null)?.organizer
  if (!organizer) return []
  if (!isOwn(organizer.email)) return planReplies(before, after, organizer, isOwn)
  return listAddresses([...after, ...before])
    .filter((email) => !isOwn(email))
    .flatMap((email) => planForAttendee(before, after, organizer, email))
}

/** Writes the calendar part of a message. DTSTAMP is the time of the message (RFC 5545, 3.8.7.2). */
export const writeMessage = (method: SchedulingMethod, entries: readonly Entry[], at: string): string => {
  const written = entries.map((entry) => writeEntry({ ...entry, revisedAt: null }, at)).join('')
  // RFC 5546, 3.2.5: no STATUS if the event takes place without this attendee. In a REPLY, the answer is the
  // PARTSTAT of the attendee; the STATUS of the event belongs to the organizer.
  const withoutStatus = { CANCEL: /^STATUS:(?!CANCELLED).*\r\n/gm, REPLY: /^STATUS:.*\r\n/gm, REQUEST: null }[
    method
  ]
  const text = withoutStatus === null ? written : written.replaceAll(withoutStatus, '')
  const timed = text.includes(';TZID=') ? entries : []
  const zones = listZones(timed, Number(at.slice(0, 4)), isSeries)
  return calendarHead({ method }) + timezoneComponents(zones) + text + calendarTail()
}
