import { sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { addToTally, settleTally } from '../../../database/tallies.ts'
import { toWall } from '../../../engine/time-zones.ts'
import type { Clock } from '../../../platform/clock.ts'

const PREFIX = 'messages-synced/'

const namesBetween = (db: Db, from: string, to: string) =>
  db
    .selectFrom('tallies')
    .where('name', '>=', PREFIX + from)
    .where('name', '<=', PREFIX + to)
    .groupBy('name')
    .orderBy('name')

const dayOf = (name: string): string => name.slice(PREFIX.length)

/** Each day that is told apart has a tally: `messages-synced/2026-03-01`. */
const listSyncedDays = async (db: Db, from = '0', to = '9'): Promise<{ day: string; messages: number }[]> => {
  const rows = await namesBetween(db, from, to)
    .select(({ fn }) => ['name', fn.sum<number>('amount').as('amount')])
    .execute()
  return rows.map(({ name, amount }) => ({ day: dayOf(name), messages: Number(amount) }))
}

/** As one row with what is there, so that what is taken back leaves nothing. */
export const addSynced = async (tx: Db, day: string, messages: number): Promise<void> => {
  await addToTally(tx, PREFIX + day, messages)
  await settleTally(tx, PREFIX + day)
}

/** The tallies that are meant. */
export const ofSyncedDays = sql<boolean>`name >= ${PREFIX} and name < ${`${PREFIX}9`}`

/** How many messages came from mail servers, by the day in the zone of the instance. */
export const createSyncedCount = (deps: { db: Db; clock: Clock; timezone: () => Promise<string> }) => {
  const { db, clock, timezone } = deps
  return {
    async add(tx: Db, messages: number): Promise<void> {
      if (messages === 0) return
      const wall = new Date(toWall(clock.now().getTime(), await timezone()))
      await addToTally(tx, PREFIX + wall.toISOString().slice(0, 10), messages)
    },

    /** The days on which any came, the oldest first. */
    perDay: (from: string, to: string) => listSyncedDays(db, from, to),

    /** Makes one row of the many that a day has. */
    async settle(): Promise<void> {
      const many = await namesBetween(db, '0', '9')
        .select('name')
        .having(({ fn }) => fn.countAll(), '>', 1)
        .execute()
      for (const { name } of many) await settleTally(db, name)
    },
  }
}
