import type { Static } from 'typebox'
import type { Folder } from '../../database/tables/mail.ts'
import type {
  BriefingCommitment as BriefingCommitmentShape,
  BriefingEvent,
  Task as BriefingTaskShape,
  Person as PersonShape,
} from './schema.ts'

/** Data that other features provide for a briefing. Times are instants. */
export interface Span {
  from: string
  until: string
}

/** Lists the events of an account in a span, ordered by start, up to a limit. They may have more fields than a briefing has. */
export type EventSource = (userId: number, span: Span) => Promise<BriefingEvent[]>

export type BriefingTask = Static<typeof BriefingTaskShape>

/** Lists open tasks of an account that are due in a span or before it, oldest first. `isMore` reports truncated lists. */
export type TaskSource = (
  userId: number,
  span: Span,
) => Promise<{
  due: BriefingTask[]
  overdue: BriefingTask[]
  isMore: { due: boolean; overdue: boolean }
}>

export type Person = Static<typeof PersonShape>

export interface BriefedMail {
  id: number
  threadId: number
  /** Position in chronological order. */
  position: number
  folder: Folder
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  date: string
  createdAt: string
  /** Stored analysis of the mail. */
  analysis: unknown
}

export type BriefingCommitment = Static<typeof BriefingCommitmentShape>

/** Lists the open promises that matter on a day, by due date. */
export type CommitmentSource = (userId: number, day: Span) => Promise<BriefingCommitment[]>

export interface MailSource {
  /** Newest first. */
  received(userId: number, span: Span, limit: number): Promise<BriefedMail[]>
  /** Returns the position of the last sent mail in each thread. */
  lastAnswers(userId: number, threadIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** The ids must come from `received` or `sent`. */
  texts(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
}
