import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Call, type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const FIXTURES = '../shared/data/ics-fixtures'

const calendar = (...components: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...components, 'END:VCALENDAR', ''].join('\r\n')
const vevent = (...lines: string[]): string =>
  ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')

const series = vevent(
  'UID:series@example.org',
  'DTSTART;TZID=Europe/Berlin:20260302T090000',
  'DTEND;TZID=Europe/Berlin:20260302T093000',
  'RRULE:FREQ=WEEKLY;COUNT=4',
  'EXDATE;TZID=Europe/Berlin:20260309T090000',
  'SUMMARY:Stand-up\\, weekly',
  'LOCATION:Room 4',
  'CATEGORIES:work,team',
  'ORGANIZER;CN=Ana Ruiz:mailto:ana@example.org',
  'ATTENDEE;CN=Li Wei;PARTSTAT=ACCEPTED;ROLE=OPT-PARTICIPANT:mailto:li@example.org',
  'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Soon\r\nEND:VALARM',
)
const changed = vevent(
  'UID:series@example.org',
  'RECURRENCE-ID;TZID=Europe/Berlin:20260316T090000',
  'DTSTART;TZID=Europe/Berlin:20260317T100000',
  'DTEND;TZID=Europe/Berlin:20260317T110000',
  'SUMMARY:Stand-up\\, moved',
)
const days = vevent(
  'UID:days@example.org',
  'DTSTART;VALUE=DATE:20260320',
  'DTEND;VALUE=DATE:20260322',
  'SUMMARY:Away',
)

onOneDatabase('sqlite', 'calendar files', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const send = (file: string | Uint8Array, more: Call = {}) =>
    instance.call('POST', '/api/calendar/import', {
      ...more,
      body: file,
      headers: { 'content-type': 'text/calendar', ...more.headers },
    })
  const counts = ({ created, updated, unchanged, skippedCount }: Record<string, number>) => [
    created,
    updated,
    unchanged,
    skippedCount,
  ]
  const rowsIn = async (from: string, until: string) =>
    (await instance.get(`${EVENTS}?start=${from}&end=${until}&limit=200`)).body.events.map(
      (event: { title: string; start: string }) => [event.title, event.start],
    )
  const clear = async () => {
    await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
  }

  it('create events, with each occurrence in its series', async () => {
    const answer = await send(calendar(changed, series, days))
    expect([answer.status, counts(answer.body)]).toEqual([200, [3, 0, 0, 0]])
    expect(await rowsIn('2026-03-01', '2026-04-01')).toEqual([
      ['Stand-up, weekly', '2026-03-02T08:00:00.000Z'],
      ['Stand-up, moved', '2026-03-17T09:00:00.000Z'],
      ['Away', '2026-03-19T23:00:00.000Z'],
      ['Stand-up, weekly', '2026-03-23T08:00:00.000Z'],
    ])
    const { body } = await instance.get(`${EVENTS}?source=ics`)
    expect(body.events.map(({ uid }: { uid: string }) => uid)).toEqual([
      'series@example.org',
      'days@example.org',
    ])
    expect(body.events[0]).toMatchObject({
      organizer: { name: 'Ana Ruiz', email: 'ana@example.org' },
      attendees: [{ name: 'Li Wei', email: 'li@example.org', status: 'accepted' }],
      reminders: [{ minutesBefore: 15 }],
      tags: ['work', 'team'],
      timezone: 'Europe/Berlin',
    })
  })

  it('change nothing when imported again, and apply a later revision', async () => {
    expect(counts((await send(calendar(changed, series, days))).body)).toEqual([0, 0, 3, 0])
    const renamed = days.replace('SUMMARY:Away', 'SUMMARY:Far away')
    expect(counts((await send(calendar(renamed))).body)).toEqual([0, 0, 1, 0])
    const revised = renamed.replace('UID:', 'SEQUENCE:2\r\nUID:')
    expect(counts((await send(calendar(revised))).body)).toEqual([0, 1, 0, 0])
    const older = await send(calendar(days))
    expect(counts(older.body)).toEqual([0, 0, 1, 0])
    expect((await rowsIn('2026-03-20', '2026-03-21'))[0][0]).toBe('Far away')
  })

  it('cancel events', async () => {
    const cancel = calendar(
      'METHOD:CANCEL',
      vevent('UID:days@example.org', 'SEQUENCE:3', 'DTSTART;VALUE=DATE:20260320'),
    )
    expect(counts((await send(cancel)).body)).toEqual([0, 1, 0, 0])
    const { body } = await instance.get(`${EVENTS}?status=cancelled`)
    expect(body.events.map(({ uid }: { uid: string }) => uid)).toEqual(['days@example.org'])
    // A cancellation of an unknown event creates a cancelled event.
    const unknown = cancel.replace('days@', 'nobody@')
    expect(counts((await send(unknown)).body)).toEqual([1, 0, 0, 0])
  })

  it('that move a series also move its changed occurrences', async () => {
    await clear()
    await send(calendar(series, changed))
    const moved = series.replaceAll('20260302T09', '20260303T11').replace('UID:', 'SEQUENCE:1\r\nUID:')
    expect(counts((await send(calendar(moved))).body)).toEqual([0, 1, 0, 0])
    expect((await rowsIn('2026-03-01', '2026-04-01')).map(([title]: string[]) => title)).toEqual(
      Array.from({ length: 4 }, () => 'Stand-up, weekly'),
    )
    await clear()
  })

  it('that cancel one occurrence of a series leave the others', async () => {
    await clear()
    await send(calendar(series))
    const cancel = vevent(
      'UID:series@example.org',
      'SEQUENCE:1',
      'RECURRENCE-ID;TZID=Europe/Berlin:20260316T090000',
    )
    expect(counts((await send(calendar('METHOD:CANCEL', cancel))).body)).toEqual([0, 1, 0, 0])
    const { body } = await instance.get(`${EVENTS}?start=2026-03-01&end=2026-04-01`)
    expect(body.events.map(({ start, status }: Record<string, string>) => [start, status])).toEqual([
      ['2026-03-02T08:00:00.000Z', 'confirmed'],
      ['2026-03-16T08:00:00.000Z', 'cancelled'],
      ['2026-03-23T08:00:00.000Z', 'confirmed'],
    ])
    await clear()
  })

  it('with one broken event import the others, and report its line and the reason', async () => {
    const file = calendar(
      vevent('UID:a@example.org', 'SUMMARY:No such day', 'DTSTART:20260230T100000Z'),
      vevent('UID:d@example.org', 'SUMMARY:Whenever'),
      vevent('UID:b@example.org', 'DTSTART:20260401T100000Z', 'SUMMARY:Fine'),
      'BEGIN:VTODO\r\nUID:c@example.org\r\nSUMMARY:To do\r\nEND:VTODO',
    )
    const { body } = await send(file)
    expect(counts(body)).toEqual([2, 0, 0, 2])
    expect(body.warnings).toMatchObject([{ uid: 'd@example.org', line: 10 }])
    expect(await rowsIn('2026-01-01', '2026-01-02')).toEqual([['Whenever', '2025-12-31T23:00:00.000Z']])
    expect(body.skipped.map(({ uid, line }: { uid: string; line: number }) => [uid, line])).toEqual([
      ['a@example.org', 4],
      ['c@example.org', 21],
    ])
    expect(body.skipped.every(({ reason }: { reason: string }) => reason.length > 10)).toBe(true)
  })

  it('are rejected if they are not calendars', async () => {
    for (const file of ['', 'hello', '{"not":"a calendar"}']) {
      const answer = await send(file)
      expect([file, answer.status]).toEqual([file, 400])
    }
    expect((await instance.post('/api/calendar/import', { a: 1 })).body).toMatchObject({
      status: 415,
      detail: 'Send the body as text/calendar.',
    })
    const large = await send(Buffer.alloc(25 * 1024 * 1024 + 1, 32))
    expect(large.status).toBe(413)
  })

  it('report progress on request', async () => {
    const many = Array.from({ length: 450 }, (_, n) =>
      vevent(`UID:many-${n}@example.org`, 'DTSTART:20270401T100000Z', `SUMMARY:Event ${n}`),
    )
    const answer = await send(calendar(...many), { headers: { accept: 'text/event-stream' } })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const streamed = [...answer.body.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => [
      name,
      JSON.parse(data).created,
    ])
    expect(streamed).toEqual([
      ['progress', 200],
      ['progress', 400],
      ['done', 450],
    ])
    const whole = await send(calendar(...many), { headers: { accept: 'text/event-stream;q=0' } })
    expect(whole.body).toMatchObject({ created: 0, unchanged: 450 })
    // Two concurrent requests with the same key get the same response, and create no duplicates.
    const headers = { 'idempotency-key': 'import-1', accept: 'text/event-stream' }
    const first = await send(calendar(days.replace('days@', 'once@')), { headers })
    const second = await send(calendar(days.replace('days@', 'once@')), { headers })
    expect([first.body.created, second.body.created, second.headers.get('idempotency-replayed')]).toEqual([
      1,
      1,
      'true',
    ])
  })

  it('imported twice at the same time create no duplicates', async () => {
    const file = calendar(
      ...Array.from({ length: 30 }, (_, n) => vevent(`UID:race-${n}`, 'DTSTART:20280401T100000Z')),
    )
    const answers = await Promise.all([send(file), send(file), send(file)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const total = answers.reduce((sum, { body }) => sum + body.created, 0)
    expect(total).toBe(30)
    await clear()
  })

  it('exported by Factotum are imported unchanged', async () => {
    await send(calendar(series, changed, days))
    await instance.post(EVENTS, {
      title: 'Mine',
      start: '2026-05-01T10:00:00Z',
      notes: 'mine',
      reminders: [{ minutesBefore: 5 }],
    })
    const file = await instance.get('/api/calendar/export.ics')
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(file.headers.get('content-disposition')).toContain('attachment')
    const listAll = async () =>
      (await instance.get(`${EVENTS}?start=2026-01-01&end=2027-01-01`)).body.events.map(
        ({
          id: _,
          recurringEventId: __,
          createdAt: ___,
          updatedAt: ____,
          source: _____,
          notes: ______,
          ...event
        }: Record<string, unknown>) => event,
      )
    const before = await listAll()
    expect(before).toHaveLength(5)
    expect(counts((await send(file.body)).body)).toEqual([0, 0, 4, 0])
    await clear()
    expect(counts((await send(file.body)).body)).toEqual([4, 0, 0, 0])
    expect(await listAll()).toEqual(before)
  })

  it('are available as a feed with a token, until it is revoked', async () => {
    const { token } = await register(instance)
    const feed = await instance.post(
      '/api/settings/feed-tokens',
      { name: 'Phone', purpose: 'calendar' },
      { token },
    )
    const path = `/api/calendar/feed.ics?token=${feed.body.token}`
    const first = await instance.get(path)
    expect([first.status, first.body.match(/BEGIN:VEVENT/g)?.length]).toEqual([200, 4])
    const etag = String(first.headers.get('etag'))
    expect((await instance.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    await instance.post(EVENTS, { title: 'New', start: '2026-05-02T10:00:00Z' })
    expect((await instance.get(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
    // After old changes are deleted, the ETag must still change.
    const known = new Set([etag])
    const isNews = async (): Promise<boolean> => {
      const answer = await instance.get(path)
      const tag = String(answer.headers.get('etag'))
      return !known.has(tag) && known.add(tag).size > 0
    }
    expect(await isNews()).toBe(true)
    await instance.database.db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
    expect(await isNews()).toBe(true)
    instance.clock.advance(86_400_000)
    expect(await isNews()).toBe(true)
    expect(await isNews()).toBe(false)
    // As after a full import or a restored backup: events without recorded changes, and reused ids.
    await instance.database.db
      .deleteFrom('events')
      .where('title', '=', 'New')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(await isNews()).toBe(true)
    instance.clock.advance(-86_400_000)
    const userId = await getLocalUserId(instance.database.db)
    const change = { id: 1_000_000, userId, type: 'event.updated', subject: '1', data: '{}' }
    for (const at of ['2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z']) {
      await instance.database.db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
      await instance.database.db
        .insertInto('changes')
        .values({ ...change, at })
        .execute()
      expect(await isNews()).toBe(true)
    }
    await instance.database.db.deleteFrom('changes').modifyEnd(ALL_ACCOUNTS).execute()
    expect((await instance.get('/api/calendar/feed.ics')).status).toBe(401)
    expect((await instance.get('/api/calendar/feed.ics?token=wrong')).status).toBe(401)
    await instance.call('DELETE', `/api/settings/feed-tokens/${feed.body.id}`, { token })
    expect((await instance.get(path)).status).toBe(401)
    await clear()
  })

  it.skipIf(!existsSync(FIXTURES))(
    'from other programs are imported completely: real ones and torture tests',
    async () => {
      const index = readFileSync(join(FIXTURES, 'index.public.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(index.length).toBeGreaterThan(100)
      const wrong: unknown[] = []
      let wellFormed = 0
      for (const known of index) {
        const { status, body } = await send(readFileSync(join(FIXTURES, known.file)))
        await clear()
        if (status >= 500) wrong.push([known.file, status])
        if (!known.balanced || known.invalid_by_name) continue
        wellFormed++
        // Two components with the same UID in a file are one event; the second counts as updated or
        // unchanged.
        if (status !== 200 || body.created + body.updated + body.unchanged !== known.vevent)
          wrong.push([known.file, status, known.vevent, body])
      }
      console.info(
        `calendar fixtures: ${wellFormed - wrong.length} of ${wellFormed} well-formed files came in whole`,
      )
      expect(1 - wrong.length / wellFormed, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(0.98)
    },
  )
})
