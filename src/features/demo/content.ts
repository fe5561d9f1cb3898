/**
 * A day relative to today: `0`, `-3`, or `w2` for the second working day from today, and `w-2` for the second one
 * before. `w0` is today, or the next working day on a weekend. `sat` and `sun` are the coming ones. `wed` is a Wednesday
 * one or two weeks ago.
 */
export type SampleDay = number | `w${number}` | 'sat' | 'sun' | 'wed'

/** A local time such as `09:30`. */
export type SampleTime = `${number}:${number}`

/**
 * One message: its day and time, the sender, the subject and the text. The sender is a key of `people`. For today, the
 * time is how long ago the message arrived.
 */
export type SampleMail = readonly [
  day: number,
  time: SampleTime,
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
  time: SampleTime | null,
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

export type SampleTask = readonly [
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
  newsletters: readonly { day: number; time: SampleTime; subject: string; html: string }[]
  invitation: {
    from: string
    subject: string
    text: string
    title: string
    location: string
    day: SampleDay
    time: SampleTime
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
