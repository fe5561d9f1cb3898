import Type from 'typebox'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { AppError } from '../src/platform/errors.ts'
import { toJobTitle } from '../src/platform/jobs/job-titles.ts'
import { toChange } from './support/changes.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { eventually } from './support/eventually.ts'
import { startInstance } from './support/instance.ts'
import {
  addMailAccount,
  INBOX,
  type NotificationFixture,
  openNotificationFixture,
  SETTINGS,
} from './support/notification-fixture.ts'
import { PASSWORD, register } from './support/people.ts'
import { unzip } from './support/unzip.ts'
import { startReceiver } from './support/webhook-receiver.ts'

const due = (title: string) => ({
  type: 'task.due' as const,
  subject: '1',
  data: { title, dueAt: '2026-03-02T09:00:00.000Z' },
})

onEveryDatabase('notifications', (engine) => {
  let fixture: NotificationFixture
  beforeAll(async () => {
    fixture = await openNotificationFixture(engine)
  })
  afterAll(() => fixture.close())
  afterEach(() => fixture.forget())

  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    fixture.instance.call('PATCH', SETTINGS, { body, token: fixture.ana.token, headers })
  const titles = async (person = fixture.ana, query = '') =>
    (await fixture.list(person, query)).map(({ title }) => title)

  it('have settings with defaults that change by field and belong to one person', async () => {
    const before = await fixture.instance.get(SETTINGS, fixture.ana)
    expect(before.status).toBe(200)
    expect(before.body).toMatchObject({
      kinds: {
        event_starting: { console: true, email: 'off', webhook: false },
        mail_received: { console: false, email: 'off', webhook: false },
        security: { console: true, email: 'now', webhook: false },
      },
      quietHours: { enabled: false, start: '22:00', end: '07:00', securityPasses: true },
      digest: { frequency: 'off', time: '08:00', weekday: 'monday' },
      timezone: 'UTC',
      email: { ready: false, from: null, to: fixture.ana.email },
      webhooks: { endpoints: 0 },
    })
    const changed = await patch({ kinds: { task_due: { email: 'digest' } }, quietHours: { end: '06:30' } })
    expect(changed.body.kinds.task_due).toEqual({ console: true, email: 'digest', webhook: false })
    expect(changed.body.quietHours).toMatchObject({ start: '22:00', end: '06:30' })
    expect(changed.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const etag = before.headers.get('etag') as string
    expect((await patch({ digest: { frequency: 'daily' } }, { 'if-match': etag })).status).toBe(412)
    const current = changed.headers.get('etag') as string
    expect((await patch({ digest: { frequency: 'daily' } }, { 'if-match': current })).status).toBe(200)
    const ofBen = await fixture.instance.get(SETTINGS, fixture.ben)
    expect([ofBen.body.kinds.task_due.email, ofBen.body.digest.frequency]).toEqual(['off', 'off'])
    const activity = await fixture.instance.get('/api/settings/security/activity?limit=5', fixture.ana)
    expect(activity.body.activity[0]).toMatchObject({
      action: 'notifications.changed',
      details: { fields: ['digest'] },
    })
  })

  it('reject invalid settings with the path of the field', async () => {
    for (const [body, path] of [
      [{ kinds: { task_due: { email: 'maybe' } } }, 'kinds.task_due.email'],
      [{ kinds: { task_due: { console: 1 } } }, 'kinds.task_due.console'],
      [{ kinds: { task_duo: {} } }, 'kinds.task_duo'],
      [{ kinds: { task_due: { sms: true } } }, 'kinds.task_due.sms'],
      [{ kinds: { sign_in: { console: false } } }, 'kinds.sign_in.console'],
      [{ quietHours: { start: '24:00' } }, 'quietHours.start'],
      [{ quietHours: { enabled: 'yes' } }, 'quietHours.enabled'],
      [{ quietHours: { enabled: true, start: '07:00' } }, 'quietHours.end'],
      [{ digest: { frequency: 'hourly' } }, 'digest.frequency'],
      [{ digest: { time: '8:00' } }, 'digest.time'],
      [{ digest: { weekday: 'Monday' } }, 'digest.weekday'],
      [{ quiethours: {} }, 'quiethours'],
    ] as const) {
      const { status, body: problem } = await patch(body)
      expect([status, problem.code, problem.errors?.[0]?.path]).toEqual([400, 'validation_failed', path])
    }
    expect((await fixture.instance.get(SETTINGS, fixture.ana)).body.version).toBe(0)
  })

  it('require a session and are not visible to another person', async () => {
    const made = await fixture.instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n', scopes: ['tasks:write', 'mail:write'] },
      fixture.ben,
    )
    await fixture.happen(due('Pay the rent'))
    const [own] = await fixture.list(fixture.ana)
    const routes = [
      ['GET', SETTINGS] as const,
      ['PATCH', SETTINGS, {}] as const,
      ['GET', INBOX] as const,
      ['DELETE', INBOX] as const,
      ['POST', `${INBOX}/read`, {}] as const,
      ['GET', `${INBOX}/${own?.id}`] as const,
      ['PATCH', `${INBOX}/${own?.id}`, { read: true }] as const,
      ['DELETE', `${INBOX}/${own?.id}`] as const,
    ]
    for (const [method, path, body] of routes)
      for (const token of [undefined, made.body.token]) {
        const { status } = await fixture.instance.call(method, path, { token, ...(body && { body }) })
        expect([method, path, status]).toEqual([method, path, token === undefined ? 401 : 403])
      }
    for (const [method, body] of [['GET'], ['PATCH', { read: true }], ['DELETE']] as const) {
      const { status } = await fixture.instance.call(method, `${INBOX}/${own?.id}`, {
        token: fixture.ben.token,
        ...(body && { body }),
      })
      expect([method, status]).toEqual([method, 404])
    }
    expect((await fixture.list(fixture.ana))[0]).toMatchObject({ id: own?.id, read: false })
  })

  it('are created once for the account of a change, and not if it is rolled back', async () => {
    await fixture.happen(due('Pay the rent'))
    expect([await titles(), await titles(fixture.ben)]).toEqual([['To do: Pay the rent'], []])
    const day = due('Return the books')
    await fixture.happen({ ...day, data: { ...day.data, dueDay: '2026-03-02' } })
    const [whole, timed] = await fixture.list(fixture.ana)
    expect([whole?.body, timed?.body]).toEqual([
      expect.stringMatching(/^Due [^:]*2[^:]*$/),
      expect.stringMatching(/^Due .*\d:\d\d/),
    ])
    await fixture.instance.call('DELETE', `${INBOX}/${whole?.id}`, fixture.ana)
    const undone = inTransaction(fixture.db, async (tx) => {
      await fixture.instance.app.changes.record(tx, toChange({ ...due('Never'), userId: fixture.ana.id }))
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await titles()).toEqual(['To do: Pay the rent'])
  })

  it('are not created for a disabled kind, nor shown in the console if only another channel is enabled', async () => {
    await fixture.ofAna.change({ kinds: { task_due: { console: false } } })
    await fixture.ofBen.change({ kinds: { task_due: { console: false, webhook: true } } })
    await fixture.happen(due('Quietly'), { ...due('Quietly'), userId: fixture.ben.id })
    expect([await titles(), await titles(fixture.ben)]).toEqual([[], []])
    const kept = await fixture.db
      .selectFrom('notifications')
      .select(['userId', 'inConsole'])
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(kept).toEqual([{ userId: fixture.ben.id, inConsole: 0 }])
  })

  it('are listed newest first in pages, filtered by kind, marked as read and cleared', async () => {
    const milestone = {
      type: 'stream.milestone_reached' as const,
      subject: '1',
      data: { milestone: { title: 'Goal', target: 5 } },
    }
    for (const n of [1, 2, 3]) await fixture.happen(due(`n${n}`), { ...due(`n${n}`), userId: fixture.ben.id })
    await fixture.happen(milestone)
    const first = await fixture.instance.get(`${INBOX}?limit=2`, fixture.ana)
    expect(first.body).toMatchObject({
      notifications: [{ title: 'Reached: Goal' }, { title: 'To do: n3' }],
      unread: 4,
      nextCursor: expect.any(String),
    })
    const next = await fixture.instance.get(`${INBOX}?limit=2&cursor=${first.body.nextCursor}`, fixture.ana)
    expect([next.body.notifications.length, next.body.nextCursor]).toEqual([2, null])
    expect(await titles(fixture.ana, '&kind=milestone_reached')).toEqual(['Reached: Goal'])
    const [newest, second] = first.body.notifications
    const seen = await fixture.instance.get(`${INBOX}/${second.id}`, fixture.ana)
    const etag = seen.headers.get('etag') as string
    const mark = (read: boolean, headers = {}) =>
      fixture.instance.call('PATCH', `${INBOX}/${second.id}`, {
        body: { read },
        token: fixture.ana.token,
        headers,
      })
    expect((await mark(true, { 'if-match': etag })).body).toMatchObject({
      read: true,
      readAt: expect.any(String),
    })
    expect((await mark(false, { 'if-match': etag })).status).toBe(412)
    expect(await titles(fixture.ana, '&unread=true')).toEqual(['Reached: Goal', 'To do: n2', 'To do: n1'])
    const all = await fixture.instance.post(`${INBOX}/read`, { upTo: second.id }, fixture.ana)
    expect(all.body).toEqual({ marked: 2, unread: 1 })
    expect((await fixture.instance.call('DELETE', `${INBOX}/${newest.id}`, fixture.ana)).status).toBe(204)
    expect((await fixture.instance.get(`${INBOX}/${newest.id}`, fixture.ana)).status).toBe(404)
    await fixture.happen(due('n4'))
    expect((await fixture.instance.call('DELETE', `${INBOX}?read=true`, fixture.ana)).status).toBe(204)
    expect(await titles()).toEqual(['To do: n4'])
    expect((await fixture.instance.call('DELETE', INBOX, fixture.ana)).status).toBe(204)
    expect(await titles()).toEqual([])
    // Only the key of a cleared notification is kept.
    const rows = await fixture.db
      .selectFrom('notifications')
      .selectAll()
      .where('userId', '=', fixture.ana.id)
      .execute()
    expect(rows.map(({ title, body, data, link }) => [title, body, data, link])).toEqual(
      rows.map(() => ['', '', null, null]),
    )
    expect(await titles(fixture.ben)).toHaveLength(3)
    for (const query of ['limit=0', 'kind=x', 'unread=maybe', 'cursor=x', 'sort=x'])
      expect([query, (await fixture.instance.get(`${INBOX}?${query}`, fixture.ana)).status]).toEqual([
        query,
        400,
      ])
    for (const body of [{}, { read: 'yes' }, { read: true, title: 'x' }])
      expect(
        (await fixture.instance.call('PATCH', `${INBOX}/1`, { body, token: fixture.ana.token })).status,
      ).toBe(400)
    expect((await fixture.instance.post(`${INBOX}/read`, { upTo: 0 }, fixture.ana)).status).toBe(400)
  })

  it('send live events to their person only', async () => {
    const { url } = fixture.instance
    const streams = await Promise.all([
      openEventStream(url, '/api/events?types=notification.*', fixture.ana),
      openEventStream(url, '/api/events?types=notification.*,task.created', fixture.ben),
      openEventStream(url, '/api/events?types=notification.*,task.created'),
    ])
    const [ofAna, ofBen, ofNobody] = streams
    const type = 'mail_account.failing'
    await fixture.happen({
      userId: fixture.ana.id,
      type,
      subject: String(fixture.ana.id),
      data: { accountId: 'a1', address: 'a@b.example', error: 'no' },
    })
    await fixture.instance.post('/api/tasks', { title: 'of the local account' })
    await fixture.happen({ userId: fixture.ben.id, type: 'task.created', subject: '1', data: {} })
    await ofAna.until(1)
    await ofBen.until(1)
    await ofNobody.until(1)
    expect(ofAna.events.map(({ event, data }) => [event, data.subject])).toEqual([
      ['notification.changed', String(fixture.ana.id)],
    ])
    expect([ofBen.events, ofNobody.events].map((events) => events.map(({ event }) => event))).toEqual([
      ['task.created'],
      ['task.created'],
    ])
    for (const stream of streams) await stream.leave()
  })

  it('are created once for a repeated change', async () => {
    const type = 'mail_account.failing'
    const failing = (lastSyncAt: string | null) =>
      fixture.happen({
        type,
        subject: String(fixture.ana.id),
        data: { accountId: 'a1', address: 'a@b.example', error: 'no', lastSyncAt },
      })
    const at = '2026-03-02T09:00:00.000Z'
    // Several concurrent changes.
    await Promise.all([failing(at), failing(at), failing(at)])
    const [only, ...others] = await fixture.list(fixture.ana)
    expect([only?.title, others]).toEqual(['Could not connect to a@b.example', []])
    await fixture.instance.call('DELETE', `${INBOX}/${only?.id}`, fixture.ana)
    await failing(at)
    expect(await titles()).toEqual([])
    // A successful sync in between makes this a new failure.
    await failing('2026-03-03T09:00:00.000Z')
    expect(await titles()).toEqual(['Could not connect to a@b.example'])
    const spent = { measure: 'aiRequests', unit: 'requests', period: '2026-03', limit: 10, used: 12 }
    await fixture.happen({ type: 'billing.budget_reached', subject: String(fixture.ana.id), data: spent })
    expect(await fixture.list(fixture.ana, '&kind=budget_reached')).toMatchObject([
      {
        title: 'Budget reached: AI requests',
        body: '12 of 10 requests in March 2026',
        link: '/settings/billing',
      },
    ])
    const analyzed = (level: string) =>
      fixture.happen({
        type: 'email.analyzed',
        subject: '7',
        data: { urgency: { level }, subject: 'Now!', from: {} },
      })
    for (const level of ['low', 'high', 'critical']) await analyzed(level)
    expect(await titles(fixture.ana, '&kind=mail_urgent')).toEqual(['Urgent: Now!'])
  })

  it('combine many bookings into one, and ignore past bookings', async () => {
    const booking = (n: number, start: string) => ({
      type: 'event.created' as const,
      subject: String(n),
      data: {
        id: n + 1,
        title: `b${n}`,
        source: 'bookingsvc',
        start,
        end: start.replace('T09', 'T10'),
        allDay: false,
      },
    })
    const soon = `${new Date(fixture.instance.clock.now().getTime() + 2 * DAY).toISOString().slice(0, 10)}T09:00:00.000Z`
    await fixture.happen(
      ...Array.from({ length: 12 }, (_, n) => booking(n, soon)),
      booking(99, '2020-01-01T09:00:00.000Z'),
    )
    expect(await fixture.list(fixture.ana)).toMatchObject([
      {
        kind: 'booking_made',
        title: '12 new bookings',
        data: { count: 12, first: expect.arrayContaining([expect.objectContaining({ title: 'b0' })]) },
        body: expect.stringContaining('Booked: b0'),
        link: '/calendar',
      },
    ])
  })

  it('report a move that the mail server did not make', async () => {
    const data = { emailId: 7, title: 'Invoice', folder: 'Archive', reason: 'moved' }
    await fixture.happen({ type: 'mail_account.conflict', subject: String(fixture.ana.id), data })
    expect(await fixture.list(fixture.ana)).toMatchObject([
      { kind: 'mail_conflict', title: '“Invoice” was not moved to Archive', link: '/mail/inbox/7' },
    ])
  })

  it('keep the stored text of an earlier or later version', async () => {
    const row = {
      userId: fixture.ana.id,
      link: null,
      inConsole: 1,
      readAt: null,
      clearedAt: null,
      version: 1,
      createdAt: fixture.instance.clock.now().toISOString(),
    }
    await fixture.db
      .insertInto('notifications')
      .values([
        { ...row, key: 'earlier', kind: 'task_due', title: 'To do: Rent', body: 'Due Mon' },
        {
          ...row,
          key: 'later',
          kind: 'security',
          title: 'Passkey added',
          body: '',
          data: '{"action":"passkey"}',
        },
        { ...row, key: 'odd', kind: 'mail_due', title: 'Back', body: 'Odd', data: '{"count":"many"}' },
      ])
      .execute()
    expect((await fixture.list(fixture.ana)).map(({ title, body, data }) => [title, body, data])).toEqual([
      ['Back', 'Odd', { count: 'many' }],
      ['Passkey added', '', { action: 'passkey' }],
      ['To do: Rent', 'Due Mon', null],
    ])
  })

  it('are created for real changes of events, emails, tasks and accounts', async () => {
    const { instance, ana } = fixture
    const soon = new Date(instance.clock.now().getTime() + DAY).toISOString()
    const event = { title: 'Intro call', start: soon, bookingId: `b-${engine}` }
    const made = await instance.post('/api/calendar/events', event)
    const path = `/api/calendar/events/${made.body.id}`
    await instance.call('PATCH', path, { body: { notes: 'not worth a word' } })
    await instance.call('PATCH', path, {
      body: { end: new Date(Date.parse(soon) + 2 * 60 * MINUTE).toISOString() },
    })
    await instance.call('PATCH', path, { body: { status: 'cancelled' } })
    expect(await titles()).toEqual(['Cancelled: Intro call', 'Moved: Intro call', 'Booked: Intro call'])
    const mail = {
      from: 'Ben <ben@example.org>',
      subject: 'URGENT: server down, reply by noon today',
      text: 'Please call me immediately, production is down.',
    }
    const { body: email } = await instance.post('/api/emails', mail)
    await instance.post(`/api/emails/${email.id}/analyze`)
    await instance.post('/api/stream/milestones', { title: 'Followers', target: 1, current: 2 })
    const task = await instance.post('/api/tasks', { title: 'Old chores' })
    const chat = await instance.post('/api/ai/chat', { message: `Delete the task “Old chores”` }, ana)
    expect([task.status, chat.body.actions?.at(-1)?.status]).toEqual([201, 'needs_confirmation'])
    const [waiting] = await fixture.list(ana, '&kind=action_waiting')
    expect(waiting).toMatchObject({
      data: { conversationId: chat.body.conversationId },
      link: `/assistant?conversation=${chat.body.conversationId}`,
    })
    await instance.call('PATCH', '/api/settings/profile', { body: { name: 'Ana' }, token: ana.token })
    expect((await instance.post('/api/auth/login', { email: ana.email, password: PASSWORD })).status).toBe(
      200,
    )
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'
    const elsewhere = { headers: { 'user-agent': firefox } }
    instance.clock.advance(2 * MINUTE)
    await instance.post('/api/auth/login', { email: ana.email, password: PASSWORD }, elsewhere)
    await instance.post('/api/auth/login', { email: ana.email, password: PASSWORD }, elsewhere)
    await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'Script', scopes: ['ai:read'] },
      ana,
    )
    expect((await fixture.list(ana)).slice(0, -3).map(({ kind, title }) => [kind, title])).toEqual([
      ['security', 'The access token “Script” was created'],
      ['sign_in', 'A new sign-in to your account'],
      ['action_waiting', expect.stringContaining('Old chores')],
      ['milestone_reached', 'Reached: Followers'],
      ['mail_urgent', `Urgent: ${mail.subject}`],
    ])
    expect((await fixture.list(fixture.ben)).map(({ kind }) => kind)).not.toContain('sign_in')
    const setLocale = (locale: string) =>
      instance.call('PATCH', '/api/settings/preferences', { body: { locale }, token: ana.token })
    await setLocale('de-DE')
    const [signIn] = await fixture.list(ana, '&kind=sign_in')
    expect(signIn).toMatchObject({ body: expect.stringContaining('Firefox unter Linux') })
    await setLocale('en')
  })

  it('are mailed when security mail is turned off, also those that are due', async () => {
    const { instance } = fixture
    const cem = await register(instance)
    const change = (kinds: object) => instance.call('PATCH', SETTINGS, { token: cem.token, body: { kinds } })
    await addMailAccount(instance, cem, 9)
    await instance.post('/api/settings/feed-tokens', { name: 'Phone', purpose: 'calendar' }, cem)
    expect((await change({ task_due: { email: 'now' } })).status).toBe(200)
    expect((await change({ security: { email: 'off' } })).status).toBe(200)
    const { notifications } = (await instance.get(`${INBOX}?kind=security`, cem)).body
    const isMailed = (email: { error: string | null } | null) =>
      email !== null && !email.error?.includes('disabled')
    expect(
      notifications.map(({ title, email }: { title: string; email: never }) => [title, isMailed(email)]),
    ).toEqual([
      ['Mail about the security of your account was turned off or delayed', true],
      ['The private link “Phone” was created', true],
    ])
  })

  it('report a failing mail account or webhook once', async () => {
    const { instance, ana } = fixture
    await fixture.ofAna.change({
      kinds: { mail_account_failing: { email: 'off' }, webhook_disabled: { email: 'off' } },
    })
    const receiver = await startReceiver()
    receiver.answer(410)
    const hook = { url: receiver.url, events: ['task.created'], name: 'Gone' }
    await instance.post('/api/settings/webhooks', hook, ana)
    instance.app.sending.start()
    await instance.post('/api/tasks', { title: 'to nobody' })
    const nowhere = 9
    const accountId = await addMailAccount(instance, ana, nowhere)
    instance.app.syncing.start()
    const listFailures = async () => (await fixture.list(ana)).filter(({ kind }) => kind !== 'security')
    await eventually(async () => (await listFailures()).length === 2)
    await instance.post(`/api/settings/mail-accounts/${accountId}/sync`, undefined, ana)
    await instance.app.syncing.stop()
    expect((await fixture.list(ana)).map(({ title }) => title)).toContain(
      `Your data is now sent to ${new URL(receiver.url).host}`,
    )
    const failures = (await listFailures()).map(({ kind, title, body }) => [kind, title, body])
    expect(failures.sort()).toEqual([
      [
        'mail_account_failing',
        'Could not connect to ana@example.test',
        expect.stringContaining('No server responds'),
      ],
      ['webhook_disabled', 'The webhook “Gone” was disabled', expect.stringContaining('410')],
    ])
    expect(await fixture.list(fixture.ben)).toEqual([])
    await receiver.close()
  })

  it('report a permanently failed job to the owner once', async () => {
    const other = await startInstance({
      engine,
      ...(engine === 'postgres' && { place: fixture.instance.place }),
    })
    const { jobs } = other.app
    jobs.define({
      name: 'test.parks',
      payload: Type.Object({}),
      run: async () => {
        throw new AppError('invalid', 'validation_failed', 'It cannot be done.')
      },
    })
    if (engine === 'sqlite') {
      // With SQLite, only one instance can use the data.
      const { status } = await other.post('/api/auth/register', {
        email: 'o@example.org',
        password: PASSWORD,
        name: 'O',
      })
      expect(status).toBe(201)
    }
    await jobs.start()
    const id = (await jobs.enqueue(other.database.db, 'test.parks', {})) as string
    await eventually(async () => (await jobs.find(id))?.state === 'parked')
    for (let n = 0; n < 2; n++) {
      const look = (await jobs.enqueue(other.database.db, 'notifications.deliver', {})) as string
      await eventually(async () => (await jobs.find(look))?.state === 'done')
    }
    const reported = await other.database.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'job_parked')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(reported).toMatchObject([
      {
        title: 'A background job failed permanently: test.parks',
        body: 'It cannot be done.',
        link: '/settings/jobs',
      },
    ])
    await jobs.drop(id)
    await other.close()
  })

  it('are exported, and deleted with their account and after 29 days', async () => {
    await fixture.happen(due('Pay the rent'))
    await fixture.ofAna.change({ digest: { frequency: 'daily' } })
    const response = await fetch(`${fixture.instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.ana.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const linesOf = (name: string) =>
      (files[name] as string)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(linesOf('notifications/notifications.jsonl').slice(-2)).toMatchObject([
      { kind: 'task_due', title: 'To do: Pay the rent', readAt: null },
      { kind: 'security' },
    ])
    const [{ chosen }] = linesOf('notifications/settings.jsonl')
    expect(chosen.digest).toEqual({ frequency: 'daily' })
    const body = { email: `gone-${engine}@example.org`, password: PASSWORD, name: 'Gone' }
    const { body: gone } = await fixture.instance.post('/api/auth/register', body)
    const ofGone = { kinds: { task_due: { webhook: true } } }
    await fixture.instance.call('PATCH', SETTINGS, { body: ofGone, token: gone.token })
    await fixture.happen({ ...due('Again'), userId: gone.user.id })
    const countOf = async (userId: number) =>
      (await fixture.db.selectFrom('notifications').select('id').where('userId', '=', userId).execute())
        .length
    expect(await countOf(gone.user.id)).toBe(1)
    const left = await fixture.instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD },
      token: gone.token,
    })
    expect([left.status, await countOf(gone.user.id)]).toEqual([204, 0])
    const changes = await fixture.db
      .selectFrom('changes')
      .select('data')
      .where('type', '=', 'notification.created')
      .where('subject', '=', String(gone.user.id))
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(changes).toEqual([{ data: '{}' }])
    fixture.instance.clock.advance(30 * DAY)
    await fixture.run('housekeeping')
    expect(await countOf(fixture.ana.id)).toBe(0)
    fixture.instance.clock.advance(-30 * DAY)
  })
})

onOneDatabase('sqlite', 'notifications', (engine) => {
  let fixture: NotificationFixture
  beforeAll(async () => {
    fixture = await openNotificationFixture(engine)
  })
  afterAll(() => fixture.close())
  afterEach(() => fixture.forget())

  const titles = async (person = fixture.ana, query = '') =>
    (await fixture.list(person, query)).map(({ title }) => title)
  const prefer = (body: { locale?: string; timezone?: string }) =>
    fixture.instance.call('PATCH', '/api/settings/preferences', { body, token: fixture.ana.token })

  it('are rendered in the language of the reader and for the present day', async () => {
    const { instance, ana } = fixture
    const today = instance.clock.now().toISOString().slice(0, 10)
    const data = { title: 'Miete', dueDay: today }
    await fixture.happen({ type: 'task.due', subject: '7', data })
    const [made] = await fixture.list(ana)
    expect(made).toMatchObject({
      kind: 'task_due',
      data: { taskId: 7, title: 'Miete', dueAt: null, dueDay: today },
      title: 'To do: Miete',
      body: 'Due today',
    })
    const get = (etag?: string | null) =>
      instance.call('GET', `${INBOX}/${made?.id}`, {
        token: ana.token,
        headers: etag ? { 'if-none-match': etag } : {},
      })
    const etag = (await get()).headers.get('etag')
    expect((await get(etag)).status).toBe(304)
    instance.clock.advance(DAY)
    expect((await get(etag)).body).toMatchObject({ body: 'Due yesterday' })
    await prefer({ locale: 'de-DE' })
    expect((await get(etag)).body).toMatchObject({ title: 'Zu erledigen: Miete', body: 'Fällig gestern' })
    instance.clock.advance(DAY)
    expect((await fixture.list(ana))[0]?.body).toMatch(/^Fällig \w\w\., \d+\. /)
    instance.clock.advance(-2 * DAY)
    await prefer({ locale: 'en' })
  })

  it('say that an event has started once it has', async () => {
    const { instance, ana } = fixture
    const start = new Date(instance.clock.now().getTime() + 10 * MINUTE).toISOString()
    const data = { title: 'Stand-up', start, allDay: false, timezone: 'UTC', location: 'Room 5' }
    await fixture.happen({ type: 'event.starting', subject: '1', data })
    expect((await titles())[0]).toMatch(/^Stand-up starts at /)
    instance.clock.advance(20 * MINUTE)
    expect(await fixture.list(ana)).toMatchObject([
      { title: expect.stringMatching(/^Stand-up started at /), body: expect.stringMatching(/ · Room 5$/) },
    ])
    instance.clock.advance(-20 * MINUTE)
  })

  it('name the changed fields of an event and the failed job in the language of the reader', async () => {
    await prefer({ locale: 'de-DE' })
    const start = '2026-03-02T09:00:00.000Z'
    const details = [
      { field: 'location', before: 'Room 5', after: 'Garden' },
      { field: 'busy', before: true, after: false },
      { field: 'attendees' },
    ]
    await fixture.happen({
      type: 'calendar_account.conflict',
      subject: '1',
      data: { account: 'Familie', title: 'Essen', start, details, actionId: 1 },
    })
    expect((await fixture.list(fixture.ana))[0]).toMatchObject({
      title: 'Familie hat deine Änderungen an „Essen“ ersetzt',
      body: 'Ort: „Garden“ statt „Room 5“ · Beschäftigt: nein statt ja · Gäste ersetzt',
    })
    expect(toJobTitle('calendar.sync', 'de')).toBe('Kalenderkonto synchronisieren')
    await prefer({ locale: 'en' })
  })

  it('name an action that a client proposed in the language of the reader', async () => {
    const { instance, ana } = fixture
    await prefer({ locale: 'de-DE' })
    const input = { password: PASSWORD, name: 'mcp', scopes: ['calendar:write'] }
    const { token } = (await instance.post('/api/settings/tokens', input, ana)).body
    const event = { title: 'Essen', start: '2026-03-11T09:00:00Z', attendees: ['ben@example.org'] }
    await instance.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_event', arguments: event } },
      { token, headers: { accept: 'application/json, text/event-stream' } },
    )
    expect((await fixture.list(ana, '&kind=action_waiting'))[0]?.title).toMatch(
      /^Wartet auf deine Bestätigung: „Essen“ am .* mit ben@example\.org anlegen$/,
    )
    await prefer({ locale: 'en' })
  })

  it('contain text of strangers as one line of plain text', async () => {
    const hostile = `Hi\r\nBcc: evil@example.org\r\n\r\n<script>x</script>\u202Etxt.exe\u2028${'x'.repeat(400)}`
    await fixture.happen(due(hostile))
    const [notification] = await fixture.list(fixture.ana)
    expect(notification?.title).toMatch(/^To do: Hi Bcc: evil@example\.org <script>x<\/script> txt\.exe x+…$/)
    expect([...(notification?.title ?? '')].length).toBeLessThanOrEqual(200)
  })

  it('name each host that receives data because of a setting', async () => {
    const { instance, ben } = fixture
    const settings = '/api/settings'
    const send = async (method: string, path: string, body: object) => {
      const { status, body: answer } = await instance.call(method, path, { token: ben.token, body })
      expect([path, status, answer.detail]).toEqual([path, expect.any(Number), undefined])
      return answer
    }
    const hook = await send('POST', `${settings}/webhooks`, {
      url: 'https://hook.example.org/in',
      events: ['*'],
    })
    await send('PATCH', `${settings}/webhooks/${hook.id}`, { name: 'Renamed', enabled: false })
    await send('PATCH', `${settings}/webhooks/${hook.id}`, { enabled: true })
    const key = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' }
    await send('POST', '/api/api-keys', key)
    await send('POST', '/api/api-keys', { ...key, key: 'other' })
    await send('POST', `${settings}/feed-tokens`, { name: 'Phone', purpose: 'calendar' })
    const login = { kind: 'caldav', username: 'ben', password: 'x', enabled: false }
    const dav = await send('POST', `${settings}/calendar-accounts`, {
      ...login,
      url: 'https://dav.example.org/',
    })
    await send('PATCH', `${settings}/calendar-accounts/${dav.id}`, { name: 'Renamed' })
    await send('POST', `${settings}/calendar-accounts`, {
      kind: 'ics',
      url: 'https://ics.example.org/a.ics',
      enabled: false,
    })
    const mail = await addMailAccount(instance, ben, 9)
    const smtp = { host: 'smtp.example.org', port: 465, tls: 'implicit' }
    await send('PATCH', `${settings}/mail-accounts/${mail}`, { smtp, password: 'x', enabled: false })
    expect(await titles(ben, '&kind=security')).toEqual([
      'Your data is now sent to smtp.example.org',
      'Your data is now sent to dav.example.org',
      'The private link “Phone” was created',
      'Your data is now sent to 127.0.0.1:9',
      'Your data is now sent to hook.example.org',
      'Your data is now sent to hook.example.org',
    ])
    const { activity } = (await instance.get(`${settings}/security/activity?limit=20`, ben)).body
    const hostOf = (action: string) =>
      activity.find((entry: { action: string }) => entry.action === action).details.host
    expect(hostOf('mail_account.changed')).toBe('smtp.example.org')
    expect(hostOf('mail_account.added')).toBe('127.0.0.1')
    await send('PATCH', `${settings}/webhooks/${hook.id}`, { enabled: false })
  })
})
