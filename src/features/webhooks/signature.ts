import { createHmac } from 'node:crypto'
import type { Random } from '../../platform/random.ts'

/** Standard Webhooks: the secret's bytes in base64, behind what says what it is. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (random: Random): string =>
  `${PREFIX}${random.bytes(SECRET_BYTES).toString('base64')}`

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** One signature for each secret that is good at the moment: a receiver needs to know only one of them. */
export const signedHeaders = (
  secrets: readonly string[],
  message: { id: string; body: string },
  at: Date,
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = `${message.id}.${timestamp}.${message.body}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  }
}
