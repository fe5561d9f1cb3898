import type { Database } from '../../database/database.ts'
import { foldWords } from '../../database/word-index.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { readInstant } from '../../platform/time.ts'
import { marks, tagKeyOf } from './fields.ts'
import { listLate } from './late-store.ts'
import { FIRST_CLOSED, isOpen, placeAt } from './place.ts'
import type { Status, TaskQuery } from './schema.ts'
import { searchTasks } from './search-store.ts'
import { textOf } from './shown-task.ts'
import { createTaskLists, type ListedTask, type ListFilter } from './store.ts'

type Filters = Omit<TaskQuery, 'limit' | 'cursor' | 'q' | 'dueBefore'> & { dueBefore?: string }
type Page = Pick<TaskQuery, 'limit' | 'cursor'>

const placeBefore = (dueBefore: string | undefined): number | undefined =>
  dueBefore === undefined ? undefined : placeAt(Date.parse(dueBefore))

/** The order, and the index, that fits: open tasks stand by their due date anyway. */
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

/** Open tasks, then closed ones; a filter by status leaves one kind. */
const kindsOf = (status: TaskQuery['status']): readonly string[] => {
  if (status === undefined) return [marks.open, marks.closed]
  return status === 'open' || status === 'overdue' ? [marks.open] : [marks.status(status)]
}

export const createListing = ({ database, clock }: { database: Database; clock: Clock }) => {
  const { db, engine } = database
  const listTasks = createTaskLists()
  const now = (): string => clock.now().toISOString()

  const browseLate = async ({ priority, tag, dueBefore }: Filters, { limit, cursor }: Page) => {
    const filter = { now: now(), priority, tag: tag === undefined ? undefined : tagKeyOf(tag), dueBefore }
    const after = readCursor(cursor, 'instant', 'integer')
    const rows = await listLate(db, filter, { limit, after })
    return pageOf(rows, limit, (row) => [row.lateAt as string, row.id])
  }

  const browse = async (filters: Filters, page: Page) => {
    if (filters.status === 'overdue') return browseLate(filters, page)
    const { limit, cursor } = page
    const filter = filterOf(filters)
    const after = readCursor(cursor, 'integer', 'integer')
    const rows = await listTasks(db, filter, { limit, after })
    return pageOf(rows, limit, (row) => [row[filter.by] as number, row.id])
  }

  const search = async (q: string, filters: Filters, { limit, cursor }: Page) => {
    const { status, priority, tag, dueBefore } = filters
    const words = foldWords(q)
    const always = [
      ...(priority === undefined ? [] : [marks.priority(priority)]),
      ...(tag === undefined ? [] : [marks.tag(tag)]),
      ...(dueBefore === undefined ? [] : [marks.due]),
    ]
    const kinds = kindsOf(status)
    const [kind, below] = readCursor(cursor, 'integer', 'integer') ?? [0, undefined]
    if (kinds[kind] === undefined) throw invalidField('cursor', 'is not one that this list gave out')
    const found: { row: ListedTask; kind: number }[] = []
    // What holds no word, of letters or digits, is in no text.
    for (let n = kind; words.length > 0 && n < kinds.length && found.length <= limit; n++) {
      const lateBy = status === 'overdue' ? now() : undefined
      const wanted = {
        words,
        marks: [kinds[n] as string, ...always],
        dueBelow: placeBefore(dueBefore),
        lateBy,
      }
      const rest = limit + 1 - found.length
      const rows = await searchTasks(db, engine, wanted, {
        limit: rest,
        below: n === kind ? below : undefined,
      })
      found.push(...rows.map((row) => ({ row, kind: n })))
    }
    const { page, nextCursor } = pageOf(found, limit, (hit) => [hit.kind, hit.row.id])
    return { page: page.map(({ row }) => row), nextCursor }
  }

  /** The answer's JSON. */
  return async (query: TaskQuery, timezone: () => Promise<string>): Promise<string> => {
    const { q = '', dueBefore, ...rest } = query
    const filters =
      dueBefore === undefined
        ? rest
        : { ...rest, dueBefore: readInstant('dueBefore', dueBefore, await timezone()) }
    const { page, nextCursor } = await (q.trim() === '' ? browse(filters, query) : search(q, filters, query))
    return `{"tasks":[${page.map(textOf).join()}],"nextCursor":${JSON.stringify(nextCursor)}}`
  }
}
