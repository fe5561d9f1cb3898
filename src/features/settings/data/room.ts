import type { Door, Platform } from '../../../platform/platform.ts'
import type { AuthRoom } from '../../auth/room.ts'
import type { Security } from '../security/security.ts'
import { createDeletion } from './deletion.ts'
import { createExport } from './export.ts'
import type { DataPart } from './parts.ts'
import { dataRoutes } from './routes.ts'
import { createSampleData } from './sample.ts'

/** All data at once: each room hands over how its own is exported, deleted and shown as a sample. */
export const createDataRoom = (
  { database, db, clock, random, log, changes }: Platform,
  { activity, passwords }: AuthRoom,
  needs: { security: Security; parts: readonly DataPart[]; version: string },
) => {
  const { security, parts, version } = needs
  const exportAll = createExport({ database, clock, log, version, parts })
  const deletion = createDeletion({ changes, activity, parts })
  const sample = createSampleData({ db, clock, random, passwords, activity, parts })
  const doors: Door[] = [
    { prefix: '/api/settings', routes: dataRoutes({ security, activity, exportAll, sample, deletion }) },
  ]
  return { sample, doors }
}
