import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Changes } from './changes.ts'
import type { Clock } from './clock.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { LiveEvents } from './live/live.ts'
import type { Logger } from './log.ts'
import type { Outbound } from './outbound/port.ts'
import type { Random } from './random.ts'
import type { Sealer } from './secrets/seal.ts'
import type { StorageQuota } from './storage-quota.ts'
import type { WorkerPool } from './workers/worker-pool.ts'

/** The services that every feature uses. */
export interface Platform {
  database: Database
  db: Db
  clock: Clock
  random: Random
  log: Logger
  sealer: Sealer
  changes: Changes
  live: LiveEvents
  jobs: Jobs
  outbound: Outbound
  blobs: Blobs
  /** The limit of the storage of each account. */
  quota: StorageQuota
  /** Runs work on untrusted input that may take longer than 50 ms. */
  workers: WorkerPool
  /** The address of this instance. Available when the server listens. */
  baseUrl: () => string
}

/** The routes of a feature and their path prefix. */
export interface FeatureRoutes {
  prefix: string
  plugin: FastifyPluginAsync
  /** The plugin adds body parsers for its routes. */
  ownParsers?: true
}
