import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { type Kysely, sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { type Engine, openDatabase } from '../src/database/database.ts'
import type { Tables } from '../src/database/tables.ts'
import { command } from './support/command-line.ts'
import { makeDataPlace } from './support/databases.ts'
import { type Desk, type Email, openDesk } from './support/mail-desk.ts'
import {
  accountBody,
  eventually,
  mailServers,
  message,
  newAddress,
  openAsAnother,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'
import { startFactotum } from './support/process.ts'
import { layWire } from './support/wire.ts'

interface ShownEmail extends Email {
  unreadable: { reason: string; hasRaw: boolean } | null
  from: { name: string; address: string } | null
  snippet: string
  date: string
}

const desks: Desk[] = []
const clients: ImapFlow[] = []
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
  for (const client of clients.splice(0)) await client.logout()
})

const openDeskOn = async (engine: Engine, options = {}): Promise<Desk> => {
  const desk = await openDesk(engine, options)
  desks.push(desk)
  return desk
}

const openMailbox = async (messages: readonly (string | Buffer)[]) => {
  const address = newAddress()
  const client = await openAsAnother(address)
  clients.push(client)
  for (const each of messages) await client.append('INBOX', each)
  return { address, client }
}

const listEmails = async (desk: Desk, accountId: string): Promise<ShownEmail[]> =>
  (await desk.emails(accountId)) as ShownEmail[]

/** Makes the database refuse a row, as it refuses whatever it cannot keep. */
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

withMailServersOnEveryDatabase('a mailbox with a message that is hard to store', (engine) => {
  it('takes in 17,000 hashes and 8.4 MB of letters without a blank, and the mail around them', async () => {
    const utf8 = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit'
    const letters = 'я'.repeat(4_200_000)
    const { address } = await openMailbox([
      message({ subject: 'before' }),
      message({ subject: 'hashes', body: hashLines(17_000) }),
      message({ subject: 'between' }),
      Buffer.from(message({ subject: 'letters', headers: utf8, body: letters })),
      message({ subject: 'after' }),
    ])
    const desk = await openDeskOn(engine)
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    const emails = await listEmails(desk, id)
    expect(emails.map(({ subject }) => subject).toSorted()).toEqual(
      ['after', 'before', 'between', 'hashes', 'letters'].toSorted(),
    )
    expect(emails.every(({ unreadable }) => unreadable === null)).toBe(true)
    const [first] = hashLines(1).split('\r\n')
    const found = await desk.instance.get(`/api/emails?q=${first}`)
    expect(found.body.emails.map((email: Email) => email.subject)).toEqual(['hashes'])
    const start = await desk.instance.get(`/api/emails?q=${encodeURIComponent('я'.repeat(64))}&excerpts=true`)
    expect(start.body.emails.map((email: Email) => email.subject)).toEqual(['letters'])
  })

  it('stores what the database rejects as unreadable, with its bytes, and takes in the rest', async () => {
    const desk = await openDeskOn(engine)
    const { db } = desk.instance.database
    await refuseRows(db, engine, 'email_bodies', "new.text like '%INJECTED%'")
    const bad = message({ subject: 'Quarterly =?utf-8?q?gr=C3=BC=C3=9Fe?=', body: BAD })
    const { address, client } = await openMailbox([
      ...['n0', 'n1', 'n2'].map((subject) => message({ subject })),
      bad,
      ...['n3', 'n4'].map((subject) => message({ subject })),
    ])
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    expect(await desk.subjects(id)).toEqual(['Quarterly grüße', 'n0', 'n1', 'n2', 'n3', 'n4'])
    const email = (await listEmails(desk, id)).find(({ unreadable }) => unreadable !== null) as ShownEmail
    expect(email).toMatchObject({
      subject: 'Quarterly grüße',
      from: { name: 'Ben', address: 'ben@example.test' },
      date: '2026-03-02T10:00:00.000Z',
      folder: 'inbox',
      unreadable: { reason: 'The database rejected its contents.', hasRaw: true },
    })
    expect(email.snippet).toMatch(/^This message could not be read\./)
    const raw = await desk.instance.get(`/api/emails/${email.id}/raw`)
    expect(raw.headers.get('content-type')).toBe('message/rfc822')
    expect(raw.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(raw.body).toBe(bad)
    expect((await desk.account(id)).sync).toMatchObject({ status: 'live', error: null, unreadable: 1 })
    const { stdout } = await command(['doctor'], { PORT: '0', ...desk.instance.place.environment })
    expect(stdout).toMatch(new RegExp(`warn +mail +${address}: 1 message could not be read`))

    // It can be moved like any other, and new mail goes on arriving.
    await desk.change(email.id, { folder: 'archive' })
    await client.append('INBOX', message({ subject: 'n5' }))
    await eventually(async () => (await desk.subjects(id)).includes('n5'))
    await eventually(
      async () => ((await client.status('Archive', { messages: true })) || { messages: 0 }).messages === 1,
    )
    await desk.settle(id)
    expect(await desk.subjects(id)).toHaveLength(7)
  })

  it('stores a message without its header when the database rejects that', async () => {
    const desk = await openDeskOn(engine)
    await refuseRows(desk.instance.database.db, engine, 'emails', "new.subject = 'refused'")
    const { address } = await openMailbox(['n0', 'refused', 'n1'].map((subject) => message({ subject })))
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    const emails = await listEmails(desk, id)
    expect(emails.map(({ subject, unreadable }) => [subject, unreadable !== null]).toSorted()).toEqual([
      ['', true],
      ['n0', false],
      ['n1', false],
    ])
  })

  // The database has no part in it.
  it.runIf(engine === 'sqlite')('keeps the header of a message that is too large to download', async () => {
    const { address } = await openMailbox([
      message({ subject: 'n0' }),
      Buffer.from(message({ subject: 'huge', body: `${'x'.repeat(998)}\r\n`.repeat(52_500) })),
    ])
    const desk = await openDeskOn(engine)
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    const emails = await listEmails(desk, id)
    expect(emails.map(({ subject }) => subject).toSorted()).toEqual(['huge', 'n0'])
    const huge = emails.find(({ subject }) => subject === 'huge') as ShownEmail
    expect(huge).toMatchObject({
      from: { address: 'ben@example.test' },
      unreadable: { reason: 'It is larger than 50 MiB and was not downloaded.', hasRaw: false },
    })
    expect((await desk.instance.get(`/api/emails/${huge.id}/raw`)).status).toBe(404)
    expect((await desk.account(id)).sync.unreadable).toBe(1)
  })

  // SQLite has no way to refuse one row as a full disk would.
  it.runIf(engine === 'postgres')('does not take a full disk for a fault of the message', async () => {
    const desk = await openDeskOn(engine)
    const { db } = desk.instance.database
    await refuseRows(db, engine, 'email_bodies', "new.text like '%INJECTED%'", '53100')
    const { address } = await openMailbox([message({ subject: 'n0' }), message({ subject: 'n1', body: BAD })])
    const { id } = await desk.addAccount(address)
    await eventually(async () => (await desk.account(id)).sync.status === 'failing')
    expect(await listEmails(desk, id)).toEqual([])
    await allowRows(db, engine, 'email_bodies')
    await desk.sync(id)
    await desk.live(id)
    const emails = await listEmails(desk, id)
    expect(emails.map(({ subject, unreadable }) => [subject, unreadable]).toSorted()).toEqual([
      ['n0', null],
      ['n1', null],
    ])
  })

  it('reads a message again with the next version, in place', async () => {
    const place = await makeDataPlace(engine, 'prepared')
    const first = await openDeskOn(engine, { place })
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
    await first.instance.app.rooms.unreadableEmails.requestReading()
    const jobs = await first.instance.app.jobs.list({ limit: 10 })
    expect(jobs.some(({ name }) => name === 'read-unreadable-mail')).toBe(false)
    await allowRows(database.db, engine, 'email_bodies')

    const second = await openDesk(engine, { place, clock, deps: { version: '0.0.1-test' } })
    desks.push(second)
    await second.instance.app.rooms.unreadableEmails.requestReading()
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

  it('answers 400 to a raw message that cannot be stored, and stores nothing', async () => {
    const desk = await openDeskOn(engine)
    await refuseRows(desk.instance.database.db, engine, 'email_bodies', "new.text like '%INJECTED%'")
    const post = (headers = {}) =>
      desk.instance.call('POST', '/api/emails', {
        body: Buffer.from(message({ subject: 'bad', body: BAD })),
        headers: { 'content-type': 'message/rfc822', ...headers },
      })
    for (const answer of [await post(), await post({ 'idempotency-key': 'once' })]) {
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'unreadable_message' })
      expect(answer.body.detail).toMatch(/^The message could not be read\. .* Nothing was stored\./)
    }
    expect((await desk.instance.get('/api/emails')).body.emails).toEqual([])
  })
})

withMailServersOnEveryDatabase(
  'a process that is killed while it reads a message',
  (engine) => {
    it('does not read it for ever, and takes in the mail around it', { timeout: 120_000 }, async () => {
      const wire = await layWire(mailServers().imap)
      let isStalling = true
      let hasStalled = false
      wire.retell = (said) => {
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
      const owner = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }
      const { token } = await call('POST', '/api/auth/register', owner)
      const imap = { host: '127.0.0.1', port: wire.port, tls: 'none' }
      await call('POST', '/api/settings/mail-accounts', { ...accountBody(address), imap }, token)
      /** A lease of a killed process ends after 15 seconds; the test does not wait for that. */
      const endLease = async (): Promise<void> => {
        const database = await openDatabase({ ...place, onIdleError: () => {} })
        await database.db.updateTable('mail_sync').set({ owner: null, leaseUntil: null }).execute()
        await database.close()
      }
      for (let kills = 0; kills < 2; kills++) {
        await eventually(async () => hasStalled)
        running.child.kill('SIGKILL')
        await running.ended
        wire.cut()
        await endLease()
        isStalling = kills === 0
        hasStalled = false
        running = await startFactotum(place.environment)
      }
      const emails: ShownEmail[] = await eventually(async () => {
        const { emails: shown } = await call('GET', '/api/emails')
        return shown.length === 4 && shown
      })
      expect(
        Object.fromEntries(emails.map(({ subject, unreadable }) => [subject, unreadable?.reason ?? null])),
      ).toEqual({ n0: null, n1: null, n2: null, bad: 'The service stopped 2 times while reading it.' })
      const { id = 0 } = emails.find(({ subject }) => subject === 'bad') ?? {}
      expect(await (await fetch(`${running.url}/api/emails/${id}/raw`)).text()).toBe(bad)
      running.child.kill('SIGTERM')
      await running.ended
      wire.close()
      await place.remove()
    })
  },
  { concurrent: true },
)
