import { type ContentLine, parameterOf } from '../../../platform/icalendar/text.ts'
import type { Time } from '../../../platform/icalendar/values.ts'
import { DAY, MINUTE, readDuration, readTime, SECOND, writeDate } from '../../../platform/icalendar/values.ts'
import { readRule, type Until, writeRule } from '../../../recurrence/rule.ts'
import { toInstant, toWall } from '../../../recurrence/time-zones.ts'
import { readExtra, writeExtra } from './entry.ts'
import type { ZoneReading, Zones } from './zones.ts'

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Formats an instant as ISO text, or returns undefined outside of the years 1 to 9999. */
export const instantText = (ms: number): string | undefined =>
  ms >= EARLIEST && ms <= LATEST ? new Date(ms).toISOString() : undefined

export const midnight = (wall: number, timezone: string): number =>
  toInstant(Math.floor(wall / DAY) * DAY, timezone)

/**
 * Stores in `extra` how RECURRENCE-ID names the occurrence. RFC 5545, 3.8.4.4: an occurrence of an all-day
 * series is named by its day, even if it has become timed.
 */
export const namedIn = (
  extra: string | null,
  { allDay, timezone }: { allDay: boolean; timezone: string },
  start: string,
  range: string | null = readExtra(extra).recurrenceId?.range ?? null,
): string | null => {
  const { recurrenceId: _, ...rest } = readExtra(extra)
  const wall = toWall(Date.parse(start), timezone)
  const day = allDay ? writeDate(wall) : null
  // Mark a midnight as a date-time, because it could be taken for a day.
  const isSaid = day !== null || range !== null || wall % DAY === 0
  return writeExtra({ ...rest, recurrenceId: isSaid ? { day, range } : undefined })
}

/** The times of an event, and the zone for its other times. */
export interface When {
  start: number
  end: number
  allDay: boolean
  zone: ZoneReading
  /** The start as local time in its zone. */
  wall: number
  /** The time has no zone (RFC 5545, 3.3.5, form 1). */
  isFloating: boolean
  /** The form of the end, if it was not a DTEND. */
  ending: string | undefined
  /** The given end is before the start and was ignored. */
  endsBeforeStart?: boolean
}

export interface TimeContext {
  zones: Zones
  calendar: number
  /** The zone of all-day events and of times without a zone. */
  timezone: string
  /** X-WR-TIMEZONE. If it differs from `timezone`, times without a zone are in it and are not floating. */
  calendarTimezone: string | null
}

const MIN_DURATION = MINUTE
export const NO_END = 'none'

export const timeOf = (line: ContentLine, value = line.value): Time | undefined => {
  const time = readTime(value)
  const isDate = /^DATE$/i.test(parameterOf(line, 'VALUE')?.trim() ?? '')
  return time && isDate && !time.isDate
    ? { wall: Math.floor(time.wall / DAY) * DAY, isDate, offset: null }
    : time
}

/** Parses the times of a VEVENT with a DTSTART. A string result is the error. */
export const readWhen = (lines: ContentLine[], context: TimeContext): When | string => {
  const find = (name: string): ContentLine | undefined => lines.find((line) => line.name === name)
  const dtstart = find('DTSTART') as ContentLine
  const time = timeOf(dtstart)
  if (!time) return `DTSTART cannot be parsed: ${dtstart.value.slice(0, 50)}`
  const repeats = find('RRULE') !== undefined
  const { zone, isFloating } = zoneOf(dtstart, time, context, repeats)
  const start = time.isDate ? midnight(time.wall, context.timezone) : zone.toInstant(time.wall)
  const base = {
    start,
    zone: time.isDate ? context.zones.byName(context.timezone) : named(zone, dtstart, time, context, repeats),
    wall: time.wall,
    isFloating,
  }
  const when: When = {
    ...base,
    ...endOf(find('DTEND'), find('DURATION'), { ...base, allDay: time.isDate }, context),
    allDay: time.isDate,
  }
  if (find('X-MICROSOFT-CDO-ALLDAYEVENT')?.value.trim().toUpperCase() === 'TRUE')
    return asWholeDays(when, context)
  return when
}

const zoneOf = (line: ContentLine, time: Time, context: TimeContext, repeats: boolean) => {
  const { zones, calendar, timezone, calendarTimezone } = context
  const offset = time.offset
  if (offset !== null)
    return { zone: { name: 'UTC', toInstant: (wall: number) => wall - offset }, isFloating: false }
  const tzid = parameterOf(line, 'TZID')?.trim()
  if (tzid) return { zone: zones.byTzid(tzid, time.wall, calendar, repeats), isFloating: false }
  return {
    zone: zones.byName(calendarTimezone ?? timezone),
    isFloating: (calendarTimezone ?? timezone) === timezone && !time.isDate,
  }
}

/** A TZID together with `Z` violates RFC 5545, 3.2.19, but it names the zone in which the event repeats. */
const named = (
  zone: ZoneReading,
  line: ContentLine,
  time: Time,
  { zones, calendar }: TimeContext,
  repeats: boolean,
): ZoneReading => {
  const tzid = time.offset === null ? undefined : parameterOf(line, 'TZID')?.trim()
  return tzid ? zones.byName(zones.byTzid(tzid, time.wall, calendar, repeats).name) : zone
}

type Started = Omit<When, 'end' | 'ending' | 'endsBeforeStart'>

/**
 * An event that ends before it starts has no duration, as in other calendar programs. Events without a
 * duration get one minute. A missing end means one whole day or no duration (RFC 5545, 3.6.1); `ending`
 * records it.
 */
const endOf = (
  dtend: ContentLine | undefined,
  length: ContentLine | undefined,
  started: Started,
  context: TimeContext,
): Pick<When, 'end' | 'ending' | 'endsBeforeStart'> => {
  const { start, allDay } = started
  const least = allDay ? midnight(started.wall + DAY, context.timezone) : start + MIN_DURATION
  const time = dtend && timeOf(dtend)
  if (time) {
    const end = allDay
      ? midnight(time.wall, context.timezone)
      : time.isDate
        ? started.zone.toInstant(time.wall)
        : instantOf(dtend, time, started, context)
    if (end > start) return { end, ending: undefined }
    return { end: least, ending: allDay ? undefined : NO_END, endsBeforeStart: end < start }
  }
  const ending = length?.value.trim()
  const end = ending === undefined ? undefined : endAfter(ending, started, context.timezone)
  if (end !== undefined && end > start) return { end, ending }
  return { end: least, ending: NO_END, endsBeforeStart: end !== undefined && end < start }
}

export const endAfter = (
  text: string,
  { start, wall, allDay, zone }: Pick<Started, 'start' | 'wall' | 'allDay' | 'zone'>,
  timezone: string,
): number | undefined => {
  const duration = readDuration(text)
  if (!duration) return undefined
  if (allDay) return midnight(wall + duration.days * DAY + Math.ceil(duration.ms / DAY) * DAY, timezone)
  return (duration.days === 0 ? start : zone.toInstant(wall + duration.days * DAY)) + duration.ms
}

/** Resolves a time other than the start. If it has no zone, the event's zone applies. */
export const instantOf = (line: ContentLine, time: Time, { zone }: Started, context: TimeContext): number => {
  if (time.offset !== null) return time.wall - time.offset
  const tzid = parameterOf(line, 'TZID')?.trim()
  return (tzid ? context.zones.byTzid(tzid, time.wall, context.calendar, false) : zone).toInstant(time.wall)
}

/** Outlook writes all-day events as timed events from midnight to midnight with a separate property. */
const asWholeDays = (when: When, { timezone, zones }: TimeContext): When => {
  const [from, until] = [when.start, when.end].map((instant) => toWall(instant, when.zone.name)) as [
    number,
    number,
  ]
  if (when.allDay || from % DAY !== 0 || until % DAY !== 0) return when
  return {
    ...when,
    start: midnight(from, timezone),
    end: midnight(until, timezone),
    allDay: true,
    zone: zones.byName(timezone),
    wall: from,
    isFloating: false,
    ending: undefined,
  }
}

/** Parses the instants of EXDATE and RDATE, sorted and unique. Values that cannot be parsed are skipped. */
export const readDates = (lines: ContentLine[], when: When, context: TimeContext): string[] => {
  const found = new Set<string>()
  for (const line of lines)
    for (const value of line.value.split(',')) {
      const time = timeOf(line, value.split('/')[0])
      const text = time && instantText(occurrence(line, time, when, context))
      if (text !== undefined) found.add(text)
    }
  return [...found].sort()
}

const occurrence = (line: ContentLine, time: Time, when: When, context: TimeContext): number => {
  if (when.allDay) {
    const local = time.offset === null ? time.wall : toWall(time.wall - time.offset, context.timezone)
    return midnight(local % DAY === 0 ? local : time.wall, context.timezone)
  }
  if (!time.isDate) return instantOf(line, time, when, context)
  const timeOfDay = ((when.wall % DAY) + DAY) % DAY
  return when.zone.toInstant(time.wall + timeOfDay)
}

/** Parses the lengths of RDATEs of type PERIOD (RFC 5545, 3.8.5.2). */
export const readPeriods = (lines: ContentLine[], when: When, context: TimeContext) =>
  lines.flatMap((line) =>
    line.value.split(',').flatMap((value) => {
      const [from, until] = value.split('/')
      const time = until === undefined || when.allDay ? undefined : timeOf(line, from)
      if (!time || until === undefined || time.isDate) return []
      const instant = instantOf(line, time, when, context)
      const ended = timeOf(line, until)
      const end = ended
        ? instantOf(line, ended, when, context)
        : endAfter(
            until,
            { start: instant, wall: time.wall, allDay: false, zone: when.zone },
            context.timezone,
          )
      const start = instantText(instant)
      return start === undefined || end === undefined || end <= instant
        ? []
        : [{ start, length: end - instant }]
    }),
  )

/** Converts an RRULE value to canonical form. UNTIL becomes an instant, or a date for all-day events. */
export const readRecurrence = (
  value: string,
  zone: ZoneReading,
  allDay: boolean,
): { recurrence: string } | { fault: string } => {
  const read = readRule(repair(value))
  if ('fault' in read) return read
  const { rule } = read
  const until = rule.until && (allDay ? untilDay(rule.until, zone) : untilInstant(rule.until, zone))
  return { recurrence: writeRule(until ? { ...rule, until } : rule) }
}

/** Repairs common errors of other programs that have a clear meaning or none. */
const repair = (value: string): string => {
  const parts = value
    .slice(0, 4000)
    .replace(/\s+/g, '')
    .toUpperCase()
    .split(';')
    .map((part) => part.replace(/,+$/, ''))
    .filter((part) => !/^(?:$|X-)|=$|^[^=]*$/.test(part))
    // KOrganizer writes COUNT=-1 for a rule without an end.
    .filter((part) => !/^(?:COUNT|INTERVAL)=-?0*(?:0|(?<=-)\d+)$/.test(part))
    .map((part) => part.replace(/^UNTIL=(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d))?/, writeUntil))
  const has = (pattern: RegExp): boolean => parts.some((part) => pattern.test(part))
  return parts
    .filter((part) => !part.startsWith('COUNT=') || !has(/^UNTIL=/))
    .filter((part) => !part.startsWith('BYSETPOS=') || has(/^BY(?!SETPOS)/))
    .map((part) =>
      part.startsWith('BYDAY=') && has(/^FREQ=(?:WEEKLY|DAILY)$/)
        ? part.replace(/[+-]?\d+(?=[A-Z])/g, '')
        : part,
    )
    .join(';')
}

const writeUntil = (_: string, year: string, month: string, day: string, ...time: (string | undefined)[]) =>
  `UNTIL=${year}${month}${day}${time[0] === undefined ? '' : `T${time[0] === '24' ? '235959' : time.slice(0, 3).join('')}`}`

const LAST_DAY = Date.parse('9999-12-30T00:00:00Z')

const untilInstant = ({ wall, kind }: Until, zone: ZoneReading): Until => {
  if (kind === 'utc') return { wall, kind }
  const last = Math.min(kind === 'date' ? wall + DAY - SECOND : wall, LAST_DAY)
  return { wall: zone.toInstant(last), kind: 'utc' }
}

/**
 * Google writes UNTIL as the last second of the day in UTC. Exchange writes the local midnight as an instant.
 * Both mean the day.
 */
const untilDay = ({ wall, kind }: Until, zone: ZoneReading): Until => {
  const local = kind === 'utc' ? toWall(wall, zone.name) : wall
  const day = local % DAY === 0 ? local : wall
  return { wall: Math.floor(day / DAY) * DAY, kind: 'date' }
}

/** Writes UNTIL of a floating event as local time (RFC 5545, 3.3.10). */
export const floatingRules = (recurrence: string, timezone: string): string =>
  recurrence.replace(/UNTIL=[0-9T]+Z/g, (text) => {
    const read = readRule(`FREQ=DAILY;${text}`)
    if ('fault' in read || !read.rule.until) return text
    const until: Until = { wall: toWall(read.rule.until.wall, timezone), kind: 'local' }
    return writeRule({ ...read.rule, until }).replace('FREQ=DAILY;', '')
  })
