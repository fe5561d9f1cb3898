import { sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { addToTally, settleTally } from '../../../database/tallies.ts'
import { toWall } from '../../../nlu/time-zones.ts'
import type { Clock } from '../../../platform/clock.ts'

const PREFIX = 'messages-synced/'

const selectNamesBetween = (db: Db, from: string, to: string) =>
  db
    .selectFrom('tallies')
    .where('name', '>=', PREFIX + from)
    .where('name', '<=', PREFIX + to)
    .groupBy('name')
    .orderBy('name')

const toDay = (name: string): string => name.slice(PREFIX.length)

/** Each day has its own tally, for example `messages-synced/2026-03-01`. */
const listSyncedDays = async (db: Db, from = '0', to = '9'): Promise<{ day: string; messages: number }[]> => {
  const rows = await selectNamesBetween(db, from, to)
    .select(({ fn }) => ['name', fn.sum<number>('amount').as('amount')])
    .execute()
  return rows.map(({ name, amount }) => ({ day: toDay(name), messages: Number(amount) }))
}

/** Merges the amount into one row. A row that becomes zero is removed. */
export const addSynced = async (tx: Db, day: string, messages: number): Promise<void> => {
  await addToTally(tx, PREFIX + day, messages)
  await settleTally(tx, PREFIX + day)
}

/** SQL condition for the tallies of synced messages. */
export const isSyncedDay = sql<boolean>`name >= ${PREFIX} and name < ${`${PREFIX}9`}`

/** Counts messages from mail servers per day, in the time zone of the instance. */
export const createSyncedCount = (deps: { db: Db; clock: Clock; timezone: () => Promise<string> }) => {
  const { db, clock, timezone } = deps
  return {
    async add(tx: Db, messages: number): Promise<void> {
      if (messages === 0) return
      const localTime = new Date(toWall(clock.now().getTime(), await timezone()))
      await addToTally(tx, PREFIX + localTime.toISOString().slice(0, 10), messages)
    },

    /** Days with at least one message, oldest first. */
    perDay: (from: string, to: string) => listSyncedDays(db, from, to),

    /** Merges the rows of each day into one. */
    async settle(): Promise<void> {
      const many = await selectNamesBetween(db, '0', '9')
        .select('name')
        .having(({ fn }) => fn.countAll(), '>', 1)
        .execute()
      for (const { name } of many) await settleTally(db, name)
    },
  }
}
