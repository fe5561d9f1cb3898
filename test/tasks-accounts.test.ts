import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { entriesOf, exportOf } from './support/exports.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const TASKS = '/api/tasks'

interface Task {
  id: number
  title: string
  dueAt: string | null
}

const titlesOf = ({ body }: Answer): string[] => body.tasks.map(({ title }: Task) => title)

onOneDatabase('sqlite', 'tasks of two accounts', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person

  const list = async ({ token }: Person, query = ''): Promise<string[]> =>
    titlesOf(await instance.get(`${TASKS}?${query}`, { token }))
  const create = async ({ token }: Person, input: Record<string, unknown>): Promise<Task> => {
    const answer = await instance.post(TASKS, input, { token })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const change = ({ token }: Person, id: number, body: unknown) =>
    instance.call('PATCH', `${TASKS}/${id}`, { token, body })

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    await instance.post(TASKS, { title: 'Written without a token' })
    ana = await register(instance, { timezone: 'Europe/Berlin' })
    ben = await register(instance, { timezone: 'America/New_York' })
  })
  afterAll(() => instance.close())

  it('the first account gets the tasks that were written without a token', async () => {
    expect(await list(ana)).toEqual(['Written without a token'])
    expect(await list(ben)).toEqual([])
    expect(titlesOf(await instance.get(TASKS))).toEqual(['Written without a token'])
  })

  it('a foreign id answers 404', async () => {
    const { id } = await create(ana, { title: 'Report' })
    const { token } = ben
    expect((await instance.get(`${TASKS}/${id}`, { token })).status).toBe(404)
    expect((await change(ben, id, { title: 'Mine' })).status).toBe(404)
    expect((await instance.call('DELETE', `${TASKS}/${id}`, { token })).status).toBe(404)
    expect((await instance.get(`${TASKS}/${id}`, { token: ana.token })).body.title).toBe('Report')
    await instance.call('DELETE', `${TASKS}/${id}`, { token: ana.token })
  })

  it('lists, filters and searches find only own tasks', async () => {
    const shared = { priority: 'high', tags: ['home'], dueAt: '2020-01-01T09:00:00Z' }
    const made = await create(ana, { ...shared, title: 'Paint the fence' })
    const other = await create(ben, { ...shared, title: 'Paint the roof' })
    for (const query of [
      'priority=high',
      'tag=home',
      'status=overdue',
      'status=overdue&tag=home',
      'status=todo&priority=high&tag=home',
      'dueBefore=2021-01-01',
      'q=paint',
      'q=paint&tag=home',
      'q=paint&dueBefore=2021-01-01',
      'q=paint&status=overdue',
    ]) {
      expect([query, await list(ana, query)]).toEqual([query, ['Paint the fence']])
      expect([query, await list(ben, query)]).toEqual([query, ['Paint the roof']])
    }
    for (const [person, { id }] of [
      [ana, made],
      [ben, other],
    ] as const)
      await instance.call('DELETE', `${TASKS}/${id}`, { token: person.token })
  })

  it('searches find common words among the tasks of another account', async () => {
    for (let n = 0; n < 210; n++) await create(ana, { title: `Sweep ${n}`, tags: ['floor'] })
    await create(ben, { title: 'Sweep the yard' })
    for (let n = 0; n < 5; n++) await create(ana, { title: `Sweep again ${n}` })
    expect(await list(ben, 'q=sweep')).toEqual(['Sweep the yard'])
    expect(await list(ben, 'q=sweep&tag=floor')).toEqual([])
  })

  it('tags and statistics count only own tasks', async () => {
    await create(ben, { title: 'Done', status: 'done', tags: ['Garden'] })
    const tagsOf = async ({ token }: Person): Promise<string[]> =>
      (await instance.get('/api/tags', { token })).body.tags.map(({ tag }: { tag: string }) => tag)
    expect(await tagsOf(ana)).toEqual(['floor'])
    expect(await tagsOf(ben)).toEqual(['Garden'])
    const figuresOf = async ({ token }: Person) => (await instance.get('/api/stats', { token })).body.tasks
    expect(await figuresOf(ana)).toMatchObject({ open: 216, completedThisWeek: 0 })
    expect(await figuresOf(ben)).toMatchObject({ open: 1, completedThisWeek: 1 })
    const totalsOf = async ({ token }: Person) =>
      (await instance.get('/api/stats/history', { token })).body.totals.tasks
    expect(await totalsOf(ana)).toEqual({ created: 216, completed: 0 })
    expect(await totalsOf(ben)).toEqual({ created: 2, completed: 1 })
  })

  it('a briefing lists only own tasks', async () => {
    const { id } = await create(ben, { title: 'Old duty', dueAt: '2020-01-01T09:00:00Z' })
    const overdueOf = async ({ token }: Person): Promise<string[]> =>
      (await instance.get('/api/briefing', { token })).body.overdue.map(({ title }: Task) => title)
    expect(await overdueOf(ana)).toEqual([])
    expect(await overdueOf(ben)).toEqual(['Old duty'])
    await instance.call('DELETE', `${TASKS}/${id}`, { token: ben.token })
  })

  it('a due day begins in the time zone of its account', async () => {
    const made = await create(ana, { title: 'Rent', dueDay: '2040-07-01' })
    const other = await create(ben, { title: 'Rent', dueDay: '2040-07-01' })
    expect([made.dueAt, other.dueAt]).toEqual(['2040-06-30T22:00:00.000Z', '2040-07-01T04:00:00.000Z'])
    const moved = await instance.call('PATCH', '/api/settings/preferences', {
      token: ben.token,
      body: { timezone: 'Asia/Tokyo' },
    })
    expect(moved.status).toBe(200)
    const dueAtOf = async ({ token }: Person, { id }: Task): Promise<string> =>
      (await instance.get(`${TASKS}/${id}`, { token })).body.dueAt
    expect(await dueAtOf(ana, made)).toBe('2040-06-30T22:00:00.000Z')
    expect(await dueAtOf(ben, other)).toBe('2040-06-30T15:00:00.000Z')
    const quick = await instance.post(
      `${TASKS}/quick`,
      { text: 'Call Mia 2040-03-01 10:00' },
      { token: ben.token },
    )
    expect(quick.body.dueAt).toBe('2040-03-01T01:00:00.000Z')
  })

  it('a job moves the due days of every account whose zone differs', async () => {
    const made = await create(ben, { title: 'Tax', dueDay: '2040-07-01' })
    const { db } = instance.database
    await db.updateTable('users').set({ timezone: 'Europe/London' }).where('id', '=', ben.id).execute()
    await instance.app.jobs.start()
    await expect
      .poll(
        async () => {
          await create(ben, { title: 'Soon', remindAt: new Date(Date.now() + 100).toISOString() })
          return (await instance.get(`${TASKS}/${made.id}`, { token: ben.token })).body.dueAt
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe('2040-06-30T23:00:00.000Z')
  })

  it('the next occurrence of a recurring task belongs to the same account', async () => {
    const { id } = await create(ben, {
      title: 'Water',
      dueAt: '2040-01-01T09:00:00Z',
      recurrence: 'FREQ=DAILY',
    })
    await change(ben, id, { status: 'done' })
    expect(await list(ben, 'q=water&status=open')).toEqual(['Water'])
    expect(await list(ana, 'q=water')).toEqual([])
  })

  it('a plan books and undoes only own tasks', async () => {
    const mine = await create(ana, { title: 'Slides' })
    const other = await create(ben, { title: 'Numbers' })
    const window = { start: '2040-01-02', end: '2040-01-07', taskIds: [mine.id, other.id] }
    const { body } = await instance.post(`${TASKS}/plan`, { ...window, apply: true }, { token: ben.token })
    expect(body.blocks.map(({ taskId }: { taskId: number }) => taskId)).toEqual([other.id])
    const undo = ({ token }: Person) =>
      instance.post(`/api/actions/${body.actionId}/undo`, undefined, { token })
    expect((await undo(ben)).status).toBe(200)
    const planned = await instance.post(`${TASKS}/plan`, window, { token: ben.token })
    expect(planned.body.blocks).toHaveLength(1)
  })

  it('the assistant reads and changes only own tasks, and undoes its changes', async () => {
    const ask = async ({ token }: Person, message: string) =>
      (await instance.post('/api/ai/chat', { message }, { token })).body
    await create(ana, { title: 'Secret project' })
    expect(JSON.stringify(await ask(ben, 'find the task secret project'))).not.toContain('"Secret project"')
    const { actions } = await ask(ben, 'add a task "Feed the cat"')
    expect(await list(ben, 'q=feed')).toEqual(['Feed the cat'])
    expect(await list(ana, 'q=feed')).toEqual([])
    const undone = await instance.post(`/api/actions/${actions[0].undoId}/undo`, undefined, {
      token: ben.token,
    })
    expect(undone.status).toBe(200)
    expect(await list(ben, 'q=feed')).toEqual([])
  })

  it('an export contains only own tasks, and a deleted account takes its tasks along', async () => {
    const entries = await entriesOf(await exportOf(instance, ben.token))
    const exported = String(entries.get('tasks/tasks.jsonl'))
    expect(exported).toContain('Sweep the yard')
    expect(exported).not.toContain('Sweep again')
    const before = await list(ana, 'limit=200')
    const removed = await instance.call('DELETE', '/api/settings/account', {
      token: ben.token,
      body: { password: PASSWORD },
    })
    expect(removed.status).toBe(204)
    expect(await list(ana, 'limit=200')).toEqual(before)
    const rows = await instance.database.db
      .selectFrom('tasks')
      .select('id')
      .where('userId', '=', ben.id)
      .execute()
    expect(rows).toEqual([])
  })
})
