import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { AuthFeature } from '../auth/feature.ts'
import type { InvitationMailer } from '../auth/invitation-mail.ts'
import { createAdministration, type InstanceMail } from './administration/administration.ts'
import { administrationRoutes } from './administration/routes.ts'
import { createDeletion } from './data/deletion.ts'
import { createExport } from './data/export.ts'
import { Import } from './data/import.ts'
import type { DataPart } from './data/parts.ts'
import { deletionRoutes, exportRoutes, importRoutes } from './data/routes.ts'
import { storageRoutes } from './data/storage-routes.ts'
import { createUploads } from './data/uploads.ts'
import { createPreferences } from './profile/preferences.ts'
import { createProfile } from './profile/profile.ts'
import { profileRoutes } from './profile/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { createSecurity, type Security } from './security/security.ts'
import { tokenRoutes } from './tokens/routes.ts'

/** The routes of the account settings. The folder `data` has the export and import of an account. */
export const createAccountsFeature = (
  { db, clock, baseUrl }: Platform,
  auth: AuthFeature,
  { timezone, invitationMailer }: { timezone: () => string; invitationMailer: () => InvitationMailer },
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
      plugin: tokenRoutes({ tokens, feedTokens, invitations, invitationMailer, security, baseUrl }),
    },
  ]
  return { preferences, security, routes }
}

const PREFIX = '/api/settings'

/** Export, import and deletion. Each feature contributes a `DataPart` with its tables. */
export const createDataFeature = (
  { database, db, clock, random, log, changes, blobs, jobs, workers, quota }: Platform,
  { activity, sessions, registration }: AuthFeature,
  needs: {
    security: Security
    parts: readonly DataPart[]
    version: string
    dataDir: string
    instanceMail: InstanceMail
    publicUrl: string | null
  },
) => {
  const { security, parts, version, dataDir, instanceMail, publicUrl } = needs
  const uploads = createUploads({ dataDir, clock, random })
  const exportAll = createExport({ database, blobs, clock, log, version, parts })
  const importing = new Import({ database, blobs, changes, activity, uploads, workers, random, parts })
  const deletion = createDeletion({ database, blobs, jobs, changes, activity, uploads, parts })
  const administration = createAdministration({
    db,
    clock,
    activity,
    sessions,
    security,
    registration,
    instanceMail,
    publicUrl,
    deleteAccount: (tx, user) => deletion.remove(tx, user, false),
  })
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: deletionRoutes({ security, deletion }) },
    { prefix: PREFIX, plugin: importRoutes({ importing, log }), ownParsers: true },
    { prefix: PREFIX, plugin: storageRoutes(quota) },
    { prefix: '/api', plugin: administrationRoutes(administration, deletion.settle) },
  ]
  return {
    prune: () => uploads.prune(),
    exportRoutes: [
      { prefix: PREFIX, plugin: exportRoutes({ security, activity, exportAll }) },
    ] satisfies FeatureRoutes[],
    routes,
  }
}
