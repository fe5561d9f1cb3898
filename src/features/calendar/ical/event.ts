import { createHash } from 'node:crypto'
import type { Attendee } from '../event.ts'
import { EXCLUDING, isTooDense, rulesOf, TOO_DENSE, writeRules } from '../series.ts'
import { readAlarms } from './alarms.ts'
import type { Component } from './components.ts'
import {
  type Entry,
  type Extra,
  hashField,
  isThisAndFuture,
  type PersonExtra,
  type Tie,
  type TiedField,
  type UndatedEntry,
  writeExtra,
} from './entry.ts'
import {
  DAY,
  instantText,
  midnight,
  readDates,
  readPeriods,
  readWhen,
  type TimeContext,
  timeOf,
  type When,
  writeDate,
} from './event-times.ts'
import { carriesLink, findMeetingLink, linkLines } from './meeting-links.ts'
import { hasExtraData, readAttendee, readPerson } from './people.ts'
import { readRecurrence } from './rules.ts'
import {
  type ContentLine,
  cleanText,
  decodeQuotedPrintable,
  MAX_LINES,
  parameterOf,
  readLine,
  regularLine,
  regularParameter,
  splitList,
  unescapeText,
} from './text.ts'

/** Longer lines, such as inline attachments, are dropped. */
const MAX_KEPT_LINE_LENGTH = 100_000

const MODELLED = new Set(
  'UID RECURRENCE-ID SEQUENCE LAST-MODIFIED DTSTAMP SUMMARY DESCRIPTION LOCATION DTSTART DTEND DURATION STATUS TRANSP ORGANIZER ATTENDEE CATEGORIES RRULE EXRULE EXDATE RDATE METHOD BEGIN END'.split(
    ' ',
  ),
)

/** Properties that repeat one of the fields. */
const RESTATES: Record<string, TiedField> = {
  'X-ALT-DESC': 'description',
  'STYLED-DESCRIPTION': 'description',
  GEO: 'location',
  'STRUCTURED-LOCATION': 'location',
  'X-APPLE-STRUCTURED-LOCATION': 'location',
  'X-MICROSOFT-LOCATIONS': 'location',
  'X-MICROSOFT-LOCATIONDISPLAYNAME': 'location',
  'X-MICROSOFT-CDO-BUSYSTATUS': 'busy',
  'X-MICROSOFT-CDO-ALLDAYEVENT': 'allDay',
}

const TEXTS: readonly [TiedField, string][] = [
  ['title', 'SUMMARY'],
  ['description', 'DESCRIPTION'],
  ['location', 'LOCATION'],
  ['tags', 'CATEGORIES'],
]

type Tied = Pick<Entry, TiedField>

/** Separates the lines to keep from those that are dropped when their field changes. */
const keptLines = (
  lines: ContentLine[],
  fields: Tied,
  unread: Set<ContentLine>,
): Pick<Extra, 'lines' | 'tied'> => {
  const free: string[] = []
  const ties = new Map<TiedField, Required<Pick<Tie, 'lines' | 'parameters'>>>()
  const tieOf = (field: TiedField) => {
    const tie = ties.get(field) ?? { lines: [], parameters: '' }
    ties.set(field, tie)
    return tie
  }
  const ours = fields.meetingUrl === null ? [] : linkLines(fields.meetingUrl, true)
  for (const line of lines) {
    const isKept = unread.has(line) || !MODELLED.has(line.name)
    const regular = isKept && line.value.length <= MAX_KEPT_LINE_LENGTH ? regularLine(line) : undefined
    if (regular === undefined || ours.includes(regular)) continue
    const carriesMeeting = fields.meetingUrl !== null && carriesLink(line, fields.meetingUrl)
    const field = carriesMeeting ? 'meetingUrl' : RESTATES[line.name]
    if (field) tieOf(field).lines.push(regular)
    else free.push(regular)
  }
  for (const [field, name] of TEXTS) {
    const line = lines.find((candidate) => candidate.name === name && candidate.value.trim() !== '')
    const parameters = line?.parameters.filter(
      ({ name: own }) => !/^(?:ENCODING|CHARSET|VALUE|QUOTED-PRINTABLE)$/.test(own),
    )
    if (parameters && parameters.length > 0)
      tieOf(field).parameters = parameters.map(regularParameter).join(';')
  }
  const tied = [...ties].sort().map(
    ([field, tie]): Tie => ({
      field,
      print: hashField(fields[field]),
      ...(tie.lines.length > 0 ? { lines: tie.lines } : {}),
      ...(tie.parameters === '' ? {} : { parameters: tie.parameters }),
    }),
  )
  return { lines: free, tied }
}

/** Decodes the text of a line and removes characters that a database cannot store. */
const textOf = (line: ContentLine): string => {
  const isQuotedPrintable = line.parameters.some(({ values }) =>
    values.some((v) => /^QUOTED-PRINTABLE$/i.test(v)),
  )
  const value = isQuotedPrintable
    ? decodeQuotedPrintable(line.value, parameterOf(line, 'CHARSET') ?? 'utf-8')
    : line.value
  return cleanText(unescapeText(value).replace(/\r\n?/g, '\n'))
}

/** Returns the first text that is not empty: some programs write an empty property beside the real one. */
const textIn = (lines: ContentLine[]): string => lines.map(textOf).find((text) => text.trim() !== '') ?? ''

const readTags = (lines: ContentLine[]): string[] =>
  [
    ...new Set(
      lines.flatMap((line) => splitList(line.value).map((value) => textOf({ ...line, value }).trim())),
    ),
  ].filter((tag) => tag !== '')

export type ReadEvent =
  | { entry: Entry; stampedAt: string | null; warning?: string }
  | { undated: UndatedEntry; stampedAt: string | null }
  | { reason: string }

export interface EventContext extends TimeContext {
  method: string | null
}

/** Larger values are not from a calendar program. */
const MAX_LENGTHS: Record<string, number> = {
  SUMMARY: 5000,
  LOCATION: 10_000,
  CATEGORIES: 20_000,
  DESCRIPTION: 1_000_000,
  EXDATE: 250_000,
  RDATE: 250_000,
}
const MAX_EXTRA_LENGTH = 2_000_000
/** In octets: the UID is indexed, and an index entry is limited to some thousand bytes. */
const MAX_UID_OCTETS = 1000
const MAX_COUNTS = { inner: 1000, attendees: 5000, rules: 20 }

export const uidOf = ({ lines }: Component): string | null => {
  for (const raw of lines) {
    const line = /^\s*UID\b/i.test(raw) ? readLine(raw) : undefined
    if (line?.name === 'UID' && textOf(line).trim() !== '') return textOf(line)
  }
  return null
}

export const readEvent = (component: Component, context: EventContext): ReadEvent => {
  const { lines: raw, inner } = component
  if (
    inner.length > MAX_COUNTS.inner ||
    inner.reduce((sum, { length }) => sum + length, raw.length) >= MAX_LINES
  )
    return { reason: 'The event has too many lines.' }
  const lines = raw.map(readLine).filter((line) => line !== undefined)
  const byName = Map.groupBy(lines, ({ name }) => name)
  const named = (name: string): ContentLine[] => byName.get(name) ?? []
  const uid = uidOf(component) ?? derivedUid(component)
  const excess = excessOf(named, uid)
  if (excess !== undefined) return { reason: excess }

  const title = textIn(named('SUMMARY'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
  const location = textIn(named('LOCATION')).trim()
  const description = textIn(named('DESCRIPTION'))
  const tags = readTags(named('CATEGORIES'))
  const when = named('DTSTART').length > 0 ? readWhen(lines, context) : undefined
  if (typeof when === 'string') return { reason: `${when}.` }
  const replaced = named('RECURRENCE-ID').find(({ value }) => value.trim() !== '')
  const recurrenceId = replaced ? readRecurrenceId(replaced, when, context) : null
  if (recurrenceId === undefined) return { reason: 'The RECURRENCE-ID of the event cannot be parsed.' }
  const repeating = when && recurrenceId === null ? readRepeating(named, when, context) : NOT_REPEATING
  if ('reason' in repeating) return repeating

  const people = readPeople(named('ATTENDEE'))
  const organizers = named('ORGANIZER').map(readPerson)
  const organizer = organizers.find((read) => read !== undefined)
  const unread = [...repeating.unread, ...people.unread, ...(organizer ? [] : named('ORGANIZER').slice(0, 1))]
  const alarms = readAlarms(inner, title)
  const meetingUrl = findMeetingLink({ lines, location, description })
  const fields = {
    title,
    description,
    location,
    meetingUrl,
    tags,
    busy: isBusy(named),
    allDay: when?.allDay ?? false,
  }
  const extra = writeExtra({
    ...keptLines(lines, fields, new Set(unread)),
    components: alarms.components,
    alarms: alarms.alarms,
    people: people.extras,
    ...(organizer && hasExtraData(organizer.extra) ? { organizer: organizer.extra } : {}),
    ...(when?.isFloating ? { floating: when.zone.name } : {}),
    ...(when?.ending === undefined ? {} : { ending: when.ending }),
    ...recurrenceIdExtra(replaced, when),
    periods: repeating.periods,
  })
  if (extra !== null && extra.length > MAX_EXTRA_LENGTH) return { reason: 'The event is too large.' }

  const undated: UndatedEntry = {
    uid,
    recurrenceId,
    sequence: Math.min(Math.max(Number.parseInt(named('SEQUENCE')[0]?.value ?? '', 10) || 0, 0), 2 ** 31 - 1),
    revisedAt: stampOf(named('LAST-MODIFIED')) ?? stampOf(named('DTSTAMP')),
    title,
    description,
    location,
    meetingUrl,
    status: statusOf(named, context.method),
    busy: fields.busy,
    organizer: organizer?.person ?? null,
    attendees: people.attendees,
    reminders: alarms.reminders,
    tags,
    recurrence: repeating.recurrence,
    exdates: repeating.exdates,
    rdates: repeating.rdates,
    extra,
  }
  const warning =
    repeating.warning ??
    (isThisAndFuture(recurrenceIdExtra(replaced, when)) ? ONLY_ONE_CHANGED : when && misreadOf(when))
  const stampedAt = stampOf(named('DTSTAMP'))
  const read = when ? dated(undated, when, stampedAt) : { undated, stampedAt }
  return 'entry' in read && warning !== undefined ? { ...read, warning } : read
}

const ONLY_ONE_CHANGED =
  'The change applies to this and all following occurrences. Only this occurrence was changed.'

const misreadOf = ({ zone, endsBeforeStart }: When): string | undefined => {
  if (zone.isGuess)
    return `The time zone of the event is unknown. Its times were interpreted in ${zone.name}.`
  return endsBeforeStart ? 'The event ends before it starts. Its end was ignored.' : undefined
}

const dated = (undated: UndatedEntry, when: When, stampedAt: string | null): ReadEvent => {
  const [start, end] = [instantText(when.start), instantText(when.end)]
  if (start === undefined || end === undefined)
    return { reason: 'The event is outside of the years 1 to 9999.' }
  return { entry: { ...undated, start, end, allDay: when.allDay, timezone: when.zone.name }, stampedAt }
}

const derivedUid = ({ lines, inner }: Component): string => {
  // Exclude time stamps: they change with each export, so every import would create a new event.
  const said = lines.filter((line) => !/^\s*(?:UID|DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE)\b/i.test(line))
  const hash = createHash('sha256')
    .update(JSON.stringify([said, inner]))
    .digest('hex')
  return `derived-${hash.slice(0, 40)}`
}

const excessOf = (named: (name: string) => ContentLine[], uid: string): string | undefined => {
  if (Buffer.byteLength(uid) > MAX_UID_OCTETS)
    return `The UID of the event is longer than ${MAX_UID_OCTETS} octets.`
  for (const [name, most] of Object.entries(MAX_LENGTHS))
    if (named(name).reduce((sum, { value }) => sum + value.length, 0) > most)
      return `${name} of the event is longer than ${most} characters.`
  return named('ATTENDEE').length > MAX_COUNTS.attendees
    ? `The event has more than ${MAX_COUNTS.attendees} attendees.`
    : undefined
}

interface Repeating {
  recurrence: string | null
  exdates: string[]
  rdates: string[]
  periods: { start: string; length: number }[]
  /** Rules that are kept verbatim but not expanded. */
  unread: ContentLine[]
  warning?: string
}

const NOT_REPEATING: Repeating = { recurrence: null, exdates: [], rdates: [], periods: [], unread: [] }

const readRepeating = (
  named: (name: string) => ContentLine[],
  when: When,
  context: TimeContext,
): Repeating | { reason: string } => {
  const rules = new Set<string>()
  const unread: ContentLine[] = []
  const ruleLines = ['RRULE', 'EXRULE'].flatMap(named).filter(({ value }) => value.trim() !== '')
  if (ruleLines.length > MAX_COUNTS.rules)
    return { reason: `The event has more than ${MAX_COUNTS.rules} recurrence rules.` }
  for (const line of ruleLines) {
    const read = readRecurrence(line.value, when.zone, when.allDay)
    if ('recurrence' in read) rules.add((line.name === 'EXRULE' ? EXCLUDING : '') + read.recurrence)
    else if (line.name === 'EXRULE') unread.push(line)
    else return { reason: `RRULE: ${read.fault}` }
  }
  const dates = {
    exdates: readDates(named('EXDATE'), when, context),
    rdates: readDates(named('RDATE'), when, context),
    periods: readPeriods(named('RDATE'), when, context),
  }
  const read = rulesOf([...rules].join('\n') || null)
  const recurrence = writeRules(read)
  if (isTooDense(read))
    return {
      ...dates,
      recurrence: null,
      unread: ruleLines,
      warning: `The event ${TOO_DENSE}. Only its first occurrence was imported.`,
    }
  return { ...dates, recurrence, unread: recurrence === null ? ruleLines : unread }
}

/** A RECURRENCE-ID that is a date means midnight in the zone of all-day events. */
const readRecurrenceId = (
  line: ContentLine,
  when: When | undefined,
  context: TimeContext,
): string | undefined => {
  const time = timeOf(line)
  if (!time) return undefined
  if (time.isDate) return instantText(midnight(time.wall, context.timezone))
  if (time.offset !== null) return instantText(time.wall - time.offset)
  const tzid = parameterOf(line, 'TZID')?.trim()
  const zone = tzid
    ? context.zones.byTzid(tzid, time.wall, context.calendar, true)
    : (when?.zone ?? context.zones.byName(context.calendarTimezone ?? context.timezone))
  return instantText(zone.toInstant(time.wall))
}

const recurrenceIdExtra = (
  line: ContentLine | undefined,
  when: When | undefined,
): Pick<Extra, 'recurrenceId'> => {
  const time = line && timeOf(line)
  const range = (line && parameterOf(line, 'RANGE')) ?? null
  const day = time?.isDate ? writeDate(time.wall) : null
  // An all-day occurrence replaces one that starts at midnight: see `recurrenceIdLine` in writer.ts.
  const isOfHours = time && !time.isDate && when?.allDay === true && time.wall % DAY === 0
  return day !== null || range !== null || isOfHours ? { recurrenceId: { day, range } } : {}
}

const stampOf = (lines: ContentLine[]): string | null => {
  const time = lines[0] && timeOf(lines[0])
  return (time && instantText(time.wall - (time.offset ?? 0))) ?? null
}

const statusOf = (named: (name: string) => ContentLine[], method: string | null): Entry['status'] => {
  if (method === 'CANCEL') return 'cancelled'
  const status = (named('STATUS')[0] ?? named('X-MICROSOFT-CDO-BUSYSTATUS')[0])?.value.trim().toLowerCase()
  if (status === 'canceled') return 'cancelled'
  return status === 'tentative' || status === 'cancelled' ? status : 'confirmed'
}

const isBusy = (named: (name: string) => ContentLine[]): boolean => {
  const transparency = named('TRANSP')[0]?.value.trim().toUpperCase()
  if (transparency !== undefined) return transparency !== 'TRANSPARENT'
  return named('X-MICROSOFT-CDO-BUSYSTATUS')[0]?.value.trim().toUpperCase() !== 'FREE'
}

const readPeople = (lines: ContentLine[]) => {
  const attendees: Attendee[] = []
  const extras: PersonExtra[] = []
  const unread: ContentLine[] = []
  for (const line of lines) {
    const read = readAttendee(line)
    if (!read) unread.push(line)
    else {
      attendees.push(read.attendee)
      if (hasExtraData(read.extra)) extras.push(read.extra)
    }
  }
  return { attendees, extras, unread }
}
