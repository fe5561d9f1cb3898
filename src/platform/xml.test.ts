import { describe, expect, it } from 'vitest'
import { childOf, escapeXml, readXml } from './xml.ts'

describe('readXml', () => {
  it.each([
    ['<D:a xmlns:D="DAV:"><D:b>x</D:b></D:a>'],
    ['<?xml version="1.0"?>\n<!-- hello --><a xmlns="DAV:"><b>x</b></a>\n'],
    ['<a xmlns="DAV:"><q:b xmlns:q="DAV:">x</q:b></a>'],
    ['<D:a xmlns:D="DAV:" xmlns="urn:other"><b xmlns="DAV:"><![CDATA[x]]></b></D:a>'],
    ['<x:a xmlns:x="DAV:"><x:b xmlns:x="urn:other">y</x:b><x:b>x</x:b></x:a>'],
    ['<a xmlns="DAV:"><b>&#120;</b></a>'],
  ])('ignores the prefixes in %s', async (source) => {
    const root = await readXml(source)
    expect(root.name).toBe('{DAV:}a')
    expect(childOf(root, '{DAV:}b')?.text).toBe('x')
  })

  it('unescapes what escapeXml escaped', async () => {
    const text = 'a & b < c > d "e" \'f\' ]]> &amp;'
    expect((await readXml(`<a>${escapeXml(text)}</a>`)).text).toBe(text)
  })

  it.each([
    ['an empty text', ''],
    ['plain text', 'Not found'],
    ['an HTML page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
    ['a truncated document', '<a><b>x</b>'],
    ['a document that ends within a tag', '<a><b'],
    ['two roots', '<a/><b/>'],
    [
      'a document type declaration',
      '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;&c;&c;</a>',
    ],
    ['too deep nesting', '<a>'.repeat(1_000_000)],
    ['too many elements', `<a>${'<b/>'.repeat(1_000_000)}</a>`],
    ['too many text pieces', `<a>${'&lt;'.repeat(4_000_000)}</a>`],
    ['too many attributes', `<a ${'b="" '.repeat(1_000_000)}/>`],
    [
      'too many namespaces',
      `${Array.from({ length: 30 }, (_, depth) => `<a ${Array.from({ length: 10 }, (_, n) => `xmlns:n${depth}-${n}="u"`).join(' ')}>`).join('')}${'</a>'.repeat(30)}`,
    ],
  ])('rejects %s', async (_name, source) => {
    await expect(readXml(source)).rejects.toThrow()
  })
})
