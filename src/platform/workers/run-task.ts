import { AppError } from '../errors.ts'
import type { Task, TaskFunction } from './task.ts'
import { isInputFault, WorkerError } from './worker-error.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Long enough for every honest input on a slow machine, short enough for a person who waits. */
const TIMEOUT_MS = 10_000
const RETRY_SECONDS = 10

export interface TaskTerms {
  /** Only for an input that is known to take less than 50 ms: the task then runs in this thread. */
  isCheap: boolean
  /** What is read, for the error: "the message", "the calendar file". */
  subject: string
  /** The code of the error when it cannot be read. */
  code: string
  transfer?: ArrayBuffer[]
  timeoutMs?: number
}

const REASONS = {
  memory: 'it needs too much memory',
  crash: 'its reader stopped working',
  failed: 'its reader failed',
} as const

/** An input that cannot be read is the caller's, with a 400; a pool that is busy or closed is ours, with a 503. */
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

/** Runs a task: in this thread when it is cheap, else in a worker thread with limits. */
export const runTask = async <Input, Output>(
  workers: WorkerPool,
  task: Task<Input, Output>,
  input: Input,
  terms: TaskTerms,
): Promise<Output> => {
  if (terms.isCheap) {
    const { [task.name]: run } = (await import(task.module)) as Record<string, TaskFunction<Input, Output>>
    return (run as TaskFunction<Input, Output>)(input)
  }
  const { transfer, timeoutMs = TIMEOUT_MS } = terms
  try {
    return await workers.run(task, input, { timeoutMs, ...(transfer && { transfer }) })
  } catch (error) {
    throw toAppError(error, terms)
  }
}
