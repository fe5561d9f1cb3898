import type { Insertable, Selectable, Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import type { AiDayRow, AiKeyRow, AiRequestRow } from '../../database/tables/integrations.ts'

export type KeyRecord = Selectable<AiKeyRow>

/** Returns at most one key per provider. */
export const listKeys = (db: Db, userId: number): Promise<KeyRecord[]> =>
  db.selectFrom('ai_keys').selectAll().where('userId', '=', userId).execute()

export const listKeysOfAll = (db: Db): Promise<KeyRecord[]> =>
  db.selectFrom('ai_keys').selectAll().modifyEnd(ALL_ACCOUNTS).execute()

/** Inserts or replaces the key of a provider. */
export const saveKey = (tx: Db, row: Insertable<AiKeyRow>): Promise<KeyRecord> =>
  tx
    .insertInto('ai_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'provider']).doUpdateSet(({ ref }) => ({
        key: ref('excluded.key'),
        baseUrl: ref('excluded.baseUrl'),
        givenFor: ref('excluded.givenFor'),
        hint: ref('excluded.hint'),
        verified: ref('excluded.verified'),
        reason: ref('excluded.reason'),
        model: ref('excluded.model'),
        isLocal: ref('excluded.isLocal'),
        updatedAt: ref('excluded.updatedAt'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Changes a key, unless it was replaced meanwhile. */
export const changeKey = async (
  db: Db,
  { userId, provider, key }: Pick<KeyRecord, 'userId' | 'provider' | 'key'>,
  change: Updateable<AiKeyRow>,
): Promise<void> => {
  await db
    .updateTable('ai_keys')
    .set(change)
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('key', key === null ? 'is' : '=', key)
    .execute()
}

export const deleteKey = async (tx: Db, userId: number, provider: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('ai_keys')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const findChoice = async (db: Db, userId: number): Promise<string | undefined> => {
  const query = db.selectFrom('ai_settings').select('model').where('userId', '=', userId)
  return (await query.executeTakeFirst())?.model
}

export const saveChoice = async (db: Db, userId: number, model: string, updatedAt: string): Promise<void> => {
  await db
    .insertInto('ai_settings')
    .values({ userId, model, version: 1, updatedAt })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet((row) => ({ model, updatedAt, version: row('ai_settings.version', '+', 1) })),
    )
    .execute()
}

export type DayRecord = Selectable<AiDayRow>

export const insertRequests = async (tx: Db, rows: readonly Insertable<AiRequestRow>[]): Promise<void> => {
  for (const batch of toBatches(rows)) await tx.insertInto('ai_requests').values(batch).execute()
}

export const addToDay = async (tx: Db, row: AiDayRow): Promise<void> => {
  await tx
    .insertInto('ai_days')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'day', 'model', 'tokenId']).doUpdateSet((eb) => ({
        requests: eb('ai_days.requests', '+', row.requests),
        inputTokens: eb('ai_days.inputTokens', '+', row.inputTokens),
        outputTokens: eb('ai_days.outputTokens', '+', row.outputTokens),
        costNano: eb('ai_days.costNano', '+', row.costNano),
        unpriced: eb('ai_days.unpriced', '+', row.unpriced),
      })),
    )
    .execute()
}

/** Returns one row per day, model and token. */
export const listDays = (db: Db, userId: number, from: string): Promise<DayRecord[]> =>
  db
    .selectFrom('ai_days')
    .selectAll()
    .where('userId', '=', userId)
    .where('day', '>=', from)
    .orderBy('day')
    .orderBy('model')
    .orderBy('tokenId')
    .execute()

export const deleteRequestsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('ai_requests').where('at', '<', at).modifyEnd(ALL_ACCOUNTS).execute()
}
