import { mkdtempSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { startGuarded } from '../guarded-process.mjs'

const PLACE = '/dev/shm'
const ENOUGH = 4 * 2 ** 30

/**
 * Where files are kept in memory, if there is room for those of a whole run. Databases of hundreds of files are made
 * and dropped by the hundred: a disk's file system takes several times the processor's time for it.
 */
export const placeInMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(PLACE)
    return Math.min(bavail * bsize, freemem()) < ENOUGH ? undefined : PLACE
  } catch {
    return undefined
  }
}

/** A directory there for whatever tests write; without it they write to the disk. */
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
