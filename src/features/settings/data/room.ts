import type { Door, Platform } from '../../../platform/platform.ts'
import type { AuthRoom } from '../../auth/room.ts'
import type { Security } from '../security/security.ts'
import { createDeletion } from './deletion.ts'
import { createExport } from './export.ts'
import { createImport } from './import.ts'
import { importRoutes } from './import-routes.ts'
import type { DataPart } from './parts.ts'
import { dataRoutes } from './routes.ts'
import { createSampleData } from './sample.ts'
import { createUploads } from './uploads.ts'

const PREFIX = '/api/settings'

/** All data at once: each room names its tables, and how a sample of it looks. */
export const createDataRoom = (
  { database, db, clock, random, log, changes, blobs, jobs, workers }: Platform,
  { activity, passwords }: AuthRoom,
  needs: { security: Security; parts: readonly DataPart[]; version: string; dataDir: string },
) => {
  const { security, parts, version, dataDir } = needs
  const uploads = createUploads({ dataDir, clock, random })
  const exportAll = createExport({ database, blobs, clock, log, version, parts })
  const importing = createImport({ database, blobs, changes, activity, uploads, workers, parts })
  const deletion = createDeletion({ database, blobs, jobs, changes, activity, uploads, parts })
  const sample = createSampleData({ db, clock, random, passwords, activity, parts })
  const doors: Door[] = [
    { prefix: PREFIX, routes: dataRoutes({ security, activity, exportAll, sample, deletion }) },
    { prefix: PREFIX, routes: importRoutes({ importing, log }) },
  ]
  return { sample, prune: () => uploads.prune(), doors }
}
