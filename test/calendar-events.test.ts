import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { DAY } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

onEveryDatabase('events', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const EVENTS = '/api/calendar/events'
  const create = (body: Record<string, unknown> = {}) =>
    instance.post(EVENTS, {
      title: 'Design review',
      start: '2026-03-02T09:00:00+01:00',
      end: '2026-03-02T10:00:00+01:00',
      ...body,
    })
  const patch = (id: number, body: unknown, query = '') =>
    instance.call('PATCH', `${EVENTS}/${id}${query}`, { body })
  const titlesIn = async (query: string): Promise<string[]> =>
    (await instance.get(`${EVENTS}?${query}`)).body.events.map((event: { title: string }) => event.title)

  it('reject tags without visible characters', async () => {
    const made = await create({ tags: ['work', ' '] })
    expect([made.status, made.body.errors]).toEqual([400, [{ path: 'tags.1', message: 'must not be empty' }]])
  })

  it('are returned with all fields and defaults', async () => {
    const made = await create({
      description: 'Bring the sketches. „Grüße“ 🙂',
      attendees: [
        'Li Wei <li@example.org>',
        { email: 'ana@example.org', status: 'accepted' },
        'bo@example.org',
      ],
      organizer: '"Ruiz, Ana" <ana@example.org>',
      reminders: [{ minutesBefore: 15 }],
      tags: ['work', 'Work ', 'work'],
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${EVENTS}/${made.body.id}`)
    const { conflicts, ...event } = made.body
    expect(conflicts).toEqual([])
    expect(event).toEqual({
      id: expect.any(Number),
      recurringEventId: null,
      occurrenceStart: null,
      uid: expect.stringContaining('@'),
      title: 'Design review',
      description: 'Bring the sketches. „Grüße“ 🙂',
      location: '',
      meetingUrl: null,
      start: '2026-03-02T08:00:00.000Z',
      end: '2026-03-02T09:00:00.000Z',
      allDay: false,
      timezone: 'Europe/Berlin',
      status: 'confirmed',
      source: 'manual',
      bookingId: null,
      organizer: { name: 'Ruiz, Ana', email: 'ana@example.org' },
      attendees: [
        { name: 'Li Wei', email: 'li@example.org', status: 'needs-action' },
        { name: '', email: 'ana@example.org', status: 'accepted' },
        { name: '', email: 'bo@example.org', status: 'needs-action' },
      ],
      reminders: [{ minutesBefore: 15 }],
      notes: '',
      tags: ['work'],
      recurrence: null,
      exdates: [],
      rdates: [],
      busy: true,
      emailId: null,
      calendarId: expect.any(Number),
      changedBy: null,
      bufferBefore: null,
      bufferAfter: null,
      mirrorOf: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const again = await instance.get(`${EVENTS}/${event.id}`)
    expect(again.body).toEqual(event)
    expect(again.headers.get('etag')).toBe(made.headers.get('etag'))
    const unchanged = await instance.get(`${EVENTS}/${event.id}`, {
      headers: { 'if-none-match': String(again.headers.get('etag')) },
    })
    expect(unchanged.status).toBe(304)
    expect((await instance.call('DELETE', `${EVENTS}/${event.id}`)).status).toBe(204)
    expect((await instance.get(`${EVENTS}/${event.id}`)).status).toBe(404)
  })

  it('are rejected with the invalid field, and nothing is stored', async () => {
    const before = await instance.get(EVENTS)
    for (const [body, path] of [
      [{ end: '2026-03-02T09:00:00+01:00' }, 'end'],
      [{ end: '2026-03-02T08:00:00+01:00' }, 'end'],
      [{ start: 'tomorrow' }, 'start'],
      [{ start: '2026-02-30' }, 'start'],
      [{ start: '0001-01-01T00:00:00+01:00' }, 'start'],
      [{ start: undefined }, 'start'],
      [{ title: undefined }, 'title'],
      [{ title: '' }, 'title'],
      [{ title: ' \n' }, 'title'],
      [{ title: 7 }, 'title'],
      [{ titel: 'x' }, 'titel'],
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ status: 'maybe' }, 'status'],
      [{ source: 'bookingsvc' }, 'source'],
      [{ attendees: ['nobody'] }, 'attendees.0'],
      [{ attendees: [{ email: 'nobody' }] }, 'attendees.0.email'],
      [{ attendees: ['a@b.c', 'A@B.C'] }, 'attendees.1'],
      [{ meetingUrl: 'javascript:alert(1)' }, 'meetingUrl'],
      [{ reminders: [{ minutesBefore: -1 }] }, 'reminders.0.minutesBefore'],
      [{ recurrence: 'FREQ=SOMETIMES' }, 'recurrence'],
      [{ recurrence: 'FREQ=SECONDLY' }, 'recurrence'],
      [
        { recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', exdates: ['2026-03-02T09:00:00+01:00'] },
        'recurrence',
      ],
      [{ rdates: ['2020-01-01'] }, 'rdates'],
    ] as const) {
      const answer = await create(body)
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'validation_failed'])
      expect([body, answer.body.errors.map((error: { path: string }) => error.path)]).toEqual([body, [path]])
    }
    expect((await instance.get(EVENTS)).body).toEqual(before.body)
  })

  it('default to a length of one hour, or one day', async () => {
    const hour = await create({ end: undefined })
    expect(hour.body.end).toBe('2026-03-02T09:00:00.000Z')
    const day = await create({ allDay: true, start: '2026-03-29', end: undefined })
    expect([day.body.start, day.body.end]).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
    for (const { body } of [hour, day]) await instance.call('DELETE', `${EVENTS}/${body.id}`)
  })

  it('that last all day consist of whole days in their own zone', async () => {
    const made = await create({
      allDay: true,
      timezone: 'America/New_York',
      start: '2026-03-08T15:00:00Z',
      end: '2026-03-09T15:00:00Z',
    })
    expect([made.body.start, made.body.end]).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-10T04:00:00.000Z'])
    const moved = await patch(made.body.id, { timezone: 'Asia/Tokyo' })
    expect([moved.body.start, moved.body.end]).toEqual([
      '2026-03-07T15:00:00.000Z',
      '2026-03-09T15:00:00.000Z',
    ])
    const shifted = await patch(made.body.id, { start: '2026-03-20' })
    expect([shifted.body.start, shifted.body.end]).toEqual([
      '2026-03-19T15:00:00.000Z',
      '2026-03-21T15:00:00.000Z',
    ])
    await instance.call('DELETE', `${EVENTS}/${made.body.id}`)
  })

  it('change only the given fields, and keep their length if only the start moves', async () => {
    const { body: event, headers } = await create()
    const renamed = await patch(event.id, { title: 'Review' })
    expect(renamed.body).toEqual({
      ...event,
      title: 'Review',
      updatedAt: renamed.body.updatedAt,
    })
    const moved = await patch(event.id, { start: '2026-03-03T15:00:00Z' })
    expect(moved.body.end).toBe('2026-03-03T16:00:00.000Z')
    const same = await patch(event.id, { title: 'Review' })
    expect(same.headers.get('etag')).toBe(moved.headers.get('etag'))
    const stale = await instance.call('PATCH', `${EVENTS}/${event.id}`, {
      body: { title: 'Late' },
      headers: { 'if-match': String(headers.get('etag')) },
    })
    expect(stale.status).toBe(412)
    const fresh = await instance.call('PATCH', `${EVENTS}/${event.id}`, {
      body: { title: 'In time' },
      headers: { 'if-match': String(same.headers.get('etag')) },
    })
    expect(fresh.status).toBe(200)
    expect((await patch(event.id, {})).status).toBe(400)
    expect((await patch(event.id, { end: '2026-03-03T15:00:00Z' })).status).toBe(400)
    expect((await patch(999_999, { title: 'x' })).status).toBe(404)
    await instance.call('DELETE', `${EVENTS}/${event.id}`)
  })

  it('are listed if they overlap the window, including those that began before it', async () => {
    const made = []
    for (const [title, start, end] of [
      ['before', '2031-05-01T10:00:00Z', '2031-05-01T12:00:00Z'],
      ['into', '2031-05-01T11:00:00Z', '2031-05-01T12:00:01Z'],
      ['long', '2030-01-01T00:00:00Z', '2032-01-01T00:00:00Z'],
      ['very long', '1950-01-01T00:00:00Z', '2032-01-01T00:00:00Z'],
      ['week', '2031-04-26T00:00:00Z', '2031-05-03T00:00:00Z'],
      ['over', '2031-04-20T00:00:00Z', '2031-05-01T12:00:00Z'],
      ['in', '2031-05-01T12:00:00Z', '2031-05-01T13:00:00Z'],
      ['last', '2031-05-01T12:59:59Z', '2031-05-09T13:00:00Z'],
      ['after', '2031-05-01T13:00:00Z', '2031-05-01T14:00:00Z'],
    ])
      made.push((await create({ title, start, end })).body.id)
    const window = 'start=2031-05-01T12:00:00Z&end=2031-05-01T13:00:00Z'
    const all = ['very long', 'long', 'week', 'into', 'in', 'last']
    expect(await titlesIn(window)).toEqual(all)
    // Pages contain the same events.
    const paged: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await instance.get(`${EVENTS}?${window}&limit=1${cursor}`)
      paged.push(...body.events.map((event: { title: string }) => event.title))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(paged).toEqual(all)
    expect(await titlesIn('start=2031-05-01T12:00:00Z')).toEqual([...all, 'after'])
    expect(await titlesIn('end=1960-01-01')).toEqual(['very long'])
    await patch(made[6] as number, { status: 'cancelled' })
    expect(await titlesIn(`${window}&status=cancelled`)).toEqual(['in'])
    expect(await titlesIn(`${window}&status=confirmed&source=manual`)).toEqual(
      all.filter((one) => one !== 'in'),
    )
    expect(await titlesIn(`${window}&source=email`)).toEqual([])
    for (const id of made) await instance.call('DELETE', `${EVENTS}/${id}`)
  })

  it('reject a window that ends before it starts, and unknown parameters', async () => {
    expect((await instance.get(`${EVENTS}?start=2026-03-02&end=2026-03-02`)).status).toBe(400)
    expect((await instance.get(`${EVENTS}?strat=2026-03-02`)).body.errors[0].message).toContain('start')
    expect((await instance.get(`${EVENTS}?limit=201`)).status).toBe(400)
    expect((await instance.get(`${EVENTS}?cursor=nonsense`)).status).toBe(400)
    expect((await instance.get(`${EVENTS}?status=maybe`)).status).toBe(400)
    expect((await instance.get(`${EVENTS}/0`)).status).toBe(400)
  })

  it('report overlapping events, and are created anyway', async () => {
    const at = { start: '2027-03-02T09:00:00Z', end: '2027-03-02T10:00:00Z' }
    const first = await create(at)
    const touching = await create({ start: at.end, end: '2027-03-02T11:00:00Z' })
    expect(touching.body.conflicts).toEqual([])
    const free = await create({ ...at, busy: false })
    expect(free.body.conflicts).toEqual([])
    const cancelled = await create({ ...at, status: 'cancelled' })
    const series = await create({
      start: '2027-03-01T09:30:00Z',
      end: '2027-03-01T10:30:00Z',
      recurrence: 'FREQ=DAILY;COUNT=3',
    })
    expect(series.body.conflicts).toEqual([first.body.id, touching.body.id])
    const second = await create({ ...at, status: 'tentative' })
    expect(second.body.conflicts).toEqual([first.body.id, series.body.id])
    const away = { start: '2027-03-05T09:00:00Z', end: '2027-03-05T10:00:00Z' }
    expect((await patch(second.body.id, away)).body.conflicts).toEqual([])
    expect((await patch(second.body.id, at)).body.conflicts).toEqual([first.body.id, series.body.id])
    const occurrence = `${series.body.id}?occurrence=2027-03-02T09:30:00.000Z&scope=this`
    const moved = await instance.call('PATCH', `${EVENTS}/${occurrence}`, { body: away })
    expect([moved.status, moved.body.conflicts]).toEqual([200, []])
    // A moved occurrence counts at its new time, not at the original one.
    const there = await create(away)
    expect(there.body.conflicts).toEqual([series.body.id])
    expect((await patch(series.body.id, { notes: 'x' })).body.conflicts).toEqual([there.body.id])
    const letBe = await instance.call('PATCH', `${EVENTS}/${occurrence}`, { body: { busy: false } })
    expect([letBe.status, letBe.body.conflicts]).toEqual([200, []])
    for (const { body } of [first, touching, free, cancelled, series, second, there])
      await instance.call('DELETE', `${EVENTS}/${body.id}`)
  })

  it('of a long-running series report overlaps from now on', async () => {
    const { clock } = instance
    const series = await create({
      start: '2020-01-06T09:00:00Z',
      end: '2020-01-06T10:00:00Z',
      recurrence: 'FREQ=WEEKLY',
    })
    const past = await create({ start: '2020-01-13T09:30:00Z', end: '2020-01-13T10:30:00Z' })
    const monday = new Date(clock.now().getTime() + 4 * 7 * DAY)
    monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7))
    const day = monday.toISOString().slice(0, 10)
    const ahead = await create({ start: `${day}T09:30:00Z`, end: `${day}T10:30:00Z` })
    expect((await patch(series.body.id, { notes: 'x' })).body.conflicts).toEqual([ahead.body.id])
    const over = await patch(series.body.id, { recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect(over.body.conflicts).toEqual([past.body.id])
    for (const { body } of [series, past, ahead]) await instance.call('DELETE', `${EVENTS}/${body.id}`)
  })

  it('of a booking are created once, then updated in the given fields', async () => {
    const made = await create({ bookingId: 'bk-1', notes: 'mine' })
    expect([made.status, made.body.source]).toEqual([201, 'bookingsvc'])
    const again = await instance.post(EVENTS, { bookingId: 'bk-1', status: 'cancelled' })
    expect([again.status, again.body.id, again.body.status, again.body.notes, again.body.title]).toEqual([
      200,
      made.body.id,
      'cancelled',
      'mine',
      'Design review',
    ])
    const by = await instance.call('PATCH', `${EVENTS}/by-bookingsvc/bk-1`, { body: { status: 'confirmed' } })
    expect([by.status, by.body.status]).toEqual([200, 'confirmed'])
    const none = await instance.call('PATCH', `${EVENTS}/by-bookingsvc/bk-2`, {
      body: { status: 'confirmed' },
    })
    expect(none.status).toBe(404)
    expect((await instance.post(EVENTS, { bookingId: 'bk-3' })).status).toBe(400)
    const other = await create({ bookingId: 'bk-4' })
    expect((await patch(other.body.id, { bookingId: 'bk-1' })).status).toBe(409)
  })

  it('of a booking are created once when it arrives concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => create({ bookingId: 'bk-storm', title: `take ${n}` })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  it('are created once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'event-1' }
    const body = { title: 'Once', start: '2026-05-01T09:00:00Z' }
    const first = await instance.post(EVENTS, body, { headers })
    const second = await instance.post(EVENTS, body, { headers })
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect((await instance.post(EVENTS, { ...body, title: 'Twice' }, { headers })).status).toBe(409)
  })

  it('are listed as upcoming from now on, without cancelled ones', async () => {
    const now = instance.clock.now().getTime()
    const at = (ms: number) => new Date(now + ms).toISOString()
    await create({ title: 'on now', start: at(-DAY), end: at(DAY) })
    await create({ title: 'over', start: at(-DAY), end: at(-1000) })
    await create({ title: 'tomorrow', start: at(DAY), end: at(DAY + 1000) })
    await create({ title: 'called off', start: at(DAY), end: at(DAY + 1000), status: 'cancelled' })
    await create({ title: 'in a week', start: at(7.1 * DAY), end: at(8 * DAY) })
    const titles = async (query: string) =>
      (await instance.get(`/api/calendar/upcoming${query}`)).body.events.map(
        (event: { title: string }) => event.title,
      )
    expect(await titles('')).toEqual(['on now', 'tomorrow'])
    expect(await titles('?days=9')).toEqual(['on now', 'tomorrow', 'in a week'])
    expect(await titles('?days=9&limit=1')).toEqual(['on now'])
    expect((await instance.get('/api/calendar/upcoming?days=0')).status).toBe(400)
  })

  it('reference their email as long as it exists, and no other', async () => {
    const mail = async (): Promise<number> =>
      (await instance.post('/api/emails', { from: 'ana@example.org', subject: 'Review' })).body.id
    const [emailId, other, none] = [await mail(), await mail(), 987_654_321]
    const { body: plain } = await create()
    const { body: weekly } = await create({ recurrence: 'FREQ=WEEKLY' })
    const occurrence = `?occurrence=${weekly.start}`
    for (const answer of [
      await create({ emailId: none }),
      await create({ emailId: none, bookingId: 'booking-with-mail' }),
      await patch(plain.id, { emailId: none }),
      await patch(weekly.id, { emailId: none }, occurrence),
      await patch(weekly.id, { emailId: none }, `${occurrence}&scope=all`),
    ])
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [{ path: 'emailId', message: 'names an email that does not exist' }],
      ])

    expect((await create({ emailId, bookingId: 'booking-with-mail' })).status).toBe(201)
    expect((await patch(plain.id, { emailId })).body.emailId).toBe(emailId)
    expect((await patch(weekly.id, { emailId: other })).status).toBe(200)
    expect((await patch(weekly.id, { emailId }, occurrence)).body.emailId).toBe(emailId)
    const before = await instance.get(`${EVENTS}/${weekly.id}${occurrence}`)

    expect((await instance.call('DELETE', `/api/emails/${emailId}`)).status).toBe(204)
    const one = await instance.get(`${EVENTS}/${plain.id}`)
    expect([one.body.emailId, one.headers.get('etag')]).toEqual([null, expect.any(String)])
    expect(await patch(plain.id, { title: 'Afterwards' })).toMatchObject({ status: 200 })
    const after = await instance.get(`${EVENTS}/${weekly.id}${occurrence}`)
    expect([before.body.emailId, after.body.emailId]).toEqual([emailId, null])
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect((await instance.get(`${EVENTS}/${weekly.id}`)).body.emailId).toBe(other)
    const { events } = (await instance.get(`${EVENTS}?limit=200`)).body as {
      events: { emailId: number | null }[]
    }
    expect(events.filter((event) => event.emailId === emailId)).toEqual([])
  })

  it('record their changes', async () => {
    const { body: event } = await create()
    await patch(event.id, { title: 'Other' })
    await patch(event.id, { status: 'cancelled' })
    await instance.call('DELETE', `${EVENTS}/${event.id}`)
    const changes = await instance.database.db
      .selectFrom('changes')
      .select(['type', 'data'])
      .where('subject', '=', String(event.id))
      .orderBy('id')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(changes.map(({ type }) => type)).toEqual([
      'event.created',
      'event.updated',
      'event.cancelled',
      'event.cancelled',
    ])
    expect(JSON.parse(changes[1]?.data ?? '')).toMatchObject({
      id: event.id,
      title: 'Other',
      fields: ['title'],
    })
  })
})
