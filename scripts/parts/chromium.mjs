import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell needs about a fifth less CPU time for the same work. */
const SHELL = 'chromium-headless-shell'
const names = [SHELL, 'chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']

const catalogue = '/usr/bin/apt-cache'

/** Only the program: each browser test starts its own instance through playwright-core. */
export const chromium = {
  name: 'Chromium',
  /** Evaluated when the package list is fresh; older releases do not have the preferred package. */
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

/** Runs `--version`, because some distributions install a script that only says what to install. */
function find() {
  const directories = ['/usr/bin', ...process.env.PATH.split(delimiter)]
  const candidates = names.flatMap((name) => directories.map((directory) => join(directory, name)))
  return candidates.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0)
}
