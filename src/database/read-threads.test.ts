import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { whyUnavailable } from './errors.ts'
import { withLongReads } from './long-reads.ts'
import { prepare } from './prepared.ts'
import { ReadThreads } from './read-threads.ts'
import { createSqliteDialect } from './sqlite.ts'

interface Values {
  id: number
  text: string | null
  bytes: Buffer | null
  real: number | null
}

const directory = mkdtempSync(join(tmpdir(), 'factotum-reads-'))
const file = join(directory, 'values.db')
const db = new Kysely<{ things: Values }>({ dialect: createSqliteDialect(file) })
const threads = new ReadThreads(file, { timeoutMs: 200 })

const createRead = (key = 'user:1', signal = new AbortController().signal) => ({ key, signal })
const inThread = <T>(work: () => T): T => withLongReads(createRead(), work)

/** Counts for a long time. */
const SLOW =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 1500000) select count(*) as c from n'

beforeAll(async () => {
  await sql`create table things (id integer primary key, text text, bytes blob, real real)`.execute(db)
  await db
    .insertInto('things')
    .values([
      { id: 1, text: 'ä 😀 \u0000 end', bytes: Buffer.from([0, 255, 7]), real: 0.1 },
      { id: 2, text: null, bytes: null, real: null },
      { id: 3_629_000_000_000_000, text: '', bytes: Buffer.alloc(10_000, 1), real: -1e300 },
    ])
    .execute()
})
afterAll(async () => {
  await threads.close()
  await db.destroy()
  rmSync(directory, { recursive: true, force: true })
})

it('reads the same rows in a thread', async () => {
  const readPrepared = prepare<{ id: number }, Values>((tx, values) =>
    (tx as unknown as typeof db).selectFrom('things').selectAll().where('id', '>=', values.id),
  )
  const reads: (() => Promise<unknown>)[] = [
    () => db.selectFrom('things').selectAll().orderBy('id').execute(),
    () =>
      db
        .selectFrom('things')
        .select('id')
        .where('id', '=', BigInt(2) as never)
        .execute(),
    () =>
      db
        .selectFrom('things')
        .select('id')
        .where('bytes', '=', Buffer.from([0, 255, 7]))
        .execute(),
    () => sql`select count(*) as n, max(id) as most, null as empty from things`.execute(db),
    () =>
      sql`with all_things as (select * from things) select text, text as again from all_things`.execute(db),
    () => readPrepared(db as never, { id: 2 }),
    () => db.selectFrom('things').selectAll().where('id', '<', 0).execute(),
  ]
  for (const read of reads) expect(await inThread(read)).toStrictEqual(await read())
})

it('reports the error of a statement with its code', async () => {
  const read = () => sql`select missing from things`.execute(db)
  const fail = (work: () => Promise<unknown>) => work().catch((error) => [error.message, error.code])
  expect(await fail(() => inThread(read))).toEqual(await fail(read))
})

it('sees committed changes at once, and never those of an open transaction', async () => {
  const countIn = (tx: typeof db) =>
    tx
      .selectFrom('things')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('id', '>', 9)
      .where('id', '<', 100)
      .executeTakeFirstOrThrow()
  for (let n = 10; n < 60; n++) {
    await db.insertInto('things').values({ id: n, text: null, bytes: null, real: null }).execute()
    expect(await inThread(() => countIn(db))).toEqual({ n: n - 9 })
  }
  await inThread(() =>
    db.transaction().execute(async (tx) => {
      await tx.deleteFrom('things').where('id', '=', 10).execute()
      // The read of the transaction sees its own change, another read does not.
      expect(await countIn(tx)).toEqual({ n: 49 })
      expect(await inThread(() => countIn(db))).toEqual({ n: 50 })
    }),
  )
})

it('rejects a write in a thread', async () => {
  const write = threads.run({ sql: 'delete from things', parameters: [] }, createRead())
  await expect(write).rejects.toThrow()
})

it('answers another account while one account has a long read', async () => {
  const order: string[] = []
  const slow = withLongReads(createRead('user:1'), () => sql.raw(SLOW).execute(db)).then(() =>
    order.push('slow'),
  )
  const own = withLongReads(createRead('user:1'), () => sql`select 1`.execute(db)).then(() =>
    order.push('own'),
  )
  const other = withLongReads(createRead('user:2'), () => sql`select 1`.execute(db)).then(() =>
    order.push('other'),
  )
  await Promise.all([slow, own, other])
  expect(order).toEqual(['other', 'slow', 'own'])
})

it('gives up when the client leaves or the time is over', async () => {
  const gone = new AbortController()
  const first = threads.run({ sql: SLOW, parameters: [] }, createRead('user:1', gone.signal))
  const second = threads.run({ sql: SLOW, parameters: [] }, createRead('user:1', gone.signal))
  gone.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await expect(second).rejects.toThrow('gone')
  const late = await threads
    .run({ sql: SLOW, parameters: [] }, createRead('user:2'))
    .catch((error: unknown) => error)
  expect(whyUnavailable(late)).toBe('slow')
})
