import { toInstant, toWall } from '../../engine/time-zones.ts'
import type { EventFields } from './event.ts'
import { isoOf } from './times.ts'

const ZONE = 'Europe/Berlin'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type SampleEvent = Pick<
  EventFields,
  | 'title'
  | 'location'
  | 'start'
  | 'end'
  | 'allDay'
  | 'timezone'
  | 'attendees'
  | 'reminders'
  | 'tags'
  | 'recurrence'
> &
  Partial<EventFields>

const ana = { name: 'Ana Ruiz', email: 'ana@example.org' }
const li = { name: 'Li Wei', email: 'li@example.org' }

/** A believable week around now, by the clocks of Berlin. */
export const sampleWeek = (now: Date): SampleEvent[] => {
  const today = Math.floor(toWall(now.getTime(), ZONE) / DAY_MS)
  const monday = today - ((((today + 3) % 7) + 7) % 7)
  const event = (
    day: number,
    clock: string,
    minutes: number,
    title: string,
    more: Partial<EventFields> = {},
  ): SampleEvent => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number)
    const start = toInstant((monday + day) * DAY_MS + (hour * 60 + minute) * MINUTE_MS, ZONE)
    return {
      title,
      location: '',
      start: isoOf(start),
      end: isoOf(start + minutes * MINUTE_MS),
      allDay: false,
      timezone: ZONE,
      attendees: [],
      reminders: [{ minutesBefore: 15 }],
      tags: [],
      recurrence: null,
      ...more,
    }
  }
  const wholeDays = (day: number, days: number, title: string): SampleEvent => ({
    ...event(day, '00:00', 0, title),
    end: isoOf(toInstant((monday + day + days) * DAY_MS, ZONE)),
    allDay: true,
    busy: false,
    reminders: [],
  })
  return [
    event(0, '09:30', 15, 'Stand-up', {
      recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      meetingUrl: 'https://meet.example.org/stand-up',
      tags: ['work'],
    }),
    event(0, '14:00', 60, 'Design review', {
      location: 'Room 4',
      organizer: ana,
      attendees: [
        { ...ana, status: 'accepted' },
        { ...li, status: 'tentative' },
      ],
      tags: ['work'],
    }),
    event(1, '11:00', 45, 'Call with the landlord', { reminders: [{ minutesBefore: 30 }], tags: ['home'] }),
    event(1, '11:30', 30, 'Budget check', { status: 'tentative', tags: ['work'] }),
    event(2, '18:00', 90, 'Choir', {
      recurrence: 'FREQ=WEEKLY;INTERVAL=1;BYDAY=WE',
      location: 'Parish hall',
    }),
    event(3, '08:00', 30, 'Dentist', { location: 'Lindenstraße 12', reminders: [{ minutesBefore: 60 }] }),
    event(4, '15:00', 60, 'Portfolio conversation', {
      source: 'bookingsvc',
      bookingId: 'sample-booking-1',
      attendees: [{ ...li, status: 'accepted' }],
    }),
    wholeDays(5, 2, 'Weekend in the mountains'),
    wholeDays(7, 1, 'Ana’s birthday'),
  ]
}
