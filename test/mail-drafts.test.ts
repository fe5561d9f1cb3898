import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { addAccountToSendWith } from './support/mail-account-to-send-with.ts'
import { PASSWORD, type Person, register, signIn } from './support/people.ts'

const EMAILS = '/api/emails'
const SEND = '/api/emails/send'
const ACTIONS = '/api/ai/actions'
const OFFER = { to: ['bob@example.org'], subject: 'Offer', text: 'Here it is.' }

onOneDatabase('sqlite', 'a token with mail:draft', (engine) => {
  let instance: Instance
  let person: Person
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { ACCESS: 'private', REGISTRATION: 'open' } })
    person = await register(instance)
    await addAccountToSendWith(instance, person)
    token = await createToken('mail:draft')
  })
  afterAll(() => instance?.close())

  const createToken = async (...scopes: string[]): Promise<string> => {
    const made = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 't', scopes },
      person,
    )
    expect([made.status, made.body.scopes]).toEqual([201, scopes])
    return made.body.token
  }
  const outbox = () => instance.database.db.selectFrom('outbox').selectAll().orderBy('emailId').execute()
  const confirm = (id: string, as: { token: string } = person) =>
    instance.post(`${ACTIONS}/${id}/confirm`, {}, as)
  const requestSend = async (input: object = OFFER) => {
    const { status, body } = await instance.post(SEND, input, { token })
    expect(status).toBe(202)
    return body as { status: string; actionId: string; emailId: number; expiresAt: string }
  }
  const patch = (id: number, body: object, as: { token: string } = { token }) =>
    instance.call('PATCH', `${EMAILS}/${id}`, { ...as, body })
  const toError = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
  const REFUSED = [403, 'insufficient_scope']

  it('reaches only the routes for reading and drafting mail', async () => {
    const reachable: string[] = []
    for (const { method, url, access, scope } of instance.app.routes.entries()) {
      if (
        method === 'HEAD' ||
        method === 'OPTIONS' ||
        access === 'public' ||
        access === 'dav' ||
        scope === 'any'
      )
        continue
      const path = url.replace(/:[^/]+/g, '999999')
      const isWrite = method !== 'GET' && method !== 'DELETE'
      const { status, body } = await instance.call(method, path, { token, ...(isWrite && { body: {} }) })
      if (status === 403 && body.code === 'insufficient_scope') {
        // This route accepts drafts. It rejected the empty body because it is not a draft.
        if (`${method} ${url}` === `POST ${EMAILS}`) reachable.push(`${method} ${url}`)
      } else reachable.push(`${method} ${url}`)
    }
    expect(reachable.sort()).toEqual(
      [
        'GET /api/attachments/:id',
        'GET /api/commitments',
        'GET /api/commitments/:id',
        'GET /api/contacts',
        'GET /api/contacts/:id',
        'GET /api/contacts/:id/vcard',
        'GET /api/contacts/duplicates',
        'GET /api/contacts/export',
        'GET /api/contacts/suggest',
        'GET /api/emails',
        'GET /api/emails/:id',
        'GET /api/emails/:id/attachments.zip',
        'GET /api/emails/:id/attachments/:attachmentId',
        'GET /api/emails/:id/attachments/:attachmentId/preview',
        'GET /api/emails/:id/mailing-list',
        'GET /api/emails/:id/raw',
        'GET /api/emails/:id/thread',
        'GET /api/emails/counts',
        'GET /api/emails/suggestions',
        'GET /api/folders',
        'GET /api/folders/:id',
        'GET /api/mail-rules',
        'GET /api/mail-rules/:id',
        'GET /api/mail-templates',
        'GET /api/mail-templates/:id',
        'GET /api/mailing-lists',
        'GET /api/saved-searches',
        'GET /api/threads',
        'GET /api/threads/:id',
        'PATCH /api/emails/:id',
        'POST /api/attachments',
        'POST /api/emails',
        'POST /api/emails/:id/reply-draft',
        'POST /api/emails/send',
      ].sort(),
    )
  })

  it('creates drafts with attachments and edits them', async () => {
    const upload = await instance.call('POST', '/api/attachments?filename=a.txt', {
      token,
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    })
    expect(upload.status).toBe(201)
    const input = { ...OFFER, folder: 'drafts', attachmentIds: [upload.body.id] }
    const made = await instance.post(EMAILS, input, { token })
    expect([made.status, made.body.folder]).toEqual([201, 'drafts'])
    const edited = await patch(made.body.id, { text: 'Better.', tags: ['offers'] })
    expect([edited.status, edited.body.text]).toEqual([200, 'Better.'])
    const read = await instance.get(`${EMAILS}/${made.body.id}`, { token })
    expect(read.body).toMatchObject({ text: 'Better.', attachments: [{ filename: 'a.txt' }] })
  })

  it('cannot create other emails, and cannot move or delete any', async () => {
    const received = { from: 'ana@example.org', text: 'Hi' }
    for (const body of [received, { ...received, folder: 'inbox' }, { ...OFFER, folder: 'sent' }])
      expect(toError(await instance.post(EMAILS, body, { token }))).toEqual(REFUSED)
    const raw = { token, body: 'Subject: x\r\n\r\nHi', headers: { 'content-type': 'message/rfc822' } }
    expect(toError(await instance.call('POST', EMAILS, raw))).toEqual(REFUSED)
    const { body: mail } = await instance.post(EMAILS, received, person)
    const { body: draft } = await instance.post(EMAILS, { ...OFFER, folder: 'drafts' }, { token })
    for (const change of [{ read: true }, { tags: ['x'] }, { folder: 'drafts' }])
      expect(toError(await patch(mail.id, change))).toEqual(REFUSED)
    for (const folder of ['sent', 'trash', 'inbox'])
      expect(toError(await patch(draft.id, { folder }))).toEqual(REFUSED)
    expect(toError(await instance.call('DELETE', `${EMAILS}/${draft.id}`, { token }))).toEqual(REFUSED)
    expect((await instance.get(`${EMAILS}/${mail.id}`, person)).body).toMatchObject({ read: false, tags: [] })
  })

  it('cannot change a queued message', async () => {
    const sendAt = new Date(instance.clock.now().getTime() + DAY).toISOString()
    const { body: queued } = await instance.post(SEND, { ...OFFER, sendAt }, person)
    expect(queued).toMatchObject({ folder: 'drafts', delivery: { status: 'queued' } })
    expect(toError(await patch(queued.id, { to: ['thief@example.org'] }))).toEqual(REFUSED)
    for (const path of ['cancel-send', 'resend', 'mark-sent', 'discard-send'])
      expect(toError(await instance.post(`${EMAILS}/${queued.id}/${path}`, undefined, { token }))).toEqual(
        REFUSED,
      )
    expect((await instance.post(`${EMAILS}/${queued.id}/cancel-send`, undefined, person)).status).toBe(200)
  })

  it('requests sending, which the user confirms and can undo', async () => {
    const before = await outbox()
    const pending = await requestSend({ ...OFFER, cc: ['Eve <eve@example.org>'], html: '<p>Here it is.</p>' })
    expect(pending).toEqual({
      status: 'needs_confirmation',
      actionId: expect.any(String),
      emailId: expect.any(Number),
      expiresAt: expect.any(String),
    })
    expect(await outbox()).toEqual(before)
    const { body: draft } = await instance.get(`${EMAILS}/${pending.emailId}`, { token })
    expect(draft).toMatchObject({ folder: 'drafts', subject: 'Offer', delivery: null })
    const { actions } = (await instance.get(`${ACTIONS}?status=pending`, person)).body
    expect(actions[0]).toMatchObject({
      id: pending.actionId,
      tool: 'send_draft',
      source: 'api',
      summary: 'Send “Offer” to bob@example.org, eve@example.org',
      input: { id: pending.emailId },
    })
    expect(toError(await confirm(pending.actionId, { token }))).toEqual(REFUSED)
    const done = await confirm(pending.actionId)
    expect([done.status, done.body.result.delivery.status]).toEqual([200, 'queued'])
    const [queued] = (await outbox()).filter(({ emailId }) => emailId === pending.emailId)
    expect(JSON.parse(queued?.envelope ?? '')).toMatchObject({
      from: 'me@example.org',
      to: ['bob@example.org', 'eve@example.org'],
    })
    const sent = await instance.get(`${EMAILS}/${pending.emailId}/raw`, { token })
    expect(sent.body).toContain('Subject: Offer')
    expect(sent.body).toContain('Here it is.')
    expect((await confirm(pending.actionId)).status).toBe(409)
    expect((await outbox()).length).toBe(before.length + 1)
    expect((await instance.post(`/api/actions/${done.body.undoId}/undo`, undefined, person)).status).toBe(200)
    expect((await instance.get(`${EMAILS}/${pending.emailId}`, { token })).body.delivery.status).toBe(
      'cancelled',
    )
  })

  it('requests sending once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `draft-${engine}` }
    const first = await instance.post(SEND, OFFER, { token, headers })
    const again = await instance.post(SEND, OFFER, { token, headers })
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body])
    const other = await instance.post(SEND, { ...OFFER, subject: 'Other' }, { token, headers })
    expect(toError(other)).toEqual([409, 'idempotency_mismatch'])
  })

  it('sends nothing if the draft was changed or deleted, or after one day', async () => {
    const before = await outbox()
    const changed = await requestSend()
    expect((await patch(changed.emailId, { to: ['thief@example.org'] })).status).toBe(200)
    const refused = await confirm(changed.actionId)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('changed since')])
    const gone = await requestSend()
    await instance.call('DELETE', `${EMAILS}/${gone.emailId}`, person)
    expect((await confirm(gone.actionId)).status).toBe(404)
    const late = await requestSend()
    instance.clock.advance(DAY)
    expect((await confirm(late.actionId, await signIn(instance, person.email))).status).toBe(409)
    instance.clock.advance(-DAY)
    expect(await outbox()).toEqual(before)
  })

  it('is rejected at once for input that cannot be sent', async () => {
    expect((await instance.post(SEND, { subject: 'x', text: 'y' }, { token })).status).toBe(400)
    expect((await instance.post(SEND, { ...OFFER, accountId: 'none' }, { token })).status).toBe(400)
    expect((await instance.post(SEND, { ...OFFER, sendAt: 'soon' }, { token })).status).toBe(400)
    const { body } = await instance.get(`${EMAILS}?folder=drafts&q=y`, { token })
    expect(body.emails).toEqual([])
  })

  it('has MCP tools to read, draft and send, and sending waits for confirmation', async () => {
    const rpc = async (method: string, params: object) => {
      const headers = { accept: 'application/json, text/event-stream' }
      const { body } = await instance.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, params },
        { token, headers },
      )
      const text = typeof body === 'string' ? (/^data: (.*)$/m.exec(body)?.[1] ?? '{}') : JSON.stringify(body)
      return JSON.parse(text).result
    }
    const { tools } = await rpc('tools/list', {})
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'find_emails',
      'read_email',
      'draft_email',
      'send_email',
      'send_draft',
      'find_unanswered',
      'find_contact',
      'read_contact',
      'list_reservations',
      'list_mail_rules',
      'list_mail_folders',
      'summarize_emails',
      'list_mailing_lists',
      'list_commitments',
    ])
    const before = await outbox()
    const sent = await rpc('tools/call', { name: 'send_email', arguments: OFFER })
    expect(sent.content[0].text).toContain('waits for the person')
    const { body: draft } = await instance.post(EMAILS, { ...OFFER, folder: 'drafts' }, { token })
    const pending = await rpc('tools/call', { name: 'send_draft', arguments: { id: draft.id } })
    expect(pending.content[0].text).toContain('waits for the person')
    expect(await outbox()).toEqual(before)
    const [action] = (await instance.get(`${ACTIONS}?status=pending`, person)).body.actions
    expect((await confirm(action.id)).status).toBe(200)
    expect((await instance.get(`${EMAILS}/${draft.id}`, person)).body).toMatchObject({
      from: { address: 'me@example.org' },
      delivery: { status: 'queued' },
    })
    const { body: received } = await instance.post(EMAILS, { from: 'a@example.org', text: 'Hi' }, person)
    const wrong = await rpc('tools/call', { name: 'send_draft', arguments: { id: received.id } })
    expect(wrong.content[0].text).toContain('not a draft')
  })

  it('does not affect mail:write and sessions, which send at once', async () => {
    for (const as of [{ token: await createToken('mail:write') }, person]) {
      const { status, body } = await instance.post(SEND, OFFER, as)
      expect([status, body.delivery.status, body.subject]).toEqual([202, 'queued', 'Offer'])
    }
    expect(toError(await instance.post(SEND, OFFER, { token: await createToken('mail:read') }))).toEqual(
      REFUSED,
    )
  })
})
