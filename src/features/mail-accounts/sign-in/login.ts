import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import { type AccountSecret, imapTarget, openSecret, sealSecret, smtpTarget } from '../credentials.ts'
import type { MailTarget } from '../servers.ts'
import { type AccountRecord, findAccount, replaceSecret } from '../store.ts'
import { findOauthProvider, type OauthSettings } from './providers.ts'
import { isDue, signedOut, type TokenDesk } from './tokens.ts'

/** Opens an account's secret where it is used, with a token that is good for a while. */
export const createLogins = (deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  settings: OauthSettings
  tokenDesk: TokenDesk
}) => {
  const { db, clock, sealer } = deps

  const freshSecret = async (account: AccountRecord): Promise<AccountSecret> => {
    const secret = openSecret(sealer, account)
    if ('password' in secret || !isDue(secret, clock)) return secret
    const provider =
      account.signIn === 'password' ? undefined : findOauthProvider(deps.settings, account.signIn)
    if (!provider) throw signedOut(new Error('The client id of the provider is no longer set.'))
    const renewed = await deps.tokenDesk.renew(provider, secret)
    const sealed = sealSecret(sealer, account.id, renewed)
    const isKept = await inTransaction(db, (tx) => replaceSecret(tx, account.id, account.secret, sealed))
    if (isKept) return renewed
    // Another has renewed it at the same time, and some providers then void the older one.
    const current = await findAccount(db, account.id)
    return current ? openSecret(sealer, current) : renewed
  }

  return {
    imap: async (account: AccountRecord): Promise<MailTarget> =>
      imapTarget(account, await freshSecret(account)),
    smtp: async (account: AccountRecord): Promise<MailTarget> =>
      smtpTarget(account, await freshSecret(account)),
  }
}

export type Logins = ReturnType<typeof createLogins>
