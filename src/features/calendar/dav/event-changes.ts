import type { Db } from '../../../database/db.ts'
import type { RecordedChange } from '../../../platform/changes.ts'
import type { CollectionLog } from '../../dav/collection-log.ts'

/**
 * Notes changed events for the sync of CalDAV clients. Every write of an event records a change, whoever makes it. The
 * copies for members have no UID, because a member reads the log of the owner.
 */
export const noteEventChanges = (
  log: Pick<CollectionLog, 'note'>,
  tx: Db,
  recorded: readonly RecordedChange[],
): void => {
  for (const change of recorded) {
    if (
      change.type !== 'event.created' &&
      change.type !== 'event.updated' &&
      change.type !== 'event.cancelled'
    )
      continue
    const { userId, data, movedFrom } = change
    if (data.uid === undefined) continue
    log.note(tx, userId, 'calendar', data.calendarId, [data.uid])
    if (movedFrom !== undefined) log.note(tx, userId, 'calendar', movedFrom, [data.uid])
  }
}
