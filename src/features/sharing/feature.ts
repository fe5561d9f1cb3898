import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { offeredShareRoutes, resourceShareRoutes } from './routes.ts'
import { Sharing } from './shares.ts'

/** Calendars and task lists that accounts share with each other. */
export const createSharingFeature = (
  { db, clock, changes }: Platform,
  { emailKeyOf }: { emailKeyOf: (email: string) => string },
) => {
  const sharing = new Sharing({ db, clock, changes, emailKeyOf })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/task-lists', plugin: resourceShareRoutes(sharing, 'taskList') },
    { prefix: '/api/calendars', plugin: resourceShareRoutes(sharing, 'calendar') },
    { prefix: '/api/shares', plugin: offeredShareRoutes(sharing) },
  ]
  return { sharing, routes }
}
