import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf, importInto, linesOf, sealed, zipOf } from './support/exports.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const LISTS = '/api/task-lists'
const TASKS = '/api/tasks'

interface List {
  id: number
  name: string
  color: string
  isInbox: boolean
  visible: boolean
}

interface Task {
  id: number
  title: string
  listId: number
}

onEveryDatabase('task lists', (engine) => {
  let instance: Instance
  let ana: Person

  const as = ({ token }: Person) => ({ token })
  const listsOf = async (person: Person): Promise<List[]> =>
    (await instance.get(LISTS, as(person))).body.taskLists
  const inboxOf = async (person: Person): Promise<List> => (await listsOf(person))[0] as List
  const createList = async (person: Person, input: Record<string, unknown>): Promise<List> => {
    const answer = await instance.post(LISTS, input, as(person))
    expect(answer.status).toBe(201)
    return answer.body
  }
  const create = async (person: Person, input: Record<string, unknown>): Promise<Task> => {
    const answer = await instance.post(TASKS, input, as(person))
    expect(answer.status).toBe(201)
    return answer.body
  }
  const titles = async (person: Person, query: string): Promise<string[]> =>
    (await instance.get(`${TASKS}?${query}`, as(person))).body.tasks.map(({ title }: Task) => title)
  const patch = (path: string, body: unknown, person: Person, headers: Record<string, string> = {}) =>
    instance.call('PATCH', path, { token: person.token, body, headers })
  const remove = (path: string, person: Person, headers: Record<string, string> = {}) =>
    instance.call('DELETE', path, { token: person.token, headers })

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    ana = await register(instance)
  })
  afterAll(() => instance.close())

  it('an account has one Inbox, which is the list of tasks without one', async () => {
    const lists = await listsOf(ana)
    expect(lists).toEqual([
      {
        id: expect.any(Number),
        name: 'Inbox',
        color: '#3b82f6',
        isInbox: true,
        visible: true,
        role: 'owner',
        owner: null,
        shareId: null,
        shared: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const task = await create(ana, { title: 'Without a list' })
    expect(task.listId).toBe(lists[0]?.id)
  })

  it('concurrent first requests create one Inbox', async () => {
    const person = await register(instance)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => instance.get(LISTS, as(person))),
      ...Array.from({ length: 4 }, () => instance.post(TASKS, { title: 'First' }, as(person))),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 201, 201, 201])
    const lists = await listsOf(person)
    expect(lists).toHaveLength(1)
    expect(await titles(person, `listId=${lists[0]?.id}`)).toHaveLength(4)
  })

  it('are created, read, updated and deleted', async () => {
    const made = await instance.post(LISTS, { name: '  Household ', color: '#ABCDEF' }, as(ana))
    expect(made.status).toBe(201)
    const path = `${LISTS}/${made.body.id}`
    expect(made.headers.get('location')).toBe(path)
    expect(made.body).toMatchObject({ name: 'Household', color: '#abcdef', isInbox: false, visible: true })
    const read = await instance.get(path, as(ana))
    expect(read.body).toEqual(made.body)
    expect(read.headers.get('etag')).toBe(`"${made.body.id}.1"`)
    const changed = await patch(path, { name: 'House', visible: false }, ana)
    expect(changed.body).toMatchObject({ name: 'House', color: '#abcdef', visible: false })
    expect((await remove(path, ana)).status).toBe(204)
    expect((await instance.get(path, as(ana))).status).toBe(404)
    expect((await patch(path, { name: 'x' }, ana)).status).toBe(404)
    expect((await remove(path, ana)).status).toBe(404)
  })

  it('get the colors of a palette in turn', async () => {
    const person = await register(instance)
    const colors = [(await inboxOf(person)).color]
    for (let n = 0; n < 8; n++) colors.push((await createList(person, { name: `List ${n}` })).color)
    expect(new Set(colors.slice(0, 8)).size).toBe(8)
    expect(colors[8]).toBe(colors[0])
  })

  it('reject invalid names and colors', async () => {
    for (const input of [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'n'.repeat(101) },
      { name: 'n', color: 'red' },
      { name: 'n', color: '#12345' },
      { name: 'n', isInbox: true },
    ])
      expect([input, (await instance.post(LISTS, input, as(ana))).status]).toEqual([input, 400])
  })

  it('are changed only in the version that If-Match names', async () => {
    const list = await createList(ana, { name: 'Versions' })
    const path = `${LISTS}/${list.id}`
    expect((await patch(path, { name: 'Second' }, ana, { 'if-match': `"${list.id}.1"` })).status).toBe(200)
    expect((await patch(path, { name: 'Third' }, ana, { 'if-match': `"${list.id}.1"` })).status).toBe(412)
    expect((await remove(path, ana, { 'if-match': `"${list.id}.1"` })).status).toBe(412)
    const known = await instance.get(path, { ...as(ana), headers: { 'if-none-match': `"${list.id}.2"` } })
    expect(known.status).toBe(304)
    // A change to the same values is no new version.
    expect((await patch(path, { name: 'Second' }, ana)).headers.get('etag')).toBe(`"${list.id}.2"`)
    expect((await remove(path, ana, { 'if-match': `"${list.id}.2"` })).status).toBe(204)
  })

  it('are limited to 100, also for concurrent requests', async () => {
    const person = await register(instance)
    await inboxOf(person)
    for (let n = 0; n < 98; n++) await createList(person, { name: `List ${n}` })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => instance.post(LISTS, { name: 'Last' }, as(person))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    expect(await listsOf(person)).toHaveLength(100)
    const first = await instance.get(`${LISTS}?limit=60`, as(person))
    const second = await instance.get(`${LISTS}?limit=60&cursor=${first.body.nextCursor}`, as(person))
    expect([first, second].map(({ body }: Answer) => body.taskLists.length)).toEqual([60, 40])
    expect(second.body.nextCursor).toBeNull()
    expect(first.body.taskLists[0].isInbox).toBe(true)
    expect((await instance.get(`${LISTS}?cursor=xyz`, as(person))).status).toBe(400)
  })

  it('of another account answer like unknown ones', async () => {
    const person = await register(instance)
    const list = await createList(ana, { name: 'Private' })
    const path = `${LISTS}/${list.id}`
    expect((await instance.get(path, as(person))).status).toBe(404)
    expect((await patch(path, { name: 'Mine' }, person)).status).toBe(404)
    expect((await remove(path, person)).status).toBe(404)
    const task = await create(person, { title: 'Task' })
    for (const listId of [list.id, 2 ** 40]) {
      const message = { path: 'listId', message: 'names a list that does not exist' }
      const created = await instance.post(TASKS, { title: 'Task', listId }, as(person))
      expect([created.status, created.body.errors]).toEqual([400, [message]])
      const moved = await patch(`${TASKS}/${task.id}`, { listId }, person)
      expect([moved.status, moved.body.errors]).toEqual([400, [message]])
      const quick = await instance.post(`${TASKS}/quick`, { text: 'Task', listId }, as(person))
      expect([quick.status, quick.body.errors]).toEqual([400, [message]])
      expect(await titles(person, `listId=${listId}`)).toEqual([])
    }
    expect((await listsOf(person)).map(({ name }) => name)).toEqual(['Inbox'])
    await remove(path, ana)
  })

  it('filter every list and search of tasks', async () => {
    const person = await register(instance)
    const [home, work] = [
      await createList(person, { name: 'Home' }),
      await createList(person, { name: 'Work' }),
    ]
    const fields = { priority: 'high', tags: ['Paint'], dueAt: '2020-01-01T09:00:00Z' }
    await create(person, { ...fields, title: 'Paint the fence', listId: home.id })
    await create(person, { ...fields, title: 'Paint the office', listId: work.id })
    await create(person, { ...fields, title: 'Paint the wall' })
    await create(person, { title: 'Sweep', listId: home.id })
    for (const query of [
      'priority=high',
      'tag=paint',
      'tag=paint&status=todo&priority=high',
      'tag=paint&dueBefore=2021-01-01',
      'dueBefore=2021-01-01',
      'status=overdue',
      'status=overdue&tag=paint&priority=high',
      'q=paint',
      'q=paint&tag=paint',
      'q=paint&dueBefore=2021-01-01',
      'q=paint&status=overdue',
    ]) {
      expect([query, await titles(person, `${query}&listId=${home.id}`)]).toEqual([
        query,
        ['Paint the fence'],
      ])
      expect([query, (await titles(person, query)).length]).toEqual([query, 3])
    }
    expect(await titles(person, `listId=${home.id}`)).toEqual(['Paint the fence', 'Sweep'])
    const first = await instance.get(`${TASKS}?listId=${home.id}&limit=1`, as(person))
    const next = `listId=${home.id}&limit=1&cursor=${first.body.nextCursor}`
    expect(await titles(person, next)).toEqual(['Sweep'])
  })

  it('a moved task is found in its new list', async () => {
    const person = await register(instance)
    const inbox = await inboxOf(person)
    const list = await createList(person, { name: 'Errands' })
    const { id } = await create(person, { title: 'Buy stamps', tags: ['post'] })
    const moved = await patch(`${TASKS}/${id}`, { listId: list.id }, person)
    expect([moved.status, moved.body.listId, moved.headers.get('etag')]).toEqual([200, list.id, `"${id}.2"`])
    for (const query of ['', '&q=stamps', '&tag=post']) {
      expect(await titles(person, `listId=${list.id}${query}`)).toEqual(['Buy stamps'])
      expect(await titles(person, `listId=${inbox.id}${query}`)).toEqual([])
    }
  })

  it('quick capture and the next occurrence of a task keep the list', async () => {
    const person = await register(instance)
    const list = await createList(person, { name: 'Garden' })
    const text = 'Water the roses every day'
    const quick = await instance.post(`${TASKS}/quick`, { text, listId: list.id }, as(person))
    expect([quick.status, quick.body.listId]).toEqual([201, list.id])
    await patch(`${TASKS}/${quick.body.id}`, { status: 'done' }, person)
    expect(await titles(person, `listId=${list.id}&status=open`)).toHaveLength(1)
    const mail = {
      from: 'ben@example.org',
      to: ['ana@example.org'],
      text: 'Please send me the plan by Friday.',
    }
    const { body: email } = await instance.post('/api/emails', mail, as(person))
    const { body: analysis } = await instance.post(
      `/api/emails/${email.id}/analyze?apply=true`,
      undefined,
      as(person),
    )
    const { body: task } = await instance.get(`${TASKS}/${analysis.taskIds[0]}`, as(person))
    expect(task.listId).toBe((await inboxOf(person)).id)
  })

  it('deleting a list moves its tasks to the Inbox', async () => {
    const person = await register(instance)
    const inbox = await inboxOf(person)
    const list = await createList(person, { name: 'Trip' })
    const { id } = await create(person, { title: 'Book the train', listId: list.id, tags: ['rail'] })
    await create(person, { title: 'Booked the hotel', listId: list.id, status: 'done' })
    const stream = await openEventStream(instance.url, '/api/events?types=task.*', { token: person.token })
    expect((await remove(`${LISTS}/${list.id}`, person)).status).toBe(204)
    const events = await stream.until(3)
    await stream.leave()
    expect(events.map(({ event }) => event)).toEqual(['task.updated', 'task.updated', 'task.lists_updated'])
    for (const query of ['', '&q=book']) {
      expect(await titles(person, `listId=${inbox.id}${query}`)).toEqual([
        'Book the train',
        'Booked the hotel',
      ])
      expect(await titles(person, `listId=${list.id}${query}`)).toEqual([])
    }
    const task = await instance.get(`${TASKS}/${id}`, as(person))
    expect([task.body.listId, task.headers.get('etag')]).toEqual([inbox.id, `"${id}.2"`])
  })

  it('deleting a list with its tasks deletes them', async () => {
    const person = await register(instance)
    const list = await createList(person, { name: 'Trip' })
    const { id } = await create(person, { title: 'Book the train', listId: list.id })
    await create(person, { title: 'Stays' })
    expect((await remove(`${LISTS}/${list.id}?tasks=delete`, person)).status).toBe(204)
    expect((await instance.get(`${TASKS}/${id}`, as(person))).status).toBe(404)
    expect(await titles(person, '')).toEqual(['Stays'])
  })

  it('a task created while its list is deleted is not lost', async () => {
    const person = await register(instance)
    for (let round = 0; round < 5; round++) {
      const list = await createList(person, { name: 'Short-lived' })
      const before = (await titles(person, 'limit=200')).length
      const [made, removed] = await Promise.all([
        instance.post(TASKS, { title: 'Late', listId: list.id }, as(person)),
        remove(`${LISTS}/${list.id}`, person),
      ])
      expect(removed.status).toBe(204)
      expect([201, 400]).toContain(made.status)
      expect(await titles(person, 'limit=200')).toHaveLength(before + (made.status === 201 ? 1 : 0))
    }
  })

  it('the Inbox can be renamed, but not deleted', async () => {
    const inbox = await inboxOf(ana)
    const removed = await remove(`${LISTS}/${inbox.id}`, ana)
    expect([removed.status, removed.body.code]).toEqual([409, 'conflict'])
    expect((await patch(`${LISTS}/${inbox.id}`, { name: 'Incoming' }, ana)).body.isInbox).toBe(true)
    await patch(`${LISTS}/${inbox.id}`, { name: 'Inbox' }, ana)
  })

  it('tokens need a task scope', async () => {
    const tokenFor = async (scopes: string[]): Promise<string> => {
      const input = { password: PASSWORD, name: 'n', scopes }
      const { body } = await instance.post('/api/settings/tokens', input, as(ana))
      return body.token
    }
    const [reader, writer, other] = [
      await tokenFor(['tasks:read']),
      await tokenFor(['tasks:write']),
      await tokenFor(['mail:read']),
    ]
    expect((await instance.get(LISTS, { token: reader })).status).toBe(200)
    expect((await instance.post(LISTS, { name: 'n' }, { token: reader })).status).toBe(403)
    expect((await instance.post(LISTS, { name: 'n' }, { token: writer })).status).toBe(201)
    expect((await instance.get(LISTS, { token: other })).status).toBe(403)
  })

  it('the assistant restores a deleted task into its list, or the Inbox if the list is gone', async () => {
    const person = await register(instance)
    const list = await createList(person, { name: 'Chores' })
    const askToDelete = async (title: string): Promise<string> => {
      await create(person, { title, listId: list.id })
      const asked = await instance.post('/api/ai/chat', { message: `delete the task "${title}"` }, as(person))
      const { body: pending } = await instance.get('/api/ai/actions?status=pending', as(person))
      expect([asked.status, pending.actions.length]).toEqual([200, 1])
      const confirmed = await instance.post(
        `/api/ai/actions/${pending.actions[0].id}/confirm`,
        undefined,
        as(person),
      )
      expect(confirmed.status).toBe(200)
      return (await instance.get('/api/actions', as(person))).body.actions[0].id
    }
    const undo = async (id: string) =>
      expect((await instance.post(`/api/actions/${id}/undo`, undefined, as(person))).status).toBe(200)
    await undo(await askToDelete('Iron the shirts'))
    expect(await titles(person, `listId=${list.id}`)).toEqual(['Iron the shirts'])
    const second = await askToDelete('Clean the oven')
    await remove(`${LISTS}/${list.id}`, person)
    await undo(second)
    expect((await titles(person, `listId=${(await inboxOf(person)).id}`)).toSorted()).toEqual([
      'Clean the oven',
      'Iron the shirts',
    ])
  })
})

onOneDatabase('sqlite', 'task lists in an export', (engine) => {
  let source: Instance
  let zip: Buffer

  beforeAll(async () => {
    source = await startInstance({ engine })
    const { token } = await register(source)
    const { body: list } = await source.post(LISTS, { name: 'Household', color: '#123456' }, { token })
    await source.post(TASKS, { title: 'Wash the windows', listId: list.id }, { token })
    await source.post(TASKS, { title: 'Think' }, { token })
    zip = await exportOf(source, token)
  })
  afterAll(() => source.close())

  const importZip = async (file: Buffer) => {
    const target = await startInstance({ engine })
    const { token } = await register(target)
    // The console has already created the Inbox.
    await target.get(LISTS, { token })
    const answer = await importInto(target, token, file)
    const lists: List[] = (await target.get(LISTS, { token })).body.taskLists
    const found: string[][] = []
    for (const { name, id } of lists) {
      const { body } = await target.get(`${TASKS}?listId=${id}&q=th`, { token })
      const { body: browsed } = await target.get(`${TASKS}?listId=${id}`, { token })
      found.push([name, ...browsed.tasks.map(({ title }: Task) => title)])
      expect(body.tasks.length).toBe(browsed.tasks.length)
    }
    await target.close()
    return { answer, found }
  }

  it('are imported with their tasks', async () => {
    const lines = linesOf(await entriesOf(zip))
    expect(lines['tasks/lists.jsonl']?.map(({ name }) => name)).toEqual(['Inbox', 'Household'])
    const { answer, found } = await importZip(zip)
    expect(answer.status).toBe(200)
    expect(found).toEqual([
      ['Inbox', 'Think'],
      ['Household', 'Wash the windows'],
    ])
  })

  it('tasks of an older export go to the Inbox', async () => {
    const entries = await entriesOf(zip)
    entries.delete('tasks/lists.jsonl')
    const tasks = linesOf(entries)['tasks/tasks.jsonl'] ?? []
    const older = tasks.map(({ listId: _, changedBy: __, ...task }) => `${JSON.stringify(task)}\n`)
    entries.set('tasks/tasks.jsonl', Buffer.from(older.join('')))
    const { answer, found } = await importZip(await zipOf(sealed(entries)))
    expect(answer.status).toBe(200)
    expect(found.map(([name, ...titles]) => [name, ...titles.toSorted()])).toEqual([
      ['Inbox', 'Think', 'Wash the windows'],
    ])
  })

  it('undoing an imported deletion restores the task into the own list, not into one with the old id', async () => {
    const { token } = await register(source)
    const { body: list } = await source.post(LISTS, { name: 'Chores' }, { token })
    await source.post(TASKS, { title: 'Iron the shirts', listId: list.id }, { token })
    await source.post('/api/ai/chat', { message: 'delete the task "Iron the shirts"' }, { token })
    const { body: pending } = await source.get('/api/ai/actions?status=pending', { token })
    await source.post(`/api/ai/actions/${pending.actions[0].id}/confirm`, undefined, { token })
    const file = await exportOf(source, token)

    const target = await startInstance({ engine })
    const host = await register(target)
    const guest = await register(target)
    let sameId = 0
    while (sameId < list.id)
      sameId = (await target.post(LISTS, { name: 'Of the host' }, { token: host.token })).body.id
    const input = { email: guest.email, role: 'editor' }
    const { body: share } = await target.post(`${LISTS}/${list.id}/shares`, input, { token: host.token })
    await target.post(`/api/shares/${share.id}/accept`, undefined, { token: guest.token })
    expect((await target.get(`${LISTS}/${list.id}`, { token: guest.token })).body.role).toBe('editor')
    expect((await importInto(target, guest.token, file)).status).toBe(200)
    const { body: journal } = await target.get('/api/actions', { token: guest.token })
    const undone = await target.post(`/api/actions/${journal.actions[0].id}/undo`, undefined, {
      token: guest.token,
    })
    expect(undone.status).toBe(200)
    const { body: found } = await target.get(`${TASKS}?q=iron`, { token: guest.token })
    const { body: lists } = await target.get(LISTS, { token: guest.token })
    const chores = lists.taskLists.find(({ name }: List) => name === 'Chores')
    expect(found.tasks).toMatchObject([{ title: 'Iron the shirts', listId: chores.id }])
    expect((await target.get(TASKS, { token: host.token })).body.tasks).toEqual([])
    await target.close()
  })

  it('a task of a list that is not in the export is rejected', async () => {
    const entries = await entriesOf(zip)
    const tasks = linesOf(entries)['tasks/tasks.jsonl'] ?? []
    const strange = tasks.map((task) => `${JSON.stringify({ ...task, listId: 4711 })}\n`)
    entries.set('tasks/tasks.jsonl', Buffer.from(strange.join('')))
    const { answer } = await importZip(await zipOf(sealed(entries)))
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain('listId names a list that does not exist')
  })
})
