import type { Door, Platform } from '../../platform/platform.ts'
import type { AuthRoom } from '../auth/room.ts'
import { createPreferences } from './profile/preferences.ts'
import { createProfile } from './profile/profile.ts'
import { profileRoutes } from './profile/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { createSecurity } from './security/security.ts'
import { tokenRoutes } from './tokens/routes.ts'

/** The doors to an account's settings; its data as a whole are in data/room.ts. */
export const createSettingsRoom = (
  { db, clock, baseUrl }: Platform,
  auth: AuthRoom,
  timezone: () => string,
) => {
  const { accounts, activity, attempts, passwords, sessions, twoFactor } = auth
  const { tokens, feedTokens, invitations } = auth
  const preferences = createPreferences({ db, clock, activity, timezone })
  accounts.accompanyOwner(preferences.follow)
  const profile = createProfile({ db, clock, activity })
  const security = createSecurity({ db, clock, activity, attempts, passwords, sessions, accounts, twoFactor })
  const doors: Door[] = [
    { prefix: '/api/settings', routes: profileRoutes({ profile, preferences }) },
    { prefix: '/api/settings/security', routes: securityRoutes({ security, sessions, activity }) },
    {
      prefix: '/api/settings',
      routes: tokenRoutes({ tokens, feedTokens, invitations, security, baseUrl }),
    },
  ]
  return { preferences, security, doors }
}
