import ICAL from 'ical.js'
import type { ImapFlow } from 'imapflow'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type Email, type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import { newAddress, openImapClient, withMailServersOnOneDatabase } from './support/mail-servers.ts'
import { calendar, mailWith, storeMail, waitForMeetingMail } from './support/meeting-mail.ts'

const EVENTS = '/api/calendar/events'

let meetings = 0

withMailServersOnOneDatabase('sqlite', 'replies to invitations', (engine) => {
  let fixture: MailFixture
  let account: { id: string; address: string }
  const clients = new Map<string, ImapFlow>()
  beforeAll(async () => {
    fixture = await openMailFixture(engine, { environment: { TZ_DEFAULT: 'Europe/Berlin' } })
    await fixture.instance.app.jobs.start()
    await fixture.addAccount(newAddress('other'))
    account = await fixture.addAccount(newAddress('ana'), { senderName: 'Ana Ruiz' })
    await fixture.live(account.id)
  })
  afterAll(async () => {
    for (const client of clients.values()) await client.logout()
    await fixture.close()
  })

  const openClient = async (address: string): Promise<ImapFlow> => {
    const client = clients.get(address) ?? (await openImapClient(address))
    clients.set(address, client)
    return client
  }
  const lines = (organizer: string, invited: string, more: string[] = []): string[] => [
    `UID:answered-${++meetings}@example.test`,
    'DTSTAMP:20260202T100000Z',
    'DTSTART;TZID=Europe/Berlin:20260302T090000',
    'DTEND;TZID=Europe/Berlin:20260302T100000',
    'SEQUENCE:3',
    'SUMMARY:Design review\\, second',
    'LOCATION:Room 4',
    `ORGANIZER;CN=Ben Okafor:mailto:${organizer}`,
    `ATTENDEE;CN=Ana Ruiz;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${invited}`,
    'ATTENDEE;CN=Li Wei;PARTSTAT=ACCEPTED:mailto:li@example.org',
    ...more,
  ]
  /** Delivers an invitation to the mailbox and imports it. */
  const invite = async (organizer: string, more: string[] = [], invited = account.address) => {
    const file = calendar('REQUEST', ...lines(organizer, invited, more))
    const raw = mailWith(file, { from: `Ben Okafor <${organizer}>`, to: invited })
    const own = await openClient(account.address)
    await own.append('INBOX', raw)
    const id = /Message-ID: <(.*)>/.exec(raw)?.[1]
    const mail = await eventually(async () =>
      (await fixture.emails(account.id)).find(({ messageId }) => messageId === id),
    )
    const { status, body } = await fixture.instance.post(`${EVENTS}/from-email`, { emailId: mail.id })
    expect(status).toBe(201)
    return { id: body.id as number, uid: body.uid as string, mail }
  }
  const respond = (id: number, body: Record<string, unknown>, query = '', headers = {}) =>
    fixture.instance.post(`${EVENTS}/${id}/respond${query}`, body, { headers })
  const fetchAllMail = async (client: ImapFlow): Promise<string[]> => {
    const { exists } = await client.mailboxOpen('INBOX')
    if (exists === 0) return []
    return (await client.fetchAll('1:*', { source: true })).map(({ source }) => String(source))
  }
  const waitForMail = async (address: string, count = 1): Promise<string[]> => {
    await fixture.passUndoDelay()
    const client = await openClient(address)
    return eventually(async () => {
      const found = await fetchAllMail(client)
      return found.length >= count && found
    })
  }
  /** Parses the reply that the organizer receives. */
  const readReply = async (raw: string) => {
    const parsed = await simpleParser(raw)
    const part = /Content-Type: text\/calendar;[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/i.exec(raw)?.[0] ?? ''
    const attached = parsed.attachments.find(({ contentType }) => contentType === 'text/calendar')
    const root = new ICAL.Component(ICAL.parse(String(attached?.content)))
    const vevent = root.getFirstSubcomponent('vevent') as ICAL.Component
    return { parsed, part, root, vevent, event: new ICAL.Event(vevent) }
  }
  const readStatus = async (id: number, query = ''): Promise<string> =>
    (await fixture.instance.get(`${EVENTS}/${id}${query}`)).body.attendees.find(
      ({ email }: { email: string }) => email === account.address,
    ).status

  it('are written in the language of the account', async () => {
    const { token } = fixture.person
    const prefer = (locale: string) =>
      fixture.instance.call('PATCH', '/api/settings/preferences', { body: { locale }, token })
    await prefer('de-DE')
    const ben = newAddress('ben')
    const { id } = await invite(ben)
    expect((await respond(id, { status: 'tentative' })).status).toBe(200)
    const [raw = ''] = await waitForMail(ben)
    const { parsed } = await readReply(raw)
    await prefer('en-GB')
    expect(parsed.subject).toBe('Mit Vorbehalt: Design review, second')
    expect(parsed.text).toContain('Ana Ruiz hat diese Einladung mit Vorbehalt angenommen')
    expect(parsed.text).toContain('Montag, 2. März 2026')
  })

  it('reach the organizer as text and calendar, sent from the invited account', async () => {
    const ben = newAddress('ben')
    const { id, uid, mail } = await invite(ben)
    const answered = await respond(id, { status: 'accepted', comment: 'Gern; bis dann,\nAna' })
    expect(answered.status).toBe(200)
    expect(answered.body).toMatchObject({ id, busy: true, reply: { from: account.address, to: ben } })
    expect(await readStatus(id)).toBe('accepted')
    const [raw = ''] = await waitForMail(ben)
    const { parsed, part, root, vevent, event } = await readReply(raw)
    expect(part).toMatch(/method=REPLY/)
    expect(raw).toMatch(/multipart\/alternative/)
    expect(parsed.from?.value).toEqual([{ name: 'Ana Ruiz', address: account.address }])
    expect(parsed.subject).toBe('Accepted: Design review, second')
    expect(parsed.inReplyTo).toBe(`<${mail.messageId}>`)
    expect(parsed.text).toContain('Ana Ruiz has accepted this invitation')
    expect(parsed.text).toContain('Gern; bis dann,')
    expect(root.getFirstPropertyValue('method')).toBe('REPLY')
    expect([event.uid, event.sequence]).toEqual([uid, 3])
    // The STATUS of the event belongs to the organizer.
    expect(vevent.hasProperty('status')).toBe(false)
    expect(vevent.getFirstPropertyValue('organizer')).toBe(`mailto:${ben}`)
    expect(vevent.getFirstPropertyValue('comment')).toBe('Gern; bis dann,\nAna')
    expect(event.startDate.toJSDate().toISOString()).toBe('2026-03-02T08:00:00.000Z')
    expect(event.attendees).toHaveLength(1)
    const [attendee] = event.attendees
    expect([attendee?.getFirstValue(), attendee?.getParameter('partstat')]).toEqual([
      `mailto:${account.address}`,
      'ACCEPTED',
    ])
    // The message may arrive before its delivery status is saved.
    await eventually(async () => {
      const { body } = await fixture.instance.get(`/api/emails/${answered.body.reply.emailId}`)
      return (body as Email).delivery?.status === 'sent'
    })
  })

  it('that decline keep the event but free its time', async () => {
    const ben = newAddress('ben')
    const { id } = await invite(ben)
    const declined = await respond(id, { status: 'declined' })
    expect(declined.body).toMatchObject({ status: 'confirmed', busy: false })
    expect(await readStatus(id)).toBe('declined')
    const accepted = await respond(id, { status: 'tentative' })
    expect(accepted.body).toMatchObject({ busy: true })
    const replies = await Promise.all((await waitForMail(ben, 2)).map(readReply))
    expect(replies.map(({ event }) => event.attendees[0]?.getParameter('partstat')).toSorted()).toEqual([
      'DECLINED',
      'TENTATIVE',
    ])
  })

  it('can apply to a single occurrence of a series', async () => {
    const ben = newAddress('ben')
    const { id } = await invite(ben, ['RRULE:FREQ=WEEKLY;COUNT=3'])
    const query = '?occurrence=2026-03-09T08:00:00.000Z'
    const answered = await respond(id, { status: 'declined' }, query)
    expect([answered.status, answered.body.occurrenceStart, answered.body.busy]).toEqual([
      200,
      '2026-03-09T08:00:00.000Z',
      false,
    ])
    expect([await readStatus(id), await readStatus(id, query)]).toEqual(['needs-action', 'declined'])
    const [raw = ''] = await waitForMail(ben)
    const { vevent, event } = await readReply(raw)
    expect(event.recurrenceId.toJSDate().toISOString()).toBe('2026-03-09T08:00:00.000Z')
    expect(vevent.hasProperty('rrule')).toBe(false)
    expect((await respond(id, { status: 'accepted' }, '?occurrence=2026-03-10T08:00:00Z')).status).toBe(404)
  })

  it('are sent once per Idempotency-Key', async () => {
    const ben = newAddress('ben')
    const { id } = await invite(ben)
    const headers = { 'idempotency-key': `answer-${ben}` }
    const first = await respond(id, { status: 'accepted' }, '', headers)
    const second = await respond(id, { status: 'accepted' }, '', headers)
    expect([second.status, second.body]).toEqual([200, first.body])
    await waitForMail(ben)
    const after = await respond(id, { status: 'declined' })
    expect(after.status).toBe(200)
    expect(await waitForMail(ben, 2)).toHaveLength(2)
  })

  it('survive an update that keeps the time, but not one that changes it', async () => {
    const ben = newAddress('ben')
    const { id, uid } = await invite(ben)
    await respond(id, { status: 'declined' })
    const revise = async (...changes: [RegExp, string][]) => {
      let file = calendar('REQUEST', ...lines(ben, account.address)).replace(/UID:.*/, `UID:${uid}`)
      for (const [pattern, replacement] of changes) file = file.replace(pattern, replacement)
      const emailId = await storeMail(fixture.instance, mailWith(file, { from: ben }))
      await waitForMeetingMail(fixture.instance)
      return (await fixture.instance.post(`${EVENTS}/from-email`, { emailId })).body
    }
    const later: [RegExp, string] = [/DTSTAMP:.*/, 'DTSTAMP:20260203T100000Z']
    expect(await revise(later, [/Room 4/, 'Room 5'])).toMatchObject({
      outcome: 'unchanged',
      location: 'Room 5',
      busy: false,
    })
    expect(await readStatus(id)).toBe('declined')
    expect(await revise(later, [/SEQUENCE:3/, 'SEQUENCE:4'], [/T090000/, 'T093000'])).toMatchObject({
      outcome: 'unchanged',
      start: '2026-03-02T08:30:00.000Z',
      busy: true,
    })
    expect(await readStatus(id)).toBe('needs-action')
  })

  it('keep their calendar part if the draft is edited before sending', async () => {
    const ben = newAddress('ben')
    const { id } = await invite(ben)
    const { body } = await respond(id, { status: 'accepted' })
    const changed = await fixture.change(body.reply.emailId, { text: 'I will bring cake.' })
    expect(changed.status).toBe(200)
    const [raw = ''] = await waitForMail(ben)
    const { parsed, event } = await readReply(raw)
    expect(parsed.text).toContain('cake')
    expect(event.attendees[0]?.getParameter('partstat')).toBe('ACCEPTED')
  })

  it('are rejected without an organizer, an invitation or an active event', async () => {
    const own = await fixture.instance.post(EVENTS, { title: 'Mine', start: '2026-03-05T09:00:00Z' })
    const ben = newAddress('ben')
    const { id: strange } = await invite(ben, [], 'someone@elsewhere.test')
    const { id: cancelled } = await invite(ben)
    await fixture.instance.call('PATCH', `${EVENTS}/${cancelled}`, { body: { status: 'cancelled' } })
    const { id: ours } = await invite(account.address)
    for (const [id, says] of [
      [own.body.id, 'has no organizer'],
      [strange, 'is invited'],
      [cancelled, 'is cancelled'],
      [ours, 'You are the organizer'],
    ] as const) {
      const answer = await respond(id, { status: 'accepted' })
      expect([answer.status, answer.body.code]).toEqual([409, 'meeting_refused'])
      expect(answer.body.detail).toContain(says)
    }
    expect((await respond(999_999_999, { status: 'accepted' })).status).toBe(404)
    for (const body of [{}, { status: 'maybe' }, { status: 'accepted', note: 'x' }])
      expect((await respond(ours, body)).status).toBe(400)
  })

  it('to a meeting organized from this mailbox update the attendee status', async () => {
    const file = calendar('REQUEST', ...lines(account.address, newAddress('guest')))
    const emailId = await storeMail(fixture.instance, mailWith(file, { from: account.address }))
    const { body } = await fixture.instance.post(`${EVENTS}/from-email`, { emailId })
    const reply = calendar(
      'REPLY',
      ...[`UID:${body.uid}`, 'DTSTAMP:20260203T100000Z', 'SEQUENCE:3'],
      'ATTENDEE;PARTSTAT=DECLINED:mailto:li@example.org',
    )
    const answer = await storeMail(fixture.instance, mailWith(reply, { from: 'li@example.org' }))
    const taken = await fixture.instance.post(`${EVENTS}/from-email`, { emailId: answer })
    expect([taken.status, taken.body.attendees[1].status]).toEqual([200, 'declined'])
    // The background job may have applied the reply first.
    expect(['answered', 'unchanged']).toContain(taken.body.outcome)
  })
})
