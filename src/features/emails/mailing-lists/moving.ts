import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Actions } from '../../actions/actions.ts'
import type { Emails } from '../emails.ts'
import type { MoveAnswer, MoveBody } from './schema.ts'
import { listInFolder, listStillIn } from './store.ts'

const KIND = 'emails.list_moved'
/** Moved at once: whoever writes waits meanwhile. */
const MOST = 500
/** Between so many, others are answered. */
const PIECE = 25
/** What is archived lay in the inbox; what is thrown away may have been archived. */
const FROM: Record<MoveBody['folder'], readonly Folder[]> = {
  archive: ['inbox'],
  trash: ['inbox', 'archive'],
}

const Payload = Type.Object({
  to: Type.Enum(['archive', 'trash']),
  /** By where they lay before. */
  inbox: Type.Array(Type.Integer()),
  archive: Type.Array(Type.Integer()),
})

/** Puts the mails of a list away, all at once; the journal knows where they lay. */
export const createListMoving = (deps: { db: Db; emails: Pick<Emails, 'change'>; actions: Actions }) => {
  const { db, emails, actions } = deps

  const moveAll = async (ids: readonly number[], folder: Folder): Promise<void> => {
    for (const [index, id] of ids.entries()) {
      await emails.change(id, { folder }, undefined)
      if (index % PIECE === PIECE - 1) await setImmediate()
    }
  }

  actions.define({
    kind: KIND,
    payload: Payload,
    async undo(tx, { to, ...before }) {
      const all = [...before.inbox, ...before.archive]
      // What was moved elsewhere since, or deleted, was meant to be.
      const there = await listStillIn(tx, all, to)
      if (there.size === 0) throw conflict('These e-mails have been moved or removed since.')
      for (const folder of ['inbox', 'archive'] as const)
        await moveAll(
          before[folder].filter((id) => there.has(id)),
          folder,
        )
    },
  })

  return ({ id, folder: to }: MoveBody): Promise<MoveAnswer> =>
    inTransaction(db, async (tx) => {
      const found: { id: number; folder: Folder }[] = []
      for (const folder of FROM[to])
        found.push(...(await listInFolder(tx, id, folder, MOST + 1 - found.length)))
      const moved = found.slice(0, MOST)
      await moveAll(
        moved.map((one) => one.id),
        to,
      )
      if (moved.length === 0) return { moved: 0, more: false, actionId: null }
      const lay = (folder: Folder) => moved.filter((one) => one.folder === folder).map((one) => one.id)
      const many = `${moved.length} e-mail${moved.length === 1 ? '' : 's'}`
      const actionId = await actions.record(tx, {
        kind: KIND,
        summary: `Moved ${many} of ${id} to the ${to}`,
        payload: { to, inbox: lay('inbox'), archive: lay('archive') },
      })
      return { moved: moved.length, more: found.length > MOST, actionId }
    })
}
