import type { Db } from '../../../database/db.ts'
import { isByHand } from '../../calendar/imports/server-scheduling.ts'
import { findPlaced } from './placement-store.ts'
import { holdPush, listPushesOf } from './push-store.ts'

/**
 * Keeps automatic changes to events with guests from servers that schedule them: a server that sees the change might mail
 * the guests (RFC 6638, 3.2), and nobody confirmed that. Events that were sent with SCHEDULE-AGENT=CLIENT are safe.
 */
export const holdPushes = async (tx: Db, uids: readonly string[]): Promise<void> => {
  if (uids.length === 0) return
  for (const { accountId, uid } of await listPushesOf(tx, uids)) {
    const placement = await findPlaced(tx, accountId, uid)
    // An object that is not on the server yet is written with SCHEDULE-AGENT=CLIENT.
    if (placement && placement.body !== '' && !isByHand(placement.body)) await holdPush(tx, accountId, uid)
  }
}
