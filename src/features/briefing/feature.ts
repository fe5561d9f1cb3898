import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { type BriefingDeps, createBriefing } from './briefing.ts'
import { briefingRoutes } from './routes.ts'

/** Stores nothing: all data comes from other features. */
export const createBriefingFeature = ({ clock }: Platform, needs: Omit<BriefingDeps, 'clock'>) => {
  const briefing = createBriefing({ clock, ...needs })
  const routes: FeatureRoutes[] = [{ prefix: '/api', plugin: briefingRoutes(briefing) }]
  return { briefing, routes }
}
