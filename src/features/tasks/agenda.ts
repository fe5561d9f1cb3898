import type { Db } from '../../database/db.ts'

/** The calendar, as far as planning needs one. Times are instants. */
export interface Agenda {
  /** Everything that takes up time in [from, to), occurrences of series included; what is cancelled does not. */
  busyBetween(db: Db, from: string, to: string): Promise<readonly { start: string; end: string }[]>
  create(tx: Db, block: FocusBlock): Promise<BookedEvent>
  /** Those of `ids` that are there and not cancelled. */
  find(db: Db, ids: readonly number[]): Promise<readonly BookedEvent[]>
  remove(tx: Db, id: number): Promise<void>
  /** Whether there is such an event, cancelled or not; it stays until the transaction ends. */
  has(tx: Db, id: number): Promise<boolean>
}

/** Time set aside for a task. */
export interface FocusBlock {
  title: string
  description: string
  start: string
  end: string
  timezone: string
  tags: readonly string[]
}

export interface BookedEvent {
  id: number
  /** Counts its changes. */
  version: number
  title: string
  start: string
  end: string
}
