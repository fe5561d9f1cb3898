import { toWall } from '../../../../nlu/time-zones.ts'

export const SAMPLE_ZONE = 'Europe/Berlin'

/**
 * A day relative to today: `0`, `-3`, or `w2` for the second working day from today, and `w-2` for the second one
 * before. `w0` is today, or the next working day on a weekend. `sat` and `sun` are the coming ones. `wed` is a Wednesday
 * one or two weeks ago.
 */
export type SampleDay = number | `w${number}` | 'sat' | 'sun' | 'wed'

/**
 * One message: its day and time, the sender, the subject and the text. The sender is a key of `people`. For today, the
 * time is how long ago the message arrived.
 */
export type SampleMail = readonly [
  day: number,
  time: `${number}:${number}`,
  from: string,
  subject: string,
  text: string,
  more?: {
    key?: string
    /** The key of the message that this one answers. */
    re?: string
    to?: readonly string[]
    cc?: readonly string[]
    folder?: 'archive' | 'drafts' | 'junk'
    tags?: readonly string[]
    unread?: true
    starred?: true
  },
]

export type SampleEvent = readonly [
  day: SampleDay,
  time: `${number}:${number}` | null,
  minutesOrDays: number,
  title: string,
  more?: {
    calendar?: 'family' | 'choir'
    location?: string
    meetingUrl?: string
    tags?: readonly string[]
    recurrence?: string
    tentative?: true
    bookingId?: string
    /** Keys of `people`; the first one is the organizer. */
    people?: readonly string[]
    remind?: number
  },
]

type SampleTask = readonly [
  title: string,
  more?: {
    /** The days from now, and an hour. */
    due?: readonly [number, number?]
    closedDaysAgo?: number
    status?: 'doing' | 'done' | 'cancelled'
    priority?: 'low' | 'high' | 'urgent'
    tags?: readonly string[]
    list?: 'work' | 'home' | 'groceries'
    recurrence?: string
    notes?: string
    estimateMinutes?: number
  },
]

/** The sample of one language. `{w2}` in a text is the weekday of that day, and `{w2:date}` its date. */
export interface SampleContent {
  locale: string
  people: Readonly<Record<string, string>>
  mails: readonly SampleMail[]
  newsletters: readonly { day: number; time: `${number}:${number}`; subject: string; html: string }[]
  invitation: {
    from: string
    subject: string
    text: string
    title: string
    location: string
    day: SampleDay
    time: string
  }
  invoice: { subject: string; text: string; filename: string; lines: readonly string[] }
  calendars: Readonly<Record<'family' | 'choir', string>>
  events: readonly SampleEvent[]
  lists: Readonly<Record<'work' | 'home' | 'groceries', string>>
  tasks: readonly SampleTask[]
  /** The items that the notifications are about. */
  booking: string
  overdueTask: string
  urgentSubject: string
  /** The name of an access token in the account activity. */
  tokenName: string
  stream: {
    language: 'en' | 'de'
    title: string
    scene: string
    /** The texts, and their seconds. */
    captions: readonly (readonly [text: string, second: number])[]
    milestones: readonly (readonly [title: string, unit: string, current: number, target: number])[]
  }
}

const DAY_MS = 86_400_000

const isWorkingDay = (day: number): boolean => ((day + 3) % 7) + 1 <= 5

/** Returns the days since 1970 of a sample day in its time zone. */
export const dayNumber = (day: SampleDay, now: Date): number => {
  const today = Math.floor(toWall(now.getTime(), SAMPLE_ZONE) / DAY_MS)
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

/** Replaces the days in a text. */
export const fillDays = (text: string, now: Date, locale: string): string =>
  text.replace(/\{(w\d+|sat|sun|-?\d+)(:date)?\}/g, (_, name: string, isDate: string | undefined) => {
    const day = /^-?\d/.test(name) ? Number(name) : (name as SampleDay)
    const date = new Date(dayNumber(day, now) * DAY_MS)
    return new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      ...(isDate ? { day: 'numeric', month: 'long' } : { weekday: 'long' }),
    }).format(date)
  })
