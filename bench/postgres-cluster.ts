import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const INSTALLED = '/usr/lib/postgresql'
const TICKS_PER_SECOND = 100

export interface PostgresCluster {
  /** Creates an empty database and returns its address. */
  createDatabase(name: string): Promise<string>
  /** CPU time of all server processes so far, in milliseconds. */
  cpuMs(): number
  stop(): Promise<void>
}

const readStat = (pid: string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    // The process has ended.
    return []
  }
}

/** The time of the main process, of its running children, and of those that have ended. */
const readCpuMs = (mainPid: string): number => {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      const fields = readStat(pid)
      if (pid === mainPid) return sum + [11, 12, 13, 14].reduce((part, at) => part + Number(fields[at]), 0)
      return fields[1] === mainPid ? sum + Number(fields[11]) + Number(fields[12]) : sum
    }, 0)
  return (ticks * 1000) / TICKS_PER_SECOND
}

/** Starts a durable cluster on the disk, with the settings of a new installation. Undefined without PostgreSQL. */
export const startPostgres = async (): Promise<PostgresCluster | undefined> => {
  const load = (path: string) => import(new URL(`../scripts/${path}.mjs`, import.meta.url).href)
  const { startGuarded } = await load('guarded-process')
  const { freePorts } = await load('parts/loopback')
  const { unprivilegedUser } = await load('parts/postgres')
  const version = existsSync(INSTALLED)
    ? readdirSync(INSTALLED).toSorted((a, b) => Number(b) - Number(a))[0]
    : undefined
  if (version === undefined) return undefined
  const binary = (name: string): string => join(INSTALLED, version, 'bin', name)
  const user = unprivilegedUser() as { uid?: number; gid?: number }
  const directory = mkdtempSync('/tmp/factotum-bench-postgres-')
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid as number)
  const data = join(directory, 'data')
  const created = spawnSync(
    binary('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    { ...user, cwd: directory, encoding: 'utf8' },
  )
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`)
  const [port] = (await freePorts(1)) as [number]
  const cluster = startGuarded({
    command: binary('postgres'),
    args: ['-D', data, '-p', String(port), '-k', directory, '-c', 'listen_addresses=127.0.0.1'],
    directory,
    user,
    stopSignal: 'INT',
  })
  await cluster.untilReady(
    () => spawnSync(binary('pg_isready'), ['-q', '-h', directory, '-p', String(port)]).status === 0,
  )
  const mainPid = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0] as string
  const addressOf = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`
  return {
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: addressOf('postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return addressOf(name)
    },
    cpuMs: () => readCpuMs(mainPid),
    stop: () => cluster.stop(),
  }
}
