import { readPages } from '../../../platform/workers/pages.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { Format } from './format-names.ts'
import type { TableInput, TableItem, TablePages } from './table-tasks.ts'

const READ_TABLE_PAGES = defineTask<TableInput, TablePages>(
  new URL('./table-tasks.ts', import.meta.url),
  'readTablePages',
)

/** A file of this size takes a few milliseconds. */
const MAX_SMALL_BYTES = 4 * 1024
/** The largest files take some seconds. A slow and busy machine needs several times that, and nobody waits for it. */
const MIN_TIMEOUT_MS = 60_000
const MS_PER_MEGABYTE = 3_000

/** Reads the records of a table or a JSON file. A large one is parsed in a worker thread. */
export async function* readTableFile(
  workers: WorkerPool,
  bytes: Uint8Array,
  file: Omit<TableInput, 'bytes' | 'skip'>,
  onFormat?: (format: Format) => void,
): AsyncGenerator<TableItem> {
  for (let skip = 0; ; ) {
    const part = await runTask(
      workers,
      READ_TABLE_PAGES,
      { ...file, bytes, skip },
      {
        isCheap: bytes.length <= MAX_SMALL_BYTES,
        subject: file.file || 'the file',
        code: 'unreadable_file',
        copied: 'bytes',
        timeoutMs: MIN_TIMEOUT_MS + (bytes.length / 1024 / 1024) * MS_PER_MEGABYTE,
      },
    )
    if (part.format && skip === 0) onFormat?.(part.format)
    yield* readPages<TableItem>(part.pages)
    if (part.isWhole) return
    skip = part.count
  }
}
