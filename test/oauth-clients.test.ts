import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCaldavTokenProxy } from './support/caldav-token-proxy.ts'
import { makeCalendar, newCalendarUser, remoteEvent, sendCaldavRequest } from './support/calendar-servers.ts'
import { followCalendarSync } from './support/calendar-sync.ts'
import { MINUTE } from './support/clock.ts'
import { exportOf } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { soon } from './support/job-fixture.ts'
import { startIssuer } from './support/mail-issuer.ts'
import { mailServers, withMailServersOnOneDatabase } from './support/mail-servers.ts'
import { type Person, register } from './support/people.ts'
import { unzip } from './support/unzip.ts'

const clients = '/api/instance/oauth-clients'
const mailAccounts = '/api/settings/mail-accounts'
const calendarAccounts = '/api/settings/calendar-accounts'
const SECRET = 'a-client-secret-that-nobody-guesses'
/** The secret that the test's provider accepts. */
const ACCEPTED = 'hush'
const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/calendar'

withMailServersOnOneDatabase('sqlite', 'OAuth clients that the owner enters', (engine) => {
  let instance: Instance
  let environment: Record<string, string>
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let caldav: Awaited<ReturnType<typeof startCaldavTokenProxy>>
  let owner: Person
  let member: Person
  beforeAll(async () => {
    issuer = await startIssuer()
    caldav = await startCaldavTokenProxy()
    const { imap, submission } = mailServers()
    environment = {
      MAIL_OAUTH_GOOGLE_AUTH_URL: `${issuer.url}/authorize`,
      MAIL_OAUTH_GOOGLE_TOKEN_URL: `${issuer.url}/token`,
      MAIL_OAUTH_GOOGLE_IMAP: `imap+plain://127.0.0.1:${imap}`,
      MAIL_OAUTH_GOOGLE_SMTP: `smtp+plain://127.0.0.1:${submission}`,
      MAIL_OAUTH_GOOGLE_CALDAV_URL: caldav.url,
      MAIL_OAUTH_MICROSOFT_CLIENT_ID: 'from-the-environment',
      OUTBOUND_ALLOW: '127.0.0.1',
    }
    instance = await startInstance({ engine, environment })
    owner = await register(instance)
    member = await register(instance)
    await instance.app.jobs.start()
  })
  afterAll(async () => {
    await instance?.close()
    issuer?.close()
    caldav?.close()
  })

  const save = (body: Record<string, unknown>, provider = 'google', person = owner) =>
    instance.call('PUT', `${clients}/${provider}`, { body, token: person.token })
  const find = async (provider: string) =>
    (await instance.get(clients, owner)).body.oauthClients.find(
      (client: { provider: string }) => client.provider === provider,
    )
  const waysOfGmail = async (on = instance): Promise<string[]> =>
    (await on.get(`${mailAccounts}/providers`, member)).body.providers[0].ways

  it('are for the owner only', async () => {
    for (const [token, status] of [
      [member.token, 403],
      [undefined, 401],
    ] as const) {
      expect((await instance.get(clients, { token })).status).toBe(status)
      const body = { clientId: 'x', clientSecret: 'y' }
      expect((await instance.call('PUT', `${clients}/google`, { body, token })).status).toBe(status)
      expect((await instance.call('DELETE', `${clients}/google`, { token })).status).toBe(status)
    }
    expect((await save({ clientId: 'x', clientSecret: 'y' }, 'yahoo')).status).toBe(400)
  })

  it('take effect at once in every process, and never return the secret', async () => {
    const other = await startInstance({ environment, place: instance.place, clock: instance.clock })
    try {
      expect([await waysOfGmail(), await waysOfGmail(other)]).toEqual([['app_password'], ['app_password']])
      const start = (on: Instance) => on.post(`${mailAccounts}/oauth/start`, { provider: 'google' }, member)
      expect((await start(other)).body.code).toBe('not_configured')
      expect(await find('google')).toEqual({
        provider: 'google',
        clientId: null,
        hasSecret: false,
        source: 'none',
        redirectUri: `${instance.url}${mailAccounts}/oauth/callback`,
      })
      expect((await save({ clientId: 'client-id' })).body.errors[0].path).toBe('clientSecret')
      const saved = await save({ clientId: 'client-id', clientSecret: SECRET })
      expect([saved.status, saved.body]).toEqual([200, await find('google')])
      expect(saved.body).toMatchObject({ clientId: 'client-id', hasSecret: true, source: 'owner' })
      expect([await waysOfGmail(), await waysOfGmail(other)]).toEqual([
        ['oauth', 'app_password'],
        ['oauth', 'app_password'],
      ])
      expect((await start(other)).status).toBe(200)
    } finally {
      await other.close()
    }
    expect((await save({ clientId: 'another-id' })).body.errors[0].path).toBe('clientSecret')
    expect((await save({ clientId: 'client-id' })).status).toBe(200)
    const rows = await instance.database.db.selectFrom('oauth_clients').selectAll().execute()
    const { body: activity } = await instance.get('/api/settings/security/activity', owner)
    const files = await unzip(await exportOf(instance, owner.token))
    const exported = Object.entries(files)
      .map(([name, content]) => `${name} ${content}`)
      .join('\n')
    expect(rows).toHaveLength(1)
    for (const text of [JSON.stringify(rows), JSON.stringify(activity), exported])
      expect(text).not.toContain(SECRET)
    expect(exported).not.toContain('oauth-clients')
    expect(JSON.stringify(activity)).toContain('oauth_client.changed')
    expect((await save({ clientId: 'client-id', clientSecret: ACCEPTED })).status).toBe(200)
  })

  it('cannot replace a client that the environment sets', async () => {
    expect(await find('microsoft')).toMatchObject({
      clientId: 'from-the-environment',
      hasSecret: false,
      source: 'environment',
    })
    expect((await save({ clientId: 'x', clientSecret: 'y' }, 'microsoft')).status).toBe(409)
    expect((await instance.call('DELETE', `${clients}/microsoft`, owner)).status).toBe(409)
  })

  const connect = async (email: string, input: Record<string, unknown> = {}, person = member) => {
    issuer.state.email = email
    const body = { provider: 'google', ...input }
    const started = await instance.post(`${mailAccounts}/oauth/start`, body, person)
    expect([started.status, started.body.detail]).toEqual([200, undefined])
    const consent = await fetch(started.body.url, { redirect: 'manual' })
    const back = new URL(consent.headers.get('location') ?? '')
    const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const finished = await instance.get(back.pathname + back.search, { headers: { cookie } })
    expect(finished.status).toBe(303)
    const { searchParams } = new URL(finished.headers.get('location') ?? '')
    return { id: searchParams.get('connected') ?? '', searchParams, back }
  }
  const listCalendarAccounts = async (person = member) =>
    (await instance.get(calendarAccounts, person)).body.calendarAccounts
  const { settled, look, accountOf } = followCalendarSync(() => ({ instance, person: member }))
  const putEvent = (user: ReturnType<typeof newCalendarUser>, calendar: string, uid: string) =>
    sendCaldavRequest(user, 'PUT', new URL(`${uid}.ics`, calendar).pathname, {
      headers: { 'content-type': 'text/calendar' },
      body: remoteEvent(uid, `Event ${uid}`),
    })
  const countEvents = async (uid: string): Promise<number> =>
    (await instance.get(`/api/calendar/events?limit=200`, member)).body.events.filter(
      ({ title }: { title: string }) => title === `Event ${uid}`,
    ).length
  const isSignedOut = (id: string) =>
    soon(async () => {
      const { sync } = await accountOf(id)
      expect(sync.status).toBe('signed_out')
      return sync
    })
  const requestSync = (id: string) => instance.post(`${calendarAccounts}/${id}/sync`, undefined, member)

  it('connect the calendars with the sign-in of the mail account, and renew its token', async () => {
    const user = newCalendarUser('google')
    caldav.addUser(user)
    const calendar = await makeCalendar(user, 'work', { name: 'Work' })
    await putEvent(user, calendar, 'first')
    const { id: mailAccountId, back } = await connect(user.username, { calendar: true })
    expect(back.searchParams.get('scope')).toContain(CALENDAR_SCOPE)
    const [account] = await listCalendarAccounts()
    expect(account).toMatchObject({
      kind: 'caldav',
      signIn: 'google',
      mailAccountId,
      username: user.username,
      name: user.username,
    })
    expect(JSON.stringify(account)).not.toMatch(/token/i)
    await settled(account.id)
    expect(await countEvents('first')).toBe(1)
    const test = await instance.post(`${calendarAccounts}/${account.id}/test`, undefined, member)
    expect(test.body).toMatchObject({ ok: true, calendars: [{ name: 'Work' }] })

    // The server refuses a token that has not expired yet.
    const before = issuer.state.renewals
    for (const token of caldav.state.accepted) caldav.state.revoked.add(token)
    await putEvent(user, calendar, 'second')
    await look(account.id)
    expect(await countEvents('second')).toBe(1)
    expect(issuer.state.renewals).toBe(before + 1)

    const body = { password: 'something else' }
    const changed = await instance.call('PATCH', `${calendarAccounts}/${account.id}`, {
      body,
      token: member.token,
    })
    expect(changed.status).toBe(409)
  })

  it('ask to sign in again after the consent was revoked or the mail account was deleted', async () => {
    const [account] = await listCalendarAccounts()
    const { mailAccountId, username } = account
    issuer.state.hasConsent = false
    instance.clock.advance(56 * MINUTE)
    const renewed = await instance.post('/api/auth/refresh', { refreshToken: member.refreshToken })
    member = { ...member, ...renewed.body }
    await requestSync(account.id)
    const { error } = await isSignedOut(account.id)
    expect(error).toContain('Sign in with the provider again.')
    issuer.state.hasConsent = true
    // A new sign-in of the mail account keeps the access to the calendars.
    const again = await connect(username, { accountId: mailAccountId })
    expect(again.back.searchParams.get('scope')).toContain(CALENDAR_SCOPE)
    await settled(account.id)

    await instance.call('DELETE', `${mailAccounts}/${mailAccountId}`, member)
    await requestSync(account.id)
    await isSignedOut(account.id)
    expect(await accountOf(account.id)).toMatchObject({ mailAccountId: null })
    const { id } = await connect(username, { calendar: true })
    await settled(account.id)
    expect(await listCalendarAccounts()).toMatchObject([{ id: account.id, mailAccountId: id }])
    const second = await connect(username)
    expect(second.id).toBe(id)
  })

  it('connect only the mail if the user does not allow the calendars', async () => {
    issuer.state.refusedScopes = [CALENDAR_SCOPE]
    const person = await register(instance)
    const { searchParams } = await connect(newCalendarUser('refused').username, { calendar: true }, person)
    issuer.state.refusedScopes = []
    expect(searchParams.get('calendar')).toBe('denied')
    expect(await listCalendarAccounts(person)).toEqual([])
    const body = { provider: 'microsoft', calendar: true }
    const microsoft = await instance.post(`${mailAccounts}/oauth/start`, body, person)
    expect(microsoft.body.errors[0]).toMatchObject({ path: 'calendar' })
    expect(microsoft.body.detail).toContain('not available yet')
  })

  it('stop working when the owner deletes them', async () => {
    owner = {
      ...owner,
      ...(await instance.post('/api/auth/refresh', { refreshToken: owner.refreshToken })).body,
    }
    expect((await instance.call('DELETE', `${clients}/google`, owner)).status).toBe(204)
    expect(await waysOfGmail()).toEqual(['app_password'])
    expect(await find('google')).toMatchObject({ clientId: null, hasSecret: false, source: 'none' })
  })
})
