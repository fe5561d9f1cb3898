import { existsSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { buildApp } from '../app.ts'
import { beginEpoch } from '../database/change-order.ts'
import type { Database, Engine } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { makeDirectory } from '../database/directory.ts'
import { dropEverything, readMigrationState } from '../database/migrate.ts'
import { readCatalogue } from '../database/schema-info.ts'
import { inTransaction } from '../database/transaction.ts'
import { createLog } from '../platform/log.ts'
import { FILES } from './backup/manifest.ts'
import { type Command, type CommandContext, CommandError, readArguments } from './command.ts'
import { messageOf } from './failure.ts'
import { openOrExplain } from './instance.ts'
import { type ArchiveReader, openArchive } from './restore/archive.ts'
import { type ChosenKey, type Contents, chooseKey, readContents } from './restore/contents.ts'
import {
  type BlobFile,
  blobFiles,
  deleteJobs,
  fillBlobs,
  fillDatabase,
  restoreJobs,
} from './restore/import-tables.ts'
import { createStaging, finishRestores, type Staging } from './restore/staging.ts'

const usage = 'restore FILE [--passphrase-file P] [--replace]'

/** Throws if accounts exist, unless `replace` is set. */
const requireEmpty = async (db: Db, engine: Engine, replace: boolean): Promise<void> => {
  const { at, unknown } = await readMigrationState({ db, engine })
  if (unknown.length > 0)
    throw new CommandError(
      `The database was migrated by a newer version of Factotum (${at}): upgrade this one.`,
    )
  if (replace || !(await readCatalogue(db, engine)).has('users')) return
  // Prevents a registration between this check and the commit.
  if (engine === 'postgres' && db.isTransaction)
    await sql`lock table users in access exclusive mode`.execute(db)
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst())
    throw new CommandError(
      'This instance has accounts. Add --replace to replace all its data with the backup.',
    )
}

const filesOf = (archive: ArchiveReader): string[] =>
  archive.names.filter((name) => name.startsWith(FILES)).map((name) => name.slice(FILES.length))

const requirePlace = (
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

/** restore/staging.ts explains the order, and the state that a crash leaves after each step. */
const runRestore = async (
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
      await fillDatabase(tx, engine, contents, note, config.timezone)
      await fillBlobs(tx, engine, archive, contents)
      note(`${'blobs'.padEnd(26)}${contents.blobs.length}`)
      await app.features.emails.reindex(tx)
      await beginEpoch(tx, engine, clock.now())
      await restoreJobs(tx, app.jobs, contents, note)
      const { since } = await readMigrationState({ db: tx, engine })
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
    const archive = await openArchive(file, { passphraseFile: values['passphrase-file'] })
    try {
      const contents = await readContents(archive)
      // Checked before anything is created. The key is chosen again after the database is open, because
      // opening it may complete an earlier restore.
      chooseKey(archive, file, contents, config)
      const database = await openOrExplain(context)
      try {
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
      print('Restart any server that runs on this data.')
    } finally {
      archive.close()
    }
    return 0
  },
}
