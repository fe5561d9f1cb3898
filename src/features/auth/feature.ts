import type { KeyObject } from 'node:crypto'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Origins } from '../../platform/access/origins.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { Accounts } from './accounts.ts'
import { createActivity, createActivityLog, SEAL } from './activity.ts'
import { createAppPasswords } from './app-passwords.ts'
import type { AuthMail, ConnectedMailboxes } from './auth-mail.ts'
import { createCredentials, createFamiliarVisits } from './credentials.ts'
import { createDavAuthentication } from './dav-authentication.ts'
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
import { createPersonalTokens } from './tokens.ts'
import { createTwoFactor } from './two-factor.ts'

interface AuthSettings {
  accessTokenTtlMs: number
  refreshTokenTtlMs: number
  refreshTokenMaxAgeMs: number
  registration: { configured: Registration | null; fallback: Registration }
  publicUrl: string | null
}

const ACTIVITY_KEPT_MS = 365 * 86_400_000

/** Accounts, sessions, tokens and password resets. */
export const createAuthFeature = (
  platform: Platform,
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
  const { db, clock, changes } = platform
  const accessTokens = createAccessTokens({ key: signingKey, ttlMs: settings.accessTokenTtlMs, clock })
  const activity = createActivity(platform)
  const activityLog = createActivityLog(platform)
  platform.jobs.define({ name: SEAL, payload: Type.Object({}), run: () => activityLog.seal() })
  const attempts = createAttempts(platform)
  const maxAgeMs = settings.refreshTokenMaxAgeMs
  const sessions = createSessions(platform, {
    activity,
    accessTokens,
    maxAgeMs,
    refreshTtlMs: settings.refreshTokenTtlMs,
  })
  const twoFactor = createTwoFactor(platform, activity)
  const invitations = createInvitations(platform, activity)
  const registration = createRegistrationPolicy(settings.registration)
  const familiarVisits = createFamiliarVisits(platform)
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
  const knownBrowser = createKnownBrowserCookie(platform, { key: browserKey, isSecure })
  const resetCookie = createResetCookie(platform, { maxAgeMs: RESET_VALID_MS, isSecure })
  const tokens = createPersonalTokens(platform, activity)
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
    appPasswords: createAppPasswords(platform, activity),
    credentials: createCredentials(
      platform,
      accessTokens,
      createDavAuthentication(platform, { attempts, publicUrl }),
    ),
    /** Created later than the rest, because it needs the mail features. */
    createPasswordReset: (authMail: AuthMail, mailboxes: ConnectedMailboxes) =>
      createPasswordReset(platform, {
        activity,
        attempts,
        passwords,
        sessions,
        authMail,
        mailboxes,
        publicUrl,
      }),
    createInvitationMailer: (authMail: AuthMail) => createInvitationMailer(platform, authMail, publicUrl),
    resetSearch: createResetSearch(platform),
    async prune(): Promise<void> {
      await sessions.prune()
      await attempts.prune()
      await invitations.prune()
      await activityLog.seal()
      await activityLog.prune(new Date(clock.now().getTime() - ACTIVITY_KEPT_MS).toISOString())
    },
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
