import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { command } from './support/command-line.ts'
import { type DataPlace, onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { callProcess, startFactotum } from './support/process.ts'
import { makeScratch } from './support/scratch.ts'

const { directory, newPlace } = makeScratch()
let count = 0

/** Keeps the database on PostgreSQL. On SQLite, the database is in the directory. */
const fresh = (place: DataPlace): Record<string, string> => ({
  ...place.environment,
  DATA_DIR: join(directory, String(++count), 'below', 'data'),
  SECRET_KEY: 'a key that is the same for all of them',
  PORT: '0',
})

// A first start on SQLite is in release.test.ts.
onOneDatabase('postgres', 'a DATA_DIR that does not exist', (engine) => {
  it('is created by the server, whose backups are proven', async () => {
    const environment = fresh(await newPlace(engine, 'prepared'))
    const server = await startFactotum(environment)
    const { id } = await callProcess(server, 'POST', '/api/backups')
    const read = () => callProcess(server, 'GET', `/api/backups/${id}`)
    await eventually(async () => (await read()).finishedAt !== null)
    expect(await read()).toMatchObject({ state: 'proven', problem: null })
    expect(existsSync(join(environment.DATA_DIR as string, 'backups'))).toBe(true)
    server.child.kill('SIGTERM')
    await server.ended
  })
})

onEveryDatabase('a DATA_DIR that does not exist', (engine) => {
  const run = async (environment: Record<string, string>, ...args: string[]) => {
    const { code, stderr } = await command(args, environment)
    expect([args[0], code, stderr]).toEqual([args[0], 0, expect.not.stringMatching(/ENOENT|unexpected/i)])
  }

  it('is created by every command that needs it', async () => {
    const email = 'ana@example.org'
    const file = join(directory, `${engine}.zip`)
    const mailbox = join(directory, `${engine}.mbox`)
    writeFileSync(mailbox, 'From ana Thu Jan  1 00:00:00 2026\nFrom: ana@example.org\nSubject: Hi\n\nHi\n')
    const place = await newPlace(engine, 'prepared')
    const first = fresh(place)
    /** PostgreSQL keeps the data, so each command has its own directory. */
    const next = () => (engine === 'postgres' ? fresh(place) : first)
    await run(next(), 'migrate')
    const input = 'correct horse battery\n'
    const added = await command(['user', 'add', email, '--password-stdin'], next(), { input })
    expect(added).toMatchObject({ code: 0 })
    await run(next(), 'token', 'create', '--user', email, '--name', 'CLI', '--scope', 'tasks:read')
    await run(next(), 'import', mailbox, '--account', email)
    await run(next(), 'backup', file)
    await run(fresh(place), 'verify', file)
    await run(fresh(await newPlace(engine, 'prepared')), 'restore', file)
    await run(next(), 'doctor')
    await run(fresh(await newPlace(engine, 'prepared')), 'doctor')
  })
})
