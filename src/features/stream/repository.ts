import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type {
  CaptionRow,
  CaptionTrackRow,
  MilestoneRow,
  StreamCredentialRow,
  StreamRow,
  StreamStateRow,
} from '../../database/tables/stream.ts'

export type StateRecord = Selectable<StreamStateRow>
export type StreamRecord = Selectable<StreamRow>
export type TrackRecord = Selectable<CaptionTrackRow>

const STATE = 1
const BLANK = { id: STATE, title: '', scene: '', viewers: 0, held: 0, clearedThrough: 0 } as const

/** Locks the single state row and increments its revision. Every change to the stream calls this. */
export const lockState = (tx: Db, now: string): Promise<StateRecord> =>
  tx
    .insertInto('stream_state')
    .values({ ...BLANK, revision: 1, version: 1, updatedAt: now })
    .onConflict((existing) =>
      existing.column('id').doUpdateSet((row) => ({ revision: row('stream_state.revision', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const readState = async (db: Db): Promise<StateRecord> => {
  const state = await db.selectFrom('stream_state').selectAll().where('id', '=', STATE).executeTakeFirst()
  return state ?? { ...BLANK, revision: 0, version: 0, updatedAt: '1970-01-01T00:00:00.000Z' }
}

export const updateState = (tx: Db, change: Updateable<StreamStateRow>, now: string): Promise<StateRecord> =>
  tx
    .updateTable('stream_state')
    .set((row) => ({ ...change, version: row('version', '+', 1), updatedAt: now }))
    .where('id', '=', STATE)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Resets the state. Keeps counting the revision, because open overlays compare it. */
export const resetState = async (tx: Db): Promise<void> => {
  const { id: _, ...blank } = BLANK
  await tx
    .updateTable('stream_state')
    .set((row) => ({ ...blank, revision: row('revision', '+', 1), version: row('version', '+', 1) }))
    .execute()
}

export const findOpenStream = (db: Db): Promise<StreamRecord | undefined> =>
  db.selectFrom('streams').selectAll().where('open', '=', 1).executeTakeFirst()

export const findLatestStream = (db: Db): Promise<StreamRecord | undefined> =>
  db.selectFrom('streams').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

export const findStream = (db: Db, id: number): Promise<StreamRecord | undefined> =>
  db.selectFrom('streams').selectAll().where('id', '=', id).executeTakeFirst()

export const insertStream = (tx: Db, row: Insertable<StreamRow>): Promise<StreamRecord> =>
  tx.insertInto('streams').values(row).returningAll().executeTakeFirstOrThrow()

export const updateStream = (tx: Db, id: number, change: Updateable<StreamRow>): Promise<StreamRecord> =>
  tx
    .updateTable('streams')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteStream = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('streams').where('id', '=', id).execute()
}

/** Newest first. */
export const listStreams = (
  db: Db,
  { limit, below }: { limit: number; below: number | undefined },
): Promise<StreamRecord[]> => {
  let query = db.selectFrom('streams').selectAll()
  if (below !== undefined) query = query.where('id', '<', below)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Lists the caption tracks of streams. */
export const listTracks = async (db: Db, streamIds: readonly number[]): Promise<TrackRecord[]> =>
  streamIds.length === 0
    ? []
    : db
        .selectFrom('caption_tracks')
        .selectAll()
        .where('streamId', 'in', streamIds)
        .orderBy('streamId')
        .orderBy('language')
        .execute()

export type CredentialRecord = Selectable<StreamCredentialRow>

export const findCredential = (db: Db, platform: string): Promise<CredentialRecord | undefined> =>
  db.selectFrom('stream_credentials').selectAll().where('platform', '=', platform).executeTakeFirst()

/** Inserts or replaces the credential and increments its version. */
export const saveCredential = (
  tx: Db,
  row: Omit<Insertable<StreamCredentialRow>, 'version'>,
): Promise<CredentialRecord> => {
  const { platform: _, createdAt: __, ...change } = row
  return tx
    .insertInto('stream_credentials')
    .values({ ...row, version: 1 })
    .onConflict((existing) =>
      existing
        .column('platform')
        .doUpdateSet((old) => ({ ...change, version: old('stream_credentials.version', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const replaceSecret = async (tx: Db, platform: string, secret: string): Promise<void> => {
  await tx.updateTable('stream_credentials').set({ secret }).where('platform', '=', platform).execute()
}

export const deleteCredential = async (tx: Db, platform: string): Promise<void> => {
  await tx.deleteFrom('stream_credentials').where('platform', '=', platform).execute()
}

export const listCredentials = (
  db: Db,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<CredentialRecord[]> => {
  let query = db.selectFrom('stream_credentials').selectAll()
  if (after !== undefined) query = query.where('platform', '>', after)
  return query
    .orderBy('platform')
    .limit(limit + 1)
    .execute()
}

export type MilestoneRecord = Selectable<MilestoneRow>

export const insertMilestone = (tx: Db, row: Insertable<MilestoneRow>): Promise<MilestoneRecord> =>
  tx.insertInto('milestones').values(row).returningAll().executeTakeFirstOrThrow()

export const findMilestone = (db: Db, id: number): Promise<MilestoneRecord | undefined> =>
  db.selectFrom('milestones').selectAll().where('id', '=', id).executeTakeFirst()

export const updateMilestone = (
  tx: Db,
  id: number,
  change: Updateable<MilestoneRow>,
): Promise<MilestoneRecord> =>
  tx
    .updateTable('milestones')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteMilestone = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('milestones').where('id', '=', id).execute()
}

/** Oldest first. */
export const listMilestones = (
  db: Db,
  { limit, above }: { limit: number; above: number | undefined },
): Promise<MilestoneRecord[]> => {
  let query = db.selectFrom('milestones').selectAll()
  if (above !== undefined) query = query.where('id', '>', above)
  return query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export const listCounted = (db: Db, sources: readonly string[]): Promise<MilestoneRecord[]> =>
  db.selectFrom('milestones').selectAll().where('source', 'in', sources).execute()

export const hideMilestones = async (tx: Db): Promise<void> => {
  await tx.updateTable('milestones').set({ hidden: 1 }).where('id', '>', 0).execute()
}

export type CaptionRecord = Selectable<CaptionRow>
export type NewCaption = Insertable<CaptionRow>

/** Well below the parameter limits of both databases. */
const BATCH_SIZE = 500

/** Returns the rows in the order given. */
export const insertCaptions = async (tx: Db, rows: readonly NewCaption[]): Promise<CaptionRecord[]> => {
  const made: CaptionRecord[] = []
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    const some = await tx
      .insertInto('captions')
      .values(rows.slice(from, from + BATCH_SIZE))
      .returningAll()
      .execute()
    made.push(...some.sort((a, b) => a.id - b.id))
  }
  return made
}

export const findCaption = (db: Db, id: number): Promise<CaptionRecord | undefined> =>
  db.selectFrom('captions').selectAll().where('id', '=', id).executeTakeFirst()

export const updateCaption = (tx: Db, id: number, change: Updateable<CaptionRow>): Promise<CaptionRecord> =>
  tx
    .updateTable('captions')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteCaption = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('captions').where('id', '=', id).execute()
}

/** Deletes all captions of a stream, or those in one language. */
export const deleteCaptions = async (
  tx: Db,
  streamId: number,
  language: string | undefined,
): Promise<void> => {
  let captions = tx.deleteFrom('captions').where('streamId', '=', streamId)
  let tracks = tx.deleteFrom('caption_tracks').where('streamId', '=', streamId)
  if (language !== undefined) {
    captions = captions.where('language', '=', language)
    tracks = tracks.where('language', '=', language)
  }
  await captions.execute()
  await tracks.execute()
}

export interface CaptionFilter {
  streamId: number
  language?: string | undefined
  order: 'asc' | 'desc'
}

/** Ordered by start time, then by id. */
export const listCaptions = (
  db: Db,
  { streamId, language, order }: CaptionFilter,
  { limit, after }: { limit: number; after: readonly [number, number] | undefined },
): Promise<CaptionRecord[]> => {
  let query = db.selectFrom('captions').selectAll().where('streamId', '=', streamId)
  if (language !== undefined) query = query.where('language', '=', language)
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('startMs', 'id'), order === 'asc' ? '>' : '<', tuple(...after)),
    )
  return query.orderBy('startMs', order).orderBy('id', order).limit(limit).execute()
}

/** Newest first. Omits imported captions, which the overlay does not show. */
export const listLatest = (
  db: Db,
  { streamId, language, above, limit }: { streamId: number; language: string; above: number; limit: number },
): Promise<CaptionRecord[]> =>
  db
    .selectFrom('captions')
    .selectAll()
    .where('streamId', '=', streamId)
    .where('language', '=', language)
    .where('imported', '=', 0)
    .where('id', '>', above)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const findLastCaptionId = async (db: Db): Promise<number> => {
  const last = await db.selectFrom('captions').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return last?.id ?? 0
}

/** Adjusts the caption count of a track. Deletes the track when it becomes empty. */
export const addToTrack = async (
  tx: Db,
  streamId: number,
  language: string,
  captions: number,
): Promise<void> => {
  await tx
    .insertInto('caption_tracks')
    .values({ streamId, language, captions, blocks: '[]' })
    .onConflict((existing) =>
      existing
        .columns(['streamId', 'language'])
        .doUpdateSet((row) => ({ captions: row('caption_tracks.captions', '+', captions) })),
    )
    .execute()
  await tx
    .deleteFrom('caption_tracks')
    .where('streamId', '=', streamId)
    .where('language', '=', language)
    .where('captions', '=', 0)
    .execute()
}

export const setTrackBlocks = async (
  tx: Db,
  streamId: number,
  language: string,
  blocks: readonly string[],
): Promise<void> => {
  await tx
    .updateTable('caption_tracks')
    .set({ blocks: JSON.stringify(blocks) })
    .where('streamId', '=', streamId)
    .where('language', '=', language)
    .execute()
}
