import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { endOfDay, startOfDay } from '../../engine/time-zones.ts'
import { isDay, momentsOf } from './due.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

describe('a day', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // Clocks that skip midnight, that skip more than it, that show it twice, and that skip a day.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z', '1919-04-01T04:00:00.000Z'],
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ])('in %s, %s lasts from %s to %s', (zone, day, start, end) => {
    expect([iso(startOfDay(day, zone)), iso(endOfDay(day, zone))]).toEqual([start, end])
  })

  it('begins where a second opinion has it begin', () => {
    for (const zone of ['Africa/Cairo', 'America/Asuncion', 'Asia/Beirut', 'Asia/Tehran', 'Atlantic/Azores'])
      for (let n = 0; n < 400; n++) {
        const day = Temporal.PlainDate.from('2009-01-01').add({ days: n * 11 })
        const begins = day.toZonedDateTime(zone).epochMilliseconds
        expect([zone, iso(startOfDay(day.toString(), zone))]).toEqual([zone, iso(begins)])
      }
  })

  it.each(['2026-02-29', '2026-13-01', '2026-3-1', '20260301', '2026-03-01T00:00'])('is not %s', (text) => {
    expect(isDay(text)).toBe(false)
  })

  it('is told of as its work begins, the first where it begins twice', () => {
    const hours = (day: 'monday', start: string) => ({ day, start, end: '23:00' })
    const workingHours = [hours('monday', '13:00'), hours('monday', '07:30')]
    const clock = { timezone: 'Europe/Berlin', workingHours }
    const tellAt = (dueDay: string) => momentsOf({ dueAt: null, dueDay }, clock).tellAt
    expect([tellAt('2026-03-02'), tellAt('2026-03-03')]).toEqual([
      '2026-03-02T06:30:00.000Z',
      '2026-03-03T08:00:00.000Z',
    ])
  })

  it('that is the last there is ends with it', () => {
    const clock = { timezone: 'America/New_York', workingHours: [] }
    expect(momentsOf({ dueAt: null, dueDay: '9999-12-31' }, clock).lateAt).toBe('9999-12-31T23:59:59.999Z')
  })
})
