import type { Db } from '../../../database/db.ts'
import { positionOf } from '../../../database/positions.ts'
import type { Clock } from '../../../platform/clock.ts'
import { pageOf, readCursor } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { MailingList as ListOfMail } from '../mime/list-fields.ts'
import { countByList, listByPositions, listUnsubscriptions } from './repository.ts'
import type { MailingList, MailingListList } from './schema.ts'
import { toUnsubscription } from './unsubscribe.ts'

const DAY_MS = 86_400_000
/** Lists without mail in this period are not listed. */
const COUNTED_DAYS = 90

/** Lists the mailing lists with recent mail, most frequent first. */
export const createMailingLists =
  ({ db, clock }: { db: Db; clock: Clock }) =>
  async ({ limit, cursor }: PageRequest): Promise<MailingListList> => {
    const since = positionOf(new Date(clock.now().getTime() - COUNTED_DAYS * DAY_MS).toISOString())
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await countByList(db, since, { limit, after })
    const { page, nextCursor } = pageOf(rows, limit, ({ emails, last }) => [emails, last])
    if (page.length === 0) return { mailingLists: [], nextCursor }
    const newest = await listByPositions(
      db,
      page.map(({ last }) => last),
    )
    const unsubscriptions = await listUnsubscriptions(
      db,
      page.map(({ listId }) => listId),
    )
    const newestByPosition = new Map(newest.map((email) => [email.position, email]))
    const unsubscriptionsById = new Map(unsubscriptions.map((row) => [row.listId, toUnsubscription(row)]))
    const mailingLists = page.flatMap(({ listId, emails, unread, last }): MailingList[] => {
      const email = newestByPosition.get(last)
      if (!email?.mailingList) return []
      return [
        {
          ...(JSON.parse(email.mailingList) as ListOfMail),
          from: { name: email.fromName, address: email.fromAddress },
          emails,
          unread,
          lastReceivedAt: email.date,
          lastEmailId: email.id,
          unsubscribed: unsubscriptionsById.get(listId) ?? null,
        },
      ]
    })
    return { mailingLists, nextCursor }
  }
