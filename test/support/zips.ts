import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

export type Entries = Map<string, Buffer>

export const readZip = async (file: string): Promise<Entries> => {
  const zip = await openPromise(file, { lazyEntries: true })
  const entries: Entries = new Map()
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer((await zip.openReadStreamPromise(entry)) as Readable))
  return entries
}

/** Writes each entry, optionally with another mode. */
export const writeZip = async (
  file: string,
  entries: Iterable<[name: string, contents: Buffer, mode?: number]>,
  { compress = true } = {},
): Promise<void> => {
  const zip = new ZipFile()
  for (const [name, contents, mode = 0o100600] of entries) zip.addBuffer(contents, name, { mode, compress })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}

/** Replaces all occurrences by text of the same length, to create names that no zip program writes. */
export const replaceBytes = (file: string, from: string, to: string): void => {
  const [before, after] = [Buffer.from(from), Buffer.from(to)]
  if (before.length !== after.length) throw new Error('Not of the same length.')
  const bytes = readFileSync(file)
  let found = 0
  for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at + 1), found++)
    after.copy(bytes, at)
  if (found === 0) throw new Error(`There is no ${from}.`)
  writeFileSync(file, bytes)
}

/** Changes the size of an entry in the central directory. */
export const claimSize = (file: string, name: string, size: number): void => {
  const bytes = readFileSync(file)
  // The last occurrence of the name is in the central directory; its record starts 46 bytes before.
  bytes.writeUInt32LE(size, bytes.lastIndexOf(name) - 46 + 24)
  writeFileSync(file, bytes)
}

/** Parses the rows of one table in a backup. */
export const rowsOf = (entries: Entries, table: string): Record<string, unknown>[] =>
  (entries.get(`tables/${table}.jsonl`)?.toString('utf8') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
