import type { COMMENTS, EVENTS, MAILS, TASKS } from './items.ts'

/** The texts of the sample in one language. `{w2}` in a text is the weekday of that day, and `{w2:date}` its date. */
export interface SampleContent {
  locale: string
  people: Readonly<Record<string, string>>
  tags: Readonly<Record<string, string>>
  /** An answer has the subject of its conversation. */
  mails: Readonly<Record<keyof typeof MAILS, { subject?: string; text: string }>>
  newsletters: readonly [subject: string, html: string][]
  invitation: {
    from: string
    subject: string
    text: string
    title: string
    location: string
  }
  invoice: { subject: string; text: string; filename: string; lines: readonly string[] }
  calendars: Readonly<Record<'family' | 'choir', string>>
  events: Readonly<Record<keyof typeof EVENTS, readonly [title: string, location?: string]>>
  lists: Readonly<Record<'work' | 'home' | 'groceries', string>>
  tasks: Readonly<Record<keyof typeof TASKS, readonly [title: string, notes?: string]>>
  comments: Readonly<Record<keyof typeof COMMENTS, string>>
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
