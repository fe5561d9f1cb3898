import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { addAccountToSendWith } from './support/mail-account-to-send-with.ts'
import { PASSWORD, register } from './support/people.ts'

onEveryDatabase('emails', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const create = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    instance.post(
      '/api/emails',
      {
        from: 'Ana Ruiz <ana@example.org>',
        to: ['ben@example.org'],
        subject: 'Lunch',
        text: 'Are you free at noon?',
        ...body,
      },
      { headers },
    )
  const change = (id: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    instance.call('PATCH', `/api/emails/${id}`, { body, headers })

  it('are created from fields and returned unchanged', async () => {
    const made = await create({
      to: ['Ben Okafor <ben@example.org>', { name: 'Cy', address: 'cy@example.org' }],
      cc: ['dee@example.org'],
      tags: ['Work', 'work', 'später'],
      date: '2026-03-01T14:00:00+02:00',
      messageId: '<m1@example.org>',
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/emails/${made.body.id}`)
    expect(made.body).toEqual({
      id: expect.any(Number),
      messageId: 'm1@example.org',
      threadId: made.body.id,
      mailingList: null,
      unreadable: null,
      accountId: null,
      folder: 'inbox',
      from: { name: 'Ana Ruiz', address: 'ana@example.org' },
      to: [
        { name: 'Ben Okafor', address: 'ben@example.org' },
        { name: 'Cy', address: 'cy@example.org' },
      ],
      cc: [{ name: '', address: 'dee@example.org' }],
      bcc: [],
      replyTo: [],
      inReplyTo: null,
      subject: 'Lunch',
      text: 'Are you free at noon?',
      html: null,
      snippet: 'Are you free at noon?',
      date: '2026-03-01T12:00:00.000Z',
      tags: ['Work', 'später'],
      read: false,
      starred: false,
      security: null,
      snoozedUntil: null,
      followUpAt: null,
      pinned: false,
      returned: null,
      folderId: null,
      folders: [],
      invitation: null,
      attachments: [],
      analysis: null,
      delivery: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const read = await instance.get(`/api/emails/${made.body.id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(made.body)
    const etag = read.headers.get('etag') as string
    const again = await instance.get(`/api/emails/${made.body.id}`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  it.each([
    ['a missing sender', { from: undefined }, 'from'],
    ['an invalid address', { to: ['nobody'] }, 'to.0'],
    ['two senders', { from: 'a@b.example, c@d.example' }, 'from'],
    ['an unknown folder', { folder: 'spam' }, 'folder'],
    ['an invalid date', { date: '2026-02-30' }, 'date'],
    ['an unknown field', { subjekt: 'x' }, 'subjekt'],
    ['an unknown upload', { attachmentIds: ['none'] }, 'attachmentIds.0'],
    ['an unknown mail account', { accountId: 'none' }, 'accountId'],
    ['a Message-ID with a space', { messageId: 'a b' }, 'messageId'],
  ])('are rejected with %s', async (_what, body, path) => {
    const refused = await create(body)
    expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([
      400,
      'validation_failed',
      path,
    ])
  })

  it('are created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'mail-1' }
    const [first, second] = [await create({}, headers), await create({}, headers)]
    expect(second.body.id).toBe(first.body.id)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await create({ subject: 'Other' }, headers)).body.code).toBe('idempotency_mismatch')
  })

  it('can be tagged, marked and moved, but not edited', async () => {
    const { body: email } = await create()
    const changed = await change(email.id, { read: true, starred: true, folder: 'archive', tags: ['a', 'b'] })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...email,
      read: true,
      starred: true,
      folder: 'archive',
      tags: ['a', 'b'],
      updatedAt: expect.any(String),
    })
    const refused = await change(email.id, { subject: 'Dinner' })
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'subject'])
    expect((await change(email.id, { red: true })).body.errors[0].message).toContain('read')
  })

  it('require a matching ETag if If-Match is given', async () => {
    const { body: email, headers } = await create()
    const etag = headers.get('etag') as string
    const changed = await change(email.id, { read: true }, { 'if-match': etag })
    expect(changed.status).toBe(200)
    expect((await change(email.id, { read: false }, { 'if-match': etag })).status).toBe(412)
    const path = `/api/emails/${email.id}`
    expect((await instance.call('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(412)
    const now = changed.headers.get('etag') as string
    expect((await instance.call('DELETE', path, { headers: { 'if-match': now } })).status).toBe(204)
    expect((await instance.get(path)).status).toBe(404)
  })

  it('in drafts can be edited, and are found by their new words only', async () => {
    const made = await create({
      folder: 'drafts',
      from: undefined,
      subject: 'Ziegelstein',
      text: 'Mauerwerk',
    })
    expect([made.status, made.body.from, made.body.read]).toEqual([201, null, true])
    const edited = await change(made.body.id, {
      from: 'me@example.org',
      to: ['zoe@example.org'],
      subject: 'Dachpfanne',
      html: '<p>Neues <b>Gebälk</b></p><script>x()</script>',
      date: '2026-05-01T10:00:00Z',
      tags: ['bau'],
    })
    expect(edited.status).toBe(200)
    expect(edited.body).toMatchObject({
      subject: 'Dachpfanne',
      text: 'Neues Gebälk',
      html: '<p>Neues <b>Gebälk</b></p>',
      date: '2026-05-01T10:00:00.000Z',
      tags: ['bau'],
    })
    const found = async (q: string) =>
      (await instance.get(`/api/emails?q=${encodeURIComponent(q)}`)).body.emails
    expect((await found('gebalk tag:bau to:zoe')).map(({ id }: { id: number }) => id)).toEqual([made.body.id])
    expect(await found('mauerwerk')).toEqual([])
  })

  it('are listed newest first across pages, without duplicates', async () => {
    const dates = [3, 1, 2, 2, 2, 5, 4].map((day) => `2019-01-0${day}T08:00:00Z`)
    for (const date of dates) await create({ date, tags: ['paged'] })
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/api/emails?tag=PAGED&limit=2${cursor && `&cursor=${cursor}`}`
      const { body }: { body: { emails: { date: string; id: number }[]; nextCursor: string | null } } =
        await instance.get(path)
      seen.push(...body.emails.map(({ date, id }) => `${date} ${String(id).padStart(9, '0')}`))
      cursor = body.nextCursor
    }
    expect(seen).toHaveLength(dates.length)
    expect(seen).toEqual(seen.toSorted().reverse())
    expect((await instance.get('/api/emails?limit=0')).status).toBe(400)
    expect((await instance.get('/api/emails?limit=201')).status).toBe(400)
    expect((await instance.get('/api/emails?cursor=rubbish')).status).toBe(400)
    expect((await instance.get('/api/emails?tga=x')).body.errors[0].message).toContain('tag')
  })

  it('are listed without bodies, and can be filtered', async () => {
    const accountId = await addAccountToSendWith(instance)
    const { body: email } = await create({ accountId, subject: 'Narrow', starred: true, tags: ['narrow'] })
    await create({ accountId, subject: 'Read', read: true, folder: 'archive' })
    const list = async (query: string) =>
      (await instance.get(`/api/emails?accountId=${accountId}${query}`)).body.emails.map(
        ({ subject }: { subject: string }) => subject,
      )
    expect(await list('')).toEqual(['Read', 'Narrow'])
    expect(await list('&unread=true')).toEqual(['Narrow'])
    expect(await list('&unread=false')).toEqual(['Read'])
    expect(await list('&folder=archive')).toEqual(['Read'])
    expect(await list('&starred=true')).toEqual(['Narrow'])
    expect(await list('&tag=narrow')).toEqual(['Narrow'])
    expect(await list(`&threadId=${email.threadId}`)).toEqual(['Narrow'])
    expect(await list('&urgency=high')).toEqual([])
    const { body } = await instance.get(`/api/emails?accountId=${accountId}`)
    expect(body.emails[0]).not.toHaveProperty('text')
    expect(body.emails[0]).not.toHaveProperty('html')
    expect(body.emails[0].snippet).toBe('Are you free at noon?')
  })

  it('with the same millisecond all get a position, even if the positions of that millisecond are used up', async () => {
    const { db } = instance.database
    const { body } = await create({ date: '1999-01-01T00:00:00Z', subject: 'Full' })
    const first = await db
      .selectFrom('emails')
      .select('position')
      .where('id', '=', body.id)
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('emails')
      .set({ position: first.position + 2047 })
      .where('id', '=', body.id)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const made = await create({ date: '1999-01-01T00:00:00Z', subject: 'Full' })
    const next = await create({ date: '1999-01-01T00:00:00.001Z', subject: 'Full' })
    const over = await create({ date: '1999-01-01T00:00:00Z', subject: 'Full' })
    expect([made.status, next.status, over.status]).toEqual([201, 201, 201])
  })

  it('emit an event when they arrive in the inbox', async () => {
    const events: string[] = []
    const stop = instance.app.changes.listen(({ type, subject }) => events.push(`${type} ${subject}`))
    const { body } = await create()
    await create({ folder: 'sent' })
    stop()
    expect(events).toEqual([`email.received ${body.id}`])
  })

  it('that do not exist return 404 on every route', async () => {
    for (const path of ['', '/thread', '/raw', '/attachments/x'])
      expect([path, (await instance.get(`/api/emails/999999${path}`)).status]).toEqual([path, 404])
    expect((await change(999999, { read: true })).status).toBe(404)
    expect((await instance.call('DELETE', '/api/emails/999999')).status).toBe(404)
    expect((await instance.get('/api/emails/0')).status).toBe(400)
    expect((await instance.get('/api/emails/x')).status).toBe(400)
  })
})

onOneDatabase('sqlite', 'emails with private access', (engine) => {
  it('require a token with the matching scope', async () => {
    const instance = await startInstance({ engine, environment: { ACCESS: 'private' } })
    const { token } = await register(instance)
    const tokenFor = async (scope: string) =>
      (
        await instance.post(
          '/api/settings/tokens',
          { password: PASSWORD, name: 'n', scopes: [scope] },
          { token },
        )
      ).body.token as string
    const [reader, other] = [await tokenFor('mail:read'), await tokenFor('tasks:write')]
    const status = async (method: string, as?: string) =>
      (
        await instance.call(method, '/api/emails', {
          token: as,
          ...(method === 'POST' && { body: { from: 'a@b.example' } }),
        })
      ).status
    expect(await status('GET')).toBe(401)
    expect(await status('GET', other)).toBe(403)
    expect(await status('GET', reader)).toBe(200)
    expect(await status('POST', reader)).toBe(403)
    expect(await status('POST', await tokenFor('mail:write'))).toBe(201)
    await instance.close()
  })
})
