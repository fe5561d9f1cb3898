import { parameterOf } from '../../../platform/icalendar/text.ts'
import { DAY, writeDate, writeDateTime } from '../../../platform/icalendar/values.ts'
import { childOf, childrenOf, type XmlElement } from '../../../platform/xml.ts'
import { offsetAt as offsetOf } from '../../../recurrence/time-zones.ts'
import { C } from '../elements.ts'
import { DavError } from '../errors.ts'
import { type Component, findProperty, type Property, toProperty } from './component.ts'
import { readRange } from './filter.ts'
import { type Instance, instancesIn, momentOf, overlaps, type Range } from './instances.ts'

/** RFC 4791 §9.6: which part of a resource an answer contains. */
export interface DataRequest {
  selection: XmlElement | undefined
  expand: Range | undefined
  limit: Range | undefined
}

export const readDataRequest = (element: XmlElement): DataRequest => {
  const { 'content-type': type = 'text/calendar', version = '2.0' } = element.attributes
  // RFC 4791 §9.6: only this type is supported.
  if (type !== 'text/calendar' || version !== '2.0') throw new DavError(403, C.supportedCalendarData())
  const rangeOf = (key: string): Range | undefined => {
    const found = childOf(element, key)
    return found && readRange(found)
  }
  return {
    selection: childOf(element, C.comp.key),
    expand: rangeOf(C.expand.key),
    limit: rangeOf(C.limitRecurrenceSet.key),
  }
}

export const isWhole = ({ selection, expand, limit }: DataRequest): boolean => !selection && !expand && !limit

const REPEATING = new Set([
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'DTSTART',
  'DTEND',
  'DUE',
  'DURATION',
])

const writeMoment = (name: string, instant: number, like: Property | undefined, zone: string): Property => {
  const isDate = like !== undefined && !like.value.includes('T')
  if (isDate) return toProperty(name, writeDate(wallOf(instant, zone)), ';VALUE=DATE')
  return toProperty(name, `${writeDateTime(instant)}Z`)
}

const wallOf = (instant: number, zone: string): number => instant + offsetOf(instant, zone)

/** RFC 4791 §9.6.5: an instance has its times in UTC, and no rule. */
const toInstanceComponent = ({ component, start, end, recurrenceId }: Instance, zone: string): Component => {
  const like = findProperty(component, 'DTSTART')
  const isFloating =
    like?.value.includes('T') && !like.value.endsWith('Z') && parameterOf(like, 'TZID') === undefined
  const own = like && parameterOf(like, 'TZID')
  const write = (name: string, instant: number): Property =>
    isFloating
      ? toProperty(name, writeDateTime(wallOf(instant, zone)))
      : writeMoment(name, instant, like, own ?? zone)
  const times = component.properties.flatMap((property): Property[] => {
    if (property.name === 'DTSTART') return [write('DTSTART', start)]
    if (property.name === 'DTEND' || property.name === 'DUE') return [write(property.name, end)]
    return property.name === 'DURATION' ? [property] : []
  })
  // As other servers write it: the first occurrence of a series has the start of the series.
  const isFirst =
    recurrenceId === undefined ||
    (momentOf(component, 'DTSTART', zone)?.instant === recurrenceId &&
      !findProperty(component, 'RECURRENCE-ID'))
  return {
    ...component,
    properties: [
      ...component.properties.filter(({ name }) => !REPEATING.has(name)),
      ...times,
      ...(isFirst ? [] : [write('RECURRENCE-ID', recurrenceId)]),
    ],
  }
}

const MAX_INSTANCES = 5_000

const isZone = ({ name }: Component): boolean => name === 'VTIMEZONE'

const expandCalendar = (calendar: Component, range: Range, zone: string): Component => {
  const components: Component[] = []
  for (const instance of instancesIn(
    calendar.components.filter((one) => !isZone(one)),
    range,
    zone,
  )) {
    if (components.length >= MAX_INSTANCES) throw new DavError(403, C.maxInstances())
    components.push(toInstanceComponent(instance, zone))
  }
  return { ...calendar, components }
}

/** RFC 4791 §9.6.6: the series, and those changed occurrences that concern the range. */
const limitCalendar = (calendar: Component, range: Range, zone: string): Component => ({
  ...calendar,
  components: calendar.components.filter((component) => {
    const replaced = momentOf(component, 'RECURRENCE-ID', zone)
    if (!replaced) return true
    const isMovedIn = !instancesIn([component], range, zone).next().done
    return isMovedIn || overlaps({ start: replaced.instant, end: replaced.instant + DAY }, range)
  }),
})

/** RFC 4791 §9.6.1 to §9.6.4. */
const select = (component: Component, selection: XmlElement): Component => {
  const { children } = selection
  const has = (key: string): boolean => children.some(({ name }) => name === key)
  const wanted = new Map(
    childrenOf(selection, C.prop.key).map(({ attributes }) => [
      (attributes.name ?? '').toUpperCase(),
      attributes.novalue === 'yes',
    ]),
  )
  const parts = new Map(
    childrenOf(selection, C.comp.key).map((one) => [(one.attributes.name ?? '').toUpperCase(), one]),
  )
  // Clients write an empty element for a component that they want whole.
  if (children.length === 0) return component
  const properties = component.properties.flatMap((property) => {
    if (has(C.allprop.key)) return [property]
    const isEmptied = wanted.get(property.name)
    if (isEmptied === undefined) return []
    return [isEmptied ? toProperty(property.name, '') : property]
  })
  const components = component.components.flatMap((one) => {
    const part = parts.get(one.name)
    if (part) return [select(one, part)]
    return has(C.allcomp.key) ? [one] : []
  })
  return { ...component, properties, components }
}

/** Returns the part of a calendar that the client asks for. */
export const toRequestedData = (
  calendar: Component,
  { selection, expand, limit }: DataRequest,
  zone: string,
): Component => {
  const expanded = expand ? expandCalendar(calendar, expand, zone) : calendar
  const limited = limit ? limitCalendar(expanded, limit, zone) : expanded
  return selection ? select(limited, selection) : limited
}
