import type { Transition } from '../../../engine/time-zones.ts'
import type { Component } from './components.ts'
import { type ContentLine, readLine } from './lines.ts'
import { DAY, readOffset, readTime } from './times.ts'

/** One of a VTIMEZONE's STANDARD and DAYLIGHT parts. */
interface Observance {
  from: number
  to: number
  start: number
  dates: number[]
  rule: YearlyRule | undefined
}

/** Clocks are changed by the year; rules of other kinds are not followed beyond their first day. */
interface YearlyRule {
  interval: number
  count: number
  until: number
  months: number[]
  monthDays: number[]
  weekdays: { ordinal: number; weekday: number }[]
}

/** The longest histories have some eighty observances; what is beyond these figures was made to keep us busy. */
const MOST_OBSERVANCES = 150
const MOST_DATES = 300
const MOST_PARTS = 4
const LONGEST_RULE = 1000
const MOST_CHANGES = 5000
const FIRST_YEAR = 1900
const LAST_YEAR = 2200
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The changes of clocks that a VTIMEZONE tells of, in order; undefined when it tells nothing that is to be believed. */
export const readDefinition = ({ inner }: Component): Transition[] | undefined => {
  const changes: Transition[] = []
  for (const lines of inner.slice(0, MOST_OBSERVANCES)) {
    const observance = readObservance(lines.map(readLine).filter((line) => line !== undefined))
    if (observance) for (const change of changesOf(observance)) changes.push(change)
    if (changes.length > MOST_CHANGES) return undefined
  }
  return changes.length > 0 ? changes.sort((one, other) => one.at - other.at) : undefined
}

const readObservance = (lines: ContentLine[]): Observance | undefined => {
  const value = (name: string): string => lines.find((line) => line.name === name)?.value.trim() ?? ''
  const [from, to] = [readOffset(value('TZOFFSETFROM')), readOffset(value('TZOFFSETTO'))]
  if (to === null) return undefined
  const start = readTime(value('DTSTART'))?.wall ?? Date.UTC(1970, 0, 1)
  const dates = lines
    .filter(({ name }) => name === 'RDATE')
    .flatMap((line) => line.value.split(',', MOST_DATES))
    .slice(0, MOST_DATES)
    .flatMap((text) => readTime(text)?.wall ?? [])
  return { from: from ?? to, to, start, dates, rule: readYearlyRule(value('RRULE'), start, from ?? to) }
}

const numbers = (text: string | undefined): number[] =>
  (text ?? '').split(',').slice(0, 31).map(Number).filter(Number.isInteger).filter(Boolean)

const readYearlyRule = (text: string, start: number, offset: number): YearlyRule | undefined => {
  const parts = new Map(
    text
      .slice(0, LONGEST_RULE)
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  )
  if (parts.get('FREQ') !== 'YEARLY') return undefined
  const until = readTime(parts.get('UNTIL') ?? '')
  return {
    interval: Math.max(1, Number(parts.get('INTERVAL') ?? 1) || 1),
    count: Number(parts.get('COUNT')) || Number.POSITIVE_INFINITY,
    until: until ? until.wall + (until.offset === null ? 0 : offset) : Number.POSITIVE_INFINITY,
    months: numbers(parts.get('BYMONTH') ?? String(new Date(start).getUTCMonth() + 1)).slice(0, MOST_PARTS),
    monthDays: numbers(parts.get('BYMONTHDAY')),
    weekdays: (parts.get('BYDAY') ?? '')
      .split(',')
      .slice(0, MOST_PARTS)
      .flatMap((day) => {
        const [, ordinal, name] = /^\s*([+-]?\d)?([A-Z]{2})\s*$/.exec(day) ?? []
        const weekday = WEEKDAYS.indexOf(name ?? '')
        return weekday < 0 ? [] : [{ ordinal: Number(ordinal ?? 0), weekday }]
      }),
  }
}

const yearOf = (wall: number): number => new Date(wall).getUTCFullYear()

const changesOf = (observance: Observance): Transition[] =>
  onsets(observance).map((wall) => ({
    at: wall - observance.from,
    before: observance.from,
    after: observance.to,
  }))

const onsets = ({ start, dates, rule }: Observance): number[] => {
  const found = [start, ...dates]
  if (!rule) return found
  const startYear = yearOf(start)
  // A counted rule is followed from its start; any other only where it matters.
  const first = Number.isFinite(rule.count) ? startYear : Math.max(startYear, FIRST_YEAR)
  const aligned = first + ((rule.interval - ((first - startYear) % rule.interval)) % rule.interval)
  let left = rule.count
  for (let year = aligned; year <= LAST_YEAR && left > 0; year += rule.interval)
    for (const wall of inYear(rule, year, start))
      if (wall > start && wall <= rule.until && --left > 0) found.push(wall)
  return found
}

const inYear = (rule: YearlyRule, year: number, start: number): number[] => {
  const timeOfDay = ((start % DAY) + DAY) % DAY
  return rule.months
    .flatMap((month) => daysOf(rule, year, month, start).map((day) => Date.UTC(year, month - 1, day)))
    .map((wall) => wall + timeOfDay)
    .sort((one, other) => one - other)
}

const daysOf = (rule: YearlyRule, year: number, month: number, start: number): number[] => {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const days = rule.monthDays.map((day) => (day < 0 ? length + 1 + day : day))
  if (rule.weekdays.length === 0) {
    const wanted = days.length > 0 ? days : [new Date(start).getUTCDate()]
    return wanted.filter((day) => day >= 1 && day <= length)
  }
  return rule.weekdays.flatMap(({ ordinal, weekday }) => {
    const all: number[] = []
    for (let day = 1 + ((weekday - first + 7) % 7); day <= length; day += 7) all.push(day)
    const wanted = ordinal === 0 ? all : [all.at(ordinal > 0 ? ordinal - 1 : ordinal)]
    return wanted.filter((day) => day !== undefined).filter((day) => days.length === 0 || days.includes(day))
  })
}

/** How many of the changes come first, as long as `isBefore` holds for them. */
const countWhile = (changes: Transition[], isBefore: (index: number) => boolean): number => {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The offset at an instant, given the changes around it. */
export const offsetAmong = (changes: Transition[], instant: number): number => {
  const passed = countWhile(changes, (index) => (changes[index] as Transition).at <= instant)
  return changes[passed - 1]?.after ?? changes[0]?.before ?? 0
}

/** The furthest that an offset of a VTIMEZONE can be from UTC (RFC 5545, 3.3.14). */
const WIDEST_OFFSET = 100 * 60 * 60 * 1000

/** The instant at which clocks show `wall`; by the same rules for gaps and folds as everywhere (RFC 5545, 3.3.5). */
export const instantAmong = (changes: Transition[], wall: number): number => {
  // Whatever their offsets are, these changes lie before the time: only those near it must be compared one by one.
  const passed = countWhile(changes, (index) => (changes[index] as Transition).at <= wall - WIDEST_OFFSET)
  let offset = changes[passed - 1]?.after ?? changes[0]?.before ?? 0
  let start = changes[passed - 1]?.at ?? Number.NEGATIVE_INFINITY
  let before = changes[passed - 2]?.after ?? changes[0]?.before ?? 0
  for (let index = passed; index < changes.length; index++) {
    const change = changes[index] as Transition
    if (wall - offset < change.at) break
    before = offset
    offset = change.after
    start = change.at
  }
  return wall - (wall - offset < start ? before : offset)
}
