import type { Db } from '../../database/db.ts'
import type { TaskSource } from '../briefing/sources.ts'
import type { Reader, TaskFigures } from '../dashboard/dashboard.ts'
import type { HistoryReader, TaskHistory } from '../dashboard/history.ts'
import {
  countCompleted,
  countLate,
  countPlaced,
  countProgress,
  type ListedTask,
  listTasks,
} from './repository.ts'
import type { Priority } from './schema.ts'
import { FIRST_CLOSED, LISTED_COLUMNS, placeAt } from './task.ts'

const MAX_TASKS = 50

/** Lists the tasks that are due on a day and those overdue before it, as two ranges of one index. */
export const createBriefedTasks = (db: Db): TaskSource => {
  const toDue = (rows: readonly ListedTask[]) =>
    rows.slice(0, MAX_TASKS).map((row) => {
      const { id, title, dueAt, dueDay, priority } = row
      return { id, title, dueAt: dueAt as string, dueDay, priority: priority as Priority }
    })
  return async (userId, { from, until }) => {
    const [first, end] = [placeAt(Date.parse(from)), placeAt(Date.parse(until))]
    const page = { limit: MAX_TASKS, after: undefined }
    const overdue = await listTasks(db, LISTED_COLUMNS, userId, { by: 'place', before: first }, page)
    const due = await listTasks(
      db,
      LISTED_COLUMNS,
      userId,
      { by: 'place', before: end },
      { ...page, after: [first - 1, Number.MAX_SAFE_INTEGER] },
    )
    const isMore = { due: due.length > MAX_TASKS, overdue: overdue.length > MAX_TASKS }
    return { due: toDue(due), overdue: toDue(overdue), isMore }
  }
}

/** A busy time of the calendar, with the facts that travel depends on. */
export interface BusyTime {
  start: string
  end: string
  allDay: boolean
  location: string
  /** The event comes from the reservation of a trip, a table or a ticket. */
  isReservation: boolean
}

/** The part of an account's calendar that planning uses. Times are instants. */
export interface Agenda {
  /** Lists busy times in [from, to), including occurrences of series. Cancelled events are not busy. */
  busyBetween(db: Db, userId: number, from: string, to: string): Promise<readonly BusyTime[]>
  create(tx: Db, userId: number, block: FocusBlock): Promise<BookedEvent>
  /** Returns the events that exist and are not cancelled. */
  find(db: Db, userId: number, ids: readonly number[]): Promise<readonly BookedEvent[]>
  remove(tx: Db, userId: number, id: number): Promise<void>
  /** Returns whether the event exists, cancelled or not, and locks it until the transaction ends. */
  has(tx: Db, userId: number, id: number): Promise<boolean>
}

/** Calendar time reserved for a task. */
export interface FocusBlock {
  title: string
  description: string
  start: string
  end: string
  timezone: string
  tags: readonly string[]
}

export interface BookedEvent {
  id: number
  /** Incremented with each change. */
  version: number
  title: string
  start: string
  end: string
}

/** Counts tasks for the dashboard. Each count reads one index range. */
export const createTaskFigures =
  (db: Db): Reader<TaskFigures> =>
  async (userId, { now, today, week, days }) => {
    const ranges = [week, ...days].map(({ start, end }) => ({ from: start, to: end }))
    const [completedThisWeek = 0, ...perDay] = await countCompleted(db, userId, ranges)
    const place = (instant: string) => placeAt(Date.parse(instant))
    return {
      figures: {
        open: await countPlaced(db, userId, null, FIRST_CLOSED),
        overdue: await countLate(db, userId, now),
        dueToday: await countPlaced(db, userId, place(today.start), place(today.end)),
        completedThisWeek,
      },
      perDay,
    }
  }

/** Counts created and completed tasks for the history. */
export const createTaskHistory =
  (db: Db): HistoryReader<TaskHistory> =>
  (userId, intervals) =>
    countProgress(
      db,
      userId,
      intervals.map(({ start, end }) => ({ from: start, to: end })),
    )
