import type { Db } from '../../database/db.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict } from '../../platform/errors.ts'
import type { Random } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from './activity.ts'
import { matchStep, newTotpSecret, otpauthUrl } from './totp.ts'
import { lockUser, type User, updateUser } from './user-store.ts'

const CODES = 10
const SECRET_BYTES = 20
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

const wrongCode = () =>
  new AppError('unauthenticated', 'invalid_two_factor_code', 'This code is not right, or was used already.')

const contextOf = (userId: number): string => `users.twoFactorSecret:${userId}`

/** 80 random bits, in groups that can be typed: `k3hd-9mzq-w2xn-7pcf`. */
const newBackupCode = (random: Random): string => {
  const letters = [...random.bytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
const backupHash = (userId: number, code: string): string =>
  digest(`${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)

export type TwoFactor = ReturnType<typeof createTwoFactor>

/** A second factor by TOTP (RFC 6238), with single-use backup codes for the day the phone is lost. */
export const createTwoFactor = (deps: {
  clock: Clock
  random: Random
  sealer: Sealer
  activity: Activity
}) => {
  const { clock, random, sealer, activity } = deps
  const now = () => clock.now().toISOString()

  /** Each step counts once, also when two requests bring the same code at the same moment. */
  const useStep = async (tx: Db, user: User, code: string): Promise<boolean> => {
    // Where its key is lost no code of the app is right any more; those on paper are.
    if (user.twoFactorSecret === null || !sealer.opens(user.twoFactorSecret)) return false
    const step = matchStep(sealer.open(user.twoFactorSecret, contextOf(user.id)), code, clock.now())
    if (step === undefined) return false
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ twoFactorStep: step })
      .where('id', '=', user.id)
      .where((row) => row.or([row('twoFactorStep', 'is', null), row('twoFactorStep', '<', step)]))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  const useBackupCode = async (tx: Db, user: User, code: string, visit: Visit): Promise<boolean> => {
    const { numUpdatedRows } = await tx
      .updateTable('backup_codes')
      .set({ usedAt: now() })
      .where('userId', '=', user.id)
      .where('hash', '=', backupHash(user.id, code))
      .where('usedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await activity.record(tx, user.id, visit, 'two_factor.backup_code_used')
    return true
  }

  const replaceBackupCodes = async (tx: Db, userId: number): Promise<string[]> => {
    const codes = Array.from({ length: CODES }, () => newBackupCode(random))
    await tx.deleteFrom('backup_codes').where('userId', '=', userId).execute()
    await tx
      .insertInto('backup_codes')
      .values(codes.map((code) => ({ userId, hash: backupHash(userId, code), usedAt: null })))
      .execute()
    return codes
  }

  const requireEnabled = (user: User): void => {
    if (user.twoFactorEnabledAt === null) throw conflict('Two-factor authentication is not on.')
  }

  return {
    isEnabled: (user: User): boolean => user.twoFactorEnabledAt !== null,

    /** Uses `code` up, be it the app's or a backup code; throws when it is worth nothing. */
    async use(tx: Db, user: User, code: string, visit: Visit): Promise<void> {
      const digits = code.replace(/\s/g, '')
      const right = /^\d{6}$/.test(digits)
        ? await useStep(tx, user, digits)
        : await useBackupCode(tx, user, code, visit)
      if (!right) throw wrongCode()
    },

    async status(db: Db, user: User) {
      const { left } = await db
        .selectFrom('backup_codes')
        .select((row) => row.fn.countAll<number>().as('left'))
        .where('userId', '=', user.id)
        .where('usedAt', 'is', null)
        .executeTakeFirstOrThrow()
      return {
        enabled: user.twoFactorEnabledAt !== null,
        enabledAt: user.twoFactorEnabledAt,
        pending: user.twoFactorEnabledAt === null && user.twoFactorSecret !== null,
        backupCodesLeft: Number(left),
      }
    },

    /** Makes a secret for the app to learn; nothing is asked for at login until `enable` has seen a code of it. */
    async setUp(tx: Db, userId: number): Promise<{ secret: string; otpauthUrl: string }> {
      const user = await lockUser(tx, userId)
      if (user.twoFactorEnabledAt !== null) throw conflict('Two-factor authentication is on already.')
      const secret = newTotpSecret(random.bytes(SECRET_BYTES))
      const sealed = sealer.seal(secret, contextOf(userId))
      await updateUser(tx, user, { twoFactorSecret: sealed, twoFactorStep: null }, now())
      return { secret, otpauthUrl: otpauthUrl(secret, user.email) }
    },

    async enable(tx: Db, userId: number, code: string, visit: Visit): Promise<string[]> {
      const user = await lockUser(tx, userId)
      if (user.twoFactorEnabledAt !== null) throw conflict('Two-factor authentication is on already.')
      if (user.twoFactorSecret === null) throw conflict('Set two-factor authentication up first.')
      if (!(await useStep(tx, user, code.replace(/\s/g, '')))) throw wrongCode()
      await updateUser(tx, user, { twoFactorEnabledAt: now() }, now())
      await activity.record(tx, userId, visit, 'two_factor.enabled')
      return replaceBackupCodes(tx, userId)
    },

    async disable(tx: Db, userId: number, visit: Visit): Promise<void> {
      const user = await lockUser(tx, userId)
      requireEnabled(user)
      await tx.deleteFrom('backup_codes').where('userId', '=', userId).execute()
      const off = { twoFactorSecret: null, twoFactorEnabledAt: null, twoFactorStep: null }
      await updateUser(tx, user, off, now())
      await activity.record(tx, userId, visit, 'two_factor.disabled')
    },

    async renewBackupCodes(tx: Db, userId: number, visit: Visit): Promise<string[]> {
      requireEnabled(await lockUser(tx, userId))
      await activity.record(tx, userId, visit, 'two_factor.backup_codes_renewed')
      return replaceBackupCodes(tx, userId)
    },

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx
        .selectFrom('users')
        .select(['id', 'twoFactorSecret'])
        .where('twoFactorSecret', 'is not', null)
        .execute()
      for (const { id, twoFactorSecret } of rows) {
        if (twoFactorSecret === null || !sealer.isStale(twoFactorSecret)) continue
        const fresh = sealer.seal(sealer.open(twoFactorSecret, contextOf(id)), contextOf(id))
        await tx.updateTable('users').set({ twoFactorSecret: fresh }).where('id', '=', id).execute()
      }
    },
  }
}
