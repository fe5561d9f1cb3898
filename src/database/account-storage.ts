import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'
import { prepare } from './prepared.ts'
import { accountTally, addToTally, clearTally, readTally } from './tallies.ts'

/*
 * The storage of an account is the size of its emails and attachments in bytes. An email counts with its text,
 * its HTML and its raw message; an attachment or upload with its content. Content that several of them share counts each time. A
 * running tally holds the sum, so that no request has to scan the emails. The tally must always equal
 * `measureStorage`.
 */

/** Tally of each account: its storage in bytes. */
export const STORAGE = 'storage'

const tallyOf = (userId: number): string => accountTally(STORAGE, userId)

/** SQL for the storage of one email, with the attachments that belong to it. */
const sizeOfEmail = (userId: number, id: number): RawBuilder<number> => sql<number>`
  coalesce((select octet_length(text) + coalesce(octet_length(html), 0)
    from email_bodies where "emailId" = ${id}), 0)
  + coalesce((select blobs.size from emails join blobs on blobs.hash = emails."rawBlob"
    where emails.id = ${id} and emails."userId" = ${userId}), 0)
  + coalesce((select sum(size) from attachments where "emailId" = ${id} and "userId" = ${userId}), 0)`

interface EmailKey {
  userId: number
  id: number
}

const selectEmailSize = prepare<EmailKey, { bytes: number | string }>(
  (_db, values) => sql`select ${sizeOfEmail(values.userId, values.id)} as bytes`,
)

/** Returns the storage of one email. */
export const measureEmail = async (tx: Db, { userId, id }: EmailKey): Promise<number> =>
  Number((await selectEmailSize(tx, { userId, id }))[0]?.bytes ?? 0)

const insertEmailSize = prepare<EmailKey & { name: string }, unknown>(
  (_db, values) => sql`insert into tallies (name, amount)
    select cast(${values.name} as text), ${sizeOfEmail(values.userId, values.id)}`,
)

/** Adds a new email to the storage of its account. */
export const addEmailToStorage = async (tx: Db, { userId, id }: EmailKey): Promise<void> => {
  await insertEmailSize(tx, { userId, id, name: tallyOf(userId) })
}

/** Adds bytes to the storage of an account, or subtracts them. */
export const addToStorage = (tx: Db, userId: number, bytes: number): Promise<void> =>
  addToTally(tx, tallyOf(userId), bytes)

/** Runs `change`, and adds the difference in the size of the email to the storage of its account. */
export const trackEmailSize = async <T>(tx: Db, email: EmailKey, change: () => Promise<T>): Promise<T> => {
  const before = await measureEmail(tx, email)
  const result = await change()
  await addToStorage(tx, email.userId, (await measureEmail(tx, email)) - before)
  return result
}

export const readStorage = (db: Db, userId: number): Promise<number> => readTally(db, tallyOf(userId))

/** SQL for the storage of each account, in a query over `users`. */
export const storageOfUser = sql<number | string>`
  (select coalesce(sum(amount), 0) from tallies
    where tallies.name = ${sql.lit(`${STORAGE}/`)} || cast(users.id as text))`

/** Computes the storage from the stored rows. It scans all emails of the account, so requests use the tally. */
export const measureStorage = async (db: Db, userId: number): Promise<number> => {
  const { rows } = await sql<{ bytes: number | string }>`
    select
      (select coalesce(sum(octet_length(body.text) + coalesce(octet_length(body.html), 0)), 0)
        from emails join email_bodies as body on body."emailId" = emails.id where emails."userId" = ${userId})
      + (select coalesce(sum(blobs.size), 0)
        from emails join blobs on blobs.hash = emails."rawBlob" where emails."userId" = ${userId})
      + (select coalesce(sum(size), 0) from attachments where "userId" = ${userId}) as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Computes the tally again, after rows were written without it. */
export const recountStorage = async (tx: Db, userId: number): Promise<void> => {
  await clearTally(tx, tallyOf(userId))
  await addToStorage(tx, userId, await measureStorage(tx, userId))
}

export const clearStorage = (tx: Db, userId: number): Promise<void> => clearTally(tx, tallyOf(userId))

/** The limit of the storage of an account. Null: no limit. This is the only place that determines it. */
export const readStorageLimit = async (db: Db, userId: number): Promise<number | null> => {
  const row = await db
    .selectFrom('users')
    .select('storageQuotaBytes')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.storageQuotaBytes ?? null
}
