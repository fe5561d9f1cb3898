import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { positionOf } from '../../../database/positions.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { pageOf, readCursor } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Actions } from '../../undo/journal.ts'
import type { Emails } from '../messages/emails.ts'
import type { MailingList as ListOfMail } from '../mime/list-fields.ts'
import { countByList, listByPositions, listInFolder, listStillIn, listUnsubscriptions } from './repository.ts'
import type { MailingList, MailingListList, MoveBody, MoveResponse } from './schema.ts'
import { toUnsubscription } from './unsubscribe.ts'

const DAY_MS = 86_400_000
/** Lists without mail in this period are not listed. */
const COUNTED_DAYS = 90

/** Lists the mailing lists with recent mail, most frequent first. */
export const createMailingLists =
  ({ db, clock }: Pick<Platform, 'db' | 'clock'>) =>
  async (userId: number, { limit, cursor }: PageRequest): Promise<MailingListList> => {
    const since = positionOf(new Date(clock.now().getTime() - COUNTED_DAYS * DAY_MS).toISOString())
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await countByList(db, userId, since, { limit, after })
    const { page, nextCursor } = pageOf(rows, limit, ({ emails, last }) => [emails, last])
    if (page.length === 0) return { mailingLists: [], nextCursor }
    const positions = page.map(({ last }) => last)
    const newest = await listByPositions(db, userId, positions)
    const listIds = page.map(({ listId }) => listId)
    const unsubscriptions = await listUnsubscriptions(db, userId, listIds)
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

const KIND = 'emails.list_moved'
/** Limit of one move. Other writers wait during the transaction. */
const MAX_EMAILS = 500
/** Yields to other requests after this number of emails. */
const YIELD_INTERVAL = 25
/** Archiving affects only the inbox. Moving to the trash also affects the archive. */
const FROM: Record<MoveBody['folder'], readonly Folder[]> = {
  archive: ['inbox'],
  trash: ['inbox', 'archive'],
}

const Payload = Type.Object({
  to: Type.Enum(['archive', 'trash']),
  /** Email ids by their previous folder. */
  inbox: Type.Array(Type.Integer()),
  archive: Type.Array(Type.Integer()),
})

/** Moves the emails of a list in one transaction, and records their previous folders for undo. */
export const createListMover = (
  { db }: Pick<Platform, 'db'>,
  { emails, actions }: { emails: Pick<Emails, 'change'>; actions: Actions },
) => {
  const moveAll = async (
    userId: number,
    ids: readonly number[],
    { folder, from }: { folder: Folder; from?: Folder },
  ): Promise<void> => {
    for (const [index, id] of ids.entries()) {
      await emails.change(userId, id, { folder }, undefined, { from })
      if (index % YIELD_INTERVAL === YIELD_INTERVAL - 1) await setImmediate()
    }
  }

  actions.define({
    kind: KIND,
    payload: Payload,
    references: { 'inbox.*': 'emails', 'archive.*': 'emails' },
    async undo(tx, { to, ...before }, _parts, userId) {
      const all = [...before.inbox, ...before.archive]
      // Skip emails that the user moved or deleted since.
      const unchanged = await listStillIn(tx, userId, all, to)
      if (unchanged.size === 0) throw conflict('These emails were moved or deleted since.')
      for (const folder of ['inbox', 'archive'] as const) {
        const ids = before[folder].filter((id) => unchanged.has(id))
        await moveAll(userId, ids, { folder, from: to })
      }
    },
  })

  return (userId: number, { id, folder: to }: MoveBody): Promise<MoveResponse> =>
    inTransaction(db, async (tx) => {
      const found: { id: number; folder: Folder }[] = []
      for (const folder of FROM[to])
        found.push(...(await listInFolder(tx, userId, id, folder, MAX_EMAILS + 1 - found.length)))
      if (found.length === 0) return { moved: 0, more: false, actionId: null }
      const moved = found.slice(0, MAX_EMAILS)
      const toIds = (list: typeof moved): number[] => list.map((email) => email.id)
      await moveAll(userId, toIds(moved), { folder: to })
      const listIdsFrom = (folder: Folder) => toIds(moved.filter((email) => email.folder === folder))
      const count = `${moved.length} email${moved.length === 1 ? '' : 's'}`
      const actionId = await actions.record(tx, {
        userId,
        kind: KIND,
        summary: `Moved ${count} of ${id} to the ${to}`,
        payload: { to, inbox: listIdsFrom('inbox'), archive: listIdsFrom('archive') },
      })
      return { moved: moved.length, more: found.length > MAX_EMAILS, actionId }
    })
}
