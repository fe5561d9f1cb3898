import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe } from 'vitest'
import type { Engine } from '../../src/database/database.ts'

const POSTGRES = process.env.TEST_POSTGRES_URL

/** A place for one instance's data, empty and its own. */
export interface DataPlace {
  engine: Engine
  dataDir: string
  databaseUrl: string | null
  /** What an instance that keeps its data here has to be told. */
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

export const makeDataPlace = async (engine: Engine): Promise<DataPlace> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-test-'))
  const secret = { SECRET_KEY: randomBytes(32).toString('hex') }
  if (engine === 'sqlite')
    return {
      engine,
      dataDir,
      databaseUrl: null,
      environment: { DATA_DIR: dataDir, ...secret },
      remove: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  const name = `test_${randomBytes(8).toString('hex')}`
  await onPostgres(`create database ${name}`)
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

/** Runs the tests on each database there is: the embedded one always, PostgreSQL where the test run provides it. */
export const onEveryDatabase = (title: string, tests: (engine: Engine) => void): void => {
  describe(`${title} (sqlite)`, () => tests('sqlite'))
  describe.skipIf(POSTGRES === undefined)(`${title} (postgres)`, () => tests('postgres'))
}

export const onPostgresOnly = (title: string, tests: () => void): void => {
  describe.skipIf(POSTGRES === undefined)(`${title} (postgres)`, tests)
}
