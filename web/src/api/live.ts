import { createEventReader, type StreamEvent } from './event-stream.ts'
import type { Session } from './session.ts'
import { createStore } from './store.ts'

const PATH = '/api/events'
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** The service shows signs of life every 15 seconds: a line without any is dead, however open it looks. */
const SILENT_MS = 40_000
const NO_CONTENT = 204
const UNAUTHORIZED = 401

export type LiveState = 'connecting' | 'live' | 'resting'

const isHidden = (): boolean => document.visibilityState === 'hidden'

const untilSeen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (isHidden() && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Cuts a line that has gone silent, or whose page nobody looks at: browsers allow a site only a few lines. */
const createWatch = (signal: AbortSignal) => {
  const cut = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => cut.abort()
  const hide = (): void => {
    if (isHidden()) end()
  }
  signal.addEventListener('abort', end)
  document.addEventListener('visibilitychange', hide)
  return {
    signal: cut.signal,
    heard(): void {
      clearTimeout(timer)
      timer = setTimeout(end, SILENT_MS)
    },
    stop(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      document.removeEventListener('visibilitychange', hide)
    },
  }
}

export type Live = ReturnType<typeof createLive>

/**
 * What happens, as it happens. Not an EventSource, which cannot send a token; otherwise alike: it comes back by itself
 * with the id of what it heard last, so that nothing is missed.
 */
export const createLive = (session: Session) => {
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
    /** Tells until `signal` aborts. */
    async follow(tell: (event: StreamEvent) => void, signal: AbortSignal): Promise<void> {
      const reader = createEventReader(tell)
      // Whoever follows after this one may be heard already when this one has found its end.
      const show = (now: LiveState): void => {
        if (!signal.aborted) state.set(now)
      }
      show('connecting')
      let waitMs = FIRST_WAIT_MS
      const listen = async (): Promise<boolean> => {
        const watch = createWatch(signal)
        try {
          watch.heard()
          const response = await open(reader.lastId(), watch.signal)
          if (response === null || response.status === NO_CONTENT) return false
          if (!response.ok || !response.body) return true
          show('live')
          waitMs = FIRST_WAIT_MS
          reader.begin()
          const decoder = new TextDecoder()
          for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
            watch.heard()
            reader.read(decoder.decode(chunk, { stream: true }))
          }
          return true
        } catch {
          return true
        } finally {
          watch.stop()
        }
      }
      while (!signal.aborted) {
        await untilSeen(signal)
        if (signal.aborted) break
        if (!(await listen())) break
        show(isHidden() ? 'resting' : 'connecting')
        if (isHidden()) continue
        await wait(waitMs, signal)
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      }
      show('connecting')
    },
  }
}
