import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** The fields of package.json that a release reads. */
export interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  licenses?: { type: string }[]
  author?: string | { name: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

interface LockEntry extends Partial<Manifest> {
  integrity?: string
  optional?: boolean
  dev?: boolean
}

export interface Lock {
  /** The folder with package-lock.json. */
  root: string
  packages: Record<string, LockEntry>
}

/** A package of npm that is part of the release. */
export interface Package {
  /** The key in the lock file, such as `node_modules/a/node_modules/b`. */
  path: string
  /** The folder on this machine. */
  folder: string
  manifest: Manifest
  integrity: string | undefined
  dependsOn: string[]
}

export const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T

export const readLock = (root: string): Lock => ({
  root,
  packages: readJson<{ packages: Record<string, LockEntry> }>(join(root, 'package-lock.json')).packages,
})

/** Resolves a name as Node does: in the folder itself, then in the folders above. */
const resolve = ({ packages }: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = posix.join(folder, 'node_modules', name)
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

const dependencyNames = (entry: LockEntry | undefined): string[] =>
  Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies, ...entry?.peerDependencies })

const listDependencies = (lock: Lock, path: string): string[] =>
  dependencyNames(lock.packages[path]).flatMap((name) => resolve(lock, path, name) ?? [])

/** Lists these packages and everything that they depend on, as keys of the lock file. */
export const listClosure = (lock: Lock, names: readonly string[]): string[] => {
  const seen = new Set<string>()
  const visit = (path: string | undefined): void => {
    if (path === undefined || seen.has(path)) return
    seen.add(path)
    for (const dependency of listDependencies(lock, path)) visit(dependency)
  }
  for (const name of names) {
    const path = resolve(lock, '', name)
    if (path === undefined) throw new Error(`${name} is not in ${lock.root}/package-lock.json.`)
    visit(path)
  }
  return [...seen].sort()
}

/** The run-time packages of the lock file's own project. */
export const listProduction = (lock: Lock): string[] =>
  listClosure(lock, Object.keys(lock.packages['']?.dependencies ?? {}))

/** Reads an installed package. Throws if its version differs from the lock file. */
export const readPackage = (lock: Lock, path: string, folder = join(lock.root, path)): Package => {
  const manifest = readJson<Manifest>(join(folder, 'package.json'))
  const entry = lock.packages[path]
  if (manifest.version !== entry?.version)
    throw new Error(`${folder} has version ${manifest.version}, but the lock file has ${entry?.version}.`)
  return { path, folder, manifest, integrity: entry.integrity, dependsOn: listDependencies(lock, path) }
}

/** Reads from the source maps which packages contributed code to the files of a bundle. */
export const listBundledPackages = (lock: Lock, folder: string, maps: readonly string[]): string[] => {
  const paths = new Set<string>()
  for (const map of maps) {
    const { sources } = readJson<{ sources: string[] }>(join(folder, map))
    for (const source of sources) {
      const path = toPackagePath(source)
      if (path !== undefined) paths.add(path)
    }
  }
  for (const path of paths)
    if (!lock.packages[path]) throw new Error(`${path} is in the bundle but not in the lock file.`)
  return [...paths].sort()
}

/** Converts `../node_modules/@a/b/dist/x.js` to `node_modules/@a/b`. */
const toPackagePath = (source: string): string | undefined => {
  const [, path] = /^(?:\.\.\/)*((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return path
}

/** Runs a program and returns its output. Throws with the output if it fails. */
export const run = (
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: Buffer } = {},
): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}

/**
 * Downloads a package with npm and unpacks it into a new folder in `cache`. Unlike `npm install`, this also works for
 * the binaries of other platforms. Returns the folder.
 */
export const fetchPackage = (
  cache: string,
  { name, version, integrity }: { name: string; version: string; integrity?: string | undefined },
): string => {
  const folder = join(cache, `${name.replace('/', '-')}-${version}`)
  try {
    readdirSync(folder)
    return join(folder, 'package')
  } catch {
    mkdirSync(dirname(folder), { recursive: true })
  }
  const draft = mkdtempSync(`${folder}.`)
  try {
    run('npm', ['pack', '--silent', '--pack-destination', draft, `${name}@${version}`], { cwd: draft })
    const [archive = ''] = readdirSync(draft)
    const hash = createHash('sha512')
      .update(readFileSync(join(draft, archive)))
      .digest('base64')
    if (integrity !== undefined && integrity !== `sha512-${hash}`)
      throw new Error(`${name}@${version} does not match its integrity in the lock file.`)
    mkdirSync(folder)
    run('tar', ['-xzf', join(draft, archive), '-C', folder])
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return join(folder, 'package')
}
