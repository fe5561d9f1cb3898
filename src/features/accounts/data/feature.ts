import type { FeatureRoutes, Platform } from '../../../platform/platform.ts'
import type { AuthFeature } from '../../auth/feature.ts'
import type { Security } from '../security/security.ts'
import { createDeletion } from './deletion.ts'
import { createExport, createSampleData } from './export.ts'
import { createImport } from './import.ts'
import type { DataPart } from './parts.ts'
import { dataRoutes, importRoutes } from './routes.ts'
import { createUploads } from './uploads.ts'

const PREFIX = '/api/settings'

/**
 * Export, import, sample data and deletion. Each feature contributes a `DataPart` with its tables and sample.
 */
export const createDataFeature = (
  { database, db, clock, random, log, changes, blobs, jobs, workers }: Platform,
  { activity, passwords }: AuthFeature,
  needs: { security: Security; parts: readonly DataPart[]; version: string; dataDir: string },
) => {
  const { security, parts, version, dataDir } = needs
  const uploads = createUploads({ dataDir, clock, random })
  const exportAll = createExport({ database, blobs, clock, log, version, parts })
  const importing = createImport({ database, blobs, changes, activity, uploads, workers, parts })
  const deletion = createDeletion({ database, blobs, jobs, changes, activity, uploads, parts })
  const sample = createSampleData({ db, clock, random, passwords, activity, parts })
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: dataRoutes({ security, activity, exportAll, sample, deletion }) },
    { prefix: PREFIX, plugin: importRoutes({ importing, log }) },
  ]
  return { sample, prune: () => uploads.prune(), routes }
}
