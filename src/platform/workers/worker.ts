/* The code of a worker thread: it runs one task after another. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { TaskFunction, TaskReply, TaskRequest } from './task.ts'
import { findTransferable } from './transferable.ts'

const { compileCache } = workerData as { compileCache: string | undefined }
if (compileCache !== undefined) enableCompileCache(compileCache)

const reply = (message: TaskReply, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer)

const runTask = async ({ module, name, input }: TaskRequest): Promise<void> => {
  const exported = (await import(module)) as Record<string, TaskFunction<unknown, unknown>>
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
