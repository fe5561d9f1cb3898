import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../src/platform/clock.ts'
import { type BucketSettings, createObjectStorage, ObjectMissing } from '../src/platform/object-storage.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { S3_KEY, type S3Server, startS3 } from './support/s3-server.ts'

const outbound = createOutbound({ allow: ['127.0.0.1'], typedMayBePrivate: false, userAgent: 'test' })
const directory = mkdtempSync(join(tmpdir(), 'factotum-objects-'))
let server: S3Server

const open = (change: Partial<BucketSettings> = {}, clock = systemClock) =>
  createObjectStorage(
    {
      endpoint: server.endpoint,
      region: 'us-east-1',
      bucket: server.bucket,
      prefix: 'copies/',
      ...S3_KEY,
      ...change,
    },
    { outbound, clock, trust: 'operator' },
  )

const writeFile = (name: string, bytes: Buffer): string => {
  const file = join(directory, name)
  writeFileSync(file, bytes)
  return file
}

const readAll = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(chunks))

beforeAll(async () => {
  server = await startS3()
})
afterAll(async () => {
  await outbound.close()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('object storage', () => {
  it('stores, lists, reads and removes objects with any name', async () => {
    const storage = open()
    const key = "a b/ü+%&='()!*~.zip"
    await storage.putFile(key, writeFile('small', Buffer.from('content')))
    expect(await storage.readSize(key)).toBe(7)
    expect((await readAll(storage.read(key))).toString()).toBe('content')
    expect((await Array.fromAsync(storage.list('a b/'))).map((found) => found.key)).toEqual([key])
    await storage.remove(key)
    expect(await storage.readSize(key)).toBeUndefined()
    await expect(readAll(storage.read(key))).rejects.toThrow(ObjectMissing)
    await storage.check()
  })

  it('uploads a large file in parts, and an empty file', async () => {
    const storage = open()
    const bytes = randomBytes(20 * 1024 * 1024 + 17)
    await storage.putFile('large', writeFile('large', bytes))
    expect((await readAll(storage.read('large'))).equals(bytes)).toBe(true)
    await storage.putFile('empty', writeFile('empty', Buffer.alloc(0)))
    expect(await storage.readSize('empty')).toBe(0)
  })

  it('lists more objects than one page', async () => {
    const storage = open({ prefix: 'pages/' })
    const file = writeFile('page', Buffer.from('x'))
    for (let n = 0; n < 3; n++) await storage.putFile(`${n}`, file)
    expect((await Array.fromAsync(storage.list(''))).map(({ key }) => key)).toEqual(['0', '1', '2'])
  })

  it('explains wrong keys, a missing bucket and a wrong clock', async () => {
    await expect(open({ accessKeyId: 'OTHER' }).check()).rejects.toThrow('does not know the access key')
    await expect(open({ secretAccessKey: 'wrong' }).check()).rejects.toThrow('Check the secret key')
    await expect(open({ bucket: 'nowhere' }).check()).rejects.toThrow('There is no bucket nowhere')
    const late = { now: () => new Date(systemClock.now().getTime() - 3_600_000) }
    await expect(open({}, late as typeof systemClock).check()).rejects.toThrow(
      "Synchronize this machine's clock",
    )
  })

  it('repeats a request after a temporary failure, and reports a server that is gone', async () => {
    let requests = 0
    const failing = createServer((_request, response) => {
      requests++
      response.statusCode = requests < 3 ? 503 : 200
      response.end('<ListBucketResult></ListBucketResult>')
    })
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
    const { port } = failing.address() as AddressInfo
    await open({ endpoint: `http://127.0.0.1:${port}` }).check()
    expect(requests).toBe(3)
    await new Promise((resolve) => failing.close(resolve))
    await expect(open({ endpoint: `http://127.0.0.1:${port}` }).check()).rejects.toMatchObject({
      kind: 'upstream',
    })
  })
})
