import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Instance } from './instance.ts'
import { PASSWORD } from './people.ts'
import { type Entries, readZip, writeZip } from './zips.ts'

/** Exports all data of the user as a zip. */
export const exportOf = async (instance: Instance, token: string): Promise<Buffer> => {
  const response = await fetch(`${instance.url}/api/settings/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })
  if (response.status !== 200) throw new Error(await response.text())
  return Buffer.from(await response.arrayBuffer())
}

export const importInto = (
  instance: Instance,
  token: string,
  zip: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  instance.call('POST', '/api/settings/import', {
    token,
    body: zip,
    headers: { 'content-type': 'application/zip', ...headers },
  })

const inFile = async <T>(work: (file: string) => Promise<T>): Promise<T> => {
  const file = join(tmpdir(), `factotum-export-${randomBytes(8).toString('hex')}.zip`)
  try {
    return await work(file)
  } finally {
    rmSync(file, { force: true })
  }
}

export const entriesOf = (zip: Buffer): Promise<Entries> =>
  inFile(async (file) => {
    writeFileSync(file, zip)
    return readZip(file)
  })

/** Creates a zip of these entries, by default without compression, which is faster. */
export const zipOf = (
  entries: Iterable<[name: string, contents: Buffer, mode?: number]>,
  change: (file: string) => void = () => {},
  compress = false,
): Promise<Buffer> =>
  inFile(async (file) => {
    await writeZip(file, entries, { compress })
    change(file)
    return readFileSync(file)
  })

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Recomputes checksums and counts, so that only the intended fault remains. */
export const sealed = (entries: Entries): Entries => {
  const manifest = JSON.parse(String(entries.get('manifest.json')))
  const files = [...entries].filter(([name]) => name !== 'manifest.json' && name !== 'SHA256SUMS')
  const sums = Buffer.from(files.map(([name, bytes]) => `${sumOf(bytes)}  ${name}\n`).join(''))
  const rows = Object.fromEntries(
    files.flatMap(([name, bytes]) =>
      name.endsWith('.jsonl') ? [[name, bytes.toString().split('\n').length - 1]] : [],
    ),
  )
  const updated = { ...manifest, rows, files: files.length, sums: sumOf(sums) }
  return new Map([
    ...files,
    ['SHA256SUMS', sums] as const,
    ['manifest.json', Buffer.from(JSON.stringify(updated))] as const,
  ])
}

export type Line = Record<string, unknown>

/** Parses the rows of each file. */
export const linesOf = (entries: Entries): Record<string, Line[]> =>
  Object.fromEntries(
    [...entries].flatMap(([name, bytes]) =>
      name.endsWith('.jsonl')
        ? [
            [
              name,
              bytes
                .toString()
                .split('\n')
                .slice(0, -1)
                .map((line) => JSON.parse(line) as Line),
            ],
          ]
        : [],
    ),
  )
