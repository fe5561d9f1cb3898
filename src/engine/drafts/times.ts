import { toWall } from '../time-zones.ts'
import type { Language } from './words.ts'

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

export interface Stretch {
  /** Instants in ms. */
  start: number
  end: number
}

const clockOf = (wall: number): string => new Date(wall).toISOString().slice(11, 16)

/** "12 November 2026", "12. November 2026". */
export const writeDate = (instant: number, timezone: string, language: Language): string => {
  const wall = new Date(toWall(instant, timezone))
  const month = NAMES[language].months[wall.getUTCMonth()]
  return `${wall.getUTCDate()}${language === 'de' ? '.' : ''} ${month} ${wall.getUTCFullYear()}`
}

/** "Thursday, 12 November, 14:00–15:00". */
export const writeSlot = (
  { start, end }: Stretch,
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
    ? `${day}, ${clockOf(from)}–${clockOf(until)} Uhr`
    : `${day}, ${clockOf(from)}–${clockOf(until)}`
}

/** Nobody answers a proposal for the next minutes. */
const NOTICE = 2 * 60 * MINUTE

/** A few times to propose out of what is free, on different days as far as there are some, the earliest first. */
export const chooseSlots = (
  free: readonly Stretch[],
  { minutes, now, timezone, most = 3 }: { minutes: number; now: number; timezone: string; most?: number },
): Stretch[] => {
  const long = minutes * MINUTE
  const candidates = free.flatMap(({ start, end }) => {
    const from = Math.ceil(Math.max(start, now + NOTICE) / QUARTER) * QUARTER
    return from + long <= end ? [{ start: from, end: from + long }] : []
  })
  const dayOf = ({ start }: Stretch): number => Math.floor(toWall(start, timezone) / DAY)
  const firsts = candidates.filter(
    (slot, index) => index === candidates.findIndex((other) => dayOf(other) === dayOf(slot)),
  )
  const others = candidates.filter((slot) => !firsts.includes(slot))
  return [...firsts, ...others].slice(0, most).sort((a, b) => a.start - b.start)
}
