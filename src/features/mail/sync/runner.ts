import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Language, LanguageOf } from '../../../platform/language.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Random } from '../../../platform/random.ts'
import { serverOf } from '../accounts/accounts.ts'
import type { FolderState, MessageState, OpenMailbox } from '../accounts/ports.ts'
import { type AccountRecord, findAccount, findSync, type SyncRecord } from '../accounts/repository.ts'
import type { Logins } from '../accounts/sign-in/sign-in.ts'
import { explainFailure, mailServerTexts } from '../accounts/words.ts'
import { findChangedFlags, pickFlags, toFlagColumns, toFlags } from '../messages/email.ts'
import { checkPlacements, importMessages } from './arrivals.ts'
import { isSynced, updateFolders } from './folder-tree.ts'
import { applyKeywords, writeKeywords } from './keyword-tags.ts'
import { pushAll } from './pushes.ts'
import {
  deletePlacement,
  type FolderRecord,
  findPlacements,
  findPlacementsOf,
  findPushed,
  findUncheckedFolders,
  hasGone,
  listFolders,
  listGone,
  listReadUids,
  listUids,
  markGone,
  markStaleGone,
  splitBatches,
  updateFolder,
  updatePlacement,
} from './repository.ts'
import {
  applyServerState,
  createSession,
  LEASE_MS,
  type MailLease,
  mailLeases,
  type Session,
  type SyncDeps,
} from './session.ts'

/** Applies flags and keywords that changed on the server. */
const applyFlagChanges = async (
  session: Session,
  folder: FolderRecord,
  states: readonly MessageState[],
): Promise<void> => {
  for (const part of splitBatches(states)) {
    const byUid = new Map(part.map((state) => [state.uid, state]))
    const known = await findPlacements(session.db, folder, [...byUid.keys()])
    const differing = known.filter((placement) => {
      const state = byUid.get(placement.uid)
      return (
        state &&
        (Object.keys(findChangedFlags(toFlags(placement), state)).length > 0 ||
          writeKeywords(state.keywords) !== placement.keywords)
      )
    })
    if (differing.length === 0) continue
    await session.write(async (tx) => {
      const emailIds = differing.flatMap(({ emailId }) => (emailId === null ? [] : [emailId]))
      const pushed = await findPushed(tx, emailIds)
      for (const placement of differing) {
        const { id, uid, emailId } = placement
        const state = byUid.get(uid) as MessageState
        await applyKeywords(session, tx, placement, state.keywords)
        if (emailId !== null && pushed.has(emailId)) continue
        await updatePlacement(tx, id, toFlagColumns(pickFlags(state)))
        if (emailId !== null) await applyServerState(session, tx, emailId)
      }
    })
  }
}

/**
 * Marks messages that are no longer in the folder. They may have moved to another folder, so `processGone`
 * decides later.
 */
const markVanished = async (
  session: Session,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<void> => {
  for (const part of splitBatches(uids))
    await session.write((tx) => markGone(tx, folder, part, session.now()))
}

/** Marks messages that the server does not list. Returns the others. */
const markMissing = async (session: Session, folder: FolderRecord): Promise<number[]> => {
  const known = await listUids(session.db, folder)
  if (known.length === 0) return []
  const serverUids = new Set(await session.mailbox.uids())
  const { present = [], missing = [] } = Object.groupBy(known, (uid) =>
    serverUids.has(uid) ? 'present' : 'missing',
  )
  await markVanished(session, folder, missing)
  return present
}

/** Compares all messages, for servers that cannot list changes. */
const compareAllMessages = async (session: Session, folder: FolderRecord): Promise<void> => {
  for (const part of splitBatches(await markMissing(session, folder)))
    await applyFlagChanges(session, folder, await session.mailbox.states(part))
}

/**
 * Processes messages that vanished before the last sync of all folders and were found in none. Messages from
 * the trash, junk, and drafts (which mail programs replace when they save), are deleted here. All others move to
 * the trash, so that a server that loses mail does not cause data loss here.
 */
const processGone = async (session: Session, before: string): Promise<void> => {
  for (;;) {
    const gone = await listGone(session.db, session.accountId, before)
    if (gone.length === 0) return
    await session.write(async (tx) => {
      for (const { id, emailId, use } of gone) {
        await deletePlacement(tx, id)
        if (emailId === null) continue
        if ((await findPlacementsOf(tx, emailId)).length > 0) await applyServerState(session, tx, emailId)
        else if (use === 'trash' || use === 'junk' || use === 'drafts')
          await session.store.remove(tx, session.userId, emailId)
        else await session.store.move(tx, session.userId, emailId, 'trash')
      }
    })
  }
}

const CHUNK = 100

interface PassDeps {
  /**
   * Called between batches, so that urgent work does not wait for a long fetch. Returns true if it opened
   * another folder.
   */
  betweenBatches(): Promise<boolean>
}

/**
 * Whether the folder is unchanged since the last sync. Flag changes count only if the server supports MODSEQ.
 */
const isUpToDate = (row: FolderRecord, state: FolderState): boolean =>
  row.uidValidity === state.uidValidity &&
  row.uidNext === state.uidNext &&
  row.total === state.exists &&
  row.highestModseq === state.highestModseq

/** Applies changes of messages that are already stored. */
const applyChanges = async (session: Session, folder: FolderRecord, state: FolderState): Promise<void> => {
  if (folder.highestModseq === null || state.highestModseq === null)
    return compareAllMessages(session, folder)
  if (folder.highestModseq === state.highestModseq && folder.total === state.exists) return
  const changes = await session.mailbox.changesSince(folder.highestModseq)
  if (changes === null) return compareAllMessages(session, folder)
  await applyFlagChanges(session, folder, changes.changed)
  await (changes.vanished === null
    ? markMissing(session, folder)
    : markVanished(session, folder, changes.vanished))
}

/**
 * Imports new messages, newest first. Messages that arrive meanwhile come first. Returns false if some remain on the
 * server, because the storage is full.
 */
const importNewMessages = async (
  session: Session,
  folder: FolderRecord,
  deps: PassDeps,
): Promise<boolean> => {
  const known = new Set(await listReadUids(session.db, folder, folder.uidNext))
  let seen = folder.uidNext
  let waiting: number[] = []
  for (;;) {
    const fresh = (await session.mailbox.uids(seen)).filter((uid) => !known.has(uid))
    waiting.push(...fresh)
    seen = Math.max(seen, (fresh.at(-1) ?? 0) + 1)
    if (waiting.length === 0) return true
    const chunk = waiting.slice(-CHUNK)
    waiting = waiting.slice(0, -CHUNK)
    if (!(await importMessages(session, folder, chunk))) return false
    if (await deps.betweenBatches()) {
      const state = await session.open(folder.path)
      // The folder was renumbered meanwhile. The next sync starts over.
      if (state.uidValidity !== folder.uidValidity) return true
    }
  }
}

/**
 * Syncs one folder. Its position is saved only at the end, so that a failed sync is repeated. Returns false if the
 * storage is full. The position then stays, so that a later sync imports the remaining messages.
 */
const syncFolder = async (session: Session, row: FolderRecord, deps: PassDeps): Promise<boolean> => {
  const state = await session.reopen(row.path)
  const isRenumbered = row.uidValidity !== state.uidValidity
  const folder = await session.write((tx) =>
    updateFolder(tx, row.id, {
      total: state.exists,
      ...(isRenumbered && { uidValidity: state.uidValidity, uidNext: 1, highestModseq: null }),
    }),
  )
  await applyChanges(session, { ...folder, total: row.total }, state)
  await checkPlacements(session, folder)
  if (!(await importNewMessages(session, folder, deps))) {
    // The changes of stored messages are applied. Saving their position avoids a second comparison.
    await session.write((tx) => updateFolder(tx, folder.id, { highestModseq: state.highestModseq }))
    return false
  }
  await session.write(async (tx) => {
    await markStaleGone(tx, folder, session.now())
    await updateFolder(tx, folder.id, {
      uidNext: Math.max(state.uidNext, folder.uidNext),
      highestModseq: state.highestModseq,
    })
  })
  return true
}

/** Returns the folders that changed since the last sync. */
const findChangedFolders = async (session: Session): Promise<FolderRecord[]> => {
  const changed: FolderRecord[] = []
  const unchecked = await findUncheckedFolders(session.db, session.accountId)
  for (const { row, listed } of await updateFolders(session)) {
    const { state } = listed
    const isSynced = state?.highestModseq !== null && state !== null && isUpToDate(row, state)
    if (state === null || (isSynced && !unchecked.has(row.id))) continue
    // A new folder without messages has nothing to sync.
    if (row.uidValidity === '' && state.exists === 0) {
      const { exists: total, ...position } = state
      await session.write((tx) => updateFolder(tx, row.id, { ...position, total }))
    } else changed.push(row)
  }
  return changed
}

/**
 * Syncs all folders, then processes messages that vanished earlier and were found in none of them. Returns false if
 * the storage is full. A vanished message may then be among those that were not imported, so it is kept.
 */
const syncAllFolders = async (session: Session, deps: PassDeps): Promise<boolean> => {
  const startedAt = session.now()
  let isComplete = true
  for (const row of await findChangedFolders(session))
    if (!(await syncFolder(session, row, deps))) isComplete = false
  if (isComplete) await processGone(session, startedAt)
  return isComplete
}

/**
 * Whether a folder changed on the server since the last sync. Costs one command for all folders (RFC 5819) on most
 * servers.
 */
const hasChangedFolder = async (session: Session): Promise<boolean> => {
  const rows = await listFolders(session.db, session.accountId)
  const byPath = new Map(rows.map((row) => [row.path, row]))
  const listed = (await session.mailbox.folders()).filter(isSynced)
  return (
    listed.length !== rows.length ||
    listed.some(({ path, state }) => {
      const row = byPath.get(path)
      return !row || (state !== null && !isUpToDate(row, state))
    })
  )
}

/** Interval for changes that no folder state shows, such as flags on a server without MODSEQ. */
const FULL_SYNC_INTERVAL_MS = 2 * 60_000
/** Interval for folders other than the inbox. The server reports changes of the inbox itself. */
const FOLDER_CHECK_INTERVAL_MS = 15_000
/** A check may take one per cent of the time of a connection: slow servers, and those with many folders, wait longer. */
const FOLDER_CHECK_COST = 100
/** Interval for requests that another instance wrote to the database. */
const POLL_MS = 2_000
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 5 * 60_000
/** Servers lock accounts after repeated wrong passwords, so a failed login is retried rarely. */
const LOGIN_RETRY_MS = 15 * 60_000

export interface RunnerDeps extends SyncDeps, Pick<Platform, 'random'> {
  logins: Logins
  openMailbox: OpenMailbox
  languageOf: LanguageOf
}

/** A wake-up signal that is not lost if it is triggered before anyone waits for it. */
const createWakeSignal = () => {
  let controller = new AbortController()
  return {
    trigger: (): void => controller.abort(),
    /** Aborts at the next trigger. A trigger since the last call counts. */
    next(): AbortSignal {
      const { signal } = controller
      if (signal.aborted) controller = new AbortController()
      return signal
    },
  }
}

const sleep = (ms: number, ...signals: AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const wake = AbortSignal.any(signals)
    if (wake.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    wake.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Reads what other processes want of the account. */
const readSignals = (db: Db, accountId: string) =>
  db
    .selectFrom('mail_sync')
    .innerJoin('mail_accounts', 'mail_accounts.id', 'mail_sync.accountId')
    .select(['requestedAt', 'version', 'enabled'])
    .select((row) =>
      row
        .exists(row.selectFrom('mail_pushes').select('id').whereRef('accountId', '=', 'mail_accounts.id'))
        .as('hasPushes'),
    )
    .where('mail_sync.accountId', '=', accountId)
    .executeTakeFirst()

const findInbox = async (db: Db, accountId: string) =>
  (await listFolders(db, accountId)).find(({ use }) => use === 'inbox')

/** Returns the status to save, the message for the user, and the delay before the next attempt. */
const toFailure = (
  random: Random,
  account: AccountRecord,
  error: unknown,
  failures: number,
  language: Language,
) => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  const jitter = random.bytes(4).readUInt32BE() / 2 ** 32
  const backoff = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + jitter / 2)
  if (!failure)
    return {
      status: 'failing',
      error: mailServerTexts(language).unexpectedError,
      waitMs: backoff,
    } as const
  const { problem, remedy } = explainFailure(failure, serverOf(account.imap), language)
  const text = `${problem} ${remedy}`
  if (failure.step === 'login' && failure.reason === 'signed_out')
    return { status: 'signed_out', error: text, waitMs: LOGIN_RETRY_MS } as const
  const waitMs = failure.step === 'login' ? LOGIN_RETRY_MS : backoff
  return { status: 'failing', error: text, waitMs } as const
}

/** Saves the failure. Records an event only when the status changes. */
const recordFailure = (
  { db, clock, changes }: RunnerDeps,
  lease: MailLease,
  { userId, address }: AccountRecord,
  { status, error }: Pick<SyncRecord, 'status'> & { error: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { accountId } = lease
    const before = await findSync(tx, accountId)
    await mailLeases.hold(tx, lease, clock.now(), { status, error })
    if (before === undefined || before.status === status) return
    const data = { accountId, address, error, lastSyncAt: before.lastSyncAt }
    await changes.record(tx, { userId, type: 'mail_account.failing', subject: String(userId), data })
  })

export interface Runner {
  wake(): void
  stop(): void
  readonly ended: Promise<void>
}

/**
 * Syncs one account while the lease is held: connects, syncs, waits for changes, and reconnects after
 * failures.
 */
export const startRunner = (deps: RunnerDeps, lease: MailLease): Runner => {
  const { db, clock, random } = deps
  const { accountId } = lease
  const log = deps.log.child({ mailAccount: accountId })
  const stopping = new AbortController()
  const wakeSignal = createWakeSignal()
  let isConnected = false
  let triedVersion: number | undefined

  const updateStatus = (change: Partial<SyncRecord>): Promise<void> =>
    inTransaction(db, (tx) => mailLeases.hold(tx, lease, clock.now(), change))

  /** Runs one connection. Returns when the account settings have changed. */
  const stayConnected = async (account: AccountRecord, onSuccess: () => void): Promise<void> => {
    const { signal } = stopping
    await deps.turns.connect()
    const mailbox = await deps.openMailbox(await deps.logins.imap(account), signal)
    const session = createSession({ ...deps, log }, lease, account, mailbox, signal)
    isConnected = true
    /** New messages stay on the server, because the storage is full. Other changes are still synced. */
    let isPaused = false
    const betweenBatches = async (): Promise<boolean> => pushAll(session)
    const syncEverything = async (): Promise<void> => {
      await updateStatus({ status: 'syncing', requestedAt: null })
      isPaused = !(await syncAllFolders(session, { betweenBatches }))
      await pushAll(session)
      if (!isPaused && (await hasGone(db, accountId)))
        isPaused = !(await syncAllFolders(session, { betweenBatches }))
      await (isPaused
        ? reportPause()
        : updateStatus({ status: 'live', error: null, lastSyncAt: session.now() }))
      onSuccess()
    }
    const reportPause = async (): Promise<void> => {
      const { storageFull } = mailServerTexts(await deps.languageOf(account.userId))
      await updateStatus({ status: 'paused', error: storageFull, lastSyncAt: session.now() })
    }
    try {
      let nextSyncAt = 0
      let nextCheckAt = 0
      const checkFolders = async (): Promise<void> => {
        const startedAt = clock.now().getTime()
        if (await hasChangedFolder(session)) await syncEverything()
        const now = clock.now().getTime()
        nextCheckAt = now + Math.max(FOLDER_CHECK_INTERVAL_MS, FOLDER_CHECK_COST * (now - startedAt))
      }
      for (;;) {
        signal.throwIfAborted()
        const signals = await readSignals(db, accountId)
        if (!signals?.enabled || signals.version !== account.version) return
        if (signals.requestedAt !== null || clock.now().getTime() >= nextSyncAt) {
          await syncEverything()
          nextSyncAt = clock.now().getTime() + FULL_SYNC_INTERVAL_MS
          nextCheckAt = clock.now().getTime() + FOLDER_CHECK_INTERVAL_MS
        }
        await pushAll(session)
        if (!isPaused && clock.now().getTime() >= nextCheckAt) await checkFolders()
        if (isPaused) {
          await sleep(POLL_MS, wakeSignal.next(), signal)
          if (await session.hasSpace()) nextSyncAt = 0
          continue
        }
        if (await waitForInboxChange(session, Math.min(nextSyncAt, nextCheckAt) - clock.now().getTime()))
          isPaused = !(await syncInbox(session, betweenBatches))
        if (isPaused) await reportPause()
        else if (await hasGone(db, accountId)) nextSyncAt = 0
      }
    } finally {
      isConnected = false
      await mailbox.close()
    }
  }

  /** Returns whether the inbox has changed. */
  const waitForInboxChange = async (session: Session, ms: number): Promise<boolean> => {
    const woken = wakeSignal.next()
    if (woken.aborted) return false
    const state = await session.reopen('INBOX')
    const inbox = await findInbox(db, accountId)
    // The server does not report changes that happened before this connection started to wait.
    if (inbox && !isUpToDate(inbox, state)) return true
    const wake = AbortSignal.any([woken, stopping.signal])
    return (await session.mailbox.waitForChange(Math.max(0, ms), wake)) === 'changed'
  }

  /** Returns false if the storage is full. */
  const syncInbox = async (session: Session, betweenBatches: () => Promise<boolean>): Promise<boolean> => {
    const inbox = await findInbox(db, accountId)
    if (!inbox) return true
    const isComplete = await syncFolder(session, inbox, { betweenBatches })
    await updateStatus({ lastSyncAt: session.now() })
    return isComplete
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      const account = await findAccount(db, accountId)
      if (!account?.enabled) return
      triedVersion = account.version
      try {
        // Each connection starts with a full sync, which fulfils the request. A failed request must not be
        // repeated at once.
        await updateStatus({ requestedAt: null })
        await stayConnected(account, () => {
          failures = 0
        })
      } catch (error) {
        if (stopping.signal.aborted) return
        // Another instance has taken over the account.
        if (error instanceof AppError && error.kind === 'conflict') return
        failures++
        const language = await deps.languageOf(account.userId)
        const { waitMs, ...failure } = toFailure(random, account, error, failures, language)
        log.warn({ err: error, failures, waitMs }, 'connection to a mail account failed')
        // Do not bother the user with a single lost connection.
        if (failures > 1 || failure.status === 'signed_out' || waitMs === LOGIN_RETRY_MS)
          await recordFailure(deps, lease, account, failure)
        await sleep(waitMs, wakeSignal.next(), stopping.signal)
      }
    }
  }

  const keepLease = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(LEASE_MS / 3, stopping.signal)
      if (stopping.signal.aborted) return
      try {
        await updateStatus({})
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'conflict')) {
          log.warn({ err: error }, 'could not renew the lease of a mail account')
          continue
        }
        log.warn('another instance took over a mail account')
        stopping.abort(error)
      }
    }
  }

  /**
   * Triggers the wake signal when there is work. Pending pushes count only while connected. Otherwise every
   * local change during an outage would cause a connection attempt.
   */
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(POLL_MS, stopping.signal)
      const signals = await readSignals(db, accountId).catch(() => undefined)
      if (!signals) continue
      const hasRequest = signals.requestedAt !== null || signals.version !== triedVersion || !signals.enabled
      if (hasRequest || (isConnected && signals.hasPushes)) wakeSignal.trigger()
    }
  }

  void keepLease()
  void watch()
  return {
    wake: () => {
      if (isConnected) wakeSignal.trigger()
    },
    stop: () => stopping.abort(new Error('The process is stopping.')),
    ended: run()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, 'failed to sync a mail account')
      })
      .finally(() => stopping.abort()),
  }
}
