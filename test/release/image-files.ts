import { closeSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/release/packages.ts'

export interface UnpackedImage {
  /** The folder with the files of all layers. */
  root: string
  mediaType: string
  architecture: string
  config: Record<string, unknown>
}

/** Unpacks an OCI archive. Only root can set the owners of the files. */
export const unpackImage = (archive: string, folder: string): UnpackedImage => {
  const [layout, root] = [join(folder, 'layout'), join(folder, 'root')]
  mkdirSync(layout, { recursive: true })
  mkdirSync(root)
  run('tar', ['-xf', archive, '-C', layout])
  const toPath = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'))
  const readBlob = (digest: string) => JSON.parse(readFileSync(toPath(digest), 'utf8'))
  const [entry] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests
  const { config, layers } = readBlob(entry.digest)
  for (const { digest } of layers)
    run('tar', ['-xf', toPath(digest), '--preserve-permissions', '--numeric-owner', '-C', root])
  return { root, mediaType: entry.mediaType, ...readBlob(config.digest) }
}

/** Lists all files of a folder with type, mode, owner, target of a link, time and hash. */
export const listFiles = (root: string): string[] => {
  const find = (...args: string[]) =>
    run('find', ['.', ...args], { cwd: root })
      .trim()
      .split('\n')
  const properties = find('-mindepth', '1', '!', '-type', 'f', '-printf', '%p %y %m %U:%G %l\n')
  const files = find('-type', 'f', '-printf', '%p %m %U:%G %T@\n')
  const hashes = find('-type', 'f', '-exec', 'sha256sum', '{}', '+')
  return [...properties, ...files, ...hashes].sort()
}

/** Counts the ELF files of a folder by the number of their machine. */
export const countMachines = (root: string): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const path of run('find', [root, '-type', 'f', '-size', '+63c']).trim().split('\n')) {
    const header = Buffer.alloc(20)
    const file = openSync(path, 'r')
    readSync(file, header)
    closeSync(file)
    if (header.toString('latin1', 0, 4) !== '\x7fELF') continue
    const machine = header.readUInt16LE(18)
    counts.set(machine, (counts.get(machine) ?? 0) + 1)
  }
  return counts
}
