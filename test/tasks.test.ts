import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Call, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

type Fields = Record<string, unknown>

const add = async (instance: Instance, fields: Fields) => {
  const answer = await instance.post('/api/tasks', { title: 'Something', ...fields })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body
}
const change = (instance: Instance, id: number, fields: Fields, call: Call = {}) =>
  instance.call('PATCH', `/api/tasks/${id}`, { ...call, body: fields })
const changesOf = async (instance: Instance, id: number) => {
  const rows = await instance.database.db
    .selectFrom('changes')
    .selectAll()
    .where('subject', '=', String(id))
    .orderBy('id')
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.filter(({ type }) => type.startsWith('task.')).map(({ type }) => type)
}

onEveryDatabase('tasks', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  it('are created with defaults, and returned as in the response', async () => {
    const made = await instance.post('/api/tasks', { title: '  Pay the rent ' })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/tasks/${made.body.id}`)
    expect(made.headers.get('etag')).toBe(`"${made.body.id}.1"`)
    expect(made.body).toEqual({
      id: expect.any(Number),
      title: 'Pay the rent',
      notes: '',
      status: 'todo',
      priority: 'normal',
      dueAt: null,
      dueDay: null,
      startAt: null,
      startDay: null,
      remindAt: null,
      estimateMinutes: null,
      percentComplete: 0,
      tags: [],
      recurrence: null,
      recurrenceFrom: 'due',
      emailId: null,
      eventId: null,
      listId: expect.any(Number),
      sectionId: null,
      parentId: null,
      position: expect.stringMatching(/^[a-zA-Z][0-9a-zA-Z]+$/),
      assigneeId: null,
      nextTaskId: null,
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      changedBy: null,
      completedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: made.body.createdAt,
    })
    const read = await instance.get(`/api/tasks/${made.body.id}`)
    expect(read.body).toEqual(made.body)
    const known = await instance.get(`/api/tasks/${made.body.id}`, {
      headers: { 'if-none-match': made.headers.get('etag') as string },
    })
    expect(known.status).toBe(304)
    expect(await changesOf(instance, made.body.id)).toEqual(['task.created'])
  })

  it('keep every given field, with days in the time zone of the instance', async () => {
    const given = {
      title: 'Räumung',
      notes: 'line 1\nline 2 🧹',
      status: 'doing',
      priority: 'urgent',
      estimateMinutes: 45,
      tags: ['Home', 'home ', 'Büro'],
      recurrence: 'FREQ=WEEKLY',
    }
    const task = await add(instance, { ...given, dueAt: '2026-07-01', remindAt: '2026-06-30T18:00:00+02:00' })
    expect(task).toMatchObject({
      ...given,
      tags: ['Home', 'Büro'],
      dueAt: '2026-06-30T22:00:00.000Z',
      remindAt: '2026-06-30T16:00:00.000Z',
    })
  })

  it.each([
    [{}, 'title'],
    [{ title: '   ' }, 'title'],
    [{ title: 'x', status: 'finished' }, 'status'],
    [{ title: 'x', dueAt: 'tomorrow' }, 'dueAt'],
    [{ title: 'x', dueAt: '2026-02-30' }, 'dueAt'],
    [{ title: 'x', dueAt: '9999-12-31T23:59:59-14:00' }, 'dueAt'],
    [{ title: 'x', estimateMinutes: 0 }, 'estimateMinutes'],
    [{ title: 'x', completedAt: '2026-01-01' }, 'completedAt'],
    [{ title: 'x', tags: [' '] }, 'tags.0'],
    [{ title: 'x', dueat: '2026-01-01' }, 'dueat'],
  ])('reject %j and name %s', async (body, path) => {
    const answer = await instance.post('/api/tasks', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
  })

  it('are updated by field, increase their version, and reject a stale If-Match', async () => {
    const task = await add(instance, { tags: ['a'], dueAt: '2030-01-01T00:00:00Z' })
    const first = `"${task.id}.1"`
    const changed = await change(
      instance,
      task.id,
      { title: 'New', dueAt: null },
      { headers: { 'if-match': first } },
    )
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, `"${task.id}.2"`])
    expect(changed.body).toMatchObject({ title: 'New', dueAt: null, tags: ['a'] })
    const stale = await change(instance, task.id, { title: 'Old' }, { headers: { 'if-match': first } })
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    const same = await change(instance, task.id, { title: 'New', tags: ['a'] })
    expect(same.headers.get('etag')).toBe(`"${task.id}.2"`)
    expect(await changesOf(instance, task.id)).toEqual(['task.created', 'task.updated'])
    expect((await change(instance, task.id, { titel: 'x' })).body.detail).toMatch(/did you mean title\?$/)
  })

  it('are deleted with their tags, and only with a matching If-Match', async () => {
    const task = await add(instance, { tags: ['gone'] })
    const path = `/api/tasks/${task.id}`
    expect((await instance.call('DELETE', path, { headers: { 'if-match': '"1.99"' } })).status).toBe(412)
    expect((await instance.call('DELETE', path)).status).toBe(204)
    expect((await instance.get(path)).status).toBe(404)
    expect((await instance.call('DELETE', path)).status).toBe(404)
    expect((await change(instance, task.id, { title: 'x' })).status).toBe(404)
    expect((await instance.get('/api/tasks?tag=gone')).body.tasks).toEqual([])
  })

  it('have a completion time until they are reopened', async () => {
    const task = await add(instance, {})
    const done = await change(instance, task.id, { status: 'done' })
    expect(done.body.completedAt).toBe(done.body.updatedAt)
    instance.clock.advance(MINUTE)
    const renamed = await change(instance, task.id, { title: 'Renamed' })
    expect(renamed.body.completedAt).toBe(done.body.completedAt)
    expect((await change(instance, task.id, { status: 'cancelled' })).body.completedAt).toBeNull()
    expect((await change(instance, task.id, { status: 'todo' })).body.completedAt).toBeNull()
    expect(await changesOf(instance, task.id)).toEqual([
      'task.created',
      'task.completed',
      'task.updated',
      'task.updated',
      'task.updated',
    ])
  })

  it('are created once per Idempotency-Key', async () => {
    const body = { title: 'Only once' }
    const headers = { 'idempotency-key': 'k1' }
    const first = await instance.post('/api/tasks', body, { headers })
    const second = await instance.post('/api/tasks', body, { headers })
    expect([second.status, second.body.id]).toEqual([201, first.body.id])
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect((await instance.post('/api/tasks', { title: 'Else' }, { headers })).status).toBe(409)
  })
})

onOneDatabase('sqlite', 'access to tasks', (engine) => {
  it('requires a session or a token with the scope while access is private', async () => {
    const instance = await startInstance({ engine, environment: { ACCESS: 'private' } })
    const { token } = await register(instance)
    const make = async (scopes: string[]) =>
      (await instance.post('/api/settings/tokens', { password: PASSWORD, name: 'n', scopes }, { token })).body
        .token
    expect((await instance.get('/api/tasks')).status).toBe(401)
    expect((await instance.post('/api/tasks', { title: 'x' }, { token })).status).toBe(201)
    const [reader, writer, other] = [
      await make(['tasks:read']),
      await make(['tasks:write']),
      await make(['mail:write']),
    ]
    expect((await instance.get('/api/tasks', { token: reader })).body.tasks).toHaveLength(1)
    expect((await instance.post('/api/tasks', { title: 'x' }, { token: reader })).body.code).toBe(
      'insufficient_scope',
    )
    expect((await instance.post('/api/tasks', { title: 'x' }, { token: writer })).status).toBe(201)
    expect((await instance.get('/api/tasks', { token: other })).status).toBe(403)
    expect((await instance.get('/api/actions', { token: writer })).status).toBe(403)
    expect((await instance.post('/api/actions/1/undo', undefined, { token: writer })).status).toBe(403)
    expect((await instance.get('/api/actions')).status).toBe(401)
    expect((await instance.get('/api/actions', { token })).body).toEqual({ actions: [], nextCursor: null })
    await instance.close()
  })
})

onEveryDatabase('the list of tasks', (engine) => {
  let instance: Instance
  const base = Date.UTC(2030, 0, 1)
  const STATUSES = ['todo', 'doing', 'done', 'cancelled']
  const PRIORITIES = ['low', 'normal', 'high', 'urgent']
  const TITLES = [
    'Café au lait',
    'CAFE opening',
    'Größe prüfen',
    'Łódź trip',
    '会議の準備',
    'report reporting',
  ]
  const all: Fields[] = []
  beforeAll(async () => {
    instance = await startInstance({ engine })
    for (let n = 0; n < 60; n++) {
      instance.clock.advance(1000)
      const task = await add(instance, {
        title: `${TITLES[n % TITLES.length]} ${n}`,
        notes: n % 5 === 0 ? 'fünf' : '',
        status: STATUSES[n % 4],
        priority: PRIORITIES[(n * 7) % 4],
        dueAt: n % 3 === 0 ? null : new Date(base + ((n * 13) % 17) * DAY).toISOString(),
        tags: [`t${n % 2}`, n % 3 === 0 ? 'Third' : 'other'],
      })
      all.push(task)
    }
  })
  afterAll(() => instance.close())

  const read = async (query: string, limit = 7): Promise<Fields[]> => {
    const found: Fields[] = []
    let cursor: string | null = null
    do {
      const { status, body } = await instance.get(
        `/api/tasks?limit=${limit}${query && `&${query}`}${cursor ? `&cursor=${cursor}` : ''}`,
      )
      if (status !== 200) throw new Error(JSON.stringify(body))
      expect(body.tasks.length).toBeLessThanOrEqual(limit)
      found.push(...body.tasks)
      cursor = body.nextCursor
    } while (cursor !== null)
    return found
  }
  const ids = (tasks: Fields[]) => tasks.map(({ id }) => id as number)
  const isOpen = ({ status }: Fields) => status === 'todo' || status === 'doing'

  it('contains open tasks by due date and priority, those without a date last, then closed tasks, latest first', async () => {
    const expected = all.toSorted((a, b) => {
      if (isOpen(a) !== isOpen(b)) return isOpen(a) ? -1 : 1
      if (!isOpen(a)) return Number(b.id) - Number(a.id)
      const [dueA, dueB] = [(a.dueAt as string) ?? '9999', (b.dueAt as string) ?? '9999']
      if (dueA !== dueB) return dueA < dueB ? -1 : 1
      const urgency = PRIORITIES.indexOf(b.priority as string) - PRIORITIES.indexOf(a.priority as string)
      return urgency || Number(a.id) - Number(b.id)
    })
    expect(ids(await read(''))).toEqual(ids(expected))
  })

  const dueBefore = new Date(base + 9 * DAY).toISOString()
  const filters: [string, (task: Fields) => boolean][] = [
    ['status=todo', ({ status }) => status === 'todo'],
    ['status=done', ({ status }) => status === 'done'],
    ['status=open', isOpen],
    ['priority=high', ({ priority }) => priority === 'high'],
    ['tag=THIRD', ({ tags }) => (tags as string[]).includes('Third')],
    ['tag=t1', ({ tags }) => (tags as string[]).includes('t1')],
    [`dueBefore=${dueBefore}`, ({ dueAt }) => dueAt !== null && (dueAt as string) < dueBefore],
    ['q=cafe', ({ title }) => /caf[eé]/i.test(title as string)],
    ['q=F%C3%9CNF', ({ notes }) => notes === 'fünf'],
  ]
  const combinations = filters.flatMap((one, index) => [
    [one],
    ...filters.slice(index + 1).map((two) => [one, two]),
    ...filters
      .slice(index + 1)
      .flatMap((two, at) => filters.slice(index + at + 2).map((three) => [one, two, three])),
  ])
  const possible = combinations.filter((chosen) => {
    const names = chosen.map(([query]) => query.split('=')[0])
    return new Set(names).size === names.length
  })
  it.each(possible.map((chosen) => [chosen.map(([query]) => query).join('&'), chosen] as const))(
    'filtered by %s contains exactly the matches, each once',
    async (query, chosen) => {
      const expected = all.filter((task) => chosen.every(([, holds]) => holds(task)))
      const found = ids(await read(query, 3))
      expect(found.toSorted((a, b) => a - b)).toEqual(ids(expected))
    },
  )

  it('with dueBefore is ordered by due date', async () => {
    const due = (await read(`dueBefore=${dueBefore}`)).map((task) => task.dueAt as string)
    expect(due).toEqual(due.toSorted())
  })

  it.each([
    ['grosse', 10],
    ['GRÖßE', 10],
    ['pruf', 10],
    ['lodz tr', 10],
    ['準備', 10],
    ['会議', 10],
    ['rep reporting', 10],
    ['caf lai', 10],
    ['afe', 0],
    ['"!*#(', 0],
    ['#urgent', 0],
    ["' OR 1=1 --", 0],
    ['AND NOT NEAR(', 0],
    [String.fromCodePoint(0x1f9f9), 0],
    ['', 60],
    ['   ', 60],
  ])('searched for %s contains %i', async (q, count) => {
    expect(await read(`q=${encodeURIComponent(q)}`)).toHaveLength(count)
  })

  it('with a search contains open tasks first, then by age, newest first', async () => {
    const found = await read('q=cafe', 4)
    const expected = [
      ...found.filter(isOpen).toSorted((a, b) => Number(b.id) - Number(a.id)),
      ...found.filter((task) => !isOpen(task)).toSorted((a, b) => Number(b.id) - Number(a.id)),
    ]
    expect(found).toEqual(expected)
  })

  it('is searched with the current texts', async () => {
    const task = await add(instance, { title: 'Zebra crossing' })
    await change(instance, task.id, { title: 'Giraffe crossing' })
    expect(await read('q=zebra')).toEqual([])
    expect(ids(await read('q=giraffe'))).toEqual([task.id])
    await instance.call('DELETE', `/api/tasks/${task.id}`)
    expect(await read('q=giraffe')).toEqual([])
  })

  it.each([
    'limit=0',
    'limit=201',
    'cursor=abc',
    'status=finished',
    'dueBefore=soon',
    'colour=red',
    'q=x&cursor=Wzk5LDFd',
  ])('rejects %s', async (query) => {
    expect((await instance.get(`/api/tasks?${query}`)).status).toBe(400)
  })
})

onEveryDatabase('statistics of tasks', (engine) => {
  it('count by day in the time zone of the instance', async () => {
    const instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Pacific/Auckland' } })
    // Noon in Auckland, so that minutes around it stay in the same day.
    const hour = new Date(instance.clock.now()).getUTCHours()
    instance.clock.advance((24 - hour) * 3_600_000)
    const now = instance.clock.now().getTime()
    const at = (ms: number) => new Date(now + ms).toISOString()
    await add(instance, { dueAt: at(-2 * DAY) })
    await add(instance, { dueAt: at(-MINUTE) })
    await add(instance, { dueAt: at(MINUTE), status: 'doing' })
    await add(instance, { dueAt: at(2 * DAY) })
    // Due on this day without a time: it has the whole day.
    const thisDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(now)
    await add(instance, { dueAt: thisDay })
    await add(instance, {})
    await add(instance, { status: 'cancelled', dueAt: at(-DAY) })
    for (let n = 0; n < 3; n++) await add(instance, { status: 'done' })
    const read = async () => {
      const { body } = await instance.get('/api/stats')
      const days: { date: string; tasksCompleted: number }[] = body.activity
      return { tasks: body.tasks, days: days.map(({ date, tasksCompleted }) => [date, tasksCompleted]) }
    }
    const statistics = await read()
    expect(statistics.tasks).toEqual({ open: 6, overdue: 2, dueToday: 3, completedThisWeek: 3 })
    expect(statistics.days).toHaveLength(14)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(now)
    expect(statistics.days.at(-1)).toEqual([today, 3])
    expect(statistics.days.slice(0, -1).every(([, completed]) => completed === 0)).toBe(true)
    instance.clock.advance(DAY)
    expect((await read()).days.at(-2)).toEqual([today, 3])
    await instance.close()
  })
})
