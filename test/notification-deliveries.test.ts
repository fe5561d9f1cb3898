import { simpleParser } from 'mailparser'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import {
  addMailAccount,
  INBOX,
  type NotificationDesk,
  openNotificationDesk,
  SETTINGS,
} from './support/notification-desk.ts'
import { PASSWORD } from './support/people.ts'
import { startFactotum } from './support/process.ts'
import { returnedForms, withoutSignature } from './support/returned-mail.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'
import { startReceiver } from './support/webhook-receiver.ts'

const HOUR = 60 * MINUTE
const PATIENCE = { timeout: 30_000, interval: 20 }
const due = (title: string) => ({ type: 'task.due', subject: '1', data: { title } })

/** The clock on a wall. */
const timeIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)

onEveryDatabase('what is told by other ways than the console', (engine) => {
  let desk: NotificationDesk
  beforeAll(async () => {
    desk = await openNotificationDesk(engine)
  })
  afterAll(() => desk.close())
  afterEach(() => desk.forget())

  const addAccount = () => addMailAccount(desk.instance, desk.ana, desk.smtp.port)
  const taken = (count: number) => vi.waitUntil(() => desk.smtp.taken.length >= count, PATIENCE)
  const mails = () => Promise.all(desk.smtp.taken.map(({ raw }) => simpleParser(raw)))
  const live = () => desk.instance.clock.now().getTime()
  const wayOf = async (title: string) => (await desk.list(desk.ana)).find((told) => told.title === title)
  const settles = (title: string, state: string) =>
    vi.waitUntil(async () => (await wayOf(title))?.email?.state === state, PATIENCE)

  it('goes by the person’s own account, once, and nobody can write headers into it', async () => {
    await addAccount()
    await desk.ofAna.change({ kinds: { task_due: { email: 'now' } } })
    await desk.happen(due('Rent\r\nBcc: evil@example.org\r\nX-Evil: 1'))
    await taken(1)
    await settles('To do: Rent Bcc: evil@example.org X-Evil: 1', 'told')
    await desk.deliver()
    expect(desk.smtp.taken).toHaveLength(1)
    const [mail] = await mails()
    expect(desk.smtp.taken[0]?.recipients).toEqual([desk.ana.email])
    expect(mail?.subject).toBe('To do: Rent Bcc: evil@example.org X-Evil: 1')
    expect(mail?.from?.value).toEqual([{ name: 'Factotum', address: 'ana@example.test' }])
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect([mail?.headers.has('bcc'), mail?.headers.has('x-evil'), mail?.html]).toEqual([false, false, false])
    expect(mail?.text).toContain(`${desk.instance.url}/tasks`)
    expect(mail?.text).toContain(`${desk.instance.url}/settings/notifications`)
    expect((await desk.instance.get(SETTINGS, desk.ana)).body.email).toEqual({
      ...{ ready: true, from: 'ana@example.test', to: desk.ana.email },
    })
  })

  it('is shown in the console, with the reason, where there is no account to send with', async () => {
    await desk.ofAna.change({ kinds: { task_due: { console: false, email: 'now' } } })
    await desk.happen(due('Rent'))
    expect(await desk.list(desk.ana)).toMatchObject([
      { title: 'To do: Rent', email: { state: 'failed', error: 'There is no mail account to send with.' } },
    ])
    // Nor is it lost when the account goes while it waits.
    await desk.ofAna.change({ kinds: { task_due: { email: 'digest' } }, digest: { frequency: 'daily' } })
    await addAccount()
    await desk.happen(due('Water'))
    expect(await wayOf('To do: Water')).toBeUndefined()
    await desk.db.deleteFrom('mail_accounts').execute()
    desk.instance.clock.advance(25 * HOUR)
    await desk.deliver()
    expect(await wayOf('To do: Water')).toMatchObject({ email: { state: 'failed', heldBy: 'digest' } })
    expect(desk.smtp.handedOver).toBe(0)
  })

  it('is not sent again when nobody knows whether it went, and is there to be read', async () => {
    await addAccount()
    await desk.ofAna.change({ kinds: { task_due: { console: false, email: 'now' } } })
    desk.smtp.turns = ['die after data']
    await desk.happen(due('Rent'))
    await settles('To do: Rent', 'uncertain')
    await desk.deliver()
    desk.smtp.turns = ['refuse']
    await desk.happen(due('Water'))
    await settles('To do: Water', 'failed')
    expect((await wayOf('To do: Water'))?.email?.error).toContain('We do not like this message')
    expect([desk.smtp.handedOver, desk.smtp.taken]).toEqual([2, []])
  })

  // The queue of PostgreSQL waits by its own clock, which no test moves.
  it.skipIf(engine === 'postgres')('is tried again for a day, and then shown', async () => {
    await addAccount()
    await desk.ofAna.change({ kinds: { task_due: { console: false, email: 'now' } } })
    desk.smtp.turns = ['busy', 'die before data']
    await desk.happen(due('Rent'))
    await vi.waitUntil(async () => {
      desk.instance.clock.advance(MINUTE)
      return desk.smtp.taken.length === 1
    }, PATIENCE)
    desk.smtp.turns = Array.from({ length: 500 }, () => 'busy' as const)
    await desk.happen(due('Water'))
    await vi.waitUntil(async () => {
      desk.instance.clock.advance(HOUR)
      return (await wayOf('To do: Water'))?.email?.state === 'failed'
    }, PATIENCE)
    expect((await wayOf('To do: Water'))?.email?.error).toContain('451')
    expect(await wayOf('To do: Rent')).toBeUndefined()
  })

  it('of which mail comes home again, nothing is told', async () => {
    await addAccount()
    await desk.ofAna.change({ kinds: { task_due: { email: 'now' }, mail_received: { console: true } } })
    await desk.happen(due('Rent'))
    await taken(1)
    await settles('To do: Rent', 'told')
    const file = (body: string) =>
      desk.instance.call('POST', '/api/emails', { body, headers: { 'content-type': 'message/rfc822' } })
    const sent = desk.smtp.taken[0]?.raw as string
    const changes: [string, (raw: string) => string][] = [
      ['as it was sent', (raw) => raw],
      ['its Message-ID rewritten', (raw) => raw.replace(/^Message-ID:.*$/m, 'Message-ID: <x@relay.example>')],
      ['its signature removed', withoutSignature],
      ['returned as undeliverable', (raw) => returnedForms(raw)['returned as undeliverable'] as string],
    ]
    for (const [form, change] of changes) {
      const { status, body } = await file(change(sent))
      expect([form, status, body.code]).toEqual([form, 409, 'system_mail'])
    }
    const forged = sent
      .replace(/v1\.notice\.\S/, 'v1.notice.x')
      .replace(/^Message-ID:.*$/m, 'Message-ID: <y@z>')
    expect((await file(forged.replace(/^Date:.*$/m, 'Date: Mon, 2 Mar 2020 09:00:00 +0000'))).status).toBe(
      201,
    )
    const date = new Date(live()).toUTCString()
    await file(`From: Ben <ben@example.org>\r\nDate: ${date}\r\nSubject: Lunch?\r\n\r\nAt noon?`)
    await file('From: Ben <ben@example.org>\r\nDate: Mon, 2 Mar 2020 09:00:00 +0000\r\nSubject: Old\r\n\r\nx')
    expect(await desk.list(desk.ana, '&kind=mail_received')).toMatchObject([
      { title: 'E-mail from Ben', body: 'Lunch?' },
    ])
  })

  it('waits while it is quiet on the person’s wall, and goes together, once, whoever looks', async () => {
    await addAccount()
    const receiver = await startReceiver()
    const hook = { url: receiver.url, events: ['notification.created'] }
    await desk.instance.post('/api/settings/webhooks', hook, desk.ana)
    const zone = 'Asia/Kathmandu'
    const end = timeIn(zone, live() + 2 * HOUR)
    const preferences = { body: { timezone: zone }, token: desk.ana.token }
    await desk.instance.call('PATCH', '/api/settings/preferences', preferences)
    await desk.ofAna.change({
      kinds: { task_due: { console: false, email: 'now', webhook: true } },
      quietHours: { enabled: true, start: timeIn(zone, live() - HOUR), end },
    })
    for (const n of [1, 2, 3]) await desk.happen(due(`n${n}`))
    // What concerns the account does not wait.
    await desk.instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'Script', scopes: ['ai:read'] },
      desk.ana,
    )
    await taken(1)
    await desk.deliver()
    const held = await desk.db
      .selectFrom('notification_deliveries')
      .select(['channel', 'state', 'heldBy', 'dueAt'])
      .where('heldBy', 'is not', null)
      .execute()
    expect(held.map(({ channel, state, heldBy }) => [channel, state, heldBy])).toEqual(
      [1, 2, 3].flatMap(() => [
        ['email', 'waiting', 'quiet_hours'],
        ['webhook', 'waiting', 'quiet_hours'],
      ]),
    )
    expect(new Set(held.map(({ dueAt }) => timeIn(zone, Date.parse(dueAt))))).toEqual(new Set([end]))
    expect([desk.smtp.taken.length, receiver.received.length]).toEqual([1, 0])
    desk.instance.clock.advance(2 * HOUR + MINUTE)
    const { place, clock } = desk.instance
    const other = engine === 'postgres' ? await startInstance({ place, clock }) : desk.instance
    if (other !== desk.instance) await other.app.jobs.start()
    desk.instance.app.sending.start()
    await Promise.all([desk.deliver(), desk.deliver(), desk.deliver()])
    await taken(2)
    await desk.settled()
    await receiver.until(3)
    await desk.deliver()
    const [, together, ...others] = await mails()
    expect([together?.subject, others]).toEqual(['3 notifications', []])
    expect(together?.text?.match(/\* To do: n\d/g)).toEqual(['* To do: n1', '* To do: n2', '* To do: n3'])
    expect(receiver.received.map(({ body }) => [body.type, body.data.title])).toEqual(
      [1, 2, 3].map((n) => ['notification.created', `To do: n${n}`]),
    )
    expect(await desk.list(desk.ana, '&kind=task_due')).toEqual([])
    if (other !== desk.instance) await other.close()
    await receiver.close()
  })

  it('is gathered into a digest, which follows the settings and the zone', async () => {
    await addAccount()
    const start = live()
    const zone = (timezone: string) =>
      desk.instance.call('PATCH', '/api/settings/preferences', { body: { timezone }, token: desk.ana.token })
    await zone('UTC')
    await desk.ofAna.change({
      kinds: { task_due: { email: 'digest' }, milestone_reached: { email: 'now' } },
      digest: { frequency: 'daily', time: timeIn('UTC', start + 5 * HOUR) },
    })
    const milestone = {
      type: 'stream.milestone_reached',
      subject: '1',
      data: { milestone: { title: 'Goal' } },
    }
    await desk.happen(due('n1'))
    await desk.happen(due('n2'))
    await desk.happen(milestone)
    await taken(1)
    const dueAt = async () => (await wayOf('To do: n1'))?.email?.dueAt ?? ''
    expect(timeIn('UTC', Date.parse(await dueAt()))).toBe(timeIn('UTC', start + 5 * HOUR))
    await desk.ofAna.change({ digest: { time: timeIn('UTC', start + 3 * HOUR) } })
    expect(timeIn('UTC', Date.parse(await dueAt()))).toBe(timeIn('UTC', start + 3 * HOUR))
    // Two hours further east it is that time two hours sooner.
    await zone('Etc/GMT-2')
    expect(timeIn('UTC', Date.parse(await dueAt()))).toBe(timeIn('UTC', start + HOUR))
    desk.instance.clock.advance(HOUR + MINUTE)
    await desk.deliver()
    await taken(2)
    await desk.settled()
    await desk.deliver()
    const [first, digest, ...others] = await mails()
    expect([first?.subject, digest?.subject, others]).toEqual([
      'Reached: Goal',
      'Your digest: 2 notifications',
      [],
    ])
    // What waits when the way is turned off is there to be read.
    await desk.ofAna.change({ kinds: { task_due: { console: false } } })
    await desk.happen(due('n3'))
    expect(await wayOf('To do: n3')).toBeUndefined()
    await desk.ofAna.change({ kinds: { task_due: { email: 'off' } } })
    expect(await wayOf('To do: n3')).toMatchObject({ email: { state: 'failed', error: /turned off/ } })
  })

  it('reaches endpoints of the person alone, and only those that chose it', async () => {
    const [chosen, everything, others] = await Promise.all([
      startReceiver(),
      startReceiver(),
      startReceiver(),
    ])
    const add = (url: string, events: string[], person: { token: string }) =>
      desk.instance.post('/api/settings/webhooks', { url, events }, person)
    await add(chosen.url, ['notification.created'], desk.ana)
    await add(everything.url, ['*'], desk.ana)
    await add(others.url, ['*'], desk.ben)
    await desk.ofAna.change({ kinds: { milestone_reached: { webhook: true } } })
    expect((await desk.instance.get(SETTINGS, desk.ana)).body.webhooks).toEqual({ endpoints: 2 })
    desk.instance.app.sending.start()
    await desk.instance.post('/api/stream/milestones', {
      title: 'Followers',
      target: 1,
      current: 2,
      unit: 'people',
    })
    const [told] = await chosen.until(1)
    const [own] = await desk.list(desk.ana)
    expect(told?.body).toMatchObject({
      ...{ type: 'notification.created', subject: String(desk.ana.id) },
      data: {
        id: own?.id,
        kind: 'milestone_reached',
        title: 'Reached: Followers',
        body: '1 people',
        link: '/stream',
      },
    })
    await everything.until(2)
    await others.until(1)
    expect(everything.received.map(({ body }) => body.type)).toContain('notification.created')
    expect(others.received.map(({ body }) => body.type)).toEqual(['stream.milestone_reached'])
    expect(own?.webhook).toMatchObject({ state: 'told', heldBy: null })
    for (const receiver of [chosen, everything, others]) await receiver.close()
  })
})

onEveryDatabase('a process that is killed while it notifies', (engine) => {
  it('tells after the next start what it had not told, and nothing twice', { timeout: 120_000 }, async () => {
    const smtp = await startScriptedSmtp()
    smtp.turns = ['hang']
    const place = await makeDataPlace(engine, 'prepared')
    let running = await startFactotum(place.environment)
    const call = async (method: string, path: string, body?: unknown, token?: string) => {
      const response = await fetch(`${running.url}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
      return (await response.json()) as any
    }
    const owner = { email: 'ana@example.org', password: PASSWORD, name: 'Ana' }
    const { token } = await call('POST', '/api/auth/register', owner)
    await call(
      'PATCH',
      SETTINGS,
      {
        kinds: {
          milestone_reached: { email: 'now' },
          mail_account_failing: { console: false, email: 'off' },
        },
      },
      token,
    )
    const server = { host: '127.0.0.1', port: smtp.port, tls: 'none' }
    const account = { address: 'ana@example.test', password: 'secret', imap: server, smtp: server }
    await call('POST', '/api/settings/mail-accounts', account, token)
    const reach = (title: string) => call('POST', '/api/stream/milestones', { title, target: 1, current: 2 })
    await reach('first')
    await vi.waitUntil(() => smtp.handedOver === 1, PATIENCE)
    // Written down with what happened; that it is to be told survives with it.
    await reach('second')
    running.child.kill('SIGKILL')
    await running.ended
    running = await startFactotum(place.environment)
    const list = async () => (await call('GET', INBOX, undefined, token)).notifications
    await vi.waitUntil(
      async () =>
        (await list()).every(({ email }: { email: { state: string } }) => email.state !== 'waiting'),
      { timeout: 90_000, interval: 100 },
    )
    const told = (await list()).map(({ title, email }: { title: string; email: { state: string } }) => [
      title,
      email.state,
    ])
    expect(told).toEqual([
      ['Reached: second', 'told'],
      ['Reached: first', 'uncertain'],
    ])
    expect(smtp.handedOver).toBe(2)
    expect(
      (await Promise.all(smtp.taken.map(({ raw }) => simpleParser(raw)))).map(({ subject }) => subject),
    ).toEqual(['Reached: second'])
    running.child.kill('SIGTERM')
    await running.ended
    smtp.close()
    await place.remove()
  })
})
