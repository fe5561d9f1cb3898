import type { Door, Platform } from '../../platform/platform.ts'
import { createCaptionFiles } from './caption-files.ts'
import { createCaptionImport } from './caption-import.ts'
import { captionRoutes } from './caption-routes.ts'
import { createCaptions } from './captions.ts'
import { keepCounting } from './counting.ts'
import { credentialRoutes } from './credential-routes.ts'
import { createStreamCredentials } from './credentials.ts'
import { streamPart } from './data-part.ts'
import { milestoneRoutes } from './milestone-routes.ts'
import { type Counts, createMilestones } from './milestones.ts'
import { createOverlay } from './overlay.ts'
import { overlayRoutes } from './overlay-routes.ts'
import { streamRoutes } from './routes.ts'
import { createStage } from './stage.ts'
import { createStreamState } from './state.ts'
import { createStreams } from './streams.ts'

const PREFIX = '/api/stream'

export const createStreamRoom = (
  { db, clock, changes, live, jobs, log, sealer, workers }: Platform,
  needs: {
    habits: () => Promise<{ timezone: string; locale: string }>
    counts: Counts
  },
) => {
  const { habits, counts } = needs
  const usualLanguage = async (): Promise<string> => (await habits()).locale
  const timezone = async (): Promise<string> => (await habits()).timezone
  const stage = createStage({ db, clock, changes })
  const state = createStreamState({ db, stage })
  const streams = createStreams({ db, stage })
  const captions = createCaptions({ db, stage, usualLanguage })
  const importFile = createCaptionImport({ stage, workers, usualLanguage })
  const files = createCaptionFiles({ db, usualLanguage })
  const milestones = createMilestones({ db, stage, counts, timezone })
  const credentials = createStreamCredentials({ db, clock, sealer })
  const overlay = createOverlay({ db, clock, usualLanguage })
  const doors: Door[] = [
    { prefix: PREFIX, routes: streamRoutes({ state, streams }) },
    { prefix: PREFIX, routes: captionRoutes({ captions, importFile, files }) },
    { prefix: PREFIX, routes: milestoneRoutes(milestones) },
    { prefix: PREFIX, routes: credentialRoutes(credentials) },
    { prefix: PREFIX, routes: overlayRoutes({ overlay, live }) },
  ]
  return { credentials, counting: keepCounting({ changes, jobs, log, milestones }), part: streamPart, doors }
}
