import type { Verdict } from './applying.ts'
import type { ProviderName } from './provider.ts'

const MANY_ERRORS = 100

/** What a sync came to. */
export interface SyncReport {
  provider: ProviderName
  full: boolean
  fetched: number
  created: number
  updated: number
  unchanged: number
  cancelled: number
  failed: number
  /** The first hundred. */
  errors: { bookingId: string | null; message: string }[]
  /** Bookings that could not be read, in this run or an earlier one. */
  unreadable: number
  startedAt: string
  finishedAt: string
}

/** Counts each booking once, by the most that was done with it. */
export const createTallyOfRun = () => {
  const verdicts = new Map<string, Verdict | 'failed'>()
  const fetched = new Set<string>()
  const errors: SyncReport['errors'] = []
  let nameless = 0
  return {
    seen: (uid: string): void => void fetched.add(uid),
    hasSeen: (uid: string): boolean => fetched.has(uid),
    /** Whether it was here before this run. */
    hasMet: (uid: string): boolean => fetched.has(uid) && verdicts.get(uid) !== 'created',
    note(uid: string, verdict: Verdict): void {
      const before = verdicts.get(uid)
      if (before === undefined || before === 'unchanged' || before === 'failed') verdicts.set(uid, verdict)
    },
    fail(bookingId: string | null, message: string): void {
      if (bookingId === null) nameless++
      else if (verdicts.get(bookingId) === 'failed') return
      else verdicts.set(bookingId, 'failed')
      if (errors.length < MANY_ERRORS) errors.push({ bookingId, message })
    },
    /** Whether something came that could not even be named. */
    hasNameless: (): boolean => nameless > 0,
    count() {
      const counts = { created: 0, updated: 0, unchanged: 0, cancelled: 0, failed: nameless }
      for (const verdict of verdicts.values()) counts[verdict]++
      const told = errors.filter(
        ({ bookingId }) => bookingId === null || verdicts.get(bookingId) === 'failed',
      )
      return { fetched: fetched.size + nameless, ...counts, errors: told }
    },
  }
}

export type RunTally = ReturnType<typeof createTallyOfRun>
