import { sql } from 'kysely'
import Type from 'typebox'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import {
  type Column,
  flag,
  id,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  own,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../accounts/data/parts.ts'
import { writeVttTrack } from './captions.ts'
import {
  addToTrack,
  insertCaptions,
  milestoneRows,
  saveState,
  streamRows,
  type TrackRecord,
} from './repository.ts'
import { canonicalLanguage } from './schema.ts'

const listAllTracks = (view: Db, userId: number): AsyncGenerator<TrackRecord> =>
  everyRow<TrackRecord>((last, limit) =>
    view
      .selectFrom('caption_tracks')
      .selectAll()
      .where('streamId', 'in', (streams) =>
        streams.selectFrom('streams').select('id').where('userId', '=', userId),
      )
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('streamId', 'language'), '>', tuple(last?.streamId ?? 0, last?.language ?? '')),
      )
      .orderBy('streamId')
      .orderBy('language')
      .limit(limit)
      .execute(),
  )

const HOUR_MS = 3_600_000

/** Adds a stream of the evening before and two milestones in progress. */
const fillSample = async (tx: Db, { userId, now, content, mark }: Sample): Promise<void> => {
  const { language, title, scene, captions, milestones } = content.stream
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const stream = await streamRows.insert(tx, {
    userId,
    title,
    scene,
    rehearsal: 0,
    open: null,
    peakViewers: 37,
    startedAt: at(-20 * HOUR_MS),
    stoppedAt: at(-19 * HOUR_MS),
    version: 1,
  })
  await mark('stream', stream.id)
  const createdAt = stream.startedAt
  await insertCaptions(
    tx,
    captions.map(([text, second]) => ({
      userId,
      streamId: stream.id,
      language,
      speaker: 'Ada',
      text,
      markup: null,
      cueId: null,
      settings: null,
      startMs: second * 1000,
      endMs: second * 1000 + 3500,
      imported: 0,
      version: 1,
      createdAt,
      updatedAt: createdAt,
    })),
  )
  await addToTrack(tx, stream.id, language, captions.length)
  for (const [name, unit, current, target] of milestones) {
    const milestone = await milestoneRows.insert(tx, {
      userId,
      title: name,
      unit,
      current,
      target,
      source: 'manual',
      countsFrom: createdAt,
      reachedAt: null,
      hidden: 0,
      version: 1,
      createdAt,
      updatedAt: createdAt,
    })
    await mark('milestone', milestone.id)
  }
}

const ofUser = (userId: number) => [sql<boolean>`${sql.ref('userId')} = ${userId}`]

/** The id of a caption, or 0. */
const clearedThrough: Column<number> = {
  ...id('captions'),
  read: (given, reading) => (given === 0 ? 0 : id('captions').read(given, reading)),
}

const state = portable('stream_state', {
  file: 'state.jsonl',
  of: ofUser,
  beside: 'added',
  columns: {
    userId: { ...integer, read: own.read },
    title: text,
    scene: text,
    viewers: integer,
    held: flag,
    clearedThrough,
    revision: integer,
    version: integer,
    updatedAt: instant,
  },
  formerNames: { userId: 'id' },
  put: saveState,
})

const streams = portable('streams', {
  file: 'streams.jsonl',
  of: ofUser,
  columns: {
    id: id('streams'),
    userId: own,
    title: text,
    scene: text,
    rehearsal: flag,
    startedAt: instant,
    stoppedAt: instantOrNull,
    open: integerOrNull,
    peakViewers: integer,
    version: integer,
  },
  complete(row) {
    if (row.open !== null && row.open !== 1) throw new Error('open must be 1 or null')
    return row
  },
})

const language: Column<string> = {
  ...text,
  read: (given, readAccess) => canonicalLanguage(text.read(given, readAccess)),
}

const tracks = portable('caption_tracks', {
  file: 'tracks.jsonl',
  of: (userId) => [
    sql<boolean>`${sql.ref('streamId')} in (select id from streams where ${sql.ref('userId')} = ${userId})`,
  ],
  columns: { streamId: id('streams'), language, captions: integer, blocks: json(Type.Array(Type.String())) },
})

const captions = portable('captions', {
  file: 'captions.jsonl',
  of: ofUser,
  columns: {
    id: id('captions'),
    userId: own,
    streamId: id('streams'),
    language,
    speaker: textOrNull,
    text,
    markup: textOrNull,
    cueId: textOrNull,
    settings: textOrNull,
    startMs: integer,
    endMs: integer,
    imported: flag,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

const milestones = portable('milestones', {
  file: 'milestones.jsonl',
  of: ofUser,
  columns: {
    id: id('milestones'),
    userId: own,
    title: text,
    unit: text,
    target: integer,
    current: integer,
    source: text,
    countsFrom: instant,
    reachedAt: instantOrNull,
    hidden: flag,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

/** Useless without the secrets, which are never exported. */
const credentials = portable('stream_credentials', {
  file: 'credentials.jsonl',
  isExportOnly: true,
  of: ofUser,
  columns: {
    userId: own,
    platform: text,
    serverUrl: textOrNull,
    fields: json(Type.Array(Type.String())),
    hint: text,
    secret: without(''),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

/** Stream data for export, import and reset. */
export const streamPart: DataPart = {
  folder: 'stream',
  tables: [state, streams, tracks, captions, milestones, credentials],
  others: [],

  files: {
    names: /^captions\/\d+\.[\w-]+\.vtt$/,
    async add(add, view, userId) {
      for await (const track of listAllTracks(view, userId))
        await add(`captions/${track.streamId}.${track.language}.vtt`, writeVttTrack(view, userId, track))
    },
  },

  async wipe(tx) {
    // Captions are deleted with their streams.
    for (const table of ['streams', 'milestones', 'stream_credentials', 'stream_state'] as const)
      await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  },

  fillSample,

  async removeSample(tx, { userId, marked }) {
    for (const [kind, table] of [
      ['stream', 'streams'],
      ['milestone', 'milestones'],
    ] as const) {
      const ids = (await marked(kind)).map(Number)
      if (ids.length > 0)
        await tx.deleteFrom(table).where('userId', '=', userId).where('id', 'in', ids).execute()
    }
  },
}
