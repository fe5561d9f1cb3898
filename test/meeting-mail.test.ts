import { existsSync, globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { calendar, mailWith, storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const FILES = '../shared/data/ics-fixtures'
const MESSAGES = '../shared/data/eml-robustness/eml.public'

let meetings = 0
const newUid = (): string => `meeting-${++meetings}@example.org`

/** The lines of a meeting that Ben calls and Ana and Li are invited to. */
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

onEveryDatabase('meetings by mail', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
  })
  afterAll(() => instance.close())

  const take = async (file: string, mail: Parameters<typeof mailWith>[1] = {}): Promise<Answer> =>
    instance.post(`${EVENTS}/from-email`, { emailId: await storeMail(instance, mailWith(file, mail)) })
  const read = async (id: number) => (await instance.get(`${EVENTS}/${id}`)).body
  const statuses = async (id: number) =>
    (await read(id)).attendees.map(({ status }: { status: string }) => status)

  describe('an invitation', () => {
    it('becomes an event that knows its mail', async () => {
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(newUid()))))
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

    it('is the same event however often it is taken over, from whichever mail, and however it is attached', async () => {
      const file = calendar('REQUEST', ...meeting(newUid()))
      const first = await take(file)
      const emailId = await storeMail(instance, mailWith(file, { type: 'application/ics' }))
      for (const answer of [
        await instance.post(`${EVENTS}/from-email`, { emailId }),
        await instance.post(`${EVENTS}/from-email`, { emailId }),
        await take(file, { type: 'application/octet-stream; name="invite.ics"' }),
        await take(file, { from: 'colleague@example.org' }),
      ])
        expect([answer.status, answer.body.id, answer.body.outcome]).toEqual([
          200,
          first.body.id,
          'unchanged',
        ])
    })

    it('is one event when two ask at the same moment', async () => {
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(newUid()))))
      const answers = await Promise.all(
        [1, 2, 3].map(() => instance.post(`${EVENTS}/from-email`, { emailId })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    })

    it('answers the same for the same Idempotency-Key', async () => {
      const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(newUid()))))
      const headers = { 'idempotency-key': `take-${emailId}` }
      const call = () => instance.post(`${EVENTS}/from-email`, { emailId }, { headers })
      const [first, second] = [await call(), await call()]
      expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
      expect(second.headers.get('idempotency-replayed')).toBe('true')
    })

    it('that is revised changes the event; an older revision does not', async () => {
      const uid = newUid()
      const { id } = (await take(calendar('REQUEST', ...meeting(uid)))).body
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
      const stale = await take(calendar('REQUEST', ...meeting(uid)))
      expect([stale.status, stale.body.outcome, stale.body.start]).toEqual([
        200,
        'unchanged',
        '2026-03-03T10:00:00.000Z',
      ])
    })

    it('that is called off cancels the event, also without saying when it was', async () => {
      const uid = newUid()
      const { id } = (await take(calendar('REQUEST', ...meeting(uid)))).body
      const cancel = [
        'DTSTAMP:20260203T100000Z',
        `UID:${uid}`,
        'SEQUENCE:1',
        'ORGANIZER:mailto:ben@example.org',
      ]
      const cancelled = await take(calendar('CANCEL', ...cancel))
      expect([cancelled.status, cancelled.body.id, cancelled.body.outcome, cancelled.body.status]).toEqual([
        200,
        id,
        'cancelled',
        'cancelled',
      ])
      expect((await take(calendar('CANCEL', ...cancel))).body.outcome).toBe('unchanged')
      const unknown = await take(calendar('CANCEL', 'DTSTAMP:20260203T100000Z', `UID:${newUid()}`))
      expect([unknown.status, unknown.body.code]).toEqual([409, 'meeting_refused'])
    })

    it('to a series can be called off or moved for one occurrence alone', async () => {
      const uid = newUid()
      const { id } = (await take(calendar('REQUEST', ...meeting(uid, { RRULE: 'FREQ=WEEKLY;COUNT=3' })))).body
      const one = { SEQUENCE: '1', 'RECURRENCE-ID;TZID=Europe/Berlin': '20260309T090000' }
      const off = await take(calendar('CANCEL', ...meeting(uid, one)))
      expect([off.status, off.body.id, off.body.occurrenceStart, off.body.status]).toEqual([
        200,
        id,
        '2026-03-09T08:00:00.000Z',
        'cancelled',
      ])
      const moved = await take(
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
      await take(calendar('CANCEL', ...meeting(uid, { SEQUENCE: '2' })))
      const after = await instance.get(`${EVENTS}?start=2026-03-01&end=2026-04-01&limit=200&status=confirmed`)
      expect(after.body.events.filter((event: { uid: string }) => event.uid === uid)).toEqual([])
    })

    it('to a series can be moved from some occurrence on, again and again, and stays what its organizer knows', async () => {
      const uid = newUid()
      const { id } = (await take(calendar('REQUEST', ...meeting(uid, { RRULE: 'FREQ=WEEKLY;COUNT=5' })))).body
      const off = { SEQUENCE: '1', 'RECURRENCE-ID;TZID=Europe/Berlin': '20260323T090000' }
      await take(calendar('CANCEL', ...meeting(uid, off)))
      const movedTo = (hour: string, SEQUENCE: string) =>
        take(
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

    it('from Exchange, in the zones of Windows, has its time and its link', async () => {
      const link = 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_abc%40thread.v2/0?context=%7b%7d'
      const zone = [
        ...['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'BEGIN:STANDARD', 'DTSTART:16010101T030000'],
        ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10'],
        ...['END:STANDARD', 'BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100'],
        ...['TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT'],
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
      const { status, body } = await take(file)
      expect(status).toBe(201)
      expect(body).toMatchObject({
        title: 'Planning',
        start: '2026-07-01T12:00:00.000Z',
        end: '2026-07-01T13:00:00.000Z',
        organizer: { name: 'Okafor, Ben', email: 'ben@example.org' },
        meetingUrl: link,
      })
    })

    it('with several events makes them all, and tells of the others', async () => {
      const [out, back] = [newUid(), newUid()]
      const file = calendar(
        'PUBLISH',
        ...meeting(out, { SUMMARY: 'There' }),
        'END:VEVENT\r\nBEGIN:VEVENT',
        ...meeting(back, { SUMMARY: 'Back' }),
      )
      const { status, body } = await take(file)
      expect([status, body.title, body.others.length]).toEqual([201, 'There', 1])
      expect((await read(body.others[0])).title).toBe('Back')
    })
  })

  describe('a mail may do no more than its sender may', () => {
    const refused = (answer: Answer) => [answer.status, answer.body.code]
    const REFUSED = [409, 'meeting_refused']

    it('an event that was made here is changed and cancelled by no mail', async () => {
      const uid = newUid()
      const made = await instance.post(EVENTS, { uid, title: 'Mine', start: '2026-03-05T09:00:00Z' })
      for (const method of ['REQUEST', 'PUBLISH', 'CANCEL', null]) {
        const answer = await take(calendar(method, ...meeting(uid, { SEQUENCE: '99' })))
        expect(refused(answer)).toEqual(REFUSED)
        expect(answer.body.detail).toContain('“Mine” was made here')
      }
      const one = { SEQUENCE: '99', 'RECURRENCE-ID': '20260305T090000Z' }
      expect(refused(await take(calendar('REQUEST', ...meeting(uid, one))))).toEqual(REFUSED)
      const { conflicts: _, ...before } = made.body
      expect(await read(made.body.id)).toEqual(before)
    })

    it('an event of one organizer is not taken over by another', async () => {
      const uid = newUid()
      const { id } = (await take(calendar('REQUEST', ...meeting(uid)))).body
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
        expect(refused(await take(file, mail))).toEqual(REFUSED)
      const text = calendar('CANCEL', ...meeting(uid, { SEQUENCE: '9' }))
      expect(refused(await instance.post(`${EVENTS}/from-email`, { text }))).toEqual(REFUSED)
      expect(await read(id)).toEqual(before)
    })

    it('a system that invited on behalf of an organizer may go on doing so', async () => {
      const uid = newUid()
      const from = 'Calendar <notifications@calendar.example>'
      const { id } = (await take(calendar('REQUEST', ...meeting(uid)), { from })).body
      const revised = calendar('REQUEST', ...meeting(uid, { SEQUENCE: '1', SUMMARY: 'Revised' }))
      expect((await take(revised, { from })).body).toMatchObject({ id, title: 'Revised', outcome: 'updated' })
    })

    it('an event without an organizer is changed by who sent it alone', async () => {
      const uid = newUid()
      const plain = (sequence: number, title: string) => [
        ...[`UID:${uid}`, 'DTSTAMP:20260202T100000Z', 'DTSTART:20260310T100000Z'],
        ...[`SEQUENCE:${sequence}`, `SUMMARY:${title}`],
      ]
      await take(calendar('PUBLISH', ...plain(0, 'Flight')), { from: 'tickets@air.example' })
      const eve = await take(calendar('PUBLISH', ...plain(1, 'Evil')), { from: 'eve@example.net' })
      expect(refused(eve)).toEqual(REFUSED)
      const later = await take(calendar('PUBLISH', ...plain(1, 'Late')), { from: 'tickets@air.example' })
      expect(later.body).toMatchObject({ title: 'Late', outcome: 'updated' })
    })
  })

  describe('an answer', () => {
    const invite = async (more: Record<string, unknown> = {}) => {
      const { body } = await instance.post(EVENTS, {
        uid: newUid(),
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
    const li = { from: 'Li Wei <LI@example.org>' }

    it('from someone invited is noted beside their name, and no other', async () => {
      const { id, uid } = await invite()
      const answer = await take(calendar('REPLY', ...reply(uid)), li)
      expect([answer.status, answer.body.id, answer.body.outcome]).toEqual([200, id, 'answered'])
      expect(await statuses(id)).toEqual(['accepted', 'needs-action'])
      const later = reply(uid, { how: 'DECLINED', more: { DTSTAMP: '20260204T100000Z' } })
      expect((await take(calendar('REPLY', ...later), li)).body.outcome).toBe('answered')
      expect((await take(calendar('REPLY', ...reply(uid)), li)).body.outcome).toBe('unchanged')
      expect(await statuses(id)).toEqual(['declined', 'needs-action'])
    })

    it('for someone else, from someone not invited, or to an older revision is refused', async () => {
      const { id, uid } = await invite()
      await instance.call('PATCH', `${EVENTS}/${id}`, { body: { start: '2026-03-06T09:00:00Z' } })
      const now = { more: { SEQUENCE: '1' } }
      for (const [lines, from, says] of [
        [reply(uid, now), 'max@example.org', 'Nobody answers for another'],
        [reply(uid, { who: 'eve@example.net', ...now }), 'eve@example.net', 'was not invited'],
        [reply(uid), li.from, 'an earlier revision'],
        [reply(newUid()), li.from, 'not in the calendar'],
      ] as const) {
        const answer = await take(calendar('REPLY', ...lines), { from })
        expect([answer.status, answer.body.code]).toEqual([409, 'meeting_refused'])
        expect(answer.body.detail).toContain(says)
      }
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
    })

    it('is for the organizer: one to a meeting that someone else called is refused', async () => {
      const uid = newUid()
      const { id } = (await take(calendar('REQUEST', ...meeting(uid)))).body
      const answer = await take(calendar('REPLY', ...reply(uid)), li)
      expect([answer.status, answer.body.code]).toEqual([409, 'meeting_refused'])
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
    })

    it('may be about one occurrence of a series', async () => {
      const { id, uid } = await invite({ recurrence: 'FREQ=WEEKLY;COUNT=3' })
      const lines = reply(uid, { how: 'DECLINED', more: { 'RECURRENCE-ID': '20260312T090000Z' } })
      const answer = await take(calendar('REPLY', ...lines), li)
      expect([answer.status, answer.body.occurrenceStart]).toEqual([200, '2026-03-12T09:00:00.000Z'])
      expect(answer.body.attendees[0].status).toBe('declined')
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
      // One that was given before and comes after it.
      const more = { 'RECURRENCE-ID': '20260312T090000Z', DTSTAMP: '20260101T000000Z' }
      const earlier = await take(calendar('REPLY', ...reply(uid, { more })), li)
      expect([earlier.body.outcome, earlier.body.attendees[0].status]).toEqual(['unchanged', 'declined'])
    })

    it('that proposes other times leaves the event as it is and tells them', async () => {
      const { id, uid } = await invite()
      const before = await read(id)
      const times = { DTSTART: '20260305T140000Z', DTEND: '20260305T150000Z', COMMENT: 'On a train\\, sorry' }
      const counter = calendar('COUNTER', ...reply(uid, { how: 'TENTATIVE', more: times }))
      const answer = await take(counter, li)
      expect([answer.status, answer.body.outcome]).toEqual([200, 'proposed'])
      expect(answer.body.proposal).toEqual({
        start: '2026-03-05T14:00:00.000Z',
        end: '2026-03-05T15:00:00.000Z',
        allDay: false,
        from: { name: 'Li Wei', email: 'li@example.org' },
        comment: 'On a train, sorry',
      })
      expect(await read(id)).toEqual(before)
      expect((await take(counter, { from: 'eve@example.net' })).status).toBe(409)
      for (const [method, outcome] of [
        ['REFRESH', 'asked_again'],
        ['DECLINECOUNTER', 'proposal_declined'],
      ] as const)
        expect((await take(calendar(method, ...reply(uid)), li)).body.outcome).toBe(outcome)
      expect(await read(id)).toEqual(before)
    })
  })

  describe('what cannot be taken over', () => {
    it('is told apart: no mail, no calendar, no event, no sense', async () => {
      const plain = mailWith('').replace('text/calendar', 'text/plain')
      for (const [body, status, says] of [
        [{ emailId: 999_999_999 }, 404, 'no such e-mail'],
        [{ emailId: await storeMail(instance, plain) }, 400, 'proposes no meeting'],
        [{ emailId: await storeMail(instance, mailWith('Hello')) }, 400, 'no event'],
        [
          { emailId: await storeMail(instance, mailWith(calendar('REQUEST', 'UID:x', 'DTSTART:never'))) },
          400,
          'DTSTART',
        ],
        [{ emailId: await storeMail(instance, mailWith(calendar('ADD', ...meeting(newUid())))) }, 409, 'ADD'],
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

  it('a text with a calendar in it makes an event', async () => {
    const text = `See you there!\r\n\r\n${calendar('REQUEST', ...meeting(newUid()))}\r\nBen`
    const made = await instance.post(`${EVENTS}/from-email`, { text, subject: 'Fwd: Design review' })
    expect([made.status, made.body.source, made.body.emailId]).toEqual([201, 'email', null])
    const again = await instance.post(`${EVENTS}/from-email`, { text })
    expect([again.status, again.body.id]).toEqual([200, made.body.id])
  })

  it('a meeting that was found in prose becomes an event, once', async () => {
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

  it('a token needs the scopes of both the calendar and the mail', async () => {
    const owner = await register(instance)
    const tokenFor = async (...scopes: string[]) =>
      (
        await instance.post(
          '/api/settings/tokens',
          { name: 't', scopes, password: PASSWORD },
          { token: owner.token },
        )
      ).body.token
    const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(newUid()))))
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

  it.skipIf(!existsSync(FILES))(
    'whatever calendar a mail carries, it is never a fault',
    async () => {
      const files = globSync(`${FILES}/**/*.ics`)
      expect(files.length).toBeGreaterThan(50)
      for (const file of files) {
        const emailId = await storeMail(instance, mailWith(readFileSync(file)))
        const { status, body } = await instance.post(`${EVENTS}/from-email`, { emailId })
        expect([file, status < 500, body.detail]).toEqual([file, true, body.detail])
      }
    },
    120_000,
  )

  describe.skipIf(!existsSync(MESSAGES))('of real programs', () => {
    const stored = (name: string) => storeMail(instance, readFileSync(`${MESSAGES}/${name}`))
    const takeReal = async (name: string) =>
      instance.post(`${EVENTS}/from-email`, { emailId: await stored(name) })

    it('each that carries a calendar is understood, and none of the others a fault', async () => {
      const carries = (file: string) => /^content-type:\s*text\/calendar/im.test(readFileSync(file, 'latin1'))
      const counts = { created: 0, refused: 0, without: 0 }
      for (const file of globSync(`${MESSAGES}/*.eml`)) {
        await instance.database.db.deleteFrom('events').execute()
        const { status, body } = await takeReal(file.slice(MESSAGES.length + 1))
        if (!carries(file)) {
          counts.without++
          expect([file, status]).toEqual([file, 400])
        } else if (status === 201) {
          counts.created++
          expect([file, body.title === '', body.organizer === null]).toEqual([file, false, false])
          expect([file, Date.parse(body.end) > Date.parse(body.start)]).toEqual([file, true])
        } else {
          counts.refused++
          // Cancellations of what is not here.
          expect([file, status, body.code]).toEqual([file, 409, 'meeting_refused'])
        }
      }
      console.log(`meetings in mails: ${JSON.stringify(counts)}`)
      expect(counts.created).toBeGreaterThan(3)
    }, 120_000)

    it('a Google Meet invitation has its link', async () => {
      await instance.database.db.deleteFrom('events').execute()
      const { status, body } = await takeReal('postalmime--calendar-event.eml')
      expect(status).toBe(201)
      expect(body).toMatchObject({
        title: 'Test event ⏰',
        start: '2024-04-11T08:00:00.000Z',
        end: '2024-04-11T09:00:00.000Z',
        organizer: { name: 'Andris Reinman', email: 'andris@postalsys.com' },
        meetingUrl: 'https://meet.google.com/yew-afgi-ynf',
      })
    })

    it('a series is invited to, moved and called off by the mails of one conversation', async () => {
      await instance.database.db.deleteFrom('events').execute()
      const made = await takeReal('tbinvite--repeat-event.eml')
      expect([made.status, made.body.recurrence, made.body.start]).toEqual([
        201,
        'FREQ=DAILY;COUNT=3;WKST=SU',
        '2022-03-16T11:00:00.000Z',
      ])
      const moved = await takeReal('tbinvite--repeat-update-major.eml')
      expect([moved.status, moved.body.id, moved.body.start]).toEqual([
        200,
        made.body.id,
        '2022-03-16T05:00:00.000Z',
      ])
      await instance.database.db.deleteFrom('events').execute()
      await takeReal('tbinvite--repeat-event.eml')
      const off = await takeReal('tbinvite--cancel-repeat-event.eml')
      expect([off.status, off.body.status]).toEqual([200, 'cancelled'])
    })
  })
})
