import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Random } from '../../../platform/random.ts'
import type { MailFiling } from '../../emails/mail-filing.ts'
import { serverOf } from '../credentials.ts'
import type { OpenMailbox } from '../mailbox.ts'
import type { Logins } from '../sign-in/login.ts'
import { type AccountRecord, findAccount, findSync, type SyncRecord } from '../store.ts'
import { explainFailure } from '../words.ts'
import { holdLease, LEASE_MS, type Lease } from './lease.ts'
import { followEverything, followFolder, isInStep } from './pass.ts'
import { hasGone, listFolders } from './placement-store.ts'
import { pushAll } from './pushes.ts'
import { createSession, type Session } from './session.ts'

/** Folders other than the inbox are looked at this often; the inbox tells by itself. */
const LOOK_EVERY_MS = 2 * 60_000
/** How soon what another instance noted is seen here. */
const POLL_MS = 2_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 5 * 60_000
/** A password that was wrong is not tried every few seconds: servers lock accounts for that. */
const REFUSED_WAIT_MS = 15 * 60_000

export interface RunnerDeps {
  db: Db
  clock: Clock
  random: Random
  log: Logger
  changes: Changes
  filing: MailFiling
  logins: Logins
  openMailbox: OpenMailbox
  countSynced: Session['countSynced']
}

/** An alarm that may ring before anyone sleeps. */
const createBell = () => {
  let controller = new AbortController()
  return {
    ring: (): void => controller.abort(),
    /** Aborts at the next ring; a ring since the last call counts. */
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

export interface Runner {
  wake(): void
  stop(): void
  readonly ended: Promise<void>
}

/** Keeps one account in step for as long as the lease is held: connects, looks, stays connected, and begins again. */
export const startRunner = (deps: RunnerDeps, lease: Lease): Runner => {
  const { db, clock, random } = deps
  const { accountId } = lease
  const log = deps.log.child({ mailAccount: accountId })
  const stopping = new AbortController()
  const bell = createBell()
  let isConnected = false
  let triedVersion: number | undefined

  const note = (change: Partial<SyncRecord>): Promise<void> =>
    inTransaction(db, (tx) => holdLease(tx, lease, clock.now(), change))

  /** That it fails is told when it begins to. */
  const noteFailure = (account: AccountRecord, status: SyncRecord['status'], error: string): Promise<void> =>
    inTransaction(db, async (tx) => {
      const before = await findSync(tx, accountId)
      await holdLease(tx, lease, clock.now(), { status, error })
      if (before === undefined || before.status === status) return
      const { userId, address } = account
      const data = { accountId, address, error, lastSyncAt: before.lastSyncAt }
      await deps.changes.record(tx, { type: 'mail_account.failing', subject: String(userId), data })
    })

  const readSignals = () =>
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

  /** One connection, from its beginning to its end: returns when the account has changed. */
  const stayConnected = async (account: AccountRecord, onSuccess: () => void): Promise<void> => {
    const { signal } = stopping
    const mailbox = await deps.openMailbox(await deps.logins.imap(account), signal)
    const { filing, countSynced } = deps
    const { createdAt: since } = account
    const session = createSession({ db, clock, filing, mailbox, lease, since, countSynced, log, signal })
    isConnected = true
    const between = async (): Promise<boolean> => pushAll(session)
    const lookAtEverything = async (): Promise<void> => {
      await note({ status: 'syncing', requestedAt: null })
      await followEverything(session, { between })
      await pushAll(session)
      if (await hasGone(db, accountId)) await followEverything(session, { between })
      await note({ status: 'live', error: null, lastSyncAt: session.now() })
      onSuccess()
    }
    try {
      let lookAt = 0
      for (;;) {
        signal.throwIfAborted()
        const signals = await readSignals()
        if (!signals?.enabled || signals.version !== account.version) return
        if (signals.requestedAt !== null || clock.now().getTime() >= lookAt) {
          await lookAtEverything()
          lookAt = clock.now().getTime() + LOOK_EVERY_MS
        }
        await pushAll(session)
        if (await waitInInbox(session, lookAt - clock.now().getTime())) await lookAtInbox(session, between)
        if (await hasGone(db, accountId)) lookAt = 0
      }
    } finally {
      isConnected = false
      await mailbox.close()
    }
  }

  const inboxOf = async () => (await listFolders(db, accountId)).find(({ use }) => use === 'inbox')

  /** Says whether there is something new in the inbox. */
  const waitInInbox = async (session: Session, ms: number): Promise<boolean> => {
    const rung = bell.next()
    if (rung.aborted) return false
    const state = await session.reopen('INBOX')
    const inbox = await inboxOf()
    // What happened between the last look and now is told by no event.
    if (inbox && !isInStep(inbox, state)) return true
    const wake = AbortSignal.any([rung, stopping.signal])
    return (await session.mailbox.waitForChange(Math.max(0, ms), wake)) === 'changed'
  }

  const lookAtInbox = async (session: Session, between: () => Promise<boolean>): Promise<void> => {
    const inbox = await inboxOf()
    if (!inbox) return
    await followFolder(session, inbox, { between })
    await note({ lastSyncAt: session.now() })
  }

  /** What to tell the person, and how long to wait before the next try. */
  const judge = (account: AccountRecord, error: unknown, failures: number) => {
    const failure = error instanceof AppError ? error.details.failure : undefined
    const chance = random.bytes(4).readUInt32BE() / 2 ** 32
    const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)) * (0.5 + chance / 2)
    if (!failure)
      return {
        status: 'failing',
        error: 'Something unexpected went wrong; the log says more.',
        waitMs: backoff,
      } as const
    const { problem, remedy } = explainFailure(failure, serverOf(account.imap))
    const text = `${problem} ${remedy}`
    if (failure.step === 'login' && failure.reason === 'signed_out')
      return { status: 'signed_out', error: text, waitMs: REFUSED_WAIT_MS } as const
    const waitMs = failure.step === 'login' ? REFUSED_WAIT_MS : backoff
    return { status: 'failing', error: text, waitMs } as const
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      const account = await findAccount(db, accountId)
      if (!account?.enabled) return
      triedVersion = account.version
      try {
        // Each connection begins with a look at everything. A wish that failed must not be tried again at once.
        await note({ requestedAt: null })
        await stayConnected(account, () => {
          failures = 0
        })
      } catch (error) {
        if (stopping.signal.aborted) return
        // Another instance has taken over: nothing is left to do here.
        if (error instanceof AppError && error.kind === 'conflict') return
        failures++
        const { status, error: text, waitMs } = judge(account, error, failures)
        log.warn({ err: error, failures, waitMs }, 'the connection to a mail account failed')
        // A connection that was lost once is nothing that a person should hear of.
        if (failures > 1 || status === 'signed_out' || waitMs === REFUSED_WAIT_MS)
          await noteFailure(account, status, text)
        await sleep(waitMs, bell.next(), stopping.signal)
      }
    }
  }

  const keepLease = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(LEASE_MS / 3, stopping.signal)
      if (stopping.signal.aborted) return
      try {
        await note({})
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'conflict')) {
          log.warn({ err: error }, 'the lease of a mail account was not renewed')
          continue
        }
        log.warn('a mail account passed to another instance')
        stopping.abort(error)
      }
    }
  }

  /**
   * Rings when there is something to do. Changes that wait for the server are none while it cannot be reached: who
   * tidies up a mailbox meanwhile must not have it knocked at for every e-mail.
   */
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(POLL_MS, stopping.signal)
      const signals = await readSignals().catch(() => undefined)
      if (!signals) continue
      const isWished = signals.requestedAt !== null || signals.version !== triedVersion || !signals.enabled
      if (isWished || (isConnected && signals.hasPushes)) bell.ring()
    }
  }

  void keepLease()
  void watch()
  return {
    wake: () => {
      if (isConnected) bell.ring()
    },
    stop: () => stopping.abort(new Error('The process is ending.')),
    ended: run()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, 'keeping a mail account in step failed')
      })
      .finally(() => stopping.abort()),
  }
}
