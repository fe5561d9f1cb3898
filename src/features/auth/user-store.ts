import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { UserRow } from '../../database/tables/accounts.ts'
import { notFound } from '../../platform/errors.ts'

export type User = Selectable<UserRow>

/** How e-mail addresses are compared: one mailbox, one account, however it is spelled. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase()

export const insertUser = (db: Db, row: Insertable<UserRow>): Promise<User> =>
  db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow()

const selectUser = prepare<{ id: number }, User>((db, parameter) =>
  db.selectFrom('users').selectAll().where('id', '=', parameter('id')),
)

export const findUser = async (db: Db, id: number): Promise<User | undefined> =>
  (await selectUser(db, { id }))[0]

/** What of an account is shown to its owner: asked for on every visit, so no wider than it is. */
export type ProfileRow = Pick<
  User,
  'id' | 'email' | 'name' | 'avatarHash' | 'timezone' | 'twoFactorEnabledAt' | 'createdAt' | 'version'
>

const selectProfile = prepare<{ id: number }, ProfileRow>((db, parameter) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'avatarHash', 'timezone', 'twoFactorEnabledAt', 'createdAt', 'version'])
    .where('id', '=', parameter('id')),
)

export const getProfile = async (db: Db, id: number): Promise<ProfileRow> => {
  const [profile] = await selectProfile(db, { id })
  if (!profile) throw notFound('account')
  return profile
}

export const getUser = async (db: Db, id: number): Promise<User> => {
  const user = await findUser(db, id)
  if (!user) throw notFound('account')
  return user
}

export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('emailKey', '=', emailKeyOf(email)).executeTakeFirst()

const selectOwner = prepare<Record<never, never>, User>((db) =>
  db.selectFrom('users').selectAll().where('role', '=', sql.lit('owner')),
)

export const findOwner = async (db: Db): Promise<User | undefined> => (await selectOwner(db, {}))[0]

/** Writes the change and counts it. */
export const updateUser = (db: Db, user: User, change: Updateable<UserRow>, at: string): Promise<User> =>
  db
    .updateTable('users')
    .set({ ...change, version: user.version + 1, updatedAt: at })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** For a change that depends on what is there: others wait for it. (SQLite has one writer anyway.) */
export const lockUser = async (tx: Db, id: number): Promise<User> => {
  await tx
    .updateTable('users')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute()
  const user = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) throw notFound('account')
  return user
}
