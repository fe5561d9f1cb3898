import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { ActivityRow } from '../../database/tables/accounts.ts'

export type ActivityRecord = Selectable<ActivityRow>

export interface ActivityFilter {
  action?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export const insertActivity = async (tx: Db, row: Insertable<ActivityRow>): Promise<void> => {
  await tx.insertInto('activity').values(row).execute()
}

export const listActivity = (
  db: Db,
  userId: number,
  { action, since, until }: ActivityFilter,
  after: readonly [string, number] | undefined,
  limit: number,
): Promise<Pick<ActivityRecord, 'id' | 'at' | 'action' | 'ip' | 'userAgent' | 'details'>[]> =>
  db
    .selectFrom('activity')
    .select(['id', 'at', 'action', 'ip', 'userAgent', 'details'])
    .where('userId', '=', userId)
    .$if(action !== undefined, (query) => query.where('action', '=', action as string))
    .$if(since !== undefined, (query) => query.where('at', '>=', since as string))
    .$if(until !== undefined, (query) => query.where('at', '<', until as string))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '<', tuple(...(after as [string, number]))),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/**
 * Locks the row that stores the end of the chain. Only the holder of this lock may extend or shorten the
 * chain.
 */
export const lockSeal = async (tx: Db): Promise<string | null> => {
  await tx
    .insertInto('activity_seal')
    .values({ id: 1, sealed: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .updateTable('activity_seal')
    .set((seal) => ({ sealed: seal.ref('sealed') }))
    .returning('sealed')
    .executeTakeFirst()
  return row?.sealed ?? null
}

export const findSeal = async (db: Db): Promise<string | null> =>
  (await db.selectFrom('activity_seal').select('sealed').executeTakeFirst())?.sealed ?? null

export const writeSeal = async (tx: Db, sealed: string): Promise<void> => {
  await tx.updateTable('activity_seal').set({ sealed }).execute()
}

export const listUnsealed = (tx: Db, limit: number): Promise<ActivityRecord[]> =>
  tx.selectFrom('activity').selectAll().where('position', 'is', null).orderBy('id').limit(limit).execute()

export const writeLink = async (tx: Db, id: number, position: number, hash: string): Promise<void> => {
  await tx.updateTable('activity').set({ position, hash }).where('id', '=', id).execute()
}

export const listSealed = (db: Db, after: number, limit: number): Promise<ActivityRecord[]> =>
  db
    .selectFrom('activity')
    .selectAll()
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()

export const deleteSealed = async (tx: Db, until: number): Promise<void> => {
  await tx.deleteFrom('activity').where('position', '<=', until).execute()
}

const BLANK = { userId: null, salt: '', ip: '', userAgent: '', details: '{}' } as const

export const blankEntry = async (tx: Db, id: number): Promise<void> => {
  await tx.updateTable('activity').set(BLANK).where('id', '=', id).execute()
}

/** Removes the personal data of older entries, user by user, because the index starts with the user id. */
export const blankOld = async (tx: Db, before: string): Promise<void> => {
  for (const { id } of await tx.selectFrom('users').select('id').execute())
    await tx.updateTable('activity').set(BLANK).where('userId', '=', id).where('at', '<', before).execute()
}

/** Removes the personal data of a user's entries, or of all entries if no user is given. */
export const blankActivity = async (tx: Db, userId?: number): Promise<void> => {
  await tx
    .updateTable('activity')
    .set(BLANK)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as number))
    .execute()
}
