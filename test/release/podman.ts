import { spawnSync } from 'node:child_process'

const podman = (...args: string[]) => spawnSync('podman', args, { encoding: 'utf8' })

/**
 * Finds options with which podman can start this image. Some virtual machines have no right to raise limits, and the
 * older control groups. Undefined if podman cannot start anything.
 */
export const findPodmanOptions = (image: string): { global: string[]; run: string[] } | undefined => {
  const limits = ['--ulimit', 'nofile=1024:2048', '--ulimit', 'nproc=1024:1024']
  const candidates = [
    { global: [], run: [] },
    { global: [], run: limits },
    { global: ['--runtime', 'runc'], run: limits },
  ]
  return candidates.find(
    ({ global, run }) =>
      podman(...global, 'run', '--rm', '--network', 'host', ...run, image, '--version').status === 0,
  )
}

/** Runs podman, and throws with its output if it fails. */
export const runPodman = (...args: string[]): string => {
  const { status, stdout, stderr, error } = podman(...args)
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout.trim()
}
