import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/database/database.ts'
import { migrate, migrations } from '../src/database/migrate.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { fillEvents } from './support/event-rows.ts'

const CHECKSUMS = new URL('golden/migrations.txt', import.meta.url)

/** Comments and layout may change; the code of a migration may not. */
const codeOf = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/[\s;,]+/g, ' ')

const checksumOf = (name: string): string => {
  const source = readFileSync(new URL(`../src/database/migrations/${name}.ts`, import.meta.url), 'utf8')
  return createHash('sha256').update(codeOf(source)).digest('hex').slice(0, 16)
}

it('a released migration keeps its name, its position and its code', () => {
  const landed = readFileSync(CHECKSUMS, 'utf8').trim().split('\n')
  const present = migrations.map((name) => `${name} ${checksumOf(name)}`)
  // A changed or renamed migration does not reach existing databases: write a new one instead.
  expect(present.slice(0, landed.length)).toEqual(landed)
  // Release a new migration by adding its line at the end of test/golden/migrations.txt.
  expect(present.slice(landed.length)).toEqual([])
})

onEveryDatabase('a database with other migrations', (engine) => {
  const failureAfter = async (change: (names: string[]) => string[]): Promise<string> => {
    const place = await makeDataPlace(engine, 'prepared')
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    try {
      await sql`delete from migrations`.execute(database.db)
      for (const name of change([...migrations]))
        await sql`insert into migrations (name, timestamp) values (${name}, '2026-01-01T00:00:00.000Z')`.execute(
          database.db,
        )
      return await migrate(database).then(
        () => 'it opened',
        (error: Error) => error.message,
      )
    } finally {
      await database.close()
      await place.remove()
    }
  }

  it('of a newer version asks for an upgrade', async () => {
    expect(await failureAfter((names) => [...names, '9999-future'])).toMatch(
      /newer version of Factotum \(9999-future\): upgrade this one, or restore a backup/,
    )
  })

  it('of a development version reports the difference and how to keep the data', async () => {
    const renamed = (names: string[]) =>
      names.map((name) => name.replace('0026-', '0027-').replace('0025-', '0026-'))
    expect(await failureAfter(renamed)).toMatch(/development version .*0025-restores.* Export your data/)
    expect(await failureAfter((names) => names.toSpliced(3, 1))).toMatch(/0004-calendar.* Export your data/)
  })
})

onEveryDatabase('the migration that removes rendered JSON from events', (engine) => {
  it('keeps every other column', async () => {
    const place = await makeDataPlace(engine)
    // PostgreSQL caches the columns of a query for each connection, so that each step opens its own.
    const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase({ ...place, onIdleError: () => {} })
      return work(database).finally(() => database.close())
    }
    const readEvents = async ({ db }: Database) =>
      (await sql<Record<string, unknown>>`select * from events order by id`.execute(db)).rows
    const before = await inDatabase(async (database) => {
      await migrate(database, '0035-column-names')
      await fillEvents(database.db, ['one', 'Ümläute “and” 🗓'], '2026-03-01T00:00:00.000Z', {
        shown: '"uid":1}',
      })
      return readEvents(database)
    })
    await inDatabase((database) => migrate(database))
    const after = await inDatabase(readEvents)
    await place.remove()
    expect(before).toHaveLength(4)
    expect(after).toEqual(before.map(({ shown: _, ...row }) => row))
  })
})
