import { readRule } from '../../../engine/recurrence/read-rule.ts'
import type { Until } from '../../../engine/recurrence/rule.ts'
import { writeRule } from '../../../engine/recurrence/write-rule.ts'
import { toWall } from '../../../engine/time-zones.ts'
import { DAY, SECOND } from './times.ts'
import type { ZoneReading } from './zones.ts'

/** An RRULE's value in canonical form, its end an instant or, for whole days, a day. */
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

/** What programs write that means something, or nothing, without being right. */
const repair = (value: string): string => {
  const parts = value
    .slice(0, 4000)
    .replace(/\s+/g, '')
    .toUpperCase()
    .split(';')
    .map((part) => part.replace(/,+$/, ''))
    .filter((part) => !/^(?:$|X-)|=$|^[^=]*$/.test(part))
    // KOrganizer counts to -1 when it means without end.
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

/** Google writes the last second of the day in UTC and means that day; Exchange writes its midnight as an instant. */
const untilDay = ({ wall, kind }: Until, zone: ZoneReading): Until => {
  const local = kind === 'utc' ? toWall(wall, zone.name) : wall
  const day = local % DAY === 0 ? local : wall
  return { wall: Math.floor(day / DAY) * DAY, kind: 'date' }
}

/** The rules of a floating event, whose end is told in the time that clocks show (RFC 5545, 3.3.10). */
export const floatingRules = (recurrence: string, timezone: string): string =>
  recurrence.replace(/UNTIL=[0-9T]+Z/g, (text) => {
    const read = readRule(`FREQ=DAILY;${text}`)
    if ('fault' in read || !read.rule.until) return text
    const until: Until = { wall: toWall(read.rule.until.wall, timezone), kind: 'local' }
    return writeRule({ ...read.rule, until }).replace('FREQ=DAILY;', '')
  })
