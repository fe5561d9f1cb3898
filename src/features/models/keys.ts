import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Caller, Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { LOCKED, type Sealer } from '../../platform/secrets/seal.ts'
import type { Activity, ActivityAction } from '../auth/activity.ts'
import {
  type AiSettings,
  addressOf,
  type LanguageModels,
  type ModelTarget,
  PROVIDERS,
  type Provider,
} from './language-models.ts'
import {
  deleteKey,
  type KeyRecord,
  listKeys,
  replaceSealed,
  saveKey,
  saveVerification,
} from './repository.ts'
import type { NewKey } from './schema.ts'

/** Connection data of a provider. */
export type ProviderConnection = Omit<ModelTarget, 'model'>

const HINT_LENGTH = 4
/** The last characters of a shorter key would reveal too much. */
const MIN_HINTED_LENGTH = 12

const toHint = (key: string | null): string =>
  key === null ? '' : `…${key.length >= MIN_HINTED_LENGTH ? key.slice(-HINT_LENGTH) : ''}`

const toSealContext = (provider: string): string => `ai_keys.key:${provider}`

const BASE_URL_CHANGED =
  'The base URL of this provider has changed since the key was saved. Save the key again.'

const readBaseUrl = (given: string | undefined): string | null => {
  if (given === undefined) return null
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField('baseUrl', 'must be an http or https URL')
  if (url.username || url.password || url.search || url.hash)
    throw invalidField('baseUrl', 'must not contain credentials, a query or a fragment')
  return url.href.replace(/\/+$/, '')
}

export type Keys = ReturnType<typeof createKeys>

/** Manages the provider keys. Keys saved at run time override the environment, from the next request on. */
export const createKeys = (deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  activity: Activity
  languageModels: Pick<LanguageModels, 'verify'>
  settings: AiSettings
}) => {
  const { db, clock, sealer, activity, languageModels, settings } = deps

  const currentAddress = (provider: Provider, row: KeyRecord | undefined): string | null =>
    addressOf(provider, row?.baseUrl ?? settings.providers[provider].baseUrl)

  const isLocked = ({ key }: KeyRecord): boolean => key !== null && !sealer.opens(key)

  const isUsable = (provider: Provider, row: KeyRecord | undefined): boolean =>
    row !== undefined && row.givenFor === currentAddress(provider, row) && !isLocked(row)

  const toConnection = (provider: Provider, row: KeyRecord): ProviderConnection => ({
    provider,
    key: row.key === null ? null : sealer.open(row.key, toSealContext(provider)),
    baseUrl: row.givenFor,
    trust: row.baseUrl === null ? 'operator' : 'typed',
  })

  const findEnvironmentConnection = (provider: Provider): ProviderConnection | null => {
    const { key } = settings.providers[provider]
    const baseUrl = addressOf(provider, settings.providers[provider].baseUrl)
    if (baseUrl === null || (key === null && provider !== 'openai-compatible')) return null
    return { provider, key, baseUrl, trust: 'operator' }
  }

  const findConnection = (provider: Provider, rows: readonly KeyRecord[]): ProviderConnection | null => {
    const row = rows.find((one) => one.provider === provider)
    return row && isUsable(provider, row) ? toConnection(provider, row) : findEnvironmentConnection(provider)
  }

  const statusOf = (provider: Provider, rows: readonly KeyRecord[]) => {
    const row = rows.find((one) => one.provider === provider)
    const common = { id: provider, keyId: provider, provider, version: row ? Date.parse(row.updatedAt) : 0 }
    if (row && isUsable(provider, row))
      return {
        ...common,
        configured: true,
        source: 'runtime' as const,
        hint: row.hint,
        baseUrl: row.baseUrl,
        verified: row.verified === 1,
        reason: row.reason,
        updatedAt: row.updatedAt,
        extra: `${row.verified}`,
      }
    const connection = findEnvironmentConnection(provider)
    return {
      ...common,
      configured: connection !== null,
      source: connection ? ('environment' as const) : ('none' as const),
      hint: toHint(connection?.key ?? null),
      baseUrl: settings.providers[provider].baseUrl,
      verified: null,
      reason: row ? (isLocked(row) ? LOCKED : BASE_URL_CHANGED) : null,
      updatedAt: row?.updatedAt ?? null,
      extra: 'environment',
    }
  }

  const verifyConnection = async (connection: ProviderConnection, signal: AbortSignal) => {
    try {
      await languageModels.verify(connection, signal)
      return { verified: 1, reason: null }
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error
      return { verified: 0, reason: error.message }
    }
  }

  const recordActivity = async (
    tx: Db,
    caller: Caller,
    visit: Visit,
    action: ActivityAction,
    provider: Provider,
  ) => {
    if (caller.kind === 'session') await activity.record(tx, caller.userId, visit, action, { provider })
  }

  const providerOf = (keyId: string): Provider => {
    const provider = PROVIDERS.find((name) => name === keyId)
    if (!provider) throw notFound('key')
    return provider
  }

  return {
    /** Loads all keys for one request. They are not cached. */
    loadConnections: async (): Promise<(provider: Provider) => ProviderConnection | null> => {
      const rows = await listKeys(db)
      return (provider) => findConnection(provider, rows)
    },

    async list() {
      const rows = await listKeys(db)
      return PROVIDERS.map((provider) => statusOf(provider, rows))
    },

    async get(keyId: string) {
      const provider = providerOf(keyId)
      return statusOf(provider, await listKeys(db))
    },

    /** Saves the key even if the provider rejects it: the provider may be unavailable at the moment. */
    async save(
      { provider, key, baseUrl: given }: NewKey,
      who: { caller: Caller; visit: Visit; signal: AbortSignal },
    ) {
      const baseUrl = readBaseUrl(given)
      const givenFor = addressOf(provider, baseUrl ?? settings.providers[provider].baseUrl)
      if (givenFor === null) throw invalidField('baseUrl', 'is required for this provider')
      if (key === undefined && !(provider === 'openai-compatible' && baseUrl !== null))
        throw invalidField('key', 'is required')
      const secret = key ?? null
      const trust = baseUrl === null ? 'operator' : 'typed'
      const verification = await verifyConnection(
        { provider, key: secret, baseUrl: givenFor, trust },
        who.signal,
      )
      const now = clock.now().toISOString()
      const sealed = secret === null ? null : sealer.seal(secret, toSealContext(provider))
      return inTransaction(db, async (tx) => {
        const made = !(await listKeys(tx)).some((row) => row.provider === provider)
        const times = { createdAt: now, updatedAt: now }
        const row = {
          provider,
          key: sealed,
          baseUrl,
          givenFor,
          hint: toHint(secret),
          ...verification,
          ...times,
        }
        await saveKey(tx, row)
        await recordActivity(tx, who.caller, who.visit, 'ai_key.saved', provider)
        return { made, key: statusOf(provider, await listKeys(tx)) }
      })
    },

    /** Verifies the key with the provider again. Results for keys from the environment are not stored. */
    async verify(keyId: string, signal: AbortSignal) {
      const provider = providerOf(keyId)
      const rows = await listKeys(db)
      const connection = findConnection(provider, rows)
      if (!connection)
        throw new AppError('conflict', 'not_configured', 'No API key is configured for this provider.')
      const verification = await verifyConnection(connection, signal)
      const row = rows.find((one) => one.provider === provider)
      if (row && isUsable(provider, row)) await saveVerification(db, row, verification)
      return {
        ...statusOf(provider, await listKeys(db)),
        ...verification,
        verified: verification.verified === 1,
      }
    },

    remove: (
      keyId: string,
      { caller, visit }: { caller: Caller; visit: Visit },
      ifMatch: string | undefined,
    ): Promise<void> =>
      inTransaction(db, async (tx) => {
        const provider = providerOf(keyId)
        requireMatch(ifMatch, statusOf(provider, await listKeys(tx)))
        if (!(await deleteKey(tx, provider))) throw notFound('key that was given at run time')
        await recordActivity(tx, caller, visit, 'ai_key.removed', provider)
      }),

    /** Re-encrypts keys that were encrypted with a previous SECRET_KEY. */
    async reseal(tx: Db): Promise<void> {
      for (const { provider, key } of await listKeys(tx))
        if (key !== null && sealer.isStale(key)) {
          const context = toSealContext(provider)
          await replaceSealed(tx, provider, key, sealer.seal(sealer.open(key, context), context))
        }
    },
  }
}
