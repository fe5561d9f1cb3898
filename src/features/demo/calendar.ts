import type { Calendars } from '../calendar/calendars/calendars.ts'
import type { CalendarStore } from '../calendar/calendars/store.ts'
import type { Events } from '../calendar/events.ts'
import type { NewEvent } from '../calendar/schema.ts'
import type { SampleEvent } from './content.ts'
import type { MarkedSample } from './marks.ts'
import { SAMPLE_ZONE, type Sample } from './sample.ts'

export interface CalendarServices {
  calendars: Pick<Calendars, 'create' | 'remove'>
  calendarStore: Pick<CalendarStore, 'defaultId'>
  events: Pick<Events, 'create' | 'remove'>
}

const MINUTE_MS = 60_000

const toPerson = (text: string): { name: string; email: string } => {
  const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(text) ?? []
  return { name, email }
}

/** Without a time, an event takes whole days. */
const toTimes = (sample: Sample, [day, time, length]: SampleEvent): Partial<NewEvent> => {
  if (time === null)
    return { start: sample.dateOf(day), end: sample.dateOf(day, length), allDay: true, busy: false }
  const start = sample.at(day, time)
  const end = new Date(start.getTime() + length * MINUTE_MS)
  return { start: start.toISOString(), end: end.toISOString() }
}

const toNewEvent = (sample: Sample, event: SampleEvent, uid: string): NewEvent => {
  const [, time, , title, { calendar: _, people = [], tentative, remind = 15, tags = [], ...given } = {}] =
    event
  const guests = people.map((key) => toPerson(sample.content.people[key] as string))
  return {
    ...given,
    ...toTimes(sample, event),
    uid,
    title,
    timezone: SAMPLE_ZONE,
    reminders: time === null ? [] : [{ minutesBefore: remind }],
    status: tentative ? 'tentative' : 'confirmed',
    tags: [...tags],
    organizer: guests[0] ?? null,
    attendees: guests.map((guest) => ({ ...guest, status: 'accepted' as const })),
  }
}

export const fillCalendar = async (
  sample: Sample,
  { calendars, events }: CalendarServices,
): Promise<void> => {
  const { userId, content } = sample
  const calendarIds: Record<string, number> = {}
  for (const [key, name] of Object.entries(content.calendars)) {
    const { id } = await calendars.create(userId, { name })
    calendarIds[key] = id
    await sample.mark('calendar', id)
  }
  for (const [index, given] of content.events.entries()) {
    const calendarId = calendarIds[given[4]?.calendar ?? '']
    const { event } = await events.create(userId, {
      ...toNewEvent(sample, given, `sample-${index + 1}@factotum`),
      ...(calendarId !== undefined && { calendarId }),
    })
    await sample.mark('event', event.id)
  }
}

/**
 * Removes the events and calendars. Events that the person added stay, in the default calendar. A sample calendar that
 * became the default stays too.
 */
export const removeCalendar = async (
  sample: MarkedSample,
  { calendars, calendarStore, events }: CalendarServices,
): Promise<void> => {
  const { tx, userId } = sample
  for (const id of await sample.findIds('events', 'event')) await events.remove(userId, id, {}, undefined)
  const defaultId = await calendarStore.defaultId(tx, userId)
  for (const id of await sample.findIds('calendars', 'calendar'))
    if (id !== defaultId) await calendars.remove(userId, id, 'move', undefined)
}
