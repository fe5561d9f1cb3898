import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError } from '../../../platform/errors.ts'
import { createLeases, type Lease } from '../../../platform/leases.ts'
import type { Platform } from '../../../platform/platform.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { TakeTurn } from '../../../platform/turns.ts'
import type { FolderState, Mailbox, MessageSketch } from '../accounts/ports.ts'
import type { AccountRecord } from '../accounts/repository.ts'
import { rankOf, toFolder } from '../folders/folder.ts'
import type { FolderRecord } from '../folders/repository.ts'
import { mapFlags } from '../messages/email.ts'
import type { MailStore } from '../messages/mail-store.ts'
import { findPlacementsOf, findPushed } from './repository.ts'

/** An instance that crashed loses its accounts after this time. */
export const LEASE_MS = 15_000

export type MailLease = Lease<'mail_sync'>

export const mailLeases = createLeases('mail_sync', 'accountId', {
  durationMs: LEASE_MS,
  lostMessage: 'Another instance syncs this account now.',
})

/** The folders to sync, in sync order. */
export const selectFolders = <F extends Pick<FolderRecord, 'use' | 'selectable' | 'path'>>(
  folders: readonly F[],
): F[] =>
  folders
    .filter(({ selectable }) => selectable === 1)
    .toSorted((a, b) => rankOf(a.use) - rankOf(b.use) || a.path.localeCompare(b.path))

/**
 * A folder of all messages (RFC 6154) presents those of the other folders. It counts only for messages that are in no
 * other folder.
 */
const selectShown = <P extends { use: string | null }>(places: readonly P[]): readonly P[] => {
  const ordinary = places.filter(({ use }) => use !== 'all')
  return ordinary.length > 0 ? ordinary : places
}

/** Names of folders that are created if the server has none for the purpose. */
export const NEW_FOLDERS: Record<Exclude<Folder, 'other'>, string> = {
  inbox: 'INBOX',
  sent: 'Sent',
  drafts: 'Drafts',
  archive: 'Archive',
  trash: 'Trash',
  junk: 'Junk',
}

/**
 * Identifies the same message in another folder or under another UID. Hashed, so that nothing readable
 * remains of deleted messages.
 */
export const toIdentity = ({
  messageId,
  size,
  receivedAt,
}: Pick<MessageSketch, 'messageId' | 'size' | 'receivedAt'>) =>
  digest(messageId === null ? `${receivedAt}\n${size}` : `${messageId}\n${size}`)

/**
 * Sets folders and flags of an email to the state of the server. Skips emails with pending pushes: local
 * changes take precedence until the server has them.
 */
export const applyServerState = async (
  session: Pick<Session, 'store' | 'userId'>,
  tx: Db,
  emailId: number,
): Promise<void> => {
  // Locked first, so that no request adds a push between this check and the change.
  if (!(await session.store.hold(tx, session.userId, emailId))) return
  if ((await findPushed(tx, [emailId])).size > 0) return
  const places = await findPlacementsOf(tx, emailId)
  if (places.length === 0) return
  const flags = mapFlags((name) => places.some((place) => place[name] === 1))
  await session.store.setFlags(tx, session.userId, emailId, flags)
  const folders = selectShown(places).map(({ folderId, use }) => ({ id: folderId, role: toFolder(use) }))
  await session.store.setFolders(tx, session.userId, emailId, folders)
}

/** Limits for all accounts that sync at the same time, so that requests of other accounts do not wait for them. */
export interface SyncTurns {
  connect: () => Promise<void>
  fetch: TakeTurn
  /** Parsing, and transactions. */
  store: TakeTurn
}

/** Dependencies shared by the syncs of all accounts. */
export interface SyncDeps extends Pick<Platform, 'db' | 'clock' | 'log' | 'changes'> {
  store: MailStore
  /** Counts messages that were fetched from the server and are new here. */
  countSynced(tx: Db, userId: number, messages: number): Promise<void>
  /** Returns false while the storage of the user is full. */
  hasSpace(userId: number): Promise<boolean>
  turns: SyncTurns
}

export type Session = ReturnType<typeof createSession>

/** One connection to one account whose lease this instance holds. */
export const createSession = (
  { db, clock, log, changes, store, countSynced, hasSpace, turns }: SyncDeps,
  lease: MailLease,
  { userId, createdAt }: Pick<AccountRecord, 'userId' | 'createdAt'>,
  mailbox: Mailbox,
  signal: AbortSignal,
) => {
  let current: { path: string; state: FolderState } | undefined

  /** Always opens the folder again, to read its current state. */
  const reopen = async (path: string): Promise<FolderState> => {
    current = undefined
    const state = await mailbox.open(path)
    current = { path, state }
    return state
  }

  /** Works also while the sync is stopping, for cleanup. */
  const writeLast = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
    turns.store(() =>
      inTransaction(db, async (tx) => {
        await mailLeases.hold(tx, lease, clock.now())
        return work(tx)
      }),
    )

  return {
    accountId: lease.accountId,
    /** The user of the account, who gets its mail. */
    userId,
    /** Creation time of the account, truncated to seconds like the server's dates. */
    since: `${createdAt.slice(0, 19)}.000Z`,
    db,
    store,
    mailbox,
    log,
    changes,
    turns,
    now: (): string => clock.now().toISOString(),
    countSynced,
    hasSpace: () => hasSpace(userId),
    writeLast,

    /** Runs writes in one transaction that fails if the lease was lost. */
    write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
      if (signal.aborted) throw new AppError('unavailable', 'unavailable', 'The sync is stopping.')
      return writeLast(work)
    },

    reopen,
    /** Opens a folder unless it is already open. */
    open: async (path: string): Promise<FolderState> =>
      current?.path === path ? current.state : reopen(path),
  }
}
