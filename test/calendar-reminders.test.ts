import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { MINUTE } from './support/clock.ts'
import { onOneDatabase, onPostgresOnly } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const EVENTS = '/api/calendar/events'

const remindersOf = ({ app }: Instance) => app.features.calendarReminders

const listSentReminders = async ({ database }: Instance) => {
  const rows = await database.db
    .selectFrom('changes')
    .select(['subject', 'data'])
    .where('type', '=', 'event.starting')
    .orderBy('id')
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.map(({ subject, data }) => ({ subject, ...JSON.parse(data) }))
}

/** Rounds up to a full minute. */
const later = ({ clock }: Instance, ms: number): string =>
  new Date(Math.ceil(clock.now().getTime() / MINUTE) * MINUTE + ms).toISOString()

onOneDatabase('sqlite', 'reminders', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
  })
  afterAll(() => instance.close())
  afterEach(async () => {
    await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
    await instance.database.db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
  })

  const create = async (body: Record<string, unknown>): Promise<number> =>
    (await instance.post(EVENTS, { title: 'Talk', ...body })).body.id
  const patch = (id: number, body: unknown, query = '') =>
    instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })

  it('that are due are sent although the event changes at the same time', async () => {
    const start = later(instance, 20 * MINUTE)
    const id = await create({ start, reminders: [{ minutesBefore: 10 }] })
    instance.clock.advance(11 * MINUTE)
    await patch(id, { title: 'Renamed' })
    await patch(id, { end: new Date(Date.parse(start) + 30 * MINUTE).toISOString() })
    await remindersOf(instance).sendDue()
    expect(await listSentReminders(instance)).toMatchObject([{ title: 'Renamed', start, minutesBefore: 10 }])
    // They are not sent again after a change while the clock is set back.
    instance.clock.advance(-5 * MINUTE)
    await patch(id, { title: 'Again' })
    instance.clock.advance(6 * MINUTE)
    await remindersOf(instance).sendDue()
    expect(await listSentReminders(instance)).toHaveLength(1)
  })

  it('of a changed occurrence reference the series', async () => {
    const start = later(instance, 20 * MINUTE)
    const id = await create({ start, recurrence: 'FREQ=DAILY;COUNT=3', reminders: [{ minutesBefore: 10 }] })
    const moved = new Date(Date.parse(start) + MINUTE).toISOString()
    await patch(id, { start: moved }, `?occurrence=${start}`)
    instance.clock.advance(15 * MINUTE)
    await remindersOf(instance).sendDue()
    const sent = await listSentReminders(instance)
    expect(sent).toMatchObject([{ subject: String(id), id, start: moved, occurrenceStart: start }])
  })

  it('of more than one batch are all sent, each once', async () => {
    const start = later(instance, MINUTE)
    await create({
      start,
      end: new Date(Date.parse(start) + 4000 * MINUTE).toISOString(),
      recurrence: 'FREQ=MINUTELY;INTERVAL=5;COUNT=250',
      reminders: [{ minutesBefore: 0 }, { minutesBefore: 5 }],
    })
    instance.clock.advance(2000 * MINUTE)
    await remindersOf(instance).sendDue()
    const sent = await listSentReminders(instance)
    // The event did not exist five minutes before the first one.
    expect(sent).toHaveLength(499)
    expect(new Set(sent.map(({ start, minutesBefore }) => `${start} ${minutesBefore}`)).size).toBe(499)
  })

  describe('from alarms in files', () => {
    const utc = (instant: string): string => instant.replace(/[-:]|\.\d+/g, '')
    const fileOf = (start: string, triggers: readonly string[], more: readonly string[] = []): string =>
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'BEGIN:VEVENT',
        'UID:alarmed',
        'SUMMARY:Alarmed',
        `DTSTAMP:${utc(instance.clock.now().toISOString())}`,
        `DTSTART:${utc(start)}`,
        'DURATION:PT1H',
        ...more,
        ...triggers.flatMap((trigger) => [
          'BEGIN:VALARM',
          'ACTION:DISPLAY',
          'DESCRIPTION:x',
          ...trigger.split('\n'),
          'END:VALARM',
        ]),
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n')
    const bring = async (body: string): Promise<number> => {
      const headers = { 'content-type': 'text/calendar' }
      const report = await instance.call('POST', '/api/calendar/import', { body, headers })
      expect([report.status, report.body.created + report.body.updated]).toEqual([200, 1])
      const { id } = await instance.database.db
        .selectFrom('events')
        .select('id')
        .where('seriesId', 'is', null)
        .modifyEnd(ALL_ACCOUNTS)
        .executeTakeFirstOrThrow()
      return id
    }
    const past = (instant: string, minutes: number): string =>
      new Date(Date.parse(instant) + minutes * MINUTE).toISOString()
    const sentAfter = async (minutes: number): Promise<number[]> => {
      await instance.database.db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
      instance.clock.advance(minutes * MINUTE)
      await remindersOf(instance).sendDue()
      return (await listSentReminders(instance)).map(({ minutesBefore }) => minutesBefore)
    }

    it('are sent at their time: at a fixed time, before the end, after the start', async () => {
      const start = later(instance, 60 * MINUTE)
      const at = past(start, -40)
      await bring(
        fileOf(start, [
          `TRIGGER;VALUE=DATE-TIME:${utc(at)}`,
          'TRIGGER;RELATED=END:-PT15M',
          'TRIGGER;RELATED=END:PT0S',
          'TRIGGER:PT5M',
          'TRIGGER:-PT10M',
          // An acknowledged alarm, and ACTION:NONE.
          `TRIGGER;VALUE=DATE-TIME:${utc(past(start, -30))}\nACKNOWLEDGED:${utc(past(start, 1))}`,
          'TRIGGER:-PT20M\nACTION:NONE',
        ]).replace('ACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT20M', 'TRIGGER:-PT20M'),
      )
      expect(await sentAfter(10)).toEqual([])
      expect(await sentAfter(12)).toEqual([40])
      expect(await sentAfter(30)).toEqual([10])
      expect(await sentAfter(20)).toEqual([-5])
      expect(await sentAfter(35)).toEqual([-45])
      expect(await sentAfter(20)).toEqual([-60])
      expect(await sentAfter(600)).toEqual([])
    })

    it('are sent for every occurrence, and fixed-time alarms once, even with a changed occurrence', async () => {
      const start = later(instance, 60 * MINUTE)
      const at = `TRIGGER;VALUE=DATE-TIME:${utc(past(start, -20))}`
      const id = await bring(fileOf(start, [at, 'TRIGGER;RELATED=END:-PT30M'], ['RRULE:FREQ=DAILY;COUNT=2']))
      await patch(id, { title: 'Changed' }, `?occurrence=${start}`)
      expect(await sentAfter(45)).toEqual([20])
      expect(await sentAfter(60)).toEqual([-30])
      expect(await sentAfter(24 * 60)).toEqual([-30])
    })

    it('are sent once if a changed occurrence and its series have the same alarm', async () => {
      const start = later(instance, 60 * MINUTE)
      const at = `TRIGGER;VALUE=DATE-TIME:${utc(past(start, -20))}`
      const series = fileOf(start, [at], ['RRULE:FREQ=DAILY;COUNT=2'])
      const tomorrow = fileOf(past(start, 1500), [at], [`RECURRENCE-ID:${utc(past(start, 1440))}`])
      const body = series.replace('END:VCALENDAR\r\n', tomorrow.split('VERSION:2.0\r\n')[1] as string)
      const headers = { 'content-type': 'text/calendar' }
      const report = await instance.call('POST', '/api/calendar/import', { body, headers })
      expect(report.body.created).toBe(2)
      expect(await sentAfter(45)).toEqual([20])
      expect(await sentAfter(3000)).toEqual([])
    })

    it('are listed, and deleted one by one from the whole series', async () => {
      const start = later(instance, 60 * MINUTE)
      const at = past(start, -20)
      const triggers = [`TRIGGER;VALUE=DATE-TIME:${utc(at)}`, 'TRIGGER;RELATED=END:PT90S', 'TRIGGER:-PT10M']
      const id = await bring(fileOf(start, [...triggers, 'TRIGGER:-PT10M'], ['RRULE:FREQ=DAILY;COUNT=2']))
      await patch(id, { title: 'Changed' }, `?occurrence=${start}`)
      const alarms = async () => (await instance.get(`${EVENTS}/${id}/alarms`)).body
      const name = expect.stringMatching(/^\w+$/)
      const listed = await alarms()
      expect(listed).toEqual({
        alarms: [
          { id: name, relativeTo: null, minutesAfter: null, at },
          { id: name, relativeTo: 'end', minutesAfter: 1.5, at: null },
        ],
        nextCursor: null,
      })
      const [, ofEnd] = listed.alarms
      const path = `${EVENTS}/${id}/alarms/${ofEnd.id}`
      expect((await instance.call('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(412)
      expect((await instance.call('DELETE', path)).status).toBe(204)
      expect((await instance.call('DELETE', path)).status).toBe(404)
      expect((await alarms()).alarms).toEqual([listed.alarms[0]])
      expect(await sentAfter(45)).toEqual([20])
      expect(await sentAfter(10)).toEqual([10])
      expect(await sentAfter(90)).toEqual([])
      expect((await instance.get(`${EVENTS}/999999/alarms`)).status).toBe(404)
    })

    it('with the same time as a reminder are deleted with it, and all others stay', async () => {
      const start = later(instance, 60 * MINUTE)
      const id = await bring(fileOf(start, ['TRIGGER:-PT10M', 'TRIGGER:-PT10M', 'TRIGGER:PT5M']))
      await patch(id, { reminders: [{ minutesBefore: 20 }] })
      expect(await sentAfter(58)).toEqual([20])
      expect(await sentAfter(10)).toEqual([-5])
    })

    it('are not sent for an occurrence, or for following ones, without reminders', async () => {
      const start = later(instance, 60 * MINUTE)
      const [second, third] = [past(start, 1440), past(start, 2880)]
      const id = await bring(fileOf(start, ['TRIGGER:-PT10M', 'TRIGGER:PT5M'], ['RRULE:FREQ=DAILY;COUNT=4']))
      await patch(id, { reminders: [] }, `?occurrence=${start}`)
      await patch(id, { reminders: [] }, `?occurrence=${third}&scope=following`)
      expect(await sentAfter(120)).toEqual([])
      instance.clock.advance(Date.parse(second) - instance.clock.now().getTime() - 11 * MINUTE)
      expect(await sentAfter(2)).toEqual([10])
      expect(await sentAfter(20)).toEqual([-5])
      expect(await sentAfter(1440)).toEqual([])
    })

    it('continue in the new series after a change of following occurrences', async () => {
      const start = later(instance, 60 * MINUTE)
      const next = past(start, 1440)
      const id = await bring(
        fileOf(start, ['TRIGGER:PT5M'], ['RRULE:FREQ=DAILY;COUNT=2', 'CLASS:PRIVATE', 'X-OTHER:1']),
      )
      const { body } = await patch(id, { title: 'Later' }, `?occurrence=${next}&scope=following`)
      expect((await instance.get(`${EVENTS}/${body.id}/alarms`)).body.alarms).toMatchObject([
        { minutesAfter: 5 },
      ])
      const { body: file } = await instance.get('/api/calendar/export.ics')
      expect([...file.matchAll(/CLASS:PRIVATE/g)]).toHaveLength(2)
    })

    it('of a year ahead are kept when other reminders change', async () => {
      const start = later(instance, 60 * MINUTE)
      const id = await bring(fileOf(start, ['TRIGGER:-P300D', 'TRIGGER:-PT10M']))
      const { body } = await instance.get(`${EVENTS}/${id}`)
      const reminders = [...body.reminders, { minutesBefore: 30 }]
      expect(await patch(id, { reminders })).toMatchObject({ status: 200, body: { reminders } })
    })

    it('follow later revisions of the file, and are deleted when all reminders are removed', async () => {
      const start = later(instance, 60 * MINUTE)
      await bring(fileOf(start, ['TRIGGER:-PT10M', 'TRIGGER:PT15M']))
      instance.clock.advance(MINUTE)
      const id = await bring(fileOf(start, ['TRIGGER:-PT10M', 'TRIGGER:PT5M']))
      expect(await sentAfter(55)).toEqual([10])
      expect(await sentAfter(12)).toEqual([-5])
      const again = later(instance, 60 * MINUTE)
      await patch(id, { start: again })
      await patch(id, { reminders: [] })
      expect(await sentAfter(70)).toEqual([])
    })
  })

  it('expand a rule only up to the next one', async () => {
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
  it('are sent once', async () => {
    const one = await startInstance({ engine: 'postgres' })
    const other = await startInstance({ place: one.place, clock: one.clock })
    const start = later(one, 20 * MINUTE)
    for (let n = 0; n < 30; n++)
      await one.post(EVENTS, { title: `Talk ${n}`, start, reminders: [{ minutesBefore: 10 }] })
    one.clock.advance(15 * MINUTE)
    await Promise.all(
      [one, other, one, other].map((instance, n) =>
        n < 2
          ? remindersOf(instance).sendDue()
          : instance.call('PATCH', `${EVENTS}/${n}`, { body: { notes: 'changed meanwhile' } }),
      ),
    )
    expect((await listSentReminders(one)).map(({ title }) => title).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => `Talk ${n}`).sort(),
    )
    await other.close()
    await one.close()
  })
})
