import type { Kysely } from 'kysely'

/** Birthdays, postal addresses, websites and categories of contacts, and the lines of their vCards. */
export const contactFields = async (db: Kysely<unknown>): Promise<void> => {
  for (const [name, value] of [
    ['birthday', ''],
    ['postalAddresses', '[]'],
    ['websites', '[]'],
    ['categories', '[]'],
    ['extra', ''],
  ] as const)
    await db.schema
      .alterTable('contacts')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(value))
      .execute()
}
