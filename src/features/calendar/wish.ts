import { NEVER } from '../../database/spans.ts'
import { occurrencesBetween } from '../../engine/recurrence/series.ts'
import { eachOnce } from '../../platform/each-once.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import type { EventFields } from './event.ts'
import { readAttendees, readPerson } from './people.ts'
import { readRecurrence } from './recurrence-text.ts'
import type { EventChange, NewEvent } from './schema.ts'
import { isSeries, isTooDense, rulesOf, seriesOf, TOO_DENSE } from './series.ts'
import { readMoment, readWhen } from './times.ts'

/** One tag, however it is spelled. */
const tagKeyOf = (tag: string): string => tag.trim().normalize('NFC').toLowerCase()

const LINK = /^(https?|tel|sips?):/i

const readLink = (text: string): string => {
  if (!LINK.test(text) || !URL.canParse(text))
    throw invalidField('meetingUrl', 'must be a link such as https://meet.example.org/design')
  return text
}

const instants = (path: string, given: readonly string[], timezone: string): string[] =>
  [...new Set(given.map((text, index) => readMoment(`${path}.${index}`, text, timezone)))].sort()

/** A rule that is never met, or too often, is no rule for a calendar. */
const requireSensible = (fields: EventFields): void => {
  if (!isSeries(fields)) return
  const series = seriesOf(fields)
  if (isTooDense(rulesOf(fields.recurrence))) throw invalidField('recurrence', TOO_DENSE)
  if (occurrencesBetween(series, series.start, Date.parse(NEVER)).next().done)
    throw invalidField('recurrence', 'leaves no occurrence at all')
  if (fields.rdates.some((date) => date < fields.start))
    throw invalidField('rdates', 'must not lie before the start')
}

const BLANK: Omit<EventFields, 'uid' | 'title' | 'start' | 'end' | 'allDay' | 'timezone'> = {
  description: '',
  location: '',
  meetingUrl: null,
  status: 'confirmed',
  source: 'manual',
  bookingId: null,
  organizer: null,
  attendees: [],
  reminders: [],
  notes: '',
  tags: [],
  recurrence: null,
  exdates: [],
  rdates: [],
  busy: true,
  emailId: null,
}

type Wish = EventChange | NewEvent

const withRecurrence = (fields: EventFields, wish: Wish): EventFields => {
  const { timezone } = fields
  const written =
    wish.recurrence === undefined
      ? { recurrence: fields.recurrence, exdates: fields.exdates, rdates: fields.rdates }
      : wish.recurrence === null
        ? { recurrence: null, exdates: [], rdates: [] }
        : { exdates: fields.exdates, rdates: fields.rdates, ...readRecurrence(wish.recurrence, timezone) }
  return {
    ...fields,
    recurrence: written.recurrence,
    exdates: wish.exdates === undefined ? written.exdates : instants('exdates', wish.exdates, timezone),
    rdates: wish.rdates === undefined ? written.rdates : instants('rdates', wish.rdates, timezone),
  }
}

/** An event as it is wished for, on the ground of what it was. */
export const applyWish = (before: EventFields, wish: Wish, instanceZone: string): EventFields => {
  const { start, end, allDay, timezone, recurrence: _, exdates: __, rdates: ___, ...plain } = wish
  const { organizer, attendees, meetingUrl, tags, ...rest } = plain
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const fields = withRecurrence(
    {
      ...before,
      ...given,
      ...readWhen({ start, end, allDay, timezone }, before, instanceZone),
      ...(organizer !== undefined && {
        organizer: organizer === null ? null : readPerson('organizer', organizer),
      }),
      ...(attendees !== undefined && { attendees: readAttendees(attendees) }),
      ...(meetingUrl !== undefined && { meetingUrl: meetingUrl === null ? null : readLink(meetingUrl) }),
      ...(tags !== undefined && { tags: eachOnce(tags, tagKeyOf) }),
    },
    wish,
  )
  if (fields.recurrence !== before.recurrence || wish.rdates || wish.exdates) requireSensible(fields)
  return fields
}

/** A new event as it is wished for. */
export const readNewEvent = (wish: NewEvent, uid: string, instanceZone: string): EventFields => {
  const { title, start, end, allDay, timezone } = wish
  if (title === undefined || start === undefined)
    throw invalid(
      'A new event needs a title and a start.',
      Object.entries({ title, start })
        .filter(([, value]) => value === undefined)
        .map(([path]) => ({ path, message: 'is required' })),
    )
  if (wish.source === 'bookingsvc' && !wish.bookingId)
    throw invalidField('source', 'is bookingsvc only with a bookingId')
  const when = readWhen({ start, end, allDay, timezone }, undefined, instanceZone)
  const { start: _, end: __, allDay: ___, timezone: ____, ...others } = wish
  return applyWish({ ...BLANK, ...when, uid, title }, others, instanceZone)
}
