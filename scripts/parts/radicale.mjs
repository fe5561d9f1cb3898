import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGuarded } from '../guarded-process.mjs'
import { answersOn, freePorts } from './loopback.mjs'

/** Debian's Python: its modules do not work with another Python that may come first in PATH. */
const python = '/usr/bin/python3'
const keeper = { username: 'keeper', password: 'keeps everything' }

/**
 * A CalDAV server on loopback. A line `name:password` in `users` creates a user with a home at once. The
 * keeper account may write everywhere, also to calendars named `readonly…`, which their owners can only read.
 */
export const radicale = {
  name: 'Radicale',
  debianPackages: ['radicale'],
  isInstalled: () => existsSync(python) && spawnSync(python, ['-c', 'import radicale, passlib']).status === 0,

  async provide() {
    if (!this.isInstalled()) return { missing: 'install it (Debian: apt-get install radicale).' }
    const directory = mkdtempSync(join(tmpdir(), 'factotum-radicale-'))
    const [port] = await freePorts(1)
    const [users, rights, settings] = ['users', 'rights', 'config'].map((name) => join(directory, name))
    writeFileSync(users, `${keeper.username}:${keeper.password}\n`)
    writeFileSync(rights, rightsOfEach)
    writeFileSync(settings, settingsFor({ directory, port, users, rights }))
    const server = startGuarded({
      command: python,
      args: ['-m', 'radicale', '--config', settings],
      directory,
    })
    await server.untilReady(answersOn(port))
    return {
      env: { TEST_RADICALE: JSON.stringify({ url: `http://127.0.0.1:${port}/`, users, keeper }) },
      stop: server.stop,
    }
  },
}

const settingsFor = ({ directory, port, users, rights }) => `
[server]
hosts = 127.0.0.1:${port}
max_connections = 100
[auth]
type = htpasswd
htpasswd_filename = ${users}
htpasswd_encryption = plain
delay = 0
[rights]
type = from_file
file = ${rights}
[storage]
filesystem_folder = ${directory}/collections
[web]
type = none
[logging]
level = warning
`

const rightsOfEach = `
[keeper]
user: ${keeper.username}
collection: .*
permissions: RrWw
[root]
user: .+
collection:
permissions: R
[home]
user: .+
collection: {user}
permissions: RW
[readonly]
user: .+
collection: {user}/readonly[^/]*
permissions: r
[calendar]
user: .+
collection: {user}/[^/]+
permissions: rw
`
