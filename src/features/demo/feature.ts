import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { AuthFeature } from '../auth/feature.ts'
import type { AccountServices } from './account.ts'
import { samplePart } from './data-part.ts'
import { sampleRoutes } from './routes.ts'
import { SampleData, type SampleServices } from './sample-data.ts'

/** The sample data of all features. */
export const createDemoFeature = (
  platform: Platform,
  { passwords, activity, unclaimAccount }: AuthFeature,
  needs: Omit<SampleServices, keyof AccountServices>,
) => {
  const services = { ...needs, activity, unclaimAccount }
  const sample = new SampleData({ ...platform, passwords, services })
  const routes: FeatureRoutes[] = [{ prefix: '/api/settings', plugin: sampleRoutes(sample) }]
  return { sample, part: samplePart, routes }
}
