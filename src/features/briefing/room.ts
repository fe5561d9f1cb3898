import type { Door, Platform } from '../../platform/platform.ts'
import { type BriefingDeps, createBriefing } from './briefing.ts'
import { briefingRoutes } from './routes.ts'

/** It keeps nothing: everything it tells is another room's. */
export const createBriefingRoom = ({ clock }: Platform, needs: Omit<BriefingDeps, 'clock'>) => {
  const briefing = createBriefing({ clock, ...needs })
  const doors: Door[] = [{ prefix: '/api', routes: briefingRoutes(briefing) }]
  return { briefing, doors }
}
