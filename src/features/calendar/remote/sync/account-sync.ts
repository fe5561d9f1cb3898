import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { Changes } from '../../../../platform/changes.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { notFound } from '../../../../platform/errors.ts'
import type { JobContext } from '../../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../../platform/log.ts'
import type { Sealer } from '../../../../platform/secrets/seal.ts'
import type { ConflictJournal } from '../../imports/journal.ts'
import type { MirroredEvents } from '../../imports/mirrored-events.ts'
import { fileTarget, serverTarget } from '../accounts.ts'
import type { OpenCalendarServer } from '../calendar-server.ts'
import {
  type AccountRecord,
  findAccount,
  isSyncRequested,
  lockAccount,
  lockSync,
  readFileState,
  readSync,
  updateSync,
} from '../repository.ts'
import { explainError } from '../words.ts'
import { hasChosenCalendar, push } from './push.ts'
import { type ReadPublished, storeFile } from './remote-files.ts'
import { handleRemoteDeletion, releaseObject, storeObjects } from './remote-objects.ts'
import {
  type CalendarRecord,
  countFailedPushes,
  countRemarks,
  deleteAllUnreadable,
  deleteCalendar,
  everyVersion,
  hasNewPushes,
  hasStaleUnreadable,
  listCalendars,
  listUnreadableVersions,
  listVersions,
  saveCalendar,
  saveSyncToken,
} from './repository.ts'
import type { Session } from './session.ts'

const BATCH_SIZE = 50

/**
 * Updates the list of calendars and returns those that the user follows. Releases the events of the others.
 */
const followed = async (session: Session): Promise<CalendarRecord[]> => {
  const { db, accountId, server, signal } = session
  const found = await server.calendars(signal)
  await inTransaction(db, async (tx) => {
    for (const calendar of found) await saveCalendar(tx, accountId, calendar)
  })
  const there = new Set(found.map(({ href }) => href))
  const calendars = await listCalendars(db, accountId)
  const left = calendars.filter(({ href, followed }) => !there.has(href) || followed === 0)
  for (const calendar of left) {
    for await (const { href } of everyVersion(db, calendar.id))
      await releaseObject(session, calendar.id, href)
    await inTransaction(db, (tx) => deleteAllUnreadable(tx, calendar.id))
    if (!there.has(calendar.href)) await inTransaction(db, (tx) => deleteCalendar(tx, calendar.id))
    else if (calendar.syncToken !== null)
      await inTransaction(db, (tx) => saveSyncToken(tx, calendar.id, null))
  }
  return calendars.filter((calendar) => !left.includes(calendar))
}

/** Fetches the changes of a calendar. Returns the deleted objects and the next sync token. */
const pullCalendar = async (session: Session, calendar: CalendarRecord) => {
  const { db, server, signal } = session
  const changes = await server.changes(calendar.href, calendar.syncToken, signal)
  const listed = changes.changed.map(({ href }) => href)
  const versions = changes.isWhole
    ? await Array.fromAsync(everyVersion(db, calendar.id))
    : await listVersions(db, calendar.id, listed)
  const known = new Map(versions.map(({ href, etag }) => [href, etag]))
  const unreadable = await listUnreadableVersions(db, calendar.id)
  for (const { name, etag, readerVersion } of unreadable)
    if (readerVersion === session.readerVersion) known.set(name, etag)
    else known.delete(name)
  const changed = changes.changed.filter(({ href, etag }) => etag === '' || known.get(href) !== etag)
  const news = new Set(changed.map(({ href }) => href))
  // Retry objects that an earlier version could not parse: the server does not report them again.
  const left = new Set(changes.removed)
  for (const { name, readerVersion } of unreadable)
    if (!changes.isWhole && readerVersion !== session.readerVersion && !left.has(name)) news.add(name)
  const there = new Set(listed)
  const here = new Set([...versions.map(({ href }) => href), ...unreadable.map(({ name }) => name)])
  const gone = changes.isWhole ? [...here].filter((href) => !there.has(href)) : changes.removed
  await session.note({ total: news.size })
  for (let at = 0; at < news.size; at += BATCH_SIZE) {
    signal.throwIfAborted()
    const hrefs = [...news].slice(at, at + BATCH_SIZE)
    await storeObjects(session, calendar, await server.read(calendar.href, hrefs, signal), new Set(gone))
    await session.note({ done: hrefs.length })
  }
  return { calendar, gone, syncToken: changes.syncToken }
}

/**
 * Fetches all changes of the server. New objects are processed before deleted ones, so that an event moved
 * between calendars is kept.
 */
const pull = async (session: Session): Promise<void> => {
  const { db } = session
  const looks: Awaited<ReturnType<typeof pullCalendar>>[] = []
  for (const calendar of await followed(session)) looks.push(await pullCalendar(session, calendar))
  for (const { calendar, gone, syncToken } of looks) {
    for (const href of gone) await handleRemoteDeletion(session, calendar.id, href)
    await inTransaction(db, (tx) => saveSyncToken(tx, calendar.id, syncToken))
  }
}

/** Changes made during a sync are processed at once, up to this many rounds. */
const MAX_ROUNDS = 5

export type AccountSync = ReturnType<typeof createAccountSync>

/** Syncs one account with its server and records the status. */
export const createAccountSync = (deps: {
  db: Db
  clock: Clock
  changes: Changes
  sealer: Sealer
  mirrored: MirroredEvents
  openServer: OpenCalendarServer
  readPublished: ReadPublished
  conflicts: Pick<ConflictJournal, 'record'>
  /** The version of Factotum. */
  version: string
}) => {
  const { db, clock, changes, sealer, mirrored, conflicts, version: readerVersion } = deps

  /** Updates the status, unless the account was disabled or removed meanwhile. */
  const note = (accountId: string, change: Parameters<typeof updateSync>[2]): Promise<void> =>
    inTransaction(db, async (tx) => {
      await lockAccount(tx, accountId)
      if ((await findAccount(tx, accountId))?.enabled === 1) await updateSync(tx, accountId, change)
    })

  /** Checks in each transaction that the account still exists: it may be removed during the sync. */
  const requireAccount = (accountId: string): MirroredEvents => ({
    ...mirrored,
    change: (work) =>
      mirrored.change(async (tx) => {
        await lockAccount(tx, accountId)
        if (!(await findAccount(tx, accountId))) throw notFound('calendar account')
        return work(tx)
      }),
  })

  const here = ({ id: accountId, userId, name }: AccountRecord, signal: AbortSignal, log: Logger) => {
    const progress = { done: 0, total: 0 }
    return {
      db,
      clock,
      log,
      mirrored: requireAccount(accountId),
      accountId,
      readerVersion,
      signal,
      reportLost: ((tx, uid, change) =>
        conflicts.record(tx, { userId, name }, uid, change)) satisfies Session['reportLost'],
      /** Without new events, the progress of the last sync stays. */
      note: async ({ done = 0, total = 0 }: { done?: number; total?: number }): Promise<void> => {
        progress.done += done
        progress.total += total
        if (progress.total > 0) await inTransaction(db, (tx) => updateSync(tx, accountId, progress))
      },
    }
  }

  const syncServer = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<void> => {
    const server = deps.openServer(serverTarget(sealer, account))
    const session = { ...here(account, signal, log), server }
    // Push first, so that local changes conflict with server changes as rarely as possible.
    await push(session)
    await pull(session)
    await push(session)
  }

  const syncFile = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<void> => {
    // Fetch an unchanged file again if an earlier version could not parse all of it.
    const isStale = await hasStaleUnreadable(db, account.id, readerVersion)
    const known = isStale ? { etag: null, modified: null } : await readFileState(db, account.id)
    const file = await deps.readPublished(fileTarget(sealer, account), known, signal)
    if (file.notModified) return
    const { etag, modified, objects, unreadable } = file
    const name = file.name?.trim() || account.name
    await storeFile(here(account, signal, log), { name, objects, unreadable })
    await note(account.id, { etag, modified })
  }

  /** Describes changes and objects that failed, although the sync as a whole succeeded. */
  const describeProblems = async (accountId: string): Promise<string | null> => {
    const remarks: string[] = []
    const { count, error } = await countFailedPushes(db, accountId)
    if (count > 0)
      remarks.push(
        `${count === 1 ? 'One change' : `${count} changes`} could not be sent to the server: ${error}`,
      )
    const account = await findAccount(db, accountId)
    if (account && !(await hasChosenCalendar(db, account)))
      remarks.push(
        'The calendar for new events no longer exists or is read-only. New events go to the first writable calendar. Select another one.',
      )
    const untaken = await countRemarks(db, accountId)
    if (untaken.count > 0)
      remarks.push(
        untaken.count === 1 ? untaken.remark : `${untaken.remark} ${untaken.count - 1} more like this.`,
      )
    return remarks.length === 0 ? null : remarks.join(' ')
  }

  /** A single failure is not reported to the user: the server may be unavailable for a moment. */
  const noteFailure = (
    { id, userId, name }: AccountRecord,
    error: string,
    { isNews }: { isNews: boolean },
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      await note(id, { status: 'failing', error })
      if (!isNews) return
      const { lastSyncAt } = await readSync(tx, id)
      const data = { accountId: id, name, error, lastSyncAt }
      await changes.record(tx, { type: 'calendar_account.failing', subject: String(userId), data })
    })

  /** Returns whether the sync succeeded. */
  const syncOnce = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<boolean> => {
    const before = (await readSync(db, account.id)).status
    await note(account.id, { status: 'syncing', requestedAt: null })
    try {
      if (account.kind === 'caldav') await syncServer(account, signal, log)
      else await syncFile(account, signal, log)
      const lastSyncAt = clock.now().toISOString()
      await note(account.id, { status: 'live', error: await describeProblems(account.id), lastSyncAt })
      return true
    } catch (error) {
      if (signal.aborted) {
        await note(account.id, { status: 'waiting' })
        throw error
      }
      if (!(await findAccount(db, account.id))) return true
      const unexpected = {
        status: 'failing',
        error: 'An unexpected error occurred. See the log for details.',
      } as const
      await note(account.id, unexpected)
      const { problem, remedy, step } = explainError(error, account)
      log.info({ err: error, calendarAccount: account.id }, 'calendar sync failed')
      await noteFailure(account, `${problem} ${remedy}`, { isNews: before === 'failing' || step === 'login' })
      return false
    }
  }

  /** Completes the job, unless there is more to do. A later request enqueues a new job. */
  const end = ({ id, version }: AccountRecord, isSynced: boolean, context: JobContext): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      await lockSync(tx, id)
      const isOver =
        (await findAccount(tx, id))?.version === version &&
        !(await isSyncRequested(tx, id)) &&
        // Changes that wait for a retry do not prolong the job.
        !(isSynced && (await hasNewPushes(tx, id)))
      if (isOver) await context.complete(tx)
      return isOver
    })

  return async (accountId: string, context: JobContext): Promise<void> => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const account = await findAccount(db, accountId)
      if (!account?.enabled) return
      const isSynced = await syncOnce(account, context.signal, context.log)
      if (await end(account, isSynced, context)) return
    }
  }
}
