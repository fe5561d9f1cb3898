import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, type Email, openDesk } from './support/mail-desk.ts'
import {
  doveadm,
  eventually,
  message,
  newAddress,
  openAsAnother,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'

withMailServersOnEveryDatabase('a mailbox that is kept in step', (engine) => {
  let desk: Desk
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    desk = await openDesk(engine)
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await desk.close()
  })

  const another = async (address: string): Promise<ImapFlow> => {
    const client = await openAsAnother(address)
    clients.push(client)
    return client
  }
  /** A mailbox with these subjects in its inbox, connected and in step. */
  const connected = async (subjects: string[]) => {
    const address = newAddress()
    const client = await another(address)
    for (const subject of subjects) await client.append('INBOX', message({ subject, to: address }))
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    return { id, address, client }
  }
  const bySubject = async (id: string, subject: string): Promise<Email> => {
    const found = (await desk.emails(id)).find((email) => email.subject === subject)
    if (!found) throw new Error(`There is no ${subject}.`)
    return found
  }
  const flagsOf = async (client: ImapFlow, folder: string): Promise<Record<string, string[]>> => {
    const { exists } = await client.mailboxOpen(folder)
    const found: Record<string, string[]> = {}
    if (exists === 0) return found
    for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
      found[envelope?.subject ?? ''] = [...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted()
    return found
  }
  const subjectsIn = async (client: ImapFlow, folder: string): Promise<string[]> =>
    Object.keys(await flagsOf(client, folder)).toSorted()

  it('has every message of every folder once, and shows how far it is', async () => {
    const address = newAddress()
    const client = await another(address)
    await client.append('INBOX', message({ subject: 'one' }), ['\\Seen', '\\Flagged'])
    await client.append('INBOX', message({ subject: 'two' }))
    await client.append('Sent', message({ subject: 'sent' }), ['\\Seen'])
    await client.append('Trash', message({ subject: 'thrown away' }))
    await client.append('Junk', message({ subject: 'junk' }))
    await client.mailboxCreate('Projects')
    await client.append('Projects', message({ subject: 'filed' }))
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    const emails = await desk.emails(id)
    const shown = emails.map(({ subject, folder, read, starred }) => [subject, folder, read, starred])
    expect(shown.toSorted()).toEqual([
      ['filed', 'archive', false, false],
      ['one', 'inbox', true, true],
      ['sent', 'sent', true, false],
      ['thrown away', 'trash', false, false],
      ['two', 'inbox', false, false],
    ])
    const account = await desk.account(id)
    expect(account.sync).toMatchObject({ status: 'live', error: null, progress: { stored: 5, total: 5 } })
    expect(account.sync.lastSyncAt).toEqual(expect.any(String))
    const { body } = await desk.instance.get('/api/settings/billing/usage?days=1', desk.person)
    expect(body.totals.messagesSynced).toBe(5)
  })

  it('hears of a new message by itself', async () => {
    const { id, client } = await connected(['old'])
    await client.append('INBOX', message({ subject: 'new' }))
    await eventually(async () => (await desk.subjects(id)).includes('new'))
    expect(await desk.subjects(id)).toEqual(['new', 'old'])
  })

  it('is read as it arrives, and what is urgent is told of; what is of long ago is not', async () => {
    const { id, client } = await connected([])
    const body = 'The shop is down and customers cannot pay. We need your answer immediately, please.'
    const date = desk.instance.clock.now().toUTCString()
    await client.append('INBOX', message({ subject: 'URGENT: outage of long ago', body }))
    await client.append('INBOX', message({ subject: 'URGENT: the shop is down', body, date }))
    await eventually(async () => (await desk.subjects(id)).length === 2)
    await desk.instance.app.jobs.start()
    const { id: emailId } = await bySubject(id, 'URGENT: the shop is down')
    const read = async () => (await desk.instance.get(`/api/emails/${emailId}`)).body
    await eventually(async () => (await read()).analysis !== null)
    expect((await read()).analysis).toMatchObject({
      urgency: { level: expect.stringMatching(/^(high|critical)$/) },
      ...{ engine: 'builtin', because: 'not_needed', costUsd: 0 },
    })
    const { body: told } = await desk.instance.get('/api/notifications', desk.person)
    expect(told.notifications.map(({ kind, title }: Record<string, string>) => [kind, title])).toContainEqual(
      ['mail_urgent', 'Urgent: URGENT: the shop is down'],
    )
    const old = await bySubject(id, 'URGENT: outage of long ago')
    expect((await desk.instance.get(`/api/emails/${old.id}`)).body.analysis).toBe(null)
    expect((await desk.instance.get('/api/stats')).body.emails.urgent).toBe(1)
  })

  it('takes marks over from the server, and brings its own there', async () => {
    const { id, client } = await connected(['a', 'b'])
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['\\Seen', '\\Flagged'])
    await eventually(async () => (await bySubject(id, 'a')).starred)
    expect(await bySubject(id, 'a')).toMatchObject({ read: true, starred: true })
    await client.messageFlagsRemove('1', ['\\Flagged'])
    await eventually(async () => !(await bySubject(id, 'a')).starred)

    const b = await bySubject(id, 'b')
    await desk.change(b.id, { read: true, starred: true })
    await eventually(async () => (await flagsOf(client, 'INBOX')).b?.includes('\\Flagged'))
    expect((await flagsOf(client, 'INBOX')).b).toEqual(['\\Flagged', '\\Seen'])
    await desk.change(b.id, { read: false })
    await eventually(async () => !(await flagsOf(client, 'INBOX')).b?.includes('\\Seen'))
    await desk.settle(id)
    expect(await bySubject(id, 'b')).toMatchObject({ read: false, starred: true })
  })

  it('takes moves over from the server as moves: the e-mail stays the one it was', async () => {
    const { id, client } = await connected(['a', 'b'])
    const before = await bySubject(id, 'a')
    await desk.change(before.id, { tags: ['kept'] })
    await client.mailboxOpen('INBOX')
    await client.messageMove('1', 'Archive')
    await eventually(async () => (await bySubject(id, 'a')).folder === 'archive')
    expect(await bySubject(id, 'a')).toMatchObject({ id: before.id, tags: ['kept'] })
    await client.mailboxOpen('Archive')
    await client.messageMove('1', 'INBOX')
    await desk.settle(id)
    expect(await bySubject(id, 'a')).toMatchObject({ id: before.id, folder: 'inbox' })
    expect(await desk.subjects(id)).toEqual(['a', 'b'])
  })

  it('brings its own moves to the server', async () => {
    const { id, client } = await connected(['a', 'b'])
    const a = await bySubject(id, 'a')
    await desk.change(a.id, { folder: 'archive', read: true })
    await eventually(async () => (await subjectsIn(client, 'Archive')).includes('a'))
    expect(await subjectsIn(client, 'INBOX')).toEqual(['b'])
    expect((await flagsOf(client, 'Archive')).a).toEqual(['\\Seen'])
    await desk.settle(id)
    expect(await desk.emails(id)).toHaveLength(2)
    expect(await bySubject(id, 'a')).toMatchObject({ id: a.id, folder: 'archive', read: true })
  })

  it('moves to the trash on the server what is deleted here, and does not bring it back', async () => {
    const { id, client } = await connected(['keep', 'drop'])
    const { id: emailId } = await bySubject(id, 'drop')
    expect((await desk.instance.call('DELETE', `/api/emails/${emailId}`)).status).toBe(204)
    await eventually(async () => (await subjectsIn(client, 'Trash')).includes('drop'))
    expect(await subjectsIn(client, 'INBOX')).toEqual(['keep'])
    await desk.settle(id)
    await desk.settle(id)
    expect(await desk.subjects(id)).toEqual(['keep'])
    expect((await desk.account(id)).sync.progress).toEqual({ stored: 2, total: 2 })
  })

  it('puts into the trash what is gone from the server, and forgets what was emptied out of its trash', async () => {
    const { id, client } = await connected(['stays', 'expunged'])
    await client.append('Trash', message({ subject: 'emptied' }))
    await desk.settle(id)
    await client.mailboxOpen('Trash')
    await client.messageDelete('1')
    await client.mailboxOpen('INBOX')
    await client.messageDelete('2')
    await desk.settle(id)
    await desk.settle(id)
    const shown = (await desk.emails(id)).map(({ subject, folder }) => [subject, folder])
    expect(shown.toSorted()).toEqual([
      ['expunged', 'trash'],
      ['stays', 'inbox'],
    ])
  })

  it('knows its messages again when the server numbers a folder anew', async () => {
    const { id, address, client } = await connected(['a', 'b', 'c'])
    const before = await desk.emails(id)
    await desk.change((await bySubject(id, 'b')).id, { tags: ['mine'] })
    await desk.instance.call('DELETE', `/api/emails/${(await bySubject(id, 'c')).id}`)
    await eventually(async () => (await subjectsIn(client, 'Trash')).includes('c'))
    await client.append('INBOX', message({ subject: 'd' }))
    await eventually(async () => (await desk.subjects(id)).includes('d'))
    await client.mailboxClose()
    for (const folder of ['INBOX', 'Trash'])
      await doveadm('mailbox', 'update', '-u', address, '--uid-validity', '4711', folder)
    await desk.settle(id)
    await desk.settle(id)
    expect(await desk.subjects(id)).toEqual(['a', 'b', 'd'])
    const ids = (await desk.emails(id)).filter(({ subject }) => subject !== 'd').map((email) => email.id)
    expect(ids.toSorted()).toEqual(
      before
        .filter(({ subject }) => subject !== 'c')
        .map((email) => email.id)
        .toSorted(),
    )
    const a = await bySubject(id, 'a')
    await desk.change(a.id, { starred: true })
    await eventually(async () => (await flagsOf(client, 'INBOX')).a?.includes('\\Flagged'))
  })

  it('keeps two messages apart that look alike, and takes one in two folders for one', async () => {
    const address = newAddress()
    const client = await another(address)
    const twin = message({ subject: 'twin' })
    await client.append('INBOX', twin)
    await client.append('Archive', twin)
    await client.append('INBOX', message({ subject: 'alike' }))
    await client.append('INBOX', message({ subject: 'alike' }))
    const { id } = await desk.addAccount(address)
    await desk.live(id)
    const shown = (await desk.emails(id)).map(({ subject, folder }) => `${subject} in ${folder}`)
    expect(shown.toSorted()).toEqual(['alike in inbox', 'alike in inbox', 'twin in inbox'])
  })

  it('says in words why it fails, and is right again once the account is mended', async () => {
    const address = newAddress()
    const { id } = await desk.addAccount(address, { password: 'wrong' })
    const failing = await eventually(async () => {
      const { sync } = await desk.account(id)
      return sync.status === 'failing' && sync
    })
    expect(failing.error).toContain('does not accept this name and password')
    await desk.instance.call('PATCH', `/api/settings/mail-accounts/${id}`, {
      body: { password: 'secret' },
      token: desk.person.token,
    })
    await desk.live(id)
    expect((await desk.account(id)).sync.error).toBeNull()
  })

  it('rests while it is turned off, and leaves its e-mails when it is removed', async () => {
    const { id, client } = await connected(['before'])
    const path = `/api/settings/mail-accounts/${id}`
    await desk.instance.call('PATCH', path, { body: { enabled: false }, token: desk.person.token })
    await client.append('INBOX', message({ subject: 'meanwhile' }))
    expect((await desk.sync(id)).status).toBe(409)
    expect((await desk.account(id)).sync.status).toBe('off')
    await desk.instance.call('PATCH', path, { body: { enabled: true }, token: desk.person.token })
    await eventually(async () => (await desk.subjects(id)).includes('meanwhile'))
    await desk.instance.call('DELETE', path, { token: desk.person.token })
    expect(await desk.subjects(id)).toEqual(['before', 'meanwhile'])
    expect(await subjectsIn(client, 'INBOX')).toEqual(['before', 'meanwhile'])
  })
})
