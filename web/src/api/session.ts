import { basePath, toServerPath } from './base-path.ts'
import type { BrowserStorage } from './browser-storage.ts'
import { toApiError, unreachable } from './problem.ts'
import { createRequestPause } from './request-pause.ts'
import { createStore } from './store.ts'
import type { TabLock } from './tab-lock.ts'

/**
 * Whether the user is signed in. `why` separates a sign-out from an expired session, because only the latter
 * redirects back to the current page.
 */
export type SessionState =
  | { status: 'starting' }
  | { status: 'in'; userId: string }
  | { status: 'out'; why: 'never' | 'signed-out' | 'ended' }

interface Access {
  token: string
  userId: string
  /** By the clock of this machine, which may differ from the server's. */
  validUntil: number
}

type Message =
  | { kind: 'access'; access: Access }
  | { kind: 'signing-out' | 'sign-out-failed' }
  | { kind: 'out'; why: 'signed-out' | 'ended' }

const REFRESH_PATH = toServerPath('/api/auth/refresh')
const SIGN_OUT_PATH = toServerPath('/api/auth/logout')
/** Instances at several paths of one host share the browser storage. */
const SIGNED_IN = `signed-in${basePath}`
const REQUEST_TIMEOUT_MS = 30_000
/**
 * Share of the lifetime at which the token is refreshed early. A request then never arrives with a token that
 * has just expired.
 */
const REFRESH_MARGIN = 0.1

const readAccess = (token: string): Access => {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const { sub, iat, exp } = JSON.parse(atob(payload)) as { sub: string; iat: number; exp: number }
  // `iat` and `exp` are whole seconds, rounded down: up to one second has already passed.
  const lifeMs = (exp - iat - 1) * 1000
  return { token, userId: sub, validUntil: Date.now() + lifeMs * (1 - REFRESH_MARGIN) }
}

/** Ends the session. A session that is already over (401) is a success. */
const requestSignOut = async (token: string): Promise<void> => {
  const response = await fetch(SIGN_OUT_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).catch(() => {
    throw unreachable()
  })
  if (!response.ok && response.status !== 401)
    throw await toApiError(response, await response.json().catch(() => null))
}

export type Session = ReturnType<typeof createSession>

/**
 * Keeps the access token in memory only. The refresh token is in an HttpOnly cookie and works once. All tabs
 * share the cookie, so only one tab refreshes at a time and broadcasts the result.
 */
export const createSession = (dependencies: {
  browserStorage: BrowserStorage
  lock: TabLock
  channel: BroadcastChannel
}) => {
  const { browserStorage, lock, channel } = dependencies
  const state = createStore<SessionState>({ status: 'starting' })
  let access: Access | null = null
  let renewing: Promise<Access | null> | null = null
  const pause = createRequestPause()
  const validAccess = (): Access | null => (access && access.validUntil > Date.now() ? access : null)

  const setSignedIn = (next: Access): void => {
    access = next
    pause.end()
    const now = state.get()
    if (now.status !== 'in' || now.userId !== next.userId) state.set({ status: 'in', userId: next.userId })
  }
  const setSignedOut = (why: 'never' | 'signed-out' | 'ended'): void => {
    access = null
    if (state.get().status !== 'out') state.set({ status: 'out', why })
    pause.end()
  }
  const broadcast = (message: Message): void => channel.postMessage(message)

  const begin = (token: string): Access => {
    const next = readAccess(token)
    browserStorage.write(SIGNED_IN, 'yes')
    setSignedIn(next)
    broadcast({ kind: 'access', access: next })
    return next
  }
  const end = (why: 'signed-out' | 'ended'): void => {
    browserStorage.write(SIGNED_IN, null)
    setSignedOut(why)
    broadcast({ kind: 'out', why })
  }

  const requestRefresh = async (): Promise<Access | null> => {
    const response = await fetch(REFRESH_PATH, {
      method: 'POST',
      // `keepalive` lets the response set its cookie even if the page unloads. The service accepts the
      // previous refresh token for one minute, so that a lost response does not end the session.
      keepalive: true,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch(() => {
      throw unreachable()
    })
    const body: unknown = await response.json().catch(() => null)
    if (response.ok) return begin((body as { token: string }).token)
    if (response.status !== 401) throw await toApiError(response, body)
    end('ended')
    return null
  }

  /** Returns a token other than `stale`, possibly from another tab. Null when the session is over. */
  const renew = (stale: string | null): Promise<Access | null> => {
    renewing ??= lock(async () => {
      // The user signed out while this call waited for the lock.
      if (state.get().status === 'out') return null
      const other = validAccess()
      return other && other.token !== stale ? other : requestRefresh()
    }).finally(() => {
      renewing = null
    })
    return renewing
  }

  /** Whether this browser had a session. Asking the API would cause a 401 for most first visits. */
  const isLikelySignedIn = (): boolean => !browserStorage.works || browserStorage.read(SIGNED_IN) !== null

  /** Takes the lock, because a refresh that finishes after the sign-out would sign the user in again. */
  const signOut = (): Promise<void> =>
    lock(async () => {
      const current = validAccess() ?? (await requestRefresh())
      if (current === null) return
      broadcast({ kind: 'signing-out' })
      pause.begin()
      try {
        await requestSignOut(current.token)
      } catch (error) {
        broadcast({ kind: 'sign-out-failed' })
        pause.end()
        throw error
      }
      end('signed-out')
    })

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'access') setSignedIn(data.access)
    else if (data.kind === 'out') setSignedOut(data.why)
    else if (data.kind === 'signing-out') pause.begin()
    else pause.end()
  }

  return {
    state,
    begin,
    end,
    /**
     * Signs out here, in every tab and at the service. Fails when the service is unreachable, because the
     * cookie would stay valid.
     */
    signOut,
    /** Aborts when a sign-out begins. */
    signOutSignal: pause.next,
    isLikelySignedIn,

    /** Restores the session of an earlier visit, if there is one. */
    async start(): Promise<void> {
      if (isLikelySignedIn()) await renew(null)
      else setSignedOut('never')
    },

    /** Returns a valid access token, or null when signed out. */
    async token(): Promise<string | null> {
      await pause.untilOver()
      if (state.get().status === 'out') return null
      return (validAccess() ?? (await renew(access?.token ?? null)))?.token ?? null
    },

    /** Returns a new token after the API rejected `stale`. */
    replace: async (stale: string): Promise<string | null> => (await renew(stale))?.token ?? null,

    /** Runs work that must not overlap with a refresh, such as signing in. */
    runExclusive: lock,
  }
}
