import type { Db } from '../../database/db.ts'
import { positionOf } from '../../database/positions.ts'
import type { Folder } from '../../database/tables/mail.ts'
import { readTally } from '../../database/tallies.ts'
import type { BriefedMail, MailSource, Person, Span } from '../briefing/sources.ts'
import type { EmailsReader } from '../dashboard/dashboard.ts'
import { type BriefedRow, listAnswers, listRecent } from './email-list-repository.ts'
import { countReceived, countUnread, countUrgent, readTexts, TALLY } from './email-repository.ts'

const LONGEST_TEXT = 8_000

const toBriefedMail = (row: BriefedRow): BriefedMail => ({
  id: row.id,
  threadId: row.threadId,
  position: row.position,
  subject: row.subject,
  date: row.date,
  createdAt: row.createdAt,
  from: { name: row.fromName, address: row.fromAddress },
  to: JSON.parse(row.to) as Person[],
  cc: JSON.parse(row.cc) as Person[],
  analysis: row.analysis === null ? null : (JSON.parse(row.analysis) as unknown),
})

/** Lists recent mail for the briefing from indexes. Texts are read only on request. */
export const createBriefedMail = (db: Db): MailSource => {
  const recent = async (folders: readonly Folder[], span: Span, limit: number): Promise<BriefedMail[]> => {
    const [from, below] = [positionOf(span.from), positionOf(span.until)]
    const pages: BriefedRow[] = []
    for (const folder of folders) pages.push(...(await listRecent(db, { folder, from, below, limit })))
    return pages
      .sort((a, b) => b.position - a.position)
      .slice(0, limit)
      .map(toBriefedMail)
  }
  return {
    received: (span, limit) => recent(['inbox', 'archive'], span, limit),
    sent: (span, limit) => recent(['sent'], span, limit),
    async lastAnswers(threadIds) {
      const last = new Map<number, number>()
      if (threadIds.length === 0) return last
      for (const { threadId, position } of await listAnswers(db, threadIds))
        last.set(threadId, Math.max(position, last.get(threadId) ?? 0))
      return last
    },
    async texts(ids) {
      const rows = await readTexts(db, ids, LONGEST_TEXT)
      return new Map(rows.map(({ emailId, text }) => [emailId, text]))
    },
  }
}

/** Counts mail for the dashboard, from indexes only. */
export const createEmailFigures =
  (db: Db): EmailsReader =>
  async ({ today, days }) => {
    const [receivedToday = 0, ...perDay] = await countReceived(
      db,
      [today, ...days].map(({ start, end }) => ({ from: positionOf(start), below: positionOf(end) })),
    )
    return {
      figures: {
        total: await readTally(db, TALLY),
        unread: await countUnread(db),
        urgent: await countUrgent(db),
        receivedToday,
      },
      perDay,
    }
  }
