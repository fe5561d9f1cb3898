import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { type Database, sqliteFile } from './database.ts'

/*
 * An upgrade copies the SQLite file before its migrations: `factotum.db-before-VERSION-TIME` in DATA_DIR. A
 * rollback keeps the newer file as `factotum.db-after-VERSION-TIME`. Backups leave out all names that start
 * with `factotum.db-`. A copy has the suffix `.partial` until it is complete on disk.
 */

const PARTIAL = '.partial'
const NAME = /^factotum\.db-(before|after)-(.+)-(\d{8}T\d{6}Z)$/
const DAY_MS = 86_400_000
/** Deleted data must be gone after 30 days. One day less allows for a day of downtime. */
export const COPIES_KEPT_DAYS = 29
/** Free space that must remain, for the migration itself. */
const SPACE_LEFT = 64 * 1024 * 1024

export interface UpgradeCopy {
  file: string
  kind: 'before' | 'after'
  /** The version that the upgrade installed. */
  version: string
  madeAt: Date
}

export interface CopyContents {
  /** The last applied migration. */
  migration: string
  /** Identifies the database: a restore creates another one. */
  since: string
  /** The number of changes that were ever recorded. */
  changes: number
}

const formatTime = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')
const parseTime = (text: string): Date =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))

export const nameCopy = (dataDir: string, kind: UpgradeCopy['kind'], version: string, at: Date): string =>
  join(dataDir, `factotum.db-${kind}-${version}-${formatTime(at)}`)

/** Lists the complete copies, the newest first. */
export const listCopies = (dataDir: string): UpgradeCopy[] =>
  readdirSync(dataDir)
    .flatMap((name): UpgradeCopy[] => {
      const [, kind, version, time] = NAME.exec(name) ?? []
      if (kind === undefined || version === undefined || time === undefined) return []
      return [
        { file: join(dataDir, name), kind: kind as 'before' | 'after', version, madeAt: parseTime(time) },
      ]
    })
    .sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())

/** Deletes copies beyond the `kept` newest, old copies, and the remains of interrupted ones. */
export const expireCopies = (dataDir: string, kept: number, now: Date): void => {
  const oldest = now.getTime() - COPIES_KEPT_DAYS * DAY_MS
  const copies = listCopies(dataDir)
  const extra = copies.filter(({ kind }) => kind === 'before').slice(kept)
  for (const copy of copies)
    if (extra.includes(copy) || copy.madeAt.getTime() < oldest) rmSync(copy.file, { force: true })
}

/** Deletes the expired copies of a database that upgrades copy. Those of PostgreSQL have none. */
export const expireUpgradeCopies = (
  { engine }: Pick<Database, 'engine'>,
  { dataDir, upgradeCopies }: { dataDir: string; upgradeCopies: number },
  now: Date,
): void => {
  if (engine === 'sqlite') expireCopies(dataDir, upgradeCopies, now)
}

const removePartials = (dataDir: string): void => {
  for (const name of readdirSync(dataDir))
    if (name.startsWith('factotum.db-before-') && name.includes(PARTIAL))
      rmSync(join(dataDir, name), { force: true })
}

export const flushFile = (path: string): void => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export const readContents = (handle: SQLite.Database): CopyContents => {
  const read = <R>(query: string): R | undefined => handle.prepare(query).get() as R | undefined
  const first = read<{ timestamp: string }>('select timestamp from migrations order by name limit 1')
  const last = read<{ name: string }>('select name from migrations order by name desc limit 1')
  const recorded = read<{ seq: number }>("select seq from sqlite_sequence where name = 'changes'")
  return {
    migration: last?.name ?? '',
    since: first?.timestamp ?? '',
    changes: recorded?.seq ?? 0,
  }
}

/** Opens a file that no process writes, and creates no other files beside it. */
export const withFile = <T>(file: string, read: (handle: SQLite.Database) => T): T => {
  const handle = new SQLite(file, { readonly: true })
  try {
    return read(handle)
  } finally {
    handle.close()
  }
}

/** An upgrade that cannot make its copy. Nothing was changed. */
export class CopyError extends Error {}

const requireSpace = async (file: string): Promise<void> => {
  const size = [file, `${file}-wal`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const { bavail, bsize } = await statfs(dirname(file))
  const missing = size + SPACE_LEFT - bavail * bsize
  if (missing > 0)
    throw new CopyError(
      `Not enough disk space to copy the database before the upgrade: ${dirname(file)} needs ${Math.ceil(missing / 1024 / 1024)} MiB more. Nothing was changed. Free some space. Or make a backup and set UPGRADE_COPIES=0, which upgrades without a copy.`,
    )
}

/** A file in WAL mode gets other files beside it when it is read. */
const leaveWal = (file: string): void => {
  const handle = new SQLite(file)
  try {
    handle.pragma('journal_mode = delete')
  } finally {
    handle.close()
  }
}

/**
 * Copies the database, and returns when the copy is on disk. An equal copy of an earlier attempt is replaced,
 * so that a start that fails again and again keeps one.
 */
export const makeCopy = async (
  dataDir: string,
  { version, now, kept }: { version: string; now: Date; kept: number },
): Promise<string> => {
  const source = sqliteFile(dataDir)
  removePartials(dataDir)
  await requireSpace(source)
  const file = nameCopy(dataDir, 'before', version, now)
  const partial = `${file}${PARTIAL}`
  const handle = new SQLite(source, { readonly: true })
  try {
    // SQLite keeps the mode of an existing file: accessible to its owner only.
    closeSync(openSync(partial, 'wx', 0o600))
    await handle.backup(partial)
    leaveWal(partial)
    const { migration } = readContents(handle)
    for (const earlier of listCopies(dataDir))
      if (
        earlier.kind === 'before' &&
        earlier.version === version &&
        withFile(earlier.file, readContents).migration === migration
      )
        rmSync(earlier.file)
  } catch (error) {
    removePartials(dataDir)
    throw error
  } finally {
    handle.close()
  }
  flushFile(partial)
  renameSync(partial, file)
  flushFile(dataDir)
  expireCopies(dataDir, kept, now)
  return file
}

/** Whether SQLite's log beside the file still holds changes. */
export const hasLog = (file: string): boolean => existsSync(`${file}-wal`) || existsSync(`${file}-journal`)
