import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import OUTSIDE from '../../bin/launcher/outside-packages.json' with { type: 'json' }
import { collectLicences, LICENCE_FILE } from './licences.ts'
import {
  fetchPackage,
  listBundledPackages,
  listClosure,
  listProduction,
  type Manifest,
  type Package,
  readJson,
  readLock,
  readPackage,
} from './packages.ts'
import { createSbom } from './sbom.ts'
import { type Entry, fileEntry } from './tar.ts'

/** Platforms of the native packages. Both packages have binaries for all of them. */
export const PLATFORMS = [
  'linux-x64',
  'linux-arm64',
  'linuxmusl-x64',
  'linuxmusl-arm64',
  'darwin-x64',
  'darwin-arm64',
] as const
export type Platform = (typeof PLATFORMS)[number]

const HOST_PLATFORM = `${process.platform}-${process.arch}` as Platform

const BCRYPT = '@node-rs/bcrypt'

const toBcryptPackage = (platform: Platform): string => {
  const [system = '', cpu] = platform.split('-')
  const suffix = { linux: '-gnu', linuxmusl: '-musl' }[system] ?? ''
  return `${BCRYPT}-${system.replace('musl', '')}-${cpu}${suffix}`
}

export interface Distribution {
  version: string
  /** Everything in the archive, below its top folder. */
  entries: Entry[]
  packages: Package[]
}

interface RootManifest extends Manifest {
  description: string
  type: string
  engines: Record<string, string>
  bin: Record<string, string>
  files: string[]
  dependencies: Record<string, string>
}

export interface DistributionOptions {
  root: string
  /** Platforms whose binaries are included; only that of this machine by default. */
  platforms?: readonly Platform[]
  /** Folder for downloaded packages of other platforms. */
  cache?: string
  seconds: number
}

/**
 * Collects the files of a release from the builds in `dist`, `web/dist` and `site/dist`, and from the installed packages. They
 * must be up to date, and the launcher takes care of that.
 */
export const createDistribution = ({
  root,
  platforms = [HOST_PLATFORM],
  cache,
  seconds,
}: DistributionOptions): Distribution => {
  const manifest = readJson<RootManifest>(join(root, 'package.json'))
  const lock = readLock(root)
  const built = readJson<{ files: string[] }>(join(root, 'dist', '.stamp')).files.sort()

  const outsideNames = Object.keys(manifest.dependencies).filter((name) =>
    OUTSIDE.some((each) => name === each || name.startsWith(`${each}/`)),
  )
  const binaries = new Set(platforms.map((platform) => `node_modules/${toBcryptPackage(platform)}`))
  const outside = listClosure(lock, outsideNames)
    .filter((path) => !path.startsWith(`node_modules/${BCRYPT}-`) || binaries.has(path))
    .map((path) => readOrFetch(root, path, cache))
  const maps = built.filter((file) => file.endsWith('.map'))
  const bundled = listBundledPackages(lock, join(root, 'dist'), maps).map((path) => readPackage(lock, path))
  const webLock = readLock(join(root, 'web'))
  const web = listProduction(webLock)
    .filter((path) => existsSync(join(webLock.root, path)))
    .map((path) => readPackage(webLock, path))

  const packages = unique([...outside, ...bundled, ...web, ...readSitePackages(root)])
  const sbom = createSbom({ manifest, packages, seconds })
  const entries = [
    ...manifest.files
      .filter((pattern) => pattern !== 'dist')
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .flatMap((path) => readTree(root, path)),
    ...built
      .filter((file) => !file.endsWith('.map'))
      .map((file) => fileEntry(`dist/${file}`, readFileSync(join(root, 'dist', file)))),
    ...outside.flatMap((each) => readPackageFiles(each, platforms, packages)),
    fileEntry('LICENSE', readFileSync(join(root, 'LICENSE'))),
    fileEntry('README.md', readFileSync(join(root, 'README.md'))),
    fileEntry('THIRD-PARTY-LICENCES.txt', collectLicences(packages)),
    fileEntry('sbom.cdx.json', `${JSON.stringify(sbom, null, 2)}\n`),
    fileEntry('package.json', `${JSON.stringify(createManifest(manifest, outside), null, 2)}\n`),
  ]
  return { version: manifest.version, entries, packages }
}

/** The packages in the documentation site, which its build lists. A test may run without the site. */
const readSitePackages = (root: string): Package[] => {
  const list = join(root, 'site', 'dist', '.packages.json')
  if (!existsSync(list)) return []
  const lock = readLock(join(root, 'site'))
  return readJson<string[]>(list).map((path) => readPackage(lock, path))
}

/** Binaries of other platforms are not installed here. */
const readOrFetch = (root: string, path: string, cache: string | undefined): Package => {
  const lock = readLock(root)
  if (existsSync(join(root, path, 'package.json'))) return readPackage(lock, path)
  const { version = '', integrity } = lock.packages[path] ?? {}
  if (cache === undefined) throw new Error(`${path} is not installed.`)
  const name = path.slice('node_modules/'.length)
  return readPackage(lock, path, fetchPackage(cache, { name, version, integrity }))
}

/** A package can be in the bundle and beside it, and the server and the console share some. */
const unique = (packages: readonly Package[]): Package[] => {
  const byId = new Map(packages.map((each) => [`${each.manifest.name}@${each.manifest.version}`, each]))
  return [...byId.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

/**
 * The manifest of the npm package. All its dependencies are inside the archive, in exactly these versions, so that an
 * installation needs no registry.
 */
const createManifest = (manifest: RootManifest, outside: readonly Package[]) => {
  const { name, version, description, license, type, engines, bin } = manifest
  const direct = outside
    .filter(({ path }) => Object.hasOwn(manifest.dependencies, path.slice('node_modules/'.length)))
    .map(({ manifest: { name, version } }): [string, string] => [name, version])
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    dependencies: Object.fromEntries(direct),
    bundleDependencies: direct.map(([name]) => name),
  }
}

const isHidden = (name: string): boolean => name.startsWith('.') && name !== '.env.example'

/** Reads a file or a folder of the project. Build stamps and other hidden files stay out. */
const readTree = (root: string, path: string): Entry[] => {
  const full = join(root, path)
  if (statSync(full).isDirectory())
    return readdirSync(full)
      .filter((name) => !isHidden(name))
      .flatMap((name) => readTree(root, posix.join(path, name)))
  return [fileEntry(path, readFileSync(full), isExecutable(path) ? 0o755 : 0o644)]
}

const isExecutable = (path: string): boolean => path === 'bin/factotum.mjs'

/** Types, sources and documentation, which nothing reads at run time: two thirds of all bytes. */
const UNUSED_FILE =
  /\.(d\.[cm]?ts|[cm]?tsx?|map|flow|md|markdown|gypi?|c|cc|cpp|h|hpp|patch|sh)$|(^|\/)\.[^/]*$/
const UNUSED_FOLDERS: Record<string, readonly string[]> = {
  'better-sqlite3': ['deps', 'src'],
  ai: ['docs', 'src'],
}

const readPackageFiles = (
  { path, folder, manifest }: Package,
  platforms: readonly Platform[],
  packages: readonly Package[],
): Entry[] => {
  const unused = new Set(['node_modules', ...(UNUSED_FOLDERS[manifest.name] ?? [])])
  const read = (relative: string): Entry[] =>
    readdirSync(join(folder, relative), { withFileTypes: true }).flatMap((entry): Entry[] => {
      const name = posix.join(relative, entry.name)
      if (entry.isDirectory()) return unused.has(name) ? [] : read(name)
      if (UNUSED_FILE.test(name) && !LICENCE_FILE.test(entry.name)) return []
      if (manifest.name === 'better-sqlite3' && !isPrebuildFor(name, platforms)) return []
      const content = readFileSync(join(folder, name))
      const isManifest = name === 'package.json' && manifest.name === BCRYPT
      return [fileEntry(`${path}/${name}`, isManifest ? keepIncluded(content, packages) : content)]
    })
  return read('')
}

const isPrebuildFor = (name: string, platforms: readonly Platform[]): boolean =>
  !name.startsWith('prebuilds/') || platforms.some((platform) => name === `prebuilds/${platform}.node`)

/** npm would download the optional packages that the manifest lists and the archive does not contain. */
const keepIncluded = (content: Buffer, packages: readonly Package[]): string => {
  const manifest = JSON.parse(content.toString()) as Manifest
  const included = new Set(packages.map((each) => each.manifest.name))
  const optional = Object.entries(manifest.optionalDependencies ?? {})
  manifest.optionalDependencies = Object.fromEntries(optional.filter(([name]) => included.has(name)))
  return `${JSON.stringify(manifest, null, 2)}\n`
}
