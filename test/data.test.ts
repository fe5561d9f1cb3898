import { expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { readMessage } from '../src/features/mail/mime/message.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register, signIn } from './support/people.ts'
import { unzip } from './support/unzip.ts'

const countRows = async (instance: Instance, table: 'users' | 'sessions' | 'activity' | 'access_tokens') => {
  const { rows } = await instance.database.db
    .selectFrom(table)
    .select((row) => row.fn.countAll<number>().as('rows'))
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirstOrThrow()
  return Number(rows)
}

onEveryDatabase('an export', (engine) => {
  it('is a zip of all data of a person, without secrets', async () => {
    const instance = await startInstance({ engine })
    const person = await register(instance, { name: 'Zoë' })
    const { body: token } = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n8n', scopes: ['tasks:read'] },
      { token: person.token },
    )
    const mail = {
      from: 'Bo <bo@example.org>',
      bcc: ['cy@example.org'],
      subject: 'Grüße',
      date: '2026-01-02T03:04:05Z',
      text: 'made of fields',
      html: '<p>made of fields</p>',
      folder: 'drafts',
    }
    const { body: email } = await instance.post('/api/emails', mail, { token: person.token })
    const without = await instance.post(
      '/api/settings/export',
      { password: 'not this one' },
      { token: person.token },
    )
    expect(without.status).toBe(401)
    const response = await fetch(`${instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toContain('attachment')
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const [profile] = (files['account/profile.jsonl'] as string).split('\n')
    expect(JSON.parse(profile as string)).toMatchObject({ name: 'Zoë', email: person.email })
    const activity = (files['account/activity.jsonl'] as string).trim().split('\n')
    expect(activity.map((line) => JSON.parse(line).action)).toContain('data.exported')
    const message = await readMessage(Buffer.from(files[`mail/messages/${email.id}.eml`] as string))
    expect(message).toMatchObject({
      from: { name: 'Bo', address: 'bo@example.org' },
      subject: 'Grüße',
      text: 'made of fields\n',
      bcc: [{ address: 'cy@example.org' }],
      date: new Date('2026-01-02T03:04:05Z'),
    })
    const everything = JSON.stringify(files)
    for (const secret of [token.token, person.refreshToken, person.token, '$2b$', '$2a$'])
      expect(everything).not.toContain(secret)
    await instance.close()
  })
})

onEveryDatabase('the deletion of an account', (engine) => {
  const remove = (instance: Instance, token: string, body: Record<string, unknown>) =>
    instance.call('DELETE', '/api/settings/account', { token, body: { password: PASSWORD, ...body } })

  it('deletes only the data of a member', async () => {
    const instance = await startInstance({ engine })
    const owner = await register(instance)
    const member = await register(instance)
    await signIn(instance, member.email)
    expect((await remove(instance, member.token, { password: 'not this one' })).status).toBe(401)
    expect((await remove(instance, member.token, {})).status).toBe(204)
    expect((await instance.get('/api/auth/me', { token: member.token })).status).toBe(401)
    expect((await instance.get('/api/auth/me', { token: owner.token })).status).toBe(200)
    expect([await countRows(instance, 'users'), await countRows(instance, 'sessions')]).toEqual([1, 1])
    await instance.close()
  })

  it('requires wipe for the owner, deletes everything, and resets the instance', async () => {
    const instance = await startInstance({ engine })
    const owner = await register(instance)
    const member = await register(instance)
    expect((await remove(instance, owner.token, { wipe: true })).status).toBe(409)
    expect((await remove(instance, member.token, {})).status).toBe(204)
    const unsure = await remove(instance, owner.token, {})
    expect([unsure.status, unsure.body.code]).toEqual([409, 'conflict'])
    expect(await countRows(instance, 'users')).toBe(1)
    expect((await remove(instance, owner.token, { wipe: true })).status).toBe(204)
    // The local account of a new instance remains.
    expect([await countRows(instance, 'users'), await countRows(instance, 'sessions')]).toEqual([1, 0])
    expect((await instance.get('/console/options')).body.hasOwner).toBe(false)
    await register(instance, { email: owner.email })
    await instance.close()
  })
})

onOneDatabase('sqlite', 'sample data', (engine) => {
  it.each(['en', 'de'] as const)('shows a life of two weeks in the language %s', async (language) => {
    const instance = await startInstance({ engine })
    const login = (await instance.app.features.sample.fill(language)) as { email: string; password: string }
    const { token } = (await instance.post('/api/auth/login', login)).body
    const read = async (path: string) => (await instance.get(path, { token })).body
    const { emails } = await read('/api/emails?limit=200')
    expect(emails.length).toBeGreaterThanOrEqual(40)
    // Nothing lies in the future, and no day is left to fill in.
    const now = instance.clock.now().toISOString()
    expect(emails.filter(({ date }: { date: string }) => date > now)).toEqual([])
    expect(JSON.stringify(emails)).not.toMatch(/\{(?:w\d|sat|sun|-?\d)/)
    const { threads } = await read('/api/threads?limit=200')
    const lengths = threads.map(({ messageCount }: { messageCount: number }) => messageCount)
    expect(lengths.filter((length: number) => length >= 3).length).toBeGreaterThanOrEqual(5)
    const invoice = emails.find(({ subject }: { subject: string }) => subject.includes('HH-2026-1187'))
    expect(invoice.attachments).toMatchObject([{ contentType: 'application/pdf' }])
    expect((await read('/api/calendars')).calendars).toHaveLength(3)
    const { taskLists } = await read('/api/task-lists')
    expect(taskLists.filter(({ shared }: { shared: boolean }) => shared)).toHaveLength(1)
    expect((await read('/api/settings/preferences')).locale).toBe(language === 'de' ? 'de-DE' : 'en-GB')
    const { events } = await read('/api/calendar/events?limit=200')
    const busy = language === 'de' ? 'Zug nach Wien (RJX 63)' : 'Train to Vienna (RJX 63)'
    expect(events.map(({ title }: { title: string }) => title)).toContain(busy)
    const { milestones } = await read('/api/stream/milestones')
    const goal = language === 'de' ? 'Ein neues Mikrofon' : 'A new microphone'
    expect(milestones.map(({ title }: { title: string }) => title)).toContain(goal)
    const { notifications } = await read('/api/notifications')
    const tokenName = language === 'de' ? 'Kalenderabgleich auf dem NAS' : 'Calendar sync on the NAS'
    expect(JSON.stringify(notifications)).toContain(tokenName)
    await instance.close()
  })
})

onEveryDatabase('sample data', (engine) => {
  it('fills an empty instance and is removed with one call that keeps other data', async () => {
    const instance = await startInstance({ engine })
    const login = await instance.app.features.sample.fill('en')
    expect(await instance.app.features.sample.fill('en')).toBeNull()
    const { email, password } = login as { email: string; password: string }
    const signedIn = await instance.post('/api/auth/login', { email, password })
    expect(signedIn.status).toBe(200)
    const { token } = signedIn.body
    const activity = await instance.get('/api/settings/security/activity', { token })
    expect(activity.body.activity.length).toBeGreaterThan(5)
    const used = async (reader: string) =>
      (await instance.get('/api/settings/billing/usage', { token: reader })).body.totals
    expect(await used(token)).toMatchObject({ aiRequests: 54, messagesSynced: 145 })

    const { body: lists } = await instance.get('/api/mailing-lists', { token })
    expect(lists.mailingLists).toMatchObject([{ name: 'The Weekly Loom', unsubscribe: 'page' }])
    // Due at full hours in the time zone of the sample account.
    const { body: open } = await instance.get('/api/tasks?q=tickets', { token })
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
    expect(open.tasks.map(({ dueAt }: { dueAt: string }) => hour.format(new Date(dueAt)))).toEqual(['17:00'])

    const { body: listed } = await instance.get('/api/notifications', { token })
    const titles = listed.notifications.map(({ title }: { title: string }) => title)
    expect(titles.filter((title: string) => title.startsWith('Booked:'))).toHaveLength(1)
    expect(new Set(titles).size).toBe(titles.length)
    const linkOf = (kind: string): string =>
      listed.notifications.find((notification: { kind: string }) => notification.kind === kind).link
    const urgent = await instance.get(linkOf('mail_urgent').replace('/mail/inbox/', '/api/emails/'), {
      token,
    })
    expect(urgent.body.subject).toBe('URGENT: signature needed today')
    const task = await instance.get(linkOf('task_due').replace('/tasks?task=', '/api/tasks/'), { token })
    expect(task.body.title).toBe('Send the workshop offer to Lindgren')
    expect(linkOf('booking_made')).toMatch(/^\/calendar\?date=\d{4}-\d\d-\d\d$/)
    expect(linkOf('security')).toBe('/settings/security#activity')

    const real = await register(instance)
    const removed = await instance.call('DELETE', '/api/settings/sample-data', { token: real.token })
    expect(removed.status).toBe(204)
    expect((await instance.get('/api/auth/me', { token })).status).toBe(401)
    expect((await instance.get('/api/auth/me', { token: real.token })).status).toBe(200)
    expect(await used(real.token)).toMatchObject({ aiRequests: 0, aiCostUsd: 0, messagesSynced: 0 })
    expect(await countRows(instance, 'users')).toBe(1)
    const role = await instance.database.db.selectFrom('users').select('role').executeTakeFirst()
    expect(role).toEqual({ role: 'owner' })
    const again = await instance.call('DELETE', '/api/settings/sample-data', { token: real.token })
    expect(again.status).toBe(204)
    await instance.close()
  })

  it('keeps a calendar that became the default, with the events that were added to it', async () => {
    const instance = await startInstance({ engine })
    const login = await instance.app.features.sample.fill('en')
    const { token } = (await instance.post('/api/auth/login', login)).body
    const list = async (path: string, call: { token?: string } = {}) => (await instance.get(path, call)).body
    const { calendars } = await list('/api/calendars', { token })
    const { id: calendarId } = calendars.find(({ name }: { name: string }) => name === 'Family')
    const path = `/api/calendars/${calendarId}`
    await instance.call('PATCH', path, { token, body: { isDefault: true } })
    await instance.post('/api/calendar/events', { title: 'Mine', start: '2026-03-02T09:00:00Z' }, { token })
    const removed = await instance.call('DELETE', '/api/settings/sample-data', { token })
    expect(removed.status).toBe(204)
    const left = (await list('/api/calendars')).calendars
    expect(left.map(({ name }: { name: string }) => name)).toEqual(['Calendar', 'Family'])
    const { events } = await list('/api/calendar/events')
    expect(events).toMatchObject([{ title: 'Mine', calendarId }])
    await instance.close()
  })
})
