import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'

const ONLY = 1

const selectChoice = prepare<Record<never, never>, { model: string }>((db) =>
  db.selectFrom('ai_settings').select('model').where('id', '=', ONLY),
)

export const findChoice = async (db: Db): Promise<string | undefined> =>
  (await selectChoice(db, {}))[0]?.model

export const saveChoice = async (db: Db, model: string, updatedAt: string): Promise<void> => {
  await db
    .insertInto('ai_settings')
    .values({ id: ONLY, model, version: 1, updatedAt })
    .onConflict((there) =>
      there
        .column('id')
        .doUpdateSet((row) => ({ model, updatedAt, version: row('ai_settings.version', '+', 1) })),
    )
    .execute()
}
