import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { FLAG_COLUMNS, type MailRuleRow } from '../../../database/tables/mail.ts'
import type { EmailRecord } from '../email-repository.ts'

export type RuleRecord = Selectable<MailRuleRow>

export const insertRule = (tx: Db, row: Insertable<MailRuleRow>): Promise<RuleRecord> =>
  tx.insertInto('mail_rules').values(row).returningAll().executeTakeFirstOrThrow()

export const findRule = (db: Db, userId: number, id: number): Promise<RuleRecord | undefined> =>
  db.selectFrom('mail_rules').selectAll().where('id', '=', id).where('userId', '=', userId).executeTakeFirst()

/** Locks the row until the commit. Only a write locks a row on both database engines. */
export const lockRule = (tx: Db, userId: number, id: number): Promise<RuleRecord | undefined> =>
  tx
    .updateTable('mail_rules')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const updateRule = (
  tx: Db,
  { id, userId, version }: Pick<RuleRecord, 'id' | 'userId' | 'version'>,
  change: Updateable<MailRuleRow>,
): Promise<RuleRecord> =>
  tx
    .updateTable('mail_rules')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteRule = async (tx: Db, userId: number, id: number): Promise<void> => {
  await tx.deleteFrom('mail_rules').where('id', '=', id).where('userId', '=', userId).execute()
}

export const countRules = async (tx: Db, userId: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('mail_rules')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** In order of creation. */
export const listRules = (
  db: Db,
  userId: number,
  page: { limit: number; after: number | undefined },
): Promise<RuleRecord[]> =>
  db
    .selectFrom('mail_rules')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.after !== undefined, (query) => query.where('id', '>', page.after as number))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()

export const listEnabled = (db: Db, userId: number): Promise<RuleRecord[]> =>
  db
    .selectFrom('mail_rules')
    .selectAll()
    .where('userId', '=', userId)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute()

const MARK_COLUMNS = [
  'id',
  'userId',
  'accountId',
  'subject',
  'folder',
  'folderId',
  'tags',
  ...FLAG_COLUMNS,
] as const
export type MarkedEmail = Pick<EmailRecord, (typeof MARK_COLUMNS)[number]>

export const listMarked = (db: Db, userId: number, ids: readonly number[]): Promise<MarkedEmail[]> =>
  db
    .selectFrom('emails')
    .select(MARK_COLUMNS)
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
