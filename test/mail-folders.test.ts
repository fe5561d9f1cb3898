import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type Email, type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import { message, newAddress, openImapClient, withMailServersOnOneDatabase } from './support/mail-servers.ts'

interface Folder {
  id: number
  accountId: string
  name: string
  path: string
  parentId: number | null
  specialUse: string | null
  selectable: boolean
  unread: number
  total: number
}

type FolderEmail = Email & { folderId: number | null; tags: string[] }

withMailServersOnOneDatabase('postgres', 'folders of mail accounts', (engine) => {
  let fixture: MailFixture
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await fixture.close()
  })

  /** Creates a mailbox with these folders and subjects, and syncs it. */
  const connect = async (content: Record<string, string[]>) => {
    const address = newAddress()
    const client = await openImapClient(address)
    clients.push(client)
    for (const [folder, subjects] of Object.entries(content)) {
      if (folder !== 'INBOX' && folder !== 'Junk') await client.mailboxCreate(folder)
      for (const subject of subjects) await client.append(folder, message({ subject, to: address }))
    }
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    return { id, client, address }
  }
  const folders = async (accountId: string): Promise<Folder[]> =>
    (await fixture.instance.get(`/api/folders?accountId=${accountId}`)).body.folders
  const folderAt = async (accountId: string, path: string): Promise<Folder> => {
    const found = (await folders(accountId)).find((folder) => folder.path === path)
    if (!found) throw new Error(`There is no folder ${path}.`)
    return found
  }
  const list = async (query: string): Promise<FolderEmail[]> =>
    (await fixture.instance.get(`/api/emails?${query}`)).body.emails
  const find = async (accountId: string, subject: string): Promise<FolderEmail> => {
    const found = (await list(`accountId=${accountId}&limit=200`)).find((email) => email.subject === subject)
    if (!found) throw new Error(`There is no ${subject}.`)
    return found
  }
  const paths = async (client: ImapFlow): Promise<string[]> => (await client.list()).map(({ path }) => path)
  const readFlags = async (client: ImapFlow, folder: string): Promise<Record<string, string[]>> => {
    const { exists } = await client.mailboxOpen(folder)
    const found: Record<string, string[]> = {}
    if (exists === 0) return found
    for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
      found[envelope?.subject ?? ''] = [...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted()
    return found
  }

  it('lists names, hierarchy, special use and counts', async () => {
    const { id } = await connect({ INBOX: ['a', 'b'], 'Büro.Ümlaut & Söhne': ['c'] })
    const all = await folders(id)
    const office = all.find(({ name }) => name === 'Büro')
    expect(office).toMatchObject({ parentId: null, specialUse: null, selectable: false, total: 0 })
    expect(all.find(({ name }) => name === 'Ümlaut & Söhne')).toMatchObject({
      path: 'Büro.Ümlaut & Söhne',
      parentId: office?.id,
      selectable: true,
      unread: 1,
      total: 1,
    })
    expect(all.find(({ path }) => path === 'INBOX')).toMatchObject({
      specialUse: 'inbox',
      unread: 2,
      total: 2,
    })
    expect(all.map(({ specialUse }) => specialUse)).toEqual(
      expect.arrayContaining(['inbox', 'sent', 'trash', 'junk', 'archive']),
    )
    const { id: emailId, folder, folderId } = await find(id, 'c')
    expect([folder, folderId]).toEqual(['other', (await folderAt(id, 'Büro.Ümlaut & Söhne')).id])
    await fixture.change(emailId, { read: true })
    expect(await folderAt(id, 'Büro.Ümlaut & Söhne')).toMatchObject({ unread: 0, total: 1 })
    expect((await list(`folderId=${folderId}`)).map(({ subject }) => subject)).toEqual(['c'])
    expect(
      (await list(`q=${encodeURIComponent('in:"ümlaut & söhne"')}`)).map(({ subject }) => subject),
    ).toEqual(['c'])
    expect((await list(`accountId=${id}&q=${encodeURIComponent('-in:"büro.ümlaut & söhne"')}`)).length).toBe(
      2,
    )
    // A snoozed email is not listed in the inbox until it returns.
    await fixture.change((await find(id, 'a')).id, {
      snoozedUntil: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect(await folderAt(id, 'INBOX')).toMatchObject({ unread: 1, total: 2 })
  })

  it('creates, renames, moves and deletes folders on the server', async () => {
    const { id, client } = await connect({ INBOX: ['a'] })
    const { post, call } = fixture.instance
    const created = await post('/api/folders', { accountId: id, name: 'Kunden' })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`/api/folders/${created.body.id}`)
    const child = await post('/api/folders', { accountId: id, name: 'Größe', parentId: created.body.id })
    expect(child.body).toMatchObject({ path: 'Kunden.Größe', parentId: created.body.id })
    expect(await paths(client)).toEqual(expect.arrayContaining(['Kunden', 'Kunden.Größe']))
    expect((await post('/api/folders', { accountId: id, name: 'Kunden' })).body.code).toBe('folder_exists')
    expect((await post('/api/folders', { accountId: id, name: 'a.b' })).status).toBe(400)

    const a = await find(id, 'a')
    expect((await fixture.change(a.id, { folderId: child.body.id })).body).toMatchObject({
      folder: 'other',
      folderId: child.body.id,
    })
    await eventually(async () => (await readFlags(client, 'Kunden.Größe')).a)
    await client.mailboxClose()

    const renamed = await call('PATCH', `/api/folders/${created.body.id}`, { body: { name: 'Clients' } })
    expect(renamed.body).toMatchObject({ id: created.body.id, path: 'Clients' })
    expect(await folderAt(id, 'Clients.Größe')).toMatchObject({ id: child.body.id })
    const moved = await call('PATCH', `/api/folders/${child.body.id}`, { body: { parentId: null } })
    expect(moved.body).toMatchObject({ id: child.body.id, path: 'Größe', parentId: null, total: 1 })
    await fixture.settle(id)
    expect(await find(id, 'a')).toMatchObject({ id: a.id, folderId: child.body.id })

    const inbox = await folderAt(id, 'INBOX')
    expect((await call('DELETE', `/api/folders/${inbox.id}`)).status).toBe(409)
    const kept = await call('DELETE', `/api/folders/${child.body.id}`)
    expect([kept.status, kept.body.code]).toEqual([409, 'folder_not_empty'])
    expect((await call('DELETE', `/api/folders/${child.body.id}?emails=trash`)).status).toBe(204)
    expect(await find(id, 'a')).toMatchObject({ id: a.id, folder: 'trash' })
    expect(Object.keys(await readFlags(client, 'Trash'))).toEqual(['a'])
    expect(await paths(client)).not.toContain('Größe')
    await fixture.settle(id)
    expect(await find(id, 'a')).toMatchObject({ id: a.id, folderId: (await folderAt(id, 'Trash')).id })
  })

  it('quotes the mail server that refuses a folder', async () => {
    const { id } = await connect({ INBOX: [] })
    const refused = await fixture.instance.post('/api/folders', { accountId: id, name: 'a/b' })
    expect(refused.status).toBe(502)
    expect(refused.body.detail).toMatch(/^127\.0\.0\.1 refused to change the folder: “.+”\.$/)
  })

  it('follows folders that another program renames and deletes', async () => {
    const { id, client } = await connect({ INBOX: ['inbox'], Projects: ['p'], 'Projects.Old': ['o'] })
    const [projects, old] = [await folderAt(id, 'Projects'), await folderAt(id, 'Projects.Old')]
    const before = await find(id, 'o')
    await client.mailboxRename('Projects', 'Work')
    await fixture.settle(id)
    expect(await folderAt(id, 'Work')).toMatchObject({ id: projects.id, name: 'Work' })
    expect(await folderAt(id, 'Work.Old')).toMatchObject({ id: old.id, parentId: projects.id })
    expect(await find(id, 'o')).toMatchObject({ id: before.id, folder: 'other', folderId: old.id })
    await client.mailboxDelete('Work.Old')
    await fixture.settle(id)
    await fixture.settle(id)
    expect((await folders(id)).some(({ path }) => path === 'Work.Old')).toBe(false)
    expect(await find(id, 'o')).toMatchObject({ id: before.id, folder: 'trash', folderId: null })
  })

  it('marks spam and no spam on the server, and keeps junk out of searches', async () => {
    const { id, client } = await connect({ INBOX: ['a', 'b'], Junk: ['casino'] })
    const junk = await list(`folder=junk&accountId=${id}`)
    expect(junk.map(({ subject }) => subject)).toEqual(['casino'])
    expect(await list(`accountId=${id}&q=casino`)).toEqual([])
    expect(await list(`accountId=${id}&q=${encodeURIComponent('casino in:junk')}`)).toHaveLength(1)
    expect((await list(`accountId=${id}`)).map(({ subject }) => subject).toSorted()).toEqual(['a', 'b'])

    const a = await find(id, 'a')
    expect((await fixture.change(a.id, { folder: 'junk' })).body).toMatchObject({
      folder: 'junk',
      folderId: (await folderAt(id, 'Junk')).id,
    })
    await eventually(async () => (await readFlags(client, 'Junk')).a?.includes('$Junk'))
    await fixture.change(junk[0]?.id as number, { folder: 'inbox' })
    await eventually(async () => (await readFlags(client, 'INBOX')).casino?.includes('$NotJunk'))
    await fixture.settle(id)
    expect(await find(id, 'casino')).toMatchObject({ folder: 'inbox', tags: [] })
    expect((await fixture.instance.get(`/api/emails/${a.id}`)).body).toMatchObject({
      folder: 'junk',
      tags: [],
    })
  })

  it('lists, counts, moves and restores conversations by folder', async () => {
    const { id, client } = await connect({ INBOX: [], Projects: [], Junk: [] })
    const messageId = '<plan@example.test>'
    const reply = (subject: string, date: string) =>
      message({ subject, date, headers: `In-Reply-To: ${messageId}` })
    await client.append('INBOX', message({ subject: 'Plan', messageId }))
    await client.append('INBOX', reply('Re: Plan', 'Mon, 02 Mar 2026 11:00:00 +0000'))
    await client.append('Junk', reply('Casino', 'Mon, 02 Mar 2026 12:00:00 +0000'))
    await fixture.settle(id)
    const { instance } = fixture
    const threads = async (query: string): Promise<{ id: number; subject: string; messageCount: number }[]> =>
      (await instance.get(`/api/threads?${query}`)).body.threads
    const [inbox, projects] = [await folderAt(id, 'INBOX'), await folderAt(id, 'Projects')]

    const [thread] = await threads(`accountId=${id}`)
    expect(thread).toMatchObject({ subject: 'Re: Plan', messageCount: 2, folderId: inbox.id })
    expect(await threads(`folderId=${inbox.id}`)).toMatchObject([{ subject: 'Re: Plan', messageCount: 2 }])
    expect(await threads(`folder=junk&accountId=${id}`)).toMatchObject([
      { subject: 'Casino', messageCount: 1 },
    ])
    expect(await threads(`folderId=${projects.id}`)).toEqual([])

    const threadIds = [thread?.id as number]
    const move = (body: object) => instance.call('PATCH', '/api/threads', { body: { threadIds, ...body } })
    expect((await move({ change: { folderId: 999_999 } })).status).toBe(400)
    const moved = await move({ folderId: inbox.id, change: { folderId: projects.id } })
    expect(moved.body.emails).toMatchObject([
      { folder: 'inbox', folderId: inbox.id },
      { folder: 'inbox', folderId: inbox.id },
    ])
    expect(await threads(`folderId=${projects.id}`)).toMatchObject([{ messageCount: 2, folder: 'other' }])
    await eventually(async () => Object.keys(await readFlags(client, 'Projects')).length === 2)
    expect(Object.keys(await readFlags(client, 'Junk'))).toEqual(['Casino'])

    await instance.call('PATCH', '/api/emails', { body: { emails: moved.body.emails } })
    expect(await threads(`folderId=${inbox.id}`)).toMatchObject([{ messageCount: 2, folder: 'inbox' }])
    await eventually(async () => Object.keys(await readFlags(client, 'INBOX')).length === 2)
    await fixture.settle(id)
    expect(await threads(`folderId=${projects.id}`)).toEqual([])
  })

  it('carries tags as keywords in both directions', async () => {
    const { id, client } = await connect({ INBOX: ['a', 'b'] })
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['$label1', 'Steuer', '$Forwarded'])
    await eventually(async () => (await find(id, 'a')).tags.length === 2)
    expect((await find(id, 'a')).tags.toSorted()).toEqual(['Important', 'Steuer'])

    const b = await find(id, 'b')
    await fixture.change(b.id, { tags: ['Büro', 'to do', 'plain'] })
    await eventually(async () => (await readFlags(client, 'INBOX')).b?.length === 3)
    expect((await readFlags(client, 'INBOX')).b).toEqual(['$label4', 'B=C3=BCro', 'plain'])
    await fixture.settle(id)
    expect((await find(id, 'b')).tags).toEqual(['Büro', 'to do', 'plain'])

    await fixture.change(b.id, { tags: ['Büro', 'plain'] })
    await eventually(async () => (await readFlags(client, 'INBOX')).b?.length === 2)
    await client.messageFlagsRemove('2', ['plain'])
    await eventually(async () => (await find(id, 'b')).tags.length === 1)
    expect((await find(id, 'b')).tags).toEqual(['Büro'])
    expect((await find(id, 'a')).tags).toHaveLength(2)
    const { body } = await fixture.instance.get(`/api/emails?tag=steuer&accountId=${id}`)
    expect(body.emails).toHaveLength(1)
  })

  it('applies rules that move mail into a folder', async () => {
    const { id, client } = await connect({ INBOX: [], Invoices: [] })
    const { id: folderId } = await folderAt(id, 'Invoices')
    const rule = { name: 'Invoices', q: 'subject:invoice', does: { folderId, tags: ['paid'] } }
    const added = await fixture.instance.post('/api/mail-rules', rule)
    expect(added.body.does).toMatchObject({ folder: null, folderId })
    const date = fixture.instance.clock.now().toUTCString()
    await client.append('INBOX', message({ subject: 'invoice 7', date }))
    await eventually(async () => (await readFlags(client, 'Invoices'))['invoice 7']?.includes('paid'))
    await fixture.settle(id)
    expect(await find(id, 'invoice 7')).toMatchObject({ folder: 'other', folderId, tags: ['paid'] })
    const { id: otherId, client: otherClient } = await connect({ INBOX: [] })
    // Rules ignore mail from before the account was added.
    await otherClient.append('INBOX', message({ subject: 'invoice 8', date }))
    await fixture.settle(otherId)
    const other = await find(otherId, 'invoice 8')
    expect((await fixture.change(other.id, { folderId })).status).toBe(400)
    expect((await fixture.change(other.id, { folder: 'other' })).status).toBe(400)
    expect(await find(otherId, 'invoice 8')).toMatchObject({ folder: 'inbox', tags: ['paid'] })
    await fixture.instance.call('DELETE', `/api/mail-rules/${added.body.id}`)
  })

  it('syncs and pages through hundreds of folders', async () => {
    const { id, client } = await connect({ INBOX: ['a'] })
    for (let n = 0; n < 210; n++) await client.mailboxCreate(`Clients.Client ${n}`)
    await client.append('Clients.Client 209', message({ subject: 'last' }))
    await fixture.settle(id)
    const counts = (await fixture.instance.get(`/api/folders?accountId=${id}`)).body
    expect(counts.folders).toHaveLength(200)
    expect(counts.nextCursor).toEqual(expect.any(String))
    expect(await find(id, 'last')).toMatchObject({ folder: 'other' })
  })
})
