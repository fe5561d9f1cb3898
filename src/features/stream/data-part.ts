import { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { DataPart, Sample } from '../settings/data/parts.ts'
import { writeVttTrack } from './caption-files.ts'
import { addToTrack, insertCaptions } from './caption-store.ts'
import { insertMilestone, listMilestones, type MilestoneRecord } from './milestone-store.ts'
import { viewOfMilestone } from './milestones.ts'
import { blankState, insertStream, listTracks, type StreamRecord, type TrackRecord } from './store.ts'
import { viewOfStream } from './streams.ts'

const everyStream = (view: Db): AsyncGenerator<StreamRecord> =>
  everyRow<StreamRecord>((last, limit) =>
    view
      .selectFrom('streams')
      .selectAll()
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

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

async function* jsonArray(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const value of values) {
    yield `${before}  ${JSON.stringify(value)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function* streamViews(view: Db) {
  for await (const stream of everyStream(view)) {
    const { version: _, ...shown } = viewOfStream(stream, await listTracks(view, [stream.id]))
    yield shown
  }
}

async function* milestoneViews(view: Db) {
  const rows = everyRow<MilestoneRecord>(async (last, limit) =>
    listMilestones(view, { limit: limit - 1, above: last?.id }),
  )
  for await (const row of rows) {
    const { version: _, ...shown } = viewOfMilestone(row)
    yield shown
  }
}

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

/** The stream in what is done with all data at once. What signs in at platforms is in no export. */
export const streamPart: DataPart = {
  async addToExport(zip, view) {
    zip.addReadStream(Readable.from(jsonArray(streamViews(view))), 'stream/streams.json')
    zip.addReadStream(Readable.from(jsonArray(milestoneViews(view))), 'stream/milestones.json')
    for await (const track of everyTrack(view))
      zip.addReadStream(
        Readable.from(writeVttTrack(view, track)),
        `stream/captions/${track.streamId}.${track.language}.vtt`,
      )
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
