import type { Db } from '../../database/db.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Scene, Stage } from './stage.ts'
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
} from './store.ts'

export const viewOfStream = (stream: StreamRecord, tracks: readonly TrackRecord[]) => {
  const { open, rehearsal, ...shown } = stream
  return {
    ...shown,
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

/** The one that is asked for; else the one that goes on, else the last one. */
export const streamInQuestion = async (db: Db, id: number | undefined): Promise<StreamRecord | undefined> =>
  id === undefined ? ((await findOpenStream(db)) ?? findLatestStream(db)) : getStream(db, id)

/** Where captions go: what comes while nothing is live is kept apart from what was. */
export const streamForCaptions = async (scene: Scene, id: number | undefined): Promise<StreamRecord> => {
  const { tx, state, now } = scene
  if (id !== undefined) return getStream(tx, id)
  const { title, scene: shot } = state
  return (await findOpenStream(tx)) ?? openStream(tx, { title, scene: shot, now, rehearsal: true })
}

export const openStream = (
  tx: Db,
  { title, scene, now, rehearsal }: { title: string; scene: string; now: string; rehearsal: boolean },
): Promise<StreamRecord> =>
  insertStream(tx, {
    ...{ title, scene, rehearsal: rehearsal ? 1 : 0, startedAt: now, stoppedAt: null, open: 1 },
    ...{ peakViewers: 0, version: 1 },
  })

/** A clock that was set back makes no stream end before it began. */
export const closeStream = (tx: Db, stream: StreamRecord, now: string): Promise<StreamRecord> =>
  updateStream(tx, stream.id, { open: null, stoppedAt: now < stream.startedAt ? stream.startedAt : now })

export type Streams = ReturnType<typeof createStreams>

/** Every stream there was, the newest first. */
export const createStreams = ({ db, stage }: { db: Db; stage: Stage }) => ({
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

  /** With its captions. */
  remove: (id: number, ifMatch: string | undefined): Promise<void> =>
    stage.change(async ({ tx, tell }) => {
      const stream = await getStream(tx, id)
      requireMatch(ifMatch, stream)
      if (stream.open === 1 && stream.rehearsal === 0) throw conflict('This stream is live: stop it first.')
      await deleteStream(tx, id)
      await tell('stream.deleted', id, { streamId: id })
    }),
})
