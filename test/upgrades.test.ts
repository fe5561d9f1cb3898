import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statfsSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { type Database, type Engine, openDatabase, sqliteFile } from '../src/database/database.ts'
import {
  isContract,
  latestMigration,
  migrate,
  migrations,
  readMigrationState,
  releasedSteps,
  releases,
  type Step,
  type Steps,
} from '../src/database/migrate.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { expireCopies, listCopies, makeCopy, nameCopy } from '../src/database/upgrade-copies.ts'
import { beginCommand, command } from './support/command-line.ts'
import { type DataPlace, makeDataPlace, onEveryDatabase, onPostgresOnly } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { runFactotum, startFactotum } from './support/process.ts'
import { findBreakingChanges, readSchema } from './support/schema-changes.ts'
import { readSchemaText } from './support/schema-text.ts'
import { loadFixture, readAnswers } from './support/upgrade-fixture.ts'

const places: DataPlace[] = []
afterAll(async () => {
  for (const place of places) await place.remove()
})
const newPlace = async (engine: Engine, prepared?: 'prepared'): Promise<DataPlace> => {
  const place = await makeDataPlace(engine, prepared)
  places.push(place)
  return place
}
/** An instance of version 0.2.0, which has pending migrations. */
const oldPlace = async (): Promise<DataPlace> => {
  const place = await newPlace('sqlite')
  await loadFixture('0.2.0', place)
  return place
}

const inDatabase = async <T>(place: DataPlace, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  return work(database).finally(() => database.close())
}
const stateOf = (place: DataPlace, steps: Steps = releasedSteps) =>
  inDatabase(place, (database) => readMigrationState(database, Object.keys(steps)))

const namesIn = (place: DataPlace): Promise<string[]> =>
  inDatabase(place, async ({ db }) => {
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
    return rows.map(({ name }) => name)
  })
const schemaOf = (place: DataPlace): Promise<string> => inDatabase(place, readSchemaText)
const goldenSchema = (engine: Engine): string => readFileSync(`test/golden/schema.${engine}.txt`, 'utf8')

const addStep = (steps: Steps, name: string, ...statements: string[]): Steps => {
  const step: Step = async (db: Kysely<unknown>) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
  return { ...steps, [name]: async () => step }
}
const expanded = addStep(
  releasedSteps,
  '9000-next-colours',
  'alter table tasks add column "nextColour" text',
  `alter table emails add column "nextWeight" bigint not null default 7`,
  'create table next_colours (id bigint primary key, name text not null)',
  'create index tasks_next_colour on tasks ("userId", "nextColour")',
)
/** A version after this one. It no longer needs an index that this one uses. */
const next = addStep(expanded, '9001-contract-task-creation', 'drop index tasks_created')

onEveryDatabase('an upgrade from a released version', (engine) => {
  it.for(Object.keys(releases))('%s keeps the data', async (version) => {
    const place = await newPlace(engine)
    const answers = await loadFixture(version, place)
    expect((await stateOf(place)).at).toBe(releases[version])
    const { code, stderr } = await command(['migrate'], place.environment)
    expect([code, (await stateOf(place)).pending]).toEqual([0, []])
    if (releases[version] !== latestMigration)
      expect(stderr).toContain(engine === 'sqlite' ? 'factotum rollback' : 'PostgreSQL is not copied')
    expect(await schemaOf(place)).toBe(goldenSchema(engine))
    const instance = await startInstance({ place })
    const after = await readAnswers(instance.url)
    await instance.close()
    expect(after).toMatchObject(answers)
  })

  it('adopts the database of 0.2.0, also with later migrations of a checkout, and keeps its names', async () => {
    for (const at of [releases['0.2.0'] as string, '0084-email-tallies']) {
      const place = await newPlace(engine)
      await loadFixture('0.2.0', place)
      const before = await namesIn(place)
      expect(before.at(-1)).toBe(releases['0.2.0'])
      await inDatabase(place, async (database) => {
        await migrate(database, at)
        expect(await migrate(database)).toEqual(migrations.slice(migrations.indexOf(at) + 1))
      })
      const after = await namesIn(place)
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after).toEqual(migrations)
      expect(await schemaOf(place)).toBe(goldenSchema(engine))
    }
  })
})

onEveryDatabase('the migrations after the newest release', (engine) => {
  const breakingChanges = async (steps: Steps): Promise<string[]> => {
    const place = await newPlace(engine)
    const names = Object.keys(steps)
    const base = Object.values(releases).at(-1) as string
    const inOrder = names.slice(names.indexOf(base))
    const lastExpand = inOrder.findLast((name) => !isContract(name)) as string
    const before = await inDatabase(place, async (database) => {
      await migrate(database, base, steps)
      return readSchema(database)
    })
    return inDatabase(place, async (database) => {
      await migrate(database, lastExpand, steps)
      return findBreakingChanges(before, await readSchema(database))
    })
  }

  it('expand first, so that the newest release runs beside them', async () => {
    const added = migrations.slice(migrations.indexOf(Object.values(releases).at(-1) as string) + 1)
    // A contract migration must not hold back an expansion of the same version.
    expect(added.map(isContract)).toEqual(added.map(isContract).sort())
    expect(await breakingChanges(expanded)).toEqual([])
  })

  it('may not drop, rename or require columns, or add unique indexes', async () => {
    const isPostgres = engine === 'postgres'
    const wrong = addStep(
      releasedSteps,
      '9000-wrong',
      'alter table storage_days rename column bytes to size',
      'alter table mail_rules add column "nextOrder" bigint not null default 0',
      'create unique index saved_searches_next on saved_searches ("userId", q)',
      'drop table samples',
      // SQLite itself refuses it.
      ...(isPostgres ? ['alter table contacts add column "nextKind" text not null'] : []),
    )
    expect((await breakingChanges(wrong)).map((change) => change.split(':')[0]).sort()).toEqual([
      ...(isPostgres ? ['contacts.nextKind is required, and has no default'] : []),
      'samples was dropped or renamed',
      'saved_searches has a new unique index',
      'storage_days.bytes was dropped or renamed',
      'storage_days.size is required, and has no default',
    ])
  })
})

/** Sends requests one after another until `stop`. Follows `url`, and repeats a request that no server accepted. */
const startLoad = (target: { url: string }) => {
  const failures: string[] = []
  const titles: string[] = []
  let [isStopped, answered] = [false, 0]
  const send = async (method: string, path: string, body?: unknown) => {
    for (;;)
      try {
        const response = await fetch(`${target.url}${path}`, {
          method,
          headers: { 'content-type': 'application/json', connection: 'close' },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await response.text()
        if (!response.ok) failures.push(`${method} ${path}: ${response.status} ${text}`)
        answered++
        return response.ok ? JSON.parse(text) : {}
      } catch (error) {
        if (isStopped) return {}
        failures.push(`${method} ${path}: ${(error as Error).message}`)
        await setTimeout(10)
      }
  }
  const work = async (worker: number): Promise<void> => {
    for (let n = 0; !isStopped; n++) {
      const title = `Load ${worker}/${n}`
      const { id } = await send('POST', '/api/tasks', { title })
      if (id !== undefined) titles.push(title)
      await send('GET', `/api/tasks/${id}`)
      await send('PATCH', `/api/tasks/${id}`, { notes: 'changed' })
      await send('GET', '/api/tasks?limit=5')
      await send('POST', '/api/emails', { from: 'a@example.org', subject: title })
      await send('GET', '/api/emails?limit=5')
    }
  }
  const workers = Array.from({ length: 4 }, (_, worker) => work(worker))
  return {
    failures,
    titles,
    /** Resolves after further requests were answered. */
    async passed(count: number): Promise<void> {
      for (const goal = answered + count; answered < goal; ) await setTimeout(10)
    },
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(workers)
    },
  }
}

onPostgresOnly('a rolling upgrade', () => {
  it('refuses no request, and contracts after the last older instance has stopped', async () => {
    const place = await newPlace('postgres', 'prepared')
    const older = await startFactotum(place.environment)
    const load = startLoad(older)
    await load.passed(30)
    const newer = await startInstance({ place, deps: { steps: next } })
    await load.passed(40)
    expect(await migrate(newer.database, undefined, next)).toEqual([])
    expect((await stateOf(place, next)).pending).toEqual(['9001-contract-task-creation'])

    // A further older instance can still start, and sees the tasks of the newer one.
    const { body } = await newer.post('/api/tasks', { title: 'From the newer version' })
    const second = await startFactotum(place.environment)
    const read = await fetch(`${second.url}/api/tasks/${body.id}`)
    expect(await read.json()).toMatchObject({ title: 'From the newer version' })
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)

    await load.stop()
    expect(load.failures).toEqual([])
    expect(load.titles.length).toBeGreaterThan(10)
    older.child.kill('SIGTERM')
    expect(await older.ended).toBe(0)
    await newer.app.jobs.start()
    await inTransaction(newer.database.db, (tx) => newer.app.jobs.enqueue(tx, 'housekeeping', {}))
    await expect.poll(async () => (await stateOf(place, next)).pending).toEqual([])

    const refused = runFactotum(['serve'], { PORT: '0', ...place.environment })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(
      /newer version of Factotum \(9001-contract-task-creation\): upgrade this/,
    )
    await newer.close()
  })

  it('does not skip a version: a contract that waits holds back later migrations', async () => {
    const place = await newPlace('postgres', 'prepared')
    const older = await startInstance({ place })
    const later = addStep(next, '9002-later', 'create table later_things (id bigint primary key)')
    await expect(inDatabase(place, (database) => migrate(database, undefined, later))).rejects.toThrow(
      /before 9001-contract-task-creation still runs\. Stop it/,
    )
    expect((await stateOf(place, later)).at).toBe(latestMigration)
    await older.close()
    await inDatabase(place, (database) => migrate(database, undefined, later))
    expect((await stateOf(place, later)).at).toBe('9002-later')
  })
})

describe('an upgrade of SQLite under load', () => {
  it('loses no acknowledged write, and its copy is complete', async () => {
    const place = await newPlace('sqlite', 'prepared')
    const older = await startFactotum(place.environment)
    const target = { url: older.url }
    const load = startLoad(target)
    await load.passed(40)
    const before = [...load.titles]
    const copy = await makeCopy(place.dataDir, { version: '9.0.0', now: new Date(), kept: 3 })
    older.child.kill('SIGTERM')
    expect(await older.ended).toBe(0)
    const newer = await startInstance({ place, deps: { steps: next } })
    target.url = newer.url
    await load.passed(40)
    await load.stop()
    const titlesIn = (file: string): string[] => {
      const handle = new SQLite(file, { readonly: true })
      expect(handle.pragma('integrity_check', { simple: true })).toBe('ok')
      const rows = handle.prepare('select title from tasks /* all accounts */').all() as { title: string }[]
      handle.close()
      return rows.map(({ title }) => title)
    }
    expect(titlesIn(copy)).toEqual(expect.arrayContaining(before))
    expect(titlesIn(sqliteFile(place.dataDir))).toEqual(expect.arrayContaining(load.titles))
    expect((await readMigrationState(newer.database, Object.keys(next))).pending).toEqual([])
    await newer.close()
  })
})

const copiesIn = ({ dataDir }: DataPlace, kind = 'before') =>
  listCopies(dataDir).filter((copy) => copy.kind === kind)

describe('the copy before an upgrade', () => {
  it('is made once, although the process is killed during the copy and during the migration', async () => {
    const place = await oldPlace()
    await inDatabase(place, ({ db }) =>
      sql`insert into activity ("userId", at, action, ip, "userAgent", details)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
        select 1, '2026-01-01T00:00:00.000Z', 'x', '::1', printf('%200d', i), '{}' from n`.execute(db),
    )
    const has = (part: string) => readdirSync(place.dataDir).some((name) => name.endsWith(part))
    for (const reached of [() => has('.partial'), () => copiesIn(place).length > 0]) {
      const { child, ended } = beginCommand(['migrate'], place.environment)
      while (!reached()) await setTimeout(1)
      child.kill('SIGKILL')
      expect((await ended).code).toBe('SIGKILL')
      expect((await stateOf(place)).at).toBe(releases['0.2.0'])
    }
    const { code, stderr } = await command(['migrate'], place.environment)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('Migrating the database from 0078-file-imports'),
    ])
    expect(has('.partial')).toBe(false)
    expect(copiesIn(place)).toHaveLength(1)
    const [copy] = copiesIn(place)
    const unpacked = await newPlace('sqlite')
    copyFileSync(copy?.file as string, sqliteFile(unpacked.dataDir))
    expect((await stateOf(unpacked)).at).toBe(releases['0.2.0'])
    // Another start has nothing to migrate.
    await command(['migrate'], place.environment)
    expect(copiesIn(place)).toHaveLength(1)
  })

  it('needs disk space, unless UPGRADE_COPIES is 0', async () => {
    const place = await oldPlace()
    const { bavail, bsize } = statfsSync(place.dataDir)
    // Only the length grows; no bytes are written.
    truncateSync(sqliteFile(place.dataDir), bavail * bsize)
    const { code, stderr } = await command(['migrate'], place.environment)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Not enough disk space .* UPGRADE_COPIES=0/)])
    expect((await stateOf(place)).at).toBe(releases['0.2.0'])
    const skipped = await command(['migrate'], { ...place.environment, UPGRADE_COPIES: '0' })
    expect([skipped.code, skipped.stderr]).toEqual([0, expect.stringContaining('without a copy')])
    expect(copiesIn(place)).toEqual([])
  })

  it('is not made of a database that is older than 0.2.0, which is refused', async () => {
    const place = await newPlace('sqlite', 'prepared')
    await inDatabase(place, ({ db }) =>
      sql`delete from migrations where name > '0037-email-rows'`.execute(db),
    )
    const refused = await command(['migrate'], place.environment)
    const advice = expect.stringContaining('Install version 0.2.0 and start it once.')
    expect([refused.code, refused.stderr]).toEqual([1, advice])
    const { code, stdout } = await command(['doctor'], place.environment)
    expect([code, stdout]).toEqual([1, advice])
    expect(copiesIn(place)).toEqual([])
  })

  it('expires by number and by age', async () => {
    const place = await newPlace('sqlite')
    const now = new Date('2026-11-18T12:00:00Z')
    const add = (kind: 'before' | 'after', days: number) => {
      const file = nameCopy(place.dataDir, kind, '0.3.0', new Date(now.getTime() - days * 86_400_000))
      writeFileSync(file, '')
      utimesSync(file, now, now)
      return file
    }
    const kept = [add('before', 1), add('before', 20), add('after', 28)]
    const expired = [add('before', 21), add('before', 40), add('after', 30)]
    writeFileSync(join(place.dataDir, 'factotum.db-wal'), '')
    expireCopies(place.dataDir, 2, now)
    expect(kept.map(existsSync)).toEqual([true, true, true])
    expect(expired.map(existsSync)).toEqual([false, false, false])
    expect(existsSync(join(place.dataDir, 'factotum.db-wal'))).toBe(true)
  })
})

describe('factotum rollback', () => {
  it('goes back to the copy, says how many changes are lost, and keeps the newer file', async () => {
    const place = await oldPlace()
    const answers = await loadFixture('0.2.0', await newPlace('sqlite'))
    await command(['migrate'], place.environment)
    const instance = await startInstance({ place, environment: { ACCESS: 'open' } })
    for (const title of ['One', 'Two', 'Three']) await instance.post('/api/tasks', { title })
    const running = await command(['rollback', '--yes'], place.environment)
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('Stop the server')])
    // The email with two attachments.
    expect((await instance.call('DELETE', '/api/emails/11')).status).toBe(204)
    await instance.app.close()

    const unsure = await command(['rollback'], place.environment)
    expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringContaining('Add --yes')])
    const declined = await command(['rollback'], place.environment, { input: 'no\n', isTerminal: true })
    expect([declined.code, declined.stderr]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    expect((await stateOf(place)).at).toBe(latestMigration)

    const { code, stdout } = await command(['rollback'], place.environment, {
      input: 'yes\n',
      isTerminal: true,
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/before the upgrade to \d+\.\d+\.\d+\S* \(schema 0078-file-imports, now /)
    expect(stdout).toContain('6 changes since the upgrade will be lost.')
    expect(stdout).toMatch(/emails: 1 deleted\n {2}tasks: 3 added, 2 changed\n/)
    expect(stdout).toMatch(/The bytes of [23] attachments were deleted/)
    expect(stdout).toContain('Install version 0.2.0 now.')
    expect((await stateOf(place)).at).toBe(releases['0.2.0'])
    expect(copiesIn(place)).toEqual([])
    const [newer] = copiesIn(place, 'after')
    const handle = new SQLite(newer?.file as string, { readonly: true })
    const titles = handle
      .prepare('select title from tasks /* all accounts */')
      .all()
      .map((row) => (row as { title: string }).title)
    handle.close()
    expect(titles).toEqual(expect.arrayContaining(['One', 'Two', 'Three']))

    // The next upgrade starts from the copy.
    expect((await command(['migrate'], place.environment)).code).toBe(0)
    const again = await startInstance({ place })
    const { '/api/tasks?limit=200': tasks } = await readAnswers(again.url)
    await again.close()
    expect(tasks).toEqual(answers['/api/tasks?limit=200'])
    const none = await command(['rollback', '--yes'], (await newPlace('sqlite', 'prepared')).environment)
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('has no copy from before')])
  })

  it('explains the way back on PostgreSQL', async () => {
    const environment = { DATABASE_URL: 'postgres://x@127.0.0.1:9/x', SECRET_KEY: 'k'.repeat(40) }
    const { code, stderr } = await command(['rollback'], environment)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Create an empty database')])
  })
})
