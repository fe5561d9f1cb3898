import { toInstant, toWall } from '../../../recurrence/time-zones.ts'
import { WEEKDAYS, type WeekdayName } from './contracts/calendar.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool } from './tool.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Slots and events that are read before the conditions are applied. */
const MAX_SLOTS = 200
const MAX_EVENTS = 500
const MAX_CALENDARS = 100

export interface Span {
  start: number
  end: number
}

export interface Conditions {
  /** Local times such as 10:00. */
  notBefore?: string | undefined
  notAfter?: string | undefined
  exceptDays?: readonly WeekdayName[] | undefined
  minutes: number
  timezone: string
}

const toMinutes = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Returns free time without the busy times of others. */
const subtract = (slots: readonly Span[], busy: readonly Span[]): Span[] =>
  slots.flatMap((slot) => {
    let rest: Span[] = [slot]
    for (const { start, end } of busy)
      rest = rest.flatMap((one) =>
        end <= one.start || start >= one.end
          ? [one]
          : [
              { start: one.start, end: start },
              { start: end, end: one.end },
            ],
      )
    return rest
  })

/** Applies conditions such as "not before 10" and "not on Friday" to free time within one day each. */
export const applyConditions = (
  slots: readonly Span[],
  busy: readonly Span[],
  { notBefore, notAfter, exceptDays = [], minutes, timezone }: Conditions,
): Span[] =>
  subtract(slots, busy).flatMap((slot) => {
    const day = Math.floor(toWall(slot.start, timezone) / DAY_MS)
    if (exceptDays.includes(WEEKDAYS[((day % 7) + 7) % 7] as WeekdayName)) return []
    const at = (time: string): number => toInstant(day * DAY_MS + toMinutes(time) * MINUTE_MS, timezone)
    const start = notBefore ? Math.max(slot.start, at(notBefore)) : slot.start
    const end = notAfter ? Math.min(slot.end, at(notAfter)) : slot.end
    return end - start >= minutes * MINUTE_MS ? [{ start, end }] : []
  })

const findFreeTimeTool = ({ contracts, calendar, calendars, events }: ToolDeps): Tool => {
  /** Finds the calendars that people with this name share with the account. */
  const findCalendars = async (userId: number, person: string): Promise<number[]> => {
    const { calendars: all } = await calendars.list(userId, { limit: MAX_CALENDARS })
    const words = person.toLowerCase().split(/\s+/)
    return all
      .filter(({ owner }) => {
        const known = `${owner?.name ?? ''} ${owner?.email ?? ''}`.toLowerCase()
        return owner !== null && words.every((word) => known.includes(word))
      })
      .map(({ id }) => id)
  }

  const listBusy = async (
    userId: number,
    calendarId: number,
    start: string,
    end: string,
  ): Promise<Span[]> => {
    const found = await events.list(userId, { start, end, calendarId, limit: MAX_EVENTS })
    return found.events
      .filter(({ busy, status }) => busy && status !== 'cancelled')
      .map((event) => ({ start: Date.parse(event.start), end: Date.parse(event.end) }))
  }

  return defineTool(contracts.find_free_time, {
    async run(
      { minutes = 30, limit = 10, people = [], notBefore, notAfter, exceptDays, ...window },
      { userId },
    ) {
      const hasConditions = [notBefore, notAfter, exceptDays].some(Boolean) || people.length > 0
      const found = await calendar.free(userId, {
        ...window,
        minutes,
        limit: hasConditions ? MAX_SLOTS : limit,
        buffer: 0,
        tentative: 'busy',
      })
      if (!hasConditions) return { result: found }
      const known: { name: string; isKnown: boolean }[] = []
      const busy: Span[] = []
      const [first, last] = [found.slots[0], found.slots.at(-1)]
      for (const name of people) {
        const ids = await findCalendars(userId, name)
        known.push({ name, isKnown: ids.length > 0 })
        for (const id of first && last ? ids : [])
          busy.push(...(await listBusy(userId, id, first?.start ?? '', last?.end ?? '')))
      }
      const slots = applyConditions(
        found.slots.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) })),
        busy,
        {
          notBefore,
          notAfter,
          exceptDays,
          minutes,
          timezone: found.timezone,
        },
      )
      return {
        result: {
          timezone: found.timezone,
          slots: slots.slice(0, limit).map(({ start, end }) => ({
            start: new Date(start).toISOString(),
            end: new Date(end).toISOString(),
            minutes: Math.floor((end - start) / MINUTE_MS),
          })),
          nextCursor: null,
          people: known,
        },
      }
    },
  })
}

const listCalendarsTool = ({ contracts, calendars }: ToolDeps): Tool =>
  defineTool(contracts.list_calendars, {
    async run(_input, { userId }) {
      const { calendars: all } = await calendars.list(userId, { limit: MAX_CALENDARS })
      return {
        result: {
          calendars: all.map(({ id, name, role, owner }) => ({ id, name, role, owner })),
          more: false,
        },
      }
    },
  })

export const createCalendarTools = (deps: ToolDeps): Tool[] => [
  findFreeTimeTool(deps),
  listCalendarsTool(deps),
]
