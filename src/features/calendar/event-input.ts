import { eachOnce } from '../../platform/collections.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import { readRule, writeRule } from '../../recurrence/rule.ts'
import { occurrencesBetween } from '../../recurrence/series.ts'
import { toInstant } from '../../recurrence/time-zones.ts'
import { BLANK, type EventFields } from './event.ts'
import { readAttendees, readPerson } from './people.ts'
import type { EventChange, NewEvent } from './schema.ts'
import { EXCLUDING, isSeries, isTooDense, rulesOf, seriesOf, TOO_DENSE } from './series.ts'
import { isoOf, isWithinReach, NEVER, readMoment, readWhen, requireZone } from './times.ts'

/** `EXDATE;TZID=Europe/Berlin:20260406T090000,20260413T090000` */
const DATES = /^(EXDATE|RDATE)((?:;[^:]*)?):(.*)$/i
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

const invalidRecurrence = (message: string): Error => invalidField('recurrence', message)

const readDate = (text: string, timezone: string): string => {
  const [, year, month, day, hour = '00', minute = '00', second = '00', utc] = BASIC.exec(text.trim()) ?? []
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const wall = Date.parse(written)
  // `Date` accepts days that the month does not have and returns a day of the next month.
  if (Number.isNaN(wall) || isoOf(wall) !== written)
    throw invalidRecurrence(`contains an invalid date: ${text.slice(0, 50)}`)
  const moment = isoOf(utc ? wall : toInstant(wall, timezone))
  if (!isWithinReach(moment))
    throw invalidRecurrence(`contains a date outside the years 1000 to 9990: ${text}`)
  return moment
}

interface WrittenRecurrence {
  recurrence: string | null
  exdates?: string[]
  rdates?: string[]
}

/** Parses RFC 5545 lines: RRULE (the prefix is optional), EXRULE, EXDATE and RDATE. */
const readRecurrence = (text: string, timezone: string): WrittenRecurrence => {
  const rules: string[] = []
  const exclusions: string[] = []
  const dates: { exdates?: string[]; rdates?: string[] } = {}
  for (const line of text.split(/\r?\n/).filter((line) => line.trim() !== '')) {
    const [, name, parameters = '', values] = DATES.exec(line) ?? []
    if (name === undefined || values === undefined) {
      const [, excluding, rule = ''] = /^(EXRULE:)?(.*)$/i.exec(line.trim()) ?? []
      const read = readRule(rule)
      if ('fault' in read) throw invalidRecurrence(read.fault)
      if (excluding) exclusions.push(EXCLUDING + writeRule(read.rule))
      else rules.push(writeRule(read.rule))
      continue
    }
    const [, zone] = /;TZID=([^;:]+)/i.exec(parameters) ?? []
    const list = name.toUpperCase() === 'EXDATE' ? 'exdates' : 'rdates'
    const read = values
      .split(',')
      .map((value) => readDate(value, zone === undefined ? timezone : requireZone('recurrence', zone)))
    dates[list] = [...new Set([...(dates[list] ?? []), ...read])].sort()
  }
  if (rules.length === 0 && dates.rdates === undefined) throw invalidRecurrence('contains no rule')
  return { recurrence: rules.length === 0 ? null : [...rules, ...exclusions].join('\n'), ...dates }
}

/** Returns the key under which spellings of the same tag are equal. */
const tagKeyOf = (tag: string): string => tag.trim().normalize('NFC').toLowerCase()

const LINK = /^(https?|tel|sips?):/i

const readLink = (text: string): string => {
  if (!LINK.test(text) || !URL.canParse(text))
    throw invalidField('meetingUrl', 'must be a link such as https://meet.example.org/design')
  return text
}

const instants = (path: string, given: readonly string[], timezone: string): string[] =>
  [...new Set(given.map((text, index) => readMoment(`${path}.${index}`, text, timezone)))].sort()

/** Rejects rules that never match or match too often. */
const requireUsableRecurrence = (fields: EventFields): void => {
  if (!isSeries(fields)) return
  const series = seriesOf(fields)
  if (isTooDense(rulesOf(fields.recurrence))) throw invalidField('recurrence', TOO_DENSE)
  if (occurrencesBetween(series, series.start, Date.parse(NEVER)).next().done)
    throw invalidField('recurrence', 'has no occurrences')
  if (fields.rdates.some((date) => date < fields.start))
    throw invalidField('rdates', 'must not be before the start')
}

type EventInput = EventChange | NewEvent

const withRecurrence = (fields: EventFields, input: EventInput): EventFields => {
  const { timezone } = fields
  const written =
    input.recurrence === undefined
      ? { recurrence: fields.recurrence, exdates: fields.exdates, rdates: fields.rdates }
      : input.recurrence === null
        ? { recurrence: null, exdates: [], rdates: [] }
        : { exdates: fields.exdates, rdates: fields.rdates, ...readRecurrence(input.recurrence, timezone) }
  return {
    ...fields,
    recurrence: written.recurrence,
    exdates: input.exdates === undefined ? written.exdates : instants('exdates', input.exdates, timezone),
    rdates: input.rdates === undefined ? written.rdates : instants('rdates', input.rdates, timezone),
  }
}

/** Applies a patch to the fields of an event and validates the result. */
export const applyEventPatch = (
  before: EventFields,
  input: EventInput,
  instanceZone: string,
): EventFields => {
  const { start, end, allDay, timezone, recurrence: _, exdates: __, rdates: ___, ...plain } = input
  // The calendar is not one of the fields: the caller checks it and moves the event.
  // The caller has replaced `conferencing` by a link.
  const { calendarId: ____, conferencing: _____, organizer, attendees, meetingUrl, tags, ...rest } = plain
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
    input,
  )
  if (fields.recurrence !== before.recurrence || input.rdates || input.exdates)
    requireUsableRecurrence(fields)
  return fields
}

/** Validates a new event and fills in defaults. */
export const readNewEvent = (input: NewEvent, uid: string, instanceZone: string): EventFields => {
  const { title, start, end, allDay, timezone } = input
  if (title === undefined || start === undefined)
    throw invalid(
      'A new event needs a title and a start.',
      Object.entries({ title, start })
        .filter(([, value]) => value === undefined)
        .map(([path]) => ({ path, message: 'is required' })),
    )
  if (input.source === 'bookingsvc' && !input.bookingId)
    throw invalidField('source', 'can only be bookingsvc together with a bookingId')
  const when = readWhen({ start, end, allDay, timezone }, undefined, instanceZone)
  const { start: _, end: __, allDay: ___, timezone: ____, ...others } = input
  return applyEventPatch({ ...BLANK, ...when, uid, title }, others, instanceZone)
}
