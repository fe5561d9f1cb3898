import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

onOneDatabase('sqlite', 'a recurring task', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const titled = async (title: string) =>
    (await instance.get(`/api/tasks?limit=200&q=${title}`)).body.tasks as Record<string, unknown>[]
  const add = async (title: string, fields: Record<string, unknown> = {}) => {
    const dueAt = new Date(instance.clock.now().getTime() + DAY).toISOString()
    const answer = await instance.post('/api/tasks', { title, dueAt, recurrence: 'FREQ=DAILY', ...fields })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const patch = (id: number, body: Record<string, unknown>) =>
    instance.call('PATCH', `/api/tasks/${id}`, { body })

  it('gets its next occurrence when it is completed, with all fields', async () => {
    const dueAt = '2040-03-24T08:00:00.000Z'
    const given = { notes: 'n', priority: 'high', estimateMinutes: 20, tags: ['home'], dueAt }
    const task = await add('watering', { ...given, remindAt: '2040-03-23T17:00:00.000Z' })
    expect((await patch(task.id, { status: 'done' })).body.status).toBe('done')
    const [next, done] = await titled('watering')
    expect(done?.id).toBe(task.id)
    // Daylight saving time changes that night: the local time stays.
    expect(next).toMatchObject({
      ...given,
      status: 'todo',
      recurrence: 'FREQ=DAILY',
      dueAt: '2040-03-25T07:00:00.000Z',
      remindAt: '2040-03-24T17:00:00.000Z',
      completedAt: null,
    })
    expect((await instance.get('/api/tasks?tag=home&status=open')).body.tasks).toEqual([next])
    const changes = await instance.database.db
      .selectFrom('changes')
      .select('type')
      .where('subject', '=', String(next?.id))
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(changes).toEqual([{ type: 'task.created' }])
  })

  it('gets one next occurrence, even if it is completed repeatedly or concurrently', async () => {
    const task = await add('twice')
    await Promise.all(Array.from({ length: 8 }, () => patch(task.id, { status: 'done' })))
    await patch(task.id, { status: 'done' })
    await patch(task.id, { title: 'twice over' })
    expect(await titled('twice')).toHaveLength(2)
  })

  it('deletes its next occurrence when it is reopened, unless that was changed', async () => {
    const task = await add('reopened')
    await patch(task.id, { status: 'done' })
    await patch(task.id, { status: 'todo' })
    expect(await titled('reopened')).toHaveLength(1)
    await patch(task.id, { status: 'done' })
    const [next] = await titled('reopened')
    await patch(next?.id as number, { notes: 'mine now' })
    await patch(task.id, { status: 'todo' })
    await patch(task.id, { status: 'done' })
    expect(await titled('reopened')).toHaveLength(2)
  })

  it('creates another occurrence if the next one was deleted and it is completed again', async () => {
    const task = await add('deleted')
    await patch(task.id, { status: 'done' })
    const [next] = await titled('deleted')
    await instance.call('DELETE', `/api/tasks/${next?.id}`)
    await patch(task.id, { status: 'todo' })
    await patch(task.id, { status: 'done' })
    expect(await titled('deleted')).toHaveLength(2)
  })

  it('ends with its rule, when it is cancelled, and when it is deleted', async () => {
    let id = (await add('thrice', { recurrence: 'FREQ=DAILY;COUNT=3' })).id
    for (const left of ['FREQ=DAILY;COUNT=2', 'FREQ=DAILY;COUNT=1']) {
      await patch(id, { status: 'done' })
      const [next] = await titled('thrice')
      expect(next?.recurrence).toBe(left)
      id = next?.id
    }
    await patch(id, { status: 'done' })
    expect(await titled('thrice')).toHaveLength(3)
    const cancelled = await add('called off')
    await patch(cancelled.id, { status: 'cancelled' })
    expect(await titled('called')).toHaveLength(1)
  })

  it('skips occurrences in the past', async () => {
    const dueAt = new Date(instance.clock.now().getTime() - 10.5 * DAY).toISOString()
    const task = await add('late', { dueAt })
    await patch(task.id, { status: 'done' })
    const [next] = await titled('late')
    const ahead = Date.parse(next?.dueAt as string) - instance.clock.now().getTime()
    expect(ahead).toBeGreaterThan(0)
    expect(ahead).toBeLessThanOrEqual(DAY)
  })

  it('rejects an unsupported rule with the reason', async () => {
    const answer = await instance.post('/api/tasks', { title: 'x', recurrence: 'FREQ=FORTNIGHTLY' })
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'recurrence'])
    expect(answer.body.detail).toContain('FORTNIGHTLY')
  })
})
