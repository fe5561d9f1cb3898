import { type InferResult, type Selectable, sql, type Updateable } from 'kysely'
import { storageOfUser } from '../../../database/account-storage.ts'
import type { Db } from '../../../database/db.ts'
import { type InstanceSettingsRow, THE_ONE } from '../../../database/tables/accounts.ts'
import type { User } from '../../auth/repository.ts'

export type InstanceSettings = Selectable<InstanceSettingsRow>

export const readInstanceSettings = (db: Db): Promise<InstanceSettings | undefined> =>
  db.selectFrom('instance_settings').selectAll().where('id', '=', THE_ONE).executeTakeFirst()

/** Creates the row if necessary, and locks it for a change. */
export const lockInstanceSettings = async (tx: Db, at: string): Promise<InstanceSettings> => {
  await tx
    .insertInto('instance_settings')
    .values({ id: THE_ONE, registration: null, version: 0, updatedAt: at })
    .onConflict((existing) => existing.column('id').doUpdateSet({ id: THE_ONE }))
    .execute()
  return tx.selectFrom('instance_settings').selectAll().executeTakeFirstOrThrow()
}

export const updateInstanceSettings = (
  tx: Db,
  change: Updateable<InstanceSettingsRow>,
): Promise<InstanceSettings> =>
  tx
    .updateTable('instance_settings')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .returningAll()
    .executeTakeFirstOrThrow()

/** The accounts of the instance, in the order of their registration. */
export const selectAccounts = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'role', 'createdAt', 'disabledAt', 'storageQuotaBytes', 'version'])
    .select(storageOfUser.as('storageBytes'))
    .select(({ selectFrom }) =>
      selectFrom('activity')
        .whereRef('activity.userId', '=', 'users.id')
        .where('activity.action', '=', 'session.started')
        .select(({ fn }) => fn.max('activity.at').as('at'))
        .as('lastSignInAt'),
    )
    .where('role', '<>', sql.lit('local'))

export type AccountRecord = InferResult<ReturnType<typeof selectAccounts>>[number]

export const findAccount = (db: Db, id: number): Promise<AccountRecord | undefined> =>
  selectAccounts(db).where('id', '=', id).executeTakeFirst()

/** True if the instance has more accounts than the owner's. */
export const hasMembers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('role', '=', 'member').limit(1).executeTakeFirst()) !==
  undefined

/** Passes ownership on. The order matters: an instance has at most one owner at any time. */
export const passOwnershipTo = async (tx: Db, from: User, to: number, at: string): Promise<void> => {
  for (const [id, role] of [
    [from.id, 'member'],
    [to, 'owner'],
  ] as const)
    await tx
      .updateTable('users')
      .set((row) => ({ role, version: row('version', '+', 1), updatedAt: at }))
      .where('id', '=', id)
      .execute()
}
