import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailAccountRow, MailSyncRow } from '../../../database/tables/mail.ts'
import { versionedRows } from '../../../platform/resources.ts'
import type { ServerLimits } from './ports.ts'

export type AccountRecord = Selectable<MailAccountRow>
export type SyncRecord = Selectable<MailSyncRow>
export interface SyncView extends Pick<SyncRecord, 'status' | 'error' | 'lastSyncAt'> {
  stored: number
  total: number
  /** Number of messages that could not be parsed. */
  unreadable: number
}

export const accountRows = versionedRows('mail_accounts', 'mail account')
export const { find: findAccountOf } = accountRows

export const insertAccount = async (tx: Db, row: Insertable<MailAccountRow>): Promise<AccountRecord> => {
  const account = await accountRows.insert(tx, row)
  await tx
    .insertInto('mail_sync')
    .values({
      accountId: row.id,
      status: row.enabled ? 'waiting' : 'off',
      error: null,
      lastSyncAt: null,
      requestedAt: null,
      owner: null,
      leaseUntil: null,
      epoch: 0,
    })
    .execute()
  return account
}

export const findAccount = (db: Db, id: string): Promise<AccountRecord | undefined> =>
  db.selectFrom('mail_accounts').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * The account that sends the mail of the service: the one that the owner chose, or the owner's oldest enabled one.
 * Password reset links for the owner must not pass through another user's server.
 */
export const findSystemAccount = (db: Db): Promise<AccountRecord | undefined> =>
  db
    .selectFrom('mail_accounts')
    .leftJoin('instance_settings', 'instance_settings.mailAccountId', 'mail_accounts.id')
    .selectAll('mail_accounts')
    .where('enabled', '=', 1)
    .where('userId', 'in', (inner) =>
      inner.selectFrom('users').select('users.id').where('users.role', '=', 'owner'),
    )
    .orderBy((row) => row.case().when('instance_settings.id', 'is', null).then(1).else(0).end())
    .orderBy('createdAt')
    .orderBy('mail_accounts.id')
    .limit(1)
    .executeTakeFirst()

/** An enabled account with this address that an instance is syncing now. */
export const findSyncedAccount = (
  db: Db,
  address: string,
  now: string,
): Promise<Pick<AccountRecord, 'id' | 'address'> | undefined> =>
  db
    .selectFrom('mail_accounts')
    .innerJoin('mail_sync', 'mail_sync.accountId', 'mail_accounts.id')
    .select(['mail_accounts.id', 'mail_accounts.address'])
    .where(({ eb, fn }) => eb(fn<string>('lower', ['mail_accounts.address']), '=', address.toLowerCase()))
    .where('enabled', '=', 1)
    .where('status', 'in', ['live', 'syncing'])
    .where('leaseUntil', '>', now)
    .limit(1)
    .executeTakeFirst()

/** Stores changed limits that the SMTP server announced. They are no edit of the user, so the version stays. */
export const saveServerLimits = async (
  db: Db,
  { id, userId, ...known }: AccountRecord,
  { maxMessageBytes = known.maxMessageBytes, acceptsUtf8 }: ServerLimits,
): Promise<void> => {
  const utf8 = acceptsUtf8 === undefined ? known.acceptsUtf8 : acceptsUtf8 ? 1 : 0
  if (maxMessageBytes === known.maxMessageBytes && utf8 === known.acceptsUtf8) return
  await db
    .updateTable('mail_accounts')
    .set({ maxMessageBytes, acceptsUtf8: utf8 })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .execute()
}

const MAX_ACCOUNTS = 50

/** The account that sends a user's own mail: the oldest one, with working accounts before failing ones. */
export const findSenderOf = async (db: Db, userId: number): Promise<AccountRecord | undefined> => {
  const accounts = await db
    .selectFrom('mail_accounts')
    .innerJoin('mail_sync', 'mail_sync.accountId', 'mail_accounts.id')
    .selectAll('mail_accounts')
    .select('status')
    .where('userId', '=', userId)
    .where('enabled', '=', 1)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(MAX_ACCOUNTS)
    .execute()
  return accounts.find(({ status }) => status !== 'failing' && status !== 'signed_out') ?? accounts[0]
}

/** An account that signs in at this provider. Addresses are compared without case. */
export const findAccountByAddress = async (
  db: Db,
  userId: number,
  address: string,
  signIn: AccountRecord['signIn'],
): Promise<AccountRecord | undefined> => {
  const accounts = await db
    .selectFrom('mail_accounts')
    .selectAll()
    .where('userId', '=', userId)
    .where('signIn', '=', signIn)
    .orderBy('createdAt')
    .execute()
  return accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())
}

export const deleteAccount = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('mail_accounts').where('id', '=', id).execute()
  await tx
    .updateTable('calendar_accounts')
    .set((row) => ({ mailAccountId: null, version: row('version', '+', 1) }))
    .where('mailAccountId', '=', id)
    .execute()
  await tx
    .updateTable('instance_settings')
    .set((row) => ({ mailAccountId: null, version: row('version', '+', 1) }))
    .where('mailAccountId', '=', id)
    .execute()
}

export const listOwnAddresses = (
  db: Db,
  userId: number,
  limit: number,
): Promise<Pick<AccountRecord, 'address' | 'identities'>[]> =>
  db
    .selectFrom('mail_accounts')
    .select(['address', 'identities'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .limit(limit)
    .execute()

/** The user's accounts, oldest first. The number of accounts is small. */
export const listAddresses = (
  db: Db,
  userId: number,
): Promise<Pick<AccountRecord, 'id' | 'address' | 'senderName'>[]> =>
  db
    .selectFrom('mail_accounts')
    .select(['id', 'address', 'senderName'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const findSync = (
  db: Db,
  accountId: string,
): Promise<Pick<SyncRecord, 'status' | 'lastSyncAt'> | undefined> =>
  db
    .selectFrom('mail_sync')
    .select(['status', 'lastSyncAt'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()

export const readSync = async (
  db: Db,
  { id: accountId, userId }: Pick<AccountRecord, 'id' | 'userId'>,
): Promise<SyncView> => {
  const sync = await db
    .selectFrom('mail_sync')
    .select(['status', 'error', 'lastSyncAt'])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const { total } = await db
    .selectFrom('mail_folders')
    .select(({ fn }) => fn.sum<number | null>('total').as('total'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  const { stored } = await db
    .selectFrom('mail_placements')
    .select(({ fn }) => fn.countAll<number>().as('stored'))
    .where('accountId', '=', accountId)
    .where('goneAt', 'is', null)
    .where('attempts', '=', 0)
    .executeTakeFirstOrThrow()
  const { unreadable } = await db
    .selectFrom('emails')
    .select(({ fn }) => fn.countAll<number>().as('unreadable'))
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .where('unreadable', 'is not', null)
    .executeTakeFirstOrThrow()
  return { ...sync, stored: Number(stored), total: Number(total), unreadable: Number(unreadable) }
}
