import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates a directory, with its missing parents, that only its owner can access. Node's `recursive` option
 * loops forever if the parent exists but claims not to, as below /proc. It also reports a read-only disk as
 * ENOENT.
 */
export const makeDirectory = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (isDirectory(path)) return
    const above = dirname(path)
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(above)
    if (!isMissing || above === path) throw error
    makeDirectory(above)
    makeDirectory(path)
  }
}
