import { existsSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../command.ts'

const flushDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const explain = (file: string, error: unknown): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new CommandError(`There is no room for ${file}: the disk is full.`)
    case 'ENOENT':
      return new CommandError(`There is no directory ${dirname(file)}.`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CommandError(`${file} may not be written here.`)
    default:
      return error
  }
}

/**
 * Writes a file that is there whole or not at all, and that only its owner may read: what is being written is called
 * FILE.partial until it has reached the disk.
 */
export const writeWhole = async (
  file: string,
  options: { force: boolean; onStop: (callback: () => void) => void; exit: (code: number) => never },
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> => {
  const partial = `${file}.partial`
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) throw new CommandError(`${file} is a directory. Name a file.`)
    if (!options.force)
      throw new CommandError(`${file} is there already. Choose another name, or add --force.`)
  }
  let handle: FileHandle | undefined
  let isOurs = false
  try {
    // One that an earlier run left behind, whoever may read it.
    await rm(partial, { force: true })
    handle = await open(partial, 'wx', 0o600)
    isOurs = true
    options.onStop(() => {
      rmSync(partial, { force: true })
      options.exit(1)
    })
    await write(handle)
    await handle.sync()
    // Another backup to the same file has taken the name: that one is not complete yet.
    isOurs = (await handle.stat()).ino === (await stat(partial)).ino
    if (!isOurs) throw new CommandError(`Another backup to ${file} is running.`)
    await rename(partial, file)
    await flushDirectory(dirname(file))
  } catch (error) {
    if (isOurs) await rm(partial, { force: true })
    throw explain(file, error)
  } finally {
    await handle?.close()
  }
}
