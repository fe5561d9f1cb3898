import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startInstance } from './support/instance.ts'
import { launcherEnvironment, MAIN } from './support/process.ts'

const run = promisify(execFile)
const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]

const blocksOf = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text]) =>
    name === language ? [text as string] : [],
  )

it('the README has at most 900 words', () => {
  expect(readFileSync('README.md', 'utf8').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900)
})

/** Strings are not read as comments: a URL, or the name of a file that a test writes. */
const commentsOf = (file: string): string => {
  const source = readFileSync(file, 'utf8')
  const comments = /\.(?:tsx?|mjs|css)$/.test(file)
    ? /^[ \t]*\/\*[\s\S]*?\*\/|(?:^|[\s;,{(])\/\/ .*$/gm
    : /(?:^|\s)# .*$/gm
  return [...source.matchAll(comments)].join('\n')
}

it('documents and comments name only files that exist', async () => {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  const files = stdout.split('\n')
  /** Files of the build, and paths on the machine of the reader. */
  const isElsewhere = (name: string): boolean =>
    /^(?:web\/)?src\/api\/schema\.ts$|^(?:web|site)\/(?:dist|pages)$|^etc\/|^factotum-\d/.test(name) ||
    ['audit.md', 'NOTICE.md', 'postgresql.service', 'prometheus.yml'].includes(name)
  const isFile = (name: string): boolean => {
    const path = name.replace(/^(?:\.\.?\/)+|^opt\/factotum\//, '')
    // `npm test` takes the start of a name.
    if (path.startsWith('test/') && files.some((file) => file.startsWith(path))) return true
    const pattern = new RegExp(`(^|/)${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`)
    return files.some((file) => pattern.test(file))
  }
  const SOURCE = /[`(/ \n]((?:[\w.*-]+\/)*[\w.*-]+\.(?:tsx?|mjs|css|py|md|sh|sql|ya?ml|conf|service))\b/g
  const FOLDER =
    /[`( ]((?:src|test|bench|bin|scripts|packaging|docs|web|site|features|platform|database|adapters|nlu)\/[\w./*-]+)/g
  const deadIn = (file: string, text: string): string[] => {
    const names = [...text.matchAll(SOURCE), ...text.matchAll(FOLDER)].map(([, name]) =>
      (name as string).replace(/[/.]$/, ''),
    )
    return names.filter((name) => !isElsewhere(name) && !isFile(name)).map((name) => `${file}: ${name}`)
  }
  const dead = [
    ...[...documents, 'ARCHITECTURE.md', 'SECURITY.md'].flatMap((file) =>
      deadIn(file, readFileSync(file, 'utf8')),
    ),
    ...files
      .filter((file) => /\.(?:tsx?|mjs|css|py|sh|ya?ml|conf|service)$|Dockerfile$/.test(file))
      .flatMap((file) => deadIn(file, commentsOf(file))),
  ]
  expect(dead).toEqual([])
})

it('no document runs a package of that name from the registry', () => {
  for (const file of documents) expect(readFileSync(file, 'utf8'), file).not.toMatch(/npx factotum/)
})

it('the calls of the README work on a fresh instance, one after the other', async () => {
  const instance = await startInstance()
  const directory = mkdtempSync(join(tmpdir(), 'factotum-readme-'))
  try {
    writeFileSync(
      join(directory, 'calendar.ics'),
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//readme//\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261201T090000Z\r\nSUMMARY:One\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    )
    const calls = blocksOf('README.md', 'sh').filter((block) => block.includes('curl'))
    expect(calls.length).toBeGreaterThan(2)
    // Skips the audit, because its page is on the internet.
    const script = ['set -eu', ...calls]
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', instance.url)
      .replaceAll('curl -s ', 'curl -sS --fail-with-body ')
      .replace(/^curl.*digital-audit.*$/m, '')
    const { stdout } = await run('sh', ['-c', script], { cwd: directory })
    expect(stdout).toContain('"email":"ana@example.org"')
    expect(stdout).toContain('"title":"Stand-up"')
    expect(stdout).toContain('"created":1')
    expect(stdout).not.toContain('problem')
  } finally {
    await instance.close()
    rmSync(directory, { recursive: true })
  }
})

it('a command uses the DATA_DIR of the .env in its directory, like the server', async () => {
  const unit = blocksOf('docs/operating.md', 'ini').find((block) => block.includes('ExecStart')) as string
  expect(unit).toMatch(/^WorkingDirectory=\/opt\/factotum$/m)
  expect(unit).not.toMatch(/DATA_DIR/)
  const directory = mkdtempSync(join(tmpdir(), 'factotum-service-'))
  try {
    const data = join(directory, 'state', 'data')
    writeFileSync(join(directory, '.env'), `DATA_DIR=${data}\nLOG_LEVEL=silent\n`)
    const add = ['user', 'add', 'ana@example.org', '--password-stdin']
    const adding = run(process.execPath, [MAIN, ...add], { cwd: directory, env: launcherEnvironment })
    adding.child.stdin?.end('correct horse battery\n')
    await adding.catch((error: Error & { stderr: string }) => {
      throw new Error(error.stderr)
    })
    const { stdout } = await run(process.execPath, [MAIN, 'doctor'], {
      cwd: directory,
      env: launcherEnvironment,
    })
    expect(stdout).toContain(data)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
