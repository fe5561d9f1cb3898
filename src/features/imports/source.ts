import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { AppError, invalid } from '../../platform/errors.ts'
import { openZip, type ZipBytes } from '../../platform/zip/reader.ts'

/** One file of an upload: the upload itself, or an entry of an archive. */
export interface SourceFile {
  /** Empty for an upload that is no archive. */
  path: string
  /** Reads the file once, before the next file is requested. */
  read(): AsyncIterable<Buffer>
}

/** An uploaded file with random access. */
export interface UploadedFile extends ZipBytes {
  filename: string
  stream(): AsyncIterable<Buffer>
}

export const MAX_ENTRIES = 500_000
/** The most bytes that an archive may unpack to, as a multiple of the upload limit. */
const UNPACKED_FACTOR = 20
const MAX_RATIO = 200
const RATIO_COUNTS_FROM = 64 * 1024 * 1024

const refuse = (reason: string): AppError => invalid(`The archive was refused: ${reason}.`)

const isIgnored = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || name.split('/').at(-1) === '.DS_Store'

const isSafePath = (path: string): boolean =>
  !path.startsWith('/') && !/[\\\0]/.test(path) && path.split('/').every((part) => part !== '..')

const startsWith = (head: Buffer, text: string, at = 0): boolean =>
  head.toString('latin1', at, at + text.length) === text

const isTar = (head: Buffer): boolean => startsWith(head, 'ustar', 257)
export const isZip = (head: Buffer): boolean =>
  startsWith(head, 'PK\u0003\u0004') || startsWith(head, 'PK\u0005\u0006')
const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

/** Decompresses, and stops at a size that only a zip bomb reaches. */
async function* gunzip(file: UploadedFile, maxUnpackedBytes: number): AsyncGenerator<Buffer> {
  let packed = 0
  let unpacked = 0
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of file.stream()) {
      packed += chunk.length
      yield chunk
    }
  }
  const stream = pipeline(Readable.from(counted(), { objectMode: false }), createGunzip(), () => {})
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > maxUnpackedBytes) throw refuse('its contents are too large')
      if (unpacked > RATIO_COUNTS_FROM && unpacked > packed * MAX_RATIO)
        throw refuse('it has an impossible size')
      yield chunk
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalid('The gzip file is damaged or incomplete.')
  }
}

async function* readZip(file: UploadedFile, maxUnpackedBytes: number): AsyncGenerator<SourceFile> {
  const zip = await openZip(file, {
    isKnown: () => true,
    isIgnored,
    maxEntries: MAX_ENTRIES,
    maxBytes: maxUnpackedBytes,
    maxRatio: MAX_RATIO,
    ratioCountsFrom: RATIO_COUNTS_FROM,
  }).catch((error: Error) => {
    throw refuse(error.message)
  })
  const read = async function* (path: string): AsyncGenerator<Buffer> {
    try {
      yield* zip.read(path)
    } catch (error) {
      throw refuse((error as Error).message)
    }
  }
  try {
    for (const path of zip.names) yield { path, read: () => read(path) }
  } finally {
    zip.close()
  }
}

const damagedTar = (): AppError => invalid('The tar archive is damaged or incomplete.')

async function* readTarEntry(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry
  } catch (error) {
    throw error instanceof AppError ? error : damagedTar()
  }
}

async function* readTar(source: AsyncIterable<Buffer>, maxUnpackedBytes: number): AsyncGenerator<SourceFile> {
  const archive = extract()
  let failure: Error | undefined
  pipeline(Readable.from(source, { objectMode: false }), archive, (error) => {
    failure = error ?? undefined
  })
  let entries = 0
  let bytes = 0
  try {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header
      bytes += size
      if (++entries > MAX_ENTRIES) throw refuse('it has too many entries')
      if (bytes > maxUnpackedBytes) throw refuse('its contents are too large')
      const path = name.replace(/^(?:\.\/)+/, '')
      if (type === 'file' || type === 'contiguous-file') {
        if (!isSafePath(path)) throw refuse(`"${name}" points outside the archive`)
        if (!isIgnored(path))
          yield { path, read: () => readTarEntry(entry as unknown as AsyncIterable<Buffer>) }
      } else if (type === 'symlink' || type === 'link') throw refuse(`"${name}" is a link`)
      entry.resume()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw failure instanceof AppError ? failure : damagedTar()
  }
}

async function* prepend(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Reads enough bytes to recognise a format, and returns them with a source that yields everything. */
export const peek = async (
  source: AsyncIterable<Buffer>,
  bytes: number,
): Promise<{ head: Buffer; whole: AsyncIterable<Buffer> }> => {
  const rest = source[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let size = 0
  while (size < bytes) {
    const next = await rest.next()
    if (next.done) break
    chunks.push(next.value)
    size += next.value.length
  }
  const head = Buffer.concat(chunks, size)
  return { head, whole: prepend(head, rest) }
}

const TAR_HEADER = 512

/** Opens an upload: an archive yields its files, any other file itself. */
export async function* openSource(file: UploadedFile, maxBytes: number): AsyncGenerator<SourceFile> {
  const maxUnpackedBytes = maxBytes * UNPACKED_FACTOR
  const head = await file.read(0, Math.min(TAR_HEADER, file.size))
  if (isZip(head)) return yield* readZip(file, maxUnpackedBytes)
  if (isTar(head)) return yield* readTar(file.stream(), maxUnpackedBytes)
  if (!isGzip(head)) return yield { path: '', read: () => file.stream() }
  const { head: inner, whole } = await peek(gunzip(file, maxUnpackedBytes), TAR_HEADER)
  if (isTar(inner)) return yield* readTar(whole, maxUnpackedBytes)
  yield { path: '', read: () => whole }
}
