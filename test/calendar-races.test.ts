import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createExpansion } from '../src/features/calendar/event-writer.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { scaled } from './support/scale.ts'

const EVENTS = '/api/calendar/events'

onEveryDatabase('concurrent calendar changes', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
  })

  const create = async (body: Record<string, unknown> = {}): Promise<number> =>
    (await instance.post(EVENTS, { title: 'Daily', start: '2026-03-02T09:00:00Z', ...body })).body.id
  const patch = (id: number, body: unknown, query = '') =>
    instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })
  const list = async (): Promise<{ start: string; title: string; notes: string }[]> =>
    (await instance.get(`${EVENTS}?start=2026-03-01&end=2026-05-01&limit=200`)).body.events
  const expandNext = () => createExpansion({ db: instance.database.db, clock: instance.clock }).expandNext()
  const expandAll = async (): Promise<void> => {
    while (await expandNext());
  }
  const send = async (file: string) =>
    (
      await instance.call('POST', '/api/calendar/import', {
        body: file,
        headers: { 'content-type': 'text/calendar' },
      })
    ).body

  it('a window contains each occurrence once while series are expanded, edited and changed in one occurrence', async () => {
    const ids = [
      await create({ recurrence: 'FREQ=DAILY;COUNT=20' }),
      await create({ recurrence: 'FREQ=DAILY;COUNT=20' }),
    ]
    let isOver = false
    const read = async (): Promise<string[][]> => {
      const seen: string[][] = []
      while (!isOver) seen.push((await list()).map(({ start }) => start.slice(0, 10)).sort())
      return seen
    }
    const write = async (id: number): Promise<void> => {
      for (let round = 0; round < scaled({ full: 15, short: 6 }); round++) {
        const end = `2026-03-02T${10 + (round % 10)}:00:00Z`
        expect((await patch(id, { end })).status).toBe(200)
        await expandNext()
        const day = `2026-03-${String(3 + (round % 15)).padStart(2, '0')}T09:00:00Z`
        expect((await patch(id, { notes: `${round}` }, `?occurrence=${day}`)).status).toBe(200)
      }
    }
    const readers = [read(), read(), read()]
    await Promise.all(ids.map(write))
    isOver = true
    const whole = Array.from({ length: 40 }, (_, n) =>
      new Date(Date.UTC(2026, 2, 2 + Math.floor(n / 2))).toISOString().slice(0, 10),
    )
    for (const seen of (await Promise.all(readers)).flat()) expect(seen).toEqual(whole)
  })

  it('two changes of one occurrence are both kept', async () => {
    const id = await create({ recurrence: 'FREQ=DAILY;COUNT=3' })
    const at = '?occurrence=2026-03-03T09:00:00Z'
    const answers = await Promise.all([
      patch(id, { title: 'Renamed' }, at),
      patch(id, { notes: 'noted' }, at),
      patch(id, { location: 'Room 4' }, at),
      expandAll(),
    ])
    expect(answers.slice(0, 3).map((answer) => answer?.status)).toEqual([200, 200, 200])
    const { body } = await instance.get(`${EVENTS}/${id}${at}`)
    expect(body).toMatchObject({ title: 'Renamed', notes: 'noted', location: 'Room 4' })
  })

  it('a series that is deleted during its expansion leaves no rows', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await create({ recurrence: 'FREQ=DAILY;COUNT=30' })
      await Promise.all([expandAll(), instance.call('DELETE', `${EVENTS}/${id}`), expandAll()])
    }
    expect(await list()).toEqual([])
    expect(
      await instance.database.db.selectFrom('occurrences').selectAll().modifyEnd(ALL_ACCOUNTS).execute(),
    ).toEqual([])
  })

  const vevent = (...lines: string[]): string =>
    ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')
  const calendar = (...events: string[]): string =>
    ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n')

  it('an import of changed occurrences during an expansion creates no duplicates', async () => {
    for (let round = 0; round < 8; round++) {
      await send(
        calendar(
          vevent(`UID:s${round}`, 'DTSTART:20260302T090000Z', 'RRULE:FREQ=DAILY;COUNT=20', 'SUMMARY:s'),
        ),
      )
      const changed = Array.from({ length: 20 }, (_, n) => {
        const day = `202603${String(2 + n).padStart(2, '0')}`
        return vevent(`UID:s${round}`, `RECURRENCE-ID:${day}T090000Z`, `DTSTART:${day}T110000Z`, 'SUMMARY:c')
      })
      await Promise.all([expandAll(), send(calendar(...changed)), expandAll()])
    }
    const rows = await list()
    expect(rows.filter(({ title }) => title === 's')).toEqual([])
    expect(rows).toHaveLength(160)
  })

  it('the same files, and files with the same events in another order, are all imported', async () => {
    const events = (revision: number) =>
      Array.from({ length: 60 }, (_, n) =>
        vevent(`UID:e${n}`, `SEQUENCE:${revision}`, 'DTSTART:20260302T090000Z', `SUMMARY:r${revision}`),
      )
    const first = await Promise.all([
      send(calendar(...events(0))),
      send(calendar(...events(0).reverse())),
      send(calendar(...events(0))),
    ])
    expect(first.map(({ created, unchanged }) => created + unchanged)).toEqual([60, 60, 60])
    expect(first.reduce((sum, { created }) => sum + created, 0)).toBe(60)
    const second = await Promise.all([
      send(calendar(...events(1))),
      send(calendar(...events(2).reverse())),
      ...Array.from({ length: 10 }, async (_, n) => {
        const [event] = (await instance.get(`${EVENTS}?limit=1`)).body.events
        return patch(event.id, { notes: `kept ${n}` })
      }),
    ])
    expect(second.slice(0, 2).map(({ found }) => found)).toEqual([60, 60])
    expect(second.slice(2).map(({ status }) => status)).toEqual(Array(10).fill(200))
    const rows = await list()
    expect(rows.map(({ title }) => title)).toEqual(Array(60).fill('r2'))
    // A concurrent import does not overwrite local fields.
    expect(rows[0]?.notes).toMatch(/^kept \d$/)
  })
})
