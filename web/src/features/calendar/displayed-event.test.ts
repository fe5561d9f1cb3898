import { describe, expect, it } from 'vitest'
import type { Calendar } from '../../api/calendars.ts'
import { dayOf } from './days.ts'
import { inOrder, toDisplayedEvent, touches } from './displayed-event.ts'
import type { CalendarEvent } from './event.ts'

const OWN = { owner: null } as Calendar
const OF_BEN = { owner: { name: 'Ben', email: 'ben@example.org' } } as Calendar

const event = (title: string, start: string, end: string, change: Partial<CalendarEvent> = {}) =>
  ({
    id: 1,
    uid: 'one',
    title,
    start,
    end,
    allDay: false,
    timezone: 'Europe/Berlin',
    occurrenceStart: null,
    ...change,
  }) as CalendarEvent

const inNewYork = (value: CalendarEvent, calendar: Calendar | null = OWN) =>
  toDisplayedEvent(value, 'America/New_York', calendar)

describe('a displayed event', () => {
  it('is on the day that it has in the time zone of the user', () => {
    const late = inNewYork(event('Call', '2026-03-03T03:00:00Z', '2026-03-03T04:00:00Z'))
    expect([String(late.first), late.start.hour]).toEqual(['2026-03-02', 22])
  })

  it('keeps its own days if it lasts all day', () => {
    const feast = inNewYork(
      event('Feast', '2026-03-03T11:00:00Z', '2026-03-04T11:00:00Z', {
        allDay: true,
        timezone: 'Pacific/Auckland',
      }),
    )
    expect([String(feast.first), String(feast.last), feast.isBar]).toEqual(['2026-03-04', '2026-03-04', true])
  })

  it('does not touch the day that starts when it ends', () => {
    const evening = inNewYork(event('Concert', '2026-03-03T02:00:00Z', '2026-03-03T05:00:00Z'))
    expect(touches(evening, dayOf('2026-03-02'))).toBe(true)
    expect(touches(evening, dayOf('2026-03-03'))).toBe(false)
  })

  it('is a bar if it lasts 24 hours', () => {
    const isBar = (end: string) => inNewYork(event('Trip', '2026-03-03T15:00:00Z', end)).isBar
    expect(isBar('2026-03-04T14:59:00Z')).toBe(false)
    expect(isBar('2026-03-04T15:00:00Z')).toBe(true)
  })

  it('hides the title of the busy times of another person only', () => {
    const busy = event('Busy (from the service)', '2026-03-03T15:00:00Z', '2026-03-03T16:00:00Z', {
      uid: 'busy-1',
    })
    expect(inNewYork(busy, OF_BEN).event.title).toBe('Busy')
    expect(inNewYork(busy, OWN).event.title).toBe('Busy (from the service)')
  })

  it('is shown in the other zone if the browser does not know its own', () => {
    const unknown = event('Feast', '2026-03-04T05:00:00Z', '2026-03-05T05:00:00Z', {
      allDay: true,
      timezone: 'Mars/Olympus',
    })
    expect(String(inNewYork(unknown).first)).toBe('2026-03-04')
  })
})

describe('the order of displayed events', () => {
  it('is by day, then long bars, then by time and title', () => {
    const events = [
      event('Lunch', '2026-03-03T17:00:00Z', '2026-03-03T18:00:00Z'),
      event('Aikido', '2026-03-03T17:00:00Z', '2026-03-03T18:00:00Z'),
      event('Fair', '2026-03-03T05:00:00Z', '2026-03-04T05:00:00Z'),
      event('Trip', '2026-03-03T05:00:00Z', '2026-03-06T05:00:00Z'),
      event('Call', '2026-03-02T17:00:00Z', '2026-03-02T18:00:00Z'),
    ].map((each) => inNewYork(each))
    expect(events.toSorted(inOrder).map((each) => each.event.title)).toEqual([
      'Call',
      'Trip',
      'Fair',
      'Aikido',
      'Lunch',
    ])
  })
})
