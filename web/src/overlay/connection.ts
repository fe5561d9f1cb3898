import type { Snapshot, StreamEventData } from './shapes.ts'

const TYPES = [
  'stream.started',
  'stream.stopped',
  'stream.updated',
  'stream.panicked',
  'stream.caption_added',
  'stream.caption_corrected',
  'stream.caption_removed',
  'stream.captions_cleared',
  'stream.milestone_changed',
  'stream.milestone_reached',
  'stream.milestone_removed',
]
const INITIAL_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 15_000

interface Listener {
  onSnapshot(snapshot: Snapshot): void
  onEvent(type: string, payload: StreamEventData): void
  onState(state: 'open' | 'lost'): void
}

/**
 * Keeps an EventSource connection open. After a failure it reconnects with backoff and starts from a new
 * snapshot. Missed events are not replayed, because their captions may have been cleared since.
 */
export const connect = (address: string, { onSnapshot, onEvent, onState }: Listener) => {
  let source: EventSource | undefined
  let wait = INITIAL_BACKOFF_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const begin = (): void => {
    clearTimeout(timer)
    source?.close()
    const line = new EventSource(address)
    source = line
    line.addEventListener('open', () => {
      wait = INITIAL_BACKOFF_MS
      onState('open')
    })
    line.addEventListener('error', () => {
      onState('lost')
      line.close()
      clearTimeout(timer)
      timer = setTimeout(begin, wait)
      wait = Math.min(MAX_BACKOFF_MS, wait * 2)
    })
    line.addEventListener('overlay', (event) => onSnapshot(JSON.parse(event.data) as Snapshot))
    for (const type of TYPES)
      line.addEventListener(type, (event) =>
        onEvent(type, (JSON.parse(event.data) as { data: StreamEventData }).data),
      )
  }
  begin()
  // Reconnects at once after standby.
  addEventListener('online', begin)
  return { reconnect: begin }
}
