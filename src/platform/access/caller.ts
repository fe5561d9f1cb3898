import type { FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

const AREAS = ['mail', 'tasks', 'calendar', 'booking', 'ai', 'stream', 'workflow'] as const
export type Area = (typeof AREAS)[number]

/**
 * A permission of a personal access token: read or write one area, read mail and write drafts, or read the metrics of
 * the instance.
 */
export type Scope = `${Area}:${'read' | 'write'}` | 'mail:draft' | 'metrics:read'

export const SCOPES: readonly Scope[] = [
  ...AREAS.flatMap((area): Scope[] => [
    `${area}:read`,
    `${area}:write`,
    ...(area === 'mail' ? (['mail:draft'] as const) : []),
  ]),
  'metrics:read',
]

/** For the API description: the people that the holder of a token can reach. */
export const SCOPE_NOTES = [
  'Writing includes reading.',
  '`mail:write` can send email without your confirmation.',
  '`calendar:write` can change events, and calendar servers may email their guests.',
  '`mail:draft` reads mail and writes drafts; sending waits for your confirmation.',
  '`metrics:read` reads `/metrics`, and only the owner of the instance can grant it.',
].join(' ')

/** A later level includes the earlier ones. */
const LEVELS = ['read', 'draft', 'write']

const parseScope = (scope: Scope): { area: string; level: number } => {
  const [area = '', level = ''] = scope.split(':')
  return { area, level: LEVELS.indexOf(level) }
}

export const covers = (granted: readonly Scope[], needed: Scope): boolean => {
  const { area, level } = parseScope(needed)
  return granted.map(parseScope).some((scope) => scope.area === area && scope.level >= level)
}

/**
 * The identity behind a request. A request without a credential is `local` where access is open: it acts as the local
 * account. On public routes it is `nobody`.
 */
export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'local'; readonly userId: number }
  | {
      readonly kind: 'session'
      readonly userId: number
      readonly sessionId: string
      readonly isOwner: boolean
    }
  | {
      readonly kind: 'token'
      readonly userId: number
      readonly tokenId: string
      readonly scopes: readonly Scope[]
    }
  | {
      readonly kind: 'feed'
      readonly userId: number
      readonly feedId: string
      readonly purpose: string
      /** The only calendar that the token gives access to. */
      readonly calendarId: number | null
    }
  | DavCaller

export const DAV_ACCESS = ['none', 'read', 'write'] as const
export type DavAccess = (typeof DAV_ACCESS)[number]

/** The access of an app. */
export interface DavGrants {
  readonly calendars: DavAccess
  readonly tasks: DavAccess
  readonly contacts: DavAccess
}

export const INVITATION_RULES = ['no', 'ask', 'yes'] as const
/** Whether events that an app stores invite their guests: never, after a confirmation, or at once. */
export type InvitationRule = (typeof INVITATION_RULES)[number]

/** A calendar, task or contact app, with an app password or a personal access token. */
export interface DavCaller {
  readonly kind: 'dav'
  readonly userId: number
  readonly access: DavGrants
  readonly invitations: InvitationRule
  /** Null for a personal access token. */
  readonly appPasswordId: string | null
  readonly tokenId: string | null
}

export type SessionCaller = Extract<Caller, { kind: 'session' }>

export const nobody: Caller = { kind: 'nobody' }

/** Returns a key for data that callers must not share. */
export const callerKey = (caller: Caller): string => {
  switch (caller.kind) {
    case 'session':
      return `user:${caller.userId}`
    case 'token':
      return `token:${caller.tokenId}`
    case 'feed':
      return `feed:${caller.feedId}`
    case 'dav':
      return caller.appPasswordId === null
        ? `token:${caller.tokenId}`
        : `app-password:${caller.appPasswordId}`
    case 'local':
    case 'nobody':
      return caller.kind
  }
}

/** Returns the account that the request acts as. Every route that is not public has one. */
export const userIdOf = (caller: Caller): number => {
  if (caller.kind === 'nobody') throw new Error('A public route has no account.')
  return caller.userId
}

export const tokenIdOf = (caller: Caller): string | null => (caller.kind === 'token' ? caller.tokenId : null)

/** A credential that was valid when it was sent. Long-lived connections verify it again. */
export interface Proof {
  /** Equal for the same credential, and just as secret. */
  readonly key: string
  identify(): Promise<Caller | undefined>
}

/** Basic authentication of calendar, task and contact apps. */
export interface DavAuthentication {
  /** Throws unless the request has a valid app password or token, on a connection that keeps it secret. */
  authenticate(request: FastifyRequest): Promise<DavCaller>
  /** Returns undefined without a valid app password. Counts no failure. */
  identify(request: FastifyRequest): Promise<DavCaller | undefined>
}

/** Identifies the caller of a credential; undefined if it is invalid. */
export interface Credentials {
  identify(bearer: string): Promise<Caller | undefined>
  identifyFeed(token: string, purpose: string): Promise<Caller | undefined>
  dav: DavAuthentication
  /** The account of requests without a credential. */
  localUserId(): Promise<number>
  /** False until the first account is registered. */
  hasAccounts(): Promise<boolean>
}

/**
 * Only tokens are limited by scopes. Sessions and local callers are limited by the rules of the route. Apps have no
 * scope: their grants apply to the routes for apps alone.
 */
export const hasScope = (caller: Caller, scope: Scope): boolean =>
  caller.kind === 'token' ? covers(caller.scopes, scope) : caller.kind !== 'dav'

/** Prevents a token for one area from reaching another area through this route. */
export const requireScope = (caller: Caller, scope: Scope): void => {
  if (!hasScope(caller, scope)) throw forbidden(`This token lacks the scope ${scope}.`, 'insufficient_scope')
}

/** The origin of a request, as far as it is known. */
export interface Visit {
  ip: string
  userAgent: string
}

const MAX_USER_AGENT_LENGTH = 300

export const visitOf = (request: FastifyRequest): Visit => ({
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
})

/** Returns the signed-in user. On routes for sessions the guard rejects everyone else. */
export const sessionOf = (request: FastifyRequest): SessionCaller => request.caller as SessionCaller

export const DEVICE_KINDS = ['computer', 'phone', 'program'] as const

/** A readable description of a User-Agent header. */
export interface Device {
  name: string
  kind: (typeof DEVICE_KINDS)[number]
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chromium'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const PHONE = /\bMobile\b|\biPad\b|\bAndroid\b/

const find = (table: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Describes a browser in words that users know, such as "Firefox on Windows". Other clients are described by
 * their own name.
 */
export const deviceOf = (userAgent: string): Device => {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  if (browser !== undefined) {
    const kind = PHONE.test(userAgent) ? 'phone' : 'computer'
    return { name: system === undefined ? browser : `${browser} on ${system}`, kind }
  }
  const [program = ''] = /^[^/(;]{1,60}/.exec(userAgent) ?? []
  return { name: program.trim() || 'Unknown device', kind: 'program' }
}
