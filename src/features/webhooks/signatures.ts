import { createHmac } from 'node:crypto'
import type { Random } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { WebhookRecord } from './repository.ts'

type SecretHolder = Pick<WebhookRecord, 'id' | 'secret' | 'previousSecret' | 'previousSecretUntil'>

const contextOf = (id: string): string => `webhooks.secret:${id}`

export const sealSecret = (sealer: Sealer, id: string, secret: string): string =>
  sealer.seal(secret, contextOf(id))

export const openSecret = (sealer: Sealer, id: string, sealed: string): string =>
  sealer.open(sealed, contextOf(id))

/** Returns the current secret first, then the previous one while it is valid. */
const listSigningSecrets = (
  sealer: Sealer,
  { id, secret, previousSecret, previousSecretUntil }: SecretHolder,
  now: Date,
): string[] => {
  const isStillValid = previousSecretUntil !== null && previousSecretUntil > now.toISOString()
  return [secret, ...(previousSecret !== null && isStillValid ? [previousSecret] : [])].map((sealed) =>
    openSecret(sealer, id, sealed),
  )
}

/** Standard Webhooks, symmetric signatures: this prefix, then the bytes of the secret in base64. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (random: Random): string =>
  `${PREFIX}${random.bytes(SECRET_BYTES).toString('base64')}`

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** Creates one signature per valid secret. The receiver needs to know only one of them. */
export const signHeaders = (
  sealer: Sealer,
  webhook: SecretHolder,
  message: { id: string; body: string },
  at: Date,
): Record<string, string> => {
  const secrets = listSigningSecrets(sealer, webhook, at)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = `${message.id}.${timestamp}.${message.body}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  }
}
