import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'
import type { EventPushRow } from '../../../database/tables/calendar-accounts.ts'
import { HELD } from '../store.ts'

export type PushRecord = Selectable<EventPushRow>

type Server = { id: string; receivesNew: number; enabled: number }

const selectServers = prepare<object, Server>((db) =>
  db
    .selectFrom('calendar_accounts')
    .select(['id', 'receivesNew', 'enabled'])
    .where('kind', '=', 'caldav')
    .where('removing', 'is', null),
)

/** Servers that are told of changes. */
export const listServers = (db: Db): Promise<Server[]> => selectServers(db, {})

const AT_ONCE = 100

export const notePushes = async (
  tx: Db,
  pushes: readonly Pick<PushRecord, 'accountId' | 'uid'>[],
  notedAt: string,
): Promise<void> => {
  const noted = { changes: 1, notedAt, attempts: 0, tryAt: null, error: null }
  for (let at = 0; at < pushes.length; at += AT_ONCE)
    await tx
      .insertInto('event_pushes')
      .values(pushes.slice(at, at + AT_ONCE).map((push) => ({ ...push, ...noted })))
      .onConflict((existing) =>
        existing.columns(['accountId', 'uid']).doUpdateSet((row) => ({
          changes: row('event_pushes.changes', '+', 1),
          notedAt,
          tryAt: null,
        })),
      )
      .execute()
}

export const findPush = (db: Db, accountId: string, uid: string): Promise<PushRecord | undefined> =>
  db
    .selectFrom('event_pushes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .executeTakeFirst()

/** In the order of their uids, after one of them. */
export const listPushes = (db: Db, accountId: string, after: string, limit: number): Promise<PushRecord[]> =>
  db
    .selectFrom('event_pushes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('uid', '>', after)
    .orderBy('uid')
    .limit(limit)
    .execute()

/** That the server knows it; what was changed meanwhile waits for its own turn. */
export const settlePush = async (
  tx: Db,
  { accountId, uid, changes }: Pick<PushRecord, 'accountId' | 'uid' | 'changes'>,
): Promise<void> => {
  await tx
    .deleteFrom('event_pushes')
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .where('changes', '=', changes)
    .execute()
}

/** Keeps it until somebody changes the event: see `notePushes`. */
export const holdPush = async (tx: Db, accountId: string, uid: string): Promise<void> => {
  await tx
    .updateTable('event_pushes')
    .set({ tryAt: HELD })
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .execute()
}

export const listPushesOf = (db: Db, uids: readonly string[]): Promise<PushRecord[]> =>
  db.selectFrom('event_pushes').selectAll().where('uid', 'in', uids).execute()

export const dropPush = async (tx: Db, accountId: string, uid: string): Promise<void> => {
  await tx.deleteFrom('event_pushes').where('accountId', '=', accountId).where('uid', '=', uid).execute()
}

export const notePushFailure = async (
  tx: Db,
  { accountId, uid }: Pick<PushRecord, 'accountId' | 'uid'>,
  failure: { attempts: number; tryAt: string; error: string },
): Promise<void> => {
  await tx
    .updateTable('event_pushes')
    .set(failure)
    .where('accountId', '=', accountId)
    .where('uid', '=', uid)
    .execute()
}

/** How many wait because they were refused, and the reason of one of them. */
export const countUntold = async (db: Db, accountId: string): Promise<{ count: number; error: string }> => {
  const { count, error } = await db
    .selectFrom('event_pushes')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('error').as('error')])
    .where('accountId', '=', accountId)
    .where('error', 'is not', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), error: error ?? '' }
}

/** Whether there is a change that was never tried to be told. */
export const hasNews = async (db: Db, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('event_pushes')
    .select('uid')
    .where('accountId', '=', accountId)
    .where('tryAt', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined
