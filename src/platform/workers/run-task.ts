import { AppError } from '../errors.ts'
import type { Task, TaskFunction } from './task.ts'
import { isInputFault, loadTasks, WorkerError } from './task.ts'
import type { WorkerPool } from './worker-pool.ts'

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
