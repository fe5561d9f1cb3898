import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { readTally } from '../src/database/tallies.ts'
import { makeCertificate, trustCertificate } from './support/certificates.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type ListMail, listMail } from './support/list-mail.ts'
import { createLoopbackWorld, type Visited } from './support/loopback-world.ts'
import { addAccountToSendWith } from './support/mail-account-to-send-with.ts'
import { storeMail } from './support/meeting-mail.ts'
import { PASSWORD, register } from './support/people.ts'

const HOST = 'lists.test'

interface Told {
  path: string
  type: string | undefined
  cookie: string | undefined
  body: string
}

onEveryDatabase('mailing lists', (engine) => {
  const world = createLoopbackWorld()
  const told: Told[] = []
  let instance: Instance
  let server: Visited
  let endTrust: () => void

  const textOf = async (request: IncomingMessage): Promise<string> => {
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
        const body = await textOf(request)
        told.push({ path, type: headers['content-type'], cookie: headers.cookie, body })
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
    told.length = 0
  })
  afterAll(async () => {
    await instance.close()
    await world.end()
    endTrust()
  })

  const put = (mail: ListMail): Promise<number> =>
    storeMail(instance, listMail({ date: instance.clock.now(), ...mail }))
  let lists = 0
  /** Of a list of its own. */
  const putNew = async (path: string, mail: ListMail = {}) => {
    const listId = `list-${++lists}.example.org`
    const id = await put({
      unsubscribe: `<https://${HOST}:${server.port}${path}>`,
      listId: `<${listId}>`,
      ...mail,
    })
    return { id, listId }
  }
  const leave = (id: number, body: Record<string, unknown> = {}, headers = {}) =>
    instance.post(`/api/emails/${id}/unsubscribe`, body, { headers })
  const waysOf = async (id: number) => (await instance.get(`/api/emails/${id}/mailing-list`)).body

  it('an e-mail tells by which list it came, in lists too, and gives away no address', async () => {
    const { id, listId } = await putNew('/leave?token=s3cret', { listId: 'The News <told.example.org>' })
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

  it('one click asks the list’s server once, with the words of the standard and nothing else', async () => {
    const { id } = await putNew('/leave?t=1')
    expect(await waysOf(id)).toMatchObject({
      ways: [
        { by: 'one-click', to: `${HOST}:${server.port}`, url: null },
        { by: 'page', to: `${HOST}:${server.port}`, url: `https://${HOST}:${server.port}/leave?t=1` },
      ],
      ...{ refusal: null, unsubscribed: null },
    })
    const left = await instance.post(`/api/emails/${id}/unsubscribe`)
    const { at } = left.body
    const expected = { at, by: 'one-click', to: `${HOST}:${server.port}`, status: 'accepted', emailId: null }
    expect([left.status, left.body]).toEqual([200, { ...expected, url: null }])
    const words = { type: 'application/x-www-form-urlencoded', body: 'List-Unsubscribe=One-Click' }
    expect(told).toEqual([{ path: '/leave?t=1', cookie: undefined, ...words }])
    expect((await waysOf(id)).unsubscribed).toEqual(expected)
    // Whoever asks twice hears the same, also of another mail of the list; told anew it is when it is asked for.
    expect((await leave(id)).body).toEqual(left.body)
    expect(told).toHaveLength(1)
    expect((await leave(id, { again: true })).status).toBe(200)
    expect(told).toHaveLength(2)
    expect(told[1]?.cookie).toBeUndefined()
  })

  it('the same Idempotency-Key tells once, whatever else is asked for', async () => {
    const { id } = await putNew('/leave')
    const headers = { 'idempotency-key': `leave-${engine}` }
    const first = await leave(id, { again: true }, headers)
    const second = await leave(id, { again: true }, headers)
    expect([first.status, second.body]).toEqual([200, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(told).toHaveLength(1)
  })

  it.each([
    ['/moved', 502, /status 307/],
    ['/inside', 502, /status 302/],
    ['/broken', 502, /status 500.*still on the list/],
  ])('a server that answers %s has not taken it, and nothing else is asked', async (path, status, words) => {
    const { id } = await putNew(path)
    const left = await leave(id)
    expect([left.status, left.body.code]).toEqual([status, 'upstream_failed'])
    expect(left.body.detail).toMatch(words)
    expect(told.map((one) => one.path)).toEqual([path])
    expect((await waysOf(id)).unsubscribed).toBeNull()
    // The page is there for a person all the same.
    expect((await leave(id, { by: 'page' })).body).toMatchObject({ status: 'page', at: null })
  })

  it('an answer without end is not listened to', async () => {
    const { id } = await putNew('/endless')
    expect((await leave(id)).body).toMatchObject({ status: 'accepted' })
  })

  it('private addresses are never asked, whatever a mail says', async () => {
    for (const host of ['inside.test', '127.0.0.1', 'localhost', '169.254.169.254', '[::1]']) {
      const { id } = await putNew('', { unsubscribe: `<https://${host}:${server.port}/leave>` })
      const left = await leave(id)
      expect([host, left.status, left.body.code]).toEqual([host, 409, 'conflict'])
      expect(left.body.detail).toMatch(/not a public address/)
    }
    expect(told).toEqual([])
  })

  it('plain http is nothing to ask, but a page to open', async () => {
    const plain = await world.listen(createServer((_request, response) => response.end('ok')))
    const { id } = await putNew('', { unsubscribe: `<http://${HOST}:${plain.port}/x>` })
    expect((await leave(id)).body).toEqual({
      ...{ by: 'page', status: 'page', to: `${HOST}:${plain.port}`, at: null, emailId: null },
      url: `http://${HOST}:${plain.port}/x`,
    })
    expect((await leave(id, { by: 'one-click' })).status).toBe(409)
    expect(plain.seen).toEqual([])
  })

  it('what is not signed is not asked: the page is for the person', async () => {
    const { id } = await putNew('/leave', { found: null })
    expect((await instance.get(`/api/emails/${id}`)).body.mailingList.unsubscribe).toBe('page')
    expect((await leave(id)).body).toMatchObject({ by: 'page', status: 'page' })
    expect(told).toEqual([])
  })

  it('phishing and spam are not answered, and say why', async () => {
    const phishing =
      'Your account is suspended. Confirm your password at https://paypal.com.verify-now.example/ today.'
    const { id: first } = await putNew('/leave', { text: phishing, from: 'PayPal <x@paypa1.example>' })
    const { id: second } = await putNew('/leave', { more: ['X-Spam-Flag: YES'] })
    for (const [id, words] of [
      [first, /pretend/],
      [second, /spam/],
    ] as const) {
      const left = await leave(id)
      expect([left.status, left.body.code]).toEqual([409, 'conflict'])
      expect(left.body.detail).toMatch(words)
      expect(await waysOf(id)).toMatchObject({ ways: [], refusal: expect.stringMatching(words) })
    }
    expect(told).toEqual([])
  })

  it('a list that says no way, or not this one, is left as it is', async () => {
    const { id } = await putNew('', { unsubscribe: null })
    expect((await leave(id)).body.detail).toMatch(/does not say how/)
    const { id: other } = await putNew('/leave')
    expect((await leave(other, { by: 'mail' })).body.detail).toMatch(/by mail/)
    expect((await leave(other, { by: 'fax' })).status).toBe(400)
    expect((await leave(other, { bi: 'mail' })).status).toBe(400)
  })

  it('without an account there is nobody to write: 409, in clear words; with one it is written once', async () => {
    const asked = '<mailto:leave@lists.example?subject=leave%20ana&body=please&cc=x@y.example>'
    const { id } = await putNew('', { unsubscribe: asked })
    const refused = await leave(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'not_configured'])
    expect((await waysOf(id)).unsubscribed).toBeNull()
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

    // Taken back, it may be asked for again.
    await instance.post(`/api/emails/${body.emailId}/cancel-send`)
    expect((await waysOf(id)).unsubscribed).toMatchObject({ status: 'cancelled' })
    expect((await leave(id)).body.emailId).not.toBe(body.emailId)
  })

  it('whoever may only read mail leaves nothing', async () => {
    const { token } = await register(instance, { email: `b-${engine}@example.org` })
    const made = await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'reader', scopes: ['mail:read'] },
      { token },
    )
    const { id } = await putNew('/leave')
    const left = await instance.post(`/api/emails/${id}/unsubscribe`, {}, { token: made.body.token })
    expect([left.status, left.body.code]).toEqual([403, 'insufficient_scope'])
    expect((await instance.get('/api/mailing-lists', { token: made.body.token })).status).toBe(200)
    expect(told).toEqual([])
  })
})

onEveryDatabase('the lists that write', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const DAY_MS = 86_400_000
  const put = (listId: string, daysAgo = 0, mail: ListMail = {}): Promise<number> =>
    storeMail(
      instance,
      listMail({
        ...{ listId, unsubscribe: '<https://lists.test/leave>', ...mail },
        date: new Date(instance.clock.now().getTime() - daysAgo * DAY_MS),
      }),
    )

  it('stand in the order of how much they write, with how much of it is unread, page by page', async () => {
    expect((await instance.get('/api/mailing-lists')).body).toEqual({ mailingLists: [], nextCursor: null })
    await put('<a.example>', 3)
    const last = await put('The A <a.example>', 1)
    const first = await put('<a.example>', 80)
    await put('<a.example>', 100)
    await put('<b.example>', 2)
    await put('<c.example>', 1)
    await instance.call('PATCH', `/api/emails/${first}`, { body: { read: true } })
    const { body } = await instance.get('/api/mailing-lists?limit=2')
    expect(body.mailingLists).toMatchObject([
      {
        ...{ id: 'a.example', name: 'The A', emails: 3, unread: 2, lastEmailId: last },
        from: { name: 'Example News', address: 'news@example.org' },
        ...{ unsubscribe: 'one-click', unsubscribed: null },
      },
      { id: 'c.example', name: '', emails: 1, unread: 1 },
    ])
    const next = await instance.get(`/api/mailing-lists?limit=2&cursor=${body.nextCursor}`)
    expect(next.body).toMatchObject({ mailingLists: [{ id: 'b.example' }], nextCursor: null })
    expect((await instance.get('/api/mailing-lists?cursor=x')).status).toBe(400)
  })

  const foldersOf = async (ids: readonly number[]): Promise<string[]> => {
    const found: string[] = []
    for (const id of ids) found.push((await instance.get(`/api/emails/${id}`)).body.folder)
    return found
  }
  const move = (id: string, folder: string, headers = {}) =>
    instance.post('/api/mailing-lists/move', { id, folder }, { headers })

  it('are put away as one, and brought back as one to where they lay', async () => {
    const ids = [await put('<m.example>'), await put('<m.example>'), await put('<m.example>', 200)]
    const other = await put('<n.example>')
    await instance.call('PATCH', `/api/emails/${ids[0]}`, { body: { folder: 'archive' } })
    const archived = await move('m.example', 'archive')
    expect(archived.body).toMatchObject({ moved: 2, more: false })
    expect(await foldersOf([...ids, other])).toEqual(['archive', 'archive', 'archive', 'inbox'])
    const undo = (actionId: number) => instance.post(`/api/actions/${actionId}/undo`)
    expect((await undo(archived.body.actionId)).status).toBe(200)
    expect(await foldersOf(ids)).toEqual(['archive', 'inbox', 'inbox'])

    const headers = { 'idempotency-key': `move-${engine}` }
    const thrown = await move('m.example', 'trash', headers)
    expect((await move('m.example', 'trash', headers)).body).toEqual(thrown.body)
    expect(thrown.body).toMatchObject({ moved: 3, more: false })
    expect(await foldersOf(ids)).toEqual(['trash', 'trash', 'trash'])
    // What was moved since by a person, or is gone, stays as they left it.
    await instance.call('PATCH', `/api/emails/${ids[1]}`, { body: { folder: 'archive', read: true } })
    await instance.call('DELETE', `/api/emails/${ids[2]}`)
    expect((await undo(thrown.body.actionId)).status).toBe(200)
    expect(await foldersOf(ids.slice(0, 2))).toEqual(['archive', 'archive'])
    expect((await undo(thrown.body.actionId)).status).toBe(409)
    const { body } = await instance.get('/api/actions?limit=1')
    expect(body.actions[0]).toMatchObject({
      kind: 'emails.list_moved',
      summary: 'Moved 3 e-mails of m.example to the trash',
    })
  })

  it('are put away 500 mails at a time, the newest first', async () => {
    for (let n = 0; n < 502; n++) await put('<many.example>', 1 + n / 10_000)
    const first = await move('many.example', 'archive')
    expect(first.body).toMatchObject({ moved: 500, more: true })
    expect((await move('many.example', 'trash')).body).toMatchObject({ moved: 500, more: true })
    expect((await move('many.example', 'trash')).body).toMatchObject({ moved: 2, more: false })
    expect((await instance.post(`/api/actions/${first.body.actionId}/undo`)).status).toBe(409)
  }, 90_000)

  it('with nothing to move nothing is noted, and no other folder is meant', async () => {
    expect((await move('unknown.example', 'trash')).body).toEqual({ moved: 0, more: false, actionId: null })
    expect((await move('m.example', 'inbox')).status).toBe(400)
    const only = await put('<gone.example>')
    const { body } = await move('gone.example', 'archive')
    await instance.call('DELETE', `/api/emails/${only}`)
    const undone = await instance.post(`/api/actions/${body.actionId}/undo`)
    expect([undone.status, undone.body.detail]).toEqual([
      409,
      'These e-mails have been moved or removed since.',
    ])
  })

  it('of an earlier version are noted when its database is brought up to date', async () => {
    const place = await makeDataPlace(engine)
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    await migrate(database, '0022-alarms-and-languages')
    const texts = ['folder', 'fromName', 'fromAddress', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'subjectKey']
    const others = ['references', 'snippet', 'date', 'tags', 'attachments', 'shown', 'createdAt', 'updatedAt']
    const row = Object.fromEntries([...texts, ...others].map((name) => [name, '']))
    const numbers = { position: 1, threadId: 1, read: 0, starred: 0, hasAttachments: 0, version: 1 }
    const { id } = await database.db
      .insertInto('emails')
      .values({ ...row, ...numbers } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await migrate(database)
    const noted = await readTally(database.db, 'emails.unlisted')
    await database.close()
    await place.remove()
    expect(noted).toBe(id)
    expect(await readTally(instance.database.db, 'emails.unlisted')).toBe(0)
  })

  it('of mails that were here before are found in the background, as far as the messages are kept', async () => {
    const { db } = instance.database
    const ids = [await put('<old.example>'), await put('<old.example>')]
    const plain = await instance.post('/api/emails', { from: 'ben@example.org', text: 'Hi' })
    // As an earlier version left them.
    await db.updateTable('emails').set({ listId: null, mailingList: null }).execute()
    await db.insertInto('tallies').values({ name: 'emails.unlisted', amount: plain.body.id }).execute()
    const before = await instance.get(`/api/emails/${ids[0]}`)
    expect(before.body.mailingList).toBeNull()
    await instance.app.rooms.emails.prune()
    const after = await instance.get(`/api/emails/${ids[0]}`)
    expect(after.body.mailingList).toEqual({ id: 'old.example', name: '', unsubscribe: 'one-click' })
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect((await instance.get(`/api/emails/${plain.body.id}`)).body.mailingList).toBeNull()
    const { body } = await instance.get('/api/mailing-lists')
    expect(body.mailingLists).toContainEqual(expect.objectContaining({ id: 'old.example', emails: 2 }))
    // Once: what comes later says so itself.
    await db.updateTable('emails').set({ listId: null, mailingList: null }).execute()
    await instance.app.rooms.emails.prune()
    expect((await instance.get('/api/mailing-lists')).body.mailingLists).toEqual([])
  })
})
