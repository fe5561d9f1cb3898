import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Caller, userIdOf, type Visit } from '../../platform/access/caller.ts'
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
import type { LocalModelServers } from './local-servers.ts'
import { changeKey, deleteKey, type KeyRecord, listKeys, listKeysOfAll, saveKey } from './repository.ts'
import type { NewKey } from './schema.ts'

/** Connection data of a provider. */
export interface ProviderConnection extends Omit<ModelTarget, 'model'> {
  /** The model that was selected on this server; null for the model of the configuration. */
  model: string | null
}

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

interface KeyDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  activity: Activity
  languageModels: Pick<LanguageModels, 'verify'>
  settings: AiSettings
  localServers: LocalModelServers
}

interface Requester {
  caller: Caller
  visit: Visit
}

const toProvider = (keyId: string): Provider => {
  const provider = PROVIDERS.find((name) => name === keyId)
  if (!provider) throw notFound('key')
  return provider
}

/** The keys that serve an account: its own, and those of the environment if it may use them. */
interface AccountKeys {
  /** Whether this account may use the servers of this machine. */
  isOwner: boolean
  rows: readonly KeyRecord[]
  environment: AiSettings['providers']
}

const NO_ENVIRONMENT = Object.fromEntries(
  PROVIDERS.map((provider) => [provider, { key: null, baseUrl: null }]),
) as unknown as AiSettings['providers']

/**
 * Manages the provider keys of accounts. Keys saved at run time override the environment, from the next request on.
 */
export class Keys {
  private readonly deps: KeyDeps

  constructor(deps: KeyDeps) {
    this.deps = deps
  }

  /** Loads all keys for one request. They are not cached. */
  async loadConnections(userId: number): Promise<(provider: Provider) => ProviderConnection | null> {
    const keys = await this.load(this.deps.db, userId)
    return (provider) => this.findConnection(provider, keys)
  }

  async list(userId: number) {
    const keys = await this.load(this.deps.db, userId)
    return PROVIDERS.map((provider) => this.toStatus(provider, keys))
  }

  async get(userId: number, keyId: string) {
    const provider = toProvider(keyId)
    return this.toStatus(provider, await this.load(this.deps.db, userId))
  }

  /** Saves the key even if the provider rejects it: the provider may be unavailable at the moment. */
  async save({ provider, key, baseUrl: given }: NewKey, who: Requester, signal: AbortSignal) {
    const userId = userIdOf(who.caller)
    const baseUrl = readBaseUrl(given)
    const { environment } = await this.load(this.deps.db, userId)
    const givenFor = addressOf(provider, baseUrl ?? environment[provider].baseUrl)
    if (givenFor === null) throw invalidField('baseUrl', 'is required for this provider')
    if (key === undefined && !(provider === 'openai-compatible' && baseUrl !== null))
      throw invalidField('key', 'is required')
    const secret = key ?? null
    const trust = baseUrl === null ? 'operator' : 'typed'
    const connection = { provider, key: secret, baseUrl: givenFor, trust, model: null } as const
    const verification = await this.verifyConnection(connection, signal)
    return this.store(
      {
        provider,
        key: secret === null ? null : this.deps.sealer.seal(secret, toSealContext(provider)),
        baseUrl,
        givenFor,
        hint: toHint(secret),
        ...verification,
        model: null,
        isLocal: 0,
      },
      who,
    )
  }

  /** Saves a model of a server on this machine. Only the owner may call this. */
  async saveLocal(selected: { baseUrl: string; model: string }, who: Requester, signal: AbortSignal) {
    await this.deps.localServers.require(selected, signal)
    return this.store(
      {
        provider: 'openai-compatible',
        key: null,
        baseUrl: selected.baseUrl,
        givenFor: selected.baseUrl,
        hint: '',
        verified: 1,
        reason: null,
        model: selected.model,
        isLocal: 1,
      },
      who,
    )
  }

  /** Verifies the key with the provider again. Results for keys from the environment are not stored. */
  async verify(userId: number, keyId: string, signal: AbortSignal) {
    const provider = toProvider(keyId)
    const keys = await this.load(this.deps.db, userId)
    const connection = this.findConnection(provider, keys)
    if (!connection)
      throw new AppError('conflict', 'not_configured', 'No API key is configured for this provider.')
    const verification = await this.verifyConnection(connection, signal)
    const row = keys.rows.find((one) => one.provider === provider)
    if (row && this.isUsable(provider, row, keys)) await changeKey(this.deps.db, row, verification)
    return {
      ...this.toStatus(provider, await this.load(this.deps.db, userId)),
      ...verification,
      verified: verification.verified === 1,
    }
  }

  remove(keyId: string, who: Requester, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.db, async (tx) => {
      const provider = toProvider(keyId)
      const userId = userIdOf(who.caller)
      requireMatch(ifMatch, this.toStatus(provider, await this.load(tx, userId)))
      if (!(await deleteKey(tx, userId, provider))) throw notFound('key that was given at run time')
      await this.recordActivity(tx, who, 'ai_key.removed', { provider })
    })
  }

  /** Re-encrypts keys that were encrypted with a previous SECRET_KEY. */
  async reseal(tx: Db): Promise<void> {
    const { sealer } = this.deps
    for (const row of await listKeysOfAll(tx))
      if (row.key !== null && sealer.isStale(row.key)) {
        const context = toSealContext(row.provider)
        await changeKey(tx, row, { key: sealer.seal(sealer.open(row.key, context), context) })
      }
  }

  private store(
    row: Omit<KeyRecord, 'userId' | 'createdAt' | 'updatedAt' | 'provider'> & { provider: Provider },
    who: Requester,
  ) {
    const userId = userIdOf(who.caller)
    const { provider } = row
    const now = this.deps.clock.now().toISOString()
    return inTransaction(this.deps.db, async (tx) => {
      const before = (await listKeys(tx, userId)).find((saved) => saved.provider === provider)
      await saveKey(tx, { ...row, userId, createdAt: now, updatedAt: now })
      const host = row.baseUrl === null ? undefined : new URL(row.baseUrl).host
      const isNewHost = host !== undefined && row.baseUrl !== before?.baseUrl
      await this.recordActivity(tx, who, 'ai_key.saved', { provider, ...(isNewHost && { host }) })
      return { made: before === undefined, key: this.toStatus(provider, await this.load(tx, userId)) }
    })
  }

  private async load(view: Db, userId: number): Promise<AccountKeys> {
    // Before a second account exists, the only account is the local one.
    const isOwner = userId === (await getLocalUserId(view))
    const isServed = this.deps.settings.keysFor === 'all' || isOwner
    return {
      isOwner,
      rows: await listKeys(view, userId),
      environment: isServed ? this.deps.settings.providers : NO_ENVIRONMENT,
    }
  }

  /** A former owner keeps the row, but may no longer reach the servers of this machine. */
  private toTrust({ baseUrl, isLocal }: KeyRecord, { isOwner }: AccountKeys): ModelTarget['trust'] {
    if (baseUrl === null) return 'operator'
    return isLocal === 1 && isOwner && this.deps.localServers.isKnown(baseUrl) ? 'loopback' : 'typed'
  }

  private isLocked({ key }: KeyRecord): boolean {
    return key !== null && !this.deps.sealer.opens(key)
  }

  private isUsable(provider: Provider, row: KeyRecord, { environment }: AccountKeys): boolean {
    const currentAddress = addressOf(provider, row.baseUrl ?? environment[provider].baseUrl)
    return row.givenFor === currentAddress && !this.isLocked(row)
  }

  private findConnection(provider: Provider, keys: AccountKeys): ProviderConnection | null {
    const row = keys.rows.find((one) => one.provider === provider)
    if (!row || !this.isUsable(provider, row, keys)) return this.findEnvironmentConnection(provider, keys)
    return {
      provider,
      key: row.key === null ? null : this.deps.sealer.open(row.key, toSealContext(provider)),
      baseUrl: row.givenFor,
      trust: this.toTrust(row, keys),
      model: row.model,
    }
  }

  private findEnvironmentConnection(
    provider: Provider,
    { environment }: AccountKeys,
  ): ProviderConnection | null {
    const { key } = environment[provider]
    const baseUrl = addressOf(provider, environment[provider].baseUrl)
    if (baseUrl === null || (key === null && provider !== 'openai-compatible')) return null
    return { provider, key, baseUrl, trust: 'operator', model: null }
  }

  private toStatus(provider: Provider, keys: AccountKeys) {
    const row = keys.rows.find((one) => one.provider === provider)
    const common = { id: provider, keyId: provider, provider, version: row ? Date.parse(row.updatedAt) : 0 }
    if (row && this.isUsable(provider, row, keys))
      return {
        ...common,
        configured: true,
        source: 'runtime' as const,
        hint: row.hint,
        baseUrl: row.baseUrl,
        model: row.model,
        verified: row.verified === 1,
        reason: row.reason,
        updatedAt: row.updatedAt,
        extra: `${row.verified}`,
      }
    const connection = this.findEnvironmentConnection(provider, keys)
    return {
      ...common,
      configured: connection !== null,
      source: connection ? ('environment' as const) : ('none' as const),
      hint: toHint(connection?.key ?? null),
      baseUrl: keys.environment[provider].baseUrl,
      model: null,
      verified: null,
      reason: row ? (this.isLocked(row) ? LOCKED : BASE_URL_CHANGED) : null,
      updatedAt: row?.updatedAt ?? null,
      extra: 'environment',
    }
  }

  private async verifyConnection(connection: ProviderConnection, signal: AbortSignal) {
    try {
      await this.deps.languageModels.verify(connection, signal)
      return { verified: 1, reason: null }
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error
      return { verified: 0, reason: error.message }
    }
  }

  private async recordActivity(
    tx: Db,
    { caller, visit }: Requester,
    action: ActivityAction,
    details: { provider: Provider; host?: string },
  ): Promise<void> {
    if (caller.kind === 'session') await this.deps.activity.record(tx, caller.userId, visit, action, details)
  }
}
