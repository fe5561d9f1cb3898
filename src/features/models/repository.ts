import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare, prepareRows } from '../../database/prepared.ts'
import type { AiDayRow, AiKeyRow, AiRequestRow } from '../../database/tables/integrations.ts'

export type KeyRecord = Selectable<AiKeyRow>

const selectKeys = prepare<Record<never, never>, KeyRecord>((db) => db.selectFrom('ai_keys').selectAll())

/** Returns at most one key per provider. */
export const listKeys = (db: Db): Promise<KeyRecord[]> => selectKeys(db, {})

/** Inserts or replaces the key of a provider. */
export const saveKey = (tx: Db, row: Insertable<AiKeyRow>): Promise<KeyRecord> =>
  tx
    .insertInto('ai_keys')
    .values(row)
    .onConflict((there) =>
      there.column('provider').doUpdateSet(({ ref }) => ({
        key: ref('excluded.key'),
        baseUrl: ref('excluded.baseUrl'),
        givenFor: ref('excluded.givenFor'),
        hint: ref('excluded.hint'),
        verified: ref('excluded.verified'),
        reason: ref('excluded.reason'),
        updatedAt: ref('excluded.updatedAt'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Stores the result of a verification, unless the key was replaced meanwhile. */
export const saveVerification = async (
  db: Db,
  { provider, key }: Pick<KeyRecord, 'provider' | 'key'>,
  verification: { verified: number; reason: string | null },
): Promise<void> => {
  await db
    .updateTable('ai_keys')
    .set(verification)
    .where('provider', '=', provider)
    .where('key', key === null ? 'is' : '=', key)
    .execute()
}

export const deleteKey = async (tx: Db, provider: string): Promise<boolean> =>
  (await tx.deleteFrom('ai_keys').where('provider', '=', provider).executeTakeFirst()).numDeletedRows === 1n

/** Replaces the encrypted key, unless it was changed meanwhile. */
export const replaceSealed = async (tx: Db, provider: string, was: string, key: string): Promise<void> => {
  await tx
    .updateTable('ai_keys')
    .set({ key })
    .where('provider', '=', provider)
    .where('key', '=', was)
    .execute()
}

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

export type DayRecord = Selectable<AiDayRow>

const insertAll = prepareRows<Insertable<AiRequestRow>>(
  [
    ...(['at', 'day', 'purpose', 'engine', 'model', 'provider', 'providerModel', 'tokenId'] as const),
    ...(['outcome', 'inputTokens', 'outputTokens', 'costNano'] as const),
  ],
  (db, rows) => db.insertInto('ai_requests').values(rows),
)

export const insertRequests = async (tx: Db, rows: readonly Insertable<AiRequestRow>[]): Promise<void> => {
  await insertAll(tx, rows)
}

export const addToDay = async (tx: Db, row: AiDayRow): Promise<void> => {
  await tx
    .insertInto('ai_days')
    .values(row)
    .onConflict((there) =>
      there.columns(['day', 'model', 'tokenId']).doUpdateSet((eb) => ({
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
export const listDays = (db: Db, from: string): Promise<DayRecord[]> =>
  db
    .selectFrom('ai_days')
    .selectAll()
    .where('day', '>=', from)
    .orderBy('day')
    .orderBy('model')
    .orderBy('tokenId')
    .execute()

export const deleteRequestsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('ai_requests').where('at', '<', at).execute()
}
