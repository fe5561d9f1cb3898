import { describe, expect, it } from 'vitest'
import { createResolve } from './named-files.ts'

/** What `resolve` makes of a name, and how often Node itself was asked. */
const ask = (format: string, ...names: string[]) => {
  const resolve = createResolve(new Map([['wide', 'file:///app/joined/wide.mjs']]))
  const asked: string[] = []
  const context = { parentURL: 'file:///app/lib/here/a.js', conditions: ['import'], importAttributes: {} }
  const found = names.map((name) =>
    resolve(name, context, (given) => {
      asked.push(given)
      return { url: `node:found ${given}`, format }
    }),
  )
  return { found: found.map(({ url, format }) => [url, format]), asked }
}

describe('files that are named exactly', () => {
  it('are taken at their word', () => {
    expect(ask('module', './b.ts', '../c.mjs')).toEqual({
      found: [
        ['file:///app/lib/here/b.ts', 'module-typescript'],
        ['file:///app/lib/c.mjs', 'module'],
      ],
      asked: [],
    })
  })

  it('are what the first of their folder was, where the ending leaves that open', () => {
    expect(ask('module', './b.js', './c.js', '../d.js').asked).toEqual(['./b.js', '../d.js'])
    expect(ask('module', './b.js', './c.js').found[1]).toEqual(['file:///app/lib/here/c.js', 'module'])
    expect(ask('commonjs', './b.js', './c.js').asked).toEqual(['./b.js', './c.js'])
  })

  it('are in one file where a library was joined', () => {
    const { found, asked } = ask('module', 'wide', 'wide/more')
    expect(found[0]).toEqual(['file:///app/joined/wide.mjs', 'module'])
    expect(asked).toEqual(['wide/more'])
  })

  it('are looked for by Node where a name leaves anything open', () => {
    const names = [
      './b',
      './b.cjs',
      './b.json',
      './b.ts?again',
      'kysely',
      'typebox/build/index.mjs',
      'node:fs',
    ]
    expect(ask('module', ...names).asked).toEqual(names)
  })
})
