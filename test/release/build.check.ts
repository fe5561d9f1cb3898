import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readImageConfig } from '../../scripts/release/dockerfile.ts'
import { run } from '../../scripts/release/packages.ts'
import { addCertificates, addNode } from './debian.ts'
import { findFreePort } from './free-port.ts'
import { countMachines, listFiles, type UnpackedImage, unpackImage } from './image-files.ts'
import { releaseFile } from './stranger.ts'
import { FOREIGN, HOST } from './versions.ts'

const scratch = inject('scratch')
const programs = inject('programs')
const settings = readImageConfig(readFileSync('Dockerfile', 'utf8'))

/** The numbers of the ELF specification. */
const ELF_MACHINES = { amd64: 0x3e, arm64: 0xb7 }

const images = join(scratch, 'images')
const unpack = (architecture: 'amd64' | 'arm64'): UnpackedImage =>
  unpackImage(releaseFile(`-image-${architecture}.oci.tar`), join(images, architecture))

let image: UnpackedImage
/** Listed before a server runs there. */
let files: string[]
beforeAll(() => {
  rmSync(images, { recursive: true, force: true })
  image = unpack(HOST)
  files = listFiles(image.root)
})
afterAll(() => rmSync(images, { recursive: true, force: true }))

describe('the build', () => {
  it('has the same bytes in another folder', () => {
    const sums = readFileSync(join(scratch, 'first', 'SHA256SUMS'), 'utf8')
    expect(readFileSync(join(scratch, 'second', 'SHA256SUMS'), 'utf8')).toBe(sums)
    for (const folder of ['first', 'second'])
      run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(scratch, folder) })
  })
})

describe('the image', () => {
  it.each([HOST, FOREIGN])('for %s has binaries of its architecture, and at most 250 MB', (name) => {
    const { root, architecture, config } = name === HOST ? image : unpack(name)
    expect(architecture).toBe(name)
    expect(config).toMatchObject(settings)
    const machines = countMachines(root)
    expect([...machines.keys()]).toEqual([ELF_MACHINES[name]])
    expect(machines.get(ELF_MACHINES[name])).toBeGreaterThan(15)
    const bytes = Number(run('du', ['--summarize', '--bytes', root]).split('\t')[0])
    process.stdout.write(`image for ${name}: ${(bytes / 1e6).toFixed(1)} MB unpacked\n`)
    expect(bytes).toBeLessThan(250e6)
  })

  it.runIf(programs.debian)('runs in a chroot as user 1000', async () => {
    const PORT = await findFreePort()
    const env = Object.fromEntries(settings.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)))
    const command = ['--userspec=1000:1000', image.root, '/usr/local/bin/factotum']
    // A loop, because the data must survive a restart.
    for (const attempt of ['first', 'second']) {
      const server = spawn('/usr/sbin/chroot', [...command, 'serve'], {
        env: { ...env, PORT, HOST: '127.0.0.1' },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const call = (path: string, body?: unknown) =>
        fetch(`http://127.0.0.1:${PORT}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }).then(
          ({ status }) => status,
          () => 0,
        )
      try {
        await expect.poll(() => call('/api/health')).toBe(200)
        expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
        const title = `Task of the ${attempt} start`
        expect(await call('/api/tasks', { title })).toBe(201)
      } finally {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      expect(server.exitCode).toBe(0)
    }
    run('/usr/sbin/chroot', [...command, 'backup', '/data/backup.zip'], { env })
    expect(run('/usr/sbin/chroot', [...command, 'doctor'], { env })).toContain('ok    database')
  })

  it.runIf(programs.buildah)('has the files and settings that buildah builds from the Dockerfile', () => {
    const base = join(scratch, 'node-base')
    const store = join(scratch, 'buildah')
    const buildah = (...args: string[]) =>
      run('buildah', ['--root', store, '--runroot', `${store}-run`, ...args]).trim()
    try {
      // The base image of the Dockerfile, because no registry is needed here: Debian 12 with Node 24.
      run('cp', ['--archive', join(scratch, 'debian'), base])
      addNode(base)
      const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...addCertificates(base) }
      const container = buildah('from', 'scratch')
      buildah('add', '--quiet', container, base, '/')
      const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      buildah('config', ...variables, container)
      buildah('commit', '--quiet', '--rm', container, 'docker.io/library/node:24-bookworm-slim')

      const cache = join(homedir(), '.npm')
      mkdirSync(cache, { recursive: true })
      const options = ['--isolation', 'chroot', '--network', 'host', '--pull-never', '--volume']
      const time = ['--build-arg', `SOURCE_DATE_EPOCH=${inject('seconds')}`]
      buildah('build', ...options, `${cache}:/root/.npm`, ...time, '--tag', 'localhost/built', '.')
      const archive = join(images, 'built.tar')
      buildah('push', '--quiet', 'localhost/built', `oci-archive:${archive}`)
      const built = unpackImage(archive, join(images, 'built'))
      expect(listFiles(built.root)).toEqual(files)
      // OCI images have no health check.
      const { Healthcheck, Env, ...others } = settings
      expect(built.config).toMatchObject(others)
      // buildah writes PATH first.
      expect([...(built.config.Env as string[])].sort()).toEqual([...Env].sort())
      expect(built.mediaType).toBe(image.mediaType)
    } finally {
      for (const folder of [base, store, `${store}-run`]) rmSync(folder, { recursive: true, force: true })
    }
  })
})
