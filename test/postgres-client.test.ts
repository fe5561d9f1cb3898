import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/database/database.ts'
import { readSnapshot } from '../src/database/engine-access.ts'
import { prepare } from '../src/database/prepared.ts'
import { type DataPlace, makeDataPlace, onPostgresOnly } from './support/databases.ts'

onPostgresOnly('statements on PostgreSQL', () => {
  let place: DataPlace
  let database: Database
  beforeAll(async () => {
    place = await makeDataPlace('postgres')
    database = await openDatabase({ ...place, onIdleError: () => {} })
  })
  afterAll(async () => {
    await database?.close()
    await place?.remove()
  })

  const run = async (text: string, ...values: unknown[]): Promise<object[]> =>
    (await database.db.executeQuery<object>(CompiledQuery.raw(text, values))).rows

  it.each([
    ['0', 0],
    ['(-32768)::int2', -32768],
    ['2147483647', 2147483647],
    ['-9007199254740991::int8', -9007199254740991],
    ['1.5::float8', 1.5],
    ['1.50::numeric', '1.50'],
    ['true', true],
    ['null::int', null],
    ["''::text", ''],
    ["'plain'", 'plain'],
    ["'Zürich 😀'", 'Zürich 😀'],
    ['\'{"a":[1]}\'::jsonb', { a: [1] }],
    ['array[1,2]', [1, 2]],
    ["'2026-06-01T10:00:00Z'::timestamptz", new Date('2026-06-01T10:00:00Z')],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ["repeat('ü', 3000) || 'end'", `${'ü'.repeat(3000)}end`],
    ["repeat('long ', 300000)", 'long '.repeat(300_000)],
  ])('reads the value %s', async (expression, value) => {
    expect(await run(`select ${expression} as value`)).toEqual([{ value }])
  })

  it('send values of all kinds', async () => {
    const rows = await run(
      'select $1::int as one, $2::text as two, $3::text as three, $4::bytea as four, $5::int[] as five, $6::int8 as six',
      7,
      'ü😀',
      null,
      Buffer.from([1, 2]),
      [3, 4],
      2n ** 40n,
    )
    expect(rows).toEqual([
      { one: 7, two: 'ü😀', three: null, four: Buffer.from([1, 2]), five: [3, 4], six: 2 ** 40 },
    ])
  })

  it('send as many values as the protocol allows', async () => {
    const values = Array.from({ length: 65_535 }, (_, index) => index)
    const parameters = values.map((index) => `$${index + 1}::int`).join(', ')
    expect(await run(`select array[${parameters}] as value`, ...values)).toEqual([{ value: values }])
  })

  it('return many rows in order, and how many rows they changed', async () => {
    const rows = await run(`select n, 'row ' || n as name from generate_series(1, $1::int) as n`, 20_000)
    expect(rows).toHaveLength(20_000)
    expect(rows.at(-1)).toEqual({ n: 20_000, name: 'row 20000' })
    await run('create table numbers (n int)')
    const insert = CompiledQuery.raw('insert into numbers select generate_series(1, $1::int)', [3])
    expect(await database.db.executeQuery(insert)).toMatchObject({ numAffectedRows: 3n, rows: [] })
  })

  it('get their own results and failures when many run at once', async () => {
    const divide = (by: number) => run('select 10 / $1::int as n', by)
    const results = await Promise.allSettled([
      divide(1),
      divide(0),
      divide(2),
      run('select nothing from nowhere where 1 = $1', 1),
      divide(5),
    ])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      [{ n: 10 }],
      'failed',
      [{ n: 5 }],
      'failed',
      [{ n: 2 }],
    ])
  })

  it('are prepared again after their table appeared or got a column', async () => {
    const list = () => run('select * from later where id > $1', 0)
    await expect(list()).rejects.toThrow('does not exist')
    await run('create table later (id int)')
    await run('insert into later values (1)')
    expect(await list()).toEqual([{ id: 1 }])
    await run('alter table later add column name text')
    expect(await Promise.all([list(), list()])).toEqual([[{ id: 1, name: null }], [{ id: 1, name: null }]])
  })

  it('fail when the connection that runs them ends, and later ones succeed', async () => {
    const sleep = run('select pg_backend_pid(), pg_sleep($1)', 60)
    const outcome = Promise.allSettled([sleep])
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep($1)%'"
    await expect
      .poll(() => run(`${end} and pid <> pg_backend_pid() and datname = current_database()`))
      .toHaveLength(1)
    expect((await outcome)[0]?.status).toBe('rejected')
    expect(await run('select 1 as one')).toEqual([{ one: 1 }])
  })
})

onPostgresOnly('a snapshot of pipelined reads', () => {
  let place: DataPlace
  let database: Database
  const countEpochs = prepare<{ epoch: number }, { n: number }>(
    (_, values) => sql`select count(*)::int as n from restores where epoch > ${values.epoch}`,
  )
  const fail = prepare<{ by: number }, unknown>((_, values) => sql`select 1 / ${values.by}::int as n`)
  beforeAll(async () => {
    place = await makeDataPlace('postgres', 'prepared')
    database = await openDatabase({ ...place, onIdleError: () => {} })
  })
  afterAll(async () => {
    await database?.close()
    await place?.remove()
  })
  const count = async () => (await countEpochs(database.db, { epoch: 0 }))[0]?.n as number

  it('sees one state, although others commit in between', async () => {
    const before = await count()
    let isOver = false
    const writing = (async () => {
      for (let epoch = 1; !isOver; epoch++)
        await sql`insert into restores (epoch) values (${epoch})`.execute(database.db)
    })()
    for (let round = 0; round < 50; round++) {
      const results = await readSnapshot(database.db, (view) =>
        Promise.all(Array.from({ length: 5 }, () => countEpochs(view, { epoch: 0 }))),
      )
      expect(new Set(results.map(([row]) => row?.n)).size).toBe(1)
    }
    isOver = true
    await writing
    expect(await count()).toBeGreaterThan(before)
  })

  it('leaves the connection usable after a failed read', async () => {
    const failing = readSnapshot(database.db, (view) =>
      Promise.all([fail(view, { by: 0 }), fail(view, { by: 1 })]),
    )
    await expect(failing).rejects.toThrow('division by zero')
    expect(await fail(database.db, { by: 1 })).toEqual([{ n: 1 }])
    await sql`insert into restores (epoch) values (1000000)`.execute(database.db)
  })
})
