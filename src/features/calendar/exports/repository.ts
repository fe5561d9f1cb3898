import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../database/db.ts'
import type { EventRecord } from '../event.ts'

export const listAllEvents = (db: Db, after: number, limit: number): Promise<EventRecord[]> =>
  db.selectFrom('events').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()

export interface UsedZone {
  timezone: string
  first: string
  last: string
}

/** The number of rows per query: other writers wait for it. */
const STRETCH = 5_000

const stretchAfter = (db: Db, id: number) =>
  db
    .selectFrom('events')
    .select(['id', 'timezone', 'start', 'lastEnd', 'updatedAt'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(STRETCH)

/**
 * Lists the time zones of events with the range of dates. This reads the whole calendar, as the export does.
 */
export const listUsedZones = async (db: Db): Promise<UsedZone[]> => {
  const used = new Map<string, UsedZone>()
  for (let after = 0; ; await setImmediate()) {
    const found = await db
      .selectFrom(stretchAfter(db, after).where('allDay', '=', 0).as('stretch'))
      .select(({ fn }) => [
        'timezone',
        fn.min('start').as('first'),
        fn.max('lastEnd').as('last'),
        fn.max('id').as('lastId'),
      ])
      .groupBy('timezone')
      .execute()
    if (found.length === 0) break
    for (const { timezone, first, last } of found) {
      const known = used.get(timezone) ?? { timezone, first, last }
      used.set(timezone, {
        timezone,
        first: first < known.first ? first : known.first,
        last: last > known.last ? last : known.last,
      })
    }
    after = Math.max(...found.map(({ lastId }) => lastId))
  }
  return [...used.values()].sort((one, other) => (one.timezone < other.timezone ? -1 : 1))
}

const OF_EVENTS = ['event.created', 'event.updated', 'event.cancelled']

/**
 * Returns the event changes among the latest changes, and the id of the latest one. The id is undefined if
 * there are none.
 */
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

/**
 * Returns the number of events and the last id. A full import records no event changes, so only these show
 * it.
 */
export const countAllEvents = (db: Db): Promise<{ count: number; last: number | null }> =>
  db
    .selectFrom('events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
    .executeTakeFirstOrThrow()

export const findLastUpdate = async (db: Db): Promise<string | null> => {
  let last: string | null = null
  for (let after = 0; ; await setImmediate()) {
    const { at, lastId } = await db
      .selectFrom(stretchAfter(db, after).as('stretch'))
      .select(({ fn }) => [fn.max('updatedAt').as('at'), fn.max('id').as('lastId')])
      .$castTo<{ at: string | null; lastId: number | null }>()
      .executeTakeFirstOrThrow()
    if (at === null || lastId === null) return last
    if (last === null || at > last) last = at
    after = lastId
  }
}
