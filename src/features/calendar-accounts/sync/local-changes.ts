import type { Db } from '../../../database/db.ts'
import type { RecordedChange } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { listPlacedAt } from './placement-store.ts'
import { listServers, notePush } from './push-store.ts'

const TYPES = new Set(['event.created', 'event.updated', 'event.cancelled'])

/** What somebody else publishes is theirs, also when it was changed here. */
const isPublished = (source: unknown): boolean => source === 'ics'

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
    const sources = new Map(events.map(({ data }) => [data.uid as string, data.source]))
    const placed = Map.groupBy(await listPlacedAt(tx, [...sources.keys()]), ({ uid }) => uid)
    const receiver = servers.find(({ receivesNew, enabled }) => receivesNew === 1 && enabled === 1)
    const known = new Map(servers.map((server) => [server.id, server]))
    const now = clock.now().toISOString()
    const woken = new Set<string>()
    for (const [uid, source] of sources) {
      const places = placed.get(uid)
      const told =
        places?.map(({ accountId }) => accountId).filter((id) => known.has(id)) ??
        (receiver && !isPublished(source) ? [receiver.id] : [])
      for (const accountId of told) {
        await notePush(tx, accountId, uid, now)
        // An account that is off hears of it when it is on again.
        if (known.get(accountId)?.enabled === 1) woken.add(accountId)
      }
    }
    for (const accountId of woken) await wake(tx, accountId)
  }
