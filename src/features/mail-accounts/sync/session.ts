import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Logger } from '../../../platform/log.ts'
import type { MailFiling } from '../../emails/mail-filing.ts'
import type { FolderState, Mailbox } from '../mailbox.ts'
import { holdLease, type Lease } from './lease.ts'

/** One connection to one account, held by this instance. */
export interface Session {
  readonly accountId: string
  /** When the account came here, to the second that servers tell. */
  readonly since: string
  readonly db: Db
  readonly filing: MailFiling
  readonly mailbox: Mailbox
  readonly log: Logger
  now(): string
  /** Says that so many messages came from the server and are new here. */
  countSynced(tx: Db, messages: number): Promise<void>
  /** Runs writes in one transaction that counts only while the account is ours. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** The same also while the sync is being stopped, to leave things in order. */
  writeLast<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Opens a folder unless it is open. */
  open(path: string): Promise<FolderState>
  /** Opens it in any case: what it holds may have changed. */
  reopen(path: string): Promise<FolderState>
}

export const createSession = (deps: {
  db: Db
  clock: Clock
  filing: MailFiling
  mailbox: Mailbox
  lease: Lease
  /** When the account came here. */
  since: string
  countSynced: Session['countSynced']
  log: Logger
  signal: AbortSignal
}): Session => {
  const { db, clock, lease, mailbox, signal } = deps
  let current: { path: string; state: FolderState } | undefined
  const reopen = async (path: string): Promise<FolderState> => {
    current = undefined
    const state = await mailbox.open(path)
    current = { path, state }
    return state
  }
  const writeLast: Session['writeLast'] = (work) =>
    inTransaction(db, async (tx) => {
      await holdLease(tx, lease, clock.now())
      return work(tx)
    })
  return {
    accountId: lease.accountId,
    since: `${deps.since.slice(0, 19)}.000Z`,
    db,
    filing: deps.filing,
    mailbox,
    log: deps.log,
    now: () => clock.now().toISOString(),
    countSynced: deps.countSynced,
    write: (work) => {
      if (signal.aborted) throw new AppError('unavailable', 'unavailable', 'The sync is being stopped.')
      return writeLast(work)
    },
    writeLast,
    open: async (path) => (current?.path === path ? current.state : reopen(path)),
    reopen,
  }
}
