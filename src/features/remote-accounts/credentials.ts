import type { Db } from '../../database/db.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { type AccountTable, listSecrets, replaceSecret } from './repository.ts'

export type Credentials<Secret> = ReturnType<typeof createCredentials<Secret>>

/**
 * Encrypts the credentials of accounts. The encryption binds them to their account, so that a secret that is
 * copied to another row cannot be decrypted there.
 */
export const createCredentials = <Secret>(sealer: Sealer, table: AccountTable) => {
  const toContext = (accountId: string): string => `${table}.secret:${accountId}`
  const seal = (accountId: string, secret: Secret): string =>
    sealer.seal(JSON.stringify(secret), toContext(accountId))
  const open = (accountId: string, sealed: string): Secret =>
    JSON.parse(sealer.open(sealed, toContext(accountId))) as Secret

  return {
    seal,
    open,
    /** False if the secret was encrypted with a key that is lost. */
    canOpen: (sealed: string): boolean => sealer.opens(sealed),
    /** Encrypts again, with the current key, the secrets that a previous SECRET_KEY encrypted. */
    async reseal(tx: Db): Promise<void> {
      for (const { id, secret } of await listSecrets(tx, table))
        if (secret !== null && sealer.isStale(secret))
          await replaceSecret(tx, table, { id, before: secret, secret: seal(id, open(id, secret)) })
    },
  }
}
