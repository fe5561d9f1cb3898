import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import {
  type Column,
  flag,
  id,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../settings/data/parts.ts'
import { writeVttTrack } from './caption-files.ts'
import { addToTrack, insertCaptions } from './caption-store.ts'
import { canonicalLanguage } from './languages.ts'
import { insertMilestone } from './milestone-store.ts'
import { blankState, insertStream, type TrackRecord } from './store.ts'

const everyTrack = (view: Db): AsyncGenerator<TrackRecord> =>
  everyRow<TrackRecord>((last, limit) =>
    view
      .selectFrom('caption_tracks')
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('streamId', 'language'), '>', tuple(last?.streamId ?? 0, last?.language ?? '')),
      )
      .orderBy('streamId')
      .orderBy('language')
      .limit(limit)
      .execute(),
  )

const SAMPLE_CAPTIONS = [
  ['Welcome back to the workshop.', 0],
  ['Today the bird table gets its roof.', 4],
  ['The larch boards have been oiled twice.', 9],
  ['If you have a question, write it in the chat.', 15],
] as const

const HOUR_MS = 3_600_000

/** A stream of the evening before, and two milestones on their way. */
const fillSample = async (tx: Db, { now, mark }: Sample): Promise<void> => {
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const stream = await insertStream(tx, {
    ...{ title: 'Building a bird table', scene: 'Workbench', rehearsal: 0, open: null, peakViewers: 37 },
    ...{ startedAt: at(-20 * HOUR_MS), stoppedAt: at(-19 * HOUR_MS), version: 1 },
  })
  await mark('stream', stream.id)
  const createdAt = stream.startedAt
  await insertCaptions(
    tx,
    SAMPLE_CAPTIONS.map(([text, second]) => ({
      ...{
        streamId: stream.id,
        language: 'en',
        speaker: 'Ada',
        text,
        markup: null,
        cueId: null,
        settings: null,
      },
      ...{ startMs: second * 1000, endMs: second * 1000 + 3500, imported: 0 },
      ...{ version: 1, createdAt, updatedAt: createdAt },
    })),
  )
  await addToTrack(tx, stream.id, 'en', SAMPLE_CAPTIONS.length)
  for (const [title, unit, current, target] of [
    ['A new microphone', '€', 180, 250],
    ['Five hundred followers', 'followers', 412, 500],
  ] as const) {
    const milestone = await insertMilestone(tx, {
      ...{
        title,
        unit,
        current,
        target,
        source: 'manual',
        countsFrom: createdAt,
        reachedAt: null,
        hidden: 0,
      },
      ...{ version: 1, createdAt, updatedAt: createdAt },
    })
    await mark('milestone', milestone.id)
  }
}

const state = portable('stream_state', {
  file: 'state.jsonl',
  beside: 'replaced',
  columns: {
    ...{ id: integer, title: text, scene: text, viewers: integer, held: flag, clearedThrough: integer },
    ...{ revision: integer, version: integer, updatedAt: instant },
  },
})

const streams = portable('streams', {
  file: 'streams.jsonl',
  columns: {
    ...{ id, title: text, scene: text, rehearsal: flag, startedAt: instant, stoppedAt: instantOrNull },
    ...{ open: integerOrNull, peakViewers: integer, version: integer },
  },
  complete(row) {
    if (row.open !== null && row.open !== 1) throw new Error('open must be 1 or null')
    return row
  },
})

const language: Column<string> = {
  ...text,
  read: (given, reading) => canonicalLanguage(text.read(given, reading)),
}

const tracks = portable('caption_tracks', {
  file: 'tracks.jsonl',
  columns: { streamId: id, language, captions: integer, blocks: json(Type.Array(Type.String())) },
})

const captions = portable('captions', {
  file: 'captions.jsonl',
  columns: {
    ...{ id, streamId: id, language, speaker: textOrNull, text, markup: textOrNull, cueId: textOrNull },
    ...{ settings: textOrNull, startMs: integer, endMs: integer, imported: flag, version: integer },
    ...{ createdAt: instant, updatedAt: instant },
  },
})

const milestones = portable('milestones', {
  file: 'milestones.jsonl',
  columns: {
    ...{ id, title: text, unit: text, target: integer, current: integer, source: text, countsFrom: instant },
    ...{ reachedAt: instantOrNull, hidden: flag, version: integer, createdAt: instant, updatedAt: instant },
  },
})

/** Of no use without what signs in at the platforms, which is in no export. */
const credentials = portable('stream_credentials', {
  file: 'credentials.jsonl',
  fate: 'told',
  columns: {
    ...{ platform: text, serverUrl: textOrNull, fields: json(Type.Array(Type.String())), hint: text },
    ...{ secret: without(''), version: integer, createdAt: instant, updatedAt: instant },
  },
})

/** The stream in what is done with all data at once. */
export const streamPart: DataPart = {
  folder: 'stream',
  tables: [state, streams, tracks, captions, milestones, credentials],
  others: [],

  files: {
    names: /^captions\/\d+\.[\w-]+\.vtt$/,
    async add(add, view) {
      for await (const track of everyTrack(view))
        await add(`captions/${track.streamId}.${track.language}.vtt`, writeVttTrack(view, track))
    },
  },

  async wipe(tx) {
    // Captions go with their streams.
    for (const table of ['streams', 'milestones', 'stream_credentials'] as const)
      await tx.deleteFrom(table).execute()
    await blankState(tx)
  },

  fillSample,

  async removeSample(tx, marked) {
    for (const [kind, table] of [
      ['stream', 'streams'],
      ['milestone', 'milestones'],
    ] as const) {
      const ids = (await marked(kind)).map(Number)
      if (ids.length > 0) await tx.deleteFrom(table).where('id', 'in', ids).execute()
    }
  },
}
