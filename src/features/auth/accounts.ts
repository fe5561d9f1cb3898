import type { Db } from '../../database/db.ts'
import { isUniqueViolation } from '../../database/errors.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, notFound } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { checkLocale, checkTimeZone, WEEKDAYS, type Weekday } from '../../platform/time.ts'
import type { Activity } from './activity.ts'
import { type HasVisited, visitKeyOf } from './credentials.ts'
import type { Invitations } from './invitations.ts'
import { type Attempts, networkOf } from './login-attempts.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import type { RegistrationPolicy } from './registration-policy.ts'
import {
  claimLocalAccount,
  emailKeyOf,
  findOwner,
  findUser,
  findUserByEmail,
  getProfile,
  getUser,
  insertMember,
  lockUser,
  type ProfileRow,
  type User,
  updateUser,
} from './repository.ts'
import type { Sessions, SessionTokens } from './sessions.ts'
import type { TwoFactor } from './two-factor.ts'
import { DEFAULT_WORKING_HOURS } from './working-hours.ts'

const avatarUrlOf = (user: ProfileRow): string | null =>
  user.avatarHash === null ? null : `/api/settings/profile/avatar?v=${user.avatarHash.slice(0, 8)}`

/** The account as its owner sees it. `version` becomes the ETag and is not part of the body. */
export const profileOf = (user: ProfileRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  avatarUrl: avatarUrlOf(user),
  timezone: user.timezone,
  role: user.role === 'owner' ? ('owner' as const) : ('member' as const),
  twoFactorEnabled: user.twoFactorEnabledAt !== null,
  createdAt: user.createdAt,
  version: user.version,
})

/** `weekInfo` was a getter first and is a method now. TypeScript declares neither. */
interface LocaleWeekInfo {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

const DEFAULT_WEEK_START: Weekday = 'monday'

/**
 * Returns the first day of the week for a language tag. Plain `en` has no region, so it gets Monday (ISO
 * 8601). Unicode would assume the United States and return Sunday.
 */
export const weekStartOf = (tag: string): Weekday => {
  const locale = new Intl.Locale(tag)
  if (locale.language === 'en' && locale.region === undefined) return DEFAULT_WEEK_START
  const { getWeekInfo, weekInfo } = locale as unknown as LocaleWeekInfo
  const { firstDay } = getWeekInfo?.call(locale) ?? weekInfo ?? { firstDay: 1 }
  return WEEKDAYS[firstDay - 1] ?? DEFAULT_WEEK_START
}

export interface AccountDeps {
  db: Db
  clock: Clock
  changes: Changes
  activity: Activity
  attempts: Attempts
  passwords: Passwords
  sessions: Sessions
  twoFactor: TwoFactor
  invitations: Invitations
  registration: RegistrationPolicy
  timezone: () => string
  hasVisited: HasVisited
}

export interface Registration {
  email: string
  password: string
  name: string
  invitation?: string | undefined
  timezone?: string | undefined
  locale?: string | undefined
}

/**
 * Runs in the transaction that creates the owner. From then on, the owner's time zone is that of the
 * instance.
 */
type OwnerCreatedHandler = (tx: Db, owner: User) => Promise<void>

interface LoginLimit {
  kind: 'login' | 'login-account' | 'login-browser'
  subject: string
}

export interface SignedIn extends SessionTokens {
  user: User
}

const invalidCredentials = (message = 'The email or password is incorrect.') =>
  new AppError('unauthenticated', 'invalid_credentials', message)

const twoFactorRequired = () =>
  new AppError(
    'unauthenticated',
    'two_factor_required',
    'This account has two-factor authentication enabled. Send the code too.',
  )

/** True for a wrong password or code. A missing code is not a failed attempt. */
export const isFailedAttempt = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'invalid_credentials' || error.code === 'invalid_two_factor_code')

export const emailTaken = () => conflict('An account with this email already exists.', 'email_taken')

/** The registration mode that clients see after the owner has registered. */
const REGISTRATION_WITH_OWNER = { open: 'open', first: 'closed', invite: 'invite' } as const

/**
 * Returns the limits that a failed sign-in counts against. A known browser has its own limit, so guesses
 * from elsewhere cannot lock it out.
 */
const loginLimitsOf = (email: string, visit: Visit, browser: string | undefined): LoginLimit[] =>
  browser === undefined
    ? [
        { kind: 'login', subject: `${email} ${networkOf(visit.ip)}` },
        { kind: 'login-account', subject: email },
      ]
    : [{ kind: 'login-browser', subject: `${email} ${browser}` }]

/** Registers accounts and signs people in. */
export class Accounts {
  private readonly deps: AccountDeps
  private readonly ownerCreatedHandlers: OwnerCreatedHandler[] = []

  constructor(deps: AccountDeps) {
    this.deps = deps
  }

  /** Calls the handler when the first account is created. */
  onOwnerCreated(handler: OwnerCreatedHandler): void {
    this.ownerCreatedHandlers.push(handler)
  }

  async register(input: Registration, visit: Visit): Promise<SignedIn> {
    checkPassword('password', input.password)
    if (input.timezone !== undefined) checkTimeZone('timezone', input.timezone)
    if (input.locale !== undefined) checkLocale('locale', input.locale)
    const passwordHash = await this.deps.passwords.hash(input.password)
    return this.refuseTakenEmail(() =>
      inTransaction(this.deps.db, async (tx) => {
        const user = await this.add(tx, { ...input, passwordHash, byOperator: false }, visit)
        return { user, ...(await this.deps.sessions.start(tx, user.id, visit)) }
      }),
    )
  }

  /** Adds an account for the operator, without an invitation and without a session. */
  async addByOperator(input: Registration, visit: Visit): Promise<User> {
    checkPassword('password', input.password)
    const passwordHash = await this.deps.passwords.hash(input.password)
    return this.refuseTakenEmail(() =>
      inTransaction(this.deps.db, (tx) => this.add(tx, { ...input, passwordHash, byOperator: true }, visit)),
    )
  }

  /**
   * Sets a password for the operator, without the old one. Ends every session and keeps the second factor.
   */
  async setPasswordByOperator(email: string, password: string, visit: Visit): Promise<User> {
    checkPassword('password', password)
    const passwordHash = await this.deps.passwords.hash(password)
    return inTransaction(this.deps.db, async (tx) => {
      const found = await findUserByEmail(tx, email)
      if (!found) throw notFound('account')
      const user = await updateUser(
        tx,
        await lockUser(tx, found.id),
        { passwordHash },
        this.deps.clock.now().toISOString(),
      )
      await this.deps.activity.record(tx, user.id, visit, 'password.reset')
      await this.deps.sessions.revokeOthers(user.id, null, visit)
      return user
    })
  }

  /** `browserIdOf` returns the id of a browser that has signed in to the account before. */
  async login(
    credentials: { email: string; password: string; code?: string | undefined },
    visit: Visit,
    browserIdOf: (userId: number) => string | undefined,
  ): Promise<SignedIn> {
    const user = await findUserByEmail(this.deps.db, credentials.email)
    const browser = user && (await this.identifyBrowser(user.id, visit, browserIdOf(user.id)))
    const limits = loginLimitsOf(emailKeyOf(credentials.email), visit, browser)
    const codeSubject = `${user?.id}${browser === undefined ? '' : ` ${browser}`}`
    const signedIn = await this.judgeLogin(limits, async () => {
      if (!(await this.deps.passwords.verify(credentials.password, user?.passwordHash)) || !user)
        throw invalidCredentials()
      if (!this.deps.twoFactor.isEnabled(user)) return this.startSession(user, undefined, visit)
      const { code } = credentials
      if (code === undefined) throw twoFactorRequired()
      // This limit is per account. Otherwise an attacker with the password could try every code from many
      // addresses.
      return this.deps.attempts.judge('code', codeSubject, isFailedAttempt, () =>
        this.startSession(user, code, visit),
      )
    })
    for (const { kind, subject } of limits)
      if (kind !== 'login-account') await this.deps.attempts.clear(kind, subject)
    await this.deps.attempts.clear('code', codeSubject)
    return signedIn
  }

  /** Returns the facts that the sign-in page needs. */
  async options() {
    const hasOwner = (await findOwner(this.deps.db)) !== undefined
    return {
      hasOwner,
      registration: hasOwner
        ? REGISTRATION_WITH_OWNER[await this.deps.registration.read(this.deps.db)]
        : 'open',
    } as const
  }

  /** Returns null for the local account, which has no email. */
  async emailOf(userId: number): Promise<string | null> {
    return (await findUser(transactionOr(this.deps.db), userId))?.email || null
  }

  /** Empty while there is no owner. */
  async ownerName(): Promise<string> {
    return (await findOwner(transactionOr(this.deps.db)))?.name ?? ''
  }

  async profile(userId: number) {
    return profileOf(await getProfile(this.deps.db, userId))
  }

  /**
   * Verifies the password again before a dangerous action. Failures count per account, from all addresses
   * together.
   */
  async reauthenticate(userId: number, password: string): Promise<User> {
    const user = await getUser(this.deps.db, userId)
    if (user.role === 'local')
      throw conflict('This change requires a password. Create an account first.', 'not_configured')
    return this.deps.attempts.judge('password', String(userId), isFailedAttempt, async () => {
      if (!(await this.deps.passwords.verify(password, user.passwordHash)))
        throw invalidCredentials('The password is incorrect.')
      return user
    })
  }

  private async requireAdmission(tx: Db, { email, invitation }: Registration): Promise<void> {
    const registration = await this.deps.registration.read(tx)
    if (registration === 'open') return
    const invited = registration === 'invite' && invitation !== undefined
    if (invited && (await this.deps.invitations.accept(tx, invitation, email))) return
    throw forbidden(
      registration === 'first'
        ? 'This instance does not accept new accounts.'
        : 'This instance accepts new accounts by invitation only, and this invitation is not valid.',
      'registration_closed',
    )
  }

  /** Adds the account. The first one becomes the owner and takes over the data of the local account. */
  private async add(
    tx: Db,
    input: Registration & { passwordHash: string; byOperator: boolean },
    visit: Visit,
  ): Promise<User> {
    const now = this.deps.clock.now().toISOString()
    const row = {
      email: input.email,
      emailKey: emailKeyOf(input.email),
      name: input.name,
      passwordHash: input.passwordHash,
      timezone: input.timezone ?? this.deps.timezone(),
      locale: input.locale ?? 'en',
      weekStart: weekStartOf(input.locale ?? 'en'),
      workingHours: JSON.stringify(DEFAULT_WORKING_HOURS),
      avatarHash: null,
      twoFactorSecret: null,
      twoFactorEnabledAt: null,
      twoFactorStep: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    const owner = await claimLocalAccount(tx, row)
    if (!owner && !input.byOperator) await this.requireAdmission(tx, input)
    const user = owner ?? (await insertMember(tx, row))
    await this.deps.activity.record(tx, user.id, visit, 'account.registered')
    await this.deps.changes.record(tx, {
      userId: user.id,
      type: 'account.created',
      subject: String(user.id),
      data: { role: user.role },
    })
    if (owner) for (const handle of this.ownerCreatedHandlers) await handle(tx, user)
    return user
  }

  private async refuseTakenEmail<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw isUniqueViolation(error) ? emailTaken() : error
    }
  }

  /** Uses the code and opens the session in one transaction. The caller has verified the password. */
  private startSession(user: User, code: string | undefined, visit: Visit): Promise<SignedIn> {
    return inTransaction(this.deps.db, async (tx) => {
      const current = await getUser(tx, user.id)
      if (current.disabledAt !== null)
        throw forbidden('This account is disabled. Ask the owner of this instance.', 'account_disabled')
      // The password may have changed, or a second factor may have been enabled, during the password check.
      if (current.passwordHash !== user.passwordHash) throw invalidCredentials()
      if (this.deps.twoFactor.isEnabled(current)) {
        if (code === undefined) throw twoFactorRequired()
        await this.deps.twoFactor.use(tx, current, code, visit)
      }
      return { user: current, ...(await this.deps.sessions.start(tx, user.id, visit)) }
    })
  }

  /**
   * Identifies a browser that has signed in to the account before. It is known by its cookie, or by its
   * network and user agent.
   */
  private async identifyBrowser(
    userId: number,
    visit: Visit,
    browserId: string | undefined,
  ): Promise<string | undefined> {
    if (browserId !== undefined) return browserId
    return (await this.deps.hasVisited(this.deps.db, userId, visit)) ? digest(visitKeyOf(visit)) : undefined
  }

  private judgeLogin(
    [limit, ...others]: readonly LoginLimit[],
    judge: () => Promise<SignedIn>,
  ): Promise<SignedIn> {
    return limit === undefined
      ? judge()
      : this.deps.attempts.judge(limit.kind, limit.subject, isFailedAttempt, () =>
          this.judgeLogin(others, judge),
        )
  }
}
