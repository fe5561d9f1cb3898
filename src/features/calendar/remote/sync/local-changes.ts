import type { Db } from '../../../../database/db.ts'
import type { RecordedChange } from '../../../../platform/changes.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { MirroredEvents } from '../../imports/mirrored-events.ts'
import { findPlaced, holdPush, listPlacedAt, listPushesOf, listServers, queuePushes } from './repository.ts'

/**
 * Withholds automatic changes of events with guests from servers that schedule them. Such a server might
 * email the guests (RFC 6638, 3.2), and no user confirmed that. Events sent with SCHEDULE-AGENT=CLIENT are
 * safe.
 */
export const createHeldPushes =
  ({ mirrored }: { mirrored: Pick<MirroredEvents, 'maySchedule'> }) =>
  async (tx: Db, uids: readonly string[]): Promise<void> => {
    if (uids.length === 0) return
    for (const { accountId, uid } of await listPushesOf(tx, uids)) {
      const placement = await findPlaced(tx, accountId, uid)
      if (placement && mirrored.maySchedule(placement.body)) await holdPush(tx, accountId, uid)
    }
  }

const TYPES = new Set(['event.created', 'event.updated', 'event.cancelled'])

/**
 * Queues pushes in the transaction that changes an event: to the servers that have it, or to the server for
 * new events. Without such accounts this costs one query of an empty table.
 */
export const createLocalChanges =
  ({ clock, wake }: { clock: Clock; wake: (tx: Db, accountId: string) => Promise<void> }) =>
  async (tx: Db, changes: readonly RecordedChange[]): Promise<void> => {
    const events = changes.filter(({ type, data }) => TYPES.has(type) && typeof data.uid === 'string')
    if (events.length === 0) return
    const servers = await listServers(tx)
    if (servers.length === 0) return
    const uids = [...new Set(events.map(({ data }) => data.uid as string))]
    const placed = Map.groupBy(await listPlacedAt(tx, uids), ({ uid }) => uid)
    const receiver = servers.find(({ receivesNew, enabled }) => receivesNew === 1 && enabled === 1)
    const known = new Map(servers.map((server) => [server.id, server]))
    const pushes = uids.flatMap((uid) => {
      const places = placed.get(uid)?.map(({ accountId }) => accountId)
      // An event of a published file is read-only and is not pushed.
      const accountIds = places?.filter((id) => known.has(id)) ?? (receiver ? [receiver.id] : [])
      return accountIds.map((accountId) => ({ accountId, uid }))
    })
    await queuePushes(tx, pushes, clock.now().toISOString())
    // A disabled account receives the change when it is enabled again.
    for (const accountId of new Set(pushes.map(({ accountId }) => accountId)))
      if (known.get(accountId)?.enabled === 1) await wake(tx, accountId)
  }
