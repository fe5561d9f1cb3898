import type { Db } from '../../database/db.ts'
import { positionOf } from '../../database/positions.ts'
import { readTally } from '../../database/tallies.ts'
import type { EmailsReader } from '../dashboard/dashboard.ts'
import { countReceived, countUnread, countUrgent, TALLY } from './store.ts'

/** How much mail there is, from indexes alone. */
export const createEmailFigures =
  (db: Db): EmailsReader =>
  async ({ today, days }) => {
    const received = ({ start, end }: { start: string; end: string }): Promise<number> =>
      countReceived(db, positionOf(start), positionOf(end))
    const perDay: number[] = []
    for (const day of days) perDay.push(await received(day))
    return {
      figures: {
        total: await readTally(db, TALLY),
        unread: await countUnread(db),
        urgent: await countUrgent(db),
        receivedToday: await received(today),
      },
      perDay,
    }
  }
