import type { ImapFlow } from 'imapflow'
import { afterEach, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { makeDataPlace } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  accountBody,
  doveadm,
  mailServers,
  message,
  newAddress,
  openImapClient,
  withMailServers,
  withMailServersOnEveryDatabase,
  withMailServersOnOneDatabase,
} from './support/mail-servers.ts'
import { callProcess, type RunningProcess, startFactotum } from './support/process.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'

const clients: ImapFlow[] = []
const proxies: TcpProxy[] = []
const fixtures: MailFixture[] = []
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close()
  for (const client of clients.splice(0)) await client.logout()
  for (const proxy of proxies.splice(0)) proxy.close()
})

const openProxy = async (port: number): Promise<TcpProxy> => {
  const proxy = await startTcpProxy(port)
  proxies.push(proxy)
  return proxy
}
const createFixture = async (engine: Engine = 'sqlite', options = {}): Promise<MailFixture> => {
  const fixture = await openMailFixture(engine, options)
  fixtures.push(fixture)
  return fixture
}
/** Creates a mailbox with `count` messages of several kilobytes. */
const createMailbox = async (count: number, address = newAddress()) => {
  const client = await openImapClient(address)
  clients.push(client)
  const body = 'All work and no play makes Jack a dull boy.\r\n'.repeat(100)
  for (let n = 0; n < count; n++) await client.append('INBOX', message({ subject: `n${n}`, body }))
  return { address, client }
}
const listSubjects = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`).toSorted()

withMailServers('sync over an unreliable connection', () => {
  it('stores every message once although each connection breaks', async () => {
    const proxy = await openProxy(mailServers().imap)
    proxy.breaksAfterBytes = 200_000
    const { address } = await createMailbox(100)
    const fixture = await createFixture()
    const { id } = await fixture.addAccount(address, {
      imap: accountBody(address, { imapPort: proxy.port }).imap,
    })
    await eventually(async () => {
      await fixture.sync(id)
      return (await fixture.account(id)).sync.progress.stored === 100
    })
    expect(await fixture.subjects(id)).toEqual(listSubjects(100))
    expect((await fixture.account(id)).sync.unreadable).toBe(0)
    expect(proxy.connections).toBeGreaterThan(2)
  })

  it('reconnects after a lost connection and after an outage of the server', async () => {
    const proxy = await openProxy(mailServers().imap)
    const { address, client } = await createMailbox(3)
    const fixture = await createFixture()
    const { id } = await fixture.addAccount(address, {
      imap: accountBody(address, { imapPort: proxy.port }).imap,
    })
    await fixture.live(id)
    proxy.cut()
    await client.append('INBOX', message({ subject: 'n3' }))
    await eventually(async () => (await fixture.subjects(id)).length === 4)
    proxy.isDown = true
    proxy.cut()
    await client.append('INBOX', message({ subject: 'n4' }))
    const failing = await eventually(async () => {
      const { sync } = await fixture.account(id)
      return sync.status === 'failing' && sync
    })
    expect(failing.error).toContain('127.0.0.1')
    proxy.isDown = false
    await fixture.sync(id)
    await eventually(async () => (await fixture.subjects(id)).length === 5)
    expect(await fixture.subjects(id)).toEqual(listSubjects(5))
    expect((await fixture.account(id)).sync).toMatchObject({ status: 'live', error: null })
  })

  it('reconnects after the server closes all sessions', async () => {
    const { address, client } = await createMailbox(2)
    const fixture = await createFixture()
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    await doveadm('kick', address)
    const again = await openImapClient(address)
    clients.splice(clients.indexOf(client), 1, again)
    await again.append('INBOX', message({ subject: 'n2' }))
    await eventually(async () => (await fixture.subjects(id)).length === 3)
    expect(await fixture.subjects(id)).toEqual(listSubjects(3))
  })

  it('sends local changes to the server after an outage', async () => {
    const proxy = await openProxy(mailServers().imap)
    const { address, client } = await createMailbox(2)
    const fixture = await createFixture()
    const { id } = await fixture.addAccount(address, {
      imap: accountBody(address, { imapPort: proxy.port }).imap,
    })
    await fixture.live(id)
    proxy.isDown = true
    proxy.cut()
    const [first, second] = await fixture.emails(id)
    await fixture.change(first?.id ?? 0, { starred: true })
    await fixture.instance.call('DELETE', `/api/emails/${second?.id}`)
    proxy.isDown = false
    await fixture.sync(id)
    await eventually(
      async () => ((await client.status('Trash', { messages: true })) || { messages: 0 }).messages === 1,
    )
    await fixture.settle(id)
    await client.mailboxOpen('INBOX')
    const left = await client.fetchAll('1:*', { flags: true, envelope: true })
    expect(left.map(({ flags, envelope }) => [envelope?.subject, flags?.has('\\Flagged')])).toEqual([
      [first?.subject, true],
    ])
    expect(await fixture.emails(id)).toHaveLength(1)
  })

  it('compares all messages if the server cannot list changes', async () => {
    const proxy = await openProxy(mailServers().imap)
    proxy.transform = (said) =>
      Buffer.from(
        said
          .toString('latin1')
          .replaceAll(' CONDSTORE QRESYNC', '')
          .replace(/\* OK \[HIGHESTMODSEQ \d+\] Highest\r\n/, ''),
        'latin1',
      )
    const { address, client } = await createMailbox(4)
    const fixture = await createFixture()
    const plain = { host: '127.0.0.1', port: proxy.port, tls: 'none' }
    const { id } = await fixture.addAccount(address, { imap: plain })
    await fixture.live(id)
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('2', ['\\Flagged'])
    await client.messageMove('3', 'Archive')
    await client.messageDelete('1')
    await fixture.settle(id)
    await fixture.settle(id)
    const emails = (await fixture.emails(id)).map(({ subject, folder, starred }) => [
      subject,
      folder,
      starred,
    ])
    expect(emails.toSorted()).toEqual([
      ['n0', 'trash', false],
      ['n1', 'inbox', true],
      ['n2', 'archive', false],
      ['n3', 'inbox', false],
    ])
  })
})

withMailServersOnOneDatabase('postgres', 'a process that is killed during a sync', (engine) => {
  // The killed process keeps its accounts until its lease expires.
  it('neither loses nor duplicates messages after a restart', async () => {
    const { address } = await createMailbox(250)
    const place = await makeDataPlace(engine, 'prepared')
    let running: RunningProcess & { url: string } = await startFactotum(place.environment)
    const call = (method: string, path: string, body?: unknown, token?: string) =>
      callProcess(running, method, path, body, token)
    const owner = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }
    const { token } = await call('POST', '/api/auth/register', owner)
    const account = await call('POST', '/api/settings/mail-accounts', accountBody(address), token)
    const stored = async (): Promise<number> =>
      (await call('GET', `/api/settings/mail-accounts/${account.id}`, undefined, token)).sync.progress.stored
    let kills = 0
    for (const mark of [60]) {
      await eventually(async () => (await stored()) >= mark)
      running.child.kill('SIGKILL')
      await running.ended
      kills++
      running = await startFactotum(place.environment)
    }
    await eventually(async () => (await stored()) === 250)
    const subjects: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { emails: { subject: string }[]; nextCursor: string | null } = await call(
        'GET',
        `/api/emails?limit=200${cursor && `&cursor=${cursor}`}`,
      )
      subjects.push(...page.emails.map(({ subject }) => subject))
      cursor = page.nextCursor
    }
    expect(subjects.toSorted()).toEqual(listSubjects(250))
    expect(kills).toBe(1)
    running.child.kill('SIGTERM')
    await running.ended
    await place.remove()
  })
})

withMailServersOnEveryDatabase('several instances', (engine) => {
  it('sync each account in one instance, and another instance takes over', async () => {
    const { address, client } = await createMailbox(2)
    const place = await makeDataPlace(engine, 'prepared')
    const first = await createFixture(engine, { place })
    const { id } = await first.addAccount(address)
    await first.live(id)
    const readOwner = async () =>
      await first.instance.database.db
        .selectFrom('mail_sync')
        .select(['owner', 'epoch'])
        .where('accountId', '=', id)
        .executeTakeFirstOrThrow()
    const before = await readOwner()
    const second = await createFixture(engine, { place, clock: first.instance.clock })
    await first.settle(id)
    expect(await readOwner()).toEqual(before)

    // A change made on the other instance also reaches the server.
    const [email] = await first.emails(id)
    await second.change(email?.id ?? 0, { starred: true })
    await client.mailboxOpen('INBOX')
    await eventually(async () => {
      await client.noop()
      return ((await client.search({ flagged: true })) || []).length === 1
    })

    await first.instance.app.syncing.stop()
    await eventually(
      async () => (await readOwner()).owner !== before.owner && (await readOwner()).owner !== null,
    )
    expect((await readOwner()).epoch).toBeGreaterThan(before.epoch)
    await client.append('INBOX', message({ subject: 'n2' }))
    await eventually(async () => (await second.subjects(id)).length === 3)
    expect(await second.subjects(id)).toEqual(listSubjects(3))
  })
})
