import type { Updateable } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../../../database/db.ts'
import type { CalendarSyncRow } from '../../../../database/tables/calendar.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { RecordedChange } from '../../../../platform/changes.ts'
import { AppError, notFound } from '../../../../platform/errors.ts'
import type { JobContext, Jobs } from '../../../../platform/jobs/jobs.ts'
import type { Language, LanguageOf } from '../../../../platform/language.ts'
import type { Logger } from '../../../../platform/log.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { updateSync } from '../../../remote-accounts/repository.ts'
import { listEventCalendars } from '../../calendars/repository.ts'
import type { CalendarStore } from '../../calendars/store.ts'
import type { ConflictJournal } from '../../imports/journal.ts'
import type { MirroredEvents } from '../../imports/mirrored-events.ts'
import { fileTarget, type ProviderTokens, type Removal, type RequestSync, serverTarget } from '../accounts.ts'
import type { OpenCalendarServer } from '../calendar-server.ts'
import { calendarServerTexts, explainError } from '../connection-test.ts'
import {
  type AccountRecord,
  findAccount,
  isSyncRequested,
  listDue,
  lockAccount,
  lockSync,
  readFileState,
  readSync,
} from '../repository.ts'
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
  findPlaced,
  hasNewPushes,
  hasStaleUnreadable,
  holdPush,
  listCalendars,
  listPlacedAt,
  listPushesOf,
  listScheduling,
  listServers,
  listUnreadableVersions,
  listVersions,
  queuePushes,
  saveCalendar,
  saveSyncToken,
} from './repository.ts'
import type { Session } from './session.ts'

const BATCH_SIZE = 50

/**
 * Updates the list of calendars and returns those that the user follows. Releases the events of the others.
 */
const followed = async (session: Session): Promise<CalendarRecord[]> => {
  const { db, store, userId, accountId, server, signal } = session
  const found = await server.calendars(signal)
  await inTransaction(db, async (tx) => {
    const known = new Map((await listCalendars(tx, accountId)).map((calendar) => [calendar.href, calendar]))
    for (const calendar of found) {
      const saved = await saveCalendar(tx, accountId, calendar)
      const before = known.get(calendar.href)
      if (before) await store.followProperties(tx, userId, before, saved)
      if (saved.followed === 1) await store.ensureRemote(tx, userId, saved)
    }
    await store.settleDefault(tx, userId)
  })
  const presentHrefs = new Set(found.map(({ href }) => href))
  const calendars = await listCalendars(db, accountId)
  const left = calendars.filter(({ href, followed }) => !presentHrefs.has(href) || followed === 0)
  for (const calendar of left) {
    for await (const { href } of everyVersion(db, calendar.id))
      await releaseObject(session, calendar.id, href)
    await inTransaction(db, async (tx) => {
      await deleteAllUnreadable(tx, calendar.id)
      await store.removeRemote(tx, userId, calendar.id)
    })
    if (!presentHrefs.has(calendar.href)) await inTransaction(db, (tx) => deleteCalendar(tx, calendar.id))
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
  const presentHrefs = new Set(listed)
  const here = new Set([...versions.map(({ href }) => href), ...unreadable.map(({ name }) => name)])
  const gone = changes.isWhole ? [...here].filter((href) => !presentHrefs.has(href)) : changes.removed
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

/** Describes changes and objects that failed, although the sync as a whole succeeded. */
const describeProblems = async (db: Db, accountId: string, language: Language): Promise<string | null> => {
  const t = calendarServerTexts(language)
  const remarks: string[] = []
  const { count, error } = await countFailedPushes(db, accountId)
  if (count > 0) remarks.push(t.changesNotSent(count, error))
  const account = await findAccount(db, accountId)
  if (account && !(await hasChosenCalendar(db, account))) remarks.push(t.noCalendarForNewEvents)
  const untaken = await countRemarks(db, accountId)
  if (untaken.count > 0)
    remarks.push(
      untaken.count === 1 ? untaken.remark : `${untaken.remark} ${t.moreRemarks(untaken.count - 1)}`,
    )
  return remarks.length === 0 ? null : remarks.join(' ')
}

const isSignedOut = (error: unknown): boolean =>
  error instanceof AppError && error.details.failure?.reason === 'signed_out'

export type AccountSync = ReturnType<typeof createAccountSync>

/** Syncs one account with its server and records the status. */
export const createAccountSync = (
  deps: Pick<Platform, 'db' | 'clock' | 'changes' | 'sealer'> & {
    tokens: ProviderTokens
    mirrored: MirroredEvents
    store: CalendarStore
    wake: (tx: Db, accountId: string) => Promise<void>
    openServer: OpenCalendarServer
    readPublished: ReadPublished
    conflicts: Pick<ConflictJournal, 'record'>
    /** The version of Factotum. */
    version: string
    languageOf: LanguageOf
  },
) => {
  const { db, clock, changes, sealer, mirrored, store, wake, conflicts, version: readerVersion } = deps

  /** Updates the status, unless the account was disabled or removed meanwhile. */
  const note = (account: AccountRecord, change: Updateable<CalendarSyncRow>): Promise<void> =>
    inTransaction(db, async (tx) => {
      if ((await lockAccount(tx, account))?.enabled === 1)
        await updateSync(tx, 'calendar_sync', account.id, change)
    })

  /** Checks in each transaction that the account still exists: it may be removed during the sync. */
  const requireAccount = (account: AccountRecord): MirroredEvents => ({
    ...mirrored,
    change: (work) =>
      mirrored.change(async (tx) => {
        if (!(await lockAccount(tx, account))) throw notFound('calendar account')
        return work(tx)
      }),
  })

  const here = (account: AccountRecord, signal: AbortSignal, log: Logger) => {
    const { id: accountId, userId, name } = account
    const progress = { done: 0, total: 0 }
    return {
      db,
      clock,
      log,
      mirrored: requireAccount(account),
      store,
      wake,
      userId,
      accountId,
      readerVersion,
      signal,
      reportLost: ((tx, uid, change) =>
        conflicts.record(tx, { userId, name }, uid, change)) satisfies Session['reportLost'],
      /** Without new events, the progress of the last sync stays. */
      note: async ({ done = 0, total = 0 }: { done?: number; total?: number }): Promise<void> => {
        progress.done += done
        progress.total += total
        if (progress.total > 0)
          await inTransaction(db, (tx) => updateSync(tx, 'calendar_sync', accountId, progress))
      },
    }
  }

  const syncServer = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<void> => {
    const server = deps.openServer(serverTarget(deps, account))
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
    const file = await deps.readPublished(account.userId, fileTarget(sealer, account), known, signal)
    if (file.notModified) return
    const { etag, modified, objects, unreadable } = file
    const name = file.name?.trim() || account.name
    await storeFile(here(account, signal, log), { name, objects, unreadable })
    await note(account, { etag, modified })
  }

  /** A single failure is not reported to the user: the server may be unavailable for a moment. */
  const noteFailure = (
    account: AccountRecord,
    { status, error }: { status: 'failing' | 'signed_out'; error: string },
    { isNews }: { isNews: boolean },
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      await note(account, { status, error })
      if (!isNews) return
      const { id, userId, name } = account
      const { lastSyncAt } = await readSync(tx, id)
      const data = { accountId: id, name, error, lastSyncAt }
      await changes.record(tx, { userId, type: 'calendar_account.failing', subject: String(userId), data })
    })

  /** Returns whether the sync succeeded. */
  const syncOnce = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<boolean> => {
    const before = (await readSync(db, account.id)).status
    await note(account, { status: 'syncing', requestedAt: null })
    try {
      if (account.kind === 'caldav') await syncServer(account, signal, log)
      else await syncFile(account, signal, log)
      const lastSyncAt = clock.now().toISOString()
      const language = await deps.languageOf(account.userId)
      const problems = await describeProblems(db, account.id, language)
      await note(account, { status: 'live', error: problems, lastSyncAt })
      return true
    } catch (error) {
      if (signal.aborted) {
        await note(account, { status: 'waiting' })
        throw error
      }
      if (!(await findAccount(db, account.id))) return true
      const language = await deps.languageOf(account.userId)
      await note(account, { status: 'failing', error: calendarServerTexts(language).unexpectedError })
      const { problem, remedy, step } = explainError(error, account, language)
      log.info({ err: error, calendarAccount: account.id }, 'calendar sync failed')
      const status = isSignedOut(error) ? 'signed_out' : 'failing'
      const isNews = before !== 'signed_out' && (before === 'failing' || step === 'login')
      await noteFailure(account, { status, error: `${problem} ${remedy}` }, { isNews })
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

const SYNC = 'calendar.sync'

/**
 * Enqueues the sync of an account. There is no second job while one runs. The running job sees new requests
 * before it ends, because both lock the same row.
 */
export const createSyncRequests = ({ jobs, clock }: Pick<Platform, 'jobs' | 'clock'>) => {
  const enqueue = async (tx: Db, accountId: string): Promise<void> => {
    await jobs.enqueue(tx, SYNC, { accountId }, { key: accountId })
  }
  return {
    /** Requests a sync with a fetch of the server's changes. */
    async requestSync(tx: Db, accountId: string): Promise<void> {
      await updateSync(tx, 'calendar_sync', accountId, { requestedAt: clock.now().toISOString() })
      await enqueue(tx, accountId)
    },
    /** Requests a sync because there is something to push. */
    async wake(tx: Db, accountId: string): Promise<void> {
      await lockSync(tx, accountId)
      await enqueue(tx, accountId)
    },
  }
}

/** Files are fetched less often than servers: each change transfers the whole file. */
const FILE_EVERY_MS = 30 * 60_000

export const defineCalendarSync = (
  jobs: Jobs,
  {
    db,
    clock,
    sync,
    requestSync,
    removal,
  }: Pick<Platform, 'db' | 'clock'> & {
    sync: AccountSync
    requestSync: RequestSync
    removal: Pick<Removal, 'resume'>
  },
): void => {
  jobs.define({
    name: SYNC,
    payload: Type.Object({ accountId: Type.String() }),
    // Failures are recorded with the account and retried by schedule. These retries are for a process that
    // was killed.
    retries: 3,
    backoffSeconds: 2,
    leaseSeconds: 20,
    run: ({ accountId }, context) => sync(accountId, context),
  })
  jobs.define({
    name: 'calendar.sync-due',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    async run() {
      const before = new Date(clock.now().getTime() - FILE_EVERY_MS).toISOString()
      for (const { id } of await listDue(db, before)) await inTransaction(db, (tx) => requestSync(tx, id))
      await removal.resume()
    },
  })
}

/**
 * Withholds automatic changes of events with guests from servers that schedule them. Such a server might
 * email the guests (RFC 6638, 3.2), and no user confirmed that. Events sent with SCHEDULE-AGENT=CLIENT are
 * safe.
 */
export const createHeldPushes =
  ({ mirrored }: { mirrored: Pick<MirroredEvents, 'maySchedule'> }) =>
  async (tx: Db, userId: number, uids: readonly string[]): Promise<void> => {
    if (uids.length === 0) return
    for (const { accountId, uid } of await listPushesOf(tx, userId, uids)) {
      const placement = await findPlaced(tx, accountId, uid)
      if (placement && mirrored.maySchedule(placement.body)) await holdPush(tx, accountId, uid)
    }
  }

/**
 * Returns whether a server sends invitations for this event, so that Factotum must not send them too. An unknown
 * server counts as one that does. Objects with SCHEDULE-AGENT=CLIENT are never scheduled by the server.
 */
export const createServerScheduling =
  ({ mirrored }: { mirrored: Pick<MirroredEvents, 'maySchedule'> }) =>
  async (tx: Db, userId: number, uid: string): Promise<boolean> => {
    const placed = await listScheduling(tx, userId, uid)
    return placed.some(
      ({ body, schedules }) =>
        mirrored.maySchedule(body) && (schedules !== 0 || body.includes('SCHEDULE-STATUS=')),
    )
  }

/**
 * Queues pushes in the transaction that changes an event: to the servers that have it, and to the server of its
 * calendar. Without such accounts this costs one query of an empty table.
 */
export const createLocalChanges = ({
  clock,
  wake,
}: Pick<Platform, 'clock'> & {
  wake: (tx: Db, accountId: string) => Promise<void>
}) => {
  const queue = async (tx: Db, userId: number, uids: readonly string[]): Promise<void> => {
    const servers = await listServers(tx, userId)
    if (servers.length === 0) return
    const placed = Map.groupBy(await listPlacedAt(tx, userId, uids), ({ uid }) => uid)
    const calendars = await listEventCalendars(tx, userId, uids)
    const known = new Map(servers.map((server) => [server.id, server]))
    const pushes = uids.flatMap((uid) => {
      const places = (placed.get(uid) ?? []).map(({ accountId }) => accountId)
      const target = calendars.get(uid)?.accountId ?? null
      // An event of a published file is read-only and is not pushed.
      return [...new Set([...places, ...(target === null ? [] : [target])])]
        .filter((id) => known.has(id))
        .map((accountId) => ({ accountId, uid }))
    })
    await queuePushes(tx, pushes, clock.now().toISOString())
    // A disabled account receives the change when it is enabled again.
    for (const accountId of new Set(pushes.map(({ accountId }) => accountId)))
      if (known.get(accountId)?.enabled === 1) await wake(tx, accountId)
  }

  return async (tx: Db, changes: readonly RecordedChange[]): Promise<void> => {
    const uidsOf = new Map<number, Set<string>>()
    for (const { userId, type, data } of changes)
      if ((type === 'event.created' || type === 'event.updated' || type === 'event.cancelled') && data.uid)
        uidsOf.set(userId, (uidsOf.get(userId) ?? new Set()).add(data.uid))
    for (const [userId, uids] of uidsOf) await queue(tx, userId, [...uids])
  }
}
