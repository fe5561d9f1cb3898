import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const QUICK = '/api/tasks/quick'

interface Understood {
  kind: string
  text: string
  offset: number
}

onOneDatabase('sqlite', 'task quick add', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    // Uses the real date: lines with a day are compared with it.
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const localDay = (days: number): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now() + days * 86_400_000)
  const wallOf = (instant: string): string =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(instant))
  const count = async () => (await instance.get('/api/tasks?limit=200')).body.tasks.length

  it('the example of the API creates a task, with the recognized parts and their positions', async () => {
    const text = 'pay rent every month on the 1st !high #home'
    const made = await instance.post(QUICK, { text })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/tasks/${made.body.id}`)
    expect(made.headers.get('etag')).toBe(`"${made.body.id}.1"`)
    expect(made.body).toMatchObject({
      title: 'pay rent',
      priority: 'high',
      tags: ['home'],
      recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1',
      status: 'todo',
      timed: false,
    })
    expect(wallOf(made.body.dueAt)).toMatch(/-01 00:00$/)
    expect(made.body.understood.map(({ kind, text: piece }: Understood) => [kind, piece])).toEqual([
      ['recurrence', 'every month on the 1st'],
      ['priority', '!high'],
      ['tag', '#home'],
    ])
    for (const { text: piece, offset } of made.body.understood as Understood[])
      expect(text.slice(offset, offset + piece.length)).toBe(piece)
    const { timed: _, understood: __, ...task } = made.body
    expect((await instance.get(`/api/tasks/${made.body.id}`)).body).toEqual(task)
  })

  it('names a section, a task above it, and a repetition from the completion', async () => {
    const list = (await instance.post('/api/task-lists', { name: 'House' })).body.id
    const section = await instance.post(`/api/task-lists/${list}/sections`, { name: 'This week' })
    const parent = await instance.post('/api/tasks', { title: 'Clean the flat (all)', listId: list })
    const sorted = await instance.post(QUICK, { text: 'wash curtains /this week #home', listId: list })
    expect(sorted.body).toMatchObject({ title: 'wash curtains', sectionId: section.body.id, tags: ['home'] })
    expect(sorted.body.understood).toContainEqual({ kind: 'section', text: '/this week', offset: 14 })
    const below = await instance.post(QUICK, { text: 'dust >clean the flat (all), every! 3 days' })
    expect(below.body).toMatchObject({
      title: 'dust',
      parentId: parent.body.id,
      listId: list,
      recurrence: 'FREQ=DAILY;INTERVAL=3',
      recurrenceFrom: 'completion',
    })
    const unknown = await instance.post(QUICK, { text: 'ask and/or tell >nobody /nowhere', listId: list })
    expect(unknown.body).toMatchObject({
      title: 'ask and/or tell >nobody /nowhere',
      sectionId: null,
      parentId: null,
    })
  })

  it('a dry run returns the same and creates nothing', async () => {
    const before = await count()
    const text = 'call mom tomorrow at 5pm for 30 minutes #family'
    const { status, body } = await instance.post(QUICK, { text, dryRun: true })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: null,
      title: 'call mom',
      dueAt: expect.any(String),
      dueDay: null,
      priority: 'normal',
      tags: ['family'],
      recurrence: null,
      recurrenceFrom: 'due',
      sectionId: null,
      parentId: null,
      estimateMinutes: 30,
      timed: true,
      understood: expect.any(Array),
    })
    expect(wallOf(body.dueAt)).toBe(`${localDay(1)} 17:00`)
    expect(await count()).toBe(before)
    const made = await instance.post(QUICK, { text })
    expect(made.body).toMatchObject({ ...body, id: made.body.id })
    expect(await count()).toBe(before + 1)
  })

  it.each([
    ['morgen um 9 Uhr Anna anrufen', 'Anna anrufen', 1, '09:00'],
    ['Anna anrufen übermorgen', 'Anna anrufen', 2, '00:00'],
    ['send the report tomorrow', 'send the report', 1, '00:00'],
  ])('%s', async (text, title, days, clock) => {
    const { body } = await instance.post(QUICK, { text, dryRun: true })
    expect([body.title, wallOf(body.dueAt)]).toEqual([title, `${localDay(days)} ${clock}`])
    expect(body.timed).toBe(clock !== '00:00')
  })

  it('a line without a time has no due date, and a line of marks alone keeps its words', async () => {
    expect((await instance.post(QUICK, { text: '  buy milk ' })).body).toMatchObject({
      title: 'buy milk',
      dueAt: null,
      understood: [],
    })
    expect((await instance.post(QUICK, { text: '#home' })).body.title).toBe('#home')
  })

  it('times are in the requested zone', async () => {
    const text = 'call Tokyo tomorrow at 9am'
    const inZone = async (timezone: string) =>
      Date.parse((await instance.post(QUICK, { text, timezone, dryRun: true })).body.dueAt)
    const hours = ((await inZone('Europe/London')) - (await inZone('Europe/Berlin'))) / 3_600_000
    expect(((hours % 24) + 24) % 24).toBe(1)
  })

  it('a time in another zone is converted to the user’s zone', async () => {
    const at = async (text: string) => (await instance.post(QUICK, { text, dryRun: true })).body
    const there = await at('call bob tomorrow at 10am UTC')
    expect(there).toMatchObject({ title: 'call bob', timed: true })
    expect(there.dueAt).toMatch(/T10:00:00\.000Z$/)
    expect(there.understood).toEqual([
      { kind: 'due', text: 'tomorrow at 10am', offset: 9 },
      { kind: 'zone', text: 'UTC', offset: 26 },
    ])
    expect((await at('call bob tomorrow at 10am Berlin time')).dueAt).toBe(
      (await at('call bob tomorrow at 10am')).dueAt,
    )
  })

  it('the same Idempotency-Key creates one task', async () => {
    const headers = { 'idempotency-key': 'quick-1' }
    const [one, two] = [
      await instance.post(QUICK, { text: 'only once' }, { headers }),
      await instance.post(QUICK, { text: 'only once' }, { headers }),
    ]
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body])
  })

  it.each([
    [{}, 'text'],
    [{ text: '' }, 'text'],
    [{ text: '   ' }, 'text'],
    [{ text: 'x'.repeat(2001) }, 'text'],
    [{ text: 'x', dryrun: true }, 'dryrun'],
    [{ text: 'x', timezone: 'Mars/Olympus' }, 'timezone'],
  ])('rejects %j and names the field', async (input, path) => {
    const { status, body } = await instance.post(QUICK, input)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path)
  })

  describe('hostile lines', () => {
    it.each([
      ['digits', '1'.repeat(2000)],
      ['tags', '#a'.repeat(1000)],
      ['many tags', Array.from({ length: 300 }, (_, n) => `#t${n}`).join(' ')],
      ['marks', '!'.repeat(2000)],
      ['brackets', '('.repeat(2000)],
      ['days', 'tomorrow '.repeat(200)],
      ['half a letter', 'x \ud83d tomorrow'],
      ['a year beyond all calendars', 'party on 1 January 99999'],
      ['far ahead', 'in 999999999 years'],
    ])('of %s create a task or are rejected', async (_, text) => {
      const { status } = await instance.post(QUICK, { text })
      expect([201, 400]).toContain(status)
    })
  })
})
