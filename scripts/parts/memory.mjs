import { mkdtempSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { startGuarded } from '../guarded-process.mjs'

const PLACE = '/dev/shm'
const ENOUGH = 4 * 2 ** 30

/**
 * Returns a directory in memory, if there is space for a whole run. Tests create and drop hundreds of
 * databases with hundreds of files. A file system on disk takes several times the CPU time for that.
 */
export const placeInMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(PLACE)
    return Math.min(bavail * bsize, freemem()) < ENOUGH ? undefined : PLACE
  } catch {
    return undefined
  }
}

/** An in-memory directory for test files; without it they go to the disk. */
export const memory = {
  name: 'files in memory',
  debianPackages: [],
  isInstalled: () => true,

  async provide() {
    const place = placeInMemory()
    if (!place) return { env: {}, stop: async () => {} }
    const directory = mkdtempSync(join(place, 'factotum-tests-'))
    const keeper = startGuarded({ command: 'tail', args: ['-f', '/dev/null'], directory })
    return { env: { TMPDIR: directory }, stop: keeper.stop }
  },
}
