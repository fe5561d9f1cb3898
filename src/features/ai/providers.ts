export const PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
export type Provider = (typeof PROVIDERS)[number]

export const MODEL_NAMES = ['model_a', 'model_b', 'model_c', 'model_d'] as const
export type ModelName = (typeof MODEL_NAMES)[number]

/** What the configuration says of AI. */
export interface AiSettings {
  models: Readonly<Record<ModelName, { provider: Provider; model: string }>>
  providers: Readonly<Record<Provider, { key: string | null; baseUrl: string | null }>>
  timeoutMs: number
  fallback: 'builtin' | 'off'
  dailyLimitUsd: number | null
  tokenDailyLimitUsd: number | null
  prices: readonly Price[]
}

/** Dollars for a million tokens. */
export interface Price {
  model: string
  input: number
  output: number
}

const HOMES: Readonly<Record<Provider, { url: string | null; path: string }>> = {
  openai: { url: 'https://api.openai.com/v1', path: '/v1' },
  anthropic: { url: 'https://api.anthropic.com/v1', path: '/v1' },
  google: { url: 'https://generativelanguage.googleapis.com/v1beta', path: '/v1beta' },
  'openai-compatible': { url: null, path: '/v1' },
}

/** An address without a path means the place where such servers keep their API. */
const withPath = (provider: Provider, given: string): string => {
  const url = new URL(given)
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? HOMES[provider].path : path}`
}

/** Where a provider is spoken to; null when nobody said. */
export const addressOf = (provider: Provider, given: string | null): string | null => {
  const url = given ?? HOMES[provider].url
  return url === null ? null : withPath(provider, url)
}
