import type { Db } from '../../../database/db.ts'
import { isUniqueViolation } from '../../../database/errors.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { SessionCaller, Visit } from '../../../platform/access/caller.ts'
import { AppError, invalidField } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { emailTaken, isFailedAttempt, profileOf } from '../../auth/accounts.ts'
import type { AuthFeature } from '../../auth/feature.ts'
import { checkPassword } from '../../auth/passwords.ts'
import { emailKeyOf, getUser, lockUser, type User, updateUser } from '../../auth/repository.ts'

export type Security = ReturnType<typeof createSecurity>

/** Password, email and second factor of an account. Every change requires the password. */
export const createSecurity = ({ db, clock }: Platform, auth: AuthFeature) => {
  const { activity, attempts, passwords, sessions, accounts, twoFactor } = auth
  const now = () => clock.now().toISOString()

  /** Verifies the password, then runs `work` in a transaction if the password has not changed since. */
  const withPassword = async <T>(
    userId: number,
    password: string,
    work: (tx: Db, user: User) => Promise<T>,
  ) => {
    const proven = await accounts.reauthenticate(userId, password)
    return inTransaction(db, async (tx) => {
      const user = await lockUser(tx, userId)
      if (user.passwordHash !== proven.passwordHash)
        throw new AppError(
          'unauthenticated',
          'invalid_credentials',
          'The password has just been changed. Use the new password.',
        )
      return work(tx, user)
    })
  }

  return {
    withPassword,

    async changePassword(caller: SessionCaller, password: string, newPassword: string, visit: Visit) {
      checkPassword('newPassword', newPassword)
      if (newPassword === password) throw invalidField('newPassword', 'must differ from the current password')
      await accounts.reauthenticate(caller.userId, password)
      const passwordHash = await passwords.hash(newPassword)
      return withPassword(caller.userId, password, async (tx, user) => {
        await updateUser(tx, user, { passwordHash }, now())
        await activity.record(tx, user.id, visit, 'password.changed')
        return { sessionsEnded: await sessions.revokeOthers(user.id, caller.sessionId, visit) }
      })
    },

    async changeEmail(userId: number, password: string, email: string, visit: Visit) {
      try {
        return await withPassword(userId, password, async (tx, user) => {
          const changed = await updateUser(tx, user, { email, emailKey: emailKeyOf(email) }, now())
          await activity.record(tx, userId, visit, 'email.changed', { from: user.email, to: email })
          return profileOf(changed)
        })
      } catch (error) {
        throw isUniqueViolation(error) ? emailTaken() : error
      }
    },

    twoFactorStatus: async (userId: number) => twoFactor.status(db, await getUser(db, userId)),

    async setUpTwoFactor(userId: number, password: string) {
      const setup = await withPassword(userId, password, (tx) => twoFactor.setUp(tx, userId))
      const { toDataURL } = await import('qrcode')
      return { ...setup, qr: await toDataURL(setup.otpauthUrl, { margin: 2, width: 264 }) }
    },

    async enableTwoFactor(userId: number, password: string, code: string, visit: Visit) {
      const backupCodes = await attempts.judge('code', String(userId), isFailedAttempt, () =>
        withPassword(userId, password, (tx) => twoFactor.enable(tx, userId, code, visit)),
      )
      return { enabled: true, backupCodes }
    },

    async disableTwoFactor(userId: number, password: string, visit: Visit) {
      await withPassword(userId, password, (tx) => twoFactor.disable(tx, userId, visit))
      return twoFactor.status(db, await getUser(db, userId))
    },

    async renewBackupCodes(userId: number, password: string, visit: Visit) {
      const backupCodes = await withPassword(userId, password, (tx) =>
        twoFactor.renewBackupCodes(tx, userId, visit),
      )
      return { enabled: true, backupCodes }
    },
  }
}
