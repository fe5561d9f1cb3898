import { toWall } from '../../../engine/time-zones.ts'
import { type ContentLine, parameterOf } from './lines.ts'
import { DAY, instantText, MINUTE, midnight, readDuration, readTime, type Time } from './times.ts'
import type { ZoneReading, Zones } from './zones.ts'

/** When an event is, and how its other times are to be read. */
export interface When {
  start: number
  end: number
  allDay: boolean
  zone: ZoneReading
  /** The start as clocks in its zone show it. */
  wall: number
  /** It is at this time wherever one is. */
  isFloating: boolean
  /** How the end was told, when it was not a DTEND. */
  ending: string | undefined
  /** The end that was told lies before the start, and was left out. */
  isTurned?: boolean
}

export interface TimeContext {
  zones: Zones
  calendar: number
  /** The zone of whole days, and of times that name none. */
  timezone: string
  /** X-WR-TIMEZONE: where it is another zone, times that name none are in it and do not float. */
  calendarTimezone: string | null
}

const SHOWN_LENGTH = MINUTE
export const NO_END = 'none'

export const timeOf = (line: ContentLine, value = line.value): Time | undefined => {
  const time = readTime(value)
  const isDate = /^DATE$/i.test(parameterOf(line, 'VALUE')?.trim() ?? '')
  return time && isDate && !time.isDate
    ? { wall: Math.floor(time.wall / DAY) * DAY, isDate, offset: null }
    : time
}

/** The times of a VEVENT with a DTSTART; a text says what is wrong with them. */
export const readWhen = (lines: ContentLine[], context: TimeContext): When | string => {
  const find = (name: string): ContentLine | undefined => lines.find((line) => line.name === name)
  const dtstart = find('DTSTART') as ContentLine
  const time = timeOf(dtstart)
  if (!time) return `DTSTART cannot be read: ${dtstart.value.slice(0, 50)}`
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

/** A zone beside a `Z` is against RFC 5545, 3.2.19, but says where the event repeats. */
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

type Started = Omit<When, 'end' | 'ending' | 'isTurned'>

/**
 * What ends before it starts takes no time, as calendar programs have it. No time is a minute here, and no end at all
 * a whole day or no time (RFC 5545, 3.6.1); that there was none is kept.
 */
const endOf = (
  dtend: ContentLine | undefined,
  length: ContentLine | undefined,
  started: Started,
  context: TimeContext,
): Pick<When, 'end' | 'ending' | 'isTurned'> => {
  const { start, allDay } = started
  const least = allDay ? midnight(started.wall + DAY, context.timezone) : start + SHOWN_LENGTH
  const time = dtend && timeOf(dtend)
  if (time) {
    const end = allDay
      ? midnight(time.wall, context.timezone)
      : time.isDate
        ? started.zone.toInstant(time.wall)
        : instantOf(dtend, time, started, context)
    if (end > start) return { end, ending: undefined }
    return { end: least, ending: allDay ? undefined : NO_END, isTurned: end < start }
  }
  const ending = length?.value.trim()
  const end = ending === undefined ? undefined : endAfter(ending, started, context.timezone)
  if (end !== undefined && end > start) return { end, ending }
  return { end: least, ending: NO_END, isTurned: end !== undefined && end < start }
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

/** An instant beside the start. Without a zone of its own it is in the event's. */
export const instantOf = (line: ContentLine, time: Time, { zone }: Started, context: TimeContext): number => {
  if (time.offset !== null) return time.wall - time.offset
  const tzid = parameterOf(line, 'TZID')?.trim()
  return (tzid ? context.zones.byTzid(tzid, time.wall, context.calendar, false) : zone).toInstant(time.wall)
}

/** Outlook's whole days run from midnight to midnight and say so elsewhere. */
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

/** The instants of EXDATE and RDATE, sorted, each once; what cannot be read names no occurrence. */
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

/** The lengths of RDATEs that are periods (RFC 5545, 3.8.5.2). */
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
