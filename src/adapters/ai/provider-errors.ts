import type { Provider } from '../../features/models/language-models.ts'
import { AppError } from '../../platform/errors.ts'

/**
 * An error of a provider library. Only these fields are read, because its messages may contain the prompt or
 * the key.
 */
interface LibraryError {
  statusCode?: unknown
  responseBody?: unknown
  responseHeaders?: Record<string, string>
}

const TITLES: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'The OpenAI-compatible server',
}

const STATUS_MESSAGES: Record<number, string> = {
  400: 'refused the request',
  401: 'refused the key',
  402: 'requires payment',
  403: 'refused the key, or this key may not use the model',
  404: 'did not find the model or the URL',
  413: 'rejected the request as too large',
  422: 'refused the request',
  429: 'limits the request rate, or the account has no credit left',
}

const failed = (message: string, cause?: unknown, retryAfterSeconds?: number): AppError =>
  new AppError('upstream', 'upstream_failed', message, {
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  })

const MAX_WORDS = 300
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Finds the error message in a response body: `{"error": {"message"}}` and its variants, or plain text. */
const findMessage = (body: unknown): string => {
  if (typeof body === 'string') {
    try {
      const value: unknown = JSON.parse(body)
      if (isRecord(value)) return findMessage(value)
    } catch {
      // A proxy may send a page instead of a message.
    }
    return /^\s*</.test(body) ? '' : body
  }
  if (!isRecord(body)) return ''
  for (const name of ['error', 'message', 'detail', 'error_message']) {
    const found = findMessage(body[name])
    if (found !== '') return found
  }
  return ''
}

/** Matches values that look like keys. */
const SECRETS = /\b(?:sk|pk|key|tok)[-_][\w-]{4,}|\bBearer\s+\S+|\b(?=\w*\d)[\w-]{32,}/gi

const QUOTED_LENGTH = 16

/** Tells whether the message repeats a part of the prompt. */
const repeats = (message: string, prompt: string): boolean => {
  for (let at = 0; at + QUOTED_LENGTH <= message.length; at++)
    if (prompt.includes(message.slice(at, at + QUOTED_LENGTH))) return true
  return false
}

/** The request that failed, to keep its contents out of the error. */
export interface FailedRequest {
  provider: Provider
  key: string | null
  /** Everything that was sent, as text. */
  prompt: string
}

/**
 * Returns the error message of an OpenAI-compatible server, because only the server knows what it lacks. Keys are masked. A message that repeats the
 * prompt is dropped, because errors are logged.
 */
const toServerWords = (body: unknown, { provider, key, prompt }: FailedRequest): string => {
  if (provider !== 'openai-compatible') return ''
  const message = findMessage(body)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
    .toWellFormed()
  if (message === '' || repeats(message, prompt)) return ''
  const masked = key === null ? message : message.replaceAll(key, '…')
  return masked.replace(SECRETS, '…')
}

const withWords = (sentence: string, words: string): string =>
  words === '' ? `${sentence}.` : `${sentence}: “${words}”`

export const refusedWith = (
  request: FailedRequest,
  status: number,
  body?: unknown,
  retryAfter?: string,
): AppError => {
  const reason = STATUS_MESSAGES[status] ?? (status >= 500 ? 'failed' : 'refused the request')
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  const sentence = `${TITLES[request.provider]} ${reason} (${status})`
  return failed(withWords(sentence, toServerWords(body, request)), new Error(`HTTP ${status}`), seconds)
}

export const unreadable = (provider: Provider): AppError =>
  failed(`${TITLES[provider]} sent a response that could not be parsed.`)

export const interrupted = (provider: Provider): AppError =>
  failed(`The response from ${TITLES[provider]} was interrupted.`)

export const timedOut = (): AppError =>
  new AppError('upstream', 'upstream_timeout', 'The provider did not finish its response in time.')

const MAX_CAUSES = 5

const appErrorIn = (error: unknown): AppError | undefined => {
  let place = error
  for (let depth = 0; depth < MAX_CAUSES && place instanceof Error; depth++) {
    if (place instanceof AppError) return place
    place = place.cause
  }
  return undefined
}

/** Returns the status and the message of a refusal; undefined for other errors. */
export const readRefusal = (error: unknown): { status: number; words: string } | undefined => {
  const { statusCode, responseBody } = (error ?? {}) as LibraryError
  if (appErrorIn(error) || typeof statusCode !== 'number') return undefined
  return { status: statusCode, words: findMessage(responseBody) }
}

/** An error that a server sent in the middle of a stream. It is the value of `error`, not an Error. */
const isStreamedError = (error: unknown): boolean =>
  typeof error === 'string' || (isRecord(error) && !(error instanceof Error) && 'message' in error)

/**
 * Converts an error to our own message. It contains the status, but no text of the provider or its library,
 * except for the message of an OpenAI-compatible server.
 */
export const toFailure = (error: unknown, request: FailedRequest): AppError => {
  const known = appErrorIn(error)
  if (known?.kind === 'upstream' || known?.kind === 'unavailable') return known
  if (known) return failed(known.message, known.cause)
  const { statusCode, responseBody, responseHeaders } = (error ?? {}) as LibraryError
  if (typeof statusCode === 'number' && statusCode >= 300)
    return refusedWith(request, statusCode, responseBody, responseHeaders?.['retry-after'])
  const words = isStreamedError(error) ? toServerWords(error, request) : ''
  return words === ''
    ? unreadable(request.provider)
    : failed(`${TITLES[request.provider]} failed: “${words}”`)
}
