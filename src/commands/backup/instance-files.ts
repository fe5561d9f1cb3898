import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The database and what it writes beside itself, the secret and its drafts, blobs, restores and imports under way, a disk's own. */
const NOT_FILES = /^(blobs($|\/)|factotum\.db($|-)|secret\.key($|\.)|restoring-|importing-|lost\+found$)/

/** Whether a path in DATA_DIR is a file like any other, to be copied and brought back as it is. */
export const isPlainFile = (path: string): boolean => !NOT_FILES.test(path) && !path.endsWith('.lock')

export interface InstanceFile {
  /** In DATA_DIR, with `/` between its parts. */
  path: string
  handle: FileHandle
}

const openFile = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    // Removed since the directory was read, by a service that goes on working.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const list = async (directory: string) => {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Every plain file below DATA_DIR, opened; whoever takes it closes it. */
export async function* instanceFiles(
  dataDir: string,
  leaveOut: (path: string) => void,
  below = '',
): AsyncGenerator<InstanceFile> {
  for (const entry of await list(join(dataDir, below))) {
    const path = `${below}${entry.name}`
    if (!isPlainFile(path)) continue
    if (entry.isDirectory()) yield* instanceFiles(dataDir, leaveOut, `${path}/`)
    else if (entry.isFile() && !path.includes('\\')) {
      const handle = await openFile(join(dataDir, path))
      if (handle) yield { path, handle }
    } else leaveOut(path)
  }
}
