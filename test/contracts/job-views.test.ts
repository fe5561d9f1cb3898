import Type from 'typebox'
import { expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { AppError } from '../../src/platform/errors.ts'
import { writeCursor } from '../../src/platform/http/etag.ts'
import type { JobDump, Jobs } from '../../src/platform/jobs/jobs.ts'
import type { JobFixture } from '../support/job-fixture.ts'
import { describeJobsOnBothEngines } from '../support/on-both-engines.ts'

const HOUR = 3_600_000

describeJobsOnBothEngines('job management', (fixture) => {
  const add: JobFixture['add'] = (...given) => fixture().add(...given)
  const reaches: JobFixture['reaches'] = (...given) => fixture().reaches(...given)
  const openWith = async (run: () => Promise<void>): Promise<Jobs> => {
    const jobs = await fixture().open()
    jobs.define({ name: 'work', payload: Type.Object({}), run })
    return jobs
  }
  const nothing = async (): Promise<void> => {}

  it('a user can retry a parked job, with all its retries, or drop it', async () => {
    let broken = true
    const jobs = await openWith(async () => {
      if (broken) throw new AppError('invalid', 'no', 'No.')
    })
    await jobs.start()
    const [first, second] = [await add(jobs, 'work'), await add(jobs, 'work')]
    await reaches(jobs, first, 'parked')
    await reaches(jobs, second, 'parked')
    broken = false
    expect(await jobs.retry(first)).toBe(true)
    expect((await reaches(jobs, first, 'done')).attempts).toBe(1)
    expect(await jobs.retry(first)).toBe(false)
    expect(await jobs.drop(first)).toBe(false)
    expect(await jobs.drop(second)).toBe(true)
    expect(await jobs.drop(second)).toBe(false)
    expect(await jobs.find(second)).toBeUndefined()
    for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
      expect(await jobs.find(id)).toBeUndefined()
      expect(await jobs.retry(id)).toBe(false)
      expect(await jobs.drop(id)).toBe(false)
    }
  })

  it('the list is sorted newest first, in pages that neither repeat nor skip jobs', async () => {
    const jobs = await openWith(nothing)
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.push(await add(jobs, 'work'))
    const seen: string[] = []
    let after: string | undefined
    for (;;) {
      const page = await jobs.list({ state: 'waiting', limit: 3, ...(after !== undefined && { after }) })
      seen.push(...page.map((job) => job.id))
      const last = page.at(-1)
      if (!last) break
      after = writeCursor([last.createdAt, last.id])
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen)).toEqual(new Set(ids))
    const times = (await jobs.list({ limit: 10 })).map((job) => job.createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect(await jobs.list({ state: 'done', limit: 10 })).toEqual([])
    await expect(jobs.list({ limit: 1, after: 'nonsense' })).rejects.toThrow(AppError)
    await expect(jobs.list({ limit: 1, after: writeCursor(['yesterday', 'x']) })).rejects.toThrow(AppError)
  })

  it('all jobs except running ones are deleted at once', async () => {
    let finish = (): void => {}
    const jobs = await fixture().open()
    const busy = new Promise<void>((resolve) => {
      finish = resolve
    })
    jobs.define({ name: 'work', payload: Type.Object({}), run: nothing })
    jobs.define({ name: 'long', payload: Type.Object({}), run: () => busy })
    await jobs.start()
    const running = await add(jobs, 'long')
    await reaches(jobs, await add(jobs, 'work'), 'done')
    await reaches(jobs, running, 'running')
    await add(jobs, 'work', {}, { runAt: new Date(fixture().clock.now().getTime() + HOUR) })
    await inTransaction(fixture().database.db, (tx) => jobs.forget(tx))
    expect((await jobs.list({ limit: 10 })).map(({ id }) => id)).toEqual([running])
    finish()
    await reaches(jobs, running, 'done')
  })

  it('completed jobs are pruned when they are old; parked and waiting ones stay', async () => {
    const jobs = await fixture().open()
    jobs.define({
      name: 'work',
      payload: Type.String(),
      run: async (how, context) => {
        await context.progress(1)
        if (how === 'badly') throw new AppError('invalid', 'no', 'No.')
      },
    })
    await jobs.start()
    const runAt = new Date(fixture().clock.now().getTime() + 100 * HOUR)
    const waiting = await add(jobs, 'work', 'later', { runAt })
    const parked = await add(jobs, 'work', 'badly')
    const done = await add(jobs, 'work', 'well')
    await reaches(jobs, parked, 'parked')
    await reaches(jobs, done, 'done')
    const { db } = fixture().database
    expect(await jobs.prune(new Date(fixture().clock.now().getTime() - HOUR))).toBe(0)
    expect(await jobs.prune(new Date(fixture().clock.now().getTime() + HOUR))).toBe(1)
    expect(await jobs.find(done)).toBeUndefined()
    expect((await jobs.list({ limit: 10 })).map((job) => job.id).toSorted()).toEqual(
      [waiting, parked].toSorted(),
    )
    expect(await db.selectFrom('job_progress').select('jobId').execute()).toEqual([{ jobId: parked }])
  })

  it('a dump contains every unfinished job, and enqueue restores it', async () => {
    const jobs = await fixture().open()
    jobs.define({
      name: 'work',
      payload: Type.Object({ how: Type.String() }),
      run: async ({ how }) => {
        if (how === 'badly') throw new AppError('invalid', 'no', 'No.')
      },
    })
    await jobs.start()
    const runAt = new Date(fixture().clock.now().getTime() + HOUR)
    await add(jobs, 'work', { how: 'later' }, { runAt, key: 'k' })
    await reaches(jobs, await add(jobs, 'work', { how: 'well' }), 'done')
    await reaches(jobs, await add(jobs, 'work', { how: 'badly' }), 'parked')
    const dumped: JobDump[] = []
    await fixture().database.snapshot(async (view) => {
      for await (const job of jobs.dump(view)) dumped.push(job)
    })
    const waiting = { name: 'work', payload: { how: 'later' }, runAt: runAt.toISOString(), key: 'k' }
    expect(dumped.toSorted((a, b) => a.state.localeCompare(b.state))).toEqual([
      {
        ...waiting,
        runAt: expect.any(String),
        payload: { how: 'badly' },
        key: null,
        state: 'parked',
        error: 'No.',
      },
      { ...waiting, state: 'waiting', error: null },
    ])
    await fixture().reset()
    const restored = await openWith(nothing)
    await add(restored, 'work', waiting.payload, { runAt: new Date(waiting.runAt), key: 'k' })
    const again: JobDump[] = []
    for await (const job of restored.dump()) again.push(job)
    expect(again).toEqual([{ ...waiting, state: 'waiting', error: null }])
  })
})
