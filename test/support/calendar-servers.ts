import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { describe } from 'vitest'
import type { PasswordTarget } from '../../src/features/calendar/remote/calendar-server.ts'
import { escapeXml } from '../../src/platform/xml.ts'

interface Radicale {
  url: string
  /** A file with a line `name:password` per user. */
  users: string
  keeper: { username: string; password: string }
}

const given = process.env.TEST_RADICALE ? (JSON.parse(process.env.TEST_RADICALE) as Radicale) : undefined

/** Returns the calendar server of the test run. */
export const radicale = (): Radicale => {
  if (!given) throw new Error('There is no calendar server to test against.')
  return given
}

export const hasRadicale = given !== undefined

export const withRadicale = (title: string, tests: () => void): void => {
  describe.skipIf(!given)(title, tests)
}

/** Creates a new user without calendars. */
export const newCalendarUser = (name = 'person'): PasswordTarget => {
  const { url, users } = radicale()
  const username = `${name}-${randomBytes(5).toString('hex')}@example.test`
  const password = `päss:${randomBytes(5).toString('hex')}`
  appendFileSync(users, `${username}:${password}\n`)
  return { url, username, password }
}

type Person = Pick<PasswordTarget, 'username' | 'password'>

/** Sends a request like another calendar program. */
export const sendCaldavRequest = async (
  { username, password }: Person,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Response> => {
  const answer = await fetch(new URL(path, radicale().url), {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

interface NewCalendar {
  name?: string
  color?: string
  components?: string[]
}

/** Creates a calendar (RFC 4791 §5.3.1) and returns its address. */
export const makeCalendar = async (
  person: Person,
  slug: string,
  { name, color, components = ['VEVENT'] }: NewCalendar = {},
  /** The user who sends the request. */
  by: Person = person,
): Promise<string> => {
  const path = `/${encodeURIComponent(person.username)}/${encodeURIComponent(slug)}/`
  const body = `<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/">
<D:set><D:prop>${name === undefined ? '' : `<D:displayname>${escapeXml(name)}</D:displayname>`}
${color === undefined ? '' : `<A:calendar-color>${color}</A:calendar-color>`}
<C:supported-calendar-component-set>${components.map((kind) => `<C:comp name="${kind}"/>`).join('')}</C:supported-calendar-component-set>
</D:prop></D:set></C:mkcalendar>`
  await sendCaldavRequest(by, 'MKCALENDAR', path, { headers: { 'content-type': 'application/xml' }, body })
  return new URL(path, radicale().url).href
}

/** Creates an event like another program. */
export const remoteEvent = (uid: string, summary = 'Lunch', more = ''): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Another program//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260302T100000Z',
    'DTSTART:20260310T120000Z',
    'DTEND:20260310T130000Z',
    `SUMMARY:${summary}`,
    ...(more === '' ? [] : [more]),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
