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

/** The latest change to any event. */
export const lastChangeOf = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('changes')
    .select('id')
    .where('type', 'in', ['event.created', 'event.updated', 'event.cancelled'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}
