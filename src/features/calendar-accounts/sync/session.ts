import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/log.ts'
import type { LostChange } from '../../calendar/imports/conflict-journal.ts'
import type { MirroredEvents } from '../../calendar/imports/mirrored-events.ts'
import type { CalendarServer } from '../calendar-server.ts'

/** One account being brought into step. */
export interface Session {
  db: Db
  clock: Clock
  log: Logger
  mirrored: MirroredEvents
  server: CalendarServer
  accountId: string
  /** The version of the service: what it could not read, another may. */
  readerVersion: string
  signal: AbortSignal
  /** That the server's version replaced changes that were made here. */
  reportLost: (
    tx: Db,
    uid: string,
    change: { lost: readonly LostChange[]; isDeletion: boolean },
  ) => Promise<void>
  /** That so many more were found to be new, or were taken over. */
  note: (found: { total?: number; done?: number }) => Promise<void>
}
