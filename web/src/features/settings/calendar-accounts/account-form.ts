import type { Shape } from '../../../api/client.ts'
import { readText } from '../../../ui/form-values.ts'

export type CalendarAccount = Shape<'CalendarAccount'>
export type Kind = CalendarAccount['kind']

/** Converts the account form to a request body. Passwords are not trimmed. */
export const readAccount = (values: FormData, kind: Kind): Shape<'NewCalendarAccount'> => {
  const [url = '', username, name] = ['url', 'username', 'name'].map((field) => readText(values, field))
  const password = String(values.get('password') ?? '')
  return { kind, url, ...(username && { username }), ...(password && { password }), ...(name && { name }) }
}

/**
 * Whether the password is required again. A stored password must not be sent to another server or for another
 * user.
 */
export const asksForPassword = (values: FormData, account: CalendarAccount): boolean => {
  if (account.signIn !== 'password') return false
  const { url, username } = readAccount(values, account.kind)
  return username !== undefined && (url !== account.url || username !== account.username)
}

/** Converts the edit form to a change. An empty password field keeps the stored password. */
export const readChange = (values: FormData, account: CalendarAccount): Shape<'CalendarAccountChange'> => {
  const { url, username = null, password, name } = readAccount(values, account.kind)
  const chosen = values.get('newEventsCalendarId')
  return {
    name: name ?? account.name,
    enabled: values.get('enabled') !== null,
    ...(account.kind === 'caldav' && { receivesNew: values.get('receivesNew') !== null }),
    ...(chosen !== null && { newEventsCalendarId: chosen === '' ? null : Number(chosen) }),
    ...(account.signIn === 'password' && {
      ...(url !== account.url && { url }),
      ...(username !== account.username && { username }),
      ...(password !== undefined && { password }),
    }),
  }
}
