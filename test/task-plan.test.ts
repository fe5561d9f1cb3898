import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createActions } from '../src/features/actions/actions.ts'
import type { Agenda, BookedEvent } from '../src/features/tasks/agenda.ts'
import { createPlanning } from '../src/features/tasks/planning.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

/** A calendar of one table, in the same database, so that a transaction means what it says. */
const createAgenda = async ({ database: { db } }: Instance) => {
  await sql`create table agenda (id integer primary key, version integer, title text, "start" text, "end" text)`.execute(
    db,
  )
  let last = 0
  const agenda: Agenda = {
    async busyBetween(on, from, to) {
      const { rows } =
        await sql<BookedEvent>`select * from agenda where "start" < ${to} and "end" > ${from}`.execute(on)
      return rows
    },
    async create(tx, { title, start, end }) {
      const event = { id: ++last, version: 1, title, start, end }
      await sql`insert into agenda values (${event.id}, 1, ${title}, ${start}, ${end})`.execute(tx)
      return event
    },
    async find(on, ids) {
      const { rows } = await sql<BookedEvent>`select * from agenda`.execute(on)
      return rows.filter(({ id }) => ids.includes(id))
    },
    async remove(tx, id) {
      await sql`delete from agenda where id = ${id}`.execute(tx)
    },
  }
  return agenda
}

onEveryDatabase('a plan', (engine) => {
  let instance: Instance
  let agenda: Agenda
  let planning: ReturnType<typeof createPlanning>
  let actions: ReturnType<typeof createActions>
  /** The Monday after next, so that no part of it has passed. */
  let monday: number
  const DAY = 86_400_000
  const at = (day: number, hour: number) => new Date(monday + day * DAY + hour * 3_600_000).toISOString()
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    const { db } = instance.database
    agenda = await createAgenda(instance)
    const { clock, app } = instance
    actions = createActions({ db, clock, changes: app.changes })
    planning = createPlanning({ db, clock, preferences: app.rooms.preferences, agenda, actions })
    const today = Math.floor(clock.now().getTime() / DAY)
    monday = (today + 14 - ((today + 3) % 7)) * DAY
  })
  afterAll(() => instance.close())
  beforeEach(async () => {
    const { db } = instance.database
    await db.deleteFrom('tasks').execute()
    await sql`delete from agenda`.execute(db)
  })

  const add = async (fields: Record<string, unknown>): Promise<number> =>
    (await instance.post('/api/tasks', { title: 'Task', ...fields })).body.id
  const week = () => ({ start: at(0, 0), end: at(5, 0) })
  const events = async () =>
    (await sql<BookedEvent>`select * from agenda order by "start"`.execute(instance.database.db)).rows
  const shown = (plan: Awaited<ReturnType<typeof planning.plan>>) =>
    plan.blocks.map(({ title, start, end }) => `${title} ${start.slice(8, 16)}-${end.slice(11, 16)}`)
  const day = (n: number) => at(n, 0).slice(8, 10)

  it('proposes blocks by due date and priority, around events and within working hours, and changes nothing', async () => {
    await add({ title: 'Someday', priority: 'high' })
    await add({ title: 'Later', dueAt: at(3, 12), estimateMinutes: 120 })
    await add({ title: 'Soon', dueAt: at(1, 12), estimateMinutes: 60 })
    await add({ title: 'Done', dueAt: at(1, 9), status: 'done' })
    await agenda.create(instance.database.db, {
      ...{ title: 'Meeting', start: at(0, 9.5), end: at(0, 11), description: '', timezone: 'UTC', tags: [] },
    })
    const plan = await planning.plan({ ...week(), bufferMinutes: 15 })
    expect(shown(plan)).toEqual([
      `Later ${day(0)}T09:00-09:15`,
      `Soon ${day(0)}T11:15-12:15`,
      `Later ${day(0)}T12:30-14:00`,
      `Later ${day(0)}T14:15-14:30`,
      `Someday ${day(0)}T14:45-15:15`,
    ])
    expect(plan).toMatchObject({ applied: false, actionId: null, unplanned: [], timezone: 'UTC' })
    expect(
      plan.blocks.filter(({ title }) => title === 'Later').map(({ part, parts }) => [part, parts]),
    ).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    expect(await events()).toHaveLength(1)
    expect((await actions.list({ limit: 10 })).actions).toEqual([])
  })

  it('says what does not fit, and why', async () => {
    await add({ title: 'Hopeless', dueAt: at(0, 10), estimateMinutes: 240 })
    await add({ title: 'Huge', estimateMinutes: 10_080 })
    const { unplanned } = await planning.plan(week())
    expect(unplanned).toMatchObject([
      { title: 'Hopeless', missingMinutes: 180, reason: 'due_too_soon' },
      { title: 'Huge', reason: 'no_time', detail: expect.stringContaining('no room') },
    ])
  })

  it('is booked when asked, all of it, and taken back once', async () => {
    const id = await add({ title: 'Report', estimateMinutes: 120 })
    const plan = await planning.plan({ ...week(), apply: true })
    expect(plan.applied).toBe(true)
    expect((await events()).map(({ title }) => title)).toEqual(['Report (1/2)', 'Report (2/2)'])
    expect(plan.blocks.map(({ eventId }) => eventId)).toEqual((await events()).map((event) => event.id))
    const listed = await instance.get('/api/actions')
    expect(listed.body.actions).toEqual([
      {
        id: plan.actionId,
        kind: 'tasks.planned',
        summary: 'Planned 1 task in 2 blocks',
        at: expect.any(String),
        undoneAt: null,
      },
    ])
    const again = await planning.plan({ ...week(), apply: true })
    expect([again.applied, again.unplanned]).toMatchObject([
      false,
      [{ taskId: id, reason: 'already_planned' }],
    ])
    await expect(actions.undo(plan.actionId as number)).resolves.toMatchObject({
      undoneAt: expect.any(String),
    })
    expect(await events()).toEqual([])
    await expect(actions.undo(plan.actionId as number)).rejects.toMatchObject({ kind: 'conflict' })
    expect((await planning.plan(week())).blocks).toHaveLength(2)
  })

  it('is not taken back once a block was changed or removed, and says so', async () => {
    await add({ title: 'Report', estimateMinutes: 120 })
    const { actionId } = await planning.plan({ ...week(), apply: true })
    await sql`update agenda set version = 2 where title = 'Report (2/2)'`.execute(instance.database.db)
    await expect(actions.undo(actionId as number)).rejects.toThrow('“Report (2/2)” has been changed')
    await sql`delete from agenda where title = 'Report (2/2)'`.execute(instance.database.db)
    await expect(actions.undo(actionId as number)).rejects.toThrow('removed')
    expect(await events()).toHaveLength(1)
    expect((await actions.list({ limit: 1 })).actions[0]?.undoneAt).toBeNull()
  })

  it('plans again the time of a block that was removed by hand', async () => {
    await add({ title: 'Report', estimateMinutes: 120 })
    await planning.plan({ ...week(), apply: true })
    await sql`delete from agenda where title = 'Report (2/2)'`.execute(instance.database.db)
    const more = await planning.plan(week())
    expect(more.blocks.map(({ start, end }) => Date.parse(end) - Date.parse(start))).toEqual([30 * 60_000])
  })

  it('asked for twice at once books each task once', async () => {
    await add({ title: 'Report', estimateMinutes: 60 })
    const plans = await Promise.all([1, 2, 3].map(() => planning.plan({ ...week(), apply: true })))
    expect(plans.filter(({ applied }) => applied)).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })

  it('leaves nothing behind when a block cannot be booked', async () => {
    await add({ title: 'Report', estimateMinutes: 120 })
    const broken: Agenda = {
      ...agenda,
      create: (tx, block) =>
        block.title.endsWith('(2/2)') ? Promise.reject(new Error('no')) : agenda.create(tx, block),
    }
    const own = createActions({
      db: instance.database.db,
      clock: instance.clock,
      changes: instance.app.changes,
    })
    const other = createPlanning({
      ...{ db: instance.database.db, clock: instance.clock, preferences: instance.app.rooms.preferences },
      agenda: broken,
      actions: own,
    })
    const before = (await own.list({ limit: 100 })).actions.length
    await expect(other.plan({ ...week(), apply: true })).rejects.toThrow('no')
    expect(await events()).toEqual([])
    expect((await own.list({ limit: 100 })).actions).toHaveLength(before)
  })

  it('has no blocks in the past, and none in a window that has passed', async () => {
    await add({ title: 'Report' })
    const past = await planning.plan({ start: '2020-01-06', end: '2020-01-11' })
    expect([past.blocks, past.unplanned[0]?.reason]).toEqual([[], 'no_time'])
  })

  it.each([
    [{ start: '2026-01-02', end: '2026-01-01' }, 'end'],
    [{ start: '2026-01-01', end: '2026-12-01' }, 'end'],
    [{ start: 'now', end: '2026-12-01' }, 'start'],
  ])('refuses %j', async (window, path) => {
    await expect(planning.plan(window)).rejects.toMatchObject({ details: { errors: [{ path }] } })
  })
})

onEveryDatabase('the journal of actions', (engine) => {
  it('pages from the newest, forgets after 30 days, and takes back only what it knows how to', async () => {
    const instance = await startInstance({ engine })
    const { db } = instance.database
    const rows = [1, 2, 3].map((n) => ({
      ...{ kind: 'long.gone', summary: `Action ${n}`, payload: '{}', undoneAt: null },
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
