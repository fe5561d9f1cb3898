import type {
  OpenCalendarServer,
  RemoteCalendar,
  RemoteChanges,
  RemoteObject,
  Replacing,
  Written,
} from '../../features/calendar/remote/calendar-server.ts'
import { AppError } from '../../platform/errors.ts'
import { textOf } from '../../platform/outbound/foreign.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { quote } from '../../platform/outbound/steps.ts'
import { childOf, childrenOf, escapeXml } from '../../platform/xml.ts'
import {
  asCollection,
  type Conversation,
  createConversation,
  type DavAnswer,
  type DavResponse,
  mayCarrySecret,
  noCalendars,
  readCondition,
  readEtag,
  readHref,
  refusedWith,
} from './webdav.ts'

/*
 * This client is our own, against the list of libraries. tsdav 2.3.4 parses XML in quadratic time: a
 * multistatus of 338 kB took 17 s, and takes 0.1 s here. It reads a truncated response as a complete one, so
 * events would be deleted. One missing object makes a whole multiget fail.
 */

const NAMESPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/"'

const document = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<${root} ${NAMESPACES}>${content}</${root}>`

const propElement = (properties: readonly string[]): string =>
  `<d:prop>${properties.map((name) => `<${name}/>`).join('')}</d:prop>`

/** Sends a query about a collection or its members. */
const query = (
  conversation: Conversation,
  method: 'PROPFIND' | 'REPORT',
  url: URL | string,
  depth: 0 | 1,
  body: string,
  signal: AbortSignal,
): Promise<DavAnswer> =>
  conversation.ask({ method, url: String(url), headers: { depth: String(depth) }, body }, signal)

/** RFC 4918 §9.1. */
const propfind = (
  conversation: Conversation,
  url: URL | string,
  depth: 0 | 1,
  properties: readonly string[],
  signal: AbortSignal,
): Promise<DavAnswer> =>
  query(conversation, 'PROPFIND', url, depth, document('d:propfind', propElement(properties)), signal)

/** RFC 6578 §3.2. */
const syncCollection = (
  conversation: Conversation,
  url: string,
  token: string | null,
  signal: AbortSignal,
): Promise<DavAnswer> => {
  const wanted = `<d:sync-token>${escapeXml(token ?? '')}</d:sync-token><d:sync-level>1</d:sync-level>`
  const body = document('d:sync-collection', wanted + propElement(['d:getetag', 'd:resourcetype']))
  return query(conversation, 'REPORT', url, 0, body, signal)
}

/** RFC 4791 §7.9. */
const multiget = (
  conversation: Conversation,
  url: string,
  hrefs: readonly string[],
  signal: AbortSignal,
): Promise<DavAnswer> => {
  // Send paths, as in the examples of the RFC. Servers behind a proxy may not know their own origin.
  const paths = hrefs.map((href) => {
    const { pathname, search } = new URL(href)
    return `<d:href>${escapeXml(pathname + search)}</d:href>`
  })
  const content = propElement(['d:getetag', 'c:calendar-data']) + paths.join('')
  return query(conversation, 'REPORT', url, 1, document('c:calendar-multiget', content), signal)
}

const CALDAV = '{urn:ietf:params:xml:ns:caldav}'

const CALENDAR_PROPERTIES = [
  'd:resourcetype',
  'd:displayname',
  'd:current-user-privilege-set',
  'c:supported-calendar-component-set',
  'a:calendar-color',
]
const DISCOVERY_PROPERTIES = [
  'd:current-user-principal',
  'c:calendar-home-set',
  'c:schedule-outbox-URL',
  ...CALENDAR_PROPERTIES,
]

/** Limits for hostile servers. A principal may have several calendar homes. */
const MAX_HOMES = 10
const MAX_CALENDARS = 1_000

const isCalendar = ({ properties }: DavResponse): boolean => {
  if (!childOf(properties.get('{DAV:}resourcetype'), `${CALDAV}calendar`)) return false
  // RFC 4791 section 5.2.3: a calendar without this property accepts all components.
  const components = properties.get(`${CALDAV}supported-calendar-component-set`)
  const names = childrenOf(components, `${CALDAV}comp`).map(({ attributes }) =>
    attributes.name?.toUpperCase(),
  )
  return names.length === 0 || names.includes('VEVENT')
}

/** RFC 3744 section 5.4. Permission to write properties or the access list does not include events. */
const isWritable = ({ properties }: DavResponse): boolean => {
  const privileges = properties.get('{DAV:}current-user-privilege-set')
  if (!privileges) return true
  const granted = childrenOf(privileges, '{DAV:}privilege').flatMap(({ children }) => children)
  return granted.some(({ name }) => ['{DAV:}all', '{DAV:}write', '{DAV:}write-content'].includes(name))
}

/** Removes the alpha channel that Apple's clients append to a color. */
const readColor = (text: string | undefined): string | null =>
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
  color: readColor(response.properties.get('{http://apple.com/ns/ical/}calendar-color')?.text),
  isWritable: isWritable(response),
})

/** True for failures of a single URL. Other URLs of the server may still have calendars. */
const isUrlSpecific = (error: unknown): boolean => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  return failure?.step === 'select' || (failure?.step === 'command' && failure.reason === 'other')
}

/**
 * Discovers the calendars of the user from any URL of a server (RFC 6764 section 6, RFC 5397, RFC 4791
 * section 6.2.1).
 */
const findCalendars = async (conversation: Conversation, signal: AbortSignal): Promise<RemoteCalendar[]> => {
  const { start, allowed } = conversation

  /** Reads the properties of a URL and, with depth 1, of its members. Returns undefined without WebDAV. */
  const readProperties = async (url: URL, depth: 0 | 1) => {
    const answer = await propfind(
      conversation,
      url,
      depth,
      depth ? CALENDAR_PROPERTIES : DISCOVERY_PROPERTIES,
      signal,
    )
    if ((answer.status >= 500 && answer.status !== 501) || answer.status === 429)
      throw await conversation.refusal(answer)
    if (answer.status !== 207) return undefined
    const { responses } = await conversation.multistatus(answer)
    return { responses, url: answer.url }
  }

  const calendarsIn = async (url: URL): Promise<RemoteCalendar[]> => {
    const found = (await readProperties(asCollection(url), 1))?.responses.filter(isCalendar) ?? []
    return found.slice(0, MAX_CALENDARS).map((response) => readCalendar(response, allowed(response.url)))
  }

  const addressesIn = (response: DavResponse, name: string, base: string): URL[] =>
    childrenOf(response.properties.get(name), '{DAV:}href').map(({ text }) => allowed(readHref(text, base)))

  /** Returns the calendar at a URL, or the calendars in the homes that it refers to. */
  const follow = async (url: URL, isPrincipal = false): Promise<RemoteCalendar[] | undefined> => {
    const found = await readProperties(url, 0)
    const response = found?.responses[0]
    if (!found || !response) return undefined
    if (isCalendar(response)) return [readCalendar(response, allowed(response.url))]
    const homes = addressesIn(response, `${CALDAV}calendar-home-set`, found.url).slice(0, MAX_HOMES)
    if (homes.length > 0) {
      const calendars: RemoteCalendar[] = []
      for (const home of homes) calendars.push(...(await calendarsIn(home)))
      // RFC 6638 section 2.1.1: only the principal of a server that schedules has this property.
      const schedules = addressesIn(response, `${CALDAV}schedule-outbox-URL`, found.url).length > 0
      return [
        ...new Map(
          calendars.map((calendar) => [calendar.href, { ...calendar, ...(schedules && { schedules }) }]),
        ).values(),
      ]
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
      if (!isUrlSpecific(error)) throw error
      failure ??= error
    }
  }
  // Try the URL itself as a calendar home, because some homes do not name a principal.
  const calendars = failure ? [] : await calendarsIn(start)
  if (calendars.length === 0) throw failure ?? noCalendars(start.hostname, 'no CalDAV service')
  return calendars
}

const MAX_BODY_LENGTH = 32 * 1024 * 1024
const MAX_PER_REQUEST = 50
const GONE = [404, 410]
const NOT_FOUND_STATUSES = [403, ...GONE]
/** Compression changes the ETag: Apache then recognizes neither variant, and nginx makes it weak. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' }

/** The resource exists, but the user may not change it. */
const NOT_WRITABLE = { step: 'command', reason: 'refused' } as const

const isOk = ({ status }: DavAnswer): boolean => status >= 200 && status < 300

const readOne = async (
  conversation: Conversation,
  href: string,
  signal: AbortSignal,
): Promise<RemoteObject | undefined> => {
  const answer = await conversation.ask({ method: 'GET', url: href, headers: UNCOMPRESSED }, signal)
  if (NOT_FOUND_STATUSES.includes(answer.status)) return undefined
  if (!isOk(answer)) throw await conversation.refusal(answer)
  return { href, etag: readEtag(answer.headers.get('etag')), body: textOf(answer.text, MAX_BODY_LENGTH) }
}

const etagOf = ({ properties }: Pick<DavResponse, 'properties'>): string =>
  readEtag(properties.get('{DAV:}getetag')?.text)

/** Reads several objects with one request. `open` contains those that the server did not mention. */
const readMany = async (
  conversation: Conversation,
  calendarHref: string,
  hrefs: readonly string[],
  signal: AbortSignal,
) => {
  const found: RemoteObject[] = []
  const open = new Set(hrefs)
  const answer = await multiget(conversation, calendarHref, hrefs, signal)
  if (answer.status !== 207) {
    if (answer.status >= 500 && answer.status !== 501) throw await conversation.refusal(answer)
    return { found, open }
  }
  for (const { url, status, properties } of (await conversation.multistatus(answer)).responses) {
    const { href } = conversation.allowed(url)
    const body = properties.get(`${CALDAV}calendar-data`)?.text
    if (!open.has(href)) continue
    if (body !== undefined)
      found.push({
        href,
        etag: etagOf({ properties }),
        body: textOf(body, MAX_BODY_LENGTH),
      })
    else if (status === undefined || !NOT_FOUND_STATUSES.includes(status)) continue
    open.delete(href)
  }
  return { found, open }
}

const readObjects = async (
  conversation: Conversation,
  calendarHref: string,
  hrefs: readonly string[],
  signal: AbortSignal,
): Promise<RemoteObject[]> => {
  const wanted = [...new Set(hrefs)]
  const objects: RemoteObject[] = []
  for (let from = 0; from < wanted.length; from += MAX_PER_REQUEST) {
    const some = wanted.slice(from, from + MAX_PER_REQUEST)
    const { found, open } = await readMany(conversation, calendarHref, some, signal)
    objects.push(...found)
    for (const href of open) {
      const object = await readOne(conversation, href, signal)
      if (object) objects.push(object)
    }
  }
  return objects
}

/**
 * Returns headers that prevent overwriting concurrent changes. Returns undefined if the object no longer
 * exists.
 */
const conditionFor = async (
  conversation: Conversation,
  href: string,
  etag: string,
  signal: AbortSignal,
): Promise<Record<string, string> | undefined> => {
  if (etag !== '') return { 'if-match': etag }
  const now = await readOne(conversation, href, signal)
  return now && (now.etag === '' ? {} : { 'if-match': now.etag })
}

/** Returns the final URL of a new object, because some servers choose the name. */
const placeOf = ({ headers, url }: DavAnswer): string => {
  const location = headers.get('location')
  const named = location === null ? undefined : readHref(location, url)
  return named && mayCarrySecret(new URL(url), named) ? named.href : url
}

const refusalToWrite = async (conversation: Conversation, answer: DavAnswer): Promise<Error> =>
  answer.status === 403
    ? refusedWith(new URL(answer.url).hostname, 403, await readCondition(answer), NOT_WRITABLE)
    : conversation.refusal(answer)

const writeObject = async (
  conversation: Conversation,
  href: string,
  body: string,
  replacing: Replacing,
  signal: AbortSignal,
): Promise<Written> => {
  const condition =
    replacing === 'nothing'
      ? { 'if-none-match': '*' }
      : await conditionFor(conversation, href, replacing.etag, signal)
  if (!condition) return { kind: 'changed' }
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...UNCOMPRESSED, ...condition }
  const answer = await conversation.ask({ method: 'PUT', url: href, headers, body }, signal)
  if (isOk(answer))
    return { kind: 'done', etag: readEtag(answer.headers.get('etag')) || null, href: placeOf(answer) }
  const isGone = replacing !== 'nothing' && GONE.includes(answer.status)
  // RFC 4791 section 5.3.2.1: the UID already exists under another name.
  const isElsewhere = async () => (await readCondition(answer)) === 'no-uid-conflict'
  if (answer.status === 412 || isGone || (await isElsewhere())) return { kind: 'changed' }
  throw await refusalToWrite(conversation, answer)
}

const removeObject = async (
  conversation: Conversation,
  href: string,
  etag: string,
  signal: AbortSignal,
): Promise<Written> => {
  const done: Written = { kind: 'done', etag: null, href }
  const headers = await conditionFor(conversation, href, etag, signal)
  if (!headers) return done
  const answer = await conversation.ask({ method: 'DELETE', url: href, headers }, signal)
  if (isOk(answer) || GONE.includes(answer.status)) return done
  if (answer.status === 412) return { kind: 'changed' }
  throw await refusalToWrite(conversation, answer)
}

/** Maximum number of pages of changes. A server with more is asked for a full listing. */
const MAX_PAGES = 500

const isCollection = (url: URL): boolean => url.pathname.endsWith('/')

/** Some servers report a deleted object as one without properties. */
const isGone = ({ status, properties }: DavResponse): boolean =>
  status === undefined ? properties.size === 0 : GONE.includes(status)

/** Adds the changes of a response to those collected so far. */
const collectChanges = (
  conversation: Conversation,
  responses: readonly DavResponse[],
  into: { changed: Map<string, string>; removed: Set<string> },
): void => {
  for (const response of responses) {
    const url = conversation.allowed(response.url)
    if (isCollection(url)) continue
    if (isGone(response)) {
      into.changed.delete(url.href)
      into.removed.add(url.href)
    } else {
      into.removed.delete(url.href)
      into.changed.set(url.href, etagOf(response))
    }
  }
}

const toList = (changed: ReadonlyMap<string, string>) => [...changed].map(([href, etag]) => ({ href, etag }))

/**
 * Requests changes since a sync token (RFC 6578). Returns undefined if the server does not support it or
 * rejects the token.
 */
const changesSince = async (
  conversation: Conversation,
  calendarHref: string,
  syncToken: string | null,
  signal: AbortSignal,
): Promise<RemoteChanges | undefined> => {
  const collected = { changed: new Map<string, string>(), removed: new Set<string>() }
  let token = syncToken
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await syncCollection(conversation, calendarHref, token, signal)
    if (answer.status !== 207) {
      const isUnable = (answer.status < 500 && answer.status !== 429) || [501, 507].includes(answer.status)
      if (isUnable) return undefined
      throw await conversation.refusal(answer)
    }
    const { responses, syncToken: next } = await conversation.multistatus(answer)
    collectChanges(conversation, responses, collected)
    // RFC 6578 section 3.6: status 507 marks a truncated result.
    const isCutOff = responses.some(({ status }) => status === 507)
    if (!isCutOff) {
      const isWhole = syncToken === null
      const removed = isWhole ? [] : [...collected.removed]
      return { changed: toList(collected.changed), removed, isWhole, syncToken: next }
    }
    if (next === null || next === token) return undefined
    token = next
  }
  return undefined
}

const listAll = async (
  conversation: Conversation,
  calendarHref: string,
  signal: AbortSignal,
): Promise<RemoteChanges> => {
  const answer = await propfind(conversation, calendarHref, 1, ['d:getetag', 'd:resourcetype'], signal)
  if (answer.status !== 207) throw await conversation.refusal(answer)
  const collected = { changed: new Map<string, string>(), removed: new Set<string>() }
  collectChanges(conversation, (await conversation.multistatus(answer)).responses, collected)
  return { changed: toList(collected.changed), removed: [], isWhole: true, syncToken: null }
}

const findChanges = async (
  conversation: Conversation,
  calendarHref: string,
  syncToken: string | null,
  signal: AbortSignal,
): Promise<RemoteChanges> =>
  (syncToken === null ? undefined : await changesSince(conversation, calendarHref, syncToken, signal)) ??
  (await changesSince(conversation, calendarHref, null, signal)) ??
  (await listAll(conversation, calendarHref, signal))

/** Creates a CalDAV client (RFC 4791). All requests go through the guarded client. */
export const createCalDav =
  (outbound: Pick<Outbound, 'fetch'>): OpenCalendarServer =>
  (target) => {
    const conversation = createConversation(outbound, target)
    return {
      calendars: (signal) => findCalendars(conversation, signal),
      changes: (calendarHref, syncToken, signal) =>
        findChanges(conversation, calendarHref, syncToken, signal),
      read: (calendarHref, hrefs, signal) => readObjects(conversation, calendarHref, hrefs, signal),
      write: (href, body, replacing, signal) => writeObject(conversation, href, body, replacing, signal),
      remove: (href, etag, signal) => removeObject(conversation, href, etag, signal),
    }
  }
