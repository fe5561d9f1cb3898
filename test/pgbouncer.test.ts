import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command } from './support/command-line.ts'
import { type DataPlace, makeDataPlace } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type PgBouncer, pgbouncerPath, startPgBouncer } from './support/pgbouncer.ts'

const POOL_SIZE = 3

describe.skipIf(!pgbouncerPath || !process.env.TEST_POSTGRES_URL).each(['session', 'transaction'] as const)(
  'two instances behind PgBouncer in %s mode',
  (mode) => {
    let place: DataPlace
    let bouncer: PgBouncer
    const instances: Instance[] = []
    const [first, second] = [() => instances[0] as Instance, () => instances[1] as Instance]

    beforeAll(async () => {
      place = await makeDataPlace('postgres')
      const databaseUrl = place.databaseUrl as string
      bouncer = await startPgBouncer(mode, databaseUrl)
      // The first instance also migrates through the pooler.
      for (let count = 0; count < 2; count++)
        instances.push(
          await startInstance({
            place: { ...place, remove: async () => {} },
            environment: {
              DATABASE_URL: bouncer.through(databaseUrl),
              DATABASE_POOL_SIZE: String(POOL_SIZE),
              ...(mode === 'transaction' && { DATABASE_DIRECT_URL: databaseUrl }),
            },
          }),
        )
    })
    afterAll(async () => {
      for (const instance of instances) await instance.close()
      await bouncer?.stop()
      await place?.remove()
    })

    it('answer many requests at once, with statements that repeat', async () => {
      const made = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 === 0 ? first() : second()).post(
            '/api/tasks',
            { title: `Task ${n}` },
            { headers: { 'idempotency-key': `task-${n}` } },
          ),
        ),
      )
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
      const again = await second().post(
        '/api/tasks',
        { title: 'Task 0' },
        { headers: { 'idempotency-key': 'task-0' } },
      )
      expect([again.headers.get('idempotency-replayed'), again.body.id]).toEqual(['true', made[0]?.body.id])
      const listed = await Promise.all(Array.from({ length: 20 }, () => first().get('/api/tasks?limit=100')))
      for (const { body } of listed) expect(body.tasks).toHaveLength(40)
    })

    it('notify each other of changes at once', async () => {
      const stream = await openEventStream(second().url, '/api/events')
      const { body } = await first().post('/api/tasks', { title: 'Live' })
      await stream.until(1)
      expect(stream.events.at(-1)).toMatchObject({ event: 'task.created', data: { id: body.id } })
      await stream.leave()
    })

    it('hold their process lock, which the other one sees', async () => {
      const { processLock } = first().database
      await processLock.acquire()
      const isHeld = async () => {
        const { rows } = await sql<{ held: boolean }>`select ${processLock.isHeld(
          sql.lit(processLock.id),
        )} as held`.execute(second().database.db)
        return rows[0]?.held
      }
      expect(await isHeld()).toBe(true)
      // A later transaction gets another session and must see the same.
      await first().get('/api/tasks')
      expect(await isHeld()).toBe(true)
    })

    it('run background jobs', async () => {
      const { app, database } = first()
      await app.jobs.start()
      const id = await app.jobs.enqueue(database.db, 'billing.watch', {})
      await expect.poll(async () => (await second().get(`/api/jobs/${id}`)).body.state).toBe('done')
    })

    it('pass the check of doctor only with the address that transaction mode needs', async () => {
      const settings = {
        ...place.environment,
        DATABASE_URL: bouncer.through(place.databaseUrl as string),
        PORT: '0',
      }
      const pooler = /FAIL +pool .*transaction mode.*set DATABASE_DIRECT_URL/
      const { stdout } = await command(['doctor'], settings)
      if (mode === 'session') expect(stdout).not.toMatch(pooler)
      else expect(stdout).toMatch(pooler)
      const direct = await command(['doctor'], {
        ...settings,
        DATABASE_DIRECT_URL: place.databaseUrl as string,
      })
      expect(direct.stdout).not.toMatch(pooler)
    })

    it('open no more connections than configured', () => {
      for (const { database } of instances) {
        const pool = database.readPool?.()
        expect(pool?.limit).toBe(POOL_SIZE)
        expect(pool?.open).toBeLessThanOrEqual(POOL_SIZE)
      }
    })
  },
)
