import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomSecret } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { Activity } from './activity.ts'
import type { Attempts } from './attempts.ts'
import type { Letters } from './letters.ts'
import { networkOf } from './network.ts'
import { countResets, deleteOldResets, insertReset, useReset, voidResets } from './password-reset-store.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { findUserByEmail, lockUser, type User, updateUser } from './user-store.ts'

const VALID_MS = 30 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MOST_AN_HOUR = 3
const JOB = 'password.reset'

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
  /** What the link is built from, and nothing that a request says. */
  publicUrl: string | null
}

const letterOf = (user: User, link: string) => ({
  to: { name: user.name, address: user.email },
  subject: 'Choose a new password',
  text: [
    `Hello ${user.name},`,
    '',
    'somebody, probably you, asked for a new password for your account. To choose one, open this page within half an hour:',
    '',
    link,
    '',
    'If it was not you, nothing has changed and there is nothing to do.',
    '',
  ].join('\n'),
})

const unusable = () =>
  new AppError(
    'unauthenticated',
    'invalid_reset_token',
    'This link was used already, or is older than half an hour. Ask for another.',
  )

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** A way back in for whoever reads the mail of an account. The second factor stays as it is. */
export const createPasswordReset = (deps: PasswordResetDeps) => {
  const { db, clock, random, jobs, activity, attempts, passwords, sessions, letters } = deps
  const instantIn = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

  /** The secret comes to be here, goes out, and only its hash stays; a further try sends another. */
  const write = async (email: string, signal: AbortSignal): Promise<void> => {
    const user = await findUserByEmail(db, email)
    if (!user || deps.publicUrl === null) return
    const token = randomSecret(random)
    const isWritten = await inTransaction(db, async (tx) => {
      // Two letters at once wait for each other here, or both would count two before them.
      await lockUser(tx, user.id)
      if ((await countResets(tx, user.id, instantIn(-HOUR_MS))) >= MOST_AN_HOUR) return false
      await insertReset(tx, {
        hash: digest(token),
        userId: user.id,
        createdAt: instantIn(0),
        expiresAt: instantIn(VALID_MS),
        usedAt: null,
      })
      return true
    })
    if (!isWritten) return
    // Behind the #, so that no server and no referrer header ever sees it.
    await letters.send(letterOf(user, `${deps.publicUrl}/reset-password#${token}`), signal)
  }

  jobs.define({
    name: JOB,
    payload: Type.Object({ email: Type.String() }),
    retries: 2,
    run: ({ email }, { signal }) => write(email, signal),
  })

  return {
    /** Whatever the address, the same is done before the answer: that it is known shows in the mail alone. */
    async ask(email: string, visit: Visit): Promise<void> {
      if (deps.publicUrl === null || !(await letters.isReady()))
        throw conflict(
          'This instance cannot send mail of its own. Its operator can set a new password: factotum user password EMAIL',
          'not_configured',
        )
      await attempts.spend('reset', networkOf(visit.ip))
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, { email }))
    },

    /** Ends every session: whoever had the password before is out. */
    async confirm(token: string, newPassword: string, visit: Visit): Promise<void> {
      checkPassword('password', newPassword)
      const passwordHash = await passwords.hash(newPassword)
      await inTransaction(db, async (tx) => {
        const userId = await useReset(tx, digest(token), instantIn(0))
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
