import type { Memory } from './memory.ts'

/** Runs one piece of work at a time across all tabs of this browser. */
export type TabLock = <T>(work: () => Promise<T>) => Promise<T>

const NAME = 'factotum.session'
const LEASE = 'session-lease'
const LEASE_MS = 6_000
const EXTEND_MS = 2_000
const SETTLE_MS = 60
const RETRY_MS = 120

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Browsers offer locks to secure pages only, and an instance at home may well be plain http. There a lease in storage
 * does: claim it, let claims made at the same moment settle, and go on if it is still one's own. It is short and
 * extended while the work goes on, so that a tab that died does not keep the others waiting.
 */
const createLease = (memory: Memory): TabLock => {
  const own = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
  const readHolder = (): { tab: string; until: number } => {
    const [tab = '', until = '0'] = (memory.read(LEASE) ?? '').split(' ')
    return { tab, until: Number(until) }
  }
  const hold = (): void => memory.write(LEASE, `${own} ${Date.now() + LEASE_MS}`)
  const release = (): void => {
    if (readHolder().tab === own) memory.write(LEASE, null)
  }
  const claim = async (): Promise<boolean> => {
    if (readHolder().until > Date.now()) return false
    hold()
    await pause(SETTLE_MS)
    return readHolder().tab === own
  }
  window.addEventListener('pagehide', release)

  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = async () => {
      while (memory.works && !(await claim())) await pause(RETRY_MS)
      const extending = setInterval(hold, EXTEND_MS)
      try {
        return await work()
      } finally {
        clearInterval(extending)
        release()
      }
    }
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
}

export const createTabLock = (memory: Memory): TabLock => {
  // Typed as always there, and missing on plain http.
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return createLease(memory)
  return async (work) => locks.request(NAME, work) as ReturnType<typeof work>
}
