import type { Shape } from '../../api/client.ts'

export type CalendarEvent = Shape<'Event'>
export type Status = CalendarEvent['status']
export type Source = CalendarEvent['source']
export type Alarm = Shape<'Alarm'>
export type Rsvp = CalendarEvent['attendees'][number]['status']

export const STATUS_WORDS: Record<Status, string> = {
  confirmed: 'Confirmed',
  tentative: 'Tentative',
  cancelled: 'Cancelled',
}

export const SOURCE_WORDS: Record<Source, string> = {
  manual: 'Made by hand',
  email: 'From an e-mail',
  chat: 'From a chat',
  bookingsvc: 'Booked',
  ics: 'From a file',
  caldav: 'From another calendar',
}

export const RSVP_LABELS: Record<Rsvp, string> = {
  'needs-action': 'No answer yet',
  accepted: 'Accepted',
  declined: 'Declined',
  tentative: 'Maybe',
}

export const STATUSES = Object.keys(STATUS_WORDS) as Status[]
export const SOURCES = Object.keys(SOURCE_WORDS) as Source[]

const UNITS = [
  [7 * 24 * 60, 'week'],
  [24 * 60, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const

/** Formats in the largest unit that divides evenly: "2 hours". */
const spanWords = (minutes: number): string => {
  const [size, unit] = UNITS.find(([each]) => minutes % each === 0) ?? [1 / 60, 'second']
  return countWords(Math.round(minutes / size), unit)
}

export const reminderWords = (minutesBefore: number): string =>
  minutesBefore === 0 ? 'When it starts' : `${spanWords(minutesBefore)} before`

/** Describes a relative alarm: "5 minutes after the end". */
export const alarmWords = ({ relativeTo, minutesAfter }: Alarm): string => {
  const after = minutesAfter ?? 0
  if (after === 0) return `When it ${relativeTo === 'end' ? 'ends' : 'starts'}`
  return `${spanWords(Math.abs(after))} ${after < 0 ? 'before' : 'after'} the ${relativeTo ?? 'start'}`
}

export const countWords = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
