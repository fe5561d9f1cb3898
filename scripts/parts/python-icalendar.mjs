import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Python with the icalendar library, as an independent parser of our calendars. */
export const pythonIcalendar = {
  name: "Python's icalendar",
  debianPackages: ['python3-icalendar'],
  isInstalled: () => find() !== undefined,

  async provide() {
    const path = find()
    if (!path) return { missing: 'install it (Debian: apt-get install python3-icalendar).' }
    return { env: { TEST_PYTHON_ICALENDAR: path }, stop: async () => {} }
  },
}

function find() {
  const candidates = ['/usr/bin', ...process.env.PATH.split(delimiter)].map((directory) =>
    join(directory, 'python3'),
  )
  return candidates.find(
    (path) => existsSync(path) && spawnSync(path, ['-c', 'import icalendar']).status === 0,
  )
}
