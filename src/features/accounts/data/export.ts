import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { readSequences } from '../../../database/schema-info.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/log.ts'
import type { ZipSource, ZipWriter } from '../../../platform/zip/writer.ts'
import {
  ABOUT,
  type AddFile,
  type DataPart,
  FORMAT,
  fileOf,
  MANIFEST,
  type Manifest,
  README,
  SUMS,
  VERSION,
} from './parts.ts'

const PAGE = 64 * 1024

/** Yields the rows as JSON lines, in pages. */
async function* linesOf(rows: AsyncIterable<unknown>, counted: () => void): AsyncGenerator<string> {
  let page = ''
  for await (const row of rows) {
    counted()
    page += `${JSON.stringify(row)}\n`
    if (page.length < PAGE) continue
    yield page
    page = ''
  }
  if (page !== '') yield page
}

/** Computes the checksum of each file while it is written. */
const createSums = (zip: ZipWriter) => {
  const lines: string[] = []
  const add: AddFile = async (name, source) => {
    const sum = createHash('sha256')
    const summed = async function* (): AsyncGenerator<string | Buffer> {
      for await (const chunk of source as AsyncIterable<string | Buffer>) {
        sum.update(chunk)
        yield chunk
      }
    }
    await zip.add(name, summed() as ZipSource)
    lines.push(`${sum.digest('hex')}  ${name}\n`)
  }
  return { add, lines }
}

const sumOf = (lines: readonly string[]): string => {
  const sum = createHash('sha256')
  for (const line of lines) sum.update(line)
  return sum.digest('hex')
}

export interface ExportDeps {
  database: Database
  blobs: Pick<Blobs, 'withoutRemovals'>
  clock: Clock
  log: Logger
  version: string
  parts: readonly DataPart[]
}

/**
 * Exports all data of a person as one zip, from one snapshot. The zip is streamed: memory holds only a page
 * of rows and a chunk of a file.
 */
export const createExport = ({ database, blobs, clock, log, version, parts }: ExportDeps) => {
  const addEverything = async (zip: ZipWriter, view: Db, userId: number): Promise<void> => {
    const { add, lines } = createSums(zip)
    const rows: Record<string, number> = {}
    await add(README, [ABOUT])
    for (const part of parts)
      for (const table of part.tables) {
        const name = fileOf(part, table)
        rows[name] = 0
        await add(
          name,
          linesOf(table.rows(view, userId), () => {
            rows[name] = (rows[name] ?? 0) + 1
          }),
        )
      }
    for (const { folder, files } of parts)
      await files?.add((name, source) => add(`${folder}/${name}`, source), view, userId)
    const given = await readSequences(view)
    const restored = parts.flatMap(({ tables }) =>
      tables.flatMap((one) => (one.isRestored ? [one.table] : [])),
    )
    const sequences = Object.fromEntries(
      restored.flatMap((table) => (given[table] === undefined ? [] : [[table, given[table]]])),
    )
    const manifest: Manifest = {
      format: FORMAT,
      version: VERSION,
      madeBy: version,
      madeAt: clock.now().toISOString(),
      rows,
      files: lines.length,
      sequences,
      sums: sumOf(lines),
    }
    await zip.add(SUMS, lines)
    await zip.add(MANIFEST, [`${JSON.stringify(manifest, null, 2)}\n`])
    await zip.end()
  }

  return (userId: number): Readable => {
    const sent = new PassThrough()
    const write = async (): Promise<void> => {
      // Loaded lazily, to keep the start of the server fast.
      const { createZipWriter } = await import('../../../platform/zip/writer.ts')
      const writeSnapshot = async (view: Db): Promise<void> => {
        const zip = createZipWriter(sent, clock.now())
        try {
          await addEverything(zip, view, userId)
        } finally {
          zip.abandon()
        }
      }
      await blobs.withoutRemovals(() => database.snapshot(writeSnapshot))
    }
    write().catch((error: unknown) => {
      // A client that disconnects is not an error. In both cases the zip must not look complete.
      if (!sent.destroyed) log.error({ err: error }, 'export failed')
      sent.destroy(error instanceof Error ? error : undefined)
    })
    return sent
  }
}

export type Export = ReturnType<typeof createExport>
