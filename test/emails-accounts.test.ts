import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const EMAILS = '/api/emails'

const subjectsOf = ({ body }: Answer): string[] =>
  body.emails.map(({ subject }: { subject: string }) => subject)

onOneDatabase('sqlite', 'emails of two accounts', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person

  const list = async ({ token }: Person, query = ''): Promise<string[]> =>
    subjectsOf(await instance.get(`${EMAILS}?${query}`, { token }))
  const store = async ({ token }: Person, input: Record<string, unknown>) => {
    const answer = await instance.post(EMAILS, { from: 'cleo@example.org', ...input }, { token })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const upload = ({ token }: Person) =>
    instance.call('POST', '/api/attachments?filename=a.txt', {
      token,
      body: 'same bytes',
      headers: { 'content-type': 'text/plain' },
    })

  beforeAll(async () => {
    instance = await startInstance({ engine })
    await instance.post(EMAILS, { from: 'cleo@example.org', subject: 'Without a token' })
    ana = await register(instance)
    ben = await register(instance)
  })
  afterAll(() => instance.close())

  it('the first account gets the emails that were written without a token', async () => {
    expect(await list(ana)).toEqual(['Without a token'])
    expect(await list(ben)).toEqual([])
    expect(subjectsOf(await instance.get(EMAILS))).toEqual(['Without a token'])
  })

  it('a foreign id answers 404', async () => {
    const { id } = await store(ana, { subject: 'Contract', folder: 'drafts', to: ['dora@example.org'] })
    const { token } = ben
    for (const path of ['', '/thread', '/raw', '/mailing-list', '/attachments/none'])
      expect([path, (await instance.get(`${EMAILS}/${id}${path}`, { token })).status]).toEqual([path, 404])
    for (const path of ['cancel-send', 'mark-sent', 'discard-send', 'unsubscribe', 'analyze', 'reply-draft'])
      expect([path, (await instance.post(`${EMAILS}/${id}/${path}`, {}, { token })).status]).toEqual([
        path,
        404,
      ])
    const body = { read: true }
    expect((await instance.call('PATCH', `${EMAILS}/${id}`, { token, body })).status).toBe(404)
    expect((await instance.call('DELETE', `${EMAILS}/${id}`, { token })).status).toBe(404)
    const examined = await instance.post('/api/ai/email-intelligence', { emailId: id }, { token })
    expect(examined.status).toBe(404)
    expect((await instance.get(`${EMAILS}/${id}`, { token: ana.token })).body.read).toBe(true)
    await instance.call('DELETE', `${EMAILS}/${id}`, { token: ana.token })
  })

  it('lists, searches, tags and statistics contain only own emails', async () => {
    const shared = { text: 'lantern harbour', tags: ['boat'] }
    const own = await store(ana, { ...shared, subject: 'Anchor of Ana' })
    const other = await store(ben, { ...shared, subject: 'Anchor of Ben' })
    for (const query of [
      'q=lantern',
      'q=lant*',
      'q=lantern&sort=best',
      'q=lantern+-absent',
      'q=subject:anchor',
      'q=-absent+tag:boat',
      'tag=boat',
      'tag=boat&folder=inbox&unread=true',
    ]) {
      expect([query, await list(ana, query)]).toEqual([query, ['Anchor of Ana']])
      expect([query, await list(ben, query)]).toEqual([query, ['Anchor of Ben']])
    }
    // The search term of an account is not a word that a search can find.
    expect(await list(ben, `q=${ben.id}`)).toEqual([])
    expect(await list(ben, `threadId=${own.threadId}`)).toEqual([])
    const { body: tags } = await instance.get('/api/tags', { token: ben.token })
    expect(tags.tags).toEqual([{ tag: 'boat', emails: true, tasks: false }])
    const { body: stats } = await instance.get('/api/stats', { token: ben.token })
    expect(stats.emails).toMatchObject({ total: 1, unread: 1, receivedToday: 1 })
    const { body: history } = await instance.get('/api/stats/history', { token: ben.token })
    expect(history.totals.emails.received).toBe(1)
    for (const [person, { id }] of [
      [ana, own],
      [ben, other],
    ] as const)
      await instance.call('DELETE', `${EMAILS}/${id}`, { token: person.token })
  })

  it('threads join only emails of one account', async () => {
    const first = await store(ana, { subject: 'Plan', messageId: 'plan@example.org' })
    const foreign = await store(ben, { subject: 'Re: Plan', inReplyTo: 'plan@example.org' })
    const reply = await store(ana, { subject: 'Re: Plan', inReplyTo: 'plan@example.org' })
    expect(foreign.threadId).toBe(foreign.id)
    expect(reply.threadId).toBe(first.threadId)
    const { body } = await instance.get(`${EMAILS}/${first.id}/thread`, { token: ana.token })
    expect(body.emails.map(({ id }: { id: number }) => id)).toEqual([first.id, reply.id])
  })

  it('uploads and attachments are reachable only by their account, although equal bytes are shared', async () => {
    const [mine, theirs] = [(await upload(ana)).body, (await upload(ben)).body]
    const { token } = ben
    expect((await instance.get(`/api/attachments/${mine.id}`, { token })).status).toBe(404)
    const stolen = { folder: 'drafts', attachmentIds: [mine.id] }
    expect((await instance.post(EMAILS, stolen, { token })).status).toBe(400)
    const draft = await store(ana, { folder: 'drafts', attachmentIds: [mine.id] })
    const file = `${EMAILS}/${draft.id}/attachments/${mine.id}`
    expect((await instance.get(file, { token })).status).toBe(404)
    await instance.call('DELETE', `${EMAILS}/${draft.id}`, { token: ana.token })
    const kept = await store(ben, { folder: 'drafts', attachmentIds: [theirs.id] })
    const { body } = await instance.get(`${EMAILS}/${kept.id}/attachments/${theirs.id}`, { token })
    expect(body).toBe('same bytes')
  })

  it('rules apply to the mail of their account, and foreign rules answer 404', async () => {
    const rule = { name: 'Archive', q: 'subject:ruled', does: { folder: 'archive' } }
    const { body } = await instance.post('/api/mail-rules', rule, { token: ana.token })
    const { token } = ben
    expect((await instance.get('/api/mail-rules', { token })).body.mailRules).toEqual([])
    expect((await instance.get(`/api/mail-rules/${body.id}`, { token })).status).toBe(404)
    expect((await instance.post(`/api/mail-rules/${body.id}/run`, {}, { token })).status).toBe(404)
    expect((await instance.call('DELETE', `/api/mail-rules/${body.id}`, { token })).status).toBe(404)
    expect((await store(ben, { subject: 'Ruled' })).folder).toBe('inbox')
    expect((await store(ana, { subject: 'Ruled' })).folder).toBe('archive')
  })

  it('sending needs an own mail account', async () => {
    const send = { to: ['dora@example.org'], subject: 'Hello', text: 'x' }
    const { status, body } = await instance.post(`${EMAILS}/send`, send, { token: ben.token })
    expect([status, body.error?.code ?? body.code]).toEqual([409, 'not_configured'])
  })
})
