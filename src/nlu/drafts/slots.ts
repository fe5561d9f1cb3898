import { toWall } from '../../recurrence/time-zones.ts'
import type { Language, Words } from './words.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const QUARTER = 15 * MINUTE

export interface TimeSlot {
  /** Instants in ms. */
  start: number
  end: number
}

/** The parts of a local time, with the names of its weekday and month. */
const partsOf = (instant: number, timezone: string, language: Language) => {
  const wall = new Date(toWall(instant, timezone))
  const name = (options: Intl.DateTimeFormatOptions): string =>
    wall.toLocaleDateString(language, { ...options, timeZone: 'UTC' })
  return {
    weekday: name({ weekday: 'long' }),
    month: name({ month: 'long' }),
    date: `${wall.getUTCDate()}${language === 'de' ? '.' : ''}`,
    year: wall.getUTCFullYear(),
    clock: wall.toISOString().slice(11, 16),
  }
}

/** Formats a date as "12 November 2026" or "12. November 2026". */
export const writeDate = (instant: number, timezone: string, language: Language): string => {
  const { date, month, year } = partsOf(instant, timezone, language)
  return `${date} ${month} ${year}`
}

/** Formats a start as "Thursday 12 November at 14:00". */
const writeStart = (start: number, timezone: string, language: Language): string => {
  const { weekday, date, month, clock } = partsOf(start, timezone, language)
  return language === 'de'
    ? `${weekday}, ${date} ${month}, um ${clock} Uhr`
    : `${weekday} ${date} ${month} at ${clock}`
}

/** Formats a slot as "Thursday, 12 November, 14:00–15:00". */
export const writeSlot = (
  { start, end }: TimeSlot,
  timezone: string,
  language: Language,
  allDay = false,
): string => {
  const { weekday, date, month, clock } = partsOf(start, timezone, language)
  const day = `${weekday}, ${date} ${month}`
  const until = partsOf(end, timezone, language).clock
  return allDay ? day : `${day}, ${clock}–${until}${language === 'de' ? ' Uhr' : ''}`
}

/** Returns the city of a zone: "New York" for "America/New_York". */
const cityOf = (timezone: string): string => timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone

/**
 * Formats a start for a writer in another zone: "Tue 24 Nov, 15:00 your time, 14:00 in London". Returns the slot with
 * its end, if the writer gave one, if both zones have the same time.
 */
export const writeForWriter = (
  slot: TimeSlot & { allDay?: boolean; endStated?: boolean },
  zones: { reader: string; writer: string },
  language: Language,
  words: Words,
): string => {
  const { start, allDay = false, endStated = true } = slot
  if (allDay || toWall(start, zones.reader) === toWall(start, zones.writer))
    return allDay || endStated
      ? writeSlot(slot, zones.reader, language, allDay)
      : writeStart(start, zones.reader, language)
  const theirs = partsOf(start, zones.writer, language)
  const own = partsOf(start, zones.reader, language)
  const isGerman = language === 'de'
  const day = isGerman
    ? `${theirs.weekday.slice(0, 2)}, ${theirs.date} ${theirs.month}`
    : `${theirs.weekday.slice(0, 3)} ${theirs.date} ${theirs.month.slice(0, 3)}`
  const otherDay =
    own.weekday === theirs.weekday ? '' : ` (${isGerman ? own.weekday : own.weekday.slice(0, 3)})`
  const place = `${own.clock}${isGerman ? ' Uhr' : ''} in ${cityOf(zones.reader)}${otherDay}`
  return `${day}, ${words('your time', { clock: theirs.clock })}, ${place}`
}

/** Recipients need time to reply, so proposed slots start later than this. */
const MIN_NOTICE_MS = 2 * 60 * MINUTE

/** Picks free slots to propose, on different days if possible, earliest first. */
export const chooseSlots = (
  free: readonly TimeSlot[],
  { minutes, now, timezone, most = 3 }: { minutes: number; now: number; timezone: string; most?: number },
): TimeSlot[] => {
  const lengthMs = minutes * MINUTE
  const candidates = free.flatMap(({ start, end }) => {
    const from = Math.ceil(Math.max(start, now + MIN_NOTICE_MS) / QUARTER) * QUARTER
    return from + lengthMs <= end ? [{ start: from, end: from + lengthMs }] : []
  })
  const dayOf = ({ start }: TimeSlot): number => Math.floor(toWall(start, timezone) / DAY)
  const firsts = candidates.filter(
    (slot, index) => index === candidates.findIndex((other) => dayOf(other) === dayOf(slot)),
  )
  const others = candidates.filter((slot) => !firsts.includes(slot))
  return [...firsts, ...others].slice(0, most).sort((a, b) => a.start - b.start)
}
