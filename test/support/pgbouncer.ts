import { chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answersOn, freePorts, startGuarded, unprivilegedUser } from './scripts.ts'

/** Path of PgBouncer. Without it, the tests that need it are skipped. */
export const pgbouncerPath = process.env.TEST_PGBOUNCER

export interface PgBouncer {
  /** Returns the address of a database through the pooler. */
  through(databaseUrl: string): string
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in front of the test cluster. `server_reset_query_always` discards the state of a session after
 * every transaction, so that a program that relies on it fails at once.
 */
export const startPgBouncer = async (
  mode: 'session' | 'transaction',
  databaseUrl: string,
): Promise<PgBouncer> => {
  const server = new URL(databaseUrl)
  const user = unprivilegedUser()
  const directory = mkdtempSync('/tmp/factotum-pgbouncer-')
  const [port] = (await freePorts(1)) as [number]
  const settings = join(directory, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 20 : 4}
server_reset_query_always = 1
`,
  )
  if (user.uid !== undefined)
    for (const path of [directory, settings]) chownSync(path, user.uid, user.gid ?? 0)
  const running = startGuarded({
    command: pgbouncerPath as string,
    args: [settings],
    directory,
    user,
    stopSignal: 'TERM',
  })
  await running.untilReady(answersOn(port))
  return {
    through(url) {
      const through = new URL(url)
      through.port = String(port)
      return through.href
    },
    stop: () => running.stop(),
  }
}
