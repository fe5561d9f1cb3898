import { isTimeZone } from '../../../platform/time.ts'

// Windows, Outlook and Exchange names of time zones, each with the IANA zone of its main location. Source:
// Unicode CLDR (windowsZones, territory 001), ordered by UTC offset.
const FACTS = `
Dateline Standard Time=Etc/GMT+12
UTC-11=Etc/GMT+11
Aleutian Standard Time=America/Adak
Hawaiian Standard Time=Pacific/Honolulu
Marquesas Standard Time=Pacific/Marquesas
Alaskan Standard Time=America/Anchorage
UTC-09=Etc/GMT+9
Pacific Standard Time=America/Los_Angeles
Pacific Standard Time (Mexico)=America/Tijuana
UTC-08=Etc/GMT+8
Mountain Standard Time=America/Denver
Mountain Standard Time (Mexico)=America/Mazatlan
US Mountain Standard Time=America/Phoenix
Yukon Standard Time=America/Whitehorse
Central Standard Time=America/Chicago
Central Standard Time (Mexico)=America/Mexico_City
Mexico Standard Time=America/Mexico_City
Mexico Standard Time 2=America/Mazatlan
Canada Central Standard Time=America/Regina
Central America Standard Time=America/Guatemala
Easter Island Standard Time=Pacific/Easter
Eastern Standard Time=America/New_York
Eastern Standard Time (Mexico)=America/Cancun
US Eastern Standard Time=America/Indiana/Indianapolis
Cuba Standard Time=America/Havana
Haiti Standard Time=America/Port-au-Prince
Turks And Caicos Standard Time=America/Grand_Turk
SA Pacific Standard Time=America/Bogota
Atlantic Standard Time=America/Halifax
Venezuela Standard Time=America/Caracas
Central Brazilian Standard Time=America/Cuiaba
SA Western Standard Time=America/La_Paz
Pacific SA Standard Time=America/Santiago
Paraguay Standard Time=America/Asuncion
Newfoundland Standard Time=America/St_Johns
E. South America Standard Time=America/Sao_Paulo
Argentina Standard Time=America/Argentina/Buenos_Aires
Bahia Standard Time=America/Bahia
Greenland Standard Time=America/Godthab
Magallanes Standard Time=America/Punta_Arenas
Montevideo Standard Time=America/Montevideo
SA Eastern Standard Time=America/Cayenne
Saint Pierre Standard Time=America/Miquelon
Tocantins Standard Time=America/Araguaina
Mid-Atlantic Standard Time=Etc/GMT+2
UTC-02=Etc/GMT+2
Azores Standard Time=Atlantic/Azores
Cape Verde Standard Time=Atlantic/Cape_Verde
UTC=Etc/UTC
Coordinated Universal Time=Etc/UTC
GMT Standard Time=Europe/London
Greenwich Standard Time=Atlantic/Reykjavik
Greenwich Mean Time=Europe/London
Sao Tome Standard Time=Africa/Sao_Tome
Morocco Standard Time=Africa/Casablanca
W. Europe Standard Time=Europe/Berlin
Central Europe Standard Time=Europe/Budapest
Central European Standard Time=Europe/Warsaw
Romance Standard Time=Europe/Paris
W. Central Africa Standard Time=Africa/Lagos
GTB Standard Time=Europe/Bucharest
E. Europe Standard Time=Europe/Chisinau
FLE Standard Time=Europe/Kiev
Egypt Standard Time=Africa/Cairo
Israel Standard Time=Asia/Jerusalem
Jerusalem Standard Time=Asia/Jerusalem
Jordan Standard Time=Asia/Amman
Kaliningrad Standard Time=Europe/Kaliningrad
Libya Standard Time=Africa/Tripoli
Middle East Standard Time=Asia/Beirut
Namibia Standard Time=Africa/Windhoek
South Africa Standard Time=Africa/Johannesburg
South Sudan Standard Time=Africa/Juba
Sudan Standard Time=Africa/Khartoum
Syria Standard Time=Asia/Damascus
West Bank Standard Time=Asia/Hebron
Arab Standard Time=Asia/Riyadh
Arabic Standard Time=Asia/Baghdad
Belarus Standard Time=Europe/Minsk
E. Africa Standard Time=Africa/Nairobi
Russian Standard Time=Europe/Moscow
Russia TZ 1 Standard Time=Europe/Kaliningrad
Russia TZ 2 Standard Time=Europe/Moscow
Turkey Standard Time=Europe/Istanbul
Volgograd Standard Time=Europe/Volgograd
Iran Standard Time=Asia/Tehran
Arabian Standard Time=Asia/Dubai
Astrakhan Standard Time=Europe/Astrakhan
Azerbaijan Standard Time=Asia/Baku
Caucasus Standard Time=Asia/Yerevan
Georgian Standard Time=Asia/Tbilisi
Armenian Standard Time=Asia/Yerevan
Mauritius Standard Time=Indian/Mauritius
Russia Time Zone 3=Europe/Samara
Saratov Standard Time=Europe/Saratov
Afghanistan Standard Time=Asia/Kabul
Ekaterinburg Standard Time=Asia/Yekaterinburg
Pakistan Standard Time=Asia/Karachi
Qyzylorda Standard Time=Asia/Qyzylorda
West Asia Standard Time=Asia/Tashkent
India Standard Time=Asia/Calcutta
Sri Lanka Standard Time=Asia/Colombo
Nepal Standard Time=Asia/Katmandu
Bangladesh Standard Time=Asia/Dhaka
Central Asia Standard Time=Asia/Bishkek
N. Central Asia Standard Time=Asia/Novosibirsk
Omsk Standard Time=Asia/Omsk
Myanmar Standard Time=Asia/Rangoon
Altai Standard Time=Asia/Barnaul
North Asia Standard Time=Asia/Krasnoyarsk
SE Asia Standard Time=Asia/Bangkok
Tomsk Standard Time=Asia/Tomsk
W. Mongolia Standard Time=Asia/Hovd
Aus Central W. Standard Time=Australia/Eucla
China Standard Time=Asia/Shanghai
North Asia East Standard Time=Asia/Irkutsk
Singapore Standard Time=Asia/Singapore
Malay Peninsula Standard Time=Asia/Singapore
Taipei Standard Time=Asia/Taipei
Ulaanbaatar Standard Time=Asia/Ulaanbaatar
W. Australia Standard Time=Australia/Perth
Korea Standard Time=Asia/Seoul
North Korea Standard Time=Asia/Pyongyang
Tokyo Standard Time=Asia/Tokyo
Transbaikal Standard Time=Asia/Chita
Yakutsk Standard Time=Asia/Yakutsk
AUS Central Standard Time=Australia/Darwin
Cen. Australia Standard Time=Australia/Adelaide
AUS Eastern Standard Time=Australia/Sydney
E. Australia Standard Time=Australia/Brisbane
Tasmania Standard Time=Australia/Hobart
Vladivostok Standard Time=Asia/Vladivostok
West Pacific Standard Time=Pacific/Port_Moresby
Lord Howe Standard Time=Australia/Lord_Howe
Bougainville Standard Time=Pacific/Bougainville
Central Pacific Standard Time=Pacific/Guadalcanal
Magadan Standard Time=Asia/Magadan
Norfolk Standard Time=Pacific/Norfolk
Russia Time Zone 10=Asia/Srednekolymsk
Sakhalin Standard Time=Asia/Sakhalin
Fiji Standard Time=Pacific/Fiji
Kamchatka Standard Time=Asia/Kamchatka
New Zealand Standard Time=Pacific/Auckland
Russia Time Zone 11=Asia/Kamchatka
UTC+12=Etc/GMT-12
Chatham Islands Standard Time=Pacific/Chatham
Samoa Standard Time=Pacific/Apia
Tonga Standard Time=Pacific/Tongatapu
UTC+13=Etc/GMT-13
Line Islands Standard Time=Pacific/Kiritimati
`

const PAIRS = FACTS.trim()
  .split('\n')
  .map((fact) => fact.split('=') as [string, string])

const BY_NAME = new Map(PAIRS.map(([name, zone]) => [name.toLowerCase(), zone]))

export const windowsZone = (name: string): string | undefined => BY_NAME.get(name.toLowerCase())

/** One zone for each set of rules that Windows distinguishes. */
export const MAIN_ZONES: readonly string[] = [...new Set(BY_NAME.values())]

const REGION =
  /(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[\w+/-]+/i
const PROPER = /^[A-Z][a-z]+\/[A-Z][\w+-]*(?:\/[A-Z][\w-]*)?$/
const UNIVERSAL =
  /^(?:Z|Zulu|UTC|GMT|UCT|Universal|Greenwich|Etc\/(?:UTC|GMT[+-]?0?|UCT|Zulu|Universal|Greenwich))$/i

/** Most three-letter names are ambiguous. These are not. */
const SHORT = /^(?:CET|MET|EET|WET|PRC|ROC|ROK|GB|NZ)$/i

/** Resolves a TZID to an IANA zone: an IANA name, a Windows name, or the end of a path such as libical's. */
export const zoneByName = (tzid: string): string | undefined => {
  const name = tzid.trim().replace(/^\/+/, '').slice(0, 200)
  return ianaZone(name) ?? knownZone(windowsZone(name)) ?? zoneInside(name)
}

const ianaZone = (name: string): string | undefined => {
  if (UNIVERSAL.test(name)) return 'UTC'
  const isName = name.includes('/') || name.length > 3 || SHORT.test(name)
  // Node also accepts offsets as zone names. Other programs do not.
  return isName && /^[a-z]/i.test(name) ? knownZone(name) : undefined
}

const knownZone = (name: string | undefined): string | undefined => {
  if (name === undefined || !isTimeZone(name)) return undefined
  if (UNIVERSAL.test(name)) return 'UTC'
  // Replace old names such as US/Eastern with current ones. Keep names such as Asia/Kolkata, which Node would
  // replace.
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
 * Guesses the zone of a TZID that is in no table and has no VTIMEZONE. Examples: `(UTC+01:00) Amsterdam, Berlin`,
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

/** The first zone of each city. Cached, because listing all zones is slow. */
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

/** Parses the offset in a name such as `GMT +01:00` or `UTC-5`. */
export const offsetInName = (tzid: string): number | undefined => {
  const found = /(?:GMT|UTC)?\s*([+-])\s*(\d{1,2}):?([0-5]\d)?(?!\d)/i.exec(tzid.slice(0, 200))
  if (!found || Number(found[2]) > 14) return undefined
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0)) * 60_000
}
