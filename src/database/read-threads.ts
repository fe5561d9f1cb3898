import { Worker } from 'node:worker_threads'
import type { LongRead } from './long-reads.ts'
import type { ReadReply, ReadRequest } from './read-thread.ts'

const THREAD_FILE = new URL('./read-thread.ts', import.meta.url)
/** Thread name for monitoring tools; Linux keeps 15 characters. */
const THREAD_NAME = 'read-worker'
const MAX_THREADS = 2
const MAX_WAITING = 256
/** Longest time that a read waits and runs. */
const TIMEOUT_MS = 20_000
/** Starting a thread takes about 50 ms, and an idle one needs a few megabytes. */
const IDLE_MS = 60_000

/** Codes of reads without a result, for `errors.ts`. */
export const READ_TIMEOUT = 'READ_TIMEOUT'
export const READ_BUSY = 'READ_BUSY'

const createError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

interface Job {
  request: ReadRequest
  key: string
  settle(outcome: { rows: unknown[] } | { error: Error }): void
}

interface Thread {
  worker: Worker
  job: Job | undefined
  idleTimer: NodeJS.Timeout | undefined
}

/** Cloning turns a buffer into a plain array of bytes. */
const toBuffers = (row: Record<string, unknown>): Record<string, unknown> => {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.length)
  return row
}

/**
 * Runs statements that may take long in a few threads, each with its own read-only connection. A statement sees
 * everything that was committed before it started. Threads start with the first statement and end when idle.
 */
export class ReadThreads {
  private readonly file: string
  private readonly timeoutMs: number
  private readonly threads = new Set<Thread>()
  private readonly waiting: Job[] = []
  private isClosed = false

  constructor(file: string, { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}) {
    this.file = file
    this.timeoutMs = timeoutMs
  }

  /** Runs a statement that only reads. Rejects at once when the caller does not wait any more. */
  run<R>(request: ReadRequest, { key, signal }: LongRead): Promise<R[]> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new Error('The database connection is not open'))
      if (signal.aborted) return reject(signal.reason)
      if (this.waiting.length >= MAX_WAITING)
        return reject(createError(READ_BUSY, 'Too many searches are waiting.'))
      const job: Job = {
        request,
        key,
        settle(outcome) {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.rows as R[])
        },
      }
      // SQLite cannot be interrupted from another thread. A running statement ends, but nobody waits for it.
      const giveUp = (error: Error): void => {
        const index = this.waiting.indexOf(job)
        if (index >= 0) this.waiting.splice(index, 1)
        job.settle({ error })
      }
      const onAbort = (): void => giveUp(signal.reason as Error)
      const timer = setTimeout(
        () => giveUp(createError(READ_TIMEOUT, `A read took longer than ${this.timeoutMs / 1000} seconds.`)),
        this.timeoutMs,
      )
      signal.addEventListener('abort', onAbort)
      this.waiting.push(job)
      this.assignJobs()
    })
  }

  /** Resolves when the last thread has ended. */
  async close(): Promise<void> {
    this.isClosed = true
    const error = new Error('The database connection is not open')
    for (const job of this.waiting.splice(0)) job.settle({ error })
    await Promise.all([...this.threads].map((thread) => this.end(thread, error)))
  }

  private async end(thread: Thread, error: Error): Promise<void> {
    if (!this.threads.delete(thread)) return
    clearTimeout(thread.idleTimer)
    thread.job?.settle({ error })
    thread.job = undefined
    await thread.worker.terminate()
  }

  private start(): Thread {
    const worker = new Worker(THREAD_FILE, {
      name: THREAD_NAME,
      env: {},
      execArgv: [],
      workerData: { file: this.file },
    })
    const thread: Thread = { worker, job: undefined, idleTimer: undefined }
    this.threads.add(thread)
    const replace = (error: Error): void => {
      void this.end(thread, error)
      this.assignJobs()
    }
    worker.on('message', (reply: ReadReply) => this.receive(thread, reply))
    worker.on('messageerror', replace)
    worker.on('error', replace)
    worker.on('exit', (code) => replace(new Error(`A read thread ended with code ${code}.`)))
    return thread
  }

  private receive(thread: Thread, reply: ReadReply): void {
    const { job } = thread
    thread.job = undefined
    thread.worker.unref()
    thread.idleTimer = setTimeout(() => void this.end(thread, new Error('Idle.')), IDLE_MS).unref()
    // The next statement runs while this thread reads the rows.
    this.assignJobs()
    if (reply.kind === 'json') job?.settle({ rows: JSON.parse(reply.text) as unknown[] })
    else if (reply.kind === 'rows') job?.settle({ rows: reply.rows.map(toBuffers) })
    else job?.settle({ error: Object.assign(new Error(reply.message), { code: reply.code }) })
  }

  private findIdle(): Thread | undefined {
    return [...this.threads].find(({ job }) => job === undefined)
  }

  /** Takes the first job of somebody who has none running. */
  private takeNextJob(): Job | undefined {
    const running = new Set([...this.threads].map(({ job }) => job?.key))
    const index = this.waiting.findIndex(({ key }) => !running.has(key))
    return index < 0 ? undefined : this.waiting.splice(index, 1)[0]
  }

  private assignJobs(): void {
    while (!this.isClosed) {
      const idle = this.findIdle()
      if (!idle && this.threads.size >= MAX_THREADS) return
      const job = this.takeNextJob()
      if (!job) return
      const thread = idle ?? this.start()
      clearTimeout(thread.idleTimer)
      thread.worker.ref()
      thread.job = job
      thread.worker.postMessage(job.request)
    }
  }
}
