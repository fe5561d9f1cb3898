import { describe, expect, it } from 'vitest'
import type { Calendar } from '../../../api/calendars.ts'
import type { DisplayedEvent } from '../displayed-event.ts'
import {
  isEditable,
  isMovable,
  listMoveTargets,
  nameCalendar,
  withOfferedCalendar,
} from './calendar-access.ts'

const calendar = (id: number, change: Partial<Calendar> = {}) =>
  ({ id, name: `Calendar ${id}`, owner: null, isDefault: false, readOnly: false, ...change }) as Calendar
const BEN = { name: 'Ben', email: 'ben@example.org' }
const item = (change: Partial<DisplayedEvent>, source = 'factotum') =>
  ({
    calendar: calendar(1),
    isBusyTime: false,
    event: { mirrorOf: null, source },
    ...change,
  }) as DisplayedEvent

describe('an event', () => {
  it('can be edited unless its calendar is read-only or it is a busy time', () => {
    expect(isEditable(item({}))).toBe(true)
    expect(isEditable(item({ calendar: null }))).toBe(true)
    expect(isEditable(item({ calendar: calendar(1, { readOnly: true }) }))).toBe(false)
    expect(isEditable(item({ isBusyTime: true }))).toBe(false)
  })

  it('cannot be moved if it is a booking', () => {
    expect(isMovable(item({}))).toBe(true)
    expect(isMovable(item({}, 'bookingsvc'))).toBe(false)
  })

  it('can go to writable calendars of the same owner', () => {
    const own = calendar(1)
    const all = [own, calendar(2), calendar(3, { readOnly: true }), calendar(4, { owner: BEN } as never)]
    expect(listMoveTargets(all, own).map(({ id }) => id)).toEqual([1, 2])
  })
})

describe('the calendar of a saved form', () => {
  it('is the default calendar if the chosen one is gone', () => {
    const offered = [calendar(1), calendar(2, { isDefault: true })]
    expect(withOfferedCalendar({ calendarId: 1 }, offered)).toEqual({ calendarId: 1 })
    expect(withOfferedCalendar({ calendarId: 9 }, offered)).toEqual({ calendarId: 2 })
  })

  it('stays while the calendars are loading', () => {
    expect(withOfferedCalendar({ calendarId: 9 }, [])).toEqual({ calendarId: 9 })
  })
})

describe('the name of a calendar', () => {
  it('contains the owner if it belongs to somebody else', () => {
    expect(nameCalendar(calendar(1))).toBe('Calendar 1')
    expect(nameCalendar(calendar(1, { owner: BEN } as never))).toContain('Ben')
  })
})
