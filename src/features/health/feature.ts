import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { createGauges } from './gauges.ts'
import { createHealth, type HealthNeeds } from './health.ts'
import { healthRoutes } from './routes.ts'

export const createHealthFeature = (platform: Platform, needs: HealthNeeds) => {
  const health = createHealth(platform, needs)
  const routes: FeatureRoutes[] = [{ prefix: '/api', plugin: healthRoutes(health) }]
  const { beginDraining, noteFailure } = health
  return { beginDraining, noteFailure, gauges: createGauges(platform, needs), routes }
}
