import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { startGuarded } from '../guarded-process.mjs'
import { freePorts } from './loopback.mjs'
import { placeInMemory } from './memory.mjs'

const oldest = 15

/** A temporary cluster on loopback: fast rather than durable, and removed with the test run. */
export const postgres = {
  name: `PostgreSQL ${oldest} or newer`,
  debianPackages: ['postgresql'],
  isInstalled: () => findBinaries() !== undefined,

  async provide() {
    const binaries = findBinaries()
    if (!binaries) return { missing: 'install it (Debian: apt-get install postgresql).' }
    const user = unprivilegedUser()
    // The server's user may not be able to access root's temporary directory.
    const disk = user.uid === undefined ? tmpdir() : '/tmp'
    const directory = mkdtempSync(join(placeInMemory() ?? disk, 'factotum-postgres-'))
    const password = randomBytes(16).toString('hex')
    const passwordFile = join(directory, 'password')
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (user.uid !== undefined) {
      for (const path of [directory, passwordFile]) chownSync(path, user.uid, user.gid)
    }
    const [port] = await freePorts(1)
    const cluster = startGuarded({
      command: '/bin/sh',
      args: ['-c', launch, 'postgres', binaries, directory, String(port)],
      directory,
      user,
      stopSignal: 'QUIT',
    })
    const probe = join(binaries, 'pg_isready')
    await cluster.untilReady(() => spawnSync(probe, ['-q', '-h', directory, '-p', String(port)]).status === 0)
    return {
      env: { TEST_POSTGRES_URL: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` },
      stop: cluster.stop,
    }
  },
}

/**
 * Starts a separate cluster that a test can restart. A restart disconnects clients and rejects connections
 * until it is up again. Undefined if PostgreSQL is not installed.
 */
export const createRestartable = async () => {
  const binaries = findBinaries()
  if (!binaries) return undefined
  const user = unprivilegedUser()
  const disk = user.uid === undefined ? tmpdir() : '/tmp'
  const directory = mkdtempSync(join(placeInMemory() ?? disk, 'factotum-postgres-'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const [port] = (await freePorts(1)).map(String)
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']
  const made = spawnSync(join(binaries, 'initdb'), options, { ...user, cwd: directory, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const start = async (stopSignal) => {
    const running = mkdtempSync(join(tmpdir(), 'factotum-postgres-run-'))
    if (user.uid !== undefined) chownSync(running, user.uid, user.gid)
    const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'max_connections=60']
    const cluster = startGuarded({
      command: join(binaries, 'postgres'),
      args: ['-D', data, '-p', port, '-k', directory, ...settings.flatMap((setting) => ['-c', setting])],
      directory: running,
      user,
      stopSignal,
    })
    const probe = join(binaries, 'pg_isready')
    await cluster.untilReady(() => spawnSync(probe, ['-q', '-h', directory, '-p', port]).status === 0)
    return cluster
  }
  let cluster = await start('INT')
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** `INT` disconnects clients cleanly, `QUIT` like a crash. The signal applies to the next restart. */
    async restart(nextSignal = 'INT') {
      await cluster.stop()
      cluster = await start(nextSignal)
    },
    async stop() {
      await cluster.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

// Uses a language collation, as most installations do. The C collation would sort like SQLite and hide
// differences.
const launch = `
"$1/initdb" --pgdata="$2/data" --username=postgres --pwfile="$2/password" --auth=scram-sha-256 --no-sync \\
  --encoding=UTF8 --locale=C --locale-provider=icu --icu-locale=en-US >"$2/initdb.log" 2>&1 ||
  { cat "$2/initdb.log" >&2; exit 1; }
exec "$1/postgres" -D "$2/data" -p "$3" -k "$2" -c listen_addresses=127.0.0.1 -c max_connections=300 \\
  -c fsync=off -c wal_level=minimal -c max_wal_senders=0 -c synchronous_commit=off -c full_page_writes=off`

function findBinaries() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const directories = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...process.env.PATH.split(delimiter),
  ]
  return directories.find((directory) => versionOf(join(directory, 'initdb')) >= oldest)
}

function versionOf(initdb) {
  if (!existsSync(initdb)) return 0
  const { stdout } = spawnSync(initdb, ['--version'], { encoding: 'utf8' })
  return Number(stdout?.match(/PostgreSQL\) (\d+)/)?.[1] ?? 0)
}

/** initdb refuses root. */
export function unprivilegedUser() {
  if (process.getuid() !== 0) return {}
  const name = spawnSync('id', ['postgres']).status === 0 ? 'postgres' : 'nobody'
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
