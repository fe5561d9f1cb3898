import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction, readingIn } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, forbidden } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Random } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'
import { defineTask } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import type { Activity } from './activity.ts'
import type { Attempts } from './attempts.ts'
import type { ConnectedMailboxes, Letters } from './letters.ts'
import { networkOf } from './network.ts'
import {
  countResets,
  deleteOldResets,
  findReset,
  hasResets,
  insertReset,
  listKnownResets,
  markWithheld,
  useReset,
  voidResets,
} from './password-reset-store.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import { createResetToken, findResetHashes, formatReference } from './reset-token.ts'
import type { Sessions } from './sessions.ts'
import { findUser, findUserByEmail, lockUser, type User, updateUser } from './user-store.ts'

export const RESET_VALID_MS = 30 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MOST_AN_HOUR = 3
const JOB = 'password.reset'
/** How long a confirmation waits for the sync of the mailbox that the link was sent to. */
const SYNC_WAIT_MS = 5_000
const SYNC_POLL_MS = 200

export interface PasswordResetDeps {
  db: Db
  clock: Clock
  random: Random
  jobs: Jobs
  activity: Activity
  attempts: Attempts
  passwords: Passwords
  sessions: Sessions
  letters: Letters
  mailboxes: ConnectedMailboxes
  /** The link is built from this, and never from a request. */
  publicUrl: string | null
}

const composeMail = (user: User, link: string, hash: string) => ({
  id: hash,
  to: { name: user.name, address: user.email },
  subject: 'Choose a new password',
  text: [
    `Hello ${user.name},`,
    '',
    'Somebody, probably you, asked for a new password for your Factotum account.',
    'To choose one, open this link within 30 minutes, in the browser in which you asked for it:',
    '',
    link,
    '',
    'If it was not you, ignore this message. Your password has not changed.',
    '',
    `Reference: ${formatReference(hash)}`,
    '',
  ].join('\n'),
})

const unusable = () =>
  new AppError(
    'unauthenticated',
    'invalid_reset_token',
    'This link was used already, or is older than 30 minutes. Ask for another.',
  )

const otherBrowser = () =>
  forbidden(
    'This link works only in the browser that asked for it. Open it there, or ask for a new link in this browser.',
    'reset_other_browser',
  )

const notSeen = (address: string) =>
  conflict(
    `The mail with this link has not been seen in ${address}, which is connected here, so the link is not accepted yet. Wait until the mailbox is synced and try again. If the mail is in the junk folder, move it to the inbox. Otherwise the operator can set a new password: factotum user password EMAIL`,
    'reset_mail_not_seen',
  )

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** Lets the person who reads the mail of an account choose a new password. The second factor stays as it is. */
export const createPasswordReset = (deps: PasswordResetDeps) => {
  const { db, clock, random, jobs, activity, attempts, passwords, sessions, letters, mailboxes } = deps
  const instantIn = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

  /** The token is made here, mailed, and only its hash is stored; a retry sends another. */
  const sendLink = async (email: string, browserHash: string, signal: AbortSignal): Promise<void> => {
    const user = await findUserByEmail(db, email)
    if (!user || deps.publicUrl === null) return
    const token = createResetToken(random)
    const hash = digest(token)
    const isWritten = await inTransaction(db, async (tx) => {
      // Two at the same time wait for each other here, or both would count two before them.
      await lockUser(tx, user.id)
      if ((await countResets(tx, user.id, instantIn(-HOUR_MS))) >= MOST_AN_HOUR) return false
      await insertReset(tx, {
        hash,
        userId: user.id,
        createdAt: instantIn(0),
        expiresAt: instantIn(RESET_VALID_MS),
        usedAt: null,
        browserHash,
        withheldAt: null,
      })
      return true
    })
    if (!isWritten) return
    // Behind the #, so that no server and no referrer header ever sees it.
    const link = `${deps.publicUrl}/reset-password#${token}`
    await letters.send(composeMail(user, link, hash), signal)
  }

  jobs.define({
    name: JOB,
    // A job that an older version left in the queue names no browser: its link could not be used.
    payload: Type.Object({ email: Type.String(), browserHash: Type.Optional(Type.String()) }),
    retries: 2,
    run: async ({ email, browserHash }, { signal }) => {
      if (browserHash !== undefined) await sendLink(email, browserHash, signal)
    },
  })

  /**
   * A link that was sent to a mailbox which is synced here counts only after the sync has recognised its mail and
   * kept it out. Otherwise a token that may read mail could take the account over with a mail that a relay changed
   * beyond recognition.
   */
  const requireWithheld = async (hash: string, userId: number): Promise<void> => {
    const isWithheld = async () => (await findReset(db, hash, instantIn(0)))?.withheldAt !== null
    const user = await findUser(db, userId)
    const mailbox = user && (await mailboxes.findSynced(user.email))
    if (!mailbox || (await isWithheld())) return
    await mailboxes.requestSync(mailbox.accountId)
    for (let waited = 0; waited < SYNC_WAIT_MS; waited += SYNC_POLL_MS) {
      await wait(SYNC_POLL_MS)
      if (await isWithheld()) return
    }
    throw notSeen(mailbox.address)
  }

  return {
    /** Does the same before the answer for every address, so that the answer does not tell whether it is known. */
    async ask(email: string, browser: string, visit: Visit): Promise<void> {
      if (deps.publicUrl === null || !(await letters.isReady()))
        throw conflict(
          'This instance cannot send mail of its own. Its operator can set a new password: factotum user password EMAIL',
          'not_configured',
        )
      await attempts.spend('reset', networkOf(visit.ip))
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, { email, browserHash: digest(browser) }))
    },

    /** Ends every session: whoever had the password before is out. */
    async confirm(
      given: { token: string; password: string; browser: string | undefined },
      visit: Visit,
    ): Promise<void> {
      checkPassword('password', given.password)
      const hash = digest(given.token)
      const reset = await findReset(db, hash, instantIn(0))
      if (!reset) throw unusable()
      // A wrong browser does not use the link up: programs that scan mail open links as well.
      if (given.browser === undefined || reset.browserHash !== digest(given.browser)) throw otherBrowser()
      await requireWithheld(hash, reset.userId)
      const passwordHash = await passwords.hash(given.password)
      await inTransaction(db, async (tx) => {
        const userId = await useReset(tx, hash, instantIn(0))
        if (userId === undefined) throw unusable()
        const user = await lockUser(tx, userId)
        await updateUser(tx, user, { passwordHash }, instantIn(0))
        await voidResets(tx, userId, instantIn(0))
        await activity.record(tx, userId, visit, 'password.reset')
        await sessions.revokeOthers(userId, null, visit)
      })
    },

    prune: (): Promise<void> => deleteOldResets(db, instantIn(-DAY_MS)),
  }
}

const SEARCH_TASK = defineTask<Uint8Array, string[]>(
  new URL('./reset-token.ts', import.meta.url),
  'findResetHashes',
)
/** A few windows of the search. */
const SMALL_MESSAGE = 64 * 1024
const SEARCH_TIMEOUT_MS = 30_000

/** Falls back to this thread, in small parts, when the worker fails: a message must not escape the search. */
const searchInWorker = async (workers: WorkerPool, content: Buffer): Promise<string[]> => {
  if (content.length <= SMALL_MESSAGE) return findResetHashes(content)
  const copy = new Uint8Array(content)
  const options = { timeoutMs: SEARCH_TIMEOUT_MS, transfer: [copy.buffer] }
  return workers.run(SEARCH_TASK, copy, options).catch(() => findResetHashes(content))
}

/** Finds reset links in messages. Expired links are known for a day, until they are pruned. */
export const createResetSearch = (deps: { db: Db; clock: Clock; workers: WorkerPool }) => {
  const { db, clock, workers } = deps
  const now = (): Date => clock.now()
  return {
    /** The hashes of the reset links in a message. Reads it only while there are links to look for. */
    async find(content: Buffer): Promise<string[]> {
      const since = new Date(now().getTime() - DAY_MS).toISOString()
      if (!(await hasResets(readingIn(db), since))) return []
      return listKnownResets(readingIn(db), await searchInWorker(workers, content))
    },

    markWithheld: (hashes: readonly string[], accountId: string): Promise<void> =>
      inTransaction(db, (tx) => markWithheld(tx, hashes, accountId, now().toISOString())),
  }
}

export type ResetSearch = ReturnType<typeof createResetSearch>
