import { createHash } from 'node:crypto'
import type { Attendee } from '../event.ts'
import { EXCLUDING, isTooDense, rulesOf, TOO_DENSE, writeRules } from '../series.ts'
import { readAlarms } from './alarms.ts'
import type { Component } from './components.ts'
import type { Entry, UndatedEntry } from './entry.ts'
import { readDates, readPeriods, readWhen, type TimeContext, timeOf, type When } from './event-times.ts'
import { type Extra, isFromThereOn, type PersonExtra, writeExtra } from './extra.ts'
import { keptLines } from './kept-lines.ts'
import { type ContentLine, MOST_LINES, parameterOf, readLine } from './lines.ts'
import { findMeetingLink } from './meeting-links.ts'
import { readAttendee, readPerson, saysMore } from './people.ts'
import { readTags, textIn, textOf } from './property-text.ts'
import { readRecurrence } from './rules.ts'
import { DAY, instantText, midnight, writeDate } from './times.ts'

export type ReadEvent =
  | { entry: Entry; stampedAt: string | null; warning?: string }
  | { undated: UndatedEntry; stampedAt: string | null }
  | { reason: string }

export interface EventContext extends TimeContext {
  method: string | null
}

/** Beyond these an event was not written by anybody for a calendar. */
const LONGEST: Record<string, number> = {
  SUMMARY: 5000,
  LOCATION: 10_000,
  CATEGORIES: 20_000,
  DESCRIPTION: 1_000_000,
  EXDATE: 250_000,
  RDATE: 250_000,
}
const LONGEST_EXTRA = 2_000_000
/** In octets: it goes into an index, which takes no more than some thousands. */
const LONGEST_UID = 1000
const MOST = { inner: 1000, attendees: 5000, rules: 20 }

export const uidOf = ({ lines }: Component): string | null => {
  for (const raw of lines) {
    const line = /^\s*UID\b/i.test(raw) ? readLine(raw) : undefined
    if (line?.name === 'UID' && textOf(line).trim() !== '') return textOf(line)
  }
  return null
}

export const readEvent = (component: Component, context: EventContext): ReadEvent => {
  const { lines: raw, inner } = component
  if (inner.length > MOST.inner || inner.reduce((sum, { length }) => sum + length, raw.length) >= MOST_LINES)
    return { reason: 'It has too many lines.' }
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
  if (recurrenceId === undefined) return { reason: 'Its RECURRENCE-ID cannot be read.' }
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
    ...(organizer && saysMore(organizer.extra) ? { organizer: organizer.extra } : {}),
    ...(when?.isFloating ? { floating: when.zone.name } : {}),
    ...(when?.ending === undefined ? {} : { ending: when.ending }),
    ...recurrenceIdExtra(replaced, when),
    periods: repeating.periods,
  })
  if (extra !== null && extra.length > LONGEST_EXTRA) return { reason: 'It is too large.' }

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
    (isFromThereOn(recurrenceIdExtra(replaced, when)) ? FROM_THERE_ON : when && misreadOf(when))
  const stampedAt = stampOf(named('DTSTAMP'))
  const read = when ? dated(undated, when, stampedAt) : { undated, stampedAt }
  return 'entry' in read && warning !== undefined ? { ...read, warning } : read
}

const FROM_THERE_ON = 'It changes one occurrence and those after it, and was taken as a change to the one.'

const misreadOf = ({ zone, isTurned }: When): string | undefined => {
  if (zone.isGuess) return `Nobody knows its time zone, and its times were read in ${zone.name}.`
  return isTurned ? 'It ends before it starts, and its end was left out.' : undefined
}

const dated = (undated: UndatedEntry, when: When, stampedAt: string | null): ReadEvent => {
  const [start, end] = [instantText(when.start), instantText(when.end)]
  if (start === undefined || end === undefined) return { reason: 'It lies beyond the years 1 to 9999.' }
  return { entry: { ...undated, start, end, allDay: when.allDay, timezone: when.zone.name }, stampedAt }
}

const derivedUid = ({ lines, inner }: Component): string => {
  // Stamps are made anew with each export, so they would make every import a new event.
  const said = lines.filter((line) => !/^\s*(?:UID|DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE)\b/i.test(line))
  const hash = createHash('sha256')
    .update(JSON.stringify([said, inner]))
    .digest('hex')
  return `derived-${hash.slice(0, 40)}`
}

const excessOf = (named: (name: string) => ContentLine[], uid: string): string | undefined => {
  if (Buffer.byteLength(uid) > LONGEST_UID) return `Its UID is longer than ${LONGEST_UID} octets.`
  for (const [name, most] of Object.entries(LONGEST))
    if (named(name).reduce((sum, { value }) => sum + value.length, 0) > most)
      return `Its ${name} is longer than ${most} characters.`
  return named('ATTENDEE').length > MOST.attendees
    ? `It has more than ${MOST.attendees} attendees.`
    : undefined
}

interface Repeating {
  recurrence: string | null
  exdates: string[]
  rdates: string[]
  periods: { start: string; length: number }[]
  /** Rules that are kept as they stand, and not followed. */
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
  const told = ['RRULE', 'EXRULE'].flatMap(named).filter(({ value }) => value.trim() !== '')
  if (told.length > MOST.rules) return { reason: `It has more than ${MOST.rules} rules of recurrence.` }
  for (const line of told) {
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
    return { ...dates, recurrence: null, unread: told, warning: `It ${TOO_DENSE}, and is shown once.` }
  return { ...dates, recurrence, unread: recurrence === null ? told : unread }
}

/** The days of a series of whole days begin where whole days begin here. */
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
  // A whole day that replaces what begins at midnight: see writing.ts.
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
      if (saysMore(read.extra)) extras.push(read.extra)
    }
  }
  return { attendees, extras, unread }
}
