import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMovableClock } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const QUICK = '/api/calendar/quick'

interface Part {
  kind: string
  text: string
  offset: number
}

onEveryDatabase('calendar quick add', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    // A Thursday, 11:00 in Berlin.
    const clock = createMovableClock()
    clock.advance(Date.parse('2026-11-19T10:00:00Z') - Date.now())
    instance = await startInstance({
      engine,
      clock,
      environment: { TZ_DEFAULT: 'Europe/Berlin', REGISTRATION: 'open', ACCESS: 'open' },
    })
    for (const [givenName, email] of [
      ['Ben', 'ben@example.org'],
      ['Mia', 'mia@example.org'],
      ['Mia', 'mia.two@example.org'],
    ])
      await instance.post('/api/contacts', { name: givenName, addresses: [{ address: email }] })
  })
  afterAll(() => instance.close())

  const wallOf = (instant: string | null): string | null =>
    instant &&
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(instant))
  const preview = async (text: string, more: object = {}) => {
    const { status, body } = await instance.post(QUICK, { text, dryRun: true, ...more })
    expect([status, body.detail]).toEqual([200, undefined])
    return body
  }
  const count = async (): Promise<number> =>
    (await instance.get('/api/calendar/events?limit=200')).body.events.length

  it('creates an event from one line, and reports what was understood', async () => {
    const text = 'coffee with Ben Monday 15 at the lake'
    const made = await instance.post(QUICK, { text })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    expect(made.headers.get('location')).toBe(`/api/calendar/events/${made.body.id}`)
    expect(made.headers.get('etag')).toBe(`"${made.body.id}.1"`)
    const { understood, conflicts, ...event } = made.body
    expect(event).toMatchObject({
      title: 'coffee with Ben',
      start: '2026-11-23T14:00:00.000Z',
      end: '2026-11-23T15:00:00.000Z',
      allDay: false,
      timezone: 'Europe/Berlin',
      location: 'lake',
      source: 'manual',
      attendees: [{ name: 'Ben', email: 'ben@example.org', status: 'needs-action' }],
    })
    expect(conflicts).toEqual([])
    expect((understood as Part[]).map(({ kind, text: words }) => [kind, words])).toEqual([
      ['title', 'coffee with Ben'],
      ['person', 'Ben'],
      ['start', 'Monday 15'],
      ['place', 'lake'],
    ])
    for (const { text: words, offset } of understood as Part[])
      expect(text.slice(offset, offset + words.length)).toBe(words)
    expect((await instance.get(`/api/calendar/events/${event.id}`)).body).toEqual(event)
    expect((await instance.get('/api/emails?folder=outbox')).body.emails ?? []).toEqual([])
  })

  it('a dry run returns the same and creates nothing', async () => {
    const before = await count()
    const text = 'review tomorrow 14:00-15:30 in room 4, remind me 10 min before'
    const seen = await preview(text)
    expect(seen).toEqual({
      id: null,
      title: 'review',
      start: '2026-11-20T13:00:00.000Z',
      end: '2026-11-20T14:30:00.000Z',
      allDay: false,
      timezone: 'Europe/Berlin',
      location: 'room 4',
      meetingUrl: null,
      attendees: [],
      reminders: [{ minutesBefore: 10 }],
      recurrence: null,
      understood: expect.any(Array),
    })
    expect(seen.understood.map(({ kind, text: words }: Part) => [kind, words])).toEqual([
      ['title', 'review'],
      ['start', 'tomorrow 14:00'],
      ['end', '15:30'],
      ['place', 'room 4'],
      ['reminder', 'remind me 10 min before'],
    ])
    expect(await count()).toBe(before)
    expect((await instance.post(QUICK, { text })).body).toMatchObject({ ...seen, id: expect.any(Number) })
    expect(await count()).toBe(before + 1)
  })

  it.each([
    ['Kaffee mit Ben Montag 15 Uhr am See', 'Kaffee mit Ben', '2026-11-23 15:00', '2026-11-23 16:00', 'See'],
    [
      'Mittagessen morgen 12-13:30 im Ratskeller',
      'Mittagessen',
      '2026-11-20 12:00',
      '2026-11-20 13:30',
      'Ratskeller',
    ],
    ['dentist friday 8:30 for 45 minutes', 'dentist', '2026-11-20 08:30', '2026-11-20 09:15', ''],
    ["dinner tomorrow evening at Luigi's", 'dinner', '2026-11-20 18:00', '2026-11-20 19:00', "Luigi's"],
    ['call tomorrow at 4pm UTC', 'call', '2026-11-20 17:00', '2026-11-20 18:00', ''],
    ['add team lunch tomorrow at noon', 'team lunch', '2026-11-20 12:00', '2026-11-20 13:00', ''],
    ['Monday meeting 15:00', 'Monday meeting', '2026-11-23 15:00', '2026-11-23 16:00', ''],
    ['Lade Ben ein zum Essen Freitag 19 Uhr', 'Essen', '2026-11-20 19:00', '2026-11-20 20:00', ''],
    [
      '"Friday blues" concert saturday 8pm',
      '"Friday blues" concert',
      '2026-11-21 20:00',
      '2026-11-21 21:00',
      '',
    ],
  ])('reads “%s”', async (text, title, start, end, location) => {
    const seen = await preview(text)
    expect([seen.title, wallOf(seen.start), wallOf(seen.end), seen.location]).toEqual([
      title,
      start,
      end,
      location,
    ])
    expect(seen.allDay).toBe(false)
  })

  it.each([
    ['team offsite 3-5 December in Berlin', 'team offsite', '2026-12-03 00:00', '2026-12-06 00:00'],
    ['Urlaub vom 3. bis 10. Dezember', 'Urlaub', '2026-12-03 00:00', '2026-12-11 00:00'],
    ['ganztägig Messe am 4. Dezember', 'Messe', '2026-12-04 00:00', '2026-12-05 00:00'],
    ['trip next week', 'trip', '2026-11-23 00:00', '2026-11-30 00:00'],
  ])('reads “%s” as an all-day event', async (text, title, start, end) => {
    const seen = await preview(text)
    expect([seen.allDay, seen.title, wallOf(seen.start), wallOf(seen.end)]).toEqual([true, title, start, end])
  })

  it('reads a series', async () => {
    expect(await preview('Yoga jeden Dienstag 18 Uhr im Studio')).toMatchObject({
      title: 'Yoga',
      start: '2026-11-24T17:00:00.000Z',
      recurrence: 'FREQ=WEEKLY;BYDAY=TU',
      location: 'Studio',
    })
  })

  it('adds addresses and invited people as guests, and nobody whose name two contacts have', async () => {
    const guestsOf = async (text: string): Promise<string[]> =>
      (await preview(text)).attendees.map(({ email }: { email: string }) => email)
    expect(await guestsOf('review friday 14:00 with zoe@example.org and Ben')).toEqual([
      'zoe@example.org',
      'ben@example.org',
    ])
    expect(await guestsOf('lunch with Mia friday 12:00')).toEqual([])
    expect(await guestsOf('review friday 14:00 with zoe@example.org, ZOE@example.org')).toEqual([
      'zoe@example.org',
    ])
    expect(await preview('zoom tomorrow 9:00 https://zoom.us/j/1234')).toMatchObject({
      title: 'zoom',
      meetingUrl: 'https://zoom.us/j/1234',
    })
  })

  it('does not tell addresses of contacts to a token that cannot read mail', async () => {
    const person = await register(instance)
    await instance.post('/api/contacts', { name: 'Ben', addresses: [{ address: 'ben@example.org' }] }, person)
    const withScopes = async (...scopes: string[]) => {
      const input = { password: PASSWORD, name: 'test', scopes }
      return { token: (await instance.post('/api/settings/tokens', input, person)).body.token as string }
    }
    const token = await withScopes('calendar:write')
    const text = 'lunch with Ben friday 12:00'
    const call = await instance.post(QUICK, { text, dryRun: true }, token)
    expect([call.status, call.body.attendees]).toEqual([200, []])
    const reader = await withScopes('calendar:write', 'mail:read')
    expect((await instance.post(QUICK, { text, dryRun: true }, reader)).body.attendees).toHaveLength(1)
    const sent = await instance.post(`${QUICK}?sendInvitations=true`, { text }, reader)
    expect([sent.status, sent.body.code]).toEqual([403, 'insufficient_scope'])
  })

  it('takes what the text does not say from the chosen time', async () => {
    const slot = { start: '2026-11-25T09:00:00+01:00', end: '2026-11-25T09:30:00+01:00' }
    const timesOf = async (text: string, more: object = slot) => {
      const { start, end, allDay } = await preview(text, more)
      return [wallOf(start), wallOf(end), allDay]
    }
    expect(await timesOf('planning')).toEqual(['2026-11-25 09:00', '2026-11-25 09:30', false])
    expect(await timesOf('planning at 3pm')).toEqual(['2026-11-25 15:00', '2026-11-25 15:30', false])
    expect(await timesOf('planning 10am-12pm')).toEqual(['2026-11-25 10:00', '2026-11-25 12:00', false])
    expect(await timesOf('planning for 2 hours')).toEqual(['2026-11-25 09:00', '2026-11-25 11:00', false])
    expect(await timesOf('planning friday')).toEqual(['2026-11-20 09:00', '2026-11-20 09:30', false])
    expect(await timesOf('planning all day')).toEqual(['2026-11-25 00:00', '2026-11-26 00:00', true])
    const day = { start: '2026-11-25', allDay: true }
    expect(await timesOf('fair', day)).toEqual(['2026-11-25 00:00', '2026-11-26 00:00', true])
    expect(await timesOf('fair at 10', day)).toEqual(['2026-11-25 10:00', '2026-11-25 11:00', false])
  })

  it('asks for a time if there is none, and shows a preview without one', async () => {
    expect(await preview('coffee with Ben')).toMatchObject({
      title: 'coffee with Ben',
      start: null,
      end: null,
    })
    const { status, body } = await instance.post(QUICK, { text: 'coffee with Ben' })
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'validation_failed', 'text'])
  })

  it('creates the event in the named calendar, and rejects one that is missing', async () => {
    const { body: calendar } = await instance.post('/api/calendars', { name: 'Club' })
    const made = await instance.post(QUICK, { text: 'chess friday 19:00', calendarId: calendar.id })
    expect([made.status, made.body.calendarId]).toEqual([201, calendar.id])
    const missing = await instance.post(QUICK, { text: 'chess friday 19:00', calendarId: 999_999 })
    expect(missing.status).toBe(400)
  })

  it('the same Idempotency-Key creates one event', async () => {
    const headers = { 'idempotency-key': 'quick-event' }
    const [one, two] = [
      await instance.post(QUICK, { text: 'only once tomorrow 9:00' }, { headers }),
      await instance.post(QUICK, { text: 'only once tomorrow 9:00' }, { headers }),
    ]
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body])
  })

  it.each<[object, string]>([
    [{}, 'text'],
    [{ text: '   ' }, 'text'],
    [{ text: 'x'.repeat(2001) }, 'text'],
    [{ text: 'x', dryrun: true }, 'dryrun'],
    [{ text: 'x', timezone: 'Mars/Olympus' }, 'timezone'],
    [{ text: 'x', start: 'soon' }, 'start'],
    [{ text: 'x', start: '2026-11-25', end: '2026-11-24' }, 'end'],
  ])('rejects bad input %# and names the field', async (input, path) => {
    const { status, body } = await instance.post(QUICK, input)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path)
  })

  describe('hostile lines', () => {
    it.each([
      ['digits', '1'.repeat(2000)],
      ['addresses', 'a@b.c '.repeat(333)],
      ['at signs', '@'.repeat(2000)],
      ['dots', `${'a.'.repeat(990)}@x`],
      ['invitations', 'invite a, '.repeat(200)],
      ['bars', '|'.repeat(2000)],
      ['brackets', '('.repeat(2000)],
      ['days', 'tomorrow '.repeat(200)],
      ['reminders', 'remind me 9 min before '.repeat(80)],
      ['links', 'https://x.y/z '.repeat(140)],
      ['half a letter', 'x \ud83d tomorrow'],
      ['a year beyond all calendars', 'party on 1 January 99999'],
      ['far ahead', 'in 999999999 years'],
    ])('of %s create an event or are rejected', async (_, text) => {
      const began = performance.now()
      const { status } = await instance.post(QUICK, { text })
      expect([201, 400]).toContain(status)
      expect(performance.now() - began).toBeLessThan(5000)
    })
  })
})
