import { createHash } from 'node:crypto'
import {
  type Component,
  type ContentLine,
  cleanText,
  decodeQuotedPrintable,
  escapeText,
  fold,
  MAX_LINES,
  parameterOf,
  readLine,
  regularLine,
  regularParameter,
  splitList,
  unescapeText,
  writeParameter,
} from '../../../platform/icalendar/text.ts'
import { DAY, MINUTE, writeDate, writeDateTime, writeDuration } from '../../../platform/icalendar/values.ts'
import { toInstant, toWall } from '../../../recurrence/time-zones.ts'
import type { Attendee } from '../event.ts'
import { EXCLUDING, isTooDense, rulesOf, TOO_DENSE, writeRules } from '../series.ts'
import { alarmLines, readAlarms } from './alarms.ts'
import type { TiedField } from './entry.ts'
import {
  type Entry,
  type Extra,
  hashField,
  isThisAndFuture,
  type PersonExtra,
  readExtra,
  type Tie,
  type UndatedEntry,
  writeExtra,
} from './entry.ts'
import {
  endAfter,
  floatingRules,
  instantText,
  midnight,
  NO_END,
  readDates,
  readPeriods,
  readRecurrence,
  readWhen,
  type TimeContext,
  timeOf,
  type When,
} from './event-times.ts'
import { carriesLink, findMeetingLink, linkLines } from './meeting-links.ts'
import { hasExtraData, readAttendee, readPerson, writeAttendee, writeOrganizer } from './people.ts'

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
    organizer: organizer && hasExtraData(organizer.extra) ? organizer.extra : undefined,
    floating: when?.isFloating ? when.zone.name : undefined,
    ending: when?.ending,
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

/** The form of the times of an event: dates, UTC, local time with a zone, or floating. */
interface Form {
  parameters: string
  write: (instantMs: number) => string
}

const formOf = ({ allDay, timezone }: Entry, extra: Extra): Form => {
  if (allDay) return { parameters: ';VALUE=DATE', write: (instant) => writeDate(toWall(instant, timezone)) }
  if (extra.floating === timezone)
    return { parameters: '', write: (instant) => writeDateTime(toWall(instant, timezone)) }
  if (timezone === 'UTC') return { parameters: '', write: writeUtc }
  return {
    parameters: `;TZID=${writeParameter(timezone)}`,
    write: (instant) => writeDateTime(toWall(instant, timezone)),
  }
}

const writeUtc = (instantMs: number): string => `${writeDateTime(instantMs)}Z`

/** Writes an event as a VEVENT. `stampedAt` is the DTSTAMP for events without a modification time. */
export const writeEntry = (entry: Entry, stampedAt: string): string => {
  const extra = readExtra(entry.extra)
  const form = formOf(entry, extra)
  const stamp = writeUtc(Date.parse(entry.revisedAt ?? stampedAt))
  const start = Date.parse(entry.start)
  let text = ''
  const write = (line: string): void => {
    text += fold(line)
  }
  write('BEGIN:VEVENT')
  write(`UID:${escapeText(entry.uid)}`)
  write(`DTSTAMP:${stamp}`)
  write(`DTSTART${form.parameters}:${form.write(start)}`)
  const ending = endLine(entry, extra, form, start)
  if (ending !== undefined) write(ending)
  if (entry.recurrenceId !== null) write(recurrenceIdLine(entry, entry.recurrenceId, extra, form))
  if (entry.recurrence !== null)
    for (const rule of ruleLines(entry.recurrence, entry, extra))
      write(cleanText(rule.startsWith(EXCLUDING) ? rule : `RRULE:${rule}`))
  if (entry.exdates.length > 0) write(datesLine('EXDATE', entry.exdates, form))
  if (entry.rdates.length > 0) writeRdates(write, entry.rdates, extra, form)
  writeTexts(write, entry, extra)
  if (entry.revisedAt !== null) write(`LAST-MODIFIED:${stamp}`)
  write(`SEQUENCE:${entry.sequence}`)
  write(`STATUS:${entry.status.toUpperCase()}`)
  write(entry.busy ? 'TRANSP:OPAQUE' : 'TRANSP:TRANSPARENT')
  writePeople(write, entry, extra)
  if (entry.meetingUrl !== null) writeMeeting(write, entry, entry.meetingUrl, extra)
  extra.lines?.forEach(write)
  for (const tie of extra.tied ?? [])
    if (tie.field !== 'meetingUrl' && holds(tie, entry)) tie.lines?.forEach(write)
  writeInner(write, entry, extra)
  write('END:VEVENT')
  return text
}

type Write = (line: string) => void

const holds = (tie: Tie, entry: Entry): boolean => tie.print === hashField(entry[tie.field])

/** Writes the end in its original form, if that is still correct. */
const endLine = (entry: Entry, { ending }: Extra, form: Form, start: number): string | undefined => {
  const end = Date.parse(entry.end)
  if (ending !== undefined) {
    const { allDay, timezone } = entry
    const wall = toWall(start, timezone)
    if (ending === NO_END && (allDay ? toWall(end, timezone) - wall === DAY : end - start === MINUTE))
      return undefined
    const zone = { name: timezone, toInstant: (other: number) => toInstant(other, timezone) }
    if (endAfter(ending, { start, wall, allDay, zone }, timezone) === end) return `DURATION:${ending}`
  }
  return `DTEND${form.parameters}:${form.write(end)}`
}

const recurrenceIdLine = (
  entry: Entry,
  recurrenceId: string,
  { recurrenceId: kept }: Extra,
  form: Form,
): string => {
  const instant = Date.parse(recurrenceId)
  const wall = toWall(instant, entry.timezone)
  const range = kept?.range ? `;RANGE=${writeParameter(kept.range)}` : ''
  if (kept?.day) return `RECURRENCE-ID${range};VALUE=DATE:${kept.day}`
  // An occurrence of a timed series may be an all-day event.
  if (entry.allDay && (kept || wall % DAY !== 0)) return `RECURRENCE-ID${range}:${writeUtc(instant)}`
  return `RECURRENCE-ID${range}${form.parameters}:${form.write(instant)}`
}

/** RFC 5545, 3.3.10: UNTIL must have the same value type as DTSTART. */
const ruleLines = (recurrence: string, { allDay, timezone }: Entry, extra: Extra): string[] => {
  const isOdd = allDay ? /UNTIL=\d{8}T/ : /UNTIL=\d{8}(?:T\d{6})?(?![\dTZ])/
  const zone = { name: timezone, toInstant: (wall: number) => toInstant(wall, timezone) }
  return recurrence.split('\n').map((line) => {
    const name = line.startsWith(EXCLUDING) ? EXCLUDING : ''
    const rule = line.slice(name.length)
    const read = isOdd.test(rule) ? readRecurrence(rule, zone, allDay) : undefined
    const regular = read && 'recurrence' in read ? read.recurrence : rule
    return name + (extra.floating === timezone ? floatingRules(regular, timezone) : regular)
  })
}

const datesLine = (name: string, dates: string[], form: Form): string =>
  `${name}${form.parameters}:${dates.map((date) => form.write(Date.parse(date))).join(',')}`

const writeRdates = (write: Write, rdates: string[], { periods = [] }: Extra, form: Form): void => {
  const lengths = new Map(periods.map(({ start, length }) => [start, length]))
  const plain = rdates.filter((date) => !lengths.has(date))
  const long = rdates
    .filter((date) => lengths.has(date))
    .map((date) => `${writeUtc(Date.parse(date))}/${writeDuration(lengths.get(date) as number)}`)
  if (plain.length > 0) write(datesLine('RDATE', plain, form))
  if (long.length > 0) write(`RDATE;VALUE=PERIOD:${long.join(',')}`)
}

const writeTexts = (write: Write, entry: Entry, { tied = [] }: Extra): void => {
  const parametersOf = (field: TiedField): string => {
    const tie = tied.find((candidate) => candidate.field === field)
    return tie?.parameters && holds(tie, entry) ? `;${tie.parameters}` : ''
  }
  const { title, description, location, tags } = entry
  write(`SUMMARY${parametersOf('title')}:${escapeText(title)}`)
  if (description !== '') write(`DESCRIPTION${parametersOf('description')}:${escapeText(description)}`)
  if (location !== '') write(`LOCATION${parametersOf('location')}:${escapeText(location)}`)
  if (tags.length > 0) write(`CATEGORIES${parametersOf('tags')}:${tags.map(escapeText).join(',')}`)
}

const writePeople = (write: Write, { organizer, attendees }: Entry, extra: Extra): void => {
  if (organizer) write(writeOrganizer(organizer, extra.organizer))
  if (attendees.length === 0) return
  const kept = new Map(extra.people?.map((person) => [person.email, person]))
  for (const attendee of attendees) write(writeAttendee(attendee, kept.get(attendee.email)))
}

const writeMeeting = (write: Write, entry: Entry, link: string, { tied = [], lines = [] }: Extra): void => {
  const tiedLines = tied.find((tie) => tie.field === 'meetingUrl' && holds(tie, entry))?.lines
  if (tiedLines) tiedLines.forEach(write)
  else
    linkLines(cleanText(link).replace(/\s/g, ''), !lines.some((line) => /^URL[;:]/.test(line))).forEach(write)
}

const writeInner = (write: Write, { reminders, title }: Entry, extra: Extra): void => {
  const kept = new Map(extra.alarms?.map(({ minutesBefore, lines }) => [minutesBefore, lines]))
  for (const { minutesBefore } of reminders)
    (kept.get(minutesBefore) ?? alarmLines(minutesBefore, title)).forEach(write)
  for (const component of extra.components ?? []) component.forEach(write)
}
