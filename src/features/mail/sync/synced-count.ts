import { sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { addToTally, settleTally } from '../../../database/tallies.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Column, text } from '../../../platform/portable/table.ts'
import { toWall } from '../../../recurrence/time-zones.ts'

const PREFIX = 'messages-synced/'

/** Each day of an account has its own tally, for example `messages-synced/42/2026-03-01`. */
const prefixOf = (userId: number): string => `${PREFIX}${userId}/`

const selectNamesBetween = (db: Db, from: string, to: string) =>
  db.selectFrom('tallies').where('name', '>=', from).where('name', '<=', to).groupBy('name').orderBy('name')

const listSyncedDays = async (
  db: Db,
  userId: number,
  from: string,
  to: string,
): Promise<{ day: string; messages: number }[]> => {
  const prefix = prefixOf(userId)
  const rows = await selectNamesBetween(db, prefix + from, prefix + to)
    .select(({ fn }) => ['name', fn.sum<number>('amount').as('amount')])
    .execute()
  return rows.map(({ name, amount }) => ({ day: name.slice(prefix.length), messages: Number(amount) }))
}

/** SQL condition for the tallies of an account's synced messages. */
export const isSyncedDay = (userId: number) => sql<boolean>`name like ${`${prefixOf(userId)}%`}`

/** An export names only the day, so that another account can import it. */
export const syncedDayColumn: Column<string> = {
  write: (name) => name.replace(/^(messages-synced\/)\d+\//, '$1'),
  read(given, reading) {
    const name = text.read(given, reading)
    if (!name.startsWith(PREFIX)) throw new Error('must name a day of synced messages')
    return prefixOf(reading.userId) + name.slice(PREFIX.length)
  },
}

export type SyncedCount = ReturnType<typeof createSyncedCount>

/** Counts messages from mail servers per account and day, in the time zone of the account. */
export const createSyncedCount = (
  deps: Pick<Platform, 'db' | 'clock'> & {
    zoneOf: (userId: number) => Promise<string>
  },
) => {
  const { db, clock, zoneOf } = deps
  return {
    async add(tx: Db, userId: number, messages: number): Promise<void> {
      if (messages === 0) return
      const localTime = new Date(toWall(clock.now().getTime(), await zoneOf(userId)))
      await addToTally(tx, prefixOf(userId) + localTime.toISOString().slice(0, 10), messages)
    },

    /** Adds to the count of a day such as 2026-03-01. A row that becomes zero is removed. */
    async addOn(tx: Db, userId: number, day: string, messages: number): Promise<void> {
      await addToTally(tx, prefixOf(userId) + day, messages)
      await settleTally(tx, prefixOf(userId) + day)
    },

    /** Days with at least one message, oldest first. */
    perDay: (userId: number, from: string, to: string) => listSyncedDays(db, userId, from, to),

    /** Merges the rows of each day into one. */
    async settle(): Promise<void> {
      const many = await selectNamesBetween(db, `${PREFIX}0`, `${PREFIX}a`)
        .select('name')
        .having(({ fn }) => fn.countAll(), '>', 1)
        .execute()
      for (const { name } of many) await settleTally(db, name)
    },
  }
}
