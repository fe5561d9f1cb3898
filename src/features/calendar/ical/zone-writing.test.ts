import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { toWall, transitionsBetween } from '../../../recurrence/time-zones.ts'
import { timezoneComponents } from './zones.ts'

const ZONES = [
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/St_Johns',
  'America/Nuuk',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Jerusalem',
  'Asia/Gaza',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Etc/GMT+5',
]

const HOUR = 3_600_000

/** Converts a local time to an instant with an independent parser. */
const instantByIcalJs = (zone: ICAL.Timezone, wall: number): number => {
  const time = ICAL.Time.fromJSDate(new Date(wall), true)
  time.zone = zone
  return wall - zone.utcOffset(time) * 1000
}

describe('VTIMEZONE components', () => {
  it.each(ZONES)('of %s have correct offsets in past and future years', (timezone) => {
    const text = timezoneComponents([{ timezone, fromYear: 1995, untilYear: 2026 }])
    const zone = new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(text)), tzid: timezone })
    const [from, until] = [Date.UTC(1995, 0, 1), Date.UTC(2033, 0, 1)]
    const changes = transitionsBetween(timezone, from, until)
    // Exclude the hours that occur twice or never: parsers may differ there.
    const instants = changes.flatMap(({ at }) => [at - 2 * HOUR, at + 2 * HOUR])
    for (let instant = from; instant < until; instant += 97 * HOUR)
      if (!changes.some(({ at }) => Math.abs(at - instant) < 2 * HOUR)) instants.push(instant)
    const wrong = instants.filter((instant) => instantByIcalJs(zone, toWall(instant, timezone)) !== instant)
    expect(wrong.map((instant) => new Date(instant).toISOString())).toEqual([])
  })

  it('use rules without an end if the zone has such rules', () => {
    const text = timezoneComponents([{ timezone: 'Europe/Berlin', fromYear: 2024, untilYear: 2026 }])
    expect(text.match(/RRULE:.*/g)).toEqual([
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    ])
  })

  it('are not written for UTC', () => {
    expect(timezoneComponents([{ timezone: 'UTC', fromYear: 2024, untilYear: 2026 }])).toBe('')
  })
})
