import type { Calendars } from '../calendar/calendars/calendars.ts'
import type { CalendarStore } from '../calendar/calendars/store.ts'
import type { Events } from '../calendar/events.ts'
import type { NewEvent } from '../calendar/schema.ts'
import { EVENTS, type SampleDay, type SampleEvent, type SampleTime } from './items.ts'
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

const toTimes = (
  sample: Sample,
  day: SampleDay,
  time: SampleTime | undefined,
  length: number,
): Partial<NewEvent> => {
  if (time === undefined)
    return { start: sample.dateOf(day), end: sample.dateOf(day, length), allDay: true, busy: false }
  const start = sample.at(day, time)
  const end = new Date(start.getTime() + length * MINUTE_MS)
  return { start: start.toISOString(), end: end.toISOString() }
}

const toNewEvent = (
  sample: Sample,
  { day, time, length, calendar: _, people = [], tentative, remind = 15, tags, ...given }: SampleEvent,
  [title, location = '']: readonly [string, string?],
): NewEvent => {
  const guests = people.map((key) => toPerson(sample.content.people[key] as string))
  return {
    ...given,
    ...toTimes(sample, day, time, length),
    title,
    location,
    timezone: SAMPLE_ZONE,
    reminders: time === undefined ? [] : [{ minutesBefore: remind }],
    status: tentative ? 'tentative' : 'confirmed',
    tags: sample.tagsOf(tags),
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
  for (const [index, [name, given]] of Object.entries<SampleEvent>(EVENTS).entries()) {
    const calendarId = calendarIds[given.calendar ?? '']
    const { event } = await events.create(userId, {
      ...toNewEvent(sample, given, content.events[name as keyof typeof EVENTS]),
      uid: `sample-${index + 1}@factotum`,
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
