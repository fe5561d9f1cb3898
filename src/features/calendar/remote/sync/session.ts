import type { Db } from '../../../../database/db.ts'
import type { Platform } from '../../../../platform/platform.ts'
import type { CalendarStore } from '../../calendars/store.ts'
import type { LostChange } from '../../imports/journal.ts'
import type { MirroredEvents } from '../../imports/mirrored-events.ts'
import type { CalendarServer } from '../calendar-server.ts'

/** The state of one account sync. */
export interface Session extends Pick<Platform, 'db' | 'clock' | 'log'> {
  mirrored: MirroredEvents
  store: CalendarStore
  /** Requests a sync of another account, because there is something to push. */
  wake: (tx: Db, accountId: string) => Promise<void>
  server: CalendarServer
  /** The user of the account, who owns its events. */
  userId: number
  accountId: string
  /** The version of Factotum. Another version may be able to parse what this one cannot. */
  readerVersion: string
  signal: AbortSignal
  /** Reports that the server's version replaced local changes. */
  reportLost: (
    tx: Db,
    uid: string,
    change: { lost: readonly LostChange[]; isDeletion: boolean },
  ) => Promise<void>
  /** Adds to the progress: new events found, or events processed. */
  note: (found: { total?: number; done?: number }) => Promise<void>
}
