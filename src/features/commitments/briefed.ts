import type { Platform } from '../../platform/platform.ts'
import type { BriefingCommitment, CommitmentSource } from '../briefing/sources.ts'
import { type CommitmentRecord, toCommitment } from './commitment.ts'
import { listCommitments } from './repository.ts'

const DAY_MS = 86_400_000
/** Promises without a date are listed for this long. */
const DAYS_WITHOUT_DATE = 14
const DAYS_AHEAD = 7
/** Promises that are overdue for longer are on their page only. */
const MAX_DAYS_OVERDUE = 30
const MAX_BRIEFED = 20
const PAGE = 100

const toBriefed = (row: CommitmentRecord, now: string): BriefingCommitment => {
  const { id, direction, person, text, dueAt, dueDay, isOverdue, emailId, subject, promisedAt, confidence } =
    toCommitment(row, null, now)
  return {
    id,
    by: direction === 'mine' ? 'me' : 'them',
    who: { name: person.name, address: person.address },
    text,
    dueAt,
    dueDay,
    isOverdue,
    emailId,
    subject,
    date: promisedAt,
    confidence,
  }
}

/** Lists the open promises that matter on a day, by due date. */
export const createBriefingCommitments =
  (
    { db, clock }: Pick<Platform, 'db' | 'clock'>,
    settle: (userId: number) => Promise<void>,
  ): CommitmentSource =>
  async (userId, day) => {
    await settle(userId)
    const rows = await listCommitments(db, userId, { status: 'open' }, { after: undefined, limit: PAGE })
    const shift = (from: string, days: number): string =>
      new Date(Date.parse(from) + days * DAY_MS).toISOString()
    const isWanted = ({ dueAt, promisedAt }: CommitmentRecord): boolean => {
      if (promisedAt >= day.until) return false
      return dueAt === null
        ? promisedAt >= shift(day.until, -DAYS_WITHOUT_DATE)
        : dueAt < shift(day.until, DAYS_AHEAD) && dueAt >= shift(day.from, -MAX_DAYS_OVERDUE)
    }
    const now = clock.now().toISOString()
    return rows
      .filter(isWanted)
      .slice(0, MAX_BRIEFED)
      .map((row) => toBriefed(row, now))
  }
