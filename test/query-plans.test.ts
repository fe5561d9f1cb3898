import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { makeDataPlace } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

/** Rows of these are few by nature, so that reading them all is as it should be. */
const SMALL = ['migrations', 'migration_lock', 'samples']

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
    await instance.post('/api/settings/invitations', { password: PASSWORD }, { token })
    await instance.post('/api/auth/login', { email: person.email, password: PASSWORD })
  }
  await instance.post('/api/auth/refresh', { refreshToken: person.refreshToken })
  for (const path of ['tokens', 'feed-tokens', 'invitations', 'security/sessions', 'security/activity']) {
    const first = await instance.get(`/api/settings/${path}?limit=1`, { token })
    expect([path, first.status, typeof first.body.nextCursor]).toEqual([path, 200, 'string'])
    await instance.get(`/api/settings/${path}?limit=1&cursor=${first.body.nextCursor}`, { token })
  }
  const events = '/api/calendar/events'
  for (const recurrence of [null, null, 'FREQ=DAILY', 'FREQ=WEEKLY;COUNT=3'])
    await instance.post(events, { title: 'n', start: '2026-03-02T09:00:00Z', recurrence })
  for (const query of ['start=2026-03-01&end=2026-03-05', 'start=2026-03-01', 'end=2026-04-01', 'limit=1'])
    for (const filter of ['', '&status=confirmed', '&source=manual', '&status=confirmed&source=manual']) {
      const first = await instance.get(`${events}?${query}&${filter}${query === 'limit=1' ? '' : '&limit=1'}`)
      expect([query, filter, typeof first.body.nextCursor]).toEqual([query, filter, 'string'])
      await instance.get(`${events}?${query}&${filter}&cursor=${first.body.nextCursor}`)
    }
  await instance.call('PATCH', `${events}/3?occurrence=2026-03-04T09:00:00.000Z`, { body: { title: 'm' } })
  for (const path of ['upcoming', 'stats', 'free']) await instance.get(`/api/calendar/${path}`)
  await instance.get('/console/options')
  await instance.app.jobs.list({ limit: 10 })

  const executor = database.db.getExecutor()
  const plans: string[] = []
  for (const node of nodes) {
    if (!/^(Select|Update|Delete)QueryNode$|^RawNode$/.test(node.kind)) continue
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
    .filter((plan) => !/^SCAN \w+ USING (COVERING )?INDEX .* limit cast\(\? as integer\)$/s.test(plan))
    // What goes on at a moment comes from as many short stretches of an index as there are classes of length.
    .filter((plan) => !/^(SCAN reach|USE TEMP B-TREE FOR ORDER BY) .* as reach cross join /s.test(plan))
    .filter((plan) => !SMALL.some((table) => plan.startsWith(`SCAN ${table} `)))
  expect(slow).toEqual([])
  await instance.close()
  await place.remove()
})
