import type { Shape } from '../../api/client.ts'

export type CalendarEvent = Shape<'Event'>
export type NewEvent = Shape<'NewEvent'>
export type EventChange = Shape<'EventChange'>
export type Status = CalendarEvent['status']
export type Source = CalendarEvent['source']
export type Alarm = Shape<'Alarm'>
export type Rsvp = CalendarEvent['attendees'][number]['status']

export const STATUSES: readonly Status[] = ['confirmed', 'tentative', 'cancelled']
export const SOURCES: readonly Source[] = ['manual', 'email', 'chat', 'bookingsvc', 'ics', 'caldav']
