import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { TaskRow, TaskTagRow } from '../../database/tables/tasks.ts'
import type { Tables } from '../../database/tables.ts'
import { readUsedTags } from '../../database/used-tags.ts'

export type TaskRecord = Selectable<TaskRow>

/** What a list needs of a task. */
const LISTED = [
  ...(['tasks.id', 'tasks.version', 'tasks.shown'] as const),
  ...(['tasks.place', 'tasks.duePlace', 'tasks.lateAt'] as const),
]
export type ListedTask = Pick<TaskRecord, 'id' | 'version' | 'shown' | 'place' | 'duePlace' | 'lateAt'>

export const insertTask = (tx: Db, row: Insertable<TaskRow>): Promise<TaskRecord> =>
  tx.insertInto('tasks').values(row).returningAll().executeTakeFirstOrThrow()

const selectTask = prepare<{ id: number }, ListedTask>((db, parameter) =>
  db.selectFrom('tasks').select(LISTED).where('id', '=', parameter('id')),
)

export const findTask = async (db: Db, id: number): Promise<ListedTask | undefined> =>
  (await selectTask(db, { id }))[0]

/** For a change that depends on what is there: others wait for it. */
export const lockTask = (tx: Db, id: number): Promise<TaskRecord | undefined> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const updateTask = (tx: Db, id: number, change: Updateable<TaskRow>): Promise<TaskRecord> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const setSuccessor = async (tx: Db, id: number, successorId: number | null): Promise<void> => {
  await tx.updateTable('tasks').set({ successorId }).where('id', '=', id).execute()
}

export const deleteTask = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('tasks').where('id', '=', id).execute()
}

export const replaceTags = async (
  tx: Db,
  task: Pick<TaskRecord, 'id' | 'status' | 'priority' | 'place' | 'duePlace'>,
  keys: readonly string[],
): Promise<void> => {
  const { id: taskId, status, priority, place, duePlace } = task
  await tx.deleteFrom('task_tags').where('taskId', '=', taskId).execute()
  if (keys.length === 0) return
  const rows = keys.map((tag): Insertable<TaskTagRow> => ({ taskId, tag, status, priority, place, duePlace }))
  await tx.insertInto('task_tags').values(rows).execute()
}

/** Which tasks a list is of. Below `before` in the order of `by`. */
export interface ListFilter {
  by: 'place' | 'duePlace'
  status?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
  before?: number | undefined
}

interface ListParameters {
  status: string
  priority: string
  tag: string
  before: number
  afterPlace: number
  afterId: number
  limit: number
}
type ListPart = keyof ListParameters

/** A page in the order of an index that fits what is asked exactly. */
const prepareList = (by: ListFilter['by'], asked: ReadonlySet<ListPart>) =>
  prepare<ListParameters, ListedTask>((db, parameter) => {
    const isTagged = asked.has('tag')
    const table = isTagged ? 'task_tags' : 'tasks'
    const id = isTagged ? 'task_tags.taskId' : 'tasks.id'
    const place = `${table}.${by}` as const
    // The two tables have the same columns to filter by: from here on it does not matter which.
    let query = (
      isTagged
        ? db
            .selectFrom('task_tags')
            .innerJoin('tasks', 'tasks.id', 'task_tags.taskId')
            .where('task_tags.tag', '=', parameter('tag'))
        : db.selectFrom('tasks')
    ) as SelectQueryBuilder<Tables, 'tasks' | 'task_tags', unknown>
    if (asked.has('status')) query = query.where(`${table}.status`, '=', parameter('status'))
    if (asked.has('priority')) query = query.where(`${table}.priority`, '=', parameter('priority'))
    if (asked.has('before')) query = query.where(place, '<', parameter('before'))
    if (by === 'duePlace') query = query.where(place, 'is not', null)
    if (asked.has('afterPlace'))
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple(place, id), '>', tuple(parameter('afterPlace'), parameter('afterId'))),
      )
    return query.select(LISTED).orderBy(place).orderBy(id).limit(parameter('limit'))
  })

/** Reads lists; the SQL of each kind is made once. */
export const createTaskLists = () => {
  const kinds = new Map<string, ReturnType<typeof prepareList>>()
  return (
    db: Db,
    { by, ...filter }: ListFilter,
    { limit, after }: { limit: number; after: readonly [number, number] | undefined },
  ): Promise<ListedTask[]> => {
    const given = { ...filter, afterPlace: after?.[0], afterId: after?.[1], limit: limit + 1 }
    const asked = (Object.keys(given) as ListPart[]).filter((part) => given[part] !== undefined)
    const kind = `${by} ${asked.join()}`
    const read = kinds.get(kind) ?? prepareList(by, new Set(asked))
    kinds.set(kind, read)
    return read(db, given as ListParameters)
  }
}

/** What planning asks of a task. */
export type OpenTask = Pick<TaskRecord, 'id' | 'title' | 'lateAt' | 'estimateMinutes' | 'tags'>

/** Open tasks from the first on. */
export const listOpen = (db: Db, firstClosed: number, limit: number): Promise<OpenTask[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'title', 'lateAt', 'estimateMinutes', 'tags'])
    .where('place', '<', firstClosed)
    .orderBy('place')
    .orderBy('id')
    .limit(limit)
    .execute()

const count = (db: Db) => db.selectFrom('tasks').select((row) => row.fn.countAll<number>().as('tasks'))

export const countPlaced = async (db: Db, from: number | null, before: number): Promise<number> => {
  const query = count(db).where('place', '<', before)
  const { tasks } = await (from === null ? query : query.where('place', '>=', from)).executeTakeFirstOrThrow()
  return Number(tasks)
}

/** How many were completed in each of some stretches of time. */
export const countCompleted = async (
  db: Db,
  stretches: readonly { from: string; to: string }[],
): Promise<number[]> => {
  const counts = await db
    .selectNoFrom((row) =>
      stretches.map(({ from, to }, index) =>
        row
          .selectFrom('tasks')
          .select((inner) => inner.fn.countAll<number>().as('tasks'))
          .where('completedAt', '>=', from)
          .where('completedAt', '<', to)
          .as(`stretch${index}`),
      ),
    )
    .executeTakeFirstOrThrow()
  const named = counts as Record<string, number | null>
  return stretches.map((_, index) => Number(named[`stretch${index}`] ?? 0))
}

/** Those whose moment has come, at most `limit` of them: each is taken once, whoever asks at the same time. */
export const takeDue = (tx: Db, now: string, limit: number): Promise<TaskRecord[]> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ nextReminderAt: null, remindedFor: row.ref('nextReminderAt') }))
    .where('id', 'in', (db) =>
      db
        .selectFrom('tasks')
        .select('id')
        .where('nextReminderAt', '<=', now)
        .orderBy('nextReminderAt')
        .limit(limit),
    )
    .where('nextReminderAt', '<=', now)
    .returningAll()
    .execute()

export const findNextReminder = async (tx: Db): Promise<string | null> => {
  const row = await tx
    .selectFrom('tasks')
    .select('nextReminderAt')
    .where('nextReminderAt', 'is not', null)
    .orderBy('nextReminderAt')
    .limit(1)
    .executeTakeFirst()
  return row?.nextReminderAt ?? null
}

const ALARM = 1

/** When the next job runs, as far as is known. */
export const readAlarm = async (tx: Db): Promise<string | null> =>
  (await tx.selectFrom('task_alarm').select('ringsAt').where('id', '=', ALARM).executeTakeFirst())?.ringsAt ??
  null

/** When the next job runs. Others who ask wait for this transaction. */
export const lockAlarm = async (tx: Db): Promise<string | null> => {
  const { ringsAt } = await tx
    .insertInto('task_alarm')
    .values({ id: ALARM, ringsAt: null })
    .onConflict((existing) => existing.column('id').doUpdateSet({ ringsAt: sql.ref('task_alarm.ringsAt') }))
    .returning('ringsAt')
    .executeTakeFirstOrThrow()
  return ringsAt
}

export const setAlarm = async (tx: Db, ringsAt: string | null): Promise<void> => {
  await tx.updateTable('task_alarm').set({ ringsAt }).where('id', '=', ALARM).execute()
}

/** More than anybody remembers. */
const MOST_TAGS = 1000

export const listUsedTags = (db: Db) => readUsedTags(db, 'tasks', MOST_TAGS)

/** Those that came from an e-mail; nobody makes more of one than fit on a page. */
/** Of these e-mails, those that a task came from. */
export const listWithTasks = async (db: Db, emailIds: readonly number[]): Promise<number[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('emailId')
    .distinct()
    .where('emailId', 'in', emailIds)
    .$narrowType<{ emailId: number }>()
    .execute()
  return rows.map(({ emailId }) => emailId)
}

export const listOfEmail = (db: Db, emailId: number): Promise<Pick<TaskRecord, 'id' | 'title'>[]> =>
  db
    .selectFrom('tasks')
    .select(['id', 'title'])
    .where('emailId', '=', emailId)
    .orderBy('id')
    .limit(200)
    .execute()
