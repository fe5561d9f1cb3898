import { existsSync, globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { calendar, mailWith, storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'
import { sampleOf } from './support/scale.ts'

const EVENTS = '/api/calendar/events'
const FILES = '../shared/data/ics-fixtures'
const MESSAGES = '../shared/data/eml-robustness/eml.public'

let meetings = 0
const createUid = (): string => `meeting-${++meetings}@example.org`

/** The properties of a meeting that Ben organizes. Ana and Li are invited. */
const meeting = (uid: string, more: Record<string, string> = {}): string[] => {
  const lines: Record<string, string> = {
    DTSTAMP: '20260202T100000Z',
    'DTSTART;TZID=Europe/Berlin': '20260302T090000',
    'DTEND;TZID=Europe/Berlin': '20260302T100000',
    SUMMARY: 'Design review',
    'ORGANIZER;CN=Ben Okafor': 'mailto:ben@example.org',
    'ATTENDEE;CN=Ana Ruiz;RSVP=TRUE;PARTSTAT=NEEDS-ACTION': 'mailto:ana@example.org',
    'ATTENDEE;CN=Li Wei;PARTSTAT=NEEDS-ACTION': 'mailto:li@example.org',
    SEQUENCE: '0',
    ...more,
  }
  return [`UID:${uid}`, ...Object.entries(lines).map(([name, value]) => `${name}:${value}`)]
}

onOneDatabase('sqlite', 'meetings by mail', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const importMail = async (file: string, mail: Parameters<typeof mailWith>[1] = {}): Promise<Answer> =>
    instance.post(`${EVENTS}/from-email`, { emailId: await storeMail(instance, mailWith(file, mail)) })
  const read = async (id: number) => (await instance.get(`${EVENTS}/${id}`)).body
  const statuses = async (id: number) =>
    (await read(id)).attendees.map(({ status }: { status: string }) => status)

  describe('an invitation', () => {
    it('creates an event that refers to its email', async () => {
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(createUid()))))
      const made = await instance.post(`${EVENTS}/from-email`, { emailId })
      expect(made.status).toBe(201)
      expect(made.headers.get('location')).toBe(`${EVENTS}/${made.body.id}`)
      expect(made.body).toMatchObject({
        outcome: 'created',
        source: 'email',
        emailId,
        title: 'Design review',
        start: '2026-03-02T08:00:00.000Z',
        end: '2026-03-02T09:00:00.000Z',
        timezone: 'Europe/Berlin',
        organizer: { name: 'Ben Okafor', email: 'ben@example.org' },
        proposal: null,
        others: [],
      })
      const { outcome: _, proposal: __, conflicts: ___, others: ____, ...more } = made.body
      const { alternatives, actionId, ...event } = more
      expect([alternatives, actionId]).toEqual([[], null])
      expect(await read(made.body.id)).toEqual(event)
    })

    it('is a field of its email, also in lists, until it is larger than a meeting', async () => {
      const uid = createUid()
      const store = (method: string | null, more: Record<string, string> = {}) =>
        storeMail(instance, mailWith(calendar(method, ...meeting(uid, more))))
      const expected = {
        method: 'REQUEST',
        uid,
        start: '2026-03-02T08:00:00.000Z',
        end: '2026-03-02T09:00:00.000Z',
        title: 'Design review',
        status: 'confirmed',
      }
      const ids = [
        await store('REQUEST'),
        await store('CANCEL', { SUMMARY: 'Off' }),
        await store('REQUEST', { STATUS: 'TENTATIVE' }),
        await store('REQUEST', { 'DTSTART;TZID=Europe/Berlin': 'never' }),
        await store('REQUEST', { DESCRIPTION: 'x'.repeat(600_000) }),
        (await instance.post('/api/emails', { from: 'a@example.org', subject: 'No meeting' })).body.id,
      ]
      const wanted = [
        expected,
        { ...expected, method: 'CANCEL', title: 'Off', status: 'cancelled' },
        { ...expected, status: 'tentative' },
        null,
        null,
        null,
      ]
      const { emails } = (await instance.get('/api/emails?limit=200')).body
      type Listed = { id: number; invitation: unknown }
      expect(ids.map((id) => emails.find((email: Listed) => email.id === id).invitation)).toEqual(wanted)
      const single = await Promise.all(ids.map(async (id) => (await instance.get(`/api/emails/${id}`)).body))
      expect(single.map(({ invitation }) => invitation)).toEqual(wanted)
      const { body: thread } = await instance.get(`/api/emails/${ids[0]}/thread`)
      expect(thread.emails.find((email: Listed) => email.id === ids[0]).invitation).toEqual(expected)
      const changed = await instance.call('PATCH', `/api/emails/${ids[0]}`, { body: { read: true } })
      expect(changed.body.invitation).toEqual(expected)
    })

    it('creates one event, however often and in whatever attachment type it arrives', async () => {
      const file = calendar('REQUEST', ...meeting(createUid()))
      const first = await importMail(file)
      const emailId = await storeMail(instance, mailWith(file, { type: 'application/ics' }))
      for (const answer of [
        await instance.post(`${EVENTS}/from-email`, { emailId }),
        await instance.post(`${EVENTS}/from-email`, { emailId }),
        await importMail(file, { type: 'application/octet-stream; name="invite.ics"' }),
        await importMail(file, { from: 'colleague@example.org' }),
      ])
        expect([answer.status, answer.body.id, answer.body.outcome]).toEqual([
          200,
          first.body.id,
          'unchanged',
        ])
    })

    it('creates one event for concurrent requests', async () => {
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(createUid()))))
      const answers = await Promise.all(
        [1, 2, 3].map(() => instance.post(`${EVENTS}/from-email`, { emailId })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    })

    it('returns the same response for the same Idempotency-Key', async () => {
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(createUid()))))
      const headers = { 'idempotency-key': `take-${emailId}` }
      const call = () => instance.post(`${EVENTS}/from-email`, { emailId }, { headers })
      const [first, second] = [await call(), await call()]
      expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
      expect(second.headers.get('idempotency-replayed')).toBe('true')
    })

    it('updates the event if it is a newer revision, but not if it is older', async () => {
      const uid = createUid()
      const { id } = (await importMail(calendar('REQUEST', ...meeting(uid)))).body
      await instance.call('PATCH', `${EVENTS}/${id}`, {
        body: { notes: 'Ask about the budget', tags: ['work'], reminders: [{ minutesBefore: 5 }] },
      })
      const moved = meeting(uid, {
        SEQUENCE: '1',
        'DTSTART;TZID=Europe/Berlin': '20260303T110000',
        'DTEND;TZID=Europe/Berlin': '20260303T120000',
      })
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...moved)))
      const revised = await instance.post(`${EVENTS}/from-email`, { emailId })
      expect([revised.status, revised.body.outcome]).toEqual([200, 'updated'])
      expect(await read(id)).toMatchObject({
        start: '2026-03-03T10:00:00.000Z',
        emailId,
        notes: 'Ask about the budget',
        tags: ['work'],
        reminders: [{ minutesBefore: 5 }],
      })
      const stale = await importMail(calendar('REQUEST', ...meeting(uid)))
      expect([stale.status, stale.body.outcome, stale.body.start]).toEqual([
        200,
        'unchanged',
        '2026-03-03T10:00:00.000Z',
      ])
    })

    it('cancels the event, even without start and end', async () => {
      const uid = createUid()
      const { id } = (await importMail(calendar('REQUEST', ...meeting(uid)))).body
      const cancel = [
        'DTSTAMP:20260203T100000Z',
        `UID:${uid}`,
        'SEQUENCE:1',
        'ORGANIZER:mailto:ben@example.org',
      ]
      const cancelled = await importMail(calendar('CANCEL', ...cancel))
      expect([cancelled.status, cancelled.body.id, cancelled.body.outcome, cancelled.body.status]).toEqual([
        200,
        id,
        'cancelled',
        'cancelled',
      ])
      expect((await importMail(calendar('CANCEL', ...cancel))).body.outcome).toBe('unchanged')
      const unknown = await importMail(calendar('CANCEL', 'DTSTAMP:20260203T100000Z', `UID:${createUid()}`))
      expect([unknown.status, unknown.body.code]).toEqual([409, 'meeting_refused'])
    })

    it('can cancel or move a single occurrence of a series', async () => {
      const uid = createUid()
      const { id } = (
        await importMail(calendar('REQUEST', ...meeting(uid, { RRULE: 'FREQ=WEEKLY;COUNT=3' })))
      ).body
      const one = { SEQUENCE: '1', 'RECURRENCE-ID;TZID=Europe/Berlin': '20260309T090000' }
      const off = await importMail(calendar('CANCEL', ...meeting(uid, one)))
      expect([off.status, off.body.id, off.body.occurrenceStart, off.body.status]).toEqual([
        200,
        id,
        '2026-03-09T08:00:00.000Z',
        'cancelled',
      ])
      const moved = await importMail(
        calendar(
          'REQUEST',
          ...meeting(uid, {
            SEQUENCE: '1',
            'RECURRENCE-ID;TZID=Europe/Berlin': '20260316T090000',
            'DTSTART;TZID=Europe/Berlin': '20260317T090000',
            'DTEND;TZID=Europe/Berlin': '20260317T100000',
          }),
        ),
      )
      expect([moved.status, moved.body.id, moved.body.start]).toEqual([201, id, '2026-03-17T08:00:00.000Z'])
      const listed = await instance.get(`${EVENTS}?start=2026-03-01&end=2026-04-01&limit=200`)
      const own = listed.body.events.filter((event: { uid: string }) => event.uid === uid)
      expect(own.map(({ start, status }: Record<string, string>) => [start, status])).toEqual([
        ['2026-03-02T08:00:00.000Z', 'confirmed'],
        ['2026-03-09T08:00:00.000Z', 'cancelled'],
        ['2026-03-17T08:00:00.000Z', 'confirmed'],
      ])
      await importMail(calendar('CANCEL', ...meeting(uid, { SEQUENCE: '2' })))
      const after = await instance.get(`${EVENTS}?start=2026-03-01&end=2026-04-01&limit=200&status=confirmed`)
      expect(after.body.events.filter((event: { uid: string }) => event.uid === uid)).toEqual([])
    })

    it('can move all future occurrences of a series repeatedly', async () => {
      const uid = createUid()
      const { id } = (
        await importMail(calendar('REQUEST', ...meeting(uid, { RRULE: 'FREQ=WEEKLY;COUNT=5' })))
      ).body
      const off = { SEQUENCE: '1', 'RECURRENCE-ID;TZID=Europe/Berlin': '20260323T090000' }
      await importMail(calendar('CANCEL', ...meeting(uid, off)))
      const movedTo = (hour: string, SEQUENCE: string) =>
        importMail(
          calendar(
            'REQUEST',
            ...meeting(uid, {
              SEQUENCE,
              'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin': '20260316T090000',
              'DTSTART;TZID=Europe/Berlin': `20260317T${hour}0000`,
              'DTEND;TZID=Europe/Berlin': `20260317T${hour}3000`,
            }),
          ),
        )
      const starts = async () => {
        const { body } = await instance.get(`${EVENTS}?start=2026-03-01&end=2026-05-01&limit=200`)
        return body.events
          .filter((event: { uid: string }) => event.uid === uid)
          .map((event: Record<string, string>) => [event.id, event.start, event.status])
      }
      const moved = await movedTo('10', '2')
      expect(moved.body).toMatchObject({ id, occurrenceStart: '2026-03-16T08:00:00.000Z', others: [] })
      const untouched = [
        [id, '2026-03-02T08:00:00.000Z', 'confirmed'],
        [id, '2026-03-09T08:00:00.000Z', 'confirmed'],
      ]
      expect(await starts()).toEqual([
        ...untouched,
        [id, '2026-03-17T09:00:00.000Z', 'confirmed'],
        [id, '2026-03-23T08:00:00.000Z', 'cancelled'],
        [id, '2026-03-31T08:00:00.000Z', 'confirmed'],
      ])
      await movedTo('11', '3')
      expect(await starts()).toEqual([
        ...untouched,
        [id, '2026-03-17T10:00:00.000Z', 'confirmed'],
        [id, '2026-03-23T08:00:00.000Z', 'cancelled'],
        [id, '2026-03-31T09:00:00.000Z', 'confirmed'],
      ])
    })

    it('from Exchange uses Windows time zones and the Teams link', async () => {
      const link = 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_abc%40thread.v2/0?context=%7b%7d'
      const zone = [
        'BEGIN:VTIMEZONE',
        'TZID:W. Europe Standard Time',
        'BEGIN:STANDARD',
        'DTSTART:16010101T030000',
        'TZOFFSETFROM:+0200',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
        'END:STANDARD',
        'BEGIN:DAYLIGHT',
        'DTSTART:16010101T020000',
        'TZOFFSETFROM:+0100',
        'TZOFFSETTO:+0200',
        'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
        'END:DAYLIGHT',
        'END:VTIMEZONE',
      ].join('\r\n')
      const file = calendar(
        'REQUEST',
        ...[
          'ORGANIZER;CN="Okafor, Ben":MAILTO:ben@example.org',
          `UID:040000008200E00074C5B7101A82E008${++meetings}`,
        ],
        'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN="Ruiz, Ana":mailto:ana@example.org',
        ...['DESCRIPTION;LANGUAGE=en-GB:Join on your computer', 'SUMMARY;LANGUAGE=en-GB:Planning'],
        'DTSTART;TZID=W. Europe Standard Time:20260701T140000',
        'DTEND;TZID=W. Europe Standard Time:20260701T150000',
        ...['CLASS:PUBLIC', 'PRIORITY:5', 'DTSTAMP:20260202T100000Z', 'TRANSP:OPAQUE', 'SEQUENCE:0'],
        ...['X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE', `X-MICROSOFT-SKYPETEAMSMEETINGURL:${link}`],
      ).replace('BEGIN:VEVENT', `${zone}\r\nBEGIN:VEVENT`)
      const { status, body } = await importMail(file)
      expect(status).toBe(201)
      expect(body).toMatchObject({
        title: 'Planning',
        start: '2026-07-01T12:00:00.000Z',
        end: '2026-07-01T13:00:00.000Z',
        organizer: { name: 'Okafor, Ben', email: 'ben@example.org' },
        meetingUrl: link,
      })
    })

    it('with several events creates all of them and lists the others', async () => {
      const [out, back] = [createUid(), createUid()]
      const file = calendar(
        'PUBLISH',
        ...meeting(out, { SUMMARY: 'There' }),
        'END:VEVENT\r\nBEGIN:VEVENT',
        ...meeting(back, { SUMMARY: 'Back' }),
      )
      const { status, body } = await importMail(file)
      expect([status, body.title, body.others.length]).toEqual([201, 'There', 1])
      expect((await read(body.others[0])).title).toBe('Back')
    })
  })

  describe('sender permissions', () => {
    const refused = (answer: Answer) => [answer.status, answer.body.code]
    const REFUSED = [409, 'meeting_refused']

    it('no email can change or cancel an event that was created here', async () => {
      const uid = createUid()
      const made = await instance.post(EVENTS, { uid, title: 'Mine', start: '2026-03-05T09:00:00Z' })
      for (const method of ['REQUEST', 'PUBLISH', 'CANCEL', null]) {
        const answer = await importMail(calendar(method, ...meeting(uid, { SEQUENCE: '99' })))
        expect(refused(answer)).toEqual(REFUSED)
        expect(answer.body.detail).toContain('“Mine” was created in this calendar')
      }
      const one = { SEQUENCE: '99', 'RECURRENCE-ID': '20260305T090000Z' }
      expect(refused(await importMail(calendar('REQUEST', ...meeting(uid, one))))).toEqual(REFUSED)
      const { conflicts: _, ...before } = made.body
      expect(await read(made.body.id)).toEqual(before)
    })

    it('another organizer cannot take over an event', async () => {
      const uid = createUid()
      const { id } = (await importMail(calendar('REQUEST', ...meeting(uid)))).body
      const before = await read(id)
      const eve = { SEQUENCE: '9', SUMMARY: 'Evil', 'ORGANIZER;CN=Ben Okafor': 'mailto:eve@example.net' }
      const from = 'Ben Okafor <eve@example.net>'
      for (const [file, mail] of [
        [calendar('REQUEST', ...meeting(uid, eve)), { from }],
        [calendar('REQUEST', ...meeting(uid, eve)), {}],
        [calendar('REQUEST', ...meeting(uid, { SEQUENCE: '9', SUMMARY: 'Evil' })), { from }],
        [calendar('CANCEL', ...meeting(uid, { SEQUENCE: '9' })), { from }],
        [calendar('CANCEL', `UID:${uid}`, 'SEQUENCE:9', 'DTSTAMP:20260203T100000Z'), { from }],
      ] as const)
        expect(refused(await importMail(file, mail))).toEqual(REFUSED)
      const text = calendar('CANCEL', ...meeting(uid, { SEQUENCE: '9' }))
      expect(refused(await instance.post(`${EVENTS}/from-email`, { text }))).toEqual(REFUSED)
      expect(await read(id)).toEqual(before)
    })

    it('a system that invites on behalf of an organizer can update the event', async () => {
      const uid = createUid()
      const from = 'Calendar <notifications@calendar.example>'
      const { id } = (await importMail(calendar('REQUEST', ...meeting(uid)), { from })).body
      const revised = calendar('REQUEST', ...meeting(uid, { SEQUENCE: '1', SUMMARY: 'Revised' }))
      expect((await importMail(revised, { from })).body).toMatchObject({
        id,
        title: 'Revised',
        outcome: 'updated',
      })
    })

    it('an event without an organizer can be changed only by its sender', async () => {
      const uid = createUid()
      const plain = (sequence: number, title: string) => [
        `UID:${uid}`,
        'DTSTAMP:20260202T100000Z',
        'DTSTART:20260310T100000Z',
        `SEQUENCE:${sequence}`,
        `SUMMARY:${title}`,
      ]
      await importMail(calendar('PUBLISH', ...plain(0, 'Flight')), { from: 'tickets@air.example' })
      const eve = await importMail(calendar('PUBLISH', ...plain(1, 'Evil')), { from: 'eve@example.net' })
      expect(refused(eve)).toEqual(REFUSED)
      const later = await importMail(calendar('PUBLISH', ...plain(1, 'Late')), {
        from: 'tickets@air.example',
      })
      expect(later.body).toMatchObject({ title: 'Late', outcome: 'updated' })
    })
  })

  describe('a reply', () => {
    const invite = async (more: Record<string, unknown> = {}) => {
      const { body } = await instance.post(EVENTS, {
        uid: createUid(),
        title: 'Mine',
        start: '2026-03-05T09:00:00Z',
        attendees: ['Li Wei <li@example.org>', 'Max <max@example.org>'],
        ...more,
      })
      return body as { id: number; uid: string }
    }
    const reply = (
      uid: string,
      { who = 'li@example.org', how = 'ACCEPTED', more = {} as Record<string, string> } = {},
    ) => {
      const said: Record<string, string> = { DTSTAMP: '20260203T100000Z', SEQUENCE: '0', ...more }
      return [
        `UID:${uid}`,
        `ATTENDEE;PARTSTAT=${how}:mailto:${who}`,
        ...Object.entries(said).map(([name, value]) => `${name}:${value}`),
      ]
    }
    const fromLi = { from: 'Li Wei <LI@example.org>' }

    it('from an attendee changes only the status of that attendee', async () => {
      const { id, uid } = await invite()
      const answer = await importMail(calendar('REPLY', ...reply(uid)), fromLi)
      expect([answer.status, answer.body.id, answer.body.outcome]).toEqual([200, id, 'answered'])
      expect(await statuses(id)).toEqual(['accepted', 'needs-action'])
      const later = reply(uid, { how: 'DECLINED', more: { DTSTAMP: '20260204T100000Z' } })
      expect((await importMail(calendar('REPLY', ...later), fromLi)).body.outcome).toBe('answered')
      expect((await importMail(calendar('REPLY', ...reply(uid)), fromLi)).body.outcome).toBe('unchanged')
      expect(await statuses(id)).toEqual(['declined', 'needs-action'])
    })

    it('for someone else, from an uninvited sender or to an older revision is rejected', async () => {
      const { id, uid } = await invite()
      await instance.call('PATCH', `${EVENTS}/${id}`, { body: { start: '2026-03-06T09:00:00Z' } })
      const now = { more: { SEQUENCE: '1' } }
      for (const [lines, from, says] of [
        [reply(uid, now), 'max@example.org', 'Attendees may reply only for themselves'],
        [reply(uid, { who: 'eve@example.net', ...now }), 'eve@example.net', 'is not invited'],
        [reply(uid), fromLi.from, 'an earlier revision'],
        [reply(createUid()), fromLi.from, 'not in the calendar'],
      ] as const) {
        const answer = await importMail(calendar('REPLY', ...lines), { from })
        expect([answer.status, answer.body.code]).toEqual([409, 'meeting_refused'])
        expect(answer.body.detail).toContain(says)
      }
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
    })

    it('to a meeting of another organizer is rejected', async () => {
      const uid = createUid()
      const { id } = (await importMail(calendar('REQUEST', ...meeting(uid)))).body
      const answer = await importMail(calendar('REPLY', ...reply(uid)), fromLi)
      expect([answer.status, answer.body.code]).toEqual([409, 'meeting_refused'])
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
    })

    it('can apply to a single occurrence of a series', async () => {
      const { id, uid } = await invite({ recurrence: 'FREQ=WEEKLY;COUNT=3' })
      const lines = reply(uid, { how: 'DECLINED', more: { 'RECURRENCE-ID': '20260312T090000Z' } })
      const answer = await importMail(calendar('REPLY', ...lines), fromLi)
      expect([answer.status, answer.body.occurrenceStart]).toEqual([200, '2026-03-12T09:00:00.000Z'])
      expect(answer.body.attendees[0].status).toBe('declined')
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
      // An earlier reply that arrives later.
      const more = { 'RECURRENCE-ID': '20260312T090000Z', DTSTAMP: '20260101T000000Z' }
      const earlier = await importMail(calendar('REPLY', ...reply(uid, { more })), fromLi)
      expect([earlier.body.outcome, earlier.body.attendees[0].status]).toEqual(['unchanged', 'declined'])
    })

    it('with a counter-proposal returns the proposed time and keeps the event unchanged', async () => {
      const { id, uid } = await invite()
      const before = await read(id)
      const times = { DTSTART: '20260305T140000Z', DTEND: '20260305T150000Z', COMMENT: 'On a train\\, sorry' }
      const counter = calendar('COUNTER', ...reply(uid, { how: 'TENTATIVE', more: times }))
      const answer = await importMail(counter, fromLi)
      expect([answer.status, answer.body.outcome]).toEqual([200, 'proposed'])
      expect(answer.body.proposal).toEqual({
        start: '2026-03-05T14:00:00.000Z',
        end: '2026-03-05T15:00:00.000Z',
        allDay: false,
        from: { name: 'Li Wei', email: 'li@example.org' },
        comment: 'On a train, sorry',
      })
      expect(await read(id)).toEqual(before)
      expect((await importMail(counter, { from: 'eve@example.net' })).status).toBe(409)
      for (const [method, outcome] of [
        ['REFRESH', 'asked_again'],
        ['DECLINECOUNTER', 'proposal_declined'],
      ] as const)
        expect((await importMail(calendar(method, ...reply(uid)), fromLi)).body.outcome).toBe(outcome)
      expect(await read(id)).toEqual(before)
    })
  })

  describe('invalid input', () => {
    it('is rejected with a specific error', async () => {
      const plain = mailWith('').replace('text/calendar', 'text/plain')
      for (const [body, status, says] of [
        [{ emailId: 999_999_999 }, 404, 'no such email'],
        [{ emailId: await storeMail(instance, plain) }, 400, 'proposes no meeting'],
        [{ emailId: await storeMail(instance, mailWith('Hello')) }, 400, 'no event'],
        [
          { emailId: await storeMail(instance, mailWith(calendar('REQUEST', 'UID:x', 'DTSTART:never'))) },
          400,
          'DTSTART',
        ],
        [
          { emailId: await storeMail(instance, mailWith(calendar('ADD', ...meeting(createUid())))) },
          409,
          'ADD',
        ],
        [{ text: 'Lunch was good.' }, 400, 'proposes no meeting'],
        [{ text: 'x', emailId: 1 }, 400, 'not both'],
        [{ subject: 'x' }, 400, 'subject'],
        [{}, 400, ''],
        [{ emailID: 1 }, 400, 'did you mean emailId'],
      ] as const) {
        const answer = await instance.post(`${EVENTS}/from-email`, body)
        expect([body, answer.status]).toEqual([body, status])
        expect(JSON.stringify(answer.body)).toContain(says)
      }
    })
  })

  it('a text that contains a calendar creates an event', async () => {
    const text = `See you there!\r\n\r\n${calendar('REQUEST', ...meeting(createUid()))}\r\nBen`
    const made = await instance.post(`${EVENTS}/from-email`, { text, subject: 'Fwd: Design review' })
    expect([made.status, made.body.source, made.body.emailId]).toEqual([201, 'email', null])
    const again = await instance.post(`${EVENTS}/from-email`, { text })
    expect([again.status, again.body.id]).toEqual([200, made.body.id])
  })

  it('a meeting detected in a text creates one event', async () => {
    const emailId = await storeMail(instance, mailWith('').replace('text/calendar', 'text/plain'))
    const found = {
      title: 'Lunch with Li',
      start: '2026-03-05T12:00:00+01:00',
      end: '2026-03-05T13:00:00+01:00',
      allDay: false,
      timezone: 'Europe/Berlin',
      location: 'Canteen',
      meetingUrl: null,
      attendees: ['Li', 'Max <max@example.org>'],
      confidence: 0.9,
      evidence: [{ text: 'lunch on Thursday at noon', offset: 12 }],
    }
    const made = await instance.post(`${EVENTS}/from-email`, { meeting: found, emailId })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      source: 'email',
      emailId,
      title: 'Lunch with Li',
      start: '2026-03-05T11:00:00.000Z',
      location: 'Canteen',
      notes: 'With Li',
      attendees: [{ name: 'Max', email: 'max@example.org', status: 'needs-action' }],
    })
    const again = await instance.post(`${EVENTS}/from-email`, {
      meeting: { ...found, title: 'lunch  with LI', start: '2026-03-05T11:00:00Z', confidence: 0.5 },
    })
    expect([again.status, again.body.id, again.body.outcome]).toEqual([200, made.body.id, 'unchanged'])
    const wrong = await instance.post(`${EVENTS}/from-email`, { meeting: { ...found, end: found.start } })
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'meeting.end'])
    expect(wrong.body.detail).toBe('meeting.end must be after the start.')
  })

  it('require the token scopes of both calendar and mail', async () => {
    const owner = await register(instance)
    const tokenFor = async (...scopes: string[]) =>
      (
        await instance.post(
          '/api/settings/tokens',
          { name: 't', scopes, password: PASSWORD },
          { token: owner.token },
        )
      ).body.token
    const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(createUid()))))
    const callWith = async (...scopes: string[]) => {
      const token = await tokenFor(...scopes)
      const { status, body } = await instance.post(`${EVENTS}/from-email`, { emailId }, { token })
      return [status, body.detail]
    }
    expect(await callWith('calendar:write')).toEqual([403, 'This token lacks the scope mail:read.'])
    expect(await callWith('mail:write')).toEqual([403, 'This token lacks the scope calendar:write.'])
    expect((await callWith('calendar:write', 'mail:read'))[0]).toBe(201)
    const answering = await tokenFor('calendar:write', 'mail:read')
    const answer = await instance.post(`${EVENTS}/1/respond`, { status: 'accepted' }, { token: answering })
    expect([answer.status, answer.body.detail]).toEqual([403, 'This token lacks the scope mail:write.'])
  })

  it.skipIf(!existsSync(FILES))('never cause a server error for any calendar file', async () => {
    const files = globSync(`${FILES}/**/*.ics`)
    expect(files.length).toBeGreaterThan(50)
    for (const file of sampleOf(files, 30)) {
      const emailId = await storeMail(instance, mailWith(readFileSync(file)))
      const { status, body } = await instance.post(`${EVENTS}/from-email`, { emailId })
      expect([file, status < 500, body.detail]).toEqual([file, true, body.detail])
    }
  })

  describe.skipIf(!existsSync(MESSAGES))('emails of real programs', () => {
    const storeFile = (name: string) => storeMail(instance, readFileSync(`${MESSAGES}/${name}`))
    const importFile = async (name: string) =>
      instance.post(`${EVENTS}/from-email`, { emailId: await storeFile(name) })

    it('with a calendar create events, and the others are rejected', async () => {
      const carries = (file: string) => /^content-type:\s*text\/calendar/im.test(readFileSync(file, 'latin1'))
      const counts = { created: 0, refused: 0, without: 0 }
      const files = globSync(`${MESSAGES}/*.eml`)
      const others = files.filter((file) => !carries(file))
      for (const file of [...files.filter(carries), ...sampleOf(others, 30)]) {
        await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
        const { status, body } = await importFile(file.slice(MESSAGES.length + 1))
        if (!carries(file)) {
          counts.without++
          expect([file, status]).toEqual([file, 400])
        } else if (status === 201) {
          counts.created++
          expect([file, body.title === '', body.organizer === null]).toEqual([file, false, false])
          expect([file, Date.parse(body.end) > Date.parse(body.start)]).toEqual([file, true])
        } else {
          counts.refused++
          // Cancellations of unknown events.
          expect([file, status, body.code]).toEqual([file, 409, 'meeting_refused'])
        }
      }
      console.log(`meetings in mails: ${JSON.stringify(counts)}`)
      expect(counts.created).toBeGreaterThan(3)
    })

    it('with a Google Meet invitation keep the meeting link', async () => {
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      const { status, body } = await importFile('postalmime--calendar-event.eml')
      expect(status).toBe(201)
      expect(body).toMatchObject({
        title: 'Test event ⏰',
        start: '2024-04-11T08:00:00.000Z',
        end: '2024-04-11T09:00:00.000Z',
        organizer: { name: 'Andris Reinman', email: 'andris@postalsys.com' },
        meetingUrl: 'https://meet.google.com/yew-afgi-ynf',
      })
    })

    it('of one conversation create, move and cancel a series', async () => {
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      const made = await importFile('tbinvite--repeat-event.eml')
      expect([made.status, made.body.recurrence, made.body.start]).toEqual([
        201,
        'FREQ=DAILY;COUNT=3;WKST=SU',
        '2022-03-16T11:00:00.000Z',
      ])
      const moved = await importFile('tbinvite--repeat-update-major.eml')
      expect([moved.status, moved.body.id, moved.body.start]).toEqual([
        200,
        made.body.id,
        '2022-03-16T05:00:00.000Z',
      ])
      await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
      await importFile('tbinvite--repeat-event.eml')
      const off = await importFile('tbinvite--cancel-repeat-event.eml')
      expect([off.status, off.body.status]).toEqual([200, 'cancelled'])
    })
  })
})
