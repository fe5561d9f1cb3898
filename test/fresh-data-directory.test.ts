import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { command } from './support/command-line.ts'
import { type DataPlace, onEveryDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { callProcess, startFactotum } from './support/process.ts'
import { makeScratch } from './support/scratch.ts'

const { directory, newPlace } = makeScratch()

onEveryDatabase('a DATA_DIR that does not exist', (engine) => {
  let place: DataPlace
  let count = 0
  const file = join(directory, `${engine}.zip`)
  const mailbox = join(directory, `${engine}.mbox`)

  beforeAll(async () => {
    place = await newPlace(engine)
  })
  afterAll(() => vi.resetConfig())

  /** Keeps the database on PostgreSQL. On SQLite, the database is in the directory. */
  const fresh = (of: DataPlace = place): Record<string, string> => ({
    ...of.environment,
    DATA_DIR: join(directory, `${engine}-${++count}`, 'below', 'data'),
    SECRET_KEY: 'a key that is the same for all of them',
    PORT: '0',
  })
  const run = async (environment: Record<string, string>, ...args: string[]) => {
    const { code, stderr } = await command(args, environment)
    expect([args[0], code, stderr]).toEqual([args[0], 0, expect.not.stringMatching(/ENOENT|unexpected/i)])
  }

  it('is created by the server, whose backups are proven', { timeout: 300_000 }, async () => {
    const environment = fresh()
    const server = await startFactotum(environment)
    const { id } = await callProcess(server, 'POST', '/api/backups')
    const read = () => callProcess(server, 'GET', `/api/backups/${id}`)
    await eventually(async () => (await read()).finishedAt !== null)
    expect(await read()).toMatchObject({ state: 'proven', problem: null })
    expect(existsSync(join(environment.DATA_DIR as string, 'backups'))).toBe(true)
    server.child.kill('SIGTERM')
    await server.ended
  })

  it('is created by every command that needs it', { timeout: 300_000 }, async () => {
    const email = 'ana@example.org'
    const { writeFile } = await import('node:fs/promises')
    await writeFile(mailbox, 'From ana Thu Jan  1 00:00:00 2026\nFrom: ana@example.org\nSubject: Hi\n\nHi\n')
    const first = fresh()
    /** PostgreSQL keeps the data, so each command has its own directory. */
    const next = () => (engine === 'postgres' ? fresh() : first)
    await run(next(), 'migrate')
    const input = 'correct horse battery\n'
    const added = await command(['user', 'add', email, '--password-stdin'], next(), { input })
    expect(added).toMatchObject({ code: 0 })
    await run(next(), 'token', 'create', '--user', email, '--name', 'CLI', '--scope', 'tasks:read')
    await run(next(), 'import', mailbox, '--account', email)
    await run(next(), 'backup', file)
    await run(fresh(), 'verify', file)
    await run(fresh(await newPlace(engine)), 'restore', file)
    await run(next(), 'doctor')
    await run(fresh(await newPlace(engine)), 'doctor')
  })
})
