import { existsSync, statfsSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { sql } from 'kysely'
import { buildApp } from '../app.ts'
import { ALL_ACCOUNTS } from '../database/all-accounts.ts'
import { beginEpoch } from '../database/change-order.ts'
import type { Database, Engine } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { makeDirectory } from '../database/directory.ts'
import { fillTable } from '../database/fill-table.ts'
import {
  dropEverything,
  explainMismatch,
  migrate,
  migrationTables,
  readMigrationState,
} from '../database/migrate.ts'
import {
  type PlainRow,
  raiseSequence,
  readCatalogue,
  type TableShape,
  withReferencesCheckedLast,
} from '../database/schema-info.ts'
import { type Tables, tableKeys } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { blobPath, createTableBlobs } from '../platform/blobs/storage.ts'
import { AppError } from '../platform/errors.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { createLog } from '../platform/log.ts'
import { BLOBS, FILES } from './backup.ts'
import {
  type ArchiveReader,
  type ChosenKey,
  type Contents,
  chooseKey,
  openArchive,
  readContents,
} from './backup-archive.ts'
import { moveRestoredBlobs } from './blobs.ts'
import { type Command, type CommandContext, CommandError, messageOf, readArguments } from './command.ts'
import { openOrExplain } from './instance.ts'
import { createStaging, finishRestores, type Staging } from './restore-staging.ts'

/** Yields each row if it has exactly the columns of the table. */
async function* fitting(
  table: string,
  { columns }: TableShape,
  rows: AsyncIterable<PlainRow>,
): AsyncGenerator<PlainRow> {
  for await (const row of rows) {
    const fits =
      Object.keys(row).length === columns.length && columns.every((name) => Object.hasOwn(row, name))
    if (!fits) throw new Error(`its rows of ${table} have the wrong columns`)
    yield row
  }
}

/** Creates the schema of the backup in an empty database. Returns the tables to fill. */
const makeTables = async (tx: Db, engine: Engine, migration: string): Promise<Map<string, TableShape>> => {
  // PostgreSQL may contain tables of other applications.
  const before = await readCatalogue(tx)
  await migrate({ db: tx, engine }, migration)
  const isCopied = (table: string): boolean =>
    !before.has(table) && !migrationTables.includes(table) && tableKeys[table as keyof Tables] !== null
  return new Map([...(await readCatalogue(tx))].filter(([table]) => isCopied(table)))
}

/** Fills an empty database with the rows of the backup, then migrates it to the current schema. */
const fillDatabase = async (
  tx: Db,
  engine: Engine,
  contents: Contents,
  note: (text: string) => void,
): Promise<void> => {
  const { manifest, tables, sequences } = contents
  const shapes = await makeTables(tx, engine, manifest.migration)
  const missing = [...shapes.keys()].find((table) => !tables.includes(table))
  if (missing !== undefined) throw new Error(`it lacks the rows of ${missing}`)
  await withReferencesCheckedLast(tx, async () => {
    for (const table of tables) {
      const shape = shapes.get(table)
      if (!shape) throw new Error(`it has rows of ${table}, which is not a known table`)
      // Migrations may have added rows, such as the local account.
      await sql`delete from ${sql.table(table)} ${ALL_ACCOUNTS}`.execute(tx)
      const count = await fillTable(tx, table, fitting(table, shape, contents.rows(table)))
      await raiseSequence(tx, table, shape, sequences[table] ?? 0)
      note(`${table.padEnd(26)}${count} ${count === 1 ? 'row' : 'rows'}`)
    }
  })
  await migrate({ db: tx, engine })
}

interface BlobFile {
  /** Relative to DATA_DIR. */
  path: string
  entry: string
}

/** Returns the blobs as files for SQLite; PostgreSQL stores them in a table. */
export const blobFiles = ({ blobs }: Contents, engine: Engine): BlobFile[] =>
  engine === 'postgres'
    ? []
    : blobs.map((hash) => ({ path: posix.join('blobs', blobPath(hash)), entry: `${BLOBS}${hash}` }))

/** Writes the blobs to PostgreSQL's table. Their rows must exist. */
const fillBlobs = async (
  tx: Db,
  engine: Engine,
  archive: ArchiveReader,
  { blobs }: Contents,
): Promise<void> => {
  if (engine === 'sqlite') return
  const place = createTableBlobs()
  for (const hash of blobs) await (await place.stage(archive.read(`${BLOBS}${hash}`))).place(tx)
}

/** Deletes all jobs. Those of SQLite were dropped with its tables. */
const deleteJobs = async (tx: Db, engine: Engine): Promise<void> => {
  if (engine === 'postgres') await sql`delete from pgboss.job`.execute(tx)
}

/**
 * Enqueues unfinished jobs; parked ones get another attempt. Jobs whose name or payload this version does not
 * accept are skipped and reported.
 */
const restoreJobs = async (
  tx: Db,
  jobs: Jobs,
  contents: Contents,
  note: (text: string) => void,
): Promise<void> => {
  let count = 0
  let parked = 0
  // If two jobs have the same key, one is parked and the other waits. The waiting one is kept, so it comes
  // first.
  for (const isTurnOfParked of [false, true])
    for await (const job of contents.jobs()) {
      if ((job.state === 'parked') !== isTurnOfParked) continue
      const options = { runAt: new Date(job.runAt), ...(job.key !== null && { key: job.key }) }
      try {
        if ((await jobs.enqueue(tx, job.name, job.payload, options)) === null) continue
        count++
        if (isTurnOfParked) parked++
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        note(`skipped: a job ${job.name}. ${error.message}`)
      }
    }
  note(
    `${'jobs'.padEnd(18)}${count}${parked > 0 ? `, of which ${parked} had failed and will be retried` : ''}`,
  )
}

const usage = 'restore FILE [--passphrase-file P] [--replace]'

/** Throws if accounts exist, unless `replace` is set. */
const requireEmpty = async (db: Db, engine: Engine, replace: boolean): Promise<void> => {
  const state = await readMigrationState({ db })
  if (state.unknown.length > 0)
    throw new CommandError(
      `The database was migrated by a newer version of Factotum (${state.at}): upgrade this one.`,
    )
  const mismatch = explainMismatch(state)
  if (mismatch !== undefined) throw new CommandError(mismatch)
  if (replace || !(await readCatalogue(db)).has('users')) return
  // Prevents a registration between this check and the commit.
  if (engine === 'postgres' && db.isTransaction)
    await sql`lock table users in access exclusive mode`.execute(db)
  if (await db.selectFrom('users').select('id').where('role', '<>', 'local').limit(1).executeTakeFirst())
    throw new CommandError(
      'This instance has accounts. Add --replace to replace all its data with the backup.',
    )
}

const filesOf = (archive: ArchiveReader): string[] =>
  archive.names.filter((name) => name.startsWith(FILES)).map((name) => name.slice(FILES.length))

export const requirePlace = (
  archive: ArchiveReader,
  blobs: readonly BlobFile[],
  dataDir: string,
  replace: boolean,
): void => {
  const files = [...filesOf(archive).map((path) => ({ path, entry: `${FILES}${path}` })), ...blobs]
  const tops = new Set(files.map(({ path }) => path.split('/', 1)[0] as string))
  const existing = [...tops].find((name) => existsSync(join(dataDir, name)))
  if (existing !== undefined && !replace)
    throw new CommandError(`${join(dataDir, existing)} already exists. Move it, or add --replace.`)
  const needed = files.reduce((sum, { entry }) => sum + archive.sizeOf(entry), 0)
  const { bavail, bsize } = statfsSync(dataDir)
  if (needed > bavail * bsize) throw new CommandError(`Not enough disk space for its files in ${dataDir}.`)
}

const stage = async (
  staging: Staging,
  archive: ArchiveReader,
  blobs: readonly BlobFile[],
  { toWrite }: ChosenKey,
): Promise<number> => {
  if (toWrite !== null) await staging.addSecret(toWrite)
  const files = filesOf(archive)
  for (const path of files) await staging.addFile(path, archive.read(`${FILES}${path}`))
  for (const { path, entry } of blobs) await staging.addFile(path, archive.read(entry))
  return files.length
}

/** restore-staging.ts explains the order, and the state that a crash leaves after each step. */
export const runRestore = async (
  context: CommandContext,
  given: { archive: ArchiveReader; contents: Contents; key: ChosenKey; replace: boolean },
  database: Database,
): Promise<void> => {
  const { config, clock, random, note, onStop, exit } = context
  const { archive, contents, key, replace } = given
  const { engine } = database
  const world = { ...context.createDeps(database, key.secretKey), log: createLog('silent') }
  const app = await buildApp(config, world)
  const staging = createStaging(config.dataDir, random)
  // From here on, only the database knows whether the restore was committed.
  let isDecided = false
  onStop(() => {
    if (isDecided) return
    staging.remove()
    exit(1)
  })
  try {
    note(`${'files'.padEnd(26)}${await stage(staging, archive, blobFiles(contents, engine), key)}`)
    await inTransaction(database.db, async (tx) => {
      await requireEmpty(tx, engine, replace)
      await dropEverything(tx, engine)
      await deleteJobs(tx, engine)
      await fillDatabase(tx, engine, contents, note)
      await fillBlobs(tx, engine, archive, contents)
      note(`${'blobs'.padEnd(26)}${contents.blobs.length}`)
      await app.features.emails.reindex(tx)
      await beginEpoch(tx, clock.now())
      await restoreJobs(tx, app.jobs, contents, note)
      const { since } = await readMigrationState({ db: tx })
      await staging.mark(since as string)
      isDecided = true
    })
    await finishRestores(config.dataDir, database)
  } catch (error) {
    if (isDecided)
      throw new Error(
        'The connection broke during the commit. If the restore was committed, the next command completes it.',
        {
          cause: error,
        },
      )
    staging.remove()
    throw error instanceof CommandError ? error : archive.damaged(messageOf(error))
  } finally {
    await app.close()
  }
}

export const restore: Command = {
  usage,
  summary: 'Restore a backup, also into the other database engine',
  async run(context) {
    const { config, args, print } = context
    const options = {
      replace: { type: 'boolean', default: false },
      'passphrase-file': { type: 'string' },
    } as const
    const { values, words } = readArguments(args, { usage, options, words: ['FILE'] })
    const file = resolve(words[0] as string)
    const archive = await openArchive(context, file, values['passphrase-file'])
    try {
      const contents = await readContents(archive)
      // Checked before anything is created. The key is chosen again after the database is open, because
      // opening it may complete an earlier restore.
      chooseKey(archive, file, contents, config)
      const database = await openOrExplain(context)
      let replaced: string | null = null
      try {
        replaced = (await readMigrationState(database)).since
        const key = chooseKey(archive, file, contents, config)
        await requireEmpty(database.db, database.engine, values.replace)
        makeDirectory(config.dataDir)
        requirePlace(archive, blobFiles(contents, database.engine), config.dataDir, values.replace)
        await runRestore(context, { archive, contents, key, replace: values.replace }, database)
      } finally {
        await database.close()
      }
      const { madeAt, madeBy, engine } = contents.manifest
      print(`Restored ${file}, made ${madeAt} by version ${madeBy} on ${engine}.`)
      await moveRestoredBlobs(context, replaced)
      print('Restart any server that runs on this data.')
    } finally {
      archive.close()
    }
    return 0
  },
}
