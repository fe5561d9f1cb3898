import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { AppError } from '../errors.ts'

/**
 * Why a task has no output:
 * - `timeout`: it ran longer than its limit, and its thread was terminated
 * - `memory`: it needed more memory than its limit, and its thread was terminated
 * - `crash`: its thread ended by itself
 * - `failed`: its function threw; the original error is the cause
 * - `busy`: too many tasks wait already; it was not tried
 * - `closed`: the pool was closed
 */
export type WorkerErrorKind = 'timeout' | 'memory' | 'crash' | 'failed' | 'busy' | 'closed'

export class WorkerError extends Error {
  readonly kind: WorkerErrorKind

  constructor(kind: WorkerErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'WorkerError'
    this.kind = kind
  }
}

type InputFault = Exclude<WorkerErrorKind, 'busy' | 'closed'>

/** The input itself is at fault, so another attempt would end in the same way. */
export const isInputFault = (error: WorkerError): error is WorkerError & { readonly kind: InputFault } =>
  error.kind !== 'busy' && error.kind !== 'closed'

/** A function that a worker thread can run: `export` named `name` of the module at `module`. */
export interface Task<Input, Output> {
  readonly module: string
  readonly name: string
  /** Never set: it only carries the types. */
  readonly types?: (input: Input) => Output
}

/**
 * The function that a task's module exports. It has no side effects. Its input and output are cloned or
 * transferred.
 */
export type TaskFunction<Input, Output> = (input: Input) => Output | Promise<Output>

/**
 * Names a task. The module is loaded in the thread, so it must not need anything that `app.ts` builds. Write
 * the URL with a literal path and `import.meta.url`: `build-server.mjs` bundles the modules that it finds so.
 */
export const defineTask = <Input, Output>(module: URL, name: string): Task<Input, Output> => ({
  module: module.href,
  name,
})

const require = createRequire(import.meta.url)

/** Returns the exports of a task's module. The bundle has no `import()` of a variable. */
export const loadTasks = ({ module }: { module: string }): unknown => require(fileURLToPath(module))

/** A message from the pool to a thread. */
export interface TaskRequest {
  module: string
  name: string
  input: unknown
}

/** A message from a thread: `started` when the module is loaded, then the result. */
export type TaskReply =
  | { kind: 'started' }
  | { kind: 'output'; output: unknown }
  | { kind: 'error'; message: string; error: unknown }
  /** An `AppError`, as fields: cloning would turn it into a plain error. */
  | { kind: 'rejection'; rejection: Pick<AppError, 'kind' | 'code' | 'message' | 'details'> }
