import type { Db } from '../../database/db.ts'
import { inTransaction, readingIn } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, notFound } from '../../platform/errors.ts'
import { checkLocale } from '../../platform/locale.ts'
import { digest } from '../../platform/secrets/digest.ts'
import { checkTimeZone } from '../../platform/time.ts'
import type { Activity } from './activity.ts'
import type { Attempts } from './attempts.ts'
import { type HasVisited, visitKeyOf } from './familiar-visits.ts'
import type { Invitations } from './invitations.ts'
import { networkOf } from './network.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import { profileOf } from './profile-view.ts'
import type { Sessions, SessionTokens } from './sessions.ts'
import type { TwoFactor } from './two-factor.ts'
import {
  emailKeyOf,
  findOwner,
  findUser,
  findUserByEmail,
  getProfile,
  getUser,
  insertUser,
  lockUser,
  type User,
  updateUser,
} from './user-store.ts'
import { weekStartOf } from './week-start.ts'
import { DEFAULT_WORKING_HOURS } from './working-hours.ts'

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
  registration: 'open' | 'first' | 'invite'
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

/** What else must follow when there is an owner, whose clock is the instance's from then on; part of the transaction. */
type OwnerFollower = (tx: Db, owner: User) => Promise<void>

interface LoginLimit {
  kind: 'login' | 'login-account' | 'login-browser'
  subject: string
}

export interface SignedIn extends SessionTokens {
  user: User
}

const wrongPassword = (message = 'The e-mail or the password is not right.') =>
  new AppError('unauthenticated', 'invalid_credentials', message)

const codeMissing = () =>
  new AppError('unauthenticated', 'two_factor_required', 'Send the code of your second factor as well.')

/** A guess that was wrong; a code that was not sent is no guess. */
export const isWrong = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'invalid_credentials' || error.code === 'invalid_two_factor_code')

export const emailTaken = () => conflict('There is an account with this e-mail already.', 'email_taken')

/** Whether a further account may register. */
const AFTER_THE_FIRST = { open: 'open', first: 'closed', invite: 'invite' } as const

export type Accounts = ReturnType<typeof createAccounts>

/** Who there is, and how they prove it. */
export const createAccounts = (deps: AccountDeps) => {
  const { db, clock, changes, activity, attempts, passwords, sessions, twoFactor, invitations } = deps
  const followers: OwnerFollower[] = []

  const admit = async (tx: Db, { email, invitation }: Registration): Promise<void> => {
    if (deps.registration === 'open') return
    const invited = deps.registration === 'invite' && invitation !== undefined
    if (invited && (await invitations.accept(tx, invitation, email))) return
    throw forbidden(
      deps.registration === 'first'
        ? 'This instance takes no more accounts.'
        : 'This instance takes new accounts by invitation only, and this invitation is not valid.',
      'registration_closed',
    )
  }

  /** Adds the account, as the owner when it is the first. */
  const add = async (
    tx: Db,
    wish: Registration & { passwordHash: string; byOperator: boolean },
    visit: Visit,
  ): Promise<User> => {
    const isFirst = (await findOwner(tx)) === undefined
    if (!isFirst && !wish.byOperator) await admit(tx, wish)
    const now = clock.now().toISOString()
    const user = await insertUser(tx, {
      email: wish.email,
      emailKey: emailKeyOf(wish.email),
      name: wish.name,
      passwordHash: wish.passwordHash,
      role: isFirst ? 'owner' : 'member',
      timezone: wish.timezone ?? deps.timezone(),
      locale: wish.locale ?? 'en',
      weekStart: weekStartOf(wish.locale ?? 'en'),
      workingHours: JSON.stringify(DEFAULT_WORKING_HOURS),
      avatarHash: null,
      twoFactorSecret: null,
      twoFactorEnabledAt: null,
      twoFactorStep: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    await activity.record(tx, user.id, visit, 'account.registered')
    await changes.record(tx, { type: 'account.created', subject: String(user.id), data: { role: user.role } })
    if (isFirst) for (const follow of followers) await follow(tx, user)
    return user
  }

  /** What the database refused: the e-mail is taken, or someone else became the owner at the same moment. */
  const addOnce = async <T>(email: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      if (await findUserByEmail(db, email)) throw emailTaken()
      return work()
    }
  }

  /** For someone whose password is right: uses the code up and opens the session, both or neither. */
  const startSession = (user: User, code: string | undefined, visit: Visit): Promise<SignedIn> =>
    inTransaction(db, async (tx) => {
      const current = await getUser(tx, user.id)
      // The password may have been changed, or a second factor turned on, while this one was being checked.
      if (current.passwordHash !== user.passwordHash) throw wrongPassword()
      if (twoFactor.isEnabled(current)) {
        if (code === undefined) throw codeMissing()
        await twoFactor.use(tx, current, code, visit)
      }
      return { user: current, ...(await sessions.start(tx, user.id, visit)) }
    })

  /** A name for the browser if it has signed in to the account before, by its cookie or by its network and program. */
  const identifyBrowser = async (
    userId: number,
    visit: Visit,
    browserId: string | undefined,
  ): Promise<string | undefined> => {
    if (browserId !== undefined) return browserId
    return (await deps.hasVisited(db, userId, visit)) ? digest(visitKeyOf(visit)) : undefined
  }

  /** What a failed sign-in counts for. A known browser counts by itself: guesses from elsewhere cannot lock it out. */
  const loginLimitsOf = (email: string, visit: Visit, browser: string | undefined): LoginLimit[] =>
    browser === undefined
      ? [
          { kind: 'login', subject: `${email} ${networkOf(visit.ip)}` },
          { kind: 'login-account', subject: email },
        ]
      : [{ kind: 'login-browser', subject: `${email} ${browser}` }]

  const judgeLogin = (
    [limit, ...others]: readonly LoginLimit[],
    judge: () => Promise<SignedIn>,
  ): Promise<SignedIn> =>
    limit === undefined
      ? judge()
      : attempts.judge(limit.kind, limit.subject, isWrong, () => judgeLogin(others, judge))

  return {
    /** Has `follower` called when the first account is made. */
    accompanyOwner(follower: OwnerFollower): void {
      followers.push(follower)
    },

    async register(wish: Registration, visit: Visit): Promise<SignedIn> {
      checkPassword('password', wish.password)
      if (wish.timezone !== undefined) checkTimeZone('timezone', wish.timezone)
      if (wish.locale !== undefined) checkLocale('locale', wish.locale)
      const passwordHash = await passwords.hash(wish.password)
      return addOnce(wish.email, () =>
        inTransaction(db, async (tx) => {
          const user = await add(tx, { ...wish, passwordHash, byOperator: false }, visit)
          return { user, ...(await sessions.start(tx, user.id, visit)) }
        }),
      )
    },

    /** Adds an account for the operator, who needs no invitation; nobody is signed in. */
    async addByOperator(wish: Registration, visit: Visit): Promise<User> {
      checkPassword('password', wish.password)
      const passwordHash = await passwords.hash(wish.password)
      return addOnce(wish.email, () =>
        inTransaction(db, (tx) => add(tx, { ...wish, passwordHash, byOperator: true }, visit)),
      )
    },

    /** Sets a password for the operator, who need not know the old one. Ends every session; a second factor stays. */
    async setPasswordByOperator(email: string, password: string, visit: Visit): Promise<User> {
      checkPassword('password', password)
      const passwordHash = await passwords.hash(password)
      return inTransaction(db, async (tx) => {
        const found = await findUserByEmail(tx, email)
        if (!found) throw notFound('account')
        const user = await updateUser(
          tx,
          await lockUser(tx, found.id),
          { passwordHash },
          clock.now().toISOString(),
        )
        await activity.record(tx, user.id, visit, 'password.reset')
        await sessions.revokeOthers(user.id, null, visit)
        return user
      })
    },

    /** `browserIdOf` gives the id of a browser that proves that it has signed in to the account before. */
    async login(
      given: { email: string; password: string; code?: string | undefined },
      visit: Visit,
      browserIdOf: (userId: number) => string | undefined,
    ): Promise<SignedIn> {
      const user = await findUserByEmail(db, given.email)
      const browser = user && (await identifyBrowser(user.id, visit, browserIdOf(user.id)))
      const limits = loginLimitsOf(emailKeyOf(given.email), visit, browser)
      const codeSubject = `${user?.id}${browser === undefined ? '' : ` ${browser}`}`
      const signedIn = await judgeLogin(limits, async () => {
        if (!(await passwords.verify(given.password, user?.passwordHash)) || !user) throw wrongPassword()
        if (!twoFactor.isEnabled(user)) return startSession(user, undefined, visit)
        const { code } = given
        if (code === undefined) throw codeMissing()
        // Who has the password could otherwise try every code, from as many addresses as it takes.
        return attempts.judge('code', codeSubject, isWrong, () => startSession(user, code, visit))
      })
      for (const { kind, subject } of limits)
        if (kind !== 'login-account') await attempts.clear(kind, subject)
      await attempts.clear('code', codeSubject)
      return signedIn
    },

    /** What a page for signing in has to know before anyone has. */
    async options() {
      const hasOwner = (await findOwner(db)) !== undefined
      return { hasOwner, registration: hasOwner ? AFTER_THE_FIRST[deps.registration] : 'open' } as const
    },

    /** Without an id, the address of the first account; null while there is no account. */
    async emailOf(userId: number | null): Promise<string | null> {
      const view = readingIn(db)
      const user = userId === null ? await findOwner(view) : await findUser(view, userId)
      return user?.email ?? null
    },

    /** Empty before there is an owner. */
    ownerName: async (): Promise<string> => (await findOwner(readingIn(db)))?.name ?? '',

    profile: async (userId: number) => profileOf(await getProfile(db, userId)),

    /** Asks for the password again before something dangerous. Failures count for the account, wherever they come from. */
    async reauthenticate(userId: number, password: string): Promise<User> {
      const user = await getUser(db, userId)
      return attempts.judge('password', String(userId), isWrong, async () => {
        if (!(await passwords.verify(password, user.passwordHash)))
          throw wrongPassword('The password is not right.')
        return user
      })
    },
  }
}
