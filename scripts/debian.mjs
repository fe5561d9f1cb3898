import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

const apt = '/usr/bin/apt-get'

/** Root on Debian can install every part. */
export const canInstall = () => process.getuid?.() === 0 && existsSync(apt)

/** Installs the packages of missing parts. On failure, a part reports that it is missing. */
export function installFromDebian(parts) {
  const names = parts.map((part) => part.name).join(', ')
  process.stderr.write(`Installing from Debian's packages (first run only): ${names}…\n`)
  withoutStartingServices(() => {
    aptGet('update')
    // apt installs all or nothing. A package that is unavailable must not block the others.
    if (!install(parts) && parts.length > 1) for (const part of parts) install([part])
  })
}

const install = (parts) =>
  aptGet('install', '--yes', '--no-install-recommends', ...parts.flatMap((part) => part.debianPackages))

function aptGet(...args) {
  const { status, stdout, stderr, error } = spawnSync(apt, ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0)
    process.stderr.write(`apt-get ${args[0]} failed:\n${stdout}${stderr}${error?.message ?? ''}\n`)
  return status === 0
}

/**
 * Debian starts a server when it is installed. Tests start their own, and a test run must not leave a
 * database listening. The policy file prevents that. It applies only while this process lives, so a leftover
 * file does no harm.
 */
function withoutStartingServices(work) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return work()
  writeFileSync(policy, `#!/bin/sh\nkill -0 ${process.pid} 2>/dev/null && exit 101\nexit 0\n`, {
    mode: 0o755,
  })
  try {
    work()
  } finally {
    rmSync(policy, { force: true })
  }
}
