import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'

const LARGEST_SMALL_ENTRY = 1024 * 1024
const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000

/** What a zip may be. Whoever made it may mean harm: nothing of it is believed before it is checked. */
export interface ZipRules {
  isKnown(name: string): boolean
  mostEntries: number
  /** Of all entries together, once they are unpacked. */
  mostBytes: number
  /** What unpacks to more than `ratioCountsFrom`, and to more than so many times its size, was made to fill a disk. */
  largestRatio: number
  ratioCountsFrom: number
}

/** A zip opened for reading, whose names and sizes have been checked. Whatever is wrong with it is an error in words. */
export interface ZipReader {
  /** In the order in which they were written. */
  readonly names: readonly string[]
  sizeOf(name: string): number
  /** The contents; throws at the end when they are not what was written. */
  read(name: string): AsyncIterable<Buffer>
  /** A small entry as a whole; undefined when there is none. */
  readText(name: string): Promise<string | undefined>
  close(): void
}

const isSafePath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(path)

/** Why an entry is refused; undefined when it is as we write them. */
const faultOf = (entry: Entry, { isKnown, largestRatio, ratioCountsFrom }: ZipRules): string | undefined => {
  const { fileName, externalFileAttributes, compressedSize, uncompressedSize } = entry
  const type = (externalFileAttributes >>> 16) & FILE_TYPE
  if (type !== REGULAR_FILE && type !== 0) return `"${fileName}" is not a plain file`
  if (!isSafePath(fileName)) return `"${fileName}" would lie outside`
  if (!isKnown(fileName)) return `"${fileName}" does not belong there`
  if (!entry.canDecodeFileData())
    return `"${fileName}" is encrypted, or packed in a way that is not known here`
  if (uncompressedSize > ratioCountsFrom && uncompressedSize > compressedSize * largestRatio)
    return `"${fileName}" claims to hold more than it can`
  return undefined
}

const NOTHING = Buffer.alloc(0)

/** An entry refers to the bytes it was read from. A million of them would keep the whole directory in memory. */
const withoutCopies = (entry: Entry): Entry => {
  entry.fileNameRaw = NOTHING
  entry.extraFieldRaw = NOTHING
  entry.fileCommentRaw = NOTHING
  entry.extraFields = []
  return entry
}

const readEntries = async (zip: ZipFile, rules: ZipRules): Promise<Map<string, Entry>> => {
  if (zip.entryCount > rules.mostEntries) throw new Error('it has too many entries')
  const entries = new Map<string, Entry>()
  let [packed, unpacked] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    const fault = faultOf(entry, rules)
    if (fault !== undefined) throw new Error(fault)
    if (entries.has(entry.fileName)) throw new Error(`"${entry.fileName}" is there twice`)
    entries.set(entry.fileName, withoutCopies(entry))
    packed += entry.compressedSize
    unpacked += entry.uncompressedSize
    // Entries that share their bytes unpack to far more than the file could hold.
    if (packed > zip.fileSize) throw new Error('its entries overlap')
    if (unpacked > rules.mostBytes) throw new Error('it holds more than is taken')
  }
  if (unpacked > rules.ratioCountsFrom && unpacked > packed * rules.largestRatio)
    throw new Error('it claims to hold more than it can')
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

/** The bytes of a zip that is not a plain file. Whoever made it closes it. */
export interface ZipBytes {
  readonly size: number
  read(position: number, length: number): Promise<Buffer>
}

const PIECE = 64 * 1024

class BytesReader extends RandomAccessReader {
  readonly #bytes: ZipBytes

  constructor(bytes: ZipBytes) {
    super()
    this.#bytes = bytes
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = this.#bytes
    const pieces = async function* (): AsyncGenerator<Buffer> {
      for (let at = start; at < end; at += PIECE) yield await bytes.read(at, Math.min(PIECE, end - at))
    }
    return Readable.from(pieces(), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#bytes.read(position, length).then((bytes) => {
      bytes.copy(buffer, offset)
      done(null)
    }, done)
  }
}

const OPTIONS = { autoClose: false, lazyEntries: true, strictFileNames: true }

export const openZip = async (source: string | ZipBytes, rules: ZipRules): Promise<ZipReader> => {
  const zip =
    typeof source === 'string'
      ? await openPromise(source, OPTIONS)
      : await fromRandomAccessReaderPromise(new BytesReader(source), source.size, OPTIONS)
  try {
    const entries = await readEntries(zip, rules)
    const get = (name: string): Entry => {
      const entry = entries.get(name)
      if (!entry) throw new Error(`it has no ${name}`)
      return entry
    }
    return {
      names: [...entries.keys()],
      sizeOf: (name) => get(name).uncompressedSize,
      read: (name) => checked(zip, get(name)),
      async readText(name) {
        const entry = entries.get(name)
        if (!entry) return undefined
        if (entry.uncompressedSize > LARGEST_SMALL_ENTRY) throw new Error(`"${name}" is too large`)
        const chunks: Buffer[] = []
        for await (const chunk of checked(zip, entry)) chunks.push(chunk)
        return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}
