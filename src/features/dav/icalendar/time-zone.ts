import { isZone } from '../../../recurrence/time-zones.ts'
import { findProperty, parseComponent } from './component.ts'

/** RFC 4791 §5.2.2: a valid calendar with exactly one VTIMEZONE. */
export const isTimeZoneText = (text: string): boolean => {
  const calendar = parseComponent(text)
  const [zone, ...others] = calendar.components
  const isDescribed = zone?.components.some(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  return (
    calendar.name === 'VCALENDAR' &&
    ['VERSION', 'PRODID'].every((name) => findProperty(calendar, name) !== undefined) &&
    others.length === 0 &&
    zone?.name === 'VTIMEZONE' &&
    isDescribed === true &&
    findProperty(zone, 'TZID') !== undefined
  )
}

/** The time zone that a text describes; undefined if its name is unknown. */
export const readTimeZone = (text: string): string | undefined => {
  const zone = parseComponent(text).components.find(({ name }) => name === 'VTIMEZONE')
  const properties = [zone && findProperty(zone, 'TZID'), zone && findProperty(zone, 'X-LIC-LOCATION')]
  return properties
    .map((property) => property?.value.trim() ?? '')
    .find((name) => name !== '' && isZone(name))
}
