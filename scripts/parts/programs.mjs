import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const find = (program) =>
  [...process.env.PATH.split(delimiter), '/usr/sbin', '/usr/bin']
    .map((directory) => join(directory, program))
    .find((path) => existsSync(path))

/** Only the program: the tests that need it start it with their own settings. */
const createProgram = ({ name, program, variable }) => ({
  name,
  debianPackages: [program],
  isInstalled: () => find(program) !== undefined,

  async provide() {
    const path = find(program)
    if (!path) return { missing: `install it (Debian: apt-get install ${program}).` }
    return { env: { [variable]: path }, stop: async () => {} }
  },
})

export const nginx = createProgram({ name: 'nginx', program: 'nginx', variable: 'TEST_NGINX' })
export const pgbouncer = createProgram({
  name: 'PgBouncer',
  program: 'pgbouncer',
  variable: 'TEST_PGBOUNCER',
})
