import type { CalendarTarget } from '../../features/calendar-accounts/calendar-server.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/outbound.ts'
import { noCalendars, refusedWith, senseless, toFailure } from './failures.ts'
import { mayCarrySecret, readHref } from './hrefs.ts'
import { type Multistatus, readMultistatus } from './multistatus.ts'
import { createSignIn } from './sign-in.ts'
import { readXml, type XmlElement } from './xml.ts'

const TIMEOUT_MS = 60_000
const LARGEST_ANSWER = 32 * 1024 * 1024
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

export interface DavRequest {
  method: 'PROPFIND' | 'REPORT' | 'GET' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
}

export interface DavAnswer {
  status: number
  headers: Headers
  /** The address that answered. */
  url: string
  text: string
}

export interface Conversation {
  /** The answer, whatever its status; only a password that is not accepted is a failure already here. */
  ask(request: DavRequest, signal: AbortSignal): Promise<DavAnswer>
  /** What an answer of the status 207 says. */
  multistatus(answer: DavAnswer): Promise<Multistatus>
  /** The failure that an answer is. */
  refusal(answer: DavAnswer): Promise<Error>
  /** An address that a server has named, if it may be asked there with the password. */
  allowed(url: URL | undefined): URL
  /** Where it began. */
  start: URL
}

/** RFC 4791 §5.3.2.1, RFC 6578 §3.2, RFC 3744 §7.1.1, RFC 4331 §6: names that are safe to repeat, unlike a server's own words. */
const CONDITIONS = [
  'valid-sync-token',
  'no-uid-conflict',
  'supported-calendar-data',
  'valid-calendar-data',
  'valid-calendar-object-resource',
  'supported-calendar-component',
  'max-resource-size',
  'min-date-time',
  'max-date-time',
  'max-instances',
  'max-attendees-per-instance',
  'need-privileges',
  'quota-not-exceeded',
  'sufficient-disk-space',
]

/** The condition that was not met (RFC 4918 §16). */
export const readCondition = async ({ text }: DavAnswer): Promise<string | undefined> => {
  const root: XmlElement | undefined = await readXml(text).catch(() => undefined)
  const named = root?.name === '{DAV:}error' ? root.children.map(({ name }) => name.replace(/^.*\}/, '')) : []
  return CONDITIONS.find((condition) => named.includes(condition))
}

/** One person's requests to one server. The password goes to the host that it was given for, and to no other. */
export const createConversation = (
  outbound: Pick<Outbound, 'fetch'>,
  target: CalendarTarget,
): Conversation => {
  const start = readHref(target.url, target.url)
  if (!start) throw noCalendars('The address', 'not an http or https address')
  const signIn = createSignIn(target)

  const allowed: Conversation['allowed'] = (to) => {
    if (!to) throw senseless(start.hostname, 'an address that is none')
    if (!mayCarrySecret(start, to)) throw noCalendars(start.hostname, `leads to ${to.origin}`)
    return to
  }

  const send = async (to: URL, { method, headers, body }: DavRequest, signal: AbortSignal) => {
    try {
      const answer: OutboundResponse = await outbound.fetch(to.href, {
        method,
        headers: {
          authorization: signIn.headerFor(method, to),
          ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        ...{ trust: 'typed', timeoutMs: TIMEOUT_MS, maxBytes: LARGEST_ANSWER, maxRedirects: 0, signal },
      })
      return { status: answer.status, headers: answer.headers, url: to.href, text: await answer.text() }
    } catch (error) {
      throw toFailure(to.hostname, error)
    }
  }

  return {
    start,
    allowed,

    async ask(request, signal) {
      let to = allowed(readHref(request.url, start.href))
      for (let redirects = 0; ; redirects++) {
        let answer = await send(to, request, signal)
        if (answer.status === 401 && signIn.hear(answer.headers.get('www-authenticate')))
          answer = await send(to, request, signal)
        if (answer.status === 401) throw refusedWith(to.hostname, 401)
        const location = REDIRECTS.includes(answer.status) ? answer.headers.get('location') : null
        if (location === null) return answer
        if (redirects === MOST_REDIRECTS) throw noCalendars(to.hostname, 'redirects without end')
        to = allowed(readHref(location, to.href))
      }
    },

    async multistatus(answer) {
      const { hostname } = new URL(answer.url)
      const root = await readXml(answer.text).catch((error) => {
        throw senseless(hostname, 'an answer that is no XML', error)
      })
      const found = readMultistatus(root, answer.url)
      if (!found) throw senseless(hostname, 'an answer that is no multistatus')
      return found
    },

    async refusal(answer) {
      return refusedWith(new URL(answer.url).hostname, answer.status, await readCondition(answer))
    },
  }
}
