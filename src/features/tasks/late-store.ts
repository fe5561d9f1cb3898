import type { Db } from '../../database/db.ts'
import type { ListedTask } from './store.ts'

/** What a list of what is late is narrowed to. */
export interface LateFilter {
  now: string
  priority?: string | undefined
  tag?: string | undefined
  dueBefore?: string | undefined
}

/** Open tasks that are late, the longest first: one more than `limit`, where there are so many. */
export const listLate = (
  db: Db,
  { now, priority, tag, dueBefore }: LateFilter,
  { limit, after }: { limit: number; after: readonly [string, number] | undefined },
): Promise<ListedTask[]> => {
  let query = db.selectFrom('tasks').where('lateAt', '<=', now)
  if (priority !== undefined) query = query.where('priority', '=', priority)
  if (dueBefore !== undefined) query = query.where('dueAt', '<', dueBefore)
  if (tag !== undefined)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('task_tags')
          .select('taskId')
          .whereRef('task_tags.taskId', '=', 'tasks.id')
          .where('task_tags.tag', '=', tag),
      ),
    )
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('lateAt', 'id'), '>', tuple(...after)))
  return query
    .select(['id', 'version', 'shown', 'place', 'duePlace', 'lateAt'])
    .orderBy('lateAt')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export const countLate = async (db: Db, now: string): Promise<number> => {
  const { late } = await db
    .selectFrom('tasks')
    .select((row) => row.fn.countAll<number>().as('late'))
    .where('lateAt', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(late)
}

const ofDays = (db: Db) => db.selectFrom('tasks').select('id').where('dueZone', 'is not', null)
const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

/** Open tasks that are due on a day. */
export const listOfDays = async (db: Db): Promise<number[]> => idsOf(await ofDays(db).execute())

/** Those of them that were read by other clocks: two stretches of an index, which nearly always are empty. */
export const listOfOtherZones = async (db: Db, timezone: string): Promise<number[]> => [
  ...idsOf(await ofDays(db).where('dueZone', '<', timezone).execute()),
  ...idsOf(await ofDays(db).where('dueZone', '>', timezone).execute()),
]
