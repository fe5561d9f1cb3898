import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeCertificate, trustCertificate } from './support/certificates.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type ListMail, listMail } from './support/list-mail.ts'
import { createLoopbackWorld, type Visited } from './support/loopback-world.ts'
import { addAccountToSendWith } from './support/mail-account-to-send-with.ts'
import { storeMail, storeMails } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'
import { isFullRun } from './support/scale.ts'

const HOST = 'lists.test'

interface ReceivedNotification {
  path: string
  type: string | undefined
  cookie: string | undefined
  body: string
}

onOneDatabase('sqlite', 'mailing lists', (engine) => {
  const world = createLoopbackWorld()
  const received: ReceivedNotification[] = []
  let instance: Instance
  let server: Visited
  let endTrust: () => void

  const readText = async (request: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const chunk of request) text += chunk
    return text
  }

  beforeAll(async () => {
    const pair = makeCertificate(HOST, 'inside.test')
    endTrust = trustCertificate(pair.cert)
    server = await world.listen(
      createTlsServer(pair, async (request, response) => {
        const { url: path = '', headers } = request
        const body = await readText(request)
        received.push({ path, type: headers['content-type'], cookie: headers.cookie, body })
        if (path === '/moved') return response.writeHead(307, { location: '/leave' }).end()
        if (path === '/inside') return response.writeHead(302, { location: 'http://10.0.0.5/' }).end()
        if (path === '/broken') return response.writeHead(500).end('no')
        if (path === '/endless') {
          const more = () => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
            if (!response.destroyed) response.once('drain', more)
          }
          response.writeHead(200, { 'set-cookie': 'a=b' })
          return more()
        }
        return response.writeHead(202, { 'set-cookie': 'a=b' }).end('gone')
      }),
    )
    const outbound = world.client({ 'inside.test': ['10.0.0.5'] })
    instance = await startInstance({ engine, deps: { outbound } })
  })
  beforeEach(() => {
    received.length = 0
  })
  afterAll(async () => {
    await instance.close()
    await world.end()
    endTrust()
  })

  const storeListMail = (mail: ListMail): Promise<number> =>
    storeMail(instance, listMail({ date: instance.clock.now(), ...mail }))
  let listCount = 0
  /** Stores an email of a new list. */
  const storeOnNewList = async (path: string, mail: ListMail = {}) => {
    const listId = `list-${++listCount}.example.org`
    const id = await storeListMail({
      unsubscribe: `<https://${HOST}:${server.port}${path}>`,
      listId: `<${listId}>`,
      ...mail,
    })
    return { id, listId }
  }
  const leave = (id: number, body: Record<string, unknown> = {}, headers = {}) =>
    instance.post(`/api/emails/${id}/unsubscribe`, body, { headers })
  const readMethods = async (id: number) => (await instance.get(`/api/emails/${id}/mailing-list`)).body

  it('are shown with each email, without their unsubscribe URLs', async () => {
    const { id, listId } = await storeOnNewList('/leave?token=s3cret', {
      listId: 'The News <told.example.org>',
    })
    const mailingList = { id: 'told.example.org', name: 'The News', unsubscribe: 'one-click' }
    expect(listId).not.toBe(mailingList.id)
    expect((await instance.get(`/api/emails/${id}`)).body.mailingList).toEqual(mailingList)
    const { body } = await instance.get('/api/emails?limit=1')
    expect(body.emails[0].mailingList).toEqual(mailingList)
    expect(JSON.stringify(body)).not.toContain('s3cret')
    const { body: found } = await instance.get('/api/emails?q=new&limit=1')
    expect(found.emails[0].mailingList).toEqual(mailingList)
    const { body: thread } = await instance.get(`/api/emails/${id}/thread`)
    expect(thread.emails[0].mailingList).toEqual(mailingList)
    const plain = await instance.post('/api/emails', { from: 'ben@example.org', text: 'Hi' })
    expect(plain.body.mailingList).toBeNull()
    expect((await instance.get(`/api/emails/${plain.body.id}/mailing-list`)).status).toBe(404)
    expect((await leave(plain.body.id)).status).toBe(404)
    expect((await leave(99_999)).status).toBe(404)
  })

  it('receive one request for one-click unsubscribe, with exactly the standard body', async () => {
    const { id } = await storeOnNewList('/leave?t=1')
    expect(await readMethods(id)).toMatchObject({
      ways: [
        { by: 'one-click', to: `${HOST}:${server.port}`, url: null },
        { by: 'page', to: `${HOST}:${server.port}`, url: `https://${HOST}:${server.port}/leave?t=1` },
      ],

      refusal: null,
      refusalCode: null,
      unsubscribed: null,
    })
    const response = await instance.post(`/api/emails/${id}/unsubscribe`)
    const { at } = response.body
    const expected = { at, by: 'one-click', to: `${HOST}:${server.port}`, status: 'accepted', emailId: null }
    expect([response.status, response.body]).toEqual([200, { ...expected, url: null }])
    const words = { type: 'application/x-www-form-urlencoded', body: 'List-Unsubscribe=One-Click' }
    expect(received).toEqual([{ path: '/leave?t=1', cookie: undefined, ...words }])
    expect((await readMethods(id)).unsubscribed).toEqual(expected)
    // A second call returns the same result. Only `again` sends another request.
    expect((await leave(id)).body).toEqual(response.body)
    expect(received).toHaveLength(1)
    expect((await leave(id, { again: true })).status).toBe(200)
    expect(received).toHaveLength(2)
    expect(received[1]?.cookie).toBeUndefined()
  })

  it('receive one request per Idempotency-Key', async () => {
    const { id } = await storeOnNewList('/leave')
    const headers = { 'idempotency-key': `leave-${engine}` }
    const first = await leave(id, { again: true }, headers)
    const second = await leave(id, { again: true }, headers)
    expect([first.status, second.body]).toEqual([200, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(received).toHaveLength(1)
  })

  it.each([
    ['/moved', 502, /status 307/],
    ['/inside', 502, /status 302/],
    ['/broken', 502, /status 500.*still subscribed/],
  ])('with the response %s are reported as failed, without another request', async (path, status, words) => {
    const { id } = await storeOnNewList(path)
    const response = await leave(id)
    expect([response.status, response.body.code]).toEqual([status, 'upstream_failed'])
    expect(response.body.detail).toMatch(words)
    expect(received.map((one) => one.path)).toEqual([path])
    expect((await readMethods(id)).unsubscribed).toBeNull()
    // The page is still available for the user.
    expect((await leave(id, { by: 'page' })).body).toMatchObject({ status: 'page', at: null })
  })

  it('may send an endless response, which is discarded', async () => {
    const { id } = await storeOnNewList('/endless')
    expect((await leave(id)).body).toMatchObject({ status: 'accepted' })
  })

  it('at private addresses receive no request', async () => {
    for (const host of ['inside.test', '127.0.0.1', 'localhost', '169.254.169.254', '[::1]']) {
      const { id } = await storeOnNewList('', { unsubscribe: `<https://${host}:${server.port}/leave>` })
      const response = await leave(id)
      expect([host, response.status, response.body.code]).toEqual([host, 409, 'conflict'])
      expect(response.body.detail).toMatch(/not a public address/)
    }
    expect(received).toEqual([])
  })

  it('with a plain HTTP URL get no request, only a page to open', async () => {
    const plain = await world.listen(createServer((_request, response) => response.end('ok')))
    const { id } = await storeOnNewList('', { unsubscribe: `<http://${HOST}:${plain.port}/x>` })
    expect((await leave(id)).body).toEqual({
      by: 'page',
      status: 'page',
      to: `${HOST}:${plain.port}`,
      at: null,
      emailId: null,
      url: `http://${HOST}:${plain.port}/x`,
    })
    expect((await leave(id, { by: 'one-click' })).status).toBe(409)
    expect(plain.seen).toEqual([])
  })

  it('without a valid signature get no request, only a page to open', async () => {
    const { id } = await storeOnNewList('/leave', { found: null })
    expect((await instance.get(`/api/emails/${id}`)).body.mailingList.unsubscribe).toBe('page')
    expect((await leave(id)).body).toMatchObject({ by: 'page', status: 'page' })
    expect(received).toEqual([])
  })

  it('of phishing and spam get no request, and the response says why', async () => {
    const phishing =
      'Your account is suspended. Confirm your password at https://paypal.com.verify-now.example/ today.'
    const { id: first } = await storeOnNewList('/leave', {
      text: phishing,
      from: 'PayPal <x@paypa1.example>',
    })
    const { id: second } = await storeOnNewList('/leave', { more: ['X-Spam-Flag: YES'] })
    for (const [id, words, refusalCode] of [
      [first, /forged/, 'phishing'],
      [second, /spam/, 'spam'],
    ] as const) {
      const response = await leave(id)
      expect([response.status, response.body.code]).toEqual([409, 'conflict'])
      expect(response.body.detail).toMatch(words)
      expect(await readMethods(id)).toMatchObject({
        ways: [],
        refusal: expect.stringMatching(words),
        refusalCode,
      })
    }
    expect(received).toEqual([])
  })

  it('without the requested method are rejected', async () => {
    const { id } = await storeOnNewList('', { unsubscribe: null })
    expect((await leave(id)).body.detail).toMatch(/no method/)
    const { id: other } = await storeOnNewList('/leave')
    expect((await leave(other, { by: 'mail' })).body.detail).toMatch(/by mail/)
    expect((await leave(other, { by: 'fax' })).status).toBe(400)
    expect((await leave(other, { bi: 'mail' })).status).toBe(400)
  })

  it('by email require an account, and receive one email', async () => {
    const asked = '<mailto:leave@lists.example?subject=leave%20ana&body=please&cc=x@y.example>'
    const { id } = await storeOnNewList('', { unsubscribe: asked })
    const refused = await leave(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'not_configured'])
    expect((await readMethods(id)).unsubscribed).toBeNull()
    const accountId = await addAccountToSendWith(instance)
    const answers = await Promise.all([1, 2, 3, 4].map(() => leave(id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [{ body } = { body: null }] = answers
    expect(body).toMatchObject({ by: 'mail', status: 'queued', to: 'leave@lists.example', url: null })
    for (const answer of answers) expect(answer.body.emailId).toBe(body.emailId)
    const { body: mail } = await instance.get(`/api/emails/${body.emailId}`)
    expect(mail).toMatchObject({ accountId, subject: 'leave ana', text: 'please', cc: [], bcc: [] })
    expect(mail.to).toEqual([{ name: '', address: 'leave@lists.example' }])
    const { body: drafts } = await instance.get('/api/emails?folder=drafts')
    expect(drafts.emails).toHaveLength(1)

    // A cancelled email can be requested again.
    await instance.post(`/api/emails/${body.emailId}/cancel-send`)
    expect((await readMethods(id)).unsubscribed).toMatchObject({ status: 'cancelled' })
    expect((await leave(id)).body.emailId).not.toBe(body.emailId)
  })

  it('cannot be unsubscribed with mail:read', async () => {
    const { token } = await register(instance, { email: `b-${engine}@example.org` })
    const made = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'reader', scopes: ['mail:read'] },
      { token },
    )
    const { id } = await storeOnNewList('/leave')
    const response = await instance.post(`/api/emails/${id}/unsubscribe`, {}, { token: made.body.token })
    expect([response.status, response.body.code]).toEqual([403, 'insufficient_scope'])
    expect((await instance.get('/api/mailing-lists', { token: made.body.token })).status).toBe(200)
    expect(received).toEqual([])
  })
})

onEveryDatabase('the list of mailing lists', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const DAY_MS = 86_400_000
  const createListMail = (listId: string, daysAgo = 0): string =>
    listMail({
      listId,
      unsubscribe: '<https://lists.test/leave>',
      date: new Date(instance.clock.now().getTime() - daysAgo * DAY_MS),
    })
  const storeListMail = (listId: string, daysAgo?: number): Promise<number> =>
    storeMail(instance, createListMail(listId, daysAgo))

  it('is sorted by number of emails, with unread counts and pages', async () => {
    expect((await instance.get('/api/mailing-lists')).body).toEqual({ mailingLists: [], nextCursor: null })
    await storeListMail('<a.example>', 3)
    const last = await storeListMail('The A <a.example>', 1)
    const first = await storeListMail('<a.example>', 80)
    await storeListMail('<a.example>', 100)
    await storeListMail('<b.example>', 2)
    await storeListMail('<c.example>', 1)
    await instance.call('PATCH', `/api/emails/${first}`, { body: { read: true } })
    const { body } = await instance.get('/api/mailing-lists?limit=2')
    expect(body.mailingLists).toMatchObject([
      {
        id: 'a.example',
        name: 'The A',
        emails: 3,
        unread: 2,
        lastEmailId: last,
        from: { name: 'Example News', address: 'news@example.org' },
        unsubscribe: 'one-click',
        unsubscribed: null,
      },
      { id: 'c.example', name: '', emails: 1, unread: 1 },
    ])
    const next = await instance.get(`/api/mailing-lists?limit=2&cursor=${body.nextCursor}`)
    expect(next.body).toMatchObject({ mailingLists: [{ id: 'b.example' }], nextCursor: null })
    expect((await instance.get('/api/mailing-lists?cursor=x')).status).toBe(400)
  })

  const readFolders = async (ids: readonly number[]): Promise<string[]> => {
    const found: string[] = []
    for (const id of ids) found.push((await instance.get(`/api/emails/${id}`)).body.folder)
    return found
  }
  const move = (id: string, folder: string, headers = {}) =>
    instance.post('/api/mailing-lists/move', { id, folder }, { headers })

  it('moves the emails of a list and restores their folders on undo', async () => {
    const ids = [
      await storeListMail('<m.example>'),
      await storeListMail('<m.example>'),
      await storeListMail('<m.example>', 200),
    ]
    const other = await storeListMail('<n.example>')
    await instance.call('PATCH', `/api/emails/${ids[0]}`, { body: { folder: 'archive' } })
    const archived = await move('m.example', 'archive')
    expect(archived.body).toMatchObject({ moved: 2, more: false })
    expect(await readFolders([...ids, other])).toEqual(['archive', 'archive', 'archive', 'inbox'])
    const undo = (actionId: number) => instance.post(`/api/actions/${actionId}/undo`)
    expect((await undo(archived.body.actionId)).status).toBe(200)
    expect(await readFolders(ids)).toEqual(['archive', 'inbox', 'inbox'])

    const headers = { 'idempotency-key': `move-${engine}` }
    const trashed = await move('m.example', 'trash', headers)
    expect((await move('m.example', 'trash', headers)).body).toEqual(trashed.body)
    expect(trashed.body).toMatchObject({ moved: 3, more: false })
    expect(await readFolders(ids)).toEqual(['trash', 'trash', 'trash'])
    // Undo skips emails that a user moved or deleted since.
    await instance.call('PATCH', `/api/emails/${ids[1]}`, { body: { folder: 'archive', read: true } })
    await instance.call('DELETE', `/api/emails/${ids[2]}`)
    expect((await undo(trashed.body.actionId)).status).toBe(200)
    expect(await readFolders(ids.slice(0, 2))).toEqual(['archive', 'archive'])
    expect((await undo(trashed.body.actionId)).status).toBe(409)
    const { body } = await instance.get('/api/actions?limit=1')
    expect(body.actions[0]).toMatchObject({
      kind: 'emails.list_moved',
      summary: 'Moved 3 emails of m.example to the trash',
    })
  })

  const countsBatches = engine === 'sqlite' || isFullRun
  if (countsBatches)
    it('moves 500 emails at a time, newest first', async () => {
      const mails = Array.from({ length: 502 }, (_, n) => createListMail('<many.example>', 1 + n / 10_000))
      await storeMails(instance, mails)
      const first = await move('many.example', 'archive')
      expect(first.body).toMatchObject({ moved: 500, more: true })
      expect((await move('many.example', 'trash')).body).toMatchObject({ moved: 500, more: true })
      expect((await move('many.example', 'trash')).body).toMatchObject({ moved: 2, more: false })
      expect((await instance.post(`/api/actions/${first.body.actionId}/undo`)).status).toBe(409)
    })

  it('records no action without emails to move, and rejects other folders', async () => {
    expect((await move('unknown.example', 'trash')).body).toEqual({ moved: 0, more: false, actionId: null })
    expect((await move('m.example', 'inbox')).status).toBe(400)
    const only = await storeListMail('<gone.example>')
    const { body } = await move('gone.example', 'archive')
    await instance.call('DELETE', `/api/emails/${only}`)
    const undone = await instance.post(`/api/actions/${body.actionId}/undo`)
    expect([undone.status, undone.body.detail]).toEqual([409, 'These emails were moved or deleted since.'])
  })
})
