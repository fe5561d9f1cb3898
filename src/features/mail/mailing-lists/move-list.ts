import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Actions } from '../../undo/journal.ts'
import type { Emails } from '../emails.ts'
import { listInFolder, listStillIn } from './repository.ts'
import type { MoveBody, MoveResponse } from './schema.ts'

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
export const createListMover = (deps: { db: Db; emails: Pick<Emails, 'change'>; actions: Actions }) => {
  const { db, emails, actions } = deps

  const moveAll = async (ids: readonly number[], folder: Folder): Promise<void> => {
    for (const [index, id] of ids.entries()) {
      await emails.change(id, { folder }, undefined)
      if (index % YIELD_INTERVAL === YIELD_INTERVAL - 1) await setImmediate()
    }
  }

  actions.define({
    kind: KIND,
    payload: Payload,
    async undo(tx, { to, ...before }) {
      const all = [...before.inbox, ...before.archive]
      // Skip emails that the user moved or deleted since.
      const unchanged = await listStillIn(tx, all, to)
      if (unchanged.size === 0) throw conflict('These emails were moved or deleted since.')
      for (const folder of ['inbox', 'archive'] as const)
        await moveAll(
          before[folder].filter((id) => unchanged.has(id)),
          folder,
        )
    },
  })

  return ({ id, folder: to }: MoveBody): Promise<MoveResponse> =>
    inTransaction(db, async (tx) => {
      const found: { id: number; folder: Folder }[] = []
      for (const folder of FROM[to])
        found.push(...(await listInFolder(tx, id, folder, MAX_EMAILS + 1 - found.length)))
      const moved = found.slice(0, MAX_EMAILS)
      await moveAll(
        moved.map((email) => email.id),
        to,
      )
      if (moved.length === 0) return { moved: 0, more: false, actionId: null }
      const listIdsFrom = (folder: Folder) =>
        moved.filter((email) => email.folder === folder).map((email) => email.id)
      const count = `${moved.length} email${moved.length === 1 ? '' : 's'}`
      const actionId = await actions.record(tx, {
        kind: KIND,
        summary: `Moved ${count} of ${id} to the ${to}`,
        payload: { to, inbox: listIdsFrom('inbox'), archive: listIdsFrom('archive') },
      })
      return { moved: moved.length, more: found.length > MAX_EMAILS, actionId }
    })
}
