import type { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../src/database/db.ts'
import { migrate, releasedSteps } from '../src/database/migrate.ts'
import { onSqliteUnlessFull } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type MailFixture, openMailFixture } from './support/mail-fixture.ts'
import {
  message,
  newAddress,
  openImapClient,
  withMailServersOnEveryDatabase,
} from './support/mail-servers.ts'

interface Listed {
  id: number
  subject: string
  text: string
  folder: string
  folderId: number
  folders: { id: number; role: string }[]
}

/** Removes what the migration adds. */
const revertMigration = async (db: Db, engine: string): Promise<void> => {
  for (const [trigger, table] of [
    ['email_folders_added', 'email_folders'],
    ['email_folders_removed', 'email_folders'],
    ['email_folders_marked', 'email_folders'],
    ['email_folders_read', 'emails'],
  ] as const)
    await sql`drop trigger ${sql.ref(trigger)} ${engine === 'postgres' ? sql`on ${sql.table(table)}` : sql``}`.execute(
      db,
    )
  await sql`delete from tallies where name like 'folder-emails/%' or name like 'unread-in-folder/%'`.execute(
    db,
  )
  await sql`drop table email_folders`.execute(db)
  await sql`drop index mail_placements_unchecked`.execute(db)
  for (const [table, column] of [
    ['emails', 'contentHash'],
    ['emails', 'otherFolders'],
    ['mail_placements', 'receivedAt'],
    ['mail_placements', 'objectId'],
    ['mail_placements', 'unchecked'],
  ] as const)
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db)
}

withMailServersOnEveryDatabase('mail in several folders', (engine) => {
  let fixture: MailFixture
  const clients: ImapFlow[] = []
  beforeAll(async () => {
    fixture = await openMailFixture(engine)
    await fixture.instance.app.jobs.start()
  })
  afterAll(async () => {
    for (const client of clients) await client.logout()
    await fixture.close()
  })

  const { get, call } = {
    get: async (path: string) => (await fixture.instance.get(path)).body,
    call: (method: 'PATCH' | 'DELETE' | 'POST', path: string, body?: object) =>
      fixture.instance.call(method, path, body ? { body } : {}),
  }
  /** Connects a mailbox with these messages. */
  const connect = async (messages: Record<string, string[]>) => {
    const address = newAddress()
    const client = await openImapClient(address)
    clients.push(client)
    for (const [folder, raws] of Object.entries(messages)) {
      if (folder !== 'INBOX') await client.mailboxCreate(folder)
      for (const raw of raws) await client.append(folder, raw)
    }
    const { id } = await fixture.addAccount(address)
    await fixture.live(id)
    return { id, client, address }
  }
  const enable = (id: string, enabled: boolean) =>
    fixture.instance.call('PATCH', `/api/settings/mail-accounts/${id}`, {
      body: { enabled },
      token: fixture.person.token,
    })
  const folderIds = async (accountId: string): Promise<Record<string, number>> => {
    const { folders } = await get(`/api/folders?accountId=${accountId}`)
    return Object.fromEntries(folders.map(({ path, id }: { path: string; id: number }) => [path, id]))
  }
  const counts = async (accountId: string, path: string) => {
    const { folders } = await get(`/api/folders?accountId=${accountId}`)
    const { total, unread } = folders.find((folder: { path: string }) => folder.path === path)
    return { total, unread }
  }
  const list = async (query: string): Promise<Listed[]> => (await get(`/api/emails?${query}`)).emails
  const threads = async (query: string) => (await get(`/api/threads?${query}`)).threads
  const texts = async (accountId: string): Promise<string[]> => {
    const emails = await list(`limit=200&accountId=${accountId}`)
    const whole = await Promise.all(emails.map(({ id }) => get(`/api/emails/${id}`)))
    return whole.map(({ text }) => text.trim()).toSorted()
  }
  const bodies = async (client: ImapFlow, folder: string): Promise<string[]> => {
    const { exists } = await client.mailboxOpen(folder)
    const found: string[] = []
    if (exists > 0)
      for await (const { source } of client.fetch('1:*', { source: true }))
        found.push(String(source).split('\r\n\r\n')[1]?.trim() ?? '')
    return found.toSorted()
  }
  const copy = async (client: ImapFlow, from: string, to: string): Promise<void> => {
    await client.mailboxOpen(from)
    await client.messageCopy('1', to)
  }

  it('keeps two mails with the same Message-ID apart, and deletes only one of them', async () => {
    const same = { messageId: '<twice@example.test>', subject: 'Twice' }
    const { id, client } = await connect({
      INBOX: [message({ ...same, body: 'one' }), message({ ...same, body: 'two' })],
      Work: [message({ ...same, body: 'three' }), message({ ...same, body: 'one' })],
    })
    expect(await texts(id)).toEqual(['one', 'three', 'two'])
    const { Work } = await folderIds(id)
    expect(await list(`folderId=${Work}`)).toHaveLength(2)
    const emails = await list(`accountId=${id}`)
    const one = emails.find(({ folders }) => folders.length === 2) as Listed
    expect((await call('DELETE', `/api/emails/${one.id}`)).status).toBe(204)
    await eventually(async () => (await bodies(client, 'Trash')).length === 2)
    expect(await bodies(client, 'Trash')).toEqual(['one', 'one'])
    expect(await bodies(client, 'INBOX')).toEqual(['two'])
    expect(await bodies(client, 'Work')).toEqual(['three'])
    await fixture.settle(id)
    expect(await texts(id)).toEqual(['three', 'two'])
  })

  it('keeps a mail apart from one that differs only in its attachment', async () => {
    const mixed = (name: string) =>
      message({
        messageId: '<files@example.test>',
        headers: 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
        body: [
          '--b\r\nContent-Type: text/plain\r\n\r\nSee attachment.',
          `--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n${name}`,
          '--b--',
        ].join('\r\n'),
      })
    const { id, client } = await connect({ INBOX: [mixed('1,2')] })
    await client.append('INBOX', mixed('1,3'))
    await eventually(async () => (await list(`accountId=${id}`)).length === 2)
  })

  it('does not show the content of a removed mail for another one with its Message-ID and size', async () => {
    const same = { messageId: '<reused@example.test>', subject: 'Reused' }
    const { id, client } = await connect({ INBOX: [message({ ...same, body: 'old' })], Work: [] })
    await client.mailboxOpen('INBOX')
    await client.messageDelete('1')
    await client.append('Work', message({ ...same, body: 'new' }), [], new Date('2026-03-02T11:00:00Z'))
    await fixture.settle(id)
    await fixture.settle(id)
    const { Work } = await folderIds(id)
    const [found] = await list(`folderId=${Work}`)
    expect((await get(`/api/emails/${found?.id}`)).text.trim()).toBe('new')
  })

  it('shows a mail to oneself in the inbox and in the sent folder, although the headers differ', async () => {
    const own = { messageId: '<own@example.test>', subject: 'To myself', body: 'Remember the milk.' }
    const { id } = await connect({
      INBOX: [message({ ...own, headers: 'Received: from mx.example.test\r\nX-Spam: no' })],
      Sent: [message(own)],
    })
    const emails = await list(`accountId=${id}`)
    expect(emails).toHaveLength(1)
    expect(emails[0]?.folders.map(({ role }) => role)).toEqual(['inbox', 'sent'])
    const { INBOX, Sent } = await folderIds(id)
    for (const folderId of [INBOX, Sent])
      expect(await list(`folderId=${folderId}`)).toMatchObject([{ subject: 'To myself', folderId }])
  })

  it('shows a copy in both folders, and counts it in both', async () => {
    const { id, client } = await connect({ INBOX: [message({ subject: 'Copied' })], Work: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const { INBOX = 0, Work = 0 } = await folderIds(id)
    const both = [
      { id: INBOX, role: 'inbox' },
      { id: Work, role: 'other' },
    ]
    expect(await list(`accountId=${id}`)).toMatchObject([{ folder: 'inbox', folderId: INBOX, folders: both }])
    expect(await list(`folderId=${Work}`)).toMatchObject([{ folder: 'other', folderId: Work, folders: both }])
    expect(await list(`accountId=${id}&folder=other`)).toHaveLength(1)
    expect(await list(`q=copied+in:Work&accountId=${id}`)).toMatchObject([{ folderId: Work }])
    expect(await list(`q=in:Work+in:inbox&accountId=${id}`)).toHaveLength(1)
    expect(await list(`q=-in:Work&accountId=${id}`)).toEqual([])
    expect(await threads(`folderId=${Work}`)).toMatchObject([{ folderId: Work, messageCount: 1 }])
    expect(await threads(`folderId=${INBOX}`)).toMatchObject([{ folderId: INBOX, messageCount: 1 }])
    for (const path of ['INBOX', 'Work']) expect(await counts(id, path)).toEqual({ total: 1, unread: 1 })
    const [email] = await list(`accountId=${id}`)
    await fixture.change(email?.id ?? 0, { read: true, tags: ['x'] })
    for (const path of ['INBOX', 'Work']) expect(await counts(id, path)).toEqual({ total: 1, unread: 0 })
    expect(await list(`folderId=${Work}&tag=x&unread=false`)).toHaveLength(1)
    for (const path of ['INBOX', 'Work'])
      await eventually(async () => {
        await client.mailboxOpen(path)
        const found = await client.fetchOne('1', { flags: true })
        return found && ['\\Seen', 'x'].every((flag) => found.flags?.has(flag))
      })
  })

  it('moves the copy that the request names, and restores it', async () => {
    const { id, client } = await connect({ INBOX: [message({ body: 'moved' })], Work: [], Archive: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const { INBOX, Work, Archive } = await folderIds(id)
    const [email] = await list(`accountId=${id}`)
    const path = `/api/emails/${email?.id}`
    expect((await call('PATCH', `${path}?folderId=${Archive}`, { folderId: INBOX })).status).toBe(409)

    const moved = await call('PATCH', `${path}?folderId=${Work}`, { folder: 'archive' })
    expect(moved.body).toMatchObject({ folder: 'archive', folderId: Archive })
    expect((await get(path)).folders.map((folder: { id: number }) => folder.id)).toEqual([INBOX, Archive])
    await eventually(async () => (await bodies(client, 'Archive')).length === 1)
    expect([await bodies(client, 'INBOX'), await bodies(client, 'Work')]).toEqual([['moved'], []])
    await fixture.settle(id)

    const threadIds = [email?.id]
    const archived = await call('PATCH', '/api/threads', {
      threadIds,
      folderId: INBOX,
      change: { folderId: Work },
    })
    await eventually(async () => (await bodies(client, 'Work')).length === 1)
    expect(await bodies(client, 'Archive')).toEqual(['moved'])
    expect(await list(`folderId=${INBOX}`)).toEqual([])
    await call('PATCH', '/api/emails', { emails: archived.body.emails })
    expect(await list(`folderId=${INBOX}`)).toHaveLength(1)
    expect(await list(`folderId=${Work}`)).toEqual([])
    await eventually(async () => (await bodies(client, 'INBOX')).length === 1)
    expect([await bodies(client, 'Archive'), await bodies(client, 'Work')]).toEqual([['moved'], []])

    await call('PATCH', '/api/threads', { threadIds, folderId: Archive, change: { folder: 'trash' } })
    await eventually(async () => (await bodies(client, 'Trash')).length === 1)
    expect(await bodies(client, 'INBOX')).toEqual(['moved'])
    expect(await list(`accountId=${id}&folder=trash`)).toHaveLength(1)
    const gone = await call('POST', '/api/threads/delete', { threadIds, folder: 'trash' })
    expect(gone.status).toBe(204)
    expect(await list(`accountId=${id}`)).toMatchObject([{ folders: [{ id: INBOX }] }])
    await fixture.settle(id)
    expect(await list(`accountId=${id}&folder=trash`)).toEqual([])
  })

  onSqliteUnlessFull(engine, () => {
    it('restores only the moved copy if the server had no folder for it', async () => {
      const { id, client } = await connect({ INBOX: [message({ body: 'kept' })], Work: [], Archive: [] })
      await copy(client, 'INBOX', 'Work')
      await fixture.settle(id)
      const { INBOX, Work } = await folderIds(id)
      const [email] = await list(`accountId=${id}`)
      const { db } = fixture.instance.database
      for (const isPushed of [false, true]) {
        if (!isPushed) await enable(id, false)
        await sql`update mail_folders set use = null where path = 'Archive' and "accountId" = ${id}`.execute(
          db,
        )
        const moved = await call('PATCH', '/api/threads', {
          threadIds: [email?.id],
          folderId: Work,
          change: { folder: 'archive' },
        })
        expect(moved.body.emails).toMatchObject([{ folderId: Work, fromFolder: 'archive' }])
        if (isPushed) {
          await eventually(async () => (await bodies(client, 'Archive')).length === 1)
          await fixture.settle(id)
        }
        await call('PATCH', '/api/emails', { emails: moved.body.emails })
        await enable(id, true)
        await fixture.settle(id)
        await eventually(async () => (await bodies(client, 'Work')).length === 1)
        expect([await bodies(client, 'INBOX'), await bodies(client, 'Archive')]).toEqual([['kept'], []])
        const [restored] = await list(`accountId=${id}`)
        expect(restored?.folders.map((folder) => folder.id)).toEqual([INBOX, Work])
      }
    })

    it('notifies about a move of a copy that somebody has moved on the server', async () => {
      const { id, client } = await connect({
        INBOX: [message({ body: 'x' })],
        Work: [],
        Archive: [],
        Later: [],
      })
      await copy(client, 'INBOX', 'Work')
      await fixture.settle(id)
      const { INBOX, Work, Later } = await folderIds(id)
      const [email] = await list(`accountId=${id}`)
      await enable(id, false)
      await call('PATCH', `/api/emails/${email?.id}?folderId=${Work}`, { folder: 'archive' })
      await client.mailboxOpen('Work')
      await client.messageMove('1', 'Later')
      await enable(id, true)
      const [conflict] = await eventually(async () => {
        const { body } = await fixture.instance.get('/api/notifications?kind=mail_conflict', fixture.person)
        return body.notifications.length > 0 && body.notifications
      })
      expect(conflict).toMatchObject({ link: `/mail/inbox/${email?.id}` })
      await fixture.settle(id)
      const [moved] = await list(`accountId=${id}`)
      expect(moved?.folders.map((folder) => folder.id)).toEqual([INBOX, Later])
      expect(await bodies(client, 'Archive')).toEqual([])
    })
  })

  it('treats a mail to oneself as sent', async () => {
    const own = { messageId: '<reply@example.test>', subject: 'Reply to myself too', body: 'Done.' }
    const { id } = await connect({ INBOX: [message(own)], Sent: [message(own)] })
    const [email] = await list(`accountId=${id}`)
    const followUpAt = new Date(fixture.instance.clock.now().getTime() + 60_000).toISOString()
    expect((await fixture.change(email?.id ?? 0, { followUpAt })).status).toBe(200)
    await fixture.advanceClock(61_000)
    await eventually(async () => (await get(`/api/emails/${email?.id}`)).returned?.reason === 'follow-up')
  })

  it('counts a mail in the archive also if it has another main folder', async () => {
    const before = (await get('/api/emails/counts')).archive
    const { id, client } = await connect({ Work: [message({ body: 'x' })], Archive: [] })
    await copy(client, 'Work', 'Archive')
    await fixture.settle(id)
    expect(await list(`accountId=${id}&folder=archive`)).toHaveLength(1)
    expect((await get('/api/emails/counts')).archive).toBe(before + 1)
  })

  it('undoes a move of a mailing list, and of a rule, in the folder that they changed', async () => {
    const headers = 'List-Id: News <news.example.test>'
    const { id, client } = await connect({ INBOX: [message({ subject: 'News', headers })], Work: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const { INBOX, Work, Archive } = await folderIds(id)
    const listed = async () => (await list(`accountId=${id}`))[0]?.folders.map((folder) => folder.id)
    const rule = { name: 'News', q: 'subject:news', does: { folder: 'archive' } }
    const { body } = await call('POST', '/api/mail-rules', rule)
    for (const [path, input] of [
      ['/api/mailing-lists/move', { id: 'news.example.test', folder: 'archive' }],
      [`/api/mail-rules/${body.id}/run`, {}],
    ] as const) {
      const { actionId } = (await call('POST', path, input)).body
      expect([path, await listed()]).toEqual([path, [Work, Archive]])
      await fixture.settle(id)
      const { token } = fixture.person
      expect(
        (await fixture.instance.post(`/api/actions/${actionId}/undo`, undefined, { token })).status,
      ).toBe(200)
      expect([path, await listed()]).toEqual([path, [INBOX, Work]])
      await fixture.settle(id)
    }
    await call('DELETE', `/api/mail-rules/${body.id}`)
  })

  it('recognises the copies of a mail without a Message-ID', async () => {
    const raw = message({ subject: 'Nameless', body: 'x' }).replace(/^Message-ID:.*\r\n/m, '')
    const { id, client } = await connect({ INBOX: [raw], Work: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const [email] = await list(`accountId=${id}`)
    const roles = async () =>
      (await list(`accountId=${id}`)).map((each) => [each.id, each.folders.map(({ role }) => role)])
    expect(await roles()).toEqual([[email?.id, ['inbox', 'other']]])
    // An older version linked them without comparing their contents.
    await sql`update mail_placements set unchecked = 1 where "accountId" = ${id}`.execute(
      fixture.instance.database.db,
    )
    await fixture.settle(id)
    expect(await roles()).toEqual([[email?.id, ['inbox', 'other']]])
    await client.append('Work', raw.replace('\r\nx\r\n', '\r\ny\r\n'))
    await fixture.settle(id)
    expect(await texts(id)).toEqual(['x', 'y'])
  })

  it('changes the copy in the folder that the assistant was asked about', async () => {
    const { id, client } = await connect({ INBOX: [message({ subject: 'Bulk' })], Work: [], Archive: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const { INBOX, Work, Archive } = await folderIds(id)
    const listed = async () => (await list(`accountId=${id}`))[0]?.folders.map((folder) => folder.id)
    const { instance, person } = fixture
    const input = { change: 'archive', folder: 'other', query: 'subject:bulk' }
    const asked = await instance.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'change_emails', arguments: input } },
      { headers: { accept: 'application/json, text/event-stream' } },
    )
    expect(asked.status).toBe(200)
    const [action] = (await instance.get('/api/ai/actions?status=pending', person)).body.actions
    const confirmed = await instance.post(`/api/ai/actions/${action.id}/confirm`, {}, person)
    expect([confirmed.status, await listed()]).toEqual([200, [INBOX, Archive]])
    const [{ id: actionId }] = (await instance.get('/api/actions?limit=1', person)).body.actions
    expect((await instance.post(`/api/actions/${actionId}/undo`, undefined, person)).status).toBe(200)
    expect(await listed()).toEqual([INBOX, Work])
  })

  it('moves all copies to the trash if the request names no folder', async () => {
    const { id, client } = await connect({ INBOX: [message({ body: 'both' })], Work: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const [email] = await list(`accountId=${id}`)
    await call('PATCH', '/api/threads', { threadIds: [email?.id], change: { folder: 'trash' } })
    await eventually(async () => (await bodies(client, 'Trash')).length === 2)
    await fixture.settle(id)
    expect(await list(`accountId=${id}`)).toMatchObject([{ folder: 'trash', folders: [{ role: 'trash' }] }])
  })

  it('follows another program that removes, moves and duplicates copies', async () => {
    const { id, client } = await connect({ INBOX: [message({ body: 'x' })], Work: [], Later: [] })
    await copy(client, 'INBOX', 'Work')
    await copy(client, 'INBOX', 'INBOX')
    await fixture.settle(id)
    const roles = async () =>
      (await list(`accountId=${id}`)).map(({ folders }) => folders.map(({ role }) => role))
    expect(await roles()).toEqual([['inbox', 'other']])

    await client.mailboxOpen('INBOX')
    await client.messageDelete('1')
    await fixture.settle(id)
    await fixture.settle(id)
    expect(await roles()).toEqual([['inbox', 'other']])

    await client.mailboxOpen('Work')
    await client.messageMove('1', 'Later')
    await fixture.settle(id)
    await fixture.settle(id)
    const { Work, Later } = await folderIds(id)
    expect(await list(`folderId=${Work}`)).toEqual([])
    expect(await list(`folderId=${Later}`)).toHaveLength(1)

    await client.mailboxOpen('INBOX')
    await client.messageDelete('1')
    await fixture.settle(id)
    await fixture.settle(id)
    expect(await list(`accountId=${id}`)).toMatchObject([{ folderId: Later, folders: [{ id: Later }] }])

    await client.mailboxOpen('Later')
    await client.messageDelete('1')
    await fixture.settle(id)
    await fixture.settle(id)
    expect(await list(`accountId=${id}`)).toMatchObject([{ folder: 'trash', folders: [] }])
  })

  it('repairs the emails of an older version at the next sync', async () => {
    const same = { messageId: '<hidden@example.test>', subject: 'Hidden' }
    const { id, client } = await connect({
      INBOX: [message({ ...same, body: 'one' }), message({ subject: 'Copied', body: 'copied' })],
      Work: [message({ ...same, body: 'two' })],
    })
    await client.mailboxOpen('INBOX')
    await client.messageCopy('2', 'Work')
    await fixture.settle(id)
    await enable(id, false)
    const { db } = fixture.instance.database
    const [first, second] = (await list(`accountId=${id}`)).filter(({ subject }) => subject === 'Hidden')
    await sql`update mail_placements set "emailId" = ${first?.id} where "emailId" = ${second?.id}`.execute(db)
    await sql`delete from emails where id = ${second?.id} /* all accounts */`.execute(db)
    await revertMigration(db, engine)
    const later = await sql<{ name: string; timestamp: string }>`delete from migrations
      where name >= '0085' returning name, timestamp`.execute(db)
    const steps = Object.entries(releasedSteps).filter(([name]) => name < '0086')
    await migrate(fixture.instance.database, undefined, Object.fromEntries(steps))
    for (const { name, timestamp } of later.rows.filter((row) => row.name > '0086'))
      await sql`insert into migrations (name, timestamp) values (${name}, ${timestamp})`.execute(db)

    const { INBOX, Work } = await folderIds(id)
    expect(await list(`folderId=${Work}&q=subject:copied`)).toHaveLength(1)
    expect(await texts(id)).toHaveLength(2)
    await enable(id, true)
    await eventually(async () => (await texts(id)).length === 3)
    await fixture.settle(id)
    expect(await texts(id)).toEqual(['copied', 'one', 'two'])
    expect((await list(`folderId=${INBOX}`)).map(({ subject }) => subject).toSorted()).toEqual([
      'Copied',
      'Hidden',
    ])
    expect(await list(`folderId=${Work}`)).toHaveLength(2)
    const unchecked = await db
      .selectFrom('mail_placements')
      .select('id')
      .where('accountId', '=', id)
      .where('unchecked', '>', 0)
      .execute()
    expect(unchecked).toEqual([])
  })

  it('keeps the other copy when its folder is deleted', async () => {
    const { id, client } = await connect({ INBOX: [message({ body: 'kept' })], Work: [] })
    await copy(client, 'INBOX', 'Work')
    await fixture.settle(id)
    const { Work } = await folderIds(id)
    expect((await call('DELETE', `/api/folders/${Work}?emails=trash`)).status).toBe(204)
    await fixture.settle(id)
    expect(await list(`accountId=${id}`)).toMatchObject([
      { folder: 'inbox', folders: [{ role: 'inbox' }, { role: 'trash' }] },
    ])
  })
})
