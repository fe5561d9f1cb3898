import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register, signIn } from './support/people.ts'

const TASKS = '/api/tasks'
const BERLIN = 'Europe/Berlin'

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request
type Task = any

onOneDatabase('sqlite', 'a task that is due on a day', (engine) => {
  let instance: Instance
  let person: Person
  const add = async (fields: Record<string, unknown>): Promise<Task> => {
    const { status, body } = await instance.post(TASKS, { title: 'Pay the rent', ...fields })
    expect([status, body.detail]).toEqual([201, undefined])
    return body
  }
  const patch = (id: number, body: Record<string, unknown>, headers = {}) =>
    instance.call('PATCH', `${TASKS}/${id}`, { body, headers })
  const changed = async (id: number, body: Record<string, unknown>): Promise<Task> => {
    const answer = await patch(id, body)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const read = async (id: number): Promise<Task> => (await instance.get(`${TASKS}/${id}`)).body
  const remove = (id: number) => instance.call('DELETE', `${TASKS}/${id}`)
  const setClock = (instant: string) =>
    instance.clock.advance(Date.parse(instant) - instance.clock.now().getTime())
  const prefer = async (body: Record<string, unknown>) => {
    // The clock is advanced beyond the lifetime of the session.
    const { token } = await signIn(instance, person.email)
    const answer = await instance.call('PATCH', '/api/settings/preferences', { token, body })
    expect(answer.status).toBe(200)
  }
  const figures = async () => (await instance.get('/api/stats')).body.tasks
  const late = async (query = ''): Promise<number[]> =>
    (await instance.get(`${TASKS}?status=overdue${query}`)).body.tasks.map(({ id }: Task) => id)
  const sweep = async (): Promise<void> => {
    const { jobs } = instance.app
    const id = (await jobs.enqueue(instance.database.db, 'task-reminders', {})) as string
    // With the clock so far ahead, finished jobs are deleted soon.
    await expect.poll(async () => ['done', undefined].includes((await jobs.find(id))?.state)).toBe(true)
  }
  const listReminders = async (id: number): Promise<Task[]> => {
    await sweep()
    const rows = await instance.database.db
      .selectFrom('changes')
      .select(['subject', 'data'])
      .where('type', '=', 'task.due')
      .where('subject', '=', String(id))
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    return rows.map(({ data }) => JSON.parse(data))
  }

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: BERLIN } })
    person = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    const { db } = instance.database
    await db.deleteFrom('tasks').modifyEnd(ALL_ACCOUNTS).execute()
    await db.updateTable('users').set({ timezone: BERLIN }).execute()
  })

  it('returns the day, and its start in the user’s time zone', async () => {
    const expected = { dueDay: '2031-07-04', dueAt: '2031-07-03T22:00:00.000Z' }
    const task = await add({ dueDay: '2031-07-04' })
    expect(task).toMatchObject(expected)
    expect(await read(task.id)).toEqual(task)
    // A date without a time is a day in both fields.
    expect(await add({ dueAt: '2031-07-04' })).toMatchObject(expected)
    expect(await add({ dueAt: '2031-07-04', dueDay: '2031-07-04' })).toMatchObject(expected)
    expect(await add({ dueAt: null, dueDay: '2031-07-04' })).toMatchObject(expected)
    expect(await add({ ...expected })).toMatchObject(expected)
    expect(await add({ dueAt: expected.dueAt })).toMatchObject({ dueAt: expected.dueAt, dueDay: null })
  })

  it.each([
    [{ dueDay: '2031-02-29' }, 'dueDay'],
    [{ dueDay: '2031-7-4' }, 'dueDay'],
    [{ dueDay: '2031-07-04T10:00:00Z' }, 'dueDay'],
    [{ dueDay: '0000-01-01' }, 'dueDay'],
    [{ dueDay: 20310704 }, 'dueDay'],
    [{ dueDay: '2031-07-04', dueAt: '2031-07-04T10:00:00Z' }, 'dueDay'],
    [{ dueDay: '2031-07-04', dueAt: '2031-07-05' }, 'dueDay'],
    [{ dueAt: '2031-02-29' }, 'dueAt'],
  ])('is rejected with %j', async (input, path) => {
    const { status, body } = await instance.post(TASKS, { title: 'x', ...input })
    expect(status).toBe(400)
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path)
  })

  it('changes to a time, another day, or no due date', async () => {
    const { id } = await add({ dueDay: '2031-07-04' })
    expect(await changed(id, { dueAt: '2031-07-04T10:00:00Z' })).toMatchObject({ dueDay: null })
    expect(await changed(id, { dueDay: '2031-07-06' })).toMatchObject({ dueAt: '2031-07-05T22:00:00.000Z' })
    expect(await changed(id, { dueDay: null })).toMatchObject({ dueAt: null, dueDay: null })
    expect(await changed(id, { dueAt: '2031-07-04' })).toMatchObject({ dueDay: '2031-07-04' })
    expect(await changed(id, { dueAt: null })).toMatchObject({ dueAt: null, dueDay: null })
    expect(await changed(id, { dueDay: '2031-07-04' })).toMatchObject({ dueDay: '2031-07-04' })
    const midnight = { dueAt: '2031-07-03T22:00:00.000Z', dueDay: null }
    expect(await changed(id, midnight)).toMatchObject(midnight)
    expect((await patch(id, { dueAt: '2031-07-04T10:00:00Z', dueDay: '2031-07-04' })).status).toBe(400)
    expect(await read(id)).toMatchObject(midnight)
  })

  it('is unchanged when clients send it back, with or without support for days', async () => {
    const {
      id,
      completedAt: _,
      createdAt: __,
      updatedAt: ___,
      changedBy: _____,
      uid: ______,
      position: _______,
      nextTaskId: ________,
      ...given
    } = await add({ dueDay: '2031-07-04' })
    const { etag } = Object.fromEntries((await instance.get(`${TASKS}/${id}`)).headers)
    const same = await patch(id, given)
    expect([same.status, same.headers.get('etag')]).toEqual([200, etag])
    const { dueDay: ____, ...older } = given
    expect(await changed(id, { ...older, title: 'Pay it' })).toMatchObject({ dueDay: '2031-07-04' })
  })

  describe('is overdue', () => {
    it.each([
      ['2031-07-04', '2031-07-04T21:59:00.000Z', '2031-07-04T22:00:00.000Z'],
      // Daylight saving changes: a day of 23 hours, and one of 25.
      ['2031-03-30', '2031-03-30T21:59:00.000Z', '2031-03-30T22:00:00.000Z'],
      ['2031-10-26', '2031-10-26T22:59:00.000Z', '2031-10-26T23:00:00.000Z'],
    ])('on %s at midnight, but not one minute before', async (dueDay, before, after) => {
      setClock(before)
      const { id } = await add({ dueDay, tags: ['home'], priority: 'high' })
      expect(await figures()).toMatchObject({ overdue: 0, dueToday: 1 })
      expect(await late()).toEqual([])
      const { body: today } = await instance.get('/api/briefing')
      expect([today.due, today.overdue]).toEqual([[expect.objectContaining({ id, dueDay })], []])
      setClock(after)
      expect(await figures()).toMatchObject({ overdue: 1, dueToday: 0 })
      for (const query of ['', '&tag=home', '&priority=high', '&q=rent', '&dueBefore=2032-01-01'])
        expect([query, await late(query)]).toEqual([query, [id]])
      expect(await late('&tag=work')).toEqual([])
      const { body: next } = await instance.get('/api/briefing')
      expect([next.due, next.overdue]).toEqual([[], [expect.objectContaining({ id, dueDay })]])
      expect(await changed(id, { status: 'done' })).toMatchObject({ dueDay })
      expect(await figures()).toMatchObject({ overdue: 0 })
    })

    it('in pages, oldest first, together with tasks due at a time', async () => {
      setClock('2031-07-08T10:00:00.000Z')
      const days = [
        await add({ dueAt: '2031-07-07T12:00:00Z' }),
        await add({ dueDay: '2031-07-06' }),
        await add({ dueDay: '2031-07-07' }),
        await add({ dueDay: '2031-07-08' }),
        await add({ dueAt: '2031-07-08T10:30:00Z' }),
      ].map(({ id }) => id)
      const [timed, first, second] = days as [number, number, number]
      const found: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: Task = await instance.get(
          `${TASKS}?status=overdue&limit=1${cursor && `&cursor=${cursor}`}`,
        )
        found.push(...body.tasks.map(({ id }: Task) => id))
        cursor = body.nextCursor
      }
      expect(found).toEqual([first, timed, second])
      const said = (await instance.post('/api/ai/chat', { message: 'how many tasks are overdue' })).body.reply
      expect(said).toBe('3 overdue tasks.')
      const { reply } = (await instance.post('/api/ai/chat', { message: 'what is overdue' })).body
      expect(reply).toContain('Mon, 7 Jul 2031, 14:00')
      expect(reply).toContain('Mon, 7 Jul 2031)')
    })
  })

  it('sends one reminder when working hours begin, and another only for another day', async () => {
    setClock('2031-07-03T20:00:00.000Z')
    await prefer({ workingHours: [{ day: 'friday', start: '08:00', end: '12:00' }] })
    const friday = (await add({ dueDay: '2031-07-04' })).id
    const saturday = (await add({ dueDay: '2031-07-05' })).id
    setClock('2031-07-04T05:59:00.000Z')
    expect(await listReminders(friday)).toEqual([])
    setClock('2031-07-04T06:00:30.000Z')
    expect(await listReminders(friday)).toMatchObject([{ dueDay: '2031-07-04' }])
    setClock('2031-07-05T06:59:00.000Z')
    expect(await listReminders(saturday)).toEqual([])
    // A later begin of work delays the reminder. A sent reminder is not repeated.
    await prefer({ workingHours: [{ day: 'saturday', start: '11:00', end: '12:00' }] })
    setClock('2031-07-05T08:59:00.000Z')
    expect(await listReminders(saturday)).toEqual([])
    await prefer({ timezone: 'America/New_York' })
    setClock('2031-07-05T15:00:30.000Z')
    expect(await listReminders(saturday)).toHaveLength(1)
    expect(await listReminders(friday)).toHaveLength(1)
    await prefer({ timezone: BERLIN })
    expect(await listReminders(saturday)).toHaveLength(1)
    await changed(saturday, { dueDay: '2031-07-12' })
    setClock('2031-07-12T09:00:30.000Z')
    expect(await listReminders(saturday)).toHaveLength(2)
  })

  it('stays on its day when the user moves to another time zone', async () => {
    setClock('2031-07-04T12:00:00.000Z')
    const { id } = await add({ dueDay: '2031-07-04', tags: ['home'] })
    const done = await add({ dueDay: '2031-07-04', status: 'done' })
    const timed = await add({ dueAt: '2031-07-04T13:00:00Z' })
    await prefer({ timezone: 'Pacific/Auckland' })
    expect(await read(id)).toMatchObject({ dueDay: '2031-07-04', dueAt: '2031-07-03T12:00:00.000Z' })
    // It is midnight in the new zone, so the day is over.
    expect(await late()).toEqual([id])
    await prefer({ timezone: 'America/Los_Angeles' })
    const moved = await read(id)
    expect(moved).toMatchObject({ dueDay: '2031-07-04', dueAt: '2031-07-04T07:00:00.000Z' })
    expect(moved.updatedAt).toBe(moved.createdAt)
    expect(await late()).toEqual([])
    const listed = async (query: string): Promise<number[]> =>
      (await instance.get(`${TASKS}?${query}`)).body.tasks.map((task: Task) => task.id)
    expect(await listed('tag=home&dueBefore=2031-07-04T07:00:00Z')).toEqual([])
    expect(await listed('tag=home&dueBefore=2031-07-04T07:00:01Z')).toEqual([id])
    const updates = await instance.database.db
      .selectFrom('changes')
      .select('data')
      .where('type', '=', 'task.updated')
      .where('subject', '=', String(id))
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(updates.map(({ data }) => JSON.parse(data).dueAt)).toEqual([
      '2031-07-03T12:00:00.000Z',
      '2031-07-04T07:00:00.000Z',
    ])
    expect(await read(timed.id)).toEqual(timed)
    expect(await read(done.id)).toEqual(done)
    expect(await changed(done.id, { status: 'todo' })).toMatchObject({ dueAt: '2031-07-04T07:00:00.000Z' })
    await prefer({ timezone: BERLIN })
    // Change the zone directly in the database: the next scan must find it.
    const { db } = instance.database
    await db.updateTable('users').set({ timezone: 'Asia/Tokyo' }).execute()
    await sweep()
    expect(await read(id)).toMatchObject({ dueDay: '2031-07-04', dueAt: '2031-07-03T15:00:00.000Z' })
    await prefer({ timezone: BERLIN })
  })

  it('recurs on a day: today if today is not over, and at a time if the rule names hours', async () => {
    setClock('2031-03-29T12:00:00.000Z')
    const next = async (fields: Record<string, unknown>): Promise<Task> => {
      const { id } = await add(fields)
      await changed(id, { status: 'done' })
      const [task, ...others] = (await instance.get(`${TASKS}?status=open`)).body.tasks
      expect(others).toEqual([])
      await remove(task.id)
      return task
    }
    const daily = { recurrence: 'FREQ=DAILY' }
    expect(await next({ ...daily, dueDay: '2031-03-29' })).toMatchObject({
      dueDay: '2031-03-30',
      dueAt: '2031-03-29T23:00:00.000Z',
    })
    expect(await next({ ...daily, dueDay: '2031-03-30' })).toMatchObject({
      dueDay: '2031-03-31',
      dueAt: '2031-03-30T22:00:00.000Z',
    })
    expect(await next({ ...daily, dueDay: '2031-03-20' })).toMatchObject({ dueDay: '2031-03-29' })
    expect(await next({ recurrence: 'FREQ=MONTHLY', dueDay: '2031-03-31' })).toMatchObject({
      dueDay: '2031-05-31',
    })
    expect(await next({ recurrence: 'FREQ=HOURLY', dueDay: '2031-03-30' })).toMatchObject({
      dueDay: null,
      dueAt: '2031-03-30T00:00:00.000Z',
    })
  })

  it('is created from a line of text, and from an email', async () => {
    setClock('2031-07-02T10:00:00.000Z')
    const quick = async (body: Record<string, unknown>): Promise<Task> =>
      (await instance.post(`${TASKS}/quick`, body)).body
    const text = 'pay rent on friday'
    const made = await quick({ text })
    const expected = { dueDay: '2031-07-04', dueAt: '2031-07-03T22:00:00.000Z', timed: false }
    expect(made).toMatchObject(expected)
    expect(await quick({ text, dryRun: true })).toMatchObject(expected)
    expect(await quick({ text, dryRun: true, timezone: 'Asia/Tokyo' })).toMatchObject(expected)
    expect(await quick({ text: `${text} at 5pm`, dryRun: true })).toMatchObject({ dueDay: null, timed: true })
    const { body: email } = await instance.post('/api/emails', {
      from: 'ben@example.org',
      to: ['ana@example.org'],
      date: '2031-07-02T09:00:00Z',
      text: 'Please send me the report by Friday. Please call Eva on Thursday at 15:00.',
    })
    const { body: found } = await instance.post(`/api/emails/${email.id}/analyze?apply=true`)
    expect(found.actionItems).toMatchObject([
      { dueDay: '2031-07-04', dueAt: '2031-07-03T22:00:00.000Z' },
      { dueDay: null, dueAt: '2031-07-03T13:00:00.000Z' },
    ])
    const tasks = await Promise.all(found.taskIds.map(read))
    expect(tasks).toMatchObject([
      { dueDay: '2031-07-04', dueAt: '2031-07-03T22:00:00.000Z' },
      { dueDay: null, dueAt: '2031-07-03T13:00:00.000Z' },
    ])
  })

  it('is planned on that day, and is not overdue there', async () => {
    setClock('2031-07-02T10:00:00.000Z')
    await prefer({ workingHours: [{ day: 'friday', start: '20:00', end: '23:59' }] })
    const { id } = await add({ dueDay: '2031-07-04', estimateMinutes: 60 })
    const { body } = await instance.post(`${TASKS}/plan`, { start: '2031-07-02', end: '2031-07-10' })
    expect(body.blocks).toMatchObject([{ taskId: id, start: '2031-07-04T18:00:00.000Z', late: false }])
    setClock('2031-07-05T10:00:00.000Z')
    const { body: after } = await instance.post(`${TASKS}/plan`, { start: '2031-07-05', end: '2031-07-12' })
    expect(after.blocks).toMatchObject([{ taskId: id, late: true }])
  })

  it('is postponed by days by the assistant, and restored, even in another zone', async () => {
    setClock('2031-07-02T10:00:00.000Z')
    const { id } = await add({ title: 'File the tax return', dueDay: '2031-07-04' })
    const { body } = await instance.post('/api/ai/chat', {
      message: 'push the tax return task back by two days',
    })
    expect(await read(id)).toMatchObject({ dueDay: '2031-07-06' })
    expect(body.reply).not.toContain('00:00')
    expect((await instance.post(`/api/actions/${body.actions.at(-1).undoId}/undo`)).status).toBe(200)
    expect(await read(id)).toMatchObject({ dueDay: '2031-07-04', dueAt: '2031-07-03T22:00:00.000Z' })
    const signedIn = await signIn(instance, person.email)
    setClock('2031-07-02T10:00:01.000Z')
    const asked = await instance.post('/api/ai/chat', { message: 'delete the tax return task' })
    const [{ actionId }] = asked.body.actions.slice(-1)
    const done = await instance.post(`/api/ai/actions/${actionId}/confirm`, undefined, signedIn)
    await prefer({ timezone: 'Asia/Tokyo' })
    const undone = await instance.post(`/api/actions/${done.body.undoId}/undo`)
    expect([undone.status, done.status, done.body]).toEqual([200, 200, expect.anything()])
    const [again] = (await instance.get(`${TASKS}?status=open`)).body.tasks
    expect(again).toMatchObject({ dueDay: '2031-07-04', dueAt: '2031-07-03T15:00:00.000Z' })
    await prefer({ timezone: BERLIN })
  })
})
