const AREAS = ['mail', 'tasks', 'calendar', 'booking', 'ai', 'stream', 'workflow'] as const

/** What a personal access token may be allowed: one area, to read or to write. Writing includes reading. */
export type Scope = `${(typeof AREAS)[number]}:${'read' | 'write'}`

export const SCOPES: readonly Scope[] = AREAS.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`])

export const covers = (granted: readonly Scope[], needed: Scope): boolean =>
  granted.includes(needed) || granted.includes(needed.replace(':read', ':write') as Scope)

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
}
