import type { Db } from '../../database/db.ts'
import type { TaskSource } from '../briefing/sources.ts'
import { placeAt } from './place.ts'
import { viewOf } from './shown-task.ts'
import { createTaskLists, type ListedTask } from './store.ts'

const MOST = 50

/** What is due on a day, and what was before it: two stretches of the order that open tasks stand in anyway. */
export const createBriefedTasks = (db: Db): TaskSource => {
  const listTasks = createTaskLists()
  const told = (rows: readonly ListedTask[]) =>
    rows.slice(0, MOST).map((row) => {
      const { id, title, dueAt, dueDay, priority } = viewOf(row)
      return { id, title, dueAt: dueAt as string, dueDay, priority }
    })
  return async ({ from, until }) => {
    const [first, end] = [placeAt(Date.parse(from)), placeAt(Date.parse(until))]
    const page = { limit: MOST, after: undefined }
    const overdue = await listTasks(db, { by: 'place', before: first }, page)
    const due = await listTasks(
      db,
      { by: 'place', before: end },
      { ...page, after: [first - 1, Number.MAX_SAFE_INTEGER] },
    )
    const isMore = { due: due.length > MOST, overdue: overdue.length > MOST }
    return { due: told(due), overdue: told(overdue), isMore }
  }
}
