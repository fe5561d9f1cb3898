import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import type { JobContext } from '../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { ConflictJournal } from '../../calendar/imports/conflict-journal.ts'
import type { MirroredEvents } from '../../calendar/imports/mirrored-events.ts'
import type { OpenCalendarServer } from '../calendar-server.ts'
import { fileTarget, serverTarget } from '../credentials.ts'
import {
  type AccountRecord,
  findAccount,
  isAskedFor,
  lockAccount,
  lockSync,
  readFileState,
  readSync,
  updateSync,
} from '../store.ts'
import { explainError } from '../words.ts'
import { countRemarks } from './placement-store.ts'
import type { ReadPublished } from './published-file.ts'
import { pull } from './pulling.ts'
import { countUntold, hasNews } from './push-store.ts'
import { hasChosenCalendar, push } from './pushing.ts'
import type { Session } from './session.ts'
import { takeFile } from './taking-files.ts'
import { hasStaleUnreadable } from './unreadable-store.ts'

/** What is changed while an account is brought into step, here or in its settings, is seen to at once. */
const MOST_ROUNDS = 5

export type AccountSync = ReturnType<typeof createAccountSync>

/** Brings one account into step with its server, and notes how that went where it is shown. */
export const createAccountSync = (deps: {
  db: Db
  clock: Clock
  changes: Changes
  sealer: Sealer
  mirrored: MirroredEvents
  openServer: OpenCalendarServer
  readPublished: ReadPublished
  conflicts: Pick<ConflictJournal, 'record'>
  /** Of the service. */
  version: string
}) => {
  const { db, clock, changes, sealer, mirrored, conflicts, version: readerVersion } = deps

  /** An account that was turned off or removed meanwhile says nothing more. */
  const note = (accountId: string, change: Parameters<typeof updateSync>[2]): Promise<void> =>
    inTransaction(db, async (tx) => {
      await lockAccount(tx, accountId)
      if ((await findAccount(tx, accountId))?.enabled === 1) await updateSync(tx, accountId, change)
    })

  /** What is taken over or told is so only while the account is there: it may be removed in the middle of it. */
  const whileThere = (accountId: string): MirroredEvents => ({
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
      ...{ db, clock, log, mirrored: whileThere(accountId), accountId, readerVersion, signal },
      reportLost: ((tx, uid, change) =>
        conflicts.record(tx, { userId, name }, uid, change)) satisfies Session['reportLost'],
      /** Where nothing is new, the figures of the last time stay. */
      note: async ({ done = 0, total = 0 }: { done?: number; total?: number }): Promise<void> => {
        progress.done += done
        progress.total += total
        if (progress.total > 0) await inTransaction(db, (tx) => updateSync(tx, accountId, progress))
      },
    }
  }

  const followServer = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<void> => {
    const server = deps.openServer(serverTarget(sealer, account))
    const session = { ...here(account, signal, log), server }
    // What was changed here goes first, so that it meets what was changed there as seldom as can be.
    await push(session)
    await pull(session)
    await push(session)
  }

  const followFile = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<void> => {
    // A file that an earlier version could not read whole is read again, although it has not changed.
    const isStale = await hasStaleUnreadable(db, account.id, readerVersion)
    const known = isStale ? { etag: null, modified: null } : await readFileState(db, account.id)
    const file = await deps.readPublished(fileTarget(sealer, account), known, signal)
    if (file.notModified) return
    const { etag, modified, objects, unreadable } = file
    const name = file.name?.trim() || account.name
    await takeFile(here(account, signal, log), { name, objects, unreadable })
    await note(account.id, { etag, modified })
  }

  /** What the server does not take is told with the account, though the rest is in step. */
  const remarkOn = async (accountId: string): Promise<string | null> => {
    const remarks: string[] = []
    const { count, error } = await countUntold(db, accountId)
    if (count > 0)
      remarks.push(
        `${count === 1 ? 'One change' : `${count} changes`} could not be told the server: ${error}`,
      )
    const account = await findAccount(db, accountId)
    if (account && !(await hasChosenCalendar(db, account)))
      remarks.push(
        'The calendar for new events is no longer there or cannot be written to. New events go to the first calendar that can. Choose another one.',
      )
    const untaken = await countRemarks(db, accountId)
    if (untaken.count > 0)
      remarks.push(
        untaken.count === 1 ? untaken.remark : `${untaken.remark} ${untaken.count - 1} more like this.`,
      )
    return remarks.length === 0 ? null : remarks.join(' ')
  }

  /** A server that does not answer once is nothing that a person should hear of. */
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

  /** Says whether it came off. */
  const follow = async (account: AccountRecord, signal: AbortSignal, log: Logger): Promise<boolean> => {
    const before = (await readSync(db, account.id)).status
    await note(account.id, { status: 'syncing', requestedAt: null })
    try {
      if (account.kind === 'caldav') await followServer(account, signal, log)
      else await followFile(account, signal, log)
      const lastSyncAt = clock.now().toISOString()
      await note(account.id, { status: 'live', error: await remarkOn(account.id), lastSyncAt })
      return true
    } catch (error) {
      if (signal.aborted) {
        await note(account.id, { status: 'waiting' })
        throw error
      }
      if (!(await findAccount(db, account.id))) return true
      const unexpected = {
        status: 'failing',
        error: 'Something unexpected went wrong; the log says more.',
      } as const
      await note(account.id, unexpected)
      const { problem, remedy, step } = explainError(error, account)
      log.info({ err: error, calendarAccount: account.id }, 'a calendar account is not in step')
      await noteFailure(account, `${problem} ${remedy}`, { isNews: before === 'failing' || step === 'login' })
      return false
    }
  }

  /** Ends the job, unless there is more to do; who asks for it afterwards makes a new one. */
  const end = ({ id, version }: AccountRecord, isInStep: boolean, context: JobContext): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      await lockSync(tx, id)
      const isOver =
        (await findAccount(tx, id))?.version === version &&
        !(await isAskedFor(tx, id)) &&
        // What waits because nobody answers is tried again in its time.
        !(isInStep && (await hasNews(tx, id)))
      if (isOver) await context.complete(tx)
      return isOver
    })

  return async (accountId: string, context: JobContext): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const account = await findAccount(db, accountId)
      if (!account?.enabled) return
      const isInStep = await follow(account, context.signal, context.log)
      if (await end(account, isInStep, context)) return
    }
  }
}
