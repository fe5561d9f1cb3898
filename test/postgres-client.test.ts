import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/database/database.ts'
import { Client } from '../src/database/postgres-client.ts'
import { prepare, readSnapshot } from '../src/database/prepared.ts'
import { type DataPlace, makeDataPlace, onPostgresOnly } from './support/databases.ts'

onPostgresOnly('the PostgreSQL client', () => {
  let place: DataPlace
  let client: Client
  beforeAll(async () => {
    place = await makeDataPlace('postgres')
    client = new Client({ connectionString: place.databaseUrl as string, pipeline: true })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await place?.remove()
  })

  const select = async (expression: string): Promise<unknown> => {
    const { rows } = await client.run({ text: `select ${expression} as value`, values: [] })
    return (rows[0] as { value: unknown }).value
  }

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
    expect(await select(expression)).toEqual(value)
  })

  it('sends values of all kinds', async () => {
    const { rows } = await client.run({
      text: 'select $1::int as one, $2::text as two, $3::text as three, $4::bytea as four, $5::int[] as five, $6::int8 as six',
      values: [7, 'ü😀', null, Buffer.from([1, 2]), [3, 4], 2n ** 40n],
    })
    expect(rows).toEqual([
      { one: 7, two: 'ü😀', three: null, four: Buffer.from([1, 2]), five: [3, 4], six: 2 ** 40 },
    ])
  })

  it('sends as many values as the protocol allows', async () => {
    const values = Array.from({ length: 65_535 }, (_, index) => index)
    const parameters = values.map((index) => `$${index + 1}::int`).join(', ')
    const { rows } = await client.run({
      name: 'values',
      text: `select array[${parameters}] as value`,
      values,
    })
    expect(rows).toEqual([{ value: values }])
  })

  it('returns many rows in order, and how many a statement changed', async () => {
    const text = `select n, 'row ' || n as name from generate_series(1, $1::int) as n`
    const { rows, command, rowCount } = await client.run({ name: 'many', text, values: [20_000] })
    expect({ command, rowCount }).toEqual({ command: 'SELECT', rowCount: 20_000 })
    expect(rows).toHaveLength(20_000)
    expect(rows.at(-1)).toEqual({ n: 20_000, name: 'row 20000' })
    await client.runText('create temporary table numbers (n int); create index on numbers (n)')
    const insert = 'insert into numbers select generate_series(1, $1::int)'
    expect(await client.run({ text: insert, values: [3] })).toEqual({
      command: 'INSERT',
      rowCount: 3,
      rows: [],
    })
  })

  it('answers concurrent statements in order, and each failure to its own statement', async () => {
    const divide = (by: number) =>
      client.run({ name: 'divide', text: 'select 10 / $1::int as n', values: [by] })
    const circular: unknown[] = []
    circular.push({ circular })
    const results = await Promise.allSettled([
      divide(1),
      divide(0),
      divide(2),
      client.run({ text: 'select $1::json', values: [circular[0]] }),
      client.run({ text: 'select nothing from nowhere where 1 = $1', values: [1] }),
      divide(5),
    ])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.rows : 'failed'))).toEqual([
      [{ n: 10 }],
      'failed',
      [{ n: 5 }],
      'failed',
      'failed',
      [{ n: 2 }],
    ])
  })

  it('rejects the statements that wait for a result when the connection ends', async () => {
    const other = new Client({ connectionString: place.databaseUrl as string, pipeline: true })
    other.on('error', () => {})
    await other.connect()
    const { rows } = await other.run({ text: 'select pg_backend_pid() as pid', values: [] })
    const waiting = [0, 1].map(() => other.run({ text: 'select pg_sleep($1)', values: [60] }))
    const outcomes = Promise.allSettled(waiting)
    // The server needs the statement before it can end it.
    await new Promise((resolve) => setImmediate(resolve))
    await client.run({ text: 'select pg_terminate_backend($1)', values: [(rows[0] as { pid: number }).pid] })
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

onPostgresOnly('a snapshot of pipelined reads', () => {
  let place: DataPlace
  let database: Database
  const countEpochs = prepare<{ epoch: number }, { n: number }>(
    (_, parameter) => sql`select count(*)::int as n from restores where epoch > ${parameter('epoch')}`,
  )
  const fail = prepare<{ by: number }, unknown>(
    (_, parameter) => sql`select 1 / ${parameter('by')}::int as n`,
  )
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
