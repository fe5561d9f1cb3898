import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createStatementCache, openReader } from './sqlite-handle.ts'

/** A message to the thread. */
export interface ReadRequest {
  sql: string
  parameters: readonly unknown[]
}

/** A message from the thread. Cloning a page of rows takes twice as long as JSON, which cannot hold bytes. */
export type ReadReply =
  | { kind: 'json'; text: string }
  | { kind: 'rows'; rows: readonly Record<string, unknown>[] }
  | { kind: 'error'; message: string; code: unknown }

/* The code of a read thread: it runs one statement after another. */

/** On Linux a priority belongs to a thread. The thread that answers requests runs first. */
const LOW_PRIORITY = 5
if (platform() === 'linux') setPriority(LOW_PRIORITY)

const { file } = workerData as { file: string }
const prepare = createStatementCache(openReader(file))

const hasBytes = (row: Record<string, unknown>): boolean => Object.values(row).some(Buffer.isBuffer)

const read = ({ sql, parameters }: ReadRequest): ReadReply => {
  try {
    const rows = prepare(sql).all(parameters) as Record<string, unknown>[]
    return rows.some(hasBytes) ? { kind: 'rows', rows } : { kind: 'json', text: JSON.stringify(rows) }
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    return { kind: 'error', message, code }
  }
}

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(read(request)))
