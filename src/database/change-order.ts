import { sql } from 'kysely'
import { ALL_ACCOUNTS } from './all-accounts.ts'
import type { Db } from './db.ts'
import { isSqlite } from './engine-access.ts'
import { prepare } from './prepared.ts'
import { raiseSequence, readCatalogue, readSequences, type TableShape } from './schema-info.ts'
import { inTransaction, lockName } from './transaction.ts'

/*
 * A backup does not contain later changes. After a restore, ids, versions and change positions would be
 * assigned again, and clients would confuse old and new values. So a restore starts a new epoch, a number
 * larger than any before. Versions are sent with the epoch, and change positions continue from it.
 */

/** Returns 0 if nothing was ever restored. */
export const readEpoch = async (db: Db): Promise<number> => {
  const restored = await db.selectFrom('restores').select('epoch').where('epoch', '>', 0).executeTakeFirst()
  return restored?.epoch ?? 0
}

/**
 * Call it after all data is restored. Positions grow slower than milliseconds, so that epochs never overlap.
 */
export const beginEpoch = async (tx: Db, now: Date): Promise<void> => {
  const { changes: last = 0 } = await readSequences(tx)
  const epoch = Math.max(now.getTime(), last)
  await tx.insertInto('restores').values({ epoch }).execute()
  const shape = (await readCatalogue(tx)).get('changes') as TableShape
  await raiseSequence(tx, 'changes', shape, epoch)
}

const BATCH_SIZE = 1000

/** A change with its position. */
export interface PlacedChange {
  position: number
  id: number
  userId: number
  type: string
  subject: string
  data: string
  at: string
}

/** SQLite serializes writers, so the id of a change is its position. */
const placeIn = (db: Db) => (isSqlite(db) ? 'id' : 'position')

const isAnyUnplaced = async (db: Db): Promise<boolean> => {
  const query = db.selectFrom('changes').select('id').where('position', 'is', null)
  return (await query.limit(1).modifyEnd(ALL_ACCOUNTS).executeTakeFirst()) !== undefined
}

const placeSome = (db: Db): Promise<number> =>
  inTransaction(db, async (tx) => {
    // The lock serializes position assignment until the commit.
    await lockName(tx, 'factotum.changes')
    // A separate statement, so that it sees changes that were committed while it waited for the lock.
    const { numAffectedRows } = await sql`
      update changes set "position" = placed."position" from (
        select id, greatest((select max("position") from changes), (select max(epoch) from restores), 0)
          + row_number() over (order by id) as "position"
        from (select id from changes where "position" is null order by id limit ${BATCH_SIZE}) as unplaced
      ) as placed where changes.id = placed.id ${ALL_ACCOUNTS}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })

/**
 * Assigns a position to every committed change. On PostgreSQL, ids do not work as positions: they are
 * assigned before the commit, so a reader of id 7 may see id 6 afterwards. One process at a time assigns
 * positions to committed changes. A reader that continues after a position misses nothing, and long
 * transactions block nobody.
 */
export const placeChanges = async (db: Db): Promise<void> => {
  if (placeIn(db) === 'id' || !(await isAnyUnplaced(db))) return
  while ((await placeSome(db)) === BATCH_SIZE);
}

export const CHANGES_READ = 100

const selectNext = prepare<{ after: number }, PlacedChange>((db, values) => {
  const place = placeIn(db)
  return db
    .selectFrom('changes')
    .select(['id', 'userId', 'type', 'subject', 'data', 'at'])
    .select((row) => row.ref(place).$castTo<number>().as('position'))
    .where(place, '>', values.after)
    .orderBy(place)
    .limit(CHANGES_READ)
    .modifyEnd(ALL_ACCOUNTS)
})

/** Reads the next changes of all accounts after a position, at most `CHANGES_READ`. */
export const readPlaced = (db: Db, after: number): Promise<PlacedChange[]> => selectNext(db, { after })

interface PlaceRange {
  after: number
  until: number
}

const selectNextOf = prepare<PlaceRange & { userId: number }, PlacedChange>((db, values) => {
  const place = placeIn(db)
  return db
    .selectFrom('changes')
    .select(['id', 'userId', 'type', 'subject', 'data', 'at'])
    .select((row) => row.ref(place).$castTo<number>().as('position'))
    .where('userId', '=', values.userId)
    .where(place, '>', values.after)
    .where(place, '<=', values.until)
    .orderBy(place)
    .limit(CHANGES_READ)
})

/** Reads the next changes of an account after a position and up to another one, at most `CHANGES_READ`. */
export const readPlacedOf = (db: Db, userId: number, { after, until }: PlaceRange): Promise<PlacedChange[]> =>
  selectNextOf(db, { userId, after, until })

const selectEnd = (db: Db, direction: 'asc' | 'desc') => {
  const place = placeIn(db)
  return db
    .selectFrom('changes')
    .select((row) => row.ref(place).$castTo<number>().as('position'))
    .where(place, '>', 0)
    .orderBy(place, direction)
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
}

/** Returns the positions of the oldest and newest stored change since a restore; 0 if there is none. */
export const readEnds = async (db: Db): Promise<{ first: number; last: number }> => {
  const epoch = await readEpoch(db)
  const first = (await selectEnd(db, 'asc'))?.position ?? 0
  const last = (await selectEnd(db, 'desc'))?.position ?? 0
  return epoch === 0 ? { first, last } : { first: Math.max(first, epoch + 1), last: Math.max(last, epoch) }
}

/**
 * Removes changes outside this time range, except the newest, because positions continue from it. Deletes the
 * oldest first, and stops at the first change to keep. Changes with a future date, from a wrong clock, are
 * removed as well and do not block the rest.
 */
export const deletePlacedOutside = async (
  db: Db,
  { from, until }: { from: string; until: string },
): Promise<number> => {
  const place = placeIn(db)
  const { last } = await readEnds(db)
  let removed = 0
  for (let after = 0; ; ) {
    const page = db
      .selectFrom('changes')
      .select((row) => row.ref(place).$castTo<number>().as('position'))
      .where(place, '>', after)
      .where(place, '<', last)
      .orderBy(place)
      .limit(BATCH_SIZE)
      .modifyEnd(ALL_ACCOUNTS)
    const end = (await page.execute()).at(-1)?.position
    if (end === undefined) return removed
    const { numDeletedRows } = await db
      .deleteFrom('changes')
      .where(place, '>', after)
      .where(place, '<=', end)
      .where(({ or, eb }) => or([eb('at', '<', from), eb('at', '>', until)]))
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return removed
    removed += Number(numDeletedRows)
    after = end
  }
}
