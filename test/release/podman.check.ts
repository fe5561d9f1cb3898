import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { run } from '../../scripts/release/packages.ts'
import { createMachine, type Machine, SITE } from './machine.ts'
import { createOldData } from './old-data.ts'
import { preparePodman } from './podman.ts'
import {
  expectManual,
  expectTakeout,
  readCommand,
  readCommands,
  register,
  releaseFile,
  signIn,
  writeTakeout,
} from './stranger.ts'
import { HOST, IMAGE, NEXT_VERSION, VERSION } from './versions.ts'

const scratch = inject('scratch')
const archiveName = (version: string): string => `root/factotum-${version}-image-${HOST}.oci.tar`

describe.runIf(inject('programs').podman)('a Debian with nothing but podman', () => {
  let machine: Machine
  let other: Machine
  let canRun = false

  beforeAll(async () => {
    machine = await createMachine(join(scratch, 'podman'), join(scratch, 'podman-one'))
    other = await createMachine(join(scratch, 'podman'), join(scratch, 'podman-two'))
    for (const each of [machine, other]) {
      copyFileSync(releaseFile(`-image-${HOST}.oci.tar`), join(each.root, archiveName(VERSION)))
      // Other settings than those of a fresh machine are necessary on some kernels, and are printed.
      each.run(readCommand('install.md', 'podman', 'podman load'))
      canRun = preparePodman(each, join(scratch, 'podman'))
      each.run(`podman rmi --force ${IMAGE}`)
    }
    const next = releaseFile(`-image-${HOST}.oci.tar`, 'next', NEXT_VERSION)
    copyFileSync(next, join(machine.root, archiveName(NEXT_VERSION)))
    await writeTakeout(join(machine.root, 'root/Takeout.zip'))
  })
  afterAll(async () => {
    for (const each of [machine, other]) {
      if (canRun) each.run('podman rm --all --force --time 30')
      await each?.close()
    }
  })
  const containerIt = (name: string, test: () => Promise<void> | void) =>
    it(name, (context) => (canRun ? test() : context.skip('podman starts no containers here')))
  const inspect = (format: string, name = 'factotum') =>
    machine.run(`podman inspect ${name} --format '${format}'`)

  containerIt('runs the image with two commands', async () => {
    const [[load = '', start = ''] = []] = readCommands('install.md', 'podman')
    machine.run(load)
    machine.run(start)
    expect(await machine.untilHealthy()).toMatchObject({ status: 'ok', version: VERSION })
    register(machine)
    expectManual(machine)
    expect(machine.run('podman logs factotum')).toContain('Console   http://127.0.0.1:3000')
  })

  containerIt('runs as user 1000 with a read-only root file system and no shell', () => {
    expect(inspect('{{.HostConfig.ReadonlyRootfs}} {{.Config.User}}')).toBe('true 1000:1000')
    const program = `const { writeFileSync } = require('node:fs')
      console.log(process.getuid(), process.getgid())
      for (const path of ['/x', '/opt/factotum/x', '/usr/x'])
        try { writeFileSync(path, ''); console.log(path) } catch {}`
    writeFileSync(join(machine.root, 'root/program.cjs'), program)
    machine.run('podman cp program.cjs factotum:/data/program.cjs')
    expect(machine.run('podman exec factotum node /data/program.cjs')).toBe('1000 1000')
    expect(() => machine.run('podman exec factotum sh -c true')).toThrow('sh')
  })

  containerIt('imports a Takeout', () => {
    machine.run(readCommand('install-containers.md', 'Commands', 'import'))
    expectTakeout(machine)
  })

  containerIt(
    'keeps its data over a restart, backs up, and passes the check of the installation',
    async () => {
      machine.run('podman restart --time 30 factotum')
      await machine.untilHealthy()
      expectTakeout(machine)
      for (const text of ['doctor', 'backup', 'podman cp'])
        machine.run(readCommand('install-containers.md', 'Commands', text))
    },
  )

  containerIt('completes a running request after SIGTERM', async () => {
    const token = signIn(machine)
    const body = { title: 'Sent while the server stops' }
    const request = await machine.startRequest(`${SITE}/api/tasks`, { token, body })
    const stopping = machine.start('podman stop --time 30 factotum')
    await expect.poll(() => machine.request(`${SITE}/api/health`).status).not.toBe(200)
    expect(await request.finish()).toMatchObject({ status: 201 })
    expect(await stopping.ended).toBe(0)
    expect(inspect('{{.State.ExitCode}}')).toBe('0')
    machine.run('podman start factotum')
    await machine.untilHealthy()
  })

  containerIt('upgrades, and keeps the data', async () => {
    const [commands = []] = readCommands('upgrading.md', 'Containers', NEXT_VERSION)
    for (const command of commands) machine.run(command)
    expect(await machine.untilHealthy()).toMatchObject({ version: NEXT_VERSION })
    expectTakeout(machine)
    expect(machine.run('podman exec factotum factotum doctor')).toContain('ok    database')
  })

  containerIt('restores the backup on another machine', async () => {
    copyFileSync(join(machine.root, 'root/backup.zip'), join(other.root, 'root/backup.zip'))
    const [[load = '', start = ''] = []] = readCommands('install.md', 'podman')
    other.run(load)
    const [, commands = []] = readCommands('upgrading.md', 'Restore a backup on another machine')
    for (const command of commands) other.run(command)
    other.run(start)
    expect(await other.untilHealthy()).toMatchObject({ version: VERSION })
    expectTakeout(other)
  })

  containerIt('reports its health, with a secret in a file', async () => {
    other.run('podman rm --force --time 30 factotum && podman volume rm factotum')
    other.run(`printf '${'k'.repeat(40)}' > key && chown 1000 key && chmod 0400 key`)
    const start = readCommand('install-containers.md', 'podman', 'podman run')
    const secret = '--volume /root/key:/run/secrets/key:ro --env SECRET_KEY_FILE=/run/secrets/key'
    other.run(start.replace('podman run', `podman run ${secret}`))
    await other.untilHealthy()
    expect(other.run('podman inspect factotum --format "{{.Config.Healthcheck.Test}}"')).toContain(
      'health.mjs',
    )
    other.run('podman healthcheck run factotum')
    expect(other.run('podman inspect factotum --format "{{.State.Health.Status}}"')).toBe('healthy')
    expect(other.run('podman exec factotum factotum doctor')).toContain('SECRET_KEY')
  })

  containerIt('upgrades the data of version 0.2.0', async () => {
    other.run(
      'podman rm --force --time 30 factotum && podman volume rm factotum && podman volume create factotum',
    )
    const volume = join(other.root, other.run('podman volume inspect factotum --format "{{.Mountpoint}}"'))
    await createOldData(join(volume, 'instance'))
    run('chown', ['-R', '1000:1000', volume])
    other.run(readCommand('install.md', 'podman', 'podman run'))
    await other.untilHealthy()
    register(other)
    signIn(other)
  })
})
