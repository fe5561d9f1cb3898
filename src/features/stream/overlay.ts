import type { Platform } from '../../platform/platform.ts'
import { viewOfCaption } from './captions.ts'
import { viewOfMilestone } from './milestones.ts'
import { findOpenStream, listLatest, listTracks, milestoneRows, readState } from './repository.ts'
import { canonicalLanguage, chooseLanguage } from './schema.ts'
import { viewOfState } from './streams.ts'

const MAX_CAPTIONS = 12
const MAX_MILESTONES = 50

export type Overlay = ReturnType<typeof createOverlay>

/**
 * Builds the content of the overlay. Reads `revision` first: a change during the read is sent again as an
 * event with a higher revision. Applying that event twice is harmless.
 */
export const createOverlay =
  ({ db, clock }: Platform, defaultLanguage: (userId: number) => Promise<string>) =>
  async (userId: number, { language: given }: { language?: string | undefined }) => {
    const wanted = given === undefined ? undefined : canonicalLanguage(given)
    const now = clock.now().toISOString()
    const state = await readState(db, userId, now)
    const open = await findOpenStream(db, userId)
    const tracks = open ? await listTracks(db, [open.id]) : []
    const languages = tracks.map((track) => track.language)
    const language = chooseLanguage(languages, wanted, canonicalLanguage(await defaultLanguage(userId)))
    const isHeld = state.held === 1
    const latest =
      open && !isHeld
        ? await listLatest(db, userId, {
            streamId: open.id,
            language,
            above: state.clearedThrough,
            limit: MAX_CAPTIONS,
          })
        : []
    const milestones = isHeld
      ? []
      : await milestoneRows.select(db, userId).orderBy('id').limit(MAX_MILESTONES).execute()
    return {
      revision: state.revision,
      now,
      state: viewOfState(state, open),
      language,
      captions: latest.reverse().map(viewOfCaption),
      milestones: milestones.filter(({ hidden }) => hidden === 0).map(viewOfMilestone),
    }
  }
