import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { S3_KEY, type S3Server, startS3 } from './support/s3-server.ts'
import { makeScratch } from './support/scratch.ts'
import { startScriptedSmtp } from './support/smtp-script.ts'

const { directory } = makeScratch()
const ALLOWED = join(directory, 'nas')
const PUBLISHED = join(ALLOWED, 'console')
const OUTSIDE = join(directory, 'elsewhere')

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

onOneDatabase('sqlite', 'the destination of backups', (engine) => {
  let instance: Instance
  let token: string
  let s3: S3Server
  let smtp: Awaited<ReturnType<typeof startScriptedSmtp>>

  beforeAll(async () => {
    mkdirSync(PUBLISHED, { recursive: true })
    mkdirSync(OUTSIDE)
    symlinkSync(OUTSIDE, join(ALLOWED, 'link'))
    s3 = await startS3()
    smtp = await startScriptedSmtp()
    instance = await startInstance({
      engine,
      deps: { consoleDirectory: PUBLISHED },
      environment: {
        ACCESS: 'private',
        BACKUP_FOLDERS: ALLOWED,
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM: 'factotum@example.org',
        OUTBOUND_ALLOW: new URL(s3.endpoint).host,
      },
    })
    token = (await register(instance, { email: 'ana@example.org' })).token
    await instance.app.jobs.start()
  })
  afterAll(async () => {
    await instance.close()
    smtp.close()
    await s3.close()
  })

  const put = (change: object) =>
    instance.call('PUT', '/api/backups/schedule', { body: { ...SCHEDULE, ...change }, token })
  const putFolder = (folder: string) => put({ folder, password: PASSWORD })
  const bucket = (endpoint: string) => ({
    destination: 's3',
    s3: { endpoint, region: 'us-east-1', bucket: s3.bucket, prefix: 'home', ...S3_KEY },
  })
  const read = async () => (await instance.get('/api/backups/schedule', { token })).body
  const listTitles = async () => {
    const { body } = await instance.get('/api/notifications?kind=security', { token })
    return body.notifications.map(({ title }: { title: string }) => title)
  }
  const listActions = async (action: string) =>
    (await instance.get(`/api/settings/security/activity?action=${action}`, { token })).body.activity

  it('does not change without the password, which also no new server is called for', async () => {
    const before = await read()
    const missing = await put(bucket(s3.endpoint))
    expect([missing.status, missing.body.errors]).toEqual([
      400,
      [{ path: 'password', message: 'is required to change the destination or the passphrase' }],
    ])
    const wrong = await put({ ...bucket('http://no-such-host.invalid'), password: 'wrong password' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
    expect((await put({ folder: ALLOWED })).status).toBe(400)
    expect((await put({ passphrase: 'a long passphrase' })).status).toBe(400)
    expect(await read()).toEqual(before)
    // The time needs no password.
    expect((await put({ time: '04:00' })).status).toBe(200)
  })

  it('is named in the activity log, in a notification and in a mail when it changes', async () => {
    const saved = await put({ ...bucket(s3.endpoint), passphrase: 'a long passphrase', password: PASSWORD })
    expect(saved.status).toBe(200)
    const location = `${s3.endpoint}/${s3.bucket}/home/`
    expect(await listTitles()).toEqual([
      'The passphrase of backups was changed',
      `Backups are now stored in ${location}`,
    ])
    expect((await listActions('backup_destination.changed'))[0].details).toEqual({ destination: location })
    const subjects = async () =>
      Promise.all(smtp.taken.map(async ({ raw }) => (await simpleParser(raw)).text ?? ''))
    await expect
      .poll(async () => (await subjects()).some((text) => text.includes(location)), { timeout: 60_000 })
      .toBe(true)
    // The stored keys are used again: nothing changes.
    const { secretAccessKey: _, ...kept } = bucket(s3.endpoint).s3
    expect((await put({ destination: 's3', s3: kept })).status).toBe(200)
    // Another key may open a bucket of somebody else.
    expect(
      (await put({ destination: 's3', s3: { ...bucket(s3.endpoint).s3, accessKeyId: 'other' } })).status,
    ).toBe(400)
    expect((await put({ destination: 's3', s3: kept, passphrase: null })).status).toBe(400)
    expect((await put({ passphrase: null, password: PASSWORD })).body).toMatchObject({ hasPassphrase: false })
    expect(await listTitles()).toContain('Backups are no longer encrypted')
  })

  it('is not a private server unless OUTBOUND_ALLOW names it', async () => {
    const { port } = new URL(s3.endpoint)
    for (const endpoint of [`http://127.0.0.2:${port}`, 'http://localhost:1', 'http://10.0.0.7:9000']) {
      const refused = await put({ ...bucket(endpoint), password: PASSWORD })
      expect([endpoint, refused.status]).toEqual([endpoint, 400])
      expect(refused.body.detail).toContain('OUTBOUND_ALLOW')
    }
  })

  it('is a folder below DATA_DIR/backups or BACKUP_FOLDERS, also behind links', async () => {
    const refused = [
      OUTSIDE,
      '/',
      directory,
      `${ALLOWED}-other`,
      join(ALLOWED, 'link'),
      join(ALLOWED, 'link', 'deep', 'er'),
      `${ALLOWED}/../elsewhere`,
      instance.place.dataDir,
      join(instance.place.dataDir, 'blobs'),
      join(instance.place.dataDir, 'other'),
    ]
    for (const folder of refused) {
      const { status, body } = await putFolder(folder)
      expect([folder, status, body.errors?.[0]?.path]).toEqual([folder, 400, 'folder'])
      expect(body.detail).toContain('BACKUP_FOLDERS')
    }
    expect(readdirSync(OUTSIDE)).toEqual([])
    expect(existsSync(join(instance.place.dataDir, 'other'))).toBe(false)
    expect((await putFolder(PUBLISHED)).body.detail).toContain('publishes')
    expect((await putFolder(join(ALLOWED, 'a\nb'))).body.detail).toContain('control characters')
    for (const folder of [`${ALLOWED}/link/../new/one`, join(instance.place.dataDir, 'backups', 'weekly')])
      expect([folder, (await putFolder(folder)).status]).toEqual([folder, 200])
    expect((await read()).allowedFolders).toEqual([ALLOWED])
  })

  it('fails and names BACKUP_FOLDERS if an older version saved another folder', async () => {
    await instance.database.db.updateTable('backup_schedule').set({ folder: OUTSIDE }).execute()
    const { status, body } = await instance.post('/api/backups', undefined, { token })
    expect(status).toBe(202)
    const find = async () => (await instance.get(`/api/backups/${body.id}`, { token })).body
    await expect.poll(async () => (await find()).state, { timeout: 60_000 }).toBe('failed')
    expect((await find()).problem).toContain('BACKUP_FOLDERS')
    const list = await instance.get('/api/notifications?kind=backup_failed', { token })
    expect(list.body.notifications[0].body).toContain('BACKUP_FOLDERS')
    expect(readdirSync(OUTSIDE)).toEqual([])
  })

  it('limits wrong passwords per account', async () => {
    const { token: other } = await register(instance, {
      invitation: (await instance.post('/api/settings/invitations', { password: PASSWORD }, { token })).body
        .code,
    })
    expect(
      (await instance.call('PUT', '/api/backups/schedule', { body: SCHEDULE, token: other })).status,
    ).toBe(403)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++)
      statuses.push((await put({ folder: ALLOWED, password: `wrong ${n}` })).status)
    expect(statuses).toContain(429)
  })
})

onOneDatabase('sqlite', 'the destination of backups before the first account', (engine) => {
  it('requires an account', async () => {
    const instance = await startInstance({ engine })
    const changed = await instance.call('PUT', '/api/backups/schedule', {
      body: { ...SCHEDULE, passphrase: 'a long passphrase', password: 'any' },
    })
    expect([changed.status, changed.body.code]).toEqual([409, 'not_configured'])
    await instance.close()
  })
})
