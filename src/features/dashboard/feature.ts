import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { createDashboard, createTagList, type DashboardNeeds, type TagNeeds } from './dashboard.ts'
import { createHistory, type HistoryNeeds } from './history.ts'
import { dashboardRoutes } from './routes.ts'

/** Stores nothing: all figures come from other features. */
export const createDashboardFeature = (
  platform: Platform,
  features: DashboardNeeds & HistoryNeeds & TagNeeds,
) => {
  const dashboard = createDashboard(platform, features)
  const plugin = dashboardRoutes(dashboard, createHistory(platform, features), createTagList(features))
  const routes: FeatureRoutes[] = [{ prefix: '/api', plugin }]
  return { dashboard, routes }
}
