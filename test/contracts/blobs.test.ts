import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Database } from '../../src/database/database.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'
import { migrate } from '../../src/database/migrate.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { type Blobs, createBlobs } from '../../src/platform/blobs/blobs.ts'
import { blobDirectory, blobPath } from '../../src/platform/blobs/storage.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createMovableClock, DAY } from '../support/clock.ts'
import { openPlace } from '../support/copies.ts'
import { type DataPlace, makeDataPlace, onEveryDatabase } from '../support/databases.ts'

onEveryDatabase('blobs', (engine) => {
  let place: DataPlace
  let database: Database
  let blobs: Blobs
  const clock = createMovableClock()
  beforeAll(async () => {
    place = await makeDataPlace(engine)
    database = await openPlace(place)
    await migrate(database)
    blobs = createBlobs({
      database,
      dataDir: place.dataDir,
      clock,
      random: systemRandom,
      log: createLog('silent'),
      uses: [
        { table: 'attachments', column: 'blob' },
        { table: 'emails', column: 'rawBlob' },
      ],
    })
  })
  afterAll(async () => {
    await database.close()
    await place.remove()
  })

  let count = 0
  /** Stores the bytes and refers to them with a row, like a feature. */
  const hold = async (source: Buffer | AsyncIterable<Buffer>) => {
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
  const letGo = async ({ id, hash }: { id: string; hash: string }) => {
    await inTransaction(database.db, async (tx) => {
      await tx.deleteFrom('attachments').where('id', '=', id).modifyEnd(ALL_ACCOUNTS).execute()
      await blobs.release(tx, [hash])
    })
    await blobs.settled()
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
    expect(await isThere(doomed.hash)).toBe(false)
    expect(await isThere(saved.hash)).toBe(true)
    expect((await rowOf(saved.hash))?.unusedSince).toBeNull()
  })

  it('are never removed by a sweep while another transaction keeps them', async () => {
    for (let round = 0; round < 15; round++) {
      const bytes = randomBytes(500)
      const held = await hold(bytes)
      const [, kept] = await Promise.all([letGo(held), hold(bytes), blobs.sweep()])
      expect((await blobs.readWhole(database.db, kept.hash)).equals(bytes)).toBe(true)
    }
  })

  it('that are missing cause an error on read, not an empty file', async () => {
    await expect(blobs.readWhole(database.db, 'f'.repeat(64))).rejects.toThrow()
  })

  it.runIf(engine === 'sqlite')('leave no temporary or orphaned files behind', async () => {
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
})
