import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailTemplateRow } from '../../../database/tables/mail.ts'

export type TemplateRecord = Selectable<MailTemplateRow>

export const insertTemplate = (tx: Db, row: Insertable<MailTemplateRow>): Promise<TemplateRecord> =>
  tx.insertInto('mail_templates').values(row).returningAll().executeTakeFirstOrThrow()

export const findTemplate = (db: Db, userId: number, id: number): Promise<TemplateRecord | undefined> =>
  db
    .selectFrom('mail_templates')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Locks the row until the commit. Only a write locks a row on both database engines. */
export const lockTemplate = (tx: Db, userId: number, id: number): Promise<TemplateRecord | undefined> =>
  tx
    .updateTable('mail_templates')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const updateTemplate = (
  tx: Db,
  { id, userId, version }: Pick<TemplateRecord, 'id' | 'userId' | 'version'>,
  change: Updateable<MailTemplateRow>,
): Promise<TemplateRecord> =>
  tx
    .updateTable('mail_templates')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteTemplate = async (tx: Db, userId: number, id: number): Promise<void> => {
  await tx.deleteFrom('mail_templates').where('id', '=', id).where('userId', '=', userId).execute()
}

export const countTemplates = async (tx: Db, userId: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('mail_templates')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** In order of creation. */
export const listTemplates = (
  db: Db,
  userId: number,
  page: { limit: number; after: number | undefined },
): Promise<TemplateRecord[]> =>
  db
    .selectFrom('mail_templates')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.after !== undefined, (query) => query.where('id', '>', page.after as number))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()
