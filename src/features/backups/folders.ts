import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** Resolves symbolic links, also of a path whose last parts do not exist yet. */
const resolveLinks = async (path: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await resolveLinks(parent), basename(path))
  }
}

const isWithin = (path: string, root: string): boolean => `${path}${sep}`.startsWith(`${root}${sep}`)

export interface BackupFolders {
  /** The directory of a schedule that names none. */
  fallback: string
  /** The directories that the operator named. */
  named: readonly string[]
  /** Returns why a directory may not hold backups, or undefined. */
  explainRefusal(folder: string): Promise<string | undefined>
}

/**
 * Backups contain all data, so the owner may only choose directories that the operator named. In DATA_DIR, only
 * `backups` may hold them: a backup contains all other directories.
 */
export const createBackupFolders = (options: {
  dataDir: string
  named: readonly string[]
  /** Anyone can download the files of these directories. */
  served: readonly string[]
}): BackupFolders => {
  const fallback = resolve(options.dataDir, 'backups')
  const { named } = options
  const resolveAll = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => resolveLinks(resolve(path))))
  return {
    fallback,
    named,
    async explainRefusal(folder) {
      const path = await resolveLinks(resolve(folder))
      const served = await resolveAll(options.served)
      if (served.some((root) => isWithin(path, root)))
        return 'is a directory that the server publishes: choose another one'
      const allowed = await resolveAll([fallback, ...named])
      if (allowed.some((root) => isWithin(path, root))) return undefined
      return `is not in ${fallback} or in a directory of BACKUP_FOLDERS: add it to BACKUP_FOLDERS in the configuration of the server, or choose another one`
    },
  }
}
