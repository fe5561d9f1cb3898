import { createHash } from 'node:crypto'
import { compileChecker } from '../../../platform/checker.ts'
import { invalid } from '../../../platform/errors.ts'
import type { PortableTable } from '../../../platform/portable/table.ts'
import { linesOf } from '../../../platform/zip/lines.ts'
import type { ZipReader, ZipRules } from '../../../platform/zip/reading.ts'
import { fileOf, MANIFEST, Manifest, README, SUMS, VERSION } from './format.ts'
import type { DataPart } from './parts.ts'

const LONGEST_LINE = 64 * 1024 * 1024
const MOST_ENTRIES = 5_000_000
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
  for await (const line of linesOf(summed(), LONGEST_LINE)) {
    const [, sum, name] = SUM.exec(line) ?? []
    if (sum === undefined || name === undefined || sums.has(name)) throw new Error(`"${SUMS}" is not what an export has`)
    sums.set(name, sum)
  }
  if (all.digest('hex') !== manifest.sums) throw new Error(`"${SUMS}" is not what was written`)
  const listed = zip.names.filter((name) => name !== SUMS && name !== MANIFEST)
  const unlisted = listed.find((name) => !sums.has(name))
  if (unlisted !== undefined) throw new Error(`"${unlisted}" has no sum`)
  if (listed.length !== sums.size || listed.length !== manifest.files) throw new Error('a file of it is missing')
  return sums
}

const parse = (name: string, line: number, written: string): unknown => {
  try {
    return JSON.parse(written)
  } catch {
    throw new Error(`line ${line} of "${name}" is not JSON`)
  }
}

/** Opens what was sent and reads all of it: whatever is wrong with it is known before anything is changed. */
export const openArchive = async (
  file: string,
  { parts, mostBytes }: { parts: readonly DataPart[]; mostBytes: number },
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
      for await (const written of linesOf(source, LONGEST_LINE)) {
        line++
        yield { given: parse(name, line, written), line }
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

    const named = new Map([...sums].flatMap(([name, sum]) => (tables.has(name) ? [] : [[sum, name]])))
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
    throw refused(messageOf(error))
  }
}
