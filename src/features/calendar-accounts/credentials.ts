import { conflict } from '../../platform/errors.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { isShortened, shorten } from './address.ts'
import type { CalendarTarget } from './calendar-server.ts'
import type { AccountRecord } from './store.ts'
import type { PublishedTarget } from './sync/published-file.ts'

/** What is sealed with an account. */
export interface AccountSecret {
  password?: string
  /** Of a published file: whoever knows it may read the calendar. */
  url?: string
}

const contextOf = (accountId: string): string => `calendar_accounts.secret:${accountId}`

export const sealSecret = (sealer: Sealer, accountId: string, secret: AccountSecret): string =>
  sealer.seal(JSON.stringify(secret), contextOf(accountId))

export const openSecret = (sealer: Sealer, accountId: string, sealed: string): AccountSecret =>
  JSON.parse(sealer.open(sealed, contextOf(accountId))) as AccountSecret

type Login = { username: string; password: string } | null

/** How an account is kept: its password sealed, and the address of a file too, of which the rest shows the server. */
export const keptLogin = (
  sealer: Sealer,
  { id, kind }: Pick<AccountRecord, 'id' | 'kind'>,
  { url, login }: { url: string; login: Login },
): Pick<AccountRecord, 'url' | 'username' | 'secret'> => {
  const username = login?.username ?? null
  const password = login && { password: login.password }
  if (kind === 'caldav') return { url, username, secret: password && sealSecret(sealer, id, password) }
  return { url: shorten(url), username, secret: sealSecret(sealer, id, { url, ...password }) }
}

type Addressed = Pick<AccountRecord, 'id' | 'kind' | 'url' | 'username' | 'secret'>

/** Undefined where it came without, as from an export, or was sealed with a key that is lost. */
export const knownAddress = (sealer: Sealer, { id, url, secret }: Addressed): string | undefined => {
  if (!isShortened(url)) return url
  return secret !== null && sealer.opens(secret) ? openSecret(sealer, id, secret).url : undefined
}

/** What a published file is fetched with. */
export const fileTarget = (sealer: Sealer, account: Addressed): PublishedTarget => {
  const { id, username, secret } = account
  const opened = secret === null ? {} : openSecret(sealer, id, secret)
  const url = knownAddress(sealer, account)
  if (url === undefined) throw conflict('The address of this calendar is not kept here: give it again.')
  return { url, login: username === null ? null : { username, password: opened.password ?? '' } }
}

/** What a server is called with. An account that was brought back without its password has an empty one. */
export const serverTarget = (sealer: Sealer, account: Addressed): CalendarTarget => {
  const { url, login } = fileTarget(sealer, account)
  return { url, username: login?.username ?? '', password: login?.password ?? '' }
}
