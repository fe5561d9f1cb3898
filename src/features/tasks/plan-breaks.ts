import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { Span } from './plan-blocks.ts'
import type { BusyTime } from './queries.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** A break in local time, such as 12:00 to 13:00. */
export interface LunchBreak {
  start: string
  end: string
}

export const DEFAULT_LUNCH: LunchBreak = { start: '12:00', end: '13:00' }

export const toMinutes = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * Removes the lunch break from working time. Working hours that already stop around noon contain a break of their own, so
 * only a span that covers the whole break is divided.
 */
export const withoutLunch = (spans: readonly Span[], lunch: LunchBreak | null, timezone: string): Span[] => {
  if (lunch === null) return [...spans]
  return spans.flatMap((span) => {
    const day = Math.floor(toWall(span.start, timezone) / DAY)
    const at = (time: string): number => toInstant(day * DAY + toMinutes(time) * MINUTE, timezone)
    const [from, until] = [at(lunch.start), at(lunch.end)]
    // A span that begins during lunch, because it is noon now, begins after it.
    if (span.end < until || span.start >= until) return [span]
    return [
      { start: span.start, end: Math.min(span.end, from) },
      { start: until, end: span.end },
    ].filter(({ start, end }) => end > start)
  })
}

/** Matches places that nobody travels to: links, calls, and rooms of the own building. */
const NO_TRAVEL =
  /^(?:https?:|tel:|sip:|\+?\d[\d\s()/-]{5,}$)|https?:\/\/|\b(?:zoom|teams|google meet|webex|skype|jitsi|facetime|slack|discord|whatsapp|online|remote|virtual|video ?call|phone|telefon|telefonisch|videokonferenz|home ?office)\b|^(?:meeting ?room|conference room|room|raum|besprechungsraum|konferenzraum|büro|office|desk)\b/iu

/** Travel to a flight or a train takes longer than travel to a meeting. */
const RESERVATION_FACTOR = 2

/** Returns the minutes of travel before and after an event. */
export const travelMinutesOf = (
  { location, allDay, isReservation }: BusyTime,
  travelMinutes: number,
): number => {
  if (allDay) return 0
  if (isReservation) return travelMinutes * RESERVATION_FACTOR
  const place = location.trim()
  return place === '' || NO_TRAVEL.test(place) ? 0 : travelMinutes
}

/** Extends an event by the travel to it. The planner adds its buffer later, which counts towards the travel. */
export const withTravel = (event: BusyTime, travelMinutes: number, bufferMinutes: number): Span => {
  const extra = Math.max(0, travelMinutesOf(event, travelMinutes) - bufferMinutes) * MINUTE
  return { start: Date.parse(event.start) - extra, end: Date.parse(event.end) + extra }
}
