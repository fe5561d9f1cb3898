import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { command, commandProcess } from './support/command-line.ts'
import { makeDataPlace, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const PUBLIC_URL = 'https://desk.example.org'
const NEW_PASSWORD = 'a longer and better one'
const ASK = '/api/auth/password-reset'
const CONFIRM = '/api/auth/password-reset/confirm'

interface Browser {
  headers: { cookie: string }
}

const cookieOf = ({ headers }: { headers: Headers }): string =>
  headers.getSetCookie()[0]?.split(';')[0] as string

/** Decodes quoted-printable and returns the link. */
const linkIn = (raw: string): string =>
  /https:\/\/\S+/.exec(raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0] ?? ''

onOneDatabase('sqlite', 'a forgotten password', (engine) => {
  let instance: Instance
  let server: Awaited<ReturnType<typeof startScriptedSmtp>>
  beforeAll(async () => {
    server = await startScriptedSmtp()
    instance = await startInstance({
      engine,
      environment: { PUBLIC_URL, OUTBOUND_ALLOW: '127.0.0.1', REGISTRATION: 'open' },
    })
    await instance.app.jobs.start()
    const { token } = await register(instance)
    const smtp = { host: '127.0.0.1', port: server.port, tls: 'none' }
    const account = { address: 'desk@example.org', password: 'x', imap: smtp, smtp, senderName: 'Ana Ruiz' }
    const added = await instance.post('/api/settings/mail-accounts', account, { token })
    expect(added.status).toBe(201)
  })
  beforeEach(() => {
    server.turns = []
    server.taken = []
    instance.clock.advance(16 * MINUTE)
  })
  afterAll(async () => {
    await instance.close()
    server.close()
  })

  const arrived = async (count = 1): Promise<string> => {
    await expect.poll(() => server.taken.length, { timeout: 60_000 }).toBe(count)
    return server.taken.at(-1)?.raw as string
  }
  /** Requests a link in a browser, which keeps the cookie. */
  const askFor = async (email: string, headers: Record<string, string> = {}): Promise<Browser> => {
    const answer = await instance.post(ASK, { email }, { headers })
    expect([answer.status, answer.body]).toEqual([202, null])
    return { headers: { cookie: cookieOf(answer) } }
  }
  const tokenFor = async (email: string): Promise<{ token: string; browser: Browser }> => {
    const browser = await askFor(email)
    const link = new URL(linkIn(await arrived()))
    return { token: link.hash.slice(1), browser }
  }
  const confirm = (token: string, password: string, browser: Browser) =>
    instance.post(CONFIRM, { token, password }, browser)
  const login = (email: string, password: string, code?: string) =>
    instance.post('/api/auth/login', { email, password, ...(code !== undefined && { code }) })

  it('is replaced once with the link in the mail, which ends every session', async () => {
    const person = await register(instance)
    const browser = await askFor(person.email.toUpperCase())
    const raw = await arrived()
    expect(server.taken[0]?.recipients).toEqual([person.email])
    const link = new URL(linkIn(raw))
    expect([link.origin, link.pathname, link.search]).toEqual([PUBLIC_URL, '/reset-password', ''])
    const token = link.hash.slice(1)
    const weak = await confirm(token, 'short', browser)
    expect([weak.status, weak.body.code]).toEqual([400, 'validation_failed'])
    const both = await Promise.all([1, 2].map(() => confirm(token, NEW_PASSWORD, browser)))
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401])
    expect((await instance.get('/api/auth/me', { token: person.token })).status).toBe(401)
    expect((await login(person.email, PASSWORD)).status).toBe(401)
    const back = await login(person.email, NEW_PASSWORD)
    expect(back.status).toBe(200)
    const { activity } = (await instance.get('/api/settings/security/activity', { token: back.body.token }))
      .body
    expect(activity.map(({ action }: { action: string }) => action)).toContain('password.reset')
    const kept = JSON.stringify(
      await instance.database.db.selectFrom('password_resets').selectAll().execute(),
    )
    expect(kept).not.toContain(token)
  })

  it('gets its link in the language of the account', async () => {
    const person = await register(instance, { locale: 'de-AT' })
    await askFor(person.email)
    const mail = await simpleParser(await arrived())
    expect(mail.subject).toBe('Passwort zurücksetzen')
    expect(mail.text).toContain('Öffne diesen Link innerhalb von 30 Minuten')
    expect(mail.text).toContain(`${PUBLIC_URL}/reset-password#`)
  })

  it('does not reveal whether an address has an account', async () => {
    const [known, unknown] = [await register(instance), 'nobody@example.org']
    const answers = [
      await instance.post(ASK, { email: known.email }),
      await instance.post(ASK, { email: unknown }),
    ]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, null],
      [202, null],
    ])
    await arrived()
    expect(server.taken.flatMap(({ recipients }) => recipients)).toEqual([known.email])
  })

  it('cannot be replaced with a link older than 30 minutes, or with an older link after a newer one was used', async () => {
    const person = await register(instance)
    const late = await tokenFor(person.email)
    instance.clock.advance(31 * MINUTE)
    const answer = await confirm(late.token, NEW_PASSWORD, late.browser)
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_reset_token'])
    server.taken = []
    const first = await tokenFor(person.email)
    server.taken = []
    const second = await tokenFor(person.email)
    expect((await confirm(second.token, NEW_PASSWORD, second.browser)).status).toBe(204)
    expect((await confirm(first.token, 'yet another one', first.browser)).status).toBe(401)
  })

  it('can be replaced only in the browser that requested the link, and an attempt elsewhere does not use up the link', async () => {
    const person = await register(instance)
    const { token, browser } = await tokenFor(person.email)
    const other = await askFor('nobody@example.org')
    for (const elsewhere of [undefined, other, { headers: { cookie: 'factotum_reset=' } }]) {
      const answer = await instance.post(CONFIRM, { token, password: NEW_PASSWORD }, elsewhere)
      expect([answer.status, answer.body.code]).toEqual([403, 'reset_other_browser'])
      expect(answer.body.detail).toContain('in the browser that requested it')
    }
    expect((await instance.get('/api/auth/me', person)).status).toBe(200)
    const answer = await confirm(token, NEW_PASSWORD, browser)
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
  })

  it('sets an HttpOnly and SameSite cookie for every address', async () => {
    const known = await register(instance)
    for (const email of [known.email, 'nobody@example.org']) {
      const answer = await instance.post(ASK, { email })
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^factotum_reset=[\w-]{43}; HttpOnly; Path=\/api\/auth\/password-reset; Max-Age=1800; SameSite=Strict; Secure$/,
        ),
      ])
    }
    await arrived()
    const stored = await instance.database.db.selectFrom('password_resets').selectAll().execute()
    expect(stored.every(({ browserHash }) => browserHash?.length === 43)).toBe(true)
  })

  it('can be replaced with every link that the same browser requested', async () => {
    const person = await register(instance)
    const first = await tokenFor(person.email)
    const again = await askFor(person.email, first.browser.headers)
    expect(again).toEqual(first.browser)
    await arrived(2)
    expect((await confirm(first.token, NEW_PASSWORD, again)).status).toBe(204)
  })

  it('keeps the second factor enabled', async () => {
    const person = await register(instance)
    const { token, browser } = await tokenFor(person.email)
    await instance.database.db
      .updateTable('users')
      .set({ twoFactorEnabledAt: instance.clock.now().toISOString() })
      .where('id', '=', person.id)
      .execute()
    expect((await confirm(token, NEW_PASSWORD, browser)).status).toBe(204)
    const without = await login(person.email, NEW_PASSWORD)
    expect([without.status, without.body.code]).toEqual([401, 'two_factor_required'])
  })

  it('is limited to three links per person and hour, and ten requests per network in 15 minutes', async () => {
    const person = await register(instance)
    for (let n = 0; n < 10; n++) expect((await instance.post(ASK, { email: person.email })).status).toBe(202)
    const refused = await instance.post(ASK, { email: 'someone@example.org' })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    await arrived(3)
    await expect
      .poll(
        async () =>
          (await instance.app.jobs.list({ limit: 50 })).filter(
            ({ name, state }) => name === 'password.reset' && state !== 'done',
          ).length,
      )
      .toBe(0)
    expect(server.taken).toHaveLength(3)
  })

  it('cannot be reset without a mail server, and the error says that the operator can help', async () => {
    const silent = await startInstance({ engine, environment: { PUBLIC_URL } })
    const { email } = await register(silent)
    for (const address of [email, 'nobody@example.org']) {
      const { status, body } = await silent.post(ASK, { email: address })
      expect([status, body.code]).toEqual([409, 'not_configured'])
      expect(body.detail).toContain('factotum user password')
    }
    await silent.close()
  })
})

describe('user password', () => {
  it('sets a new password, ends the sessions, and prints errors in one line', async () => {
    const place = await makeDataPlace('sqlite')
    const instance = await startInstance({ place })
    const person = await register(instance)
    const setting = (email: string) => ['user', 'password', email, '--password-stdin']
    const run = (email: string, input: string) => command(setting(email), place.environment, { input })
    await instance.close()
    const input = `${NEW_PASSWORD}\n`
    expect(await commandProcess(setting(person.email), place.environment, { input })).toEqual({
      code: 0,
      stdout: `${person.email} has a new password. All its sessions have ended.\n`,
      stderr: '',
    })
    expect((await run('nobody@example.org', input)).code).toBe(1)
    expect((await run(person.email, 'short\n')).code).toBe(1)
    const again = await startInstance({ place })
    expect((await again.get('/api/auth/me', { token: person.token })).status).toBe(401)
    const { status } = await again.post('/api/auth/login', { email: person.email, password: NEW_PASSWORD })
    expect(status).toBe(200)
    await again.close()
    await place.remove()
  })
})
