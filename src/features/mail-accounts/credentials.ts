import type { Sealer } from '../../platform/secrets/seal.ts'
import type { MailLogin, MailServer, MailTarget } from './servers.ts'
import type { AccountRecord } from './store.ts'

/** What is sealed with an account. */
export type AccountSecret =
  | { password: string; smtpPassword: string | null }
  | { refreshToken: string; accessToken: string; expiresAt: string }

const contextOf = (accountId: string): string => `mail_accounts.secret:${accountId}`

export const sealSecret = (sealer: Sealer, accountId: string, secret: AccountSecret): string =>
  sealer.seal(JSON.stringify(secret), contextOf(accountId))

export const openSecret = (sealer: Sealer, account: Pick<AccountRecord, 'id' | 'secret'>): AccountSecret =>
  JSON.parse(sealer.open(account.secret, contextOf(account.id))) as AccountSecret

export const serverOf = (text: string): MailServer => JSON.parse(text) as MailServer

const loginOf = (user: string, secret: AccountSecret, password: string | null): MailLogin =>
  'password' in secret
    ? { kind: 'password', user, password: password ?? secret.password }
    : { kind: 'oauth', user, accessToken: secret.accessToken }

type Addressed = Pick<AccountRecord, 'imap' | 'smtp' | 'username' | 'smtpUsername'>

export const imapTarget = (account: Addressed, secret: AccountSecret): MailTarget => ({
  server: serverOf(account.imap),
  login: loginOf(account.username, secret, null),
})

export const smtpTarget = (account: Addressed, secret: AccountSecret): MailTarget => ({
  server: serverOf(account.smtp),
  login: loginOf(
    account.smtpUsername ?? account.username,
    secret,
    'password' in secret ? secret.smtpPassword : null,
  ),
})
