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
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { readMigrationState } from '../../database/migrate.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { secretFile } from '../../platform/secrets/secret-file.ts'

/*
 * A restore changes three things that no single transaction covers: the database, the secret and the files. One
 * commit decides for all three, because of this order:
 *
 *   1. The secret and the files are written to DATA_DIR/restoring-ID and flushed to the disk. Nothing in use changes.
 *   2. In one transaction the database is emptied, migrated anew and filled. Its first migration now has a time that
 *      no other database has: `mark` in restoring-ID is written with it, and flushed.
 *   3. The transaction is committed: the restore has happened.
 *   4. What lies in restoring-ID is moved into place, and the directory is removed.
 *
 * Whoever opens the database next finds what a killed restore left behind. When its mark is the database's, step 3
 * was reached and step 4 is done then, before anyone reads the secret. When not, nothing has happened; the directory
 * may still be at work in another process, so it is left, and `doctor` speaks of it.
 */

const PREFIX = 'restoring-'
const MARK = 'mark'
const SECRET = 'secret.key'
const FILES = 'files'
const REPLACED = 'replaced'
/** Any number, as long as nobody else takes the same. */
const LOCK = 7_202_611_894

export interface Staging {
  readonly directory: string
  addSecret(secret: string): Promise<void>
  addFile(path: string, contents: AsyncIterable<Buffer>): Promise<void>
  /** The last thing before the commit. */
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

/** The directories of restores that have not come to their end. */
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

/** Each step is done once however often this is begun. What is replaced is moved away first: removing may take long. */
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

/** Finishes what a restore that was committed has left to do. Of several processes that try, one does it. */
export const finishRestores = async (dataDir: string, database: Database): Promise<void> => {
  const marked = stagedRestores(dataDir).filter((directory) => readMark(directory) !== undefined)
  if (marked.length === 0) return
  const { engine } = database
  for (const directory of marked) {
    const isDone = await inTransaction(database.db, async (tx: Db) => {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
      const { since } = await readMigrationState({ db: tx, engine })
      if (since === null || readMark(directory) !== since) return false
      moveIntoPlace(dataDir, directory)
      return true
    })
    if (isDone) rmSync(directory, { recursive: true, force: true })
  }
}
