import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { WebhookRow } from '../../database/tables/webhooks.ts'
import { notFound } from '../../platform/errors.ts'

export type WebhookRecord = Selectable<WebhookRow>

export const insertWebhook = async (tx: Db, row: Insertable<WebhookRow>): Promise<WebhookRecord> =>
  tx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()

export const countWebhooks = async (tx: Db, userId: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const getWebhook = async (db: Db, userId: number, id: string): Promise<WebhookRecord> => {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!row) throw notFound('webhook')
  return row
}

export const findWebhook = (db: Db, id: string): Promise<WebhookRecord | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/** Holds it until the commit: writing is what holds a row on both engines. */
export const lockWebhook = async (tx: Db, id: string): Promise<void> => {
  await tx
    .updateTable('webhooks')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', id)
    .execute()
}

export const updateWebhook = (
  tx: Db,
  { id, version }: Pick<WebhookRecord, 'id' | 'version'>,
  change: Updateable<WebhookRow>,
): Promise<WebhookRecord> =>
  tx
    .updateTable('webhooks')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** It is tried again at once. */
export const endPause = async (tx: Db, id: string): Promise<void> => {
  await tx.updateTable('webhooks').set({ pausedUntil: null }).where('id', '=', id).execute()
}

export const deleteWebhook = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

export const listWebhooks = (
  db: Db,
  userId: number,
  page: { limit: number; after: readonly [string, string] | undefined },
): Promise<WebhookRecord[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(...(page.after as [string, string]))),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

type Endpoint = Pick<WebhookRecord, 'id' | 'userId' | 'events'>

const selectEnabled = prepare<object, Endpoint>((db) =>
  db.selectFrom('webhooks').select(['id', 'userId', 'events']).where('enabled', '=', 1),
)

/** Who is to be told of changes. */
export const listEnabled = (db: Db): Promise<Endpoint[]> => selectEnabled(db, {})
