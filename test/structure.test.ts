import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleEnvironment } from '../src/config/config.ts'
import { ERROR_CATALOGUE } from '../src/platform/docs/error-catalogue.ts'

const run = promisify(execFile)

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const isNoTest = (file: string): boolean => !file.endsWith('.test.ts')
const sources = globSync('src/**/*.ts').filter(isNoTest)
const consoleSources = globSync('web/src/**/*.{ts,tsx}').filter(isNoTest)

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
const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1]
const broken = (rule: (edge: Import) => boolean): string[] =>
  imports.filter((edge) => !rule(edge)).map(({ from, to }) => `${from} → ${to}`)

/** Features whose modules import those of another feature at run time. */
const BUILT_UPON: Readonly<Record<string, readonly string[]>> = {
  accounts: ['auth'],
  briefing: ['calendar'],
  'mail-analysis': ['calendar', 'models'],
  assistant: ['models'],
  workflow: ['models'],
  calendar: ['remote-accounts'],
  mail: ['remote-accounts'],
}

describe('the structure of the code', () => {
  it('finds imports to check', () => {
    expect(imports.length).toBeGreaterThan(150)
  })

  it('features import each other as types, with few exceptions', () => {
    expect(
      broken(({ from, to, typeOnly }) => {
        const [here, there] = [featureOf(from), featureOf(to)]
        if (here === undefined || there === undefined || here === there || typeOnly) return true
        return BUILT_UPON[here]?.includes(there) ?? false
      }),
    ).toEqual([])
  })

  it('features import features, platform, database, nlu and recurrence only', () => {
    expect(
      broken(
        ({ from, to }) =>
          featureOf(from) === undefined || /^src\/(features|platform|database|nlu|recurrence)\//.test(to),
      ),
    ).toEqual([])
  })

  it('platform imports no feature; database imports only itself', () => {
    expect(
      broken(({ from, to }) => !from.startsWith('src/platform/') || /^src\/(platform|database)\//.test(to)),
    ).toEqual([])
    expect(
      broken(({ from, to }) => !from.startsWith('src/database/') || to.startsWith('src/database/')),
    ).toEqual([])
  })

  it('leaves engines, planner hints and snapshots to the database', () => {
    const outside = sources.filter((file) => /^src\/(features|platform)\//.test(file))
    const hints = /`\+\$\{|\boffset 0\b|\bindexed by\b|\b(un)?likely\(|\blateral\b|new Function\(/
    const isHint = (file: string) => hints.test(readFileSync(file, 'utf8'))
    expect(outside.filter(isHint)).toEqual([])
    const inside = /^src\/database\/(engine-access|long-reads|read-thread|sqlite|postgres)/
    const shared = ['src/database/long-reads.ts', 'src/database/engine-access.ts']
    expect(
      broken(
        ({ from, to, typeOnly }) =>
          typeOnly || !outside.includes(from) || !inside.test(to) || shared.includes(to),
      ),
    ).toEqual([])
    const isEngineQuestion = (file: string) => /\b(isSqlite|accessOf)\b/.test(readFileSync(file, 'utf8'))
    expect(outside.filter(isEngineQuestion)).toEqual([])
  })

  it('has one way to prepare a statement', () => {
    const exported = (file: string) => [
      ...readFileSync(file, 'utf8').matchAll(/^export const (prepare\w*)/gm),
    ]
    expect(
      sources
        .filter((file) => file.startsWith('src/database/'))
        .flatMap(exported)
        .map(([, name]) => name),
    ).toEqual(['prepare'])
  })

  it('nlu imports only itself and recurrence; recurrence imports only itself', () => {
    expect(
      broken(({ from, to }) => !from.startsWith('src/nlu/') || /^src\/(nlu|recurrence)\//.test(to)),
    ).toEqual([])
    expect(
      broken(({ from, to }) => !from.startsWith('src/recurrence/') || to.startsWith('src/recurrence/')),
    ).toEqual([])
  })

  it('repositories import no feature code; only features import routes', () => {
    expect(
      broken(
        ({ from, to, typeOnly }) => typeOnly || !/repository\.ts$/.test(from) || !/^src\/features\//.test(to),
      ),
    ).toEqual([])
    expect(
      broken(
        ({ to, from }) => !/routes\.ts$/.test(to) || from === 'src/app.ts' || /\/feature\.ts$/.test(from),
      ),
    ).toEqual([])
  })

  it('only app.ts imports the composition of a feature', () => {
    expect(
      broken(({ from, to, typeOnly }) => typeOnly || !/\/feature\.ts$/.test(to) || from === 'src/app.ts'),
    ).toEqual([])
  })

  it('only main and the commands import adapters', () => {
    expect(
      broken(({ from, to }) => !to.startsWith('src/adapters/') || /^src\/(adapters|commands)\//.test(from)),
    ).toEqual([])
  })

  it('has no import cycles, neither at run time nor of types', () => {
    const files = [...sources, ...consoleSources]
    const graph = Map.groupBy(files.flatMap(importsOf), ({ from }) => from)
    const circles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file) || path.includes(file)) return
      for (const { to } of graph.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })

  it('uses `process` only in program.ts', () => {
    const touching = sources.filter(
      (file) => /\bprocess\.\w/.test(readFileSync(file, 'utf8')) && file !== 'src/program.ts',
    )
    expect(touching).toEqual([])
  })

  it('reads the time only from the clock port', () => {
    const peeking = sources.filter(
      (file) =>
        /\bDate\.now\(|new Date\(\)/.test(readFileSync(file, 'utf8')) && file !== 'src/platform/clock.ts',
    )
    expect(peeking).toEqual([])
  })

  it('has no file longer than 600 lines', () => {
    expect(sources.filter((file) => readFileSync(file, 'utf8').split('\n').length > 600)).toEqual([])
  })

  it('no feature of the console styles or uses a CSS class of another one', () => {
    const namesIn = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {0,2}\.([a-z][\w-]*)(?=[^;]*[,{]$)/gm)].map(
        ([, name = '']) => name,
      )
    const featureOfPage = (file: string) => file.split('/')[3] as string
    const shared = new Set(globSync('web/src/{ui,shell}/**/*.css').flatMap(namesIn))
    const owners = new Map<string, Set<string>>()
    for (const file of globSync('web/src/features/**/*.css'))
      for (const name of namesIn(file))
        owners.set(name, (owners.get(name) ?? new Set()).add(featureOfPage(file)))
    expect(owners.size).toBeGreaterThan(100)
    expect([...owners].filter(([, features]) => features.size > 1).map(([name]) => name)).toEqual([])
    const borrowed = globSync('web/src/features/**/*.tsx').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/className="([^"]+)"/g)]
        .flatMap(([, names = '']) => names.split(' '))
        .filter(
          (name) => owners.has(name) && !shared.has(name) && !owners.get(name)?.has(featureOfPage(file)),
        )
        .map((name) => `${file}: ${name}`),
    )
    expect(borrowed).toEqual([])
  })

  it('documents every error code in use', () => {
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

  it('keeps .env.example in sync with the configuration', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(exampleEnvironment())
  })

  // The console's type check and knip read the types that are generated from the API.
  beforeAll(() => run(process.execPath, ['web/scripts/schema.mjs']), 300_000)

  // A further run only checks what depends on a changed file. Several threads would each find out the same types:
  // sooner done, with twice the work.
  const checkTypes = (name: string): string[] => [
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/factotum/${name}.tsbuildinfo`,
  ]

  it.each([
    ['type-checks the server', checkTypes('server')],
    ['type-checks the console', [...checkTypes('console'), '-p', 'web']],
    ['passes Biome', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
    ['has no unused code or dependency', ['node_modules/knip/bin/knip.js', '--cache']],
  ])('%s', { timeout: 300_000 }, async (_what, [program, ...args]) => {
    // The compiler of TypeScript is written in Go. Fewer garbage collections save a fifth of its time. Biome is
    // written in Rust, and several threads of it disturb each other.
    const env = { ...process.env, GOGC: '300', RAYON_NUM_THREADS: '1' }
    const { code, output } = await run(process.execPath, [program as string, ...args], { env }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    )
    expect(code === 0 ? '' : output).toBe('')
  })
})
