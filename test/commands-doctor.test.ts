import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migrate } from '../src/database/migrate.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { blobPath } from '../src/platform/blobs/file-blobs.ts'
import { deriveKeys } from '../src/platform/secrets/keys.ts'
import { type CommandOptions, command, commandProcess, type Ended } from './support/command-line.ts'
import { namesIn, openPlace, userRow, withDatabase, writeFileIn } from './support/copies.ts'
import { onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { register } from './support/people.ts'
import { makeScratch } from './support/scratch.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const { directory: scratch, newPlace } = makeScratch()

/** What it says of each subject, with its exit code. */
const read = ({ code, stdout, stderr }: Ended) => {
  const lines = stdout.trimEnd().split('\n')
  return {
    code,
    stderr,
    stdout,
    of: (what: string) => lines.filter((line) => line.slice(6).startsWith(`${what} `)),
  }
}
const examine = async (environment: Record<string, string>) =>
  read(await command(['doctor'], { PORT: '0', ...environment }))
/** In a process of its own, beside whatever else runs. */
const examineFromOutside = async (environment: Record<string, string>, options?: CommandOptions) =>
  read(await commandProcess(['doctor'], { PORT: '0', ...environment }, options))

describe('doctor', () => {
  it('finds nothing wrong with an instance that was never started, and makes nothing', async () => {
    const dataDir = join(scratch, 'never')
    const found = await examine({ DATA_DIR: dataDir })
    expect(found.code).toBe(0)
    expect(found.stdout).not.toContain('FAIL')
    expect(found.of('database')[0]).toMatch(/^ok {4}database {2}none yet/)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('names the setting that a name in .env was meant to be, and leaves names alone that are near none', async () => {
    const directory = join(scratch, 'misspelt')
    mkdirSync(directory)
    writeFileSync(
      join(directory, '.env'),
      'DATABSE_URL=postgres://x\nOPENAI_APIKEY=1\nUNRELATED_THING=1\nPORT=0\n',
    )
    const found = await examineFromOutside({ DATA_DIR: join(scratch, 'never') }, { directory })
    expect(found.code).toBe(0)
    expect(found.of('settings').slice(1)).toEqual([
      'warn  settings  DATABSE_URL in .env is not a setting; did you mean DATABASE_URL? → rename it to DATABASE_URL',
      'warn  settings  OPENAI_APIKEY in .env is not a setting; did you mean OPENAI_API_KEY? → rename it to OPENAI_API_KEY',
    ])
  })

  it('signs in at the server in SMTP_URL, and says what is wrong without the password', async () => {
    const smtp = await startScriptedSmtp()
    const settings = { DATA_DIR: join(scratch, 'never'), MAIL_FROM: 'desk@example.org' }
    const works = await examine({ ...settings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
    expect(works.of('own mail')).toEqual([
      `ok    own mail  127.0.0.1:${smtp.port} accepts mail from desk@example.org`,
    ])
    smtp.close()
    const broken = await examine({ ...settings, SMTP_URL: `smtp://ana:hunter2@127.0.0.1:${smtp.port}` })
    expect(broken.code).toBe(1)
    expect(broken.of('own mail')[0]).toMatch(
      /^FAIL {2}own mail {2}SMTP_URL does not work: 127\.0\.0\.1: connect/,
    )
    expect(broken.stdout).not.toContain('hunter2')
    expect((await examine(settings)).of('own mail')[0]).toContain('MAIL_FROM is set and not used')
  })

  it('fails on a setting that cannot be read, and says which', async () => {
    const found = await examine({ PORT: 'eighty' })
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^FAIL {2}settings {2}PORT must be a whole number .* → /)
    const directory = join(scratch, 'unreadable')
    mkdirSync(join(directory, '.env'), { recursive: true })
    const unreadable = await examineFromOutside({}, { directory })
    expect(unreadable.code).toBe(1)
    expect(unreadable.stderr).toContain('The settings in .env cannot be read.')
  })

  it('reads .env as editors write it, and says so where it is not text in UTF-8', async () => {
    const written = async (name: string, bytes: Buffer) => {
      const directory = join(scratch, name)
      mkdirSync(directory)
      writeFileSync(join(directory, '.env'), bytes)
      return examineFromOutside({ DATA_DIR: join(scratch, 'never') }, { directory })
    }
    const marked = await written('marked', Buffer.from('\ufeffRATE_LIMIT=ten\r\n'))
    expect(marked.of('settings')[0]).toMatch(
      /^FAIL {2}settings {2}RATE_LIMIT must be a whole number .* not "ten"/,
    )
    const wide = Buffer.from('\ufeffRATE_LIMIT=5\r\n', 'utf16le')
    const others = {
      wide,
      unmarked: wide.subarray(2),
      western: Buffer.from('RATE_LIMIT=5 # f\xfcnf', 'latin1'),
    }
    for (const [name, bytes] of Object.entries(others)) {
      const { code, stderr } = await written(name, bytes)
      expect(code).toBe(1)
      expect(stderr).toBe(
        'factotum: The settings in .env cannot be read. It is not text in UTF-8: save it as such.\n',
      )
    }
  })

  it('fails on a database that is damaged or no database', async () => {
    const place = await newPlace('sqlite')
    await withDatabase(place, async (db) => {
      await sql`create table large as with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
        select i, hex(randomblob(50)) as text from n`.execute(db)
      await sql`create index large_text on large (text)`.execute(db)
    })
    const file = join(place.dataDir, 'factotum.db')
    const bytes = readFileSync(file)
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000)
    writeFileSync(file, bytes)
    const damaged = await examine(place.environment)
    expect(damaged.code).toBe(1)
    expect(damaged.of('database')[0]).toMatch(/^FAIL .*→ .*restore the last backup/)
    writeFileSync(file, 'this is not a database, although it has its name and is long enough to be looked at')
    const none = await examine(place.environment)
    expect(none.code).toBe(1)
    expect(none.of('database')[0]).toMatch(/^FAIL .*file is not a database/)
  })

  it('fails on attachments whose bytes are missing or are not theirs', async () => {
    const place = await newPlace('sqlite')
    const instance = await startInstance({ place })
    for (const text of ['one', 'two', 'three'])
      await instance.call('POST', '/api/emails', {
        body: `Subject: ${text}\n\n${text}`,
        headers: { 'content-type': 'message/rfc822' },
      })
    const blobs = await instance.database.db.selectFrom('blobs').select('hash').orderBy('hash').execute()
    await instance.close()
    expect((await examine(place.environment)).of('blobs')).toEqual(['ok    blobs     3 kept, all there'])
    const [gone, spoilt] = blobs.map(({ hash }) => join(place.dataDir, 'blobs', blobPath(hash)))
    rmSync(gone as string)
    writeFileSync(spoilt as string, 'something else')
    const found = await examine(place.environment)
    expect(found.code).toBe(1)
    expect(found.of('blobs')).toEqual([
      expect.stringMatching(/^FAIL .*1 of 3 missing, the first is [0-9a-f]{64} → restore it from a backup/),
      expect.stringMatching(/^FAIL .*1 of 3 damaged/),
    ])
  })

  it('warns when others may read the data or the secret', async () => {
    const place = await newPlace('sqlite')
    writeFileIn(place, 'secret.key', `${'k'.repeat(43)}\n`)
    chmodSync(place.dataDir, 0o755)
    chmodSync(join(place.dataDir, 'secret.key'), 0o644)
    const { dataDir } = place
    const open = await examine({ DATA_DIR: dataDir })
    expect(open.code).toBe(0)
    expect(open.of('data')).toEqual([
      `warn  data      ${dataDir} is open to other users → chmod 700 ${dataDir}`,
      `warn  data      ${dataDir}/secret.key is open to other users → chmod 600 ${dataDir}/secret.key`,
    ])
    chmodSync(dataDir, 0o700)
    chmodSync(join(dataDir, 'secret.key'), 0o600)
    expect((await examine({ DATA_DIR: dataDir })).of('data')).toEqual([
      `ok    data      ${dataDir} is open to its owner alone`,
    ])
    expect(namesIn(place)).toEqual(['secret.key'])
  })

  it('warns when access is open to an address that others reach', async () => {
    const environment = { DATA_DIR: join(scratch, 'never'), HOST: '0.0.0.0' }
    expect((await examine({ ...environment, ACCESS: 'open' })).of('access')[0]).toMatch(
      /^warn .*ACCESS=private/,
    )
    expect((await examine(environment)).of('access')[0]).toMatch(/^ok .*private/)
  })

  it('tells a Factotum on its port from a stranger', async () => {
    const instance = await startInstance()
    const { port } = new URL(instance.url)
    const running = await examine({ DATA_DIR: join(scratch, 'never'), PORT: port })
    expect(running.of('port')).toEqual([`ok    port      Factotum 0.0.0-test answers on ${port}`])
    await instance.close()
    expect((await examine({ DATA_DIR: join(scratch, 'never'), PORT: port })).of('port')).toEqual([
      `ok    port      ${port} is free`,
    ])
    // It takes connections and never says a word.
    const stranger = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const taken = String((stranger.address() as AddressInfo).port)
    const used = await examine({ DATA_DIR: join(scratch, 'never'), PORT: taken })
    expect(used.code).toBe(1)
    expect(used.of('port')[0]).toMatch(/^FAIL .*used by something else/)
    stranger.close()
  })

  it('lists the providers that are ready without a word of their keys', async () => {
    const keys = { OPENAI_API_KEY: 'sk-very-secret', STRIPE_SECRET_KEY: 'sk-very-secret' }
    const found = await examine({ DATA_DIR: join(scratch, 'never'), ...keys })
    expect(found.of('AI')).toEqual(['ok    AI        ready: openai (not called)'])
    expect(found.of('payments')[0]).toMatch(/^warn .* set STRIPE_WEBHOOK_SECRET$/)
    expect(found.stdout).not.toContain('sk-very-secret')
  })

  it('fails on a server that does not answer, without its password', async () => {
    const found = await examine({
      DATA_DIR: join(scratch, 'never'),
      DATABASE_URL: 'postgres://someone:hidden-word@127.0.0.1:1/none',
      SECRET_KEY: 'k'.repeat(32),
    })
    expect(found.code).toBe(1)
    expect(found.of('database')[0]).toMatch(/^FAIL .*ECONNREFUSED.* → see that the server runs/)
    expect(found.stdout).not.toContain('hidden-word')
  })
})

onEveryDatabase('doctor', (engine) => {
  it('tells a key that was lost from a log that was changed, and knows keys that people gave', async () => {
    const instance = await startInstance({ engine })
    await register(instance)
    await instance.post('/api/api-keys', {
      ...{ provider: 'openai-compatible', key: 'sk-very-secret', baseUrl: 'http://127.0.0.1:1' },
    })
    await instance.app.rooms.activityLog.seal()
    const lost = { ...instance.place.environment, SECRET_KEY: 'a key that never sealed anything here' }
    const found = await examine(lost)
    expect(found.of('activity')[0]).toMatch(/^FAIL .*another SECRET_KEY → set SECRET_KEY_PREVIOUS/)
    expect(found.of('AI')).toEqual(['ok    AI        ready: openai-compatible (not called)'])
    await instance.close()
  })

  it('finds a healthy instance healthy, also while it runs', async () => {
    const instance = await startInstance({ engine })
    const found = await examineFromOutside(instance.place.environment)
    expect(found.code).toBe(0)
    expect(found.stdout).not.toContain('FAIL')
    expect(found.of('database')[0]).toContain(engine === 'sqlite' ? 'SQLite, whole' : 'PostgreSQL')
    expect(found.of('database')[1]).toMatch(/^ok .*migrated to/)
    expect(found.of('clock').map((line) => line.slice(0, 2))).toEqual(
      engine === 'sqlite' ? ['ok'] : ['ok', 'ok'],
    )
    expect(found.of('jobs')).toEqual(['ok    jobs      none has failed for good'])
    await instance.close()
  })

  it('warns of a database that is behind and fails on one that is ahead', async () => {
    const place = await newPlace(engine)
    const database = await openPlace(place)
    await migrate(database, '0002-frame')
    await database.close()
    const behind = await examine(place.environment)
    expect(behind.code).toBe(0)
    expect(behind.of('database')[1]).toMatch(/^warn .*at 0002-frame, behind .*factotum migrate/)
    await withDatabase(place, async (db) => {
      await sql`insert into migrations (name, timestamp) values ('9999-future', '2099-01-01T00:00:00.000Z')`.execute(
        db,
      )
    })
    const ahead = await examine(place.environment)
    expect(ahead.code).toBe(1)
    expect(ahead.of('database')[1]).toMatch(/^FAIL .*9999-future.*upgrade/)
    const other = await command(['migrate'], place.environment)
    expect(other.stderr).toContain(
      'migrated by a newer version of Factotum (9999-future): upgrade this one, or restore',
    )
  })

  it('tells which keys the sealed secrets still need', async () => {
    const place = await newPlace(engine)
    const previous = 'p'.repeat(40)
    const seal = (key: string) => `s1.${deriveKeys(key).id}.AAAA`
    const own = place.environment.SECRET_KEY as string
    await withDatabase(place, (db) =>
      db
        .insertInto('users')
        .values([
          { ...userRow('a'), twoFactorSecret: seal(own) },
          { ...userRow('b'), twoFactorSecret: seal(previous) },
        ])
        .execute(),
    )
    const lost = await examine(place.environment)
    expect(lost.code).toBe(1)
    expect(lost.of('secret')[1]).toMatch(/^FAIL .*1 sealed with another key .*SECRET_KEY_PREVIOUS/)
    const rotating = await examine({ ...place.environment, SECRET_KEY_PREVIOUS: previous })
    expect(rotating.code).toBe(0)
    expect(rotating.of('secret')[1]).toMatch(/^warn .*still needed, for 1 sealed/)
    await withDatabase(place, (db) =>
      db
        .updateTable('users')
        .set({ twoFactorSecret: seal(own) })
        .where('email', '=', 'b@example.org')
        .execute(),
    )
    const rotated = await examine({ ...place.environment, SECRET_KEY_PREVIOUS: previous })
    expect(rotated.of('secret')[1]).toBe('ok    secret    SECRET_KEY_PREVIOUS is needed no more and may go')
    if (engine === 'sqlite') {
      const gone = await examine({ DATA_DIR: place.dataDir })
      expect(gone.code).toBe(1)
      expect(gone.of('secret')[0]).toMatch(/^FAIL .*secret.key is gone/)
    }
  })

  it('counts and names the jobs that failed for good', async () => {
    const { app, database, place, close } = await startInstance({ engine })
    await inTransaction(database.db, (tx) => app.jobs.enqueue(tx, 'housekeeping', {}))
    await (engine === 'sqlite'
      ? sql`update jobs set state = 'parked', "dueAt" = null, error = 'no luck'`
      : sql`update pgboss.job set state = 'failed', output = '{"error":"no luck"}'`
    ).execute(database.db)
    const found = await examine(place.environment)
    expect(found.code).toBe(0)
    expect(found.of('jobs')[0]).toMatch(/^warn .*1 failed for good: housekeeping\. The last said: no luck/)
    await close()
  })

  it('warns when the last change lies ahead of the clock', async () => {
    const place = await newPlace(engine)
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await withDatabase(place, (db) =>
      db.insertInto('changes').values({ type: 'x', subject: '1', data: '{}', at }).execute(),
    )
    const { of } = await examine(place.environment)
    expect(of('clock').at(-1)).toMatch(/^warn .*the clock was set back/)
  })
})
