import { describe, expect, it } from 'vitest'
import type { Task } from '../tasks/groups.ts'
import { dayOf } from '../tasks/local-time.ts'
import { type CalendarEvent, findConflicts, toTimeline } from './today.ts'

const timeZone = 'Europe/Berlin'
const days = { timeZone, dayOf: (at: string | Date) => dayOf(at, timeZone) }
/** 10:00 in Berlin. */
const NOW = new Date('2026-03-04T09:00:00.000Z')

const event = (id: number, start: string, end: string, change: Partial<CalendarEvent> = {}) =>
  ({
    id,
    start: `${start}:00.000Z`,
    end: `${end}:00.000Z`,
    allDay: false,
    timezone: timeZone,
    occurrenceStart: null,
    status: 'confirmed',
    busy: true,
    ...change,
  }) as CalendarEvent
const task = (id: number, dueAt: string, dueDay: string | null = null) => ({ id, dueAt, dueDay }) as Task

const keys = (items: readonly { key: string }[]) => items.map(({ key }) => key)

describe('the timeline of today', () => {
  it('lists overdue tasks, things of the day, things with a time, and tomorrow', () => {
    const timeline = toTimeline(
      {
        tasks: [
          task(1, '2026-03-04T08:00:00.000Z'),
          task(2, '2026-03-04T22:59:59.000Z', '2026-03-04'),
          task(3, '2026-03-04T12:00:00.000Z'),
          task(4, '2026-03-05T12:00:00.000Z'),
          task(5, '2026-03-09T12:00:00.000Z'),
        ],
        events: [
          event(1, '2026-03-04T11:00', '2026-03-04T12:00'),
          event(2, '2026-03-03T23:00', '2026-03-04T23:00', { allDay: true }),
          event(3, '2026-03-05T08:00', '2026-03-05T09:00'),
          event(4, '2026-03-04T13:00', '2026-03-04T14:00', { status: 'cancelled' }),
        ],
      },
      NOW,
      days,
    )
    expect({
      overdue: keys(timeline.overdue),
      allDay: keys(timeline.allDay),
      timed: keys(timeline.timed),
      tomorrow: keys(timeline.tomorrow),
    }).toEqual({
      overdue: ['task-1'],
      allDay: ['event-2@', 'task-2'],
      timed: ['event-1@', 'task-3'],
      tomorrow: ['event-3@', 'task-4'],
    })
  })

  it('does not repeat an event of today under tomorrow', () => {
    const night = event(1, '2026-03-04T21:00', '2026-03-05T05:00')
    const { timed, tomorrow } = toTimeline({ tasks: [], events: [night] }, NOW, days)
    expect([keys(timed), keys(tomorrow)]).toEqual([['event-1@'], []])
  })

  it('ends an event at midnight on the day before', () => {
    const untilMidnight = event(1, '2026-03-03T20:00', '2026-03-03T23:00')
    expect(toTimeline({ tasks: [], events: [untilMidnight] }, NOW, days).timed).toEqual([])
  })

  it('marks busy events that overlap', () => {
    const events = [
      event(1, '2026-03-04T11:00', '2026-03-04T12:00'),
      event(2, '2026-03-04T11:30', '2026-03-04T12:30', { busy: false }),
      event(3, '2026-03-04T11:45', '2026-03-04T13:00'),
      event(4, '2026-03-04T13:00', '2026-03-04T14:00'),
    ]
    const { timed } = toTimeline({ tasks: [], events }, NOW, days)
    expect([...findConflicts(timed)]).toEqual(['event-1@', 'event-3@'])
  })
})
