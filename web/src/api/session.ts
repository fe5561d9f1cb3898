import type { Memory } from './memory.ts'
import { createPause } from './pause.ts'
import { refusalOf, unreachable } from './problem.ts'
import { createStore } from './store.ts'
import type { TabLock } from './tab-lock.ts'

/**
 * Whether someone is signed in here. `why` tells a farewell of their own from a session that ended by itself, so that
 * the latter may lead back to where they were.
 */
export type SessionState =
  | { status: 'starting' }
  | { status: 'in'; userId: string }
  | { status: 'out'; why: 'never' | 'farewell' | 'ended' }

interface Access {
  token: string
  userId: string
  /** By this machine's clock, which need not agree with the server's. */
  goodUntil: number
}

type Message =
  | { kind: 'access'; access: Access }
  | { kind: 'leaving' | 'staying' }
  | { kind: 'out'; why: 'farewell' | 'ended' }

const RENEW_PATH = '/api/auth/refresh'
const LEAVE_PATH = '/api/auth/logout'
const ANSWER_WITHIN_MS = 30_000
/** Renewed when this little of its life is left, so that a request does not arrive with a token that just died. */
const LAST_PART = 0.1

const readAccess = (token: string): Access => {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const { sub, iat, exp } = JSON.parse(atob(payload)) as { sub: string; iat: number; exp: number }
  // Whole seconds, rounded down: up to one of them is gone already.
  const lifeMs = (exp - iat - 1) * 1000
  return { token, userId: sub, goodUntil: Date.now() + lifeMs * (1 - LAST_PART) }
}

/** Settles when the session is over, be it that it was before. */
const askToLeave = async (token: string): Promise<void> => {
  const response = await fetch(LEAVE_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch(() => {
    throw unreachable()
  })
  if (!response.ok && response.status !== 401)
    throw refusalOf(response, await response.json().catch(() => null))
}

export type Session = ReturnType<typeof createSession>

/**
 * The access token lives in memory alone; the refresh token in a cookie that no script can read, good for one use.
 * All tabs share that cookie, so they renew one at a time, and whoever renewed hands the result to the others.
 */
export const createSession = (deps: { memory: Memory; lock: TabLock; channel: BroadcastChannel }) => {
  const { memory, lock, channel } = deps
  const state = createStore<SessionState>({ status: 'starting' })
  let access: Access | null = null
  let renewing: Promise<Access | null> | null = null
  const pause = createPause()
  const goodAccess = (): Access | null => (access && access.goodUntil > Date.now() ? access : null)

  const enter = (next: Access): void => {
    access = next
    pause.end()
    const now = state.get()
    if (now.status !== 'in' || now.userId !== next.userId) state.set({ status: 'in', userId: next.userId })
  }
  const leave = (why: 'never' | 'farewell' | 'ended'): void => {
    access = null
    if (state.get().status !== 'out') state.set({ status: 'out', why })
    pause.end()
  }
  const share = (message: Message): void => channel.postMessage(message)

  const begin = (token: string): Access => {
    const next = readAccess(token)
    memory.write('signed-in', 'yes')
    enter(next)
    share({ kind: 'access', access: next })
    return next
  }
  const end = (why: 'farewell' | 'ended'): void => {
    memory.write('signed-in', null)
    leave(why)
    share({ kind: 'out', why })
  }

  const askForNew = async (): Promise<Access | null> => {
    const response = await fetch(RENEW_PATH, {
      method: 'POST',
      // Lets the answer set its cookie even when the page is left meanwhile. The service accepts the token before the
      // newest one for a minute, so that a page whose answer was lost can still renew.
      keepalive: true,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch(() => {
      throw unreachable()
    })
    const body: unknown = await response.json().catch(() => null)
    if (response.ok) return begin((body as { token: string }).token)
    if (response.status !== 401) throw refusalOf(response, body)
    end('ended')
    return null
  }

  /** Another token than `stale`, be it another tab's; null when the session is over. */
  const renew = (stale: string | null): Promise<Access | null> => {
    renewing ??= lock(async () => {
      // Somebody signed out while this waited for its turn.
      if (state.get().status === 'out') return null
      const other = goodAccess()
      return other && other.token !== stale ? other : askForNew()
    }).finally(() => {
      renewing = null
    })
    return renewing
  }

  /** Whether someone signed in here before. Asking the API would tell, and be refused in most browsers that come by. */
  const isLikely = (): boolean => !memory.works || memory.read('signed-in') !== null

  /** In turn with every renewal: a new token that arrives after the farewell would bring everybody back in. */
  const signOut = (): Promise<void> =>
    lock(async () => {
      const current = goodAccess() ?? (await askForNew())
      if (current === null) return
      share({ kind: 'leaving' })
      pause.begin()
      try {
        await askToLeave(current.token)
      } catch (error) {
        share({ kind: 'staying' })
        pause.end()
        throw error
      }
      end('farewell')
    })

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'access') enter(data.access)
    else if (data.kind === 'out') leave(data.why)
    else if (data.kind === 'leaving') pause.begin()
    else pause.end()
  }

  return {
    state,
    begin,
    end,
    /** Here, in every tab, and at the service. Without the service one stays: the cookie would be good for ever. */
    signOut,
    /** Aborts when somebody begins to sign out. */
    nextFarewell: pause.next,

    isLikely,

    /** Takes up the session of an earlier visit, if there is one. */
    async start(): Promise<void> {
      if (isLikely()) await renew(null)
      else leave('never')
    },

    /** A token to send; null when nobody is signed in. */
    async token(): Promise<string | null> {
      await pause.untilOver()
      if (state.get().status === 'out') return null
      return (goodAccess() ?? (await renew(access?.token ?? null)))?.token ?? null
    },

    /** After the API refused `stale`. */
    replace: async (stale: string): Promise<string | null> => (await renew(stale))?.token ?? null,

    /** Signing in must not cross a renewal on its way. */
    alone: lock,
  }
}
