import { describe, expect, it } from 'vitest'
import { formatClock, formatNumericDate, parseClock, parseNumericDate } from './date-time-format.ts'
import { haveSameOffsets, isSupportedTimeZone, toCityName } from './time-zone.ts'
import { weekFrom } from './weekdays.ts'

const TODAY = '2026-03-02'

describe('a date in numbers', () => {
  it('has the order of the locale', () => {
    const written = ['en-GB', 'en-US', 'de-DE'].map((locale) => formatNumericDate('2026-12-31', locale))
    expect(written).toEqual(['31/12/2026', '12/31/2026', '31.12.2026'])
  })

  it.each([
    ['31/12/2026', 'en-GB', '2026-12-31'],
    ['12/31/2026', 'en-US', '2026-12-31'],
    ['31.12.26', 'de-DE', '2026-12-31'],
    ['5.4.', 'de-DE', '2026-04-05'],
    ['4/5', 'en-US', '2026-04-05'],
    ['2026-04-05', 'en-US', '2026-04-05'],
    ['29-2-2028', 'en-GB', '2028-02-29'],
  ])('is read from %s (%s)', (text, locale, day) => {
    expect(parseNumericDate(text, locale, TODAY)).toBe(day)
  })

  it.each(['', '31', '31/2/2026', '12/31/2026', 'tomorrow', '1/2/3/4', '1/1/20260'])('is not %j', (text) => {
    expect(parseNumericDate(text, 'en-GB', TODAY)).toBeNull()
  })
})

describe('a time of day', () => {
  it('is written in the clock of the locale', () => {
    expect(formatClock('21:30', 'de-DE')).toBe('21:30')
    expect(formatClock('21:30', 'en-US').replace(/\s/u, ' ')).toBe('9:30 PM')
  })

  it.each([
    ['9', '09:00'],
    ['930', '09:30'],
    ['9.30 pm', '21:30'],
    ['12 am', '00:00'],
    ['12 p.m.', '12:00'],
    ['21 Uhr', '21:00'],
    ['8h15', '08:15'],
  ])('is read from %s', (text, time) => expect(parseClock(text)).toBe(time))

  it.each(['', '24:00', '9:60', '13 pm', '0 am', 'noon'])('is not %j', (text) => {
    expect(parseClock(text)).toBeNull()
  })
})

describe('a time zone', () => {
  it('equals another one with the same offsets all year', () => {
    expect(haveSameOffsets('Europe/Berlin', 'Europe/Paris')).toBe(true)
    expect(haveSameOffsets('Europe/Berlin', 'Africa/Lagos')).toBe(false)
  })

  it('may be unknown to the browser, and has the name of a city', () => {
    expect(isSupportedTimeZone('Europe/Berlin')).toBe(true)
    expect(isSupportedTimeZone('Mars/Olympus')).toBe(false)
    expect(toCityName('America/New_York')).toBe('New York')
  })
})

describe('a week', () => {
  it('begins on the first day that the user has chosen', () => {
    const days = weekFrom('sunday')
    expect([days[0], days[1], days.length]).toEqual(['sunday', 'monday', 7])
  })
})
