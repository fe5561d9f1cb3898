import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { Folder } from '../../database/tables/mail.ts'
import type { EmailRecord } from './store.ts'

const BRIEFED = [
  'id',
  'threadId',
  'position',
  'fromName',
  'fromAddress',
  'to',
  'cc',
  'subject',
  'date',
  'createdAt',
  'analysis',
] as const
export type BriefedRow = Pick<EmailRecord, (typeof BRIEFED)[number]>

/** The newest of a folder between two places. */
export const listRecent = prepare<{ folder: Folder; from: number; below: number; limit: number }, BriefedRow>(
  (db, parameter) =>
    db
      .selectFrom('emails')
      .select(BRIEFED)
      .where('folder', '=', parameter('folder'))
      .where('position', '>=', parameter('from'))
      .where('position', '<', parameter('below'))
      .orderBy('position', 'desc')
      .limit(parameter('limit')),
)

const MOST_ANSWERS = 2_000

/** What was written from here in some conversations. What could not be sent, or was called back, answers nobody. */
export const listAnswers = (
  db: Db,
  threadIds: readonly number[],
): Promise<{ threadId: number; position: number }[]> =>
  db
    .selectFrom('emails')
    .select(['threadId', 'position'])
    .where('threadId', 'in', threadIds)
    .where('folder', '=', 'sent')
    .where((row) =>
      row.or([row('deliveryStatus', 'is', null), row('deliveryStatus', 'not in', ['failed', 'cancelled'])]),
    )
    .limit(sql.lit(MOST_ANSWERS))
    .execute()
