import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { AppError, conflict, forbidden } from '../../platform/errors.ts'
import { type Language, toLanguage } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { defineTask } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import type { Activity } from './activity.ts'
import type { AuthMail, ConnectedMailboxes } from './auth-mail.ts'
import { de } from './locales/de.ts'
import { type AuthMailTexts, en } from './locales/en.ts'
import { type Attempts, networkOf } from './login-attempts.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import {
  blankEntry,
  emailKeyOf,
  findUser,
  findUserByEmail,
  lockUser,
  type User,
  updateUser,
} from './repository.ts'
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
} from './reset-repository.ts'
import { createResetToken, findResetHashes, formatReference } from './reset-token.ts'
import type { Sessions } from './sessions.ts'

export const RESET_VALID_MS = 30 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_PER_HOUR = 3
const JOB = 'password.reset'
/** The longest time that a confirmation waits for the sync of the mailbox that received the link. */
const SYNC_WAIT_MS = 5_000
const SYNC_POLL_MS = 200

interface PasswordResetNeeds {
  activity: Activity
  attempts: Attempts
  passwords: Passwords
  sessions: Sessions
  authMail: AuthMail
  mailboxes: ConnectedMailboxes
  /** The base of the link. It never comes from a request, because an attacker controls the Host header. */
  publicUrl: string | null
}

const TEXTS: Readonly<Record<Language, AuthMailTexts>> = { en, de }

const composeMail = (user: User, link: string, hash: string) => {
  const t = TEXTS[toLanguage(user.locale)]
  const lines = [
    t.greeting(user.name),
    '',
    t.request,
    t.instructions,
    '',
    link,
    '',
    t.ignore,
    '',
    t.reference(formatReference(hash)),
    '',
  ]
  return {
    kind: 'reset' as const,
    id: hash,
    to: { name: user.name, address: user.email },
    subject: t.subject,
    text: lines.join('\n'),
  }
}

const invalidToken = () =>
  new AppError(
    'unauthenticated',
    'invalid_reset_token',
    'This link was used already or is older than 30 minutes. Request a new link.',
  )

const otherBrowser = () =>
  forbidden(
    'This link works only in the browser that requested it. Open it there, or request a new link in this browser.',
    'reset_other_browser',
  )

const notSeen = (address: string) =>
  conflict(
    `The mail with this link has not been seen in ${address}, which is connected here, so the link is not accepted yet. Wait until the mailbox is synced and try again. If the mail is in the junk folder, move it to the inbox. Otherwise the operator can set a new password: factotum user password EMAIL`,
    'reset_mail_not_seen',
  )

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** Lets the person who reads the mail of an account set a new password. The second factor stays enabled. */
export const createPasswordReset = ({ db, clock, random, jobs }: Platform, needs: PasswordResetNeeds) => {
  const { activity, attempts, passwords, sessions, authMail, mailboxes, publicUrl } = needs
  const instantIn = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

  /** Creates the token, stores its hash and mails the link. A retry of the job sends another token. */
  const sendLink = async (email: string, browserHash: string, signal: AbortSignal): Promise<void> => {
    const user = await findUserByEmail(db, email)
    if (!user || publicUrl === null) return
    const token = createResetToken(random)
    const hash = digest(token)
    const isWritten = await inTransaction(db, async (tx) => {
      // The lock serializes two requests. Otherwise both would count the same two earlier resets.
      await lockUser(tx, user.id)
      if ((await countResets(tx, user.id, instantIn(-HOUR_MS))) >= MAX_PER_HOUR) return false
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
    // The token is in the fragment, so that no server log and no Referer header contains it.
    const link = `${publicUrl}/reset-password#${token}`
    await authMail.send(composeMail(user, link, hash), signal)
  }

  jobs.define({
    name: JOB,
    payload: Type.Object({ email: Type.String(), browserHash: Type.String() }),
    retries: 2,
    run: ({ email, browserHash }, { signal }) => sendLink(email, browserHash, signal),
  })

  /**
   * Accepts a link that was sent to a synced mailbox only after the sync has withheld its mail. A relay may
   * have changed the mail beyond recognition. A token with access to mail could then take over the account.
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
    /**
     * Does the same work for every address before it responds, so that the response does not reveal which
     * accounts exist.
     */
    async ask(email: string, browser: string, visit: Visit): Promise<void> {
      if (publicUrl === null || !(await authMail.isReady()))
        throw conflict(
          'This instance has no mail server. Ask its operator to set a new password: factotum user password EMAIL',
          'not_configured',
        )
      await attempts.spend('reset', networkOf(visit.ip))
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, { email, browserHash: digest(browser) }))
    },

    /** Sets the password and ends every session, so that anyone with the old password is signed out. */
    async confirm(
      input: { token: string; password: string; browser: string | undefined },
      visit: Visit,
    ): Promise<void> {
      checkPassword('password', input.password)
      const hash = digest(input.token)
      const reset = await findReset(db, hash, instantIn(0))
      if (!reset) throw invalidToken()
      // A wrong browser does not use up the link, because programs that scan mail open links too.
      if (input.browser === undefined || reset.browserHash !== digest(input.browser)) throw otherBrowser()
      await requireWithheld(hash, reset.userId)
      const passwordHash = await passwords.hash(input.password)
      await inTransaction(db, async (tx) => {
        const userId = await useReset(tx, hash, instantIn(0))
        if (userId === undefined) throw invalidToken()
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

const SEARCH_TASK = defineTask<{ content: Uint8Array }, string[]>(
  new URL('./reset-token.ts', import.meta.url),
  'findResetHashesIn',
)
/** Small enough to search on this thread. */
const SMALL_MESSAGE = 64 * 1024
const SEARCH_TIMEOUT_MS = 30_000

/** Falls back to this thread if the worker fails, because no message may skip the search. */
const searchInWorker = async (workers: WorkerPool, content: Buffer): Promise<string[]> => {
  if (content.length <= SMALL_MESSAGE) return findResetHashes(content)
  const options = { timeoutMs: SEARCH_TIMEOUT_MS, copied: 'content' }
  return workers.run(SEARCH_TASK, { content }, options).catch(() => findResetHashes(content))
}

/** Finds reset links in messages. Expired links stay known for a day, until they are pruned. */
export const createResetSearch = ({ db, clock, workers }: Platform) => ({
  /** Returns the hashes of the reset links in a message. Skips the search while no resets exist. */
  async find(content: Buffer): Promise<string[]> {
    const since = new Date(clock.now().getTime() - DAY_MS).toISOString()
    if (!(await hasResets(transactionOr(db), since))) return []
    return listKnownResets(transactionOr(db), await searchInWorker(workers, content))
  },

  markWithheld: (hashes: readonly string[], accountId: string): Promise<void> =>
    inTransaction(db, (tx) => markWithheld(tx, hashes, accountId, clock.now().toISOString())),
})

export type ResetSearch = ReturnType<typeof createResetSearch>

/**
 * Removes the traces of an address in other people's data: invitations to it, and attempts to sign in with
 * it.
 */
export const forgetAddress = async (tx: Db, email: string): Promise<void> => {
  const key = emailKeyOf(email)
  await tx.deleteFrom('invitations').where('email', '=', key).execute()
  await tx
    .deleteFrom('attempts')
    .where((row) =>
      row.or([
        row('subject', '=', key),
        row(sql`substr(subject, 1, ${sql.lit(key.length + 1)})`, '=', `${key} `),
      ]),
    )
    .execute()
  // The log keeps the invitation and its date, but not who was invited.
  const invited = await tx
    .selectFrom('activity')
    .select(['id', 'details'])
    .where('action', '=', 'invitation.created')
    .execute()
  for (const { id, details } of invited) {
    const { email: whom } = JSON.parse(details) as { email?: string | null }
    if (typeof whom === 'string' && emailKeyOf(whom) === key) await blankEntry(tx, id)
  }
}
