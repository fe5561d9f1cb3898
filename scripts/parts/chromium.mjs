import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The one that never opens a window does the same work for two thirds of the processor's time. */
const SHELL = 'chromium-headless-shell'
const names = [SHELL, 'chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']

const catalogue = '/usr/bin/apt-cache'

/** Only the program: each test that needs a browser starts its own through playwright-core. */
export const chromium = {
  name: 'Chromium',
  /** Read when the list of packages is fresh; older releases do not have the one that is preferred. */
  get debianPackages() {
    return [spawnSync(catalogue, ['show', SHELL]).status === 0 ? SHELL : 'chromium']
  },
  isInstalled: () => find() !== undefined,

  async provide() {
    const path = find()
    if (!path) return { missing: `install it (Debian: apt-get install ${SHELL}).` }
    return { env: { TEST_CHROMIUM: path }, stop: async () => {} }
  },
}

/** Asked for its version, because some distributions put a script there that only tells what to install. */
function find() {
  const directories = ['/usr/bin', ...process.env.PATH.split(delimiter)]
  const candidates = names.flatMap((name) => directories.map((directory) => join(directory, name)))
  return candidates.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0)
}
