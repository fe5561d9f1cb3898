import { copyFileSync, linkSync, renameSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { sqliteFile } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { releases } from '../database/migrate.ts'
import { createSqliteDialect } from '../database/sqlite.ts'
import {
  COPIES_KEPT_DAYS,
  type CopyContents,
  flushFile,
  hasLog,
  listCopies,
  nameCopy,
  readContents,
  type UpgradeCopy,
  withFile,
} from '../database/upgrade-copies.ts'
import { createSizeFinder } from '../platform/blobs/bucket.ts'
import { type Command, type CommandContext, CommandError, messageOf, readArguments } from './command.ts'
import { requireInstance, withBlobPlace } from './instance.ts'

const usage = 'rollback [--yes]'

const POSTGRES =
  'On PostgreSQL, upgrades make no copy. Stop all instances and install the older version. Create an empty database, set DATABASE_URL to it, and restore the backup that you made before the upgrade: factotum restore FILE. See docs/upgrading.md.'

/**
 * Locks the database for this process alone, and returns the result of `read`. SQLite leaves the WAL mode only
 * if no other process has the file open. Its log is then part of the file, which can be renamed.
 */
const openAlone = <T>(file: string, read: (handle: SQLite.Database) => T): [SQLite.Database, T] => {
  const handle = new SQLite(file, { timeout: 0 })
  try {
    handle.pragma('journal_mode = delete')
    const result = read(handle)
    handle.exec('begin exclusive')
    if (hasLog(file)) throw new Error('It has just been opened again.')
    return [handle, result]
  } catch (error) {
    handle.close()
    throw new CommandError(
      `Another process uses ${file}. Stop the server, then run the command again. (${messageOf(error)})`,
    )
  }
}

const findCopy = (dataDir: string): UpgradeCopy => {
  const copy = listCopies(dataDir).find(({ kind }) => kind === 'before')
  if (copy === undefined)
    throw new CommandError(
      `${dataDir} has no copy from before an upgrade. Install the older version, and restore a backup into an empty DATA_DIR instead: factotum restore FILE`,
    )
  return copy
}

/** Counts the attachments of the copy whose bytes were deleted after the upgrade. */
const countMissingBlobs = async (context: CommandContext, copy: UpgradeCopy): Promise<number> => {
  const db: Db = new Kysely({ dialect: createSqliteDialect(copy.file, { readonly: true }) })
  try {
    return await withBlobPlace(context, { engine: 'sqlite', db }, async ({ local, bucket }) => {
      const findSize = bucket && createSizeFinder(bucket)
      let missing = 0
      for (const { hash } of await db
        .selectFrom('blobs')
        .select('hash')
        // The copy may lack tables that refer to blobs in this version.
        .where('unusedSince', 'is', null)
        .orderBy('hash')
        .execute()) {
        if (await local.has(db, hash)) continue
        if ((await findSize?.(hash)) === undefined) missing++
      }
      return missing
    })
  } finally {
    await db.destroy()
  }
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`

/** Every row that a user changes has an id and a version. */
const hasVersions = (handle: SQLite.Database, schema: string, table: string): boolean => {
  const columns = handle.pragma(`${schema}.table_info("${table}")`) as { name: string }[]
  return ['id', 'version'].every((column) => columns.some(({ name }) => name === column))
}

interface Losses {
  total: number
  /** By table, such as “tasks: 3 added, 1 changed”. */
  tables: string[]
}

/** Compares the rows of both files. */
const countLosses = (current: SQLite.Database, copy: UpgradeCopy): Losses => {
  const losses: Losses = { total: 0, tables: [] }
  current.prepare('attach database ? as before').run(copy.file)
  const tables = current
    .prepare("select name from main.sqlite_master where type = 'table' order by name")
    .pluck()
    .all() as string[]
  for (const table of tables.filter((name) =>
    ['main', 'before'].every((schema) => hasVersions(current, schema, name)),
  )) {
    const counts = Object.entries({
      added: `main."${table}" as one where id not in (select id from before."${table}")`,
      changed: `main."${table}" as one join before."${table}" as old on old.id = one.id where old.version <> one.version`,
      deleted: `before."${table}" as one where id not in (select id from main."${table}")`,
    }).map(([kind, rows]) => ({
      kind,
      amount: current.prepare(`select count(*) from ${rows} /* all accounts */`).pluck().get() as number,
    }))
    const lost = counts.filter(({ amount }) => amount > 0)
    losses.total += lost.reduce((sum, { amount }) => sum + amount, 0)
    if (lost.length > 0)
      losses.tables.push(`${table}: ${lost.map(({ kind, amount }) => `${amount} ${kind}`).join(', ')}`)
  }
  current.exec('detach database before')
  return losses
}

/** Describes the copy, and all that is lost. */
const describeRollback = async (
  context: CommandContext,
  copy: UpgradeCopy,
  { now, before, losses }: { now: CopyContents; before: CopyContents; losses: Losses },
): Promise<string[]> => {
  const missing = await countMissingBlobs(context, copy)
  return [
    `The copy was made ${copy.madeAt.toISOString()}, before the upgrade to ${copy.version} (schema ${before.migration}, now ${now.migration}).`,
    ...(before.since === now.since
      ? []
      : ['A backup was restored since then: the copy has the data of before that restore.']),
    `${count(losses.total, 'change')} since the upgrade will be lost.`,
    ...losses.tables.map((line) => `  ${line}`),
    ...(missing === 0
      ? []
      : [`The bytes of ${count(missing, 'attachment')} were deleted since the upgrade and stay missing.`]),
  ]
}

/**
 * Ids, versions and positions of changes are assigned again, as after a restore: see change-order.ts. A new
 * epoch keeps clients from confusing old and new ones.
 */
const beginEpoch = (copy: UpgradeCopy, now: Date, newest: number): void => {
  const handle = new SQLite(copy.file)
  try {
    const epoch = Math.max(now.getTime(), newest)
    handle.transaction(() => {
      handle.prepare('insert into restores (epoch) values (?)').run(epoch)
      handle.prepare("delete from sqlite_sequence where name = 'changes'").run()
      handle.prepare("insert into sqlite_sequence (name, seq) values ('changes', ?)").run(epoch)
    })()
  } finally {
    handle.close()
  }
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
    const before = withFile(copy.file, readContents)
    const [current, { now, losses }] = openAlone(sqliteFile(config.dataDir), (handle) => ({
      now: readContents(handle),
      losses: countLosses(handle, copy),
    }))
    try {
      for (const line of await describeRollback(context, copy, { now, before, losses })) print(line)
      if (!values.yes) await confirm(context)
      const newer = nameCopy(config.dataDir, 'after', copy.version, clock.now())
      beginEpoch(copy, clock.now(), now.changes)
      exchange(config.dataDir, copy, newer)
      print(`Done. The newer database is kept for ${COPIES_KEPT_DAYS} days: ${newer}`)
      print(`Install ${nameRelease(before.migration)} now. A newer version would upgrade the database again.`)
    } finally {
      current.close()
    }
    return 0
  },
}
