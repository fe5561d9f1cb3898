import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { run } from '../../scripts/release/packages.ts'
import { createDebian, installPackages } from './debian.ts'
import { HOST, NEXT_VERSION, VERSION } from './versions.ts'

export interface Programs {
  /** Debian systems can be created. */
  debian: boolean
  podman: boolean
  buildah: boolean
  caddy: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run, with the folders of `setup`. */
    scratch: string
    programs: Programs
    /** The time of all files of the release. */
    seconds: string
  }
}

/** Several systems of Debian are too large for the files in memory. */
const ON_DISK = '/var/tmp'

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * Builds what all files need, in the scratch folder. `first` and `second` are releases from two folders, and `next` is
 * the next version. `debian` and `podman` are systems without and with podman. `unpacked` is the unpacked release.
 */
export default async (project: TestProject): Promise<() => void> => {
  const kept = process.env.RELEASE_SCRATCH
  const scratch = kept ?? mkdtempSync(join(ON_DISK, 'factotum-release-'))
  mkdirSync(scratch, { recursive: true })
  // The user of a container reads files here.
  chmodSync(scratch, 0o755)
  const create = (name: string, write: (folder: string) => void): void => {
    const folder = join(scratch, name)
    if (existsSync(folder)) return
    const start = performance.now()
    write(`${folder}.draft`)
    run('mv', [`${folder}.draft`, folder])
    say(`${name}: ${Math.round((performance.now() - start) / 1000)} s`)
  }

  const seconds = run('git', ['log', '-1', '--format=%ct']).trim()
  const build = (checkout: string, output: string, ...options: string[]) =>
    run(process.execPath, ['scripts/release.mjs', '--output', output, ...options], {
      cwd: checkout,
      env: { ...process.env, SOURCE_DATE_EPOCH: seconds },
    })
  create('first', (folder) => build('.', folder))
  const copy = join(scratch, 'another', 'checkout')
  if (['second', 'next'].some((name) => !existsSync(join(scratch, name)))) copyCheckout(copy)
  create('second', (folder) => build(copy, folder))
  create('next', (folder) => {
    setNextVersion(copy)
    build(copy, folder, '--image', HOST)
  })
  rmSync(join(scratch, 'another'), { recursive: true, force: true })
  create('unpacked', (folder) => {
    mkdirSync(folder)
    const archive = join(scratch, 'first', `factotum-${VERSION}.tar.gz`)
    run('tar', ['-xzf', archive, '--strip-components=1', '-C', folder])
  })

  const programs = findPrograms()
  if (programs.debian) {
    create('debian', createDebian)
    if (programs.podman)
      create('podman', (folder) => {
        run('cp', ['--archive', join(scratch, 'debian'), folder])
        installPackages(folder, ['podman'])
      })
  }
  project.provide('scratch', scratch)
  project.provide('programs', programs)
  project.provide('seconds', seconds)
  return () => {
    if (kept === undefined) rmSync(scratch, { recursive: true, force: true })
  }
}

const findPrograms = (): Programs => {
  const isRoot = process.getuid?.() === 0
  const needed = ['debootstrap', 'podman', 'buildah', 'caddy'] as const
  const missing = needed.filter((name) => !hasProgram(name))
  if (!isRoot) say('Skipped: everything in Debian and podman. Run npm run test:release as root.')
  else if (missing.length > 0) say(`Skipped: what needs ${missing.join(', ')}. apt-get install them.`)
  const has = (name: (typeof needed)[number]) => isRoot && !missing.includes(name)
  return {
    debian: has('debootstrap'),
    podman: has('debootstrap') && has('podman'),
    buildah: has('debootstrap') && has('buildah'),
    caddy: !missing.includes('caddy'),
  }
}

/** Links the files, unless the copy is in another file system. */
const copyPackages = (from: string, to: string): void => {
  if (spawnSync('cp', ['--archive', '--link', from, to]).status === 0) return
  rmSync(to, { recursive: true, force: true })
  run('cp', ['--archive', from, to])
}

const copyCheckout = (copy: string): void => {
  mkdirSync(copy, { recursive: true })
  const names = run('git', ['ls-files', '--cached', '--others', '--exclude-standard']).trim().split('\n')
  for (const name of names) if (existsSync(name)) cpSync(name, join(copy, name))
  for (const name of ['node_modules', 'web/node_modules', 'site/node_modules'])
    copyPackages(name, join(copy, name))
}

/** Gives a checkout a newer version, to upgrade to. */
const setNextVersion = (checkout: string): void => {
  const manifest = join(checkout, 'package.json')
  const replaced = readFileSync(manifest, 'utf8').replace(
    `"version": "${VERSION}"`,
    `"version": "${NEXT_VERSION}"`,
  )
  writeFileSync(manifest, replaced)
  const changelog = join(checkout, 'CHANGELOG.md')
  const section = `## [${NEXT_VERSION}] - 2026-12-01\n\n### Changed\n\n- Nothing.\n\n`
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(/^## \[\d/m, `${section}$&`))
}
