import { createBreather } from '../../platform/breather.ts'
import { invalid } from '../../platform/errors.ts'
import { readPages } from '../../platform/workers/pages.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { type CaptionPages, LONGEST_BLOCKS, type ReadCaption, readCaptionFile } from './caption-reader.ts'
import type { ImportQuery } from './caption-schema.ts'
import {
  addToTrack,
  type CaptionRecord,
  deleteCaptions,
  insertCaptions,
  setTrackBlocks,
} from './caption-store.ts'
import { viewOfCaption } from './captions.ts'
import { canonicalLanguage } from './languages.ts'
import type { Stage } from './stage.ts'
import { listTracks } from './store.ts'
import { streamForCaptions } from './streams.ts'

const READ_CAPTIONS = defineTask<{ bytes: Uint8Array }, CaptionPages>(
  new URL('./caption-reader.ts', import.meta.url),
  'readCaptionPages',
)
const LONGEST_READING_MS = 60_000
/** A file of this size is read in some milliseconds, whatever it holds. */
const SMALL = 16 * 1024
const SHOWN = 200
const AT_ONCE = 100

async function* inParts(captions: AsyncIterable<ReadCaption> | readonly ReadCaption[]) {
  let part: ReadCaption[] = []
  for await (const caption of captions) {
    part.push(caption)
    if (part.length < AT_ONCE) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** A file of captions that was read. */
export interface OpenedCaptions {
  /** A transaction that the database ends is tried again, from the first caption on. */
  captions(): AsyncIterable<ReadCaption> | readonly ReadCaption[]
  blocks: readonly string[]
}

export type CaptionImport = ReturnType<typeof createCaptionImport>

export const createCaptionImport = (deps: {
  stage: Stage
  workers: WorkerPool
  usualLanguage: () => Promise<string>
}) => {
  const { stage, workers, usualLanguage } = deps

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
        timeoutMs: LONGEST_READING_MS,
        transfer: [bytes.buffer],
      },
    )
  }

  /** Waits for a worker thread: this must not be part of a transaction. */
  const read = async (bytes: Buffer): Promise<OpenedCaptions> => {
    if (bytes.length <= SMALL) {
      const { captions, blocks } = readCaptionFile(bytes)
      return { captions: () => captions, blocks }
    }
    const { pages, blocks } = await readInThread(bytes)
    return { captions: () => readPages<ReadCaption>(pages), blocks }
  }

  const store = async (file: OpenedCaptions, { streamId, language: given, replace }: ImportQuery) => {
    const language = canonicalLanguage(given ?? (await usualLanguage()))
    return stage.change(async (scene) => {
      const { tx, now, tell } = scene
      const stream = await streamForCaptions(scene, streamId)
      if (replace) await deleteCaptions(tx, stream.id, language)
      const shown: CaptionRecord[] = []
      let imported = 0
      const breathe = createBreather()
      for await (const part of inParts(file.captions())) {
        await breathe()
        const made = await insertCaptions(
          tx,
          part.map((caption) => ({
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
        shown.push(...made.slice(0, SHOWN - shown.length))
      }
      if (imported > 0) {
        await addToTrack(tx, stream.id, language, imported)
        const track = (await listTracks(tx, [stream.id])).find((one) => one.language === language)
        const blocks = [...new Set([...(JSON.parse(track?.blocks ?? '[]') as string[]), ...file.blocks])]
        if (blocks.reduce((sum, { length }) => sum + length, 0) > LONGEST_BLOCKS)
          throw invalid(
            `With this file, the style sheets and regions of the captions are longer than ${LONGEST_BLOCKS} characters. Use replace=true, or leave them out.`,
          )
        await setTrackBlocks(tx, stream.id, language, blocks)
      }
      await tell('stream.captions_imported', stream.id, { streamId: stream.id, language, imported })
      return { imported, streamId: stream.id, language, captions: shown.map(viewOfCaption) }
    })
  }

  return { read, store }
}
