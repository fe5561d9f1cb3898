import type { Db } from '../../src/database/db.ts'

/** Inserts rows into every table of contacts, one for each text. */
export const fillContacts = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  for (const [n, text] of texts.entries()) {
    const { id: contactId } = await db
      .insertInto('contacts')
      .values({
        userId,
        name: text,
        givenName: text,
        familyName: text,
        organization: text,
        jobTitle: text,
        phones: JSON.stringify([{ label: text, number: text }]),
        notes: text,
        birthday: text,
        postalAddresses: JSON.stringify([
          { label: text, street: text, city: text, region: text, postalCode: text, country: text },
        ]),
        websites: JSON.stringify([{ label: text, url: text }]),
        categories: JSON.stringify([text]),
        extra: text,
        isEdited: n % 2,
        isKnown: n % 2,
        sortKey: text,
        version: n,
        createdAt: at,
        updatedAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: addressId } = await db
      .insertInto('contact_addresses')
      .values({
        userId,
        contactId: n % 2 ? contactId : null,
        address: `${n}@example.org`,
        localPart: String(n),
        label: text,
        place: n,
        sent: n,
        received: n,
        lastUsedAt: n % 2 ? at : null,
        score: 300_000_000 + n,
        hiddenAt: n % 2 ? null : at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('contact_terms').values({ userId, term: text, contactId, addressId }).execute()
    await db
      .insertInto('contact_uses')
      .values({
        userId,
        address: text,
        name: text,
        direction: n % 2 ? 'sent' : 'received',
        isBulk: n % 2,
        usedAt: at,
      })
      .execute()
  }
}
