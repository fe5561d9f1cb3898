/** What the rooms tell a briefing. Times are instants. */
export interface Span {
  from: string
  until: string
}

export interface BriefedEvent {
  id: number
  occurrenceStart: string | null
  title: string
  start: string
  end: string
  allDay: boolean
  location: string
  meetingUrl: string | null
  status: string
  /** Whether it takes up time. */
  busy: boolean
}

/** What takes place in a span, in the order of its beginning, and no more than fits on a page. */
export type EventSource = (span: Span) => Promise<BriefedEvent[]>

export interface BriefedTask {
  id: number
  title: string
  dueAt: string
  /** Null when it is due at an hour. */
  dueDay: string | null
  priority: string
}

/** Open tasks that are due in a span, and those that were due before it; the oldest first, and whether there are more. */
export type TaskSource = (span: Span) => Promise<{
  due: BriefedTask[]
  overdue: BriefedTask[]
  isMore: { due: boolean; overdue: boolean }
}>

export interface Person {
  name: string
  address: string
}

export interface BriefedMail {
  id: number
  threadId: number
  /** Its place in time. */
  position: number
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  date: string
  createdAt: string
  /** What was found in it and kept. */
  analysis: unknown
}

export interface MailSource {
  /** The newest first. */
  received(span: Span, limit: number): Promise<BriefedMail[]>
  sent(span: Span, limit: number): Promise<BriefedMail[]>
  /** The place of the last thing that was written in each of these conversations from here. */
  lastAnswers(threadIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  texts(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
}
