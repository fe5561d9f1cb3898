import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Caller, userIdOf, type Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { fingerprint } from '../../platform/fingerprint.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Trust } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { LOCKED, type Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import type { BookingProvider, ProviderKind, ProviderKinds, ProviderName } from './provider.ts'
import {
  countUnreadable,
  deleteSettings,
  findSettings,
  listAllSettings,
  readSync,
  replaceSecret,
  resetSync,
  type SettingsRecord,
  saveSettings,
} from './repository.ts'
import type { NewBookingSettings } from './schema.ts'

/** Settings from environment variables. They apply to the owner or local account until it saves settings. */
export interface BookingEnvironment {
  provider: ProviderName
  baseUrl: string | null
  apiKey: string | null
  webhookSecret: string | null
  apiVersions: Readonly<Record<string, string>>
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
  apiVersions: BookingEnvironment['apiVersions']
  /** Explains why the saved key cannot be used. */
  fault: string | null
}

const contextOf = (userId: number): string => `booking_settings.secret:${userId}`
/** The context of secrets that were saved before every account had its own settings. */
const FORMER_CONTEXT = contextOf(1)

/** Accounts without settings in the environment. */
const NO_ENVIRONMENT: BookingEnvironment = {
  provider: 'calcom',
  baseUrl: null,
  apiKey: null,
  webhookSecret: null,
  apiVersions: {},
}

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

/** Manages the connection settings of each account's booking provider. API keys are never returned. */
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

  const environmentOf = async (view: Db, userId: number): Promise<BookingEnvironment> =>
    userId === (await getLocalUserId(view)) ? environment : NO_ENVIRONMENT

  /** The base URL from the environment applies only to the provider from the environment. */
  const addressOf = (
    provider: ProviderName,
    typed: string | null,
    given: BookingEnvironment,
  ): { baseUrl: string; trust: Trust } => {
    if (typed !== null) return { baseUrl: typed, trust: 'typed' }
    const set = provider === given.provider ? given.baseUrl : null
    return { baseUrl: set ?? kinds[provider].defaultBaseUrl, trust: 'operator' }
  }

  const openText = ({ userId, secret }: SettingsRecord): string => {
    try {
      return sealer.open(secret, contextOf(userId))
    } catch {
      return sealer.open(secret, FORMER_CONTEXT)
    }
  }

  const openSecrets = (row: SettingsRecord): Secrets | null =>
    sealer.opens(row.secret) ? (JSON.parse(openText(row)) as Secrets) : null

  const toEffective = (row: SettingsRecord | undefined, given: BookingEnvironment): EffectiveSettings => {
    const { apiVersions } = given
    if (!row) {
      const { provider, apiKey, webhookSecret } = given
      const setBy = apiKey === null ? null : 'environment'
      const address = addressOf(provider, null, given)
      return { provider, ...address, apiKey, webhookSecret, setBy, apiVersions, fault: null }
    }
    const secrets = openSecrets(row)
    const { provider } = row
    const webhookSecret = secrets?.webhookSecret ?? (provider === given.provider ? given.webhookSecret : null)
    return {
      provider,
      ...addressOf(provider, row.baseUrl, given),
      apiKey: secrets?.apiKey ?? null,
      webhookSecret,
      setBy: 'person',
      apiVersions,
      fault: secrets === null ? LOCKED : null,
    }
  }

  const read = async (view: Db, userId: number): Promise<EffectiveSettings> =>
    toEffective(await findSettings(view, userId), await environmentOf(view, userId))

  const show = async (view: Db, userId: number) => {
    const { provider, baseUrl, apiKey, webhookSecret, setBy, fault } = await read(view, userId)
    const { lastSyncAt, lastSyncStatus, lastError, owner, leaseUntil } = await readSync(view, userId)
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
      unreadable: await countUnreadable(view, userId),
      syncing: isRunning,
    }
    const version = toVersion(await findSettings(view, userId))
    return { ...body, ...version, extra: fingerprint(body).slice(0, 22) }
  }

  const recordBy = async (tx: Db, caller: Caller, visit: Visit, provider: ProviderName): Promise<void> => {
    if (caller.kind === 'session')
      await activity.record(tx, caller.userId, visit, 'booking_settings.changed', { provider })
  }

  return {
    read: (userId: number) => read(db, userId),
    show: (userId: number) => show(db, userId),

    /** Lists the accounts that have an API key or settings. */
    async listConfigured(): Promise<number[]> {
      const local = await getLocalUserId(db)
      const others = (await listAllSettings(db)).map(({ userId }) => userId)
      return [...new Set([...(environment.apiKey === null ? [] : [local]), ...others])]
    },

    /** Lists the settings of all accounts that have a webhook secret; the owner or local account first. */
    async listSigned(): Promise<{ userId: number; present: EffectiveSettings; webhookSecret: string }[]> {
      const local = await getLocalUserId(db)
      const others = (await listAllSettings(db)).filter(({ userId }) => userId !== local)
      const all = [
        { userId: local, present: await read(db, local) },
        ...others.map((row) => ({ userId: row.userId, present: toEffective(row, NO_ENVIRONMENT) })),
      ]
      return all.flatMap(({ userId, present }) =>
        present.webhookSecret === null ? [] : [{ userId, present, webhookSecret: present.webhookSecret }],
      )
    },

    save: (input: NewBookingSettings, caller: Caller, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const userId = userIdOf(caller)
        const before = await findSettings(tx, userId)
        const given = await environmentOf(tx, userId)
        const provider = input.provider ?? before?.provider ?? given.provider
        const sameProvider = before?.provider === provider
        const baseUrl =
          input.baseUrl === undefined
            ? sameProvider
              ? before.baseUrl
              : null
            : input.baseUrl === null || input.baseUrl === ''
              ? null
              : readBaseUrl(input.baseUrl)
        const kept = sameProvider ? openSecrets(before) : null
        const webhookSecret =
          input.webhookSecret === undefined ? (kept?.webhookSecret ?? null) : input.webhookSecret || null
        const secret = sealer.seal(JSON.stringify({ apiKey: input.apiKey, webhookSecret }), contextOf(userId))
        await saveSettings(tx, { userId, provider, baseUrl, secret, updatedAt: clock.now().toISOString() })
        const isNewConnection = !sameProvider || baseUrl !== before.baseUrl || kept?.apiKey !== input.apiKey
        if (isNewConnection) await resetSync(tx, userId)
        await recordBy(tx, caller, visit, provider)
        return show(tx, userId)
      }),

    /** Reverts to the settings of the operator. Events are kept. */
    remove: (caller: Caller, visit: Visit, ifMatch?: string) =>
      inTransaction(db, async (tx) => {
        const userId = userIdOf(caller)
        const before = await findSettings(tx, userId)
        requireMatch(ifMatch, toVersion(before))
        if (!before) return
        await deleteSettings(tx, userId)
        await resetSync(tx, userId)
        await recordBy(tx, caller, visit, before.provider)
      }),

    kindOf: (provider: ProviderName): ProviderKind => kinds[provider],

    /** Throws `not_configured` if there is no API key. */
    connect(present: EffectiveSettings): BookingProvider {
      const { provider, baseUrl, trust, apiKey, apiVersions, fault } = present
      if (apiKey === null)
        throw notConfigured(
          fault ?? 'No booking provider is configured. Save its API key in the settings first.',
        )
      return kinds[provider].connect({ outbound, clock }, { baseUrl, apiKey, trust, apiVersions })
    },

    /** Re-encrypts secrets that were encrypted with a previous SECRET_KEY. */
    async reseal(tx: Db): Promise<void> {
      for (const row of await listAllSettings(tx))
        if (sealer.isStale(row.secret))
          await replaceSecret(tx, row, sealer.seal(openText(row), contextOf(row.userId)))
    },
  }
}
