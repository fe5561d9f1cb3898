import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { createYielder } from '../yield.ts'
import { type Task, type TaskReply, type TaskRequest, WorkerError, type WorkerErrorKind } from './task.ts'
import type { WorkerData } from './worker.ts'

const PIECE = 1024 * 1024

/** Copies bytes for a worker thread. Copying 20 MB at once takes up to 50 ms, so it yields in between. */
const copyBytes = async (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
  const copy = new Uint8Array(bytes.length)
  const yieldIfNeeded = createYielder()
  for (let at = 0; at < bytes.length; at += PIECE) {
    copy.set(bytes.subarray(at, at + PIECE), at)
    await yieldIfNeeded()
  }
  return copy
}

const WORKER_FILE = new URL('./worker.ts', import.meta.url)
/** Thread name for monitoring tools; Linux keeps 15 characters. */
const THREAD_NAME = 'task-worker'
/** A slow machine may need seconds to load the modules of a task. */
const MAX_START_MS = 60_000
const MEMORY_CHECK_MS = 100
const MEGABYTE = 1024 * 1024

/** `minor` takes a few milliseconds and frees recent objects; `major` takes about 50 and frees the rest. */
export type GarbageKind = 'minor' | 'major'

export interface WorkerPoolOptions {
  /** Maximum number of threads. */
  threads?: number
  /** Maximum number of waiting tasks. More are rejected as `busy`. */
  queued?: number
  /** Time that a thread waits for another task before it ends. */
  idleMs?: number
  /** Limit of the JavaScript heap of each thread. */
  heapMb?: number
  /** Limit of the buffers of each thread, which are not part of its heap. */
  buffersMb?: number
  /** Whether the thread that answers requests runs first. Linux only. */
  isLowPriority?: boolean
  /** Collects garbage. Called before and after each large input. */
  releaseMemory?: ((kind: GarbageKind) => void) | undefined
}

export interface RunOptions {
  /** Counts from when the task's module is loaded; the time in the queue does not count. */
  timeoutMs: number
  /** Buffers of the input to move instead of copy. The caller cannot use them afterwards. */
  transfer?: ArrayBuffer[]
  /** The property of the input whose bytes the caller still needs. They are copied when the task starts. */
  copied?: string
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

interface Job {
  request: TaskRequest
  options: RunOptions
  /** Kept as a flag, because transferred buffers are no longer accessible in this thread. */
  isLarge: boolean
  resolve(output: unknown): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  job: Job | undefined
  timers: NodeJS.Timeout[]
}

/** Size of input buffers that justifies a new thread and a garbage collection. */
const LARGE = 8 * MEGABYTE

/** Delay after the last large input of several. By then it is stored and processed. */
const RELEASE_AFTER_MS = 1_000

const copiedOf = (input: unknown, { copied }: RunOptions): Uint8Array | undefined =>
  copied === undefined ? undefined : (input as Record<string, Uint8Array>)[copied]

const isLarge = (input: unknown, options: RunOptions): boolean => {
  const buffers: { byteLength: number }[] = [...(options.transfer ?? [])]
  const copied = copiedOf(input, options)
  if (copied) buffers.push(copied)
  return buffers.reduce((bytes, { byteLength }) => bytes + byteLength, 0) >= LARGE
}

const DEFAULTS: Required<Omit<WorkerPoolOptions, 'releaseMemory'>> = {
  threads: 2,
  queued: 256,
  idleMs: 2_000,
  heapMb: 128,
  buffersMb: 160,
  isLowPriority: false,
}

const clearTimers = (thread: Thread): void => {
  for (const timer of thread.timers.splice(0)) clearTimeout(timer)
}

const send = async (worker: Worker, { request, options }: Job): Promise<void> => {
  const { copied } = options
  const bytes = copiedOf(request.input, options)
  if (copied === undefined || !bytes) return worker.postMessage(request, options.transfer ?? [])
  const copy = await copyBytes(bytes)
  worker.postMessage({ ...request, input: { ...(request.input as object), [copied]: copy } }, [copy.buffer])
}

/**
 * Runs long work in a few threads, so that it never delays requests. Threads start with the first task and
 * end when idle. A task that exceeds its limits ends its thread, not the process.
 */
export class WorkerPool {
  private readonly limits: typeof DEFAULTS & Pick<WorkerPoolOptions, 'releaseMemory'>
  private readonly threads = new Set<Thread>()
  private readonly queue: Job[] = []
  private readonly completed: Record<string, number> = {}
  private readonly failed: Partial<Record<WorkerErrorKind, number>> = {}
  private readonly endings = new Set<Promise<unknown>>()
  private started = 0
  private isClosed = false
  private releaseTimer: NodeJS.Timeout | undefined

  constructor(options: WorkerPoolOptions = {}) {
    this.limits = { ...DEFAULTS, ...options }
  }

  /**
   * Runs a task in a worker thread. Rejects with the `AppError` that the task threw, or with a `WorkerError`
   * if it has no output for another reason.
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, runOptions: RunOptions): Promise<Output> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        request: { module: task.module, name: task.name, input },
        options: runOptions,
        isLarge: isLarge(input, runOptions),
        resolve: resolve as Job['resolve'],
        reject,
      }
      if (this.isClosed)
        return this.fail(job, 'closed', new WorkerError('closed', 'The server is shutting down.'))
      if (this.queue.length >= this.limits.queued && !this.hasFreeThread())
        return this.fail(job, 'busy', new WorkerError('busy', 'Too many tasks are waiting.'))
      this.queue.push(job)
      this.assignJobs()
    })
  }

  statistics(): WorkerPoolStatistics {
    return {
      threads: this.threads.size,
      running: [...this.threads].filter(({ job }) => job !== undefined).length,
      queued: this.queue.length,
      started: this.started,
      completed: { ...this.completed },
      failed: { ...this.failed },
    }
  }

  /** Rejects everything that runs or waits, and resolves when the last thread has ended. */
  async close(): Promise<void> {
    this.isClosed = true
    const error = new WorkerError('closed', 'The server is shutting down.')
    for (const job of this.queue.splice(0)) this.fail(job, error.kind, error)
    for (const thread of [...this.threads]) this.removeThread(thread, error)
    await Promise.all(this.endings)
  }

  private fail(job: Job, kind: WorkerErrorKind, error: Error): void {
    this.failed[kind] = (this.failed[kind] ?? 0) + 1
    job.reject(error)
  }

  /** A large input leaves buffers that V8 would not collect for a long time. */
  private releaseMemory(): void {
    if (this.limits.releaseMemory === undefined) return
    this.limits.releaseMemory('minor')
    clearTimeout(this.releaseTimer)
    this.releaseTimer = setTimeout(() => {
      if (!this.isClosed) this.limits.releaseMemory?.('major')
    }, RELEASE_AFTER_MS).unref()
  }

  /** Ends a thread. Its current task, if any, is rejected with `error`. */
  private removeThread(thread: Thread, error: WorkerError): void {
    if (!this.threads.delete(thread)) return
    clearTimers(thread)
    const ending = thread.worker.terminate().finally(() => this.endings.delete(ending))
    this.endings.add(ending)
    const { job } = thread
    thread.job = undefined
    if (job) this.fail(job, error.kind, error)
    this.assignJobs()
  }

  /** V8's resource limits apply only to the heap, and a task could fill the memory with buffers. */
  private watchBuffers(thread: Thread): NodeJS.Timeout {
    return setInterval(async () => {
      const { external_memory: bytes } = await thread.worker
        .getHeapStatistics()
        .catch(() => ({ external_memory: 0 }))
      if (thread.job && bytes > this.limits.buffersMb * MEGABYTE)
        this.removeThread(
          thread,
          new WorkerError('memory', `It needed more than ${this.limits.buffersMb} MB.`),
        )
    }, MEMORY_CHECK_MS).unref()
  }

  private limitTime(thread: Thread, limitMs: number, message: string): void {
    clearTimers(thread)
    thread.timers.push(
      setTimeout(() => this.removeThread(thread, new WorkerError('timeout', message)), limitMs),
      this.watchBuffers(thread),
    )
  }

  private waitForJob(thread: Thread): void {
    thread.worker.unref()
    thread.timers.push(
      setTimeout(
        () => this.removeThread(thread, new WorkerError('closed', 'Nothing to do.')),
        this.limits.idleMs,
      ).unref(),
    )
  }

  private receive(thread: Thread, reply: TaskReply): void {
    const { job } = thread
    if (!job) return
    if (reply.kind === 'started') {
      const { timeoutMs } = job.options
      const seconds = Number((timeoutMs / 1000).toPrecision(2))
      this.limitTime(thread, timeoutMs, `It took longer than ${seconds} seconds.`)
      return
    }
    clearTimers(thread)
    thread.job = undefined
    if (reply.kind === 'output') {
      this.completed[job.request.name] = (this.completed[job.request.name] ?? 0) + 1
      job.resolve(reply.output)
    } else if (reply.kind === 'rejection') {
      const { kind, code, message, details } = reply.rejection
      this.fail(job, 'failed', new AppError(kind, code, message, { details }))
    } else this.fail(job, 'failed', new WorkerError('failed', reply.message, { cause: reply.error }))
    // Ends the thread, to return the memory of a large input at once.
    if (job.isLarge) {
      this.removeThread(thread, new WorkerError('closed', 'Nothing to do.'))
      this.releaseMemory()
    } else this.waitForJob(thread)
    this.assignJobs()
  }

  private startThread(): Thread {
    const worker = new Worker(WORKER_FILE, {
      name: THREAD_NAME,
      // A task cannot read secrets from the environment.
      env: {},
      execArgv: [],
      workerData: {
        compileCache: getCompileCacheDir(),
        isLowPriority: this.limits.isLowPriority,
      } satisfies WorkerData,
      resourceLimits: { maxOldGenerationSizeMb: this.limits.heapMb, maxYoungGenerationSizeMb: 16 },
    })
    const thread: Thread = { worker, job: undefined, timers: [] }
    this.started++
    this.threads.add(thread)
    worker.on('message', (reply: TaskReply) => this.receive(thread, reply))
    worker.on('messageerror', (error) => this.removeThread(thread, new WorkerError('crash', error.message)))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const message = isMemory ? `It needed more than ${this.limits.heapMb} MB.` : error.message
      this.removeThread(thread, new WorkerError(isMemory ? 'memory' : 'crash', message, { cause: error }))
    })
    worker.on('exit', (code) =>
      this.removeThread(thread, new WorkerError('crash', `Its thread ended with code ${code}.`)),
    )
    return thread
  }

  private assign(thread: Thread, job: Job): void {
    clearTimers(thread)
    thread.worker.ref()
    thread.job = job
    // The pieces that the input was assembled from are garbage now.
    if (job.isLarge) this.releaseMemory()
    this.limitTime(thread, MAX_START_MS, 'Its thread did not start.')
    send(thread.worker, job).catch((error: unknown) =>
      this.removeThread(thread, new WorkerError('failed', 'Its input cannot be cloned.', { cause: error })),
    )
  }

  private findIdle(): Thread | undefined {
    return [...this.threads].find(({ job }) => job === undefined)
  }

  private hasFreeThread(): boolean {
    return this.threads.size < this.limits.threads || this.findIdle() !== undefined
  }

  /** Runs one large input at a time, so that their memory does not add up. */
  private takeNextJob(): Job | undefined {
    const isLargeRunning = [...this.threads].some(({ job }) => job?.isLarge)
    const index = isLargeRunning ? this.queue.findIndex((job) => !job.isLarge) : 0
    return index < 0 ? undefined : this.queue.splice(index, 1)[0]
  }

  private assignJobs(): void {
    while (!this.isClosed && this.hasFreeThread()) {
      const job = this.takeNextJob()
      if (!job) return
      this.assign(this.findIdle() ?? this.startThread(), job)
    }
  }
}
