import type { Database } from '../../database/database.ts'
import { whyUnavailable } from '../../database/unavailable.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Check } from './health.ts'

/** Health may be asked many times a second; a write costs a trip to the disk. */
const PROBE_EVERY_MS = 5_000
/** How long a write of a request that failed counts, though a small one succeeds. */
const REMEMBERED_MS = 15_000
/** A log that is used again takes a small write on a full disk, and a file of this size does not fit there. */
const PROBE_BYTES = 64 * 1024
/** A probe may wait for a long transaction. Whoever asks is told what is known by then. */
const ANSWER_WITHIN_MS = 50

type Place = 'databaseWrites' | 'fileWrites'

interface Failure {
  at: number
  detail: string
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Why writing fails, for an operator; undefined for anything that may be over with the next attempt. */
const explain = (error: unknown): string | undefined => {
  const why = whyUnavailable(error)
  const code = codeOf(error)
  if (why === 'full') return 'There is no space left on the disk. Free some.'
  if (why === 'read-only') return 'It can be read, but not written.'
  return /^(SQLITE_IOERR|SQLITE_CANTOPEN|E(IO|ACCES|PERM|NOENT|NOTDIR)$)/.test(code)
    ? `Writing fails (${code}).`
    : undefined
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Whether the database and the files beside it take writes: by what requests found, and by a probe now and then. */
export const createWriteChecks = (deps: {
  database: Database
  blobs: Pick<Blobs, 'stage'>
  clock: Clock
}) => {
  const { database, blobs, clock } = deps
  const now = (): number => clock.now().getTime()
  const isRecent = (at: number, forMs: number): boolean => Math.abs(now() - at) < forMs
  const probed = new Map<Place, string>()
  const noted = new Map<Place, Failure>()
  let probedAt = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined

  const probe = async (place: Place, write: () => Promise<void>): Promise<void> => {
    try {
      await write()
      probed.delete(place)
    } catch (error) {
      const detail = explain(error)
      if (detail !== undefined) probed.set(place, detail)
    }
  }

  const probeAll = async (): Promise<void> => {
    await Promise.all([
      probe('databaseWrites', () => database.probeWrite()),
      probe('fileWrites', async () => (await blobs.stage(Buffer.alloc(PROBE_BYTES))).discard()),
    ])
  }

  const checkOf = (place: Place): Check => {
    const failure = noted.get(place)
    const remembered = failure && isRecent(failure.at, REMEMBERED_MS) ? failure.detail : undefined
    const detail = probed.get(place) ?? remembered
    return detail === undefined ? { ok: true } : { ok: false, detail }
  }

  return {
    /** To be told of whatever ended a request. */
    note(error: unknown): void {
      const why = whyUnavailable(error)
      if (why !== 'full' && why !== 'read-only') return
      const place = /^E[A-Z]+$/.test(codeOf(error)) ? 'fileWrites' : 'databaseWrites'
      noted.set(place, { at: now(), detail: explain(error) as string })
    },

    async read(): Promise<Record<Place, Check>> {
      if (!probing && !isRecent(probedAt, PROBE_EVERY_MS)) {
        probedAt = now()
        probing = probeAll().finally(() => {
          probing = undefined
        })
      }
      if (probing) await Promise.race([probing, delay(ANSWER_WITHIN_MS)])
      return { databaseWrites: checkOf('databaseWrites'), fileWrites: checkOf('fileWrites') }
    },
  }
}
