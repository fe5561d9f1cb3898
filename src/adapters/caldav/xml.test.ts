import { describe, expect, it } from 'vitest'
import { childOf, escapeXml, readXml } from './xml.ts'

describe('XML', () => {
  it.each([
    ['<D:a xmlns:D="DAV:"><D:b>x</D:b></D:a>'],
    ['<?xml version="1.0"?>\n<!-- hello --><a xmlns="DAV:"><b>x</b></a>\n'],
    ['<a xmlns="DAV:"><q:b xmlns:q="DAV:">x</q:b></a>'],
    ['<D:a xmlns:D="DAV:" xmlns="urn:other"><b xmlns="DAV:"><![CDATA[x]]></b></D:a>'],
    ['<x:a xmlns:x="DAV:"><x:b xmlns:x="urn:other">y</x:b><x:b>x</x:b></x:a>'],
    ['<a xmlns="DAV:"><b>&#120;</b></a>'],
  ])('%s says the same whatever prefix it uses', async (source) => {
    const root = await readXml(source)
    expect(root.name).toBe('{DAV:}a')
    expect(childOf(root, '{DAV:}b')?.text).toBe('x')
  })

  it('gives back what was escaped', async () => {
    const text = 'a & b < c > d "e" \'f\' ]]> &amp;'
    expect((await readXml(`<a>${escapeXml(text)}</a>`)).text).toBe(text)
  })

  it.each([
    ['nothing', ''],
    ['words', 'Not found'],
    ['a page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
    ['what is cut off', '<a><b>x</b>'],
    ['what is cut off within a tag', '<a><b'],
    ['two roots', '<a/><b/>'],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;&c;&c;</a>'],
    ['endless depth', '<a>'.repeat(1_000_000)],
    ['endless breadth', `<a>${'<b/>'.repeat(1_000_000)}</a>`],
    ['endless pieces of text', `<a>${'&lt;'.repeat(4_000_000)}</a>`],
    ['endless attributes', `<a ${'b="" '.repeat(1_000_000)}/>`],
    [
      'endless namespaces',
      `${Array.from({ length: 30 }, (_, depth) => `<a ${Array.from({ length: 10 }, (_, n) => `xmlns:n${depth}-${n}="u"`).join(' ')}>`).join('')}${'</a>'.repeat(30)}`,
    ],
  ])('is not %s', async (_name, source) => {
    await expect(readXml(source)).rejects.toThrow()
  })
})
