import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { Task, TaskReply, TaskRequest } from './task.ts'
import { WorkerError, type WorkerErrorKind } from './worker-error.ts'

const WORKER_FILE = new URL('./worker.ts', import.meta.url)
/** By which tools that list threads show them; Linux keeps 15 characters. */
const THREAD_NAME = 'task-worker'
/** A slow machine may need seconds to load the modules of a task. */
const START_LIMIT_MS = 60_000
const MEMORY_CHECK_MS = 100
const MEGABYTE = 1024 * 1024

export interface WorkerPoolOptions {
  /** Threads at the same time. */
  threads?: number
  /** Tasks that may wait for a thread. One more is rejected as `busy`. */
  queued?: number
  /** How long a thread waits for another task before it ends. */
  idleMs?: number
  /** Of the JavaScript heap of each thread. */
  heapMb?: number
  /** Of the buffers of each thread, which are not part of its heap. */
  buffersMb?: number
  /** Collects garbage. Called before and after each large input. */
  releaseMemory?: (() => void) | undefined
}

export interface RunOptions {
  /** From when the task's module is loaded; waiting in the queue does not count. */
  timeoutMs: number
  /** Buffers of the input to move instead of copy. The caller cannot use them afterwards. */
  transfer?: ArrayBuffer[]
}

export interface WorkerPoolStatistics {
  threads: number
  running: number
  queued: number
  /** Threads started so far. */
  started: number
  /** Tasks that ended with an output, by task name. */
  completed: Readonly<Record<string, number>>
  /** Tasks that ended without one, by reason. */
  failed: Readonly<Partial<Record<WorkerErrorKind, number>>>
}

export interface WorkerPool {
  /**
   * Runs a task in a worker thread. Rejects with the `AppError` that the task threw, and with a `WorkerError` when it
   * has no output for another reason.
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: RunOptions): Promise<Output>
  statistics(): WorkerPoolStatistics
  /** Rejects everything that runs or waits, and resolves when the last thread has ended. */
  close(): Promise<void>
}

interface Job {
  request: TaskRequest
  options: RunOptions
  /** Its buffers are gone from this thread once they were moved. */
  isLarge: boolean
  resolve(output: unknown): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  job: Job | undefined
  timers: NodeJS.Timeout[]
}

/** Of the buffers of an input: less is not worth a new thread, or collecting garbage for. */
const LARGE = 8 * MEGABYTE

/** When it is stored, and when what came after it is done. */
const RELEASE_AFTER_MS = [300, 3_000]

const isLarge = ({ transfer = [] }: RunOptions): boolean =>
  transfer.reduce((bytes, { byteLength }) => bytes + byteLength, 0) >= LARGE

const DEFAULTS: Required<Omit<WorkerPoolOptions, 'releaseMemory'>> = {
  threads: 2,
  queued: 256,
  idleMs: 2_000,
  heapMb: 128,
  buffersMb: 160,
}

/**
 * Runs work that may take long in a few threads, so that it never delays requests. Threads start with the first task
 * and end when there is nothing to do. A task that exceeds its limits costs its thread, not the process.
 */
export const createWorkerPool = (options: WorkerPoolOptions = {}): WorkerPool => {
  const limits = { ...DEFAULTS, ...options }
  const threads = new Set<Thread>()
  const queue: Job[] = []
  const completed: Record<string, number> = {}
  const failed: Partial<Record<WorkerErrorKind, number>> = {}
  const endings = new Set<Promise<unknown>>()
  let started = 0
  let isClosed = false

  const fail = (job: Job, kind: WorkerErrorKind, error: Error): void => {
    failed[kind] = (failed[kind] ?? 0) + 1
    job.reject(error)
  }

  const clearTimers = (thread: Thread): void => {
    for (const timer of thread.timers.splice(0)) clearTimeout(timer)
  }

  /**
   * A large input leaves garbage that V8 would not look at for long: what it was made of, and later itself, when whoever
   * gave it has stored it.
   */
  const releaseMemory = (): void => {
    if (limits.releaseMemory === undefined) return
    limits.releaseMemory()
    for (const delay of RELEASE_AFTER_MS)
      setTimeout(() => {
        if (!isClosed) limits.releaseMemory?.()
      }, delay).unref()
  }

  /** Ends a thread for good. What it was doing, if anything, is rejected with `error`. */
  const removeThread = (thread: Thread, error: WorkerError): void => {
    if (!threads.delete(thread)) return
    clearTimers(thread)
    const ending = thread.worker.terminate().finally(() => endings.delete(ending))
    endings.add(ending)
    const { job } = thread
    thread.job = undefined
    if (job) fail(job, error.kind, error)
    assignJobs()
  }

  /** Resource limits hold for the heap alone, and a task could fill the memory with buffers. */
  const watchBuffers = (thread: Thread): NodeJS.Timeout =>
    setInterval(async () => {
      const { external_memory: bytes } = await thread.worker
        .getHeapStatistics()
        .catch(() => ({ external_memory: 0 }))
      if (thread.job && bytes > limits.buffersMb * MEGABYTE)
        removeThread(thread, new WorkerError('memory', `It needed more than ${limits.buffersMb} MB.`))
    }, MEMORY_CHECK_MS).unref()

  const limitTime = (thread: Thread, limitMs: number, message: string): void => {
    clearTimers(thread)
    thread.timers.push(
      setTimeout(() => removeThread(thread, new WorkerError('timeout', message)), limitMs),
      watchBuffers(thread),
    )
  }

  const waitForJob = (thread: Thread): void => {
    thread.worker.unref()
    thread.timers.push(
      setTimeout(
        () => removeThread(thread, new WorkerError('closed', 'Nothing to do.')),
        limits.idleMs,
      ).unref(),
    )
  }

  const receive = (thread: Thread, reply: TaskReply): void => {
    const { job } = thread
    if (!job) return
    if (reply.kind === 'started') {
      const { timeoutMs } = job.options
      limitTime(thread, timeoutMs, `It took longer than ${timeoutMs / 1000} seconds.`)
      return
    }
    clearTimers(thread)
    thread.job = undefined
    if (reply.kind === 'output') {
      completed[job.request.name] = (completed[job.request.name] ?? 0) + 1
      job.resolve(reply.output)
    } else if (reply.kind === 'rejection') {
      const { kind, code, message, details } = reply.rejection
      fail(job, 'failed', new AppError(kind, code, message, { details }))
    } else fail(job, 'failed', new WorkerError('failed', reply.message, { cause: reply.error }))
    // The memory of a large input is given back at once, with its thread.
    if (job.isLarge) {
      removeThread(thread, new WorkerError('closed', 'Nothing to do.'))
      releaseMemory()
    } else waitForJob(thread)
    assignJobs()
  }

  const startThread = (): Thread => {
    const worker = new Worker(WORKER_FILE, {
      name: THREAD_NAME,
      // Nothing that a task reads can show it the secrets of the environment.
      env: {},
      execArgv: [],
      workerData: { compileCache: getCompileCacheDir() },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 16 },
    })
    const thread: Thread = { worker, job: undefined, timers: [] }
    started++
    threads.add(thread)
    worker.on('message', (reply: TaskReply) => receive(thread, reply))
    worker.on('messageerror', (error) => removeThread(thread, new WorkerError('crash', error.message)))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const message = isMemory ? `It needed more than ${limits.heapMb} MB.` : error.message
      removeThread(thread, new WorkerError(isMemory ? 'memory' : 'crash', message, { cause: error }))
    })
    worker.on('exit', (code) =>
      removeThread(thread, new WorkerError('crash', `Its thread ended with code ${code}.`)),
    )
    return thread
  }

  const assign = (thread: Thread, job: Job): void => {
    clearTimers(thread)
    thread.worker.ref()
    thread.job = job
    // The pieces that it was put together from are garbage by now.
    if (job.isLarge) limits.releaseMemory?.()
    limitTime(thread, START_LIMIT_MS, 'Its thread did not start.')
    try {
      thread.worker.postMessage(job.request, job.options.transfer ?? [])
    } catch (error) {
      removeThread(thread, new WorkerError('failed', 'Its input cannot be cloned.', { cause: error }))
    }
  }

  const findIdle = (): Thread | undefined => [...threads].find(({ job }) => job === undefined)

  const hasFreeThread = (): boolean => threads.size < limits.threads || findIdle() !== undefined

  const assignJobs = (): void => {
    while (queue.length > 0 && !isClosed && hasFreeThread())
      assign(findIdle() ?? startThread(), queue.shift() as Job)
  }

  return {
    run: (task, input, runOptions) =>
      new Promise((resolve, reject) => {
        const job: Job = {
          request: { module: task.module, name: task.name, input },
          options: runOptions,
          isLarge: isLarge(runOptions),
          resolve: resolve as Job['resolve'],
          reject,
        }
        if (isClosed) return fail(job, 'closed', new WorkerError('closed', 'The service is stopping.'))
        if (queue.length >= limits.queued && !hasFreeThread())
          return fail(job, 'busy', new WorkerError('busy', 'Too many others wait.'))
        queue.push(job)
        assignJobs()
      }),

    statistics: () => ({
      threads: threads.size,
      running: [...threads].filter(({ job }) => job !== undefined).length,
      queued: queue.length,
      started,
      completed: { ...completed },
      failed: { ...failed },
    }),

    async close() {
      isClosed = true
      const error = new WorkerError('closed', 'The service is stopping.')
      for (const job of queue.splice(0)) fail(job, error.kind, error)
      for (const thread of [...threads]) removeThread(thread, error)
      await Promise.all(endings)
    },
  }
}
