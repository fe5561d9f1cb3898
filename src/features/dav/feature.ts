import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { CollectionLog } from './collection-log.ts'
import type { DavDeps } from './routes.ts'
import { davRoutes, wellKnownRoutes } from './routes.ts'

/** Created before the features that note their changes in it. */
export const createCollectionLog = (platform: Platform): CollectionLog => new CollectionLog(platform)

export const createDavFeature = (
  { db, clock }: Platform,
  needs: Omit<DavDeps, 'db' | 'clock'>,
): { part: DataPart; routes: FeatureRoutes[] } => {
  for (const backend of needs.backends) needs.log.define(backend)
  return {
    // Paths, ETags and sync tokens are valid on this instance only.
    part: { folder: 'dav', tables: [], others: ['dav_resources', 'dav_collections'] },
    routes: [
      { prefix: '/dav', plugin: davRoutes({ db, clock, ...needs }), ownParsers: true },
      { prefix: '', plugin: wellKnownRoutes, ownParsers: true },
    ],
  }
}
