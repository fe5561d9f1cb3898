import type { Db } from '../../database/db.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { ChangeContext, StreamWriter } from './overlay.ts'
import {
  deleteStream,
  findLatestStream,
  findOpenStream,
  findStream,
  insertStream,
  listStreams,
  listTracks,
  type StreamRecord,
  type TrackRecord,
  updateStream,
} from './repository.ts'

export const viewOfStream = (stream: StreamRecord, tracks: readonly TrackRecord[]) => {
  const { open, rehearsal, ...fields } = stream
  return {
    ...fields,
    live: open === 1 && rehearsal === 0,
    rehearsal: rehearsal === 1,
    languages: tracks
      .filter(({ streamId }) => streamId === stream.id)
      .map(({ language, captions }) => ({ language, captions })),
  }
}

export const getStream = async (db: Db, id: number): Promise<StreamRecord> => {
  const stream = await findStream(db, id)
  if (!stream) throw notFound('stream')
  return stream
}

/** Returns the requested stream, otherwise the running one, otherwise the last one. */
export const findRequestedStream = async (
  db: Db,
  id: number | undefined,
): Promise<StreamRecord | undefined> =>
  id === undefined ? ((await findOpenStream(db)) ?? findLatestStream(db)) : getStream(db, id)

/** Returns the stream for new captions. Opens a rehearsal if no stream is live. */
export const streamForCaptions = async (
  context: ChangeContext,
  id: number | undefined,
): Promise<StreamRecord> => {
  const { tx, state, now } = context
  if (id !== undefined) return getStream(tx, id)
  const { title, scene } = state
  return (await findOpenStream(tx)) ?? openStream(tx, { title, scene, now, rehearsal: true })
}

export const openStream = (
  tx: Db,
  { title, scene, now, rehearsal }: { title: string; scene: string; now: string; rehearsal: boolean },
): Promise<StreamRecord> =>
  insertStream(tx, {
    title,
    scene,
    rehearsal: rehearsal ? 1 : 0,
    startedAt: now,
    stoppedAt: null,
    open: 1,
    peakViewers: 0,
    version: 1,
  })

/** If the clock was set back, a stream must not end before it started. */
export const closeStream = (tx: Db, stream: StreamRecord, now: string): Promise<StreamRecord> =>
  updateStream(tx, stream.id, { open: null, stoppedAt: now < stream.startedAt ? stream.startedAt : now })

export type Streams = ReturnType<typeof createStreams>

export const createStreams = ({ db, streamWriter }: { db: Db; streamWriter: StreamWriter }) => ({
  async list({ limit, cursor }: PageRequest) {
    const below = readCursor(cursor, 'integer')?.[0]
    const { page, nextCursor } = pageOf(await listStreams(db, { limit, below }), limit, ({ id }) => [id])
    const tracks = await listTracks(
      db,
      page.map(({ id }) => id),
    )
    return { streams: page.map((stream) => viewOfStream(stream, tracks)), nextCursor }
  },

  async get(id: number) {
    const stream = await getStream(db, id)
    return viewOfStream(stream, await listTracks(db, [id]))
  },

  /** Also deletes its captions. */
  remove: (id: number, ifMatch: string | undefined): Promise<void> =>
    streamWriter.change(async ({ tx, emit }) => {
      const stream = await getStream(tx, id)
      requireMatch(ifMatch, stream)
      if (stream.open === 1 && stream.rehearsal === 0) throw conflict('This stream is live. Stop it first.')
      await deleteStream(tx, id)
      await emit('stream.deleted', id, { streamId: id })
    }),
})
