import * as t from '#locale/webhooks'
import type { Shape } from '../../../api/client.ts'

/**
 * Explains why an attempt failed; null if it succeeded. The text of the server is English, so it is used only
 * without a response.
 */
export const describeAttemptError = ({ status, error }: Shape<'WebhookAttempt'>): string | null => {
  if (error === null || status === null) return error
  return status >= 300 && status < 400 ? t.redirectNotFollowed : t.responded(status)
}
