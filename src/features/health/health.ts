import type { Database } from '../../database/database.ts'
import { whyUnavailable } from '../../database/errors.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'

/** Probe writes at most this often: health checks are frequent, and each write accesses the disk. */
const PROBE_EVERY_MS = 5_000
/** A failed write of a request is reported this long, even if the small probe succeeds. */
const FAILURE_MEMORY_MS = 15_000
/** On a full disk, a reused log file still accepts small writes. A file of this size does not fit. */
const PROBE_BYTES = 64 * 1024
/** A probe can block behind a long transaction. The report then uses the last known state. */
const WRITE_WITHIN_MS = 50

type Place = 'databaseWrites' | 'fileWrites'

interface Failure {
  at: number
  detail: string
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Explains a write failure to the operator. Returns undefined for errors that may be temporary. */
const explain = (error: unknown): string | undefined => {
  const why = whyUnavailable(error)
  const code = errorCode(error)
  if (why === 'full') return 'The disk is full. Free some space.'
  if (why === 'read-only') return 'The storage is read-only.'
  return /^(SQLITE_IOERR|SQLITE_CANTOPEN|E(IO|ACCES|PERM|NOENT|NOTDIR)$)/.test(code)
    ? `Writing failed with ${code}.`
    : undefined
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Checks whether the database and the file store accept writes. Uses failed requests and periodic probes. */
export const createWriteChecks = (deps: {
  database: Database
  blobs: Pick<Blobs, 'stage'>
  clock: Clock
}) => {
  const { database, blobs, clock } = deps
  const now = (): number => clock.now().getTime()
  const isRecent = (at: number, forMs: number): boolean => Math.abs(now() - at) < forMs
  const probed = new Map<Place, string>()
  const reported = new Map<Place, Failure>()
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
    const failure = reported.get(place)
    const remembered = failure && isRecent(failure.at, FAILURE_MEMORY_MS) ? failure.detail : undefined
    const detail = probed.get(place) ?? remembered
    return detail === undefined ? { ok: true } : { ok: false, detail }
  }

  return {
    /** Records the error of a failed request. */
    note(error: unknown): void {
      const why = whyUnavailable(error)
      if (why !== 'full' && why !== 'read-only') return
      const place = /^E[A-Z]+$/.test(errorCode(error)) ? 'fileWrites' : 'databaseWrites'
      reported.set(place, { at: now(), detail: explain(error) as string })
    },

    async read(): Promise<Record<Place, Check>> {
      if (!probing && !isRecent(probedAt, PROBE_EVERY_MS)) {
        probedAt = now()
        probing = probeAll().finally(() => {
          probing = undefined
        })
      }
      if (probing) await Promise.race([probing, delay(WRITE_WITHIN_MS)])
      return { databaseWrites: checkOf('databaseWrites'), fileWrites: checkOf('fileWrites') }
    },
  }
}

/** Each probe is a request that the provider of the bucket may charge for. */
const BUCKET_PROBE_EVERY_MS = 60_000
const BUCKET_FAILED = 'The bucket in BLOBS_URL does not respond, or denies access. Run: factotum doctor'

/** Reports the last known state of the bucket. Returns nothing without a bucket. */
export const createBucketCheck = ({ blobs, clock }: { blobs: Pick<Blobs, 'bucket'>; clock: Clock }) => {
  let state: Check = { ok: true }
  let probedAt = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined

  const probe = async (check: () => Promise<void>): Promise<void> => {
    state = await check().then(
      () => ({ ok: true }),
      () => ({ ok: false, detail: BUCKET_FAILED }),
    )
    probing = undefined
  }

  return async (): Promise<Record<string, Check>> => {
    const { bucket } = blobs
    if (bucket === null) return {}
    const now = clock.now().getTime()
    if (!probing && Math.abs(now - probedAt) >= BUCKET_PROBE_EVERY_MS) {
      probedAt = now
      probing = probe(bucket.check)
    }
    if (probing) await Promise.race([probing, delay(WRITE_WITHIN_MS)])
    return { blobStorage: state }
  }
}

const ANSWER_WITHIN_MS = 2_000
/** The route is public, so requests within this time share one read of the database. */
const SHARED_MS = 100

export interface Check {
  ok: boolean
  detail?: string
}

export interface Health {
  report(): Promise<HealthReport>
  /** Reports this instance as not accepting requests, so that load balancers stop sending them. */
  beginDraining(): void
}

export interface HealthReport {
  status: 'ok' | 'down'
  version: string
  uptimeSeconds: number
  database: { engine: Database['engine']; ok: boolean }
  checks: Record<string, Check>
  /** Missing if the database does not respond. */
  backups?: { lastProvenAt: string | null }
}

/** Returns undefined if the database does not respond in time. */
const readInTime = async <T>(reading: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, undefined)
  })
  try {
    return await Promise.race([reading, tooLate])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

export const createHealth = (deps: {
  engine: Database['engine']
  clock: Clock
  version: string
  /** Called only if the database responds. */
  checkWrites: () => Promise<Record<string, Check>>
  /** Reported only. Without its bucket, an instance still serves everything else, and a restart would not help. */
  checkBucket: () => Promise<Record<string, Check>>
  /** The time of the last backup that was proven restorable. The query also proves that the database responds. */
  lastProvenAt: () => Promise<string | null>
}): Health => {
  const startedAt = deps.clock.now().getTime()
  let draining = false
  let readAt = Number.NEGATIVE_INFINITY
  let reading: ReturnType<typeof readState>

  const readState = async () => {
    const lastProvenAt = await readInTime(deps.lastProvenAt())
    const ok = lastProvenAt !== undefined
    const required = ok ? await deps.checkWrites() : {}
    return { ok, lastProvenAt, required, reported: await deps.checkBucket() }
  }

  return {
    async report() {
      const now = deps.clock.now().getTime()
      if (Math.abs(now - readAt) >= SHARED_MS) {
        readAt = now
        reading = readState()
      }
      const { ok, lastProvenAt, required, reported } = await reading
      const isUp = ok && !draining && Object.values(required).every((check) => check.ok)
      return {
        status: isUp ? 'ok' : 'down',
        version: deps.version,
        uptimeSeconds: Math.max(0, Math.floor((now - startedAt) / 1000)),
        database: { engine: deps.engine, ok },
        checks: { ...required, accepting: { ok: !draining }, ...reported },
        ...(lastProvenAt !== undefined && { backups: { lastProvenAt } }),
      }
    },
    beginDraining() {
      draining = true
    },
  }
}
