import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { type Kysely, sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { type Engine, openDatabase } from '../src/database/database.ts'
import type { Tables } from '../src/database/tables.ts'
import { command } from './support/command-line.ts'
import { makeDataPlace } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Email, type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  accountBody,
  mailServers,
  message,
  newAddress,
  openImapClient,
  withMailServersOnOneDatabase,
} from './support/mail-servers.ts'
import { callProcess, startFactotum } from './support/process.ts'
import { startTcpProxy } from './support/tcp-proxy.ts'

interface EmailJson extends Email {
  unreadable: { reason: string; hasRaw: boolean } | null
  from: { name: string; address: string } | null
  snippet: string
  date: string
}

const fixtures: MailFixture[] = []
const clients: ImapFlow[] = []
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close()
  for (const client of clients.splice(0)) await client.logout()
})

const createFixture = async (engine: Engine, options = {}): Promise<MailFixture> => {
  const fixture = await openMailFixture(engine, options)
  fixtures.push(fixture)
  return fixture
}

const openMailbox = async (messages: readonly (string | Buffer)[]) => {
  const address = newAddress()
  const client = await openImapClient(address)
  clients.push(client)
  for (const each of messages) await client.append('INBOX', each)
  return { address, client }
}

const listEmails = async (fixture: MailFixture, accountId: string): Promise<EmailJson[]> =>
  (await fixture.emails(accountId)) as EmailJson[]

/** Makes the database reject a row, like a value that it cannot store. */
const refuseRows = async (
  db: Kysely<Tables>,
  engine: Engine,
  table: 'emails' | 'email_bodies',
  condition: string,
  code = 'P0001',
): Promise<void> => {
  if (engine === 'sqlite') {
    await sql
      .raw(
        `create trigger injected before insert on ${table} when ${condition} begin select raise(abort, 'injected'); end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create function injected() returns trigger language plpgsql as $$
        begin if ${condition} then raise exception 'injected' using errcode = '${code}'; end if; return new; end $$`,
    )
    .execute(db)
  await sql
    .raw(`create trigger injected before insert on ${table} for each row execute function injected()`)
    .execute(db)
}

const allowRows = async (db: Kysely<Tables>, engine: Engine, table: string): Promise<void> => {
  await sql.raw(`drop trigger injected${engine === 'sqlite' ? '' : ` on ${table}`}`).execute(db)
}

const hashLines = (count: number): string =>
  Array.from({ length: count }, (_, n) => createHash('sha256').update(String(n)).digest('hex')).join('\r\n')

const BAD = 'This body is refused: INJECTED.'

withMailServersOnOneDatabase('postgres', 'sync of messages that cannot be stored', (engine) => {
  it('stores 17,000 hashes and a word of 8.4 MB, and the other messages', async () => {
    const utf8 = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit'
    const longWord = 'я'.repeat(4_200_000)
    const { address } = await openMailbox([
      message({ subject: 'before' }),
      message({ subject: 'hashes', body: hashLines(17_000) }),
      message({ subject: 'between' }),
      Buffer.from(message({ subject: 'long word', headers: utf8, body: longWord })),
      message({ subject: 'after' }),
    ])
    const fixture = await createFixture(engine)
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    const emails = await listEmails(fixture, id)
    expect(emails.map(({ subject }) => subject).toSorted()).toEqual(
      ['after', 'before', 'between', 'hashes', 'long word'].toSorted(),
    )
    expect(emails.every(({ unreadable }) => unreadable === null)).toBe(true)
    const [first] = hashLines(1).split('\r\n')
    const found = await fixture.instance.get(`/api/emails?q=${first}`)
    expect(found.body.emails.map((email: Email) => email.subject)).toEqual(['hashes'])
    const start = await fixture.instance.get(
      `/api/emails?q=${encodeURIComponent('я'.repeat(64))}&excerpts=true`,
    )
    expect(start.body.emails.map((email: Email) => email.subject)).toEqual(['long word'])
  })

  it('stores a message that the database rejects as unreadable with its bytes, and the other messages', async () => {
    const fixture = await createFixture(engine)
    const { db } = fixture.instance.database
    await refuseRows(db, engine, 'email_bodies', "new.text like '%INJECTED%'")
    const bad = message({ subject: 'Quarterly =?utf-8?q?gr=C3=BC=C3=9Fe?=', body: BAD })
    const { address, client } = await openMailbox([
      ...['n0', 'n1', 'n2'].map((subject) => message({ subject })),
      bad,
      ...['n3', 'n4'].map((subject) => message({ subject })),
    ])
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    expect(await fixture.subjects(id)).toEqual(['Quarterly grüße', 'n0', 'n1', 'n2', 'n3', 'n4'])
    const email = (await listEmails(fixture, id)).find(({ unreadable }) => unreadable !== null) as EmailJson
    expect(email).toMatchObject({
      subject: 'Quarterly grüße',
      from: { name: 'Ben', address: 'ben@example.test' },
      date: '2026-03-02T10:00:00.000Z',
      folder: 'inbox',
      unreadable: { reason: 'The database rejected its contents.', hasRaw: true },
    })
    expect(email.snippet).toMatch(/^This message could not be read\./)
    const raw = await fixture.instance.get(`/api/emails/${email.id}/raw`)
    expect(raw.headers.get('content-type')).toBe('message/rfc822')
    expect(raw.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(raw.body).toBe(bad)
    expect((await fixture.account(id)).sync).toMatchObject({ status: 'live', error: null, unreadable: 1 })
    const { stdout } = await command(['doctor'], { PORT: '0', ...fixture.instance.place.environment })
    expect(stdout).toMatch(new RegExp(`warn +mail +${address}: 1 message could not be read`))

    // It can be moved like any other email, and new mail arrives.
    await fixture.change(email.id, { folder: 'archive' })
    await client.append('INBOX', message({ subject: 'n5' }))
    await eventually(async () => (await fixture.subjects(id)).includes('n5'))
    await eventually(
      async () => ((await client.status('Archive', { messages: true })) || { messages: 0 }).messages === 1,
    )
    await fixture.settle(id)
    expect(await fixture.subjects(id)).toHaveLength(7)
  })

  it('stores a message without its header if the database rejects the header', async () => {
    const fixture = await createFixture(engine)
    await refuseRows(fixture.instance.database.db, engine, 'emails', "new.subject = 'refused'")
    const { address } = await openMailbox(['n0', 'refused', 'n1'].map((subject) => message({ subject })))
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    const emails = await listEmails(fixture, id)
    expect(emails.map(({ subject, unreadable }) => [subject, unreadable !== null]).toSorted()).toEqual([
      ['', true],
      ['n0', false],
      ['n1', false],
    ])
  })

  // This case does not depend on the database.
  it.runIf(engine === 'sqlite')('stores the header of a message that is too large to download', async () => {
    const { address } = await openMailbox([
      message({ subject: 'n0' }),
      Buffer.from(message({ subject: 'huge', body: `${'x'.repeat(998)}\r\n`.repeat(52_500) })),
    ])
    const fixture = await createFixture(engine)
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    const emails = await listEmails(fixture, id)
    expect(emails.map(({ subject }) => subject).toSorted()).toEqual(['huge', 'n0'])
    const huge = emails.find(({ subject }) => subject === 'huge') as EmailJson
    expect(huge).toMatchObject({
      from: { address: 'ben@example.test' },
      unreadable: { reason: 'The message is larger than 50 MiB and was not downloaded.', hasRaw: false },
    })
    expect((await fixture.instance.get(`/api/emails/${huge.id}/raw`)).status).toBe(404)
    expect((await fixture.account(id)).sync.unreadable).toBe(1)
  })

  // SQLite cannot reject a single row like a full disk.
  it.runIf(engine === 'postgres')('does not treat a full disk as a fault of the message', async () => {
    const fixture = await createFixture(engine)
    const { db } = fixture.instance.database
    await refuseRows(db, engine, 'email_bodies', "new.text like '%INJECTED%'", '53100')
    const { address } = await openMailbox([message({ subject: 'n0' }), message({ subject: 'n1', body: BAD })])
    const { id } = await fixture.addAccount(address)
    await eventually(async () => (await fixture.account(id)).sync.status === 'failing')
    expect(await listEmails(fixture, id)).toEqual([])
    await allowRows(db, engine, 'email_bodies')
    await fixture.sync(id)
    await fixture.live(id)
    const emails = await listEmails(fixture, id)
    expect(emails.map(({ subject, unreadable }) => [subject, unreadable]).toSorted()).toEqual([
      ['n0', null],
      ['n1', null],
    ])
  })
})

withMailServersOnOneDatabase('sqlite', 'messages that cannot be stored', (engine) => {
  it('parses an unreadable message again with the next version', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    const first = await createFixture(engine, { place })
    await refuseRows(first.instance.database.db, engine, 'email_bodies', "new.text like '%INJECTED%'")
    const parts = [
      '--x',
      'Content-Type: text/plain',
      '',
      BAD,
      '--x',
      'Content-Type: text/csv; name="a.csv"',
      'Content-Disposition: attachment; filename="a.csv"',
      '',
      'a,b',
      '--x--',
    ].join('\r\n')
    const headers = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x'
    const { address } = await openMailbox([message({ subject: 'bad', headers, body: parts })])
    const { id } = await first.addAccount(address)
    await first.live(id)
    const [before] = await listEmails(first, id)
    expect(before?.unreadable).not.toBeNull()
    await first.change(before?.id ?? 0, { tags: ['kept'], read: true })
    await first.settle(id)
    const { clock, database } = first.instance
    await first.instance.app.features.unreadableEmails.requestReading()
    const jobs = await first.instance.app.jobs.list({ limit: 10 })
    expect(jobs.some(({ name }) => name === 'read-unreadable-mail')).toBe(false)
    await allowRows(database.db, engine, 'email_bodies')

    const second = await openMailFixture(engine, { place, clock, deps: { version: '0.0.1-test' } })
    fixtures.push(second)
    await second.instance.app.features.unreadableEmails.requestReading()
    await second.instance.app.jobs.start()
    const path = `/api/emails/${before?.id}`
    const { body } = await eventually(async () => {
      const answer = await second.instance.get(path)
      return answer.body.unreadable === null && answer
    })
    expect(body).toMatchObject({
      subject: 'bad',
      tags: ['kept'],
      read: true,
      to: [{ name: '', address: 'ana@example.test' }],
      attachments: [{ filename: 'a.csv', contentType: 'text/csv' }],
    })
    expect(body.text).toContain(BAD)
    expect((await second.instance.get('/api/emails?q=refused')).body.emails).toHaveLength(1)
    expect((await second.instance.get('/api/emails?q=%22could+not+be+read%22')).body.emails).toEqual([])
    const attachment = await second.instance.get(`${path}/attachments/${body.attachments[0].id}`)
    expect(attachment.body).toContain('a,b')
    expect((await second.instance.get(`${path}/raw`)).status).toBe(200)
    expect((await listEmails(second, id)).map((email) => email.id)).toEqual([before?.id])
  })

  it('rejects a raw message that cannot be stored with 400', async () => {
    const fixture = await createFixture(engine)
    await refuseRows(fixture.instance.database.db, engine, 'email_bodies', "new.text like '%INJECTED%'")
    const post = (headers = {}) =>
      fixture.instance.call('POST', '/api/emails', {
        body: Buffer.from(message({ subject: 'bad', body: BAD })),
        headers: { 'content-type': 'message/rfc822', ...headers },
      })
    for (const answer of [await post(), await post({ 'idempotency-key': 'once' })]) {
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'unreadable_message' })
      expect(answer.body.detail).toMatch(/^The message could not be read\. .* Nothing was stored\./)
    }
    expect((await fixture.instance.get('/api/emails')).body.emails).toEqual([])
  })
})

withMailServersOnOneDatabase('sqlite', 'a process that is killed while reading a message', (engine) => {
  it('stops retrying the message and stores the others', async () => {
    const proxy = await startTcpProxy(mailServers().imap)
    let isStalling = true
    let hasStalled = false
    proxy.transform = (said) => {
      if (isStalling && said.includes('STALLS-HERE')) hasStalled = true
      return hasStalled ? Buffer.alloc(0) : said
    }
    const bad = message({ subject: 'bad', body: 'STALLS-HERE' })
    const { address } = await openMailbox([
      message({ subject: 'n0' }),
      bad,
      message({ subject: 'n1' }),
      message({ subject: 'n2' }),
    ])
    const place = await makeDataPlace(engine, 'prepared')
    let running = await startFactotum(place.environment)
    const call = (method: string, path: string, body?: unknown, token?: string) =>
      callProcess(running, method, path, body, token)
    const owner = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }
    const { token } = await call('POST', '/api/auth/register', owner)
    const imap = { host: '127.0.0.1', port: proxy.port, tls: 'none' }
    await call('POST', '/api/settings/mail-accounts', { ...accountBody(address), imap }, token)
    /** The lease of a killed process expires after 15 seconds. The test does not wait for that. */
    const endLease = async (): Promise<void> => {
      const database = await openDatabase({ ...place, onIdleError: () => {} })
      await database.db.updateTable('mail_sync').set({ owner: null, leaseUntil: null }).execute()
      await database.close()
    }
    for (let kills = 0; kills < 2; kills++) {
      await eventually(async () => hasStalled)
      running.child.kill('SIGKILL')
      await running.ended
      proxy.cut()
      await endLease()
      isStalling = kills === 0
      hasStalled = false
      running = await startFactotum(place.environment)
    }
    const emails: EmailJson[] = await eventually(async () => {
      const { emails: listed } = await call('GET', '/api/emails')
      return listed.length === 4 && listed
    })
    expect(
      Object.fromEntries(emails.map(({ subject, unreadable }) => [subject, unreadable?.reason ?? null])),
    ).toEqual({
      n0: null,
      n1: null,
      n2: null,
      bad: 'The service stopped 2 times while reading this message.',
    })
    const { id = 0 } = emails.find(({ subject }) => subject === 'bad') ?? {}
    expect(await (await fetch(`${running.url}/api/emails/${id}/raw`)).text()).toBe(bad)
    running.child.kill('SIGTERM')
    await running.ended
    proxy.close()
    await place.remove()
  })
})
