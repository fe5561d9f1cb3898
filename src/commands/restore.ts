import { existsSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { buildApp } from '../app.ts'
import { readCatalogue } from '../database/catalogue.ts'
import type { Database, Engine } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { makeDirectory } from '../database/directory.ts'
import { dropEverything } from '../database/emptying.ts'
import { beginEpoch } from '../database/epoch.ts'
import { readMigrationState } from '../database/migrate.ts'
import { inTransaction } from '../database/transaction.ts'
import { createLog } from '../platform/log.ts'
import { readArguments } from './arguments.ts'
import { FILES } from './backup/manifest.ts'
import { type Command, type CommandContext, CommandError } from './command.ts'
import { messageOf } from './failure.ts'
import { openOrExplain } from './instance.ts'
import { type ArchiveReader, openArchive } from './restore/archive.ts'
import { type BlobFile, blobFiles, fillBlobs } from './restore/blobs.ts'
import { type Contents, readContents } from './restore/contents.ts'
import { fillDatabase } from './restore/filling.ts'
import { bringBackJobs, forgetJobs } from './restore/jobs.ts'
import { type ChosenKey, chooseKey } from './restore/key.ts'
import { createStaging, finishRestores, type Staging } from './restore/staging.ts'

const usage = 'restore FILE [--passphrase-file P] [--replace]'

/** Refuses to lose anyone's account unless told to. */
const requireEmpty = async (db: Db, engine: Engine, replace: boolean): Promise<void> => {
  const { at, unknown } = await readMigrationState({ db, engine })
  if (unknown.length > 0)
    throw new CommandError(
      `The database was migrated by a newer version of Factotum (${at}): upgrade this one.`,
    )
  if (replace || !(await readCatalogue(db, engine)).has('users')) return
  // Nobody may register between this look and the end.
  if (engine === 'postgres' && db.isTransaction)
    await sql`lock table users in access exclusive mode`.execute(db)
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst())
    throw new CommandError(
      'This instance has accounts. Add --replace to give up all it holds for what the backup holds.',
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
  const inTheWay = [...tops].find((name) => existsSync(join(dataDir, name)))
  if (inTheWay !== undefined && !replace)
    throw new CommandError(`${join(dataDir, inTheWay)} is in the way. Move it, or add --replace.`)
  const needed = files.reduce((sum, { entry }) => sum + archive.sizeOf(entry), 0)
  const { bavail, bsize } = statfsSync(dataDir)
  if (needed > bavail * bsize) throw new CommandError(`There is no room for its files in ${dataDir}.`)
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

/** The order, and what a crash leaves after each step, stands in restore/staging.ts. */
const putInPlace = async (
  context: CommandContext,
  given: { archive: ArchiveReader; contents: Contents; key: ChosenKey; replace: boolean },
  database: Database,
): Promise<void> => {
  const { config, clock, random, note, onStop, exit } = context
  const { archive, contents, key, replace } = given
  const { engine } = database
  const world = { ...context.worldOf(database, key.secretKey), log: createLog('silent') }
  const app = await buildApp(config, world)
  const staging = createStaging(config.dataDir, random)
  // From here on nobody but the database knows whether the restore has happened.
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
      await forgetJobs(tx, engine)
      await fillDatabase(tx, engine, contents, note, config.timezone)
      await fillBlobs(tx, engine, archive, contents)
      note(`${'blobs'.padEnd(26)}${contents.blobs.length}`)
      await app.rooms.emails.reindex(tx)
      await beginEpoch(tx, engine, clock.now())
      await bringBackJobs(tx, app.jobs, contents, note)
      const { since } = await readMigrationState({ db: tx, engine })
      await staging.mark(since as string)
      isDecided = true
    })
    await finishRestores(config.dataDir, database)
  } catch (error) {
    if (isDecided)
      throw new Error(
        'The restore was cut off at its very end; the next command finishes it, if it has happened.',
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
  summary: 'Bring a backup back, also into the other kind of database',
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
      // Refused before anything is made; chosen once opening has finished what an earlier restore may have left.
      chooseKey(archive, file, contents, config)
      const database = await openOrExplain(context)
      try {
        const key = chooseKey(archive, file, contents, config)
        await requireEmpty(database.db, database.engine, values.replace)
        makeDirectory(config.dataDir)
        requirePlace(archive, blobFiles(contents, database.engine), config.dataDir, values.replace)
        await putInPlace(context, { archive, contents, key, replace: values.replace }, database)
      } finally {
        await database.close()
      }
      const { madeAt, madeBy, engine } = contents.manifest
      print(`Restored ${file}, made ${madeAt} by version ${madeBy} on ${engine}.`)
      print('A service that runs on this data must be started again.')
    } finally {
      archive.close()
    }
    return 0
  },
}
