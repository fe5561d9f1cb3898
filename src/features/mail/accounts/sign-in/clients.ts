import type { Db } from '../../../../database/db.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import type { Visit } from '../../../../platform/access/caller.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { conflict, invalidField } from '../../../../platform/errors.ts'
import type { Sealer } from '../../../../platform/secrets/seal.ts'
import type { Activity } from '../../../auth/activity.ts'
import {
  type OauthCredentials,
  type OauthName,
  type OauthProvider,
  type OauthSettings,
  toOauthProvider,
} from './providers.ts'

const NAMES: readonly OauthName[] = ['google', 'microsoft']

export interface OauthClientInput {
  clientId: string
  clientSecret?: string
}

const toContext = (provider: OauthName): string => `oauth_clients.secret:${provider}`

const findClient = (view: Db, provider: OauthName) =>
  view.selectFrom('oauth_clients').selectAll().where('provider', '=', provider).executeTakeFirst()

/**
 * The OAuth clients of the instance. The environment decides. Without it, the owner enters them in the console.
 * Every call reads the database, so that a change takes effect at once, on all processes.
 */
export const createOauthClients = (deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  activity: Activity
  settings: OauthSettings
  redirectUri: () => string
}) => {
  const { db, clock, sealer, activity, settings } = deps

  const readCredentials = async (view: Db, name: OauthName): Promise<OauthCredentials | undefined> => {
    const { clientId, clientSecret } = settings[name]
    if (clientId !== null) return { clientId, clientSecret }
    const stored = await findClient(view, name)
    // If the encryption key was lost, the owner must enter the secret again.
    if (!stored || !sealer.opens(stored.secret)) return undefined
    return { clientId: stored.clientId, clientSecret: sealer.open(stored.secret, toContext(name)) }
  }

  const toView = async (view: Db, name: OauthName) => {
    const { clientId, clientSecret } = settings[name]
    const isFixed = clientId !== null
    const stored = isFixed ? undefined : await findClient(view, name)
    return {
      provider: name,
      clientId: clientId ?? stored?.clientId ?? null,
      hasSecret: isFixed ? clientSecret !== null : stored !== undefined && sealer.opens(stored.secret),
      source: isFixed ? ('environment' as const) : stored ? ('owner' as const) : ('none' as const),
      redirectUri: deps.redirectUri(),
    }
  }

  const requireChangeable = (name: OauthName): void => {
    if (settings[name].clientId !== null)
      throw conflict(
        `MAIL_OAUTH_${name.toUpperCase()}_CLIENT_ID is set in the configuration of this instance. Change it there.`,
      )
  }

  return {
    /** Undefined if the instance has no client for the provider. */
    async find(name: OauthName): Promise<OauthProvider | undefined> {
      const credentials = await readCredentials(db, name)
      return credentials && toOauthProvider(settings, name, credentials)
    },

    list: async () => ({ oauthClients: await Promise.all(NAMES.map((name) => toView(db, name))) }),

    /** Without a secret in the input, the stored one stays. It belongs to its client ID only. */
    save: (userId: number, name: OauthName, input: OauthClientInput, visit: Visit) =>
      inTransaction(db, async (tx) => {
        requireChangeable(name)
        const before = await findClient(tx, name)
        const isSame = before?.clientId === input.clientId && sealer.opens(before.secret)
        if (input.clientSecret === undefined && !isSame)
          throw invalidField('clientSecret', 'is required for a new client ID')
        const secret =
          input.clientSecret === undefined
            ? (before?.secret as string)
            : sealer.seal(input.clientSecret, toContext(name))
        const row = { clientId: input.clientId, secret, updatedAt: clock.now().toISOString() }
        await tx
          .insertInto('oauth_clients')
          .values({ provider: name, ...row })
          .onConflict((existing) => existing.column('provider').doUpdateSet(row))
          .execute()
        await activity.record(tx, userId, visit, 'oauth_client.changed', {
          provider: name,
          clientId: input.clientId,
        })
        return toView(tx, name)
      }),

    remove: (userId: number, name: OauthName, visit: Visit): Promise<void> =>
      inTransaction(db, async (tx) => {
        requireChangeable(name)
        const { numDeletedRows } = await tx
          .deleteFrom('oauth_clients')
          .where('provider', '=', name)
          .executeTakeFirst()
        if (numDeletedRows > 0n)
          await activity.record(tx, userId, visit, 'oauth_client.removed', { provider: name })
      }),

    /** Encrypts again, with the current key, the secrets that a previous SECRET_KEY encrypted. */
    async reseal(tx: Db): Promise<void> {
      for (const { provider, secret } of await tx.selectFrom('oauth_clients').selectAll().execute())
        if (sealer.isStale(secret)) {
          const context = toContext(provider)
          await tx
            .updateTable('oauth_clients')
            .set({ secret: sealer.seal(sealer.open(secret, context), context) })
            .where('provider', '=', provider)
            .execute()
        }
    },
  }
}

export type OauthClients = ReturnType<typeof createOauthClients>
