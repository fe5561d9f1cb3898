import { type Insertable, type Selectable, sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import type {
  ContactAddressRow,
  ContactRow,
  ContactTermRow,
  ContactUseRow,
} from '../../database/tables/contacts.ts'
import type { EmailRow } from '../../database/tables/mail.ts'
import { versionedRows } from '../../platform/resources.ts'

export type ContactRecord = Selectable<ContactRow>
export type AddressRecord = Selectable<ContactAddressRow>
export type UseRecord = Selectable<ContactUseRow>
export type NewUse = Insertable<ContactUseRow>

const contactRows = versionedRows('contacts', 'contact')
export const { insert: insertContact, update: updateContact, delete: deleteContact } = contactRows

/** Greater than every character that can follow a prefix. */
const LAST_CHARACTER = '\u{10ffff}'

export interface Position {
  sortKey: string
  id: number
}

/** Without `extra`: the lines of vCards are long, and only an export needs them. */
const LISTED = [
  ...(['id', 'userId', 'name', 'givenName', 'familyName', 'organization', 'jobTitle', 'phones'] as const),
  ...(['notes', 'birthday', 'postalAddresses', 'websites', 'categories', 'isEdited', 'isKnown'] as const),
  ...(['sortKey', 'version', 'createdAt', 'updatedAt'] as const),
  sql.lit('').as('extra'),
]

/** Lists contacts by name. Each prefix must begin a term of the contact. */
export const listContacts = (
  db: Db,
  userId: number,
  filter: { prefixes: readonly string[]; isKnown: boolean | undefined },
  page: { after: Position | undefined; limit: number },
): Promise<ContactRecord[]> => {
  const { after } = page
  return db
    .selectFrom('contacts')
    .select(LISTED)
    .where('userId', '=', userId)
    .$if(filter.isKnown === true, (query) => query.where('isKnown', '=', sql.lit(1)))
    .$if(filter.isKnown === false, (query) => query.where('isKnown', '=', sql.lit(0)))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('sortKey', 'id'), '>', tuple(after?.sortKey ?? '', after?.id ?? 0)),
      ),
    )
    .$if(filter.prefixes.length > 0, (query) =>
      query.where(({ and, eb, selectFrom }) =>
        and(
          filter.prefixes.map((prefix) =>
            eb(
              'contacts.id',
              'in',
              selectFrom('contact_terms')
                .select('contactId')
                .where('userId', '=', userId)
                .where('term', '>=', prefix)
                .where('term', '<', prefix + LAST_CHARACTER),
            ),
          ),
        ),
      ),
    )
    .orderBy('sortKey')
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()
}

/** Lists all contacts by id, in batches. */
export async function* eachContactBatch(
  db: Db,
  userId: number,
  limit: number,
): AsyncGenerator<ContactRecord[]> {
  for (let after = 0; ; ) {
    const rows = await contactRows
      .select(db, userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.id
  }
}

export const findContacts = (db: Db, userId: number, ids: readonly number[]): Promise<ContactRecord[]> =>
  contactRows.select(db, userId).where('id', 'in', ids).orderBy('id').execute()

/** Locks contacts for a change that depends on their current values. */
export const lockContacts = async (
  tx: Db,
  userId: number,
  ids: readonly number[],
): Promise<ContactRecord[]> =>
  ids.length === 0
    ? []
    : tx
        .updateTable('contacts')
        .set((row) => ({ version: row.ref('version') }))
        .where('userId', '=', userId)
        .where('id', 'in', ids)
        .returningAll()
        .execute()

/** Inserts contacts and returns their ids in the order of the rows. */
export const insertContacts = async (tx: Db, rows: readonly Insertable<ContactRow>[]): Promise<number[]> => {
  const ids: number[] = []
  for (const batch of toBatches(rows)) {
    const inserted = await tx.insertInto('contacts').values(batch).returning('id').execute()
    // The database assigns ids in row order, but may return them in another order.
    ids.push(...inserted.map(({ id }) => id).sort((one, other) => one - other))
  }
  return ids
}

/** Writes the sort key of an imported contact. Its version stays: the contact did not change. */
export const setSortKey = async (tx: Db, userId: number, id: number, sortKey: string): Promise<void> => {
  await tx
    .updateTable('contacts')
    .set({ sortKey })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Marks contacts as known that the user has written to. */
export const markKnown = async (tx: Db, userId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .updateTable('contacts')
    .set({ isKnown: 1 })
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .where('isKnown', '=', 0)
    .execute()
}

/** Returns the addresses of contacts in their order. */
export const listAddresses = async (
  db: Db,
  userId: number,
  contactIds: readonly number[],
): Promise<AddressRecord[]> => {
  if (contactIds.length === 0) return []
  const rows = await db
    .selectFrom('contact_addresses')
    .selectAll()
    .where('userId', '=', userId)
    .where('contactId', 'in', contactIds)
    .execute()
  return rows.sort((one, other) => one.place - other.place || one.id - other.id)
}

/** Finds addresses, also those without a contact. */
export const findAddresses = async (
  db: Db,
  userId: number,
  addresses: readonly string[],
): Promise<Map<string, AddressRecord>> => {
  const found = new Map<string, AddressRecord>()
  for (let at = 0; at < addresses.length; at += 500) {
    const rows = await db
      .selectFrom('contact_addresses')
      .selectAll()
      .where('userId', '=', userId)
      .where('address', 'in', addresses.slice(at, at + 500))
      .execute()
    for (const row of rows) found.set(row.address, row)
  }
  return found
}

export type NewAddress = Omit<Insertable<ContactAddressRow>, 'id'>

/** Inserts addresses, or replaces the values of those that exist. */
export const putAddresses = async (tx: Db, rows: readonly NewAddress[]): Promise<AddressRecord[]> => {
  const stored: AddressRecord[] = []
  for (const batch of toBatches(rows))
    stored.push(
      ...(await tx
        .insertInto('contact_addresses')
        .values(batch)
        .onConflict((conflict) =>
          conflict.columns(['userId', 'address']).doUpdateSet(({ ref }) => ({
            contactId: ref('excluded.contactId'),
            label: ref('excluded.label'),
            place: ref('excluded.place'),
            sent: ref('excluded.sent'),
            received: ref('excluded.received'),
            lastUsedAt: ref('excluded.lastUsedAt'),
            score: ref('excluded.score'),
            hiddenAt: ref('excluded.hiddenAt'),
          })),
        )
        .returningAll()
        .execute()),
    )
  return stored
}

/** Takes addresses from their contact. `hiddenAt` keeps earlier mail from creating a contact again. */
export const hideAddresses = async (
  tx: Db,
  userId: number,
  ids: readonly number[],
  hiddenAt: string,
): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .updateTable('contact_addresses')
    .set({ contactId: null, hiddenAt, label: '', place: 0 })
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
}

export const moveAddresses = async (
  tx: Db,
  userId: number,
  ids: readonly number[],
  to: { contactId: number; firstPlace: number },
): Promise<void> => {
  for (const [index, id] of ids.entries())
    await tx
      .updateTable('contact_addresses')
      .set({ contactId: to.contactId, place: to.firstPlace + index })
      .where('userId', '=', userId)
      .where('id', '=', id)
      .execute()
}

export const deleteAddresses = async (
  tx: Db,
  userId: number,
  addresses: readonly string[],
): Promise<void> => {
  if (addresses.length === 0) return
  await tx
    .deleteFrom('contact_addresses')
    .where('userId', '=', userId)
    .where('address', 'in', addresses)
    .execute()
}

export const insertTerms = async (tx: Db, rows: readonly ContactTermRow[]): Promise<void> => {
  for (const batch of toBatches(rows)) await tx.insertInto('contact_terms').values(batch).execute()
}

export const deleteTerms = async (tx: Db, userId: number, contactIds: readonly number[]): Promise<void> => {
  if (contactIds.length === 0) return
  await tx
    .deleteFrom('contact_terms')
    .where(filterOnly('userId'), '=', userId)
    .where('contactId', 'in', contactIds)
    .execute()
}

/**
 * Returns the addresses that match each prefix, the best first. The first prefix is an index range; the others check
 * its rows. Without a prefix, the index of the scores has the order.
 */
export const suggestAddresses = (
  db: Db,
  userId: number,
  [first, ...others]: readonly string[],
  limit: number,
) => {
  const query = db
    .selectFrom('contact_addresses')
    .innerJoin('contacts', 'contacts.id', 'contact_addresses.contactId')
    .select([
      'contacts.id as contactId',
      'contacts.name',
      'contacts.organization',
      'contact_addresses.address',
    ])
    .where('contact_addresses.userId', '=', userId)
    .where('contact_addresses.contactId', 'is not', null)
    .orderBy('contact_addresses.score', 'desc')
    .orderBy('contact_addresses.id', 'desc')
    .limit(limit)
  if (first === undefined) return query.execute()
  return query
    .where(({ eb, selectFrom }) =>
      eb(
        'contact_addresses.id',
        'in',
        selectFrom('contact_terms')
          .select('contact_terms.addressId')
          .where('contact_terms.userId', '=', userId)
          .where('contact_terms.term', '>=', first)
          .where('contact_terms.term', '<', first + LAST_CHARACTER),
      ),
    )
    .where(({ and, exists, selectFrom }) =>
      and(
        others.map((prefix) =>
          exists(
            selectFrom('contact_terms as other')
              .select('other.addressId')
              .where('other.userId', '=', userId)
              .whereRef('other.contactId', '=', 'contact_addresses.contactId')
              .whereRef('other.addressId', '=', 'contact_addresses.id')
              .where('other.term', '>=', prefix)
              .where('other.term', '<', prefix + LAST_CHARACTER),
          ),
        ),
      ),
    )
    .execute()
}

/** Returns names that several contacts have, with the number of contacts. */
export const listSharedNames = async (db: Db, userId: number, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('contacts')
    .select('sortKey')
    .where('userId', '=', userId)
    .where('sortKey', '<>', '')
    .groupBy('sortKey')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('sortKey')
    .limit(limit)
    .execute()
  return rows.map(({ sortKey }) => sortKey)
}

export const listContactsNamed = (
  db: Db,
  userId: number,
  sortKey: string,
  limit: number,
): Promise<ContactRecord[]> =>
  contactRows.select(db, userId).where('sortKey', '=', sortKey).orderBy('id').limit(limit).execute()

/** Returns the parts before the `@` that addresses of several contacts share. */
export const listSharedLocalParts = async (
  db: Db,
  userId: number,
  without: readonly string[],
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('contact_addresses')
    .select('localPart')
    .where('userId', '=', userId)
    .where('contactId', 'is not', null)
    .where('localPart', 'not in', without)
    .groupBy('localPart')
    .having(({ fn }) => fn.count('contactId').distinct(), '>', 1)
    .orderBy('localPart')
    .limit(limit)
    .execute()
  return rows.map(({ localPart }) => localPart)
}

export const listContactIdsOfLocalPart = async (
  db: Db,
  userId: number,
  localPart: string,
  limit: number,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('contact_addresses')
    .select('contactId')
    .distinct()
    .where('userId', '=', userId)
    .where('localPart', '=', localPart)
    .where('contactId', 'is not', null)
    .orderBy('contactId')
    .limit(limit)
    .execute()
  return rows.map(({ contactId }) => contactId as number)
}

export const insertUses = async (tx: Db, rows: readonly NewUse[]): Promise<void> => {
  for (const batch of toBatches(rows)) await tx.insertInto('contact_uses').values(batch).execute()
}

/** Deletes the newest uses of all accounts and returns them, newest first. */
export const takeUses = async (tx: Db, limit: number): Promise<UseRecord[]> => {
  const rows = await tx
    .deleteFrom('contact_uses')
    .where('id', 'in', (uses) =>
      uses.selectFrom('contact_uses').select('id').orderBy('id', 'desc').limit(limit),
    )
    .returningAll()
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.sort((one, other) => other.id - one.id)
}

export const deleteUses = async (tx: Db, userId: number, addresses: readonly string[]): Promise<void> => {
  if (addresses.length === 0) return
  await tx.deleteFrom('contact_uses').where('userId', '=', userId).where('address', 'in', addresses).execute()
}

/** Whether the address belongs to a known contact, or mail to it is not counted yet. */
export const isKnownAddress = async (db: Db, userId: number, address: string): Promise<boolean> => {
  const known = await db
    .selectFrom('contact_addresses')
    .innerJoin('contacts', 'contacts.id', 'contact_addresses.contactId')
    .select('contacts.id')
    .where('contact_addresses.userId', '=', userId)
    .where('contact_addresses.address', '=', address)
    .where('contacts.isKnown', '=', 1)
    .executeTakeFirst()
  if (known) return true
  const written = await db
    .selectFrom('contact_uses')
    .select('id')
    .where('userId', '=', userId)
    .where('address', '=', address)
    .where('direction', '=', 'sent')
    .limit(1)
    .executeTakeFirst()
  return written !== undefined
}

/** The fields of an email that say who sent it, and to whom. */
const PEOPLE = ['id', 'folder', 'fromName', 'fromAddress', 'to', 'cc', 'bcc', 'date', 'listId'] as const
export type MailPeople = Pick<Selectable<EmailRow>, (typeof PEOPLE)[number]>

export const listMailPeople = (db: Db, userId: number, after: number, limit: number): Promise<MailPeople[]> =>
  db
    .selectFrom('emails')
    .select(PEOPLE)
    .where('userId', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const findMailPeople = (db: Db, userId: number, id: number): Promise<MailPeople | undefined> =>
  db.selectFrom('emails').select(PEOPLE).where('userId', '=', userId).where('id', '=', id).executeTakeFirst()

export const hasContacts = async (db: Db, userId: number): Promise<boolean> =>
  (await db
    .selectFrom('contact_addresses')
    .select('id')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst()) !== undefined
