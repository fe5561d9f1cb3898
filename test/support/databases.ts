import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { describe } from 'vitest'
import { type Engine, openDatabase, sqliteFile } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openJobs } from '../../src/platform/jobs/open-jobs.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { isFullRun } from './scale.ts'

const POSTGRES = process.env.TEST_POSTGRES_URL

/** An empty data location for one instance. */
export interface DataPlace {
  engine: Engine
  dataDir: string
  databaseUrl: string | null
  /** The environment of an instance that stores its data here. */
  environment: Record<string, string>
  remove(): Promise<void>
}

const onPostgres = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: POSTGRES })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The name depends on the schema, so another version of the code uses another template. */
const templateName = (): string => {
  const hash = createHash('sha256')
  for (const file of globSync('src/{database,platform/jobs}/**/*.ts').sort()) hash.update(readFileSync(file))
  return `template_${hash.digest('hex').slice(0, 16)}`
}

/**
 * Creates a template database with all tables, including the job queue, once per run. A copy takes a fifth of
 * the time.
 */
const makeTemplate = async (): Promise<string> => {
  const name = templateName()
  const client = new pg.Client({ connectionString: POSTGRES })
  await client.connect()
  try {
    await client.query("select pg_advisory_lock(hashtext('factotum template'))")
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      await client.query(`create database ${name}_draft`)
      const url = new URL(POSTGRES as string)
      url.pathname = `/${name}_draft`
      const database = await openDatabase({ dataDir: '', databaseUrl: url.href, onIdleError: () => {} })
      await migrate(database)
      const deps = { database, clock: systemClock, random: systemRandom, log: createLog('silent') }
      await (await openJobs(deps)).drain(0)
      await database.close()
      await client.query(`alter database ${name}_draft rename to ${name}`)
    }
  } finally {
    await client.end()
  }
  return name
}

const TEMPLATES = resolve('node_modules/.cache/factotum-test')

/** The same as a file. It is renamed into place when complete, so test files may look for it concurrently. */
const makeTemplateFile = async (): Promise<string> => {
  const file = join(TEMPLATES, `${templateName()}.db`)
  if (existsSync(file)) return file
  mkdirSync(TEMPLATES, { recursive: true })
  const dataDir = mkdtempSync(join(TEMPLATES, 'draft-'))
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database)
  await database.close()
  renameSync(sqliteFile(dataDir), file)
  rmSync(dataDir, { recursive: true })
  return file
}
const templates: Partial<Record<Engine, Promise<string>>> = {}

/** `prepared` already contains our tables, which saves time; otherwise it is empty. */
export const makeDataPlace = async (engine: Engine, prepared?: 'prepared'): Promise<DataPlace> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-test-'))
  const secret = { SECRET_KEY: randomBytes(32).toString('hex') }
  if (engine === 'sqlite') {
    if (prepared) {
      templates.sqlite ??= makeTemplateFile()
      copyFileSync(await templates.sqlite, sqliteFile(dataDir))
    }
    return {
      engine,
      dataDir,
      databaseUrl: null,
      environment: { DATA_DIR: dataDir, ...secret },
      remove: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  if (prepared) templates.postgres ??= makeTemplate()
  await onPostgres(
    `create database ${name}${prepared ? ` template ${await templates.postgres} strategy file_copy` : ''}`,
  )
  const url = new URL(POSTGRES as string)
  url.pathname = `/${name}`
  return {
    engine,
    dataDir,
    databaseUrl: url.href,
    environment: { DATA_DIR: dataDir, DATABASE_URL: url.href, ...secret },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
      await onPostgres(`drop database if exists ${name} with (force)`)
    },
  }
}

/** Runs the tests on each database: SQLite always, PostgreSQL if the test run provides it. */
export const onEveryDatabase = (title: string, tests: (engine: Engine) => void): void => {
  describe(`${title} (sqlite)`, () => tests('sqlite'))
  describe.skipIf(POSTGRES === undefined)(`${title} (postgres)`, () => tests('postgres'))
}

/**
 * For long tests that hardly depend on the database: the short form of the suite runs them on one, the full form
 * on each.
 */
export const onOneDatabase = (short: Engine, title: string, tests: (engine: Engine) => void): void => {
  const engine = POSTGRES === undefined ? 'sqlite' : short
  if (isFullRun) onEveryDatabase(title, tests)
  else describe(`${title} (${engine})`, () => tests(engine))
}

/** Inside `onEveryDatabase`: the short form runs these tests on SQLite only, as they hardly depend on the database. */
export const onSqliteUnlessFull = (engine: Engine, tests: () => void): void => {
  if (engine === 'sqlite' || isFullRun) tests()
}

export const onPostgresOnly = (title: string, tests: () => void): void => {
  describe.skipIf(POSTGRES === undefined)(`${title} (postgres)`, tests)
}
