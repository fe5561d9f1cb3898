import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const EVENTS = '/api/calendar/events'

interface Occurrence {
  id: number
  recurringEventId: number | null
  occurrenceStart: string | null
  start: string
  end: string
  title: string
}

onOneDatabase('sqlite', 'series of events', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const create = async (body: Record<string, unknown> = {}): Promise<number> => {
    const made = await instance.post(EVENTS, {
      title: 'Stand-up',
      start: '2026-03-02T09:00:00+01:00',
      end: '2026-03-02T09:15:00+01:00',
      recurrence: 'FREQ=WEEKLY;BYDAY=MO',
      ...body,
    })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body.id
  }
  const patch = (id: number, body: unknown, query = '') =>
    instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })
  const remove = (id: number, query = '') => instance.call('DELETE', `${EVENTS}/${id}${query}`)
  const list = async (query: string): Promise<Occurrence[]> =>
    (await instance.get(`${EVENTS}?${query}`)).body.events
  const startsOf = async (id: number, from: string, until: string): Promise<string[]> =>
    (await list(`start=${from}&end=${until}&limit=200`))
      .filter((event) => event.id === id)
      .map(({ start }) => start)
  const at = (start: string, scope = 'this') => `?occurrence=${start}&scope=${scope}`
  /** Runs the background expansion. */
  const expand = async (): Promise<void> => {
    const { createExpansion } = await import('../src/features/calendar/event-writer.ts')
    const expansion = createExpansion({ db: instance.database.db, clock: instance.clock })
    while (await expansion.expandNext());
  }

  // Windows must contain the same events with and without expansion in advance.
  describe.each([
    ['expanded on request', async () => {}],
    ['expanded in advance', expand],
  ])('%s', (_when, prepare) => {
    it('keep their local time across both daylight saving changes', async () => {
      const id = await create({ recurrence: 'FREQ=DAILY;COUNT=400' })
      await prepare()
      const starts = await startsOf(id, '2026-03-27', '2026-04-01')
      expect(starts).toEqual([
        '2026-03-27T08:00:00.000Z',
        '2026-03-28T08:00:00.000Z',
        '2026-03-29T07:00:00.000Z',
        '2026-03-30T07:00:00.000Z',
        '2026-03-31T07:00:00.000Z',
      ])
      expect(await startsOf(id, '2026-10-24', '2026-10-27')).toEqual([
        '2026-10-24T07:00:00.000Z',
        '2026-10-25T08:00:00.000Z',
        '2026-10-26T08:00:00.000Z',
      ])
      await remove(id)
    })

    it('without an end occur in every year, and are listed once without a window', async () => {
      const id = await create()
      await prepare()
      expect(await startsOf(id, '2026-03-01', '2026-03-17')).toEqual([
        '2026-03-02T08:00:00.000Z',
        '2026-03-09T08:00:00.000Z',
        '2026-03-16T08:00:00.000Z',
      ])
      expect(await startsOf(id, '2126-03-01', '2126-03-10')).toEqual(['2126-03-04T08:00:00.000Z'])
      expect(await startsOf(id, '2025-03-01', '2026-03-01')).toEqual([])
      const unexpanded = (await list('limit=200')).filter((event) => event.id === id)
      expect(unexpanded).toHaveLength(1)
      expect(unexpanded[0]).toMatchObject({ recurringEventId: null, occurrenceStart: null })
      const [occurrence] = (await list('start=2026-03-09&end=2026-03-10')).filter((event) => event.id === id)
      expect(occurrence).toMatchObject({ recurringEventId: id, occurrenceStart: '2026-03-09T08:00:00.000Z' })
      const one = await instance.get(`${EVENTS}/${id}?occurrence=2026-03-09T08:00:00.000Z`)
      expect(one.body).toEqual(occurrence)
      expect((await instance.get(`${EVENTS}/${id}?occurrence=2026-03-10T08:00:00.000Z`)).status).toBe(404)
      await remove(id)
    })

    it('include an occurrence that began before the window and still continues', async () => {
      const id = await create({
        start: '2026-03-02T22:00:00+01:00',
        end: '2026-03-04T06:00:00+01:00',
        recurrence: 'FREQ=WEEKLY;COUNT=20',
      })
      await prepare()
      expect(await startsOf(id, '2026-03-11T04:59:00Z', '2026-03-11T04:59:30Z')).toEqual([
        '2026-03-09T21:00:00.000Z',
      ])
      expect(await startsOf(id, '2026-03-11T05:00:00Z', '2026-03-11T06:00:00Z')).toEqual([])
      await remove(id)
    })

    it('are paged without missing or duplicate occurrences', async () => {
      const ids = [
        await create({ recurrence: 'FREQ=DAILY' }),
        await create({ recurrence: 'FREQ=DAILY;INTERVAL=2' }),
        await create({ recurrence: null }),
        await create({ recurrence: 'FREQ=HOURLY;INTERVAL=6', end: '2026-03-02T16:00:00+01:00' }),
      ]
      await prepare()
      const window = 'start=2026-03-01&end=2026-04-01'
      const whole = await list(`${window}&limit=200`)
      expect(whole.length).toBe(30 + 15 + 1 + 119)
      const paged: Occurrence[] = []
      for (let cursor = ''; ; ) {
        const { body } = await instance.get(`${EVENTS}?${window}&limit=7${cursor}`)
        paged.push(...body.events)
        if (body.nextCursor === null) break
        cursor = `&cursor=${body.nextCursor}`
      }
      expect(paged).toEqual(whole)
      for (const id of ids) await remove(id)
    })

    it('exclude and add the given occurrences', async () => {
      const id = await create({
        recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE;TZID=Europe/Berlin:20260309T090000',
        rdates: ['2026-03-12T15:00:00+01:00'],
      })
      await prepare()
      expect(await startsOf(id, '2026-03-01', '2026-05-01')).toEqual([
        '2026-03-02T08:00:00.000Z',
        '2026-03-12T14:00:00.000Z',
        '2026-03-16T08:00:00.000Z',
        '2026-03-23T08:00:00.000Z',
      ])
      await remove(id)
    })

    it('change a single occurrence', async () => {
      const id = await create()
      await prepare()
      const changed = await patch(
        id,
        { title: 'Stand-up, long', start: '2026-03-10T11:00:00+01:00' },
        at('2026-03-09T08:00:00.000Z'),
      )
      expect([changed.status, changed.body]).toMatchObject([
        200,
        {
          id,
          recurringEventId: id,
          occurrenceStart: '2026-03-09T08:00:00.000Z',
          start: '2026-03-10T10:00:00.000Z',
          end: '2026-03-10T10:15:00.000Z',
          title: 'Stand-up, long',
        },
      ])
      await prepare()
      const [first, second, third] = (await list('start=2026-03-01&end=2026-03-17')).filter(
        (event) => event.id === id,
      )
      expect([first?.start, second?.start, third?.start]).toEqual([
        '2026-03-02T08:00:00.000Z',
        '2026-03-10T10:00:00.000Z',
        '2026-03-16T08:00:00.000Z',
      ])
      expect({ ...second, conflicts: [] }).toEqual(changed.body)
      // Change it again by its original start, then revert it.
      const again = await patch(id, { title: 'Stand-up, longest' }, at('2026-03-09T08:00:00.000Z'))
      expect([again.body.title, again.body.start]).toEqual(['Stand-up, longest', '2026-03-10T10:00:00.000Z'])
      const called = await patch(id, { status: 'cancelled' }, at('2026-03-16T08:00:00.000Z'))
      expect(called.body.status).toBe('cancelled')
      expect((await patch(id, { recurrence: null }, at('2026-03-09T08:00:00.000Z'))).status).toBe(400)
      expect((await patch(id, { title: 'x' }, at('2026-03-08T08:00:00.000Z'))).status).toBe(404)
      expect((await patch(id, { title: 'x' }, '?scope=this')).status).toBe(400)
      // A changed occurrence is not listed as a separate event.
      const ids = new Set((await list('limit=200')).map((event) => event.id))
      expect([...ids].filter((one) => one > id)).toEqual([])
      expect((await instance.get(`${EVENTS}/${id + 1}`)).status).toBe(404)
      await remove(id)
      expect(await startsOf(id, '2026-03-01', '2026-04-01')).toEqual([])
    })

    it('delete a single occurrence, with or without an earlier change', async () => {
      const id = await create()
      await prepare()
      await patch(id, { title: 'Moved', start: '2026-03-17T09:00:00Z' }, at('2026-03-16T08:00:00.000Z'))
      expect((await remove(id, at('2026-03-09T08:00:00.000Z'))).status).toBe(204)
      expect((await remove(id, at('2026-03-16T08:00:00.000Z'))).status).toBe(204)
      expect((await remove(id, at('2026-03-09T08:00:00.000Z'))).status).toBe(404)
      await prepare()
      expect(await startsOf(id, '2026-03-01', '2026-03-31')).toEqual([
        '2026-03-02T08:00:00.000Z',
        '2026-03-23T08:00:00.000Z',
        '2026-03-30T07:00:00.000Z',
      ])
      await remove(id)
    })

    it('change this and following occurrences', async () => {
      const id = await create({ recurrence: 'FREQ=WEEKLY;COUNT=6', exdates: ['2026-03-30T09:00:00+02:00'] })
      await prepare()
      await patch(id, { title: 'Special' }, at('2026-04-06T07:00:00.000Z'))
      const rest = await patch(
        id,
        { title: 'Later', start: '2026-03-16T10:30:00+01:00' },
        at('2026-03-16T08:00:00.000Z', 'following'),
      )
      expect(rest.status).toBe(200)
      expect(rest.body.id).not.toBe(id)
      await prepare()
      expect(await startsOf(id, '2026-03-01', '2026-06-01')).toEqual([
        '2026-03-02T08:00:00.000Z',
        '2026-03-09T08:00:00.000Z',
      ])
      const later = (await list('start=2026-03-01&end=2026-06-01')).filter(
        (event) => event.id === rest.body.id,
      )
      expect(later.map(({ start, title }) => [start, title])).toEqual([
        ['2026-03-16T09:30:00.000Z', 'Later'],
        ['2026-03-23T09:30:00.000Z', 'Later'],
        ['2026-04-06T08:30:00.000Z', 'Special'],
      ])
      await remove(id)
      await remove(rest.body.id)
    })

    it('end before an occurrence', async () => {
      const id = await create()
      await prepare()
      await patch(id, { title: 'Special' }, at('2026-04-06T07:00:00.000Z'))
      expect((await remove(id, at('2026-03-16T08:00:00.000Z', 'following'))).status).toBe(204)
      await prepare()
      expect(await startsOf(id, '2026-03-01', '2030-01-01')).toEqual([
        '2026-03-02T08:00:00.000Z',
        '2026-03-09T08:00:00.000Z',
      ])
      expect((await remove(id, at('2026-03-02T08:00:00.000Z', 'following'))).status).toBe(204)
      expect((await instance.get(`${EVENTS}/${id}`)).status).toBe(404)
    })

    it('change as a whole with one occurrence, including their changed occurrences', async () => {
      const id = await create({ exdates: ['2026-03-23T09:00:00+01:00'] })
      await patch(id, { notes: 'mine' }, at('2026-03-09T08:00:00.000Z'))
      await patch(id, { start: '2026-03-17T12:00:00+01:00' }, at('2026-03-16T08:00:00.000Z'))
      await prepare()
      const whole = await patch(
        id,
        { title: 'Renamed', start: '2026-04-06T10:00:00+02:00', end: '2026-04-06T11:00:00+02:00' },
        at('2026-04-06T07:00:00.000Z', 'all'),
      )
      expect([whole.body.id, whole.body.start, whole.body.end]).toEqual([
        id,
        '2026-03-02T09:00:00.000Z',
        '2026-03-02T10:00:00.000Z',
      ])
      await prepare()
      const rows = (await list('start=2026-03-01&end=2026-04-10')).filter((event) => event.id === id)
      expect(rows.map(({ start, title }) => [start, title])).toEqual([
        ['2026-03-02T09:00:00.000Z', 'Renamed'],
        ['2026-03-09T09:00:00.000Z', 'Renamed'],
        ['2026-03-17T11:00:00.000Z', 'Renamed'],
        ['2026-03-30T08:00:00.000Z', 'Renamed'],
        ['2026-04-06T08:00:00.000Z', 'Renamed'],
      ])
      expect(rows[1]).toMatchObject({ notes: 'mine', occurrenceStart: '2026-03-09T09:00:00.000Z' })
      await remove(id, at('2026-03-09T09:00:00.000Z', 'all'))
      expect((await instance.get(`${EVENTS}/${id}`)).status).toBe(404)
    })

    it('become a single event without their rule', async () => {
      const id = await create()
      await patch(id, { title: 'Special' }, at('2026-03-09T08:00:00.000Z'))
      await prepare()
      expect((await patch(id, { recurrence: null })).body.recurrence).toBe(null)
      await prepare()
      expect(await startsOf(id, '2026-03-01', '2027-01-01')).toEqual(['2026-03-02T08:00:00.000Z'])
      await remove(id)
    })
  })

  it('increase their version with every change of an occurrence, for If-Match', async () => {
    const id = await create()
    const before = await instance.get(`${EVENTS}/${id}`)
    const one = await patch(id, { title: 'Special' }, at('2026-03-09T08:00:00.000Z'))
    expect(one.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const stale = await instance.call('DELETE', `${EVENTS}/${id}${at('2026-03-09T08:00:00.000Z')}`, {
      headers: { 'if-match': String(before.headers.get('etag')) },
    })
    expect(stale.status).toBe(412)
    const fresh = await instance.call('DELETE', `${EVENTS}/${id}${at('2026-03-09T08:00:00.000Z')}`, {
      headers: { 'if-match': String(one.headers.get('etag')) },
    })
    expect(fresh.status).toBe(204)
    await remove(id)
  })

  it('that are dense or hostile cost no more than the requested page', async () => {
    const ids = [
      await create({ recurrence: 'FREQ=MINUTELY;INTERVAL=5', end: '2026-03-02T09:05:00+01:00' }),
      await create({
        recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
        start: '2024-02-29',
        end: '2024-03-01',
      }),
    ]
    await expand()
    expect(await list('start=2026-03-05&end=2036-03-05&limit=50')).toHaveLength(50)
    await remove(ids[0] as number)
    expect(await startsOf(ids[1] as number, '2028-02-01', '2028-03-02')).toEqual(['2028-02-28T23:00:00.000Z'])
    await remove(ids[1] as number)
  })
})
