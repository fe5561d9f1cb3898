import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { DAY } from './support/clock.ts'
import { makeDataPlace } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

/** Rows of these are few by nature, so that reading them all is as it should be. */
const SMALL = ['migrations', 'migration_lock', 'samples']

/** Every way of listing and finding e-mails, and of changing them. */
const askForMail = async (instance: Instance): Promise<void> => {
  const { body: upload } = await instance.call('POST', '/api/attachments?filename=a.txt', {
    body: 'a',
    headers: { 'content-type': 'text/plain' },
  })
  const mail = { from: 'a@b.example', to: ['c@d.example'], text: 'words', tags: ['one'], accountId: 'acc' }
  for (let n = 0; n < 3; n++)
    await instance.post('/api/emails', { ...mail, subject: `Re: s${n}`, messageId: `m${n}@x` })
  const { body: draft } = await instance.post('/api/emails', { folder: 'drafts', attachmentIds: [upload.id] })
  await instance.call('PATCH', `/api/emails/${draft.id}`, {
    body: { text: 'x', tags: ['t'], date: '2020-01-01' },
  })
  await instance.get(`/api/emails/${draft.id}/attachments/${upload.id}`)
  await instance.get(`/api/emails/${draft.id}/thread?limit=1`)
  for (const query of [
    ...['limit=2', 'folder=inbox', 'unread=true', 'folder=inbox&unread=true', 'unread=false', 'starred=true'],
    ...[
      'tag=one',
      'tag=one&folder=inbox',
      'accountId=acc',
      'threadId=1',
      'urgency=high',
      'q=words',
      'q=words&tag=one',
    ],
    ...['q=is:unread', 'q=has:attachment', 'q=-words', 'q=words+-subject:s1', 'q=words&sort=best', 'q=wor*'],
    ...[
      'q=words+before:2030-01-01+after:2020-01-01',
      'q=tag:one',
      'q=-tag:one',
      'q=in:inbox',
      'q=before:2030-01-01',
    ],
  ]) {
    const first = await instance.get(`/api/emails?limit=1&${query.replace('limit=2', '')}`.replace(/&$/, ''))
    expect([query, first.status]).toEqual([query, 200])
    if (first.body.nextCursor)
      await instance.get(
        `/api/emails?limit=1&${query.replace('limit=2', '')}&cursor=${first.body.nextCursor}`,
      )
  }
  await instance.call('DELETE', `/api/emails/${draft.id}`)
  instance.clock.advance(2 * DAY)
  await instance.app.rooms.emails.prune()
}

it('no query of the API reads a table from end to end or sorts what an index could have sorted', async () => {
  const place = await makeDataPlace('sqlite')
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  await migrate(database)
  const nodes: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const instance = await startInstance({
    place,
    deps: { database: { ...database, db: database.db.withPlugin(recorder) } },
  })
  const person = await register(instance)
  const { token } = person
  for (let n = 0; n < 3; n++) {
    await instance.post(
      '/api/settings/tokens',
      { password: PASSWORD, name: 'n', scopes: ['ai:read'] },
      { token },
    )
    await instance.post('/api/settings/feed-tokens', { name: 'n', purpose: 'overlay' }, { token })
    const mailServer = { host: 'mail.example.org', port: 993, tls: 'implicit' }
    await instance.post(
      '/api/settings/mail-accounts',
      { address: 'ana@example.org', password: 'x', imap: mailServer, smtp: mailServer },
      { token },
    )
    await instance.post('/api/settings/invitations', { password: PASSWORD }, { token })
    await instance.post('/api/auth/login', { email: person.email, password: PASSWORD })
  }
  await instance.post('/api/auth/refresh', { refreshToken: person.refreshToken })
  for (const path of [
    'tokens',
    'feed-tokens',
    'mail-accounts',
    'invitations',
    'security/sessions',
    'security/activity',
  ]) {
    const first = await instance.get(`/api/settings/${path}?limit=1`, { token })
    expect([path, first.status, typeof first.body.nextCursor]).toEqual([path, 200, 'string'])
    await instance.get(`/api/settings/${path}?limit=1&cursor=${first.body.nextCursor}`, { token })
  }
  await askForMail(instance)
  await instance.get('/console/options')
  await instance.app.jobs.list({ limit: 10 })

  const executor = database.db.getExecutor()
  const plans: string[] = []
  for (const node of nodes) {
    if (!/^(Select|Update|Delete)QueryNode$/.test(node.kind)) continue
    const query = executor.compileQuery(node, { queryId: 'plan' } as never)
    const { rows } = await sql<{
      detail: string
    }>`explain query plan ${sql.raw(query.sql.replaceAll('?', 'null'))}`.execute(database.db)
    for (const { detail } of rows) plans.push(`${detail}   ← ${query.sql}`)
  }
  expect(plans.length).toBeGreaterThan(30)
  const slow = plans
    .filter((plan) => /^SCAN (?!CONSTANT)|USE TEMP B-TREE/.test(plan))
    // In the order of an index, and no further than the page asked for.
    .filter((plan) => !/^SCAN \w+ USING (COVERING )?INDEX .* limit \?$/s.test(plan))
    // Ranked, and no more than so many.
    .filter(
      (plan) =>
        !/^(SCAN hit|USE TEMP B-TREE FOR ORDER BY) .* from \(select .* limit \?\) as "hit"/.test(plan),
    )
    // Through an index of words, to what matches.
    .filter((plan) => !/^SCAN \w+ VIRTUAL TABLE INDEX \d+:.*M/.test(plan))
    .filter((plan) => !SMALL.some((table) => plan.startsWith(`SCAN ${table} `)))
  expect(slow).toEqual([])
  await instance.close()
  await place.remove()
})
