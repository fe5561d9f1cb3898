import { createHash } from 'node:crypto'
import type { CalendarTarget, TokenTarget } from '../../features/calendar/remote/calendar-server.ts'
import { AppError, type StepFailure } from '../../platform/errors.ts'
import { textOf } from '../../platform/outbound/foreign.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/port.ts'
import { failedAt, socketFailure } from '../../platform/outbound/steps.ts'
import { systemRandom } from '../../platform/random.ts'
import { childOf, childrenOf, readXml, type XmlElement } from '../../platform/xml.ts'

/** Providers that assign each user to one of many hosts and name it in the first response. */
const MULTI_HOST_PROVIDERS = ['.icloud.com']

const isAt = (domain: string, url: URL): boolean =>
  url.protocol === 'https:' && url.port === '' && url.hostname.endsWith(domain)

/**
 * True if a password for one URL may be sent to another. Allowed are the same origin and an upgrade from http
 * to https on the same host. Hosts of a provider in `MULTI_HOST_PROVIDERS` are allowed too.
 */
export const mayCarrySecret = (given: URL, to: URL): boolean =>
  to.origin === given.origin ||
  (to.protocol === 'https:' && given.port === '' && to.port === '' && to.hostname === given.hostname) ||
  MULTI_HOST_PROVIDERS.some((domain) => isAt(domain, given) && isAt(domain, to))

const normaliseSegment = (segment: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    // Not valid UTF-8, so keep the server's encoding.
    return segment.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
  }
}

/**
 * Resolves and normalizes a URL: servers write "@" in one response and "%40" in the next. Returns undefined
 * if it is invalid.
 */
export const readHref = (href: string, base: string): URL | undefined => {
  const url = URL.parse(href.trim(), base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.username = url.password = url.hash = ''
  url.pathname = url.pathname.split('/').map(normaliseSegment).join('/')
  return url
}

/** Adds the trailing slash of a collection (RFC 4918 section 5.2), which some servers omit. */
export const asCollection = (url: URL): URL => {
  const collection = new URL(url)
  if (!collection.pathname.endsWith('/')) collection.pathname += '/'
  return collection
}

/** RFC 4918 section 14.24, with the properties that were found. */
export interface DavResponse {
  /** Undefined if the href is invalid. */
  url: URL | undefined
  /** Status of the whole response. Undefined if each property has its own. */
  status: number | undefined
  /** Keyed by `{namespace}local`. */
  properties: ReadonlyMap<string, XmlElement>
}

interface Multistatus {
  responses: DavResponse[]
  /** RFC 6578 section 6.2. */
  syncToken: string | null
}

const MAX_TOKEN_LENGTH = 2_000

/** Parses a status line such as "HTTP/1.1 200 OK". */
const readStatus = (element: XmlElement | undefined): number | undefined => {
  const digits = /^\s*HTTP\/[\d.]+\s+(\d{3})/i.exec(element?.text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const readProperties = (response: XmlElement): Map<string, XmlElement> => {
  const found = new Map<string, XmlElement>()
  for (const part of childrenOf(response, '{DAV:}propstat')) {
    const status = readStatus(childOf(part, '{DAV:}status')) ?? 200
    if (status >= 300) continue
    for (const property of childOf(part, '{DAV:}prop')?.children ?? []) found.set(property.name, property)
  }
  return found
}

const readToken = (root: XmlElement): string | null => {
  const token = childOf(root, '{DAV:}sync-token')?.text.trim() ?? ''
  return token === '' || textOf(token, MAX_TOKEN_LENGTH) !== token ? null : token
}

/** `base` is the URL of the response. Returns undefined for other documents. */
const readMultistatus = (root: XmlElement, base: string): Multistatus | undefined => {
  if (root.name !== '{DAV:}multistatus') return undefined
  const responses = childrenOf(root, '{DAV:}response').flatMap((response) => {
    const status = readStatus(childOf(response, '{DAV:}status'))
    const properties = readProperties(response)
    // A response may contain several hrefs that share one result.
    return childrenOf(response, '{DAV:}href').map(({ text }) => ({
      url: readHref(text, base),
      status,
      properties,
    }))
  })
  return { responses, syncToken: readToken(root) }
}

/**
 * Returns a strong ETag as sent. A weak ETag cannot be used with If-Match (RFC 9110 section 8.8.3.2), so it
 * is ignored.
 */
export const readEtag = (text: string | null | undefined): string => {
  const etag = text?.trim() ?? ''
  return /^[!-~]{1,1000}$/.test(etag) && !etag.startsWith('W/') ? etag : ''
}

type Where = Pick<StepFailure, 'step' | 'reason'>

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const whereOf = (error: AppError): Where => {
  const code = codeOf(error.cause)
  if (error.kind === 'invalid') return { step: 'dns', reason: 'forbidden_address' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { step: 'dns', reason: 'unknown_host' }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { step: 'connect', reason: 'timeout' }
  if (error.code === 'upstream_timeout' && code === '') return { step: 'command', reason: 'timeout' }
  if (code === 'UND_ERR_SOCKET') return { step: 'command', reason: 'closed' }
  return socketFailure({ code }) ?? { step: 'command', reason: 'other' }
}

/**
 * Converts an error of the guarded client to a step and a reason. Returns other errors, such as aborts,
 * unchanged.
 */
export const toFailure = (host: string, error: unknown): unknown =>
  error instanceof AppError && (error.kind === 'upstream' || error.kind === 'invalid')
    ? failedAt(host, whereOf(error), error)
    : error

const BUSY = [408, 423, 425, 429]

const whereRefused = (status: number): Where => {
  if (status === 401) return { step: 'login', reason: 'credentials' }
  if ([403, 404, 410].includes(status)) return { step: 'select', reason: 'missing' }
  // A refusal is permanent, unlike a server that is busy.
  if (status >= 400 && status < 500 && !BUSY.includes(status)) return { step: 'command', reason: 'refused' }
  return { step: 'command', reason: 'other' }
}

/**
 * Builds the error for a refused request. It does not quote the body, because a server may repeat the
 * password there. `condition` is the name of a precondition (RFC 4918 section 16).
 */
export const refusedWith = (
  host: string,
  status: number,
  condition?: string | undefined,
  where: Where = whereRefused(status),
): AppError =>
  failedAt(host, { ...where, response: condition ? `HTTP ${status}, ${condition}` : `HTTP ${status}` })

/** Builds the error for a response that cannot be interpreted. */
export const invalidResponse = (host: string, response: string, cause?: unknown): AppError =>
  failedAt(host, { step: 'command', reason: 'other', response }, cause)

/** Builds the error for a URL without calendars. */
export const noCalendars = (host: string, response: string): AppError =>
  failedAt(host, { step: 'select', reason: 'missing', response })

interface Challenge {
  realm: string
  nonce: string
  opaque: string | undefined
  algorithm: 'MD5' | 'SHA-256'
  /** False for challenges older than RFC 2617, which have no request counter. */
  hasCount: boolean
}

const PARAMETER = /([a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,\s*|$)/giy

const readParameters = (text: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER))
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain)
  return found
}

/**
 * Parses a Digest challenge (RFC 7616). Returns undefined for other schemes, or if the server also accepts
 * Basic.
 */
export const readChallenge = (header: string | null): Challenge | undefined => {
  if (header === null || header.length > 4_000 || /(?:^|,)\s*Basic(?:\s|$)/i.test(header)) return undefined
  for (const part of header.split(/(?:^|,)\s*Digest\s+/i).slice(1)) {
    const parameters = readParameters(part)
    const [realm, nonce] = [parameters.get('realm'), parameters.get('nonce')]
    const algorithm = (parameters.get('algorithm') ?? 'MD5').toUpperCase()
    const qop = parameters.get('qop')
    const isUsual = qop === undefined || /(?:^|,)\s*auth\s*(?:,|$)/i.test(qop)
    if (realm === undefined || nonce === undefined || !isUsual) continue
    if (algorithm === 'MD5' || algorithm === 'SHA-256')
      return { realm, nonce, opaque: parameters.get('opaque'), algorithm, hasCount: qop !== undefined }
  }
  return undefined
}

/** Header values are bytes. A user name that is not ASCII is sent as UTF-8. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

export const answerChallenge = (
  { realm, nonce, opaque, algorithm, hasCount }: Challenge,
  { username, password }: { username: string; password: string },
  { method, uri, count, cnonce }: { method: string; uri: string; count: number; cnonce: string },
): string => {
  const hash = (...parts: string[]) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(parts.join(':'), 'latin1')
      .digest('hex')
  const user = asBytes(username)
  const [who, what] = [hash(user, realm, asBytes(password)), hash(method, uri)]
  const nc = count.toString(16).padStart(8, '0')
  const response = hasCount ? hash(who, nonce, nc, cnonce, 'auth', what) : hash(who, nonce, what)
  return `Digest ${[
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasCount ? ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`] : []),
  ].join(', ')}`
}

/** Creates the credentials of one user: Basic (RFC 7617), until a server demands Digest. */
export const createSignIn = (person: { username: string; password: string }) => {
  let challenge: Challenge | undefined
  let count = 0
  return {
    rejection: 'credentials' as const,

    headerFor(method: string, { pathname, search }: URL): string {
      if (!challenge)
        return `Basic ${Buffer.from(`${person.username}:${person.password}`).toString('base64')}`
      const cnonce = systemRandom.bytes(12).toString('hex')
      return answerChallenge(challenge, person, { method, uri: pathname + search, count: ++count, cnonce })
    },

    /** Reads the challenge of a 401 response. Returns whether another attempt makes sense. */
    acceptChallenge(header: string | null): boolean {
      const wanted = readChallenge(header)
      const isNew = wanted !== undefined && (!challenge || /\bstale\s*=\s*"?true/i.test(header ?? ''))
      if (isNew) [challenge, count] = [wanted, 0]
      return isNew
    },
  }
}

/** Creates the credentials of a bearer token (RFC 6750). Requests another token once if the server refuses it. */
const createTokenSignIn = ({ token }: TokenTarget) => {
  let current: string | undefined
  let isRepeated = false
  return {
    rejection: 'signed_out' as const,

    async headerFor(): Promise<string> {
      current ??= await token()
      return `Bearer ${current}`
    },

    async acceptChallenge(): Promise<boolean> {
      if (isRepeated || current === undefined) return false
      isRepeated = true
      const next = await token(current)
      const isNew = next !== current
      current = next
      return isNew
    },
  }
}

const TIMEOUT_MS = 60_000
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const MAX_REDIRECTS = 5
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
  /** URL that sent the response, after redirects. */
  url: string
  text: string
}

export interface Conversation {
  /** Returns the response with any status. Throws only if the server rejects the password. */
  ask(request: DavRequest, signal: AbortSignal): Promise<DavAnswer>
  /** Parses the body of a 207 response. */
  multistatus(answer: DavAnswer): Promise<Multistatus>
  /** Converts a response to an error. */
  refusal(answer: DavAnswer): Promise<Error>
  /** Returns a URL named by the server, or throws if the password must not be sent there. */
  allowed(url: URL | undefined): URL
  /** The URL that the user entered. */
  start: URL
}

/**
 * Preconditions of RFC 4791 section 5.3.2.1, RFC 6578 section 3.2, RFC 3744 section 7.1.1 and RFC 4331
 * section 6. They are safe to quote, unlike other text of a server.
 */
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

/** Returns the precondition that failed (RFC 4918 section 16). */
export const readCondition = async ({ text }: DavAnswer): Promise<string | undefined> => {
  const root: XmlElement | undefined = await readXml(text).catch(() => undefined)
  const named = root?.name === '{DAV:}error' ? root.children.map(({ name }) => name.replace(/^.*\}/, '')) : []
  return CONDITIONS.find((condition) => named.includes(condition))
}

/** Sends the requests of one user to one server. The password is sent only to the host it was entered for. */
export const createConversation = (
  outbound: Pick<Outbound, 'fetch'>,
  target: CalendarTarget,
): Conversation => {
  const start = readHref(target.url, target.url)
  if (!start) throw noCalendars('The address', 'not an http or https URL')
  const signIn = 'token' in target ? createTokenSignIn(target) : createSignIn(target)

  const allowed: Conversation['allowed'] = (to) => {
    if (!to) throw invalidResponse(start.hostname, 'an invalid URL')
    if (!mayCarrySecret(start, to)) throw noCalendars(start.hostname, `leads to ${to.origin}`)
    return to
  }

  const send = async (to: URL, { method, headers, body }: DavRequest, signal: AbortSignal) => {
    // Outside of the try block: a failed renewal of a token is not a failure of this server.
    const authorization = await signIn.headerFor(method, to)
    try {
      const answer: OutboundResponse = await outbound.fetch(to.href, {
        method,
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        trust: 'typed',
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        maxRedirects: 0,
        signal,
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
        if (answer.status === 401 && (await signIn.acceptChallenge(answer.headers.get('www-authenticate'))))
          answer = await send(to, request, signal)
        if (answer.status === 401)
          throw refusedWith(to.hostname, 401, undefined, { step: 'login', reason: signIn.rejection })
        const location = REDIRECTS.includes(answer.status) ? answer.headers.get('location') : null
        if (location === null) return answer
        if (redirects === MAX_REDIRECTS) throw noCalendars(to.hostname, 'too many redirects')
        to = allowed(readHref(location, to.href))
      }
    },

    async multistatus(answer) {
      const { hostname } = new URL(answer.url)
      const root = await readXml(answer.text).catch((error) => {
        throw invalidResponse(hostname, 'a response that is not XML', error)
      })
      const found = readMultistatus(root, answer.url)
      if (!found) throw invalidResponse(hostname, 'a response that is not a multistatus')
      return found
    },

    async refusal(answer) {
      return refusedWith(new URL(answer.url).hostname, answer.status, await readCondition(answer))
    },
  }
}
