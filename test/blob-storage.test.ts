import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { beginCommand, command } from './support/command-line.ts'
import { onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { S3_KEY, type S3Server, startS3 } from './support/s3-server.ts'
import { makeScratch } from './support/scratch.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'

const { directory, newPlace } = makeScratch()

const toMessage = (file: Buffer): string =>
  [
    'Subject: Minutes',
    'From: ana@example.org',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename=minutes.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    ...(file.toString('base64').match(/.{1,76}/g) ?? []),
    '--b--',
    '',
  ].join('\r\n')

onOneDatabase('sqlite', 'a bucket for blobs', (engine) => {
  let s3: S3Server
  let line: TcpProxy
  let instance: Instance
  let environment: Record<string, string>

  const toUrl = (prefix: string): string =>
    `s3://${S3_KEY.accessKeyId}:${S3_KEY.secretAccessKey}@127.0.0.1:${line.port}/${s3.bucket}/${prefix}?tls=off`
  const listObjects = (prefix: string): string[] => {
    const folder = join(s3.directory, s3.bucket, prefix, 'blobs')
    if (!existsSync(folder)) return []
    return readdirSync(folder).filter((name) => name.endsWith('_object'))
  }
  const countLocal = async (from = instance): Promise<number> => {
    const { db } = from.database
    if (engine === 'postgres')
      return (await db.selectFrom('blob_chunks').select('hash').distinct().execute()).length
    const folder = join(from.place.dataDir, 'blobs')
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length
  }
  const importMail = async (file: Buffer, to = instance): Promise<string> => {
    const { status, body } = await to.call('POST', '/api/emails', {
      body: toMessage(file),
      headers: { 'content-type': 'message/rfc822' },
    })
    expect(status).toBe(201)
    return `/api/emails/${body.id}/attachments/${body.attachments[0].id}`
  }
  const download = async (path: string, from = instance): Promise<Buffer> => {
    const response = await fetch(`${from.url}${path}`)
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }
  const setReachable = (isReachable: boolean): void => {
    line.isDown = !isReachable
    line.cut()
  }

  beforeAll(async () => {
    s3 = await startS3()
    line = await startTcpProxy(Number(new URL(s3.endpoint).port))
    const place = await newPlace(engine, 'prepared')
    environment = { ...place.environment, BLOBS_URL: toUrl('home') }
    instance = await startInstance({ place, environment })
  })
  afterAll(async () => {
    await instance.close()
    line.close()
    await s3.close()
  })

  it('gets new attachments, serves them, and loses them with their email', async () => {
    const file = randomBytes(200_000)
    const path = await importMail(file)
    expect(await countLocal()).toBe(2)
    expect((await download(path)).equals(file)).toBe(true)
    expect(await command(['blobs', 'move'], environment)).toMatchObject({
      code: 0,
      stdout: `Moved 2 blobs to http://127.0.0.1:${line.port}/factotum/home/.\n`,
    })
    expect([await countLocal(), listObjects('home').length]).toEqual([0, 2])
    expect((await download(path)).equals(file)).toBe(true)
    const email = path.slice(0, path.indexOf('/attachments'))
    expect((await instance.get(`${email}/raw`)).status).toBe(200)
    expect((await instance.call('DELETE', email)).status).toBe(204)
    await eventually(() => listObjects('home').length === 0)
    const rows = instance.database.db.selectFrom('blobs').select('hash')
    await eventually(async () => (await rows.execute()).length === 0)
  })

  it('that is unreachable delays only the reading of its objects', async () => {
    const path = await importMail(Buffer.from('moved'))
    const deleted = await importMail(Buffer.from('deleted'))
    await command(['blobs', 'move'], environment)
    expect(listObjects('home')).toHaveLength(4)
    setReachable(false)
    try {
      const { status, headers, body } = await instance.get(path)
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'storage_unavailable' })
      expect(headers.get('retry-after')).toBe('30')
      expect(JSON.stringify(body)).not.toContain('127.0.0.1')
      const local = await importMail(Buffer.from('not moved'))
      expect((await download(local)).toString()).toBe('not moved')
      const email = deleted.slice(0, deleted.indexOf('/attachments'))
      expect((await instance.call('DELETE', email)).status).toBe(204)
      expect(listObjects('home')).toHaveLength(4)

      const moved = await command(['blobs', 'move'], environment)
      expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining('BLOBS_URL cannot be used') })
      const file = join(directory, 'unreachable.zip')
      expect((await command(['backup', file], environment)).code).toBe(1)
      expect(existsSync(file)).toBe(false)
      const doctor = await command(['doctor'], environment)
      expect(doctor.stdout).toMatch(/FAIL {2}bucket .*home\/ cannot be used/)
      expect(`${doctor.stdout}${moved.stderr}`).not.toContain('S3RVER:')

      await eventually(async () => {
        instance.clock.advance(MINUTE)
        const health = await instance.get('/api/health')
        return health.status === 200 && health.body.checks.blobStorage.ok === false
      })
    } finally {
      setReachable(true)
      instance.clock.advance(-instance.clock.now().getTime() + Date.now())
    }
    expect((await download(path)).toString()).toBe('moved')
    expect((await command(['blobs', 'move'], environment)).code).toBe(0)
    expect(listObjects('home')).toHaveLength(4)
    expect(await instance.database.db.selectFrom('blobs').select('hash').execute()).toHaveLength(4)
    expect((await command(['doctor'], environment)).stdout).toMatch(
      /ok {4}blobs .*none missing\nok {4}bucket .*can be read and written; 0 blobs are still local/,
    )
  })

  it('gets every blob once, also after the move was killed', async () => {
    const files = new Map<string, Buffer>()
    for (let n = 0; n < 30; n++) {
      const file = randomBytes(1000)
      files.set(await importMail(file), file)
    }
    const { child, ended, printed } = beginCommand(['blobs', 'move'], environment)
    await printed('moved')
    child.kill('SIGKILL')
    expect((await ended).code).toBe('SIGKILL')
    const left = await countLocal()
    expect(left).toBeLessThan(60)
    for (const [path, file] of files) expect((await download(path)).equals(file)).toBe(true)
    expect(await command(['blobs', 'move'], environment)).toMatchObject({ code: 0 })
    expect(await countLocal()).toBe(0)
    for (const [path, file] of files) expect((await download(path)).equals(file)).toBe(true)
  })

  it('is part of backups, which restore the objects into another bucket', async () => {
    const file = randomBytes(100_000)
    const path = await importMail(file)
    await command(['blobs', 'move'], environment)
    const backup = join(directory, `${engine}.zip`)
    expect(await command(['backup', backup], environment)).toMatchObject({ code: 0 })
    const before = listObjects('home')
    expect(await command(['verify', backup], environment)).toMatchObject({ code: 0 })
    expect(listObjects('home')).toEqual(before)

    const place = await newPlace(engine)
    const { SECRET_KEY } = environment
    const other = { ...place.environment, SECRET_KEY: SECRET_KEY as string, BLOBS_URL: toUrl('other') }
    const foreign = await command(['restore', backup], { ...other, BLOBS_URL: toUrl('home') })
    expect(foreign).toMatchObject({ code: 0, stdout: expect.stringContaining('stay local for now') })
    expect(listObjects('home')).toEqual(before)
    const restored = await command(['restore', backup, '--replace'], other)
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(`Moved ${before.length}`) })
    expect(listObjects('other')).toEqual(before)
    const copy = await startInstance({ place, environment: other })
    expect(await countLocal(copy)).toBe(0)
    expect((await download(path, copy)).equals(file)).toBe(true)
    await copy.close()

    expect(await command(['blobs', 'move', '--to', 'local'], other)).toMatchObject({ code: 0 })
    expect(listObjects('other')).toEqual([])
    const { BLOBS_URL: _, ...alone } = other
    const local = await startInstance({ place, environment: alone })
    expect((await download(path, local)).equals(file)).toBe(true)
    await local.close()
  })

  it('of another database is not used until it is claimed', async () => {
    // A prepared database has the identity of the template.
    const place = await newPlace(engine)
    const other = { ...place.environment, BLOBS_URL: toUrl('home') }
    const third = await startInstance({ place, environment: other })
    await importMail(Buffer.from('third'), third)
    expect((await command(['blobs', 'move'], other)).stderr).toContain('belongs to another database')
    expect((await command(['doctor'], other)).stdout).toContain('home/ belongs to another database')
    expect((await command(['blobs', 'claim'], other)).code).toBe(0)
    expect((await command(['blobs', 'move'], other)).stdout).toContain('Moved 2 blobs')
    expect((await command(['blobs', 'move'], environment)).code).toBe(0)
    await importMail(Buffer.from('first'))
    expect((await command(['blobs', 'move'], environment)).stderr).toContain('belongs to another database')
    await third.close()
  })

  it('must be named in BLOBS_URL', async () => {
    const { BLOBS_URL: _, ...without } = environment
    expect((await command(['blobs', 'move'], without)).stderr).toContain('Set BLOBS_URL')
    const file = join(directory, 'blobs-url')
    writeFileSync(file, `${toUrl('home')}\n`)
    const fromFile = await command(['doctor'], { ...without, BLOBS_URL_FILE: file })
    expect(fromFile.stdout).toContain('home/ ')
    const wrong = await command(['doctor'], { ...environment, BLOBS_URL: 's3://key:hidden@host' })
    expect(wrong.stdout).toMatch(/FAIL {2}settings {2}BLOBS_URL must be a bucket such as/)
    expect(wrong.stdout).not.toContain('hidden')
  })
})
