import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** A promise that was found in an email. */
export interface CommitmentRow {
  id: Generated<number>
  userId: number
  /** `mine`: the user promised it; `theirs`: the other person did. */
  direction: 'mine' | 'theirs'
  personName: string
  /** In lower case. */
  personAddress: string
  text: string
  quote: string
  quoteOffset: number
  /** Null after the email was deleted. */
  emailId: number | null
  threadId: number | null
  subject: string
  promisedAt: string
  /** In hundredths. */
  confidence: number
  dueAt: string | null
  dueDay: string | null
  /** When it becomes overdue. */
  lateAt: string | null
  /** Time at which `commitment.due` will be recorded; null if it was recorded or never will be. */
  remindAt: string | null
  /** Position in lists: see `toPlace` in features/commitments/commitment.ts. */
  place: number
  status: 'open' | 'done' | 'dismissed'
  closedAt: string | null
  closedBy: 'email' | 'task' | 'user' | null
  /** The email that shows that it was kept. While the status is `open`, a suggestion. */
  closingEmailId: number | null
  closingQuote: string | null
  taskId: number | null
  /** 1 if the email had the tag `private`. */
  isPrivate: number
  version: number
  createdAt: string
  updatedAt: string
}

/** An email that is still to be read for promises. */
export interface CommitmentMailRow {
  emailId: number
  userId: number
}

export interface CommitmentsTables {
  commitments: CommitmentRow
  commitment_mails: CommitmentMailRow
}

export const commitmentsKeys: TableKeys<CommitmentsTables> = {
  commitments: ['id'],
  commitment_mails: ['emailId'],
}
