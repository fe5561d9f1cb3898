import { afterAll, beforeAll, expect, it } from 'vitest'
import { measureStorage, readStorage } from '../src/database/account-storage.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { exportOf, importInto } from './support/exports.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { openMailFixture } from './support/mail-fixture.ts'
import { message, newAddress, openImapClient, withMailServersOnOneDatabase } from './support/mail-servers.ts'
import { type Person, register } from './support/people.ts'

const RAW = [
  'From: Ben <ben@example.org>',
  'Subject: Grüße',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Schöne Grüße</p>',
  '--b',
  'Content-Type: application/octet-stream; name=a.bin',
  'Content-Disposition: attachment; filename=a.bin',
  '',
  'x'.repeat(5000),
  '--b--',
  '',
].join('\r\n')

const ACCOUNT = {
  address: 'ana@example.org',
  password: 'x',
  imap: { host: '127.0.0.1', port: 1, tls: 'none' },
  smtp: { host: '127.0.0.1', port: 1, tls: 'none' },
}

onEveryDatabase('storage', (engine) => {
  let instance: Instance
  let owner: Person
  let member: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    owner = await register(instance)
    member = await register(instance)
    await instance.post('/api/settings/mail-accounts', ACCOUNT, member)
  })
  afterAll(() => instance.close())

  const upload = (bytes: number, { token }: Person = member) =>
    instance.call('POST', '/api/attachments?filename=a.bin', {
      body: Buffer.alloc(bytes, 7),
      headers: { 'content-type': 'application/octet-stream' },
      token,
    })
  const importRaw = ({ token }: Person = member) =>
    instance.call('POST', '/api/emails', { body: RAW, headers: { 'content-type': 'message/rfc822' }, token })
  const create = (input: object, person: Person = member) =>
    instance.post('/api/emails', { from: 'ben@example.org', ...input }, person)
  const change = (id: number, body: object) =>
    instance.call('PATCH', `/api/emails/${id}`, { body, token: member.token })
  const remove = (id: number) => instance.call('DELETE', `/api/emails/${id}`, { token: member.token })
  const setQuota = (storageQuotaBytes: number | null, { id }: { id: number } = member) =>
    instance.call('PATCH', `/api/accounts/${id}`, { body: { storageQuotaBytes }, token: owner.token })
  const readOwn = async ({ token }: Person = member) =>
    (await instance.get('/api/settings/storage', { token })).body
  const readUsed = async (person: Person = member): Promise<number> => (await readOwn(person)).storageBytes
  /** The tally must equal the sum over the stored rows, after every kind of change. */
  const expectExactTally = async (): Promise<number> => {
    const { db } = instance.database
    for (const { id } of [owner, member]) expect(await readStorage(db, id)).toBe(await measureStorage(db, id))
    return readStorage(db, member.id)
  }

  it('follows uploads, new emails, drafts, sending and deletions', async () => {
    expect(await expectExactTally()).toBe(0)
    const first = await upload(1000)
    const second = await upload(500)
    expect(await expectExactTally()).toBe(1500)
    const text = 'Grüße'
    const draft = await create({ folder: 'drafts', text, attachmentIds: [first.body.id, second.body.id] })
    expect(await expectExactTally()).toBe(1500 + Buffer.byteLength(text))
    await change(draft.body.id, { text: 'Longer than before', attachmentIds: [second.body.id] })
    expect(await expectExactTally()).toBe(500 + 'Longer than before'.length)
    const raw = await importRaw()
    expect(await expectExactTally()).toBeGreaterThan(500 + 5000 + RAW.length)
    const sent = await instance.post(
      '/api/emails/send',
      { to: ['ben@example.org'], subject: 'Hi', text: 'Hello', attachmentIds: [(await upload(200)).body.id] },
      member,
    )
    expect(sent.status).toBe(202)
    await expectExactTally()
    await instance.post(`/api/emails/${sent.body.id}/cancel-send`, undefined, member)
    await change(sent.body.id, { text: 'Changed' })
    await expectExactTally()
    for (const { body } of [draft, raw, sent]) expect((await remove(body.id)).status).toBe(204)
    expect(await expectExactTally()).toBe(0)
  })

  it('is shown to the owner of the instance and to the account itself, in bytes', async () => {
    const { body: file } = await upload(3000)
    const { body: email } = await create({ subject: 'Hi', attachmentIds: [file.id] })
    const { accounts } = (await instance.get('/api/accounts', { token: owner.token })).body
    const view = accounts.map(({ id, storageBytes, storageQuotaBytes }: Record<string, unknown>) => [
      id,
      storageBytes,
      storageQuotaBytes,
    ])
    expect(view).toEqual([
      [owner.id, 0, null],
      [member.id, 3000, null],
    ])
    expect(await readOwn()).toEqual({ storageBytes: 3000, storageQuotaBytes: null, status: 'ok' })
    const usage = await instance.get('/api/settings/billing/usage?days=1', { token: member.token })
    expect(usage.body.totals.storageBytes).toBe(3000)
    await remove(email.id)
  })

  it('has a limit that only the owner of the instance sets', async () => {
    expect((await setQuota(10_000)).body).toMatchObject({ id: member.id, storageQuotaBytes: 10_000 })
    expect((await setQuota(20_000, owner)).body.storageQuotaBytes).toBe(20_000)
    expect((await setQuota(null, owner)).body.storageQuotaBytes).toBeNull()
    const refused = await instance.call('PATCH', `/api/accounts/${member.id}`, {
      body: { storageQuotaBytes: null },
      token: member.token,
    })
    expect(refused.status).toBe(403)
    expect((await setQuota(-1)).status).toBe(400)
    expect((await setQuota(1.5)).status).toBe(400)
    const { activity } = (
      await instance.get('/api/settings/security/activity?limit=1', { token: owner.token })
    ).body
    expect(activity[0].action).toBe('account.quota_changed')
  })

  it('rejects what does not fit, and stores nothing of it', async () => {
    await setQuota(4000)
    const { body: file } = await upload(3700)
    expect(await readOwn()).toMatchObject({ storageBytes: 3700, status: 'nearly_full' })
    const tooMuch = await upload(301)
    expect([tooMuch.status, tooMuch.body.code]).toEqual([413, 'storage_full'])
    expect(tooMuch.body.detail).toContain('Delete emails')
    expect((await importRaw()).body.code).toBe('storage_full')
    expect((await create({ text: 'x'.repeat(301) })).body.code).toBe('storage_full')
    const draft = await create({ folder: 'drafts', text: 'x'.repeat(250), attachmentIds: [file.id] })
    expect(draft.status).toBe(201)
    expect((await change(draft.body.id, { text: 'x'.repeat(301) })).body.code).toBe('storage_full')
    expect((await change(draft.body.id, { text: 'shorter' })).status).toBe(200)
    const resend = await instance.post(
      '/api/emails/send',
      { to: ['ben@example.org'], text: 'x', attachmentIds: [(await upload(200)).body.id] },
      member,
    )
    expect(resend.body.code).toBe('storage_full')
    expect((await create({ text: 'x'.repeat(301), folder: 'drafts' })).body.code).toBe('storage_full')
    expect((await create({ text: 'The limit of others does not matter' }, owner)).status).toBe(201)
    await expectExactTally()
    await remove(draft.body.id)
  })

  it('lets a full account answer mail, change flags and delete', async () => {
    await setQuota(null)
    const { body: email } = await create({ text: 'x'.repeat(500) })
    await setQuota(100)
    expect((await readOwn()).status).toBe('full')
    expect((await change(email.id, { read: true })).status).toBe(200)
    const answer = await instance.post('/api/emails/send', { to: ['ben@example.org'], text: 'Yes' }, member)
    expect(answer.status).toBe(202)
    expect((await upload(1)).body.code).toBe('storage_full')
    for (const { id } of [email, answer.body]) expect((await remove(id)).status).toBe(204)
    await setQuota(null)
    expect((await upload(1)).status).toBe(201)
  })

  it('limits new accounts as the owner of the instance decided, but not existing ones', async () => {
    const set = (defaultStorageQuotaBytes: number | null) =>
      instance.call('PATCH', '/api/instance', { body: { defaultStorageQuotaBytes }, token: owner.token })
    expect((await set(5_000_000_000)).body.defaultStorageQuotaBytes).toBe(5_000_000_000)
    const person = await register(instance)
    expect((await readOwn(person)).storageQuotaBytes).toBe(5_000_000_000)
    expect((await readOwn()).storageQuotaBytes).toBeNull()
    await set(null)
    expect((await readOwn(await register(instance))).storageQuotaBytes).toBeNull()
    expect((await readOwn(person)).storageQuotaBytes).toBe(5_000_000_000)
  })

  it('is forgotten with the account', async () => {
    const person = await register(instance)
    await upload(100, person)
    expect(await readUsed(person)).toBe(100)
    await instance.call('DELETE', '/api/settings/account', {
      body: { password: 'correct horse battery' },
      token: person.token,
    })
    expect(await readStorage(instance.database.db, person.id)).toBe(0)
  })
})

onOneDatabase('sqlite', 'storage', (engine) => {
  it('is counted again after an import, which must fit', async () => {
    const source = await startInstance({ engine })
    const person = await register(source)
    await source.call('POST', '/api/emails', {
      body: RAW,
      headers: { 'content-type': 'message/rfc822' },
      token: person.token,
    })
    const zip = await exportOf(source, person.token)
    const bytes = await readStorage(source.database.db, person.id)
    await source.close()
    const target = await startInstance({ engine })
    const importer = await register(target)
    const limit = (storageQuotaBytes: number) =>
      target.call('PATCH', `/api/accounts/${importer.id}`, {
        body: { storageQuotaBytes },
        token: importer.token,
      })
    await limit(bytes - 1)
    const refused = await importInto(target, importer.token, zip)
    expect([refused.status, refused.body.code]).toEqual([413, 'storage_full'])
    expect((await target.get('/api/emails', { token: importer.token })).body.emails).toEqual([])
    await limit(bytes)
    expect((await importInto(target, importer.token, zip)).status).toBe(200)
    expect(await readStorage(target.database.db, importer.id)).toBe(bytes)
    await target.close()
  })
})

withMailServersOnOneDatabase('sqlite', 'a full mailbox', (engine) => {
  it('pauses the sync, and imports the rest after there is room', async () => {
    const fixture = await openMailFixture(engine)
    const { instance, person } = fixture
    const setQuota = (storageQuotaBytes: number | null) =>
      instance.call('PATCH', `/api/accounts/${person.id}`, {
        body: { storageQuotaBytes },
        token: person.token,
      })
    const address = newAddress()
    const client = await openImapClient(address)
    const append = (subject: string, bytes = 100) =>
      client.append('INBOX', message({ subject, body: 'x'.repeat(bytes) }))
    const paused = (id: string) =>
      eventually(async () => {
        const { sync } = await fixture.account(id)
        return sync.status === 'paused' && sync
      })
    const readFlags = async (): Promise<Record<string, string[]>> => {
      await client.mailboxOpen('INBOX')
      const found: Record<string, string[]> = {}
      for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
        found[envelope?.subject ?? ''] = [...(flags ?? [])]
      return found
    }

    await append('first')
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    await setQuota(1)
    await append('second')
    expect(await paused(id)).toMatchObject({ error: expect.stringContaining('storage is full') })
    expect(await fixture.subjects(id)).toEqual(['first'])

    // Changes of stored messages are still synced in both directions.
    const [first] = await fixture.emails(id)
    await fixture.change(first?.id as number, { starred: true })
    await eventually(async () => (await readFlags()).first?.includes('\\Flagged'))
    await client.messageFlagsAdd('1', ['\\Seen'])
    await fixture.sync(id)
    await eventually(async () => (await fixture.emails(id))[0]?.read)

    // A message that another program moves is neither lost nor deleted here.
    await client.messageMove('1', 'Archive')
    await append('third')
    await fixture.sync(id)
    await paused(id)
    expect(await fixture.subjects(id)).toEqual(['first'])

    await setQuota(null)
    await fixture.live(id)
    await eventually(async () => (await fixture.subjects(id)).length === 3)
    expect(await fixture.subjects(id)).toEqual(['first', 'second', 'third'])
    expect((await fixture.emails(id)).find(({ subject }) => subject === 'first')?.id).toBe(first?.id)
    expect((await fixture.account(id)).sync).toMatchObject({ status: 'live', error: null })

    // Deleting makes room, too.
    await append('large', 50_000)
    await eventually(async () => (await fixture.subjects(id)).includes('large'))
    await setQuota(40_000)
    await append('fourth')
    await paused(id)
    const large = (await fixture.emails(id)).find(({ subject }) => subject === 'large')
    expect((await instance.call('DELETE', `/api/emails/${large?.id}`)).status).toBe(204)
    await eventually(async () => (await fixture.subjects(id)).includes('fourth'))
    await fixture.live(id)

    // A new connection to a full account imports nothing.
    await setQuota(1)
    const other = newAddress()
    const otherClient = await openImapClient(other)
    await otherClient.append('INBOX', message({ subject: 'waits' }))
    const { id: otherId } = await fixture.addAccount(other)
    await paused(otherId)
    expect(await fixture.subjects(otherId)).toEqual([])
    expect((await fixture.account(otherId)).sync.progress).toEqual({ stored: 0, total: 1 })
    await setQuota(null)
    await eventually(async () => (await fixture.subjects(otherId)).includes('waits'))
    expect(await readStorage(instance.database.db, person.id)).toBe(
      await measureStorage(instance.database.db, person.id),
    )
    for (const each of [client, otherClient]) await each.logout()
    await fixture.close()
  }, 120_000)
})
