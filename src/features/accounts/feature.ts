import { type LanguageOf, toLanguage } from '../../platform/language.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { AuthFeature } from '../auth/feature.ts'
import type { InvitationMailer } from '../auth/invitation-mail.ts'
import { createFeedTokens } from '../auth/tokens.ts'
import { createAdministration, type InstanceMail } from './administration/administration.ts'
import { administrationRoutes } from './administration/routes.ts'
import { appleProfileRoutes, appPasswordRoutes, type DavAddress } from './app-passwords/routes.ts'
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

const PREFIX = '/api/settings'

interface TokenNeeds {
  address: DavAddress
  invitationMailer: InvitationMailer
  canSubscribe: Parameters<typeof createFeedTokens>[2]
}

/** The routes of the account settings. The folder `data` has the export and import of an account. */
export const createAccountsFeature = (platform: Platform, auth: AuthFeature, timezone: () => string) => {
  const { accounts, activity, appPasswords, sessions, tokens, invitations } = auth
  const { baseUrl } = platform
  const preferences = createPreferences(platform, { activity, timezone })
  accounts.onOwnerCreated(preferences.notifyListeners)
  const profile = createProfile(platform, activity)
  const security = createSecurity(platform, auth)
  const zoneOf = async (userId: number): Promise<string> => (await preferences.get(userId)).timezone
  const languageOf: LanguageOf = async (userId) => toLanguage((await preferences.get(userId)).locale)
  return {
    preferences,
    security,
    zoneOf,
    languageOf,
    /** Routes that need mail and calendars. */
    routes: ({ invitationMailer, canSubscribe, address }: TokenNeeds): FeatureRoutes[] => {
      const feedTokens = createFeedTokens(platform, activity, canSubscribe)
      return [
        { prefix: PREFIX, plugin: profileRoutes({ profile, preferences }) },
        { prefix: `${PREFIX}/security`, plugin: securityRoutes({ security, sessions, activity }) },
        { prefix: '/dav', plugin: appleProfileRoutes(address) },
        {
          prefix: PREFIX,
          plugin: appPasswordRoutes({
            appPasswords,
            security,
            address,
            emailOf: (id) => accounts.emailOf(id),
          }),
        },
        {
          prefix: PREFIX,
          plugin: tokenRoutes({ tokens, feedTokens, invitations, invitationMailer, security, baseUrl }),
        },
      ]
    },
  }
}

/** Export, import and deletion. Each feature contributes a `DataPart` with its tables. */
export const createDataFeature = (
  platform: Platform,
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
  const { database, clock, random, log, changes, blobs, jobs, workers, quota } = platform
  const uploads = createUploads({ dataDir, clock, random })
  const exportAll = createExport({ database, blobs, clock, log, version, parts })
  const importing = new Import({ database, blobs, changes, activity, uploads, workers, random, parts })
  const deletion = createDeletion({ database, blobs, jobs, changes, activity, uploads, parts })
  const administration = createAdministration(platform, {
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
