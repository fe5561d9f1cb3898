import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createExpansion } from '../src/features/calendar/event-writer.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const EVENTS = '/api/calendar/events'

interface Listed {
  id: number
  uid: string
  title: string
  start: string
  end: string
  occurrenceStart: string | null
}

onOneDatabase('postgres', 'occurrences of a series', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
  })

  const create = async (body: Record<string, unknown> = {}): Promise<number> => {
    const made = await instance.post(EVENTS, {
      title: 'Daily',
      start: '2026-03-02T09:00:00+01:00',
      end: '2026-03-02T09:15:00+01:00',
      recurrence: 'FREQ=DAILY;COUNT=5',
      ...body,
    })
    expect([made.status, made.body.errors]).toEqual([201, undefined])
    return made.body.id
  }
  const patch = async (id: number, body: unknown, query = '') => {
    const answer = await instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const remove = async (id: number, query = '') =>
    expect((await instance.call('DELETE', `${EVENTS}/${id}${query}`)).status).toBe(204)
  const list = async (from: string, until: string): Promise<Listed[]> =>
    (await instance.get(`${EVENTS}?start=${from}&end=${until}&limit=200`)).body.events
  const listTitles = async (from = '2026-03-01', until = '2026-06-01') =>
    (await list(from, until)).map(({ title, start }) => `${start.slice(5, 16)} ${title}`)
  const at = (start: string, scope = 'this') => `?occurrence=${start}&scope=${scope}`
  const expand = async (): Promise<void> => {
    const expansion = createExpansion({ db: instance.database.db, clock: instance.clock })
    while (await expansion.expandNext());
  }

  describe.each([
    ['expanded on request', async () => {}],
    ['expanded in advance', expand],
  ])('%s', (_when, prepare) => {
    it.each([
      ['later', '2026-03-03T09:00:00+01:00', ['03-03T08:00 Daily', '03-04T08:00 A', '03-05T08:00 B']],
      ['earlier', '2026-03-01T09:00:00+01:00', ['03-01T08:00 Daily', '03-02T08:00 A', '03-03T08:00 B']],
    ])('with adjacent changes move %s with their series', async (_, start, expected) => {
      const id = await create()
      await patch(id, { title: 'A' }, at('2026-03-03T08:00:00Z'))
      await patch(id, { title: 'B' }, at('2026-03-04T08:00:00Z'))
      await prepare()
      await patch(id, { start })
      await prepare()
      expect((await listTitles()).slice(0, 3)).toEqual(expected)
    })

    it('keep their own changes when the series is split before them, and get its new UID', async () => {
      const id = await create()
      await patch(id, { title: 'Special' }, at('2026-03-05T08:00:00Z'))
      await prepare()
      const rest = await patch(
        id,
        { recurrence: 'FREQ=DAILY;COUNT=3' },
        at('2026-03-04T08:00:00Z', 'following'),
      )
      await prepare()
      expect(await listTitles()).toEqual([
        '03-02T08:00 Daily',
        '03-03T08:00 Daily',
        '03-04T08:00 Daily',
        '03-05T08:00 Special',
        '03-06T08:00 Daily',
      ])
      const later = (await list('2026-03-04', '2026-03-08')).map(({ id, uid }) => [id, uid])
      expect(later).toEqual([1, 2, 3].map(() => [rest.id, rest.uid]))
    })

    it.each(['following', 'all'])(
      'are changed together with %s, including the selected changed one',
      async (scope) => {
        const id = await create()
        await patch(
          id,
          { title: 'Special', notes: 'own', start: '2026-03-04T12:00:00Z' },
          at('2026-03-04T08:00:00Z'),
        )
        await prepare()
        await patch(id, { title: 'New', start: '2026-03-04T13:00:00Z' }, at('2026-03-04T08:00:00Z', scope))
        await prepare()
        const before =
          scope === 'all'
            ? ['03-02T09:00 New', '03-03T09:00 New']
            : ['03-02T08:00 Daily', '03-03T08:00 Daily']
        expect(await listTitles()).toEqual([
          ...before,
          '03-04T13:00 New',
          '03-05T09:00 New',
          '03-06T09:00 New',
        ])
        const [special] = (await list('2026-03-04T13:00:00Z', '2026-03-04T13:01:00Z')) as (Listed & {
          notes: string
        })[]
        expect(special).toMatchObject({ notes: 'own', occurrenceStart: '2026-03-04T09:00:00.000Z' })
      },
    )

    it('move to the new weekday with a weekly series, including the last', async () => {
      const id = await create({
        recurrence: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260330T070000Z',
        exdates: ['2026-03-16T09:00:00+01:00'],
      })
      await prepare()
      const moved = await patch(id, { start: '2026-03-10T10:00:00+01:00' }, at('2026-03-09T08:00:00Z', 'all'))
      expect(moved.recurrence).toBe('FREQ=WEEKLY;UNTIL=20260331T080000Z;BYDAY=TU')
      await prepare()
      expect(await listTitles()).toEqual([
        '03-03T09:00 Daily',
        '03-10T09:00 Daily',
        '03-24T09:00 Daily',
        '03-31T08:00 Daily',
      ])
      // A rule that is sent with the new start is used as given.
      await patch(id, { start: '2026-03-04T10:00:00+01:00', recurrence: 'FREQ=WEEKLY;BYDAY=FR;COUNT=2' })
      expect(await listTitles()).toEqual(['03-04T09:00 Daily', '03-06T09:00 Daily'])
    })

    it('keep their number when the series moves to another zone', async () => {
      const id = await create({
        recurrence: 'FREQ=WEEKLY;UNTIL=20260330T070000Z',
        exdates: ['2026-03-16T09:00:00+01:00'],
      })
      await patch(id, { title: 'Special' }, at('2026-03-09T08:00:00Z'))
      await prepare()
      await patch(id, { timezone: 'America/New_York' })
      await prepare()
      // 03:00 local time in New York, where daylight saving time begins three weeks earlier.
      expect(await listTitles()).toEqual([
        '03-02T08:00 Daily',
        '03-09T07:00 Special',
        '03-23T07:00 Daily',
        '03-30T07:00 Daily',
      ])
    })

    it('are deleted with the series when the last one is deleted', async () => {
      const id = await create({ recurrence: 'FREQ=DAILY;COUNT=2' })
      await prepare()
      await remove(id, at('2026-03-02T08:00:00Z'))
      await remove(id, at('2026-03-03T08:00:00Z'))
      expect((await instance.get(`${EVENTS}/${id}`)).status).toBe(404)
      const other = await create({ recurrence: 'FREQ=DAILY;COUNT=3' })
      await remove(other, at('2026-03-02T08:00:00Z'))
      await remove(other, at('2026-03-03T08:00:00Z', 'following'))
      expect((await instance.get(`${EVENTS}/${other}`)).status).toBe(404)
    })

    it('are changed as a series if all of them follow the first remaining one', async () => {
      const id = await create({ bookingId: 'bk-series' })
      await remove(id, at('2026-03-02T08:00:00Z'))
      await prepare()
      const changed = await patch(id, { title: 'All' }, at('2026-03-03T08:00:00Z', 'following'))
      expect([changed.id, changed.bookingId]).toEqual([id, 'bk-series'])
      expect((await listTitles()).map((text) => text.slice(-3))).toEqual(['All', 'All', 'All', 'All'])
    })

    it('of an all-day series last from midnight to midnight, even if clocks are set forward at midnight', async () => {
      // In Cairo, 24 April 2026 begins at one o'clock.
      await create({
        allDay: true,
        start: '2026-04-23',
        end: undefined,
        timezone: 'Africa/Cairo',
        recurrence: 'FREQ=DAILY;COUNT=3',
      })
      await create({
        title: 'One',
        allDay: true,
        start: '2026-04-24',
        end: undefined,
        timezone: 'Africa/Cairo',
        recurrence: null,
      })
      const moved = await create({
        title: 'Two',
        allDay: true,
        start: '2026-04-20',
        end: '2026-04-22',
        timezone: 'Africa/Cairo',
        recurrence: 'FREQ=WEEKLY;COUNT=2',
      })
      await patch(moved, { start: '2026-04-24' })
      await prepare()
      expect(
        (await list('2026-04-01', '2026-06-01')).map(({ title, start, end }) => [title, start, end]),
      ).toEqual([
        ['Daily', '2026-04-22T22:00:00.000Z', '2026-04-23T22:00:00.000Z'],
        ['Daily', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
        ['One', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
        ['Two', '2026-04-23T22:00:00.000Z', '2026-04-25T21:00:00.000Z'],
        ['Daily', '2026-04-24T21:00:00.000Z', '2026-04-25T21:00:00.000Z'],
        ['Two', '2026-04-30T21:00:00.000Z', '2026-05-02T21:00:00.000Z'],
      ])
    })

    it('of a rule that ends on the last supported day exist', async () => {
      await create({
        timezone: 'UTC',
        start: '2026-03-02T23:30:00Z',
        end: '2026-03-03T01:00:00Z',
        recurrence: 'FREQ=DAILY;UNTIL=99991231T235959Z',
      })
      await prepare()
      expect(await listTitles('2026-03-02T20:00:00Z', '2026-03-04T20:00:00Z')).toEqual([
        '03-02T23:30 Daily',
        '03-03T23:30 Daily',
      ])
      expect(await listTitles('2400-01-01T00:00:00Z', '2400-01-02T00:00:00Z')).toEqual([
        '12-31T23:30 Daily',
        '01-01T23:30 Daily',
      ])
    })
  })

  it('outside of the supported years are rejected in all requests', async () => {
    for (const recurrence of [
      'FREQ=SECONDLY;BYMONTH=12',
      'FREQ=DAILY;BYHOUR=9,10,11,12,13,14;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49',
      Array.from({ length: 100 }, (_, n) => `FREQ=HOURLY;BYMINUTE=${n % 60};BYSECOND=${n % 7}`).join('\n'),
      'FREQ=DAILY\nEXDATE:20260230T090000',
      'FREQ=DAILY\nEXDATE:99991231T235959',
      'FREQ=DAILY\nRDATE:00010101T000000',
      'FREQ=DAILY;COUNT=1\nEXDATE;TZID=Europe/Berlin:20260302T090000',
    ]) {
      const answer = await instance.post(EVENTS, {
        title: 'x',
        start: '2026-03-02T09:00:00+01:00',
        recurrence,
      })
      expect([recurrence, answer.status, answer.body.errors?.[0].path]).toEqual([
        recurrence,
        400,
        'recurrence',
      ])
    }
    const late = await instance.post(EVENTS, { title: 'x', start: '2026-03-02', end: '9989-03-02' })
    const later = await instance.call('PATCH', `${EVENTS}/${late.body.id}`, { body: { start: '9980-01-01' } })
    expect([later.status, later.body.errors?.[0].path]).toEqual([400, 'end'])
    const offset = await instance.post(EVENTS, { title: 'x', start: '2026-03-02', timezone: '+02:00' })
    expect([offset.status, offset.body.errors?.[0].path]).toEqual([400, 'timezone'])
    const small = await instance.post(EVENTS, { title: 'x', start: '2026-03-02', timezone: 'europe/berlin' })
    expect(small.body.timezone).toBe('Europe/Berlin')
    expect(await create({ recurrence: 'FREQ=MINUTELY;COUNT=10' })).toBeGreaterThan(0)
  })
})
