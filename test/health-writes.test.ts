import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { onPostgresOnly } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Instance, startInstance } from './support/instance.ts'

/** Mounts a disk of a few megabytes; undefined if that is not possible. */
const mountSmallDisk = (): { directory: string; remove(): void } | undefined => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-disk-'))
  const mount = (options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory])
  if (process.getuid?.() !== 0 || mount('size=16m').status !== 0) {
    rmSync(directory, { recursive: true })
    return undefined
  }
  return {
    directory,
    remove() {
      spawnSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true })
    },
  }
}

const disk = mountSmallDisk()
disk?.remove()

/** Returns the health checks after the next measurement. */
const checksOf = async (instance: Instance) => {
  const { status, body } = await instance.get('/api/health')
  const failed = Object.entries(body.checks as Record<string, { ok: boolean }>)
  return { status, says: body.status, failed: failed.flatMap(([name, { ok }]) => (ok ? [] : [name])) }
}

const untilDown = async (instance: Instance, names: string[]) => {
  await eventually(async () => {
    instance.clock.advance(MINUTE)
    const { failed } = await checksOf(instance)
    return names.every((name) => failed.includes(name))
  })
  expect(await checksOf(instance)).toMatchObject({ status: 503, says: 'down' })
}

const untilUp = (instance: Instance) =>
  eventually(async () => {
    instance.clock.advance(MINUTE)
    return (await checksOf(instance)).status === 200
  })

const FULL_DISK = 'a disk that is full is reported by health, and so is that it has space again'

it.skipIf(!disk)(`${FULL_DISK}${disk ? '' : ' (skipped: mounting a small disk needs root)'}`, async () => {
  const small = mountSmallDisk() as NonNullable<ReturnType<typeof mountSmallDisk>>
  try {
    const instance = await startInstance({ environment: { DATA_DIR: small.directory } })
    expect(await checksOf(instance)).toEqual({ status: 200, says: 'ok', failed: [] })
    const filler = join(small.directory, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(32 * 1024 * 1024))
    } catch {}
    await untilDown(instance, ['fileWrites'])
    let last = 201
    for (let n = 0; n < 500 && last === 201; n++)
      last = (await instance.post('/api/tasks', { title: 'x'.repeat(400), notes: 'y'.repeat(5000) })).status
    expect(last).toBe(503)
    await untilDown(instance, ['databaseWrites', 'fileWrites'])
    rmSync(filler)
    await untilUp(instance)
    expect((await instance.post('/api/tasks', { title: 'again' })).status).toBe(201)
    await instance.close()
  } finally {
    small.remove()
  }
})

it.skipIf(!disk)('health reports a read-only blob directory', async () => {
  const instance = await startInstance()
  expect((await checksOf(instance)).status).toBe(200)
  const blobs = join(instance.place.dataDir, 'blobs')
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', blobs])
  try {
    await untilDown(instance, ['fileWrites'])
  } finally {
    spawnSync('umount', [blobs])
  }
  await untilUp(instance)
  await instance.close()
})

it('many health requests cause only occasional writes', async () => {
  const instance = await startInstance()
  await instance.get('/api/health')
  const probe = vi.spyOn(instance.database, 'probeWrite')
  for (let n = 0; n < 20; n++) await instance.get('/api/health')
  expect(probe).not.toHaveBeenCalled()
  instance.clock.advance(MINUTE)
  for (let n = 0; n < 20; n++) await instance.get('/api/health')
  expect(probe).toHaveBeenCalledTimes(1)
  await instance.close()
})

onPostgresOnly('a database', () => {
  it('that is read-only is reported by health', async () => {
    const instance = await startInstance({ engine: 'postgres' })
    expect((await checksOf(instance)).status).toBe(200)
    const operator = new pg.Client({ connectionString: instance.place.databaseUrl as string })
    await operator.connect()
    const { rows } = await operator.query('select current_database() as name')
    await operator.query(`alter database ${rows[0].name} set default_transaction_read_only = on`)
    // Applies to new connections.
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await operator.end()
    await untilDown(instance, ['databaseWrites'])
    await instance.close()
  })
})
