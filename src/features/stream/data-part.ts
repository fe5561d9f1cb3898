import { sql } from 'kysely'
import Type from 'typebox'
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
import type { DataPart } from '../accounts/data/parts.ts'
import { writeVttTrack } from './captions.ts'
import { saveState, type TrackRecord } from './repository.ts'
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

/** The id of a caption, or 0. */
const clearedThrough: Column<number> = {
  ...id('captions'),
  read: (given, reading) => (given === 0 ? 0 : id('captions').read(given, reading)),
}

const state = portable('stream_state', {
  file: 'state.jsonl',
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
}
