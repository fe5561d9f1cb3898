import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../src/database/transaction.ts'
import { beginCommand, command } from './support/command-line.ts'
import {
  addBulk,
  copiedTables,
  fillEverything,
  namesIn,
  openPlace,
  readEverything,
  readFileIn,
  sessionRow,
  userRow,
  withDatabase,
  writeFileIn,
} from './support/copies.ts'
import { type DataPlace, onEveryDatabase, onOneDatabase, onPostgresOnly } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { isFullRun, scaled } from './support/scale.ts'
import { makeScratch } from './support/scratch.ts'
import { readZip, rowsOf } from './support/zips.ts'

const { directory: scratch, newPlace } = makeScratch()

const MESSAGE = Buffer.from(
  `Message-ID: <moved@example.org>\r\nFrom: a@example.org\r\nSubject: Überfahrt\r\n\r\n${'x'.repeat(600_000)}`,
)

/** Fills an instance with data of every kind: rows, jobs, files. */
const fillPlace = async (place: DataPlace): Promise<void> => {
  await withDatabase(place, fillEverything)
  const { app, database, close, call } = await startInstance({ engine: place.engine, place })
  await call('POST', '/api/emails', { body: MESSAGE, headers: { 'content-type': 'message/rfc822' } })
  await inTransaction(database.db, async (tx) => {
    await app.jobs.enqueue(tx, 'housekeeping', {}, { runAt: new Date('2030-01-01T00:00:00Z'), key: 'later' })
    await app.jobs.enqueue(tx, 'housekeeping', {}, { runAt: new Date('2030-01-02T00:00:00Z') })
  })
  await close()
  writeFileIn(place, 'pictures/ab/cd', 'the contents of a file')
  writeFileIn(place, 'Grüße.txt', '')
}

/** Reads the jobs, and searches and reads the message that `fillPlace` stored. */
const readThroughInstance = async (place: DataPlace) => {
  const { app, get, url, close } = await startInstance({ engine: place.engine, place })
  const jobs = await Array.fromAsync(app.jobs.dump())
  const { body } = await get('/api/emails?q=uberfahrt')
  const message = await (await fetch(`${url}/api/emails/${body.emails[0].id}/raw`)).text()
  await close()
  return { jobs: jobs.toSorted((a, b) => (a.runAt < b.runAt ? -1 : 1)), message }
}

const moveThrough = async (engines: readonly ('sqlite' | 'postgres')[]): Promise<void> => {
  const [first, ...others] = await Promise.all(engines.map((engine) => newPlace(engine)))
  if (!first) throw new Error('From where?')
  await fillPlace(first)
  const before = await readEverything(first)
  for (const table of copiedTables) expect(before[table], table).not.toEqual([])
  const { jobs } = await readThroughInstance(first)
  expect(jobs).toHaveLength(2)

  let from = first
  for (const to of others) {
    const file = join(scratch, `${to.dataDir.split('/').at(-1)}.zip`)
    const key = { SECRET_KEY: first.environment.SECRET_KEY as string }
    expect(await command(['backup', file], { ...from.environment, ...key })).toMatchObject({ code: 0 })
    expect(await command(['restore', file], { ...to.environment, ...key })).toMatchObject({ code: 0 })
    const after = await readEverything(to)
    for (const table of Object.keys(before)) expect(after[table], table).toEqual(before[table])
    expect(await readThroughInstance(to)).toEqual({ jobs, message: MESSAGE.toString() })
    expect(readFileIn(to, 'pictures/ab/cd')).toBe('the contents of a file')
    expect(readFileIn(to, 'Grüße.txt')).toBe('')
    from = to
  }
  const fresh = await withDatabase(from, (db) =>
    db.insertInto('users').values(userRow('next')).returning('id').executeTakeFirstOrThrow(),
  )
  // One more than the account that was added and removed before the first backup.
  expect(fresh.id).toBe((before.users as string[]).length + 2)
}

if (isFullRun || !process.env.TEST_POSTGRES_URL)
  describe('a restored backup', () => {
    it('equals the original instance, row by row', () => moveThrough(['sqlite', 'sqlite']))
  })

onPostgresOnly('a restored backup', () => {
  it('is equal from SQLite to PostgreSQL and back, row by row', () =>
    moveThrough(['sqlite', 'postgres', 'sqlite']))
})

onEveryDatabase('a backup', (engine) => {
  it('is a consistent snapshot while others write', async () => {
    const place = await newPlace(engine, 'prepared')
    await addBulk(place, 20_000)
    const database = await openPlace(place)
    let isOver = false
    let written = 0
    const hammer = async (name: string): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const { id } = await inTransaction(database.db, async (tx) => {
          const user = await tx
            .insertInto('users')
            .values(userRow(`${name}-${n}`))
            .returning('id')
            .executeTakeFirstOrThrow()
          const ids = [0, 1, 2].map((s) => `${name}-${n}-${s}`)
          await tx
            .insertInto('sessions')
            .values(ids.map((session) => sessionRow(session, user.id)))
            .execute()
          return user
        })
        written++
        if (n % 5 === 0) await database.db.deleteFrom('users').where('id', '=', id).execute()
        await wait(5)
      }
    }
    const writers = [hammer('one'), hammer('two')]
    const file = join(scratch, `hammered-${engine}.zip`)
    const running = beginCommand(['backup', file], place.environment)
    await running.printed('users ')
    const soFar = written
    const { code } = await running.ended
    isOver = true
    await Promise.all(writers)
    await database.close()
    expect(code).toBe(0)
    expect(written).toBeGreaterThan(soFar)

    const entries = await readZip(file)
    const users = new Set(rowsOf(entries, 'users').map((row) => row.id))
    const sessions = rowsOf(entries, 'sessions')
    expect(users.size).toBeGreaterThan(1)
    expect(sessions.filter((row) => !users.has(row.userId))).toEqual([])
    // The first account and the local one have no session.
    expect(sessions).toHaveLength((users.size - 2) * 3)
    expect(rowsOf(entries, 'activity')).toHaveLength(20_000)
  })
})

onOneDatabase('postgres', 'a backup that is interrupted', (engine) => {
  /** Large enough to interrupt its backup. */
  let bulky: DataPlace
  const BULK = scaled({ full: 100_000, short: 30_000 })
  beforeAll(async () => {
    bulky = await newPlace(engine, 'prepared')
    await addBulk(bulky, BULK)
  })

  it('leaves no file if it is killed, and the next one succeeds', async () => {
    const file = join(scratch, `killed-${engine}.zip`)
    const running = beginCommand(['backup', file], bulky.environment)
    await running.printed('users ')
    running.child.kill('SIGKILL')
    expect((await running.ended).code).toBe('SIGKILL')
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    expect(statSync(`${file}.partial`).mode & 0o777).toBe(0o600)
    expect((await command(['backup', file], bulky.environment)).code).toBe(0)
    expect(rowsOf(await readZip(file), 'activity')).toHaveLength(BULK)
    expect(statSync(`${file}.partial`, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('leaves nothing at all after a stop signal', async () => {
    const file = join(scratch, `stopped-${engine}.zip`)
    const running = beginCommand(['backup', file], bulky.environment)
    await running.printed('users ')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(1)
    for (const name of [file, `${file}.partial`])
      expect(statSync(name, { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe('a backup file', () => {
  let place: DataPlace
  const own = () => ({ DATA_DIR: place.dataDir })

  beforeAll(async () => {
    place = await newPlace('sqlite', 'prepared')
    const adding = ['user', 'add', 'ana@example.org', '--password-stdin']
    await command(adding, own(), { input: 'correct horse battery' })
    writeFileIn(place, 'pictures/one', '1')
    writeFileIn(place, 'pictures/busy.lock', '')
    writeFileIn(place, 'restoring-abc/files/x', '')
    symlinkSync('/etc/hostname', join(place.dataDir, 'link'))
  })

  it('contains the generated secret, is readable only by its owner, and the output says so', async () => {
    const file = join(scratch, 'own.zip')
    const end = await command(['backup', file], own())
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('It contains the secret key in plain text')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const entries = await readZip(file)
    expect(entries.get('secret.key')?.toString()).toBe(readFileIn(place, 'secret.key'))
    expect(JSON.parse(String(entries.get('manifest.json')))).toMatchObject({
      format: 'factotum-backup',
      version: 1,
      engine: 'sqlite',
      keyId: expect.stringMatching(/^[\w-]{8}$/),
    })
  })

  it('does not contain a secret of the operator, nor an older generated one', async () => {
    const file = join(scratch, 'set.zip')
    const end = await command(['backup', file], { ...own(), SECRET_KEY: 'k'.repeat(40) })
    expect(end.stdout).toContain('It does not contain SECRET_KEY.')
    expect([...(await readZip(file)).keys()].filter((name) => name.includes('secret'))).toEqual([])
    expect(readFileSync(file).includes('kkkk')).toBe(false)
  })

  it('contains the plain files of DATA_DIR and nothing else', async () => {
    const file = join(scratch, 'files.zip')
    const end = await command(['backup', file], own())
    expect(end.stderr).toContain('skipped: link is not a plain file')
    const files = [...(await readZip(file)).keys()].filter((name) => name.startsWith('files/'))
    expect(files).toEqual(['files/pictures/one'])
  })

  it('is never overwritten without --force, nor written into DATA_DIR or without an instance', async () => {
    const file = join(scratch, 'once.zip')
    expect((await command(['backup', file], own())).code).toBe(0)
    const first = readFileSync(file)
    const refusals: [string[], Record<string, string>, string][] = [
      [[file], own(), `${file} already exists. Choose another name, or add --force.`],
      [[join(place.dataDir, 'x.zip')], own(), 'A backup cannot be in DATA_DIR'],
      [[scratch, '--force'], own(), `${scratch} is a directory.`],
      [[join(scratch, 'no', 'x.zip')], own(), 'There is no directory'],
      [[join(scratch, 'x.zip')], { DATA_DIR: join(scratch, 'nowhere') }, 'There is nothing to back up'],
      [[], own(), 'FILE is missing.'],
    ]
    const ends = await Promise.all(
      refusals.map(([args, environment]) => command(['backup', ...args], environment)),
    )
    for (const [n, end] of ends.entries()) {
      expect(end).toMatchObject({ code: 1, stdout: '' })
      expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(end.stderr).toContain(refusals[n]?.[2])
    }
    expect(readFileSync(file)).toEqual(first)
    expect(statSync(join(scratch, 'nowhere'), { throwIfNoEntry: false })).toBeUndefined()
    expect(namesIn(place)).not.toContain('x.zip')
    expect((await command(['backup', file, '--force'], own())).code).toBe(0)
    expect(readFileSync(file)).not.toEqual(first)
  })
})
