import type { KeyObject } from 'node:crypto'
import { availableParallelism } from 'node:os'
import Type from 'typebox'
import type { Origins } from '../../platform/access/origins.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import { createAccessTokens } from './access-jwt.ts'
import { type AccountDeps, createAccounts } from './accounts.ts'
import { createActivity, SEAL } from './activity.ts'
import { createActivityLog } from './activity-log.ts'
import { createAttempts } from './attempts.ts'
import { createIsSecure } from './cookie-header.ts'
import { createCredentials } from './credentials.ts'
import { createFamiliarVisits } from './familiar-visits.ts'
import { createInvitations } from './invitations.ts'
import { createKnownBrowserCookie } from './known-browser-cookie.ts'
import type { ConnectedMailboxes, Letters } from './letters.ts'
import {
  createPasswordReset,
  createResetSearch,
  type PasswordReset,
  RESET_VALID_MS,
} from './password-reset.ts'
import { passwordResetRoutes } from './password-reset-routes.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createResetCookie } from './reset-cookie.ts'
import { authRoutes } from './routes.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessions } from './sessions.ts'
import { createFeedTokens, createPersonalTokens } from './tokens.ts'
import { createTwoFactor } from './two-factor.ts'

interface AuthSettings {
  accessTokenTtlMs: number
  refreshTokenTtlMs: number
  refreshTokenMaxAgeMs: number
  registration: AccountDeps['registration']
  publicUrl: string | null
}

/** Accounts: who there is, how they prove it, what stands for them. */
export const createAuthRoom = (
  { database, db, clock, random, log, changes, jobs, sealer, workers }: Platform,
  settings: AuthSettings,
  {
    signingKey,
    browserKey,
    timezone,
    passwords = createPasswords(Math.max(1, availableParallelism() - 1)),
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
    ...{ db, clock, random, changes, activity, accessTokens, maxAgeMs },
    refreshTtlMs: settings.refreshTokenTtlMs,
  })
  const twoFactor = createTwoFactor({ clock, random, sealer, activity })
  const invitations = createInvitations({ db, clock, random, activity })
  const { registration } = settings
  const familiarVisits = createFamiliarVisits({ clock })
  const accounts = createAccounts({
    ...{ db, clock, changes, activity, attempts, passwords, sessions, twoFactor, invitations },
    ...{ registration, timezone, hasVisited: familiarVisits.hasVisited },
  })
  const { publicUrl } = settings
  const isSecure = createIsSecure(publicUrl)
  const cookie = createSessionCookie({ maxAgeMs, isSecure })
  const knownBrowser = createKnownBrowserCookie({ clock, random, key: browserKey, isSecure })
  const resetCookie = createResetCookie({ random, maxAgeMs: RESET_VALID_MS, isSecure })
  return {
    ...{ accounts, activity, activityLog, attempts, invitations, passwords, sessions, twoFactor },
    isFamiliar: familiarVisits.isFamiliar,
    tokens: createPersonalTokens({ db, clock, random, activity }),
    feedTokens: createFeedTokens({ db, clock, random, activity }),
    credentials: createCredentials({ db, clock, log, accessTokens }),
    /** A way back in goes by mail. */
    createPasswordReset: (letters: Letters, mailboxes: ConnectedMailboxes) =>
      createPasswordReset({
        ...{ db, clock, random, jobs, activity, attempts, passwords, sessions, letters, mailboxes },
        publicUrl,
      }),
    resetSearch: createResetSearch({ db, clock, workers }),
    doors: (origins: Origins, passwordReset: PasswordReset): Door[] => [
      { prefix: '/api/auth', routes: authRoutes({ accounts, sessions, cookie, knownBrowser, origins }) },
      { prefix: '/api/auth', routes: passwordResetRoutes(passwordReset, resetCookie) },
    ],
  }
}

export type AuthRoom = ReturnType<typeof createAuthRoom>
