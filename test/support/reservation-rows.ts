import type { Db } from '../../src/database/db.ts'

const FACTS = {
  type: 'flight',
  status: 'confirmed',
  number: 'RXJ34P',
  name: null,
  provider: 'United',
  trip: 'UA110',
  from: { name: 'San Francisco', code: 'SFO', address: null },
  to: null,
  start: null,
  end: null,
  travellers: [],
  seat: null,
  platform: null,
  party: null,
  price: null,
  currency: null,
  articles: [],
  url: null,
}

/** Inserts a reservation for each text into the first email, which is in the queue too. */
export const fillReservations = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  const email = await db
    .selectFrom('emails')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('id')
    .executeTakeFirst()
  if (!email) return
  for (const [n, text] of texts.entries())
    await db
      .insertInto('reservations')
      .values({
        emailId: email.id,
        key: `${n}`,
        userId,
        type: FACTS.type,
        status: FACTS.status,
        startAt: at,
        endAt: at,
        mailDate: at,
        facts: JSON.stringify({ ...FACTS, name: text }),
      })
      .execute()
  await db.insertInto('reservation_mails').values({ emailId: email.id, userId }).execute()
}
