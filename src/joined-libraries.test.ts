import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { findJoinedLibraries } from './named-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'factotum-libraries-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const put = (path: string, value: unknown): void => {
  mkdirSync(dirname(join(scratch, path)), { recursive: true })
  writeFileSync(join(scratch, path), JSON.stringify(value))
}
const find = () => Object.fromEntries(findJoinedLibraries(pathToFileURL(`${scratch}/`)))

describe('libraries that were joined into few files', () => {
  it('are found as long as the versions are installed that they were made of', () => {
    expect(find()).toEqual({})
    put('.cache/factotum-libraries/joined.json', {
      versions: { wide: '1.0.0' },
      files: { wide: 'wide-1.0.0/wide.mjs', 'wide/more': 'wide-1.0.0/wide/more.mjs' },
    })
    expect(find()).toEqual({})
    put('wide/package.json', { version: '1.0.0' })
    const place = pathToFileURL(join(scratch, '.cache/factotum-libraries/wide-1.0.0')).href
    expect(find()).toEqual({ wide: `${place}/wide.mjs`, 'wide/more': `${place}/wide/more.mjs` })
    put('wide/package.json', { version: '1.0.1' })
    expect(find()).toEqual({})
  })

  it('are joined by every name that something imports them by: another would bring all of their files again', async () => {
    const launcher = pathToFileURL('bin/launcher/libraries.mjs').href
    const { LIBRARIES } = (await import(launcher)) as { LIBRARIES: Record<string, string[]> }
    const imported = globSync('src/**/*.ts')
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:from |import\(|require\()'([^'.]+)'/g)])
      .map(([, name = '']) => name)
      .filter((name) => Object.keys(LIBRARIES).includes(name.split('/')[0] as string))
    expect([...new Set(imported)].toSorted()).toEqual(Object.values(LIBRARIES).flat().toSorted())
  })
})
