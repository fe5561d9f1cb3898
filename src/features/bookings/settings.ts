import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Caller, Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Outbound, Trust } from '../../platform/outbound/outbound.ts'
import { digest, LOCKED, type Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import type { BookingProvider, ProviderKind, ProviderKinds, ProviderName } from './provider.ts'
import {
  countUnreadable,
  deleteSettings,
  findSettings,
  readSync,
  replaceSecret,
  resetSync,
  saveSettings,
} from './repository.ts'

/** Settings from environment variables. They apply until a person saves settings. */
export interface BookingEnvironment {
  provider: ProviderName
  baseUrl: string | null
  apiKey: string | null
  webhookSecret: string | null
  apiVersions: Readonly<Record<string, string>>
}

export interface BookingSettingsInput {
  apiKey: string
  provider?: ProviderName
  baseUrl?: string | null
  webhookSecret?: string | null
}

interface Secrets {
  apiKey: string
  webhookSecret: string | null
}

/** The settings in effect, from the database or the environment. */
export interface EffectiveSettings {
  provider: ProviderName
  baseUrl: string
  trust: Trust
  apiKey: string | null
  webhookSecret: string | null
  setBy: 'person' | 'environment' | null
  /** Explains why the saved key cannot be used. */
  fault: string | null
}

const CONTEXT = 'booking_settings.secret:1'
const HINT_LENGTH = 4

/** Returns the last characters of the key, enough to recognize it. */
const toHint = (apiKey: string | null): string | null =>
  apiKey === null ? null : `…${apiKey.length >= 12 ? apiKey.slice(-HINT_LENGTH) : ''}`

/** Every save sets `updatedAt`, so it serves as the version. */
const toVersion = (row: { updatedAt: string } | undefined) => ({
  id: 'bookingsvc',
  version: row ? Date.parse(row.updatedAt) : 0,
})

const readBaseUrl = (text: string): string => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalidField('baseUrl', 'must be an http or https URL without credentials, query or fragment')
  return text.replace(/\/+$/, '')
}

export const notConfigured = (message: string) => conflict(message, 'not_configured')

export type BookingSettings = ReturnType<typeof createBookingSettings>

/** Manages the connection settings of the booking provider. API keys are never returned. */
export const createBookingSettings = (deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  outbound: Outbound
  activity: Activity
  kinds: ProviderKinds
  environment: BookingEnvironment
}) => {
  const { db, clock, sealer, outbound, activity, kinds, environment } = deps

  /** The base URL from the environment applies only to the provider from the environment. */
  const addressOf = (provider: ProviderName, typed: string | null): { baseUrl: string; trust: Trust } => {
    if (typed !== null) return { baseUrl: typed, trust: 'typed' }
    const set = provider === environment.provider ? environment.baseUrl : null
    return { baseUrl: set ?? kinds[provider].defaultBaseUrl, trust: 'operator' }
  }

  const openSecrets = (sealed: string): Secrets | null =>
    sealer.opens(sealed) ? (JSON.parse(sealer.open(sealed, CONTEXT)) as Secrets) : null

  const read = async (view: Db): Promise<EffectiveSettings> => {
    const row = await findSettings(view)
    if (!row) {
      const { provider, apiKey, webhookSecret } = environment
      const setBy = apiKey === null ? null : 'environment'
      return { provider, ...addressOf(provider, null), apiKey, webhookSecret, setBy, fault: null }
    }
    const secrets = openSecrets(row.secret)
    const { provider } = row
    const webhookSecret =
      secrets?.webhookSecret ?? (provider === environment.provider ? environment.webhookSecret : null)
    return {
      provider,
      ...addressOf(provider, row.baseUrl),
      apiKey: secrets?.apiKey ?? null,
      webhookSecret,
      setBy: 'person',
      fault: secrets === null ? LOCKED : null,
    }
  }

  const show = async (view: Db) => {
    const { provider, baseUrl, apiKey, webhookSecret, setBy, fault } = await read(view)
    const { lastSyncAt, lastSyncStatus, lastError, owner, leaseUntil } = await readSync(view)
    const isRunning = owner !== null && leaseUntil !== null && leaseUntil > clock.now().toISOString()
    const body = {
      configured: apiKey !== null,
      provider,
      baseUrl,
      apiKeyHint: toHint(apiKey),
      setBy,
      webhookConfigured: webhookSecret !== null,
      lastSyncAt,
      lastSyncStatus,
      lastError: fault ?? lastError,
      unreadable: await countUnreadable(view),
      syncing: isRunning,
    }
    const version = toVersion(await findSettings(view))
    return { ...body, ...version, extra: digest(JSON.stringify(body)).slice(0, 22) }
  }

  const recordBy = async (tx: Db, caller: Caller, visit: Visit, provider: ProviderName): Promise<void> => {
    if (caller.kind === 'session')
      await activity.record(tx, caller.userId, visit, 'booking_settings.changed', { provider })
  }

  return {
    read: () => read(db),
    show: () => show(db),

    save: (input: BookingSettingsInput, caller: Caller, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const before = await findSettings(tx)
        const provider = input.provider ?? before?.provider ?? environment.provider
        const sameProvider = before?.provider === provider
        const baseUrl =
          input.baseUrl === undefined
            ? sameProvider
              ? before.baseUrl
              : null
            : input.baseUrl === null || input.baseUrl === ''
              ? null
              : readBaseUrl(input.baseUrl)
        const kept = sameProvider ? openSecrets(before.secret) : null
        const webhookSecret =
          input.webhookSecret === undefined ? (kept?.webhookSecret ?? null) : input.webhookSecret || null
        const secret = sealer.seal(JSON.stringify({ apiKey: input.apiKey, webhookSecret }), CONTEXT)
        await saveSettings(tx, { provider, baseUrl, secret, updatedAt: clock.now().toISOString() })
        const isNewConnection = !sameProvider || baseUrl !== before.baseUrl || kept?.apiKey !== input.apiKey
        if (isNewConnection) await resetSync(tx)
        await recordBy(tx, caller, visit, provider)
        return show(tx)
      }),

    /** Reverts to the settings of the operator. Events are kept. */
    remove: (caller: Caller, visit: Visit, ifMatch?: string) =>
      inTransaction(db, async (tx) => {
        const before = await findSettings(tx)
        requireMatch(ifMatch, toVersion(before))
        if (!before) return
        await deleteSettings(tx)
        await resetSync(tx)
        await recordBy(tx, caller, visit, before.provider)
      }),

    kindOf: (provider: ProviderName): ProviderKind => kinds[provider],

    /** Throws `not_configured` if there is no API key. */
    connect(present: EffectiveSettings): BookingProvider {
      const { provider, baseUrl, trust, apiKey, fault } = present
      if (apiKey === null)
        throw notConfigured(
          fault ?? 'No booking provider is configured. Save its API key in the settings first.',
        )
      const { apiVersions } = environment
      return kinds[provider].connect({ outbound, clock }, { baseUrl, apiKey, trust, apiVersions })
    },

    /** Re-encrypts secrets that were encrypted with a previous SECRET_KEY. */
    async reseal(tx: Db): Promise<void> {
      const row = await findSettings(tx)
      if (row && sealer.isStale(row.secret))
        await replaceSecret(tx, row.secret, sealer.seal(sealer.open(row.secret, CONTEXT), CONTEXT))
    },
  }
}
