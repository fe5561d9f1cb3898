import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const TEMPLATES = '/api/task-templates'
const TASKS = '/api/tasks'
const LISTS = '/api/task-lists'

const TRIP = [
  { title: 'Trip', dueAfterDays: 0, section: 'Soon', tags: ['Travel'] },
  { depth: 1, title: 'Book the train', dueAfterDays: -14, priority: 'high', estimateMinutes: 20 },
  { depth: 1, title: 'Pack', startAfterDays: -2, dueAfterDays: -1, dueTime: '18:00' },
  { depth: 2, title: 'Passport' },
  { title: 'Photos', dueAfterDays: 7, section: 'Nowhere', recurrence: 'FREQ=YEARLY' },
]

interface Task {
  id: number
  title: string
  parentId: number | null
  sectionId: number | null
  dueDay: string | null
  dueAt: string | null
  startDay: string | null
}

onOneDatabase('postgres', 'task templates', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  let listId: number
  let sectionId: number

  const call = (method: string, path: string, body?: unknown, person = ana): Promise<Answer> =>
    instance.call(method, path, { token: person.token, ...(body !== undefined && { body }) })
  const create = async (input: Record<string, unknown>, person = ana): Promise<Answer['body']> => {
    const answer = await call('POST', TEMPLATES, input, person)
    expect([answer.status, answer.body.detail]).toEqual([201, undefined])
    return answer.body
  }
  const apply = async (id: number, input: Record<string, unknown>, person = ana): Promise<Answer['body']> => {
    const answer = await call('POST', `${TEMPLATES}/${id}/apply`, input, person)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const refusal = async (path: string, body: unknown, person = ana): Promise<unknown[]> => {
    const answer = await call('POST', path, body, person)
    return [answer.status, answer.body.errors?.[0]?.path ?? answer.body.code]
  }
  const add = async (input: Record<string, unknown>): Promise<Task> => (await call('POST', TASKS, input)).body
  const newList = async (name: string): Promise<number> => (await call('POST', LISTS, { name })).body.id
  /** The tasks of a list as an indented outline. */
  const outline = async (id: number, toText = ({ title }: Task) => title): Promise<string[]> => {
    const { body } = await call('GET', `${TASKS}?listId=${id}&sort=position&limit=200`)
    const under = (parentId: number | null, indent: string): string[] =>
      body.tasks
        .filter((task: Task) => task.parentId === parentId)
        .flatMap((task: Task) => [`${indent}${toText(task)}`, ...under(task.id, `${indent}  `)])
    return under(null, '')
  }

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    ana = await register(instance, { timezone: 'Europe/Berlin' })
    ben = await register(instance, { timezone: 'UTC' })
    listId = await newList('Travel')
    sectionId = (await call('POST', `${LISTS}/${listId}/sections`, { name: 'soon' })).body.id
  })
  afterAll(() => instance.close())

  it('create a tree with dates around a day, in the sections of the list', async () => {
    const template = await create({ name: ' Trip ', tasks: TRIP })
    expect(template).toMatchObject({ name: 'Trip', tasks: [{ depth: 0, notes: '' }, {}, {}, {}, {}] })
    const applied = await apply(template.id, { date: '2026-03-31', listId })
    expect(applied.created).toBe(5)
    expect(applied.tasks).toMatchObject([
      { title: 'Trip', dueDay: '2026-03-31', sectionId, tags: ['Travel'], listId },
      { title: 'Photos', dueDay: '2026-04-07', sectionId: null, recurrence: 'FREQ=YEARLY' },
    ])
    const toText = ({ title, startDay, dueDay, dueAt }: Task) =>
      [title, startDay, dueDay ?? dueAt].filter((part) => part !== null).join(' ')
    expect((await outline(listId, toText)).sort()).toEqual([
      '    Passport',
      '  Book the train 2026-03-17',
      '  Pack 2026-03-29 2026-03-30T16:00:00.000Z',
      'Photos 2026-04-07',
      'Trip 2026-03-31',
    ])
  })

  it('create below a task, and one undo deletes the tasks again', async () => {
    const template = await create({ name: 'Trip', tasks: TRIP })
    const id = await newList('Below')
    const parent = await add({ title: 'Year', listId: id })
    const { actionId } = await apply(template.id, { parentId: parent.id })
    const before = ['Year', '  Trip', '    Book the train', '    Pack', '      Passport', '  Photos']
    expect(await outline(id)).toEqual(before)
    expect((await call('POST', `/api/actions/${actionId}/undo`)).status).toBe(200)
    expect(await outline(id)).toEqual(['Year'])
    const again = await apply(template.id, { parentId: parent.id })
    await add({ title: 'Hotel', parentId: again.tasks[0].id })
    const refused = await call('POST', `/api/actions/${again.actionId}/undo`)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('new subtasks')])
    expect(await outline(id)).toHaveLength(7)
  })

  it('are made of an existing tree, without its cancelled tasks', async () => {
    const id = await newList('Source')
    const section = await call('POST', `${LISTS}/${id}/sections`, { name: 'Soon' })
    const top = await add({ title: 'Move', listId: id, sectionId: section.body.id, dueDay: '2026-05-10' })
    const box = await add({ title: 'Boxes', parentId: top.id, startDay: '2026-05-01', status: 'done' })
    await add({ title: 'Big ones', parentId: box.id, dueAt: '2026-05-03T22:30:00Z', priority: 'urgent' })
    await add({ title: 'No', parentId: top.id, status: 'cancelled' })
    const template = await create({ name: 'Move', taskId: top.id })
    expect(template.tasks).toMatchObject([
      { depth: 0, title: 'Move', dueAfterDays: 9, dueTime: null, section: 'Soon' },
      { depth: 1, title: 'Boxes', startAfterDays: 0, dueAfterDays: null },
      { depth: 2, title: 'Big ones', dueAfterDays: 3, dueTime: '00:30', priority: 'urgent' },
    ])
    const target = await newList('Target')
    await apply(template.id, { date: '2027-01-01', listId: target })
    expect(await outline(target, ({ title, dueDay }) => `${title} ${dueDay}`)).toEqual([
      'Move 2027-01-10',
      '  Boxes null',
      '    Big ones null',
    ])
  })

  it('are changed with their version, and belong to one account', async () => {
    const template = await create({ name: 'Own', tasks: TRIP })
    const path = `${TEMPLATES}/${template.id}`
    const { headers, body } = await call('GET', path)
    expect(body).toEqual(template)
    expect((await call('GET', path, undefined, ben)).status).toBe(404)
    expect((await call('POST', `${path}/apply`, {}, ben)).status).toBe(404)
    const changed = await call('PATCH', path, { tasks: [{ title: 'One' }] })
    expect(changed.body).toMatchObject({ name: 'Own', tasks: [{ title: 'One' }] })
    const stale = {
      token: ana.token,
      body: { name: 'x' },
      headers: { 'if-match': headers.get('etag') ?? '' },
    }
    expect((await instance.call('PATCH', path, stale)).status).toBe(412)
    const { taskTemplates } = (await call('GET', TEMPLATES)).body
    expect(taskTemplates.at(-1)).toEqual({ ...changed.body, tasks: undefined })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
  })

  it('can be applied to a shared list by its editors, and undone by them', async () => {
    const id = await newList('Shared')
    const offer = await call('POST', `${LISTS}/${id}/shares`, { email: ben.email, role: 'editor' })
    await call('POST', `/api/shares/${offer.body.id}/accept`, undefined, ben)
    const template = await create({ name: 'Trip', tasks: TRIP }, ben)
    const { actionId } = await apply(template.id, { date: '2026-03-31', listId: id }, ben)
    expect(await outline(id)).toHaveLength(5)
    expect((await call('POST', `/api/actions/${actionId}/undo`, undefined, ben)).status).toBe(200)
    expect(await outline(id)).toEqual([])
    await call('PATCH', `${LISTS}/${id}/shares/${offer.body.id}`, { role: 'viewer' })
    expect((await call('POST', `${TEMPLATES}/${template.id}/apply`, { listId: id }, ben)).status).toBe(403)
  })

  it('reject trees that are no trees, and dates without a day', async () => {
    const of = (...tasks: unknown[]) => refusal(TEMPLATES, { name: 'x', tasks })
    expect(await of({ title: 'a', depth: 1 })).toEqual([400, 'tasks.0.depth'])
    expect(await of({ title: 'a' }, { title: 'b', depth: 2 })).toEqual([400, 'tasks.1.depth'])
    expect(await of({ title: 'a', dueTime: '10:00' })).toEqual([400, 'tasks.0.dueTime'])
    expect(await of({ title: 'a', startTime: '10:00' })).toEqual([400, 'tasks.0.startTime'])
    expect(await of({ title: 'a', startAfterDays: 2, dueAfterDays: 1 })).toEqual([
      400,
      'tasks.0.startAfterDays',
    ])
    expect(await of({ title: 'a' }, { title: 'b', depth: 1, section: 's' })).toEqual([400, 'tasks.1.section'])
    expect(await of({ title: 'a', recurrence: 'FREQ=NEVER' })).toEqual([400, 'tasks.0.recurrence'])
    expect(await of()).toEqual([400, 'tasks'])
    expect(await of(...Array.from({ length: 501 }, () => ({ title: 'a' })))).toEqual([400, 'tasks'])
    expect(await of({ title: 'a', depth: 49 })).toEqual([400, 'tasks.0.depth'])
    const notes = 'n'.repeat(20_000)
    expect(await of(...Array.from({ length: 30 }, () => ({ title: 'a', notes })))).toEqual([400, 'tasks'])
    expect(await refusal(TEMPLATES, { name: 'x' })).toEqual([400, 'tasks'])
    expect(await refusal(TEMPLATES, { name: 'x', taskId: 1, tasks: [{ title: 'a' }] })).toEqual([
      400,
      'taskId',
    ])
    expect(await refusal(TEMPLATES, { name: 'x', taskId: 999_999 })).toEqual([400, 'taskId'])
  })

  it('reject places and days that do not exist, and create nothing', async () => {
    const { id } = await create({ name: 'Trip', tasks: TRIP })
    const path = `${TEMPLATES}/${id}/apply`
    const before = await outline(listId)
    const other = await newList('Other')
    for (const [input, field] of [
      [{ listId: 999_999 }, 'listId'],
      [{ parentId: 999_999 }, 'parentId'],
      [{ listId: other, sectionId }, 'sectionId'],
      [{ listId, date: '2026-02-30' }, 'date'],
      [{ listId, date: '9999-12-31' }, 'date'],
    ] as const)
      expect([field, await refusal(path, input)]).toEqual([field, [400, field]])
    expect(await outline(listId)).toEqual(before)
    const deep = Array.from({ length: 49 }, (_, depth) => ({ title: `d${depth}`, depth }))
    const template = await create({ name: 'Deep', tasks: deep })
    const top = await add({ title: 'top', listId: other })
    const below = await add({ title: 'below', parentId: top.id })
    expect(await refusal(`${TEMPLATES}/${template.id}/apply`, { parentId: below.id })).toEqual([
      400,
      'parentId',
    ])
    await apply(template.id, { parentId: top.id })
    expect(await outline(other)).toHaveLength(51)
  })
})
