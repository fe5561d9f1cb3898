import { type Selectable, type SqlBool, sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly, filterOnlyText } from '../../database/planner.ts'
import { prepare } from '../../database/prepared.ts'
import type { TaskSectionRow } from '../../database/tables/tasks.ts'
import { versionedRows } from '../../platform/resources.ts'
import type { ListedColumn, ListedTask, TaskRecord } from './repository.ts'

/** The tasks with the same list, section and parent have one order. */
export interface Place {
  listId: number
  sectionId: number | null
  parentId: number | null
}

export type SectionRecord = Selectable<TaskSectionRow>

export const {
  find: findSection,
  insert: insertSection,
  update: updateSection,
  remove: removeSection,
  getLocked: getLockedSection,
} = versionedRows('task_sections', 'section')

/** Finds a section of any account. The caller checks the access to its list. */
export const findSectionOf = (db: Db, id: number): Promise<SectionRecord | undefined> =>
  db.selectFrom('task_sections').selectAll().where('id', '=', id).modifyEnd(ALL_ACCOUNTS).executeTakeFirst()

/** Lists the sections of a list in their order. Their number is limited. */
export const listSections = (db: Db, userId: number, listId: number): Promise<SectionRecord[]> =>
  db
    .selectFrom('task_sections')
    .selectAll()
    .where(filterOnly('userId'), '=', userId)
    .where('listId', '=', listId)
    .orderBy('position')
    .orderBy('id')
    .execute()

export const setSectionPosition = async (
  tx: Db,
  { userId, id }: SectionRecord,
  position: string,
): Promise<void> => {
  await tx
    .updateTable('task_sections')
    .set({ position })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Takes the tasks out of a section, and returns them. */
export const emptySection = (
  tx: Db,
  userId: number,
  sectionId: number,
  updatedAt: string,
): Promise<TaskRecord[]> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ sectionId: null, updatedAt, version: row('version', '+', 1) }))
    .where(filterOnly('userId'), '=', userId)
    .where('sectionId', '=', sectionId)
    .returningAll()
    .execute()

const equals = (value: number | null) => (value === null ? ('is' as const) : ('=' as const))

const siblings = (db: Db, userId: number, { listId, parentId, sectionId }: Place) =>
  db
    .selectFrom('tasks')
    .where(filterOnly('userId'), '=', userId)
    .where('listId', '=', listId)
    .where('parentId', equals(parentId), parentId)
    .where('sectionId', equals(sectionId), sectionId)

const selectLast = prepare<{ userId: number; listId: number }, { position: string }>((db, values) =>
  siblings(db, values.userId, { listId: values.listId, parentId: null, sectionId: null })
    .select('position')
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/** Returns the last position of a place, or null. Most new tasks have neither section nor parent. */
export const findLastPosition = async (db: Db, userId: number, place: Place): Promise<string | null> => {
  if (place.parentId === null && place.sectionId === null)
    return (await selectLast(db, { userId, listId: place.listId }))[0]?.position ?? null
  const row = await siblings(db, userId, place)
    .select('position')
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? null
}

type Sibling = Pick<TaskRecord, 'id' | 'position'>

/** Returns the task at a place, or undefined if it is elsewhere. */
export const findSibling = (db: Db, userId: number, place: Place, id: number): Promise<Sibling | undefined> =>
  siblings(db, userId, place).select(['id', 'position']).where(filterOnly('id'), '=', id).executeTakeFirst()

/** Returns the last of the tasks with a position at a place. */
export const findSiblingAt = (
  db: Db,
  userId: number,
  place: Place,
  position: string,
): Promise<Sibling | undefined> =>
  siblings(db, userId, place)
    .select(['id', 'position'])
    .where('position', '=', position)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the task behind another one, or the first one. `except` is the task that moves. */
export const findNextSibling = (
  db: Db,
  userId: number,
  place: Place,
  { after, except }: { after: Sibling | null; except: number },
): Promise<Sibling | undefined> => {
  let query = siblings(db, userId, place).select(['id', 'position']).where(filterOnly('id'), '!=', except)
  if (after !== null)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('position', 'id'), '>', tuple(after.position, after.id)),
    )
  return query.orderBy('position').orderBy('id').limit(1).executeTakeFirst()
}

export const listSiblings = (db: Db, userId: number, place: Place): Promise<Sibling[]> =>
  siblings(db, userId, place).select(['id', 'position']).orderBy('position').orderBy('id').execute()

/** Sets positions, without a new version of the tasks. */
export const setPosition = async (tx: Db, userId: number, id: number, position: string): Promise<void> => {
  await tx.updateTable('tasks').set({ position }).where('userId', '=', userId).where('id', '=', id).execute()
}

/** No chain of subtasks is longer. */
export const MAX_DEPTH = 50

export interface TreeNode {
  id: number
  /** 1 for the topmost task. */
  depth: number
  closedAt: string | null
}

/** Lists a task and all its subtasks, parents first. */
export const listTree = async (db: Db, userId: number, id: number): Promise<TreeNode[]> => {
  const { rows } = await sql<TreeNode>`
    with recursive tree (id, depth, "closedAt") as (
      select id, 1, "closedAt" from tasks where "userId" = ${userId} and id = ${id}
      union all
      select child.id, tree.depth + 1, child."closedAt" from tree
      join tasks as child on child."parentId" = tree.id
      where child."userId" = ${userId} and tree.depth <= ${MAX_DEPTH}
    )
    select id, depth, "closedAt" from tree`.execute(db)
  return rows.sort((one, other) => one.depth - other.depth || one.id - other.id)
}

/** Lists a task and the tasks above it, upwards. */
export const listPath = async (
  db: Db,
  userId: number,
  id: number,
): Promise<Pick<TaskRecord, 'id' | 'sectionId'>[]> => {
  const { rows } = await sql<Pick<TaskRecord, 'id' | 'sectionId'> & { height: number }>`
    with recursive path (id, "parentId", "sectionId", height) as (
      select id, "parentId", "sectionId", 1 from tasks where "userId" = ${userId} and id = ${id}
      union all
      select above.id, above."parentId", above."sectionId", path.height + 1 from path
      join tasks as above on above.id = path."parentId"
      where above."userId" = ${userId} and path.height <= ${MAX_DEPTH}
    )
    select id, "sectionId", height from path`.execute(db)
  return rows.sort((one, other) => one.height - other.height)
}

/** Reads tasks by id and locks them until the commit. */
export const lockTasks = (tx: Db, userId: number, ids: readonly number[]): Promise<TaskRecord[]> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ version: row.ref('version') }))
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .returningAll()
    .execute()

/** Reads tasks by id, in their order. A tree is bounded. */
export const listByIds = async (db: Db, userId: number, ids: readonly number[]): Promise<TaskRecord[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('tasks')
    .selectAll()
    .where(filterOnly('userId'), '=', userId)
    .where('id', 'in', ids)
    .execute()
  return rows.sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : a.id - b.id))
}

export const listChildren = (db: Db, userId: number, parentId: number): Promise<TaskRecord[]> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where(filterOnly('userId'), '=', userId)
    .where('parentId', '=', parentId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Returns those of the given uids that the list has. */
export const listUids = async (
  db: Db,
  userId: number,
  listId: number,
  uids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('uid')
    .where(filterOnly('userId'), '=', userId)
    .where('listId', '=', listId)
    .where('uid', 'in', uids)
    .execute()
  return rows.map(({ uid }) => uid)
}

/** Removes the assignee from the tasks of a list. */
export const unassign = (
  tx: Db,
  userId: number,
  { listId, assigneeId, updatedAt }: { listId: number; assigneeId: number; updatedAt: string },
): Promise<TaskRecord[]> =>
  tx
    .updateTable('tasks')
    .set((row) => ({ assigneeId: null, updatedAt, version: row('version', '+', 1) }))
    .where(filterOnly('userId'), '=', userId)
    .where('assigneeId', '=', assigneeId)
    .where('listId', '=', listId)
    .returningAll()
    .execute()

/** A part of one list, in the order of its owner. */
export interface OrderedFilter {
  listId?: number | undefined
  parentId?: number | undefined
  sectionId?: number | undefined
  isOpen: boolean
  status?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
}

/** Lists up to `limit` + 1 tasks by position. Each of `listId`, `parentId` and `sectionId` has an index. */
export const listOrdered = (
  db: Db,
  columns: readonly ListedColumn[],
  userId: number,
  filter: OrderedFilter,
  { limit, after }: { limit: number; after: readonly [string, number] | undefined },
): Promise<ListedTask[]> => {
  const { listId, parentId, sectionId, isOpen, status, priority, tag } = filter
  let query = db.selectFrom('tasks')
  if (parentId !== undefined) query = query.where('parentId', '=', parentId)
  else if (sectionId !== undefined) query = query.where('sectionId', '=', sectionId)
  else if (listId !== undefined) query = query.where('listId', '=', listId)
  query =
    parentId === undefined && sectionId === undefined
      ? query.where('userId', '=', userId)
      : query.where(filterOnly('userId'), '=', userId)
  if (isOpen) query = query.where('closedAt', 'is', null)
  if (status !== undefined) query = query.where(filterOnlyText('status'), '=', status)
  if (priority !== undefined) query = query.where(filterOnlyText('priority'), '=', priority)
  if (tag !== undefined)
    query = query.where(
      sql<SqlBool>`exists (select 1 from task_tags where task_tags."taskId" = tasks.id and task_tags.tag = ${tag})`,
    )
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('position', 'id'), '>', tuple(...after)))
  return query
    .select(columns)
    .orderBy('position')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

/** Makes imported subtasks tasks of their own whose parent is missing, in another list, below itself or too deep. */
export const cutLooseParents = async (tx: Db, userId: number): Promise<void> => {
  await sql`
    update tasks set "parentId" = null
    where "userId" = ${userId} and "parentId" is not null and id not in (
      with recursive reached (id, "listId", depth) as (
        select id, "listId", 1 from tasks where "userId" = ${userId} and "parentId" is null
        union all
        select child.id, child."listId", reached.depth + 1 from reached
        join tasks as child on child."parentId" = reached.id and child."listId" = reached."listId"
        where child."userId" = ${userId} and reached.depth < ${MAX_DEPTH}
      )
      select id from reached
    )`.execute(tx)
  await sql`
    update tasks set "sectionId" = null
    where "userId" = ${userId} and "parentId" is not null and "sectionId" is not null`.execute(tx)
}
