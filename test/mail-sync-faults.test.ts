import type { ImapFlow } from 'imapflow'
import { afterEach, expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { makeDataPlace } from './support/databases.ts'
import { type Desk, openDesk } from './support/mail-desk.ts'
import {
  accountBody,
  doveadm,
  eventually,
  mailServers,
  message,
  newAddress,
  openAsAnother,
  withMailServers,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'
import { type RunningProcess, startFactotum } from './support/process.ts'
import { layWire, type Wire } from './support/wire.ts'

const clients: ImapFlow[] = []
const wires: Wire[] = []
const desks: Desk[] = []
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
  for (const client of clients.splice(0)) await client.logout()
  for (const wire of wires.splice(0)) wire.close()
})

const wireTo = async (port: number): Promise<Wire> => {
  const wire = await layWire(port)
  wires.push(wire)
  return wire
}
const deskOn = async (engine: Engine = 'sqlite', options = {}): Promise<Desk> => {
  const desk = await openDesk(engine, options)
  desks.push(desk)
  return desk
}
/** A mailbox with so many messages, each of some kilobytes. */
const mailboxOf = async (count: number, address = newAddress()) => {
  const client = await openAsAnother(address)
  clients.push(client)
  const body = 'All work and no play makes Jack a dull boy.\r\n'.repeat(100)
  for (let n = 0; n < count; n++) await client.append('INBOX', message({ subject: `n${n}`, body }))
  return { address, client }
}
const expected = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`).toSorted()

withMailServers('a mailbox on a bad line', () => {
  it('is whole in the end although every connection breaks after a while, and no message is there twice', async () => {
    const wire = await wireTo(mailServers().imap)
    wire.breaksAfterBytes = 200_000
    const { address } = await mailboxOf(150)
    const desk = await deskOn()
    const { id } = await desk.addAccount(address, {
      imap: accountBody(address, { imapPort: wire.port }).imap,
    })
    await eventually(async () => {
      await desk.sync(id)
      return (await desk.account(id)).sync.progress.stored === 150
    })
    expect(await desk.subjects(id)).toEqual(expected(150))
    expect((await desk.account(id)).sync.unreadable).toBe(0)
    expect(wire.connections).toBeGreaterThan(2)
  })

  it('comes back by itself when the line is cut, and when the server was away for a while', async () => {
    const wire = await wireTo(mailServers().imap)
    const { address, client } = await mailboxOf(3)
    const desk = await deskOn()
    const { id } = await desk.addAccount(address, {
      imap: accountBody(address, { imapPort: wire.port }).imap,
    })
    await desk.live(id)
    wire.cut()
    await client.append('INBOX', message({ subject: 'n3' }))
    await eventually(async () => (await desk.subjects(id)).length === 4)
    wire.isDown = true
    wire.cut()
    await client.append('INBOX', message({ subject: 'n4' }))
    const failing = await eventually(async () => {
      const { sync } = await desk.account(id)
      return sync.status === 'failing' && sync
    })
    expect(failing.error).toContain('127.0.0.1')
    wire.isDown = false
    await desk.sync(id)
    await eventually(async () => (await desk.subjects(id)).length === 5)
    expect(await desk.subjects(id)).toEqual(expected(5))
    expect((await desk.account(id)).sync).toMatchObject({ status: 'live', error: null })
  })

  it('survives that the server throws everyone out and starts anew', async () => {
    const { address, client } = await mailboxOf(2)
    const desk = await deskOn()
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    await doveadm('kick', address)
    const again = await openAsAnother(address)
    clients.splice(clients.indexOf(client), 1, again)
    await again.append('INBOX', message({ subject: 'n2' }))
    await eventually(async () => (await desk.subjects(id)).length === 3)
    expect(await desk.subjects(id)).toEqual(expected(3))
  })

  it('brings what was done while the line was down to the server afterwards', async () => {
    const wire = await wireTo(mailServers().imap)
    const { address, client } = await mailboxOf(2)
    const desk = await deskOn()
    const { id } = await desk.addAccount(address, {
      imap: accountBody(address, { imapPort: wire.port }).imap,
    })
    await desk.live(id)
    wire.isDown = true
    wire.cut()
    const [first, second] = await desk.emails(id)
    await desk.change(first?.id ?? 0, { starred: true })
    await desk.instance.call('DELETE', `/api/emails/${second?.id}`)
    wire.isDown = false
    await desk.sync(id)
    await eventually(
      async () => ((await client.status('Trash', { messages: true })) || { messages: 0 }).messages === 1,
    )
    await desk.settle(id)
    await client.mailboxOpen('INBOX')
    const left = await client.fetchAll('1:*', { flags: true, envelope: true })
    expect(left.map(({ flags, envelope }) => [envelope?.subject, flags?.has('\\Flagged')])).toEqual([
      [first?.subject, true],
    ])
    expect(await desk.emails(id)).toHaveLength(1)
  })

  it('compares everything with a server that cannot say what changed', async () => {
    const wire = await wireTo(mailServers().imap)
    wire.retell = (said) =>
      Buffer.from(
        said
          .toString('latin1')
          .replaceAll(' CONDSTORE QRESYNC', '')
          .replace(/\* OK \[HIGHESTMODSEQ \d+\] Highest\r\n/, ''),
        'latin1',
      )
    const { address, client } = await mailboxOf(4)
    const desk = await deskOn()
    const plain = { host: '127.0.0.1', port: wire.port, tls: 'none' }
    const { id } = await desk.addAccount(address, { imap: plain })
    await desk.live(id)
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('2', ['\\Flagged'])
    await client.messageMove('3', 'Archive')
    await client.messageDelete('1')
    await desk.settle(id)
    await desk.settle(id)
    const shown = (await desk.emails(id)).map(({ subject, folder, starred }) => [subject, folder, starred])
    expect(shown.toSorted()).toEqual([
      ['n0', 'trash', false],
      ['n1', 'inbox', true],
      ['n2', 'archive', false],
      ['n3', 'inbox', false],
    ])
  })
})

withMailServersOnEveryDatabase(
  'a process that is killed in the middle of a sync',
  (engine) => {
    // Whoever was killed keeps its accounts until its lease has ended.
    it('has lost nothing and doubled nothing after the next start', { timeout: 120_000 }, async () => {
      const { address } = await mailboxOf(250)
      const place = await makeDataPlace(engine, 'prepared')
      let running: RunningProcess & { url: string } = await startFactotum(place.environment)
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
      const account = await call('POST', '/api/settings/mail-accounts', accountBody(address), token)
      const stored = async (): Promise<number> =>
        (await call('GET', `/api/settings/mail-accounts/${account.id}`, undefined, token)).sync.progress
          .stored
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
      expect(subjects.toSorted()).toEqual(expected(250))
      expect(kills).toBe(1)
      running.child.kill('SIGTERM')
      await running.ended
      await place.remove()
    })
  },
  { concurrent: true },
)

withMailServersOnEveryDatabase('several instances', (engine) => {
  it('share the accounts: one looks after each, and another takes over when it is gone', async () => {
    const { address, client } = await mailboxOf(2)
    const place = await makeDataPlace(engine, 'prepared')
    const first = await deskOn(engine, { place })
    const { id } = await first.addAccount(address)
    await first.live(id)
    const ownerOf = async () =>
      await first.instance.database.db
        .selectFrom('mail_sync')
        .select(['owner', 'epoch'])
        .where('accountId', '=', id)
        .executeTakeFirstOrThrow()
    const before = await ownerOf()
    const second = await deskOn(engine, { place, clock: first.instance.clock })
    await first.settle(id)
    expect(await ownerOf()).toEqual(before)

    // A change that is made on the one that does not look after the account reaches the server all the same.
    const [email] = await first.emails(id)
    await second.change(email?.id ?? 0, { starred: true })
    await client.mailboxOpen('INBOX')
    await eventually(async () => {
      await client.noop()
      return ((await client.search({ flagged: true })) || []).length === 1
    })

    await first.instance.app.syncing.stop()
    await eventually(async () => (await ownerOf()).owner !== before.owner && (await ownerOf()).owner !== null)
    expect((await ownerOf()).epoch).toBeGreaterThan(before.epoch)
    await client.append('INBOX', message({ subject: 'n2' }))
    await eventually(async () => (await second.subjects(id)).length === 3)
    expect(await second.subjects(id)).toEqual(expected(3))
  })
})
