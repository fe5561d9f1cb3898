import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, invalidField, notFound } from '../../../platform/errors.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import { LOCKED, type Sealer } from '../../../platform/secrets/seal.ts'
import type { Activity, ActivityAction } from '../../auth/activity.ts'
import type { LanguageModels, ModelTarget } from '../language-models.ts'
import { type AiSettings, addressOf, PROVIDERS, type Provider } from '../providers.ts'
import type { NewKey } from './schema.ts'
import { deleteKey, type KeyRecord, listKeys, noteVerdict, replaceSealed, saveKey } from './store.ts'

/** How a provider is spoken to. */
export type Reach = Omit<ModelTarget, 'model'>

const SHOWN_OF_KEY = 4
/** Of a shorter key the last letters would tell too much. */
const SHORTEST_HINTED = 12

const hintOf = (key: string | null): string =>
  key === null ? '' : `…${key.length >= SHORTEST_HINTED ? key.slice(-SHOWN_OF_KEY) : ''}`

const contextOf = (provider: string): string => `ai_keys.key:${provider}`

const MOVED = 'The address of this provider was changed since the key was given: give it again.'

const readBaseUrl = (given: string | undefined): string | null => {
  if (given === undefined) return null
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidField('baseUrl', 'must be an http or https address')
  if (url.username || url.password || url.search || url.hash)
    throw invalidField('baseUrl', 'must be an address alone, without a name, password or query in it')
  return url.href.replace(/\/+$/, '')
}

export type Keys = ReturnType<typeof createKeys>

/** Keys of the providers: what was given at run time goes before the environment's, from the next request on. */
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

  const reachByRow = (provider: Provider, row: KeyRecord): Reach => ({
    provider,
    key: row.key === null ? null : sealer.open(row.key, contextOf(provider)),
    baseUrl: row.givenFor,
    trust: row.baseUrl === null ? 'operator' : 'typed',
  })

  const reachByEnvironment = (provider: Provider): Reach | null => {
    const { key } = settings.providers[provider]
    const baseUrl = addressOf(provider, settings.providers[provider].baseUrl)
    if (baseUrl === null || (key === null && provider !== 'openai-compatible')) return null
    return { provider, key, baseUrl, trust: 'operator' }
  }

  const reachOf = (provider: Provider, rows: readonly KeyRecord[]): Reach | null => {
    const row = rows.find((one) => one.provider === provider)
    return row && isUsable(provider, row) ? reachByRow(provider, row) : reachByEnvironment(provider)
  }

  const statusOf = (provider: Provider, rows: readonly KeyRecord[]) => {
    const row = rows.find((one) => one.provider === provider)
    const common = { id: provider, keyId: provider, provider, version: row ? Date.parse(row.updatedAt) : 0 }
    if (row && isUsable(provider, row))
      return {
        ...common,
        ...{ configured: true, source: 'runtime' as const, hint: row.hint, baseUrl: row.baseUrl },
        ...{ verified: row.verified === 1, reason: row.reason, updatedAt: row.updatedAt },
        shown: `${row.verified}`,
      }
    const reach = reachByEnvironment(provider)
    return {
      ...common,
      configured: reach !== null,
      source: reach ? ('environment' as const) : ('none' as const),
      hint: hintOf(reach?.key ?? null),
      baseUrl: settings.providers[provider].baseUrl,
      verified: null,
      reason: row ? (isLocked(row) ? LOCKED : MOVED) : null,
      updatedAt: row?.updatedAt ?? null,
      shown: 'environment',
    }
  }

  const verdictOn = async (reach: Reach, signal: AbortSignal) => {
    try {
      await languageModels.verify(reach, signal)
      return { verified: 1, reason: null }
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error
      return { verified: 0, reason: error.message }
    }
  }

  const note = async (tx: Db, caller: Caller, visit: Visit, action: ActivityAction, provider: Provider) => {
    if (caller.kind === 'session') await activity.record(tx, caller.userId, visit, action, { provider })
  }

  const providerOf = (keyId: string): Provider => {
    const provider = PROVIDERS.find((name) => name === keyId)
    if (!provider) throw notFound('key')
    return provider
  }

  return {
    /** For one request: what is read here is not kept for the next. */
    reaches: async (): Promise<(provider: Provider) => Reach | null> => {
      const rows = await listKeys(db)
      return (provider) => reachOf(provider, rows)
    },

    async list() {
      const rows = await listKeys(db)
      return PROVIDERS.map((provider) => statusOf(provider, rows))
    },

    async get(keyId: string) {
      const provider = providerOf(keyId)
      return statusOf(provider, await listKeys(db))
    },

    /** Kept even when the provider does not take it: it may be out of order today. */
    async save(
      { provider, key, baseUrl: given }: NewKey,
      who: { caller: Caller; visit: Visit; signal: AbortSignal },
    ) {
      const baseUrl = readBaseUrl(given)
      const givenFor = addressOf(provider, baseUrl ?? settings.providers[provider].baseUrl)
      if (givenFor === null)
        throw invalidField('baseUrl', 'is required: this provider has no address of its own')
      if (key === undefined && !(provider === 'openai-compatible' && baseUrl !== null))
        throw invalidField('key', 'is required')
      const secret = key ?? null
      const trust = baseUrl === null ? 'operator' : 'typed'
      const verdict = await verdictOn({ provider, key: secret, baseUrl: givenFor, trust }, who.signal)
      const now = clock.now().toISOString()
      const sealed = secret === null ? null : sealer.seal(secret, contextOf(provider))
      return inTransaction(db, async (tx) => {
        const made = !(await listKeys(tx)).some((row) => row.provider === provider)
        const times = { createdAt: now, updatedAt: now }
        const row = { provider, key: sealed, baseUrl, givenFor, hint: hintOf(secret), ...verdict, ...times }
        await saveKey(tx, row)
        await note(tx, who.caller, who.visit, 'ai_key.saved', provider)
        return { made, key: statusOf(provider, await listKeys(tx)) }
      })
    },

    /** Asks the provider again. Of a key from the environment nothing is kept. */
    async verify(keyId: string, signal: AbortSignal) {
      const provider = providerOf(keyId)
      const rows = await listKeys(db)
      const reach = reachOf(provider, rows)
      if (!reach) throw new AppError('conflict', 'not_configured', 'There is no key for this provider.')
      const verdict = await verdictOn(reach, signal)
      const row = rows.find((one) => one.provider === provider)
      if (row && isUsable(provider, row)) await noteVerdict(db, row, verdict)
      return { ...statusOf(provider, await listKeys(db)), ...verdict, verified: verdict.verified === 1 }
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
        await note(tx, caller, visit, 'ai_key.removed', provider)
      }),

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      for (const { provider, key } of await listKeys(tx))
        if (key !== null && sealer.isStale(key)) {
          const context = contextOf(provider)
          await replaceSealed(tx, provider, key, sealer.seal(sealer.open(key, context), context))
        }
    },
  }
}
