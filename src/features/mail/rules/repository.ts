import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'
import { FLAG_COLUMNS, type MailRuleRow } from '../../../database/tables/mail.ts'
import type { EmailRecord } from '../email-repository.ts'

export type RuleRecord = Selectable<MailRuleRow>

export const insertRule = (tx: Db, row: Insertable<MailRuleRow>): Promise<RuleRecord> =>
  tx.insertInto('mail_rules').values(row).returningAll().executeTakeFirstOrThrow()

export const findRule = (db: Db, id: number): Promise<RuleRecord | undefined> =>
  db.selectFrom('mail_rules').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the row until the commit. Only a write locks a row on both database engines. */
export const lockRule = (tx: Db, id: number): Promise<RuleRecord | undefined> =>
  tx
    .updateTable('mail_rules')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const updateRule = (
  tx: Db,
  { id, version }: Pick<RuleRecord, 'id' | 'version'>,
  change: Updateable<MailRuleRow>,
): Promise<RuleRecord> =>
  tx
    .updateTable('mail_rules')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteRule = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('mail_rules').where('id', '=', id).execute()
}

export const countRules = async (tx: Db): Promise<number> => {
  const { count } = await tx
    .selectFrom('mail_rules')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** In order of creation. */
export const listRules = (
  db: Db,
  page: { limit: number; after: number | undefined },
): Promise<RuleRecord[]> =>
  db
    .selectFrom('mail_rules')
    .selectAll()
    .$if(page.after !== undefined, (query) => query.where('id', '>', page.after as number))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()

const selectEnabled = prepare<object, RuleRecord>((db) =>
  db.selectFrom('mail_rules').selectAll().where('enabled', '=', 1).orderBy('id'),
)

export const listEnabled = (db: Db): Promise<RuleRecord[]> => selectEnabled(db, {})

const MARK_COLUMNS = ['id', 'subject', 'folder', 'tags', ...FLAG_COLUMNS] as const
export type MarkedEmail = Pick<EmailRecord, (typeof MARK_COLUMNS)[number]>

export const listMarked = (db: Db, ids: readonly number[]): Promise<MarkedEmail[]> =>
  db.selectFrom('emails').select(MARK_COLUMNS).where('id', 'in', ids).orderBy('id').execute()
