import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { entriesOf, exportOf, importInto, linesOf } from './support/exports.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const LISTS = '/api/task-lists'
const TASKS = '/api/tasks'

interface Task {
  id: number
  uid: string
  title: string
  status: string
  listId: number
  sectionId: number | null
  parentId: number | null
  position: string
  dueDay: string | null
  startDay: string | null
  startAt: string | null
  nextTaskId: number | null
  assigneeId: number | null
  openSubtasks?: number
}

onEveryDatabase('task trees', (engine) => {
  let instance: Instance
  let ana: Person
  let listId: number

  const call = (method: string, path: string, body?: unknown, person = ana): Promise<Answer> =>
    instance.call(method, path, { token: person.token, ...(body !== undefined && { body }) })
  const add = async (input: Record<string, unknown>, person = ana): Promise<Task> => {
    const answer = await call('POST', TASKS, input, person)
    expect([answer.status, answer.body.detail]).toEqual([201, undefined])
    return answer.body
  }
  const get = async (id: number): Promise<Task> => (await call('GET', `${TASKS}/${id}`)).body
  const patch = async (id: number, change: Record<string, unknown>): Promise<Task> => {
    const answer = await call('PATCH', `${TASKS}/${id}`, change)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const move = async (id: number, to: Record<string, unknown>): Promise<Task> => {
    const answer = await call('POST', `${TASKS}/${id}/move`, to)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const refusal = async (method: string, path: string, body: unknown, person = ana) => {
    const answer = await call(method, path, body, person)
    return [answer.status, answer.body.errors?.[0]?.path ?? answer.body.code]
  }
  const list = async (query: string, person = ana): Promise<Task[]> => {
    const answer = await call('GET', `${TASKS}?${query}`, undefined, person)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body.tasks
  }
  const titles = async (query: string, person = ana): Promise<string[]> =>
    (await list(query, person)).map(({ title }) => title)
  /** The open and closed tasks of a list as an indented outline, in the order of the list. */
  const outline = async (id = listId): Promise<string[]> => {
    const tasks = await list(`listId=${id}&sort=position&limit=200`)
    const under = (parentId: number | null, depth: number): string[] =>
      tasks
        .filter((task) => task.parentId === parentId)
        .flatMap((task) => [
          `${'  '.repeat(depth)}${task.title}${task.status === 'todo' ? '' : ` (${task.status})`}`,
          ...under(task.id, depth + 1),
        ])
    return under(null, 0)
  }
  const newList = async (name: string, person = ana): Promise<number> =>
    (await call('POST', LISTS, { name }, person)).body.id
  const section = async (name: string, more: Record<string, unknown> = {}): Promise<number> => {
    const answer = await call('POST', `${LISTS}/${listId}/sections`, { name, ...more })
    expect(answer.status).toBe(201)
    return answer.body.id
  }
  const share = async (id: number, person: Person, role = 'editor'): Promise<void> => {
    const offered = await call('POST', `${LISTS}/${id}/shares`, { email: person.email, role })
    const accepted = await call('POST', `/api/shares/${offered.body.id}/accept`, undefined, person)
    expect(accepted.status).toBe(200)
  }

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    ana = await register(instance)
  })
  afterAll(() => instance.close())

  it('new tasks come last, and a move writes one task', async () => {
    listId = await newList('Order')
    const [a, b, c] = [
      await add({ title: 'a', listId }),
      await add({ title: 'b', listId }),
      await add({ title: 'c', listId }),
    ]
    expect(await outline()).toEqual(['a', 'b', 'c'])
    const others = [await get(a.id), await get(b.id)]
    await move(c.id, { afterId: null })
    expect(await outline()).toEqual(['c', 'a', 'b'])
    expect([await get(a.id), await get(b.id)]).toEqual(others)
    await move(c.id, { afterId: a.id })
    expect(await outline()).toEqual(['a', 'c', 'b'])
    await move(a.id, {})
    expect(await outline()).toEqual(['c', 'b', 'a'])
    // The same place again changes nothing.
    const last = await get(a.id)
    expect((await move(a.id, { afterId: b.id })).title).toBe(last.title)
    expect(await outline()).toEqual(['c', 'b', 'a'])
  })

  it('many moves to the same place keep one order', async () => {
    listId = await newList('Many')
    const first = await add({ title: 'first', listId })
    const last = await add({ title: 'last', listId })
    const [x, y] = [await add({ title: 'x', listId }), await add({ title: 'y', listId })]
    for (let n = 0; n < 150; n++) await move((n % 2 === 0 ? x : y).id, { afterId: first.id })
    expect(await outline()).toEqual(['first', 'y', 'x', 'last'])
    expect((await get(last.id)).position.length).toBeLessThan(210)
  })

  it('subtasks follow their parent to another list, and lose their section', async () => {
    listId = await newList('From')
    const otherId = await newList('To')
    const top = await add({ title: 'top', listId, sectionId: await section('Soon') })
    const child = await add({ title: 'child', parentId: top.id })
    expect(child).toMatchObject({ listId, sectionId: null, parentId: top.id })
    await add({ title: 'grandchild', parentId: child.id })
    expect(await outline()).toEqual(['top', '  child', '    grandchild'])
    expect(await move(top.id, { listId: otherId })).toMatchObject({ listId: otherId, sectionId: null })
    expect(await outline()).toEqual([])
    expect(await outline(otherId)).toEqual(['top', '  child', '    grandchild'])
    expect(await titles(`listId=${otherId}&q=grandchild`)).toEqual(['grandchild'])
    // Without a parent of its own list, a moved subtask is a task of its own.
    await move(child.id, { listId })
    expect(await outline()).toEqual(['child', '  grandchild'])
  })

  it('a subtask that is moved to the top stays in the section of its topmost task', async () => {
    listId = await newList('Outdent')
    const sectionId = await section('Week')
    const top = await add({ title: 'top', listId, sectionId })
    const child = await add({ title: 'child', parentId: top.id })
    const grandchild = await add({ title: 'grandchild', parentId: child.id })
    expect(await move(grandchild.id, { parentId: null, afterId: top.id })).toMatchObject({ sectionId })
    expect(await titles(`sectionId=${sectionId}`)).toEqual(['top', 'grandchild'])
    expect(await titles(`parentId=${top.id}`)).toEqual(['child'])
    expect(await move(grandchild.id, { sectionId: null })).toMatchObject({ sectionId: null })
  })

  it('refuses impossible places and says which', async () => {
    listId = await newList('Refused')
    const otherId = await newList('Other')
    const top = await add({ title: 'top', listId })
    const child = await add({ title: 'child', parentId: top.id })
    const deep = await add({ title: 'deep', parentId: child.id })
    const elsewhere = await add({ title: 'elsewhere', listId: otherId })
    const sectionId = await section('Here')
    const moveTo = (id: number, to: unknown) => refusal('POST', `${TASKS}/${id}/move`, to)
    expect(await moveTo(top.id, { parentId: deep.id })).toEqual([400, 'parentId'])
    expect(await moveTo(top.id, { parentId: top.id })).toEqual([400, 'parentId'])
    expect(await moveTo(top.id, { parentId: 999_999 })).toEqual([400, 'parentId'])
    expect(await moveTo(top.id, { afterId: child.id })).toEqual([400, 'afterId'])
    expect(await moveTo(top.id, { afterId: top.id })).toEqual([400, 'afterId'])
    expect(await moveTo(elsewhere.id, { sectionId })).toEqual([400, 'sectionId'])
    expect(await moveTo(child.id, { parentId: top.id, sectionId })).toEqual([400, 'sectionId'])
    const gone = await add({ title: 'gone', listId })
    await call('DELETE', `${TASKS}/${gone.id}`)
    expect(await moveTo(top.id, { afterId: gone.id })).toEqual([400, 'afterId'])
    expect(await moveTo(gone.id, { afterId: null })).toEqual([404, 'not_found'])
    expect(await refusal('POST', TASKS, { title: 'x', listId: otherId, parentId: top.id })).toEqual([
      400,
      'parentId',
    ])
    expect(await refusal('GET', `${TASKS}?sort=position`, undefined)).toEqual([400, 'sort'])
    expect(await refusal('GET', `${TASKS}?parentId=${top.id}&q=x`, undefined)).toEqual([400, 'q'])
    expect(await outline()).toEqual(['top', '  child', '    deep'])
  })

  it('bounds the depth of a tree', async () => {
    listId = await newList('Deep')
    let parentId: number | null = null
    for (let depth = 1; depth <= 50; depth++)
      parentId = (await add({ title: `level ${depth}`, listId, parentId })).id
    expect(await refusal('POST', TASKS, { title: 'too deep', parentId })).toEqual([400, 'parentId'])
  })

  it('deletes a task with its subtasks', async () => {
    listId = await newList('Delete')
    const top = await add({ title: 'top', listId })
    const child = await add({ title: 'child', parentId: top.id })
    const deep = await add({ title: 'deep', parentId: child.id })
    await add({ title: 'stays', listId })
    expect((await call('DELETE', `${TASKS}/${top.id}`)).status).toBe(204)
    expect(await outline()).toEqual(['stays'])
    for (const { id } of [top, child, deep]) expect((await call('GET', `${TASKS}/${id}`)).status).toBe(404)
  })

  it('completes subtasks only if asked to, and says what stays open', async () => {
    listId = await newList('Complete')
    const top = await add({ title: 'top', listId })
    const child = await add({ title: 'child', parentId: top.id })
    await add({ title: 'deep', parentId: child.id })
    expect(await patch(top.id, { status: 'done' })).toMatchObject({ status: 'done', openSubtasks: 2 })
    expect(await outline()).toEqual(['top (done)', '  child', '    deep'])
    await patch(top.id, { status: 'todo' })
    expect((await patch(top.id, { status: 'done', children: 'complete' })).openSubtasks).toBeUndefined()
    expect(await outline()).toEqual(['top (done)', '  child (done)', '    deep (done)'])
    // Completing the last subtask does not complete its parent.
    await patch(top.id, { status: 'todo' })
    await patch(child.id, { status: 'todo' })
    await patch(child.id, { status: 'done' })
    expect((await get(top.id)).status).toBe('todo')
  })

  it('a repeating task brings its subtasks again, and reopening it takes them back', async () => {
    listId = await newList('Repeat')
    const input = { title: 'clean', listId, dueDay: '2031-03-03', recurrence: 'FREQ=WEEKLY' }
    const top = await add({ ...input, startDay: '2031-03-01' })
    const kitchen = await add({ title: 'kitchen', parentId: top.id, dueDay: '2031-03-02' })
    const windows = await add({ title: 'windows', parentId: top.id })
    await add({ title: 'left', parentId: windows.id })
    const cancelled = await add({ title: 'never', parentId: top.id })
    await patch(cancelled.id, { status: 'cancelled' })
    await patch(kitchen.id, { status: 'done' })

    const done = await patch(top.id, { status: 'done' })
    expect(done.openSubtasks).toBeUndefined()
    const next = await get(done.nextTaskId as number)
    expect(next).toMatchObject({ uid: top.uid, dueDay: '2031-03-10', startDay: '2031-03-08', parentId: null })
    expect(done.uid).not.toBe(top.uid)
    expect(await outline()).toEqual([
      'clean (done)',
      '  kitchen (done)',
      '  never (cancelled)',
      'clean',
      '  kitchen',
      '  windows',
      '    left',
    ])
    const again = (await list(`parentId=${next.id}`)).find(({ title }) => title === 'kitchen') as Task
    expect(again).toMatchObject({ uid: kitchen.uid, dueDay: '2031-03-09' })
    expect((await get(windows.id)).parentId).toBe(next.id)

    const reopened = await patch(top.id, { status: 'todo' })
    expect(reopened).toMatchObject({ uid: top.uid, nextTaskId: null })
    expect(await outline()).toEqual([
      'clean',
      '  kitchen (done)',
      '  windows',
      '    left',
      '  never (cancelled)',
    ])
    expect(await get(kitchen.id)).toMatchObject({ uid: kitchen.uid, nextTaskId: null })
    expect((await call('GET', `${TASKS}/${next.id}`)).status).toBe(404)

    const second = await get((await patch(top.id, { status: 'done' })).nextTaskId as number)
    await patch(second.id, { title: 'clean all' })
    expect((await patch(top.id, { status: 'todo' })).nextTaskId).toBe(second.id)
    expect((await get(second.id)).title).toBe('clean all')
  })

  it('a task can repeat from the day of its completion', async () => {
    listId = await newList('After')
    const input = { listId, dueDay: '2026-01-05', recurrence: 'FREQ=DAILY;INTERVAL=3' }
    const late = await add({ title: 'water', ...input, recurrenceFrom: 'completion' })
    const { nextTaskId, completedAt } = (await patch(late.id, { status: 'done' })) as Task & {
      completedAt: string
    }
    const day = new Date(Date.parse(completedAt.slice(0, 10)) + 3 * 86_400_000).toISOString().slice(0, 10)
    expect((await get(nextTaskId as number)).dueDay).toBe(day)
  })

  it('a start keeps its place before the due date', async () => {
    listId = await newList('Start')
    const task = await add({ title: 'tax', listId, dueDay: '2031-05-31', startDay: '2031-05-20' })
    expect(task).toMatchObject({ startAt: '2031-05-20T00:00:00.000Z' })
    expect(await patch(task.id, { dueDay: '2031-05-10' })).toMatchObject({ startDay: '2031-04-29' })
    expect(await refusal('PATCH', `${TASKS}/${task.id}`, { startDay: '2031-05-11' })).toEqual([
      400,
      'startDay',
    ])
    expect(await patch(task.id, { startDay: '2031-05-10' })).toMatchObject({ startDay: '2031-05-10' })
    expect(await patch(task.id, { startAt: null })).toMatchObject({ startAt: null, startDay: null })
  })

  it('sections have an order, and leave their tasks in the list', async () => {
    listId = await newList('Sections')
    const [todo, done] = [await section('To do'), await section('Done')]
    const first = await section('First', { afterId: null })
    const names = async () =>
      (await call('GET', `${LISTS}/${listId}/sections`)).body.sections.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names()).toEqual(['First', 'To do', 'Done'])
    const path = `${LISTS}/${listId}/sections`
    expect((await call('PATCH', `${path}/${first}`, { afterId: todo, name: 'Doing' })).body.name).toBe(
      'Doing',
    )
    expect(await names()).toEqual(['To do', 'Doing', 'Done'])
    expect(await refusal('PATCH', `${path}/${first}`, { afterId: 999_999 })).toEqual([400, 'afterId'])
    const task = await add({ title: 'in it', listId, sectionId: done })
    expect((await call('DELETE', `${path}/${done}`)).status).toBe(204)
    expect(await get(task.id)).toMatchObject({ sectionId: null, listId })
    expect(await refusal('GET', `${TASKS}?sectionId=${done}`, undefined)).toEqual([400, 'sectionId'])
    const stranger = await register(instance)
    expect(await refusal('GET', path, undefined, stranger)).toEqual([404, 'not_found'])
    expect(await refusal('GET', `${TASKS}?sectionId=${todo}`, undefined, stranger)).toEqual([
      400,
      'sectionId',
    ])
  })

  it('members order a shared list and are its assignees', async () => {
    listId = await newList('Shared')
    const [ben, viewer, stranger] = [
      await register(instance),
      await register(instance),
      await register(instance),
    ]
    await share(listId, ben)
    await share(listId, viewer, 'viewer')
    const top = await add({ title: 'top', listId }, ben)
    const child = await add({ title: 'child', parentId: top.id }, ben)
    const other = await add({ title: 'other', listId })
    const moved = await call('POST', `${TASKS}/${other.id}/move`, { parentId: top.id, afterId: null }, ben)
    expect(moved.status).toBe(200)
    expect(await outline()).toEqual(['top', '  other', '  child'])
    expect(await titles(`parentId=${top.id}`, viewer)).toEqual(['other', 'child'])
    expect(await refusal('POST', `${TASKS}/${child.id}/move`, {}, viewer)).toEqual([403, 'forbidden'])
    expect(await refusal('POST', `${LISTS}/${listId}/sections`, { name: 'x' }, viewer)).toEqual([
      403,
      'forbidden',
    ])
    expect(await refusal('GET', `${TASKS}?parentId=${top.id}`, undefined, stranger)).toEqual([
      400,
      'parentId',
    ])

    // A task of another list of the owner is as unknown as a missing one.
    const hidden = await add({ title: 'hidden', listId: await newList('Hidden') })
    const answers = []
    for (const parentId of [hidden.id, 999_999])
      for (const [path, body] of [
        [`${TASKS}/${child.id}/move`, { parentId }],
        [`${TASKS}/${child.id}/move`, { parentId, listId }],
        [TASKS, { title: 'x', parentId, listId }],
      ] as const) {
        const { status, body: problem } = await call('POST', path, body, ben)
        answers.push([status, problem.detail])
      }
    expect(answers.slice(0, 3)).toEqual(answers.slice(3))

    const { members } = (await call('GET', `${LISTS}/${listId}/members`, undefined, ben)).body
    expect(
      members.map(({ role, isCaller }: { role: string; isCaller: boolean }) => [role, isCaller]),
    ).toEqual(
      expect.arrayContaining([
        ['owner', false],
        ['editor', true],
        ['viewer', false],
      ]),
    )
    const benId = members.find(({ isCaller }: { isCaller: boolean }) => isCaller).id
    expect(await patch(child.id, { assigneeId: benId })).toMatchObject({ assigneeId: benId })
    expect(await refusal('PATCH', `${TASKS}/${child.id}`, { assigneeId: 999_999 })).toEqual([
      400,
      'assigneeId',
    ])
    // A list that the person does not see takes the assignee away, and so does the end of the share.
    const mine = await newList('Mine')
    expect(await move(child.id, { listId: mine })).toMatchObject({ assigneeId: null })
    await patch(other.id, { assigneeId: benId })
    const shares = (await call('GET', `${LISTS}/${listId}/shares`)).body.shares
    const { id } = shares.find(({ email }: { email: string }) => email === ben.email)
    expect((await call('DELETE', `${LISTS}/${listId}/shares/${id}`)).status).toBe(204)
    expect(await get(other.id)).toMatchObject({ assigneeId: null })
  })

  it('two people who reorder at once get one order', async () => {
    listId = await newList('Race')
    const ben = await register(instance)
    await share(listId, ben)
    const tasks: Task[] = []
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f']) tasks.push(await add({ title, listId }))
    const [a, b, c, d, e, f] = tasks as [Task, Task, Task, Task, Task, Task]
    const go = (task: Task, to: Record<string, unknown>, person: Person) =>
      call('POST', `${TASKS}/${task.id}/move`, to, person)
    const answers = await Promise.all([
      go(a, { afterId: d.id }, ana),
      go(b, { afterId: d.id }, ben),
      go(c, { parentId: f.id }, ana),
      go(f, { parentId: c.id }, ben),
      go(e, { afterId: null }, ben),
    ])
    const statuses = answers.map(({ status }) => status)
    // One of the two moves under each other came first.
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 400])
    expect(await titles(`listId=${listId}&sort=position`)).toEqual(
      await titles(`listId=${listId}&sort=position`, ben),
    )
    expect(await outline()).toHaveLength(6)
  })

  it('an export and its import keep the tree', async () => {
    const person = await register(instance)
    const mine = (await call('POST', LISTS, { name: 'Tree' }, person)).body.id
    const sectionId = (await call('POST', `${LISTS}/${mine}/sections`, { name: 'Part' }, person)).body.id
    const top = await add({ title: 'top', listId: mine, sectionId, startDay: '2031-02-03' }, person)
    await add({ title: 'child', parentId: top.id, percentComplete: 40 }, person)
    const file = await exportOf(instance, person.token)
    expect(linesOf(await entriesOf(file))['tasks/tasks.jsonl']).toHaveLength(2)
    const heir = await register(instance)
    await importInto(instance, heir.token, file)
    const tasks = await list('limit=10', heir)
    const found = tasks.find(({ title }) => title === 'top') as Task
    expect(found).toMatchObject({ startDay: '2031-02-03', sectionId: expect.any(Number) })
    expect(tasks.find(({ title }) => title === 'child')).toMatchObject({
      parentId: found.id,
      percentComplete: 40,
    })
  })
})
