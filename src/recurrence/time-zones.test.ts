import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { offsetAt, toInstant, toWall, transitionsBetween } from './time-zones.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const at = (text: string): number => Date.parse(text)

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Asia/Kathmandu',
  'America/Caracas',
  'Europe/Amsterdam',
  'Asia/Gaza',
  'America/Noronha',
  'Africa/Freetown',
  'Antarctica/Troll',
]

const zone = fc.constantFrom(...ZONES)
const second = fc
  .integer({ min: at('1900-01-01T00:00:00Z') / 1000, max: at('2300-01-01T00:00:00Z') / 1000 })
  .map((value) => value * 1000)

const temporalOffset = (instantMs: number, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone).offsetNanoseconds / 1e6

/** RFC 5545 interprets wall-clock times like the mode 'compatible' of Temporal. */
const temporalInstant = (wallMs: number, timezone: string): number =>
  Temporal.PlainDateTime.from(new Date(wallMs).toISOString().slice(0, -1)).toZonedDateTime(timezone, {
    disambiguation: 'compatible',
  }).epochMilliseconds

describe('time zones', () => {
  it('have the same offsets as in Temporal', () => {
    fc.assert(
      fc.property(second, zone, (instant, timezone) => {
        expect(offsetAt(instant, timezone)).toBe(temporalOffset(instant, timezone))
      }),
      { numRuns: 1500 },
    )
  })

  it('convert wall-clock times like Temporal', () => {
    fc.assert(
      fc.property(second, zone, (wall, timezone) => {
        expect(toInstant(wall, timezone)).toBe(temporalInstant(wall, timezone))
      }),
      { numRuns: 1500 },
    )
  })

  it('convert wall-clock times around offset changes like Temporal', () => {
    for (const timezone of ZONES)
      for (const transition of transitionsBetween(timezone, at('1935-01-01'), at('2030-01-01')))
        for (const minutes of [-91, -60, -31, -30, -1, 0, 1, 29, 30, 59, 60, 61, 1440]) {
          const wall = transition.at + transition.before + minutes * MINUTE
          expect([timezone, wall, toInstant(wall, timezone)]).toEqual([
            timezone,
            wall,
            temporalInstant(wall, timezone),
          ])
        }
  })

  it('have a transition exactly where the offset changes', () => {
    fc.assert(
      fc.property(second, zone, (from, timezone) => {
        const until = from + 3 * 366 * 24 * HOUR
        let offset = offsetAt(from - 1000, timezone)
        for (const transition of transitionsBetween(timezone, from, until)) {
          expect(transition.at).toBeGreaterThanOrEqual(from)
          expect(transition.before).toBe(offset)
          expect(transition.after).not.toBe(offset)
          expect(temporalOffset(transition.at - 1000, timezone)).toBe(transition.before)
          expect(temporalOffset(transition.at, timezone)).toBe(transition.after)
          offset = transition.after
        }
        expect(temporalOffset(until - 1000, timezone)).toBe(offset)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 1, 2],
    ['Africa/Casablanca', '2026-02-15T02:00:00Z', 1, 0],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', -10, 14],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 11, 10.5],
    ['Pacific/Chatham', '2026-09-26T14:00:00Z', 12.75, 13.75],
  ])('include %s, which changes at %s from %s to %s hours', (timezone, instant, before, after) => {
    expect(transitionsBetween(timezone, at(instant) - 24 * HOUR, at(instant) + 24 * HOUR)).toEqual([
      { at: at(instant), before: before * HOUR, after: after * HOUR },
    ])
  })

  it('use the first of two equal times and the old offset for skipped times', () => {
    expect(toInstant(at('2026-10-25T02:30:00Z'), 'Europe/Berlin')).toBe(at('2026-10-25T00:30:00Z'))
    expect(toInstant(at('2026-03-29T02:30:00Z'), 'Europe/Berlin')).toBe(at('2026-03-29T01:30:00Z'))
    expect(toInstant(at('2011-12-30T09:00:00Z'), 'Pacific/Apia')).toBe(at('2011-12-30T19:00:00Z'))
  })

  it('convert an instant to wall-clock time and back', () => {
    fc.assert(
      fc.property(second, zone, (instant, timezone) => {
        const back = toInstant(toWall(instant, timezone), timezone)
        expect(back).toBeLessThanOrEqual(instant)
        expect(toWall(back, timezone)).toBe(toWall(instant, timezone))
      }),
    )
  })

  it.each(['1500-07-01T00:00:00Z', '2500-07-01T00:00:00Z', '4321-07-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'have an offset at %s',
    (instant) => {
      for (const timezone of ZONES)
        expect([timezone, offsetAt(at(instant), timezone)]).toEqual([
          timezone,
          temporalOffset(at(instant), timezone),
        ])
    },
  )

  it('apply the current rules in the far future', () => {
    expect(transitionsBetween('Europe/Berlin', at('9000-01-01'), at('9001-01-01'))).toEqual([
      { at: at('9000-03-30T01:00:00Z'), before: HOUR, after: 2 * HOUR },
      { at: at('9000-10-26T01:00:00Z'), before: 2 * HOUR, after: HOUR },
    ])
  })

  it('throw a RangeError for unknown names and invalid instants', () => {
    expect(() => offsetAt(0, 'Mars/Olympus')).toThrow(RangeError)
    expect(() => offsetAt(Number.NaN, 'UTC')).toThrow(RangeError)
  })
})
