import type { Db } from '../../database/db.ts'
import { positionOf } from '../../database/positions.ts'
import { readTally } from '../../database/tallies.ts'
import type { EmailsReader } from '../dashboard/dashboard.ts'
import { countReceived, countUnread, countUrgent, TALLY } from './store.ts'

/** How much mail there is, from indexes alone. */
export const createEmailFigures =
  (db: Db): EmailsReader =>
  async ({ today, days }) => {
    const [receivedToday = 0, ...perDay] = await countReceived(
      db,
      [today, ...days].map(({ start, end }) => ({ from: positionOf(start), below: positionOf(end) })),
    )
    return {
      figures: {
        total: await readTally(db, TALLY),
        unread: await countUnread(db),
        urgent: await countUrgent(db),
        receivedToday,
      },
      perDay,
    }
  }
