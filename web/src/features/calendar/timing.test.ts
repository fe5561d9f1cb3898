import { describe, expect, it } from 'vitest'
import { toDisplayedEvent } from './displayed-event.ts'
import type { CalendarEvent } from './event.ts'
import { moveBy, stretchBy, stretchStartBy, toAllDay, toTimed } from './timing.ts'

const displayed = (start: string, end: string, allDay = false) =>
  toDisplayedEvent({ start, end, allDay, timezone: 'Europe/Berlin' } as CalendarEvent, 'Europe/Berlin', null)

/** 09:00 to 10:00 in Berlin, on the day before daylight saving time begins. */
const SATURDAY = displayed('2026-03-28T08:00:00.000Z', '2026-03-28T09:00:00.000Z')
const ALL_SATURDAY = displayed('2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', true)

describe('a moved event', () => {
  it('keeps its local time and its duration when the clocks change', () => {
    expect(moveBy(SATURDAY, { days: 1, minutes: 0 })).toEqual({
      start: '2026-03-29T07:00:00.000Z',
      end: '2026-03-29T08:00:00.000Z',
      allDay: false,
    })
  })

  it('moves by minutes', () => {
    expect(moveBy(SATURDAY, { days: 0, minutes: -45 }).start).toBe('2026-03-28T07:15:00.000Z')
  })

  it('lasts whole local days if it lasts all day, also on a day of 23 hours', () => {
    expect(moveBy(ALL_SATURDAY, { days: 1, minutes: 300 })).toEqual({
      start: '2026-03-28T23:00:00.000Z',
      end: '2026-03-29T22:00:00.000Z',
      allDay: true,
    })
  })
})

describe('a resized event', () => {
  it('keeps its start', () => {
    expect(stretchBy(SATURDAY, { days: 0, minutes: 30 })).toEqual({
      start: '2026-03-28T08:00:00.000Z',
      end: '2026-03-28T09:30:00.000Z',
      allDay: false,
    })
  })

  it('lasts at least 15 minutes', () => {
    expect(stretchBy(SATURDAY, { days: 0, minutes: -300 }).end).toBe('2026-03-28T08:15:00.000Z')
  })

  it('lasts at least one day if it lasts all day', () => {
    expect(stretchBy(ALL_SATURDAY, { days: -4, minutes: 0 }).end).toBe('2026-03-28T23:00:00.000Z')
    expect(stretchBy(ALL_SATURDAY, { days: 2, minutes: 0 }).end).toBe('2026-03-30T22:00:00.000Z')
  })

  it('keeps its end when its start moves', () => {
    expect(stretchStartBy(SATURDAY, { days: 0, minutes: -30 })).toEqual({
      start: '2026-03-28T07:30:00.000Z',
      end: '2026-03-28T09:00:00.000Z',
      allDay: false,
    })
    expect(stretchStartBy(SATURDAY, { days: 0, minutes: 300 }).start).toBe('2026-03-28T08:45:00.000Z')
    expect(stretchStartBy(ALL_SATURDAY, { days: 3, minutes: 0 }).start).toBe('2026-03-27T23:00:00.000Z')
  })
})

describe('an event between the hours and the whole day', () => {
  const sunday = SATURDAY.first.add({ days: 1 })

  it('lasts the days that it touched', () => {
    expect(toAllDay(SATURDAY, sunday)).toEqual({
      start: '2026-03-28T23:00:00.000Z',
      end: '2026-03-29T22:00:00.000Z',
      allDay: true,
    })
    const overnight = displayed('2026-03-28T20:00:00.000Z', '2026-03-29T02:00:00.000Z')
    expect(toAllDay(overnight, overnight.first).end).toBe('2026-03-29T22:00:00.000Z')
  })

  it('lasts an hour at the local time of the drop', () => {
    expect(toTimed(sunday, 9 * 60, 'Europe/Berlin')).toEqual({
      start: '2026-03-29T07:00:00.000Z',
      end: '2026-03-29T08:00:00.000Z',
      allDay: false,
    })
  })
})
