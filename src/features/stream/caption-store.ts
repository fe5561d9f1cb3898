import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { CaptionRow } from '../../database/tables/stream.ts'

export type CaptionRecord = Selectable<CaptionRow>
export type NewCaption = Insertable<CaptionRow>

/** Well below what either database takes in one statement. */
const AT_ONCE = 500

/** In the order given. */
export const insertCaptions = async (tx: Db, rows: readonly NewCaption[]): Promise<CaptionRecord[]> => {
  const made: CaptionRecord[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = await tx
      .insertInto('captions')
      .values(rows.slice(from, from + AT_ONCE))
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

/** All of a stream, or those in one language. */
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

/** By time, and by age where that is the same. */
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

/** What came last, the last first; files that were imported are for the record alone. */
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

/** Counts captions that came or went; a track without captions is none. */
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
