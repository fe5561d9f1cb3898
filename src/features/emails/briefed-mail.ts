import type { Db } from '../../database/db.ts'
import { positionOf } from '../../database/positions.ts'
import type { Folder } from '../../database/tables/mail.ts'
import type { BriefedMail, MailSource, Person, Span } from '../briefing/sources.ts'
import { type BriefedRow, listAnswers, listRecent } from './briefed-mail-store.ts'
import { readTexts } from './store.ts'

const LONGEST_TEXT = 8_000

const mailOf = (row: BriefedRow): BriefedMail => ({
  ...{ id: row.id, threadId: row.threadId, position: row.position, subject: row.subject, date: row.date },
  createdAt: row.createdAt,
  from: { name: row.fromName, address: row.fromAddress },
  to: JSON.parse(row.to) as Person[],
  cc: JSON.parse(row.cc) as Person[],
  analysis: row.analysis === null ? null : (JSON.parse(row.analysis) as unknown),
})

/** Recent mail, as far as a briefing tells of it: pages of indexes, and texts of those that are looked at. */
export const createBriefedMail = (db: Db): MailSource => {
  const recent = async (folders: readonly Folder[], span: Span, limit: number): Promise<BriefedMail[]> => {
    const [from, below] = [positionOf(span.from), positionOf(span.until)]
    const pages: BriefedRow[] = []
    for (const folder of folders) pages.push(...(await listRecent(db, { folder, from, below, limit })))
    return pages
      .sort((a, b) => b.position - a.position)
      .slice(0, limit)
      .map(mailOf)
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
