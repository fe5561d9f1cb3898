import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Outbound, Trust } from '../../platform/outbound/outbound.ts'
import { digest } from '../../platform/secrets/digest.ts'
import { LOCKED, type Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import type { BookingProvider, ProviderKind, ProviderKinds, ProviderName } from './provider.ts'
import { beginAnew, deleteSettings, findSettings, readSync, replaceSecret, saveSettings } from './store.ts'
import { countUnreadable } from './unreadable-store.ts'

/** What the operator set, which holds until a person sets something else. */
export interface BookingEnvironment {
  provider: ProviderName
  baseUrl: string | null
  apiKey: string | null
  webhookSecret: string | null
  apiVersions: Readonly<Record<string, string>>
}

export interface SettingsWish {
  apiKey: string
  provider?: ProviderName
  baseUrl?: string | null
  webhookSecret?: string | null
}

interface Secrets {
  apiKey: string
  webhookSecret: string | null
}

/** What holds at present, whoever set it. */
export interface Present {
  provider: ProviderName
  baseUrl: string
  trust: Trust
  apiKey: string | null
  webhookSecret: string | null
  setBy: 'person' | 'environment' | null
  /** Why a key that was saved is of no use. */
  fault: string | null
}

const CONTEXT = 'booking_settings.secret:1'
const SHOWN_OF_KEY = 4

/** Enough to tell one key from another, and of no use to anyone. */
const hintOf = (apiKey: string | null): string | null =>
  apiKey === null ? null : `…${apiKey.length >= 12 ? apiKey.slice(-SHOWN_OF_KEY) : ''}`

/** Who changes them sets all of them anew. */
const versionOf = (row: { updatedAt: string } | undefined) => ({
  id: 'bookingsvc',
  version: row ? Date.parse(row.updatedAt) : 0,
})

const readBaseUrl = (text: string): string => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalidField('baseUrl', 'must be an http or https address without a name or password in it')
  return text.replace(/\/+$/, '')
}

export const notConfigured = (message: string) => conflict(message, 'not_configured')

export type BookingSettings = ReturnType<typeof createBookingSettings>

/** How the booking provider is reached. Keys go in and never come out. */
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

  /** The operator's address is for the operator's provider. */
  const addressOf = (provider: ProviderName, typed: string | null): { baseUrl: string; trust: Trust } => {
    if (typed !== null) return { baseUrl: typed, trust: 'typed' }
    const set = provider === environment.provider ? environment.baseUrl : null
    return { baseUrl: set ?? kinds[provider].defaultBaseUrl, trust: 'operator' }
  }

  const openSecrets = (sealed: string): Secrets | null =>
    sealer.opens(sealed) ? (JSON.parse(sealer.open(sealed, CONTEXT)) as Secrets) : null

  const read = async (view: Db): Promise<Present> => {
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
    const shown = {
      configured: apiKey !== null,
      provider,
      baseUrl,
      apiKeyHint: hintOf(apiKey),
      setBy,
      webhookConfigured: webhookSecret !== null,
      lastSyncAt,
      lastSyncStatus,
      lastError: fault ?? lastError,
      unreadable: await countUnreadable(view),
      syncing: isRunning,
    }
    const version = versionOf(await findSettings(view))
    return { ...shown, ...version, shown: digest(JSON.stringify(shown)).slice(0, 22) }
  }

  const recordBy = async (tx: Db, caller: Caller, visit: Visit, provider: ProviderName): Promise<void> => {
    if (caller.kind === 'session')
      await activity.record(tx, caller.userId, visit, 'booking_settings.changed', { provider })
  }

  return {
    read: () => read(db),
    show: () => show(db),

    save: (wish: SettingsWish, caller: Caller, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const before = await findSettings(tx)
        const provider = wish.provider ?? before?.provider ?? environment.provider
        const sameProvider = before?.provider === provider
        const baseUrl =
          wish.baseUrl === undefined
            ? sameProvider
              ? before.baseUrl
              : null
            : wish.baseUrl === null || wish.baseUrl === ''
              ? null
              : readBaseUrl(wish.baseUrl)
        const kept = sameProvider ? openSecrets(before.secret) : null
        const webhookSecret =
          wish.webhookSecret === undefined ? (kept?.webhookSecret ?? null) : wish.webhookSecret || null
        const secret = sealer.seal(JSON.stringify({ apiKey: wish.apiKey, webhookSecret }), CONTEXT)
        await saveSettings(tx, { provider, baseUrl, secret, updatedAt: clock.now().toISOString() })
        const isElsewhere = !sameProvider || baseUrl !== before.baseUrl || kept?.apiKey !== wish.apiKey
        if (isElsewhere) await beginAnew(tx)
        await recordBy(tx, caller, visit, provider)
        return show(tx)
      }),

    /** Back to what the operator set, if anything. Events stay as they are. */
    remove: (caller: Caller, visit: Visit, ifMatch?: string) =>
      inTransaction(db, async (tx) => {
        const before = await findSettings(tx)
        requireMatch(ifMatch, versionOf(before))
        if (!before) return
        await deleteSettings(tx)
        await beginAnew(tx)
        await recordBy(tx, caller, visit, before.provider)
      }),

    kindOf: (provider: ProviderName): ProviderKind => kinds[provider],

    /** Throws `not_configured` without a key. */
    connect(present: Present): BookingProvider {
      const { provider, baseUrl, trust, apiKey, fault } = present
      if (apiKey === null)
        throw notConfigured(fault ?? 'No booking provider is set up: save its API key in the settings first.')
      const { apiVersions } = environment
      return kinds[provider].connect({ outbound, clock }, { baseUrl, apiKey, trust, apiVersions })
    },

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const row = await findSettings(tx)
      if (row && sealer.isStale(row.secret))
        await replaceSecret(tx, row.secret, sealer.seal(sealer.open(row.secret, CONTEXT), CONTEXT))
    },
  }
}
