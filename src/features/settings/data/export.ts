import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database } from '../../../database/database.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/log.ts'
import type { DataPart } from './parts.ts'

/**
 * Everything a person has, as one zip that is written while it is sent, from one unchanging view of the data.
 */
export const createExport =
  (deps: { database: Database; clock: Clock; log: Logger; version: string; parts: readonly DataPart[] }) =>
  (userId: number): Readable => {
    const sent = new PassThrough()
    const write = async (): Promise<void> => {
      await deps.database.snapshot(async (view) => {
        const { ZipFile } = await import('yazl')
        const zip = new ZipFile()
        const manifest = { format: 'factotum-export', version: 1, madeBy: deps.version, madeAt: deps.clock.now() }
        zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json')
        for (const part of deps.parts) await part.addToExport(zip, view, userId)
        zip.end()
        await pipeline(zip.outputStream, sent)
      })
    }
    write().catch((error: unknown) => {
      // Whoever hangs up early is no fault of ours; either way the zip must not look complete.
      if (!sent.destroyed) deps.log.error({ err: error }, 'export failed')
      sent.destroy(error instanceof Error ? error : undefined)
    })
    return sent
  }

export type Export = ReturnType<typeof createExport>
