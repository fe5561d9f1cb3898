import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
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
import { claimSize, type Entries, readZip, replaceBytes, writeZip } from './support/zips.ts'

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

/** A backup of an instance that keeps its own secret. */
let good: string
let secret: string

beforeAll(async () => {
  const place = await newPlace('sqlite')
  await addUser('good@example.org', { DATA_DIR: place.dataDir })
  writeFileIn(place, 'blobs/a', 'good')
  good = join(scratch, 'good.zip')
  const end = await command(['backup', good], { DATA_DIR: place.dataDir })
  if (end.code !== 0) throw new Error(end.stderr)
  secret = (readFileIn(place, 'secret.key') as string).trim()
})

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
  let target: DataPlace
  let before: Awaited<ReturnType<typeof stateOf>>

  const refuse = async (cases: [file: string, reason: string][]): Promise<void> => {
    const ends = await Promise.all(
      cases.map(([file]) => command(['restore', file, '--replace'], { DATA_DIR: target.dataDir })),
    )
    for (const [n, [, reason]] of cases.entries()) {
      const said = ends[n]?.stderr.trimEnd().split('\n').at(-1)
      expect(said).toContain(reason)
      expect(said).toContain('Nothing was changed.')
      expect(ends[n]).toMatchObject({ code: 1, stdout: '' })
    }
    expect(await stateOf(target)).toEqual(before)
  }

  beforeAll(async () => {
    target = await newPlace('sqlite')
    await addUser('stays@example.org', { DATA_DIR: target.dataDir })
    writeFileIn(target, 'blobs/a', 'stays')
    before = await stateOf(target)
  })

  it('refuses one that is cut short, no zip at all, or one with a single byte changed', async () => {
    const cut = join(scratch, 'cut.zip')
    copyFileSync(good, cut)
    truncateSync(cut, statSync(cut).size - 30)
    const text = join(scratch, 'text.zip')
    writeFileSync(text, 'hello')
    // Without compression, so that nothing but the sum tells.
    const flipped = join(scratch, 'flipped.zip')
    await writeZip(flipped, await readZip(good), { compress: false })
    replaceBytes(flipped, 'good@example.org', 'evil@example.org')
    await refuse([
      [cut, 'cannot be restored'],
      [text, 'cannot be restored'],
      [flipped, '"tables/users.jsonl" is not what was written'],
    ])
  })

  it('refuses names that lead out of DATA_DIR', async () => {
    const plant = async (id: string, name: string, trueName: string): Promise<[string, string]> => {
      const file = await alter(good, id, (entries) => entries.set(name, Buffer.from('planted')))
      replaceBytes(file, name, trueName)
      return [file, 'cannot be restored']
    }
    await refuse([
      await plant('up', 'files/aa/aa/aa/planted', 'files/../../../planted'),
      await plant('absolute', 'files/a/planted', '/tmp/ev/planted'),
      await plant('backslash', 'files/aaaplanted', 'files\\..\\planted'),
      await plant('dot', 'files/a/planted', 'files/./planted'),
      await plant('table', 'files/aa/x.jsonl', 'tables/../.jsonl'),
    ])
  })

  it('refuses links, doubles, and files that would take the place of the database or the secret', async () => {
    const entries = await readZip(good)
    const plant = async (name: string, reason: string, mode?: number): Promise<[string, string]> => {
      const file = join(scratch, `planted-${name.replaceAll('/', '-')}.zip`)
      await writeZip(file, [
        ...entries,
        [name, Buffer.from('{}\n'), ...(mode ? [mode] : [])] as [string, Buffer],
      ])
      return [file, reason]
    }
    await refuse([
      await plant('files/link', '"files/link" is not a plain file', 0o120777),
      await plant('files/factotum.db', '"files/factotum.db" does not belong there'),
      await plant('files/factotum.db-wal', '"files/factotum.db-wal" does not belong there'),
      await plant('files/secret.key', '"files/secret.key" does not belong there'),
      await plant('files/restoring-x/mark', '"files/restoring-x/mark" does not belong there'),
      await plant('extra.txt', '"extra.txt" does not belong there'),
      await plant('jobs.jsonl', '"jobs.jsonl" is there twice'),
    ])
  })

  it('refuses sizes that cannot be', async () => {
    const more = await alter(good, 'more', (entries) => entries.set('files/more', Buffer.alloc(1000)))
    claimSize(more, 'files/more', 999)
    const bomb = await alter(good, 'bomb', (entries) => entries.set('files/bomb', Buffer.alloc(1000)))
    claimSize(bomb, 'files/bomb', 0xf000_0000)
    await refuse([
      [more, 'cannot be restored'],
      [bomb, '"files/bomb" claims to hold more than it can'],
    ])
  })

  it('refuses other formats, and asks for an upgrade when a newer version made it', () =>
    Promise.all([
      alter(good, 'format', changeManifest({ format: 'other' })),
      alter(good, 'none', (entries) => entries.delete('manifest.json')),
      alter(good, 'version', changeManifest({ version: 2 })),
      alter(good, 'newer', changeManifest({ migration: '9999-future' })),
      alter(good, 'never', changeManifest({ migration: '0000-never' })),
    ]).then(([format, none, version, newer, never]) =>
      refuse([
        [format, 'is not a backup of Factotum'],
        [none, 'is not a backup of Factotum'],
        [version, 'upgrade this one'],
        [newer, 'at 9999-future, this one knows'],
        [never, 'a migration that never was'],
      ]),
    ))

  it('refuses rows that do not fit, whichever way', async () => {
    const rows = (table: string, contents: string | Buffer) =>
      alter(good, `rows-${systemRandom.bytes(4).toString('hex')}`, (entries) =>
        entries.set(`tables/${table}.jsonl`, Buffer.from(contents)),
      )
    await refuse([
      [await rows('samples', '{"kind":\n'), 'not JSON'],
      [await rows('samples', '{"kind":true,"reference":""}\n'), 'line 1 of "tables/samples.jsonl"'],
      [await rows('samples', '{"kind":"","reference":""}'), 'last line has no end'],
      [await rows('samples', Buffer.from([0xff, 0x0a])), 'cannot be restored'],
    ])
    // These are seen only while the database is being filled, which one at a time can do.
    const lacking = await alter(good, 'lacking', (entries) => entries.delete('tables/users.jsonl'))
    await refuse([[lacking, 'it lacks the rows of users']])
    await refuse([[await rows('nothing', ''), 'nothing, which never was a table']])
    await refuse([[await rows('jobs', ''), 'jobs, which never was a table']])
    await refuse([[await rows('samples', '{"kind":""}\n'), 'its rows of samples have other columns']])
    const orphan = '{"userId":99,"contentType":"x","content":""}\n'
    await refuse([
      [await rows('avatars', orphan), 'a row of avatars refers to one of users that is not there'],
    ])
  })

  it('refuses a secret that is not the one it was made with', async () => {
    const other = Buffer.from('another secret that is long enough\n')
    const file = await alter(good, 'secret', (entries) => entries.set('secret.key', other))
    await refuse([[file, 'its secret is not the one']])
  })
})

onEveryDatabase('restore', (engine) => {
  it('refuses an instance with accounts; with --replace it is the backup, all of it', async () => {
    const place = await newPlace(engine)
    const environment = { ...place.environment, SECRET_KEY: secret }
    await addUser('old@example.org', environment)
    writeFileIn(place, 'blobs/b', 'old')
    writeFileIn(place, 'other', 'stays: nothing in the backup has its name')
    const refused = await command(['restore', good], environment)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('This instance has accounts. Add --replace')
    expect(await emailsIn(place)).toEqual(['old@example.org'])

    expect(await command(['restore', good, '--replace'], environment)).toMatchObject({ code: 0 })
    expect(await emailsIn(place)).toEqual(['good@example.org'])
    expect(readFileIn(place, 'blobs/a')).toBe('good')
    expect(readFileIn(place, 'blobs/b')).toBeUndefined()
    expect(readFileIn(place, 'other')).toContain('stays')
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toEqual([])
  })

  it('takes a backup of an older version and brings it up to date', async () => {
    const older = await alter(good, `older-${engine}-02`, (entries) => {
      changeManifest({ migration: '0002-frame' })(entries)
      entries.delete('tables/job_schedules.jsonl')
    })
    const place = await newPlace(engine)
    const environment = { ...place.environment, SECRET_KEY: secret }
    await addUser('newer@example.org', environment)
    expect(await command(['restore', older, '--replace'], environment)).toMatchObject({ code: 0 })
    expect(await emailsIn(place)).toEqual(['good@example.org'])
    const database = await openPlace(place)
    expect((await readMigrationState(database)).pending).toEqual([])
    await database.close()
  })

  it('refuses rows that refer to others that are not there', async () => {
    const orphaned = await alter(good, `orphaned-${engine}`, (entries) =>
      entries.set('tables/avatars.jsonl', Buffer.from('{"userId":99,"contentType":"x","content":""}\n')),
    )
    const place = await newPlace(engine)
    const end = await command(['restore', orphaned], { ...place.environment, SECRET_KEY: secret })
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('Nothing was changed.')
    expect(await emailsIn(place)).toEqual([])
  })

  it('tries a job that had failed again, keeps one of two with a key, and says which it cannot take', async () => {
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
    const altered = await alter(good, `jobs-${engine}-5`, (entries) =>
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
    await addBulk(source, 60_000)
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
  const other = 'o'.repeat(40)

  it('comes with the backup where the instance keeps its own, also in place of another', async () => {
    const place = await newPlace('sqlite')
    await addUser('old@example.org', { DATA_DIR: place.dataDir })
    expect(readFileIn(place, 'secret.key')).not.toBe(`${secret}\n`)
    expect((await command(['restore', good, '--replace'], { DATA_DIR: place.dataDir })).code).toBe(0)
    expect(readFileIn(place, 'secret.key')).toBe(`${secret}\n`)
    expect(statSync(join(place.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  it('that is not the one in use stops it with a line that says what to set', async () => {
    const place = await newPlace('sqlite')
    const wrong = await command(['restore', good], { DATA_DIR: place.dataDir, SECRET_KEY: other })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain(
      `Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to what "unzip -p ${good} secret.key" prints.`,
    )
    const without = await alter(good, 'without', (entries) => entries.delete('secret.key'))
    const missing = await command(['restore', without], { DATA_DIR: place.dataDir })
    expect(missing.stderr).toContain('Set SECRET_KEY to the SECRET_KEY it was made with.')
    expect(namesIn(place)).toEqual([])
  })

  it('may be the previous one, or lie in DATA_DIR already', async () => {
    const rotated = await newPlace('sqlite')
    const keys = { SECRET_KEY: other, SECRET_KEY_PREVIOUS: secret }
    expect((await command(['restore', good], { DATA_DIR: rotated.dataDir, ...keys })).code).toBe(0)
    expect(readFileIn(rotated, 'secret.key')).toBeUndefined()
    const without = await alter(good, 'without-2', (entries) => entries.delete('secret.key'))
    const own = await newPlace('sqlite')
    writeFileIn(own, 'secret.key', `${secret}\n`)
    expect((await command(['restore', without], { DATA_DIR: own.dataDir })).code).toBe(0)
    expect(deriveKeys(secret).id).toBe(JSON.parse(String((await readZip(good)).get('manifest.json'))).keyId)
  })
})
