import Type from 'typebox'
import { expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import type { JobContext, Jobs } from '../../src/platform/jobs/jobs.ts'
import { type JobFixture, soon } from '../support/job-fixture.ts'
import { describeJobsOnBothEngines } from '../support/on-both-engines.ts'

const Anything = Type.Object({})
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A job that runs until it is released, and exposes its state meanwhile. */
const createHeldJob = () => {
  const contexts: JobContext[] = []
  const releases: (() => void)[] = []
  return {
    contexts,
    run: (_: unknown, context: JobContext): Promise<void> =>
      new Promise((resolve) => {
        contexts.push(context)
        releases.push(resolve)
      }),
    letGo: (which: number): void => releases[which]?.(),
    hasStarted: (times: number): Promise<void> => soon(() => expect(contexts).toHaveLength(times)),
  }
}

describeJobsOnBothEngines('leases', (fixture) => {
  const add = (jobs: Jobs, name = 'work'): Promise<string> => fixture().add(jobs, name)
  const reaches: JobFixture['reaches'] = (...given) => fixture().reaches(...given)
  const openWith = async (
    run: (payload: unknown, context: JobContext) => Promise<void>,
    definition: { leaseSeconds?: number; schedule?: string } = {},
  ): Promise<Jobs> => {
    const jobs = await fixture().open()
    jobs.define({ name: 'work', payload: Anything, run, ...definition })
    jobs.define({ name: 'probe', payload: Anything, run: async () => {} })
    return jobs
  }
  /** When a later job is done, the worker has seen all earlier ones. */
  const probe = async (jobs: Jobs): Promise<void> =>
    void (await reaches(jobs, await add(jobs, 'probe'), 'done'))
  const insertMark = (tx: Parameters<Jobs['enqueue']>[0], subject: string) =>
    tx.insertInto('attempts').values({ kind: 'mark', subject, at: new Date().toISOString() }).execute()
  const countMarks = async (): Promise<number> =>
    (await fixture().database.db.selectFrom('attempts').select('id').execute()).length

  it('draining waits for running jobs, and takes no more', async () => {
    const held = createHeldJob()
    const jobs = await openWith(held.run)
    await jobs.start()
    const id = await add(jobs)
    await held.hasStarted(1)
    const drained = jobs.drain(MINUTE)
    const late = await add(jobs)
    held.letGo(0)
    await drained
    expect(await jobs.find(id)).toMatchObject({ state: 'done' })
    expect(await jobs.find(late)).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(held.contexts[0]?.signal.aborted).toBe(false)
  })

  it('a job that runs at the deadline is aborted and released, without counting an attempt', async () => {
    const held = createHeldJob()
    const leaving = await openWith(held.run)
    await leaving.start()
    const id = await add(leaving)
    await held.hasStarted(1)
    await leaving.drain(0)
    expect(held.contexts[0]?.signal.aborted).toBe(true)
    expect(await leaving.find(id)).toMatchObject({ state: 'waiting', attempts: 0, error: null })

    const next = await openWith(held.run)
    await next.start()
    await held.hasStarted(2)
    expect(held.contexts[1]?.attempt).toBe(1)
    const { db } = fixture().database
    await expect(inTransaction(db, async (tx) => held.contexts[0]?.complete(tx))).rejects.toMatchObject({
      code: 'conflict',
    })
    held.letGo(0)
    await probe(next)
    expect(await next.find(id)).toMatchObject({ state: 'running' })
    held.letGo(1)
    await reaches(next, id, 'done')
  })

  it('a lease is renewed while its job runs', async () => {
    const held = createHeldJob()
    const jobs = await openWith(held.run, { leaseSeconds: 10 })
    await jobs.start()
    const id = await add(jobs)
    await held.hasStarted(1)
    const first = await fixture().leaseEnd(id)
    await soon(async () => expect((await fixture().leaseEnd(id)) > first).toBe(true))
    held.letGo(0)
    await reaches(jobs, id, 'done')
  })

  it('a worker whose job was taken over is notified, and can no longer settle it', async () => {
    const held = createHeldJob()
    const [slow, quick] = [await openWith(held.run, { leaseSeconds: 10 }), await openWith(held.run)]
    await slow.start()
    const id = await add(slow)
    await held.hasStarted(1)
    await quick.start()
    await probe(quick)
    expect(held.contexts).toHaveLength(1)
    await fixture().advance(11_000)
    await held.hasStarted(2)
    expect(held.contexts[1]?.attempt).toBe(2)

    const work = inTransaction(fixture().database.db, async (tx) => {
      await insertMark(tx, 'slow')
      await held.contexts[0]?.complete(tx)
    })
    await expect(work).rejects.toMatchObject({ code: 'conflict' })
    expect(await countMarks()).toBe(0)
    await soon(() => expect(held.contexts[0]?.signal.aborted).toBe(true))
    held.letGo(0)
    await probe(slow)
    expect(await slow.find(id)).toMatchObject({ state: 'running', attempts: 2 })
    held.letGo(1)
    await reaches(quick, id, 'done')
  })

  it('a clock jump does not start a job twice in the same process', async () => {
    const held = createHeldJob()
    const jobs = await openWith(held.run)
    await jobs.start()
    const id = await add(jobs)
    await held.hasStarted(1)
    await fixture().advance(DAY)
    await probe(jobs)
    expect(held.contexts).toHaveLength(1)
    held.letGo(0)
    expect(await reaches(jobs, id, 'done')).toMatchObject({ attempts: 1 })
  })

  it('a job that completes itself in a transaction is done with the commit, whatever follows', async () => {
    let runs = 0
    const jobs = await openWith(async (_, context) => {
      runs++
      await inTransaction(fixture().database.db, async (tx) => {
        await insertMark(tx, 'once')
        await context.complete(tx)
      })
      throw new Error('too late to matter')
    })
    await jobs.start()
    const id = await add(jobs)
    await reaches(jobs, id, 'done')
    await probe(jobs)
    await fixture().advance(DAY)
    await probe(jobs)
    expect(await jobs.find(id)).toMatchObject({ state: 'done', error: null })
    expect([runs, await countMarks()]).toEqual([1, 1])
  })

  it('a job that completes itself in a failed transaction is not done', async () => {
    let runs = 0
    const jobs = await openWith(async (_, context) => {
      runs++
      await inTransaction(fixture().database.db, async (tx) => {
        await insertMark(tx, 'once')
        await context.complete(tx)
        if (runs === 1) throw new Error('rolled back')
      })
    })
    await jobs.start()
    const id = await add(jobs)
    await soon(async () => expect(await jobs.find(id)).toMatchObject({ state: 'waiting', attempts: 1 }))
    expect(await countMarks()).toBe(0)
    await fixture().advance(DAY)
    await reaches(jobs, id, 'done')
    expect([runs, await countMarks()]).toEqual([2, 1])
  })

  it('instances that share a backlog run each job once', async () => {
    const ran: string[] = []
    const workers = await Promise.all(
      Array.from({ length: 3 }, () => openWith(async (_, context) => void ran.push(context.id))),
    )
    const ids: string[] = []
    const [first] = workers as [Jobs, ...Jobs[]]
    for (let count = 0; count < 40; count++) ids.push(await add(first))
    await Promise.all(workers.map((jobs) => jobs.start()))
    await soon(async () => expect(await first.list({ state: 'done', limit: 100 })).toHaveLength(40))
    expect(ran.toSorted()).toEqual(ids.toSorted())
  })

  it('a tick runs once for any number of instances, and the first start has no missed ticks', async () => {
    let ran = 0
    const schedule = { schedule: '0 3 * * *' }
    const count = async (): Promise<void> => void ran++
    const workers = [await openWith(count, schedule), await openWith(count, schedule)]
    await Promise.all(workers.map((jobs) => jobs.start()))
    for (const jobs of workers) await probe(jobs)
    expect(ran).toBe(0)
    for (const days of [1, 2]) {
      await fixture().advance(DAY)
      await soon(() => expect(ran).toBe(days))
      for (const jobs of workers) await probe(jobs)
      expect(ran).toBe(days)
    }
  })

  it('ticks that were missed while nothing ran count as one', async () => {
    let ran = 0
    const open = () => openWith(async () => void ran++, { schedule: '0 3 * * *' })
    const before = await open()
    await before.start()
    await before.drain(0)
    await fixture().advance(30 * DAY)
    const after = await open()
    await after.start()
    await soon(() => expect(ran).toBe(1))
    await probe(after)
    expect(ran).toBe(1)
  })

  it('a schedule recovers from a clock that was far ahead', async () => {
    let ran = 0
    const open = () => openWith(async () => void ran++, { schedule: '0 3 * * *' })
    await fixture().advance(400 * DAY)
    const wrong = await open()
    await wrong.start()
    await wrong.drain(0)
    await fixture().advance(-400 * DAY)
    const right = await open()
    await right.start()
    await probe(right)
    expect(ran).toBe(0)
    await fixture().advance(DAY)
    await soon(() => expect(ran).toBe(1))
  })

  it('a tick is skipped while the job of an earlier one is unfinished', async () => {
    const held = createHeldJob()
    const jobs = await openWith(held.run, { schedule: '0 3 * * *' })
    await jobs.start()
    await fixture().advance(DAY)
    await held.hasStarted(1)
    await fixture().advance(DAY)
    await probe(jobs)
    const ticked = (await jobs.list({ limit: 10 })).filter((job) => job.name === 'work')
    expect(ticked).toHaveLength(1)
    held.letGo(0)
    await reaches(jobs, held.contexts[0]?.id ?? '', 'done')
  })
})
