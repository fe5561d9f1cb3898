import ICAL from 'ical.js'
import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  accountBody,
  newAddress,
  openImapClient,
  withMailServersOnOneDatabase,
} from './support/mail-servers.ts'
import { calendar, mailWith, storeMail, waitForMeetingMail } from './support/meeting-mail.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const EVENTS = '/api/calendar/events'
const START = '2030-03-05T11:00:00.000Z'

interface Attendee {
  email: string
  status: string
}

withMailServersOnOneDatabase('sqlite', 'invitations between two accounts of an instance', (engine) => {
  let fixture: MailFixture
  let instance: Instance
  let ana: Person
  let ben: Person
  let cleo: ImapFlow
  const [anaAddress, benAddress, cleoAddress] = ['ana', 'ben', 'cleo'].map((name) => newAddress(name)) as [
    string,
    string,
    string,
  ]
  beforeAll(async () => {
    fixture = await openMailFixture(engine, { environment: { REGISTRATION: 'open', TZ_DEFAULT: 'UTC' } })
    ;({ instance, person: ana } = fixture)
    ben = await register(instance, { name: 'Ben Okafor' })
    await instance.app.jobs.start()
    await fixture.addAccount(anaAddress, { senderName: 'Ana Ruiz' })
    const added = await instance.post(
      '/api/settings/mail-accounts',
      { ...accountBody(benAddress), senderName: 'Ben Okafor' },
      ben,
    )
    expect(added.status).toBe(201)
    cleo = await openImapClient(cleoAddress)
  })
  afterAll(async () => {
    await cleo.logout()
    await fixture.close()
  })

  const eventOf = async (person: Person, id: number, query = '') =>
    (await instance.get(`${EVENTS}/${id}${query}`, person)).body
  const statusesOf = async (id: number, query = ''): Promise<string[]> =>
    (await eventOf(ana, id, query)).attendees.map(({ status }: Attendee) => status)
  const mailOf = (person: Person, subject: string) =>
    eventually(async () =>
      (await instance.get('/api/emails?folder=inbox&limit=50', person)).body.emails.find(
        (email: { subject: string }) => email.subject === subject,
      ),
    )
  const invite = async (more: Record<string, unknown> = {}) => {
    const body = { start: START, attendees: [`Ben Okafor <${benAddress}>`], ...more }
    const { status, body: event } = await instance.post(`${EVENTS}?sendInvitations=true`, body, ana)
    expect(status).toBe(201)
    await fixture.passUndoDelay()
    return event
  }
  const change = async (id: number, body: Record<string, unknown>, query = '') => {
    const answer = await instance.call('PATCH', `${EVENTS}/${id}?sendInvitations=true${query}`, {
      body,
      token: ana.token,
    })
    expect(answer.status).toBe(200)
    await fixture.passUndoDelay()
    return answer.body
  }
  /** Reads the calendar part of the latest mail in the raw mailbox. */
  const receive = (subject: string) =>
    eventually(async () => {
      const { exists } = await cleo.mailboxOpen('INBOX')
      if (exists === 0) return undefined
      const all = await cleo.fetchAll('1:*', { source: true })
      for (const { source } of all.reverse()) {
        const parsed = await simpleParser(String(source))
        if (parsed.subject !== subject) continue
        const part = parsed.attachments.find(({ contentType }) => contentType === 'text/calendar')
        const root = new ICAL.Component(ICAL.parse(String(part?.content)))
        return { raw: String(source), parsed, root, events: root.getAllSubcomponents('vevent') }
      }
      return undefined
    })

  it('are sent, answered, updated and cancelled, and every answer reaches the organizer', async () => {
    const event = await invite({ title: 'Lunch', location: 'Room 4' })
    expect(event.organizer).toEqual({ name: 'Ana Ruiz', email: anaAddress })
    expect(event.invitations).toMatchObject([{ kind: 'invited', to: [benAddress] }])

    const mail = await mailOf(ben, 'Invitation: Lunch')
    const card = (await instance.get(`/api/calendar/invitations/${mail.id}`, ben)).body
    expect(card).toMatchObject({
      state: 'new',
      method: 'REQUEST',
      title: 'Lunch',
      location: 'Room 4',
      canAnswer: true,
      answer: 'needs-action',
      organizer: { email: anaAddress },
    })
    const respond = (status: string, comment?: string) =>
      instance.post(`/api/calendar/invitations/${mail.id}/respond`, { status, comment }, ben)
    const accepted = await respond('accepted', 'See you there.')
    expect(accepted.status).toBe(200)
    await fixture.passUndoDelay()
    await eventually(async () => (await statusesOf(event.id))[0] === 'accepted')

    expect((await respond('tentative')).status).toBe(200)
    await fixture.passUndoDelay()
    await eventually(async () => (await statusesOf(event.id))[0] === 'tentative')
    const answered = (await instance.get(`/api/calendar/invitations/${mail.id}`, ben)).body
    expect(answered).toMatchObject({ answer: 'tentative', canAnswer: true })

    const moved = await change(event.id, { start: '2030-03-06T11:00:00Z', end: '2030-03-06T12:00:00Z' })
    expect(moved.invitations).toMatchObject([{ kind: 'updated', to: [benAddress] }])
    expect(moved.attendees[0].status).toBe('needs-action')
    await eventually(async () => (await eventOf(ben, accepted.body.id)).start === '2030-03-06T11:00:00.000Z')
    const update = await mailOf(ben, 'Updated invitation: Lunch')
    expect((await instance.get(`/api/calendar/invitations/${update.id}`, ben)).body).toMatchObject({
      state: 'applied',
      former: { start: START },
      answer: 'needs-action',
    })

    const deleted = await instance.call('DELETE', `${EVENTS}/${event.id}?sendInvitations=true`, {
      token: ana.token,
    })
    expect(deleted.status).toBe(204)
    await fixture.passUndoDelay()
    await eventually(async () => (await eventOf(ben, accepted.body.id)).status === 'cancelled')
  })

  it('concern only the attendees who were added, removed or affected', async () => {
    const event = await invite({
      title: 'Weekly',
      recurrence: 'FREQ=WEEKLY;COUNT=4',
      attendees: [benAddress],
      tags: ['secret'],
      reminders: [{ minutesBefore: 5 }],
    })
    const added = await change(event.id, { attendees: [benAddress, `Cleo <${cleoAddress}>`] })
    expect(added.invitations).toMatchObject([{ kind: 'invited', to: [cleoAddress] }])
    const first = await receive('Invitation: Weekly')
    expect(first.raw).toMatch(/multipart\/alternative/)
    expect(first.raw).toMatch(/text\/calendar;[^\n]*method=REQUEST/i)
    expect(first.parsed.attachments.map(({ filename }) => filename)).toContain('invite.ics')
    expect(first.parsed.from?.value).toEqual([{ name: 'Ana Ruiz', address: anaAddress }])
    expect(first.root.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(String(first.events[0])).not.toMatch(/CATEGORIES|VALARM|SCHEDULE-AGENT/)

    const occurrence = '2030-03-12T11:00:00.000Z'
    await change(
      event.id,
      { start: '2030-03-12T13:00:00Z', end: '2030-03-12T14:00:00Z' },
      `&occurrence=${occurrence}&scope=this`,
    )
    const { events } = await receive('Updated invitation: Weekly')
    expect(events).toHaveLength(1)
    expect(String(events[0]?.getFirstPropertyValue('recurrence-id'))).toBe('2030-03-12T11:00:00Z')

    const renamed = await change(event.id, { tags: ['other'], notes: 'For me' })
    expect(renamed.invitations).toEqual([])

    const removed = await change(event.id, { attendees: [benAddress] })
    expect(removed.invitations).toEqual([expect.objectContaining({ kind: 'uninvited', to: [cleoAddress] })])
    const cancel = await receive('Invitation withdrawn: Weekly')
    expect(cancel.root.getFirstPropertyValue('method')).toBe('CANCEL')
    expect(cancel.events[0]?.getAllProperties('attendee')).toHaveLength(1)
  })

  it('can be withheld, and can be stopped for ten seconds', async () => {
    const body = { title: 'Quiet', start: START, attendees: [cleoAddress] }
    const quiet = await instance.post(EVENTS, body, ana)
    expect([quiet.status, quiet.body.invitations, quiet.body.organizer]).toEqual([201, undefined, null])
    const loud = await instance.post(`${EVENTS}?sendInvitations=true`, { ...body, title: 'Stopped' }, ana)
    const [{ emailId }] = loud.body.invitations
    expect((await instance.post(`/api/emails/${emailId}/cancel-send`, undefined, ana)).status).toBe(200)
    expect((await instance.call('DELETE', `${EVENTS}/${quiet.body.id}`, { token: ana.token })).status).toBe(
      204,
    )
    await invite({ title: 'Last', attendees: [cleoAddress] })
    await receive('Invitation: Last')
    const subjects = (await cleo.fetchAll('1:*', { envelope: true })).map(({ envelope }) => envelope?.subject)
    expect(subjects.filter((subject) => /Quiet|Stopped/.test(subject ?? ''))).toEqual([])
  })
})

onOneDatabase('postgres', 'invitations', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC', REGISTRATION: 'open' } })
    person = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  const body = { title: 'Lunch', start: START, attendees: ['ben@example.org'] }
  const lines = (uid: string): string[] => [
    `UID:${uid}`,
    'DTSTAMP:20300202T100000Z',
    'DTSTART:20300305T110000Z',
    'DTEND:20300305T120000Z',
    'SUMMARY:Lunch',
    'ORGANIZER;CN=Ben Okafor:mailto:ben@example.org',
    'ATTENDEE;CN=Ana Ruiz;PARTSTAT=NEEDS-ACTION:mailto:ana@example.org',
  ]
  const find = async (uid: string) =>
    (await instance.get(`${EVENTS}?start=2030-03-01&end=2030-04-01&limit=200`, person)).body.events.find(
      (event: { uid: string }) => event.uid === uid,
    )

  it('are refused without a mail account, and store no event then', async () => {
    const refused = await instance.post(`${EVENTS}?sendInvitations=true`, { ...body, uid: 'none' }, person)
    expect([refused.status, refused.body.code]).toEqual([409, 'not_configured'])
    expect(await find('none')).toBeUndefined()
  })

  it('need the mail scope of a token', async () => {
    const created = await instance.post(
      '/api/settings/tokens',
      { name: 'calendar', scopes: ['calendar:write'], password: PASSWORD },
      person,
    )
    const { token } = created.body
    const refused = await instance.post(`${EVENTS}?sendInvitations=true`, body, { token })
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
    expect((await instance.post(EVENTS, body, { token })).status).toBe(201)
  })

  it('of a known contact become tentative events, others stay a card', async () => {
    const account = {
      address: 'ana@example.org',
      password: 'never used',
      imap: { host: 'mail.example.org', port: 143, tls: 'starttls' },
      smtp: { host: 'mail.example.org', port: 587, tls: 'starttls' },
      enabled: false,
    }
    expect((await instance.post('/api/settings/mail-accounts', account, person)).status).toBe(201)
    const emailId = await storeMail(instance, mailWith(calendar('REQUEST', ...lines('unknown@x'))))
    await waitForMeetingMail(instance)
    expect(await find('unknown@x')).toBeUndefined()
    const clash = await instance.post(EVENTS, { title: 'Dentist', start: START }, person)
    const card = (await instance.get(`/api/calendar/invitations/${emailId}`, person)).body
    expect(card).toMatchObject({ state: 'new', answer: 'needs-action', canAnswer: true })
    expect(card.conflicts).toContainEqual(expect.objectContaining({ id: clash.body.id, title: 'Dentist' }))

    const sent = { folder: 'sent', from: 'ana@example.org', to: ['Ben <BEN@example.org>'], subject: 'Hi' }
    expect((await instance.post('/api/emails', sent, person)).status).toBe(201)
    const known = await storeMail(instance, mailWith(calendar('REQUEST', ...lines('known@x'))))
    await waitForMeetingMail(instance)
    expect(await find('known@x')).toMatchObject({ status: 'tentative', emailId: known })
    const added = (await instance.get(`/api/calendar/invitations/${known}`, person)).body
    expect(added).toMatchObject({ state: 'applied', answer: 'needs-action', actionId: expect.any(Number) })
    const failed = `Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\r\n`
    await storeMail(instance, failed + mailWith(calendar('REQUEST', ...lines('forged@x'))))
    await waitForMeetingMail(instance)
    expect(await find('forged@x')).toBeUndefined()

    const answered = await instance.post(
      `/api/calendar/invitations/${known}/respond`,
      { status: 'accepted' },
      person,
    )
    expect([answered.status, answered.body.status]).toEqual([200, 'confirmed'])
    const undone = await instance.post(`/api/actions/${added.actionId}/undo`, undefined, person)
    expect(undone.status).toBe(409)
    await instance.call('DELETE', `${EVENTS}/${answered.body.id}`, { token: person.token })
    expect((await instance.get(`/api/calendar/invitations/${known}`, person)).body.state).toBe('removed')
  })
})
