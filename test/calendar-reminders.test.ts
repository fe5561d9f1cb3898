import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createReminders } from '../src/features/calendar/reminders.ts'
import { MINUTE } from './support/clock.ts'
import { onEveryDatabase, onPostgresOnly } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const EVENTS = '/api/calendar/events'

const remindersOf = ({ database, clock, app }: Instance) =>
  createReminders({ db: database.db, clock, changes: app.changes, jobs: app.jobs })

const toldIn = async ({ database }: Instance) => {
  const rows = await database.db
    .selectFrom('changes')
    .select(['subject', 'data'])
    .where('type', '=', 'event.starting')
    .orderBy('id')
    .execute()
  return rows.map(({ subject, data }) => ({ subject, ...JSON.parse(data) }))
}

/** A full minute from now on. */
const later = ({ clock }: Instance, ms: number): string =>
  new Date(Math.ceil(clock.now().getTime() / MINUTE) * MINUTE + ms).toISOString()

onEveryDatabase('reminders', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    await instance.database.db.deleteFrom('events').execute()
    await instance.database.db.deleteFrom('changes').execute()
  })

  const create = async (body: Record<string, unknown>): Promise<number> =>
    (await instance.post(EVENTS, { title: 'Talk', ...body })).body.id
  const patch = (id: number, body: unknown, query = '') =>
    instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })

  it('that are due are told although the event is changed in that very moment', async () => {
    const start = later(instance, 20 * MINUTE)
    const id = await create({ start, reminders: [{ minutesBefore: 10 }] })
    instance.clock.advance(11 * MINUTE)
    await patch(id, { title: 'Renamed' })
    await patch(id, { end: new Date(Date.parse(start) + 30 * MINUTE).toISOString() })
    await remindersOf(instance).tellDue()
    expect(await toldIn(instance)).toMatchObject([{ title: 'Renamed', start, minutesBefore: 10 }])
    // Nor are they told again because of a change, with a clock that was turned back.
    instance.clock.advance(-5 * MINUTE)
    await patch(id, { title: 'Again' })
    instance.clock.advance(6 * MINUTE)
    await remindersOf(instance).tellDue()
    expect(await toldIn(instance)).toHaveLength(1)
  })

  it('of a changed occurrence name the series, where it can be asked for', async () => {
    const start = later(instance, 20 * MINUTE)
    const id = await create({ start, recurrence: 'FREQ=DAILY;COUNT=3', reminders: [{ minutesBefore: 10 }] })
    const moved = new Date(Date.parse(start) + MINUTE).toISOString()
    await patch(id, { start: moved }, `?occurrence=${start}`)
    instance.clock.advance(15 * MINUTE)
    await remindersOf(instance).tellDue()
    const told = await toldIn(instance)
    expect(told).toMatchObject([{ subject: String(id), id, start: moved, occurrenceStart: start }])
  })

  it('of more than can be told at once are all told, each once', async () => {
    const start = later(instance, MINUTE)
    await create({
      start,
      end: new Date(Date.parse(start) + 4000 * MINUTE).toISOString(),
      recurrence: 'FREQ=MINUTELY;INTERVAL=5;COUNT=250',
      reminders: [{ minutesBefore: 0 }, { minutesBefore: 5 }],
    })
    instance.clock.advance(2000 * MINUTE)
    await remindersOf(instance).tellDue()
    const told = await toldIn(instance)
    // Five minutes before the first it was not there yet.
    expect(told).toHaveLength(499)
    expect(new Set(told.map(({ start, minutesBefore }) => `${start} ${minutesBefore}`)).size).toBe(499)
  })

  it('cost no more than the next of them, however many a rule names', async () => {
    const answer = await instance.post(EVENTS, {
      title: 'Dense',
      start: later(instance, MINUTE),
      recurrence: 'FREQ=MINUTELY;INTERVAL=5',
      reminders: Array.from({ length: 20 }, (_, n) => ({ minutesBefore: n === 0 ? 0 : 40_320 - n })),
    })
    expect(answer.status).toBe(201)
  })
})

onPostgresOnly('reminders of two instances', () => {
  it('are told once', async () => {
    const one = await startInstance({ engine: 'postgres' })
    const other = await startInstance({ place: one.place, clock: one.clock })
    const start = later(one, 20 * MINUTE)
    for (let n = 0; n < 30; n++)
      await one.post(EVENTS, { title: `Talk ${n}`, start, reminders: [{ minutesBefore: 10 }] })
    one.clock.advance(15 * MINUTE)
    await Promise.all(
      [one, other, one, other].map((instance, n) =>
        n < 2
          ? remindersOf(instance).tellDue()
          : instance.call('PATCH', `${EVENTS}/${n}`, { body: { notes: 'changed meanwhile' } }),
      ),
    )
    expect((await toldIn(one)).map(({ title }) => title).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => `Talk ${n}`).sort(),
    )
    await other.close()
    await one.close()
  })
})
