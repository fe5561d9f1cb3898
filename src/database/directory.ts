import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a directory for its owner alone, and those above it that are missing. Node's own way (`recursive`) never ends
 * where the directory above is there and says that it is not, as below /proc, and tells of a read-only disk as if
 * something were missing.
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
