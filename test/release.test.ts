import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createDistribution } from '../scripts/release/distribution.ts'
import { readImageConfig } from '../scripts/release/dockerfile.ts'
import { readReleaseNotes } from '../scripts/release/notes.ts'
import { writeImage } from '../scripts/release/oci.ts'
import { validateSbom } from '../scripts/release/sbom.ts'
import { compress, fileEntry, writeTar } from '../scripts/release/tar.ts'
import { isSettingName } from '../src/config/setting-files.ts'
import { mbox, zip } from './support/import-files.ts'
import { makeScratch } from './support/scratch.ts'

const execute = promisify(execFile)
const { directory } = makeScratch()
const seconds = 1_700_000_000

// Contains the binaries of this machine only, because those of other platforms must be downloaded.
const distribution = createDistribution({ root: resolve('.'), seconds })
// The best compression would take longer than the installation.
const archive = gzipSync(
  writeTar(
    distribution.entries.map((entry) => ({ ...entry, path: `package/${entry.path}` })),
    seconds,
  ),
  { level: 1 },
)
const textOf = (path: string): string =>
  String(distribution.entries.find((entry) => entry.path === path)?.content)

const ACCOUNT = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }

/** Runs a server, passes its address to `work`, and stops it. */
const serve = async (
  command: string,
  options: { cwd: string; env: NodeJS.ProcessEnv },
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const server = spawn(command, ['serve'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await new Promise<string>((found, reject) => {
      let output = ''
      server.stdout.on('data', (chunk) => {
        output += chunk
        const [, address] = /Console\s+(http:\S+)/.exec(output) ?? []
        if (address) found(address)
      })
      server.on('exit', (code) => reject(new Error(`It ended with ${code}: ${output}`)))
    })
    await work(url)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  expect(server.exitCode).toBe(0)
}

/** Registers or signs in, and returns the token. */
const enter = async (url: string, path: 'register' | 'login', body: unknown): Promise<string> => {
  const response = await fetch(`${url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return ((await response.json()) as { token: string }).token
}

describe('the npm package', () => {
  it('installs offline into an empty folder, imports a Takeout, backs up and restores', async () => {
    const folder = join(directory, 'empty')
    mkdirSync(folder)
    writeFileSync(join(directory, 'factotum.tgz'), archive)
    // The Node of this process comes first: an older one on the PATH would download Node 24.
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
    const options = { cwd: folder, env: { PATH: path, HOME: directory } }
    await execute(
      'npm',
      ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '../factotum.tgz'],
      options,
    )
    const command = join(folder, 'node_modules', '.bin', 'factotum')
    const env = { ...options.env, DATA_DIR: join(directory, 'data'), PORT: '0' }
    const factotum = (...args: string[]) => execute(command, args, { cwd: folder, env })

    expect((await factotum('--version')).stdout.trim()).toBe(distribution.version)
    const readEmails = async (url: string, token: string) =>
      (await fetch(`${url}/api/emails`, { headers: { authorization: `Bearer ${token}` } })).json()
    await serve(command, { cwd: folder, env }, async (url) => {
      const health = await fetch(`${url}/api/health`).then((response) => response.json())
      expect(health).toMatchObject({ status: 'ok', version: distribution.version })
      expect(await fetch(url).then((response) => response.text())).toContain('<title>')
      expect(await fetch(`${url}/docs/scalar.js`).then(({ status }) => status)).toBe(200)
      const token = await enter(url, 'register', ACCOUNT)
      const takeout = join(directory, 'takeout-001.zip')
      writeFileSync(
        takeout,
        await zip({ 'Takeout/Mail/All mail.mbox': mbox({ id: 'one', subject: 'Hello' }) }),
      )
      await factotum('import', takeout, '--account', ACCOUNT.email)
      expect(await readEmails(url, token)).toMatchObject({ emails: [{ subject: 'Hello' }] })
      await factotum('backup', join(directory, 'backup.zip'))
    })
    expect((await factotum('doctor')).stdout).toContain('ok    console')
    env.DATA_DIR = join(directory, 'restored')
    await factotum('restore', join(directory, 'backup.zip'))
    await serve(command, { cwd: folder, env }, async (url) => {
      const token = await enter(url, 'login', { email: ACCOUNT.email, password: ACCOUNT.password })
      expect(await readEmails(url, token)).toMatchObject({ emails: [{ subject: 'Hello' }] })
    })
  })

  it('contains neither sources nor development dependencies', () => {
    const paths = distribution.entries.map(({ path }) => path)
    expect(paths).toContain('bin/factotum.mjs')
    expect(paths).toContain('web/dist/index.html')
    expect(paths.filter((path) => /^(src|test|scripts)\/|\.map$|\.d\.ts$/.test(path))).toEqual([])
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    // ajv is a development dependency of the project and a dependency of the server framework.
    const shared = new Set(['ajv', 'yaml'])
    for (const name of Object.keys(devDependencies).filter((each) => !shared.has(each)))
      expect(paths.filter((path) => path.startsWith(`node_modules/${name}/lib`))).toEqual([])
    expect(JSON.parse(textOf('package.json'))).not.toHaveProperty('devDependencies')
  })

  it('states a licence for every package, and has a valid CycloneDX document', async () => {
    const document = JSON.parse(textOf('sbom.cdx.json'))
    await validateSbom(textOf('sbom.cdx.json'))
    const names = document.components.map(({ name }: { name: string }) => name)
    // One package beside the bundle, one inside it, one of the console.
    for (const name of ['better-sqlite3', 'fastify', 'react']) {
      expect(names).toContain(name)
      expect(textOf('THIRD-PARTY-LICENCES.txt')).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    await expect(validateSbom(JSON.stringify({ ...document, unknown: true }))).rejects.toThrow('not valid')
  })
})

describe('archives', () => {
  const entries = [
    fileEntry('b/run.sh', '#!/bin/sh\n', 0o755),
    fileEntry(`a/${'long/'.repeat(40)}name-${'x'.repeat(120)}.txt`, 'long'),
    fileEntry('b/empty', ''),
    { ...fileEntry('link', ''), kind: 'link' as const, target: 'b/run.sh' },
  ]

  it('have the same bytes for the same entries, in any order', () => {
    expect(writeTar([...entries].reverse(), seconds).equals(writeTar(entries, seconds))).toBe(true)
  })

  it('are read by tar with names, modes, times and contents', async () => {
    const folder = join(directory, 'unpacked')
    mkdirSync(folder)
    writeFileSync(join(directory, 'a.tgz'), compress(writeTar(entries, seconds)))
    await execute('tar', ['-xzf', '../a.tgz'], { cwd: folder })
    expect(readFileSync(join(folder, entries[1]?.path ?? ''), 'utf8')).toBe('long')
    const listing = await execute('tar', ['--utc', '-tvzf', '../a.tgz'], { cwd: folder })
    expect(listing.stdout).toMatch(/^-rwxr-xr-x 0\/0 +10 2023-11-14 22:13 b\/run\.sh$/m)
    expect(listing.stdout).toMatch(/^l.* link -> b\/run\.sh$/m)
    expect(readdirSync(join(folder, 'b'))).toEqual(['empty', 'run.sh'])
  })
})

describe('the image', () => {
  const config = readImageConfig(readFileSync('Dockerfile', 'utf8'))

  it('runs without root, with one volume and a health check', () => {
    expect(config).toMatchObject({
      User: '1000:1000',
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', 'node', '/opt/factotum/bin/health.mjs'], Interval: 30e9 },
      Entrypoint: ['factotum'],
    })
    expect(() => readImageConfig('FROM scratch\nRUN make\n')).toThrow('cannot read this line')
  })

  it('has the same bytes twice, and digests that match its layers', async () => {
    const options = {
      architecture: 'arm64' as const,
      config,
      layers: [{ comment: 'one', entries: [fileEntry('etc/hello', 'hello')] }],
      name: 'localhost/hello:1',
      seconds,
    }
    const image = writeImage(options)
    expect(image.equals(writeImage(options))).toBe(true)
    const folder = join(directory, 'image')
    mkdirSync(folder)
    writeFileSync(join(directory, 'image.tar'), image)
    await execute('tar', ['-xf', '../image.tar'], { cwd: folder })
    const blobs = readdirSync(join(folder, 'blobs', 'sha256'))
    expect(blobs).toHaveLength(3)
    for (const blob of blobs) {
      const content = readFileSync(join(folder, 'blobs', 'sha256', blob))
      expect(createHash('sha256').update(content).digest('hex')).toBe(blob)
    }
  })
})

describe('packaging', () => {
  const environmentNames = (service: { environment?: Record<string, unknown> }) =>
    Object.keys(service.environment ?? {})

  it.each(['sqlite', 'postgres'])('compose/%s.yaml sets known settings and names this version', (name) => {
    const { services } = parse(readFileSync(`packaging/compose/${name}.yaml`, 'utf8'), { merge: true })
    const ours = Object.entries<{ environment?: Record<string, unknown> }>(services).filter(([service]) =>
      service.startsWith('factotum'),
    )
    expect(ours.length).toBe(name === 'sqlite' ? 1 : 2)
    for (const [, service] of ours) {
      expect(service).toMatchObject({
        image: `localhost/factotum:${distribution.version}`,
        read_only: true,
        cap_drop: ['ALL'],
      })
      expect(environmentNames(service).filter((each) => !isSettingName(each))).toEqual([])
    }
  })

  it('sets known settings in the image', () => {
    const outside = new Set(['NODE_COMPILE_CACHE', 'PATH'])
    const names = readImageConfig(readFileSync('Dockerfile', 'utf8')).Env.map(
      (line) => line.split('=')[0] ?? '',
    )
    expect(names.filter((name) => !outside.has(name) && !isSettingName(name))).toEqual([])
  })

  it('names the current version in the installation guides', () => {
    const pages = [
      ...globSync('docs/{install*,upgrading}.md'),
      ...globSync('packaging/**/*.{yaml,container}'),
    ]
    expect(pages.length).toBeGreaterThan(8)
    for (const page of pages)
      for (const [, version] of readFileSync(page, 'utf8').matchAll(/factotum[:-](\d+\.\d+\.\d+(?:-dev)?)/g))
        expect(version, page).toBe(distribution.version)
  })
})

describe('the repository', () => {
  const readYaml = (path: string) => parse(readFileSync(join('.github', path), 'utf8'))

  it('runs the two commands of the README in its CI workflow', () => {
    const { jobs } = readYaml('workflows/ci.yml')
    const commands = Object.values<{ steps: { run?: string }[] }>(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run }) => run ?? []),
    )
    const readme = readFileSync('README.md', 'utf8')
    for (const command of ['npm start', 'npm test']) {
      expect(readme).toContain(`\`\`\`sh\n${command}\n\`\`\``)
      expect(commands.some((run) => run.startsWith(command))).toBe(true)
    }
  })

  it('updates the dependencies of every package, the workflow and the image', () => {
    const { updates } = readYaml('dependabot.yml')
    const folders = updates.flatMap(
      (update: { 'package-ecosystem': string; directory?: string; directories?: string[] }) =>
        (update.directories ?? [update.directory]).map(
          (folder) => `${update['package-ecosystem']} ${folder}`,
        ),
    )
    for (const folder of globSync('{,*/}package-lock.json').map((file) => dirname(file).replace('.', '')))
      expect(folders).toContain(`npm /${folder}`)
    expect(folders).toEqual(
      expect.arrayContaining(['github-actions /', 'docker /', 'docker-compose /packaging/compose']),
    )
  })
})

describe('release notes', () => {
  it('are the section of the version in the changelog', () => {
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\n- Soon.\n\n## [0.3.0] - 2027-01-02\n\n- New.\n\n## [0.2.0] - 2026-11-17\n\n- Old.\n'
    expect(readReleaseNotes(changelog, '0.3.0')).toBe('# Factotum 0.3.0 (2027-01-02)\n\n- New.\n')
    expect(readReleaseNotes(changelog, '0.4.0-dev')).toBe('# Factotum 0.4.0-dev (2027-01-02)\n\n- Soon.\n')
    expect(() => readReleaseNotes(changelog, '0.4.0')).toThrow('no section')
  })

  it('exist for the current version', () => {
    expect(readReleaseNotes(readFileSync('CHANGELOG.md', 'utf8'), distribution.version)).toContain('###')
  })
})
