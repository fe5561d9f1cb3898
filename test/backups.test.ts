import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCommandRunner } from '../src/commands/command-runner.ts'
import { readConfig } from '../src/config/config.ts'
import type { RunCommand } from '../src/features/backups/feature.ts'
import { command } from './support/command-line.ts'
import { makeDataPlace, onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { callProcess, launcherEnvironment, MAIN, startFactotum } from './support/process.ts'
import { S3_KEY, type S3Server, startS3 } from './support/s3-server.ts'
import { makeScratch } from './support/scratch.ts'

const { directory, newPlace } = makeScratch()

const SCHEDULE = {
  enabled: true,
  frequency: 'daily',
  weekday: 'sunday',
  time: '03:00',
  keepCount: 2,
  keepDays: null,
  destination: 'folder',
  folder: null,
  s3: null,
}
const GAUGE = 'factotum_backup_last_proven_timestamp_seconds'
const PASSPHRASE = 'a long passphrase'
/** A killed server runs its commands with a low priority, so a busy machine runs them late. */
vi.setConfig({ testTimeout: 600_000 })
afterAll(() => vi.resetConfig())

onOneDatabase('postgres', 'backups', (engine) => {
  let instance: Instance
  let token: string
  let s3: S3Server
  /** Whether commands run in a child process, as in production. In this process they are faster. */
  let inChild = true
  /** Runs after the file is written and before it is verified. */
  let beforeVerify = (_file: string): void => {}

  beforeAll(async () => {
    s3 = await startS3()
    const place = await makeDataPlace(engine, 'prepared')
    const program = { node: process.execPath, main: MAIN, environment: launcherEnvironment }
    // With a low priority, the other tests of a busy machine would delay them by minutes.
    const runInChild = createCommandRunner(
      program,
      readConfig(place.environment),
      constants.priority.PRIORITY_NORMAL,
    )
    const runCommand: RunCommand = async (args, settings, signal) => {
      if (args[0] === 'verify') beforeVerify(args[1] as string)
      if (inChild) return runInChild(args, settings, signal)
      const { code, stderr } = await command([...args], { ...place.environment, ...settings })
      return { code: Number(code), stderr }
    }
    instance = await startInstance({
      engine,
      place,
      deps: { runCommand },
      environment: { METRICS: 'on', BACKUP_FOLDERS: '/proc' },
    })
    token = (await register(instance)).token
    await instance.post('/api/tasks', { title: 'Only in the backup' }, { token })
    await instance.app.jobs.start()
  })
  afterAll(async () => {
    await instance.close()
    await instance.place.remove()
    await s3.close()
  })

  const setClock = (ms: number): void => instance.clock.advance(ms - instance.clock.now().getTime())
  const get = async (path: string) => (await instance.get(`/api/backups${path}`)).body
  const put = (change: object) =>
    instance.call('PUT', '/api/backups/schedule', { body: { ...SCHEDULE, password: PASSWORD, ...change } })
  const finish = async (id: number) => {
    await eventually(async () => (await get(`/${id}`)).finishedAt !== null)
    return get(`/${id}`)
  }
  const backUp = async () => {
    const { status, body } = await instance.post('/api/backups')
    expect(status).toBe(202)
    return finish(body.id)
  }

  /** Returns the line of doctor about backups. */
  const runDoctor = async (): Promise<string | undefined> => {
    const { stdout } = await command(['doctor'], { ...instance.place.environment, PORT: '0' })
    return stdout.split('\n').find((line) => line.slice(6).startsWith('backups '))
  }

  it('rejects members and folders that cannot be written', async () => {
    const member = (await register(instance)).token
    expect((await instance.get('/api/backups', { token: member })).status).toBe(403)
    expect((await instance.post('/api/backups', undefined, { token: member })).status).toBe(403)
    expect((await put({ folder: 'relative' })).status).toBe(400)
    expect((await put({ folder: '/proc/factotum' })).status).toBe(400)
  })

  it('makes a backup, proves it, and reports it in the health of the service', async () => {
    expect((await instance.get('/api/health')).body.backups).toEqual({ lastProvenAt: null })
    expect((await instance.get('/metrics')).body).toContain(`${GAUGE} 0\n`)
    expect(await runDoctor()).toBe('ok    backups   none is proven restorable; no schedule')
    const made = await backUp()
    expect(made).toMatchObject({ state: 'proven', cause: 'manual', problem: null, encrypted: false })
    expect(made.size).toBeGreaterThan(1000)
    expect(readdirSync(join(instance.place.dataDir, 'backups'))).toEqual([made.filename])
    expect((await instance.get('/api/health')).body.backups).toEqual({ lastProvenAt: made.provenAt })
    // The figures are kept for some seconds.
    await expect
      .poll(async () => (await instance.get('/metrics')).body)
      .toContain(`${GAUGE} ${Date.parse(made.provenAt) / 1000}\n`)
    expect(await runDoctor()).toBe(`ok    backups   last proven restorable at ${made.provenAt}; no schedule`)
    expect(readdirSync(instance.place.dataDir).filter((name) => name.startsWith('verifying-'))).toEqual([])

    const download = (password: string) =>
      fetch(`${instance.url}/api/backups/${made.id}/download`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ password }),
      })
    expect((await download('wrong')).status).toBe(401)
    const bytes = Buffer.from(await (await download(PASSWORD)).arrayBuffer())
    expect(bytes.equals(readFileSync(join(made.location, made.filename)))).toBe(true)

    expect((await instance.call('DELETE', `/api/backups/${made.id}`, { token })).status).toBe(204)
    expect((await instance.get(`/api/backups/${made.id}`, { token })).status).toBe(404)
    expect(existsSync(join(made.location, made.filename))).toBe(false)
  })

  it('stores an encrypted backup in a bucket, which another instance restores', async () => {
    const bucket = {
      endpoint: s3.endpoint,
      region: 'us-east-1',
      bucket: s3.bucket,
      prefix: 'home',
      accessKeyId: S3_KEY.accessKeyId,
    }
    const secret = { secretAccessKey: S3_KEY.secretAccessKey }
    const wrong = await put({ destination: 's3', s3: { ...bucket, secretAccessKey: 'wrong' } })
    expect(wrong).toMatchObject({ status: 502 })
    expect(wrong.body.detail).toContain('Check the secret key')
    expect((await put({ destination: 's3', s3: bucket })).status).toBe(400)
    const saved = await put({ destination: 's3', s3: { ...bucket, ...secret }, passphrase: PASSPHRASE })
    expect(saved.status).toBe(200)
    expect(saved.body).toMatchObject({ hasPassphrase: true, s3: { ...bucket, prefix: 'home/' } })
    expect(JSON.stringify(saved.body)).not.toContain(PASSPHRASE)
    expect(saved.body.s3).not.toHaveProperty('secretAccessKey')
    // The stored key is used again, but never for another server.
    expect((await put({ destination: 's3', s3: bucket })).status).toBe(200)
    const other = { ...bucket, endpoint: 'http://127.0.0.2:9000' }
    expect((await put({ destination: 's3', s3: other })).status).toBe(400)

    const made = await backUp()
    expect(made).toMatchObject({ state: 'proven', encrypted: true, destination: 's3', problem: null })
    const response = await fetch(`${instance.url}/api/backups/${made.id}/download`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const file = join(directory, `${engine}.enc`)
    const { writeFile } = await import('node:fs/promises')
    await writeFile(file, Buffer.from(await response.arrayBuffer()))
    const place = await newPlace('sqlite', 'prepared')
    const environment = {
      ...place.environment,
      SECRET_KEY: instance.place.environment.SECRET_KEY as string,
    }
    expect(
      (await command(['restore', file], { ...environment, BACKUP_PASSPHRASE: 'other' })).stderr,
    ).toContain('does not decrypt')
    expect(await command(['restore', file], { ...environment, BACKUP_PASSPHRASE: PASSPHRASE })).toMatchObject(
      { code: 0 },
    )
    const restored = await startInstance({ place, environment })
    expect((await restored.get('/api/tasks')).body.tasks[0].title).toBe('Only in the backup')
    await restored.close()
    await instance.call('DELETE', `/api/backups/${made.id}`, { token })
    expect((await put({ passphrase: null })).body).toMatchObject({ hasPassphrase: false })
  })

  it('reports a damaged backup as failed, and notifies the owner', async () => {
    inChild = false
    const before = (await get('/schedule')).lastProvenAt
    beforeVerify = (file) => truncateSync(file, 4000)
    const made = await backUp()
    beforeVerify = () => {}
    expect(made.state).toBe('failed')
    expect(made.problem).toContain('cannot be restored')
    expect(made.provenAt).toBeNull()
    expect((await get('/schedule')).lastProvenAt).toBe(before)
    const { body } = await instance.get('/api/notifications?kind=backup_failed', { token })
    expect(body.notifications).toMatchObject([{ link: '/settings/backups', body: made.problem }])
  })

  it('runs at its time, catches up on a missed one once, and applies the retention', async () => {
    inChild = false
    const { body } = await put({})
    const at = Date.parse(body.nextRunAt)
    expect(body.nextRunAt).toMatch(/T/)
    const proven = async () =>
      (await get('')).backups.filter(({ state }: { state: string }) => state === 'proven')
    const until = (count: number) =>
      eventually(
        async () =>
          (await get('')).backups.filter(
            (one: { cause: string; finishedAt: string | null }) =>
              one.cause === 'schedule' && one.finishedAt !== null,
          ).length >= count,
      )
    // Three days are missed: one backup follows.
    setClock(at + 3 * 86_400_000 + 60_000)
    await instance.app.features.backups.startDue()
    await instance.app.features.backups.startDue()
    await until(1)
    expect(await proven()).toHaveLength(1)
    expect(Date.parse((await get('/schedule')).nextRunAt)).toBeGreaterThan(instance.clock.now().getTime())
    // A clock that is set back does not repeat it.
    setClock(at + 3 * 86_400_000 - 3_600_000)
    await instance.app.features.backups.startDue()
    expect((await get('')).backups.some(({ state }: { state: string }) => state === 'running')).toBe(false)
    setClock(at + 4 * 86_400_000 + 60_000)
    for (let n = 0; n < 2; n++) await backUp()
    // The retention follows the proof.
    await expect.poll(async () => (await proven()).length).toBe(2)
    expect(readdirSync(join(instance.place.dataDir, 'backups')).length).toBeLessThanOrEqual(3)

    const old = '2026-01-01T03:00:00.000Z'
    await instance.database.db.updateTable('backups').set({ provenAt: old }).execute()
    expect(await runDoctor()).toMatch(
      `warn  backups   last proven restorable at ${old} → see Settings → Backups`,
    )
  })
})

describe('a backup whose server is killed', () => {
  it('fails, leaves no file, and is repeated after the restart', async () => {
    const place = await newPlace('sqlite', 'prepared')
    const environment = { ...place.environment, DATA_DIR: place.dataDir }
    const first = await startFactotum(environment)
    const { id } = await callProcess(first, 'POST', '/api/backups')
    await eventually(
      async () => (await callProcess(first, 'GET', `/api/backups/${id}`)).step === 'writing',
      10,
    )
    first.child.kill('SIGKILL')
    await first.ended
    const second = await startFactotum(environment)
    const read = async () => (await callProcess(second, 'GET', '/api/backups')).backups
    await eventually(async () => (await read())[0].state === 'proven')
    const [repeated, killed] = await read()
    expect(killed).toMatchObject({ id, state: 'failed', provenAt: null })
    expect(killed.problem).toContain('The server stopped')
    expect(readdirSync(join(place.dataDir, 'backups'))).toEqual([repeated.filename])
    second.child.kill('SIGTERM')
    await second.ended
  })
})
