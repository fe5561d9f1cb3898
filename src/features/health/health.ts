import Type, { type Static } from 'typebox'
import { whyUnavailable } from '../../database/errors.ts'
import { Nullable } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'

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

/** Runs a probe at most once in `everyMs`, and waits for it only shortly. */
const createPacedProbe = ({ clock }: Platform, everyMs: number, probe: () => Promise<void>) => {
  let probedAt = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined
  return async (): Promise<void> => {
    const now = clock.now().getTime()
    if (!probing && Math.abs(now - probedAt) >= everyMs) {
      probedAt = now
      probing = probe().finally(() => {
        probing = undefined
      })
    }
    if (probing) await Promise.race([probing, delay(WRITE_WITHIN_MS)])
  }
}

/** Checks whether the database and the file store accept writes. Uses failed requests and periodic probes. */
const createWriteChecks = (platform: Platform) => {
  const { database, blobs, clock } = platform
  const now = (): number => clock.now().getTime()
  const probed = new Map<Place, string>()
  const reported = new Map<Place, Failure>()

  const probe = async (place: Place, write: () => Promise<void>): Promise<void> => {
    try {
      await write()
      probed.delete(place)
    } catch (error) {
      const detail = explain(error)
      if (detail !== undefined) probed.set(place, detail)
    }
  }

  const probeAll = createPacedProbe(platform, PROBE_EVERY_MS, async () => {
    await Promise.all([
      probe('databaseWrites', () => database.probeWrite()),
      probe('fileWrites', async () => (await blobs.stage(Buffer.alloc(PROBE_BYTES))).discard()),
    ])
  })

  const checkOf = (place: Place): Check => {
    const failure = reported.get(place)
    const isRecent = failure !== undefined && Math.abs(now() - failure.at) < FAILURE_MEMORY_MS
    const remembered = isRecent ? failure.detail : undefined
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
      await probeAll()
      return { databaseWrites: checkOf('databaseWrites'), fileWrites: checkOf('fileWrites') }
    },
  }
}

/** Each probe is a request that the provider of the bucket may charge for. */
const BUCKET_PROBE_EVERY_MS = 60_000
const BUCKET_FAILED = 'The bucket in BLOBS_URL does not respond, or denies access. Run: factotum doctor'

/** Reports the last known state of the bucket. Returns nothing without a bucket. */
const createBucketCheck = (platform: Platform) => {
  const { bucket } = platform.blobs
  if (bucket === null) return async (): Promise<Record<string, Check>> => ({})
  let state: Check = { ok: true }
  const probe = createPacedProbe(platform, BUCKET_PROBE_EVERY_MS, async () => {
    state = await bucket.check().then(
      () => ({ ok: true }),
      () => ({ ok: false, detail: BUCKET_FAILED }),
    )
  })
  return async (): Promise<Record<string, Check>> => {
    await probe()
    return { blobStorage: state }
  }
}

const ANSWER_WITHIN_MS = 2_000
/** The route is public, so requests within this time share one read of the database. */
const SHARED_MS = 100

const Check = Type.Object(
  { ok: Type.Boolean({ examples: [true] }), detail: Type.Optional(Type.String({ examples: ['3 waiting'] })) },
  { title: 'Check' },
)
type Check = Static<typeof Check>

export const HealthReport = Type.Object(
  {
    status: Type.Enum(['ok', 'down'], { type: 'string' }),
    version: Type.String({ examples: ['0.1.0'] }),
    uptimeSeconds: Type.Integer({ examples: [3600] }),
    database: Type.Object({
      engine: Type.Enum(['sqlite', 'postgres'], { type: 'string' }),
      ok: Type.Boolean({ examples: [true] }),
    }),
    checks: Type.Record(Type.String(), Check),
    /** Missing if the database does not respond. */
    backups: Type.Optional(
      Type.Object({
        lastProvenAt: Nullable(
          Type.String({
            format: 'date-time',
            examples: ['2026-03-01T03:02:00.000Z'],
            description: 'Time of the last backup that was proven restorable',
          }),
        ),
      }),
    ),
  },
  { title: 'Health' },
)
type HealthReport = Static<typeof HealthReport>

export type Health = ReturnType<typeof createHealth>

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

export interface HealthNeeds {
  version: string
  /** The time of the last backup that was proven restorable. The query also proves that the database responds. */
  lastProvenAt: () => Promise<string | null>
}

export const createHealth = (platform: Platform, { version, lastProvenAt: readLastProven }: HealthNeeds) => {
  const { clock, database } = platform
  const startedAt = clock.now().getTime()
  const writeChecks = createWriteChecks(platform)
  const checkBucket = createBucketCheck(platform)
  let draining = false
  let readAt = Number.NEGATIVE_INFINITY
  let reading: ReturnType<typeof readState>

  const readState = async () => {
    const lastProvenAt = await readInTime(readLastProven())
    const ok = lastProvenAt !== undefined
    const required: Record<string, Check> = ok ? await writeChecks.read() : {}
    // Without its bucket, an instance still serves everything else, and a restart would not help.
    return { ok, lastProvenAt, required, reported: await checkBucket() }
  }

  return {
    async report(): Promise<HealthReport> {
      const now = clock.now().getTime()
      if (Math.abs(now - readAt) >= SHARED_MS) {
        readAt = now
        reading = readState()
      }
      const { ok, lastProvenAt, required, reported } = await reading
      const isUp = ok && !draining && Object.values(required).every((check) => check.ok)
      return {
        status: isUp ? 'ok' : 'down',
        version,
        uptimeSeconds: Math.max(0, Math.floor((now - startedAt) / 1000)),
        database: { engine: database.engine, ok },
        checks: { ...required, accepting: { ok: !draining }, ...reported },
        ...(lastProvenAt !== undefined && { backups: { lastProvenAt } }),
      }
    },
    /** Reports this instance as not accepting requests, so that load balancers stop sending them. */
    beginDraining(): void {
      draining = true
    },
    noteFailure: writeChecks.note,
  }
}
