import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { endOfDay, startOfDay } from '../../recurrence/time-zones.ts'
import { dueMoments, isDay } from './due.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

describe('a due day', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // Clocks that skip midnight, skip more than midnight, repeat midnight, and skip a whole day.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z', '1919-04-01T04:00:00.000Z'],
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ])('in %s, %s lasts from %s to %s', (zone, day, start, end) => {
    expect([iso(startOfDay(day, zone)), iso(endOfDay(day, zone))]).toEqual([start, end])
  })

  it('begins at the same instant as in Temporal', () => {
    for (const zone of ['Africa/Cairo', 'America/Asuncion', 'Asia/Beirut', 'Asia/Tehran', 'Atlantic/Azores'])
      for (let n = 0; n < 400; n++) {
        const day = Temporal.PlainDate.from('2009-01-01').add({ days: n * 11 })
        const begins = day.toZonedDateTime(zone).epochMilliseconds
        expect([zone, iso(startOfDay(day.toString(), zone))]).toEqual([zone, iso(begins)])
      }
  })

  it.each(['2026-02-29', '2026-13-01', '2026-3-1', '20260301', '2026-03-01T00:00'])('rejects %s', (text) => {
    expect(isDay(text)).toBe(false)
  })

  it('is reminded of at the earliest start of working hours', () => {
    const hours = (day: 'monday', start: string) => ({ day, start, end: '23:00' })
    const workingHours = [hours('monday', '13:00'), hours('monday', '07:30')]
    const clock = { timezone: 'Europe/Berlin', workingHours }
    const remindAt = (dueDay: string) => dueMoments({ dueAt: null, dueDay }, clock).remindAt
    expect([remindAt('2026-03-02'), remindAt('2026-03-03')]).toEqual([
      '2026-03-02T06:30:00.000Z',
      '2026-03-03T08:00:00.000Z',
    ])
  })

  it('9999-12-31 is late at the last instant of that year', () => {
    const clock = { timezone: 'America/New_York', workingHours: [] }
    expect(dueMoments({ dueAt: null, dueDay: '9999-12-31' }, clock).lateAt).toBe('9999-12-31T23:59:59.999Z')
  })
})
