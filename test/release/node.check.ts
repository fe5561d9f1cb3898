import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { run } from '../../scripts/release/packages.ts'
import { addNode, fetchNode, installPackages } from './debian.ts'
import { createMachine, type Machine, type Server } from './machine.ts'
import { createOldData } from './old-data.ts'
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
import { NEXT_VERSION, VERSION } from './versions.ts'

const scratch = inject('scratch')
const programs = inject('programs')

describe.runIf(programs.debian)('a Debian with nothing but Node 24', () => {
  let machine: Machine
  let server: Server
  let other: Machine

  beforeAll(async () => {
    machine = await createMachine(join(scratch, 'debian'), join(scratch, 'node-one'))
    other = await createMachine(join(scratch, 'debian'), join(scratch, 'node-two'))
    for (const { root } of [machine, other]) {
      addNode(root)
      copyFileSync(releaseFile('-npm.tgz'), join(root, `root/factotum-${VERSION}-npm.tgz`))
      copyFileSync(releaseFile('.tar.gz'), join(root, `root/factotum-${VERSION}.tar.gz`))
    }
    copyFileSync(
      releaseFile('-npm.tgz', 'next', NEXT_VERSION),
      join(machine.root, `root/factotum-${NEXT_VERSION}-npm.tgz`),
    )
    await writeTakeout(join(machine.root, 'root/takeout-20261118T101500Z-001.zip'))
  })
  afterAll(async () => {
    await machine?.close()
    await other?.close()
  })

  it('runs the npm package with two commands', async () => {
    const [[install = '', serve = ''] = []] = readCommands('install.md', 'npm')
    machine.run(install)
    server = machine.start(serve)
    expect(await machine.untilHealthy()).toMatchObject({ status: 'ok', version: VERSION })
    register(machine)
    expectManual(machine)
  })

  it('imports a Takeout', () => {
    machine.run(readCommand('importing.md', 'Command line', 'takeout-*.zip'))
    expectTakeout(machine)
  })

  it('upgrades, and keeps the data', async () => {
    const [[backup = '', install = ''] = []] = readCommands('upgrading.md', 'npm', NEXT_VERSION)
    machine.run(backup)
    machine.run(install)
    expect(await server.stop()).toBe(0)
    server = machine.start('factotum serve')
    expect(await machine.untilHealthy()).toMatchObject({ version: NEXT_VERSION })
    expectTakeout(machine)
    expect(machine.run('factotum doctor')).toContain('ok    database')
  })

  it('restores the backup with the tarball on another machine', async () => {
    copyFileSync(join(machine.root, 'root/before-upgrade.zip'), join(other.root, 'root/backup.zip'))
    const [[unpack = '', serve = ''] = []] = readCommands('install.md', 'Tarball')
    other.run(unpack)
    const restore = readCommand('upgrading.md', 'Restore a backup on another machine', 'factotum restore')
    other.run(restore.replace(/^factotum /, `factotum-${VERSION}/bin/factotum.mjs `))
    const restored = other.start(serve)
    await other.untilHealthy()
    expectTakeout(other)
    expect(await restored.stop()).toBe(0)
  })

  it('upgrades the data of version 0.2.0', async () => {
    expect(await server.stop()).toBe(0)
    await createOldData(join(machine.root, 'root/old/data'))
    const old = machine.start('env DATA_DIR=/root/old/data factotum serve')
    await machine.untilHealthy()
    register(machine)
    signIn(machine)
    expect(await old.stop()).toBe(0)
  })
})

describe('an older Node', () => {
  const unpacked = join(scratch, 'older-node')
  afterAll(() => rmSync(unpacked, { recursive: true, force: true }))
  const unpack = (): string => {
    const folder = join(unpacked, randomUUID())
    mkdirSync(folder, { recursive: true })
    run('tar', ['-xzf', releaseFile('.tar.gz'), '-C', folder])
    return join(folder, `factotum-${VERSION}`, 'bin', 'factotum.mjs')
  }
  const start = (env: NodeJS.ProcessEnv) =>
    spawnSync(fetchNode('18.20.8'), [unpack(), '--version'], { encoding: 'utf8', env })

  it('downloads Node 24 from npm', () => {
    const { stdout, stderr } = start(process.env)
    expect(stderr).toContain('Downloading Node 24')
    expect(stdout.trim()).toBe(VERSION)
  })

  it('says what is missing without npm', () => {
    const { status, stderr } = start({ PATH: '/nonexistent' })
    expect(status).toBe(1)
    expect(stderr).toContain('Factotum needs Node 24 or newer')
  })

  it.runIf(programs.debian)('of Debian 12 says what is missing', async () => {
    const machine = await createMachine(join(scratch, 'debian'), join(scratch, 'node-old'))
    try {
      installPackages(machine.root, ['nodejs'])
      copyFileSync(releaseFile('.tar.gz'), join(machine.root, `root/factotum-${VERSION}.tar.gz`))
      const [[unpackCommand = '', serve = ''] = []] = readCommands('install.md', 'Tarball')
      machine.run(unpackCommand)
      expect(() => machine.run(serve)).toThrow('Factotum needs Node 24 or newer, but this is v18.')
    } finally {
      await machine.close()
    }
  })
})
