import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { AppError } from '../errors.ts'
import type { WorkerPool } from './worker-pool.ts'

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

/** Long enough for every legitimate input on a slow machine, short enough for a user who waits. */
const TIMEOUT_MS = 10_000
const RETRY_SECONDS = 10

export interface TaskTerms {
  /** Set only for an input that takes less than 50 ms. The task then runs in this thread. */
  isCheap: boolean
  /** Name of the input in the error: "the message", "the calendar file". */
  subject: string
  /** Error code for an input that cannot be read. */
  code: string
  transfer?: ArrayBuffer[]
  copied?: string
  timeoutMs?: number
}

const REASONS = {
  memory: 'it needs too much memory',
  crash: 'its parser crashed',
  failed: 'its parser failed',
} as const

/** An unreadable input is a 400; a busy or closed pool is a 503. */
const toAppError = (error: unknown, { subject, code }: TaskTerms): unknown => {
  if (!(error instanceof WorkerError)) return error
  if (!isInputFault(error))
    return new AppError('unavailable', 'unavailable', `Could not read ${subject} now: ${error.message}`, {
      cause: error,
      details: { retryAfterSeconds: RETRY_SECONDS },
    })
  const reason = error.kind === 'timeout' ? lowerFirst(error.message) : `${REASONS[error.kind]}.`
  return new AppError('invalid', code, `Could not read ${subject}: ${reason}`, { cause: error })
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Runs a task: in this thread if it is cheap, else in a worker thread with limits. */
export const runTask = async <Input, Output>(
  workers: WorkerPool,
  task: Task<Input, Output>,
  input: Input,
  terms: TaskTerms,
): Promise<Output> => {
  if (terms.isCheap) {
    const { [task.name]: run } = loadTasks(task) as Record<string, TaskFunction<Input, Output>>
    return (run as TaskFunction<Input, Output>)(input)
  }
  const { transfer, copied, timeoutMs = TIMEOUT_MS } = terms
  try {
    return await workers.run(task, input, {
      timeoutMs,
      ...(transfer && { transfer }),
      ...(copied !== undefined && { copied }),
    })
  } catch (error) {
    throw toAppError(error, terms)
  }
}
