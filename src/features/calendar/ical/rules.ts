import { readRule, type Until, writeRule } from '../../../nlu/recurrence/rule.ts'
import { toWall } from '../../../nlu/time-zones.ts'
import { DAY, SECOND } from './event-times.ts'
import type { ZoneReading } from './zones.ts'

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
