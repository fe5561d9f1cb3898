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
      zip.addReadStream(stream, name, { mtime, mode: OWNER_ONLY })
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
