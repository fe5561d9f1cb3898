import { describe, expect, it } from 'vitest'
import { html, type Piece, raw, toText } from './html.ts'

describe('HTML templates', () => {
  it('escape inserted text in content and attributes', () => {
    const hostile = `"><script>alert('1')</script>&`
    expect(toText(html`<p title="${hostile}">${hostile}</p>`)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
    )
  })

  it('keep nested markup unchanged', () => {
    expect(toText(html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
    )
    expect(toText(html`${raw('<br>')}`)).toBe('<br>')
  })

  it('render nothing for absent values, and zero as zero', () => {
    expect(toText(html`[${undefined}${false}${0}${''}]`)).toBe('[0]')
  })

  it('do not trust an object that was parsed from JSON', () => {
    const forged = JSON.parse('{"html":"<script>","Symbol(safe html)":"<script>"}') as unknown as Piece
    expect(() => html`${forged}`).toThrow()
  })
})
