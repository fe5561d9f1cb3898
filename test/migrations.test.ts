import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { migrate, migrations, releases } from '../src/database/migrate.ts'
import { baselineNames } from '../src/database/migrations/baseline/names.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'

const CHECKSUMS = new URL('golden/migrations.txt', import.meta.url)

/** Comments and layout may change; the code of a migration may not. */
const codeOf = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/[\s;,]+/g, ' ')

const checksumOf = (name: string): string => {
  const source = readFileSync(new URL(`../src/database/migrations/${name}.ts`, import.meta.url), 'utf8')
  return createHash('sha256').update(codeOf(source)).digest('hex').slice(0, 16)
}

/** The files of the baseline come first. They have checksums; the names that they replace have none. */
const baselineFiles = globSync('src/database/migrations/baseline/*.ts')
  .map((file) => `baseline/${basename(file, '.ts')}`)
  .sort()

it('a released migration keeps its name, its position and its code', () => {
  const landed = readFileSync(CHECKSUMS, 'utf8').trim().split('\n')
  const files = [...baselineFiles, ...migrations.slice(baselineNames.length)]
  const present = files.map((name) => `${name} ${checksumOf(name)}`)
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

  it('of a newer version opens, unless that version removed something', async () => {
    expect(await failureAfter((names) => [...names, '9998-future'])).toBe('it opened')
    expect(await failureAfter((names) => [...names, '9998-contract-past', '9999-future'])).toMatch(
      /newer version of Factotum \(9998-contract-past\): upgrade this one, or go back/,
    )
  })

  it('of a version before 0.2.0 is refused, and stays as it is', async () => {
    for (const at of ['0037-email-rows', '0075-conversation-search'])
      expect(await failureAfter((names) => names.slice(0, names.indexOf(at) + 1))).toBe(
        `The database has the schema ${at}, which is older than version 0.2.0. This version upgrades only from 0.2.0. Install version 0.2.0 and start it once. Then install this version.`,
      )
  })

  it('of a development version reports the difference and how to keep the data', async () => {
    const renamed = (names: string[]) =>
      names.map((name) => name.replace('0026-', '0027-').replace('0025-', '0026-'))
    expect(await failureAfter(renamed)).toMatch(/development version .*0025-restores.* Export your data/)
    expect(await failureAfter((names) => names.toSpliced(3, 1))).toMatch(/0004-calendar.* Export your data/)
  })
})

onEveryDatabase('the baseline', (engine) => {
  it('records the names of version 0.2.0, and creates the local account with its calendar and list', async () => {
    const place = await makeDataPlace(engine)
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    const { db } = database
    try {
      expect(await migrate(database, releases['0.2.0'])).toEqual(baselineNames)
      const { rows } = await sql<{ role: string; calendar: string; list: string }>`
        select users.role, calendars.name as calendar, task_lists.name as list from users
        join calendars on calendars."userId" = users.id and calendars."isDefault" = 1
        join task_lists on task_lists."userId" = users.id and task_lists."isInbox" = 1 /* all accounts */`.execute(
        db,
      )
      expect(rows).toEqual([{ role: 'local', calendar: 'Calendar', list: 'Inbox' }])
    } finally {
      await database.close()
      await place.remove()
    }
  })
})
