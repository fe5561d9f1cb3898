import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../database/db.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { AppError, conflict } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Random } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { Activity } from './activity.ts'
import { lockUser, type User, updateUser } from './repository.ts'

const PERIOD_SECONDS = 30
/** RFC 6238, 5.2: one step of tolerance in each direction. */
const TOLERANCE = 1

interface TotpOptions {
  digits?: number
  algorithm?: 'SHA1' | 'SHA256' | 'SHA512'
}

const totpOf = (secret: string, { digits = 6, algorithm = 'SHA1' }: TotpOptions): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), digits, algorithm, period: PERIOD_SECONDS })

const newTotpSecret = (bytes: Buffer): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32

/** Returns the step that `code` belongs to, if that is the current one or one of its neighbours. */
export const matchStep = (
  secret: string,
  code: string,
  at: Date,
  options: TotpOptions = {},
): number | undefined => {
  const timestamp = at.getTime()
  const delta = totpOf(secret, options).validate({ token: code, timestamp, window: TOLERANCE })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

/** Builds the URL that authenticator apps read, as text or as a QR code. */
const otpauthUrl = (secret: string, email: string): string =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    issuer: 'Factotum',
    label: email,
    period: PERIOD_SECONDS,
  }).toString()

const CODES = 10
const SECRET_BYTES = 20
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

const wrongCode = () =>
  new AppError('unauthenticated', 'invalid_two_factor_code', 'This code is wrong or was used already.')

const contextOf = (userId: number): string => `users.twoFactorSecret:${userId}`

/** Creates a code of 80 random bits in groups that are easy to type: `k3hd-9mzq-w2xn-7pcf`. */
const newBackupCode = (random: Random): string => {
  const characters = [...random.bytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return characters.replace(/(.{4})(?=.)/g, '$1-')
}
const backupHash = (userId: number, code: string): string =>
  digest(`${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)

export type TwoFactor = ReturnType<typeof createTwoFactor>

/** A second factor by TOTP (RFC 6238), with single-use backup codes in case the phone is lost. */
export const createTwoFactor = ({ clock, random, sealer }: Platform, activity: Activity) => {
  const now = () => clock.now().toISOString()

  /** Accepts each step once, even if two requests send the same code at the same time. */
  const useStep = async (tx: Db, user: User, code: string): Promise<boolean> => {
    // If the sealing key is lost, no code of the app can be verified. Backup codes still work.
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
    if (user.twoFactorEnabledAt === null) throw conflict('Two-factor authentication is not enabled.')
  }

  return {
    isEnabled: (user: User): boolean => user.twoFactorEnabledAt !== null,

    /** Uses a code of the app or a backup code. Throws if the code is wrong or was used. */
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

    /**
     * Creates a secret for the authenticator app. Login does not require a code until `enable` has verified
     * one.
     */
    async setUp(tx: Db, userId: number): Promise<{ secret: string; otpauthUrl: string }> {
      const user = await lockUser(tx, userId)
      if (user.twoFactorEnabledAt !== null) throw conflict('Two-factor authentication is already enabled.')
      const secret = newTotpSecret(random.bytes(SECRET_BYTES))
      const sealed = sealer.seal(secret, contextOf(userId))
      await updateUser(tx, user, { twoFactorSecret: sealed, twoFactorStep: null }, now())
      return { secret, otpauthUrl: otpauthUrl(secret, user.email) }
    },

    async enable(tx: Db, userId: number, code: string, visit: Visit): Promise<string[]> {
      const user = await lockUser(tx, userId)
      if (user.twoFactorEnabledAt !== null) throw conflict('Two-factor authentication is already enabled.')
      if (user.twoFactorSecret === null) throw conflict('Set up two-factor authentication first.')
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

    /** Seals secrets again that a previous SECRET_KEY sealed. */
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
