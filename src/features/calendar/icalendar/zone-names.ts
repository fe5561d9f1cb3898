import { isTimeZone } from '../../../platform/time.ts'
import { windowsZone } from './windows-zones.ts'

const REGION =
  /(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[\w+/-]+/i
const PROPER = /^[A-Z][a-z]+\/[A-Z][\w+-]*(?:\/[A-Z][\w-]*)?$/
const UNIVERSAL =
  /^(?:Z|Zulu|UTC|GMT|UCT|Universal|Greenwich|Etc\/(?:UTC|GMT[+-]?0?|UCT|Zulu|Universal|Greenwich))$/i

/** Three letters mean too many things to be taken at their word, but for these few. */
const SHORT = /^(?:CET|MET|EET|WET|PRC|ROC|ROK|GB|NZ)$/i

/** The IANA zone that a TZID names: outright, as Windows does, or at the end of a path such as libical's. */
export const zoneByName = (tzid: string): string | undefined => {
  const name = tzid.trim().replace(/^\/+/, '').slice(0, 200)
  return ianaZone(name) ?? knownZone(windowsZone(name)) ?? zoneInside(name)
}

const ianaZone = (name: string): string | undefined => {
  if (UNIVERSAL.test(name)) return 'UTC'
  const isName = name.includes('/') || name.length > 3 || SHORT.test(name)
  // Node takes offsets for zones, too; nobody else does.
  return isName && /^[a-z]/i.test(name) ? knownZone(name) : undefined
}

const knownZone = (name: string | undefined): string | undefined => {
  if (name === undefined || !isTimeZone(name)) return undefined
  if (UNIVERSAL.test(name)) return 'UTC'
  // Old names such as US/Eastern become today's; Asia/Kolkata is not turned into what Node calls it.
  return PROPER.test(name) && REGION.test(name)
    ? name
    : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}

const zoneInside = (name: string): string | undefined => {
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name)) return 'UTC'
  const inside = REGION.exec(name)?.[0]
  return inside === undefined || inside === name ? undefined : knownZone(inside.replace(/\/+$/, ''))
}

const ABBREVIATIONS: Record<string, string> = {
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  BST: 'Europe/London',
  CEST: 'Europe/Berlin',
  EEST: 'Europe/Helsinki',
  MSK: 'Europe/Moscow',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  NZST: 'Pacific/Auckland',
}

/**
 * A guess at what a TZID means that no table knows and no VTIMEZONE explains: `(UTC+01:00) Amsterdam, Berlin`,
 * `Eastern Time (US & Canada)`, `Eastern Standard Time 1`, `CST`.
 */
export const guessZone = (tzid: string): string | undefined => {
  const text = tzid.slice(0, 200)
  const abbreviated = ABBREVIATIONS[text.trim().toUpperCase()]
  if (abbreviated !== undefined) return abbreviated
  const place = text
    .replace(/\([^)]*\)/g, '')
    .replace(/[\s_-]*\d*\s*$/, '')
    .trim()
  const base = place.replace(/\s+(?:(?:Standard|Daylight|Summer)\s+)?Time$/i, '')
  return knownZone(windowsZone(place) ?? windowsZone(`${base} Standard Time`)) ?? zoneOfCity(place)
}

/** Of all zones in their order, the first with this city. Listing the zones takes long, and they stay the same. */
let cities: Map<string, { order: number; zone: string }> | undefined

const readCities = (): NonNullable<typeof cities> => {
  const found: NonNullable<typeof cities> = new Map()
  for (const [order, zone] of Intl.supportedValuesOf('timeZone').entries()) {
    const city = zone
      .slice(zone.lastIndexOf('/') + 1)
      .replaceAll('_', ' ')
      .toLowerCase()
    if (!found.has(city)) found.set(city, { order, zone })
  }
  return found
}

const zoneOfCity = (text: string): string | undefined => {
  cities ??= readCities()
  let first: { order: number; zone: string } | undefined
  for (const word of text.split(/[,;/]/)) {
    const found = cities.get(word.trim().toLowerCase())
    if (found && (first === undefined || found.order < first.order)) first = found
  }
  return first?.zone
}

/** The offset that a name such as `GMT +01:00` or `UTC-5` states. */
export const offsetInName = (tzid: string): number | undefined => {
  const found = /(?:GMT|UTC)?\s*([+-])\s*(\d{1,2}):?([0-5]\d)?(?!\d)/i.exec(tzid.slice(0, 200))
  if (!found || Number(found[2]) > 14) return undefined
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0)) * 60_000
}
