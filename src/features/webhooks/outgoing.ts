import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { DeliveryRecord } from './delivery-store.ts'
import { signingSecrets } from './secrets.ts'
import { signedHeaders } from './signature.ts'
import type { WebhookRecord } from './store.ts'

const TIMEOUT_MS = 15_000
const MOST_READ_BYTES = 64 * 1024
const MOST_KEPT = 1_000
const UNEXPECTED = 'Something unexpected went wrong; the log says more.'

/** How one attempt went. */
export interface Attempt {
  at: string
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}

export const succeeded = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Text that both databases keep and a page can show. */
const readable = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MOST_KEPT).toWellFormed()

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'It answered with a redirect, which is not followed.'
  return `It answered with ${status}.`
}

export type SendOnce = ReturnType<typeof createSendOnce>

/** One attempt, by the guarded client; it never throws for what the other side does. */
export const createSendOnce =
  ({ outbound, sealer, clock, log }: { outbound: Outbound; sealer: Sealer; clock: Clock; log: Logger }) =>
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
          ...signedHeaders(signingSecrets(sealer, webhook, now), { id: messageId, body }, now),
        },
        body,
        // The person typed it into a setting.
        trust: 'typed',
        maxRedirects: 0,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_READ_BYTES,
        ...(signal && { signal }),
      })
      // What it says beyond its status is for people to read, no more.
      const response = await answer.text().catch(() => '')
      return done({ status: answer.status, error: errorOf(answer.status), response: readable(response) })
    } catch (error) {
      if (signal?.aborted) throw error
      if (!(error instanceof AppError)) log.error({ err: error, webhookId: webhook.id }, 'a webhook failed')
      const said = error instanceof AppError ? readable(error.message) : UNEXPECTED
      return done({ status: null, error: said, response: null })
    }
  }
