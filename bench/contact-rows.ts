import { openDatabase } from '../src/database/database.ts'
import type { Db } from '../src/database/db.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { migrate } from '../src/database/migrate.ts'
import { toSortKey } from '../src/features/contacts/contact.ts'
import { findContacts, insertContacts, putAddresses } from '../src/features/contacts/repository.ts'
import { indexContacts } from '../src/features/contacts/terms.ts'

const AT = '2026-03-01T14:00:00.000Z'
const BATCH = 500

const createContact = (userId: number, n: number) => {
  const names = {
    name: `Giv${n % 997} Fam${n % 1009}`,
    givenName: '',
    familyName: '',
    organization: n % 5 === 0 ? `Company ${n % 50}` : '',
  }
  return {
    userId,
    ...names,
    jobTitle: '',
    phones: '[]',
    notes: '',
    isEdited: 0,
    isKnown: n % 3 === 0 ? 1 : 0,
    sortKey: toSortKey(names, []),
    version: 1,
    createdAt: AT,
    updatedAt: AT,
  }
}

/** Creates `count` contacts with one address each. */
export const fillContacts = async (db: Db, userId: number, count: number): Promise<void> => {
  for (let first = 0; first < count; first += BATCH)
    await db.transaction().execute(async (tx) => {
      const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index)
      const ids = await insertContacts(
        tx,
        numbers.map((n) => createContact(userId, n)),
      )
      const addresses = await putAddresses(
        tx,
        numbers.map((n, index) => ({
          userId,
          contactId: ids[index] as number,
          address: `person${n}@domain${n % 700}.example`,
          localPart: `person${n}`,
          label: '',
          place: 0,
          sent: n % 7,
          received: n % 11,
          lastUsedAt: AT,
          score: 340_000_000 + ((n * 7919) % 1_000_003),
          hiddenAt: null,
        })),
      )
      await indexContacts(tx, userId, { contacts: await findContacts(tx, userId, ids), addresses }, false)
    })
}

/** Creates a database in the directory with contacts of the local account. */
export const fillContactDatabase = async (dataDir: string, count: number): Promise<void> => {
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database)
  await fillContacts(database.db, await getLocalUserId(database.db), count)
  await database.close()
}
