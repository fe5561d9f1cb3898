import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { entryOf, wordsOf } from '../src/database/full-text/full-text.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { searchTextsOf } from '../src/features/mail/messages/content.ts'
import { tagKeys } from '../src/features/mail/messages/email.ts'
import { everyEmail } from '../src/features/mail/messages/email-repository.ts'
import { matchesCondition, parseCondition } from '../src/features/mail/rules/rules.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { listMail } from './support/list-mail.ts'
import { storeMail, storeMails } from './support/meeting-mail.ts'
import { PASSWORD, type Person, register } from './support/people.ts'
import { scaled } from './support/scale.ts'

const MESSAGES = '../shared/data/eml-robustness/eml.public'
const BASE = '/api/mail-rules'
const NO_EFFECTS = {
  folderId: null,
  tags: [],
  folder: null,
  read: false,
  starred: false,
  task: false,
  snooze: null,
  pinned: false,
}

onOneDatabase('postgres', 'mail rules', (engine) => {
  let instance: Instance
  let person: Person
  beforeAll(async () => {
    instance = await startInstance({ engine })
    person = await register(instance)
  })
  afterAll(() => instance.close())
  beforeEach(async () => {
    for (const { id } of (await instance.get(`${BASE}?limit=200`)).body.mailRules)
      await instance.call('DELETE', `${BASE}/${id}`)
  })

  const add = async (q: string, does: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const made = await instance.post(BASE, { name: q, q, does, ...more })
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    return made.body as { id: number; name: string; createdAt: string }
  }
  const arrive = async (mail: Record<string, unknown>) => {
    const made = await instance.post('/api/emails', { from: 'ana@example.org', text: 'x', ...mail })
    expect(made.status).toBe(201)
    return made.body
  }
  const readEmail = async (id: number) => (await instance.get(`/api/emails/${id}`)).body
  const actions = async () => (await instance.get('/api/actions?limit=200')).body.actions
  const undo = (id: number) => instance.post(`/api/actions/${id}/undo`, undefined, person)

  it('can be created, read, changed and deleted', async () => {
    const does = { folder: 'archive', tags: ['News', 'news', ' Weekly '] }
    const made = await instance.post(BASE, { name: ' News ', q: ' from:news ', does }, person)
    const { id } = made.body
    expect(made.body).toEqual({
      id,
      name: 'News',
      enabled: true,
      q: 'from:news',
      createdAt: expect.any(String),
      does: { ...NO_EFFECTS, folder: 'archive', tags: ['News', 'Weekly'] },
      updatedAt: made.body.createdAt,
    })
    expect(made.headers.get('location')).toBe(`${BASE}/${id}`)
    const etag = made.headers.get('etag') as string
    const change = (body: unknown, headers = {}) =>
      instance.call('PATCH', `${BASE}/${id}`, { body, headers, ...person })
    const changed = await change({ does: { read: true }, enabled: false }, { 'if-match': etag })
    expect(changed.body).toMatchObject({ enabled: false, does: { ...made.body.does, read: true } })
    expect((await change({ name: 'x' }, { 'if-match': etag })).status).toBe(412)
    expect((await instance.get(`${BASE}/${id}`)).body).toEqual(changed.body)
    const second = await add('two', { read: true })
    const first = (await instance.get(`${BASE}?limit=1`)).body
    expect(first.mailRules).toEqual([changed.body])
    const rest = (await instance.get(`${BASE}?limit=1&cursor=${first.nextCursor}`)).body
    expect([rest.mailRules[0].id, rest.nextCursor]).toEqual([second.id, null])
    expect((await instance.call('DELETE', `${BASE}/${id}`, person)).status).toBe(204)
    expect((await instance.get(`${BASE}/${id}`)).status).toBe(404)
    const { body: log } = await instance.get('/api/settings/security/activity?limit=3', person)
    expect(log.activity.map(({ action }: { action: string }) => action)).toEqual([
      'mail_rule.removed',
      'mail_rule.changed',
      'mail_rule.added',
    ])
    const headers = { 'idempotency-key': `rule-${engine}` }
    const once = await instance.post(BASE, { name: 'a', q: 'a', does: { read: true } }, { headers })
    const again = await instance.post(BASE, { name: 'a', q: 'a', does: { read: true } }, { headers })
    expect(again.body).toEqual(once.body)
  })

  it('are rejected without effects, without a condition, or with filters that do not apply to incoming mail', async () => {
    const refused = async (q: string, does: Record<string, unknown> = { read: true }) => {
      const { status, body } = await instance.post(BASE, { name: 'x', q, does })
      expect([q, status]).toEqual([q, 400])
      return body.errors[0]
    }
    expect((await refused('a', { tags: [] })).path).toBe('does')
    expect((await refused('a', { folder: 'inbox' })).path).toBe('does.folder')
    expect((await refused('a '.repeat(41))).message).toContain('too many terms')
    expect((await refused('!!')).message).toContain('is empty')
    for (const [q, named] of [
      ['a is:unread', 'is:'],
      ['-is:starred a', 'is:'],
      ['in:inbox a', 'in:'],
      ['before:2026-03-01', 'before:'],
      ['a after:2026', 'after:'],
    ] as const)
      expect((await refused(q)).message).toContain(`cannot use ${named}`)
    const { id } = await add('a', { read: true })
    const emptied = await instance.call('PATCH', `${BASE}/${id}`, { body: { does: { read: false } } })
    expect([emptied.status, emptied.body.errors[0].path]).toEqual([400, 'does'])
    for (const path of [`${BASE}/99999`, `${BASE}/99999/run`])
      expect((await instance.post(path, {})).status).toBe(path.endsWith('run') ? 404 : 405)
    const { id: _, ...row } = await instance.database.db
      .selectFrom('mail_rules')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .executeTakeFirstOrThrow()
    await instance.database.db.insertInto('mail_rules').values(Array(99).fill(row)).execute()
    expect((await instance.post(BASE, { name: 'x', q: 'x', does: { read: true } })).status).toBe(409)
  })

  it('require mail:write, and tasks:write if they create tasks', async () => {
    const tokenWith = async (...scopes: string[]) => {
      const made = await instance.post(
        '/api/settings/tokens',
        { password: PASSWORD, name: 'x', scopes },
        person,
      )
      return { token: made.body.token as string }
    }
    const [reading, writing] = [await tokenWith('mail:read'), await tokenWith('mail:write')]
    const rule = (task: boolean) => ({ name: 'x', q: 'x', does: { read: true, task } })
    expect((await instance.post(BASE, rule(false), reading)).status).toBe(403)
    expect((await instance.post(BASE, rule(true), writing)).status).toBe(403)
    const made = await instance.post(BASE, rule(false), writing)
    expect(made.status).toBe(201)
    const path = `${BASE}/${made.body.id}`
    const change = { body: { does: { task: true } } }
    expect((await instance.call('PATCH', path, { ...change, ...writing })).status).toBe(403)
    await instance.call('PATCH', path, change)
    expect((await instance.post(`${path}/run`, {}, writing)).status).toBe(403)
    expect((await instance.get(path, reading)).status).toBe(200)
  })

  it('apply to incoming mail one after the other, and one undo reverts all of them', async () => {
    await add('from:shop subject:invoice', { tags: ['Money'], starred: true })
    await add('tag:money', { read: true, folder: 'archive', task: true })
    await add('invoice', { folder: 'trash' }, { enabled: false })
    const events: unknown[] = []
    const end = instance.app.changes.listen(({ type, data }) => {
      if (type === 'email.received') events.push(data)
    })
    const mail = await arrive({ from: 'Shop <pay@shop.example>', subject: 'Your Invoice', tags: ['own'] })
    expect(mail).toMatchObject({ folder: 'archive', tags: ['own', 'Money'], read: true, starred: true })
    expect(events).toMatchObject([{ folder: 'archive', tags: ['own', 'Money'], read: true, starred: true }])
    end()
    expect((await instance.get('/api/emails?q=invoice&tag=money')).body.emails[0].id).toBe(mail.id)
    const tasks = async () =>
      (await instance.get('/api/tasks?q=invoice')).body.tasks.map(
        ({ title, emailId }: Record<string, unknown>) => [title, emailId],
      )
    expect(await tasks()).toEqual([['Your Invoice', mail.id]])
    const [action] = await actions()
    expect(action).toMatchObject({
      kind: 'emails.ruled',
      summary:
        'By the rules “from:shop subject:invoice”, “tag:money”: “Your Invoice” archived, tagged #Money, marked as read, starred, created a task',
    })
    expect((await undo(action.id)).status).toBe(200)
    expect(await readEmail(mail.id)).toMatchObject({
      folder: 'inbox',
      tags: ['own'],
      read: false,
      starred: false,
    })
    expect(await tasks()).toEqual([])
    // Mail outside the inbox is not incoming. Mail that matches no rule stays unchanged.
    const from = 'pay@shop.example'
    for (const folder of ['sent', 'drafts', 'archive', 'trash'])
      expect((await arrive({ from, subject: 'Invoice', folder })).tags).toEqual([])
    expect(await arrive({ from, subject: 'Offer' })).toMatchObject({ folder: 'inbox', tags: [] })
    expect((await actions())[0].id).toBe(action.id)
  })

  it('match the mailing list of raw messages, and archived or read mail causes no notification', async () => {
    await add('list:Gazette.example', { folder: 'trash' })
    await add('has:attachment -subject:keep', { read: true })
    const listNotifications = async () =>
      (await instance.get('/api/notifications', person)).body.notifications.map(
        ({ body }: { body: string }) => body,
      )
    await instance.call('PATCH', '/api/settings/notifications', {
      body: { kinds: { mail_received: { console: true } } },
      ...person,
    })
    const put = (subject: string, listId: string) =>
      storeMail(
        instance,
        listMail({ subject, listId, unsubscribe: '<mailto:a@b.example>', date: instance.clock.now() }),
      )
    expect((await readEmail(await put('First', 'The Gazette <gazette.example>'))).folder).toBe('trash')
    expect((await readEmail(await put('Second', 'Other <other.example>'))).folder).toBe('inbox')
    expect(await listNotifications()).toEqual(expect.arrayContaining(['Second']))
    expect(await listNotifications()).not.toContain('First')
    const listed = (await instance.get('/api/emails?q=list:gazette.example')).body.emails
    expect(listed.map(({ subject }: { subject: string }) => subject)).toEqual(['First'])
    const others = (await instance.get('/api/emails?q=-list:gazette.example&limit=200')).body.emails
    expect(others.length).toBeGreaterThan(3)
    const file = await instance.call('POST', '/api/attachments?filename=a.pdf', {
      body: Buffer.from('x'),
      headers: { 'content-type': 'application/pdf' },
    })
    expect((await arrive({ subject: 'With a file', attachmentIds: [file.body.id] })).read).toBe(true)
    expect(await listNotifications()).not.toContain('With a file')
  })

  it('apply only to mail that arrives after the rule and the account were created', async () => {
    const before = new Date(instance.clock.now().getTime() - 5_000).toISOString()
    const { createdAt } = await add('subject:bell', { folder: 'archive' })
    const { emails } = instance.app.features
    let count = 0
    const file = (receivedAt: string, isNew = true) =>
      inTransaction(instance.database.db, async (tx) => {
        const raw = Buffer.from(`From: a@b.example\r\nSubject: Bell ${++count}\r\n\r\nx`)
        const arrival = { raw, accountId: 'acc', folder: 'inbox', read: false, starred: false } as const
        const userId = await getLocalUserId(tx)
        return emails.file(tx, { ...arrival, userId, receivedAt, isNew })
      })
    const old = await file(before)
    const past = await file(createdAt, false)
    // Servers report times without milliseconds.
    const fresh = await file(`${createdAt.slice(0, 19)}.000Z`)
    expect([old.ruled, past.ruled]).toEqual([undefined, undefined])
    expect(fresh.ruled).toMatchObject({
      kind: 'moved',
      email: { folder: 'archive' },
      before: { folder: 'inbox' },
    })
    const folders = await Promise.all([old, past, fresh].map(async ({ id }) => (await readEmail(id)).folder))
    expect(folders).toEqual(['inbox', 'inbox', 'archive'])
  })

  it('run over the inbox as a dry run, then for real, and can be undone', async () => {
    const made = []
    for (const subject of ['Run one', 'Run two', 'Run three']) made.push((await arrive({ subject })).id)
    await instance.call('PATCH', `/api/emails/${made[0]}`, { body: { read: true, tags: ['ran'] } })
    await arrive({ subject: 'Run elsewhere', folder: 'archive' })
    const { id } = await add('subject:run', { tags: ['Ran'], read: true })
    const run = (body = {}) => instance.post(`${BASE}/${id}/run`, body)
    const counted = { found: 3, changed: 2, more: false }
    expect((await run({ dryRun: true })).body).toEqual({ ...counted, actionId: null })
    expect((await readEmail(made[1])).read).toBe(false)
    const events: string[] = []
    const end = instance.app.changes.listen(({ type }) => void events.push(type))
    const ran = await run()
    end()
    expect(ran.body).toEqual({ ...counted, actionId: expect.any(Number) })
    expect(events).toEqual(['mail_rule.run'])
    expect((await run()).body).toEqual({ ...counted, changed: 0, actionId: null })
    expect((await actions())[0].summary).toBe(
      'By the rule “subject:run”: 2 emails tagged #Ran, marked as read',
    )
    expect(await readEmail(made[2])).toMatchObject({ tags: ['Ran'], read: true })
    // Later changes of the user are kept.
    await instance.call('PATCH', `/api/emails/${made[2]}`, { body: { tags: ['Ran', 'mine'] } })
    expect((await undo(ran.body.actionId)).status).toBe(200)
    expect(await readEmail(made[0])).toMatchObject({ tags: ['ran'], read: true })
    expect(await readEmail(made[1])).toMatchObject({ tags: [], read: false })
    expect(await readEmail(made[2])).toMatchObject({ tags: ['mine'], read: false })
    expect((await undo(ran.body.actionId)).status).toBe(409)
    const { id: moving } = await add('subject:run', { folder: 'trash', task: true })
    const moved = await instance.post(`${BASE}/${moving}/run`, {})
    expect(moved.body).toMatchObject({ found: 3, changed: 3 })
    await instance.call('PATCH', `/api/emails/${made[1]}`, { body: { folder: 'archive' } })
    await undo(moved.body.actionId)
    expect((await readEmail(made[0])).folder).toBe('inbox')
    expect((await readEmail(made[1])).folder).toBe('archive')
    expect((await instance.get('/api/tasks?q=run')).body.tasks).toEqual([])
  })
})

const messages = existsSync(MESSAGES) ? readdirSync(MESSAGES).filter((name) => name.endsWith('.eml')) : []

onOneDatabase('sqlite', 'mail rules', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  it('run over older mail when they are run again', async () => {
    await storeMails(
      instance,
      Array.from({ length: 502 }, () => listMail({ subject: 'Many of them' })),
    )
    const rule = { name: 'Many', q: 'subject:many', does: { tags: ['counted'] } }
    const { id } = (await instance.post(BASE, rule)).body
    const run = async () => (await instance.post(`${BASE}/${id}/run`, {})).body
    expect(await run()).toEqual({ found: 500, changed: 500, more: true, actionId: expect.any(Number) })
    expect(await run()).toEqual({ found: 502, changed: 2, more: false, actionId: expect.any(Number) })
    expect(await run()).toEqual({ found: 502, changed: 0, more: false, actionId: null })
  })

  it.skipIf(messages.length === 0)('match the same real messages as the search', async () => {
    const headers = { 'content-type': 'message/rfc822' }
    const store = async (name: string): Promise<number> => {
      const stored = await instance.call('POST', '/api/emails', {
        body: readFileSync(join(MESSAGES, name)),
        headers,
      })
      expect([name, stored.status]).toEqual([name, 201])
      return stored.body.id
    }
    for (let begun = 0; begun < messages.length; begun += 30) {
      const [first] = await Promise.all(messages.slice(begun, begun + 30).map(store))
      await instance.call('PATCH', `/api/emails/${first}`, { body: { tags: ['Some Ünit'] } })
    }
    const mails = []
    const columns: string[][][] = [[], [], [], []]
    for await (const email of everyEmail(instance.database.db)) {
      const texts = searchTextsOf(email)
      for (const [at, text] of Object.values(texts).entries())
        columns[at]?.push(wordsOf(text.slice(0, 5_000)))
      const { listId, hasAttachments } = email
      const mail = { entry: entryOf(texts), listId, hasAttachments: hasAttachments === 1 }
      mails.push({ id: email.id, mail: { ...mail, tagKeys: tagKeys(JSON.parse(email.tags) as string[]) } })
    }
    // A fixed seed makes the test reproducible.
    let seed = 7
    const randomBelow = (limit: number): number => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed % limit
    }
    const pick = <T>(items: readonly T[]): T => items[randomBelow(items.length)] as T
    const term = (): string => {
      const [operator, column] = pick([
        ['', 3],
        ['', 0],
        ['subject:', 0],
        ['from:', 1],
        ['to:', 2],
        ['cc:', 1],
      ] as const)
      const words = pick(columns[column] as string[][])
      if (words.length === 0) return 'x'
      const at = randomBelow(words.length)
      const minus = randomBelow(5) === 0 ? '-' : ''
      const word = words[at] as string
      switch (randomBelow(4)) {
        case 0:
          return `${minus}${operator}"${words.slice(at, at + 2 + randomBelow(3)).join(' ')}"`
        case 1:
          return `${minus}${operator}${word.slice(0, 1 + randomBelow(word.length))}*`
        default:
          return `${minus}${operator}${word}`
      }
    }
    const marks = ['tag:"some unit"', '-tag:"some unit"', 'has:attachment', '-has:attachment']
    const queries = Array.from({ length: scaled({ full: 80, short: 40 }) }, () =>
      [
        ...Array.from({ length: 1 + randomBelow(2) }, term),
        ...(randomBelow(4) === 0 ? [pick(marks)] : []),
      ].join(' '),
    )
    let hits = 0
    for (const q of queries) {
      const found: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await instance.get(
          `/api/emails?limit=200&q=${encodeURIComponent(q)}${cursor && `&cursor=${cursor}`}`,
        )
        found.push(...body.emails.map(({ id }: { id: number }) => id))
        cursor = body.nextCursor
      }
      const condition = parseCondition(q)
      const matching = mails
        .filter(({ mail }) => condition && matchesCondition(condition, mail))
        .map(({ id }) => id)
      expect([q, matching.toSorted((a, b) => a - b)]).toEqual([q, found.toSorted((a, b) => a - b)])
      hits += found.length
    }
    expect(hits).toBeGreaterThan(queries.length)
  })
})
