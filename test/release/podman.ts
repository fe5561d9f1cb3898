import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installPackages } from './debian.ts'
import type { Machine } from './machine.ts'
import { IMAGE } from './versions.ts'

/** Virtual machines may forbid processes to raise their limits. */
const LIMITS = '[containers]\ndefault_ulimits = ["nofile=1024:2048", "nproc=1024:1024"]\n'

/** crun refuses machines with both generations of control groups. */
const OLD_CONTROL_GROUPS = `${LIMITS}[engine]\nruntime = "runc"\n`

const canStart = (machine: Machine): boolean => {
  try {
    machine.run(`podman run --rm ${IMAGE} --version`)
    return true
  } catch {
    return false
  }
}

const writeSettings = (root: string, settings: string): void => {
  const path = join(root, 'etc/containers/containers.conf')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, settings)
}

const readSettings = (root: string): string => {
  const path = join(root, 'etc/containers/containers.conf')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/**
 * Finds settings with which podman starts containers on this kernel, so that the documented commands need no further
 * options. The base keeps them for the next machine. Returns false if podman starts nothing.
 */
export const preparePodman = (machine: Machine, base: string): boolean => {
  for (const settings of [readSettings(machine.root), LIMITS, OLD_CONTROL_GROUPS]) {
    const isKnown = settings === readSettings(base)
    if (settings === OLD_CONTROL_GROUPS && !isKnown) installPackages(machine.root, ['runc'])
    writeSettings(machine.root, settings)
    if (!canStart(machine)) continue
    if (isKnown) return true
    process.stdout.write(`podman needs settings on this kernel:\n${settings}`)
    if (settings === OLD_CONTROL_GROUPS) installPackages(base, ['runc'])
    writeSettings(base, settings)
    return true
  }
  process.stdout.write('podman starts no containers on this kernel. The image runs in a chroot only.\n')
  return false
}
