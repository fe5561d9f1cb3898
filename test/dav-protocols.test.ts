import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const RFC = /\bRFC (\d+)/g
const referencesIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(RFC)].map(([, number]) => number as string)

const documented = [
  ...readFileSync('docs/protocols.md', 'utf8').matchAll(/^\| RFC (\d+) \| [^|]+ \| (\w+) \|/gm),
]

it('docs/protocols.md says of each RFC whether it is supported', () => {
  expect(documented.length).toBeGreaterThan(10)
  expect(documented.filter(([, , support]) => !['yes', 'partial', 'no'].includes(support as string))).toEqual(
    [],
  )
})

it('docs/protocols.md names each RFC that the code of DAV refers to', () => {
  const known = new Set(documented.map(([, number]) => number))
  const files = globSync('src/features/{dav,*/dav}/**/*.ts')
  const unknown = files.flatMap((file) =>
    referencesIn(file)
      .filter((number) => !known.has(number))
      .map((number) => `${file}: RFC ${number}`),
  )
  expect(unknown).toEqual([])
})
