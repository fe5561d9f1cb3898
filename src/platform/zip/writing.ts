import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const OWNER_ONLY = 0o100600

export type ZipSource = Iterable<string | Buffer> | AsyncIterable<string | Buffer>

/** A zip being written, one entry after the other, none ever whole in memory. */
export interface ZipWriter {
  /** Resolves once the source has been read to its end. */
  add(name: string, source: ZipSource): Promise<void>
  /** Resolves once everything has been handed on. */
  end(): Promise<void>
  /** Lets go after a failure. */
  abandon(): void
}

/** The zip remembers how each entry was to be read until its very end: this lets go of the stream once it was asked for. */
const givenOnce = (stream: Readable): ((give: (error: null, stream: Readable) => void) => void) => {
  let left: Readable | undefined = stream
  return (give) => {
    const given = left as Readable
    left = undefined
    give(null, given)
  }
}

/**
 * The zip keeps the name of every entry, as bytes. Cut from Node's pool, each of these few would keep all 64 KB of its
 * slab in memory: with a hundred thousand entries, gigabytes.
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
  // Whoever adds or ends hears of it; until then nobody listens.
  written.catch(() => {})
  zip.on('error', (error: Error) => output.destroy(error))
  return {
    async add(name, source) {
      const stream = Readable.from(source, { highWaterMark: 1 })
      const read = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject))
      withoutPool(() => zip.addReadStreamLazy(name, { mtime, mode: OWNER_ONLY }, givenOnce(stream)))
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
