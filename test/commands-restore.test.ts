import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStaging } from '../src/commands/restore/staging.ts'
import { readMigrationState } from '../src/database/migrate.ts'
import { systemRandom } from '../src/platform/random.ts'
import { deriveKeys } from '../src/platform/secrets/keys.ts'
import { beginCommand, command } from './support/command-line.ts'
import { addBulk, namesIn, openPlace, readFileIn, withDatabase, writeFileIn } from './support/copies.ts'
import { type DataPlace, makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { type Entries, readZip, replaceBytes, writeZip } from './support/zips.ts'

let scratch: string
const places: DataPlace[] = []
const newPlace = async (engine: 'sqlite' | 'postgres'): Promise<DataPlace> => {
  const place = await makeDataPlace(engine)
  places.push(place)
  return place
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'factotum-restores-'))
})
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  for (const place of places) await place.remove()
})

const addUser = async (email: string, environment: Record<string, string>): Promise<void> => {
  const end = await command(['user', 'add', email, '--password-stdin'], environment, {
    input: 'correct horse battery',
  })
  if (end.code !== 0) throw new Error(end.stderr)
}

const emailsIn = (place: DataPlace): Promise<string[]> =>
  withDatabase(place, async (db) =>
    (await db.selectFrom('users').select('email').execute()).map((row) => row.email),
  )

/** An instance that keeps its own secret, and a backup of it. */
const makeBackup = async (name: string): Promise<{ file: string; secret: string }> => {
  const place = await newPlace('sqlite')
  await addUser(`${name}@example.org`, { DATA_DIR: place.dataDir })
  writeFileIn(place, 'blobs/a', `of ${name}`)
  const file = join(scratch, `${name}.zip`)
  const end = await command(['backup', file], { DATA_DIR: place.dataDir })
  if (end.code !== 0) throw new Error(end.stderr)
  return { file, secret: (readFileIn(place, 'secret.key') as string).trim() }
}

/** The same backup with other entries. */
const alter = async (file: string, name: string, change: (entries: Entries) => void): Promise<string> => {
  const entries = await readZip(file)
  change(entries)
  const altered = join(scratch, `${name}.zip`)
  await writeZip(altered, entries)
  return altered
}

const changeManifest = (change: Record<string, unknown>) => (entries: Entries) => {
  const manifest = JSON.parse(String(entries.get('manifest.json')))
  entries.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, ...change })))
}

/** Everything that a restore could touch. */
const stateOf = async (place: DataPlace) => ({
  names: namesIn(place).filter((name) => !name.startsWith('factotum.db-')),
  secret: readFileIn(place, 'secret.key'),
  file: readFileIn(place, 'blobs/a'),
  emails: await emailsIn(place),
})

describe('restore, given a file that is not as a backup was written,', () => {
  let good: string
  let target: DataPlace
  let before: Awaited<ReturnType<typeof stateOf>>

  const refuses = async (file: string, reason: string): Promise<void> => {
    const end = await command(['restore', file, '--replace'], { DATA_DIR: target.dataDir })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    const said = end.stderr.trimEnd().split('\n').at(-1)
    expect(said).toContain(reason)
    expect(said).toContain('Nothing was changed.')
    expect(await stateOf(target)).toEqual(before)
  }

  beforeAll(async () => {
    good = (await makeBackup('good')).file
    target = await newPlace('sqlite')
    await addUser('stays@example.org', { DATA_DIR: target.dataDir })
    writeFileIn(target, 'blobs/a', 'stays')
    before = await stateOf(target)
  })

  it('refuses one that is cut short, or no zip at all', async () => {
    const cut = join(scratch, 'cut.zip')
    copyFileSync(good, cut)
    truncateSync(cut, statSync(cut).size - 30)
    await refuses(cut, 'cannot be restored')
    const text = join(scratch, 'text.zip')
    writeFileSync(text, 'hello')
    await refuses(text, 'cannot be restored')
  })

  it('refuses one with a single byte changed', async () => {
    const flipped = join(scratch, 'flipped.zip')
    // Stored without compression, so that nothing but the sum tells.
    await writeZip(flipped, await readZip(good))
    const plain = await alter(good, 'plain', (entries) =>
      entries.set('files/blobs/a', Buffer.from('0123456789'.repeat(3))),
    )
    copyFileSync(plain, flipped)
    const bytes = readFileSync(flipped)
    const at = bytes.indexOf('files/blobs/a') + 'files/blobs/a'.length + 3
    bytes[at] = (bytes[at] as number) ^ 0x10
    writeFileSync(flipped, bytes)
    await refuses(flipped, 'cannot be restored')
  })

  it('refuses names that lead out of DATA_DIR', async () => {
    const plant = (name: string) => (entries: Entries) => entries.set(name, Buffer.from('planted'))
    const up = await alter(good, 'up', plant('files/aa/aa/aa/planted'))
    replaceBytes(up, 'files/aa/aa/aa/planted', 'files/../../../planted')
    await refuses(up, 'cannot be restored')
    const absolute = await alter(good, 'absolute', plant('files/aplanted'))
    replaceBytes(absolute, 'files/aplanted', '/tmp/e/planted')
    await refuses(absolute, 'cannot be restored')
    const backslash = await alter(good, 'backslash', plant('files/aaaaplanted'))
    replaceBytes(backslash, 'files/aaaaplanted', 'files\\..\\planted')
    await refuses(backslash, 'cannot be restored')
  })

  it('refuses links, and files that would take the place of the database or the secret', async () => {
    const entries = await readZip(good)
    const link = join(scratch, 'link.zip')
    await writeZip(link, [...entries, ['files/link', Buffer.from('/etc/passwd'), 0o120777]])
    await refuses(link, '"files/link" is not a plain file')
    for (const name of [
      'files/factotum.db',
      'files/secret.key',
      'files/restoring-x/mark',
      'extra.txt',
      'tables/../x.jsonl',
    ]) {
      const planted = join(scratch, 'planted.zip')
      await writeZip(planted, [...entries, [name.replace('..', 'aa'), Buffer.from('{}\n')]])
      if (name.includes('..')) replaceBytes(planted, 'tables/aa/x.jsonl', name)
      await refuses(planted, 'cannot be restored')
    }
    const twice = join(scratch, 'twice.zip')
    await writeZip(twice, [...entries, ['jobs.jsonl', Buffer.from('')]])
    await refuses(twice, '"jobs.jsonl" is there twice')
  })

  it('refuses sizes that cannot be', async () => {
    const bomb = join(scratch, 'bomb.zip')
    await writeZip(bomb, [...(await readZip(good)), ['files/bomb', Buffer.alloc(300 * 1024 * 1024)]])
    await refuses(bomb, '"files/bomb" claims to hold more than it can')
  })

  it('refuses other formats, and asks for an upgrade when a newer version made it', async () => {
    await refuses(
      await alter(good, 'format', changeManifest({ format: 'other' })),
      'is not a backup of Factotum',
    )
    await refuses(
      await alter(good, 'none', (entries) => entries.delete('manifest.json')),
      'is not a backup of Factotum',
    )
    await refuses(await alter(good, 'version', changeManifest({ version: 2 })), 'upgrade this one')
    await refuses(
      await alter(good, 'newer', changeManifest({ migration: '9999-future' })),
      'upgrade this one',
    )
    await refuses(
      await alter(good, 'never', changeManifest({ migration: '0000-never' })),
      'a migration that never was',
    )
  })

  it('refuses rows that do not fit, whichever way', async () => {
    const rows = (table: string, text: string) => (entries: Entries) =>
      entries.set(`tables/${table}.jsonl`, Buffer.from(text))
    await refuses(
      await alter(good, 'lacks', (entries) => entries.delete('tables/users.jsonl')),
      'lacks the rows of users',
    )
    await refuses(await alter(good, 'unknown', rows('nothing', '')), 'nothing, which never was a table')
    await refuses(await alter(good, 'queue', rows('jobs', '')), 'jobs, which never was a table')
    await refuses(await alter(good, 'json', rows('samples', '{"kind":\n')), 'not JSON')
    await refuses(
      await alter(good, 'yes', rows('samples', '{"kind":true,"reference":""}\n')),
      'line 1 of "tables/samples.jsonl"',
    )
    await refuses(
      await alter(good, 'unended', rows('samples', '{"kind":"","reference":""}')),
      'last line has no end',
    )
    await refuses(await alter(good, 'columns', rows('samples', '{"kind":""}\n')), 'other columns')
    await refuses(
      await alter(good, 'orphan', rows('avatars', '{"userId":99,"contentType":"x","content":""}\n')),
      'FOREIGN KEY',
    )
    const broken = await alter(good, 'utf8', (entries) =>
      entries.set('tables/samples.jsonl', Buffer.from([0xff, 0x0a])),
    )
    await refuses(broken, 'cannot be restored')
  })

  it('refuses a secret that is not the one it was made with', async () => {
    const other = Buffer.from('another secret that is long enough\n')
    await refuses(
      await alter(good, 'secret', (entries) => entries.set('secret.key', other)),
      'its secret is not the one',
    )
  })
})

onEveryDatabase('restore', (engine) => {
  it('refuses an instance with accounts; with --replace it is the backup, all of it', async () => {
    const { file, secret } = await makeBackup(`whole-${engine}`)
    const place = await newPlace(engine)
    const environment = { ...place.environment, SECRET_KEY: secret }
    await addUser('old@example.org', environment)
    writeFileIn(place, 'blobs/b', 'old')
    writeFileIn(place, 'other', 'stays: nothing in the backup has its name')
    const refused = await command(['restore', file], environment)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('This instance has accounts. Add --replace')
    expect(await emailsIn(place)).toEqual(['old@example.org'])

    expect(await command(['restore', file, '--replace'], environment)).toMatchObject({ code: 0 })
    expect(await emailsIn(place)).toEqual([`whole-${engine}@example.org`])
    expect(readFileIn(place, 'blobs/a')).toBe(`of whole-${engine}`)
    expect(readFileIn(place, 'blobs/b')).toBeUndefined()
    expect(readFileIn(place, 'other')).toContain('stays')
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toEqual([])
  })

  it('takes a backup of an older version and brings it up to date', async () => {
    const { file, secret } = await makeBackup(`older-${engine}`)
    const older = await alter(file, `older-${engine}-02`, (entries) => {
      changeManifest({ migration: '0002-frame' })(entries)
      entries.delete('tables/job_schedules.jsonl')
    })
    const place = await newPlace(engine)
    const environment = { ...place.environment, SECRET_KEY: secret }
    await addUser('newer@example.org', environment)
    expect(await command(['restore', older, '--replace'], environment)).toMatchObject({ code: 0 })
    expect(await emailsIn(place)).toEqual([`older-${engine}@example.org`])
    const database = await openPlace(place)
    expect((await readMigrationState(database)).pending).toEqual([])
    await database.close()
  })

  it('tries a job that had failed again, keeps one of two with a key, and says which it cannot take', async () => {
    const { file, secret } = await makeBackup(`jobs-${engine}`)
    const job = {
      name: 'housekeeping',
      payload: {},
      runAt: '2030-01-01T00:00:00.000Z',
      key: null,
      error: null,
    }
    const jobs = [
      { ...job, state: 'parked', key: 'one', runAt: '2029-01-01T00:00:00.000Z', error: 'it failed' },
      { ...job, state: 'waiting', key: 'one' },
      { ...job, state: 'running' },
      { ...job, state: 'parked' },
      { ...job, state: 'waiting', name: 'no-such-job' },
    ]
    const altered = await alter(file, `jobs-${engine}-5`, (entries) =>
      entries.set('jobs.jsonl', Buffer.from(jobs.map((line) => `${JSON.stringify(line)}\n`).join(''))),
    )
    const place = await newPlace(engine)
    const end = await command(['restore', altered], { ...place.environment, SECRET_KEY: secret })
    expect(end.code).toBe(0)
    expect(end.stderr).toContain('left out: a job no-such-job.')
    expect(end.stderr).toMatch(/^jobs +3, of which 1 had failed and will be tried again$/m)
    const { app, close } = await startInstance({ engine, place })
    const dumped = await Array.fromAsync(app.jobs.dump())
    expect(dumped.map(({ state, key, runAt }) => [state, key, runAt]).sort()).toEqual([
      ['waiting', null, job.runAt],
      ['waiting', null, job.runAt],
      ['waiting', 'one', job.runAt],
    ])
    await close()
  })

  it('killed in the middle leaves what was there', async () => {
    const source = await newPlace('sqlite')
    await addUser('source@example.org', source.environment)
    await addBulk(source, 100_000)
    const file = join(scratch, `bulky-${engine}.zip`)
    await command(['backup', file], source.environment)
    const place = await newPlace(engine)
    const environment = { ...place.environment, SECRET_KEY: source.environment.SECRET_KEY as string }
    await addUser('old@example.org', environment)
    const running = beginCommand(['restore', file, '--replace'], environment)
    await running.told('users ')
    running.child.kill('SIGKILL')
    expect((await running.ended).code).toBe('SIGKILL')
    expect(await emailsIn(place)).toEqual(['old@example.org'])
    const stopped = beginCommand(['restore', file, '--replace'], environment)
    await stopped.told('users ')
    stopped.child.kill('SIGTERM')
    expect((await stopped.ended).code).toBe(1)
    expect(await emailsIn(place)).toEqual(['old@example.org'])
    // The one that was killed could not clean up; doctor speaks of it, and the next restore does not mind.
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toHaveLength(1)
    expect((await command(['doctor'], { PORT: '0', ...environment })).stdout).toContain(
      'left by a restore that did not finish',
    )
    expect((await command(['restore', file, '--replace'], environment)).code).toBe(0)
    expect(await emailsIn(place)).toEqual(['source@example.org', 'bulk@example.org'])
  }, 120_000)

  it('killed right after the commit is finished by whoever opens the database next', async () => {
    const place = await newPlace(engine)
    await addUser('ana@example.org', place.environment)
    writeFileIn(place, 'blobs/a', 'old')
    writeFileIn(place, 'secret.key', 'the old secret\n')
    const database = await openPlace(place)
    const { since } = await readMigrationState(database)
    await database.close()
    const leave = async (mark: string, text: string): Promise<string> => {
      const staging = createStaging(place.dataDir, systemRandom)
      await staging.addSecret(`${text} secret`)
      await staging.addFile(
        'blobs/a',
        (async function* () {
          yield Buffer.from(text)
        })(),
      )
      await staging.mark(mark)
      return staging.directory
    }
    const undone = await leave('2001-01-01T00:00:00.000Z', 'undone')
    await leave(since as string, 'new')
    expect((await command(['migrate'], place.environment)).code).toBe(0)
    expect(readFileIn(place, 'blobs/a')).toBe('new')
    expect(readFileIn(place, 'secret.key')).toBe('new secret\n')
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toEqual([undone.split('/').at(-1)])
  })
})

describe('the key of a restore', () => {
  let file: string
  let secret: string
  const other = 'o'.repeat(40)

  beforeAll(async () => {
    const made = await makeBackup('keyed')
    file = made.file
    secret = made.secret
  })

  it('comes with the backup where the instance keeps its own, also in place of another', async () => {
    const place = await newPlace('sqlite')
    await addUser('old@example.org', { DATA_DIR: place.dataDir })
    expect(readFileIn(place, 'secret.key')).not.toBe(`${secret}\n`)
    expect((await command(['restore', file, '--replace'], { DATA_DIR: place.dataDir })).code).toBe(0)
    expect(readFileIn(place, 'secret.key')).toBe(`${secret}\n`)
    expect(statSync(join(place.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  it('that is not the one in use stops it with a line that says what to set', async () => {
    const place = await newPlace('sqlite')
    const wrong = await command(['restore', file], { DATA_DIR: place.dataDir, SECRET_KEY: other })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain(
      `Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to what "unzip -p ${file} secret.key" prints.`,
    )
    const without = await alter(file, 'without', (entries) => entries.delete('secret.key'))
    const missing = await command(['restore', without], { DATA_DIR: place.dataDir })
    expect(missing.stderr).toContain('Set SECRET_KEY to the SECRET_KEY it was made with.')
    expect(namesIn(place)).toEqual([])
  })

  it('may be the previous one, or lie in DATA_DIR already', async () => {
    const rotated = await newPlace('sqlite')
    const keys = { SECRET_KEY: other, SECRET_KEY_PREVIOUS: secret }
    expect((await command(['restore', file], { DATA_DIR: rotated.dataDir, ...keys })).code).toBe(0)
    expect(readFileIn(rotated, 'secret.key')).toBeUndefined()
    const without = await alter(file, 'without-2', (entries) => entries.delete('secret.key'))
    const own = await newPlace('sqlite')
    writeFileIn(own, 'secret.key', `${secret}\n`)
    expect((await command(['restore', without], { DATA_DIR: own.dataDir })).code).toBe(0)
    expect(deriveKeys(secret).id).toBe(JSON.parse(String((await readZip(file)).get('manifest.json'))).keyId)
  })
})
