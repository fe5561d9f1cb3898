import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getLocalUserId } from '../src/database/local-account.ts'
import { inTransaction } from '../src/database/transaction.ts'
import type { LocalChange, ReadMessage } from '../src/features/mail/messages/mail-store.ts'
import { DAY } from './support/clock.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

onEveryDatabase('threads', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const store = async (body: Record<string, unknown>) => {
    const made = await instance.post('/api/emails', {
      from: 'ana@example.org',
      to: ['me@example.org'],
      ...body,
    })
    expect(made.status).toBe(201)
    return made.body as { id: number; threadId: number; messageId: string }
  }
  const readThreadId = async (id: number): Promise<number> =>
    (await instance.get(`/api/emails/${id}`)).body.threadId
  const listThreadIds = async (id: number, query = ''): Promise<number[]> =>
    (await instance.get(`/api/emails/${id}/thread${query}`)).body.emails.map(
      (each: { id: number }) => each.id,
    )

  it('join messages by their references and list the oldest first', async () => {
    const first = await store({ messageId: 'a1@x.example', subject: 'Plan', date: '2026-01-01' })
    const second = await store({
      messageId: 'a2@x.example',
      inReplyTo: 'a1@x.example',
      subject: 'other',
      date: '2026-01-02',
    })
    const third = await store({
      references: ['a1@x.example', 'a2@x.example'],
      subject: 'Re: Plan',
      date: '2026-01-03',
    })
    expect([second.threadId, third.threadId]).toEqual([first.threadId, first.threadId])
    expect(await listThreadIds(second.id)).toEqual([first.id, second.id, third.id])
    const page = await instance.get(`/api/emails/${first.id}/thread?limit=2`)
    expect(page.body.emails.map((each: { id: number }) => each.id)).toEqual([first.id, second.id])
    expect(page.body.emails[0].text).toBeDefined()
    expect(await listThreadIds(first.id, `?cursor=${page.body.nextCursor}`)).toEqual([third.id])
  })

  it('merge when a message links them, in any order of arrival', async () => {
    const answer = await store({ messageId: 'c3@x.example', inReplyTo: 'c2@x.example', subject: 'C' })
    const beginning = await store({ messageId: 'c1@x.example', subject: 'Something else' })
    expect(answer.threadId).not.toBe(beginning.threadId)
    const etag = (await instance.get(`/api/emails/${beginning.id}`)).headers.get('etag')
    const link = await store({ messageId: 'c2@x.example', inReplyTo: 'c1@x.example', subject: 'D' })
    const threads = [
      await readThreadId(answer.id),
      await readThreadId(beginning.id),
      await readThreadId(link.id),
    ]
    expect(new Set(threads)).toEqual(new Set([Math.min(answer.threadId, beginning.threadId)]))
    expect((await instance.get(`/api/emails/${beginning.id}`)).headers.get('etag')).not.toBe(etag)
  })

  it('remain when their first message is deleted', async () => {
    const first = await store({ messageId: 'd1@x.example', subject: 'D1' })
    const second = await store({ messageId: 'd2@x.example', inReplyTo: 'd1@x.example', subject: 'D2' })
    await instance.call('DELETE', `/api/emails/${first.id}`)
    const third = await store({ inReplyTo: 'd2@x.example', subject: 'D3' })
    expect(third.threadId).toBe(second.threadId)
  })

  it('join by subject without references, only between the same people and within 30 days', async () => {
    const first = await store({ subject: 'Budget', date: '2026-02-01' })
    const answer = { from: 'me@example.org', to: ['ana@example.org'], subject: 'AW: Re: budget' }
    expect((await store({ ...answer, date: '2026-02-03' })).threadId).toBe(first.threadId)
    expect((await store({ ...answer, date: '2026-06-03' })).threadId).not.toBe(first.threadId)
    expect((await store({ ...answer, to: ['zoe@example.org'], date: '2026-02-03' })).threadId).not.toBe(
      first.threadId,
    )
    expect((await store({ subject: 'Budget', date: '2026-02-04' })).threadId).not.toBe(first.threadId)
  })

  it('join by subject if the reply arrives first', async () => {
    const answer = await store({
      from: 'me@example.org',
      to: ['ana@example.org'],
      subject: 'Re: Holiday',
      date: '2026-02-03',
    })
    expect((await store({ subject: 'Holiday', date: '2026-02-01' })).threadId).toBe(answer.threadId)
  })
})

onEveryDatabase('mail filing', (engine) => {
  let instance: Instance
  let userId: number
  const changes: LocalChange[] = []
  beforeAll(async () => {
    instance = await startInstance({ engine })
    userId = await getLocalUserId(instance.database.db)
    instance.app.features.emails.onLocalChange(async (_tx, change) => void changes.push(change))
  })
  afterAll(() => instance.close())

  const raw = (id: string, text = 'x', more: string[] = []) =>
    Buffer.from([`Message-ID: <${id}>`, 'From: a@b.example', 'Subject: S', ...more, '', text].join('\r\n'))
  const arrival = {
    accountId: 'acc',
    folder: 'inbox',
    read: false,
    starred: false,
    receivedAt: '2026-01-01T00:00:00.000Z',
    isNew: true,
  } as const
  const file = (message: Buffer, more: Record<string, unknown> = {}) =>
    inTransaction(instance.database.db, (tx) =>
      instance.app.features.emails.file(tx, { ...arrival, userId, raw: message, ...more }),
    )

  it('stores a message once per account, and another message with the same Message-ID separately', async () => {
    const first = await file(raw('m1@x.example'))
    expect(first.created).toBe(true)
    expect(await file(raw('m1@x.example'))).toEqual({ id: first.id, created: false })
    expect(await file(raw('m1@x.example', 'x', ['X-Server: added this']))).toEqual({
      id: first.id,
      created: false,
    })
    expect((await file(raw('m1@x.example'), { accountId: 'other' })).created).toBe(true)
    const different = Buffer.from('Message-ID: <m1@x.example>\r\nFrom: z@b.example\r\nSubject: Z\r\n\r\nx')
    expect((await file(different)).created).toBe(true)
  })

  it('stores a message that was parsed before, and uses the arrival time if it has no date', async () => {
    const { emails } = instance.app.features
    const message = (await emails.read(raw('m2@x.example'))) as ReadMessage
    expect(message.messageId).toBe('m2@x.example')
    const { id } = await inTransaction(instance.database.db, (tx) =>
      emails.file(tx, { ...arrival, userId, raw: message }),
    )
    const { body } = await instance.get(`/api/emails/${id}`)
    expect([body.date, body.accountId]).toEqual([arrival.receivedAt, 'acc'])
  })

  it('applies changes of the server without notifying listeners, and notifies them of local changes', async () => {
    const { emails } = instance.app.features
    const { id } = await file(raw('m3@x.example'))
    changes.length = 0
    await inTransaction(instance.database.db, async (tx) => {
      expect(await emails.setFlags(tx, userId, id, { read: true, starred: true })).toBe(true)
      expect(await emails.move(tx, userId, id, 'archive')).toBe(true)
      expect(await emails.move(tx, userId, 999_999, 'archive')).toBe(false)
      expect(await emails.setDelivery(tx, userId, id, { status: 'sent', error: null })).toBe(true)
    })
    const { body } = await instance.get(`/api/emails/${id}`)
    expect([body.read, body.starred, body.folder, body.delivery]).toEqual([
      true,
      true,
      'archive',
      { status: 'sent', error: null, sendAt: null },
    ])
    expect(changes).toEqual([])
    await instance.call('PATCH', `/api/emails/${id}`, { body: { read: false } })
    await instance.call('PATCH', `/api/emails/${id}`, { body: { tags: ['x'] } })
    await instance.call('PATCH', `/api/emails/${id}`, { body: { folder: 'trash' } })
    await instance.call('DELETE', `/api/emails/${id}`)
    expect(changes.map(({ kind, before, email }) => [kind, before.folder, email.folder, email.read])).toEqual(
      [
        ['marked', 'archive', 'archive', false],
        ['marked', 'archive', 'archive', false],
        ['moved', 'archive', 'trash', false],
        ['removed', 'trash', 'trash', false],
      ],
    )
    expect(await emails.find(instance.database.db, userId, id)).toBeUndefined()
  })

  it('stores the bytes and the Message-ID of a sent message', async () => {
    const { emails } = instance.app.features
    const { body } = await instance.post('/api/emails', {
      folder: 'sent',
      to: ['a@b.example'],
      subject: 'Out',
    })
    const sent = raw('out@x.example')
    await inTransaction(instance.database.db, (tx) =>
      emails.setRaw(tx, userId, body.id, sent, 'out@x.example'),
    )
    expect((await emails.readRaw(instance.database.db, userId, body.id))?.equals(sent)).toBe(true)
    const answer = await file(raw('in@x.example', 'x', ['In-Reply-To: <out@x.example>']))
    expect((await instance.get(`/api/emails/${answer.id}`)).body.threadId).toBe(body.threadId)
  })
})

onOneDatabase('sqlite', 'attachments', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const upload = (content: string, filename = 'menu.pdf', contentType = 'application/pdf') =>
    instance.call('POST', `/api/attachments?filename=${encodeURIComponent(filename)}`, {
      body: content,
      headers: { 'content-type': contentType },
    })
  const countBlobs = async () => (await instance.database.db.selectFrom('blobs').selectAll().execute()).length
  const countFiles = (directory: string): number =>
    readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

  it('are uploaded, attached to an email and downloaded', async () => {
    const { status, body, headers } = await upload('%PDF', 'Menü.pdf')
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), filename: 'Menü.pdf', contentType: 'application/pdf', size: 4 },
    ])
    expect((await instance.get(headers.get('location') as string)).body).toEqual(body)
    const made = await instance.post('/api/emails', {
      from: 'a@b.example',
      subject: 'With',
      attachmentIds: [body.id],
    })
    expect(made.body.attachments).toEqual([body])
    expect((await instance.get(`/api/emails/${made.body.id}/attachments/${body.id}`)).body).toBe('%PDF')
    expect((await instance.get(`/api/attachments/${body.id}`)).status).toBe(404)
    const twice = await instance.post('/api/emails', { from: 'a@b.example', attachmentIds: [body.id] })
    expect([twice.status, twice.body.errors[0].path]).toEqual([400, 'attachmentIds.0'])
    expect((await instance.get('/api/emails?q=has:attachment')).body.emails).toHaveLength(1)
    expect((await instance.get('/api/emails?q=menu')).body.emails).toHaveLength(1)
  })

  it('of a draft are added and removed with its edits', async () => {
    const [one, two] = [(await upload('one', '1.txt')).body, (await upload('two', '2.txt')).body]
    const { body: draft } = await instance.post('/api/emails', { folder: 'drafts', attachmentIds: [one.id] })
    const edit = (attachmentIds: string[]) =>
      instance.call('PATCH', `/api/emails/${draft.id}`, { body: { attachmentIds } })
    expect((await edit([two.id, one.id])).body.attachments).toEqual([two, one])
    expect((await edit([two.id, 'none'])).body.errors).toMatchObject([{ path: 'attachmentIds.1' }])
    expect((await edit([two.id])).body.attachments).toEqual([two])
    expect((await instance.get(`/api/emails/${draft.id}/attachments/${one.id}`)).status).toBe(404)
    const kept = await instance.call('PATCH', `/api/emails/${draft.id}`, { body: { subject: 'Kept' } })
    expect(kept.body.attachments).toEqual([two])
  })

  it('delete their blobs with the last email that uses them', async () => {
    const before = await countBlobs()
    const message = Buffer.from(
      'From: a@b.example\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\nContent-Type: application/pdf\r\n\r\nshared by two\r\n--q--\r\n',
    )
    const store = async (raw: Buffer) =>
      (
        await instance.call('POST', '/api/emails', {
          body: raw,
          headers: { 'content-type': 'message/rfc822' },
        })
      ).body
    const [first, second] = [await store(message), await store(message)]
    expect(await countBlobs()).toBe(before + 2)
    await instance.call('DELETE', `/api/emails/${first.id}`)
    expect(
      (await instance.get(`/api/emails/${second.id}/attachments/${second.attachments[0].id}`)).body,
    ).toContain('shared by two')
    await instance.call('DELETE', `/api/emails/${second.id}`)
    expect(await countBlobs()).toBe(before)
    if (engine === 'sqlite') expect(countFiles(join(instance.place.dataDir, 'blobs'))).toBe(before)
  })

  it('without an email are deleted after one day', async () => {
    const { body } = await upload('forgotten')
    await instance.app.features.emails.prune()
    expect((await instance.get(`/api/attachments/${body.id}`)).status).toBe(200)
    instance.clock.advance(1.1 * DAY)
    await instance.app.features.emails.prune()
    expect((await instance.get(`/api/attachments/${body.id}`)).status).toBe(404)
  })

  it('accept any content type, but neither an empty nor a too large body', async () => {
    expect((await upload('{"a":1}', 'a.json', 'application/json')).body.size).toBe(7)
    expect((await instance.call('POST', '/api/attachments?filename=x')).status).toBe(400)
    expect(
      (await instance.call('POST', '/api/attachments', { body: 'x', headers: { 'content-type': 'x/y' } }))
        .body.errors[0].path,
    ).toBe('filename')
    expect((await upload('x'.repeat(25 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await upload('x', '../../etc/passwd', 'x/y')).body.filename).toBe('passwd')
  })
})
