import type { Instance } from './instance.ts'
import { PASSWORD, register } from './people.ts'

export interface DavAccount {
  id: number
  email: string
  /** The token of a session, for the API. */
  token: string
  /** The credentials of a DAV client. */
  password: string
}

/** Creates accounts whose name is their address, each with a password for DAV clients. */
export const startDavAccounts = async (
  instance: Instance,
  count: number,
  name = 'user',
): Promise<DavAccount[]> => {
  const accounts: DavAccount[] = []
  for (let number = 1; number <= count; number++) {
    const email = `${name}0${number}@example.com`
    const { id, token } = await register(instance, { email, name: email })
    const access = { calendars: 'write', tasks: 'write', contacts: 'write' }
    const given = { name: 'Phone', access, invitations: 'no', password: PASSWORD }
    const { body } = await instance.post('/api/settings/app-passwords', given, { token })
    accounts.push({ id, email, token, password: body.password })
  }
  return accounts
}

/** The options of the conformance suite for an instance. */
export const judgeOptions = (instance: Instance, accounts: readonly DavAccount[]): string[] => [
  '--url',
  `${instance.url}/dav/`,
  '--users',
  accounts.map(({ email, password }) => `${email}:${password}`).join(','),
  '--emails',
  '{user}',
  '--principal',
  '/dav/principals/{user}/',
  '--calendar-home',
  '/dav/calendars/{user}/',
  '--addressbook-home',
  '/dav/addressbooks/{user}/',
]

export interface DavReply {
  status: number
  headers: Headers
  text: string
}

/** Sends a request as a DAV client. A path without a leading slash is below the calendars of the account. */
export const createDavClient = (instance: Instance, { email, password }: DavAccount) => {
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
  return async (
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | Uint8Array; headers?: Record<string, string> } = {},
  ): Promise<DavReply> => {
    const url = `${instance.url}${path.startsWith('/') ? path : `/dav/calendars/${email}/${path}`}`
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { authorization, ...headers },
      ...(body !== undefined && { body: body as string }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}
