import { sql } from 'kysely'
import { searchTasks } from '../../database/task-search.ts'
import { foldWords } from '../../database/word-index.ts'
import { invalidField } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import { isLate } from './filters/filter-conditions.ts'
import type { TaskFilters } from './filters/filters.ts'
import { findList } from './list-repository.ts'
import type { ListSharing } from './lists.ts'
import { findSharedTask, listReminders } from './member-repository.ts'
import {
  findTask,
  type ListedTask,
  type ListFilter,
  listLate,
  listMatching,
  listTasks,
} from './repository.ts'
import type { Status, TaskList, TaskQuery } from './schema.ts'
import {
  FIRST_CLOSED,
  isOpen,
  LISTED_COLUMNS,
  marks,
  placeAt,
  tagKeyOf,
  taskColumns,
  toMemberTask,
} from './task.ts'
import { findSectionOf, listOrdered } from './tree-repository.ts'

type Filters = Omit<TaskQuery, 'limit' | 'cursor' | 'q' | 'dueBefore' | 'filter' | 'filterId' | Placed> & {
  dueBefore?: string
}
/** Filters that choose a place. */
type Placed = 'listId' | 'sectionId' | 'parentId' | 'sort'
type Page = Pick<TaskQuery, 'limit' | 'cursor'>

/** The tasks of an account, or of one of its lists. */
interface Scope {
  userId: number
  listId: number | undefined
}

/** Reads the rows of all scopes of the caller in one order. */
type ReadScopes = (
  read: (scope: Scope) => Promise<ListedTask[]>,
  compare: (one: ListedTask, other: ListedTask) => number,
) => Promise<ListedTask[]>

const placeBefore = (dueBefore: string | undefined): number | undefined =>
  dueBefore === undefined ? undefined : placeAt(Date.parse(dueBefore))

/** Chooses the order and its index. `place` already orders open tasks by due date. */
const filterOf = ({ status, priority, tag, dueBefore }: Filters): ListFilter => {
  const onlyOpen = status === 'open' || (status !== undefined && isOpen(status as Status))
  const before = placeBefore(dueBefore)
  return {
    by: before === undefined || onlyOpen ? 'place' : 'duePlace',
    status: status === 'open' ? undefined : status,
    priority,
    tag: tag === undefined ? undefined : tagKeyOf(tag),
    before: before ?? (status === 'open' ? FIRST_CLOSED : undefined),
  }
}

/** Returns the groups to search in order: open tasks, then closed ones. A status filter leaves one group. */
const kindsOf = (status: TaskQuery['status']): readonly string[] => {
  if (status === undefined) return [marks.open, marks.closed]
  return status === 'open' || status === 'overdue' ? [marks.open] : [marks.status(status)]
}

const compareLate = (one: ListedTask, other: ListedTask): number => {
  const [lateAt, otherLateAt] = [one.lateAt as string, other.lateAt as string]
  return lateAt === otherLateAt ? one.id - other.id : lateAt < otherLateAt ? -1 : 1
}

const compareBy =
  (by: ListFilter['by']) =>
  (one: ListedTask, other: ListedTask): number =>
    (one[by] as number) - (other[by] as number) || one.id - other.id

const newestFirst = (one: ListedTask, other: ListedTask): number => other.id - one.id

/** Lists and searches own tasks together with those of lists that others share with the caller. */
export const createListing = (
  deps: Pick<Platform, 'db' | 'clock'> & { sharing: ListSharing; filters: Pick<TaskFilters, 'find'> },
) => {
  const { db, clock, sharing, filters: savedFilters } = deps
  const now = (): string => clock.now().toISOString()

  /**
   * A cursor is the sort key of the last row, so it is valid in every scope. Each scope returns a whole page, of which
   * the caller takes the first rows.
   */
  const createScopes = (userId: number, listId: number | undefined): ReadScopes => {
    const findShared = async (): Promise<Scope[]> => {
      const shares =
        listId === undefined
          ? await sharing.accepted(db, userId, 'taskList')
          : [await sharing.find(db, userId, 'taskList', listId)]
      return shares.flatMap((share) =>
        share === undefined ? [] : [{ userId: share.ownerId, listId: share.resourceId }],
      )
    }
    let shared: Promise<Scope[]> | undefined
    return async (read, compare) => {
      shared ??= findShared()
      const [rows, others] = await Promise.all([read({ userId, listId }), shared])
      if (others.length === 0) return rows
      const all = [...rows]
      for (const scope of others) all.push(...(await read(scope)))
      return all.sort(compare)
    }
  }

  const browseLate = async (
    readScopes: ReadScopes,
    { priority, tag, dueBefore }: Filters,
    { limit, cursor }: Page,
  ) => {
    const filter = { now: now(), priority, tag: tag === undefined ? undefined : tagKeyOf(tag), dueBefore }
    const after = readCursor(cursor, 'instant', 'integer')
    const rows = await readScopes(
      ({ userId, listId }) => listLate(db, LISTED_COLUMNS, userId, { ...filter, listId }, { limit, after }),
      compareLate,
    )
    return pageOf(rows, limit, (row) => [row.lateAt as string, row.id])
  }

  const browse = async (readScopes: ReadScopes, filters: Filters, page: Page) => {
    if (filters.status === 'overdue') return browseLate(readScopes, filters, page)
    const { limit, cursor } = page
    const filter = filterOf(filters)
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await readScopes(
      ({ userId, listId }) => listTasks(db, LISTED_COLUMNS, userId, { ...filter, listId }, { limit, after }),
      compareBy(filter.by),
    )
    return pageOf(rows, limit, (row) => [row[filter.by] as number, row.id])
  }

  const search = async (readScopes: ReadScopes, q: string, filters: Filters, { limit, cursor }: Page) => {
    const { status, priority, tag, dueBefore } = filters
    const words = foldWords(q)
    const always = [
      ...(priority === undefined ? [] : [marks.priority(priority)]),
      ...(tag === undefined ? [] : [marks.tag(tag)]),
      ...(dueBefore === undefined ? [] : [marks.due]),
    ]
    const kinds = kindsOf(status)
    const [kind, below] = readCursor(cursor, 'integer', 'integer') ?? [0, undefined]
    if (kinds[kind] === undefined) throw invalidField('cursor', 'is not a cursor of this list')
    const found: { row: ListedTask; kind: number }[] = []
    // A query without letters or digits matches nothing.
    for (let n = kind; words.length > 0 && n < kinds.length && found.length <= limit; n++) {
      const lateBy = status === 'overdue' ? now() : undefined
      const rest = limit + 1 - found.length
      const searchScope = ({ userId, listId }: Scope) => {
        const ofScope = [marks.user(userId), ...(listId === undefined ? [] : [marks.list(listId)])]
        const wanted = {
          userId,
          listId,
          words,
          marks: [kinds[n] as string, ...ofScope, ...always],
          dueBelow: placeBefore(dueBefore),
          lateBy,
        }
        return searchTasks(db, LISTED_COLUMNS, wanted, { limit: rest, below: n === kind ? below : undefined })
      }
      const rows = await readScopes(searchScope, newestFirst)
      found.push(...rows.slice(0, rest).map((row) => ({ row, kind: n })))
    }
    const { page, nextCursor } = pageOf(found, limit, (hit) => [hit.kind, hit.row.id])
    return { page: page.map(({ row }) => row), nextCursor }
  }

  /** Returns the account and the list that the filters name, if the caller sees them. */
  const findOrdered = async (userId: number, { listId, sectionId, parentId }: TaskQuery): Promise<Scope> => {
    if (parentId !== undefined) {
      const parent = (await findTask(db, userId, parentId)) ?? (await findSharedTask(db, userId, parentId))
      if (!parent) throw invalidField('parentId', 'names a task that does not exist')
      return parent
    }
    if (sectionId !== undefined) {
      const section = await findSectionOf(db, sectionId)
      const scope = section && (await findScope(userId, section.listId))
      if (!scope) throw invalidField('sectionId', 'names a section that does not exist')
      return scope
    }
    if (listId === undefined) throw invalidField('sort', 'needs listId, sectionId or parentId')
    return (await findScope(userId, listId)) ?? { userId, listId }
  }

  const findScope = async (userId: number, listId: number): Promise<Scope | undefined> => {
    if (await findList(db, userId, listId)) return { userId, listId }
    const share = await sharing.find(db, userId, 'taskList', listId)
    return share && { userId: share.ownerId, listId }
  }

  const browseOrdered = async (userId: number, query: TaskQuery) => {
    const { q, dueBefore, status, priority, tag, listId, sectionId, parentId, limit, cursor } = query
    for (const [name, given] of Object.entries({
      q,
      dueBefore,
      status: status === 'overdue' ? status : undefined,
    }))
      if (given !== undefined) throw invalidField(name, 'cannot be combined with sort, sectionId or parentId')
    const scope = await findOrdered(userId, query)
    const isOpenOnly = status === 'open'
    const filter = {
      listId,
      sectionId,
      parentId,
      isOpen: isOpenOnly,
      status: isOpenOnly ? undefined : status,
      priority,
      tag: tag === undefined ? undefined : tagKeyOf(tag),
    }
    const after = readCursor(cursor, 'text', 'integer')
    const rows = await listOrdered(db, LISTED_COLUMNS, scope.userId, filter, { limit, after })
    return pageOf(rows, limit, (row) => [row.position, row.id])
  }

  const browseMatching = async (userId: number, query: TaskQuery) => {
    const { status, filter, filterId, limit, cursor, ...others } = query
    for (const [name, given] of Object.entries(others))
      if (given !== undefined) throw invalidField(name, 'cannot be combined with filter or filterId')
    if (filter !== undefined && filterId !== undefined)
      throw invalidField('filterId', 'cannot be combined with filter')
    const { listId, from, before, isOverdue, condition, ...wanted } = await savedFilters.find(userId, {
      ...(filter !== undefined && { filter }),
      ...(filterId !== undefined && { filterId }),
    })
    const areLate = isOverdue || status === 'overdue'
    // Only the open tasks are in the order of their due dates.
    const areOpen = areLate || status === 'open' || (status !== undefined && isOpen(status as Status))
    const bounds = [before, areLate ? placeAt(clock.now().getTime() + 1) : undefined, FIRST_CLOSED]
    const within = {
      by: 'place' as const,
      ...wanted,
      status: status === 'open' || status === 'overdue' ? undefined : status,
      ...(areOpen && { from, before: Math.min(...bounds.filter((bound) => bound !== undefined)) }),
      condition: status === 'overdue' ? sql<boolean>`${condition} and ${isLate(now())}` : condition,
    }
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await createScopes(userId, listId)(
      (scope) =>
        listMatching(db, LISTED_COLUMNS, scope.userId, { ...within, listId: scope.listId }, { limit, after }),
      compareBy('place'),
    )
    return pageOf(rows, limit, (row) => [row.place, row.id])
  }

  /** Converts rows of several accounts to what the caller sees. */
  const toTasks = async (userId: number, rows: readonly ListedTask[]) => {
    const ofOthers = rows.flatMap((row) => (row.userId === userId ? [] : [row.id]))
    const reminders = new Map(
      (await listReminders(db, userId, ofOthers)).map(({ taskId, remindAt }) => [taskId, remindAt]),
    )
    return taskColumns
      .fromRows(rows)
      .map((task, index) =>
        rows[index]?.userId === userId ? task : toMemberTask(task, reminders.get(task.id) ?? null),
      )
  }

  return async (userId: number, query: TaskQuery, timezone: () => Promise<string>): Promise<TaskList> => {
    const { q = '', dueBefore, listId, sectionId, parentId, sort, filter, filterId, ...rest } = query
    if (filter !== undefined || filterId !== undefined) {
      const { page, nextCursor } = await browseMatching(userId, query)
      return { tasks: await toTasks(userId, page), nextCursor }
    }
    if (sort !== undefined || sectionId !== undefined || parentId !== undefined) {
      const { page, nextCursor } = await browseOrdered(userId, query)
      return { tasks: await toTasks(userId, page), nextCursor }
    }
    const filters =
      dueBefore === undefined
        ? rest
        : { ...rest, dueBefore: readInstant('dueBefore', dueBefore, await timezone()) }
    const readScopes = createScopes(userId, listId)
    const { page, nextCursor } = await (q.trim() === ''
      ? browse(readScopes, filters, query)
      : search(readScopes, q, filters, query))
    return { tasks: await toTasks(userId, page), nextCursor }
  }
}
