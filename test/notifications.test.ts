import Type from 'typebox'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { inTransaction } from '../src/database/transaction.ts'
import { AppError } from '../src/platform/errors.ts'
import { DAY, MINUTE } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { startInstance } from './support/instance.ts'
import {
  addMailAccount,
  INBOX,
  type NotificationDesk,
  openNotificationDesk,
  SETTINGS,
} from './support/notification-desk.ts'
import { PASSWORD } from './support/people.ts'
import { unzip } from './support/unzip.ts'
import { startReceiver } from './support/webhook-receiver.ts'

const due = (title: string) => ({
  type: 'task.due',
  subject: '1',
  data: { title, dueAt: '2026-03-02T09:00:00.000Z' },
})

onEveryDatabase('notifications', (engine) => {
  let desk: NotificationDesk
  beforeAll(async () => {
    desk = await openNotificationDesk(engine)
  })
  afterAll(() => desk.close())
  afterEach(() => desk.forget())

  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    desk.instance.call('PATCH', SETTINGS, { body, token: desk.ana.token, headers })
  const titles = async (person = desk.ana, query = '') =>
    (await desk.list(person, query)).map(({ title }) => title)

  it('have settings that begin sensibly, change by parts and are everyone’s own', async () => {
    const before = await desk.instance.get(SETTINGS, desk.ana)
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
      email: { ready: false, from: null, to: desk.ana.email },
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
    const ofBen = await desk.instance.get(SETTINGS, desk.ben)
    expect([ofBen.body.kinds.task_due.email, ofBen.body.digest.frequency]).toEqual(['off', 'off'])
    const activity = await desk.instance.get('/api/settings/security/activity?limit=5', desk.ana)
    expect(activity.body.activity[0]).toMatchObject({
      action: 'notifications.changed',
      details: { fields: ['digest'] },
    })
  })

  it('refuse settings that make no sense, naming the field', async () => {
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
    expect((await desk.instance.get(SETTINGS, desk.ana)).body.version).toBe(0)
  })

  it('are for who is signed in, and nobody sees another’s', async () => {
    const made = await desk.instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n', scopes: ['tasks:write', 'mail:write'] },
      desk.ben,
    )
    await desk.happen(due('Pay the rent'))
    const [own] = await desk.list(desk.ana)
    const routes = [
      ...[['GET', SETTINGS] as const, ['PATCH', SETTINGS, {}] as const, ['GET', INBOX] as const],
      ...[
        ['DELETE', INBOX] as const,
        ['POST', `${INBOX}/read`, {}] as const,
        ['GET', `${INBOX}/${own?.id}`] as const,
      ],
      ...[
        ['PATCH', `${INBOX}/${own?.id}`, { read: true }] as const,
        ['DELETE', `${INBOX}/${own?.id}`] as const,
      ],
    ]
    for (const [method, path, body] of routes)
      for (const token of [undefined, made.body.token]) {
        const { status } = await desk.instance.call(method, path, { token, ...(body && { body }) })
        expect([method, path, status]).toEqual([method, path, token === undefined ? 401 : 403])
      }
    for (const [method, body] of [['GET'], ['PATCH', { read: true }], ['DELETE']] as const) {
      const { status } = await desk.instance.call(method, `${INBOX}/${own?.id}`, {
        token: desk.ben.token,
        ...(body && { body }),
      })
      expect([method, status]).toEqual([method, 404])
    }
    expect((await desk.list(desk.ana))[0]).toMatchObject({ id: own?.id, read: false })
  })

  it('come with what happens, once for each person, and not when it did not', async () => {
    await desk.happen(due('Pay the rent'))
    expect([await titles(), await titles(desk.ben)]).toEqual([
      ['To do: Pay the rent'],
      ['To do: Pay the rent'],
    ])
    const day = due('Return the books')
    await desk.happen({ ...day, data: { ...day.data, dueDay: '2026-03-02' } })
    const [whole, timed] = await desk.list(desk.ana)
    expect([whole?.body, timed?.body]).toEqual([
      expect.stringMatching(/^Due [^:]*2[^:]*$/),
      expect.stringMatching(/^Due .*\d:\d\d/),
    ])
    await desk.instance.call('DELETE', `${INBOX}/${whole?.id}`, desk.ana)
    const undone = inTransaction(desk.db, async (tx) => {
      await desk.instance.app.changes.record(tx, due('Never'))
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await titles()).toEqual(['To do: Pay the rent'])
  })

  it('are not made of a kind that is off, nor shown where only another way was chosen', async () => {
    await desk.ofAna.change({ kinds: { task_due: { console: false } } })
    await desk.ofBen.change({ kinds: { task_due: { console: false, webhook: true } } })
    await desk.happen(due('Quietly'))
    expect([await titles(), await titles(desk.ben)]).toEqual([[], []])
    const kept = await desk.db.selectFrom('notifications').select(['userId', 'inConsole']).execute()
    expect(kept).toEqual([{ userId: desk.ben.id, inConsole: 0 }])
  })

  it('are listed newest first, by pages and kinds, and are read and cleared', async () => {
    const milestone = {
      type: 'stream.milestone_reached',
      subject: '1',
      data: { milestone: { title: 'Goal', target: 5 } },
    }
    for (const n of [1, 2, 3]) await desk.happen(due(`n${n}`))
    await desk.happen(milestone)
    const first = await desk.instance.get(`${INBOX}?limit=2`, desk.ana)
    expect(first.body).toMatchObject({
      notifications: [{ title: 'Reached: Goal' }, { title: 'To do: n3' }],
      unread: 4,
      nextCursor: expect.any(String),
    })
    const next = await desk.instance.get(`${INBOX}?limit=2&cursor=${first.body.nextCursor}`, desk.ana)
    expect([next.body.notifications.length, next.body.nextCursor]).toEqual([2, null])
    expect(await titles(desk.ana, '&kind=milestone_reached')).toEqual(['Reached: Goal'])
    const [newest, second] = first.body.notifications
    const seen = await desk.instance.get(`${INBOX}/${second.id}`, desk.ana)
    const etag = seen.headers.get('etag') as string
    const mark = (read: boolean, headers = {}) =>
      desk.instance.call('PATCH', `${INBOX}/${second.id}`, { body: { read }, token: desk.ana.token, headers })
    expect((await mark(true, { 'if-match': etag })).body).toMatchObject({
      read: true,
      readAt: expect.any(String),
    })
    expect((await mark(false, { 'if-match': etag })).status).toBe(412)
    expect(await titles(desk.ana, '&unread=true')).toEqual(['Reached: Goal', 'To do: n2', 'To do: n1'])
    const all = await desk.instance.post(`${INBOX}/read`, { upTo: second.id }, desk.ana)
    expect(all.body).toEqual({ marked: 2, unread: 1 })
    expect((await desk.instance.call('DELETE', `${INBOX}/${newest.id}`, desk.ana)).status).toBe(204)
    expect((await desk.instance.get(`${INBOX}/${newest.id}`, desk.ana)).status).toBe(404)
    await desk.happen(due('n4'))
    expect((await desk.instance.call('DELETE', `${INBOX}?read=true`, desk.ana)).status).toBe(204)
    expect(await titles()).toEqual(['To do: n4'])
    expect((await desk.instance.call('DELETE', INBOX, desk.ana)).status).toBe(204)
    expect(await titles()).toEqual([])
    // Of what was cleared nothing is left but that it was told.
    const rows = await desk.db
      .selectFrom('notifications')
      .selectAll()
      .where('userId', '=', desk.ana.id)
      .execute()
    expect(rows.map(({ title, body, link }) => [title, body, link])).toEqual(rows.map(() => ['', '', null]))
    expect(await titles(desk.ben)).toHaveLength(5)
    for (const query of ['limit=0', 'kind=x', 'unread=maybe', 'cursor=x', 'sort=x'])
      expect([query, (await desk.instance.get(`${INBOX}?${query}`, desk.ana)).status]).toEqual([query, 400])
    for (const body of [{}, { read: 'yes' }, { read: true, title: 'x' }])
      expect((await desk.instance.call('PATCH', `${INBOX}/1`, { body, token: desk.ana.token })).status).toBe(
        400,
      )
    expect((await desk.instance.post(`${INBOX}/read`, { upTo: 0 }, desk.ana)).status).toBe(400)
  })

  it('are heard of live by their person alone', async () => {
    const { url } = desk.instance
    const streams = await Promise.all([
      openEventStream(url, '/api/events?types=notification.*', desk.ana),
      openEventStream(url, '/api/events?types=notification.*,task.created', desk.ben),
      openEventStream(url, '/api/events?types=notification.*,task.created'),
    ])
    const [ofAna, ofBen, ofNobody] = streams
    const type = 'mail_account.failing'
    await desk.happen({
      type,
      subject: String(desk.ana.id),
      data: { accountId: 'a1', address: 'a@b.example', error: 'no' },
    })
    await desk.instance.post('/api/tasks', { title: 'heard by all' })
    await ofAna.until(1)
    await ofBen.until(1)
    await ofNobody.until(1)
    expect(ofAna.events.map(({ event, data }) => [event, data.subject])).toEqual([
      ['notification.changed', String(desk.ana.id)],
    ])
    expect([ofBen.events, ofNobody.events].map((events) => events.map(({ event }) => event))).toEqual([
      ['task.created'],
      ['task.created'],
    ])
    for (const stream of streams) await stream.leave()
  })

  it('of one thing are one, however often it is heard of', async () => {
    const type = 'mail_account.failing'
    const failing = (lastSyncAt: string | null) =>
      desk.happen({
        type,
        subject: String(desk.ana.id),
        data: { accountId: 'a1', address: 'a@b.example', error: 'no', lastSyncAt },
      })
    const at = '2026-03-02T09:00:00.000Z'
    // From several sides at once.
    await Promise.all([failing(at), failing(at), failing(at)])
    const [only, ...others] = await desk.list(desk.ana)
    expect([only?.title, others]).toEqual(['a@b.example cannot be reached', []])
    await desk.instance.call('DELETE', `${INBOX}/${only?.id}`, desk.ana)
    await failing(at)
    expect(await titles()).toEqual([])
    // It was in step in between: that is another matter.
    await failing('2026-03-03T09:00:00.000Z')
    expect(await titles()).toEqual(['a@b.example cannot be reached'])
    const spent = { measure: 'aiRequests', unit: 'requests', period: '2026-03', limit: 10, used: 12 }
    await desk.happen({ type: 'billing.budget_reached', subject: String(desk.ana.id), data: spent })
    expect(await desk.list(desk.ana, '&kind=budget_reached')).toMatchObject([
      {
        title: 'A budget is reached: AI requests',
        body: '12 of 10 requests in 2026-03',
        link: '/settings/billing',
      },
    ])
    const analyzed = (level: string) =>
      desk.happen({
        type: 'email.analyzed',
        subject: '7',
        data: { urgency: { level }, subject: 'Now!', from: {} },
      })
    for (const level of ['low', 'high', 'critical']) await analyzed(level)
    expect(await titles(desk.ana, '&kind=mail_urgent')).toEqual(['Urgent: Now!'])
  })

  it('of many bookings at once are one; of what is over there are none', async () => {
    const booking = (n: number, start: string) => ({
      ...{ type: 'event.created', subject: String(n) },
      data: {
        id: n,
        title: `b${n}`,
        source: 'bookingsvc',
        start,
        end: start.replace('T09', 'T10'),
        allDay: false,
      },
    })
    const soon = `${new Date(desk.instance.clock.now().getTime() + 2 * DAY).toISOString().slice(0, 10)}T09:00:00.000Z`
    await desk.happen(
      ...Array.from({ length: 12 }, (_, n) => booking(n, soon)),
      booking(99, '2020-01-01T09:00:00.000Z'),
    )
    expect(await desk.list(desk.ana)).toMatchObject([
      {
        kind: 'booking_made',
        title: '12 new bookings',
        body: expect.stringContaining('Booked: b0'),
        link: '/calendar',
      },
    ])
  })

  it('hold what strangers wrote as one line of plain text', async () => {
    const hostile = `Hi\r\nBcc: evil@example.org\r\n\r\n<script>x</script>\u202Etxt.exe\u2028${'x'.repeat(500)}`
    await desk.happen(due(hostile))
    const [told] = await desk.list(desk.ana)
    expect(told?.title).toMatch(/^To do: Hi Bcc: evil@example\.org <script>x<\/script> txt\.exe x+…$/)
    expect([...(told?.title ?? '')].length).toBeLessThanOrEqual(200)
  })

  it('tell of what really happens in the rooms', async () => {
    const { instance, ana } = desk
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
    await instance.call('PATCH', '/api/settings/profile', { body: { name: 'Ana' }, token: ana.token })
    expect((await instance.post('/api/auth/login', { email: ana.email, password: PASSWORD })).status).toBe(
      200,
    )
    const elsewhere = { headers: { 'user-agent': 'Curious/1.0 (Elsewhere)' } }
    instance.clock.advance(2 * MINUTE)
    await instance.post('/api/auth/login', { email: ana.email, password: PASSWORD }, elsewhere)
    await instance.post('/api/auth/login', { email: ana.email, password: PASSWORD }, elsewhere)
    await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'Script', scopes: ['ai:read'] },
      ana,
    )
    expect((await desk.list(ana)).slice(0, -3).map(({ kind, title }) => [kind, title])).toEqual([
      ['security', 'The access token “Script” was made'],
      ['sign_in', 'A new sign-in to your account'],
      ['action_waiting', expect.stringContaining('Old chores')],
      ['milestone_reached', 'Reached: Followers'],
      ['mail_urgent', `Urgent: ${mail.subject}`],
    ])
    expect((await desk.list(desk.ben)).map(({ kind }) => kind)).not.toContain('sign_in')
  })

  it('tell of accounts and endpoints that fail, once until they do not', async () => {
    const { instance, ana } = desk
    await desk.ofAna.change({
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
    await vi.waitUntil(async () => (await desk.list(ana)).length === 2, { timeout: 20_000, interval: 50 })
    await instance.post(`/api/settings/mail-accounts/${accountId}/sync`, undefined, ana)
    await instance.app.syncing.stop()
    const told = (await desk.list(ana)).map(({ kind, title, body }) => [kind, title, body])
    expect(told.sort()).toEqual([
      [
        'mail_account_failing',
        'ana@example.test cannot be reached',
        expect.stringContaining('Nothing answers'),
      ],
      ['webhook_disabled', 'The webhook “Gone” was turned off', expect.stringContaining('410')],
    ])
    expect(await desk.list(desk.ben)).toEqual([])
    await receiver.close()
  })

  it('tell the owner of jobs that were given up, once', async () => {
    const other = await startInstance({
      engine,
      ...(engine === 'postgres' && { place: desk.instance.place }),
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
      // There one instance has the data to itself.
      const { status } = await other.post('/api/auth/register', {
        email: 'o@example.org',
        password: PASSWORD,
        name: 'O',
      })
      expect(status).toBe(201)
    }
    await jobs.start()
    const id = (await jobs.enqueue(other.database.db, 'test.parks', {})) as string
    await vi.waitUntil(async () => (await jobs.find(id))?.state === 'parked', {
      timeout: 30_000,
      interval: 20,
    })
    for (let n = 0; n < 2; n++) {
      const look = (await jobs.enqueue(other.database.db, 'notifications.deliver', {})) as string
      await vi.waitUntil(async () => (await jobs.find(look))?.state === 'done', {
        timeout: 30_000,
        interval: 20,
      })
    }
    const told = await other.database.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'job_parked')
      .execute()
    expect(told).toMatchObject([
      {
        title: 'A background job was given up: test.parks',
        body: 'It cannot be done.',
        link: '/settings/jobs',
      },
    ])
    await jobs.drop(id)
    await other.close()
  })

  it('are exported, and gone with their account and after their time', async () => {
    await desk.happen(due('Pay the rent'))
    await desk.ofAna.change({ digest: { frequency: 'daily' } })
    const response = await fetch(`${desk.instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${desk.ana.token}`, 'content-type': 'application/json' },
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
    const { body: gone } = await desk.instance.post('/api/auth/register', body)
    const ofGone = { kinds: { task_due: { webhook: true } } }
    await desk.instance.call('PATCH', SETTINGS, { body: ofGone, token: gone.token })
    await desk.happen(due('Again'))
    const countOf = async (userId: number) =>
      (await desk.db.selectFrom('notifications').select('id').where('userId', '=', userId).execute()).length
    expect(await countOf(gone.user.id)).toBe(1)
    const left = await desk.instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD },
      token: gone.token,
    })
    expect([left.status, await countOf(gone.user.id)]).toEqual([204, 0])
    const said = await desk.db
      .selectFrom('changes')
      .select('data')
      .where('type', '=', 'notification.created')
      .where('subject', '=', String(gone.user.id))
      .execute()
    expect(said).toEqual([{ data: '{}' }])
    desk.instance.clock.advance(30 * DAY)
    await desk.run('housekeeping')
    expect(await countOf(desk.ana.id)).toBe(0)
    desk.instance.clock.advance(-30 * DAY)
  })
})
