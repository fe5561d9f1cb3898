import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { readInstant } from '../../platform/time.ts'
import { readPages } from '../../platform/workers/pages.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask } from '../../platform/workers/task.ts'
import { createYielder } from '../../platform/yield.ts'
import { type CaptionPages, MAX_BLOCKS_LENGTH, type ReadCaption, readCaptionFile } from './caption-reader.ts'
import {
  addToTrack,
  type CaptionRecord,
  captionRows,
  deleteCaptions,
  insertCaptions,
  listCaptions,
  listTracks,
  type NewCaption as NewCaptionRow,
  type StreamRecord,
  setTrackBlocks,
  streamRows,
  type TrackRecord,
} from './repository.ts'
import {
  type CaptionChange,
  type CaptionClearing,
  type CaptionInput,
  type CaptionQuery,
  canonicalLanguage,
  chooseLanguage,
  type FileQuery,
  type ImportQuery,
  type NewCaption,
} from './schema.ts'
import type { ChangeContext, StreamWriter } from './stream-writer.ts'
import { findRequestedStream, streamForCaptions } from './streams.ts'
import { type WrittenCue, writeCue, writeHeader, writeSrtCue } from './webvtt.ts'

type Track = Pick<TrackRecord, 'streamId' | 'language' | 'blocks'>

const cuesOf = (db: Db, userId: number, { streamId, language }: Track): AsyncGenerator<CaptionRecord> =>
  everyRow<CaptionRecord>((last, limit) =>
    listCaptions(
      db,
      { userId, streamId, language, order: 'asc' },
      { limit, after: last && [last.startMs, last.id] },
    ),
  )

const writtenOf = (caption: CaptionRecord): WrittenCue => ({ ...caption, id: caption.cueId })

/** WebVTT requires cues in the order of their start times. */
export async function* writeVttTrack(db: Db, userId: number, track: Track): AsyncGenerator<string> {
  yield writeHeader(JSON.parse(track.blocks) as string[])
  for await (const caption of cuesOf(db, userId, track)) yield writeCue(writtenOf(caption))
}

async function* writeSrtTrack(db: Db, userId: number, track: Track): AsyncGenerator<string> {
  let number = 1
  for await (const caption of cuesOf(db, userId, track))
    if (caption.text.trim() !== '') yield writeSrtCue(writtenOf(caption), number++)
}

export type CaptionFiles = ReturnType<typeof createCaptionFiles>

/** Exports the captions of a stream in one language as a file. */
export const createCaptionFiles = (
  { db }: Platform,
  defaultLanguage: (userId: number) => Promise<string>,
) => {
  const find = async (userId: number, { streamId, language }: FileQuery) => {
    const stream = await findRequestedStream(db, userId, streamId)
    const tracks = stream ? await listTracks(db, [stream.id]) : []
    const wanted = language === undefined ? undefined : canonicalLanguage(language)
    const chosen = chooseLanguage(
      tracks.map((track) => track.language),
      wanted,
      await defaultLanguage(userId),
    )
    const track = tracks.find((one) => one.language === chosen)
    // Without captions, the file has no cues.
    return track ?? { streamId: stream?.id ?? 0, language: chosen, blocks: '[]' }
  }
  const named = (track: Track, extension: string): string =>
    `stream-${track.streamId}.${track.language}.${extension}`
  return {
    async vtt(userId: number, query: FileQuery) {
      const track = await find(userId, query)
      return {
        filename: named(track, 'vtt'),
        language: track.language,
        chunks: writeVttTrack(db, userId, track),
      }
    },
    async srt(userId: number, query: FileQuery) {
      const track = await find(userId, query)
      return {
        filename: named(track, 'srt'),
        language: track.language,
        chunks: writeSrtTrack(db, userId, track),
      }
    },
  }
}

/** Default display time of a caption: 15 characters per second. */
const readingMs = (text: string): number =>
  Math.min(7000, Math.max(1500, Math.round(text.length * (1000 / 15))))

interface Times {
  start?: number | string | undefined
  end?: number | string | undefined
}

/** Returns the offset from the start of the stream in milliseconds. */
const offsetOf = (path: string, given: number | string, startedAt: string): number => {
  if (typeof given === 'number') return Math.round(given * 1000)
  const offset = Date.parse(readInstant(path, given, 'UTC')) - Date.parse(startedAt)
  if (offset < 0) throw invalidField(path, 'must not be before the start of the stream')
  return offset
}

/** Determines start and end of a caption. Missing values come from `otherwise`. */
const timesOf = (
  { start, end }: Times,
  {
    text,
    startedAt,
    otherwise,
    path = '',
  }: {
    text: string
    startedAt: string
    otherwise: { startMs: number; endMs?: number }
    path?: string
  },
): { startMs: number; endMs: number } => {
  const startMs = start === undefined ? otherwise.startMs : offsetOf(`${path}start`, start, startedAt)
  const given = end === undefined ? otherwise.endMs : offsetOf(`${path}end`, end, startedAt)
  const endMs = given ?? startMs + readingMs(text)
  if (endMs <= startMs && (start !== undefined || end !== undefined))
    throw invalidField(`${path}end`, 'must be after start')
  return { startMs, endMs }
}

/** Time since the start of the stream, or its duration if it has ended. */
const elapsedMs = (
  { startedAt, stoppedAt }: { startedAt: string; stoppedAt: string | null },
  now: string,
): number => Math.max(0, Date.parse(stoppedAt ?? now) - Date.parse(startedAt))

export const viewOfCaption = (caption: CaptionRecord) => {
  const { userId: _, startMs, endMs, settings: __, imported: ___, ...fields } = caption
  return { ...fields, start: startMs / 1000, end: endMs / 1000 }
}

/** Line endings follow WebVTT, and a speaker name has one line. */
const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n')
const cleanSpeaker = (speaker: string | null): string | null => speaker?.trim().replace(/\s+/g, ' ') ?? null

const toInputs = ({ captions, streamId: _, text, ...rest }: NewCaption): CaptionInput[] => {
  if (captions === undefined) {
    if (text === undefined) throw invalidField('text', 'is required, unless you send captions')
    return [{ ...rest, text }]
  }
  if (text !== undefined || Object.keys(rest).length > 0)
    throw invalid('Send either one caption by its fields or several as captions, not both.')
  return captions
}

export type Captions = ReturnType<typeof createCaptions>

export const createCaptions = (
  { db }: Platform,
  streamWriter: StreamWriter,
  defaultLanguage: (userId: number) => Promise<string>,
) => {
  const rowOf = (
    input: CaptionInput,
    path: string,
    given: { stream: StreamRecord; now: string; fallback: string },
  ) => {
    const { stream, now, fallback } = given
    const text = cleanText(input.text)
    const otherwise = { startMs: elapsedMs(stream, now) }
    return {
      userId: stream.userId,
      streamId: stream.id,
      language:
        input.language === undefined ? fallback : canonicalLanguage(input.language, `${path}language`),
      speaker: cleanSpeaker(input.speaker ?? null),
      text,
      ...timesOf(input, { text, startedAt: stream.startedAt, otherwise, path }),
      markup: null,
      cueId: null,
      settings: null,
      imported: 0,
      version: 1,
      createdAt: now,
      updatedAt: now,
    } satisfies NewCaptionRow
  }

  const countTracks = async (tx: Db, rows: readonly { streamId: number; language: string }[]) => {
    const tracks = Map.groupBy(rows, ({ language }) => language)
    for (const [language, some] of tracks)
      await addToTrack(tx, (some[0] as { streamId: number }).streamId, language, some.length)
  }

  const add = async (userId: number, input: NewCaption) => {
    const inputs = toInputs(input)
    const fallback = canonicalLanguage(await defaultLanguage(userId))
    return streamWriter.change(userId, async (context: ChangeContext) => {
      const stream = await streamForCaptions(context, input.streamId)
      const { tx, now } = context
      const isBatch = input.captions !== undefined
      const rows = inputs.map((one, index) =>
        rowOf(one, isBatch ? `captions.${index}.` : '', { stream, now, fallback }),
      )
      const made = (await insertCaptions(tx, rows)).map(viewOfCaption)
      await countTracks(tx, rows)
      for (const caption of made)
        await context.emit({
          type: 'stream.caption_added',
          subject: String(caption.id),
          data: { caption, revision: context.state.revision },
        })
      return made
    })
  }

  return {
    add,

    async list(userId: number, { streamId, language, order, limit, cursor }: CaptionQuery) {
      const after = readCursor(cursor, 'integer', 'integer')
      const stream = await findRequestedStream(db, userId, streamId)
      if (!stream) return { captions: [], nextCursor: null }
      const filter = {
        userId,
        streamId: stream.id,
        language: language === undefined ? undefined : canonicalLanguage(language),
        order,
      }
      const rows = await listCaptions(db, filter, { limit: limit + 1, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.startMs, row.id])
      return { captions: page.map(viewOfCaption), nextCursor }
    },

    get: async (userId: number, id: number) => viewOfCaption(await captionRows.get(db, userId, id)),

    /** Editing an imported caption removes its markup. */
    correct: (userId: number, id: number, input: CaptionChange, ifMatch: string | undefined) =>
      streamWriter.change(userId, async ({ tx, state, now, emit }) => {
        const before = await captionRows.get(tx, userId, id)
        requireMatch(ifMatch, before)
        const { startedAt } = await streamRows.get(tx, userId, before.streamId)
        const text = input.text === undefined ? before.text : cleanText(input.text)
        const speaker = input.speaker === undefined ? before.speaker : cleanSpeaker(input.speaker)
        const language = input.language === undefined ? before.language : canonicalLanguage(input.language)
        const isReworded = text !== before.text || speaker !== before.speaker
        const after = await captionRows.update(tx, before, {
          text,
          speaker,
          language,
          updatedAt: now,
          ...timesOf(input, { text, startedAt, otherwise: before }),
          ...(isReworded && { markup: null }),
        })
        if (language !== before.language) {
          await addToTrack(tx, before.streamId, before.language, -1)
          await addToTrack(tx, before.streamId, language, 1)
        }
        const caption = viewOfCaption(after)
        await emit({
          type: 'stream.caption_corrected',
          subject: String(id),
          data: { caption, revision: state.revision },
        })
        return caption
      }),

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      streamWriter.change(userId, async ({ tx, state, emit }) => {
        const caption = await captionRows.remove(tx, userId, id, ifMatch)
        await addToTrack(tx, caption.streamId, caption.language, -1)
        await emit({
          type: 'stream.caption_removed',
          subject: String(id),
          data: { captionId: id, streamId: caption.streamId, revision: state.revision },
        })
      }),

    /** Deletes the captions that the list returns for the same query. */
    clear: (userId: number, query: CaptionClearing): Promise<void> =>
      streamWriter.change(userId, async ({ tx, state, emit }) => {
        const stream = await findRequestedStream(tx, userId, query.streamId)
        if (!stream) return
        const language = query.language === undefined ? undefined : canonicalLanguage(query.language)
        await deleteCaptions(tx, userId, stream.id, language)
        const data = { streamId: stream.id, language: language ?? null, revision: state.revision }
        await emit({ type: 'stream.captions_cleared', subject: String(stream.id), data: data })
      }),
  }
}

const READ_CAPTIONS = defineTask<{ bytes: Uint8Array }, CaptionPages>(
  new URL('./caption-reader.ts', import.meta.url),
  'readCaptionPages',
)
const READ_TIMEOUT_MS = 60_000
/** Files up to this size are parsed in a few milliseconds, whatever they contain. */
const SMALL_FILE_BYTES = 16 * 1024
const MAX_RETURNED = 200
const BATCH_SIZE = 100

async function* inBatches(captions: AsyncIterable<ReadCaption> | readonly ReadCaption[]) {
  let batch: ReadCaption[] = []
  for await (const caption of captions) {
    batch.push(caption)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export interface ParsedCaptions {
  /** Can be called again: a transaction that the database aborts is retried from the first caption. */
  captions(): AsyncIterable<ReadCaption> | readonly ReadCaption[]
  blocks: readonly string[]
}

export type CaptionImport = ReturnType<typeof createCaptionImport>

export const createCaptionImport = (
  { workers }: Platform,
  streamWriter: StreamWriter,
  defaultLanguage: (userId: number) => Promise<string>,
) => {
  const readInThread = (given: Buffer): Promise<CaptionPages> => {
    const bytes = new Uint8Array(given)
    return runTask(
      workers,
      READ_CAPTIONS,
      { bytes },
      {
        isCheap: false,
        subject: 'the caption file',
        code: 'unreadable_captions',
        timeoutMs: READ_TIMEOUT_MS,
        transfer: [bytes.buffer],
      },
    )
  }

  /** May wait for a worker thread. Must not run inside a transaction. */
  const read = async (bytes: Buffer): Promise<ParsedCaptions> => {
    if (bytes.length <= SMALL_FILE_BYTES) {
      const { captions, blocks } = readCaptionFile(bytes)
      return { captions: () => captions, blocks }
    }
    const { pages, blocks } = await readInThread(bytes)
    return { captions: () => readPages<ReadCaption>(pages), blocks }
  }

  const store = async (
    userId: number,
    file: ParsedCaptions,
    { streamId, language: given, replace }: ImportQuery,
  ) => {
    const language = canonicalLanguage(given ?? (await defaultLanguage(userId)))
    return streamWriter.change(userId, async (context) => {
      const { tx, state, now, emit } = context
      const stream = await streamForCaptions(context, streamId)
      if (replace) await deleteCaptions(tx, userId, stream.id, language)
      const returned: CaptionRecord[] = []
      let imported = 0
      const yieldIfNeeded = createYielder()
      for await (const batch of inBatches(file.captions())) {
        await yieldIfNeeded()
        const made = await insertCaptions(
          tx,
          batch.map((caption) => ({
            ...caption,
            userId,
            streamId: stream.id,
            language,
            imported: 1,
            version: 1,
            createdAt: now,
            updatedAt: now,
          })),
        )
        imported += made.length
        returned.push(...made.slice(0, MAX_RETURNED - returned.length))
      }
      if (imported > 0) {
        await addToTrack(tx, stream.id, language, imported)
        const track = (await listTracks(tx, [stream.id])).find((one) => one.language === language)
        const blocks = [...new Set([...(JSON.parse(track?.blocks ?? '[]') as string[]), ...file.blocks])]
        if (blocks.reduce((sum, { length }) => sum + length, 0) > MAX_BLOCKS_LENGTH)
          throw invalid(
            `With this file, the style sheets and regions of the captions are longer than ${MAX_BLOCKS_LENGTH} characters. Use replace=true, or leave them out.`,
          )
        await setTrackBlocks(tx, stream.id, language, blocks)
      }
      await emit({
        type: 'stream.captions_imported',
        subject: String(stream.id),
        data: { streamId: stream.id, language, imported, revision: state.revision },
      })
      return { imported, streamId: stream.id, language, captions: returned.map(viewOfCaption) }
    })
  }

  return { read, store }
}
