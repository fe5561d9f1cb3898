import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { readSequences } from '../../../database/sequences.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/log.ts'
import type { ZipSource, ZipWriter } from '../../../platform/zip/writing.ts'
import { ABOUT, FORMAT, fileOf, MANIFEST, type Manifest, README, SUMS, VERSION } from './format.ts'
import type { AddFile, DataPart } from './parts.ts'

const PAGE = 64 * 1024

/** One row a line, many lines at a time. */
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

/** The sum of a file is taken as it goes by. */
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
 * Everything a person has, as one zip that is written while it is sent, from one unchanging view of the data. No more
 * than a page of rows and a piece of a file is in memory at any time.
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
    const given = await readSequences(view, database.engine)
    const restored = parts.flatMap(({ tables }) => tables.flatMap((one) => (one.isRestored ? [one.table] : [])))
    const sequences = Object.fromEntries(
      restored.flatMap((table) => (given[table] === undefined ? [] : [[table, given[table]]])),
    )
    const manifest: Manifest = {
      ...{ format: FORMAT, version: VERSION, madeBy: version, madeAt: clock.now().toISOString() },
      ...{ rows, files: lines.length, sequences, sums: sumOf(lines) },
    }
    await zip.add(SUMS, lines)
    await zip.add(MANIFEST, [`${JSON.stringify(manifest, null, 2)}\n`])
    await zip.end()
  }

  return (userId: number): Readable => {
    const sent = new PassThrough()
    const write = async (): Promise<void> => {
      // Loaded when it is needed: a start does not wait for it.
      const { createZipWriter } = await import('../../../platform/zip/writing.ts')
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
      // Whoever hangs up early is no fault of ours; either way the zip must not look complete.
      if (!sent.destroyed) log.error({ err: error }, 'export failed')
      sent.destroy(error instanceof Error ? error : undefined)
    })
    return sent
  }
}

export type Export = ReturnType<typeof createExport>
