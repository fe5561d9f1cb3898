import type { Db } from '../../../database/db.ts'
import { positionOf } from '../../../database/positions.ts'
import type { Clock } from '../../../platform/clock.ts'
import { pageOf, readCursor } from '../../../platform/http/cursor.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { MailingList as ListOfMail } from '../mime/list-fields.ts'
import type { MailingList, MailingListList } from './schema.ts'
import { listByPositions, listFigures, listUnsubscriptions } from './store.ts'
import { unsubscriptionOf } from './unsubscriptions.ts'

const DAY_MS = 86_400_000
/** What has been silent for longer bothers nobody. */
const COUNTED_DAYS = 90

/** The mailing lists that write, those that write most first. */
export const createMailingLists =
  ({ db, clock }: { db: Db; clock: Clock }) =>
  async ({ limit, cursor }: PageRequest): Promise<MailingListList> => {
    const since = positionOf(new Date(clock.now().getTime() - COUNTED_DAYS * DAY_MS).toISOString())
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await listFigures(db, since, { limit, after })
    const { page, nextCursor } = pageOf(rows, limit, ({ emails, last }) => [emails, last])
    if (page.length === 0) return { mailingLists: [], nextCursor }
    const newest = await listByPositions(
      db,
      page.map(({ last }) => last),
    )
    const left = await listUnsubscriptions(
      db,
      page.map(({ listId }) => listId),
    )
    const newestAt = new Map(newest.map((email) => [email.position, email]))
    const leftById = new Map(left.map((row) => [row.listId, unsubscriptionOf(row)]))
    const mailingLists = page.flatMap(({ listId, emails, unread, last }): MailingList[] => {
      const email = newestAt.get(last)
      if (!email?.mailingList) return []
      return [
        {
          ...(JSON.parse(email.mailingList) as ListOfMail),
          from: { name: email.fromName, address: email.fromAddress },
          ...{ emails, unread, lastReceivedAt: email.date, lastEmailId: email.id },
          unsubscribed: leftById.get(listId) ?? null,
        },
      ]
    })
    return { mailingLists, nextCursor }
  }
