import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { CaptionTrackRow, StreamRow, StreamStateRow } from '../../database/tables/stream.ts'

export type StateRecord = Selectable<StreamStateRow>
export type StreamRecord = Selectable<StreamRow>
export type TrackRecord = Selectable<CaptionTrackRow>

const STATE = 1
const BLANK = { id: STATE, title: '', scene: '', viewers: 0, held: 0, clearedThrough: 0 } as const

/** Holds the one row that every change of the stream passes, and counts the change. */
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

/** As it was at first, but for the count of changes: screens that are open go by it. */
export const blankState = async (tx: Db): Promise<void> => {
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

/** The newest first. */
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

/** What captions there are of each stream. */
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
