import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createStatementCache, openReader } from './sqlite-handle.ts'

/** A message to the thread. */
export interface ReadRequest {
  sql: string
  parameters: readonly unknown[]
}

/** A message from the thread. The values of all rows are in one array, which is the cheapest to clone. */
export type ReadReply =
  | { kind: 'rows'; columns: readonly string[]; values: readonly unknown[] }
  | { kind: 'error'; message: string; code: unknown }

/* The code of a read thread: it runs one statement after another. */

/** On Linux a priority belongs to a thread. The thread that answers requests runs first. */
const LOW_PRIORITY = 5
if (platform() === 'linux') setPriority(LOW_PRIORITY)

const { file } = workerData as { file: string }
const prepare = createStatementCache(openReader(file))

const columns = new WeakMap<object, string[]>()

const columnsOf = (statement: ReturnType<typeof prepare>): string[] => {
  let names = columns.get(statement)
  if (!names) {
    names = statement.columns().map(({ name }) => name)
    columns.set(statement, names)
  }
  return names
}

const read = ({ sql, parameters }: ReadRequest): ReadReply => {
  try {
    const statement = prepare(sql)
    const rows = statement.raw().all(parameters) as unknown[][]
    return { kind: 'rows', columns: columnsOf(statement), values: rows.flat() }
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    return { kind: 'error', message, code }
  }
}

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(read(request)))
