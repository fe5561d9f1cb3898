import type { QuickEvent as Reading } from '../../nlu/quick-event.ts'
import { pick } from '../../platform/collections.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { readRule } from '../../recurrence/rule.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import { toPlace } from './event.ts'
import { readNewEvent } from './event-input.ts'
import type { Events } from './events.ts'
import {
  type NewEvent,
  PREVIEW_FIELDS,
  type QuickEvent,
  type QuickEventInput,
  type QuickEventPreview,
} from './schema.ts'
import { isoOf, readWhen, requireZone } from './times.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const MAX_TITLE_LENGTH = 1000
const MAX_LOCATION_LENGTH = 2000
const MAX_SUGGESTIONS = 10
/** Dates outside this range are misread numbers, not dates. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0, 1), Date.UTC(9989, 0, 1)]

/** Finds the addresses of contacts by a part of their name. */
export type SuggestAddresses = (
  userId: number,
  name: string,
  limit: number,
) => Promise<readonly { contactId: number | null; name: string; address: string }[]>

/** A time on the wall clock of the line, in milliseconds as if it were UTC. */
interface WallTimes {
  start: number
  end?: number
  allDay: boolean
}

type Moment = NonNullable<Reading['start']>

const toMs = ({ day, seconds = 0 }: Moment): number => day * DAY_MS + seconds * 1000
const toDay = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS

/** Adds the time that the person chose in the calendar to what the text says. */
const mergeTimes = (reading: Reading, slot: WallTimes | undefined): WallTimes | undefined => {
  const { isAllDay, isDated, minutes } = reading
  if (!reading.start) return slot && toSlotTimes(reading, slot)
  const shift = slot && !isDated ? toDay(slot.start) - reading.start.day * DAY_MS : 0
  const start = toMs(reading.start) + shift
  const end = reading.end && toMs(reading.end) + shift
  const isTimed = reading.start.seconds !== undefined
  if (isAllDay) return { start: toDay(start), ...(end && { end: ceilToDay(end) }), allDay: true }
  if (isTimed) {
    const length = minutes ? minutes * MINUTE_MS : slot?.end && !slot.allDay ? slot.end - slot.start : 0
    if (end && end > start) return { start, end, allDay: false }
    return { start, ...(length > 0 && { end: start + length }), allDay: false }
  }
  if (slot && !slot.allDay && !end) {
    const hour = start + (slot.start - toDay(slot.start))
    const length = minutes ? minutes * MINUTE_MS : (slot.end ?? slot.start) - slot.start
    return { start: hour, ...(length > 0 && { end: hour + length }), allDay: false }
  }
  return { start, ...(end && end > start && { end }), allDay: true }
}

const ceilToDay = (wall: number): number => Math.ceil(wall / DAY_MS) * DAY_MS

const toSlotTimes = ({ isAllDay, minutes }: Reading, slot: WallTimes): WallTimes => {
  if (isAllDay) return { start: toDay(slot.start), allDay: true }
  return minutes && !slot.allDay ? { ...slot, end: slot.start + minutes * MINUTE_MS } : slot
}

const toMoment = (wall: number, allDay: boolean, timezone: string): string =>
  allDay ? new Date(wall).toISOString().slice(0, 10) : isoOf(toInstant(wall, timezone))

const isUsable = ({ start, end = start }: WallTimes): boolean => start >= EARLIEST && end < LATEST

const isRule = (rule: string): boolean => !('fault' in readRule(rule))

export type QuickEvents = ReturnType<typeof createQuickEvents>

/** Creates an event from one line of text, without a language model. */
export const createQuickEvents = (
  deps: Pick<Platform, 'clock'> & {
    zoneOf: (userId: number) => Promise<string>
    suggestAddresses: SuggestAddresses
  },
) => {
  /** A name is a guest if exactly one contact has it. */
  const findGuest = async (userId: number, name: string) => {
    const found = await deps.suggestAddresses(userId, name, MAX_SUGGESTIONS)
    const words = name.toLowerCase().split(/\s+/)
    const named = found.filter((one) => {
      const known = one.name.toLowerCase().split(/[\s,]+/)
      return words.every((word) => known.includes(word))
    })
    const [first] = named
    const isOnlyOne = new Set(named.map(({ contactId }) => contactId)).size === 1
    return first && isOnlyOne ? { name: first.name, email: first.address } : undefined
  }

  const listGuests = async (userId: number, people: Reading['people'], readsContacts: boolean) => {
    const guests = new Map<string, { name: string; email: string }>()
    for (const { name, email } of people) {
      const guest = email ? { name, email } : readsContacts ? await findGuest(userId, name) : undefined
      if (guest && !guests.has(guest.email.toLowerCase())) guests.set(guest.email.toLowerCase(), guest)
    }
    return [...guests.values()]
  }

  const readSlot = ({ start, end, allDay }: QuickEventInput, timezone: string): WallTimes | undefined => {
    if (start === undefined) return undefined
    const slot = readWhen({ start, end, allDay, timezone }, undefined, timezone)
    const wallOf = (instant: string): number => toWall(Date.parse(instant), timezone)
    return { start: wallOf(slot.start), end: wallOf(slot.end), allDay: slot.allDay }
  }

  /** Loads the parser with the first line, so that it does not delay startup. */
  const read = async (userId: number, given: QuickEventInput, readsContacts: boolean) => {
    const personZone = await deps.zoneOf(userId)
    const timezone = given.timezone === undefined ? personZone : requireZone('timezone', given.timezone)
    const slot = readSlot(given, timezone)
    const { readQuickEvent } = await import('../../nlu/quick-event.ts')
    const reading = readQuickEvent(given.text, {
      now: toWall(deps.clock.now().getTime(), timezone),
      timezone,
    })
    const times = mergeTimes(reading, slot)
    const { place, link, recurrence, reminders } = reading
    const fields = {
      title: reading.title.slice(0, MAX_TITLE_LENGTH).toWellFormed().trim(),
      timezone,
      ...toPlace((place ?? '').slice(0, MAX_LOCATION_LENGTH), link),
      attendees: await listGuests(userId, reading.people, readsContacts),
      reminders: reminders.map((minutesBefore) => ({ minutesBefore })),
      recurrence: recurrence !== undefined && isRule(recurrence) ? recurrence : null,
    }
    return {
      fields,
      when: times &&
        isUsable(times) && {
          start: toMoment(times.start, times.allDay, timezone),
          ...(times.end !== undefined && { end: toMoment(times.end, times.allDay, timezone) }),
          allDay: times.allDay,
        },
      understood: reading.understood,
    }
  }

  return {
    /** `readsContacts`: the caller may learn the address of a contact that the text names. */
    async preview(
      userId: number,
      given: QuickEventInput,
      readsContacts: boolean,
    ): Promise<QuickEventPreview> {
      const { fields, when, understood } = await read(userId, given, readsContacts)
      if (when) {
        const event = readNewEvent({ ...fields, ...when }, 'preview', fields.timezone)
        return { id: null, ...pick(event, PREVIEW_FIELDS), understood }
      }
      const { attendees, ...rest } = fields
      const guests = attendees.map((one) => ({ ...one, status: 'needs-action' as const }))
      return { id: null, ...rest, attendees: guests, start: null, end: null, allDay: false, understood }
    },

    /** Creates the event and returns the recognized parts of the line. */
    async add(
      { create }: Pick<Events, 'create'>,
      userId: number,
      given: QuickEventInput,
      readsContacts: boolean,
    ): Promise<QuickEvent> {
      const { fields, when, understood } = await read(userId, given, readsContacts)
      if (!when)
        throw invalidField('text', 'names no day or time. Write one, such as “Monday 15:00”, or send start.')
      const input: NewEvent = {
        ...fields,
        ...when,
        ...(given.calendarId !== undefined && { calendarId: given.calendarId }),
      }
      const { event } = await create(userId, input)
      return { ...event, understood }
    },
  }
}
