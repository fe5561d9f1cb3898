import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onSqliteUnlessFull } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Email, type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  doveadm,
  message,
  newAddress,
  openImapClient,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'

withMailServersOnEveryDatabase('mailbox sync', (engine) => {
  let fixture: MailFixture
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await fixture.close()
  })

  const openClient = async (address: string): Promise<ImapFlow> => {
    const client = await openImapClient(address)
    clients.push(client)
    return client
  }
  /** Creates a mailbox with these subjects in its inbox, and syncs it. */
  const connectMailbox = async (subjects: string[]) => {
    const address = newAddress()
    const client = await openClient(address)
    for (const subject of subjects) await client.append('INBOX', message({ subject, to: address }))
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    return { id, address, client }
  }
  const findBySubject = async (id: string, subject: string): Promise<Email> => {
    const found = (await fixture.emails(id)).find((email) => email.subject === subject)
    if (!found) throw new Error(`There is no ${subject}.`)
    return found
  }
  const readFlags = async (client: ImapFlow, folder: string): Promise<Record<string, string[]>> => {
    const { exists } = await client.mailboxOpen(folder)
    const found: Record<string, string[]> = {}
    if (exists === 0) return found
    for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
      found[envelope?.subject ?? ''] = [...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted()
    return found
  }
  const listSubjects = async (client: ImapFlow, folder: string): Promise<string[]> =>
    Object.keys(await readFlags(client, folder)).toSorted()

  it('stores every message of every folder once and reports the progress', async () => {
    const address = newAddress()
    const client = await openClient(address)
    await client.append('INBOX', message({ subject: 'one' }), ['\\Seen', '\\Flagged'])
    await client.append('INBOX', message({ subject: 'two' }))
    await client.append('Sent', message({ subject: 'sent' }), ['\\Seen'])
    await client.append('Trash', message({ subject: 'thrown away' }))
    await client.append('Junk', message({ subject: 'junk' }))
    await client.mailboxCreate('Projects')
    await client.append('Projects', message({ subject: 'filed' }))
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    const emails = await fixture.emails(id)
    const views = emails.map(({ subject, folder, read, starred }) => [subject, folder, read, starred])
    expect(views.toSorted()).toEqual([
      ['filed', 'other', false, false],
      ['one', 'inbox', true, true],
      ['sent', 'sent', true, false],
      ['thrown away', 'trash', false, false],
      ['two', 'inbox', false, false],
    ])
    const account = await fixture.account(id)
    expect(account.sync).toMatchObject({ status: 'live', error: null, progress: { stored: 6, total: 6 } })
    expect(account.sync.lastSyncAt).toEqual(expect.any(String))
    const { body } = await fixture.instance.get('/api/settings/billing/usage?days=1', fixture.person)
    expect(body.totals.messagesSynced).toBe(6)
  })

  onSqliteUnlessFull(engine, () => {
    it('receives a new message without polling', async () => {
      const { id, client } = await connectMailbox(['old'])
      await client.append('INBOX', message({ subject: 'new' }))
      await eventually(async () => (await fixture.subjects(id)).includes('new'))
      expect(await fixture.subjects(id)).toEqual(['new', 'old'])
    })

    it('analyses new mail and notifies of urgent mail, but ignores old mail', async () => {
      const { id, client } = await connectMailbox([])
      const body = 'The shop is down and customers cannot pay. We need your answer immediately, please.'
      const date = fixture.instance.clock.now().toUTCString()
      await client.append('INBOX', message({ subject: 'URGENT: outage of long ago', body }))
      await client.append('INBOX', message({ subject: 'URGENT: the shop is down', body, date }))
      await eventually(async () => (await fixture.subjects(id)).length === 2)
      await fixture.instance.app.jobs.start()
      const { id: emailId } = await findBySubject(id, 'URGENT: the shop is down')
      const read = async () => (await fixture.instance.get(`/api/emails/${emailId}`)).body
      await eventually(async () => (await read()).analysis !== null)
      expect((await read()).analysis).toMatchObject({
        urgency: { level: expect.stringMatching(/^(high|critical)$/) },
        engine: 'builtin',
        fallbackReason: 'not_needed',
        costUsd: 0,
      })
      const { body: notificationList } = await fixture.instance.get('/api/notifications', fixture.person)
      expect(
        notificationList.notifications.map(({ kind, title }: Record<string, string>) => [kind, title]),
      ).toContainEqual(['mail_urgent', 'Urgent: URGENT: the shop is down'])
      const old = await findBySubject(id, 'URGENT: outage of long ago')
      expect((await fixture.instance.get(`/api/emails/${old.id}`)).body.analysis).toBe(null)
      expect((await fixture.instance.get('/api/stats')).body.emails.urgent).toBe(1)
    })
  })

  it('transfers flags in both directions', async () => {
    const { id, client } = await connectMailbox(['a', 'b'])
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['\\Seen', '\\Flagged'])
    await eventually(async () => (await findBySubject(id, 'a')).starred)
    expect(await findBySubject(id, 'a')).toMatchObject({ read: true, starred: true })
    await client.messageFlagsRemove('1', ['\\Flagged'])
    await eventually(async () => !(await findBySubject(id, 'a')).starred)

    const b = await findBySubject(id, 'b')
    await fixture.change(b.id, { read: true, starred: true })
    await eventually(async () => (await readFlags(client, 'INBOX')).b?.includes('\\Flagged'))
    expect((await readFlags(client, 'INBOX')).b).toEqual(['\\Flagged', '\\Seen'])
    await fixture.change(b.id, { read: false })
    await eventually(async () => !(await readFlags(client, 'INBOX')).b?.includes('\\Seen'))
    await fixture.settle(id)
    expect(await findBySubject(id, 'b')).toMatchObject({ read: false, starred: true })
  })

  it('follows moves on the server and keeps the email id', async () => {
    const { id, client } = await connectMailbox(['a', 'b'])
    const before = await findBySubject(id, 'a')
    await fixture.change(before.id, { tags: ['kept'] })
    await client.mailboxOpen('INBOX')
    await client.messageMove('1', 'Archive')
    await eventually(async () => (await findBySubject(id, 'a')).folder === 'archive')
    expect(await findBySubject(id, 'a')).toMatchObject({ id: before.id, tags: ['kept'] })
    await client.mailboxOpen('Archive')
    await client.messageMove('1', 'INBOX')
    await fixture.settle(id)
    expect(await findBySubject(id, 'a')).toMatchObject({ id: before.id, folder: 'inbox' })
    expect(await fixture.subjects(id)).toEqual(['a', 'b'])
  })

  it('moves messages on the server', async () => {
    const { id, client } = await connectMailbox(['a', 'b'])
    const a = await findBySubject(id, 'a')
    await fixture.change(a.id, { folder: 'archive', read: true })
    await eventually(async () => (await listSubjects(client, 'Archive')).includes('a'))
    expect(await listSubjects(client, 'INBOX')).toEqual(['b'])
    expect((await readFlags(client, 'Archive')).a).toEqual(['\\Seen'])
    await fixture.settle(id)
    expect(await fixture.emails(id)).toHaveLength(2)
    expect(await findBySubject(id, 'a')).toMatchObject({ id: a.id, folder: 'archive', read: true })
  })

  onSqliteUnlessFull(engine, () => {
    it('notifies about a move of an email that somebody has just moved on the server', async () => {
      const { id, client } = await connectMailbox(['a', 'b'])
      const { instance, person } = fixture
      const conflicts = async (): Promise<{ title: string; link: string }[]> =>
        (await instance.get('/api/notifications?kind=mail_conflict', person)).body.notifications
      const a = await findBySubject(id, 'a')
      await fixture.change(a.id, { folder: 'archive' })
      await eventually(async () => (await listSubjects(client, 'Archive')).includes('a'))
      await fixture.settle(id)
      // Moving is no conflict.
      expect(await conflicts()).toEqual([])
      // The server does not report changes of other folders than the inbox.
      await client.mailboxOpen('Archive')
      await client.messageMove('1', 'Junk')
      await fixture.change(a.id, { folder: 'trash' })
      const [conflict] = await eventually(async () => {
        const found = await conflicts()
        return found.length > 0 && found
      })
      expect(conflict).toMatchObject({ title: '“a” was not moved to Trash', link: `/mail/inbox/${a.id}` })
      await eventually(async () => (await instance.get(`/api/emails/${a.id}`)).body.folder === 'junk')
      expect(await listSubjects(client, 'Trash')).toEqual([])
      expect(await conflicts()).toHaveLength(1)
    })

    it('notices moves between other folders within seconds', async () => {
      const { id, client } = await connectMailbox(['a', 'b'])
      const [a, b] = [await findBySubject(id, 'a'), await findBySubject(id, 'b')]
      await fixture.change(a.id, { folder: 'archive' })
      await eventually(async () => (await listSubjects(client, 'Archive')).includes('a'))
      await fixture.settle(id)
      await client.mailboxOpen('Archive')
      await client.messageMove('1', 'Trash')
      await fixture.advanceClock(16_000)
      // Ends the wait of the connection, which follows the real clock.
      await fixture.change(b.id, { starred: true })
      await eventually(
        async () => (await fixture.instance.get(`/api/emails/${a.id}`)).body.folder === 'trash',
      )
    })
  })

  it('moves messages to the trash on the server when they are deleted here, and does not fetch them again', async () => {
    const { id, client } = await connectMailbox(['keep', 'drop'])
    const { id: emailId } = await findBySubject(id, 'drop')
    expect((await fixture.instance.call('DELETE', `/api/emails/${emailId}`)).status).toBe(204)
    await eventually(async () => (await listSubjects(client, 'Trash')).includes('drop'))
    expect(await listSubjects(client, 'INBOX')).toEqual(['keep'])
    await fixture.settle(id)
    await fixture.settle(id)
    expect(await fixture.subjects(id)).toEqual(['keep'])
    expect((await fixture.account(id)).sync.progress).toEqual({ stored: 2, total: 2 })
  })

  it('moves messages to the trash that vanished from the server, and deletes those that vanished from its trash', async () => {
    const { id, client } = await connectMailbox(['stays', 'expunged'])
    await client.append('Trash', message({ subject: 'emptied' }))
    await fixture.settle(id)
    await client.mailboxOpen('Trash')
    await client.messageDelete('1')
    await client.mailboxOpen('INBOX')
    await client.messageDelete('2')
    await fixture.settle(id)
    await fixture.settle(id)
    const views = (await fixture.emails(id)).map(({ subject, folder }) => [subject, folder])
    expect(views.toSorted()).toEqual([
      ['expunged', 'trash'],
      ['stays', 'inbox'],
    ])
  })

  it('recognises messages when the UIDVALIDITY of a folder changes', async () => {
    const { id, address, client } = await connectMailbox(['a', 'b', 'c'])
    const before = await fixture.emails(id)
    await fixture.change((await findBySubject(id, 'b')).id, { tags: ['mine'] })
    await fixture.instance.call('DELETE', `/api/emails/${(await findBySubject(id, 'c')).id}`)
    await eventually(async () => (await listSubjects(client, 'Trash')).includes('c'))
    await client.append('INBOX', message({ subject: 'd' }))
    await eventually(async () => (await fixture.subjects(id)).includes('d'))
    await client.mailboxClose()
    for (const folder of ['INBOX', 'Trash'])
      await doveadm('mailbox', 'update', '-u', address, '--uid-validity', '4711', folder)
    await fixture.settle(id)
    await fixture.settle(id)
    expect(await fixture.subjects(id)).toEqual(['a', 'b', 'd'])
    const ids = (await fixture.emails(id)).filter(({ subject }) => subject !== 'd').map((email) => email.id)
    expect(ids.toSorted()).toEqual(
      before
        .filter(({ subject }) => subject !== 'c')
        .map((email) => email.id)
        .toSorted(),
    )
    const a = await findBySubject(id, 'a')
    await fixture.change(a.id, { starred: true })
    await eventually(async () => (await readFlags(client, 'INBOX')).a?.includes('\\Flagged'))
  })

  it('keeps similar messages apart, and stores a message in two folders once', async () => {
    const address = newAddress()
    const client = await openClient(address)
    const duplicate = message({ subject: 'twin' })
    await client.append('INBOX', duplicate)
    await client.append('Archive', duplicate)
    await client.append('INBOX', message({ subject: 'alike' }))
    await client.append('INBOX', message({ subject: 'alike' }))
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    const views = (await fixture.emails(id)).map(({ subject, folder }) => `${subject} in ${folder}`)
    expect(views.toSorted()).toEqual(['alike in inbox', 'alike in inbox', 'twin in inbox'])
  })

  onSqliteUnlessFull(engine, () => {
    it('reports why it fails, and recovers when the account is corrected', async () => {
      const address = newAddress()
      const { id } = await fixture.addAccount(address, { password: 'wrong' })
      const failing = await eventually(async () => {
        const { sync } = await fixture.account(id)
        return sync.status === 'failing' && sync
      })
      expect(failing.error).toContain('rejected this user name and password')
      await fixture.instance.call('PATCH', `/api/settings/mail-accounts/${id}`, {
        body: { password: 'secret' },
        token: fixture.person.token,
      })
      await fixture.live(id)
      expect((await fixture.account(id)).sync.error).toBeNull()
    })

    it('stops while the account is turned off, and keeps the emails when it is removed', async () => {
      const { id, client } = await connectMailbox(['before'])
      const path = `/api/settings/mail-accounts/${id}`
      await fixture.instance.call('PATCH', path, { body: { enabled: false }, token: fixture.person.token })
      await client.append('INBOX', message({ subject: 'meanwhile' }))
      expect((await fixture.sync(id)).status).toBe(409)
      expect((await fixture.account(id)).sync.status).toBe('off')
      await fixture.instance.call('PATCH', path, { body: { enabled: true }, token: fixture.person.token })
      await eventually(async () => (await fixture.subjects(id)).includes('meanwhile'))
      await fixture.instance.call('DELETE', path, { token: fixture.person.token })
      expect(await fixture.subjects(id)).toEqual(['before', 'meanwhile'])
      expect(await listSubjects(client, 'INBOX')).toEqual(['before', 'meanwhile'])
    })
  })
})
