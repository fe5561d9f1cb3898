import { invalid } from '../../platform/errors.ts'
import { readPages } from '../../platform/workers/pages.ts'
import { defineTask, runTask } from '../../platform/workers/run-task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { createBreather } from '../../platform/yield.ts'
import { type CaptionPages, MAX_BLOCKS_LENGTH, type ReadCaption, readCaptionFile } from './caption-reader.ts'
import { viewOfCaption } from './captions.ts'
import { canonicalLanguage } from './languages.ts'
import type { StreamWriter } from './overlay.ts'
import {
  addToTrack,
  type CaptionRecord,
  deleteCaptions,
  insertCaptions,
  listTracks,
  setTrackBlocks,
} from './repository.ts'
import type { ImportQuery } from './schema.ts'
import { streamForCaptions } from './streams.ts'

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

export const createCaptionImport = (deps: {
  streamWriter: StreamWriter
  workers: WorkerPool
  defaultLanguage: () => Promise<string>
}) => {
  const { streamWriter, workers, defaultLanguage } = deps

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

  const store = async (file: ParsedCaptions, { streamId, language: given, replace }: ImportQuery) => {
    const language = canonicalLanguage(given ?? (await defaultLanguage()))
    return streamWriter.change(async (context) => {
      const { tx, now, emit } = context
      const stream = await streamForCaptions(context, streamId)
      if (replace) await deleteCaptions(tx, stream.id, language)
      const returned: CaptionRecord[] = []
      let imported = 0
      const breathe = createBreather()
      for await (const batch of inBatches(file.captions())) {
        await breathe()
        const made = await insertCaptions(
          tx,
          batch.map((caption) => ({
            ...caption,
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
      await emit('stream.captions_imported', stream.id, { streamId: stream.id, language, imported })
      return { imported, streamId: stream.id, language, captions: returned.map(viewOfCaption) }
    })
  }

  return { read, store }
}
