import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { viewOfCaption } from './captions.ts'
import { viewOfMilestone } from './milestones.ts'
import {
  findOpenStream,
  listLatest,
  listMilestones,
  listTracks,
  lockState,
  readState,
  type StateRecord,
} from './repository.ts'
import { canonicalLanguage, chooseLanguage } from './schema.ts'
import { viewOfState } from './streams.ts'

const MAX_CAPTIONS = 12
const MAX_MILESTONES = 50

export type Overlay = ReturnType<typeof createOverlay>

/**
 * Builds the content of the overlay. Reads `revision` first: a change during the read is sent again as an
 * event with a higher revision. Applying that event twice is harmless.
 */
export const createOverlay = (deps: {
  db: Db
  clock: Clock
  defaultLanguage: (userId: number) => Promise<string>
}) => {
  const { db, clock } = deps
  return async (userId: number, { language: given }: { language?: string | undefined }) => {
    const wanted = given === undefined ? undefined : canonicalLanguage(given)
    const now = clock.now().toISOString()
    const state = await readState(db, userId, now)
    const open = await findOpenStream(db, userId)
    const tracks = open ? await listTracks(db, [open.id]) : []
    const languages = tracks.map((track) => track.language)
    const language = chooseLanguage(languages, wanted, canonicalLanguage(await deps.defaultLanguage(userId)))
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
      : await listMilestones(db, userId, { limit: MAX_MILESTONES - 1, above: undefined })
    return {
      revision: state.revision,
      now,
      state: viewOfState(state, open),
      language,
      captions: latest.reverse().map(viewOfCaption),
      milestones: milestones.filter(({ hidden }) => hidden === 0).map(viewOfMilestone),
    }
  }
}

/** Context of a change to the stream. */
export interface ChangeContext {
  tx: Db
  userId: number
  /** State before the change. */
  state: StateRecord
  now: string
  emit(type: StreamChange, subject: string | number, data: Record<string, unknown>): Promise<void>
}

export type StreamChange =
  | 'stream.started'
  | 'stream.stopped'
  | 'stream.updated'
  | 'stream.deleted'
  | 'stream.panicked'
  | 'stream.caption_added'
  | 'stream.caption_corrected'
  | 'stream.caption_removed'
  | 'stream.captions_imported'
  | 'stream.captions_cleared'
  | 'stream.milestone_changed'
  | 'stream.milestone_reached'
  | 'stream.milestone_removed'

export type StreamWriter = ReturnType<typeof createStreamWriter>

/**
 * Serializes changes to the stream of an account across all instances: each holds a lock until it commits.
 * Therefore progress adds up exactly, at most one stream per account is live, and events are ordered.
 */
export const createStreamWriter = ({ db, clock, changes }: { db: Db; clock: Clock; changes: Changes }) => ({
  change: <T>(userId: number, work: (context: ChangeContext) => Promise<T>): Promise<T> =>
    inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const state = await lockState(tx, userId, now)
      const { revision } = state
      const emit: ChangeContext['emit'] = (type, subject, data) =>
        changes.record(tx, { userId, type, subject: String(subject), data: { ...data, revision } })
      return work({ tx, userId, state, now, emit })
    }),
})
