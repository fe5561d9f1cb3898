import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { DeliveryRecord, WebhookRecord } from './repository.ts'
import { signHeaders } from './signatures.ts'

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 64 * 1024
const MAX_STORED_LENGTH = 1_000
const UNEXPECTED = 'An internal error occurred. See the server log.'

/** The result of one delivery attempt. */
export interface Attempt {
  at: string
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}

export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Makes text storable in both databases and short enough to display. */
const toDisplayText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_STORED_LENGTH).toWellFormed()

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'The endpoint responded with a redirect, which is not followed.'
  return `The endpoint responded with ${status}.`
}

export type SendOnce = ReturnType<typeof createSendOnce>

/**
 * Makes one attempt with the guarded HTTP client. Errors of the other side become a result, not an exception.
 */
export const createSendOnce =
  ({ outbound, sealer, clock, log }: Platform) =>
  async (
    webhook: WebhookRecord,
    { messageId, body }: Pick<DeliveryRecord, 'messageId' | 'body'>,
    signal?: AbortSignal,
  ): Promise<Attempt> => {
    const now = clock.now()
    const began = performance.now()
    const done = (rest: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
      at: now.toISOString(),
      durationMs: Math.round(performance.now() - began),
      ...rest,
    })
    try {
      const answer = await outbound.fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...signHeaders(sealer, webhook, { id: messageId, body }, now),
        },
        body,
        // The person entered the URL in the settings.
        trust: 'typed',
        maxRedirects: 0,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_RESPONSE_BYTES,
        ...(signal && { signal }),
      })
      // The body is only displayed. The status alone decides.
      const response = await answer.text().catch(() => '')
      return done({ status: answer.status, error: errorOf(answer.status), response: toDisplayText(response) })
    } catch (error) {
      if (signal?.aborted) throw error
      if (!(error instanceof AppError))
        log.error({ err: error, webhookId: webhook.id }, 'a webhook attempt failed unexpectedly')
      const detail = error instanceof AppError ? toDisplayText(error.message) : UNEXPECTED
      return done({ status: null, error: detail, response: null })
    }
  }
