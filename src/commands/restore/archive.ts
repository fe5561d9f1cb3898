import { statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { isPlainFile } from '../backup/instance-files.ts'
import { blobOf, FILES, JOBS, MANIFEST, SECRET, SEQUENCES, tableOf } from '../backup/manifest.ts'
import { CommandError } from '../command.ts'
import { messageOf } from '../failure.ts'

const MOST_ENTRIES = 5_000_000
/** What is this large and shrinks to less than this was made to fill a disk: rows differ at least in their keys. */
const LARGEST_RATIO = 1000
const RATIO_COUNTS_FROM = 256 * 1024 * 1024
const LARGEST_SMALL_ENTRY = 1024 * 1024

const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000

/** A backup opened for reading, whose names and sizes have been checked. */
export interface ArchiveReader {
  /** In the order in which they were written. */
  readonly names: readonly string[]
  sizeOf(name: string): number
  /** The contents; throws at the end when they are not what was written. */
  read(name: string): AsyncIterable<Buffer>
  /** A small entry as a whole; undefined when there is none. */
  readText(name: string): Promise<string | undefined>
  damaged(reason: string): CommandError
  close(): void
}

const isSafePath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(path)

const isKnownName = (name: string): boolean =>
  [MANIFEST, SECRET, SEQUENCES, JOBS].includes(name) ||
  tableOf(name) !== undefined ||
  blobOf(name) !== undefined ||
  (name.startsWith(FILES) && isPlainFile(name.slice(FILES.length)))

/** Why an entry is refused; undefined when it is as a backup writes it. */
const fault = (entry: Entry): string | undefined => {
  const { fileName, externalFileAttributes, compressedSize, uncompressedSize } = entry
  const isAbsurd = uncompressedSize > RATIO_COUNTS_FROM && uncompressedSize > compressedSize * LARGEST_RATIO
  const type = (externalFileAttributes >>> 16) & FILE_TYPE
  if (type !== REGULAR_FILE && type !== 0) return `"${fileName}" is not a plain file`
  if (!isSafePath(fileName)) return `"${fileName}" would lie outside`
  if (!isKnownName(fileName)) return `"${fileName}" does not belong there`
  if (isAbsurd) return `"${fileName}" claims to hold more than it can`
  return undefined
}

const readEntries = async (zip: ZipFile): Promise<Map<string, Entry>> => {
  if (zip.entryCount > MOST_ENTRIES) throw new Error('it has too many entries')
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const reason = fault(entry)
    if (reason !== undefined) throw new Error(reason)
    if (entries.has(entry.fileName)) throw new Error(`"${entry.fileName}" is there twice`)
    entries.set(entry.fileName, entry)
  }
  return entries
}

async function* checked(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const stream: Readable = await zip.openReadStreamPromise(entry)
  let sum = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw new Error(`"${entry.fileName}" is not what was written`)
}

export const openArchive = async (file: string): Promise<ArchiveReader> => {
  const damaged = (reason: string): CommandError =>
    new CommandError(`${file} cannot be restored: ${reason}. Nothing was changed.`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new CommandError(`There is no file ${file}.`)
  if (!found.isFile()) throw new CommandError(`${file} is not a file.`)
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(file, { autoClose: false, lazyEntries: true, strictFileNames: true })
    const open = zip
    const entries = await readEntries(open)
    const get = (name: string): Entry => {
      const entry = entries.get(name)
      if (!entry) throw damaged(`it has no ${name}`)
      return entry
    }
    return {
      names: [...entries.keys()],
      sizeOf: (name) => get(name).uncompressedSize,
      read: (name) => checked(open, get(name)),
      async readText(name) {
        const entry = entries.get(name)
        if (!entry) return undefined
        if (entry.uncompressedSize > LARGEST_SMALL_ENTRY) throw new Error(`"${name}" is too large`)
        const chunks: Buffer[] = []
        for await (const chunk of checked(open, entry)) chunks.push(chunk)
        return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
      },
      damaged,
      close: () => open.close(),
    }
  } catch (error) {
    zip?.close()
    throw error instanceof CommandError ? error : damaged(messageOf(error))
  }
}
