import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Db } from './db.ts'
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

const selectUnplaced = prepare<object, { id: number }>((db) =>
  db.selectFrom('changes').select('id').where('position', 'is', null).limit(1),
)

/** Who holds it places changes, until the commit. In SQLite whoever writes is alone anyway. */
const lockOrder = async (tx: Db, engine: Database['engine']): Promise<void> => {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(hashtext('factotum.changes'))`.execute(tx)
}

const placeSome = (database: Pick<Database, 'db' | 'engine'>): Promise<number> =>
  inTransaction(database.db, async (tx) => {
    await lockOrder(tx, database.engine)
    // A statement of its own, so that it sees what was committed while it waited for the lock.
    const { numAffectedRows } = await sql`
      update changes set "position" = placed."position" from (
        select id, coalesce((select max("position") from changes), 0) + row_number() over (order by id) as "position"
        from (select id from changes where "position" is null order by id limit ${AT_ONCE}) as unplaced
      ) as placed where changes.id = placed.id`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })

/**
 * Gives every committed change its place. Ids will not do for that: on PostgreSQL they are given before the commit, so
 * a reader who has seen 7 may find 6 afterwards. Places are given one placer after the other to what is committed by
 * then, so whoever reads on from a place misses nothing, and no long transaction holds anyone up.
 */
export const placeChanges = async (database: Pick<Database, 'db' | 'engine'>): Promise<void> => {
  if ((await selectUnplaced(database.db, {})).length === 0) return
  while ((await placeSome(database)) === AT_ONCE);
}

export const CHANGES_READ = 100

const selectPlaced = prepare<{ after: number }, PlacedChange>((db, parameter) =>
  db
    .selectFrom('changes')
    .select(['position', 'id', 'type', 'subject', 'data', 'at'])
    .where('position', '>', parameter('after'))
    .orderBy('position')
    .limit(CHANGES_READ)
    .$narrowType<{ position: number }>(),
)

/** The next ones after a place, `CHANGES_READ` at most. */
export const readPlaced = (db: Db, after: number): Promise<PlacedChange[]> => selectPlaced(db, { after })

const selectEnd = (db: Db, direction: 'asc' | 'desc') =>
  db
    .selectFrom('changes')
    .select('position')
    .where('position', 'is not', null)
    .orderBy('position', direction)
    .limit(1)
    .executeTakeFirst()

/** The places of the oldest and the newest change that are kept; 0 while there is none. */
export const readEnds = async (db: Db): Promise<{ first: number; last: number }> => ({
  first: (await selectEnd(db, 'asc'))?.position ?? 0,
  last: (await selectEnd(db, 'desc'))?.position ?? 0,
})

/** Removes what is older, except the newest: places go on from it. */
export const deletePlacedBefore = async (db: Db, before: string): Promise<number> => {
  const { last } = await readEnds(db)
  const { numDeletedRows } = await db
    .deleteFrom('changes')
    .where('at', '<', before)
    .where('position', '<', last)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
