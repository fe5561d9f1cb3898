import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { BillingAccountRow } from '../../database/tables/billing.ts'

export type AccountRecord = Selectable<BillingAccountRow>

export const findAccount = (db: Db, userId: number): Promise<AccountRecord | undefined> =>
  db.selectFrom('billing_accounts').selectAll().where('userId', '=', userId).executeTakeFirst()

export const findAccountOf = (db: Db, customerId: string): Promise<AccountRecord | undefined> =>
  db.selectFrom('billing_accounts').selectAll().where('customerId', '=', customerId).executeTakeFirst()

/** The account of a person, made with `key` if there is none yet, and held until the transaction ends. */
export const holdAccount = async (
  tx: Db,
  userId: number,
  { key, now }: { key: string; now: string },
): Promise<AccountRecord> =>
  tx
    .insertInto('billing_accounts')
    .values({
      ...{ userId, key, customerId: null, details: null, toldVersion: 0, subscription: null },
      ...{ askedTicket: 0, heldTicket: 0, version: 0, createdAt: now, updatedAt: now },
      ...{ checkoutId: null, checkoutPlan: null, checkoutAttempt: 0, checkoutAt: null },
    })
    // Writes nothing new, but holds the row on both engines.
    .onConflict((there) => there.column('userId').doUpdateSet({ userId }))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Held until the transaction ends; undefined when the person has gone. */
export const lockAccount = (tx: Db, userId: number): Promise<AccountRecord | undefined> =>
  tx
    .updateTable('billing_accounts')
    .set({ userId })
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const updateAccount = async (
  tx: Db,
  userId: number,
  change: Partial<Omit<AccountRecord, 'userId'>>,
): Promise<AccountRecord> =>
  tx
    .updateTable('billing_accounts')
    .set(change)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Counts a question about the subscription. */
export const takeTicket = (db: Db, userId: number): Promise<AccountRecord | undefined> =>
  db
    .updateTable('billing_accounts')
    .set((eb) => ({ askedTicket: eb('askedTicket', '+', 1) }))
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const listCustomers = (db: Db): Promise<{ customerId: string | null }[]> =>
  db.selectFrom('billing_accounts').select('customerId').where('customerId', 'is not', null).execute()

/** Those whose subscription may change, or begin, without our being told. */
export const listUnsettled = (db: Db, checkoutSince: string): Promise<{ userId: number }[]> =>
  db
    .selectFrom('billing_accounts')
    .select('userId')
    .where('customerId', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('checkoutAt', '>=', checkoutSince),
        eb.and([
          eb('subscription', 'is not', null),
          eb('subscription', 'not like', '%"status":"canceled"%'),
          eb('subscription', 'not like', '%"status":"incomplete_expired"%'),
        ]),
      ]),
    )
    .execute()

export const hasEvent = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('billing_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export const noteEvent = async (tx: Db, event: { id: string; type: string; at: string }): Promise<void> => {
  await tx
    .insertInto('billing_events')
    .values(event)
    .onConflict((there) => there.column('id').doNothing())
    .execute()
}

export const deleteEventsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('billing_events').where('at', '<', at).execute()
}
