import type { Snapshot, Told } from './shapes.ts'

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
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000

interface Listener {
  onSnapshot(snapshot: Snapshot): void
  onEvent(type: string, told: Told): void
  onState(state: 'open' | 'lost'): void
}

/**
 * Stays on the line. Where it breaks we begin anew, later each time, with what is to be seen by then: what was missed is
 * not told one after the other, for it may have been cleared since.
 */
export const connect = (address: string, { onSnapshot, onEvent, onState }: Listener) => {
  let source: EventSource | undefined
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const begin = (): void => {
    clearTimeout(timer)
    source?.close()
    const line = new EventSource(address)
    source = line
    line.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      onState('open')
    })
    line.addEventListener('error', () => {
      onState('lost')
      line.close()
      clearTimeout(timer)
      timer = setTimeout(begin, wait)
      wait = Math.min(LONGEST_WAIT_MS, wait * 2)
    })
    line.addEventListener('overlay', (event) => onSnapshot(JSON.parse(event.data) as Snapshot))
    for (const type of TYPES)
      line.addEventListener(type, (event) => onEvent(type, (JSON.parse(event.data) as { data: Told }).data))
  }
  begin()
  // What was slept through is asked for at once.
  addEventListener('online', begin)
  return { beginAnew: begin }
}
