import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Db } from './db.ts'
import { readEpoch } from './epoch.ts'
import { prepare } from './prepared.ts'
import { inTransaction } from './transaction.ts'

const AT_ONCE = 1000

/** A change in its place. */
export interface PlacedChange {
  position: number
  id: number
  type: string
  subject: string
  data: string
  at: string
}

type Log = Pick<Database, 'db' | 'engine'>

/** Writers of SQLite come one after the other, so there a change's id is its place already. */
const placeIn = ({ engine }: Log) => (engine === 'sqlite' ? 'id' : 'position')

const isAnyUnplaced = async (db: Db): Promise<boolean> => {
  const query = db.selectFrom('changes').select('id').where('position', 'is', null)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

const placeSome = ({ db }: Log): Promise<number> =>
  inTransaction(db, async (tx) => {
    // Who holds it places changes, until the commit.
    await sql`select pg_advisory_xact_lock(hashtext('factotum.changes'))`.execute(tx)
    // A statement of its own, so that it sees what was committed while it waited for the lock.
    const { numAffectedRows } = await sql`
      update changes set "position" = placed."position" from (
        select id, greatest((select max("position") from changes), (select max(epoch) from restores), 0)
          + row_number() over (order by id) as "position"
        from (select id from changes where "position" is null order by id limit ${AT_ONCE}) as unplaced
      ) as placed where changes.id = placed.id`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })

/**
 * Gives every committed change its place. Ids will not do for that on PostgreSQL: they are given before the commit, so
 * a reader who has seen 7 may find 6 afterwards. Places are given one placer after the other to what is committed by
 * then, so whoever reads on from a place misses nothing, and no long transaction holds anyone up.
 */
export const placeChanges = async (log: Log): Promise<void> => {
  if (placeIn(log) === 'id' || !(await isAnyUnplaced(log.db))) return
  while ((await placeSome(log)) === AT_ONCE);
}

export const CHANGES_READ = 100

const prepareNext = (place: 'id' | 'position') =>
  prepare<{ after: number }, PlacedChange>((db, parameter) =>
    db
      .selectFrom('changes')
      .select(['id', 'type', 'subject', 'data', 'at'])
      .select((row) => row.ref(place).$castTo<number>().as('position'))
      .where(place, '>', parameter('after'))
      .orderBy(place)
      .limit(CHANGES_READ),
  )
const selectNext = { id: prepareNext('id'), position: prepareNext('position') }

/** The next ones after a place, `CHANGES_READ` at most. */
export const readPlaced = (log: Log, after: number): Promise<PlacedChange[]> =>
  selectNext[placeIn(log)](log.db, { after })

const selectEnd = (log: Log, direction: 'asc' | 'desc') => {
  const place = placeIn(log)
  return log.db
    .selectFrom('changes')
    .select((row) => row.ref(place).$castTo<number>().as('position'))
    .where(place, '>', 0)
    .orderBy(place, direction)
    .limit(1)
    .executeTakeFirst()
}

/** The places of the oldest and the newest change that are kept, of those since a restore; 0 while there is none. */
export const readEnds = async (log: Log): Promise<{ first: number; last: number }> => {
  const epoch = await readEpoch(log.db)
  const first = (await selectEnd(log, 'asc'))?.position ?? 0
  const last = (await selectEnd(log, 'desc'))?.position ?? 0
  return epoch === 0 ? { first, last } : { first: Math.max(first, epoch + 1), last: Math.max(last, epoch) }
}

/**
 * Removes what was written outside these times, except the newest: places go on from it. Oldest first, and no further
 * than where there is nothing to remove; what a clock that was wrong dated ahead goes as well, and holds nobody up.
 */
export const deletePlacedOutside = async (
  log: Log,
  { from, until }: { from: string; until: string },
): Promise<number> => {
  const place = placeIn(log)
  const { last } = await readEnds(log)
  let removed = 0
  for (let after = 0; ; ) {
    const page = log.db
      .selectFrom('changes')
      .select((row) => row.ref(place).$castTo<number>().as('position'))
      .where(place, '>', after)
      .where(place, '<', last)
      .orderBy(place)
      .limit(AT_ONCE)
    const end = (await page.execute()).at(-1)?.position
    if (end === undefined) return removed
    const { numDeletedRows } = await log.db
      .deleteFrom('changes')
      .where(place, '>', after)
      .where(place, '<=', end)
      .where(({ or, eb }) => or([eb('at', '<', from), eb('at', '>', until)]))
      .executeTakeFirst()
    if (numDeletedRows === 0n) return removed
    removed += Number(numDeletedRows)
    after = end
  }
}
