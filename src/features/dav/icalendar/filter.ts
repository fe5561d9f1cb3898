import { parameterOf, unescapeText } from '../../../platform/icalendar/text.ts'
import { childOf, childrenOf, type XmlElement } from '../../../platform/xml.ts'
import { C } from '../elements.ts'
import { DavError } from '../errors.ts'
import type { Component, Property } from './component.ts'
import { instancesIn, isAlarmIn, isTaskIn, momentOf, overlaps, type Range } from './instances.ts'

/** RFC 4790, RFC 4791 §7.5: how texts are compared. */
const COLLATIONS: Readonly<Record<string, (text: string) => string>> = {
  'i;ascii-casemap': (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'i;octet': (text) => text,
}
export const COLLATION_NAMES = Object.keys(COLLATIONS)

type TextTest = (text: string) => boolean

interface PropertyFilter {
  name: string
  isDefined: boolean
  range: Range | undefined
  text: TextTest | undefined
  parameters: { name: string; isDefined: boolean; text: TextTest | undefined }[]
}

/** RFC 4791 §9.7.1. */
export interface ComponentFilter {
  name: string
  isDefined: boolean
  range: Range | undefined
  properties: PropertyFilter[]
  components: ComponentFilter[]
}

const invalidFilter = (): DavError => new DavError(403, C.validFilter())

const UTC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** RFC 4791 §9.9: date with UTC time. */
const readInstant = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const [, ...parts] = UTC.exec(text) ?? []
  if (parts.length === 0) throw invalidFilter()
  const [year, month, day, hour, minute, second] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const instant = Date.UTC(year, month - 1, day, hour, minute, second)
  if (Number.isNaN(instant)) throw invalidFilter()
  return instant
}

/** RFC 4791 §9.9: at least one of the attributes is there, and the end is after the start. */
export const readRange = ({ attributes }: XmlElement): Range => {
  const [start, end] = [readInstant(attributes.start), readInstant(attributes.end)]
  // RFC 4791 §9.9 requires one of them.
  if (start === undefined && end === undefined) throw new DavError(400, C.validFilter())
  if (start !== undefined && end !== undefined && end <= start) throw invalidFilter()
  return { start: start ?? Number.NEGATIVE_INFINITY, end: end ?? Number.POSITIVE_INFINITY }
}

const rangeIn = (element: XmlElement): Range | undefined => {
  const found = childOf(element, C.timeRange.key)
  return found && readRange(found)
}

const isDefined = (element: XmlElement): boolean => childOf(element, C.isNotDefined.key) === undefined

const textIn = (element: XmlElement): TextTest | undefined => {
  const found = childOf(element, C.textMatch.key)
  if (!found) return undefined
  const { collation = 'i;ascii-casemap', 'negate-condition': negate = 'no' } = found.attributes
  const fold = Object.hasOwn(COLLATIONS, collation) ? COLLATIONS[collation] : undefined
  if (!fold) throw new DavError(403, C.supportedCollation())
  const wanted = fold(found.text)
  return (text) => fold(text).includes(wanted) !== (negate === 'yes')
}

const nameIn = ({ attributes }: XmlElement): string => {
  if (!attributes.name) throw invalidFilter()
  return attributes.name.toUpperCase()
}

const readProperty = (element: XmlElement): PropertyFilter => ({
  name: nameIn(element),
  isDefined: isDefined(element),
  range: rangeIn(element),
  text: textIn(element),
  parameters: childrenOf(element, C.paramFilter.key).map((parameter) => ({
    name: nameIn(parameter),
    isDefined: isDefined(parameter),
    text: textIn(parameter),
  })),
})

const MAX_DEPTH = 4

const readComponent = (element: XmlElement, depth = 0): ComponentFilter => {
  if (depth > MAX_DEPTH) throw invalidFilter()
  return {
    name: nameIn(element),
    isDefined: isDefined(element),
    range: rangeIn(element),
    properties: childrenOf(element, C.propFilter.key).map(readProperty),
    components: childrenOf(element, C.compFilter.key).map((one) => readComponent(one, depth + 1)),
  }
}

/** RFC 4791 §9.7: one filter of VCALENDAR. */
export const readFilter = (root: XmlElement): ComponentFilter => {
  const [top, ...others] = childrenOf(childOf(root, C.filter.key), C.compFilter.key)
  if (!top || others.length > 0) throw invalidFilter()
  const filter = readComponent(top)
  if (filter.name !== 'VCALENDAR') throw invalidFilter()
  return filter
}

const matchesProperty = (
  filter: PropertyFilter,
  properties: readonly Property[],
  zone: string,
  owner: Component,
): boolean => {
  const named = properties.filter(({ name }) => name === filter.name)
  if (!filter.isDefined) return named.length === 0
  return named.some((property) => {
    const moment = filter.range && momentOf(owner, filter.name, zone)
    if (filter.range && !(moment && overlaps({ start: moment.instant, end: moment.instant }, filter.range)))
      return false
    if (filter.text && !filter.text(unescapeText(property.value))) return false
    return filter.parameters.every(({ name, isDefined: isWanted, text }) => {
      const value = parameterOf(property, name)
      if (!isWanted) return value === undefined
      return value !== undefined && (!text || text(value))
    })
  })
}

const isAlarmFilter = ({ name, range }: ComponentFilter): boolean => name === 'VALARM' && range !== undefined

/** Whether an instance of the component overlaps the range, and has alarms that overlap theirs. */
const hasInstance = (
  filter: ComponentFilter,
  component: Component,
  siblings: readonly Component[],
  zone: string,
): boolean => {
  const alarmFilters = filter.components.filter(isAlarmFilter)
  const range = filter.range ?? { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  if (alarmFilters.length === 0 && filter.range === undefined) return true
  if (component.name === 'VTODO' && !component.properties.some(({ name }) => name === 'DTSTART'))
    return isTaskIn(component, range, zone) && alarmFilters.length === 0
  const alarmsOf = (wanted: ComponentFilter): Component[] =>
    component.components.filter(
      (alarm) =>
        alarm.name === wanted.name &&
        wanted.properties.every((property) => matchesProperty(property, alarm.properties, zone, alarm)),
    )
  let steps = 0
  for (const instance of instancesIn(
    siblings,
    alarmFilters.length > 0 ? widen(range, alarmFilters) : range,
    zone,
  )) {
    if (++steps > MAX_INSTANCES) return false
    if (instance.component !== component) continue
    const isHit = alarmFilters.every((wanted) =>
      alarmsOf(wanted).some((alarm) => isAlarmIn(alarm, instance, wanted.range as Range, zone)),
    )
    if (isHit) return true
  }
  return false
}

const MAX_INSTANCES = 20_000
/** The longest time between an alarm and its event. */
const ALARM_MARGIN = 400 * 86_400_000

/** The range in which the events of the wanted alarms are. */
const widen = (range: Range, filters: readonly ComponentFilter[]): Range => ({
  start: Math.max(range.start, Math.min(...filters.map((one) => (one.range as Range).start)) - ALARM_MARGIN),
  end: Math.min(range.end, Math.max(...filters.map((one) => (one.range as Range).end)) + ALARM_MARGIN),
})

const matches = (filter: ComponentFilter, siblings: readonly Component[], zone: string): boolean => {
  const named = siblings.filter(({ name }) => name === filter.name)
  if (!filter.isDefined) return named.length === 0
  return named.some(
    (component) =>
      filter.properties.every((property) =>
        matchesProperty(property, component.properties, zone, component),
      ) &&
      filter.components
        .filter((one) => !isAlarmFilter(one))
        .every((one) => matches(one, component.components, zone)) &&
      hasInstance(filter, component, named, zone),
  )
}

/** Whether a resource matches a filter. `zone` is that of dates and floating times. */
export const matchesFilter = (filter: ComponentFilter, calendar: Component, zone: string): boolean =>
  matches(filter, [calendar], zone)

/** The range that every matching resource overlaps; undefined if the filter has none. */
export const findRange = ({ isDefined: isWanted, components }: ComponentFilter): Range | undefined => {
  if (!isWanted) return undefined
  const found = components.filter((one) => one.isDefined && one.range)
  return found[0]?.range
}
