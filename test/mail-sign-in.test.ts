import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { startIssuer } from './support/mail-issuer.ts'
import { mailServers, newAddress, withMailServersOnOneDatabase } from './support/mail-servers.ts'
import { type Person, register } from './support/people.ts'

const base = '/api/settings/mail-accounts'

withMailServersOnOneDatabase('postgres', 'mail sign-in with a provider', (engine) => {
  let instance: Instance
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let person: Person
  beforeAll(async () => {
    issuer = await startIssuer()
    const { imap, submission } = mailServers()
    instance = await startInstance({
      engine,
      environment: {
        MAIL_OAUTH_GOOGLE_CLIENT_ID: 'client-id',
        MAIL_OAUTH_GOOGLE_CLIENT_SECRET: 'hush',
        MAIL_OAUTH_GOOGLE_AUTH_URL: `${issuer.url}/authorize`,
        MAIL_OAUTH_GOOGLE_TOKEN_URL: `${issuer.url}/token`,
        MAIL_OAUTH_GOOGLE_IMAP: `imap+plain://127.0.0.1:${imap}`,
        MAIL_OAUTH_GOOGLE_SMTP: `smtp+plain://127.0.0.1:${submission}`,
        OUTBOUND_ALLOW: '127.0.0.1',
      },
    })
    person = await register(instance)
  })
  afterAll(async () => {
    await instance.close()
    issuer.close()
  })

  const begin = async (input: Record<string, unknown> = {}, token = person.token) => {
    const started = await instance.post(`${base}/oauth/start`, { provider: 'google', ...input }, { token })
    expect([started.status, started.body.detail]).toEqual([200, undefined])
    const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return { url: new URL(started.body.url), cookie }
  }
  const consent = async (url: URL): Promise<string> => {
    const answer = await fetch(url, { redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    return back.pathname + back.search
  }
  const connect = async (email: string, input: Record<string, unknown> = {}) => {
    issuer.state.email = email
    const { url, cookie } = await begin(input)
    const finished = await instance.get(await consent(url), { headers: { cookie } })
    const id = new URL(finished.headers.get('location') ?? 'http://x', 'http://x').searchParams.get(
      'connected',
    )
    return { finished, id: id ?? '' }
  }

  it('connects the mailbox and uses its token for IMAP and SMTP', async () => {
    const email = newAddress()
    const { finished, id } = await connect(email)
    expect(finished.status).toBe(303)
    const account = await instance.get(`${base}/${id}`, person)
    expect(account.body).toMatchObject({ address: email, signIn: 'google', username: email })
    const tested = await instance.post(`${base}/${id}/test`, undefined, person)
    expect(tested.body).toMatchObject({ ok: true })
    const rows = await instance.database.db.selectFrom('mail_accounts').selectAll().execute()
    expect(JSON.stringify([rows, account.body])).not.toMatch(/accessToken|refreshToken/)
  })

  it('requests mail access and a refresh token with PKCE, and passes the address as a hint', async () => {
    const { url } = await begin({ address: 'ana@example.test' })
    const parameters = Object.fromEntries(url.searchParams)
    expect(parameters).toMatchObject({
      client_id: 'client-id',
      response_type: 'code',
      code_challenge_method: 'S256',
      access_type: 'offline',
      login_hint: 'ana@example.test',
      redirect_uri: `${instance.url}${base}/oauth/callback`,
    })
    expect(parameters.scope).toContain('https://mail.google.com/')
    expect(parameters.code_challenge).toMatch(/^[\w-]{43}$/)
  })

  it('accepts the callback only once, in time and from the same browser', async () => {
    issuer.state.email = newAddress()
    const { url, cookie } = await begin()
    const stolen = await begin()
    const back = await consent(url)
    expect((await instance.get(back)).status).toBe(400)
    expect((await instance.get(back, { headers: { cookie: stolen.cookie } })).status).toBe(400)
    expect((await instance.get(back, { headers: { cookie } })).status).toBe(303)
    expect((await instance.get(back, { headers: { cookie } })).status).toBe(400)
    const late = await begin()
    const lateBack = await consent(late.url)
    instance.clock.advance(11 * MINUTE)
    expect((await instance.get(lateBack, { headers: { cookie: late.cookie } })).status).toBe(400)
  })

  it('ends with the session that started it', async () => {
    const other = await register(instance)
    const { url, cookie } = await begin({}, other.token)
    const back = await consent(url)
    await instance.post('/api/auth/logout', undefined, { token: other.token })
    expect((await instance.get(back, { headers: { cookie } })).status).toBe(400)
  })

  it('reports a denied consent and a provider without configuration', async () => {
    const { url, cookie } = await begin()
    const state = url.searchParams.get('state')
    const path = `${base}/oauth/callback?state=${state}&error=access_denied`
    expect((await instance.get(path, { headers: { cookie } })).status).toBe(403)
    const microsoft = await instance.post(`${base}/oauth/start`, { provider: 'microsoft' }, person)
    expect([microsoft.status, microsoft.body.code]).toEqual([409, 'not_configured'])
    expect(microsoft.body.detail).toContain('MAIL_OAUTH_MICROSOFT_CLIENT_ID')
  })

  it('renews a token before it expires, and reports a revoked consent', async () => {
    issuer.state.lifeSeconds = 1
    const { id } = await connect(newAddress())
    issuer.state.lifeSeconds = 3600
    const before = issuer.state.renewals
    expect((await instance.post(`${base}/${id}/test`, undefined, person)).body.ok).toBe(true)
    expect(issuer.state.renewals).toBeGreaterThan(before)
    const renewed = issuer.state.renewals
    expect((await instance.post(`${base}/${id}/test`, undefined, person)).body.ok).toBe(true)
    expect(issuer.state.renewals).toBe(renewed)
    instance.clock.advance(56 * MINUTE)
    person = {
      ...person,
      ...(await instance.post('/api/auth/refresh', { refreshToken: person.refreshToken })).body,
    }
    issuer.state.hasConsent = false
    const refused = await instance.post(`${base}/${id}/test`, undefined, person)
    issuer.state.hasConsent = true
    expect(refused.body.imap.failure).toMatchObject({
      step: 'login',
      remedy: expect.stringContaining('Reconnect'),
    })
  })

  it('reconnects an account only with the same address', async () => {
    const email = newAddress()
    const { id } = await connect(email)
    const again = await connect(email, { accountId: id })
    expect([again.finished.status, again.id]).toEqual([303, id])
    const other = await connect(newAddress(), { accountId: id })
    expect(other.finished.status).toBe(409)
    const moved = { imap: { host: 'evil.example', port: 993, tls: 'implicit' } }
    const refused = await instance.call('PATCH', `${base}/${id}`, { body: moved, token: person.token })
    expect(refused.status).toBe(409)
  })
})
