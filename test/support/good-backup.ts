import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { command } from './command-line.ts'
import { readFileIn, userRow, withDatabase, writeFileIn } from './copies.ts'
import type { DataPlace } from './databases.ts'
import type { makeScratch } from './scratch.ts'
import { type Entries, readZip, writeZip } from './zips.ts'

export const addUser = async (email: string, environment: Record<string, string>): Promise<void> => {
  const input = 'correct horse battery'
  const end = await command(['user', 'add', email, '--password-stdin'], environment, { input })
  if (end.code !== 0) throw new Error(end.stderr)
}

/** The same without a password, which is much faster. */
export const insertUser = (email: string, place: DataPlace): Promise<unknown> =>
  withDatabase(place, (db) =>
    db
      .insertInto('users')
      .values({ ...userRow('somebody'), email, emailKey: email })
      .execute(),
  )

export const emailsIn = (place: DataPlace): Promise<string[]> =>
  withDatabase(place, async (db) => {
    const users = await db
      .selectFrom('users')
      .select('email')
      .where('role', '<>', 'local')
      .orderBy('id')
      .execute()
    return users.map((row) => row.email)
  })

/** Creates a backup of an instance with its own secret, before the tests of a file. */
export const makeGoodBackup = ({ directory, newPlace }: ReturnType<typeof makeScratch>) => {
  const backup = { file: join(directory, 'good.zip'), secret: '' }
  beforeAll(async () => {
    const place = await newPlace('sqlite', 'prepared')
    await addUser('good@example.org', { DATA_DIR: place.dataDir })
    writeFileIn(place, 'pictures/a', 'good')
    const end = await command(['backup', backup.file], { DATA_DIR: place.dataDir })
    if (end.code !== 0) throw new Error(end.stderr)
    backup.secret = (readFileIn(place, 'secret.key') as string).trim()
  })
  return {
    file: backup.file,
    secret: () => backup.secret,
    /** Writes a copy with changed entries. */
    async alter(name: string, change: (entries: Entries) => void): Promise<string> {
      const entries = await readZip(backup.file)
      change(entries)
      const altered = join(directory, `${name}.zip`)
      await writeZip(altered, entries)
      return altered
    },
  }
}

export const changeManifest = (change: Record<string, unknown>) => (entries: Entries) => {
  const manifest = JSON.parse(String(entries.get('manifest.json')))
  entries.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, ...change })))
}
