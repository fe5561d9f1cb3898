import { invalidField } from '../../platform/errors.ts'
import { normaliseHost } from '../../platform/outbound/addresses.ts'
import { isShortened } from './address.ts'
import type { AccountRecord } from './store.ts'

export interface AccountWish {
  kind: AccountRecord['kind']
  url: string
  username?: string
  password?: string
  name?: string
  enabled?: boolean
  receivesNew?: boolean
}

export interface AccountChange extends Omit<Partial<AccountWish>, 'kind' | 'username'> {
  username?: string | null
  calendars?: { id: number; followed: boolean }[]
  newEventsCalendarId?: number | null
}

/** As programs write such addresses; https, since a password or a secret address goes there. */
const WEBCAL = /^webcals?:(?=\/\/)/i

export const readUrl = (given: string): string => {
  if (isShortened(given.trim()))
    throw invalidField('url', 'must be the whole address: this is what is shown of it')
  const url = URL.parse(given.trim().replace(WEBCAL, 'https:'))
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalidField('url', 'must be an address that begins with https://, http:// or webcal://')
  if (url.username !== '' || url.password !== '')
    throw invalidField('url', 'must not have a user name or password in it: give them by their own names')
  if (normaliseHost(url.hostname) === undefined) throw invalidField('url', 'must name a server')
  url.hash = ''
  return url.href
}

/** Both or neither; a server asks for both. */
export const readLogin = (
  kind: AccountRecord['kind'],
  username: string | null,
  password: string | null,
): { username: string; password: string } | null => {
  if (username === null && (kind === 'caldav' || password !== null))
    throw invalidField('username', kind === 'caldav' ? 'is missing' : 'is missing, beside the password')
  if (username === null) return null
  if (password === null) throw invalidField('password', 'is missing')
  return { username, password }
}

export const refuseToReceive = (kind: AccountRecord['kind']): void => {
  if (kind === 'ics') throw invalidField('receivesNew', 'must be false: a calendar file is only read')
}
