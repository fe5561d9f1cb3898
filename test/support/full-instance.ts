import { deflateSync } from 'node:zlib'
import { getLocalUserId } from '../../src/database/local-account.ts'
import { replaceFolders } from '../../src/features/mail/messages/email-repository.ts'
import { connectBookingFixture, SECRET } from './booking-fixture.ts'
import { bookingOf } from './booking-server.ts'
import { startCalcom } from './calcom.ts'
import type { Answer, Call, Instance } from './instance.ts'
import { listMail } from './list-mail.ts'
import { PASSWORD } from './people.ts'
import { callTool } from './tool-call.ts'

/** Creates an image with one pixel. */
export const png = (): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(1, 0)
  header.writeUInt32BE(1, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(4))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const MESSAGE = [
  'From: Zoë Lindgren <zoe@example.org>',
  'To: robin@sample.example',
  'Subject: =?utf-8?Q?Caf=C3=A9_=E2=98=95_on_Friday=3F?=',
  'Message-ID: <full-1@example.org>',
  'Date: Mon, 2 Mar 2026 09:00:00 +0100',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p style="color:red">Could you send me the <b>report</b> by Friday 10:00?</p><img src="cid:logo@x" alt="Logo">',
  '<img src="https://example.org/far.png" width="80" height="40"><a href="https://example.org/?a=1&amp;b=2">more</a>',
  '<script>alert(1)</script>',
  '--b',
  'Content-Type: image/png',
  'Content-ID: <logo@x>',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: inline; filename=logo.png',
  '',
  png().toString('base64'),
  '--b',
  'Content-Type: text/plain',
  'Content-Disposition: attachment; filename="../../etc/pass:wd.txt"',
  '',
  'the file of the letter',
  '--b--',
  '',
].join('\r\n')

const ANSWER = [
  'From: robin@sample.example',
  'To: zoe@example.org',
  'Subject: Re: =?utf-8?Q?Caf=C3=A9_=E2=98=95_on_Friday=3F?=',
  'Message-ID: <full-2@example.org>',
  'In-Reply-To: <full-1@example.org>',
  'References: <full-1@example.org>',
  '',
  'Gladly.',
  '',
].join('\r\n')

export interface FullInstance {
  token: string
  /** The email with attachments that was stored as a raw message. */
  emailId: number
  /** Values that no export may contain. */
  secrets: string[]
}

/** Creates some data of every kind through the API. The clock stands at `instance.clock`. */
export const fillInstance = async (instance: Instance): Promise<FullInstance> => {
  const { email, password } = (await instance.app.features.sample.fill('en')) as {
    email: string
    password: string
  }
  const signedIn = await instance.post('/api/auth/login', { email, password })
  const { token, refreshToken } = signedIn.body
  const call = async (method: string, path: string, options: Call = {}): Promise<Answer['body']> => {
    const answer = await instance.call(method, path, { token, ...options })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const post = (path: string, body: unknown) => call('POST', path, { body })
  await post('/api/settings/security/password', { password, newPassword: PASSWORD })
  // Offers of shares stay in their instance, so that an import would differ.
  for (const { id, shared } of (await call('GET', '/api/task-lists')).taskLists)
    for (const share of shared ? (await call('GET', `/api/task-lists/${id}/shares`)).shares : [])
      await call('DELETE', `/api/task-lists/${id}/shares/${share.id}`)

  await call('PATCH', '/api/settings/profile', { body: { name: 'Robin “Ünïcödé” 漢字 🎉' } })
  const workingHours = [{ day: 'tuesday', start: '10:00', end: '16:30' }]
  const preferences = { timezone: 'America/New_York', locale: 'de-AT', weekStart: 'sunday', workingHours }
  await call('PATCH', '/api/settings/preferences', { body: preferences })
  await call('PUT', '/api/settings/profile/avatar', { body: png(), headers: { 'content-type': 'image/png' } })
  const pat = await post('/api/settings/tokens', {
    password: PASSWORD,
    name: 'n8n workflows',
    scopes: ['tasks:read'],
  })
  const feed = await post('/api/settings/feed-tokens', { name: 'Pocket diary', purpose: 'calendar' })
  const appPassword = await post('/api/settings/app-passwords', {
    password: PASSWORD,
    name: 'Pocket phone',
    access: { calendars: 'write', tasks: 'write', contacts: 'read' },
    invitations: 'ask',
  })
  const invitation = await post('/api/settings/invitations', {
    password: PASSWORD,
    email: 'guest@example.org',
  })
  const totp = await post('/api/settings/security/2fa/setup', { password: PASSWORD })

  const raw = { 'content-type': 'message/rfc822' }
  const mail = await call('POST', '/api/emails', { body: MESSAGE, headers: raw })
  await call('POST', '/api/emails', { body: ANSWER, headers: raw })
  await call('PATCH', `/api/emails/${mail.id}`, {
    body: { tags: ['Work', 'ünï'], starred: true, read: true },
  })
  await call('POST', `/api/emails/${mail.id}/analyze?apply=true`)
  const upload = await call('POST', '/api/attachments?filename=notes.txt', {
    body: 'notes for the meeting',
    headers: { 'content-type': 'text/plain' },
  })
  await post('/api/emails', {
    folder: 'drafts',
    subject: 'A draft',
    text: 'dear',
    attachmentIds: [upload.id],
  })
  // A deleted email: its id is not assigned again.
  const gone = await post('/api/emails', { from: 'x@example.org', subject: 'Gone' })
  await call('DELETE', `/api/emails/${gone.id}`)

  await post('/api/contacts', {
    name: 'Ana Ruiz',
    organization: 'Ünïcödé 漢字',
    phones: [{ label: 'mobile', number: '+43 1 234567' }],
    addresses: [{ address: 'ana@example.org', label: 'work' }],
  })
  const forgotten = await post('/api/contacts', { addresses: [{ address: 'x@example.org' }] })
  await call('DELETE', `/api/contacts/${forgotten.id}`)

  await call('POST', '/api/imports?filename=Old.csv', {
    body: 'Subject,Start Date\nLunch,2026-03-02\n',
    headers: { 'content-type': 'application/octet-stream' },
  })
  const promise = await post('/api/emails', {
    from: 'Ben Okafor <ben@okafor.example>',
    subject: 'Plan',
    date: instance.clock.now().toISOString(),
    text: 'I will send you the Ünïcödé plan tomorrow.',
  })
  // A briefing finds the promises of 30 new emails.
  for (let n = 0; n < 2; n++) await call('GET', '/api/briefing')
  const promised = await instance.database.db
    .selectFrom('commitments')
    .select('id')
    .where('userId', '=', signedIn.body.user.id)
    .where('emailId', '=', promise.id)
    .executeTakeFirstOrThrow()
  await call('POST', `/api/commitments/${promised.id}/task`)
  await call('DELETE', `/api/emails/${promise.id}`)

  await post('/api/emails', {
    from: 'Ünïcödé Energy <billing@energy.example>',
    subject: 'Invoice 4711',
    date: instance.clock.now().toISOString(),
    text: 'Invoice number: 4711. Amount due: 42.00 EUR. Due date: 1 December 2030.',
  })
  await callTool(instance, 'list_reservations', {}, token)

  const server = { host: '127.0.0.1', port: 9, tls: 'none' }
  const account = {
    address: 'robin@sample.example',
    password: 'the mail password',
    imap: server,
    smtp: server,
  }
  const mailAccount = await post('/api/settings/mail-accounts', account)
  const later = new Date(instance.clock.now().getTime() + 86_400_000).toISOString()
  await post('/api/emails/send', { to: ['zoe@example.org'], subject: 'Later', text: 'x', sendAt: later })
  const news = listMail({ unsubscribe: '<mailto:leave@example.org>', date: instance.clock.now() })
  const { id: newsId } = await call('POST', '/api/emails', { body: news, headers: raw })
  await post(`/api/emails/${newsId}/unsubscribe`, {})
  await post('/api/mail-templates', { name: 'Offer', subject: 'Offer', html: '<p>Dear {{firstName}}</p>' })
  await post('/api/saved-searches', { name: 'Invoices', q: 'invoice has:attachment' })
  await post('/api/mail-rules', { name: 'News', q: 'list:news.example.org', does: { folder: 'archive' } })
  await instance.database.db
    .insertInto('mail_folders')
    .values({
      userId: signedIn.body.user.id,
      accountId: mailAccount.id,
      path: 'INBOX',
      name: 'INBOX',
      parentId: null,
      use: 'inbox',
      uidValidity: '7',
      uidNext: 12,
      highestModseq: '9',
      total: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .then(async ({ id: folderId }) => {
      await instance.database.db
        .insertInto('mail_placements')
        .values({
          accountId: mailAccount.id,
          folderId,
          uidValidity: '7',
          uid: 11,
          emailId: mail.id,
          identity: 'i',
          read: 1,
          starred: 1,
          goneAt: null,
        })
        .execute()
      const email = await instance.database.db
        .updateTable('emails')
        .set({ otherFolders: JSON.stringify([{ id: folderId, role: 'inbox' }]) })
        .where('userId', '=', signedIn.body.user.id)
        .where('id', '=', mail.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await replaceFolders(instance.database.db, email)
    })

  const calendarServer = { kind: 'caldav', url: 'http://127.0.0.1:9/dav/', username: 'robin' }
  const { id: accountId } = await post('/api/settings/calendar-accounts', {
    ...calendarServer,
    password: 'the calendar password',
  })
  await post('/api/settings/calendar-accounts', { kind: 'ics', url: 'http://127.0.0.1:9/holidays.ics' })
  await instance.database.db
    .insertInto('remote_calendars')
    .values({
      accountId,
      href: 'http://127.0.0.1:9/dav/work/',
      name: 'Wörk',
      colour: '#3366cc',
      writable: 1,
      followed: 1,
      syncToken: 'http://127.0.0.1:9/ns/sync/7',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .then(async ({ id: calendarId }) => {
      await instance.database.db
        .insertInto('event_placements')
        .values({
          accountId,
          calendarId,
          href: 'http://127.0.0.1:9/dav/work/far.ics',
          uid: 'far@x',
          etag: '"1"',
          body: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
        })
        .execute()
      await call('PATCH', `/api/settings/calendar-accounts/${accountId}`, {
        body: { calendars: [{ id: calendarId, followed: true }] },
      })
    })

  const series = await post('/api/calendar/events', {
    title: 'Stand-up',
    start: '2026-03-02T09:00:00+01:00',
    end: '2026-03-02T09:15:00+01:00',
    timezone: 'Europe/Berlin',
    recurrence: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=20',
    tags: ['team'],
    attendees: ['Ana Ruiz <ana@example.org>'],
    reminders: [{ minutesBefore: 10 }],
    notes: 'ask',
  })
  const { events } = await call('GET', '/api/calendar/events?start=2026-03-09&end=2026-03-20')
  const occurrence = (n: number) =>
    events.filter(({ recurringEventId }: { recurringEventId: number }) => recurringEventId === series.id)[n]
      .occurrenceStart
  await call('PATCH', `/api/calendar/events/${series.id}?occurrence=${occurrence(0)}`, {
    body: { title: 'Stand-up, moved', start: '2026-03-09T15:00:00Z', end: '2026-03-09T16:00:00Z' },
  })
  await call('DELETE', `/api/calendar/events/${series.id}?occurrence=${occurrence(1)}`)
  const ics =
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:far@x\r\nDTSTART;VALUE=DATE:20260401\r\nSUMMARY:Läuft\r\nX-OWN:kept\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
  await call('POST', '/api/calendar/import', { body: ics, headers: { 'content-type': 'text/calendar' } })

  const task = {
    title: 'Write to Zoë',
    notes: 'ümlaut',
    emailId: mail.id,
    eventId: series.id,
    tags: ['Work'],
  }
  await post('/api/tasks', { ...task, dueAt: later, estimateMinutes: 60, priority: 'high' })
  const [mirrored, mirror] = [
    await post('/api/calendars', { name: 'Mirrored' }),
    await post('/api/calendars', { name: 'Mirror' }),
  ]
  await post(`/api/calendars/${mirrored.id}/mirrors`, { targetCalendarId: mirror.id, detail: 'busy' })
  const list = await post('/api/task-lists', { name: 'With sections' })
  const section = await post(`/api/task-lists/${list.id}/sections`, { name: 'Section' })
  const top = await post('/api/tasks', { title: 'Top', listId: list.id, sectionId: section.id })
  await post('/api/tasks', { title: 'Below', parentId: top.id })
  await post(`/api/tasks/${top.id}/comments`, { text: 'Comment on Top' })
  const spent = { startedAt: '2026-03-01T09:00:00Z', endedAt: '2026-03-01T09:30:00Z', note: 'Spent on Top' }
  await post(`/api/tasks/${top.id}/time-entries`, spent)
  await post('/api/task-filters', { name: 'Filter', query: '#Work | overdue' })
  const template = await post('/api/task-templates', { name: 'Template', taskId: top.id })
  await post(`/api/task-templates/${template.id}/apply`, { date: '2026-03-01', listId: list.id })
  const today = instance.clock.now().toISOString().slice(0, 10)
  const week = new Date(instance.clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
  await post('/api/tasks/plan', { start: today, end: week, apply: true })

  const digest = { frequency: 'daily' }
  await call('PATCH', '/api/settings/notifications', { body: { digest } })
  const address = { line1: 'Gasse 1', country: 'AT' }
  await call('PATCH', '/api/settings/billing/details', { body: { name: 'Robin Sample KG', address } })
  await instance.database.db
    .insertInto('storage_days')
    .values({
      userId: await getLocalUserId(instance.database.db),
      day: '2026-03-01',
      bytes: 1000,
      measuredAt: '2026-03-01T10:00:00.000Z',
    })
    .execute()

  const provider = await startCalcom()
  await connectBookingFixture(instance, provider)
  provider.bookings = [bookingOf({ title: 'A talk with Milo' })]
  await call('POST', '/api/bookingsvc/sync')
  await provider.close()

  await post('/api/stream/start', { title: 'Bird table' })
  const captions = [
    { text: 'hello', start: 0, end: 1, speaker: 'Ada' },
    { text: 'grüß euch', start: 1, end: 2, language: 'de' },
  ]
  await post('/api/stream/captions', { captions })
  await post('/api/stream/milestones', { title: 'Goal', target: 3 })
  const streamKey = 'live_the-only-stream-key'
  await call('PUT', '/api/stream/credentials/twitch', { body: { streamKey } })

  const chat = await post('/api/ai/chat', { message: 'Add a task: call the plumber tomorrow' })
  await post('/api/ai/chat', {
    message: 'What is on my calendar tomorrow?',
    conversationId: chat.conversationId,
  })
  await post('/api/ai-model', { model: 'model_b' })
  const key = 'sk-the-provider-key-0123456789'
  await post('/api/api-keys', { provider: 'openai', key, baseUrl: 'http://127.0.0.1:10/v1' })

  // A calendar app gives names to the events.
  const basic = Buffer.from(`${appPassword.username}:${appPassword.password}`).toString('base64')
  await fetch(`${instance.url}/dav/calendars/${encodeURIComponent(email)}/calendar/`, {
    method: 'PROPFIND',
    headers: { authorization: `Basic ${basic}`, depth: '1' },
  })
  const hook = await post('/api/settings/webhooks', { url: 'http://127.0.0.1:11/hook', events: ['*'] })
  await post('/api/tasks', { title: 'Told of' })

  await call('GET', '/api/tasks', { token: pat.token })
  const hashes = await instance.database.db.selectFrom('users').select('passwordHash').execute()
  return {
    token,
    emailId: mail.id,
    secrets: [
      password,
      PASSWORD,
      token,
      refreshToken,
      pat.token,
      feed.token,
      appPassword.password,
      invitation.code,
      totp.secret,
      'the mail password',
      'the calendar password',
      streamKey,
      key,
      hook.secret,
      provider.apiKey,
      SECRET,
      '$2b$',
      's1.',
      ...hashes.map(({ passwordHash }) => passwordHash),
    ],
  }
}
