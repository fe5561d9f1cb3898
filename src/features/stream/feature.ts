import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { captionRoutes } from './caption-routes.ts'
import { createCaptionFiles, createCaptionImport, createCaptions } from './captions.ts'
import { streamPart } from './data-part.ts'
import { type Counts, createMilestoneCounter, createMilestones } from './milestones.ts'
import { createOverlay } from './overlay.ts'
import { credentialRoutes, milestoneRoutes, overlayRoutes, streamRoutes } from './routes.ts'
import { createStreamWriter } from './stream-writer.ts'
import { createStreamCredentials, createStreamState, createStreams } from './streams.ts'

const PREFIX = '/api/stream'

export const createStreamFeature = (
  platform: Platform,
  needs: {
    habitsOf: (userId: number) => Promise<{ timezone: string; locale: string }>
    counts: Counts
  },
) => {
  const { habitsOf, counts } = needs
  const defaultLanguage = async (userId: number): Promise<string> => (await habitsOf(userId)).locale
  const timezone = async (userId: number): Promise<string> => (await habitsOf(userId)).timezone
  const streamWriter = createStreamWriter(platform)
  const state = createStreamState(platform, streamWriter)
  const streams = createStreams(platform, streamWriter)
  const captions = createCaptions(platform, streamWriter, defaultLanguage)
  const importFile = createCaptionImport(platform, streamWriter, defaultLanguage)
  const files = createCaptionFiles(platform, defaultLanguage)
  const milestones = createMilestones(platform, { streamWriter, counts, timezone })
  const credentials = createStreamCredentials(platform)
  const overlay = createOverlay(platform, defaultLanguage)
  const routes: FeatureRoutes[] = [
    { prefix: PREFIX, plugin: streamRoutes({ state, streams }) },
    { prefix: PREFIX, plugin: captionRoutes({ captions, importFile, files }) },
    { prefix: PREFIX, plugin: milestoneRoutes(milestones) },
    { prefix: PREFIX, plugin: credentialRoutes(credentials) },
    { prefix: PREFIX, plugin: overlayRoutes({ overlay, live: platform.live }) },
  ]
  return {
    state,
    streams,
    credentials,
    milestoneCounter: createMilestoneCounter(platform, milestones),
    part: streamPart,
    routes,
  }
}
