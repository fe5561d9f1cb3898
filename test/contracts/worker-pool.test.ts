import { afterEach, describe, expect, it } from 'vitest'
import { defineTask } from '../../src/platform/workers/task.ts'
import { WorkerPool, type WorkerPoolOptions } from '../../src/platform/workers/worker-pool.ts'
import { eventually } from '../support/eventually.ts'
import type * as tasks from '../support/worker-tasks.ts'

const FILE = new URL('../support/worker-tasks.ts', import.meta.url)
type Tasks = typeof tasks
const taskOf = <Name extends keyof Tasks>(name: Name) =>
  defineTask<Parameters<Tasks[Name]>[0], Awaited<ReturnType<Tasks[Name]>>>(FILE, name)

/** A busy machine needs long to fill the memory of a thread. */
const PATIENT = { timeoutMs: 600_000 }
const BRIEF = { timeoutMs: 200 }

describe('the worker pool', () => {
  const pools: WorkerPool[] = []
  const open = (options: WorkerPoolOptions = {}): WorkerPool => {
    const pool = new WorkerPool({ heapMb: 48, ...options })
    pools.push(pool)
    return pool
  }
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })
  const kindOf = (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => 'output',
      (error) => error.kind,
    )

  it('starts no thread before the first task', () => {
    expect(open().statistics()).toMatchObject({ threads: 0, started: 0 })
  })

  it('returns what the task returns', async () => {
    const pool = open()
    expect(await pool.run(taskOf('double'), 21, PATIENT)).toBe(42)
    expect(pool.statistics()).toMatchObject({ completed: { double: 1 }, failed: {} })
  })

  it('moves buffers in both directions', async () => {
    const pool = open()
    const bytes = new Uint8Array(100_000).fill(1)
    const options = { ...PATIENT, transfer: [bytes.buffer] }
    expect(await pool.run(taskOf('sum'), bytes, options)).toBe(100_000)
    expect(bytes.byteLength).toBe(0)
    const { bytes: made } = await pool.run(taskOf('fill'), 50_000, PATIENT)
    expect(made.byteLength).toBe(50_000)
    expect(made[49_999]).toBe(7)
  })

  it('has memory collected before and after a large input, and ends its thread', async () => {
    const collected: string[] = []
    const pool = open({ releaseMemory: (kind) => void collected.push(kind) })
    await pool.run(taskOf('double'), 1, PATIENT)
    expect(collected).toEqual([])
    const bytes = new Uint8Array(8 * 1024 * 1024)
    await pool.run(taskOf('sum'), bytes, { ...PATIENT, transfer: [bytes.buffer] })
    expect(collected.filter((kind) => kind === 'minor')).toHaveLength(2)
    // A task that takes long on a busy machine has one in between, too.
    await eventually(() => collected.at(-1) === 'major')
    expect(pool.statistics()).toMatchObject({ threads: 0, started: 1 })
  })

  it('keeps the environment of the process from tasks', async () => {
    expect(await open().run(taskOf('secretsOf'), undefined, PATIENT)).toEqual([])
  })

  it.each(['loopForever', 'neverAnswer'] as const)(
    'terminates a task that takes too long: %s',
    async (name) => {
      const pool = open({ threads: 1 })
      expect(await kindOf(pool.run(taskOf(name), undefined, BRIEF))).toBe('timeout')
      expect(await pool.run(taskOf('double'), 1, PATIENT)).toBe(2)
      expect(pool.statistics()).toMatchObject({ threads: 1, started: 2 })
    },
  )

  it.each(['allocateObjects', 'allocateText', 'allocateBuffers'] as const)(
    'terminates a task that needs too much memory: %s',
    async (name) => {
      const pool = open({ threads: 1, heapMb: 24, buffersMb: 32 })
      expect(await kindOf(pool.run(taskOf(name), undefined, PATIENT))).toBe('memory')
      expect(await pool.run(taskOf('double'), 1, PATIENT)).toBe(2)
    },
  )

  it('reports the error that a task throws, and keeps its thread', async () => {
    const pool = open({ threads: 1 })
    await expect(pool.run(taskOf('throwError'), 'of the task', PATIENT)).rejects.toMatchObject({
      kind: 'failed',
      message: 'of the task',
      cause: { name: 'RangeError', message: 'of the task' },
    })
    await expect(pool.run(taskOf('throwUncloneable'), undefined, PATIENT)).rejects.toMatchObject({
      kind: 'failed',
      message: 'with a function',
    })
    expect(await kindOf(pool.run(taskOf('returnFunction'), undefined, PATIENT))).toBe('failed')
    expect(await pool.run(taskOf('double'), 1, PATIENT)).toBe(2)
    expect(pool.statistics()).toMatchObject({ started: 1 })
  })

  it('rejects an input that cannot be cloned', async () => {
    const input = (() => {}) as unknown as number
    expect(await kindOf(open().run(taskOf('double'), input, PATIENT))).toBe('failed')
  })

  it('rejects a task that does not exist', async () => {
    const task = defineTask<void, void>(FILE, 'missing')
    expect(await kindOf(open().run(task, undefined, PATIENT))).toBe('failed')
  })

  it.each(['exitProcess', 'throwLater'] as const)(
    'survives a task that ends its thread: %s',
    async (name) => {
      const pool = open({ threads: 1 })
      expect(await kindOf(pool.run(taskOf(name), undefined, PATIENT))).toBe('crash')
      expect(await pool.run(taskOf('double'), 1, PATIENT)).toBe(2)
    },
  )

  it('runs many tasks with few threads', async () => {
    const pool = open({ threads: 2 })
    const inputs = Array.from({ length: 100 }, (_, n) => n)
    const runs = inputs.map((n) => pool.run(taskOf('double'), n, PATIENT))
    expect(pool.statistics()).toMatchObject({ threads: 2, running: 2, queued: 98 })
    expect(await Promise.all(runs)).toEqual(inputs.map((n) => n * 2))
    expect(pool.statistics()).toMatchObject({ running: 0, queued: 0, started: 2 })
  })

  it('rejects a task that would make the queue too long', async () => {
    const pool = open({ threads: 1, queued: 2 })
    const runs = [1, 2, 3, 4].map((n) => pool.run(taskOf('double'), n, PATIENT).catch((error) => error.kind))
    expect(await Promise.all(runs)).toEqual([2, 4, 6, 'busy'])
  })

  it('continues with the queue after a thread was terminated', async () => {
    const pool = open({ threads: 1 })
    const runs = [
      kindOf(pool.run(taskOf('loopForever'), undefined, BRIEF)),
      kindOf(pool.run(taskOf('exitProcess'), undefined, PATIENT)),
      pool.run(taskOf('double'), 4, PATIENT),
    ]
    expect(await Promise.all(runs)).toEqual(['timeout', 'crash', 8])
  })

  it('ends threads that have nothing to do', async () => {
    const pool = open({ idleMs: 50 })
    await pool.run(taskOf('double'), 1, PATIENT)
    await expect.poll(() => pool.statistics().threads).toBe(0)
    expect(await pool.run(taskOf('double'), 2, PATIENT)).toBe(4)
    expect(pool.statistics()).toMatchObject({ started: 2, failed: {} })
  })

  it('rejects running, waiting and later tasks when it is closed', async () => {
    const pool = open({ threads: 1 })
    const runs = [1, 2].map(() => kindOf(pool.run(taskOf('loopForever'), undefined, PATIENT)))
    await pool.close()
    expect(await Promise.all(runs)).toEqual(['closed', 'closed'])
    expect(await kindOf(pool.run(taskOf('double'), 1, PATIENT))).toBe('closed')
    expect(pool.statistics()).toMatchObject({ threads: 0, running: 0, queued: 0 })
  })
})
