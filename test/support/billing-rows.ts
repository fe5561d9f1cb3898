import type { Db } from '../../src/database/db.ts'

/** Inserts a paying account with budgets, one of them reached. */
export const fillBilling = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  const text = JSON.stringify(texts)
  await db
    .insertInto('billing_accounts')
    .values({
      userId,
      key: text,
      customerId: text,
      details: text,
      sentVersion: 1,
      subscription: text,
      askedTicket: 3,
      heldTicket: 2,
      checkoutId: text,
      checkoutPlan: text,
      checkoutAttempt: 1,
      checkoutAt: at,
      version: 2,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  for (const [n, measure] of texts.entries()) {
    await db
      .insertInto('billing_budgets')
      .values({ userId, measure, amount: 9_000_000_000_000_000 + n, updatedAt: at })
      .execute()
    await db.insertInto('billing_warnings').values({ userId, measure, period: '2026-03', at }).execute()
    await db
      .insertInto('billing_events')
      .values({ id: `evt_${n}`, type: measure, at })
      .execute()
    await db
      .insertInto('storage_days')
      .values({ userId, day: `2026-03-0${n + 1}`, bytes: 5_000_000_000 + n, measuredAt: at })
      .execute()
  }
}
