import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Comparison by bytes on both engines, so that a prefix is an index range. */
const orderedText = (engine: Engine) => (engine === 'postgres' ? sql`text collate "C"` : sql`text`)

const createContacts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('contacts'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('givenName', 'text', (column) => column.notNull())
    .addColumn('familyName', 'text', (column) => column.notNull())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('jobTitle', 'text', (column) => column.notNull())
    .addColumn('phones', 'text', (column) => column.notNull())
    .addColumn('notes', 'text', (column) => column.notNull())
    .addColumn('isEdited', 'integer', (column) => column.notNull())
    .addColumn('isKnown', 'integer', (column) => column.notNull())
    .addColumn('sortKey', orderedText(engine), (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('contacts_user').on('contacts').columns(['userId', 'id']).execute()
  await db.schema
    .createIndex('contacts_sortKey')
    .on('contacts')
    .columns(['userId', 'sortKey', 'id'])
    .execute()
  await db.schema
    .createIndex('contacts_known')
    .on('contacts')
    .columns(['userId', 'sortKey', 'id'])
    .where(sql.ref('isKnown'), '=', sql.lit(1))
    .execute()
}

const createAddresses = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('contact_addresses'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('contactId', 'bigint', (column) => column.references('contacts.id').onDelete('set null'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('localPart', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('sent', 'integer', (column) => column.notNull())
    .addColumn('received', 'integer', (column) => column.notNull())
    .addColumn('lastUsedAt', 'text')
    .addColumn('score', 'bigint', (column) => column.notNull())
    .addColumn('hiddenAt', 'text')
    .execute()
  const index = (name: string) => db.schema.createIndex(name).on('contact_addresses')
  await index('contact_addresses_address').columns(['userId', 'address']).unique().execute()
  // The foreign key looks up the addresses of a deleted contact without the account.
  await index('contact_addresses_contact')
    .columns(['contactId', 'userId'])
    .where(sql.ref('contactId'), 'is not', null)
    .execute()
  await index('contact_addresses_score')
    .columns(['userId', 'score', 'id'])
    .where(sql.ref('contactId'), 'is not', null)
    .execute()
  await index('contact_addresses_localPart')
    .columns(['userId', 'localPart', 'contactId'])
    .where(sql.ref('contactId'), 'is not', null)
    .execute()
}

const createTerms = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('contact_terms')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('term', orderedText(engine), (column) => column.notNull())
    .addColumn('contactId', 'bigint', (column) =>
      column.notNull().references('contacts.id').onDelete('cascade'),
    )
    .addColumn('addressId', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('contact_terms_key', ['userId', 'term', 'contactId', 'addressId'])
    .execute()
  await db.schema
    .createIndex('contact_terms_contact')
    .on('contact_terms')
    .columns(['contactId', 'addressId', 'term'])
    .execute()
}

const createUses = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('contact_uses'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('isBulk', 'integer', (column) => column.notNull())
    .addColumn('usedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('contact_uses_address')
    .on('contact_uses')
    .columns(['userId', 'address', 'direction'])
    .execute()
}

/** Records the uses of all stored mail. The job that counts them deletes them in batches. */
const recordStoredMail = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await sql`
    insert into contact_uses ("userId", address, name, direction, "isBulk", "usedAt")
    select "userId", lower(trim("fromAddress")), substr("fromName", 1, 200), 'received',
      case when "listId" is null then 0 else 1 end, date
    from emails where folder in ('inbox', 'archive') and "fromAddress" like '%@%' and length("fromAddress") <= 254
    order by id`.execute(db)
  for (const field of ['to', 'cc', 'bcc']) {
    const entries =
      engine === 'sqlite'
        ? sql`json_each(emails.${sql.ref(field)}) as entry`
        : sql`jsonb_array_elements(emails.${sql.ref(field)}::jsonb) as entry(value)`
    const read = (name: string) =>
      engine === 'sqlite'
        ? sql`json_extract(entry.value, ${sql.lit(`$.${name}`)})`
        : sql`entry.value ->> ${sql.lit(name)}`
    await sql`
      insert into contact_uses ("userId", address, name, direction, "isBulk", "usedAt")
      select emails."userId", lower(trim(${read('address')})), substr(coalesce(${read('name')}, ''), 1, 200),
        'sent', 0, emails.date
      from emails cross join ${entries}
      where emails.folder = 'sent' and ${read('address')} like '%@%' and length(${read('address')}) <= 254
      order by emails.id`.execute(db)
  }
}

/** Contacts with their addresses, made from mail sent and received. */
export const contacts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await createContacts(db, engine)
  await createAddresses(db, engine)
  await createTerms(db, engine)
  await createUses(db, engine)
  await recordStoredMail(db, engine)
}
