import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { AuthFeature } from '../auth/feature.ts'
import { createPreferences } from './profile/preferences.ts'
import { createProfile } from './profile/profile.ts'
import { profileRoutes } from './profile/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { createSecurity } from './security/security.ts'
import { tokenRoutes } from './tokens/routes.ts'

/** The routes of the account settings. The folder `data` has the export and import of an account. */
export const createAccountsFeature = (
  { db, clock, baseUrl }: Platform,
  auth: AuthFeature,
  timezone: () => string,
) => {
  const { accounts, activity, attempts, passwords, sessions, twoFactor } = auth
  const { tokens, feedTokens, invitations } = auth
  const preferences = createPreferences({ db, clock, activity, timezone })
  accounts.onOwnerCreated(preferences.notifyListeners)
  const profile = createProfile({ db, clock, activity })
  const security = createSecurity({ db, clock, activity, attempts, passwords, sessions, accounts, twoFactor })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/settings', plugin: profileRoutes({ profile, preferences }) },
    { prefix: '/api/settings/security', plugin: securityRoutes({ security, sessions, activity }) },
    {
      prefix: '/api/settings',
      plugin: tokenRoutes({ tokens, feedTokens, invitations, security, baseUrl }),
    },
  ]
  return { preferences, security, routes }
}
