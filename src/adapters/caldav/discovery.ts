import type { RemoteCalendar } from '../../features/calendar-accounts/calendar-server.ts'
import { AppError } from '../../platform/errors.ts'
import { quote } from '../../platform/outbound/steps.ts'
import type { Conversation } from './conversation.ts'
import { noCalendars, refusedWith } from './failures.ts'
import { asCollection, readHref } from './hrefs.ts'
import type { DavResponse } from './multistatus.ts'
import { propfind } from './requests.ts'
import { childOf, childrenOf } from './xml.ts'

const CALDAV = '{urn:ietf:params:xml:ns:caldav}'

const OF_CALENDARS = [
  'd:resourcetype',
  'd:displayname',
  'd:current-user-privilege-set',
  'c:supported-calendar-component-set',
  'a:calendar-color',
]
const ON_THE_WAY = ['d:current-user-principal', 'c:calendar-home-set', ...OF_CALENDARS]

/** Each may have several homes; nobody has this many. */
const MOST_HOMES = 10
const MOST_CALENDARS = 1_000

const isCalendar = ({ properties }: DavResponse): boolean => {
  if (!childOf(properties.get('{DAV:}resourcetype'), `${CALDAV}calendar`)) return false
  // RFC 4791 §5.2.3: one that says nothing takes everything.
  const components = properties.get(`${CALDAV}supported-calendar-component-set`)
  const names = childrenOf(components, `${CALDAV}comp`).map(({ attributes }) =>
    attributes.name?.toUpperCase(),
  )
  return names.length === 0 || names.includes('VEVENT')
}

/** RFC 3744 §5.4; who may write only its properties or its access list may not write events. */
const isWritable = ({ properties }: DavResponse): boolean => {
  const privileges = properties.get('{DAV:}current-user-privilege-set')
  if (!privileges) return true
  const granted = childrenOf(privileges, '{DAV:}privilege').flatMap(({ children }) => children)
  return granted.some(({ name }) => ['{DAV:}all', '{DAV:}write', '{DAV:}write-content'].includes(name))
}

/** As Apple's programs write it: with how much shines through, which is nobody's business here. */
const readColour = (text: string | undefined): string | null =>
  /^#[0-9a-f]{6}(?=([0-9a-f]{2})?$)/i.exec(text?.trim() ?? '')?.[0]?.toLowerCase() ?? null

const lastName = (url: URL): string => {
  const segment = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const readCalendar = (response: DavResponse, url: URL): RemoteCalendar => ({
  href: asCollection(url).href,
  name: quote(response.properties.get('{DAV:}displayname')?.text) ?? quote(lastName(url)) ?? url.hostname,
  colour: readColour(response.properties.get('{http://apple.com/ns/ical/}calendar-color')?.text),
  isWritable: isWritable(response),
})

/** A web site may do what it likes at most of its addresses, and have calendars at another. */
const isOfOnePlace = (error: unknown): boolean => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  return failure?.step === 'select' || (failure?.step === 'command' && failure.reason === 'other')
}

/** RFC 6764 §6, RFC 5397 and RFC 4791 §6.2.1: from any address of a server to the calendars of whoever signs in. */
export const findCalendars = async (
  conversation: Conversation,
  signal: AbortSignal,
): Promise<RemoteCalendar[]> => {
  const { start, allowed } = conversation

  /** What an address says of itself and of what lies in it; undefined where it does not speak WebDAV. */
  const look = async (url: URL, depth: 0 | 1) => {
    const answer = await propfind(conversation, url, depth, depth ? OF_CALENDARS : ON_THE_WAY, signal)
    if ((answer.status >= 500 && answer.status !== 501) || answer.status === 429)
      throw await conversation.refusal(answer)
    if (answer.status !== 207) return undefined
    const { responses } = await conversation.multistatus(answer)
    return { responses, url: answer.url }
  }

  const calendarsIn = async (url: URL): Promise<RemoteCalendar[]> => {
    const found = (await look(asCollection(url), 1))?.responses.filter(isCalendar) ?? []
    return found.slice(0, MOST_CALENDARS).map((response) => readCalendar(response, allowed(response.url)))
  }

  const addressesIn = (response: DavResponse, name: string, base: string): URL[] =>
    childrenOf(response.properties.get(name), '{DAV:}href').map(({ text }) => allowed(readHref(text, base)))

  /** The homes that an address leads to, or the calendar that it is itself. */
  const follow = async (url: URL, isPrincipal = false): Promise<RemoteCalendar[] | undefined> => {
    const found = await look(url, 0)
    const response = found?.responses[0]
    if (!found || !response) return undefined
    if (isCalendar(response)) return [readCalendar(response, allowed(response.url))]
    const homes = addressesIn(response, `${CALDAV}calendar-home-set`, found.url).slice(0, MOST_HOMES)
    if (homes.length > 0) {
      const calendars: RemoteCalendar[] = []
      for (const home of homes) calendars.push(...(await calendarsIn(home)))
      return [...new Map(calendars.map((calendar) => [calendar.href, calendar])).values()]
    }
    const principal = '{DAV:}current-user-principal'
    if (childOf(response.properties.get(principal), '{DAV:}unauthenticated'))
      throw refusedWith(url.hostname, 401)
    const [next] = isPrincipal ? [] : addressesIn(response, principal, found.url)
    return next && follow(next, true)
  }

  let failure: unknown
  const candidates = [start.href, new URL('/.well-known/caldav', start).href, new URL('/', start).href]
  for (const url of new Set(candidates)) {
    try {
      const calendars = await follow(new URL(url))
      if (calendars && calendars.length > 0) return calendars
      if (calendars) failure = noCalendars(start.hostname, 'no calendar for events')
    } catch (error) {
      if (!isOfOnePlace(error)) throw error
      failure ??= error
    }
  }
  // A home that says nothing of whose it is.
  const calendars = failure ? [] : await calendarsIn(start)
  if (calendars.length === 0) throw failure ?? noCalendars(start.hostname, 'nothing that speaks CalDAV')
  return calendars
}
