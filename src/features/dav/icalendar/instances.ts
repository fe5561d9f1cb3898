import { parameterOf } from '../../../platform/icalendar/text.ts'
import { DAY, readDuration, readTime } from '../../../platform/icalendar/values.ts'
import { readRule } from '../../../recurrence/rule.ts'
import { occurrencesBetween, type Series } from '../../../recurrence/series.ts'
import { isZone, toInstant, toWall } from '../../../recurrence/time-zones.ts'
import { type Component, findProperty, type Property } from './component.ts'

/** Instants in ms; infinite for no limit. */
export interface Range {
  start: number
  end: number
}

/** One occurrence of a component: of a series, a changed one, or the only one. */
export interface Instance {
  component: Component
  start: number
  end: number
  /** RECURRENCE-ID as an instant; undefined if the component does not repeat. */
  recurrenceId: number | undefined
}

interface Moment {
  instant: number
  isDate: boolean
}

/** `zone` applies to dates and floating times (RFC 4791 §7.3). */
const toMoment = (property: Property, value: string, zone: string): Moment | undefined => {
  const time = readTime(value)
  if (!time) return undefined
  const { wall, isDate, offset } = time
  if (offset !== null) return { instant: wall - offset, isDate }
  const tzid = parameterOf(property, 'TZID')
  return { instant: toInstant(wall, tzid !== undefined && isZone(tzid) ? tzid : zone), isDate }
}

export const momentOf = (component: Component, name: string, zone: string): Moment | undefined => {
  const property = findProperty(component, name)
  return property && toMoment(property, property.value, zone)
}

const zoneOf = (component: Component, zone: string): string => {
  const property = findProperty(component, 'DTSTART') ?? findProperty(component, 'DUE')
  const tzid = property && parameterOf(property, 'TZID')
  return tzid !== undefined && isZone(tzid) ? tzid : property?.value.endsWith('Z') ? 'UTC' : zone
}

const addDuration = (start: number, text: string, zone: string): number => {
  const duration = readDuration(text)
  if (!duration) return start
  return toInstant(toWall(start, zone) + duration.days * DAY, zone) + duration.ms
}

/** The end of a component that starts at `start`; undefined if it has neither end nor duration. */
const endOf = (component: Component, start: number, zone: string): number | undefined => {
  const own = momentOf(component, 'DTEND', zone) ?? momentOf(component, 'DUE', zone)
  if (own) return own.instant
  const duration = findProperty(component, 'DURATION')
  return duration && addDuration(start, duration.value, zoneOf(component, zone))
}

/** RFC 5545 §3.6.1: an event without an end takes its day, or no time. */
const spanOf = (component: Component, zone: string): { start: number; end: number } | undefined => {
  const start = momentOf(component, 'DTSTART', zone)
  if (!start) return undefined
  const own = endOf(component, start.instant, zone)
  if (own !== undefined) return { start: start.instant, end: own }
  return {
    start: start.instant,
    end:
      start.isDate && component.name === 'VEVENT' ? addDuration(start.instant, 'P1D', zone) : start.instant,
  }
}

const datesOf = (component: Component, name: string, zone: string): number[] =>
  component.properties
    .filter((property) => property.name === name)
    .flatMap((property) =>
      property.value
        .split(',')
        .flatMap((value) => toMoment(property, value.split('/')[0] ?? '', zone)?.instant ?? []),
    )

const rulesOf = (component: Component, name: string) =>
  component.properties
    .filter((property) => property.name === name)
    .flatMap(({ value }) => {
      const read = readRule(value)
      return 'rule' in read ? [read.rule] : []
    })

const seriesOf = (component: Component, zone: string): Series | undefined => {
  const start = momentOf(component, 'DTSTART', zone)
  const rules = rulesOf(component, 'RRULE')
  const added = datesOf(component, 'RDATE', zone)
  if (!start || (rules.length === 0 && added.length === 0)) return undefined
  return {
    start: start.instant,
    timezone: zoneOf(component, zone),
    allDay: start.isDate,
    rules,
    exclusionRules: rulesOf(component, 'EXRULE'),
    excluded: datesOf(component, 'EXDATE', zone),
    added,
  }
}

/** RFC 4791 §9.9: an instance without a duration is in the range if its start is. */
export const overlaps = ({ start, end }: { start: number; end: number }, range: Range): boolean =>
  start === end ? start >= range.start && start < range.end : start < range.end && end > range.start

/** A day is 25 hours at the end of summer time. */
const DAY_MARGIN = 2 * 3_600_000

/** Yields the instances of the events or tasks of a resource that overlap a range. */
export function* instancesIn(
  components: readonly Component[],
  range: Range,
  zone: string,
): Generator<Instance, void> {
  const changed = new Set(components.flatMap((one) => momentOf(one, 'RECURRENCE-ID', zone)?.instant ?? []))
  for (const component of components) {
    const span = spanOf(component, zone)
    if (!span) continue
    const replaced = momentOf(component, 'RECURRENCE-ID', zone)
    const series = replaced ? undefined : seriesOf(component, zone)
    if (!series) {
      if (overlaps(span, range)) yield { component, ...span, recurrenceId: replaced?.instant }
      continue
    }
    const length = span.end - span.start
    const ownZone = series.timezone
    const from = range.start - length - (series.allDay ? DAY_MARGIN : 0)
    for (const start of occurrencesBetween(series, from, range.end + 1)) {
      if (changed.has(start)) continue
      const end = series.allDay
        ? toInstant(toWall(start, ownZone) + Math.round(length / DAY) * DAY, ownZone)
        : start + length
      if (overlaps({ start, end }, range)) yield { component, start, end, recurrenceId: start }
    }
  }
}

/** RFC 4791 §9.9: a task may have other times than a start and an end. */
export const isTaskIn = (component: Component, range: Range, zone: string): boolean => {
  const instantOf = (name: string): number | undefined => momentOf(component, name, zone)?.instant
  const due = instantOf('DUE')
  if (due !== undefined) return range.start < due && range.end >= due
  const [completed, created] = [instantOf('COMPLETED'), instantOf('CREATED')]
  if (completed !== undefined && created !== undefined)
    return (
      (range.start <= created || range.start <= completed) && (range.end >= created || range.end >= completed)
    )
  if (completed !== undefined) return range.start <= completed && range.end >= completed
  return created === undefined || range.end > created
}

const MAX_REPEATS = 1000

/** RFC 4791 §9.9: an alarm is in the range if it is triggered there, also when it repeats. */
export const isAlarmIn = (
  alarm: Component,
  { start, end }: Pick<Instance, 'start' | 'end'>,
  range: Range,
  zone: string,
): boolean => {
  const trigger = findProperty(alarm, 'TRIGGER')
  if (!trigger) return false
  const base = parameterOf(trigger, 'RELATED')?.toUpperCase() === 'END' ? end : start
  const first = readTime(trigger.value)
    ? toMoment(trigger, trigger.value, zone)?.instant
    : addDuration(base, trigger.value, zone)
  if (first === undefined) return false
  const repeats = Math.min(Number(findProperty(alarm, 'REPEAT')?.value ?? 0) || 0, MAX_REPEATS)
  const interval = findProperty(alarm, 'DURATION')?.value
  for (let count = 0, at = first; count <= repeats; count++) {
    if (at >= range.start && at < range.end) return true
    if (interval === undefined) return false
    at = addDuration(at, interval, zone)
  }
  return false
}
