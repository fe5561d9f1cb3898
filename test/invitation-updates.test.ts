import { existsSync, readFileSync } from 'node:fs'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { makeCalendar, newCalendarUser, sendCaldavRequest, withRadicale } from './support/calendar-servers.ts'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import { mailServers, newAddress, withMailServersOnOneDatabase } from './support/mail-servers.ts'
import { calendar, mailWith, storeMail, waitForMeetingMail } from './support/meeting-mail.ts'
import { type Person, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const DATA = '../shared/data/itip-mails'

let meetings = 0
const newUid = (): string => `update-${++meetings}-${process.pid}@example.org`

type Lines = Record<string, string>

/** The lines of a meeting that Ben organizes, with Ana and Li as attendees. */
const meeting = (uid: string, more: Lines = {}): string[] => {
  const lines: Lines = {
    DTSTAMP: '20300202T100000Z',
    DTSTART: '20300305T110000Z',
    DTEND: '20300305T120000Z',
    SUMMARY: 'Lunch',
    'ORGANIZER;CN=Ben Okafor': 'mailto:ben@example.org',
    'ATTENDEE;CN=Ana Ruiz;PARTSTAT=NEEDS-ACTION': 'mailto:ana@example.org',
    'ATTENDEE;CN=Li Wei;PARTSTAT=NEEDS-ACTION': 'mailto:li@example.org',
    SEQUENCE: '0',
    ...more,
  }
  return [`UID:${uid}`, ...Object.entries(lines).map(([name, value]) => `${name}:${value}`)]
}
const MOVED = { SEQUENCE: '1', DTSTART: '20300305T123000Z', DTEND: '20300305T133000Z' }
const START = '2030-03-05T11:00:00.000Z'
const MOVED_START = '2030-03-05T12:30:00.000Z'

onOneDatabase('sqlite', 'incoming meeting email', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    person = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const read = async (id: number, query = '') => (await instance.get(`${EVENTS}/${id}${query}`)).body
  const receive = async (file: string, mail: Parameters<typeof mailWith>[1] = {}, headers = '') => {
    const emailId = await storeMail(instance, headers + mailWith(file, mail))
    await waitForMeetingMail(instance)
    return emailId
  }
  /** Creates an event from an invitation. */
  const accept = async (more: Lines = {}) => {
    const uid = newUid()
    const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(uid, more))))
    await waitForMeetingMail(instance)
    const { status, body } = await instance.post(`${EVENTS}/from-email`, { emailId })
    expect(status).toBe(201)
    return { uid, id: body.id as number, emailId }
  }
  const cardOf = async (emailId: number) =>
    (await instance.get(`/api/calendar/invitations/${emailId}`, person)).body
  const undo = (actionId: number) => instance.post(`/api/actions/${actionId}/undo`, undefined, person)
  const notices = async (kind = 'invitation_updated') =>
    (await instance.get(`/api/notifications?kind=${kind}&limit=50`, person)).body.notifications
  const named = async (title: string, kind?: string) =>
    (await notices(kind)).find((one: { title: string }) => one.title.includes(title))

  it('a first invitation creates no event: it stays a card', async () => {
    const uid = newUid()
    const emailId = await receive(calendar('REQUEST', ...meeting(uid)))
    expect(await cardOf(emailId)).toMatchObject({
      state: 'new',
      method: 'REQUEST',
      eventId: null,
      reason: null,
      actionId: null,
      sender: 'ben@example.org',
      organizer: { email: 'ben@example.org' },
      start: START,
    })
    const listed = await instance.get(`${EVENTS}?start=2030-03-01&end=2030-04-01&limit=200`)
    expect(listed.body.events.filter((event: { uid: string }) => event.uid === uid)).toEqual([])
  })

  it('a revision by the organizer moves the event, keeps personal data, notifies, and can be undone', async () => {
    const title = `Lunch ${newUid()}`
    const { uid, id, emailId: first } = await accept({ SUMMARY: title })
    await instance.call('PATCH', `${EVENTS}/${id}`, {
      body: { notes: 'Ask about the budget', tags: ['work'], reminders: [{ minutesBefore: 5 }] },
    })
    const own = { notes: 'Ask about the budget', tags: ['work'], reminders: [{ minutesBefore: 5 }] }
    const emailId = await receive(
      calendar('REQUEST', ...meeting(uid, { ...MOVED, SUMMARY: title, LOCATION: 'Room 5' })),
    )
    expect(await read(id)).toMatchObject({ start: MOVED_START, location: 'Room 5', emailId, ...own })
    const card = await cardOf(emailId)
    expect(card).toMatchObject({ state: 'applied', eventId: id, reason: null })
    expect(await named(title)).toMatchObject({
      title: expect.stringMatching(/^Ben Okafor moved “Lunch .*” to .*5.*12:30/),
      body: expect.stringContaining('Location: Room 5'),
      actionId: card.actionId,
      link: '/calendar?date=2030-03-05',
    })
    expect((await undo(card.actionId)).status).toBe(200)
    expect(await read(id)).toMatchObject({ start: START, location: '', emailId: first, ...own })
    expect(await cardOf(emailId)).toMatchObject({ state: 'undone', actionId: null })
    // Another copy of the same revision, for example in a second mailbox, does not apply it again.
    await receive(calendar('REQUEST', ...meeting(uid, { ...MOVED, SUMMARY: title, LOCATION: 'Room 5' })))
    expect((await read(id)).start).toBe(START)
    await receive(calendar('REQUEST', ...meeting(uid, { ...MOVED, SEQUENCE: '2', SUMMARY: title })))
    expect((await read(id)).start).toBe(MOVED_START)
  })

  it('an older revision changes nothing, and one with the same SEQUENCE needs a later DTSTAMP', async () => {
    const { uid, id } = await accept({ SEQUENCE: '3' })
    const older = await receive(calendar('REQUEST', ...meeting(uid, { ...MOVED, SEQUENCE: '2' })))
    const early = { ...MOVED, SEQUENCE: '3', DTSTAMP: '20300201T100000Z' }
    const earlier = await receive(calendar('REQUEST', ...meeting(uid, early)))
    expect((await read(id)).start).toBe(START)
    for (const emailId of [older, earlier]) expect((await cardOf(emailId)).state).toBe('outdated')
    const late = { ...MOVED, SEQUENCE: '3', DTSTAMP: '20300203T100000Z' }
    await receive(calendar('REQUEST', ...meeting(uid, late)))
    expect((await read(id)).start).toBe(MOVED_START)
  })

  it('a cancellation by the organizer cancels the event, and undo restores it', async () => {
    const { uid, id } = await accept()
    const lines = ['DTSTAMP:20300203T100000Z', `UID:${uid}`, 'SEQUENCE:1', 'ORGANIZER:mailto:ben@example.org']
    const emailId = await receive(calendar('CANCEL', ...lines))
    expect((await read(id)).status).toBe('cancelled')
    const { actionId } = await cardOf(emailId)
    expect((await notices())[0]).toMatchObject({ title: 'Ben Okafor cancelled “Lunch”', actionId })
    expect((await undo(actionId)).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'confirmed', start: START })
    expect((await undo(actionId)).status).toBe(409)
  })

  it('a single occurrence of a series is moved and cancelled', async () => {
    const { uid, id } = await accept({ RRULE: 'FREQ=WEEKLY;COUNT=3' })
    await receive(
      calendar(
        'REQUEST',
        ...meeting(uid, {
          SEQUENCE: '1',
          'RECURRENCE-ID': '20300312T110000Z',
          DTSTART: '20300313T110000Z',
          DTEND: '20300313T120000Z',
        }),
      ),
    )
    const off = { SEQUENCE: '1', 'RECURRENCE-ID': '20300319T110000Z', DTSTART: '20300319T110000Z' }
    const emailId = await receive(calendar('CANCEL', ...meeting(uid, { ...off, DTEND: '20300319T120000Z' })))
    const occurrences = async () => {
      const { body } = await instance.get(`${EVENTS}?start=2030-03-01&end=2030-04-01&limit=200`)
      return body.events
        .filter((event: { uid: string }) => event.uid === uid)
        .map(({ start, status }: Lines) => [start?.slice(0, 10), status])
    }
    expect(await occurrences()).toEqual([
      ['2030-03-05', 'confirmed'],
      ['2030-03-13', 'confirmed'],
      ['2030-03-19', 'cancelled'],
    ])
    expect((await undo((await cardOf(emailId)).actionId)).status).toBe(200)
    expect((await occurrences())[2]).toEqual(['2030-03-19', 'confirmed'])
    expect((await read(id)).start).toBe(START)
  })

  it('email from anybody but the organizer stays a card with the sender', async () => {
    const { uid, id } = await accept()
    const before = await read(id)
    const from = 'Ben Okafor <eve@example.net>'
    const eve = { ...MOVED, 'ORGANIZER;CN=Ben Okafor': 'mailto:eve@example.net' }
    for (const [file, reason] of [
      [
        calendar('REQUEST', ...meeting(uid, MOVED)),
        'Sent by eve@example.net, who is not the organizer ben@example.org.',
      ],
      [calendar('CANCEL', ...meeting(uid, { SEQUENCE: '9' })), 'who is not the organizer ben@example.org.'],
      [calendar('REQUEST', ...meeting(uid, eve)), 'It names eve@example.net as the organizer'],
    ] as const) {
      const card = await cardOf(await receive(file, { from }))
      expect([card.state, card.sender, card.actionId]).toEqual(['refused', 'eve@example.net', null])
      expect(card.reason).toContain(reason)
    }
    const taken = await receive(calendar('REQUEST', ...meeting(uid, eve)))
    expect((await cardOf(taken)).state).toBe('refused')
    expect(await read(id)).toEqual(before)
  })

  it('email from an unverified sender, or spam, changes nothing', async () => {
    const { uid, id } = await accept()
    const file = calendar('REQUEST', ...meeting(uid, MOVED))
    const by = 'Authentication-Results: mx.example.org;'
    for (const headers of [
      `${by} dmarc=fail (p=none) header.from=example.org; spf=pass smtp.mailfrom=eve.example\r\n`,
      `${by} spf=softfail smtp.mailfrom=ben@example.org; dkim=none\r\n`,
      `${by} dkim=pass header.d=eve.example; spf=fail smtp.mailfrom=example.org\r\n`,
      `${by} dkim=fail header.d=example.org\r\nAuthentication-Results: eve.example; dmarc=pass\r\n`,
      'X-Spam-Flag: YES\r\n',
    ]) {
      const card = await cardOf(await receive(file, {}, headers))
      expect([headers, card.state]).toEqual([headers, 'waiting'])
      expect(card.reason).toMatch(/could not verify that this email is from ben@example.org|spam/)
    }
    expect((await read(id)).start).toBe(START)
    const emailId = await receive(file, {}, `${by} dkim=pass header.d=example.org; spf=none\r\n`)
    expect((await cardOf(emailId)).state).toBe('applied')
    expect((await read(id)).start).toBe(MOVED_START)
  })

  it('email that a rule moves to the trash changes nothing', async () => {
    const { uid, id } = await accept()
    const from = 'Ben Okafor <ben@example.org>'
    const rule = await instance.post('/api/mail-rules', {
      name: 'Away',
      q: 'from:ben@example.org',
      does: { folder: 'trash' },
    })
    expect(rule.status).toBe(201)
    const emailId = await receive(calendar('REQUEST', ...meeting(uid, MOVED)), { from })
    expect((await cardOf(emailId)).reason).toBe(
      'Sent by ben@example.org. Email in spam or trash is not applied automatically.',
    )
    expect((await read(id)).start).toBe(START)
    await instance.call('DELETE', `/api/mail-rules/${rule.body.id}`)
  })

  it('email does not change an event that was created locally', async () => {
    const uid = newUid()
    const { body } = await instance.post(EVENTS, { uid, title: 'Mine', start: START })
    const emailId = await receive(calendar('REQUEST', ...meeting(uid, { ...MOVED, SEQUENCE: '9' })))
    expect((await cardOf(emailId)).reason).toContain('“Mine” was created in this calendar')
    expect((await read(body.id)).start).toBe(START)
    const setLocale = (locale: string) =>
      instance.call('PATCH', '/api/settings/preferences', { ...person, body: { locale } })
    expect((await setLocale('de-DE')).status).toBe(200)
    expect((await cardOf(emailId)).reason).toContain('„Mine“ wurde in diesem Kalender erstellt')
    await setLocale('en-GB')
  })

  it('a calendar that is too large, broken, or unrelated is not parsed', async () => {
    const { uid, id } = await accept()
    const large = meeting(uid, { ...MOVED, 'X-LONG': 'x'.repeat(700_000) })
    await receive(calendar('REQUEST', ...large))
    await receive(calendar('REQUEST', `UID:${uid}`, 'SEQUENCE:9', 'DTSTART:never'))
    await receive('BEGIN:VCALENDAR\r\nUID:x\r\n')
    expect((await read(id)).start).toBe(START)
  })

  describe('a reply', () => {
    const invite = async (more: Record<string, unknown> = {}) => {
      const { body } = await instance.post(EVENTS, {
        uid: newUid(),
        title: 'Mine',
        start: START,
        attendees: ['Li Wei <li@example.org>', 'Max <max@example.org>'],
        ...more,
      })
      return body as { id: number; uid: string }
    }
    const reply = (uid: string, who: string, how: string, more: Lines = {}) => {
      const said: Lines = { DTSTAMP: '20300203T100000Z', SEQUENCE: '0', ...more }
      return calendar(
        'REPLY',
        `UID:${uid}`,
        `ATTENDEE;PARTSTAT=${how}:mailto:${who}`,
        ...Object.entries(said).map(([name, value]) => `${name}:${value}`),
      )
    }
    const statuses = async (id: number, query = '') =>
      (await read(id, query)).attendees.map(({ status }: Lines) => status)
    const li = { from: 'Li Wei <li@example.org>' }
    const max = { from: 'Max <max@example.org>' }

    it('of an attendee sets their status, in the order in which replies were written', async () => {
      const { id, uid } = await invite()
      const emailId = await receive(reply(uid, 'li@example.org', 'ACCEPTED'), li)
      expect(await statuses(id)).toEqual(['accepted', 'needs-action'])
      const { actionId } = await cardOf(emailId)
      expect((await notices('invitation_answered'))[0]).toMatchObject({
        title: 'Li Wei accepted “Mine”',
        actionId,
      })
      const copied = { DTSTAMP: '20300205T100000Z', 'LAST-MODIFIED': '20300101T100000Z' }
      await receive(reply(uid, 'li@example.org', 'DECLINED', copied), li)
      expect(await statuses(id)).toEqual(['declined', 'needs-action'])
      const late = await receive(
        reply(uid, 'li@example.org', 'TENTATIVE', { DTSTAMP: '20300204T100000Z' }),
        li,
      )
      expect((await cardOf(late)).state).toBe('current')
      expect(await statuses(id)).toEqual(['declined', 'needs-action'])
    })

    it('can be undone, even after another attendee has replied', async () => {
      const { id, uid } = await invite()
      const emailId = await receive(reply(uid, 'li@example.org', 'ACCEPTED'), li)
      await receive(reply(uid, 'max@example.org', 'DECLINED'), max)
      expect(await statuses(id)).toEqual(['accepted', 'declined'])
      expect((await undo((await cardOf(emailId)).actionId)).status).toBe(200)
      expect(await statuses(id)).toEqual(['needs-action', 'declined'])
    })

    it('for another person, from a stranger, or to an earlier version is rejected', async () => {
      const { id, uid } = await invite()
      await instance.call('PATCH', `${EVENTS}/${id}`, { body: { start: MOVED_START } })
      for (const [file, from, reason] of [
        [
          reply(uid, 'li@example.org', 'ACCEPTED', { SEQUENCE: '1' }),
          'max@example.org',
          'Sent by max@example.org, who cannot reply for li@example.org.',
        ],
        [
          reply(uid, 'eve@example.net', 'ACCEPTED', { SEQUENCE: '1' }),
          'eve@example.net',
          'Sent by eve@example.net, who is not invited to “Mine”.',
        ],
        [reply(uid, 'li@example.org', 'ACCEPTED'), 'li@example.org', 'an earlier version of “Mine”'],
      ] as const) {
        const card = await cardOf(await receive(file, { from }))
        expect([card.state, card.reason]).toEqual(['refused', expect.stringContaining(reason)])
      }
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
    })

    it('to one occurrence leaves the others, and a counter-proposal stays a card', async () => {
      const { id, uid } = await invite({ recurrence: 'FREQ=WEEKLY;COUNT=3' })
      const one = { 'RECURRENCE-ID': '20300312T110000Z' }
      await receive(reply(uid, 'li@example.org', 'DECLINED', one), li)
      expect(await statuses(id, '?occurrence=2030-03-12T11:00:00Z')).toEqual(['declined', 'needs-action'])
      expect(await statuses(id)).toEqual(['needs-action', 'needs-action'])
      const counter = reply(uid, 'li@example.org', 'TENTATIVE').replace('METHOD:REPLY', 'METHOD:COUNTER')
      const card = await cardOf(await receive(counter, li))
      expect([card.state, card.reason]).toEqual([
        'waiting',
        'Sent by li@example.org, who proposes another time.',
      ])
    })
  })

  it('a job that runs twice, on one instance or two, applies an email once', async () => {
    const { uid, id } = await accept()
    const other = engine === 'postgres' ? await startInstance({ place: instance.place, engine }) : undefined
    await other?.app.jobs.start()
    try {
      const file = calendar('REQUEST', ...meeting(uid, MOVED))
      const emailIds = await Promise.all([1, 2, 3, 4].map(() => storeMail(instance, mailWith(file))))
      await waitForMeetingMail(instance)
      expect((await read(id)).start).toBe(MOVED_START)
      const states = await Promise.all(emailIds.map(async (emailId) => (await cardOf(emailId)).state))
      expect(states.toSorted()).toEqual(['applied', 'current', 'current', 'current'])
    } finally {
      await other?.close()
    }
  })

  const exists = existsSync(`${DATA}/process.public.jsonl`)
  describe.skipIf(!exists)(`public scheduling messages${exists ? '' : `: ${DATA} does not exist`}`, () => {
    interface Case {
      id: string
      before: string | null
      message: string
      after: string | null
      says: { method?: string; answer?: { address: string } }
    }
    /** RFC 5546 permits uninvited attendees and missing organizers. Neither is applied automatically. */
    const STAYS_A_CARD = [
      'BrokerProcessReplyTest.testReplyPartyCrasher',
      'BrokerProcessMessageTest.testRequestUpdate',
    ]
    const cases: Case[] = exists
      ? readFileSync(`${DATA}/process.public.jsonl`, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : []
    const partstats = (text: string): string[] =>
      [...text.matchAll(/^ATTENDEE[^:\r\n]*:/gm)]
        .map(([line]) => /PARTSTAT=([A-Z-]+)/.exec(line)?.[1] ?? 'NEEDS-ACTION')
        .toSorted()
    const statusesOf = (uid: string) =>
      instance.database.db
        .selectFrom('events')
        .select('attendees')
        .where('uid', '=', uid)
        .modifyEnd(ALL_ACCOUNTS)
        .execute()
        .then((rows) =>
          rows
            .flatMap(({ attendees }) => JSON.parse(attendees) as { status: string }[])
            .map(({ status }) => status.toUpperCase())
            .toSorted(),
        )

    it('have the outcome that their authors expect, or stay a card', async () => {
      const body = { ...accountBodyFor('bar@example.org'), enabled: false }
      expect((await instance.post('/api/settings/mail-accounts', body, person)).status).toBe(201)
      const outcomes: Record<string, string[]> = { applied: [], card: [], ignored: [] }
      for (const { id, before, message, after, says } of cases) {
        const uid = newUid()
        const named = (text: string) => text.replaceAll('UID:foobar', `UID:${uid}`)
        if (before !== null)
          await instance.call('POST', '/api/calendar/import', {
            body: named(before),
            headers: { 'content-type': 'text/calendar' },
          })
        const from = says.answer?.address ?? 'bar@example.org'
        await receive(named(message), { from })
        const expected = STAYS_A_CARD.includes(id) || after === null ? before : after
        expect([id, await statusesOf(uid)]).toEqual([id, partstats(expected ?? '')])
        const kind = after === null ? 'ignored' : STAYS_A_CARD.includes(id) ? 'card' : 'applied'
        outcomes[kind]?.push(id)
      }
      expect([outcomes.applied?.length, outcomes.card?.length, outcomes.ignored?.length]).toEqual([7, 2, 2])
    })
  })
})

const accountBodyFor = (address: string) => ({
  address,
  password: 'never used',
  imap: { host: 'mail.example.org', port: 143, tls: 'starttls' },
  smtp: { host: 'mail.example.org', port: 587, tls: 'starttls' },
})

withMailServersOnOneDatabase('sqlite', 'two people with mailboxes', (engine) => {
  let ana: MailFixture
  let ben: MailFixture
  let anaAddress: string
  let benAddress: string
  beforeAll(async () => {
    ;[ana, ben] = await Promise.all([openMailFixture(engine), openMailFixture(engine)])
    await Promise.all([ana, ben].map(({ instance }) => instance.app.jobs.start()))
    const [a, b] = await Promise.all([
      ana.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' }),
      ben.addAccount(newAddress('ben'), { senderName: 'Ben Okafor' }),
    ])
    ;[anaAddress, benAddress] = [a.address, b.address]
    await Promise.all([ana.live(a.id), ben.live(b.id)])
  })
  afterAll(() => Promise.all([ana.close(), ben.close()]))

  const lines = (uid: string, more: Lines = {}) =>
    meeting(uid, more).map((line) =>
      line.replace('ben@example.org', benAddress).replace('ana@example.org', anaAddress),
    )
  /** Sends a file like Ben's mail program. */
  const send = async (file: string) => {
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port: mailServers().relay,
      ignoreTLS: true,
    })
    await transport.sendMail({
      envelope: { from: benAddress, to: anaAddress },
      raw: mailWith(file, { from: `Ben Okafor <${benAddress}>`, to: anaAddress }),
    })
    transport.close()
  }
  const latest = (fixture: MailFixture, kind: string) =>
    fixture.instance
      .get(`/api/notifications?kind=${kind}`, fixture.person)
      .then(({ body }) => body.notifications[0])

  it('receive each other’s updates and replies automatically', async () => {
    const uid = newUid()
    const own = await ben.instance.post(EVENTS, {
      uid,
      title: 'Lunch',
      start: START,
      attendees: [`Ana Ruiz <${anaAddress}>`],
    })
    await send(calendar('REQUEST', ...lines(uid)))
    const mail = await eventually(async () => (await ana.instance.get('/api/emails')).body.emails[0])
    const taken = await ana.instance.post(`${EVENTS}/from-email`, { emailId: mail.id })
    expect(taken.status).toBe(201)
    const eventOf = async (fixture: MailFixture, id: number) =>
      (await fixture.instance.get(`${EVENTS}/${id}`)).body

    expect(
      (await ana.instance.post(`${EVENTS}/${taken.body.id}/respond`, { status: 'accepted' })).status,
    ).toBe(200)
    await ana.passUndoDelay()
    await eventually(async () => (await eventOf(ben, own.body.id)).attendees[0].status === 'accepted')
    expect((await latest(ben, 'invitation_answered')).title).toBe('Ana Ruiz accepted “Lunch”')

    await send(calendar('REQUEST', ...lines(uid, MOVED)))
    await eventually(async () => (await eventOf(ana, taken.body.id)).start === MOVED_START)
    const moved = await latest(ana, 'invitation_updated')
    expect(moved.title).toContain('Ben Okafor moved “Lunch” to')

    await send(calendar('CANCEL', ...lines(uid, { SEQUENCE: '2' })))
    await eventually(async () => (await eventOf(ana, taken.body.id)).status === 'cancelled')
    const cancelled = await latest(ana, 'invitation_updated')
    expect(cancelled.title).toBe('Ben Okafor cancelled “Lunch”')
    const undone = await ana.instance.post(`/api/actions/${cancelled.actionId}/undo`, undefined, ana.person)
    expect(undone.status).toBe(200)
    expect(await eventOf(ana, taken.body.id)).toMatchObject({ status: 'confirmed', start: MOVED_START })
  })
})

withRadicale('an event on a calendar server that may email its guests', () => {
  onOneDatabase('postgres', 'changed by mail', (engine) => {
    let instance: Instance
    let person: Person
    beforeAll(async () => {
      instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
      person = await register(instance)
      await instance.app.jobs.start()
    })
    afterAll(() => instance.close())

    it('is not changed on the server until a user changes it', async () => {
      const user = newCalendarUser()
      const work = await makeCalendar(user, 'work', { name: 'Work' })
      const uid = newUid()
      const path = `${work}${encodeURIComponent(uid)}.ics`
      await sendCaldavRequest(user, 'PUT', path, {
        body: calendar(null, ...meeting(uid)),
        headers: { 'content-type': 'text/calendar' },
      })
      const { kind, url, username, password } = { kind: 'caldav', ...user }
      const added = await instance.post(
        '/api/settings/calendar-accounts',
        { kind, url, username, password },
        person,
      )
      const account = async () =>
        (await instance.get(`/api/settings/calendar-accounts/${added.body.id}`, person)).body
      const find = async () =>
        (await instance.get(`${EVENTS}?start=2030-03-01&end=2030-04-01`)).body.events.find(
          (event: { uid: string }) => event.uid === uid,
        )
      const { id } = await soon(async () => {
        const event = await find()
        expect(event).toBeDefined()
        return event
      })
      await storeMail(instance, mailWith(calendar('REQUEST', ...meeting(uid, MOVED))))
      await soon(async () => expect((await find()).start).toBe(MOVED_START))
      await soon(async () =>
        expect((await account()).sync).toMatchObject({ status: 'live', waiting: 0, held: 1, error: null }),
      )
      const text = async () => (await sendCaldavRequest(user, 'GET', path)).text()
      expect(await text()).toContain('DTSTART:20300305T110000Z')
      await instance.call('PATCH', `${EVENTS}/${id}`, { body: { title: 'Late lunch' } })
      await soon(async () => expect(await text()).toContain('SUMMARY:Late lunch'))
      await soon(async () => expect((await account()).sync).toMatchObject({ waiting: 0, held: 0 }))
    })
  })
})
