import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'
import type { AiKeyRow } from '../../../database/tables/ai.ts'

export type KeyRecord = Selectable<AiKeyRow>

const selectKeys = prepare<Record<never, never>, KeyRecord>((db) => db.selectFrom('ai_keys').selectAll())

/** One for each provider at most. */
export const listKeys = (db: Db): Promise<KeyRecord[]> => selectKeys(db, {})

/** Inserts it, or puts it in the place of the one there is. */
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

/** Says of a key how it was found, unless another has taken its place. */
export const noteVerdict = async (
  db: Db,
  { provider, key }: Pick<KeyRecord, 'provider' | 'key'>,
  verdict: { verified: number; reason: string | null },
): Promise<void> => {
  await db
    .updateTable('ai_keys')
    .set(verdict)
    .where('provider', '=', provider)
    .where('key', key === null ? 'is' : '=', key)
    .execute()
}

export const deleteKey = async (tx: Db, provider: string): Promise<boolean> =>
  (await tx.deleteFrom('ai_keys').where('provider', '=', provider).executeTakeFirst()).numDeletedRows === 1n

/** Seals it anew, unless it has been changed meanwhile. */
export const replaceSealed = async (tx: Db, provider: string, was: string, key: string): Promise<void> => {
  await tx
    .updateTable('ai_keys')
    .set({ key })
    .where('provider', '=', provider)
    .where('key', '=', was)
    .execute()
}
