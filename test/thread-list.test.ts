import { afterAll, beforeAll, expect, it } from 'vitest'
import { getLocalUserId } from '../src/database/local-account.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

interface Thread {
  id: number
  emailId: number
  subject: string
  folder: string
  participants: { name: string; address: string }[]
  messageCount: number
  unreadCount: number
  starred: boolean
  tags: string[]
  highlights?: { field: string }[]
}

onEveryDatabase('conversations', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const store = async (body: Record<string, unknown>) => {
    const made = await instance.post('/api/emails', {
      from: 'Ana <ana@example.org>',
      to: ['me@example.org'],
      ...body,
    })
    expect(made.status).toBe(201)
    return made.body as { id: number; threadId: number }
  }
  const list = async (query = ''): Promise<Thread[]> => {
    const { status, body } = await instance.get(`/api/threads?${query}`)
    expect(status).toBe(200)
    return body.threads
  }
  /** Reads all pages of one entry each. */
  const listByOne = async (query = ''): Promise<string[]> => {
    const subjects: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await instance.get(`/api/threads?limit=1&${query}${cursor}`)
      subjects.push(...body.threads.map(({ subject }: Thread) => subject))
      if (body.nextCursor === null) return subjects
      cursor = `&cursor=${body.nextCursor}`
    }
  }
  const patch = (body: object) => instance.call('PATCH', '/api/threads', { body })
  const read = async (id: number) => (await instance.get(`/api/emails/${id}`)).body

  let plan: number
  const emails: Record<string, number> = {}

  it('are listed once, at their newest email in the folder', async () => {
    const first = await store({
      messageId: 'p1@x.example',
      subject: 'Plan',
      text: 'The staircase is steep',
      date: '2026-01-01',
      tags: ['Work'],
      read: true,
    })
    plan = first.threadId
    const answer = await store({
      messageId: 'p2@x.example',
      inReplyTo: 'p1@x.example',
      folder: 'sent',
      from: 'Me <me@example.org>',
      to: ['Ana <ana@example.org>'],
      subject: 'Re: Plan',
      text: 'Turn the staircase',
      date: '2026-01-02',
    })
    await store({ from: 'bank@example.org', subject: 'Statement', date: '2026-01-03' })
    const last = await store({
      inReplyTo: 'p2@x.example',
      from: 'Ben <ben@example.org>',
      subject: 'Re: Plan',
      text: 'It works',
      date: '2026-01-04',
      tags: ['house'],
    })
    await store({ from: 'choir@example.org', subject: 'Rehearsal', date: '2026-01-05', folder: 'archive' })
    Object.assign(emails, { first: first.id, answer: answer.id, last: last.id })
    const threads = await list('folder=inbox')
    expect(threads.map(({ subject }) => subject)).toEqual(['Re: Plan', 'Statement'])
    expect(threads[0]).toMatchObject({
      id: plan,
      emailId: last.id,
      messageCount: 2,
      unreadCount: 1,
      starred: false,
      tags: ['house', 'Work'],
      snippet: 'It works',
    })
    expect(threads[0]?.participants.map(({ name }) => name)).toEqual(['Ana', 'Ben'])
    expect((await list('folder=sent'))[0]?.participants.map(({ name }) => name)).toEqual(['Ana'])
    const all = await list()
    expect(all.map(({ subject, messageCount }) => [subject, messageCount])).toEqual([
      ['Rehearsal', 1],
      ['Re: Plan', 3],
      ['Statement', 1],
    ])
  })

  it('come in pages without repetitions, also as search results and with filters', async () => {
    expect(await listByOne()).toEqual(['Rehearsal', 'Re: Plan', 'Statement'])
    expect(await listByOne('folder=inbox')).toEqual(['Re: Plan', 'Statement'])
    expect(await listByOne('q=staircase')).toEqual(['Re: Plan'])
    expect(await listByOne('q=-rehearsal')).toEqual(['Re: Plan', 'Statement'])
    expect(await listByOne('tag=work')).toEqual(['Plan'])
    expect(await listByOne('unread=true&folder=inbox')).toEqual(['Re: Plan', 'Statement'])
    expect(await listByOne('starred=true')).toEqual([])
    const [found] = await list('q=steep')
    expect(found).toMatchObject({ id: plan, emailId: emails.first, highlights: [{ field: 'snippet' }] })
    const hinted = await instance.get('/api/threads?q=is:bogus')
    expect(hinted.body.hints).toHaveLength(1)
  })

  it('change as a whole, in one folder or in all, and return to the previous values', async () => {
    const answer = await patch({ threadIds: [plan], folder: 'inbox', change: { folder: 'archive' } })
    expect(answer.status).toBe(200)
    expect(answer.body.emails.map(({ id }: { id: number }) => id)).toEqual([emails.last, emails.first])
    expect((await list('folder=inbox')).map(({ subject }) => subject)).toEqual(['Statement'])
    expect((await read(emails.answer as number)).folder).toBe('sent')
    const undone = await instance.call('PATCH', '/api/emails', { body: { emails: answer.body.emails } })
    expect(undone.body).toEqual({ changed: 2 })
    expect((await list('folder=inbox'))[0]).toMatchObject({
      id: plan,
      messageCount: 2,
      tags: ['house', 'Work'],
    })

    await patch({
      threadIds: [plan],
      change: { starred: true, read: true, addTags: ['New'], removeTags: ['HOUSE'] },
    })
    expect(await read(emails.last as number)).toMatchObject({ starred: true, read: true, tags: ['New'] })
    expect(await read(emails.first as number)).toMatchObject({ starred: false, tags: ['Work', 'New'] })
    expect((await list('starred=true')).map(({ id }) => id)).toEqual([plan])
    const again = await patch({ threadIds: [plan], change: { read: true } })
    expect(again.body.emails).toEqual([])
    await patch({ threadIds: [plan], change: { starred: false } })
    expect(await list('starred=true')).toEqual([])

    await patch({ threadIds: [plan], change: { folder: 'trash' } })
    expect((await list('folder=trash'))[0]).toMatchObject({ id: plan, messageCount: 3 })
  })

  it('are deleted permanently', async () => {
    const body = { threadIds: [plan], folder: 'trash' }
    expect((await instance.post('/api/threads/delete', body)).status).toBe(204)
    expect((await instance.get(`/api/emails/${emails.last}`)).status).toBe(404)
    expect((await instance.post('/api/threads/delete', body)).status).toBe(404)
  })

  it('are listed in bounded time, and refuse changes of too many emails', async () => {
    const { db } = instance.database
    const { id: firstId } = await store({ subject: 'Long', date: '2026-02-01' })
    const userId = await getLocalUserId(db)
    const { id: _, ...row } = await db
      .selectFrom('emails')
      .selectAll()
      .where('id', '=', firstId)
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    for (let at = 0; at < 1_100; at += 100)
      await db
        .insertInto('emails')
        .values(
          Array.from({ length: 100 }, (_each, n) => ({
            ...row,
            position: Number(row.position) + 2048 * (at + n + 1),
            messageId: null,
          })),
        )
        .execute()
    const { body: first } = await instance.get('/api/threads?folder=inbox')
    expect(first.threads.map(({ subject, messageCount }: Thread) => [subject, messageCount])).toEqual([
      ['Long', 100],
    ])
    // The rest of the long conversation is read with the next page, which does not list it again.
    const { body: next } = await instance.get(`/api/threads?folder=inbox&cursor=${first.nextCursor}`)
    expect(next.threads.map(({ subject }: Thread) => subject)).toEqual(['Statement'])
    const refused = await patch({ threadIds: [row.threadId], change: { read: true } })
    expect([refused.status, refused.body.code]).toEqual([400, 'too_many_emails'])
  })

  it('reject unknown threads, unknown changes and those of another account', async () => {
    expect((await patch({ threadIds: [2 ** 40], change: { read: true } })).status).toBe(404)
    expect((await patch({ threadIds: [1], change: {} })).status).toBe(400)
    expect((await patch({ threadIds: [], change: { read: true } })).status).toBe(400)
    await register(instance)
    const { token } = await register(instance, { email: 'other@example.org', name: 'Other' })
    const [own] = (await instance.get('/api/threads')).body.threads ?? []
    expect((await instance.get('/api/threads', { token })).body.threads).toEqual([])
    const threadIds = [own?.id ?? 1]
    const change = { token, body: { threadIds, change: { read: true } } }
    expect((await instance.call('PATCH', '/api/threads', change)).status).toBe(404)
    expect((await instance.post('/api/threads/delete', { threadIds }, { token })).status).toBe(404)
    const marks = { token, body: { emails: [{ id: own?.emailId ?? 1, read: true }] } }
    expect((await instance.call('PATCH', '/api/emails', marks)).body).toEqual({ changed: 0 })
  })
})

onEveryDatabase('searches', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  it('are suggested from senders and tags', async () => {
    for (const from of ['Ana Ruiz <ana@example.org>', 'Ben <ben@example.org>', 'ANA@example.org'])
      await instance.post('/api/emails', { from, subject: 'Hello', tags: ['Analysis'] })
    const { body } = await instance.get('/api/emails/suggestions?q=an')
    expect(body).toEqual({ senders: [{ name: '', address: 'ANA@example.org' }], tags: ['Analysis'] })
    expect((await instance.get('/api/emails/suggestions?q=A')).body).toEqual(body)
    expect((await instance.get('/api/emails/suggestions?q=r')).body.senders).toHaveLength(1)
    expect((await instance.get('/api/emails/suggestions?q=h')).body.senders).toEqual([])
    expect((await instance.get('/api/emails/suggestions?q=rui')).body.senders).toHaveLength(1)
    expect((await instance.get('/api/emails/suggestions?q=...')).body).toEqual({ senders: [], tags: [] })
  })

  it('are saved under a name, renamed and deleted', async () => {
    const saved = await instance.post('/api/saved-searches', { name: ' Invoices ', q: 'invoice' })
    expect([saved.status, saved.body]).toMatchObject([201, { name: 'Invoices', q: 'invoice' }])
    const path = `/api/saved-searches/${saved.body.id}`
    const renamed = await instance.call('PATCH', path, { body: { name: 'Bills' } })
    expect(renamed.body.name).toBe('Bills')
    const headers = { 'if-match': saved.headers.get('etag') ?? '' }
    expect((await instance.call('PATCH', path, { headers, body: { name: 'Old' } })).status).toBe(412)
    const { body } = await instance.get('/api/saved-searches')
    expect(body.savedSearches.map(({ name }: { name: string }) => name)).toEqual(['Bills'])
    expect((await instance.call('DELETE', path)).status).toBe(204)
    expect((await instance.call('DELETE', path)).status).toBe(404)
    expect((await instance.get('/api/saved-searches')).body.savedSearches).toEqual([])
    for (let n = 0; n < 50; n++) await instance.post('/api/saved-searches', { name: `s${n}`, q: 'x' })
    expect((await instance.post('/api/saved-searches', { name: 'more', q: 'x' })).status).toBe(409)
  })
})

onEveryDatabase('a conversation', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const store = async (body: Record<string, unknown>): Promise<{ threadId: number }> =>
    (await instance.post('/api/emails', { from: 'Ana <ana@example.org>', to: ['me@example.org'], ...body }))
      .body

  it('is read and changed by its id, with an ETag', async () => {
    const first = await store({ subject: 'Roof', messageId: 'roof1@x.example' })
    await store({ subject: 'Re: Roof', from: 'Ben <ben@example.org>', inReplyTo: 'roof1@x.example' })
    const path = `/api/threads/${first.threadId}`
    const found = await instance.get(path)
    const [listed] = (await instance.get('/api/threads?q=roof')).body.threads
    expect([found.status, found.body.messageCount, found.body.unreadCount]).toEqual([200, 2, 2])
    expect(found.body).toEqual({ ...listed, highlights: found.body.highlights })
    const etag = found.headers.get('etag') ?? ''
    const unchanged = await instance.get(path, { headers: { 'if-none-match': etag } })
    expect(unchanged.status).toBe(304)
    const patch = (body: object, headers: Record<string, string> = {}) =>
      instance.call('PATCH', path, { body, headers })
    const changed = await patch({ read: true, addTags: ['house'] }, { 'if-match': etag })
    expect([changed.status, changed.body.unreadCount, changed.body.tags]).toEqual([200, 0, ['house']])
    expect((await patch({ starred: true }, { 'if-match': etag })).status).toBe(412)
    expect((await patch({ folder: 'trash' })).body.folder).toBe('trash')
    // A conversation that is only in the trash changes there.
    expect((await patch({ folder: 'inbox' })).body).toMatchObject({ folder: 'inbox', messageCount: 2 })
    expect((await patch({})).status).toBe(400)
    expect((await patch({ raed: true })).body.errors[0].path).toBe('raed')
    expect((await instance.get('/api/threads/999999')).status).toBe(404)
    expect((await instance.get('/api/threads/x')).status).toBe(400)
  })
})
