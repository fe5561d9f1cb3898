import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migrate } from '../src/database/migrate.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { blobPath } from '../src/platform/blobs/storage.ts'
import { deriveKeys } from '../src/platform/secrets/seal.ts'
import { type CommandOptions, command, commandProcess, type Ended } from './support/command-line.ts'
import { namesIn, openPlace, userRow, withDatabase, writeFileIn } from './support/copies.ts'
import { onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { makeScratch } from './support/scratch.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const { directory: scratch, newPlace } = makeScratch()

/** Parses the findings by subject, with the exit code. */
const read = ({ code, stdout, stderr }: Ended) => {
  const lines = stdout.trimEnd().split('\n')
  return {
    code,
    stderr,
    stdout,
    of: (what: string) => lines.filter((line) => line.slice(6).startsWith(`${what} `)),
  }
}
const runDoctor = async (environment: Record<string, string>) =>
  read(await command(['doctor'], { PORT: '0', ...environment }))
/** Runs doctor in a separate process, beside other work. */
const runDoctorProcess = async (environment: Record<string, string>, options?: CommandOptions) =>
  read(await commandProcess(['doctor'], { PORT: '0', ...environment }, options))

describe('doctor', () => {
  it('reports no problem for an instance that was never started, and creates nothing', async () => {
    const dataDir = join(scratch, 'never')
    const found = await runDoctor({ DATA_DIR: dataDir })
    expect(found.code).toBe(0)
    expect(found.stdout).not.toContain('FAIL')
    expect(found.of('database')[0]).toMatch(/^ok {4}database {2}none yet/)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('prints JSON for programs, with the same exit code', async () => {
    const settings = { DATA_DIR: join(scratch, 'never'), PORT: '0' }
    const { code, stdout } = await command(['doctor', '--json'], settings)
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(report.ok).toBe(true)
    expect(report.findings).toContainEqual({
      level: 'ok',
      what: 'database',
      detail: expect.stringContaining('none yet'),
      remedy: null,
    })
    const broken = await command(['doctor', '--json'], { ...settings, PORT: 'http' })
    expect(broken.code).toBe(1)
    expect(JSON.parse(broken.stdout)).toMatchObject({
      ok: false,
      findings: [{ level: 'fail', what: 'settings', remedy: expect.any(String) }],
    })
  })

  it('opens PUBLIC_URL, and says whether the proxy is trusted', async () => {
    const instance = await startInstance({ environment: { TRUST_PROXY: '127.0.0.1' } })
    const settings = { DATA_DIR: join(scratch, 'never'), TRUST_PROXY: '127.0.0.1' }
    const reached = await runDoctor({ ...settings, PUBLIC_URL: instance.url })
    expect(reached.of('address')).toEqual([`ok    address   ${instance.url} reaches Factotum 0.0.0-test`])
    const untrusting = await startInstance({ environment: { ACCESS: 'private' } })
    const ignored = await runDoctor({ ...settings, PUBLIC_URL: untrusting.url })
    expect(ignored.of('address')[1]).toMatch(
      /^warn {2}address {3}the proxy is not one that TRUST_PROXY names/,
    )
    await instance.close()
    await untrusting.close()
    const gone = await runDoctor({
      DATA_DIR: settings.DATA_DIR,
      PUBLIC_URL: `https://127.0.0.1:${new URL(instance.url).port}`,
    })
    expect(gone.code).toBe(0)
    expect(gone.of('address').join()).toMatch(
      /does not answer from this machine \(ECONNREFUSED\).*TRUST_PROXY is not set/,
    )
    const [zone] = gone.of('timezone')
    expect(zone).toMatch(/^ok {4}timezone {2}\S+ \(of the system\)$/)
  })

  it('names the methods and addresses of calendar apps that the proxy does not pass', async () => {
    const instance = await startInstance({ environment: { ACCESS: 'private' } })
    const proxy = createHttpServer((request, response) => {
      const { method = 'GET', url = '/', headers } = request
      if (method === 'PROPFIND' || url.startsWith('/.well-known/')) return void response.writeHead(405).end()
      request.pipe(
        httpRequest(`${instance.url}${url}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        }),
      )
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const found = await runDoctor({ DATA_DIR: join(scratch, 'never'), PUBLIC_URL: publicUrl })
    expect(found.of('DAV')).toEqual([
      'warn  DAV       the proxy does not pass PROPFIND → allow these methods in the proxy',
      'warn  DAV       /.well-known/caldav and /.well-known/carddav do not lead to Factotum → forward /.well-known in the proxy',
    ])
    proxy.close()
    await instance.close()
  })

  it('warns if apps connect while access is open to a network', async () => {
    const place = await newPlace('sqlite')
    const instance = await startInstance({ place })
    const { token } = await register(instance)
    const access = { calendars: 'read', tasks: 'none', contacts: 'none' }
    await instance.post(
      '/api/settings/app-passwords',
      { password: PASSWORD, name: 'Phone', access },
      { token },
    )
    await instance.close()
    const warnings = async (environment: Record<string, string>) =>
      (await runDoctor({ ...place.environment, HOST: '0.0.0.0', ...environment })).of('DAV')
    expect(await warnings({ ACCESS: 'open' })).toEqual([
      'warn  DAV       apps connect with app passwords, but ACCESS=open gives everyone in the network all data without one → set ACCESS=private',
    ])
    expect(await warnings({ ACCESS: 'private' })).toEqual([])
  })

  it('suggests the setting for a misspelled name in .env, and ignores other names', async () => {
    const directory = join(scratch, 'misspelt')
    mkdirSync(directory)
    writeFileSync(
      join(directory, '.env'),
      'DATABSE_URL=postgres://x\nOPENAI_APIKEY=1\nUNRELATED_THING=1\nPORT=0\n',
    )
    const found = await runDoctorProcess({ DATA_DIR: join(scratch, 'never') }, { directory })
    expect(found.code).toBe(0)
    expect(found.of('settings').slice(1)).toEqual([
      'warn  settings  DATABSE_URL in .env is not a setting; did you mean DATABASE_URL? → rename it to DATABASE_URL',
      'warn  settings  OPENAI_APIKEY in .env is not a setting; did you mean OPENAI_API_KEY? → rename it to OPENAI_API_KEY',
    ])
  })

  it('signs in to the server in SMTP_URL, and reports problems without the password', async () => {
    const smtp = await startScriptedSmtp()
    const settings = { DATA_DIR: join(scratch, 'never'), MAIL_FROM: 'desk@example.org' }
    const works = await runDoctor({ ...settings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
    expect(works.of('SMTP')).toEqual([
      `ok    SMTP      127.0.0.1:${smtp.port} accepts mail from desk@example.org`,
    ])
    smtp.close()
    const broken = await runDoctor({ ...settings, SMTP_URL: `smtp://ana:hunter2@127.0.0.1:${smtp.port}` })
    expect(broken.code).toBe(1)
    expect(broken.of('SMTP')[0]).toMatch(/^FAIL {2}SMTP {6}SMTP_URL does not work: 127\.0\.0\.1: connect/)
    expect(broken.stdout).not.toContain('hunter2')
    expect((await runDoctor(settings)).of('SMTP')[0]).toContain('MAIL_FROM is set but not used')
  })

  it('fails on an invalid setting, and names it', async () => {
    const found = await runDoctor({ PORT: 'eighty' })
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^FAIL {2}settings {2}PORT must be a whole number .* → /)
    const directory = join(scratch, 'unreadable')
    mkdirSync(join(directory, '.env'), { recursive: true })
    const unreadable = await runDoctorProcess({}, { directory })
    expect(unreadable.code).toBe(1)
    expect(unreadable.stderr).toContain('The settings in .env cannot be read.')
  })

  it('reads .env with a BOM, and reports a file that is not UTF-8', async () => {
    const written = async (name: string, bytes: Buffer) => {
      const directory = join(scratch, name)
      mkdirSync(directory)
      writeFileSync(join(directory, '.env'), bytes)
      return runDoctorProcess({ DATA_DIR: join(scratch, 'never') }, { directory })
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
        'factotum: The settings in .env cannot be read. It is not UTF-8 text: save it as UTF-8.\n',
      )
    }
  })

  it('fails on a file that is damaged or not a database', async () => {
    const place = await newPlace('sqlite', 'prepared')
    await withDatabase(place, async (db) => {
      await sql`create table large as with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
        select i, hex(randomblob(50)) as text from n`.execute(db)
      await sql`create index large_text on large (text)`.execute(db)
    })
    const file = join(place.dataDir, 'factotum.db')
    const bytes = readFileSync(file)
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000)
    writeFileSync(file, bytes)
    const damaged = await runDoctor(place.environment)
    expect(damaged.code).toBe(1)
    expect(damaged.of('database')[0]).toMatch(/^FAIL .*→ .*restore the last backup/)
    writeFileSync(file, 'this is not a database, although it has its name and is long enough to be looked at')
    const none = await runDoctor(place.environment)
    expect(none.code).toBe(1)
    expect(none.of('database')[0]).toMatch(/^FAIL .*file is not a database/)
  })

  it('fails on attachments whose bytes are missing or wrong', async () => {
    const place = await newPlace('sqlite', 'prepared')
    const instance = await startInstance({ place })
    for (const text of ['one', 'two', 'three'])
      await instance.call('POST', '/api/emails', {
        body: `Subject: ${text}\n\n${text}`,
        headers: { 'content-type': 'message/rfc822' },
      })
    const blobs = await instance.database.db.selectFrom('blobs').select('hash').orderBy('hash').execute()
    await instance.close()
    expect((await runDoctor(place.environment)).of('blobs')).toEqual([
      'ok    blobs     3 stored, none missing',
    ])
    const [gone, spoilt] = blobs.map(({ hash }) => join(place.dataDir, 'blobs', blobPath(hash)))
    rmSync(gone as string)
    writeFileSync(spoilt as string, 'something else')
    const found = await runDoctor(place.environment)
    expect(found.code).toBe(1)
    expect(found.of('blobs')).toEqual([
      expect.stringMatching(/^FAIL .*1 of 3 missing, the first is [0-9a-f]{64} → restore it from a backup/),
      expect.stringMatching(/^FAIL .*1 of 3 damaged/),
    ])
  })

  it('warns if others can read the data or the secret', async () => {
    const place = await newPlace('sqlite')
    writeFileIn(place, 'secret.key', `${'k'.repeat(43)}\n`)
    chmodSync(place.dataDir, 0o755)
    chmodSync(join(place.dataDir, 'secret.key'), 0o644)
    const { dataDir } = place
    const open = await runDoctor({ DATA_DIR: dataDir })
    expect(open.code).toBe(0)
    expect(open.of('data')).toEqual([
      `warn  data      other users can read ${dataDir} → chmod 700 ${dataDir}`,
      `warn  data      other users can read ${dataDir}/secret.key → chmod 600 ${dataDir}/secret.key`,
    ])
    chmodSync(dataDir, 0o700)
    chmodSync(join(dataDir, 'secret.key'), 0o600)
    expect((await runDoctor({ DATA_DIR: dataDir })).of('data')).toEqual([
      `ok    data      only its owner can read ${dataDir}`,
    ])
    expect(namesIn(place)).toEqual(['secret.key'])
  })

  it('warns if open access listens on an address that others can reach', async () => {
    const environment = { DATA_DIR: join(scratch, 'never'), HOST: '0.0.0.0' }
    expect((await runDoctor({ ...environment, ACCESS: 'open' })).of('access')[0]).toMatch(
      /^warn .*ACCESS=private/,
    )
    expect((await runDoctor(environment)).of('access')[0]).toMatch(/^ok .*private/)
  })

  it('distinguishes a Factotum on its port from another program', async () => {
    const instance = await startInstance()
    const { port } = new URL(instance.url)
    const running = await runDoctor({ DATA_DIR: join(scratch, 'never'), PORT: port })
    expect(running.of('port')).toEqual([`ok    port      Factotum 0.0.0-test answers on ${port}`])
    // A busy server answers after some seconds.
    const busy = createServer((socket) => {
      const server = connect(Number(port), '127.0.0.1')
      for (const end of [socket, server]) end.on('error', () => {})
      socket.pipe(server)
      setTimeout(() => server.pipe(socket), 6_000)
    }).listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const busyPort = String((busy.address() as AddressInfo).port)
    const late = await runDoctor({ DATA_DIR: join(scratch, 'never'), PORT: busyPort })
    expect(late.of('port')).toEqual([`ok    port      Factotum 0.0.0-test answers on ${busyPort}`])
    busy.close()
    await instance.close()
    expect((await runDoctor({ DATA_DIR: join(scratch, 'never'), PORT: port })).of('port')).toEqual([
      `ok    port      ${port} is free`,
    ])
    // Another program.
    const stranger = createServer((socket) => {
      socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi')
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const taken = String((stranger.address() as AddressInfo).port)
    const used = await runDoctor({ DATA_DIR: join(scratch, 'never'), PORT: taken })
    expect(used.code).toBe(1)
    expect(used.of('port')[0]).toMatch(/^FAIL .*used by another program/)
    stranger.close()
    // Accepts connections and never answers.
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port: silentPort } = silent.address() as AddressInfo
    const stuck = await runDoctor({ DATA_DIR: join(scratch, 'never'), PORT: String(silentPort) })
    expect(stuck.of('port')[0]).toMatch(/^warn .*did not answer in 20 seconds/)
    silent.close()
  })

  it('lists the configured providers without their keys', async () => {
    const keys = { OPENAI_API_KEY: 'sk-very-secret', STRIPE_SECRET_KEY: 'sk-very-secret' }
    const found = await runDoctor({ DATA_DIR: join(scratch, 'never'), ...keys })
    expect(found.of('AI')).toEqual(['ok    AI        ready: openai (not called)'])
    expect(found.of('payments')[0]).toMatch(/^warn .* set STRIPE_WEBHOOK_SECRET$/)
    expect(found.stdout).not.toContain('sk-very-secret')
  })

  it('fails on a server that does not answer, without its password', async () => {
    const found = await runDoctor({
      DATA_DIR: join(scratch, 'never'),
      DATABASE_URL: 'postgres://someone:hidden-word@127.0.0.1:1/none',
      SECRET_KEY: 'k'.repeat(32),
    })
    expect(found.code).toBe(1)
    expect(found.of('database')[0]).toMatch(/^FAIL .*ECONNREFUSED.* → check that the server runs/)
    expect(found.stdout).not.toContain('hidden-word')
  })
})

onEveryDatabase('doctor', (engine) => {
  it('distinguishes a lost key from a changed log, and finds keys that users entered', async () => {
    const instance = await startInstance({ engine })
    await register(instance)
    await instance.post('/api/api-keys', {
      provider: 'openai-compatible',
      key: 'sk-very-secret',
      baseUrl: 'http://127.0.0.1:1',
    })
    await instance.app.features.activityLog.seal()
    const lost = { ...instance.place.environment, SECRET_KEY: 'a key that never sealed anything here' }
    const found = await runDoctor(lost)
    expect(found.of('activity')[0]).toMatch(/^FAIL .*another SECRET_KEY → set SECRET_KEY_PREVIOUS/)
    expect(found.of('AI')).toEqual(['ok    AI        ready: openai-compatible (not called)'])
    await instance.close()
  })

  it('reports no problem for a healthy instance, also while it runs', async () => {
    const instance = await startInstance({ engine })
    const found = await runDoctorProcess(instance.place.environment)
    expect(found.code).toBe(0)
    expect(found.stdout).not.toContain('FAIL')
    expect(found.of('database')[0]).toContain(engine === 'sqlite' ? 'SQLite, whole' : 'PostgreSQL')
    expect(found.of('database')[1]).toMatch(/^ok .*migrated to/)
    expect(found.of('clock').map((line) => line.slice(0, 2))).toEqual(
      engine === 'sqlite' ? ['ok'] : ['ok', 'ok'],
    )
    expect(found.of('jobs')).toEqual(['ok    jobs      none has failed permanently'])
    await instance.close()
  })

  it('warns about an outdated schema and fails on a newer one', async () => {
    const place = await newPlace(engine)
    const database = await openPlace(place)
    await migrate(database, '0078-file-imports')
    await database.close()
    const behind = await runDoctor(place.environment)
    expect(behind.code).toBe(0)
    expect(behind.of('database')[1]).toMatch(/^warn .*at 0078-file-imports, behind .*factotum migrate/)
    const addMigration = (name: string) =>
      withDatabase(place, async (db) => {
        await sql`insert into migrations (name, timestamp) values (${name}, '2099-01-01T00:00:00.000Z')`.execute(
          db,
        )
      })
    await addMigration('9998-future')
    const beside = await runDoctor(place.environment)
    expect(beside.code).toBe(0)
    expect(beside.of('database')[1]).toMatch(/^warn .*9998-future.*until then both can run/)
    await addMigration('9999-contract-past')
    const ahead = await runDoctor(place.environment)
    expect(ahead.code).toBe(1)
    expect(ahead.of('database')[1]).toMatch(/^FAIL .*9999-contract-past.*or a newer one/)
    const other = await command(['migrate'], place.environment)
    expect(other.stderr).toContain(
      'migrated by a newer version of Factotum (9999-contract-past): upgrade this one, or go back',
    )
  })

  it('lists the keys that sealed secrets still need', async () => {
    const place = await newPlace(engine, 'prepared')
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
    const lost = await runDoctor(place.environment)
    expect(lost.code).toBe(1)
    expect(lost.of('secret')[1]).toMatch(/^FAIL .*encrypted with another key .*: 1 .*SECRET_KEY_PREVIOUS/)
    const rotating = await runDoctor({ ...place.environment, SECRET_KEY_PREVIOUS: previous })
    expect(rotating.code).toBe(0)
    expect(rotating.of('secret')[1]).toMatch(/^warn .*still needed \(stored secrets: 1\)/)
    await withDatabase(place, (db) =>
      db
        .updateTable('users')
        .set({ twoFactorSecret: seal(own) })
        .where('email', '=', 'b@example.org')
        .execute(),
    )
    const rotated = await runDoctor({ ...place.environment, SECRET_KEY_PREVIOUS: previous })
    expect(rotated.of('secret')[1]).toBe(
      'ok    secret    SECRET_KEY_PREVIOUS is no longer needed and can be removed',
    )
    if (engine === 'sqlite') {
      const gone = await runDoctor({ DATA_DIR: place.dataDir })
      expect(gone.code).toBe(1)
      expect(gone.of('secret')[0]).toMatch(/^FAIL .*secret.key is missing/)
    }
  })

  it('counts and names the parked jobs', async () => {
    const { app, database, place, close } = await startInstance({ engine })
    await inTransaction(database.db, (tx) => app.jobs.enqueue(tx, 'housekeeping', {}))
    await (engine === 'sqlite'
      ? sql`update jobs set state = 'parked', "dueAt" = null, error = 'no luck'`
      : sql`update pgboss.job set state = 'failed', output = '{"error":"no luck"}'`
    ).execute(database.db)
    const found = await runDoctor(place.environment)
    expect(found.code).toBe(0)
    expect(found.of('jobs')[0]).toMatch(/^warn .*1 failed permanently: housekeeping\. Last error: no luck/)
    await close()
  })

  it('warns if the last change is in the future', async () => {
    const place = await newPlace(engine, 'prepared')
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await withDatabase(place, (db) =>
      db.insertInto('changes').values({ userId: 1, type: 'x', subject: '1', data: '{}', at }).execute(),
    )
    const { of } = await runDoctor(place.environment)
    expect(of('clock').at(-1)).toMatch(/^warn .*the clock was set back/)
  })
})
