import { Temporal } from 'temporal-polyfill'
import { type Day, dayOf, instantOf, momentOf } from '../days.ts'
import type { CalendarEvent, EventChange, NewEvent, Status } from '../event.ts'
import { type Repeat, readRepeat, writeRepeat } from './repeat.ts'

/**
 * Form state of an event. Days and times are in the event's time zone. `endDay` is inclusive, also for
 * all-day events.
 */
export interface Draft {
  /** Null: the default calendar. */
  calendarId: number | null
  title: string
  allDay: boolean
  startDay: string
  startTime: string
  endDay: string
  endTime: string
  timezone: string
  repeat: Repeat
  location: string
  meetingUrl: string
  attendees: CalendarEvent['attendees']
  reminders: readonly number[]
  description: string
  notes: string
  tags: string
  status: Status
  busy: boolean
  /** A new event gets a link for a video call. */
  conferencing: boolean
  /** Minutes of travel and buffer time; 0: none. */
  bufferBefore: number
  bufferAfter: number
}

const timeOf = (moment: Temporal.ZonedDateTime): string =>
  moment.toPlainTime().toString({ smallestUnit: 'minute' })

/** `recurrence` is the rule of the whole series, also when one occurrence is edited. */
export const draftOf = (event: CalendarEvent, recurrence: string | null): Draft => {
  const { timezone, allDay } = event
  const [start, end] = [momentOf(event.start, timezone), momentOf(event.end, timezone)]
  const endDay = allDay ? end.toPlainDate().subtract({ days: 1 }) : end.toPlainDate()
  return {
    calendarId: event.calendarId,
    title: event.title,
    allDay,
    startDay: start.toPlainDate().toString(),
    startTime: allDay ? '09:00' : timeOf(start),
    endDay: endDay.toString(),
    endTime: allDay ? '10:00' : timeOf(end),
    timezone,
    repeat: readRepeat(recurrence, { start: start.toPlainDate(), allDay, timezone }),
    location: event.location,
    meetingUrl: event.meetingUrl ?? '',
    attendees: event.attendees,
    reminders: event.reminders.map(({ minutesBefore }) => minutesBefore),
    description: event.description,
    notes: event.notes,
    tags: event.tags.join(', '),
    status: event.status,
    busy: event.busy,
    conferencing: false,
    bufferBefore: event.bufferBefore ?? 0,
    bufferAfter: event.bufferAfter ?? 0,
  }
}

interface Start {
  day: Day
  from: number
  to: number
}

const clockOf = (minutes: number): string =>
  Temporal.PlainTime.from({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 }).toString({
    smallestUnit: 'minute',
  })

interface NewDraftOptions {
  timezone: string
  /** The last day of an all-day event. Null: the event has times. */
  wholeDays: Day | null
  calendarId: number | null
}

export const newDraft = (
  { day, from, to }: Start,
  { timezone, wholeDays, calendarId }: NewDraftOptions,
): Draft => ({
  calendarId,
  title: '',
  allDay: wholeDays !== null,
  startDay: day.toString(),
  startTime: clockOf(from),
  endDay: (wholeDays ?? (to >= 24 * 60 ? day.add({ days: 1 }) : day)).toString(),
  endTime: clockOf(to),
  timezone,
  repeat: { kind: 'never' },
  location: '',
  meetingUrl: '',
  attendees: [],
  reminders: wholeDays === null ? [15] : [],
  description: '',
  notes: '',
  tags: '',
  status: 'confirmed',
  busy: wholeDays === null,
  conferencing: false,
  bufferBefore: 0,
  bufferAfter: 0,
})

const momentIn = (day: string, time: string, timezone: string): string =>
  instantOf(dayOf(day).toZonedDateTime({ timeZone: timezone, plainTime: time }))

type Body = NewEvent & EventChange

/** The server makes the link of a video call. A link that was typed wins. */
const toLink = ({ meetingUrl, conferencing }: Draft): Pick<Body, 'meetingUrl' | 'conferencing'> =>
  meetingUrl.trim() === '' && conferencing ? { conferencing } : { meetingUrl: meetingUrl.trim() || null }

/** Converts the form to a request body. */
export const bodyOf = (draft: Draft): Body => {
  const { allDay, timezone, startDay, endDay } = draft
  const when = allDay
    ? { start: startDay, end: dayOf(endDay).add({ days: 1 }).toString() }
    : {
        start: momentIn(startDay, draft.startTime, timezone),
        end: momentIn(endDay, draft.endTime, timezone),
      }
  return {
    ...(draft.calendarId !== null && { calendarId: draft.calendarId }),
    title: draft.title.trim(),
    ...when,
    allDay,
    timezone,
    recurrence: writeRepeat(draft.repeat, { start: dayOf(startDay), allDay, timezone }),
    location: draft.location.trim(),
    ...toLink(draft),
    attendees: draft.attendees,
    reminders: draft.reminders.map((minutesBefore) => ({ minutesBefore })),
    description: draft.description,
    notes: draft.notes,
    tags: [
      ...new Set(
        draft.tags
          .split(',')
          .map((tag) => tag.trim())
          .filter(Boolean),
      ),
    ],
    status: draft.status,
    busy: draft.busy,
    bufferBefore: draft.bufferBefore || null,
    bufferAfter: draft.bufferAfter || null,
  }
}

const WHEN = ['start', 'end', 'allDay', 'timezone'] as const

/** Returns only changed fields, because unchanged ones may differ in other occurrences of the series. */
export const changesBetween = (before: Body, after: Body): EventChange => {
  const isSame = (name: keyof Body) => JSON.stringify(before[name]) === JSON.stringify(after[name])
  const isRetimed = !WHEN.every(isSame)
  const names = (Object.keys(after) as (keyof Body)[]).filter(
    (name) => !isSame(name) || (isRetimed && (WHEN as readonly string[]).includes(name)),
  )
  return Object.fromEntries(names.map((name) => [name, after[name]]))
}

/** Applies a change. A new start moves the end too, so that the duration stays. */
export const withTimes = (draft: Draft, change: Partial<Draft>): Draft => {
  const next = { ...draft, ...change }
  const movesStart = change.startDay !== undefined || change.startTime !== undefined
  if (!movesStart) return next
  const at = (day: string, time: string) => dayOf(day).toPlainDateTime(Temporal.PlainTime.from(time))
  const length = at(draft.startDay, draft.startTime).until(at(draft.endDay, draft.endTime))
  const end = at(next.startDay, next.startTime).add(length)
  return {
    ...next,
    endDay: end.toPlainDate().toString(),
    endTime: end.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
}
