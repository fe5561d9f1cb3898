import type { KeyObject } from 'node:crypto'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Origins } from '../../platform/access/origins.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { Accounts } from './accounts.ts'
import { createActivity, createActivityLog, SEAL } from './activity.ts'
import type { AuthMail, ConnectedMailboxes } from './auth-mail.ts'
import { createCredentials, createFamiliarVisits } from './credentials.ts'
import { createInvitationMailer } from './invitation-mail.ts'
import { createInvitations } from './invitations.ts'
import { unclaimAccount } from './local-account.ts'
import { createAttempts } from './login-attempts.ts'
import {
  createPasswordReset,
  createResetSearch,
  type PasswordReset,
  RESET_VALID_MS,
} from './password-reset.ts'
import { createPasswords, createPasswordThreads, type Passwords } from './passwords.ts'
import { createRegistrationPolicy, type Registration } from './registration-policy.ts'
import { emailKeyOf } from './repository.ts'
import { authRoutes, passwordResetRoutes } from './routes.ts'
import {
  createAccessTokens,
  createIsSecure,
  createKnownBrowserCookie,
  createResetCookie,
  createSessionCookie,
  createSessions,
} from './sessions.ts'
import { createFeedTokens, createPersonalTokens } from './tokens.ts'
import { createTwoFactor } from './two-factor.ts'

interface AuthSettings {
  accessTokenTtlMs: number
  refreshTokenTtlMs: number
  refreshTokenMaxAgeMs: number
  registration: { configured: Registration | null; fallback: Registration }
  publicUrl: string | null
}

/** Accounts, sessions, tokens and password resets. */
export const createAuthFeature = (
  { database, db, clock, random, log, changes, jobs, sealer, workers }: Platform,
  settings: AuthSettings,
  {
    signingKey,
    browserKey,
    timezone,
    passwords = createPasswords(createPasswordThreads()),
  }: {
    signingKey: KeyObject
    browserKey: KeyObject
    timezone: () => string
    passwords?: Passwords | undefined
  },
) => {
  const accessTokens = createAccessTokens({ key: signingKey, ttlMs: settings.accessTokenTtlMs, clock })
  const activity = createActivity({ db, clock, random, jobs })
  const activityLog = createActivityLog({ db, sealer })
  jobs.define({ name: SEAL, payload: Type.Object({}), run: () => activityLog.seal() })
  const attempts = createAttempts({ database, clock })
  const maxAgeMs = settings.refreshTokenMaxAgeMs
  const sessions = createSessions({
    db,
    clock,
    random,
    changes,
    activity,
    accessTokens,
    maxAgeMs,
    refreshTtlMs: settings.refreshTokenTtlMs,
  })
  const twoFactor = createTwoFactor({ clock, random, sealer, activity })
  const invitations = createInvitations({ db, clock, random, activity })
  const registration = createRegistrationPolicy(settings.registration)
  const familiarVisits = createFamiliarVisits({ clock })
  const accounts = new Accounts({
    db,
    clock,
    changes,
    activity,
    attempts,
    passwords,
    sessions,
    twoFactor,
    invitations,
    registration,
    timezone,
    hasVisited: familiarVisits.hasVisited,
  })
  const { publicUrl } = settings
  const isSecure = createIsSecure(publicUrl)
  const cookie = createSessionCookie({ maxAgeMs, isSecure })
  const knownBrowser = createKnownBrowserCookie({ clock, random, key: browserKey, isSecure })
  const resetCookie = createResetCookie({ random, maxAgeMs: RESET_VALID_MS, isSecure })
  const tokens = createPersonalTokens({ db, clock, random, activity })
  return {
    accounts,
    activity,
    activityLog,
    attempts,
    invitations,
    passwords,
    registration,
    sessions,
    twoFactor,
    isFamiliar: familiarVisits.isFamiliar,
    emailKeyOf,
    unclaimAccount: (tx: Db, id: number) => unclaimAccount(tx, id, clock.now().toISOString()),
    tokens,
    feedTokens: createFeedTokens({ db, clock, random, activity }),
    credentials: createCredentials({ db, clock, log, accessTokens }),
    /** Created later than the rest, because it needs the mail features. */
    createPasswordReset: (authMail: AuthMail, mailboxes: ConnectedMailboxes) =>
      createPasswordReset({
        db,
        clock,
        random,
        jobs,
        activity,
        attempts,
        passwords,
        sessions,
        authMail,
        mailboxes,
        publicUrl,
      }),
    createInvitationMailer: (authMail: AuthMail) => createInvitationMailer({ db, log, authMail, publicUrl }),
    resetSearch: createResetSearch({ db, clock, workers }),
    routes: (origins: Origins, passwordReset: PasswordReset): FeatureRoutes[] => [
      {
        prefix: '/api/auth',
        plugin: authRoutes({ accounts, sessions, tokens, cookie, knownBrowser, origins }),
      },
      { prefix: '/api/auth', plugin: passwordResetRoutes(passwordReset, resetCookie) },
    ],
  }
}

export type AuthFeature = ReturnType<typeof createAuthFeature>
