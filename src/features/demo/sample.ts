import type { Db } from '../../database/db.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { SampleContent } from './content.ts'
import type { SampleDay, SampleTime } from './items.ts'
import type { MarkKind } from './marks.ts'

export const SAMPLE_ZONE = 'Europe/Berlin'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const isWorkingDay = (day: number): boolean => ((day + 3) % 7) + 1 <= 5

export const toMinutes = (time: SampleTime): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The sample of an account while it is written: its days around now, and the marks of its rows. */
export class Sample {
  readonly tx: Db
  readonly userId: number
  readonly now: Date
  readonly content: SampleContent

  constructor(tx: Db, given: Pick<Sample, 'userId' | 'now' | 'content'>) {
    this.tx = tx
    this.userId = given.userId
    this.now = given.now
    this.content = given.content
  }

  /** Returns a date such as `2026-03-01`, some days after a day of the sample. */
  dateOf(day: SampleDay, daysAfter = 0): string {
    return new Date((this.dayNumber(day) + daysAfter) * DAY_MS).toISOString().slice(0, 10)
  }

  /** Returns the instant of a local time. */
  at(day: SampleDay, time: SampleTime): Date {
    return new Date(toInstant(this.dayNumber(day) * DAY_MS + toMinutes(time) * MINUTE_MS, SAMPLE_ZONE))
  }

  /** Replaces the days in a text. */
  textOf(text: string): string {
    return text.replace(
      /\{(w\d+|sat|sun|-?\d+)(:date)?\}/g,
      (_, name: string, isDate: string | undefined) => {
        const day = /^-?\d/.test(name) ? Number(name) : (name as SampleDay)
        const date = new Date(this.dayNumber(day) * DAY_MS)
        return new Intl.DateTimeFormat(this.content.locale, {
          timeZone: 'UTC',
          ...(isDate ? { day: 'numeric', month: 'long' } : { weekday: 'long' }),
        }).format(date)
      },
    )
  }

  tagsOf(names: readonly string[] = []): string[] {
    return names.map((name) => this.content.tags[name] as string)
  }

  /** Marks a row, so that the removal of the sample finds it. */
  async mark(kind: MarkKind, reference: string | number): Promise<void> {
    await this.tx
      .insertInto('samples')
      .values({ userId: this.userId, kind, reference: String(reference) })
      .execute()
  }

  /** Returns the days since 1970. */
  private dayNumber(day: SampleDay): number {
    const today = Math.floor(toWall(this.now.getTime(), SAMPLE_ZONE) / DAY_MS)
    /** 1 January 1970 was a Thursday; Monday is 0. */
    const weekday = (today + 3) % 7
    if (typeof day === 'number') return today + day
    if (day === 'sat' || day === 'sun') return today + (((day === 'sat' ? 5 : 6) - weekday + 7) % 7 || 7)
    if (day === 'wed') return today - 14 + ((2 - weekday + 7) % 7)
    const count = Number(day.slice(1))
    const step = count < 0 ? -1 : 1
    let found = today
    while (!isWorkingDay(found)) found++
    for (let left = Math.abs(count); left > 0; left--) {
      found += step
      while (!isWorkingDay(found)) found += step
    }
    return found
  }
}
