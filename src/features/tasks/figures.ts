import type { Db } from '../../database/db.ts'
import type { Reader, TaskFigures } from '../dashboard/dashboard.ts'
import { countLate } from './late-store.ts'
import { FIRST_CLOSED, placeAt } from './place.ts'
import { countCompleted, countPlaced } from './store.ts'

/** How things stand with tasks: each figure a stretch of one index. */
export const createTaskFigures =
  (db: Db): Reader<TaskFigures> =>
  async ({ now, today, week, days }) => {
    const stretches = [week, ...days].map(({ start, end }) => ({ from: start, to: end }))
    const [completedThisWeek = 0, ...perDay] = await countCompleted(db, stretches)
    const place = (instant: string) => placeAt(Date.parse(instant))
    return {
      figures: {
        open: await countPlaced(db, null, FIRST_CLOSED),
        overdue: await countLate(db, now),
        dueToday: await countPlaced(db, place(today.start), place(today.end)),
        completedThisWeek,
      },
      perDay,
    }
  }
