import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

type Person = Awaited<ReturnType<typeof register>>

onOneDatabase('sqlite', 'the administration of accounts', (engine) => {
  let instance: Instance
  let owner: Person
  let member: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    owner = await register(instance)
    member = await register(instance)
  })
  afterAll(() => instance.close())

  const pathOf = ({ id }: { id: number }) => `/api/accounts/${id}`
  const change = (person: { id: number }, body: object, token = owner.token) =>
    instance.call('PATCH', pathOf(person), { body, token })
  const me = ({ token }: Person) => instance.get('/api/auth/me', { token })

  it('lists accounts for the owner, in pages', async () => {
    const first = await instance.get('/api/accounts?limit=1', { token: owner.token })
    expect(first.body.accounts).toMatchObject([
      { id: owner.id, email: owner.email, role: 'owner', disabled: false },
    ])
    expect(Date.parse(first.body.accounts[0].lastSignInAt)).not.toBeNaN()
    const cursor = encodeURIComponent(first.body.nextCursor)
    const second = await instance.get(`/api/accounts?limit=1&cursor=${cursor}`, { token: owner.token })
    expect(second.body).toMatchObject({ accounts: [{ id: member.id, role: 'member' }], nextCursor: null })
  })

  it('refuses members, tokens and calls without a session', async () => {
    const pat = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'all', scopes: ['tasks:write'] },
      { token: owner.token },
    )
    for (const [token, status] of [
      [member.token, 403],
      [pat.body.token, 403],
      [undefined, 401],
    ] as const) {
      expect((await instance.get('/api/accounts', { token })).status).toBe(status)
      expect((await instance.get(pathOf(owner), { token })).status).toBe(status)
      expect((await instance.call('PATCH', pathOf(member), { body: { disabled: true }, token })).status).toBe(
        status,
      )
      expect(
        (await instance.call('DELETE', pathOf(member), { body: { password: PASSWORD }, token })).status,
      ).toBe(status)
      expect((await instance.get('/api/instance', { token })).status).toBe(status)
    }
  })

  it('disables an account: sessions end, tokens and sign-in are refused, until it is enabled again', async () => {
    const person = await register(instance)
    const pat = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'tasks', scopes: ['tasks:read'] },
      { token: person.token },
    )
    const useToken = () => instance.get('/api/tasks', { token: pat.body.token })
    const signIn = () => instance.post('/api/auth/login', { email: person.email, password: PASSWORD })
    expect((await useToken()).status).toBe(200)
    expect((await change(person, { disabled: true })).body).toMatchObject({ id: person.id, disabled: true })
    expect((await me(person)).status).toBe(401)
    expect((await useToken()).status).toBe(401)
    const refused = await signIn()
    expect([refused.status, refused.body.code]).toEqual([403, 'account_disabled'])
    const wrong = await instance.post('/api/auth/login', {
      email: person.email,
      password: 'not-the-password',
    })
    expect(wrong.body.code).toBe('invalid_credentials')
    expect((await change(person, { disabled: false })).body.disabled).toBe(false)
    expect((await useToken()).status).toBe(200)
    expect((await signIn()).status).toBe(200)
  })

  it('checks the version, and refuses changes of the own account', async () => {
    const stale = await instance.call('PATCH', pathOf(member), {
      body: { disabled: true },
      token: owner.token,
      headers: { 'if-match': '"0"' },
    })
    expect(stale.status).toBe(412)
    expect((await change(owner, { disabled: true })).status).toBe(409)
    expect((await change({ id: 999_999 }, { disabled: true })).status).toBe(404)
    expect((await change(member, {})).status).toBe(400)
  })

  it('deletes an account with the password of the owner', async () => {
    const person = await register(instance)
    const remove = (password: string) =>
      instance.call('DELETE', pathOf(person), { body: { password }, token: owner.token })
    expect((await remove('not-the-password')).status).toBe(401)
    expect((await me(person)).status).toBe(200)
    expect((await remove(PASSWORD)).status).toBe(204)
    expect((await me(person)).status).toBe(401)
    expect((await instance.get(pathOf(person), { token: owner.token })).status).toBe(404)
  })

  it('lets the owner decide who may register, unless the configuration does', async () => {
    const set = (body: object) => instance.call('PATCH', '/api/instance', { body, token: owner.token })
    const join = (email: string) =>
      instance.post('/api/auth/register', { name: 'Zoe', email, password: PASSWORD })
    expect((await instance.get('/api/instance', { token: owner.token })).body).toEqual({
      registration: 'open',
      registrationIsFixed: false,
      defaultStorageQuotaBytes: null,
      mailAccountId: null,
      mailAddress: null,
      mailIsFixed: false,
      hasPublicUrl: false,
    })
    expect((await set({ registration: 'first' })).body.registration).toBe('first')
    expect((await join('zoe@example.org')).body.code).toBe('registration_closed')
    expect((await instance.get('/console/options')).body.registration).toBe('closed')
    expect((await set({ registration: 'open' })).status).toBe(200)
    expect((await join('zoe@example.org')).status).toBe(201)

    const fixed = await startInstance({ engine, environment: { REGISTRATION: 'invite' } })
    const { token } = await register(fixed)
    const refused = await fixed.call('PATCH', '/api/instance', { body: { registration: 'open' }, token })
    expect(refused.status).toBe(409)
    await fixed.close()
  })

  it('hands the instance over, and only then deletes the account of the former owner', async () => {
    const leave = () =>
      instance.call('DELETE', '/api/settings/account', {
        body: { password: PASSWORD, wipe: true },
        token: owner.token,
      })
    expect((await leave()).status).toBe(409)
    expect((await change(member, { role: 'owner' })).status).toBe(400)
    expect((await change(member, { role: 'owner', password: 'not-the-password' })).status).toBe(401)
    expect((await change(member, { role: 'owner', password: PASSWORD })).body.role).toBe('owner')
    expect((await instance.get('/api/accounts', { token: owner.token })).status).toBe(403)
    expect((await instance.get('/api/accounts', { token: member.token })).status).toBe(200)
    expect((await leave()).status).toBe(204)
    expect((await me(member)).body.role).toBe('owner')
  })
})

onOneDatabase('sqlite', 'the mail of the instance', (engine) => {
  const PUBLIC_URL = 'https://desk.example.org'
  const environment = { PUBLIC_URL, OUTBOUND_ALLOW: '127.0.0.1', REGISTRATION: 'invite' }
  let instance: Instance
  let server: Awaited<ReturnType<typeof startScriptedSmtp>>
  let owner: Person
  beforeAll(async () => {
    server = await startScriptedSmtp()
    instance = await startInstance({ engine, environment })
    await instance.app.jobs.start()
    owner = await register(instance)
  })
  afterAll(async () => {
    await instance.close()
    server.close()
  })

  const addMailAccount = async (address: string, { token }: Person = owner): Promise<string> => {
    const smtp = { host: '127.0.0.1', port: server.port, tls: 'none' }
    const body = { address, password: 'x', imap: smtp, smtp, senderName: 'Ana Ruiz' }
    const added = await instance.post('/api/settings/mail-accounts', body, { token })
    expect(added.status).toBe(201)
    return added.body.id
  }
  const read = async () => (await instance.get('/api/instance', { token: owner.token })).body
  const choose = (mailAccountId: string | null) =>
    instance.call('PATCH', '/api/instance', {
      body: { mailAccountId, password: PASSWORD },
      token: owner.token,
    })
  const invite = (input: object) =>
    instance.post('/api/settings/invitations', { password: PASSWORD, ...input }, owner)
  /** Ignores the notifications of the owner. */
  const takeMail = async (subject: string) => {
    const find = () => server.taken.findIndex(({ raw }) => raw.includes(`Subject: ${subject}`))
    await expect.poll(find, { timeout: 60_000 }).toBeGreaterThanOrEqual(0)
    return server.taken.splice(find(), 1)[0] as { recipients: string[]; raw: string }
  }

  it('cannot be sent without a mail account, and says so', async () => {
    expect(await read()).toMatchObject({ mailAddress: null, mailIsFixed: false, hasPublicUrl: true })
    const reset = await instance.post('/api/auth/password-reset', { email: owner.email })
    expect(reset.body.code).toBe('not_configured')
    const invitation = await invite({ email: 'zoe@example.org', sendEmail: true })
    expect([invitation.status, invitation.body.code]).toEqual([409, 'not_configured'])
    expect((await invite({ email: 'zoe@example.org' })).body.emailSent).toBe(false)
  })

  it('goes out through the oldest mail account of the owner, or the chosen one', async () => {
    await addMailAccount('first@example.org')
    instance.clock.advance(1000)
    const second = await addMailAccount('second@example.org')
    expect((await read()).mailAddress).toBe('first@example.org')
    const withoutPassword = await instance.call('PATCH', '/api/instance', {
      body: { mailAccountId: second },
      token: owner.token,
    })
    expect([withoutPassword.status, withoutPassword.body.errors?.[0]?.path]).toEqual([400, 'password'])
    expect((await choose(second)).body).toMatchObject({
      mailAccountId: second,
      mailAddress: 'second@example.org',
    })
    await instance.post('/api/auth/password-reset', { email: owner.email })
    const mail = await simpleParser((await takeMail('Reset your password')).raw)
    expect(mail.from?.value[0]?.address).toBe('second@example.org')
    expect((await choose(null)).body.mailAddress).toBe('first@example.org')
    expect((await choose('unknown')).status).toBe(400)
  })

  it('invites people, who can register with the link', async () => {
    expect((await invite({ sendEmail: true })).body.code).toBe('validation_failed')
    const invited = await invite({ email: 'zoe@example.org', sendEmail: true })
    expect(invited.body.emailSent).toBe(true)
    const { recipients, raw } = await takeMail('Ana Ruiz invites')
    expect(recipients).toEqual(['zoe@example.org'])
    const mail = await simpleParser(raw)
    expect(mail.subject).toBe('Ana Ruiz invites you to Factotum')
    expect(mail.text).toContain(`${PUBLIC_URL}/register?invitation=${invited.body.code}`)
    // The mail contains a secret, so nobody can store it here.
    const stored = await instance.call('POST', '/api/emails', {
      body: raw,
      headers: { 'content-type': 'message/rfc822' },
      token: owner.token,
    })
    expect(stored.body.code).toBe('system_mail')
    const joined = await instance.post('/api/auth/register', {
      name: 'Zoe',
      email: 'zoe@example.org',
      password: PASSWORD,
      invitation: invited.body.code,
    })
    expect(joined.status).toBe(201)
    server.turns = ['refuse']
    const failed = await invite({ email: 'max@example.org', sendEmail: true })
    expect([failed.status, failed.body.emailSent]).toEqual([201, false])
  })

  it('forgets the chosen account when it is removed, or when the instance is handed over', async () => {
    const third = await addMailAccount('third@example.org')
    await choose(third)
    const removed = await instance.call('DELETE', `/api/settings/mail-accounts/${third}`, {
      token: owner.token,
    })
    expect(removed.status).toBe(204)
    expect(await read()).toMatchObject({ mailAccountId: null, mailAddress: 'first@example.org' })

    const { body } = await invite({})
    const member = await register(instance, { invitation: body.code })
    const theirs = await addMailAccount('member@example.org', member)
    expect((await choose(theirs)).status).toBe(400)
    const fourth = await addMailAccount('fourth@example.org')
    await choose(fourth)
    const handedOver = await instance.call('PATCH', `/api/accounts/${member.id}`, {
      body: { role: 'owner', password: PASSWORD },
      token: owner.token,
    })
    expect(handedOver.status).toBe(200)
    const settings = await instance.get('/api/instance', { token: member.token })
    expect(settings.body).toMatchObject({ mailAccountId: null, mailAddress: 'member@example.org' })
  })

  it('goes out through SMTP_URL if it is set, which cannot be changed here', async () => {
    const fixed = await startInstance({
      engine,
      environment: {
        ...environment,
        SMTP_URL: `smtp://127.0.0.1:${server.port}`,
        MAIL_FROM: 'service@example.org',
      },
    })
    const { token } = await register(fixed)
    const settings = await fixed.get('/api/instance', { token })
    expect(settings.body).toMatchObject({ mailAddress: 'service@example.org', mailIsFixed: true })
    const refused = await fixed.call('PATCH', '/api/instance', { body: { mailAccountId: 'any' }, token })
    expect(refused.status).toBe(409)
    await fixed.close()
  })
})
