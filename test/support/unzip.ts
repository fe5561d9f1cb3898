import { promisify } from 'node:util'
import { fromBuffer, type ZipFile } from 'yauzl'

const openZip = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer as never)

/** Returns the files of a zip as text. */
export const unzip = async (bytes: Buffer): Promise<Record<string, string>> => {
  const zip = await openZip(bytes, { lazyEntries: true })
  const files: Record<string, string> = {}
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error || !stream) return reject(error)
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          files[entry.fileName] = Buffer.concat(chunks).toString('utf8')
          zip.readEntry()
        })
      }),
    )
    zip.readEntry()
  })
}
