import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../src/database/transaction.ts'
import { command } from './support/command-line.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { accountBody, mailServers, newAddress, withMailServers } from './support/mail-servers.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'
import { makeScratch } from './support/scratch.ts'
import { readZip } from './support/zips.ts'

const { directory: scratch, newPlace } = makeScratch()

const server = (host: string, port: number) => ({ host, port, tls: 'implicit' })
const accountInput = {
  address: 'ana@example.org',
  password: 'correct horse',
  imap: server('imap.example.org', 993),
  smtp: server('smtp.example.org', 465),
}

onOneDatabase('sqlite', 'mail accounts', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
  })
  afterAll(() => instance.close())

  const base = '/api/settings/mail-accounts'
  const add = (body: Record<string, unknown> = {}, token = person.token) =>
    instance.post(base, { ...accountInput, ...body }, { token })
  const change = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    instance.call('PATCH', `${base}/${id}`, { body, token: person.token, headers })

  it('are added, read, listed, changed and removed', async () => {
    const added = await add({ name: 'Work' })
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toBe(`${base}/${added.body.id}`)
    expect(added.body).toEqual({
      id: expect.any(String),
      name: 'Work',
      address: 'ana@example.org',
      senderName: '',
      imap: { ...accountInput.imap, certificate: null },
      smtp: { ...accountInput.smtp, certificate: null },
      signIn: 'password',
      username: 'ana@example.org',
      smtpUsername: null,
      enabled: true,
      signature: null,
      identities: [],
      plainText: false,
      maxMessageBytes: 36_700_160,
      sync: {
        status: 'waiting',
        error: null,
        lastSyncAt: null,
        unreadable: 0,
        progress: { stored: 0, total: 0 },
      },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const { id } = added.body
    const renamed = await change(id, { name: 'Home', enabled: false })
    expect([renamed.body.name, renamed.body.sync.status]).toEqual(['Home', 'off'])
    const list = await instance.get(base, { token: person.token })
    expect(list.body.mailAccounts.map((account: { name: string }) => account.name)).toEqual(['Home'])
    const etag = renamed.headers.get('etag') ?? ''
    expect((await change(id, { name: 'x' }, { 'if-match': '"old"' })).status).toBe(412)
    expect((await change(id, { name: 'Again' }, { 'if-match': etag })).status).toBe(200)
    const gone = await instance.call('DELETE', `${base}/${id}`, { token: person.token })
    expect(gone.status).toBe(204)
    expect((await instance.get(`${base}/${id}`, { token: person.token })).status).toBe(404)
    const activity = await instance.get('/api/settings/security/activity', { token: person.token })
    const actions = activity.body.activity.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 4)).toEqual([
      'mail_account.removed',
      'mail_account.changed',
      'mail_account.changed',
      'mail_account.added',
    ])
  })

  it('never expose their passwords through the API or in the database', async () => {
    const secret = 'a very secret password'
    const added = await add({ password: secret, smtpPassword: `${secret} too` })
    const answers = [
      added,
      await instance.get(`${base}/${added.body.id}`, { token: person.token }),
      await change(added.body.id, { password: `${secret} new` }),
    ]
    const rows = await instance.database.db.selectFrom('mail_accounts').selectAll().execute()
    const activity = await instance.database.db.selectFrom('activity').selectAll().execute()
    expect(JSON.stringify([answers.map(({ body }) => body), rows, activity])).not.toContain('a very secret')
  })

  it('require the password again when server or user name changes', async () => {
    const { body: account } = await add()
    for (const [what, settings] of Object.entries({
      host: { imap: server('imap.evil.example', 993) },
      port: { imap: server('imap.example.org', 994) },
      tls: { smtp: { ...server('smtp.example.org', 465), tls: 'none' } },
      certificate: {
        smtp: {
          ...accountInput.smtp,
          certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
        },
      },
      username: { username: 'root' },
    })) {
      const refused = await change(account.id, settings)
      expect([what, refused.status, refused.body.errors?.[0].path]).toEqual([what, 400, 'password'])
    }
    const moved = await change(account.id, { imap: server('imap2.example.org', 993), password: 'new one' })
    expect([moved.status, moved.body.imap.host]).toEqual([200, 'imap2.example.org'])
    expect((await change(account.id, { imap: server('imap2.example.org', 993) })).status).toBe(200)
  })

  it('are rejected with field errors if the input is invalid', async () => {
    for (const [path, body] of Object.entries({
      address: { address: 'no address' },
      'imap.host': { imap: server('not a host', 993) },
      'imap.port': { imap: server('imap.example.org', 0) },
      'imap.certificate': { imap: { ...accountInput.imap, certificate: 'x' } },
      senderName: { senderName: 'Ana\r\nBcc: all@example.org' },
      imapp: { imapp: {} },
    })) {
      const refused = await add(body)
      expect([path, refused.status, refused.body.errors?.[0].path]).toEqual([path, 400, path])
    }
  })

  it('are visible only to the session of their owner', async () => {
    const { body: account } = await add()
    const stranger = await register(instance)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/sync'],
      ['POST', '/test'],
    ] as const) {
      const answer = await instance.call(method, `${base}/${account.id}${path}`, { token: stranger.token })
      expect([method, path, answer.status]).toEqual([method, path, 404])
      expect((await instance.call(method, `${base}/${account.id}${path}`)).status).toBe(401)
    }
    expect((await instance.get(base, { token: stranger.token })).body.mailAccounts).toEqual([])
  })

  it('are exported without their secrets and deleted by a wipe', async () => {
    const exportInstance = await startInstance({ engine })
    const owner = await register(exportInstance)
    const secret = 'the one and only secret'
    await exportInstance.post(base, { ...accountInput, password: secret }, owner)
    const response = await fetch(`${exportInstance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const file = join(scratch, `${engine}.zip`)
    writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    const exported = JSON.parse(String((await readZip(file)).get('mail/accounts.jsonl')))
    expect(exported).toMatchObject({ address: 'ana@example.org', imap: accountInput.imap, enabled: true })
    expect(JSON.stringify(exported)).not.toMatch(/secret|s1\./)
    const body = { password: PASSWORD, wipe: true }
    expect(
      (await exportInstance.call('DELETE', '/api/settings/account', { body, token: owner.token })).status,
    ).toBe(204)
    for (const table of ['mail_accounts', 'mail_sync'] as const)
      expect(await exportInstance.database.db.selectFrom(table).selectAll().execute()).toEqual([])
    await exportInstance.close()
  })

  it('are encrypted again after a change of SECRET_KEY, and checked by doctor', async () => {
    const place = await newPlace(engine)
    const before = await startInstance({ place })
    const owner = await register(before)
    const { body: account } = await before.post(base, accountInput, owner)
    await before.database.db
      .updateTable('mail_sync')
      .set({ status: 'failing', error: 'No server responds at imap.example.org, port 993.' })
      .execute()
    await before.close()
    const SECRET_KEY = 'a new key that is long enough to be one'
    const environment = { SECRET_KEY, SECRET_KEY_PREVIOUS: place.environment.SECRET_KEY as string }
    const report = await command(['doctor'], { PORT: '0', ...place.environment, ...environment })
    expect(report.stdout).toMatch(/warn\s+secret\s+SECRET_KEY_PREVIOUS is still needed \(stored secrets: 1\)/)
    expect(report.stdout).toMatch(/warn\s+mail\s+ana@example.org: No server responds at imap.example.org/)
    const after = await startInstance({ place, environment })
    await inTransaction(after.database.db, (tx) => after.app.features.mailAccounts.reseal(tx))
    await after.close()
    const last = await startInstance({ place, environment: { SECRET_KEY } })
    const signedIn = await signIn(last, owner.email)
    const tested = await last.post(`${base}/${account.id}/test`, undefined, signedIn)
    expect([tested.status, tested.body.imap.failure.step]).toEqual([200, 'dns'])
    await last.close()
  })

  it('are listed page by page', async () => {
    const owner = await register(instance)
    for (let n = 0; n < 5; n++) await add({ name: `n${n}` }, owner.token)
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { mailAccounts: { name: string }[]; nextCursor: string | null } } =
        await instance.get(`${base}?limit=2${cursor && `&cursor=${cursor}`}`, { token: owner.token })
      names.push(...body.mailAccounts.map(({ name }) => name))
      cursor = body.nextCursor
    }
    expect(names.toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
  })
})

withMailServers('connection test of a mail account', () => {
  let instance: Instance
  let guarded: Instance
  let person: Person
  const listeners: Server[] = []
  beforeAll(async () => {
    instance = await startInstance()
    guarded = await startInstance({ environment: { ACCESS: 'private' } })
    person = await register(instance)
  })
  afterAll(async () => {
    for (const listener of listeners) listener.close()
    await instance.close()
    await guarded.close()
  })

  const listen = async (
    onConnection: (write: (text: string) => void, end: () => void) => void,
  ): Promise<number> => {
    const listener = createServer((socket) => {
      socket.on('error', () => undefined)
      onConnection(
        (text) => socket.write(text),
        () => socket.destroy(),
      )
    })
    listeners.push(listener)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return (listener.address() as { port: number }).port
  }

  const testConnection = async (settings: Record<string, unknown>, on = instance, token = person.token) => {
    const body = { ...accountBody(newAddress()), ...settings }
    const answer = await on.post('/api/settings/mail-accounts/test', body, { token })
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body
  }
  const createBody = () => accountBody(newAddress())

  it('succeeds with both servers over STARTTLS and TLS', async () => {
    expect(await testConnection({})).toEqual({
      ok: true,
      imap: { ok: true, failure: null },
      smtp: { ok: true, failure: null },
    })
    const { imaps, submissions, pem } = mailServers()
    const direct = (port: number) => ({ host: '127.0.0.1', port, tls: 'implicit', certificate: pem })
    expect((await testConnection({ imap: direct(imaps), smtp: direct(submissions) })).ok).toBe(true)
  })

  it('works for a saved account', async () => {
    const { body } = await instance.post(
      '/api/settings/mail-accounts',
      { ...createBody(), enabled: false },
      person,
    )
    const tested = await instance.post(`/api/settings/mail-accounts/${body.id}/test`, undefined, person)
    expect(tested.body.ok).toBe(true)
  })

  it.each([
    ['dns', 'There is no server named', () => ({ host: 'nowhere.invalid' })],
    ['connect', 'No server responds at', async () => ({ port: await closedPort() })],
    ['tls', 'was not issued by', () => ({ certificate: null })],
    ['tls', 'different certificate', () => ({ certificate: otherCertificate })],
    ['tls', 'does not start with TLS', () => ({ tls: 'implicit' })],
    ['greeting', 'closed the connection', async () => ({ port: await listen((_, end) => end()) })],
  ] as const)('reports the failed step %s for both servers: %s', async (step, words, settings) => {
    const body = createBody()
    const result = await testConnection({
      imap: { ...body.imap, ...(await settings()) },
      smtp: { ...body.smtp, ...(await settings()) },
    })
    expect(result.ok).toBe(false)
    for (const side of [result.imap, result.smtp]) {
      expect([side.failure.step, side.failure.problem]).toEqual([step, expect.stringContaining(words)])
      expect(side.failure.remedy.length).toBeGreaterThan(20)
    }
  })

  it('reports failures in the language of the account', async () => {
    const german = await register(instance, { locale: 'de-AT' })
    const server = { host: 'nowhere.invalid', port: 993, tls: 'implicit' }
    const result = await testConnection({ imap: server, smtp: server }, instance, german.token)
    expect(result.imap.failure).toEqual({
      step: 'dns',
      problem: 'Es gibt keinen Server mit dem Namen nowhere.invalid.',
      remedy: expect.stringMatching(/^Prüfe die Schreibweise/),
    })
  })

  it('reports a wrong password with the reply of the server', async () => {
    const result = await testConnection({ password: 'wrong' })
    for (const side of [result.imap, result.smtp])
      expect([side.failure.step, side.failure.problem]).toEqual([
        'login',
        expect.stringContaining('rejected'),
      ])
  })

  it('sends no password if the server does not offer the required encryption', async () => {
    const received: string[] = []
    const listener = createServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        received.push(String(data))
        const [, tag] = /^(\S+) /.exec(String(data)) ?? []
        socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`)
      })
    })
    listeners.push(listener)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as { port: number }
    const result = await testConnection({ imap: { ...createBody().imap, port }, password: 'hush-hush' })
    expect(result.imap.failure.step).toBe('tls')
    expect(result.imap.failure.problem).toContain('STARTTLS')
    expect(received.join('')).not.toContain('hush')
  })

  it('reaches private addresses only with open access or OUTBOUND_ALLOW', async () => {
    const owner = await register(guarded)
    const result = await testConnection({}, guarded, owner.token)
    for (const side of [result.imap, result.smtp]) {
      expect(side.failure.step).toBe('dns')
      expect(side.failure.remedy).toContain('OUTBOUND_ALLOW')
    }
    const allowed = await startInstance({ environment: { ACCESS: 'private', OUTBOUND_ALLOW: '127.0.0.1' } })
    const other = await register(allowed)
    expect((await testConnection({}, allowed, other.token)).ok).toBe(true)
    await allowed.close()
  })
})

const closedPort = async (): Promise<number> => {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  await new Promise((resolve) => listener.close(resolve))
  return port
}

// Created for this test only. Its key was deleted.
const otherCertificate = `-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIUY4JPGX0J33HELZIjyQYUlz1iUPEwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSb3RoZXIuZXhhbXBsZS50ZXN0MCAXDTI2MTExNTA1NDE0MVoY
DzIwODEwODE4MDU0MTQxWjAdMRswGQYDVQQDDBJvdGhlci5leGFtcGxlLnRlc3Qw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASk9tnXQK0alnNyD7af2q1wQoWy1mV5
pkMnojALyYKjkOS8p0ackZojFunDlDpzNhrkvjTh6++q9dYF+5xxv2OTo1MwUTAd
BgNVHQ4EFgQUOcxaJSHcMruDT5XuNOrcXqvf1a4wHwYDVR0jBBgwFoAUOcxaJSHc
MruDT5XuNOrcXqvf1a4wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBE
AiAtbPJpXf5GcfHfAw2WS//46gpccZc0aa0aTvbWxzIHpgIgHjAyUaO77+llydpQ
wK5taDPCemPfthjs7kpaOVHESLk=
-----END CERTIFICATE-----`
