import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Database, Engine } from '../../src/database/database.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'
import { migrate } from '../../src/database/migrate.ts'
import { inTransaction, isInTransaction } from '../../src/database/transaction.ts'
import { type Blobs, createBlobs } from '../../src/platform/blobs/blobs.ts'
import { blobDirectory, blobPath } from '../../src/platform/blobs/storage.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import type { Outbound } from '../../src/platform/outbound/port.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createMovableClock, DAY } from '../support/clock.ts'
import { openPlace } from '../support/copies.ts'
import { type DataPlace, makeDataPlace, onEveryDatabase } from '../support/databases.ts'
import { S3_KEY, type S3Server, startS3 } from '../support/s3-server.ts'
import { scaled } from '../support/scale.ts'

let s3: S3Server
const outbound = createOutbound({ allow: [], typedMayBePrivate: false, userAgent: 'test' })
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  await outbound.close()
  await s3.close()
})

const testBlobs = (engine: Engine, hasBucket: boolean): void => {
  let place: DataPlace
  let database: Database
  let blobs: Blobs
  const clock = createMovableClock()
  beforeAll(async () => {
    place = await makeDataPlace(engine, 'prepared')
    database = await openPlace(place)
    await migrate(database)
    blobs = openBlobs()
  })
  /** Called before and after each request to the bucket. */
  let onRequest = async (_step: 'before' | 'after', _method: string, _url: string): Promise<void> => {}
  const requestsInTransactions: string[] = []
  const fetch: Outbound['fetch'] = async (url, options) => {
    const method = options?.method ?? 'GET'
    if (isInTransaction()) requestsInTransactions.push(`${method} ${url}`)
    await onRequest('before', method, String(url))
    const response = await outbound.fetch(url, options)
    await onRequest('after', method, String(url))
    return response
  }
  const openBlobs = (own = database): Blobs =>
    createBlobs({
      database: own,
      dataDir: place.dataDir,
      bucket: hasBucket
        ? {
            endpoint: s3.endpoint,
            region: 'us-east-1',
            bucket: s3.bucket,
            prefix: `${engine}/`,
            ...S3_KEY,
          }
        : null,
      outbound: { fetch },
      clock,
      random: systemRandom,
      log: createLog('silent'),
    })
  afterAll(async () => {
    await blobs.close()
    await database.close()
    await place.remove()
  })

  let count = 0
  /** Stores the bytes and refers to them with a row, like a feature. */
  const store = async (source: Buffer | AsyncIterable<Buffer>) => {
    const staged = await blobs.stage(source)
    const id = `holder-${++count}`
    await inTransaction(database.db, async (tx) => {
      await blobs.keep(tx, staged)
      const { hash: blob, size } = staged
      const row = { id, emailId: null, filename: 'x', contentType: 'x/x', contentId: null, createdAt: '' }
      await tx
        .insertInto('attachments')
        .values({ ...row, userId: await getLocalUserId(tx), blob, size })
        .execute()
    })
    return { id, hash: staged.hash, size: staged.size }
  }
  const hold = async (source: Buffer | AsyncIterable<Buffer>) => {
    const held = await store(source)
    await blobs.bucket?.move()
    return held
  }
  const release = async ({ id, hash }: { id: string; hash: string }) => {
    await inTransaction(database.db, async (tx) => {
      await tx.deleteFrom('attachments').where('id', '=', id).modifyEnd(ALL_ACCOUNTS).execute()
      await blobs.release(tx, [hash])
    })
    await blobs.settled()
  }
  const letGo = async (held: { id: string; hash: string }) => {
    await release(held)
    await blobs.bucket?.move()
  }
  const isThere = (hash: string) => blobs.has(database.db, hash)
  const rowOf = (hash: string) =>
    database.db.selectFrom('blobs').selectAll().where('hash', '=', hash).executeTakeFirst()

  it.each([0, 1, 300_000, 3_000_000])('of %i bytes are read back unchanged by their digest', async (size) => {
    const bytes = randomBytes(size)
    const held = await hold(bytes)
    expect(held.hash).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(held.size).toBe(size)
    expect((await blobs.readWhole(database.db, held.hash)).equals(bytes)).toBe(true)
    expect(await isThere(held.hash)).toBe(true)
  })

  it('can be stored from a stream', async () => {
    const parts = [randomBytes(100_000), randomBytes(400_000)]
    const held = await hold(
      (async function* () {
        yield* parts
      })(),
    )
    expect((await blobs.readWhole(database.db, held.hash)).equals(Buffer.concat(parts))).toBe(true)
  })

  it('are stored once for all references, until the last is released', async () => {
    const bytes = randomBytes(1000)
    const [first, second] = [await hold(bytes), await hold(bytes)]
    expect(second.hash).toBe(first.hash)
    await letGo(first)
    expect((await blobs.readWhole(database.db, first.hash)).equals(bytes)).toBe(true)
    await letGo(second)
    expect(await isThere(first.hash)).toBe(false)
    expect(await rowOf(first.hash)).toBeUndefined()
    const again = await hold(bytes)
    expect((await blobs.readWhole(database.db, again.hash)).equals(bytes)).toBe(true)
  })

  it('do not exist after the transaction that kept them was rolled back', async () => {
    const staged = await blobs.stage(randomBytes(1000))
    await expect(
      inTransaction(database.db, async (tx) => {
        await blobs.keep(tx, staged)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await rowOf(staged.hash)).toBeUndefined()
    await blobs.sweep()
    expect(await isThere(staged.hash)).toBe(false)
  })

  it('stay when their release was rolled back', async () => {
    const held = await hold(randomBytes(1000))
    await expect(
      inTransaction(database.db, async (tx) => {
        await tx.deleteFrom('attachments').where('id', '=', held.id).modifyEnd(ALL_ACCOUNTS).execute()
        await blobs.release(tx, [held.hash])
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await blobs.sweep()
    expect(await isThere(held.hash)).toBe(true)
  })

  it('that a crash left marked are removed by the next sweep, unless they are used again', async () => {
    const [doomed, saved] = [await hold(randomBytes(10)), await hold(randomBytes(10))]
    await database.db.deleteFrom('attachments').where('id', '=', doomed.id).modifyEnd(ALL_ACCOUNTS).execute()
    await database.db.updateTable('blobs').set({ unusedSince: clock.now().toISOString() }).execute()
    await blobs.sweep()
    await blobs.bucket?.move()
    expect(await isThere(doomed.hash)).toBe(false)
    expect(await isThere(saved.hash)).toBe(true)
    expect((await rowOf(saved.hash))?.unusedSince).toBeNull()
  })

  it('are never removed by a sweep while another transaction keeps them', async () => {
    for (let round = 0; round < scaled({ full: 15, short: 8 }); round++) {
      const bytes = randomBytes(500)
      const held = await hold(bytes)
      const [, kept] = await Promise.all([letGo(held), hold(bytes), blobs.sweep()])
      expect((await blobs.readWhole(database.db, kept.hash)).equals(bytes)).toBe(true)
    }
  })

  it('that are missing cause an error on read, not an empty file', async () => {
    await expect(blobs.readWhole(database.db, 'f'.repeat(64))).rejects.toThrow()
  })

  it.runIf(engine === 'sqlite' && !hasBucket)('leave no temporary or orphaned files behind', async () => {
    const directory = blobDirectory(place.dataDir)
    const staged = await blobs.stage(randomBytes(10))
    expect(readdirSync(join(directory, 'drafts'))).toHaveLength(1)
    await blobs.sweep()
    expect(readdirSync(join(directory, 'drafts'))).toHaveLength(1)
    clock.advance(2 * DAY)
    await blobs.sweep()
    expect(readdirSync(join(directory, 'drafts'))).toEqual([])
    const stranger = join(directory, blobPath(staged.hash))
    mkdirSync(join(stranger, '..'), { recursive: true })
    writeFileSync(stranger, 'x')
    await blobs.sweep()
    expect(existsSync(stranger)).toBe(false)
  })

  it.runIf(engine === 'postgres')('delete their chunks with their row', async () => {
    const held = await hold(randomBytes(600_000))
    await letGo(held)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from blob_chunks where hash = ${held.hash}`.execute(database.db)
    expect(Number(rows[0]?.n)).toBe(0)
  })

  const objectFile = (hash: string): string =>
    join(s3.directory, s3.bucket, engine, 'blobs', `${hash}._S3rver_object`)
  const isLocal = async (hash: string): Promise<boolean> => {
    if (engine === 'sqlite') return existsSync(join(blobDirectory(place.dataDir), blobPath(hash)))
    const query = database.db.selectFrom('blob_chunks').select('number').where('hash', '=', hash)
    return (await query.limit(1).executeTakeFirst()) !== undefined
  }

  describe.runIf(hasBucket)('and their objects', () => {
    it('are in the bucket only after a move, and stay local until then', async () => {
      const bytes = randomBytes(600_000)
      const staged = await blobs.stage(bytes)
      await inTransaction(database.db, (tx) => blobs.keep(tx, staged))
      expect([await isLocal(staged.hash), existsSync(objectFile(staged.hash))]).toEqual([true, false])
      await blobs.bucket?.move()
      expect([await isLocal(staged.hash), existsSync(objectFile(staged.hash))]).toEqual([false, true])
      expect((await blobs.readWhole(database.db, staged.hash)).equals(bytes)).toBe(true)
      expect((await blobs.readStart(database.db, staged.hash, 10)).subarray(0, 10)).toEqual(
        bytes.subarray(0, 10),
      )
    })

    it('are compared with their hash: altered and truncated objects are errors', async () => {
      const [altered, truncated] = [await hold(randomBytes(300_000)), await hold(randomBytes(300_000))]
      const bytes = readFileSync(objectFile(altered.hash))
      bytes[150_000] = (bytes[150_000] as number) ^ 1
      writeFileSync(objectFile(altered.hash), bytes)
      truncateSync(objectFile(truncated.hash), 1000)
      for (const { hash } of [altered, truncated]) {
        await expect(blobs.readWhole(database.db, hash)).rejects.toThrow('do not match')
        // A client that counts the bytes notices that the end is missing.
        let size = 0
        await expect(
          (async () => {
            for await (const chunk of await blobs.open(database.db, hash)) size += chunk.length
          })(),
        ).rejects.toThrow('do not match')
        expect(size).toBeLessThan(300_000)
      }
    })

    it('without a row are removed after a day', async () => {
      const [old, recent, used] = [
        await hold(randomBytes(10)),
        await hold(randomBytes(10)),
        await hold(randomBytes(10)),
      ]
      for (const { id, hash } of [old, recent]) {
        await database.db.deleteFrom('attachments').where('id', '=', id).modifyEnd(ALL_ACCOUNTS).execute()
        await database.db.deleteFrom('blobs').where('hash', '=', hash).execute()
      }
      for (const { hash } of [old, used]) utimesSync(objectFile(hash), 0, 0)
      await blobs.sweep()
      await blobs.bucket?.move()
      expect([old, recent, used].map(({ hash }) => existsSync(objectFile(hash)))).toEqual([false, true, true])
      expect(await rowOf(old.hash)).toBeUndefined()
    })

    it('belong to one database', async () => {
      const owner = join(s3.directory, s3.bucket, engine, 'factotum.json._S3rver_object')
      const held = await hold(randomBytes(10))
      const before = readFileSync(owner)
      writeFileSync(owner, JSON.stringify({ database: 'other' }))
      try {
        const other = openBlobs()
        await database.db
          .deleteFrom('attachments')
          .where('id', '=', held.id)
          .modifyEnd(ALL_ACCOUNTS)
          .execute()
        await inTransaction(database.db, (tx) => other.release(tx, [held.hash]))
        await other.settled()
        await other.close()
        const staged = await other.stage(randomBytes(10))
        await inTransaction(database.db, (tx) => other.keep(tx, staged))
        await expect(other.bucket?.move()).rejects.toThrow('another database')
        expect(await isLocal(staged.hash)).toBe(true)
        expect(existsSync(objectFile(held.hash))).toBe(true)
      } finally {
        writeFileSync(owner, before)
      }
      await blobs.bucket?.move()
      expect(existsSync(objectFile(held.hash))).toBe(false)
    })

    /** Calls `work` once, before or after the removal of an object. */
    const atRemoval = (step: 'before' | 'after', hash: string, work: () => Promise<unknown>): void => {
      onRequest = async (now, method, url) => {
        if (now !== step || method !== 'DELETE' || !url.endsWith(hash)) return
        onRequest = async () => {}
        await work()
      }
    }

    it('are removed in the background: a slow bucket delays no change', async () => {
      const held = await hold(randomBytes(1000))
      const [isAsked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      atRemoval('before', held.hash, () => {
        isAsked.resolve()
        return answer.promise
      })
      await release(held)
      await isAsked.promise
      const other = await store(randomBytes(1000))
      await release(other)
      expect(await isLocal(other.hash)).toBe(false)
      expect((await rowOf(held.hash))?.unusedSince).not.toBeNull()
      expect(existsSync(objectFile(held.hash))).toBe(true)
      answer.resolve()
      await blobs.bucket?.move()
      expect(existsSync(objectFile(held.hash))).toBe(false)
      expect([await rowOf(held.hash), await rowOf(other.hash)]).toEqual([undefined, undefined])
    })

    it('are removed by a later run if a request failed', async () => {
      const [held, next] = [await hold(randomBytes(1000)), await hold(randomBytes(1000))]
      const isAsked = Promise.withResolvers<void>()
      atRemoval('before', held.hash, () => {
        isAsked.resolve()
        return Promise.reject(new Error('no answer'))
      })
      await release(held)
      await isAsked.promise
      await release(next)
      await blobs.bucket?.move()
      for (const { hash } of [held, next]) {
        expect(existsSync(objectFile(hash))).toBe(false)
        expect(await rowOf(hash)).toBeUndefined()
      }
    })

    it.each(['before', 'after'] as const)('may be stored again %s the removal', async (step) => {
      const bytes = randomBytes(1000)
      const held = await hold(bytes)
      const isStored = Promise.withResolvers<void>()
      atRemoval(step, held.hash, () => store(bytes).then(() => isStored.resolve()))
      await release(held)
      await isStored.promise
      expect((await blobs.readWhole(database.db, held.hash)).equals(bytes)).toBe(true)
      await blobs.bucket?.move()
      expect([await isLocal(held.hash), existsSync(objectFile(held.hash))]).toEqual([false, true])
      expect((await rowOf(held.hash))?.unusedSince).toBeNull()
      expect((await blobs.readWhole(database.db, held.hash)).equals(bytes)).toBe(true)
    })

    it('are never removed by one process after another has uploaded them again', async () => {
      const database2 = await openPlace(place)
      const other = openBlobs(database2)
      const [isStored, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      try {
        const bytes = randomBytes(1000)
        const held = await hold(bytes)
        atRemoval('before', held.hash, async () => {
          await store(bytes)
          isStored.resolve()
          await answer.promise
        })
        await release(held)
        await isStored.promise
        const moved = other.bucket?.move()
        // Without the lock, the move would end in this time and drop the local bytes.
        await Promise.race([moved, setTimeout(500)])
        expect(await isLocal(held.hash)).toBe(true)
        answer.resolve()
        await moved
        expect((await other.readWhole(database2.db, held.hash)).equals(bytes)).toBe(true)

        for (let round = 0; round < 5; round++) {
          const again = randomBytes(500)
          const first = await hold(again)
          const [, kept] = await Promise.all([
            release(first),
            store(again),
            other.bucket?.move(),
            blobs.bucket?.move(),
          ])
          expect((await other.readWhole(database2.db, kept.hash)).equals(again)).toBe(true)
        }
      } finally {
        answer.resolve()
        await other.close()
        await database2.close()
      }
    })

    it.runIf(engine === 'postgres')('stay local if the lock is lost during the upload', async () => {
      const held = await store(randomBytes(1000))
      onRequest = async (step, method, url) => {
        if (step !== 'after' || method !== 'HEAD' || !url.endsWith(held.hash)) return
        onRequest = async () => {}
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
          and objsubid = 1 and objid::bigint = hashtext('factotum.blobs')::bigint & 4294967295`.execute(
          database.db,
        )
        expect(rows).toHaveLength(1)
      }
      await expect(blobs.bucket?.move()).rejects.toThrow()
      expect(await isLocal(held.hash)).toBe(true)
      await blobs.bucket?.move()
      expect(await isLocal(held.hash)).toBe(false)
    })

    it('are never requested inside a transaction', () => {
      expect(requestsInTransactions).toEqual([])
    })
  })
}

onEveryDatabase('blobs', (engine) => {
  testBlobs(engine, false)
})
onEveryDatabase('blobs in a bucket', (engine) => {
  testBlobs(engine, true)
})
