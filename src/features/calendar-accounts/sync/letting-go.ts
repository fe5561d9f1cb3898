import type { Db } from '../../../database/db.ts'
import { everyRow } from '../../../database/every-row.ts'
import type { MirroredEvents } from '../../calendar/mirrored-events.ts'
import type { PlacementRecord } from './placement-store.ts'
import { findPush } from './push-store.ts'
import { leave } from './taking.ts'

/**
 * Before an account is removed: the copies of what lies there go with it. What was changed here and never told the
 * server stays, as does everything when the person says so.
 */
export const createLettingGo =
  ({ mirrored }: { mirrored: MirroredEvents }) =>
  async (tx: Db, accountId: string, events: 'remove' | 'keep'): Promise<void> => {
    if (events === 'keep') return
    const placements = await Array.fromAsync(
      everyRow<PlacementRecord>((after, limit) =>
        tx
          .selectFrom('event_placements')
          .innerJoin('remote_calendars', 'remote_calendars.id', 'event_placements.calendarId')
          .selectAll('event_placements')
          .where('remote_calendars.accountId', '=', accountId)
          .where('event_placements.id', '>', after?.id ?? 0)
          .orderBy('event_placements.id')
          .limit(limit)
          .execute(),
      ),
    )
    for (const placement of placements)
      if (!(await findPush(tx, accountId, placement.uid))) await leave(tx, { mirrored, accountId }, placement)
  }
