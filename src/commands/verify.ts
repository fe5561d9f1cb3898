import { createReadStream, existsSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { makeDirectory } from '../database/directory.ts'
import { latestMigration } from '../database/migrate.ts'
import { type Tables, tableKeys } from '../database/tables.ts'
import { createActivityLog } from '../features/auth/activity.ts'
import { blobDirectory, blobPath } from '../platform/blobs/storage.ts'
import { createSealer, deriveKeys } from '../platform/secrets/seal.ts'
import { FILES, isPlainFile, SCRATCH, usedBlobs } from './backup.ts'
import {
  type ArchiveReader,
  type ChosenKey,
  type Contents,
  chooseKey,
  hashOf,
  openArchive,
  readContents,
} from './backup-archive.ts'
import { createTableChecksum, isEqualTable, type Summary, summarizeTable } from './backup-summary.ts'
import { type Command, type CommandContext, CommandError, readArguments } from './command.ts'
import { blobFiles, requirePlace, runRestore } from './restore.ts'

/*
 * Proves that a backup can be restored. Restores it into a SQLite database in a scratch directory. Compares the
 * copy with the summary that the backup was written with. Nothing of the instance changes.
 */

/** The contents of a proven backup. */
export interface Proof {
  madeAt: string
  tables: number
  rows: number
  blobs: number
  files: number
  activityEntries: number
}

/** The backup is readable, but differs from what it should contain. */
const differs = (reason: string): Error => new Error(`it is not complete: ${reason}`)

/** Compares the entries of the archive with the summary. */
const checkArchive = async (archive: ArchiveReader, contents: Contents, summary: Summary): Promise<void> => {
  const [missing] = summary.missingBlobs
  if (missing !== undefined)
    throw differs(
      `${summary.missingBlobs.length} attachments or messages had no content when it was made, the first is ${missing}`,
    )
  for (const [table, expected] of Object.entries(summary.tables)) {
    if (!contents.tables.includes(table)) throw differs(`it lacks the rows of ${table}`)
    const checksum = createTableChecksum()
    for await (const row of contents.rows(table)) checksum.add(row)
    const found = checksum.finish()
    if (!isEqualTable(found, expected))
      throw differs(`${table} has ${found.rows} rows, and its checksum differs from that of ${expected.rows}`)
  }
  if (contents.blobs.length !== summary.blobs)
    throw differs(`it has ${contents.blobs.length} blobs instead of ${summary.blobs}`)
  const files = archive.names.filter((name) => name.startsWith(FILES)).length
  if (files !== summary.files) throw differs(`it has ${files} files instead of ${summary.files}`)
  const jobs = (await Array.fromAsync(contents.jobs(), () => 1)).length
  if (jobs !== summary.jobs) throw differs(`it has ${jobs} jobs instead of ${summary.jobs}`)
}

/** Compares the restored tables. A newer schema may have changed the rows of an older backup. */
const checkTables = async ({ db }: Database, { manifest }: Contents, summary: Summary): Promise<void> => {
  if (manifest.migration !== latestMigration) return
  for (const [table, expected] of Object.entries(summary.tables)) {
    const key = tableKeys[table as keyof Tables]
    if (!key) throw differs(`${table} is not a known table`)
    const found = await summarizeTable(db, table, key)
    if (!isEqualTable(found, expected))
      throw differs(
        `the restored ${table} has ${found.rows} rows, and its checksum differs from that of ${expected.rows}`,
      )
  }
}

/** Reads every restored blob, and compares it with its hash. */
const checkBlobs = async ({ db }: Database, dataDir: string, summary: Summary): Promise<void> => {
  for await (const { hash } of usedBlobs(db)) {
    const file = join(blobDirectory(dataDir), blobPath(hash))
    if (!existsSync(file)) {
      if (summary.deletedBlobs.includes(hash)) continue
      throw differs(`the restored copy lacks the blob ${hash}`)
    }
    if ((await hashOf(createReadStream(file))) !== hash)
      throw differs(`the restored bytes of the blob ${hash} do not match their hash`)
  }
}

const checkFiles = async (dataDir: string, summary: Summary): Promise<void> => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => {
    const path = join(entry.parentPath, entry.name).slice(dataDir.length + 1)
    return entry.isFile() && isPlainFile(path)
  })
  if (files.length !== summary.files)
    throw differs(`the restored copy has ${files.length} files instead of ${summary.files}`)
}

/** Verifies the chain of the restored activity log. Returns the number of its entries. */
const checkActivity = async (
  { db }: Database,
  { config, random }: CommandContext,
  { secretKey }: ChosenKey,
): Promise<number> => {
  const previous = config.secretKeyPrevious === null ? null : deriveKeys(config.secretKeyPrevious)
  const sealer = createSealer(deriveKeys(secretKey), previous, random)
  const { entries, fault } = await createActivityLog({ db, sealer }).examine()
  if (fault !== null) throw new Error(`its activity log is not consistent: ${fault}`)
  return entries
}

const openScratch = (dataDir: string): Promise<Database> =>
  openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })

/** Restores the archive into `scratch`, and compares the copy. */
const restoreAndCompare = async (
  context: CommandContext,
  { archive, contents, key }: { archive: ArchiveReader; contents: Contents; key: ChosenKey },
  scratch: string,
): Promise<Proof> => {
  const { summary, manifest } = contents
  if (summary === null)
    throw new Error('it has no summary, because an older version of Factotum made it; make a new one')
  await checkArchive(archive, contents, summary)
  const config: Config = {
    ...context.config,
    dataDir: scratch as Config['dataDir'],
    databaseUrl: null,
    // The copy must not change the bucket.
    blobs: null,
  }
  requirePlace(archive, blobFiles(contents, 'sqlite'), scratch, false)
  const target = { ...context, config, note: () => {}, onStop: () => {} }
  await runRestore(target, { archive, contents, key, replace: true }, await openScratch(scratch))
  const database = await openScratch(scratch)
  try {
    await checkTables(database, contents, summary)
    await checkBlobs(database, scratch, summary)
    await checkFiles(scratch, summary)
    const tables = Object.values(summary.tables)
    return {
      madeAt: manifest.madeAt,
      tables: tables.length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      blobs: summary.blobs,
      files: summary.files,
      activityEntries: await checkActivity(database, context, key),
    }
  } finally {
    await database.close()
  }
}

const MAX_SCRATCH_AGE_MS = 86_400_000

/** Removes the leftovers of verifications that were killed. */
const removeOldScratch = async (dataDir: string, now: Date): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(SCRATCH)) continue
    const path = join(dataDir, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < now.getTime() - MAX_SCRATCH_AGE_MS)
      await rm(path, { recursive: true, force: true })
  }
}

const usage = 'verify FILE [--passphrase-file P] [--json]'

export const verify: Command = {
  usage,
  summary: 'Prove that a backup can be restored, without changing anything',
  async run(context) {
    const { config, args, print, onStop, exit, clock } = context
    const options = {
      'passphrase-file': { type: 'string' },
      json: { type: 'boolean', default: false },
    } as const
    const { values, words } = readArguments(args, { usage, options, words: ['FILE'] })
    const file = resolve(words[0] as string)
    makeDirectory(config.dataDir)
    await removeOldScratch(config.dataDir, clock.now())
    const scratch = await mkdtemp(join(config.dataDir, SCRATCH))
    const clear = (): void => rmSync(scratch, { recursive: true, force: true })
    onStop(() => {
      clear()
      exit(1)
    })
    try {
      const archive = await openArchive(context, file, values['passphrase-file'])
      try {
        const contents = await readContents(archive)
        const key = chooseKey(archive, file, contents, config)
        const proof = await restoreAndCompare(context, { archive, contents, key }, scratch).catch((error) => {
          throw error instanceof CommandError ? error : archive.damaged((error as Error).message)
        })
        const { rows, tables, blobs, files, activityEntries } = proof
        print(
          values.json
            ? JSON.stringify(proof)
            : `${file} can be restored: ${rows} rows in ${tables} tables, ${blobs} blobs, ${files} files, ${activityEntries} activity entries.`,
        )
      } finally {
        archive.close()
      }
    } finally {
      clear()
    }
    return 0
  },
}
