import { offsetAt, type Transition, transitionsBetween } from '../../../nlu/time-zones.ts'
import { DAY, writeDateTime, writeOffset } from './event-times.ts'
import { escapeText, fold } from './text.ts'

/** A zone, and the range of years in which events use it. */
export interface UsedZone {
  timezone: string
  fromYear: number
  untilYear: number
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Weekdays and dates repeat every 28 years, so a rule that holds this long is permanent. */
const YEARS_AHEAD = 28

/** No known zone changes its rules after this year. */
const LAST_YEAR = 2100

/** Writes one VTIMEZONE for each zone except UTC. */
export const timezoneComponents = (zones: Iterable<UsedZone>): string => {
  let text = ''
  for (const zone of zones) if (zone.timezone !== 'UTC') text += timezoneComponent(zone)
  return text
}

const timezoneComponent = ({ timezone, fromYear, untilYear }: UsedZone): string => {
  // Start a year earlier, for events that began in the year before and for zones other than UTC.
  const from = new Date(0).setUTCFullYear(Math.max(fromYear - 1, 1))
  const finalYear = Math.min(untilYear, LAST_YEAR) + YEARS_AHEAD
  const until = Date.UTC(finalYear + 1, 0, 1)
  const transitions = transitionsBetween(timezone, from, until)
  const first = offsetAt(from, timezone)
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${escapeText(timezone)}`,
    ...observance({ at: from, before: first, after: first }),
    ...runsOf(transitions, finalYear).flatMap(({ start, rule }) => observance(start, rule)),
    'END:VTIMEZONE',
  ]
    .map(fold)
    .join('')
}

const observance = ({ at, before, after }: Transition, rule?: string): string[] => {
  const name = after > before ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${writeDateTime(at + before)}`,
    `TZOFFSETFROM:${writeOffset(before)}`,
    `TZOFFSETTO:${writeOffset(after)}`,
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `END:${name}`,
  ]
}

/** The same offset change in consecutive years. */
interface Run {
  start: Transition
  lastYear: number
  days: number[]
  monthLengths: number[]
}

interface WrittenRun {
  start: Transition
  rule?: string
}

/** Groups changes that follow one rule. Changes without a rule are written one by one. */
const runsOf = (transitions: Transition[], finalYear: number): WrittenRun[] => {
  const open = new Map<string, Run>()
  const done: Run[] = []
  for (const transition of transitions) {
    const wall = new Date(transition.at + transition.before)
    const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
    const key = [month, wall.getUTCDay(), wall.getTime() % DAY, transition.before, transition.after].join()
    const monthLength = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const run = open.get(key)
    const extended: Run | undefined = run && {
      ...run,
      lastYear: year,
      days: [...run.days, day],
      monthLengths: [...run.monthLengths, monthLength],
    }
    if (extended && run?.lastYear === year - 1 && daysRule(extended) !== undefined) open.set(key, extended)
    else {
      if (run) done.push(run)
      open.set(key, {
        start: transition,
        lastYear: year,
        days: [day],
        monthLengths: [monthLength],
      })
    }
  }
  return [...done, ...open.values()]
    .sort((one, other) => one.start.at - other.start.at)
    .map((run) => writtenRun(run, finalYear))
}

const writtenRun = (run: Run, finalYear: number): WrittenRun => {
  if (run.days.length === 1) return { start: run.start }
  const { start } = run
  const wall = new Date(start.at + start.before)
  // Use COUNT: some programs fail on an UNTIL in UTC, which RFC 5545 requires.
  const end = run.lastYear >= finalYear ? '' : `;COUNT=${run.days.length}`
  return { start, rule: `FREQ=YEARLY;BYMONTH=${wall.getUTCMonth() + 1}${daysRule(run)}${end}` }
}

/** The BYDAY part: the nth weekday of the month, the last one, or the one within seven dates. */
const daysRule = ({ start, days, monthLengths }: Run): string | undefined => {
  const weekday = WEEKDAYS[new Date(start.at + start.before).getUTCDay()]
  const [least, most] = [Math.min(...days), Math.max(...days)]
  if (days.every((day, index) => day + 7 > (monthLengths[index] as number))) return `;BYDAY=-1${weekday}`
  const ordinal = Math.ceil(least / 7)
  if (Math.ceil(most / 7) === ordinal) return `;BYDAY=${ordinal}${weekday}`
  if (most - least > 6) return undefined
  const dates = Array.from({ length: 7 }, (_, index) => least + index).filter((date) => date <= 31)
  return `;BYMONTHDAY=${dates.join(',')};BYDAY=${weekday}`
}
