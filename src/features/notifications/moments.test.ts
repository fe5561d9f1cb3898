import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { nextDigest, quietUntil } from './schedule.ts'
import { choicesOf } from './settings.ts'

const quiet = (start: string, end: string) =>
  choicesOf({ quietHours: { enabled: true, start, end } }).quietHours
const until = (now: string, start: string, end: string, zone: string) =>
  quietUntil(new Date(now), quiet(start, end), zone)?.toISOString() ?? null

describe('quiet hours', () => {
  it.each([
    // Across midnight, in winter and in summer.
    ['2026-01-10T21:30:00Z', '22:00', '07:00', 'Europe/Berlin', '2026-01-11T06:00:00.000Z'],
    ['2026-01-11T05:59:59Z', '22:00', '07:00', 'Europe/Berlin', '2026-01-11T06:00:00.000Z'],
    ['2026-01-11T06:00:00Z', '22:00', '07:00', 'Europe/Berlin', null],
    ['2026-01-11T20:59:59Z', '22:00', '07:00', 'Europe/Berlin', null],
    ['2026-07-10T21:30:00Z', '22:00', '07:00', 'Europe/Berlin', '2026-07-11T05:00:00.000Z'],
    // Within a day, and on the other side of the date line.
    ['2026-07-10T12:30:00Z', '13:00', '15:00', 'Europe/Berlin', '2026-07-10T13:00:00.000Z'],
    ['2026-07-10T10:59:00Z', '13:00', '15:00', 'Europe/Berlin', null],
    ['2026-07-10T10:15:00Z', '22:00', '07:00', 'Pacific/Chatham', '2026-07-10T18:15:00.000Z'],
    // The night is an hour shorter when daylight saving time starts, and an hour longer when it ends.
    ['2026-03-28T22:00:00Z', '22:00', '07:00', 'Europe/Berlin', '2026-03-29T05:00:00.000Z'],
    ['2026-10-24T21:00:00Z', '22:00', '07:00', 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
    // A skipped end time ends at the transition. A repeated end time ends at its first occurrence.
    ['2026-03-29T00:30:00Z', '22:00', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T01:10:00Z', '22:00', '02:30', 'Europe/Berlin', null],
    ['2026-10-25T00:10:00Z', '22:00', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T01:10:00Z', '22:00', '02:30', 'Europe/Berlin', null],
    // Quiet hours within the skipped hour do not occur.
    ['2026-03-29T01:05:00Z', '02:10', '02:50', 'Europe/Berlin', null],
    // Samoa skipped 30 December 2011, so one night continues into the next.
    ['2011-12-30T09:30:00Z', '22:00', '07:00', 'Pacific/Apia', '2011-12-30T17:00:00.000Z'],
  ])('at %s, from %s to %s in %s, end at %s', (now, start, end, zone, expected) => {
    expect(until(now, start, end, zone)).toBe(expected)
  })

  it('do not apply if they are disabled', () => {
    const off = { ...quiet('00:00', '23:59'), enabled: false }
    expect(quietUntil(new Date('2026-01-10T12:00:00Z'), off, 'UTC')).toBeUndefined()
  })

  it('match the local time while the UTC offset is constant, and no longer apply at their end', () => {
    const time = fc
      .integer({ min: 0, max: 1439 })
      .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`)
    const now = fc.date({
      min: new Date('2026-04-10T00:00:00Z'),
      max: new Date('2026-09-10T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(now, time, time, (at, start, end) => {
        fc.pre(start !== end)
        const hours = quiet(start, end)
        const found = quietUntil(at, hours, 'America/New_York')
        const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(
          'America/New_York',
        )
        const clock = wall.toPlainTime().toString({ smallestUnit: 'minute' })
        const isWithin = start < end ? start <= clock && clock < end : clock >= start || clock < end
        expect(found !== undefined).toBe(isWithin)
        if (found) {
          expect(found.getTime()).toBeGreaterThan(at.getTime())
          expect(quietUntil(found, hours, 'America/New_York')).toBeUndefined()
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('the digest', () => {
  const next = (now: string, digest: object, zone: string) =>
    nextDigest(new Date(now), choicesOf({ digest }).digest, zone)?.toISOString() ?? null

  it.each([
    ['2026-03-02T06:59:59Z', { frequency: 'daily' }, 'Europe/Berlin', '2026-03-02T07:00:00.000Z'],
    ['2026-03-02T07:00:00Z', { frequency: 'daily' }, 'Europe/Berlin', '2026-03-03T07:00:00.000Z'],
    // Eight o'clock local time, in winter and in summer.
    ['2026-03-28T12:00:00Z', { frequency: 'daily' }, 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T12:00:00Z', { frequency: 'daily' }, 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
    [
      '2026-03-28T12:00:00Z',
      { frequency: 'daily', time: '02:30' },
      'Europe/Berlin',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      '2026-10-24T22:00:00Z',
      { frequency: 'daily', time: '02:30' },
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
    ],
    // A repeated local time sends only one digest.
    [
      '2026-10-25T00:45:00Z',
      { frequency: 'daily', time: '02:30' },
      'Europe/Berlin',
      '2026-10-26T01:30:00.000Z',
    ],
    ['2026-11-15T12:00:00Z', { frequency: 'weekly' }, 'UTC', '2026-11-16T08:00:00.000Z'],
    ['2026-11-16T08:00:00Z', { frequency: 'weekly' }, 'UTC', '2026-11-23T08:00:00.000Z'],
    ['2026-11-16T08:00:00Z', { frequency: 'weekly', weekday: 'sunday' }, 'UTC', '2026-11-22T08:00:00.000Z'],
    // It is already Monday in that time zone.
    ['2026-11-15T18:00:00Z', { frequency: 'weekly' }, 'Pacific/Chatham', '2026-11-15T18:15:00.000Z'],
    ['2026-11-15T12:00:00Z', { frequency: 'off' }, 'UTC', null],
  ])('after %s, %o in %s, is next sent at %s', (now, digest, zone, expected) => {
    expect(next(now, digest, zone)).toBe(expected)
  })
})
