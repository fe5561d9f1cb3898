import { createHash } from 'node:crypto'
import { createBreather } from '../../../platform/breather.ts'
import { compileChecker } from '../../../platform/checker.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { byteLinesOf, linesOf } from '../../../platform/zip/lines.ts'
import type { ZipReader, ZipRules } from '../../../platform/zip/reading.ts'
import { fileOf, MANIFEST, Manifest, README, SUMS, VERSION } from './format.ts'
import { parseJson } from './line-task.ts'
import type { DataPart } from './parts.ts'

/** A row: the longest texts of e-mails and calendar objects have some megabytes. */
const LONGEST_LINE = 32 * 1024 * 1024
/** A line of this size is read in some milliseconds, whatever it holds. */
const SHORT_LINE = 128 * 1024
const LONGEST_SUM = 64 * 1024
const MOST_ENTRIES = 1_000_000
const LARGEST_RATIO = 100
const RATIO_COUNTS_FROM = 64 * 1024 * 1024

/** What is wrong with a file that was sent, and that nothing has come of it. */
export const refused = (reason: string) =>
  invalid(`This file cannot be imported: ${reason}. Nothing was changed.`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An export that has been read to its end once: its names, sizes, sums and lines are what they should be. */
export interface Archive {
  readonly manifest: Manifest
  /** The rows of a table, as JSON. */
  lines(part: DataPart, table: PortableTable): AsyncIterable<{ given: unknown; line: number }>
  /** The bytes with this sum; undefined when they are not in it. */
  content(sum: string): AsyncIterable<Buffer> | undefined
  close(): void
}

const rulesOf = (parts: readonly DataPart[], mostBytes: number): ZipRules => {
  const tables = new Set(parts.flatMap((part) => part.tables.map((table) => fileOf(part, table))))
  const isFile = (name: string): boolean =>
    parts.some(({ folder, files }) => name.startsWith(`${folder}/`) && files?.names.test(name.slice(folder.length + 1)))
  return {
    isKnown: (name) => [README, SUMS, MANIFEST].includes(name) || tables.has(name) || isFile(name),
    ...{ mostEntries: MOST_ENTRIES, mostBytes, largestRatio: LARGEST_RATIO, ratioCountsFrom: RATIO_COUNTS_FROM },
  }
}

const readManifest = async (zip: ZipReader): Promise<Manifest> => {
  const written = await zip.readText(MANIFEST)
  if (written === undefined) throw new Error('it is no export of Factotum')
  let given: unknown
  try {
    given = JSON.parse(written)
  } catch {
    throw new Error(`"${MANIFEST}" is not JSON`)
  }
  const version = (given as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version !== VERSION)
    throw new Error(
      version > VERSION
        ? 'it was made by a newer version of Factotum; upgrade this one first'
        : 'it was made by an older version of Factotum, whose exports could not be imported',
    )
  if (!compileChecker(Manifest).Check(given)) throw new Error(`"${MANIFEST}" is not what an export has`)
  return given
}

const SUM = /^([0-9a-f]{64}) {2}(.+)$/

/** Which sum each file must have. Every file is named, and every name is a file. */
const readSums = async (zip: ZipReader, manifest: Manifest): Promise<Map<string, string>> => {
  const all = createHash('sha256')
  const summed = async function* () {
    for await (const chunk of zip.read(SUMS)) {
      all.update(chunk)
      yield chunk
    }
  }
  const sums = new Map<string, string>()
  for await (const line of linesOf(summed(), LONGEST_SUM)) {
    const [, sum, name] = SUM.exec(line) ?? []
    if (sum === undefined || name === undefined || sums.has(name)) throw new Error(`"${SUMS}" is not what an export has`)
    sums.set(name, sum)
  }
  if (all.digest('hex') !== manifest.sums) throw new Error(`"${SUMS}" is not what was written`)
  const breathe = createBreather()
  let listed = 0
  for (const name of zip.names) {
    await breathe()
    if (name === SUMS || name === MANIFEST) continue
    if (!sums.has(name)) throw new Error(`"${name}" has no sum`)
    listed++
  }
  if (listed !== sums.size || listed !== manifest.files) throw new Error('a file of it is missing')
  return sums
}

const PARSE_LINE = defineTask<{ bytes: Uint8Array }, { value: unknown }>(
  new URL('./line-task.ts', import.meta.url),
  'parseLine',
)

/** A long line is read in a worker thread: it may hold anything. */
const parseLong = async (workers: WorkerPool, line: Buffer): Promise<unknown> => {
  const bytes = new Uint8Array(line)
  const terms = {
    isCheap: false,
    subject: 'it',
    code: 'validation_failed',
    transfer: [bytes.buffer],
  }
  return (await runTask(workers, PARSE_LINE, { bytes }, terms)).value
}

const parse = async (workers: WorkerPool, name: string, line: number, written: Buffer): Promise<unknown> => {
  try {
    return written.length <= SHORT_LINE ? parseJson(written) : await parseLong(workers, written)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid')
      throw new Error(`line ${line} of "${name}": ${error.message.replace(/\.$/, '')}`)
    throw error
  }
}

/** Opens what was sent and reads all of it: whatever is wrong with it is known before anything is changed. */
export const openArchive = async (
  file: string,
  { parts, mostBytes, workers }: { parts: readonly DataPart[]; mostBytes: number; workers: WorkerPool },
): Promise<Archive> => {
  let zip: ZipReader | undefined
  try {
    const { openZip } = await import('../../../platform/zip/reading.ts')
    const open = await openZip(file, rulesOf(parts, mostBytes))
    zip = open
    const manifest = await readManifest(open)
    const sums = await readSums(open, manifest)

    /** To be read to its end: only then is it known to be what was written. */
    const verified = async function* (name: string): AsyncGenerator<Buffer> {
      const sum = createHash('sha256')
      for await (const chunk of open.read(name)) {
        sum.update(chunk)
        yield chunk
      }
      if (sum.digest('hex') !== sums.get(name)) throw new Error(`"${name}" is not what was written`)
    }

    const rowsIn = async function* (name: string, source: AsyncIterable<Buffer>) {
      let line = 0
      const breathe = createBreather()
      for await (const written of byteLinesOf(source, LONGEST_LINE)) {
        line++
        yield { given: await parse(workers, name, line, written), line }
        await breathe()
      }
    }

    const tables = new Set<string>()
    for (const part of parts)
      for (const table of part.tables) {
        const name = fileOf(part, table)
        tables.add(name)
        if (!sums.has(name) && table.isAdded) continue
        if (!sums.has(name)) throw new Error(`"${name}" is missing`)
        let count = 0
        for await (const { given, line } of rowsIn(name, verified(name))) {
          count++
          const fault = table.faultOf(given)
          if (fault !== undefined) throw new Error(`line ${line} of "${name}": ${fault}`)
        }
        if (count !== manifest.rows[name]) throw new Error(`"${name}" has not as many lines as it should`)
      }
    for (const name of sums.keys()) if (!tables.has(name)) for await (const _ of verified(name));

    const named = new Map<string, string>()
    const breathe = createBreather()
    for (const [name, sum] of sums) {
      if (!tables.has(name)) named.set(sum, name)
      await breathe()
    }
    return {
      manifest,
      async *lines(part, table) {
        const name = fileOf(part, table)
        if (sums.has(name)) yield* rowsIn(name, open.read(name))
      },
      content(sum) {
        const name = named.get(sum)
        return name === undefined ? undefined : open.read(name)
      },
      close: () => open.close(),
    }
  } catch (error) {
    zip?.close()
    if (error instanceof AppError && error.kind === 'unavailable') throw error
    throw refused(messageOf(error))
  }
}
