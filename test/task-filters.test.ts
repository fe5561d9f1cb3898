import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const FILTERS = '/api/task-filters'
const TASKS = '/api/tasks'
const LISTS = '/api/task-lists'
const ZONE = 'Europe/Berlin'
const MORNING = 10 * 3_600_000

onEveryDatabase('task filters', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  const ids: Record<string, number> = {}

  const call = (method: string, path: string, body?: unknown, person = ana): Promise<Answer> =>
    instance.call(method, path, { token: person.token, ...(body !== undefined && { body }) })
  const add = async (title: string, input: Record<string, unknown> = {}, person = ana): Promise<void> => {
    const answer = await call('POST', TASKS, { title, ...input }, person)
    expect([answer.status, answer.body.detail]).toEqual([201, undefined])
    ids[title] = answer.body.id
  }
  const day = (days: number): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(instance.clock.now().getTime() + days * DAY)
  const find = (filter: string, more = '&status=open', person = ana): Promise<Answer> =>
    call('GET', `${TASKS}?limit=200&filter=${encodeURIComponent(filter)}${more}`, undefined, person)
  const titles = async (filter: string, more?: string, person = ana): Promise<string[]> => {
    const { status, body } = await find(filter, more, person)
    expect([filter, status, body.detail]).toEqual([filter, 200, undefined])
    return body.tasks.map(({ title }: { title: string }) => title).sort()
  }
  const refusal = async (filter: string): Promise<unknown> => {
    const { status, body } = await find(filter)
    return [
      status,
      ...(body.errors ?? []).map((error: { path: string; message: string }) => [error.path, error.message]),
    ]
  }

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: ZONE } })
    // Late in the evening, tasks of today are overdue.
    instance.clock.advance(DAY + MORNING - (instance.clock.now().getTime() % DAY))
    ana = await register(instance, { name: 'Ana Ruiz', timezone: ZONE })
    ben = await register(instance, { name: 'Ben Okafor', timezone: 'America/New_York' })
    const work = (await call('POST', LISTS, { name: 'Work' })).body.id
    const family = (await call('POST', LISTS, { name: 'Our family' })).body.id
    const soon = (await call('POST', `${LISTS}/${work}/sections`, { name: 'Soon' })).body.id
    const offer = await call('POST', `${LISTS}/${family}/shares`, { email: ben.email, role: 'editor' })
    expect((await call('POST', `/api/shares/${offer.body.id}/accept`, undefined, ben)).status).toBe(200)
    await add('rent', { tags: ['Home'], priority: 'high', dueDay: day(0) })
    await add('call', { dueAt: `${day(0)}T20:00:00Z`, listId: work })
    await add('report', { listId: work, sectionId: soon, priority: 'urgent', dueDay: day(1) })
    await add('figures', { parentId: ids.report })
    await add('taxes', { dueDay: day(-3), notes: 'Ask the advisor' })
    await add('trip', { listId: family, assigneeId: ben.id, tags: ['Two words'], dueDay: day(40) })
    await add('cake', { listId: family })
    await add('old', { status: 'done', tags: ['home'] })
  })
  afterAll(() => instance.close())

  it('know the words of quick add, in both languages', async () => {
    expect(await titles('#home')).toEqual(['rent'])
    expect(await titles('#"two words"')).toEqual(['trip'])
    expect(await titles('!high')).toEqual(['rent'])
    expect(await titles('p1')).toEqual(['report'])
    expect(await titles('!dringend')).toEqual(['report'])
    expect(await titles('today')).toEqual(['call', 'rent'])
    expect(await titles('heute')).toEqual(['call', 'rent'])
    expect(await titles('morgen')).toEqual(['report'])
    expect(await titles('3 days ago')).toEqual(['taxes'])
    expect(await titles('/Soon')).toEqual(['figures', 'report'])
  })

  it('know keys for dates, lists, people, texts and missing values', async () => {
    expect(await titles('due:today')).toEqual(['call', 'rent'])
    expect(await titles(`due:<${day(0)}`)).toEqual(['taxes'])
    expect(await titles(`due:<=${day(0)}`)).toEqual(['call', 'rent', 'taxes'])
    expect(await titles(`due:>${day(0)}`)).toEqual(['report', 'trip'])
    expect(await titles(`due:>="in 40 days"`)).toEqual(['trip'])
    expect(await titles('fällig:überfällig')).toEqual(['taxes'])
    expect(await titles('overdue')).toEqual(['taxes'])
    expect(await titles('list:work')).toEqual(['call', 'figures', 'report'])
    expect(await titles('liste:"Our family"')).toEqual(['cake', 'trip'])
    expect(await titles('section:soon')).toEqual(['figures', 'report'])
    expect(await titles('assignee:ben')).toEqual(['trip'])
    expect(await titles('assignee:me', '', ben)).toEqual(['trip'])
    expect(await titles('assignee:me')).toEqual([])
    expect(await titles('text:advis')).toEqual(['taxes'])
    expect(await titles('no:date')).toEqual(['cake', 'figures'])
    expect(await titles('ohne:datum list:"Our family"')).toEqual(['cake'])
    expect(await titles('no:tag list:"Our family"')).toEqual(['cake'])
  })

  it('combine conditions with and, or, not and brackets', async () => {
    expect(await titles('today !high')).toEqual(['rent'])
    expect(await titles('overdue | tomorrow')).toEqual(['report', 'taxes'])
    expect(await titles('überfällig oder morgen')).toEqual(['report', 'taxes'])
    expect(await titles('list:Work -today')).toEqual(['figures', 'report'])
    expect(await titles('list:Work not /Soon')).toEqual(['call'])
    expect(await titles('-(list:Work | list:"Our family")')).toEqual(['rent', 'taxes'])
    expect(await titles('(overdue | today) & no:tag')).toEqual(['call', 'taxes'])
    expect(await titles('-#home -no:date -list:work')).toEqual(['taxes', 'trip'])
    expect(await titles('-assignee:ben list:"Our family"')).toEqual(['cake'])
  })

  it('list closed tasks too, unless a status is given', async () => {
    expect(await titles('#home', '')).toEqual(['old', 'rent'])
    expect(await titles('#home', '&status=done')).toEqual(['old'])
    expect(await titles('-#home', '&status=overdue')).toEqual(['taxes'])
  })

  it('list what members see of shared lists, by the day of the task', async () => {
    expect(await titles(`due:${day(40)}`, '', ben)).toEqual(['trip'])
    expect(await titles('list:"our family"', '', ben)).toEqual(['cake', 'trip'])
    expect(await titles('assignee:"ana ruiz"', '', ben)).toEqual([])
    expect((await find('list:Work', '', ben)).status).toBe(400)
  })

  it('fill each page, also if few tasks match', async () => {
    for (let n = 0; n < 30; n++) await add(`n${n}`, n % 10 === 0 ? { tags: ['rare'] } : {})
    const found: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const path = `${TASKS}?filter=${encodeURIComponent('#rare | #never')}&limit=1${cursor}`
      const { body } = await call('GET', path)
      expect(body.tasks).toHaveLength(1)
      found.push(body.tasks[0].title)
      cursor = `&cursor=${body.nextCursor}`
      if (page === 2) expect(body.nextCursor).toBeNull()
    }
    expect(found).toEqual(['n0', 'n10', 'n20'])
  })

  it.each([
    ['tody', 'has the word tody at character 1, which is neither a date'],
    ['#home foo', 'has the word foo at character 7, which is neither a date'],
    ['color:red', 'has the word color:red at character 1, which has an unknown key'],
    ['!blue', 'which is no priority'],
    ['due:2026-02-30', 'which names no date'],
    ['due:', 'which needs a value'],
    ['no:color', 'which names no field'],
    ['list:Nowhere', 'which names no list that you see'],
    ['#home /Never', 'has the word /Never at character 7, which names no section'],
    ['assignee:Zoe', 'which names nobody who shares a list with you'],
    ['#home |', 'has the word | at character 7, which needs a condition behind it'],
    ['| #home', 'which needs a condition in front of it'],
    ['(#home', 'which opens a bracket that is not closed'],
    ['#home)', 'which closes a bracket that is not open'],
    ['list:"Our', 'which has a quotation mark that is not closed'],
    ['every day', 'has the word every at character 1'],
    ['text:!', 'needs letters or digits'],
    ['-', 'needs a condition behind it'],
    ['#a '.repeat(51), 'is one condition more than 50'],
  ])('reject %s and name the word', async (filter, reason) => {
    expect(await refusal(filter)).toEqual([400, ['filter', expect.stringContaining(reason)]])
  })

  it.each([
    '__proto__:x',
    'constructor:x',
    'no:toString',
    '((((((((((',
    '- - - - #home',
    '"" #a',
    `due:9999-12-31`,
    'due:>9999-12-31',
  ])('answer %s without a failure', async (filter) => {
    expect([200, 400]).toContain((await find(filter)).status)
  })

  it('cannot be combined with other filters than the status', async () => {
    for (const [name, value] of [
      ['q', 'x'],
      ['tag', 'home'],
      ['sort', 'position'],
      ['filterId', '1'],
    ]) {
      const { status, body } = await find('#home', `&${name}=${value}`)
      expect([status, body.errors[0].path]).toEqual([400, name])
    }
  })

  describe('saved', () => {
    it('are created, changed and deleted, with versions and live changes', async () => {
      const stream = await openEventStream(instance.url, '/api/events', { token: ana.token })
      const made = await call('POST', FILTERS, { name: ' Soon ', query: ' today | overdue ' })
      expect([made.status, made.body]).toMatchObject([201, { name: 'Soon', query: 'today | overdue' }])
      const path = `${FILTERS}/${made.body.id}`
      expect((await call('GET', path)).body).toEqual(made.body)
      expect((await call('GET', path, undefined, ben)).status).toBe(404)
      const listed = async (): Promise<string[]> =>
        (await call('GET', `${TASKS}?status=open&filterId=${made.body.id}`)).body.tasks
          .map(({ title }: { title: string }) => title)
          .sort()
      expect(await listed()).toEqual(['call', 'rent', 'taxes'])
      const changed = await call('PATCH', path, { query: 'overdue' })
      expect(changed.body).toMatchObject({ name: 'Soon', query: 'overdue' })
      expect(await listed()).toEqual(['taxes'])
      const stale = await instance.call('PATCH', path, {
        token: ana.token,
        body: { name: 'x' },
        headers: { 'if-match': made.headers.get('etag') ?? '' },
      })
      expect(stale.status).toBe(412)
      expect((await call('GET', FILTERS)).body.taskFilters).toEqual([changed.body])
      expect((await call('DELETE', path)).status).toBe(204)
      expect((await call('GET', `${TASKS}?filterId=${made.body.id}`)).body.errors[0].path).toBe('filterId')
      const events = await stream.until(3)
      expect(events.map(({ event }) => event)).toEqual([
        'task_filter.added',
        'task_filter.changed',
        'task_filter.removed',
      ])
      await stream.leave()
    })

    it('are rejected with the word that is wrong', async () => {
      const { status, body } = await call('POST', FILTERS, { name: 'Bad', query: '#home tody' })
      expect([status, body.errors[0].path, body.detail]).toEqual([
        400,
        'query',
        expect.stringContaining('tody'),
      ])
      const { body: filter } = await call('POST', FILTERS, { name: 'Good', query: 'list:work' })
      expect((await call('PATCH', `${FILTERS}/${filter.id}`, { query: 'list:' })).status).toBe(400)
      expect((await call('GET', `${FILTERS}/${filter.id}`)).body.query).toBe('list:work')
    })

    it('have a limit', async () => {
      for (let n = 0; n < 100; n++) await call('POST', FILTERS, { name: `f${n}`, query: '#home' }, ben)
      expect((await call('POST', FILTERS, { name: 'more', query: '#home' }, ben)).status).toBe(409)
    })
  })
})
