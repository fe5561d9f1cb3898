import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { run } from '../../scripts/release/packages.ts'
import { eventually } from '../support/eventually.ts'
import { addNode, installPackages } from './debian.ts'
import { createMachine, type Machine } from './machine.ts'
import { readCommands, register, releaseFile, signIn } from './stranger.ts'
import { NEXT_VERSION, VERSION } from './versions.ts'

const scratch = inject('scratch')

describe.runIf(inject('programs').debian)('a Debian with systemd and Node 24', () => {
  let machine: Machine
  let canRun = false

  const isRunning = (): boolean => {
    try {
      return machine.run('systemctl is-system-running') === 'running'
    } catch (error) {
      // It is degraded if a unit failed that needs hardware.
      return String(error).includes('degraded')
    }
  }
  beforeAll(async () => {
    const base = join(scratch, 'systemd')
    if (!existsSync(base)) {
      run('cp', ['--archive', join(scratch, 'debian'), base])
      installPackages(base, ['systemd'])
    }
    machine = await createMachine(base, join(scratch, 'systemd-one'), { systemd: true })
    addNode(machine.root)
    for (const [build, version] of [
      ['first', VERSION],
      ['next', NEXT_VERSION],
    ] as const)
      copyFileSync(
        releaseFile('.tar.gz', build, version),
        join(machine.root, `root/factotum-${version}.tar.gz`),
      )
    canRun = await eventually(isRunning).then(
      () => true,
      () => false,
    )
    if (!canRun) process.stdout.write('systemd does not start on this kernel.\n')
  })
  afterAll(() => machine?.close())
  const systemdIt = (name: string, test: () => Promise<void> | void) =>
    it(name, (context) => (canRun ? test() : context.skip('systemd does not start here')))
  const show = (property: string): string =>
    machine.run(`systemctl show factotum --property ${property} --value`)
  // One shell for all commands of a block, because they change the directory.
  const runBlock = (commands: readonly string[] = []): string => machine.run(commands.join(' && '))

  systemdIt('starts the service by the commands of the page', async () => {
    const [commands] = readCommands('install-systemd.md', 'systemd')
    runBlock(commands)
    await machine.untilHealthy()
    register(machine)
    expect(show('ActiveState')).toBe('active')
    expect(machine.run('systemctl is-enabled factotum')).toBe('enabled')
    expect(machine.run('journalctl --unit factotum')).toContain('Factotum is running')
  })

  systemdIt('reads settings, checks itself and backs up as its user', async () => {
    const [commands] = readCommands('install-systemd.md', 'Settings and commands')
    const output = runBlock(commands)
    expect(output).toMatch(/ok +address|warn +address .*desk\.example\.org/)
    expect(machine.run('stat --format %U:%a /var/lib/factotum/backup.zip')).toBe('factotum:600')
    await machine.untilHealthy()
    signIn(machine)
  })

  systemdIt('gives the process no capabilities and a read-only file system', () => {
    const pid = show('MainPID')
    expect(machine.run(`grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/${pid}/status`)).toMatch(
      /CapEff:\s0+\nCapBnd:\s0+\nNoNewPrivs:\s1\nSeccomp:\s2/,
    )
    expect(machine.run(`grep ' / ' /proc/${pid}/mounts`)).toMatch(/ ro[, ]/)
    machine.run('systemd-analyze verify /etc/systemd/system/factotum.service')
  })

  systemdIt('upgrades by the commands of the page, and stops', async () => {
    const [commands] = readCommands('upgrading.md', 'Tarball with systemd', NEXT_VERSION)
    runBlock(commands)
    await expect
      .poll(() => machine.request('http://127.0.0.1:3000/api/health').body)
      .toMatchObject({ status: 'ok', version: NEXT_VERSION })
    signIn(machine)
    machine.run('systemctl stop factotum')
    expect([show('ActiveState'), show('ExecMainStatus')]).toEqual(['inactive', '0'])
  })
})
