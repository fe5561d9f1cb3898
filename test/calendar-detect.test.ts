import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { calendar, mailWith, storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'

const DETECT = '/api/calendar/detect'
const FROM_EMAIL = '/api/calendar/events/from-email'
/** A Monday. */
const WRITTEN = '2026-02-02T10:00:00Z'

let mails = 0
const proseMail = (
  text: string,
  { subject = 'Lunch', from = 'Ben Okafor <ben@example.org>', cc = '' } = {},
) =>
  [
    `From: ${from}`,
    'To: Ana Ruiz <ana@example.org>',
    ...(cc ? [`Cc: ${cc}`] : []),
    `Subject: ${subject}`,
    `Message-ID: <prose-${++mails}@example.org>`,
    'Date: Mon, 02 Feb 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ].join('\r\n')

interface Piece {
  text: string
  offset: number
}

onOneDatabase('sqlite', 'meetings in text', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const detect = async (text: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await instance.post(DETECT, { text, referenceTime: WRITTEN, ...more })
    expect([status, body.detail]).toEqual([200, undefined])
    return body
  }
  const events = async () => (await instance.get('/api/calendar/events?limit=200')).body.events

  describe('detection', () => {
    it('returns every field of a meeting, and writes nothing', async () => {
      const before = (await events()).length
      const text =
        'Hi Ana,\n\nshall we have lunch on Thursday from 12:00 to 13:30 at Café Central?\nhttps://meet.google.com/abc-defg-hij\n\nBest,\nBen'
      const body = await detect(text)
      expect(body).toEqual({
        detected: true,
        confidence: body.meetings[0].confidence,
        meetings: [
          {
            title: 'Lunch',
            start: '2026-02-05T11:00:00.000Z',
            end: '2026-02-05T12:30:00.000Z',
            allDay: false,
            timezone: 'Europe/Berlin',
            location: 'Café Central',
            meetingUrl: 'https://meet.google.com/abc-defg-hij',
            attendees: expect.any(Array),
            recurrence: null,
            confidence: expect.any(Number),
            evidence: expect.any(Array),
          },
        ],
        signals: expect.any(Array),
      })
      expect(body.confidence).toBeGreaterThan(0.5)
      expect(body.confidence).toBeLessThanOrEqual(1)
      const pieces: Piece[] = [...body.meetings[0].evidence, ...body.signals]
      expect(pieces.length).toBeGreaterThan(4)
      for (const { text: piece, offset } of pieces)
        expect(text.slice(offset, offset + piece.length)).toBe(piece)
      expect((await events()).length).toBe(before)
    })

    it('counts offsets in the original text, with umlauts, emoji and CRLF', async () => {
      const text = 'Grüße 🎉🎉,\r\n\r\nwollen wir uns am Freitag um 14 Uhr zum Mittagessen treffen?\r\n'
      const { meetings, signals } = await detect(text)
      expect(meetings[0]).toMatchObject({
        start: '2026-02-06T13:00:00.000Z',
        end: '2026-02-06T14:00:00.000Z',
      })
      for (const { text: piece, offset } of [...meetings[0].evidence, ...signals] as Piece[])
        expect(text.slice(offset, offset + piece.length)).toBe(piece)
    })

    it('returns several proposals as several meetings', async () => {
      const { meetings } = await detect('Can we meet on Tuesday at 10am or Thursday, 2pm to 3pm?')
      expect(meetings.map(({ start }: { start: string }) => start)).toEqual([
        '2026-02-03T09:00:00.000Z',
        '2026-02-05T13:00:00.000Z',
      ])
    })

    it.each([
      ['a past event', 'It was great to meet you yesterday at 3pm, thanks for the lunch!'],
      ['an invoice', 'Invoice 4711\nAmount due: $120.00. Payment is due on March 3, 2026.'],
      ['opening hours', 'We are open Monday to Friday from 9am to 5pm.'],
      ['quoted history', 'Sounds fine.\n\n> Can we meet on Tuesday at 10am?\n> Ben'],
      ['small talk', 'Thanks, that was very kind of you.'],
      ['an empty text', ''],
    ])('ignores %s', async (_, text) => {
      const { detected, confidence, meetings } = await detect(text)
      expect({ detected, confidence, meetings }).toEqual({ detected: false, confidence: 0, meetings: [] })
    })

    it('uses the requested zone, then the zone in the text, then the zone of the instance', async () => {
      const startOf = async (text: string, more = {}) => (await detect(text, more)).meetings[0].start
      const text = 'Shall we have a call tomorrow at 9am?'
      expect(await startOf(text)).toBe('2026-02-03T08:00:00.000Z')
      expect(await startOf(text, { timezone: 'America/New_York' })).toBe('2026-02-03T14:00:00.000Z')
      expect(await startOf('Shall we have a call tomorrow at 9am Tokyo time?')).toBe(
        '2026-02-03T00:00:00.000Z',
      )
      const { meetings } = await detect('Shall we have a call tomorrow at 9am PST?')
      expect(meetings[0]).toMatchObject({
        start: '2026-02-03T17:00:00.000Z',
        timezone: 'America/Los_Angeles',
      })
    })

    it('is relative to now, or to the given reference time', async () => {
      const text = 'Shall we have lunch tomorrow at noon?'
      const bare = await instance.post(DETECT, { text, referenceTime: '2026-07-01' })
      expect(bare.body.meetings[0].start).toBe('2026-07-02T10:00:00.000Z')
      const now = await instance.post(DETECT, { text })
      const days = (Date.parse(now.body.meetings[0].start) - Date.now()) / 86_400_000
      expect(days).toBeGreaterThan(0)
      expect(days).toBeLessThan(2)
    })

    it('uses the subject as title, and returns the recurrence', async () => {
      const { meetings } = await detect('Let us meet every Monday at 9:30 in Room 4.', {
        subject: 'Re: Stand-up',
      })
      expect(meetings[0]).toMatchObject({
        title: 'Stand-up',
        start: '2026-02-09T08:30:00.000Z',
        recurrence: 'FREQ=WEEKLY;BYDAY=MO',
        location: 'Room 4',
      })
    })

    it.each([
      [{}, 'text'],
      [{ text: 7 }, 'text'],
      [{ text: 'x', timezone: 'Mars/Olympus' }, 'timezone'],
      [{ text: 'x', referenceTime: 'yesterday' }, 'referenceTime'],
      [{ text: 'x', referenceTime: '2026-02-30' }, 'referenceTime'],
      [{ text: 'x', refTime: '2026-02-03' }, 'refTime'],
      [{ text: 'x'.repeat(500_001) }, 'text'],
    ])('rejects %j and names the field', async (input, path) => {
      const { status, body } = await instance.post(DETECT, input)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors.map((error: { path: string }) => error.path)).toContain(path)
    })

    it('requires a token with the scope to read the calendar', async () => {
      const owner = await register(instance)
      const make = async (...scopes: string[]) =>
        (
          await instance.post(
            '/api/settings/tokens',
            { name: 't', scopes, password: PASSWORD },
            { token: owner.token },
          )
        ).body.token
      const call = async (token: string) => (await instance.post(DETECT, { text: 'x' }, { token })).status
      expect(await call(await make('tasks:write'))).toBe(403)
      expect(await call(await make('calendar:read'))).toBe(200)
    })
  })

  describe('an event from text', () => {
    const take = async (text: string, more = {}) =>
      instance.post(FROM_EMAIL, { emailId: await storeMail(instance, proseMail(text, more)) })

    it('matches the email, relative to its date, and invites the sender', async () => {
      const made = await take(
        'Hi Ana,\n\nshall we have lunch on Thursday at noon at Café Central?\n\nBest,\nBen',
      )
      expect(made.status).toBe(201)
      expect(made.headers.get('location')).toBe(`/api/calendar/events/${made.body.id}`)
      expect(made.body).toMatchObject({
        title: 'Lunch',
        start: '2026-02-05T11:00:00.000Z',
        end: '2026-02-05T12:00:00.000Z',
        timezone: 'Europe/Berlin',
        location: 'Café Central',
        source: 'email',
        status: 'confirmed',
        attendees: [{ name: 'Ben Okafor', email: 'ben@example.org', status: 'needs-action' }],
        outcome: 'created',
        proposal: null,
        others: [],
        alternatives: [],
        actionId: expect.any(Number),
      })
      expect(made.body.emailId).toEqual(expect.any(Number))
      const { body } = await instance.get(`/api/calendar/events/${made.body.id}`)
      expect(body).toMatchObject({ title: 'Lunch', source: 'email', emailId: made.body.emailId })
    })

    it('is created once from the same email, even concurrently and after a local change', async () => {
      const emailId = await storeMail(
        instance,
        proseMail('Can we meet on Friday at 3pm?', { subject: 'Budget round' }),
      )
      const answers = await Promise.all([1, 2, 3].map(() => instance.post(FROM_EMAIL, { emailId })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
      const ids = new Set(answers.map(({ body }) => body.id))
      expect(ids.size).toBe(1)
      const [id] = ids
      await instance.call('PATCH', `/api/calendar/events/${id}`, { body: { title: 'Money' } })
      const again = await instance.post(FROM_EMAIL, { emailId })
      expect([
        again.status,
        again.body.id,
        again.body.title,
        again.body.outcome,
        again.body.actionId,
      ]).toEqual([200, id, 'Money', 'unchanged', null])
    })

    it('is the proposal with the highest confidence, and the others are returned and can be added', async () => {
      const made = await take('Can we meet on Tuesday at 10am or Thursday, 2pm to 3pm?', {
        subject: 'Two times',
      })
      expect([made.status, made.body.start]).toEqual([201, '2026-02-03T09:00:00.000Z'])
      expect(made.body.alternatives).toHaveLength(1)
      const [other] = made.body.alternatives
      expect(other).toMatchObject({ start: '2026-02-05T13:00:00.000Z', end: '2026-02-05T14:00:00.000Z' })
      const second = await instance.post(FROM_EMAIL, { meeting: other, emailId: made.body.emailId })
      expect([second.status, second.body.start]).toEqual([201, other.start])
      expect(second.body.actionId).toEqual(expect.any(Number))
    })

    it('resolves names of people in the header, and puts other names into the notes', async () => {
      const made = await take('Can we meet with Li and Walter on Wednesday at 4pm?', {
        subject: 'Four of us',
        cc: 'Li Wei <li@example.org>',
      })
      expect(made.body.attendees).toEqual([
        { name: 'Ben Okafor', email: 'ben@example.org', status: 'needs-action' },
        { name: 'Li Wei', email: 'li@example.org', status: 'needs-action' },
      ])
      expect(made.body.notes).toBe('With Walter')
    })

    it('is created from a text relative to now, with the subject as title', async () => {
      const text = 'Shall we have a call tomorrow at 9am?'
      const made = await instance.post(FROM_EMAIL, { text, subject: 'Fwd: Kick-off' })
      expect([made.status, made.body.title, made.body.emailId]).toEqual([201, 'Kick-off', null])
      const again = await instance.post(FROM_EMAIL, { text, subject: 'Kick-off' })
      expect([again.status, again.body.id]).toEqual([200, made.body.id])
    })

    it('has lower precedence than a calendar part', async () => {
      const file = calendar(
        'REQUEST',
        'UID:part-before-prose@example.org',
        'DTSTAMP:20260201T090000Z',
        'DTSTART:20260310T090000Z',
        'DTEND:20260310T100000Z',
        'SUMMARY:As the file has it',
        'ORGANIZER:mailto:ben@example.org',
      )
      const raw = mailWith(file).replace('You are invited.', 'Shall we meet on Friday at 5pm?')
      const made = await instance.post(FROM_EMAIL, { emailId: await storeMail(instance, raw) })
      expect([made.status, made.body.title, made.body.start, made.body.actionId]).toEqual([
        201,
        'As the file has it',
        '2026-03-10T09:00:00.000Z',
        null,
      ])
    })

    it.each([
      ['an invoice', 'Invoice 4711\nAmount due: $120.00. Payment is due on March 3, 2026.'],
      ['thanks for a past one', 'It was great to meet you yesterday at 3pm!'],
      ['nothing of the kind', 'Thanks, that was very kind of you.'],
    ])('is not created from %s', async (_, text) => {
      const before = (await events()).length
      const { status, body } = await take(text)
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'validation_failed', 'emailId'])
      const bare = await instance.post(FROM_EMAIL, { text })
      expect([bare.status, bare.body.errors[0].path]).toEqual([400, 'text'])
      expect((await events()).length).toBe(before)
    })

    it('is in the journal, and can be undone once', async () => {
      const made = await take('Can we meet on Friday at 6pm?', { subject: 'To be undone' })
      const { actionId } = made.body
      const { actions } = (await instance.get('/api/actions')).body
      expect(actions[0]).toMatchObject({
        id: actionId,
        kind: 'calendar.from_email',
        summary: 'Added “To be undone” to the calendar',
        undoneAt: null,
      })
      const undone = await instance.post(`/api/actions/${actionId}/undo`)
      expect(undone.status).toBe(200)
      expect((await instance.get(`/api/calendar/events/${made.body.id}`)).status).toBe(404)
      expect((await instance.post(`/api/actions/${actionId}/undo`)).status).toBe(409)
      const again = await instance.post(FROM_EMAIL, { emailId: made.body.emailId })
      expect(again.status).toBe(201)
    })

    it('cannot be undone after it was changed or deleted', async () => {
      const made = await take('Can we meet on Friday at 7pm?', { subject: 'Touched' })
      await instance.call('PATCH', `/api/calendar/events/${made.body.id}`, { body: { notes: 'mine' } })
      const undone = await instance.post(`/api/actions/${made.body.actionId}/undo`)
      expect([undone.status, undone.body.detail]).toEqual([
        409,
        'The event “Touched” has been changed since.',
      ])
      await instance.call('DELETE', `/api/calendar/events/${made.body.id}`)
      expect((await instance.post(`/api/actions/${made.body.actionId}/undo`)).body.detail).toBe(
        'The event has been deleted since.',
      )
    })

    it('is also created from a private email, because nothing leaves the machine', async () => {
      const emailId = await storeMail(
        instance,
        proseMail('Can we meet on Friday at 8pm?', { subject: 'Secret' }),
      )
      await instance.call('PATCH', `/api/emails/${emailId}`, { body: { tags: ['private'] } })
      expect((await instance.post(FROM_EMAIL, { emailId })).status).toBe(201)
    })

    it('causes no server error, for all senders and texts', async () => {
      for (const from of ['undisclosed', '"a\\"b" <x@y>', '<>', 'Ben <ben@example.org>, Li <li@example.org>'])
        expect((await take('Can we meet with @bob on Friday at 9pm?', { from, subject: from })).status).toBe(
          201,
        )
    })
  })
})
