import type { Db } from '../../database/db.ts'
import type { EventRecord } from './event.ts'

export const listAllEvents = (db: Db, after: number, limit: number): Promise<EventRecord[]> =>
  db.selectFrom('events').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()

export interface UsedZone {
  timezone: string
  first: string
  last: string
}

/** Whose clocks events keep to, and when. All of the calendar is read next, so this may as well be. */
export const listUsedZones = (db: Db): Promise<UsedZone[]> =>
  db
    .selectFrom('events')
    .select(({ fn }) => ['timezone', fn.min('start').as('first'), fn.max('lastEnd').as('last')])
    .where('allDay', '=', 0)
    .groupBy('timezone')
    .orderBy('timezone')
    .execute()

const OF_EVENTS = ['event.created', 'event.updated', 'event.cancelled']

/** Among the latest changes, those to events; and the latest of all, undefined when none is kept. */
export const readLastChanges = async (
  db: Db,
  { among, most }: { among: number; most: number },
): Promise<{ ofEvents: { id: number; at: string }[]; latest: number | undefined }> => {
  const latest = db.selectFrom('changes').select(['id', 'type', 'at']).orderBy('id', 'desc')
  const rows = await db
    .selectFrom(latest.limit(among).as('latest'))
    .select(['id', 'at'])
    .where('type', 'in', OF_EVENTS)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  const last = await latest.limit(1).executeTakeFirst()
  return { ofEvents: rows, latest: last?.id }
}

/** How many there are, and the last number: all that tells of an import of everything, which is no change to an event. */
export const countAllEvents = (db: Db): Promise<{ count: number; last: number | null }> =>
  db
    .selectFrom('events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
    .executeTakeFirstOrThrow()

export const findLastUpdate = async (db: Db): Promise<string | null> => {
  const { at } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('updatedAt').as('at'))
    .executeTakeFirstOrThrow()
  return at
}
