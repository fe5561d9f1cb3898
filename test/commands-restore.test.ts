import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createStaging } from '../src/commands/restore-staging.ts'
import { readMigrationState, releases } from '../src/database/migrate.ts'
import { backupsKeys } from '../src/database/tables/backups.ts'
import { systemRandom } from '../src/platform/random.ts'
import { deriveKeys } from '../src/platform/secrets/seal.ts'
import { beginCommand, command } from './support/command-line.ts'
import { addBulk, namesIn, openPlace, readFileIn, writeFileIn } from './support/copies.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { openEventStream, type ReceivedEvent } from './support/event-stream.ts'
import { addUser, changeManifest, emailsIn, insertUser, makeGoodBackup } from './support/good-backup.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { scaled } from './support/scale.ts'
import { makeScratch } from './support/scratch.ts'
import { type Entries, readZip } from './support/zips.ts'

const scratch = makeScratch()
const backup = makeGoodBackup(scratch)

/** Large enough to interrupt its restore. */
const bulky = { file: join(scratch.directory, 'bulky.zip'), secret: '' }
beforeAll(async () => {
  const source = await scratch.newPlace('sqlite', 'prepared')
  await insertUser('source@example.org', source)
  await addBulk(source, scaled({ full: 60_000, short: 30_000 }))
  await command(['backup', bulky.file], source.environment)
  bulky.secret = source.environment.SECRET_KEY as string
})

onEveryDatabase('restore', (engine) => {
  it('rejects an instance with accounts; with --replace the backup replaces it completely', async () => {
    const place = await scratch.newPlace(engine, 'prepared')
    const environment = { ...place.environment, SECRET_KEY: backup.secret() }
    await insertUser('old@example.org', place)
    writeFileIn(place, 'pictures/b', 'old')
    writeFileIn(place, 'other', 'stays: nothing in the backup has its name')
    const refused = await command(['restore', backup.file], environment)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('This instance has accounts. Add --replace')
    expect(await emailsIn(place)).toEqual(['old@example.org'])

    expect(await command(['restore', backup.file, '--replace'], environment)).toMatchObject({ code: 0 })
    expect(await emailsIn(place)).toEqual(['good@example.org'])
    expect(readFileIn(place, 'pictures/a')).toBe('good')
    expect(readFileIn(place, 'pictures/b')).toBeUndefined()
    expect(readFileIn(place, 'other')).toContain('stays')
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toEqual([])
  })

  it('accepts a backup of an older version and migrates it', async () => {
    const older = await backup.alter(`older-${engine}`, (entries) => {
      changeManifest({ migration: releases['0.2.0'] })(entries)
      for (const table of [...Object.keys(backupsKeys), ...NEW_TABLES])
        entries.delete(`tables/${table}.jsonl`)
      dropColumn(entries, 'calendars', 'notifications')
      dropColumn(entries, 'users', 'conferencingLink')
      dropColumn(entries, 'events', 'bufferBefore')
      dropColumn(entries, 'events', 'bufferAfter')
    })
    const place = await scratch.newPlace(engine, 'prepared')
    const environment = { ...place.environment, SECRET_KEY: backup.secret() }
    await insertUser('newer@example.org', place)
    const done = await command(['restore', older, '--replace'], environment)
    expect(done.code === 0 ? '' : done.stderr).toBe('')
    expect(await emailsIn(place)).toEqual(['good@example.org'])
    const database = await openPlace(place)
    expect((await readMigrationState(database)).pending).toEqual([])
    await database.close()
  })

  it('rejects rows with missing references', async () => {
    const orphaned = await backup.alter(`orphaned-${engine}`, (entries) =>
      entries.set('tables/avatars.jsonl', Buffer.from('{"userId":99,"contentType":"x","content":""}\n')),
    )
    const place = await scratch.newPlace(engine, 'prepared')
    const end = await command(['restore', orphaned], { ...place.environment, SECRET_KEY: backup.secret() })
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('Nothing was changed.')
    expect(await emailsIn(place)).toEqual([])
  })

  it('retries a failed job, keeps one of two with the same key, and reports rejected jobs', async () => {
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
    const altered = await backup.alter(`jobs-${engine}-5`, (entries) =>
      entries.set('jobs.jsonl', Buffer.from(jobs.map((line) => `${JSON.stringify(line)}\n`).join(''))),
    )
    const place = await scratch.newPlace(engine, 'prepared')
    const end = await command(['restore', altered], { ...place.environment, SECRET_KEY: backup.secret() })
    expect(end.code).toBe(0)
    expect(end.stderr).toContain('skipped: a job no-such-job.')
    expect(end.stderr).toMatch(/^jobs +3, of which 1 had failed and will be retried$/m)
    const { app, close } = await startInstance({ engine, place })
    const dumped = await Array.fromAsync(app.jobs.dump())
    expect(dumped.map(({ state, key, runAt }) => [state, key, runAt]).sort()).toEqual([
      ['waiting', null, job.runAt],
      ['waiting', null, job.runAt],
      ['waiting', 'one', job.runAt],
    ])
    await close()
  })

  it('leaves the existing data if it is killed', async () => {
    const { file, secret } = bulky
    const place = await scratch.newPlace(engine, 'prepared')
    const environment = { ...place.environment, SECRET_KEY: secret }
    await insertUser('old@example.org', place)
    const running = beginCommand(['restore', file, '--replace'], environment)
    await running.printed('users ')
    running.child.kill('SIGKILL')
    expect((await running.ended).code).toBe('SIGKILL')
    expect(await emailsIn(place)).toEqual(['old@example.org'])
    const stopped = beginCommand(['restore', file, '--replace'], environment)
    await stopped.printed('users ')
    stopped.child.kill('SIGTERM')
    expect((await stopped.ended).code).toBe(1)
    expect(await emailsIn(place)).toEqual(['old@example.org'])
    // A killed restore cannot clean up. Doctor reports it, and it does not block the next restore.
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toHaveLength(1)
    expect((await command(['doctor'], { PORT: '0', ...environment })).stdout).toContain(
      'left by an unfinished restore',
    )
    expect((await command(['restore', file, '--replace'], environment)).code).toBe(0)
    expect(await emailsIn(place)).toEqual(['source@example.org', 'bulk@example.org'])
  })

  it('is completed by the next process that opens the database, if it is killed after the commit', async () => {
    const place = await scratch.newPlace(engine, 'prepared')
    await insertUser('ana@example.org', place)
    writeFileIn(place, 'pictures/a', 'old')
    writeFileIn(place, 'secret.key', 'the old secret\n')
    const database = await openPlace(place)
    const { since } = await readMigrationState(database)
    await database.close()
    const leave = async (mark: string, text: string): Promise<string> => {
      const staging = createStaging(place.dataDir, systemRandom)
      await staging.addSecret(`${text} secret`)
      await staging.addFile(
        'pictures/a',
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
    expect(readFileIn(place, 'pictures/a')).toBe('new')
    expect(readFileIn(place, 'secret.key')).toBe('new secret\n')
    expect(namesIn(place).filter((name) => name.startsWith('restoring-'))).toEqual([undone.split('/').at(-1)])
  })
})

onOneDatabase('postgres', 'a restore', (engine) => {
  it('invalidates versions and change positions from after the backup', async () => {
    const place = await scratch.newPlace(engine, 'prepared')
    const environment = { ...place.environment, SECRET_KEY: backup.secret() }
    const file = join(scratch.directory, `earlier-${engine}.zip`)
    const during = async <T>(work: (instance: Instance) => Promise<T>): Promise<T> => {
      const instance = await startInstance({ engine, place, environment })
      try {
        return await work(instance)
      } finally {
        await instance.close()
      }
    }
    const rename = ({ call }: Instance, path: string, title: string, headers = {}) =>
      call('PATCH', path, { body: { title }, headers })
    /** Changes the task with a live listener. */
    const live = async (instance: Instance, path: string, title: string) => {
      const stream = await openEventStream(instance.url, '/api/events')
      const { headers } = await rename(instance, path, title)
      await stream.until(1)
      await stream.leave()
      return { etag: headers.get('etag') as string, lastEventId: stream.lastId() }
    }
    const comeBack = async ({ url }: Instance, lastEventId: string) => {
      const stream = await openEventStream(url, '/api/events', { lastEventId })
      const [{ event }] = (await stream.until(1)) as [ReceivedEvent]
      await stream.leave()
      return event
    }

    const path = await during(
      async ({ post }) => `/api/tasks/${(await post('/api/tasks', { title: 'Rent' })).body.id}`,
    )
    expect(await command(['backup', file], environment)).toMatchObject({ code: 0 })
    const before = [await during((instance) => live(instance, path, 'Rent, lost'))]
    for (const title of ['Rent, again', 'Rent, once more']) {
      expect(await command(['restore', file, '--replace'], environment)).toMatchObject({ code: 0 })
      await during(async (instance) => {
        const now = await live(instance, path, title)
        for (const { etag, lastEventId } of before) {
          const read = await instance.get(path, { headers: { 'if-none-match': etag } })
          expect([read.status, read.body.title, read.headers.get('etag')]).toEqual([200, title, now.etag])
          expect((await rename(instance, path, 'Gone', { 'if-match': etag })).status).toBe(412)
          expect(await comeBack(instance, lastEventId)).toBe('reset')
        }
        const known = { headers: { 'if-none-match': `"other", ${now.etag}` } }
        expect((await instance.get(path, known)).status).toBe(304)
        expect((await rename(instance, path, title, { 'if-match': now.etag })).status).toBe(200)
        await rename(instance, path, `${title}!`)
        expect(await comeBack(instance, now.lastEventId)).toBe('task.updated')
        before.push(now)
      })
    }
  })
})

/** Removes a column that the older version does not have. */
const dropColumn = (entries: Entries, table: string, column: string): void => {
  const name = `tables/${table}.jsonl`
  const rows = String(entries.get(name))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify({ ...JSON.parse(line), [column]: undefined }))
  entries.set(name, Buffer.from(rows.map((row) => `${row}\n`).join('')))
}

/** The tables that 0.2.0 did not have. */
const NEW_TABLES = [
  'email_folders',
  'action_subjects',
  'reservations',
  'reservation_mails',
  'task_sections',
  'task_comments',
  'time_entries',
  'calendar_mirrors',
  'task_filters',
  'task_templates',
  'app_passwords',
  'dav_collections',
  'dav_resources',
]

describe('the key of a restore', () => {
  const other = 'o'.repeat(40)

  it('comes with the backup if the instance has its own, also in place of another', async () => {
    const place = await scratch.newPlace('sqlite', 'prepared')
    await addUser('old@example.org', { DATA_DIR: place.dataDir })
    expect(readFileIn(place, 'secret.key')).not.toBe(`${backup.secret()}\n`)
    expect((await command(['restore', backup.file, '--replace'], { DATA_DIR: place.dataDir })).code).toBe(0)
    expect(readFileIn(place, 'secret.key')).toBe(`${backup.secret()}\n`)
    expect(statSync(join(place.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  it('stops it with a line that says what to set, if it is not the key in use', async () => {
    const place = await scratch.newPlace('sqlite')
    const wrong = await command(['restore', backup.file], { DATA_DIR: place.dataDir, SECRET_KEY: other })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain(
      `Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to what "unzip -p ${backup.file} secret.key" prints.`,
    )
    const without = await backup.alter('without', (entries) => entries.delete('secret.key'))
    const missing = await command(['restore', without], { DATA_DIR: place.dataDir })
    expect(missing.stderr).toContain('Set SECRET_KEY to the SECRET_KEY it was made with.')
    expect(namesIn(place)).toEqual([])
  })

  it('may be the previous one, or already be in DATA_DIR', async () => {
    const rotated = await scratch.newPlace('sqlite')
    const keys = { SECRET_KEY: other, SECRET_KEY_PREVIOUS: backup.secret() }
    expect((await command(['restore', backup.file], { DATA_DIR: rotated.dataDir, ...keys })).code).toBe(0)
    expect(readFileIn(rotated, 'secret.key')).toBeUndefined()
    const without = await backup.alter('without-2', (entries) => entries.delete('secret.key'))
    const own = await scratch.newPlace('sqlite')
    writeFileIn(own, 'secret.key', `${backup.secret()}\n`)
    expect((await command(['restore', without], { DATA_DIR: own.dataDir })).code).toBe(0)
    expect(deriveKeys(backup.secret()).id).toBe(
      JSON.parse(String((await readZip(backup.file)).get('manifest.json'))).keyId,
    )
  })
})
