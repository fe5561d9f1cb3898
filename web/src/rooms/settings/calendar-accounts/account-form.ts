import type { Shape } from '../../../api/client.ts'

export type CalendarAccount = Shape<'CalendarAccount'>
export type Kind = CalendarAccount['kind']

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

/** What a form for an account asks for, as the API wants it. A password is taken as it is, spaces included. */
export const readAccount = (values: FormData, kind: Kind): Shape<'NewCalendarAccount'> => {
  const [url = '', username, name] = ['url', 'username', 'name'].map((field) => text(values, field))
  const password = String(values.get('password') ?? '')
  return { kind, url, ...(username && { username }), ...(password && { password }), ...(name && { name }) }
}

/** Whether the password has to be given again: a secret goes only where it was given for. */
export const asksForPassword = (values: FormData, account: CalendarAccount): boolean => {
  const { url, username } = readAccount(values, account.kind)
  return username !== undefined && (url !== account.url || username !== account.username)
}

/** What a changed form wishes: a password that was left empty stays as it is, where it may. */
export const readChange = (values: FormData, account: CalendarAccount): Shape<'CalendarAccountChange'> => {
  const { url, username = null, password, name } = readAccount(values, account.kind)
  const chosen = values.get('newEventsCalendarId')
  return {
    name: name ?? account.name,
    enabled: values.get('enabled') !== null,
    ...(account.kind === 'caldav' && { receivesNew: values.get('receivesNew') !== null }),
    ...(chosen !== null && { newEventsCalendarId: chosen === '' ? null : Number(chosen) }),
    ...(url !== account.url && { url }),
    ...(username !== account.username && { username }),
    ...(password !== undefined && { password }),
  }
}
