import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const OWNER_ONLY = 0o100600

export type ZipSource = Iterable<string | Buffer> | AsyncIterable<string | Buffer>

/** Writes a zip file one entry after the other. No entry is ever completely in memory. */
export interface ZipWriter {
  /** Resolves when the source has been read completely. */
  add(name: string, source: ZipSource): Promise<void>
  /** Resolves when all bytes have been written to the output. */
  end(): Promise<void>
  /** Releases all resources after a failure. */
  abandon(): void
}

/**
 * The zip library keeps the callback of each entry until the end. This one releases the stream after its
 * first use.
 */
const createSingleUse = (stream: Readable): ((give: (error: null, stream: Readable) => void) => void) => {
  let left: Readable | undefined = stream
  return (give) => {
    const given = left as Readable
    left = undefined
    give(null, given)
  }
}

/**
 * The zip library keeps the name of every entry as a buffer. A small buffer from Node's pool keeps its slab
 * of 64 KB in memory. A hundred thousand entries would then need gigabytes.
 */
const withoutPool = (work: () => void): void => {
  const size = Buffer.poolSize
  Buffer.poolSize = 0
  try {
    work()
  } finally {
    Buffer.poolSize = size
  }
}

export const createZipWriter = (destination: Writable, mtime: Date): ZipWriter => {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const written = pipeline(output, destination)
  // `add` or `end` reports the error. Until then it must not count as unhandled.
  written.catch(() => {})
  zip.on('error', (error: Error) => output.destroy(error))
  return {
    async add(name, source) {
      const stream = Readable.from(source, { highWaterMark: 1 })
      const read = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject))
      withoutPool(() => zip.addReadStreamLazy(name, { mtime, mode: OWNER_ONLY }, createSingleUse(stream)))
      try {
        await Promise.race([read, written])
      } finally {
        read.catch(() => {})
        stream.destroy()
      }
    },
    async end() {
      zip.end()
      await written
    },
    abandon: () => void output.destroy(),
  }
}
