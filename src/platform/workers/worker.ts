import { enableCompileCache } from 'node:module'
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { loadTasks, type TaskFunction, type TaskReply, type TaskRequest } from './task.ts'

/** Smaller buffers are cheaper to copy than to detach. */
const MIN_TRANSFERRED_BYTES = 4 * 1024
const MAX_VISITED = 10_000

/**
 * Finds the large buffers in a value, to transfer them to another thread instead of copying. A view of a part
 * of a buffer is excluded, because a transfer would detach the other parts.
 */
const findTransferable = (value: unknown): ArrayBuffer[] => {
  const found = new Set<ArrayBuffer>()
  const pending: unknown[] = [value]
  for (let visited = 0; pending.length > 0 && visited < MAX_VISITED; visited++) {
    const next = pending.pop()
    if (next === null || typeof next !== 'object') continue
    if (next instanceof ArrayBuffer) found.add(next)
    else if (ArrayBuffer.isView(next)) {
      const { buffer, byteLength } = next
      if (
        buffer instanceof ArrayBuffer &&
        byteLength === buffer.byteLength &&
        byteLength >= MIN_TRANSFERRED_BYTES
      )
        found.add(buffer)
    } else pending.push(...(Array.isArray(next) ? next.slice(0, MAX_VISITED) : Object.values(next)))
  }
  return [...found]
}

/* The code of a worker thread: it runs one task after another. */

export interface WorkerData {
  compileCache: string | undefined
  isLowPriority: boolean
}

const { compileCache, isLowPriority } = workerData as WorkerData
if (compileCache !== undefined) enableCompileCache(compileCache)
/** On Linux a priority belongs to a thread. */
const LOW_PRIORITY = 5
if (isLowPriority && platform() === 'linux') setPriority(LOW_PRIORITY)

const reply = (message: TaskReply, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer)

const runTask = async ({ module, name, input }: TaskRequest): Promise<void> => {
  const exported = loadTasks({ module }) as Record<string, TaskFunction<unknown, unknown>>
  const run = exported[name]
  if (run === undefined) throw new Error(`${module} has no export named ${name}.`)
  reply({ kind: 'started' })
  const output = await run(input)
  reply({ kind: 'output', output }, findTransferable(output))
}

/** An error with properties that cannot be cloned is sent as its text. */
const reportError = (error: unknown): void => {
  if (error instanceof AppError) {
    const { kind, code, message, details } = error
    reply({ kind: 'rejection', rejection: { kind, code, message, details } })
    return
  }
  const message = error instanceof Error ? error.message : String(error)
  try {
    reply({ kind: 'error', message, error })
  } catch {
    reply({ kind: 'error', message, error: undefined })
  }
}

parentPort?.on('message', (request: TaskRequest) => {
  runTask(request).catch(reportError)
})
