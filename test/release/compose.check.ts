import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { run } from '../../scripts/release/packages.ts'
import { installPackages, writeScript } from './debian.ts'
import { findFreePort } from './free-port.ts'
import { createMachine, type Machine } from './machine.ts'
import { preparePodman } from './podman.ts'
import { readCommand, readCommands, register, releaseFile, signIn } from './stranger.ts'
import { HOST, VERSION } from './versions.ts'

const scratch = inject('scratch')
const programs = inject('programs')

/** Reads the settings of the official image of PostgreSQL that the compose file uses. */
const POSTGRES_ENTRYPOINT = `#!/bin/sh
set -e
export PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data
if [ ! -s $data/PG_VERSION ]; then
  install --owner postgres --mode 0400 "$POSTGRES_PASSWORD_FILE" /tmp/password
  chown postgres $data
  chmod 0700 $data
  runuser -u postgres -- initdb --pgdata $data --username "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "CREATE DATABASE $POSTGRES_DB" | runuser -u postgres -- postgres --single -D $data template1
fi
exec runuser -u postgres -- postgres -D $data -c 'listen_addresses=*'
`

/** Packs a Debian with PostgreSQL and Caddy. No registry is needed for the images of the compose file. */
const createServices = (archive: string): void => {
  const root = join(scratch, 'services')
  run('cp', ['--archive', join(scratch, 'debian'), root])
  try {
    installPackages(root, ['postgresql', 'caddy'])
    writeScript(root, 'usr/local/bin/postgres-entrypoint', POSTGRES_ENTRYPOINT)
    run('tar', ['-cf', archive, '-C', root, '.'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe.runIf(programs.podman)('compose', () => {
  let machine: Machine
  let canRun = false
  const folder = '/root/packaging/compose'
  // podman-compose reads the same files as docker compose.
  const compose = (command: string) =>
    machine.run(`cd ${folder} && ${command.replace('docker compose', 'podman-compose')}`)

  beforeAll(async () => {
    machine = await createMachine(join(scratch, 'podman'), join(scratch, 'compose'))
    installPackages(machine.root, ['podman-compose'])
    const name = `factotum-${VERSION}-image-${HOST}.oci.tar`
    copyFileSync(releaseFile(`-image-${HOST}.oci.tar`), join(machine.root, 'root', name))
    cpSync(join(scratch, 'unpacked/packaging'), join(machine.root, 'root/packaging'), { recursive: true })
    machine.run(readCommand('install.md', 'podman', 'podman load'))
    canRun = preparePodman(machine, join(scratch, 'podman'))
    if (!canRun) return
    const archive = join(scratch, 'services.tar')
    if (!existsSync(archive)) createServices(archive)
    const importImage = (image: string, entry: string) =>
      machine.run(`podman import --change 'ENTRYPOINT ${entry}' services.tar docker.io/library/${image}`)
    copyFileSync(archive, join(machine.root, 'root/services.tar'))
    importImage('postgres:17', '["/usr/local/bin/postgres-entrypoint"]')
    importImage('caddy:2', '["/usr/bin/caddy", "run", "--config", "/etc/caddy/Caddyfile"]')
  })
  afterAll(async () => {
    if (canRun) machine.run('podman rm --all --force --time 30')
    await machine?.close()
  })
  const composeIt = (name: string, test: () => Promise<void>) =>
    it(name, (context) => (canRun ? test() : context.skip('podman starts no containers here')))

  composeIt('runs one instance with SQLite', async () => {
    const command = readCommand('install-containers.md', 'Compose', 'sqlite.yaml')
    compose(command)
    await machine.untilHealthy()
    register(machine)
    compose('docker compose --file sqlite.yaml down')
    compose(command)
    await machine.untilHealthy()
    signIn(machine)
    checkHealth('compose_factotum_1')
    compose('docker compose --file sqlite.yaml down')
  })

  composeIt('runs two instances with PostgreSQL behind Caddy, one of which can stop', async () => {
    const [, commands = []] = readCommands('install-containers.md', 'Compose')
    // Caddy issues its own certificate for this name.
    for (const command of commands) compose(command.replace('desk.example.org', 'localhost'))
    const site = 'https://localhost'
    expect(await machine.untilHealthy(site)).toMatchObject({ database: { engine: 'postgres' } })
    const token = register(machine, site)
    const names = machine.run('podman ps --format "{{.Names}}"').split('\n')
    const instances = names.filter((each) => /factotum-\d/.test(each))
    expect(instances).toHaveLength(2)
    for (const instance of instances) await expect.poll(() => isHealthy(instance)).toBe(true)
    for (const instance of instances) {
      const statuses: number[] = []
      let hasStopped = false
      const stopping = machine.start(`podman stop --time 40 ${instance}`)
      const ended = stopping.ended.finally(() => {
        hasStopped = true
      })
      for (let after = 0; after < 10; after += hasStopped ? 1 : 0) {
        const body = { title: `Request ${statuses.length} while ${instance} stops` }
        statuses.push(machine.request(`${site}/api/tasks`, { token, body }).status)
        await setImmediate()
      }
      expect(await ended).toBe(0)
      process.stdout.write(`${statuses.length} POST requests while ${instance} stopped\n`)
      expect(statuses.filter((status) => status !== 201)).toEqual([])
      machine.run(`podman start ${instance}`)
      await expect.poll(() => isHealthy(instance)).toBe(true)
    }
    signIn(machine, site)
  })
  // podman-compose 1.0 runs health checks in a shell, which the image does not have.
  const checkHealth = (instance: string) =>
    machine.run(`podman exec ${instance} node /opt/factotum/bin/health.mjs`)
  const isHealthy = (instance: string): boolean => {
    try {
      checkHealth(instance)
      return true
    } catch {
      return false
    }
  }
})

describe.runIf(programs.caddy && process.env.TEST_POSTGRES_URL)('two instances behind Caddy', () => {
  it('answer while one of them stops, with secrets in files', async () => {
    const folder = join(scratch, 'two')
    mkdirSync(folder)
    const [database, key] = [join(folder, 'database'), join(folder, 'key')]
    writeFileSync(database, `${process.env.TEST_POSTGRES_URL}\n`)
    writeFileSync(key, `${'k'.repeat(40)}\n`)
    const [port, ...ports] = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
    const site = `http://127.0.0.1:${port}`
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL_FILE: database,
      SECRET_KEY_FILE: key,
      PUBLIC_URL: site,
      TRUST_PROXY: '1',
      SHUTDOWN_DELAY: '3',
      RATE_LIMIT: '1000000',
      DATA_DIR: join(folder, 'data'),
    }
    const entry = join(scratch, 'unpacked', 'bin', 'factotum.mjs')
    const servers = ports.map((PORT) =>
      spawn(process.execPath, [entry, 'serve'], { env: { ...env, PORT }, stdio: 'ignore' }),
    )
    const call = (url: string, options: RequestInit = {}) =>
      fetch(url, options).then(
        ({ status }) => status,
        () => 0,
      )
    const post = (path: string, body: unknown, token?: string): [string, RequestInit] => [
      `${site}${path}`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      },
    ]
    const config = join(scratch, 'unpacked', 'packaging', 'compose', 'Caddyfile')
    const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        SITE: site,
        UPSTREAMS: ports.map((each) => `127.0.0.1:${each}`).join(' '),
      },
      stdio: 'ignore',
    })
    try {
      for (const each of ports) await expect.poll(() => call(`http://127.0.0.1:${each}/api/health`)).toBe(200)
      await expect.poll(() => call(`${site}/api/health`)).toBe(200)
      const account = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }
      const registered = await fetch(...post('/api/auth/register', account))
      const { token } = (await registered.json()) as { token: string }
      const stopping = servers[0] as ChildProcess
      const statuses: number[] = []
      const sendUntilStopped = async (): Promise<void> => {
        for (let after = 0; after < 10; after += stopping.exitCode === null ? 0 : 1)
          statuses.push(await call(...post('/api/tasks', { title: 'Sent to either' }, token)))
      }
      const senders = [sendUntilStopped(), sendUntilStopped(), sendUntilStopped(), sendUntilStopped()]
      stopping.kill('SIGTERM')
      await Promise.all(senders)
      process.stdout.write(`${statuses.length} POST requests while an instance stopped\n`)
      expect(statuses.filter((status) => status !== 201)).toEqual([])
    } finally {
      const children = [caddy, ...servers]
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
      rmSync(folder, { recursive: true, force: true })
    }
    expect(servers.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  })
})
