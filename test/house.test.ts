import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { exampleEnvironment } from '../src/config/config.ts'
import { ERROR_CATALOGUE } from '../src/platform/docs/error-catalogue.ts'

const run = promisify(execFile)

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

const importsOf = (file: string): Import[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm,
    ),
  ].map(([, type, named, dynamic]) => ({
    from: file,
    to: normalize(join(dirname(file), (named ?? dynamic) as string)),
    typeOnly: type !== undefined,
  }))

const imports = sources.flatMap(importsOf)
const roomOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1]
const broken = (rule: (edge: Import) => boolean): string[] =>
  imports.filter((edge) => !rule(edge)).map(({ from, to }) => `${from} → ${to}`)

describe('the house', () => {
  it('has imports to look at', () => {
    expect(imports.length).toBeGreaterThan(150)
  })

  it('rooms know each other as types; only settings is built upon the accounts of auth', () => {
    expect(
      broken(({ from, to, typeOnly }) => {
        const [here, there] = [roomOf(from), roomOf(to)]
        if (here === undefined || there === undefined || here === there || typeOnly) return true
        return here === 'settings' && there === 'auth'
      }),
    ).toEqual([])
  })

  it('rooms import rooms, platform and database, and nothing above them', () => {
    expect(
      broken(
        ({ from, to }) =>
          roomOf(from) === undefined || /^src\/(features|platform|database|engine)\//.test(to),
      ),
    ).toEqual([])
  })

  it('platform knows no room, database knows neither', () => {
    expect(
      broken(({ from, to }) => !from.startsWith('src/platform/') || /^src\/(platform|database)\//.test(to)),
    ).toEqual([])
    expect(
      broken(({ from, to }) => !from.startsWith('src/database/') || to.startsWith('src/database/')),
    ).toEqual([])
  })

  it('the engine knows nothing but itself', () => {
    expect(broken(({ from, to }) => !from.startsWith('src/engine/') || to.startsWith('src/engine/'))).toEqual(
      [],
    )
  })

  it('a store knows no rule and no route; a rule knows no route', () => {
    expect(
      broken(
        ({ from, to, typeOnly }) => typeOnly || !/store\.ts$/.test(from) || !/^src\/features\//.test(to),
      ),
    ).toEqual([])
    expect(
      broken(({ to, from }) => !/routes\.ts$/.test(to) || from === 'src/app.ts' || /\/room\.ts$/.test(from)),
    ).toEqual([])
  })

  it('what a room is put together in is opened by the wiring diagram alone', () => {
    expect(
      broken(({ from, to, typeOnly }) => typeOnly || !/\/room\.ts$/.test(to) || from === 'src/app.ts'),
    ).toEqual([])
  })

  it('adapters are imported by main and its commands alone', () => {
    expect(
      broken(({ from, to }) => !to.startsWith('src/adapters/') || /^src\/(adapters|commands)\//.test(from)),
    ).toEqual([])
  })

  it('has no circles, not even of types', () => {
    const graph = Map.groupBy(imports, ({ from }) => from)
    const circles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file) || path.includes(file)) return
      for (const { to } of graph.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
    expect(circles).toEqual([])
  })

  it('touches the process in main.ts alone', () => {
    const touching = sources.filter(
      (file) => /\bprocess\.\w/.test(readFileSync(file, 'utf8')) && file !== 'src/main.ts',
    )
    expect(touching).toEqual([])
  })

  it('asks the clock port for the time, and nothing else', () => {
    const peeking = sources.filter(
      (file) =>
        /\bDate\.now\(|new Date\(\)/.test(readFileSync(file, 'utf8')) && file !== 'src/platform/clock.ts',
    )
    expect(peeking).toEqual([])
  })

  it('has no file longer than 500 lines', () => {
    expect(sources.filter((file) => readFileSync(file, 'utf8').split('\n').length > 500)).toEqual([])
  })

  it('has no room of the console that styles or uses a class of another: what was loaded first must not matter', () => {
    const namesIn = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {0,2}\.([a-z][\w-]*)(?=[^;]*[,{]$)/gm)].map(
        ([, name = '']) => name,
      )
    const roomOfPage = (file: string) => file.split('/')[3] as string
    const shared = new Set(globSync('web/src/{ui,shell}/**/*.css').flatMap(namesIn))
    const owners = new Map<string, Set<string>>()
    for (const file of globSync('web/src/rooms/**/*.css'))
      for (const name of namesIn(file))
        owners.set(name, (owners.get(name) ?? new Set()).add(roomOfPage(file)))
    expect(owners.size).toBeGreaterThan(100)
    expect([...owners].filter(([, rooms]) => rooms.size > 1).map(([name]) => name)).toEqual([])
    const borrowed = globSync('web/src/rooms/**/*.tsx').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/className="([^"]+)"/g)]
        .flatMap(([, names = '']) => names.split(' '))
        .filter((name) => owners.has(name) && !shared.has(name) && !owners.get(name)?.has(roomOfPage(file)))
        .map((name) => `${file}: ${name}`),
    )
    expect(borrowed).toEqual([])
  })

  it('explains every error code that it uses', () => {
    const codes = sources.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /(?:new AppError\(\s*'\w+',\s*|(?:forbidden|conflict)\([^)]*,\s*)'(\w+)'/g,
        ),
      ].map(([, code]) => code as string),
    )
    const explained = Object.keys(Object.groupBy(ERROR_CATALOGUE, ({ code }) => code))
    expect(codes.length).toBeGreaterThan(20)
    expect([...new Set(codes)].filter((code) => !explained.includes(code))).toEqual([])
  })

  it('has an .env.example that says what the program reads', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(exampleEnvironment())
  })

  it.each([
    // Several threads would each find out the same types: sooner done, with twice the work.
    ['its types hold', ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded']],
    [
      'the types of its console hold',
      ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', 'web'],
    ],
    [
      'its code is in the form and style we agreed on',
      ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    ],
    ['it carries nothing that nobody uses', ['node_modules/knip/bin/knip.js']],
  ])('%s', { timeout: 300_000 }, async (_what, [program, ...args]) => {
    const { code, output } = await run(process.execPath, [program as string, ...args]).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    )
    expect(code === 0 ? '' : output).toBe('')
  })
})
