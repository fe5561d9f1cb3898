import { toWall } from '../../recurrence/time-zones.ts'
import type { Language, Words } from './words.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const QUARTER = 15 * MINUTE

const NAMES: Record<Language, { days: readonly string[]; months: readonly string[] }> = {
  en: {
    days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    months: 'January February March April May June July August September October November December'.split(
      ' ',
    ),
  },
  de: {
    days: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
    months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  },
}

export interface TimeSlot {
  /** Instants in ms. */
  start: number
  end: number
}

const formatClock = (wall: number): string => new Date(wall).toISOString().slice(11, 16)

/** Formats a date as "12 November 2026" or "12. November 2026". */
export const writeDate = (instant: number, timezone: string, language: Language): string => {
  const wall = new Date(toWall(instant, timezone))
  const month = NAMES[language].months[wall.getUTCMonth()]
  return `${wall.getUTCDate()}${language === 'de' ? '.' : ''} ${month} ${wall.getUTCFullYear()}`
}

/** Formats a start as "Thursday 12 November at 14:00". */
const writeStart = (start: number, timezone: string, language: Language): string => {
  const wall = new Date(toWall(start, timezone))
  const { days, months } = NAMES[language]
  const [day, month] = [days[wall.getUTCDay()], months[wall.getUTCMonth()]]
  const clock = formatClock(wall.getTime())
  return language === 'de'
    ? `${day}, ${wall.getUTCDate()}. ${month}, um ${clock} Uhr`
    : `${day} ${wall.getUTCDate()} ${month} at ${clock}`
}

/** Formats a slot as "Thursday, 12 November, 14:00–15:00". */
export const writeSlot = (
  { start, end }: TimeSlot,
  timezone: string,
  language: Language,
  allDay = false,
): string => {
  const [from, until] = [toWall(start, timezone), toWall(end, timezone)]
  const wall = new Date(from)
  const { days, months } = NAMES[language]
  const day = `${days[wall.getUTCDay()]}, ${wall.getUTCDate()}${language === 'de' ? '.' : ''} ${months[wall.getUTCMonth()]}`
  if (allDay) return day
  return language === 'de'
    ? `${day}, ${formatClock(from)}–${formatClock(until)} Uhr`
    : `${day}, ${formatClock(from)}–${formatClock(until)}`
}

/** Returns the city of a zone: "New York" for "America/New_York". */
const cityOf = (timezone: string): string => timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone

const isSameClock = (instant: number, a: string, b: string): boolean =>
  toWall(instant, a) === toWall(instant, b)

/**
 * Formats a start for a writer in another zone: "Tue 24 Nov, 15:00 your time, 14:00 in London". Returns the slot with
 * its end, if the writer gave one, if both zones have the same time.
 */
export const writeForWriter = (
  slot: TimeSlot & { allDay?: boolean; endStated?: boolean },
  zones: { reader: string; writer: string },
  language: Language,
  words: Pick<Words, 'yourTime'>,
): string => {
  const { start, allDay = false, endStated = true } = slot
  if (allDay || isSameClock(start, zones.reader, zones.writer))
    return allDay || endStated
      ? writeSlot(slot, zones.reader, language, allDay)
      : writeStart(start, zones.reader, language)
  const wall = new Date(toWall(start, zones.writer))
  const { days, months } = NAMES[language]
  const [weekday = '', month = ''] = [days[wall.getUTCDay()], months[wall.getUTCMonth()]]
  const day =
    language === 'de'
      ? `${weekday.slice(0, 2)}, ${wall.getUTCDate()}. ${month}`
      : `${weekday.slice(0, 3)} ${wall.getUTCDate()} ${month.slice(0, 3)}`
  const own = formatClock(toWall(start, zones.reader))
  const ownDay = new Date(toWall(start, zones.reader)).getUTCDay()
  const otherDay =
    ownDay === wall.getUTCDay()
      ? ''
      : language === 'de'
        ? ` (${days[ownDay]})`
        : ` (${days[ownDay]?.slice(0, 3)})`
  const place = `${own}${language === 'de' ? ' Uhr' : ''} in ${cityOf(zones.reader)}${otherDay}`
  return `${day}, ${words.yourTime(formatClock(toWall(start, zones.writer)))}, ${place}`
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
