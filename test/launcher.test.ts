import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

// Tests the launcher in a fresh checkout, with the real npm and one package that needs no network.
const scratch = await mkdtemp(join(tmpdir(), 'factotum-launcher-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))
// Node also looks for packages in the folders above a checkout; npm does not.
await mkdir(join(scratch, 'node_modules'))
await symlink(resolve('node_modules/rolldown'), join(scratch, 'node_modules', 'rolldown'))

const program = `
import { writeFileSync } from 'node:fs'
import { greeting } from 'greeter'
export const runProgram = async (main: string): Promise<void> => {
  const [, , command, ...rest]: string[] = process.argv
  console.log(JSON.stringify({ greeting, command, rest, main }))
  if (command === 'fail') process.exit(Number(rest[0]))
  if (command !== 'wait') return
  let count = 0
  process.on('SIGTERM', () => {
    count += 1
    setTimeout(() => {
      writeFileSync('stopped', String(count))
      process.exit(7)
    }, 1000)
  })
  setInterval(() => {}, 1000)
  writeFileSync('ready', String(process.pid))
}
`

const greeter = (version: string) => ({ name: 'greeter', version, type: 'module', exports: './index.js' })

async function createCheckout() {
  const root = join(scratch, randomUUID())
  await cp('bin', join(root, 'bin'), { recursive: true })
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'src', 'program.ts'), program)
  await mkdir(join(root, 'greeter'))
  await writeFile(join(root, 'greeter', 'index.js'), `export const greeting = 'hello'`)
  await writeJson(join(root, 'greeter', 'package.json'), greeter('1.0.0'))
  const manifest = {
    name: 'checkout',
    version: '1.0.0',
    type: 'module',
    dependencies: { greeter: 'file:greeter' },
  }
  await writeJson(join(root, 'package.json'), manifest)
  await writeJson(join(root, 'package-lock.json'), {
    name: 'checkout',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'checkout', version: '1.0.0', dependencies: { greeter: 'file:greeter' } },
      greeter: { version: '1.0.0' },
      'node_modules/greeter': { resolved: 'greeter', link: true },
    },
  })
  return checkoutAt(root)
}

let started: ReturnType<typeof startFirst> | undefined
const startFirst = async () => {
  const checkout = await createCheckout()
  const end = await checkout.start('serve', '--demo', 'two words', '')
  return { ...checkout, end }
}
const firstStart = () => {
  started ??= startFirst()
  return started
}

/** A checkout that was started before, because npm takes longer than everything else here. */
async function createInstalledCheckout() {
  const root = join(scratch, randomUUID())
  await cp((await firstStart()).root, root, { recursive: true, verbatimSymlinks: true })
  return checkoutAt(root)
}

function checkoutAt(root: string) {
  const stamp = join(root, 'node_modules', '.factotum-stamp')
  // npm ci empties node_modules, so a file there shows whether it ran.
  const witness = join(root, 'node_modules', 'witness')
  return {
    root,
    stamp,
    leaveWitness: () => writeFile(witness, ''),
    wasReinstalled: async () => !(await exists(witness)),
    start: (...args: string[]) => finish(launch(root, args)),
  }
}

const launch = (root: string, args: string[], environment: Record<string, string> = {}) =>
  spawn(process.execPath, [join(root, 'bin', 'factotum.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
  })

function finish(child: ChildProcess) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    let [out, err] = ['', '']
    child.stdout?.on('data', (chunk) => {
      out += chunk
    })
    child.stderr?.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

const writeJson = (path: string, value: unknown) => writeFile(path, JSON.stringify(value))

const readText = (path: string) => readFile(path, 'utf8')

const exists = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  )

async function until(condition: () => Promise<boolean>) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50))
}

describe('packages', () => {
  it('are installed on a first start, which then runs main with its arguments', async () => {
    const { root, end } = await firstStart()
    const { code, out, err } = end
    expect(code, err).toBe(0)
    expect(err).toBe('Installing packages (first start only)…\nBuilding the server…\n')
    expect(JSON.parse(out)).toEqual({
      greeting: 'hello',
      command: 'serve',
      rest: ['--demo', 'two words', ''],
      main: join(root, 'dist', 'main.js'),
    })
  })

  it('are installed although `npm pack --dry-run` started the launcher, and a killed start left its lock', async () => {
    const { root } = await createCheckout()
    const killed = spawn(process.execPath, ['--eval', ''])
    await finish(killed)
    await mkdir(join(root, '.node', 'lock'), { recursive: true })
    const owner = { token: 'gone', host: hostname(), pids: [killed.pid] }
    await writeJson(join(root, '.node', 'lock', 'owner.json'), owner)
    const { code, out, err } = await finish(launch(root, ['serve'], { npm_config_dry_run: 'true' }))
    expect(code, err).toBe(0)
    expect(JSON.parse(out).greeting).toBe('hello')
  })

  it('are not installed on a second start, which prints nothing', async () => {
    const { start, leaveWitness, wasReinstalled } = await createInstalledCheckout()
    await leaveWitness()
    expect((await start('twice')).err).toBe('')
    expect(await wasReinstalled()).toBe(false)
  })

  it('are installed again after the lock file changed', async () => {
    const { root, start, leaveWitness, wasReinstalled } = await createInstalledCheckout()
    await leaveWitness()
    const lock = await readText(join(root, 'package-lock.json'))
    await writeJson(join(root, 'greeter', 'package.json'), greeter('1.0.1'))
    await writeFile(
      join(root, 'package-lock.json'),
      lock.replace('"greeter":{"version":"1.0.0"}', '"greeter":{"version":"1.0.1"}'),
    )
    expect((await start('twice')).err).toBe('Updating packages…\nBuilding the server…\n')
    expect(await wasReinstalled()).toBe(true)
  })

  it('that a user installed are used unchanged', async () => {
    const { start, stamp, leaveWitness, wasReinstalled } = await createInstalledCheckout()
    await rm(stamp)
    await leaveWitness()
    expect((await start('twice')).err).toBe('')
    expect(await wasReinstalled()).toBe(false)
    expect(await readText(stamp)).toMatch(/^full /)
  })

  it('are installed again after an interrupted installation', async () => {
    const { start, stamp, leaveWitness, wasReinstalled } = await createInstalledCheckout()
    await writeFile(stamp, 'partial\n')
    await leaveWitness()
    expect((await start('twice')).code).toBe(0)
    expect(await wasReinstalled()).toBe(true)
  })

  it('are installed by one of three concurrent first starts, and all succeed', async () => {
    const { root, start } = await createCheckout()
    const starts = await Promise.all([start('a'), start('b'), start('c')])
    expect(starts.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(starts.filter(({ err }) => err.includes('Installing packages'))).toHaveLength(1)
    expect(await exists(join(root, '.node', 'lock', 'owner.json'))).toBe(false)
  })

  it("cause an error with npm's output and advice if npm fails, and main does not run", async () => {
    const { root, start, stamp } = await createCheckout()
    await writeJson(join(root, 'package.json'), {
      name: 'checkout',
      version: '1.0.0',
      dependencies: { absent: '1' },
    })
    const { code, out, err } = await start('serve')
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(/npm (error|ERR!)/)
    expect(err).toContain('npm could not install the packages')
    expect(await readText(stamp)).toBe('partial\n')
  })
})

describe('the server', () => {
  const write = (root: string, word: string) =>
    Promise.all([
      writeFile(
        join(root, 'src', 'program.ts'),
        `export const runProgram = async () => console.log((await import('./word.ts')).word)`,
      ),
      writeFile(join(root, 'src', 'word.ts'), `export const word: string = '${word}'`),
    ])

  it('is built again after its sources changed, by one of three concurrent starts', async () => {
    const { root, start } = await createInstalledCheckout()
    await write(root, 'changed')
    const starts = await Promise.all([start('a'), start('b'), start('c')])
    expect(starts.map(({ out }) => out)).toEqual(['changed\n', 'changed\n', 'changed\n'])
    expect(starts.filter(({ err }) => err.includes('Building the server…'))).toHaveLength(1)
    expect((await start('later')).err).toBe('')
  })

  it('keeps the files of the previous build for a running server, and no older ones', async () => {
    const { root, start } = await createInstalledCheckout()
    const findWords = async () => {
      const files = (await readdir(join(root, 'dist'))).filter((file) => /^word-.*\.cjs$/.test(file))
      const texts = await Promise.all(files.map((file) => readText(join(root, 'dist', file))))
      return texts.map((text) => /first|second|third/.exec(text)?.[0]).sort()
    }
    for (const word of ['first', 'second', 'third']) {
      await write(root, word)
      expect((await start('run')).out).toBe(`${word}\n`)
    }
    expect(await findWords()).toEqual(['second', 'third'])
  })

  it('does not start when it cannot be built, and says what to do', async () => {
    const { root, start } = await createInstalledCheckout()
    await writeFile(join(root, 'src', 'program.ts'), `import './absent.ts'`)
    const { code, out, err } = await start('serve')
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain('absent.ts')
    expect(err).toContain('undo or correct your changes in src/')
    await write(root, 'repaired')
    expect((await start('serve')).out).toBe('repaired\n')
  })

  it('has source maps that lead to the sources', async () => {
    const { root, start } = await createInstalledCheckout()
    await writeFile(
      join(root, 'src', 'program.ts'),
      `type Nothing = never\n\nthrow new Error('no' as Nothing)\nexport const runProgram = () => {}`,
    )
    await start('run')
    const { err } = await finish(
      spawn(process.execPath, ['--enable-source-maps', join(root, 'dist', 'main.js')]),
    )
    expect(err).toContain(`${join(root, 'src', 'program.ts')}:3:`)
  })

  it('stores its compiled code once, and ignores damaged code', async () => {
    const { root, start } = await createInstalledCheckout()
    await writeFile(
      join(root, 'src', 'program.ts'),
      `export const runProgram = async (_main: string, storeCode: () => void) => {
         console.log((await import('./word.ts')).word)
         storeCode()
       }`,
    )
    await writeFile(join(root, 'src', 'word.ts'), `export const word: string = 'stored'`)
    const cache = join(root, 'cache')
    const run = async () => {
      const env = { ...process.env, NODE_COMPILE_CACHE: cache }
      const { out, err } = await finish(spawn(process.execPath, [join(root, 'dist', 'main.js')], { env }))
      expect(err).toBe('')
      return out
    }
    const findCode = async () => {
      const files = (await readdir(cache, { recursive: true })).filter((file) => file.endsWith('.cjs.code'))
      return Promise.all(files.sort().map(async (file) => [file, await readFile(join(cache, file))] as const))
    }
    await start('build')
    expect(await run()).toBe('stored\n')
    const stored = await findCode()
    expect(stored.map(([file]) => basename(file).replace(/-.*/, ''))).toEqual(['program', 'word'])
    expect(await run()).toBe('stored\n')
    expect(await findCode()).toEqual(stored)
    for (const [file] of stored) await writeFile(join(cache, file), 'damaged')
    expect(await run()).toBe('stored\n')
    expect((await findCode()).map(([, code]) => code.length > 100)).toEqual([true, true])
  })

  it('finds its worker threads and files in the bundle', async () => {
    const { root, start } = await createInstalledCheckout()
    await writeFile(join(root, 'src', 'text.txt'), 'text')
    await writeFile(
      join(root, 'src', 'thread.ts'),
      `import { parentPort } from 'node:worker_threads'\nparentPort?.postMessage('thread')`,
    )
    await writeFile(
      join(root, 'src', 'program.ts'),
      `import { readFileSync } from 'node:fs'
       import { Worker } from 'node:worker_threads'
       export const runProgram = () =>
         new Worker(new URL('./thread.ts', import.meta.url)).on('message', (message: string) =>
           console.log(message, readFileSync(new URL('./text.txt', import.meta.url), 'utf8')))`,
    )
    const { out, err } = await start('run')
    expect(out, err).toBe('thread text\n')
  })
})

describe('the console', () => {
  it('is built when its sources changed, and only for the server', async () => {
    const { root, start } = await createInstalledCheckout()
    const web = join(root, 'web')
    await mkdir(web)
    await writeJson(join(web, 'package.json'), {
      name: 'web',
      version: '1.0.0',
      scripts: { build: 'node build.mjs' },
    })
    await writeJson(join(web, 'package-lock.json'), {
      name: 'web',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'web', version: '1.0.0' } },
    })
    await writeFile(
      join(web, 'build.mjs'),
      `import { cpSync, mkdirSync } from 'node:fs'
       mkdirSync('dist', { recursive: true })
       cpSync('index.html', 'dist/index.html')`,
    )
    await writeFile(join(web, 'index.html'), 'first')
    const isBuilt = () => exists(join(web, 'dist', 'index.html'))

    await start('doctor')
    expect(await isBuilt()).toBe(false)
    expect((await start('serve')).err).toContain('Building the console…')
    expect(await isBuilt()).toBe(true)
    expect((await start('serve')).err).toBe('')

    await writeFile(join(web, 'index.html'), 'second')
    expect((await start('serve')).err).toBe('Building the console…\n')
    expect(await readText(join(web, 'dist', 'index.html'))).toBe('second')

    await writeFile(join(web, 'build.mjs'), `throw new Error('no disk')`)
    const broken = await start('serve')
    expect(broken.err).toContain('no disk')
    expect(broken.err).toContain('Starting with the previous build of the console.')
    expect(broken.code).toBe(0)
  })
})

describe('the end of the process', () => {
  it('has the exit code of main', async () => {
    const { start } = await createInstalledCheckout()
    expect((await start('fail', '5')).code).toBe(5)
  })

  it('reaches the server with one signal when the shell between npm and the server is terminated', async () => {
    const { root } = await createInstalledCheckout()
    const env = { ...process.env, npm_lifecycle_event: 'start', NODE: process.execPath }
    const shell = spawn('/bin/sh', ['-c', '"$NODE" bin/factotum.mjs wait; exit'], { cwd: root, env })
    const ended = finish(shell)
    await until(() => exists(join(root, 'ready')))
    shell.kill('SIGTERM')
    await ended
    await until(() => exists(join(root, 'stopped')))
    expect(await readText(join(root, 'stopped'))).toBe('1')
  })

  it('is that of the only process after `npm start`, also on an older Node', async () => {
    const { root } = await createInstalledCheckout()
    // Says that it is an older Node, and keeps its process id while it runs as one.
    const folder = join(root, 'older')
    await mkdir(folder)
    const older = `#!/bin/sh\n[ "$1" = --version ] && echo v20.0.0 && exit\nexec '${process.execPath}' "$@"\n`
    await writeFile(join(folder, 'node'), older, { mode: 0o755 })
    const { scripts } = JSON.parse(await readText('package.json'))
    const [shell = '', ...args] = scripts.start.replace('serve', 'wait').split(' ')
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    const child = spawn(shell, args, { cwd: root, env })
    const ended = finish(child)
    await until(() => exists(join(root, 'ready')))
    expect(await readText(join(root, 'ready'))).toBe(String(child.pid))
    child.kill('SIGTERM')
    expect((await ended).code).toBe(7)
    expect(await readText(join(root, 'stopped'))).toBe('1')
  })

  it('reaches a server in a child process as a signal, and returns its exit code', async () => {
    const { root } = await createInstalledCheckout()
    // The launcher's way on a machine whose Node is too old to run main.
    const script = `import { runInChild } from './bin/launcher/child.mjs'
      const end = await runInChild(process.execPath, ['dist/main.js', 'wait'], {})
      process.exit(end.code)`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
    const ended = finish(parent)
    await until(() => exists(join(root, 'ready')))
    parent.kill('SIGTERM')
    expect((await ended).code).toBe(7)
    expect(await readText(join(root, 'stopped'))).toBe('1')
  })
})
