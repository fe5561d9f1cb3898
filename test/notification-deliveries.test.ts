import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { MINUTE } from './support/clock.ts'
import { makeDataPlace, onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { startInstance } from './support/instance.ts'
import {
  addMailAccount,
  INBOX,
  type NotificationFixture,
  openNotificationFixture,
  SETTINGS,
} from './support/notification-fixture.ts'
import { PASSWORD } from './support/people.ts'
import { callProcess, startFactotum } from './support/process.ts'
import { returnedForms, withoutSignature } from './support/returned-mail.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'
import { startReceiver } from './support/webhook-receiver.ts'

const HOUR = 60 * MINUTE
const due = (title: string) => ({ type: 'task.due' as const, subject: '1', data: { title } })

/** The local time in a time zone. */
const timeIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)

onOneDatabase('postgres', 'a notification by mail or webhook', (engine) => {
  let fixture: NotificationFixture
  beforeAll(async () => {
    fixture = await openNotificationFixture(engine)
  })
  afterAll(() => fixture.close())
  afterEach(() => fixture.forget())

  const addAccount = () => addMailAccount(fixture.instance, fixture.ana, fixture.smtp.port)
  const taken = (count: number) => eventually(() => fixture.smtp.taken.length >= count)
  const mails = () => Promise.all(fixture.smtp.taken.map(({ raw }) => simpleParser(raw)))
  const live = () => fixture.instance.clock.now().getTime()
  const findNotification = async (title: string) =>
    (await fixture.list(fixture.ana)).find((notification) => notification.title === title)
  const settles = (title: string, state: string) =>
    eventually(async () => (await findNotification(title))?.email?.state === state)

  it('is sent once with the person’s own account, without injected headers', async () => {
    await addAccount()
    await fixture.ofAna.change({ kinds: { task_due: { email: 'now' } } })
    await fixture.happen(due('Rent\r\nBcc: evil@example.org\r\nX-Evil: 1'))
    await taken(1)
    await settles('To do: Rent Bcc: evil@example.org X-Evil: 1', 'delivered')
    await fixture.deliver()
    expect(fixture.smtp.taken).toHaveLength(1)
    const [mail] = await mails()
    expect(fixture.smtp.taken[0]?.recipients).toEqual([fixture.ana.email])
    expect(mail?.subject).toBe('To do: Rent Bcc: evil@example.org X-Evil: 1')
    expect(mail?.from?.value).toEqual([{ name: 'Factotum', address: 'ana@example.test' }])
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect([mail?.headers.has('bcc'), mail?.headers.has('x-evil'), mail?.html]).toEqual([false, false, false])
    expect(mail?.text).toContain(`${fixture.instance.url}/tasks`)
    expect(mail?.text).toContain(`${fixture.instance.url}/settings/notifications`)
    expect((await fixture.instance.get(SETTINGS, fixture.ana)).body.email).toEqual({
      ready: true,
      from: 'ana@example.test',
      to: fixture.ana.email,
    })
  })

  it('is written in the language of the account, with dates of its locale', async () => {
    await addAccount()
    const prefer = (locale: string) =>
      fixture.instance.call('PATCH', '/api/settings/preferences', {
        body: { locale },
        token: fixture.ana.token,
      })
    await prefer('de-DE')
    await fixture.ofAna.change({ kinds: { task_due: { email: 'now' } } })
    await fixture.happen({ type: 'task.due', subject: '1', data: { title: 'Miete', dueDay: '2026-12-01' } })
    await taken(1)
    const [mail] = await mails()
    expect(mail?.subject).toBe('Zu erledigen: Miete')
    expect(mail?.text).toContain('Hallo Ana')
    expect(mail?.text).toContain('Fällig Di., 1. Dez.')
    expect(mail?.text).toContain('Benachrichtigungseinstellungen: ')
    // Only German is translated. Other locales get English texts without names of months in their language.
    await prefer('fr-FR')
    await fixture.happen({ type: 'task.due', subject: '1', data: { title: 'Rent', dueDay: '2026-12-01' } })
    await taken(2)
    expect((await mails())[1]?.text).toMatch(/Due Tue,? 1 Dec/)
    await prefer('en')
  })

  it('appears in the console with the reason if no account can send mail', async () => {
    await fixture.ofAna.change({ kinds: { task_due: { console: false, email: 'now' } } })
    await fixture.happen(due('Rent'))
    expect(await fixture.list(fixture.ana)).toMatchObject([
      { title: 'To do: Rent', email: { state: 'failed', error: 'No mail account can send mail.' } },
    ])
    // It also appears if the account is deleted while the notification waits.
    await fixture.ofAna.change({ kinds: { task_due: { email: 'digest' } }, digest: { frequency: 'daily' } })
    await addAccount()
    await fixture.happen(due('Water'))
    expect(await findNotification('To do: Water')).toBeUndefined()
    await fixture.db.deleteFrom('mail_accounts').execute()
    fixture.instance.clock.advance(25 * HOUR)
    await fixture.deliver()
    expect(await findNotification('To do: Water')).toMatchObject({
      email: { state: 'failed', heldBy: 'digest' },
    })
    expect(fixture.smtp.handedOver).toBe(0)
  })

  it('is not sent again after an uncertain result, and appears in the console', async () => {
    await addAccount()
    await fixture.ofAna.change({ kinds: { task_due: { console: false, email: 'now' } } })
    fixture.smtp.turns = ['die after data']
    await fixture.happen(due('Rent'))
    await settles('To do: Rent', 'uncertain')
    await fixture.deliver()
    fixture.smtp.turns = ['refuse']
    await fixture.happen(due('Water'))
    await settles('To do: Water', 'failed')
    expect((await findNotification('To do: Water'))?.email?.error).toContain('We do not like this message')
    expect([fixture.smtp.handedOver, fixture.smtp.taken]).toEqual([2, []])
  })

  // The queue of PostgreSQL uses its own clock, which tests cannot advance.
  it.skipIf(engine === 'postgres')('is retried for a day and then appears in the console', async () => {
    await addAccount()
    await fixture.ofAna.change({ kinds: { task_due: { console: false, email: 'now' } } })
    fixture.smtp.turns = ['busy', 'die before data']
    await fixture.happen(due('Rent'))
    await eventually(async () => {
      fixture.instance.clock.advance(MINUTE)
      return fixture.smtp.taken.length === 1
    })
    fixture.smtp.turns = Array.from({ length: 500 }, () => 'busy' as const)
    await fixture.happen(due('Water'))
    await eventually(async () => {
      fixture.instance.clock.advance(HOUR)
      return (await findNotification('To do: Water'))?.email?.state === 'failed'
    })
    expect((await findNotification('To do: Water'))?.email?.error).toContain('451')
    expect(await findNotification('To do: Rent')).toBeUndefined()
  })

  it('causes no notification when its mail arrives in a synced mailbox', async () => {
    await addAccount()
    await fixture.ofAna.change({ kinds: { task_due: { email: 'now' }, mail_received: { console: true } } })
    await fixture.happen(due('Rent'))
    await taken(1)
    await settles('To do: Rent', 'delivered')
    const file = (body: string) =>
      fixture.instance.call('POST', '/api/emails', { body, headers: { 'content-type': 'message/rfc822' } })
    const sent = fixture.smtp.taken[0]?.raw as string
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
      .replace(/v1\.notice\.(\S)/, (_, first) => `v1.notice.${first === 'x' ? 'y' : 'x'}`)
      .replace(/^Message-ID:.*$/m, 'Message-ID: <y@z>')
    expect((await file(forged.replace(/^Date:.*$/m, 'Date: Mon, 2 Mar 2020 09:00:00 +0000'))).status).toBe(
      201,
    )
    const date = new Date(live()).toUTCString()
    await file(`From: Ben <ben@example.org>\r\nDate: ${date}\r\nSubject: Lunch?\r\n\r\nAt noon?`)
    await file('From: Ben <ben@example.org>\r\nDate: Mon, 2 Mar 2020 09:00:00 +0000\r\nSubject: Old\r\n\r\nx')
    expect(await fixture.list(fixture.ana, '&kind=mail_received')).toMatchObject([
      { title: 'Email from Ben', body: 'Lunch?' },
    ])
  })

  it('waits for the end of quiet hours in the person’s time zone and is sent once with the others', async () => {
    await addAccount()
    const receiver = await startReceiver()
    const hook = { url: receiver.url, events: ['notification.created'] }
    await fixture.instance.post('/api/settings/webhooks', hook, fixture.ana)
    // The new receiver of data is a security notification.
    await taken(1)
    const zone = 'Asia/Kathmandu'
    const end = timeIn(zone, live() + 2 * HOUR)
    const preferences = { body: { timezone: zone }, token: fixture.ana.token }
    await fixture.instance.call('PATCH', '/api/settings/preferences', preferences)
    await fixture.ofAna.change({
      kinds: { task_due: { console: false, email: 'now', webhook: true } },
      quietHours: { enabled: true, start: timeIn(zone, live() - HOUR), end },
    })
    for (const n of [1, 2, 3]) await fixture.happen(due(`n${n}`))
    // Security notifications do not wait.
    await fixture.instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'Script', scopes: ['ai:read'] },
      fixture.ana,
    )
    await taken(2)
    await fixture.deliver()
    const held = await fixture.db
      .selectFrom('notification_deliveries')
      .select(['channel', 'state', 'heldBy', 'dueAt'])
      .where('heldBy', 'is not', null)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(held.map(({ channel, state, heldBy }) => [channel, state, heldBy])).toEqual(
      [1, 2, 3].flatMap(() => [
        ['email', 'waiting', 'quiet_hours'],
        ['webhook', 'waiting', 'quiet_hours'],
      ]),
    )
    expect(new Set(held.map(({ dueAt }) => timeIn(zone, Date.parse(dueAt))))).toEqual(new Set([end]))
    expect([fixture.smtp.taken.length, receiver.received.length]).toEqual([2, 0])
    fixture.instance.clock.advance(2 * HOUR + MINUTE)
    const { place, clock } = fixture.instance
    const other = engine === 'postgres' ? await startInstance({ place, clock }) : fixture.instance
    if (other !== fixture.instance) await other.app.jobs.start()
    fixture.instance.app.sending.start()
    await Promise.all([fixture.deliver(), fixture.deliver(), fixture.deliver()])
    await taken(3)
    await fixture.settled()
    await receiver.until(3)
    await fixture.deliver()
    const [, , together, ...others] = await mails()
    expect([together?.subject, others]).toEqual(['3 notifications', []])
    expect(together?.text?.match(/\* To do: n\d/g)).toEqual(['* To do: n1', '* To do: n2', '* To do: n3'])
    expect(receiver.received.map(({ body }) => [body.type, body.data.title])).toEqual(
      [1, 2, 3].map((n) => ['notification.created', `To do: n${n}`]),
    )
    expect(receiver.received[0]?.body.data).toMatchObject({ kind: 'task_due', data: { title: 'n1' } })
    expect(await fixture.list(fixture.ana, '&kind=task_due')).toEqual([])
    if (other !== fixture.instance) await other.close()
    await receiver.close()
  })

  it('is sent in a digest, which follows the settings and the time zone', async () => {
    await addAccount()
    const start = live()
    const zone = (timezone: string) =>
      fixture.instance.call('PATCH', '/api/settings/preferences', {
        body: { timezone },
        token: fixture.ana.token,
      })
    await zone('UTC')
    await fixture.ofAna.change({
      kinds: { task_due: { email: 'digest' }, milestone_reached: { email: 'now' } },
      digest: { frequency: 'daily', time: timeIn('UTC', start + 5 * HOUR) },
    })
    const milestone = {
      type: 'stream.milestone_reached' as const,
      subject: '1',
      data: { milestone: { title: 'Goal' } },
    }
    await fixture.happen(due('n1'))
    await fixture.happen(due('n2'))
    await fixture.happen(milestone)
    await taken(1)
    const dueAt = async () => (await findNotification('To do: n1'))?.email?.dueAt ?? ''
    expect(timeIn('UTC', Date.parse(await dueAt()))).toBe(timeIn('UTC', start + 5 * HOUR))
    await fixture.ofAna.change({ digest: { time: timeIn('UTC', start + 3 * HOUR) } })
    expect(timeIn('UTC', Date.parse(await dueAt()))).toBe(timeIn('UTC', start + 3 * HOUR))
    // Two hours further east, that local time is two hours earlier.
    await zone('Etc/GMT-2')
    expect(timeIn('UTC', Date.parse(await dueAt()))).toBe(timeIn('UTC', start + HOUR))
    fixture.instance.clock.advance(HOUR + MINUTE)
    await fixture.deliver()
    await taken(2)
    await fixture.settled()
    await fixture.deliver()
    const [first, digest, ...others] = await mails()
    expect([first?.subject, digest?.subject, others]).toEqual([
      'Reached: Goal',
      'Your digest: 2 notifications',
      [],
    ])
    // A notification that waits for a disabled channel appears in the console.
    await fixture.ofAna.change({ kinds: { task_due: { console: false } } })
    await fixture.happen(due('n3'))
    expect(await findNotification('To do: n3')).toBeUndefined()
    await fixture.ofAna.change({ kinds: { task_due: { email: 'off' } } })
    expect(await findNotification('To do: n3')).toMatchObject({
      email: { state: 'failed', error: expect.stringContaining('disabled') },
    })
  })

  it('is postponed with one statement for many, and not at all by other settings', async () => {
    await fixture.ofAna.change({
      kinds: { task_due: { email: 'digest', console: true } },
      digest: { frequency: 'weekly', time: '08:00', weekday: 'monday' },
    })
    const { db } = fixture.instance.database
    await sql`create table postponements (id bigint generated always as identity)`.execute(db)
    await sql`create function count_postponement() returns trigger language plpgsql as
      $$ begin insert into postponements default values; return null; end $$`.execute(db)
    await sql`create trigger count_postponement after update on notification_deliveries
      for each statement execute function count_postponement()`.execute(db)
    const countStatements = async (): Promise<number> =>
      (await sql`select id from postponements`.execute(db)).rows.length
    try {
      await fixture.happen(...Array.from({ length: 60 }, (_, index) => due(`Weekly ${index}`)))
      await fixture.ofAna.change({ kinds: { booking_made: { console: false } } })
      expect(await countStatements()).toBe(0)
      await fixture.ofAna.change({ digest: { time: '09:30' } })
      expect(await countStatements()).toBe(1)
      const moments = new Set(
        (await fixture.list(fixture.ana)).map(({ email }) => email?.dueAt.slice(11, 16)),
      )
      expect(moments.size).toBe(1)
    } finally {
      await sql`drop trigger count_postponement on notification_deliveries`.execute(db)
      await sql`drop function count_postponement`.execute(db)
      await sql`drop table postponements`.execute(db)
    }
  })

  it('is sent only to the person’s webhooks that subscribe to it', async () => {
    const [chosen, everything, others] = await Promise.all([
      startReceiver(),
      startReceiver(),
      startReceiver(),
    ])
    const add = (url: string, events: string[], person: { token: string }) =>
      fixture.instance.post('/api/settings/webhooks', { url, events }, person)
    await add(chosen.url, ['notification.created'], fixture.ana)
    await add(everything.url, ['*'], fixture.ana)
    await add(others.url, ['*'], fixture.ben)
    await fixture.ofAna.change({ kinds: { milestone_reached: { webhook: true } } })
    expect((await fixture.instance.get(SETTINGS, fixture.ana)).body.webhooks).toEqual({ endpoints: 2 })
    fixture.instance.app.sending.start()
    await fixture.instance.post('/api/stream/milestones', {
      title: 'Followers',
      target: 1,
      current: 2,
      unit: 'people',
    })
    const [request] = await chosen.until(1)
    const [own] = await fixture.list(fixture.ana)
    expect(request?.body).toMatchObject({
      type: 'notification.created',
      subject: String(fixture.ana.id),
      data: {
        id: own?.id,
        kind: 'milestone_reached',
        title: 'Reached: Followers',
        body: '1 people',
        link: '/stream',
      },
    })
    await everything.until(2)
    expect(everything.received.map(({ body }) => body.type)).toContain('notification.created')
    expect(others.received).toEqual([])
    expect(own?.webhook).toMatchObject({ state: 'delivered', heldBy: null })
    for (const receiver of [chosen, everything, others]) await receiver.close()
  })
})

onOneDatabase('sqlite', 'a process that is killed while it notifies', (engine) => {
  it('sends the remaining notifications after a restart, and none twice', async () => {
    const smtp = await startScriptedSmtp()
    smtp.turns = ['hang']
    const place = await makeDataPlace(engine, 'prepared')
    let running = await startFactotum(place.environment)
    const call = (method: string, path: string, body?: unknown, token?: string) =>
      callProcess(running, method, path, body, token)
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
    await eventually(() => smtp.handedOver === 1)
    // The delivery is stored in the transaction of the change, so it survives the crash.
    await reach('second')
    running.child.kill('SIGKILL')
    await running.ended
    running = await startFactotum(place.environment)
    const list = async () => (await call('GET', INBOX, undefined, token)).notifications
    await eventually(async () =>
      (await list()).every(({ email }: { email: { state: string } }) => email.state !== 'waiting'),
    )
    const states = (await list()).map(({ title, email }: { title: string; email: { state: string } }) => [
      title,
      email.state,
    ])
    expect(states).toEqual([
      ['Reached: second', 'delivered'],
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
