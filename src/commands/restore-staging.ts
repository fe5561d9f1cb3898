import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { readMigrationState } from '../database/migrate.ts'
import { inTransaction } from '../database/transaction.ts'
import { type Random, randomId } from '../platform/random.ts'
import { secretFile } from '../platform/secrets/secret-file.ts'

/*
 * A restore changes three things that no single transaction covers: the database, the secret and the files.
 * One commit decides for all three, because of this order:
 *
 * 1. Write the secret and the files to DATA_DIR/restoring-ID and flush them. Nothing in use changes.
 * 2. In one transaction, empty the database, migrate it again and fill it. The time of its first migration is
 *    now unique to this database. Write it to `mark` in restoring-ID, and flush.
 * 3. Commit the transaction. The restore is now effective.
 * 4. Move the contents of restoring-ID into place, and remove the directory.
 *
 * The next process that opens the database finds the leftovers of a killed restore. If the mark matches the
 * database, step 3 was reached: the process runs step 4 before it reads the secret. Otherwise nothing has
 * changed. The directory may still be in use by another process, so it stays, and `doctor` reports it.
 */

const PREFIX = 'restoring-'
const MARK = 'mark'
const SECRET = 'secret.key'
const FILES = 'files'
const REPLACED = 'replaced'
/** An arbitrary number that no other lock uses. */
const LOCK = 7_202_611_894

export interface Staging {
  readonly directory: string
  addSecret(secret: string): Promise<void>
  addFile(path: string, contents: AsyncIterable<Buffer>): Promise<void>
  /** Called right before the commit. */
  mark(since: string): Promise<void>
  remove(): void
}

const flushDirectory = (path: string): void => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const writeFlushed = async (
  path: string,
  contents: AsyncIterable<Buffer> | Iterable<string>,
): Promise<void> => {
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of contents) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const createStaging = (dataDir: string, random: Random): Staging => {
  const directory = join(dataDir, `${PREFIX}${randomId(random)}`)
  const made = new Set<string>()
  const makeDirectory = (path: string): void => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    for (let up = path; up.length >= directory.length; up = dirname(up)) made.add(up)
  }
  makeDirectory(directory)
  return {
    directory,
    addSecret: (secret) => writeFlushed(join(directory, SECRET), [`${secret}\n`]),
    async addFile(path, contents) {
      const place = join(directory, FILES, path)
      makeDirectory(dirname(place))
      await writeFlushed(place, contents)
    },
    async mark(since) {
      await writeFlushed(join(directory, MARK), [since])
      for (const path of [...made, dataDir]) flushDirectory(path)
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Returns the directories of unfinished restores. */
export const stagedRestores = (dataDir: string): string[] => {
  try {
    return readdirSync(dataDir)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => join(dataDir, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Repeatable: each step runs once, however often this starts. Replaced files are moved away first, because
 * deleting may take long.
 */
const moveIntoPlace = (dataDir: string, directory: string): void => {
  const secret = join(directory, SECRET)
  if (existsSync(secret)) renameSync(secret, secretFile(dataDir))
  const files = join(directory, FILES)
  for (const name of existsSync(files) ? readdirSync(files) : []) {
    const place = join(dataDir, name)
    if (existsSync(place)) {
      mkdirSync(join(directory, REPLACED), { recursive: true, mode: 0o700 })
      renameSync(place, join(directory, REPLACED, name))
    }
    renameSync(join(files, name), place)
  }
  flushDirectory(dataDir)
}

const readMark = (directory: string): string | undefined => {
  try {
    return readFileSync(join(directory, MARK), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Completes a committed restore. Only one of several concurrent processes does it. */
export const finishRestores = async (dataDir: string, database: Database): Promise<void> => {
  const marked = stagedRestores(dataDir).filter((directory) => readMark(directory) !== undefined)
  if (marked.length === 0) return
  const { engine } = database
  for (const directory of marked) {
    const isDone = await inTransaction(database.db, async (tx: Db) => {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
      const { since } = await readMigrationState({ db: tx })
      if (since === null || readMark(directory) !== since) return false
      moveIntoPlace(dataDir, directory)
      return true
    })
    if (isDone) rmSync(directory, { recursive: true, force: true })
  }
}
