import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { listLatest } from './caption-store.ts'
import { viewOfCaption } from './captions.ts'
import { canonicalLanguage, chooseLanguage } from './languages.ts'
import { listMilestones } from './milestone-store.ts'
import { viewOfMilestone } from './milestones.ts'
import { viewOfState } from './state.ts'
import { findOpenStream, listTracks, readState } from './store.ts'

const MOST_CAPTIONS = 12
const MOST_MILESTONES = 50

export type Overlay = ReturnType<typeof createOverlay>

/**
 * What a screen shows at this moment. `revision` is read first: what changes while the rest is read is told once more by
 * an event of a later revision, and shows the same.
 */
export const createOverlay = (deps: { db: Db; clock: Clock; usualLanguage: () => Promise<string> }) => {
  const { db, clock } = deps
  return async ({ language: given }: { language?: string | undefined }) => {
    const wanted = given === undefined ? undefined : canonicalLanguage(given)
    const state = await readState(db)
    const open = await findOpenStream(db)
    const tracks = open ? await listTracks(db, [open.id]) : []
    const there = tracks.map((track) => track.language)
    const language = chooseLanguage(there, wanted, canonicalLanguage(await deps.usualLanguage()))
    const isHeld = state.held === 1
    const latest =
      open && !isHeld
        ? await listLatest(db, {
            ...{ streamId: open.id, language, above: state.clearedThrough, limit: MOST_CAPTIONS },
          })
        : []
    const milestones = isHeld
      ? []
      : await listMilestones(db, { limit: MOST_MILESTONES - 1, above: undefined })
    return {
      revision: state.revision,
      now: clock.now().toISOString(),
      state: viewOfState(state, open),
      language,
      captions: latest.reverse().map(viewOfCaption),
      milestones: milestones.filter(({ hidden }) => hidden === 0).map(viewOfMilestone),
    }
  }
}
