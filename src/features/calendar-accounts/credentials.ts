import type { Sealer } from '../../platform/secrets/seal.ts'
import type { CalendarTarget } from './calendar-server.ts'
import type { AccountRecord } from './store.ts'
import type { PublishedTarget } from './sync/published-file.ts'

/** What is sealed with an account. */
export interface AccountSecret {
  password: string
}

const contextOf = (accountId: string): string => `calendar_accounts.secret:${accountId}`

export const sealSecret = (sealer: Sealer, accountId: string, secret: AccountSecret): string =>
  sealer.seal(JSON.stringify(secret), contextOf(accountId))

export const openSecret = (sealer: Sealer, accountId: string, sealed: string): AccountSecret =>
  JSON.parse(sealer.open(sealed, contextOf(accountId))) as AccountSecret

type Addressed = Pick<AccountRecord, 'id' | 'url' | 'username' | 'secret'>

/** What a published file is fetched with. */
export const fileTarget = (sealer: Sealer, { id, url, username, secret }: Addressed): PublishedTarget => ({
  url,
  login:
    username === null || secret === null
      ? null
      : { username, password: openSecret(sealer, id, secret).password },
})

/** What a server is called with. An account that was brought back without its password has an empty one. */
export const serverTarget = (sealer: Sealer, account: Addressed): CalendarTarget => {
  const { url, login } = fileTarget(sealer, account)
  return { url, username: login?.username ?? '', password: login?.password ?? '' }
}
