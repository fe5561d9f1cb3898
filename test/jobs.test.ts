import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../src/app.ts'
import { openDatabase } from '../src/database/database.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { AppError } from '../src/platform/errors.ts'
import { makeDataPlace, onEveryDatabase, onPostgresOnly } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'

const DAY_MS = 86_400_000

onEveryDatabase('jobs in the API', (engine) => {
  let instance: Instance
  let token: string
  let isBroken = true
  let goOn = (): void => {}
  const add = (jobs: App['jobs'], name: string, payload: unknown, runAt?: Date): Promise<string> =>
    inTransaction(instance.database.db, async (tx) => {
      const id = await jobs.enqueue(tx, name, payload, runAt ? { runAt } : {})
      return id as string
    })
  beforeAll(async () => {
    instance = await startInstance({ engine })
    token = (await register(instance)).token
    const { jobs } = instance.app
    jobs.define({
      name: 'break',
      payload: Type.Object({ password: Type.String() }),
      async run() {
        if (isBroken) throw new AppError('invalid', 'validation_failed', 'The cable is not plugged in.')
      },
    })
    jobs.define({
      name: 'dig',
      payload: Type.Object({}),
      async run(_payload, context) {
        await context.progress(3, 10, 'metres')
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      },
    })
    await jobs.start()
  })
  afterAll(() => instance.close())

  const read = async (query = '') => (await instance.get(`/api/jobs?limit=200${query}`, { token })).body.jobs
  const reaches = (id: string, state: string) =>
    eventually(async () => (await instance.get(`/api/jobs/${id}`, { token })).body.state === state)

  it('are for the owner and for calls without a token, not for members or tokens', async () => {
    const scopes = ['ai:write', 'tasks:write']
    const made = await instance.post(
      '/api/settings/tokens',
      { name: 'x', scopes, password: PASSWORD },
      { token },
    )
    const member = await register(instance)
    const id = await add(instance.app.jobs, 'dig', {}, new Date('2200-01-01'))
    const statusesFor = async (as: string | undefined) => [
      (await instance.get('/api/jobs', { token: as })).status,
      (await instance.get(`/api/jobs/${id}`, { token: as })).status,
    ]
    expect(await statusesFor(undefined)).toEqual([200, 200])
    expect(await statusesFor(token)).toEqual([200, 200])
    expect(await statusesFor(member.token)).toEqual([403, 403])
    expect(await statusesFor(made.body.token)).toEqual([403, 403])
    const refused = [
      await instance.post(`/api/jobs/${id}/retry`, undefined, { token: member.token }),
      await instance.call('DELETE', `/api/jobs/${id}`, { token: member.token }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403])
    expect((await instance.call('DELETE', `/api/jobs/${id}`)).status).toBe(204)
  })

  it('are for the owner only while access is private', async () => {
    const environment = { ACCESS: 'private', REGISTRATION: 'open' }
    const place = await startInstance({ engine, environment })
    const [owner, member] = [await register(place), await register(place)]
    const statusFor = async (as: string | undefined) => (await place.get('/api/jobs', { token: as })).status
    expect(await statusFor(undefined)).toBe(401)
    expect(await statusFor(owner.token)).toBe(200)
    expect(await statusFor(member.token)).toBe(403)
    await place.close()
  })

  it('report their progress', async () => {
    const id = await add(instance.app.jobs, 'dig', {})
    await reaches(id, 'running')
    // Jobs of the instance itself may run too.
    const readRunning = async () =>
      (await read('&state=running')).filter(({ name }: { name: string }) => name === 'dig')
    await eventually(async () => (await readRunning())[0]?.progress !== null)
    expect(await readRunning()).toMatchObject([
      { id, name: 'dig', progress: { done: 3, total: 10, note: 'metres' } },
    ])
    const kept = await instance.call('DELETE', `/api/jobs/${id}`, { token })
    expect([kept.status, kept.body.code]).toEqual([409, 'conflict'])
    goOn()
    await reaches(id, 'done')
  })

  it('report why they were parked, without their payload, and can be retried', async () => {
    const id = await add(instance.app.jobs, 'break', { password: 'hunter2' })
    await reaches(id, 'parked')
    const [parked] = await read('&state=parked')
    expect(parked).toMatchObject({ id, name: 'break', error: 'The cable is not plugged in.', attempts: 1 })
    expect(JSON.stringify(parked)).not.toContain('hunter2')
    isBroken = false
    const again = await instance.post(`/api/jobs/${id}/retry`, undefined, { token })
    expect(again.status).toBe(200)
    await reaches(id, 'done')
    expect((await instance.post(`/api/jobs/${id}/retry`, undefined, { token })).status).toBe(409)
  })

  it('can be deleted while they wait', async () => {
    const id = await add(instance.app.jobs, 'dig', {}, new Date(Date.now() + DAY_MS))
    expect((await read('&state=waiting')).map((job: { id: string }) => job.id)).toContain(id)
    expect((await instance.call('DELETE', `/api/jobs/${id}`, { token })).status).toBe(204)
    expect((await instance.get(`/api/jobs/${id}`, { token })).status).toBe(404)
    expect((await instance.post('/api/jobs/nonsense/retry', undefined, { token })).status).toBe(404)
  })

  it('are deleted only in the version that was read', async () => {
    isBroken = true
    const id = await add(instance.app.jobs, 'break', { password: 'x' })
    await reaches(id, 'parked')
    const path = `/api/jobs/${id}`
    const drop = (tag: string) => instance.call('DELETE', path, { token, headers: { 'if-match': tag } })
    const tagNow = async () => (await instance.get(path, { token })).headers.get('etag') ?? ''
    const before = await tagNow()
    isBroken = false
    await instance.post(`${path}/retry`, undefined, { token })
    await reaches(id, 'done')
    for (const tag of [before, '"other"']) expect([tag, (await drop(tag)).status]).toEqual([tag, 412])
    expect((await drop(await tagNow())).status).toBe(409)
    const waiting = await add(instance.app.jobs, 'dig', {}, new Date(Date.now() + DAY_MS))
    const { headers } = await instance.get(`/api/jobs/${waiting}`, { token })
    const options = { token, headers: { 'if-match': headers.get('etag') ?? '' } }
    expect((await instance.call('DELETE', `/api/jobs/${waiting}`, options)).status).toBe(204)
    expect((await instance.call('DELETE', `/api/jobs/${waiting}`, options)).status).toBe(404)
  })

  it('are listed in pages, newest first', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++)
      ids.push(await add(instance.app.jobs, 'dig', {}, new Date(Date.now() + DAY_MS)))
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await instance.get(`/api/jobs?state=waiting&limit=2${cursor}`, { token })
      seen.push(...body.jobs.map((job: { id: string }) => job.id))
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    expect(seen.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted())
    expect(new Set(seen).size).toBe(seen.length)
  })
})

onPostgresOnly('the list of jobs', () => {
  it('uses an index, also with a hundred thousand completed jobs', async () => {
    const place = await makeDataPlace('postgres')
    const nodes: RootOperationNode[] = []
    const recorder: KyselyPlugin = {
      transformQuery: ({ node }) => {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    const instance = await startInstance({
      place,
      deps: { database: { ...database, db: database.db.withPlugin(recorder) } },
    })
    const { token } = await register(instance)
    await instance.app.jobs.start()
    await sql`insert into pgboss.job (name, data, state, policy, created_on, completed_on)
      select 'housekeeping', '{"payload":"{}"}', 'completed', 'exclusive', now() - n * interval '1 second', now()
      from generate_series(1, 100000) as n`.execute(database.db)
    await sql`analyze pgboss.job`.execute(database.db)
    nodes.length = 0
    for (const query of ['', '&state=waiting', '&state=running', '&state=parked']) {
      const { body } = await instance.get(`/api/jobs?limit=10${query}`, { token })
      if (body.nextCursor)
        await instance.get(`/api/jobs?limit=10${query}&cursor=${body.nextCursor}`, { token })
    }
    const executor = database.db.getExecutor()
    const lists = nodes
      .map((node) => executor.compileQuery(node, { queryId: 'plan' } as never))
      .filter(({ sql: text }) => text.includes('"pgboss"."job"') && text.includes('order by'))
    expect(lists.length).toBe(5)
    for (const query of lists) {
      const text = query.sql.replaceAll(/\$(\d+)/g, (_, n) => {
        const value = query.parameters[Number(n) - 1]
        return typeof value === 'number' ? String(value) : `'${value}'`
      })
      const { rows } = await sql<Record<string, string>>`explain ${sql.raw(text)}`.execute(database.db)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      // If few jobs wait, PostgreSQL may read them from the index and sort them.
      expect(plan).toMatch(/(?:using|Index Scan on) job_common_date_trunc_id_idx/)
    }
    await instance.close()
    await place.remove()
  })
})
