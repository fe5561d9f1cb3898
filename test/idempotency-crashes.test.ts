import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { type Database, openDatabase } from '../src/database/database.ts'
import { MINUTE } from './support/clock.ts'
import { makeDataPlace, onOneDatabase, onPostgresOnly } from './support/databases.ts'
import { type IdempotentRouteHooks, idempotentRoutes } from './support/idempotent-routes.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { startFactotum } from './support/process.ts'
import { exchange, type RawAnswer } from './support/raw-http.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const PROGRAM = new URL('./support/idempotent-process.ts', import.meta.url).pathname

const post = (url: string, key: string, body: unknown): Promise<RawAnswer> =>
  exchange(url, {
    method: 'POST',
    path: '/things',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  })

const madeIn = async ({ db }: Database, subject: string): Promise<number> =>
  (
    await db
      .selectFrom('changes')
      .select('id')
      .where('subject', '=', subject)
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
  ).length

let child: ChildProcess

/** Sends the request to another process on the same database, and returns when it blocks at `stopAt`. */
const sendElsewhere = async ({ place }: Instance, stopAt: keyof IdempotentRouteHooks, key: string) => {
  child = spawn(process.execPath, [PROGRAM, JSON.stringify({ place, stopAt })], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const url = (await lines.next()).value as string
  const answer = post(url, key, { subject: key }).then(
    ({ status }) => `answered ${status}`,
    () => 'cut off',
  )
  expect((await lines.next()).value).toBe('stopped')
  return { url, answer }
}

onOneDatabase('postgres', 'a request whose process is killed', (engine) => {
  let instance: Instance
  let testServer: TestServer
  beforeAll(async () => {
    instance = await startInstance({ engine })
    testServer = await startTestServer(instance, idempotentRoutes(instance.database.db))
  })
  afterEach(() => void child.kill('SIGKILL'))
  afterAll(async () => {
    await testServer.close()
    await instance.close()
  })

  const sendAndKill = async (stopAt: keyof IdempotentRouteHooks, key: string): Promise<void> => {
    const { answer } = await sendElsewhere(instance, stopAt, key)
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    expect(await answer).toBe('cut off')
  }

  it('before the commit leaves neither change nor response, and can be repeated at once', async () => {
    await sendAndKill('written', 'early')
    expect(await madeIn(instance.database, 'early')).toBe(0)
    expect((await post(testServer.url, 'early', { subject: 'other' })).body.code).toBe('idempotency_mismatch')
    const repeated = await post(testServer.url, 'early', { subject: 'early' })
    expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([201, undefined])
    const again = await post(testServer.url, 'early', { subject: 'early' })
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([repeated.text, 'true'])
    expect(await madeIn(instance.database, 'early')).toBe(1)
  })

  it('after the commit is answered with the stored response, and changes nothing again', async () => {
    await sendAndKill('committed', 'late')
    expect(await madeIn(instance.database, 'late')).toBe(1)
    const repeated = await post(testServer.url, 'late', { subject: 'late' })
    expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([201, 'true'])
    expect(repeated.body).toEqual({ id: expect.any(Number), subject: 'late' })
    expect(repeated.headers.location).toBe(`/things/${repeated.body.id}`)
    expect(await madeIn(instance.database, 'late')).toBe(1)
  })

  it('is taken over by exactly one of its retries', async () => {
    await sendAndKill('written', 'heir')
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(testServer.url, 'heir', { subject: 'heir' })),
    )
    const news = answers.filter(({ status, headers }) => status === 201 && !headers['idempotency-replayed'])
    expect(news).toHaveLength(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect(await madeIn(instance.database, 'heir')).toBe(1)
  })
})

const addTask = (url: string, title: string) =>
  exchange(url, {
    method: 'POST',
    path: '/api/tasks',
    body: JSON.stringify({ title }),
    headers: { 'content-type': 'application/json', 'idempotency-key': title },
  })

onOneDatabase('sqlite', 'requests to a killed server', (engine) => {
  it('are repeated at once and executed once, by the next process or by another instance', async () => {
    const titles = Array.from({ length: 25 }, (_, n) => `task-${n}`)
    const place = await makeDataPlace(engine, 'prepared')
    const first = await startFactotum(place.environment)
    // Only on PostgreSQL can two instances share a database.
    const beside = engine === 'postgres' ? await startFactotum(place.environment) : undefined
    const answers = titles.map((title) => addTask(first.url, title).catch(() => undefined))
    await Promise.race(answers)
    first.child.kill('SIGKILL')
    await first.ended
    await Promise.all(answers)
    const second = beside ?? (await startFactotum(place.environment))
    const statuses = new Set<number>()
    const repeat = async (title: string): Promise<void> => {
      const once = await addTask(second.url, title)
      const twice = await addTask(second.url, title)
      statuses.add(once.status).add(twice.status)
      expect([twice.text, twice.headers['idempotency-replayed']]).toEqual([once.text, 'true'])
    }
    await Promise.all(titles.map(repeat))
    const listed = await exchange(second.url, { method: 'GET', path: '/api/tasks?limit=200' })
    second.child.kill('SIGKILL')
    await second.ended
    await place.remove()
    expect([...statuses]).toEqual([201])
    const made = (listed.body.tasks as { title: string }[]).map(({ title }) => title)
    expect(made.toSorted()).toEqual(titles.toSorted())
  })
})

onPostgresOnly('a request in progress on another instance', () => {
  let instance: Instance
  let testServer: TestServer
  beforeEach(async () => {
    instance = await startInstance({ engine: 'postgres' })
    testServer = await startTestServer(instance, idempotentRoutes(instance.database.db))
  })
  afterEach(async () => {
    child.kill('SIGKILL')
    await testServer.close()
    await instance.close()
  })

  const repeat = async (key: string) => (await post(testServer.url, key, { subject: key })).status

  it('is not taken over while that instance lives, however long it takes', async () => {
    await sendElsewhere(instance, 'written', 'slow')
    instance.clock.advance(10 * MINUTE)
    expect(await repeat('slow')).toBe(409)
  })

  it('is not taken over if that instance loses the connection with its lock', async () => {
    await sendElsewhere(instance, 'written', 'blip')
    // Its transaction stays open; only the connection with the lock ends.
    const ended = await sql`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and mode = 'ShareLock' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
    `.execute(instance.database.db)
    expect(ended.rows.length).toBeGreaterThan(0)
    expect(await repeat('blip')).toBe(409)
    expect(await madeIn(instance.database, 'blip')).toBe(0)
  })
})

onPostgresOnly('a request that loses its database connection', () => {
  let instance: Instance
  let wire: Server
  let throughWire: Database
  let testServer: TestServer
  let cutting = false

  /** Forwards everything, but disconnects instead of forwarding that a COMMIT succeeded. */
  const beginWire = async (target: URL): Promise<string> => {
    wire = createServer((client) => {
      const server = connect(Number(target.port), target.hostname)
      const hangUp = (socket: Socket) => () => socket.destroy()
      client.on('data', (bytes) => server.write(bytes))
      server.on('data', (bytes) => {
        if (!cutting || !bytes.includes('COMMIT\0')) return void client.write(bytes)
        cutting = false
        client.destroy()
        server.destroy()
      })
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('close', hangUp(other))
        one.on('error', hangUp(other))
      }
    }).listen(0, '127.0.0.1')
    await once(wire, 'listening')
    const url = new URL(target)
    url.port = String((wire.address() as { port: number }).port)
    return url.href
  }

  beforeAll(async () => {
    instance = await startInstance({ engine: 'postgres' })
    const { dataDir, databaseUrl } = instance.place
    const through = await beginWire(new URL(databaseUrl as string))
    throughWire = await openDatabase({ dataDir, databaseUrl: through, onIdleError: () => {} })
    testServer = await startTestServer(
      { ...instance, database: throughWire },
      idempotentRoutes(throughWire.db),
    )
  })
  afterAll(async () => {
    await testServer.close()
    await throughWire.close()
    wire.close()
    await instance.close()
  })

  it('during its change does not affect other requests', async () => {
    const { url } = await sendElsewhere(instance, 'written', 'broken')
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()
    `.execute(instance.database.db)
    const next = await post(url, 'next', { subject: 'next' }).catch((error: Error) => error.message)
    child.kill('SIGKILL')
    expect(next).toMatchObject({ status: 201 })
    expect(await madeIn(instance.database, 'broken')).toBe(0)
  })

  it('during its commit is not executed again when it is repeated', async () => {
    cutting = true
    const first = await post(testServer.url, 'unsure', { subject: 'unsure' })
    expect(first.status).toBeGreaterThanOrEqual(500)
    expect(cutting).toBe(false)
    expect(await madeIn(instance.database, 'unsure')).toBe(1)
    const repeated = await post(testServer.url, 'unsure', { subject: 'unsure' })
    expect(await madeIn(instance.database, 'unsure')).toBe(1)
    expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([201, 'true'])
  })
})
