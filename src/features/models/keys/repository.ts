import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'
import type { AiKeyRow } from '../../../database/tables/integrations.ts'

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
