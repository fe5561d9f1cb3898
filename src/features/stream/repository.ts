import type { Insertable, Selectable, Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import type {
  CaptionRow,
  CaptionTrackRow,
  MilestoneRow,
  StreamCredentialRow,
  StreamRow,
  StreamStateRow,
} from '../../database/tables/stream.ts'
import { versionedRows } from '../../platform/resources.ts'

export type StateRecord = Selectable<StreamStateRow>
export type StreamRecord = Selectable<StreamRow>
export type TrackRecord = Selectable<CaptionTrackRow>

const BLANK = { title: '', scene: '', viewers: 0, held: 0, clearedThrough: 0 } as const

/**
 * Returns the revision of an account without a state. An open overlay ignores lower revisions than the last one, also
 * those of the account that follows after a wipe. Therefore revisions start at the current time.
 */
const firstRevision = (now: string): number => Date.parse(now)

/** Locks the state of an account and increments its revision. Every change to the stream calls this. */
export const lockState = (tx: Db, userId: number, now: string): Promise<StateRecord> =>
  tx
    .insertInto('stream_state')
    .values({ ...BLANK, userId, revision: firstRevision(now) + 1, version: 1, updatedAt: now })
    .onConflict((existing) =>
      existing.column('userId').doUpdateSet((row) => ({ revision: row('stream_state.revision', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const readState = async (db: Db, userId: number, now: string): Promise<StateRecord> => {
  const state = await db
    .selectFrom('stream_state')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
  return (
    state ?? {
      ...BLANK,
      userId,
      revision: firstRevision(now),
      version: 0,
      updatedAt: '1970-01-01T00:00:00.000Z',
    }
  )
}

export const updateState = (
  tx: Db,
  userId: number,
  change: Updateable<StreamStateRow>,
  now: string,
): Promise<StateRecord> =>
  tx
    .updateTable('stream_state')
    .set((row) => ({ ...change, version: row('version', '+', 1), updatedAt: now }))
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Stores an imported state. An existing state keeps counting its revision, because open overlays compare it. */
export const saveState = async (tx: Db, row: StateRecord): Promise<void> => {
  const { userId: _, revision: __, ...change } = row
  await tx
    .insertInto('stream_state')
    .values(row)
    .onConflict((existing) =>
      existing
        .column('userId')
        .doUpdateSet((old) => ({ ...change, revision: old('stream_state.revision', '+', 1) })),
    )
    .execute()
}

export const streamRows = versionedRows('streams', 'stream')

export const findOpenStream = (db: Db, userId: number): Promise<StreamRecord | undefined> =>
  streamRows.select(db, userId).where('open', '=', 1).executeTakeFirst()

export const findLatestStream = (db: Db, userId: number): Promise<StreamRecord | undefined> =>
  streamRows.select(db, userId).orderBy('id', 'desc').limit(1).executeTakeFirst()

/** Lists the caption tracks of streams that belong to the account. */
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

export const findCredential = (
  db: Db,
  userId: number,
  platform: string,
): Promise<CredentialRecord | undefined> =>
  db
    .selectFrom('stream_credentials')
    .selectAll()
    .where('userId', '=', userId)
    .where('platform', '=', platform)
    .executeTakeFirst()

/** Inserts or replaces the credential and increments its version. */
export const saveCredential = (
  tx: Db,
  row: Omit<Insertable<StreamCredentialRow>, 'version'>,
): Promise<CredentialRecord> => {
  const { userId: _, platform: __, createdAt: ___, ...change } = row
  return tx
    .insertInto('stream_credentials')
    .values({ ...row, version: 1 })
    .onConflict((existing) =>
      existing
        .columns(['userId', 'platform'])
        .doUpdateSet((old) => ({ ...change, version: old('stream_credentials.version', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lists the secrets of all accounts, to encrypt them again. */
export const listSecrets = (tx: Db): Promise<Pick<CredentialRecord, 'userId' | 'platform' | 'secret'>[]> =>
  tx
    .selectFrom('stream_credentials')
    .select(['userId', 'platform', 'secret'])
    .modifyEnd(ALL_ACCOUNTS)
    .execute()

export const replaceSecret = async (
  tx: Db,
  userId: number,
  platform: string,
  secret: string,
): Promise<void> => {
  await tx
    .updateTable('stream_credentials')
    .set({ secret })
    .where('userId', '=', userId)
    .where('platform', '=', platform)
    .execute()
}

export const deleteCredential = async (tx: Db, userId: number, platform: string): Promise<void> => {
  await tx
    .deleteFrom('stream_credentials')
    .where('userId', '=', userId)
    .where('platform', '=', platform)
    .execute()
}

export const listCredentials = (
  db: Db,
  userId: number,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<CredentialRecord[]> => {
  let query = db.selectFrom('stream_credentials').selectAll().where('userId', '=', userId)
  if (after !== undefined) query = query.where('platform', '>', after)
  return query
    .orderBy('platform')
    .limit(limit + 1)
    .execute()
}

export type MilestoneRecord = Selectable<MilestoneRow>

export const milestoneRows = versionedRows('milestones', 'milestone')

/** Lists the automatic milestones of an account. */
export const listCounted = (db: Db, userId: number, sources: readonly string[]): Promise<MilestoneRecord[]> =>
  milestoneRows.select(db, userId).where('source', 'in', sources).execute()

/** Lists the automatic milestones of all accounts. */
export const listAllCounted = (db: Db, sources: readonly string[]): Promise<MilestoneRecord[]> =>
  db.selectFrom('milestones').selectAll().where('source', 'in', sources).modifyEnd(ALL_ACCOUNTS).execute()

export const hideMilestones = async (tx: Db, userId: number): Promise<void> => {
  await tx.updateTable('milestones').set({ hidden: 1 }).where('userId', '=', userId).execute()
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

export const captionRows = versionedRows('captions', 'caption')

/** Deletes all captions of a stream, or those in one language. */
export const deleteCaptions = async (
  tx: Db,
  userId: number,
  streamId: number,
  language: string | undefined,
): Promise<void> => {
  let captions = tx
    .deleteFrom('captions')
    .where(filterOnly('userId'), '=', userId)
    .where('streamId', '=', streamId)
  let tracks = tx.deleteFrom('caption_tracks').where('streamId', '=', streamId)
  if (language !== undefined) {
    captions = captions.where('language', '=', language)
    tracks = tracks.where('language', '=', language)
  }
  await captions.execute()
  await tracks.execute()
}

export interface CaptionFilter {
  userId: number
  streamId: number
  language?: string | undefined
  order: 'asc' | 'desc'
}

/** Ordered by start time, then by id. */
export const listCaptions = (
  db: Db,
  { userId, streamId, language, order }: CaptionFilter,
  { limit, after }: { limit: number; after: readonly [number, number] | undefined },
): Promise<CaptionRecord[]> => {
  let query = db
    .selectFrom('captions')
    .selectAll()
    .where('userId', '=', userId)
    .where('streamId', '=', streamId)
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
  userId: number,
  { streamId, language, above, limit }: { streamId: number; language: string; above: number; limit: number },
): Promise<CaptionRecord[]> =>
  db
    .selectFrom('captions')
    .selectAll()
    .where('userId', '=', userId)
    .where('streamId', '=', streamId)
    .where('language', '=', language)
    .where('imported', '=', 0)
    .where('id', '>', above)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const findLastCaptionId = async (db: Db, userId: number): Promise<number> => {
  const last = await db
    .selectFrom('captions')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
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
