import type { Sealer } from '../../platform/secrets/seal.ts'
import type { WebhookRecord } from './store.ts'

const contextOf = (id: string): string => `webhooks.secret:${id}`

export const sealSecret = (sealer: Sealer, id: string, secret: string): string =>
  sealer.seal(secret, contextOf(id))

export const openSecret = (sealer: Sealer, id: string, sealed: string): string =>
  sealer.open(sealed, contextOf(id))

/** What signs at this moment: the newest first, and the one before while it is still good. */
export const signingSecrets = (
  sealer: Sealer,
  webhook: Pick<WebhookRecord, 'id' | 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  now: Date,
): string[] => {
  const { id, secret, previousSecret, previousSecretUntil } = webhook
  const stillGood = previousSecretUntil !== null && previousSecretUntil > now.toISOString()
  return [secret, ...(previousSecret !== null && stillGood ? [previousSecret] : [])].map((sealed) =>
    openSecret(sealer, id, sealed),
  )
}
