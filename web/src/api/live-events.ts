import { toServerPath } from './base-path.ts'
import { createEventReader, type StreamEvent } from './event-stream.ts'
import type { Session } from './session.ts'
import { createStore } from './store.ts'

const PATH = toServerPath('/api/events')
const INITIAL_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
/** The service sends a heartbeat every 15 seconds. A connection without one for this long is dead. */
const HEARTBEAT_TIMEOUT_MS = 40_000
const NO_CONTENT = 204
const UNAUTHORIZED = 401

export type LiveState = 'connecting' | 'live' | 'resting'

const isHidden = (): boolean => document.visibilityState === 'hidden'

const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (isHidden() && !signal.aborted) return
      document.removeEventListener('visibilitychange', check)
      signal.removeEventListener('abort', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check)
    check()
  })

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Closes a connection that is silent or whose page is hidden. Browsers allow only a few connections per site.
 */
const createConnectionGuard = (signal: AbortSignal) => {
  const abortController = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => abortController.abort()
  const hide = (): void => {
    if (isHidden()) end()
  }
  signal.addEventListener('abort', end)
  document.addEventListener('visibilitychange', hide)
  return {
    signal: abortController.signal,
    resetTimeout(): void {
      clearTimeout(timer)
      timer = setTimeout(end, HEARTBEAT_TIMEOUT_MS)
    },
    stop(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      document.removeEventListener('visibilitychange', hide)
    },
  }
}

export type LiveEvents = ReturnType<typeof createLiveEvents>

/**
 * Live event stream of the API. EventSource cannot send an Authorization header, so this uses fetch. It
 * reconnects with the last event id, so that no event is lost.
 */
export const createLiveEvents = (session: Session) => {
  const state = createStore<LiveState>('connecting')

  const open = async (lastId: string | null, signal: AbortSignal): Promise<Response | null> => {
    const token = await session.token()
    if (token === null) return null
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastId !== null && { 'last-event-id': lastId }),
    }
    const response = await fetch(PATH, { headers, signal, cache: 'no-store' })
    if (response.status === UNAUTHORIZED) await session.replace(token)
    return response
  }

  return {
    state,
    /** Calls `onEvent` for each event until `signal` aborts. */
    async follow(onEvent: (event: StreamEvent) => void, signal: AbortSignal): Promise<void> {
      const reader = createEventReader(onEvent)
      // The next follower may already have set the state when this one notices the abort.
      const setConnectionState = (now: LiveState): void => {
        if (!signal.aborted) state.set(now)
      }
      setConnectionState('connecting')
      let waitMs = INITIAL_BACKOFF_MS
      const listen = async (): Promise<boolean> => {
        const guard = createConnectionGuard(signal)
        try {
          guard.resetTimeout()
          const response = await open(reader.lastId(), guard.signal)
          if (response === null || response.status === NO_CONTENT) return false
          if (!response.ok || !response.body) return true
          setConnectionState('live')
          waitMs = INITIAL_BACKOFF_MS
          reader.begin()
          const decoder = new TextDecoder()
          for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
            guard.resetTimeout()
            reader.read(decoder.decode(chunk, { stream: true }))
          }
          return true
        } catch {
          return true
        } finally {
          guard.stop()
        }
      }
      while (!signal.aborted) {
        await untilVisible(signal)
        if (signal.aborted) break
        if (!(await listen())) break
        setConnectionState(isHidden() ? 'resting' : 'connecting')
        if (isHidden()) continue
        await wait(waitMs, signal)
        waitMs = Math.min(waitMs * 2, MAX_BACKOFF_MS)
      }
      setConnectionState('connecting')
    },
  }
}
