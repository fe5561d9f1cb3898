const AREAS = ['mail', 'tasks', 'calendar', 'booking', 'ai', 'stream', 'workflow'] as const
type Area = (typeof AREAS)[number]

/** Allows a personal access token to read or write one area, or to read mail and write drafts. */
export type Scope = `${Area}:${'read' | 'write'}` | 'mail:draft'

export const SCOPES: readonly Scope[] = AREAS.flatMap((area): Scope[] => [
  `${area}:read`,
  `${area}:write`,
  ...(area === 'mail' ? (['mail:draft'] as const) : []),
])

/** For the API description: whom the holder of a token can reach. */
export const SCOPE_NOTES = [
  'Writing includes reading.',
  '`mail:write` can send e-mail without asking you.',
  '`calendar:write` can change events, and calendar servers may e-mail their guests.',
  '`mail:draft` reads mail and writes drafts; what it sends waits for your confirmation.',
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

/** Who is asking. */
export type Caller =
  | { readonly kind: 'nobody' }
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
  | { readonly kind: 'feed'; readonly userId: number; readonly feedId: string; readonly purpose: string }

export type SessionCaller = Extract<Caller, { kind: 'session' }>

export const nobody: Caller = { kind: 'nobody' }

/** Names the caller for keys that must not be shared between callers. */
export const callerKey = (caller: Caller): string => {
  switch (caller.kind) {
    case 'session':
      return `user:${caller.userId}`
    case 'token':
      return `token:${caller.tokenId}`
    case 'feed':
      return `feed:${caller.feedId}`
    case 'nobody':
      return 'nobody'
  }
}

/** The account that the caller signed in to, or that issued the token; null without a credential. */
export const userIdOf = (caller: Caller): number | null => (caller.kind === 'nobody' ? null : caller.userId)

export const tokenIdOf = (caller: Caller): string | null => (caller.kind === 'token' ? caller.tokenId : null)

/** A credential that was good when it was shown: whoever is served for long asks again whether it still is. */
export interface Proof {
  /** The same for the same credential. It is as secret. */
  readonly key: string
  identify(): Promise<Caller | undefined>
}

/** Tells who a credential stands for; undefined when it is worth nothing. */
export interface Credentials {
  identify(bearer: string): Promise<Caller | undefined>
  identifyFeed(token: string, purpose: string): Promise<Caller | undefined>
  /** False until the first account is registered. */
  hasAccounts(): Promise<boolean>
}
