import { Writable } from 'node:stream'
import { pino } from 'pino'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { AppError, type ErrorKind } from '../../src/platform/errors.ts'
import type { Jobs } from '../../src/platform/jobs/jobs.ts'
import { createJobFixture, type JobFixture, soon } from '../support/job-fixture.ts'
import { describeJobsOnBothEngines } from '../support/on-both-engines.ts'

const Anything = Type.Object({})
const HOUR = 3_600_000

describeJobsOnBothEngines('jobs', (fixture) => {
  const add: JobFixture['add'] = (...given) => fixture().add(...given)
  const reaches: JobFixture['reaches'] = (...given) => fixture().reaches(...given)
  /** Opens instances with one job named `work`. */
  const openWith = async (
    run: () => Promise<void>,
    definition: { retries?: number } = {},
    options?: Parameters<JobFixture['open']>[0],
  ): Promise<Jobs> => {
    const jobs = await fixture().open(options)
    jobs.define({ name: 'work', payload: Anything, run, ...definition })
    return jobs
  }
  const nothing = async (): Promise<void> => {}

  it('a job that is enqueued in a failed transaction does not exist', async () => {
    const jobs = await openWith(nothing)
    const failing = inTransaction(fixture().database.db, async (tx) => {
      await jobs.enqueue(tx, 'work', {})
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await jobs.list({ limit: 10 })).toEqual([])
  })

  it('a job runs after its transaction is committed, without waiting for the next poll', async () => {
    const jobs = await openWith(nothing, {}, { pollMs: HOUR })
    await jobs.start()
    const id = await add(jobs, 'work')
    expect(await reaches(jobs, id, 'done')).toMatchObject({
      name: 'work',
      attempts: 1,
      error: null,
      progress: null,
    })
  })

  it('a job that another instance enqueued is found by polling', async () => {
    const idle = await openWith(nothing)
    const busy = await openWith(nothing)
    await busy.start()
    await reaches(idle, await add(idle, 'work'), 'done')
  })

  it('a delayed job waits until its time', async () => {
    const ran: string[] = []
    const jobs = await fixture().open()
    jobs.define({ name: 'work', payload: Type.String(), run: async (which) => void ran.push(which) })
    await jobs.start()
    const later = await add(jobs, 'work', 'later', {
      runAt: new Date(fixture().clock.now().getTime() + HOUR),
    })
    await reaches(jobs, await add(jobs, 'work', 'now'), 'done')
    expect(ran).toEqual(['now'])
    await fixture().advance(HOUR)
    await reaches(jobs, later, 'done')
    expect(ran).toEqual(['now', 'later'])
  })

  it('a payload is passed unchanged', async () => {
    const payload = { text: 'nul \0 half \ud800 emoji 🦊 \\u0000', b: 1e21, a: [null, { z: 1, y: 2 }] }
    const seen: string[] = []
    const jobs = await fixture().open()
    jobs.define({
      name: 'work',
      payload: Type.Unknown(),
      run: async (given) => void seen.push(JSON.stringify(given)),
    })
    await jobs.start()
    await reaches(jobs, await add(jobs, 'work', payload), 'done')
    expect(seen).toEqual([JSON.stringify(payload)])
  })

  it('enqueue rejects an invalid payload and an unknown job', async () => {
    const jobs = await fixture().open()
    jobs.define({ name: 'work', payload: Type.Object({ size: Type.Integer() }), run: nothing })
    await expect(add(jobs, 'work', { size: 'big' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(add(jobs, 'work', undefined)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(add(jobs, 'other', {})).rejects.toMatchObject({ kind: 'invalid' })
    await expect(add(jobs, 'work', { size: 1 }, { key: 'a\0b' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await jobs.list({ limit: 10 })).toEqual([])
  })

  it('a payload that a new release does not accept is parked with the reason and never run', async () => {
    const before = await openWith(nothing)
    const id = await add(before, 'work', {})
    let ran = false
    const after = await fixture().open()
    after.define({
      name: 'work',
      payload: Type.Object({ size: Type.Integer() }),
      run: async () => {
        ran = true
      },
    })
    await after.start()
    expect((await reaches(after, id, 'parked')).error).toContain('size')
    expect(ran).toBe(false)
  })

  it('a failed job is retried with growing delays until it succeeds', async () => {
    let tries = 0
    const jobs = await openWith(async () => {
      tries++
      if (tries < 3) throw new AppError('upstream', 'down', `Down the ${tries}. time.`)
    })
    await jobs.start()
    const id = await add(jobs, 'work')
    const waits: number[] = []
    for (const attempts of [1, 2]) {
      const failed = await soon(async () => {
        const job = await jobs.find(id)
        expect(job).toMatchObject({ state: 'waiting', attempts, error: `Down the ${attempts}. time.` })
        return job
      })
      waits.push(Date.parse(failed?.runAt ?? '') - fixture().clock.now().getTime())
      await fixture().advance(HOUR)
    }
    expect(waits[0]).toBeGreaterThan(1000)
    expect(waits[1]).toBeGreaterThan(waits[0] as number)
    expect(await reaches(jobs, id, 'done')).toMatchObject({ attempts: 3, error: null })
  })

  it.each<ErrorKind>(['invalid', 'forbidden', 'not_found', 'conflict', 'too_large', 'unsupported'])(
    'a job that fails as %s is parked at once',
    async (kind) => {
      const jobs = await openWith(() => Promise.reject(new AppError(kind, 'no', 'It \0cannot be.')))
      await jobs.start()
      const parked = await reaches(jobs, await add(jobs, 'work'), 'parked')
      expect(parked).toMatchObject({ attempts: 1, error: 'It \uFFFDcannot be.' })
      expect(parked.finishedAt).not.toBeNull()
    },
  )

  it('a job with a retry time does not run sooner', async () => {
    const jobs = await openWith(() =>
      Promise.reject(
        new AppError('rate_limited', 'slow', 'Slow down.', { details: { retryAfterSeconds: 7200 } }),
      ),
    )
    await jobs.start()
    const id = await add(jobs, 'work')
    await soon(async () => expect((await jobs.find(id))?.error).toBe('Slow down.'))
    const wait = Date.parse((await jobs.find(id))?.runAt ?? '') - fixture().clock.now().getTime()
    expect(wait).toBeGreaterThan(1.9 * HOUR)
  })

  it('after the last retry a job is parked; its error hides the cause, and the log contains it', async () => {
    const lines: string[] = []
    const log = pino(
      {},
      new Writable({
        write(chunk, _encoding, done) {
          lines.push(String(chunk))
          done()
        },
      }),
    )
    const jobs = await openWith(() => Promise.reject(new Error('password=hunter2')), { retries: 1 }, { log })
    await jobs.start()
    const id = await add(jobs, 'work')
    await soon(async () => expect(await jobs.find(id)).toMatchObject({ state: 'waiting', attempts: 1 }))
    await fixture().advance(HOUR)
    const parked = await reaches(jobs, id, 'parked')
    expect(parked.attempts).toBe(2)
    expect(parked.error).toMatch(/unexpected/)
    expect(parked.error).not.toContain('hunter2')
    expect(lines.join('')).toContain('hunter2')
  })

  it('progress is visible while the job runs, and stays when it is done', async () => {
    let finish = nothing as () => void
    const jobs = await fixture().open()
    jobs.define({
      name: 'work',
      payload: Anything,
      run: async (_, context) => {
        await context.progress(1, 3, 'first')
        await inTransaction(fixture().database.db, () => context.progress(2, 3))
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      },
    })
    await jobs.start()
    const id = await add(jobs, 'work')
    const progress = { done: 2, total: 3, note: '' }
    await soon(async () => expect((await jobs.find(id))?.progress).toEqual(progress))
    expect(await jobs.list({ state: 'running', limit: 10 })).toMatchObject([{ id, progress }])
    finish()
    expect((await reaches(jobs, id, 'done')).progress).toEqual(progress)
  })

  it('at most one unfinished job of a name has a key', async () => {
    const jobs = await openWith(() => new Promise(() => {}))
    const enqueue = (key?: string) =>
      inTransaction(fixture().database.db, (tx) =>
        jobs.enqueue(tx, 'work', {}, key === undefined ? {} : { key }),
      )
    const several = await Promise.all(Array.from({ length: 5 }, () => enqueue('one')))
    const [id, ...others] = several.filter((given) => given !== null)
    expect(others).toEqual([])
    await jobs.start()
    await reaches(jobs, id as string, 'running')
    expect(await enqueue('one')).toBeNull()
    expect(await enqueue('two')).not.toBeNull()
    expect(await enqueue()).not.toBeNull()
    expect(await enqueue()).not.toBeNull()
  })

  it('a completed job frees its key; a parked one can then not be retried beside the new one', async () => {
    const jobs = await openWith(() => Promise.reject(new AppError('invalid', 'no', 'No.')))
    await jobs.start()
    const parked = await add(jobs, 'work', {}, { key: 'one' })
    await reaches(jobs, parked, 'parked')
    const later = new Date(fixture().clock.now().getTime() + HOUR)
    await add(jobs, 'work', {}, { key: 'one', runAt: later })
    await expect(jobs.retry(parked)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await jobs.find(parked)).toMatchObject({ state: 'parked' })
  })

  it('instances that start at once on an empty database all work', async () => {
    const empty = await createJobFixture(fixture().database.engine)
    try {
      const starting = Array.from({ length: 4 }, async () => {
        const jobs = await empty.open()
        jobs.define({ name: 'work', payload: Anything, run: nothing })
        jobs.define({ name: 'other', payload: Anything, run: nothing, schedule: '* * * * *' })
        await jobs.start()
        return jobs
      })
      for (const jobs of await Promise.all(starting)) {
        const id = await inTransaction(empty.database.db, (tx) => jobs.enqueue(tx, 'work', {}))
        await reaches(jobs, id as string, 'done')
      }
      await empty.reset()
    } finally {
      await empty.close()
    }
  })

  it('an invalid definition stops startup', async () => {
    const jobs = await openWith(nothing)
    const define = (definition: object) => () =>
      jobs.define({ name: 'other', payload: Anything, run: nothing, ...definition })
    expect(define({ name: 'work' })).toThrow(/twice/)
    expect(define({ name: "it's" })).toThrow(/not a valid job name/)
    expect(define({ leaseSeconds: 1 })).toThrow(/lease/)
    expect(define({ schedule: 'now and then' })).toThrow(/schedule/)
    expect(define({ schedule: '* * * * *', payload: Type.Object({ size: Type.Integer() }) })).toThrow(
      /size|required/,
    )
    await jobs.start()
    expect(define({})).toThrow(/after jobs were started/)
  })
})
