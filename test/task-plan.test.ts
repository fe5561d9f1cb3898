import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { Planning } from '../src/features/tasks/planner.ts'
import type { Agenda, BookedEvent } from '../src/features/tasks/queries.ts'
import { createActions } from '../src/features/undo/journal.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

interface Booked {
  id: number
  title: string
  start: string
  end: string
}

onOneDatabase('postgres', 'a plan', (engine) => {
  let instance: Instance
  /** The Monday after next, so that all of it is in the future. */
  let monday: number
  const DAY = 86_400_000
  const at = (day: number, hour: number) => new Date(monday + day * DAY + hour * 3_600_000).toISOString()
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    const today = Math.floor(instance.clock.now().getTime() / DAY)
    monday = (today + 14 - ((today + 3) % 7)) * DAY
  })
  afterAll(() => instance.close())
  beforeEach(async () => {
    for (const table of ['tasks', 'events', 'actions'] as const)
      await instance.database.db.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  })

  const add = async (fields: Record<string, unknown>): Promise<number> =>
    (await instance.post('/api/tasks', { title: 'Task', ...fields })).body.id
  const plan = async (input: Record<string, unknown> = {}) => {
    const { status, body } = await instance.post('/api/tasks/plan', {
      start: at(0, 0),
      end: at(5, 0),
      ...input,
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }
  const undo = (id: number) => instance.post(`/api/actions/${id}/undo`)
  const events = async (): Promise<Booked[]> =>
    (await instance.get(`/api/calendar/events?start=${at(0, 0)}&end=${at(7, 0)}`)).body.events
  const eventOf = async (title: string) => (await events()).find((event) => event.title === title) as Booked
  const summarize = (blocks: Booked[]) =>
    blocks.map(({ title, start, end }) => `${title} ${start.slice(8, 16)}-${end.slice(11, 16)}`)
  const day = (n: number) => at(n, 0).slice(8, 10)

  it('can be limited to some open tasks', async () => {
    await add({ title: 'Other', dueAt: at(1, 12) })
    const [one, two, done] = [
      await add({ title: 'One' }),
      await add({ title: 'Two', dueAt: at(1, 12) }),
      await add({ title: 'Done', status: 'done' }),
    ]
    const { blocks, unplanned, actionId } = await plan({ taskIds: [one, two, done], apply: true })
    expect(summarize(blocks)).toEqual([`Two ${day(0)}T09:00-09:30`, `One ${day(0)}T09:40-10:10`])
    expect(unplanned).toEqual([])
    expect((await undo(actionId)).status).toBe(200)
    expect(
      (await instance.post('/api/tasks/plan', { start: at(0, 0), end: at(1, 0), taskIds: [] })).status,
    ).toBe(400)
  })

  it('proposes blocks by due date and priority, around events and within working hours, and changes nothing', async () => {
    await add({ title: 'Someday', priority: 'high' })
    await add({ title: 'Later', dueAt: at(3, 12), estimateMinutes: 120 })
    await add({ title: 'Soon', dueAt: at(1, 12), estimateMinutes: 60 })
    await add({ title: 'Done', dueAt: at(1, 9), status: 'done' })
    const meeting = { start: at(0, 9.5), end: at(0, 11) }
    await instance.post('/api/calendar/events', { title: 'Meeting', ...meeting, recurrence: 'FREQ=WEEKLY' })
    await instance.post('/api/calendar/events', {
      title: 'Off',
      start: at(0, 12),
      end: at(0, 17),
      status: 'cancelled',
    })
    const found = await plan({ bufferMinutes: 15, lunch: null })
    expect(summarize(found.blocks)).toEqual([
      `Later ${day(0)}T09:00-09:15`,
      `Soon ${day(0)}T11:15-12:15`,
      `Later ${day(0)}T12:30-14:00`,
      `Later ${day(0)}T14:15-14:30`,
      `Someday ${day(0)}T14:45-15:15`,
    ])
    expect(found).toMatchObject({ applied: false, actionId: null, unplanned: [], timezone: 'UTC' })
    const parts = found.blocks.filter(({ title }: Booked) => title === 'Later')
    expect(parts.map(({ part, parts: of }: { part: number; parts: number }) => [part, of])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    expect(await events()).toHaveLength(2)
    expect((await instance.get('/api/actions')).body.actions).toEqual([])
  })

  it('leaves lunch and travel free', async () => {
    await add({ title: 'Report', estimateMinutes: 60 })
    await add({ title: 'Slides', estimateMinutes: 60 })
    await instance.post('/api/calendar/events', {
      title: 'Visit',
      start: at(0, 10),
      end: at(0, 11),
      location: 'Main Street 5, Springfield',
    })
    const travelling = await plan({ bufferMinutes: 0 })
    expect(summarize(travelling.blocks)).toEqual([
      `Report ${day(0)}T13:00-14:00`,
      `Slides ${day(0)}T14:00-15:00`,
    ])
    const without = await plan({
      bufferMinutes: 0,
      travelMinutes: 0,
      lunch: { start: '13:00', end: '14:00' },
    })
    expect(summarize(without.blocks)).toEqual([
      `Report ${day(0)}T09:00-10:00`,
      `Slides ${day(0)}T11:00-12:00`,
    ])
  })

  it('books the chosen blocks at their own times, and undoes them together', async () => {
    const report = await add({ title: 'Report', estimateMinutes: 60 })
    const slides = await add({ title: 'Slides' })
    const blocks = [
      { taskId: slides, start: at(1, 18), end: at(1, 18.5) },
      { taskId: report, start: at(1, 12), end: at(1, 13) },
      { taskId: report, start: at(1, 15), end: at(1, 15.5) },
    ]
    const booked = await plan({ blocks, apply: true })
    expect(summarize(booked.blocks)).toEqual([
      `Report ${day(1)}T12:00-13:00`,
      `Report ${day(1)}T15:00-15:30`,
      `Slides ${day(1)}T18:00-18:30`,
    ])
    expect((await events()).map(({ title }) => title)).toEqual(['Report (1/2)', 'Report (2/2)', 'Slides'])
    expect((await undo(booked.actionId)).status).toBe(200)
    expect(await events()).toEqual([])
  })

  it('rejects chosen blocks that overlap, are in the past, or belong to a closed task, and books nothing', async () => {
    const id = await add({ title: 'Report' })
    const done = await add({ title: 'Done', status: 'done' })
    await instance.post('/api/calendar/events', { title: 'Call', start: at(1, 9), end: at(1, 10) })
    const book = async (...blocks: object[]) => {
      const input = { start: at(0, 0), end: at(5, 0), blocks, apply: true }
      const { status, body } = await instance.post('/api/tasks/plan', input)
      return [status, body.code, body.errors?.[0]?.path]
    }
    const free = { taskId: id, start: at(1, 11), end: at(1, 12) }
    expect(await book(free, { taskId: id, start: at(1, 9.5), end: at(1, 10.5) })).toEqual([
      409,
      'time_taken',
      'blocks.1',
    ])
    expect(await book(free, { ...free, start: at(1, 11.5), end: at(1, 12.5) })).toEqual([
      409,
      'time_taken',
      'blocks.1',
    ])
    expect(await book({ taskId: done, start: at(1, 11), end: at(1, 12) })).toEqual([
      409,
      'conflict',
      undefined,
    ])
    expect(await book({ taskId: id, start: at(-30, 11), end: at(-30, 12) })).toEqual([
      400,
      'validation_failed',
      'blocks.0.start',
    ])
    expect(await book({ ...free, end: free.start })).toEqual([400, 'validation_failed', 'blocks.0.end'])
    expect((await events()).map(({ title }) => title)).toEqual(['Call'])
  })

  it('reports tasks that do not fit, with the reason', async () => {
    await add({ title: 'Hopeless', dueAt: at(0, 10), estimateMinutes: 240 })
    await add({ title: 'Huge', estimateMinutes: 10_080 })
    expect((await plan()).unplanned).toMatchObject([
      { title: 'Hopeless', missingMinutes: 180, reason: 'due_too_soon' },
      { title: 'Huge', reason: 'no_time', detail: expect.stringContaining('free minutes left') },
    ])
  })

  it('is booked completely on request, and undone once', async () => {
    const id = await add({ title: 'Report', estimateMinutes: 120 })
    const booked = await plan({ apply: true })
    expect(booked.applied).toBe(true)
    expect((await events()).map(({ title }) => title)).toEqual(['Report (1/2)', 'Report (2/2)'])
    expect(booked.blocks.map(({ eventId }: { eventId: number }) => eventId)).toEqual(
      (await events()).map((event) => event.id),
    )
    expect((await instance.get('/api/actions')).body.actions).toEqual([
      {
        id: booked.actionId,
        kind: 'tasks.planned',
        summary: 'Planned 1 task in 2 blocks',
        at: expect.any(String),
        undoneAt: null,
      },
    ])
    const again = await plan({ apply: true })
    expect([again.applied, again.unplanned]).toMatchObject([
      false,
      [{ taskId: id, reason: 'already_planned' }],
    ])
    const undone = await undo(booked.actionId)
    expect([undone.status, undone.body.undoneAt]).toEqual([200, expect.any(String)])
    expect(await events()).toEqual([])
    expect((await undo(booked.actionId)).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await plan()).blocks).toHaveLength(2)
  })

  it('cannot be undone after a block was changed or deleted, and reports it', async () => {
    await add({ title: 'Report', estimateMinutes: 120 })
    const { actionId } = await plan({ apply: true })
    const { id } = await eventOf('Report (2/2)')
    await instance.call('PATCH', `/api/calendar/events/${id}`, { body: { location: 'Library' } })
    const changed = await undo(actionId)
    expect([changed.status, changed.body.detail]).toEqual([
      409,
      'The planned block “Report (2/2)” has been changed since.',
    ])
    await instance.call('DELETE', `/api/calendar/events/${id}`)
    expect((await undo(actionId)).body.detail).toBe('One of the planned blocks has been removed since.')
    expect(await events()).toHaveLength(1)
    expect((await instance.get('/api/actions')).body.actions[0].undoneAt).toBeNull()
  })

  it('plans the time again after a block was deleted by hand', async () => {
    await add({ title: 'Report', estimateMinutes: 120 })
    await plan({ apply: true })
    await instance.call('DELETE', `/api/calendar/events/${(await eventOf('Report (2/2)')).id}`)
    const lengths = (await plan()).blocks.map(({ start, end }: Booked) => Date.parse(end) - Date.parse(start))
    expect(lengths).toEqual([30 * 60_000])
  })

  it('requested several times at once books each task once', async () => {
    await add({ title: 'Report', estimateMinutes: 60 })
    const plans = await Promise.all([1, 2, 3].map(() => plan({ apply: true })))
    expect(plans.filter(({ applied }) => applied)).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })

  it('is undone once by concurrent requests', async () => {
    await add({ title: 'Report', estimateMinutes: 60 })
    const { actionId } = await plan({ apply: true })
    const answers = await Promise.all([1, 2, 3].map(() => undo(actionId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('booked twice with one Idempotency-Key is one plan', async () => {
    await add({ title: 'Report' })
    const input = { start: at(0, 0), end: at(5, 0), apply: true }
    const headers = { 'idempotency-key': 'plan-1' }
    const first = await instance.post('/api/tasks/plan', input, { headers })
    const second = await instance.post('/api/tasks/plan', input, { headers })
    expect(second.body).toEqual(first.body)
    expect(await events()).toHaveLength(1)
  })

  it('has no blocks in the past, and none in a window that has passed', async () => {
    await add({ title: 'Report' })
    const past = await plan({ start: '2020-01-06', end: '2020-01-11' })
    expect([past.blocks, past.unplanned[0].reason]).toEqual([[], 'no_time'])
  })

  it.each([
    [{ start: '2026-01-02', end: '2026-01-01' }, 'end'],
    [{ start: '2026-01-01', end: '2026-12-01' }, 'end'],
    [{ start: 'now', end: '2026-12-01' }, 'start'],
    [{ start: '2026-01-01', end: '2026-01-02', minutesPerDay: 1 }, 'minutesPerDay'],
  ])('rejects %j', async (input, path) => {
    const answer = await instance.post('/api/tasks/plan', input)
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, path])
  })

  it('rejects a task from an event that does not exist', async () => {
    const { body } = await instance.post('/api/calendar/events', { title: 'Meeting', start: at(0, 9) })
    expect((await instance.post('/api/tasks', { title: 'x', eventId: body.id })).status).toBe(201)
    const answer = await instance.post('/api/tasks', { title: 'x', eventId: body.id + 999 })
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'eventId'])
  })

  it('keeps a task when its email or event is deleted', async () => {
    const event = (await instance.post('/api/calendar/events', { title: 'Meeting', start: at(0, 9) })).body
    const email = (await instance.post('/api/emails', { from: 'ben@example.org', subject: 'Report' })).body
    const input = { title: `"emailId":${email.id},`, emailId: email.id, eventId: event.id }
    const made = await instance.post('/api/tasks', input)
    expect(made.status).toBe(201)
    expect(
      (await instance.post('/api/tasks', { title: 'x', emailId: email.id + 999 })).body.errors[0].path,
    ).toBe('emailId')
    const read = async () => await instance.get(`/api/tasks/${made.body.id}`)
    expect((await read()).body).toMatchObject(input)
    await instance.call('DELETE', `/api/emails/${email.id}`)
    const without = await read()
    expect(without.body).toMatchObject({ title: input.title, emailId: null, eventId: event.id })
    expect(without.headers.get('etag')).not.toBe(made.headers.get('etag'))
    await instance.call('DELETE', `/api/calendar/events/${event.id}`)
    expect((await read()).body).toMatchObject({ title: input.title, emailId: null, eventId: null })
    const changed = await instance.call('PATCH', `/api/tasks/${made.body.id}`, { body: { title: 'Report' } })
    expect(changed.body).toMatchObject({ title: 'Report', emailId: null, eventId: null })
  })
})

onOneDatabase('sqlite', 'a plan by a token', (engine) => {
  it('also requires the scopes of the calendar', async () => {
    const instance = await startInstance({ engine })
    const { token } = await register(instance)
    const make = async (scopes: string[]) =>
      (await instance.post('/api/settings/tokens', { password: PASSWORD, name: 'n', scopes }, { token })).body
        .token
    const ask = async (scopes: string[], apply: boolean) =>
      (
        await instance.post(
          '/api/tasks/plan',
          { start: '2040-01-01', end: '2040-01-08', apply },
          { token: await make(scopes) },
        )
      ).status
    expect(await ask(['tasks:write'], false)).toBe(403)
    expect(await ask(['tasks:write', 'calendar:read'], false)).toBe(200)
    expect(await ask(['tasks:write', 'calendar:read'], true)).toBe(403)
    expect(await ask(['tasks:write', 'calendar:write'], true)).toBe(200)
    await instance.close()
  })
})

/** A minimal calendar with one table in the same database, so that it takes part in transactions. */
const createAgenda = async ({ database: { db } }: Instance) => {
  await sql`create table agenda (id integer primary key, version integer, title text, "start" text, "end" text)`.execute(
    db,
  )
  let last = 0
  const agenda: Agenda = {
    async busyBetween(on, _userId, from, to) {
      const { rows } =
        await sql<BookedEvent>`select * from agenda where "start" < ${to} and "end" > ${from}`.execute(on)
      return rows.map((row) => ({ ...row, allDay: false, location: '', isReservation: false }))
    },
    async create(tx, _userId, { title, start, end }) {
      const event = { id: ++last, version: 1, title, start, end }
      await sql`insert into agenda values (${event.id}, 1, ${title}, ${start}, ${end})`.execute(tx)
      return event
    },
    async find(on, _userId, ids) {
      const { rows } = await sql<BookedEvent>`select * from agenda`.execute(on)
      return rows.filter(({ id }) => ids.includes(id))
    },
    async remove(tx, _userId, id) {
      await sql`delete from agenda where id = ${id}`.execute(tx)
    },
    has: async () => true,
  }
  return agenda
}

onOneDatabase('sqlite', 'a plan that cannot be booked', (engine) => {
  it('leaves no rows', async () => {
    const instance = await startInstance({ engine })
    const { clock, app } = instance
    const { db } = instance.database
    const agenda = await createAgenda(instance)
    const userId = await getLocalUserId(db)
    const actions = createActions({ db, clock, changes: app.changes })
    const planning = new Planning({
      db,
      clock,
      actions,
      preferences: app.features.preferences,
      agenda: {
        ...agenda,
        create: (tx, userId, block) =>
          block.title.endsWith('(2/2)') ? Promise.reject(new Error('no')) : agenda.create(tx, userId, block),
      },
    })
    await instance.post('/api/tasks', { title: 'Report', estimateMinutes: 120 })
    await expect(
      planning.plan(userId, { start: '2040-01-01', end: '2040-01-08', apply: true }),
    ).rejects.toThrow('no')
    expect(await agenda.busyBetween(db, userId, '2000', '2100')).toEqual([])
    expect((await actions.list(userId, { limit: 100 })).actions).toEqual([])
    await instance.close()
  })
})

onEveryDatabase('the journal of actions', (engine) => {
  it('is paged from the newest, expires after 30 days, and undoes only known actions', async () => {
    const instance = await startInstance({ engine })
    const { db } = instance.database
    const userId = await getLocalUserId(db)
    const rows = [1, 2, 3].map((n) => ({
      userId,
      kind: 'long.gone',
      summary: `Action ${n}`,
      payload: '{}',
      undoneAt: null,
      at: instance.clock.now().toISOString(),
    }))
    await db.insertInto('actions').values(rows).execute()
    const first = await instance.get('/api/actions?limit=2')
    expect(first.body.actions.map(({ summary }: { summary: string }) => summary)).toEqual([
      'Action 3',
      'Action 2',
    ])
    const second = await instance.get(`/api/actions?limit=2&cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ actions: [{ summary: 'Action 1' }], nextCursor: null })
    const undo = await instance.post(`/api/actions/${first.body.actions[0].id}/undo`)
    expect([undo.status, undo.body.code]).toEqual([409, 'conflict'])
    expect((await instance.post('/api/actions/999/undo')).status).toBe(404)
    expect((await instance.post('/api/actions/x/undo')).status).toBe(400)
    await instance.close()
  })
})
