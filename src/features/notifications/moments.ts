import { type Language, toFormatLocale, toLanguage } from '../../platform/language.ts'
import { toWall } from '../../recurrence/time-zones.ts'

/** The recipient. Times in the text use their time zone and locale. */
export interface Reader {
  timezone: string
  locale: string
}

const DAY_MS = 86_400_000
const TIME = { hour: 'numeric', minute: '2-digit' } as const
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** Capitalizes a text that starts a line. */
const toLineStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface Occasion {
  start: string | null
  allDay: boolean
  /** An all-day event takes place on that day in its own time zone. */
  timezone: string | null
}

/** Formats times for a reader. Days near the present are named: “today”, “tomorrow”, “yesterday”. */
export class Moments {
  readonly language: Language
  private readonly locale: string
  private readonly timezone: string
  private readonly now: Date

  constructor({ locale, timezone }: Reader, now: Date) {
    this.language = toLanguage(locale)
    this.locale = toFormatLocale(locale)
    this.timezone = timezone
    this.now = now
  }

  isPast(instant: string): boolean {
    return Date.parse(instant) <= this.now.getTime()
  }

  time(instant: string): string {
    return this.format(instant, this.timezone, TIME)
  }

  /** A calendar day such as `2026-03-02`, which is the same in every time zone. */
  day(day: string): string {
    const noon = `${day}T12:00:00Z`
    return this.nameNearDay(Date.parse(noon) / DAY_MS, this.timezone) ?? this.format(noon, 'UTC', DAY)
  }

  dayAndTime(instant: string): string {
    const near = this.nameNear(instant, this.timezone)
    return near === undefined
      ? this.format(instant, this.timezone, { ...DAY, ...TIME })
      : `${near}, ${this.time(instant)}`
  }

  /** The start of an event, at the beginning of a line. */
  start(occasion: Occasion): string {
    return toLineStart(this.startWithin(occasion))
  }

  /** The start of an event, within a sentence. */
  startWithin({ start, allDay, timezone }: Occasion): string {
    if (start === null) return ''
    if (!allDay) return this.dayAndTime(start)
    const zone = timezone ?? this.timezone
    return this.nameNear(start, zone) ?? this.format(start, zone, DAY)
  }

  /** A month such as `2026-03`. */
  month(month: string): string {
    return this.format(`${month}-15T12:00:00Z`, 'UTC', { month: 'long', year: 'numeric' })
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.locale).format(value)
  }

  private nameNear(instant: string, zone: string): string | undefined {
    try {
      return this.nameNearDay(toWall(Date.parse(instant), zone) / DAY_MS, zone)
    } catch {
      return undefined
    }
  }

  /** `day` counts from 1970, in local time. */
  private nameNearDay(day: number, zone: string): string | undefined {
    const today = Math.floor(toWall(this.now.getTime(), zone) / DAY_MS)
    const distance = Math.floor(day) - today
    return Math.abs(distance) <= 1
      ? new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' }).format(distance, 'day')
      : undefined
  }

  /**
   * Falls back to the ISO text. This runs in the transaction of the change, and an unknown time zone must not
   * abort it.
   */
  private format(instant: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
    try {
      return new Intl.DateTimeFormat(this.locale, { timeZone, ...options }).format(new Date(instant))
    } catch {
      return instant
    }
  }
}
