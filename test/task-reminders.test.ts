import { expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createMovableClock, DAY, MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, type InstanceOptions, startInstance } from './support/instance.ts'

const HOUR = 60 * MINUTE

const dueOf = async (instance: Instance, id?: number): Promise<number[]> => {
  const rows = await instance.database.db
    .selectFrom('changes')
    .select('subject')
    .where('type', '=', 'task.due')
    .orderBy('id')
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.map(({ subject }) => Number(subject)).filter((subject) => id === undefined || subject === id)
}

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Runs the periodic sweep on demand. */
const sweep = async (instance: Instance): Promise<void> => {
  const { jobs } = instance.app
  const id = (await jobs.enqueue(instance.database.db, 'task-reminders', {})) as string
  await until(async () => (await jobs.find(id))?.state === 'done')
}

const startWithJobs = async (options: InstanceOptions): Promise<Instance> => {
  const instance = await startInstance(options)
  await instance.app.jobs.start()
  return instance
}
const add = async (instance: Instance, fields: Record<string, unknown>): Promise<number> => {
  const { status, body } = await instance.post('/api/tasks', { title: 'Call back', ...fields })
  expect([status, body.detail]).toEqual([201, undefined])
  return body.id
}
const after = (instance: Instance, ms: number) => new Date(instance.clock.now().getTime() + ms).toISOString()

onOneDatabase('sqlite', 'a reminder', (engine) => {
  const start = (options: InstanceOptions = {}) => startWithJobs({ engine, ...options })
  const patch = (instance: Instance, id: number, body: Record<string, unknown>) =>
    instance.call('PATCH', `/api/tasks/${id}`, { body })
  const pass = async (instance: Instance, ms: number) => {
    instance.clock.advance(ms)
    // Jobs on PostgreSQL use the clock of the database, which tests cannot move.
    await sweep(instance)
  }

  it('is recorded once at its time, by the job for the earliest one', async () => {
    const instance = await start()
    const later = await add(instance, { dueAt: after(instance, 3000) })
    const sooner = await add(instance, { dueAt: after(instance, 1500) })
    const reminded = await add(instance, { dueAt: after(instance, DAY), remindAt: after(instance, 4000) })
    await until(async () => (await dueOf(instance)).length === 3)
    const rows = await instance.database.db
      .selectFrom('changes')
      .select(['subject', 'at', 'data'])
      .where('type', '=', 'task.due')
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(rows.map(({ subject }) => Number(subject))).toEqual([sooner, later, reminded])
    for (const { at, data } of rows) {
      const task = JSON.parse(data)
      expect(task).toMatchObject({ title: 'Call back', status: 'todo' })
      expect(at >= (task.remindAt ?? task.dueAt)).toBe(true)
    }
    await sweep(instance)
    expect(await dueOf(instance)).toHaveLength(3)
    await instance.close()
  })

  it('follows edits: moved, closed and reopened tasks count as they are now', async () => {
    const instance = await start()
    const moved = await add(instance, { dueAt: after(instance, HOUR) })
    const closed = await add(instance, { dueAt: after(instance, HOUR) })
    const reopened = await add(instance, { dueAt: after(instance, HOUR) })
    const cleared = await add(instance, { dueAt: after(instance, HOUR) })
    await patch(instance, moved, { dueAt: after(instance, 5 * HOUR) })
    await patch(instance, closed, { status: 'done' })
    await patch(instance, reopened, { status: 'cancelled' })
    await patch(instance, reopened, { status: 'doing' })
    await patch(instance, cleared, { dueAt: null })
    await pass(instance, 2 * HOUR)
    expect(await dueOf(instance)).toEqual([reopened])
    await patch(instance, reopened, { title: 'Told already' })
    await patch(instance, closed, { status: 'todo' })
    await pass(instance, HOUR)
    expect(await dueOf(instance)).toEqual([reopened])
    await pass(instance, 3 * HOUR)
    expect(await dueOf(instance)).toEqual([reopened, moved])
    await patch(instance, reopened, { dueAt: after(instance, HOUR) })
    await pass(instance, 2 * HOUR)
    expect(await dueOf(instance)).toEqual([reopened, moved, reopened])
    await instance.close()
  })

  it('is not recorded for a time that had passed when it was set', async () => {
    const instance = await start()
    const id = await add(instance, { dueAt: after(instance, -HOUR) })
    await pass(instance, HOUR)
    expect(await dueOf(instance, id)).toEqual([])
    await instance.close()
  })

  it('is recorded after a restart if its time came during downtime', async () => {
    const first = await start()
    const { place, clock } = first
    const id = await add(first, { dueAt: after(first, HOUR) })
    await first.app.close()
    clock.advance(DAY)
    const second = await start({ place, clock })
    await sweep(second)
    expect(await dueOf(second)).toEqual([id])
    await second.close()
    await place.remove()
  })

  it('survives a clock that is set back, before and after it was recorded', async () => {
    const instance = await start()
    const id = await add(instance, { dueAt: after(instance, HOUR) })
    instance.clock.advance(-DAY)
    await sweep(instance)
    instance.clock.advance(DAY + 2 * HOUR)
    await sweep(instance)
    expect(await dueOf(instance)).toEqual([id])
    instance.clock.advance(-3 * HOUR)
    await patch(instance, id, { status: 'done' })
    await patch(instance, id, { status: 'todo' })
    await pass(instance, 5 * HOUR)
    expect(await dueOf(instance)).toEqual([id])
    await instance.close()
  })

  it('is recorded after a job was lost: the next sweep enqueues a new one', async () => {
    const instance = await start()
    const lost = await add(instance, { dueAt: after(instance, HOUR) })
    const next = await add(instance, { dueAt: after(instance, 3 * HOUR) })
    for (const job of await instance.app.jobs.list({ state: 'waiting', limit: 200 }))
      await instance.app.jobs.drop(job.id)
    await pass(instance, 2 * HOUR)
    expect(await dueOf(instance)).toEqual([lost])
    instance.clock.advance(2 * HOUR)
    await sweep(instance)
    expect(await dueOf(instance)).toEqual([lost, next])
    await instance.close()
  })

  it('is recorded in batches if many are due at once', async () => {
    const instance = await start()
    const { db } = instance.database
    const first = await add(instance, { dueAt: after(instance, HOUR) })
    const { id: _, ...task } = await db
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', first)
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    await db.insertInto('tasks').values(Array(449).fill(task)).execute()
    instance.clock.advance(2 * HOUR)
    await sweep(instance)
    // Another sweep may take some of them at the same time.
    await until(async () => (await dueOf(instance)).length >= 450)
    expect(new Set(await dueOf(instance)).size).toBe(450)
    expect(await dueOf(instance)).toHaveLength(450)
    await instance.close()
  })
})

onOneDatabase('postgres', 'a reminder with several instances', (engine) => {
  it('is recorded once', async () => {
    const clock = createMovableClock()
    const first = await startWithJobs({ engine, clock })
    const second = await startWithJobs({ place: first.place, clock })
    const ids: number[] = []
    for (let n = 0; n < 30; n++)
      ids.push(await add(n % 2 ? first : second, { dueAt: after(first, HOUR + n) }))
    clock.advance(2 * HOUR)
    await Promise.all([sweep(first), sweep(second)])
    expect((await dueOf(first)).toSorted((a, b) => a - b)).toEqual(ids)
    await second.app.close()
    await first.close()
  })
})
