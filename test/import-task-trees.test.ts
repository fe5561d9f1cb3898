import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const BUSY = new Set(['uploading', 'analysing', 'running', 'undoing'])

const TODOIST = [
  'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE',
  'task,Plan the move,,4,1,,,,en,',
  'section,Flat,,,,,,,,',
  'task,Paint,,4,1,,,2031-03-01,en,',
  'task,Kitchen,,4,2,,,,en,',
  'task,Ceiling,,4,3,,,,en,',
  'task,Hall,,4,2,,,,en,',
  'task,Water plants,,4,1,,,every! 3 days,en,',
  '',
].join('\r\n')

const TICKTICK = [
  '"Folder Name","List Name","Title","Tags","Content","Start Date","Due Date","Priority","Status","Order","Timezone","Is All Day","Column Name","taskId","parentId"',
  '"","Garden","Rake","","","","","0","0","30","UTC","","","3","1"',
  '"","Garden","Mow","","","","","0","0","20","UTC","","Beds","2",""',
  '"","Garden","Autumn","","","2031-09-01T00:00:00+0000","2031-10-01T00:00:00+0000","0","0","10","UTC","true","Beds","1",""',
  '',
].join('\r\n')

const task = (id: number, title: string, more: object = {}) => ({ id, title, ...more })
const under = (id: number) => ({ related_tasks: { parenttask: [{ id }] } })
const VIKUNJA = JSON.stringify([
  {
    id: 1,
    title: 'Book',
    buckets: [
      { id: 7, title: 'Ideas' },
      { id: 8, title: 'Writing' },
    ],
    tasks: [
      task(12, 'Scene', { position: 10, ...under(11) }),
      task(11, 'Chapter two', { position: 30, bucket_id: 8, percent_done: 0.4 }),
      task(10, 'Chapter one', { position: 20, bucket_id: 7, repeat_after: 86_400, repeat_mode: 2 }),
      task(13, 'Of each other', { ...under(14) }),
      task(14, 'Of the other', { ...under(13) }),
    ],
  },
])

interface Task {
  id: number
  title: string
  parentId: number | null
  sectionId: number | null
  startDay: string | null
  percentComplete: number
  recurrenceFrom: string
  tags: string[]
}

onEveryDatabase('imports of task trees', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const settle = async (person: Person, id: number) => {
    for (;;) {
      const { body } = await instance.get(`/api/imports/${id}`, person)
      if (!BUSY.has(body.state)) return body
      await wait(20)
    }
  }
  const act = async (person: Person, id: number, action: string) => {
    const answer = await instance.call('POST', `/api/imports/${id}/${action}`, {
      token: person.token,
      body: {},
    })
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return settle(person, id)
  }
  const run = async (person: Person, filename: string, body: string) => {
    const { body: created } = await instance.call('POST', `/api/imports?filename=${filename}`, {
      token: person.token,
      body: Buffer.from(body),
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect((await settle(person, created.id)).state).toBe('ready')
    return act(person, created.id, 'start')
  }
  const listOf = async (person: Person, name: string): Promise<number> =>
    (await instance.get('/api/task-lists', person)).body.taskLists.find(
      (list: { name: string }) => list.name === name,
    ).id
  const tasksOf = async (person: Person, name: string): Promise<Task[]> =>
    (await instance.get(`/api/tasks?listId=${await listOf(person, name)}&sort=position&limit=200`, person))
      .body.tasks
  /** The tasks of a list as an indented outline, with their sections. */
  const outline = async (person: Person, name: string): Promise<string[]> => {
    const path = `/api/task-lists/${await listOf(person, name)}/sections`
    const sections = new Map<number, string>(
      (await instance.get(path, person)).body.sections.map((one: { id: number; name: string }) => [
        one.id,
        one.name,
      ]),
    )
    const tasks = await tasksOf(person, name)
    const list = (parentId: number | null, sectionId: number | null, depth: number): string[] =>
      tasks
        .filter((one) => one.parentId === parentId && one.sectionId === sectionId)
        .flatMap((one) => [
          `${'  '.repeat(depth)}${one.title}${sectionId === null ? '' : ` [${sections.get(sectionId)}]`}`,
          ...list(one.id, null, depth + 1),
        ])
    return [null, ...sections.keys()].flatMap((sectionId) => list(null, sectionId, 0))
  }

  it('Todoist keeps subtasks, sections, order and repetition, also in a second import', async () => {
    const person = await register(instance)
    const { id } = await run(person, 'Move.csv', TODOIST)
    const expected = [
      'Plan the move',
      'Paint [Flat]',
      '  Kitchen',
      '    Ceiling',
      '  Hall',
      'Water plants [Flat]',
    ]
    expect(await outline(person, 'Move')).toEqual(expected)
    const tasks = await tasksOf(person, 'Move')
    expect(tasks.find(({ title }) => title === 'Water plants')).toMatchObject({
      recurrenceFrom: 'completion',
    })
    expect(tasks.every(({ tags }) => tags.length === 0)).toBe(true)
    expect(await run(person, 'Move.csv', TODOIST)).toMatchObject({ counts: { tasks: { duplicates: 6 } } })
    expect(await outline(person, 'Move')).toEqual(expected)
    await act(person, id, 'undo')
    expect((await instance.get('/api/tasks', person)).body.tasks).toEqual([])
  })

  it('an undo keeps a task that has got a subtask since', async () => {
    const person = await register(instance)
    const { id } = await run(person, 'Move.csv', TODOIST)
    const hall = (await tasksOf(person, 'Move')).find(({ title }) => title === 'Hall') as Task
    await instance.call('POST', '/api/tasks', {
      token: person.token,
      body: { title: 'Mine', parentId: hall.id },
    })
    await act(person, id, 'undo')
    expect(await outline(person, 'Move')).toEqual(['Paint [Flat]', '  Hall', '    Mine'])
  })

  it('TickTick keeps subtasks, columns, starts and its order', async () => {
    const person = await register(instance)
    await run(person, 'TickTick.csv', TICKTICK)
    expect(await outline(person, 'Garden')).toEqual(['Autumn [Beds]', '  Rake', 'Mow [Beds]'])
    expect((await tasksOf(person, 'Garden')).find(({ title }) => title === 'Autumn')).toMatchObject({
      startDay: '2031-09-01',
    })
  })

  it('Vikunja keeps subtasks, buckets, progress and its order', async () => {
    const person = await register(instance)
    await run(person, 'data.json', VIKUNJA)
    expect(await outline(person, 'Book')).toEqual([
      'Of each other',
      'Of the other',
      'Chapter one [Ideas]',
      'Chapter two [Writing]',
      '  Scene',
    ])
    expect((await tasksOf(person, 'Book')).find(({ title }) => title === 'Chapter two')).toMatchObject({
      percentComplete: 40,
    })
  })
})
