import type { Database } from '../database/database.ts'
import { createBlobs } from './blobs/blobs.ts'
import { type ChangeCatalogue, createChanges } from './changes.ts'
import type { Clock } from './clock.ts'
import { openJobs } from './jobs/open-jobs.ts'
import { createLiveEvents } from './live/live.ts'
import type { Logger } from './log.ts'
import type { BucketSettings } from './object-storage.ts'
import { createOutbound } from './outbound/outbound.ts'
import type { Outbound } from './outbound/port.ts'
import type { Platform } from './platform.ts'
import type { Random } from './random.ts'
import { createSealer, deriveKeys } from './secrets/seal.ts'
import { createMailSignature } from './secrets/signatures.ts'
import { createStorageQuota } from './storage-quota.ts'
import { type GarbageKind, WorkerPool } from './workers/worker-pool.ts'

interface PlatformConfig {
  access: string
  dataDir: string
  blobs: { bucket: BucketSettings } | null
  outboundAllow: Parameters<typeof createOutbound>[0]['allow']
  secretKeyPrevious: string | null
}

export interface PlatformDeps {
  database: Database
  clock: Clock
  random: Random
  log: Logger
  /** All keys are derived from it. */
  secretKey: string
  version: string
  /** Replaces the guarded HTTP client. */
  outbound?: Outbound
  /** Tests pass a pool with other limits. */
  workers?: WorkerPool
  /** Returns memory to the system; called after large inputs. */
  releaseMemory?: (kind: GarbageKind) => void
}

/** Creates what all features use. */
export const openPlatform = async (
  config: PlatformConfig,
  { database, clock, random, log, version, secretKey, outbound, workers, releaseMemory }: PlatformDeps,
  { baseUrl, catalogue }: { baseUrl: () => string; catalogue: ChangeCatalogue },
) => {
  const { db } = database
  const keys = deriveKeys(secretKey)
  const previousKeys = config.secretKeyPrevious === null ? null : deriveKeys(config.secretKeyPrevious)
  const client =
    outbound ??
    createOutbound({
      allow: config.outboundAllow,
      typedMayBePrivate: config.access === 'open',
      userAgent: `Factotum/${version}`,
    })
  const platform: Platform = {
    database,
    db,
    clock,
    random,
    log,
    baseUrl,
    sealer: createSealer(keys, previousKeys, random),
    changes: createChanges({ database, clock, log, catalogue }),
    live: createLiveEvents({ database, log }),
    jobs: await openJobs({ database, clock, random, log }),
    outbound: client,
    quota: createStorageQuota({ db }),
    workers: workers ?? new WorkerPool({ releaseMemory }),
    blobs: createBlobs({
      database,
      dataDir: config.dataDir,
      bucket: config.blobs?.bucket ?? null,
      outbound: client,
      clock,
      random,
      log,
    }),
  }
  return {
    platform,
    signingKey: keys.signing,
    browserKey: keys.browsers,
    signature: createMailSignature(keys, previousKeys),
  }
}
