import { decodeCalendar } from '../../../platform/icalendar/text.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readPages } from '../../../platform/workers/pages.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask, type Task } from '../../../platform/workers/task.ts'
import type { CalendarFile, Entry } from './entry.ts'
import { type CalendarObject, type CalendarText, readObjectsOf } from './objects.ts'
import { CostlyCalendar, createCostCheck, isSmall, openCalendar } from './parser.ts'
import { type Entries, type FileInput, type FoundInput, readEntriesOf } from './reader-tasks.ts'
import { type FoundInFile, mayContainRange } from './this-and-future.ts'

const TASKS = new URL('./reader-tasks.ts', import.meta.url)
type Tasks = typeof import('./reader-tasks.ts')
const READ_FOUND = defineTask<FoundInput, Awaited<ReturnType<Tasks['readFound']>>>(TASKS, 'readFound')
const READ_ENTRIES = defineTask<FileInput, Awaited<ReturnType<Tasks['readEntries']>>>(TASKS, 'readEntries')
const READ_OBJECTS = defineTask<FileInput, Awaited<ReturnType<Tasks['readObjects']>>>(TASKS, 'readObjects')

/** The largest files take some seconds. A slow and busy machine needs several times that. */
const MIN_TIMEOUT_MS = 15_000
const MS_PER_MEGABYTE = 3_000

const limitFor = ({ length }: Uint8Array): number => MIN_TIMEOUT_MS + (length / 1024 / 1024) * MS_PER_MEGABYTE

export interface ReadFile extends Omit<CalendarFile, 'found'> {
  /** Starts from the first component with each call. */
  found: () => AsyncGenerator<FoundInFile>
}

export type CalendarReader = ReturnType<typeof createCalendarReader>

/**
 * Parses untrusted calendar files. Small, cheap files are parsed directly. All others are parsed in a worker
 * thread, so that no file delays requests.
 */
export const createCalendarReader = ({ workers }: Pick<Platform, 'workers'>) => {
  /** Returns undefined if parsing may take long. */
  const readCheaply = async <T>(
    bytes: Uint8Array,
    read: (text: string, checkCost: ReturnType<typeof createCostCheck>) => Promise<T>,
  ): Promise<T | undefined> => {
    if (!isSmall(bytes)) return undefined
    const text = decodeCalendar(bytes)
    if (mayContainRange(text)) return undefined
    try {
      return await read(text, createCostCheck())
    } catch (error) {
      if (error instanceof CostlyCalendar) return undefined
      throw error
    }
  }

  /**
   * Copies the bytes: the buffer is transferred to the thread, and the caller's bytes may be part of a larger
   * buffer.
   */
  const run = <I extends FileInput, O>(task: Task<I, O>, input: I): Promise<O> => {
    const bytes = new Uint8Array(input.bytes)
    return runTask(
      workers,
      task,
      { ...input, bytes },
      {
        isCheap: false,
        subject: 'the calendar file',
        code: 'unreadable_calendar',
        timeoutMs: limitFor(bytes),
        transfer: [bytes.buffer],
      },
    )
  }

  async function* foundInPages(
    first: Awaited<ReturnType<Tasks['readFound']>>,
    input: FoundInput,
  ): AsyncGenerator<FoundInFile> {
    for (let part = first; ; part = await run(READ_FOUND, { ...input, skip: part.count })) {
      yield* readPages<FoundInFile>(part.pages)
      if (part.isWhole) return
    }
  }

  return {
    /** Reads all components of a file in order. */
    async readFile(
      bytes: Uint8Array,
      timezone: string,
      { splitsSeries }: { splitsSeries: boolean },
    ): Promise<ReadFile> {
      const small = await readCheaply(bytes, async (text, checkCost) => {
        const { found, ...head } = await openCalendar(text, { timezone, checkCost })
        return { ...head, found: [...found()] }
      })
      if (small) return { ...small, found: () => toAsyncGenerator(small.found) }
      const input = { bytes, timezone, splitsSeries, skip: 0 }
      const part = await run(READ_FOUND, input)
      const { isCalendar, name, timezone: own, method } = part
      return { isCalendar, name, timezone: own, method, found: () => foundInPages(part, input) }
    },

    /** Reads the events of one object. RANGE=THISANDFUTURE changes are copied to each occurrence. */
    async readEntries(bytes: Uint8Array, timezone: string): Promise<Entries> {
      const small = await readCheaply(bytes, (text, checkCost) => readEntriesOf(text, timezone, checkCost))
      if (small) return small
      const { pages, ...rest } = await run(READ_ENTRIES, { bytes, timezone })
      return { ...rest, entries: await Array.fromAsync(readPages<Entry>(pages)) }
    },

    /** Reads the events of a file, grouped by UID. */
    async readObjects(bytes: Uint8Array, timezone: string): Promise<CalendarText> {
      const small = await readCheaply(bytes, (text, checkCost) => readObjectsOf(text, timezone, checkCost))
      if (small) return small
      const { pages, ...rest } = await run(READ_OBJECTS, { bytes, timezone })
      return { ...rest, objects: await Array.fromAsync(readPages<CalendarObject>(pages)) }
    },
  }
}

async function* toAsyncGenerator<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
