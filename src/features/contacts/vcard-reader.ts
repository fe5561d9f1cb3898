import { readPages } from '../../platform/workers/pages.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import type { ReadCard } from './vcard.ts'

const READ_CARD_PAGES = defineTask<{ bytes: Uint8Array }, Uint8Array[]>(
  new URL('./vcard-tasks.ts', import.meta.url),
  'readCardPages',
)

/** A file of this size takes a few milliseconds. */
const MAX_SMALL_BYTES = 16 * 1024
/** The largest files take some seconds. A slow and busy machine needs several times that. */
const MIN_TIMEOUT_MS = 15_000
const MS_PER_MEGABYTE = 2_000

/** The vCards of a file. Each call starts from the first one. */
export type ReadCards = () => AsyncGenerator<ReadCard>

export type VCardReader = (file: Uint8Array) => Promise<ReadCards>

/**
 * Creates the reader of untrusted vCard files. Large files are parsed in a worker thread, so that no file delays
 * requests. It must not run in a transaction.
 */
export const createVCardReader =
  ({ workers }: { workers: WorkerPool }): VCardReader =>
  async (file) => {
    const pages = await runTask(
      workers,
      READ_CARD_PAGES,
      { bytes: file },
      {
        isCheap: file.length <= MAX_SMALL_BYTES,
        subject: 'the vCard file',
        code: 'unreadable_file',
        copied: 'bytes',
        timeoutMs: MIN_TIMEOUT_MS + (file.length / 1024 / 1024) * MS_PER_MEGABYTE,
      },
    )
    return () => readPages<ReadCard>(pages)
  }
