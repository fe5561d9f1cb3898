import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { StreamCredentialRow } from '../../database/tables/stream.ts'

export type CredentialRecord = Selectable<StreamCredentialRow>

export const findCredential = (db: Db, platform: string): Promise<CredentialRecord | undefined> =>
  db.selectFrom('stream_credentials').selectAll().where('platform', '=', platform).executeTakeFirst()

/** What is there is taken over; `version` counts. */
export const saveCredential = (
  tx: Db,
  row: Omit<Insertable<StreamCredentialRow>, 'version'>,
): Promise<CredentialRecord> => {
  const { platform: _, createdAt: __, ...change } = row
  return tx
    .insertInto('stream_credentials')
    .values({ ...row, version: 1 })
    .onConflict((existing) =>
      existing
        .column('platform')
        .doUpdateSet((old) => ({ ...change, version: old('stream_credentials.version', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const replaceSecret = async (tx: Db, platform: string, secret: string): Promise<void> => {
  await tx.updateTable('stream_credentials').set({ secret }).where('platform', '=', platform).execute()
}

export const deleteCredential = async (tx: Db, platform: string): Promise<void> => {
  await tx.deleteFrom('stream_credentials').where('platform', '=', platform).execute()
}

export const listCredentials = (
  db: Db,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<CredentialRecord[]> => {
  let query = db.selectFrom('stream_credentials').selectAll()
  if (after !== undefined) query = query.where('platform', '>', after)
  return query
    .orderBy('platform')
    .limit(limit + 1)
    .execute()
}
