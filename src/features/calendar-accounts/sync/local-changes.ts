import type { Db } from '../../../database/db.ts'
import type { RecordedChange } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { listPlacedAt } from './placement-store.ts'
import { listServers, notePushes } from './push-store.ts'

const TYPES = new Set(['event.created', 'event.updated', 'event.cancelled'])

/**
 * Notes in the transaction of a change to an event which servers are to be told of it: those where it lies, or the one
 * that receives what is made here. Without such accounts it costs one look into an empty table.
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
      // What lies at a published file alone is not ours to tell of.
      const told = places?.filter((id) => known.has(id)) ?? (receiver ? [receiver.id] : [])
      return told.map((accountId) => ({ accountId, uid }))
    })
    await notePushes(tx, pushes, clock.now().toISOString())
    // An account that is off hears of it when it is on again.
    for (const accountId of new Set(pushes.map(({ accountId }) => accountId)))
      if (known.get(accountId)?.enabled === 1) await wake(tx, accountId)
  }
