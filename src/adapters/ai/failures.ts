import type { Provider } from '../../features/ai/providers.ts'
import { AppError } from '../../platform/errors.ts'

/** A failure of a provider's library, as far as it is looked at: its texts may repeat a prompt or a key. */
interface LibraryError {
  statusCode?: unknown
  cause?: unknown
  responseHeaders?: Record<string, string>
}

const TITLES: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'The OpenAI-compatible server',
}
const titleOf = (provider: Provider): string => TITLES[provider]

const WORDS: Record<number, string> = {
  400: 'refused the request',
  401: 'refused the key',
  402: 'asks for payment first',
  403: 'refused the key, or this key may not use the model',
  404: 'does not know the model or the address',
  413: 'finds the request too large',
  422: 'refused the request',
  429: 'is asked too often, or the account has no credit left',
}

const failed = (message: string, cause?: unknown, retryAfterSeconds?: number): AppError =>
  new AppError('upstream', 'upstream_failed', message, {
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  })

export const refusedWith = (provider: Provider, status: number, retryAfter?: string): AppError => {
  const words = WORDS[status] ?? (status >= 500 ? 'failed' : 'refused the request')
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return failed(`${titleOf(provider)} ${words} (${status}).`, new Error(`HTTP ${status}`), seconds)
}

export const unreadable = (provider: Provider): AppError =>
  failed(`${titleOf(provider)} answered with something that cannot be read.`)

export const brokenOff = (provider: Provider): AppError =>
  failed(`The answer of ${titleOf(provider)} broke off.`)

const MOST_CAUSES = 5

const appErrorIn = (error: unknown): AppError | undefined => {
  let place = error
  for (let depth = 0; depth < MOST_CAUSES && place instanceof Error; depth++) {
    if (place instanceof AppError) return place
    place = place.cause
  }
  return undefined
}

/** What went wrong, in our words: a status is told, nothing that the provider or its library wrote. */
export const toFailure = (error: unknown, provider: Provider): AppError => {
  const known = appErrorIn(error)
  if (known?.kind === 'upstream' || known?.kind === 'unavailable') return known
  if (known) return failed(known.message, known.cause)
  const { statusCode, responseHeaders } = (error ?? {}) as LibraryError
  if (typeof statusCode === 'number' && statusCode >= 300)
    return refusedWith(provider, statusCode, responseHeaders?.['retry-after'])
  return unreadable(provider)
}
