import { copyFileSync, linkSync, renameSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { sqliteFile } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { releases } from '../database/migrate.ts'
import { createSqliteDialect } from '../database/sqlite.ts'
import {
  flushFile,
  hasLog,
  listCopies,
  nameCopy,
  readContents,
  type UpgradeCopy,
  withFile,
} from '../database/upgrade-copies.ts'
import { openBlobPlace } from '../platform/blobs/blobs.ts'
import { type Command, type CommandContext, CommandError, readArguments } from './command.ts'
import { requireInstance } from './instance.ts'

const usage = 'rollback [--yes]'

const POSTGRES =
  'PostgreSQL has no copy of before the upgrade. Stop all instances, install the older version, and restore the backup that you made before the upgrade: factotum restore FILE --replace. See docs/upgrading.md.'

/**
 * Opens the database for this process alone. SQLite leaves the WAL mode only if no other process has the file open. Its
 * log is then part of the file, which can be renamed.
 */
const openAlone = (file: string): SQLite.Database => {
  const handle = new SQLite(file, { timeout: 0 })
  try {
    handle.pragma('locking_mode = exclusive')
    handle.pragma('journal_mode = delete')
    handle.exec('begin exclusive')
    if (hasLog(file)) throw new Error('The write-ahead log still exists.')
    return handle
  } catch (error) {
    handle.close()
    throw new CommandError(
      `Another process uses ${file}. Stop the server, then run the command again. (${(error as Error).message})`,
    )
  }
}

const findCopy = (dataDir: string): UpgradeCopy => {
  const copy = listCopies(dataDir).find(({ kind }) => kind === 'before')
  if (copy === undefined)
    throw new CommandError(
      `There is no copy of before an upgrade in ${dataDir}. Restore a backup instead: factotum restore FILE --replace`,
    )
  return copy
}

/** Counts the attachments of the copy whose bytes were deleted after the upgrade. */
const countMissingBlobs = async (context: CommandContext, copy: UpgradeCopy): Promise<number> => {
  const db: Db = new Kysely({ dialect: createSqliteDialect(copy.file, { readonly: true }) })
  try {
    const { dataDir } = context.config
    const place = openBlobPlace({ ...context, database: { engine: 'sqlite', db }, dataDir })
    let missing = 0
    for (const { hash } of await db.selectFrom('blobs').select('hash').execute())
      if (!(await place.has(db, hash))) missing++
    return missing
  } finally {
    await db.destroy()
  }
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`

/** Describes the copy, and all that is lost. */
const describeRollback = async (
  context: CommandContext,
  copy: UpgradeCopy,
  current: SQLite.Database,
): Promise<string[]> => {
  const now = readContents(current)
  const before = withFile(copy.file, readContents)
  const missing = await countMissingBlobs(context, copy)
  const lost = Math.max(0, now.changes - before.changes)
  return [
    `The copy was made ${copy.madeAt.toISOString()}, before the upgrade to ${copy.version} (schema ${before.migration}, now ${now.migration}).`,
    ...(before.since === now.since
      ? []
      : ['A backup was restored since then: the copy has the data of before that restore.']),
    `${count(lost, 'change')} since the upgrade will be lost.`,
    ...(missing === 0
      ? []
      : [`The bytes of ${count(missing, 'attachment')} were deleted since the upgrade and stay missing.`]),
  ]
}

const confirm = async ({ ask }: CommandContext): Promise<void> => {
  const answer = await ask('Go back to the copy? Type yes: ')
  if (answer === undefined)
    throw new CommandError('There is no terminal to ask for confirmation. Add --yes to go back.')
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.')
}

/** At every moment the database has one of both contents under its name: the rename is atomic. */
const exchange = (dataDir: string, copy: UpgradeCopy, newer: string): void => {
  const file = sqliteFile(dataDir)
  try {
    linkSync(file, newer)
  } catch {
    // The file system has no hard links.
    copyFileSync(file, newer)
    flushFile(newer)
  }
  flushFile(dataDir)
  renameSync(copy.file, file)
  flushFile(dataDir)
}

const nameRelease = (migration: string): string => {
  const version = Object.keys(releases).find((name) => releases[name] === migration)
  return version === undefined ? 'the version that you used before' : `version ${version}`
}

export const rollback: Command = {
  usage,
  summary: 'Go back to the copy of the database from before an upgrade (SQLite)',
  async run(context) {
    const { config, args, clock, print } = context
    const options = { yes: { type: 'boolean', default: false } } as const
    const { values } = readArguments(args, { usage, options, words: [] })
    if (config.databaseUrl !== null) throw new CommandError(POSTGRES)
    requireInstance(context)
    const copy = findCopy(config.dataDir)
    const { migration } = withFile(copy.file, readContents)
    const current = openAlone(sqliteFile(config.dataDir))
    try {
      for (const line of await describeRollback(context, copy, current)) print(line)
      if (!values.yes) await confirm(context)
      const newer = nameCopy(config.dataDir, 'after', copy.version, clock.now())
      exchange(config.dataDir, copy, newer)
      print(`Done. The newer database is kept as ${newer}.`)
      print(`Install ${nameRelease(migration)} now. A newer version would upgrade the database again.`)
    } finally {
      current.close()
    }
    return 0
  },
}
