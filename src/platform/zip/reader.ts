import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'

const NEWLINE = 0x0a

/**
 * Splits UTF-8 into lines at newlines only. `readline` would also split at characters that JSON allows inside
 * text (U+2028).
 */
export async function* linesOf(source: AsyncIterable<Buffer>, longest: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const line of byteLinesOf(source, longest)) yield decoder.decode(line)
}

/** The same without decoding. */
export async function* byteLinesOf(source: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield kept.length === 0
        ? chunk.subarray(start, end)
        : Buffer.concat([...kept, chunk.subarray(start, end)])
      kept = []
      size = 0
      start = end + 1
    }
    size += chunk.length - start
    if (size > longest) throw new Error('a line is too long')
    if (start < chunk.length) kept.push(chunk.subarray(start))
  }
  if (size > 0) throw new Error('its last line is incomplete')
}

const MAX_SMALL_ENTRY_BYTES = 1024 * 1024
const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000

/** Limits for an untrusted zip file. Everything is checked before it is used. */
export interface ZipRules {
  isKnown(name: string): boolean
  /** Entries to ignore, such as directories. They count towards `maxEntries` only. */
  isIgnored?(name: string): boolean
  maxEntries: number
  /** Limit of the unpacked size of all entries together. */
  maxBytes: number
  /** An entry larger than `ratioCountsFrom` with a higher compression ratio is a zip bomb. */
  maxRatio: number
  ratioCountsFrom: number
}

/** An open zip file with checked names and sizes. Every problem is an error with a readable message. */
export interface ZipReader {
  /** In the order of the file. */
  readonly names: readonly string[]
  sizeOf(name: string): number
  /** Yields the content. Throws at the end if the checksum or the size is wrong. */
  read(name: string): AsyncIterable<Buffer>
  /** Returns a small entry as text; undefined if there is none. */
  readText(name: string): Promise<string | undefined>
  close(): void
}

const isSafePath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(path)

/** Returns why an entry is rejected; undefined if it is valid. */
const faultOf = (entry: Entry, { isKnown, maxRatio, ratioCountsFrom }: ZipRules): string | undefined => {
  const { fileName, externalFileAttributes, compressedSize, uncompressedSize } = entry
  const type = (externalFileAttributes >>> 16) & FILE_TYPE
  if (type !== REGULAR_FILE && type !== 0) return `"${fileName}" is not a plain file`
  if (!isSafePath(fileName)) return `"${fileName}" points outside the archive`
  if (!isKnown(fileName)) return `"${fileName}" is not an expected entry`
  if (!entry.canDecodeFileData()) return `"${fileName}" is encrypted, or uses an unsupported compression`
  if (uncompressedSize > ratioCountsFrom && uncompressedSize > compressedSize * maxRatio)
    return `"${fileName}" has an impossible size`
  return undefined
}

const NOTHING = Buffer.alloc(0)

/**
 * Copies the fields of an entry. They refer to the buffer that they were read from, so a million entries
 * would keep the whole directory in memory.
 */
const copyEntry = (entry: Entry): Entry => {
  entry.fileNameRaw = NOTHING
  entry.extraFieldRaw = NOTHING
  entry.fileCommentRaw = NOTHING
  entry.extraFields = []
  return entry
}

const readEntries = async (zip: ZipFile, rules: ZipRules): Promise<Map<string, Entry>> => {
  if (zip.entryCount > rules.maxEntries) throw new Error('it has too many entries')
  const entries = new Map<string, Entry>()
  let [packed, unpacked] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    if (rules.isIgnored?.(entry.fileName)) continue
    const fault = faultOf(entry, rules)
    if (fault !== undefined) throw new Error(fault)
    if (entries.has(entry.fileName)) throw new Error(`"${entry.fileName}" is a duplicate`)
    entries.set(entry.fileName, copyEntry(entry))
    packed += entry.compressedSize
    unpacked += entry.uncompressedSize
    // Entries that share their bytes unpack to far more than the file could hold.
    if (packed > zip.fileSize) throw new Error('its entries overlap')
    if (unpacked > rules.maxBytes) throw new Error('its contents are too large')
  }
  if (unpacked > rules.ratioCountsFrom && unpacked > packed * rules.maxRatio)
    throw new Error('it has an impossible size')
  return entries
}

async function* checked(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const stream: Readable = await zip.openReadStreamPromise(entry)
  let sum = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw new Error(`"${entry.fileName}" is damaged`)
}

/** A random-access source of zip bytes other than a plain file. Its creator closes it. */
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
        if (entry.uncompressedSize > MAX_SMALL_ENTRY_BYTES) throw new Error(`"${name}" is too large`)
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
