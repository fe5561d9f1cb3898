import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sanitiseHtml, textOfHtml } from './html.ts'

const NAUGHTY = '../shared/data/security-vectors/blns.public.jsonl'
const sanitise = (html: string): string =>
  sanitiseHtml(html, { toUrl: (id) => (id === 'pic@1' ? '/api/emails/1/attachments/a' : undefined) })

/**
 * Must not occur in sanitized HTML: anything that executes, loads, submits, embeds a frame or leaves its
 * position.
 */
const HOSTILE =
  /<\/?(?:script|style|link|meta|base|iframe|frame|object|embed|applet|form|input|button|textarea|select|svg|math|video|audio|source|template|body|html)\b|<[^>]*\s(?:on\w+|srcset|background|action|formaction|xlink:href|id|class|srcdoc)\s*=|<[^>]*\ssrc="(?!\/api\/emails\/1\/attachments\/a"|data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,)|(?:href|src)\s*=\s*"\s*(?:javascript|vbscript|data:text|file|blob|about)|style="[^"]*(?:url|expression|position|@import|behavior|-moz-binding|\\)/i

it.each([
  '<script>alert(1)</script>',
  '<SCRIPT SRC=http://x.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="https://x.example/a.png" srcset="https://x.example/b.png 2x">',
  '<body onload=alert(1) background="https://x.example/t.gif">hi',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<svg><p><style><img src=x onerror=alert(1)></style></p>',
  '<svg></p><style><a title="</style><img src=x onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)>',
  '<svg><svg><b><script>alert(1)</script><svg onload=alert(1)>',
  '<noscript><style></noscript><img src=x onerror=alert(1)>',
  '<noscript><script>alert(1)</script><img src=x onerror=alert(1)>',
  '<template><img src=x onerror=alert(1)><select><svg onload=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<iframe src="https://x.example"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://x.example"><input name=password><button formaction=x>go</button></form>',
  '<style>@import url(https://x.example/x.css); body{background:url(https://x.example)}</style>',
  '<link rel=stylesheet href="https://x.example/x.css"><base href="https://x.example/"><meta http-equiv=refresh content="0;url=https://x.example">',
  '<p style="background:url(https://x.example/t.gif)">x</p>',
  '<p style="background-color:red;background-image:url(\'https://x.example\')">x</p>',
  '<div style="position:fixed;top:0;left:0;width:100%;height:100%">x</div>',
  '<div style="width:expression(alert(1))">x</div>',
  '<p style="color:red;-moz-binding:url(x)">x</p>',
  '<p style="color:\\75 rl(https://x.example)">x</p>',
  '<table background="https://x.example/t.gif"><tr><td background="https://x.example/t.gif">x</td></tr></table>',
  '<video src="https://x.example/v" poster="https://x.example/p"></video><audio src=x></audio>',
  '<object data="https://x.example"></object><embed src="https://x.example">',
  '<template><script>alert(1)</script></template>',
  '<textarea></textarea><script>alert(1)</script>',
  '<xmp><script>alert(1)</script></xmp>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<a id=login class=admin name=x href="https://ok.example">x</a>',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<img src="//x.example/a.png"><img src="cid:pic@1"><img src="cid:other">',
  '<p title="&quot;><script>alert(1)</script>">x</p>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<\u0000script>alert(1)</script>',
  '<p/onclick=alert(1)>x',
  '<a href="/api/auth/logout">relative</a><a href="https://ok.example" target=_top>x</a>',
])('removes hostile markup from %j', (html) => {
  expect(sanitise(html)).not.toMatch(HOSTILE)
})

it.skipIf(!existsSync(NAUGHTY))('removes hostile markup from all naughty strings', () => {
  const strings = readFileSync(NAUGHTY, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { s: string }).s)
  const markup = strings.filter((text) => text.includes('<'))
  expect(markup.length).toBeGreaterThan(50)
  for (const text of strings) {
    for (const before of ['', '<svg>', '<math><mtext>', '<noscript>', '<template>', '<select><option>'])
      expect(sanitise(before + text)).not.toMatch(HOSTILE)
    expect(sanitise(`<p>${text}</p><a href="${text}">x</a><img src='${text}'>`)).not.toMatch(HOSTILE)
  }
})

it('keeps tables, links and harmless styles', () => {
  const html =
    '<table cellpadding="0"><tr><td style="color:#333;padding:4px 8px" bgcolor="#fff"><b>Hi</b> <a href="https://ok.example/a?b=c">there</a></td></tr></table>'
  expect(sanitise(html)).toBe(
    '<table cellpadding="0"><tr><td style="color:#333;padding:4px 8px" bgcolor="#fff"><b>Hi</b> <a href="https://ok.example/a?b=c" target="_blank" rel="noopener noreferrer nofollow">there</a></td></tr></table>',
  )
})

it.each([
  ['<svg><path d="M0 0"><p>Dear Ana</p>', '<p>Dear Ana</p>'],
  ['<svg><svg><title>Logo</title><p>Dear Ana</p>and all', '<p>Dear Ana</p>and all'],
  ['<svg><foreignObject><p>Dear Ana</p></foreignObject></svg>and all', '<p>Dear Ana</p>and all'],
  ['<math><mi>x</mi><div>Dear Ana</div>', '<div>Dear Ana</div>'],
  ['<div><noscript>Dear</div><p>Ana</p>', '<div>Dear</div><p>Ana</p>'],
  ['<noscript>Hidden</noscript><p>Dear</p><noscript><p>Ana</p>', '<p>Dear</p><p>Ana</p>'],
  ['<template><p>Dear Ana</p>', '<p>Dear Ana</p>'],
  ['<object data="x"><p>Dear Ana</p>', '<p>Dear Ana</p>'],
  ['<select><option>One<p>Dear Ana</p>', 'One<p>Dear Ana</p>'],
  ['<svg><text>Logo</text></svg><select><option>One</select><p>Dear Ana</p>', '<p>Dear Ana</p>'],
])('keeps the content after an unclosed tag: %j', (html, expected) => {
  expect(sanitise(html)).toBe(expected)
})

it('shows images of the message, defers remote images and drops tracking pixels', () => {
  expect(sanitise('<img src="CID:pic%401" alt="a">')).toBe(
    '<img alt="a" src="/api/emails/1/attachments/a" />',
  )
  expect(sanitise('<img src="//cdn.example/a.png">')).toBe('<img data-src="https://cdn.example/a.png" />')
  expect(sanitise('a<img src="https://t.example/p" width="1" height="1">b')).toBe('ab')
  expect(sanitise('a<img src="https://t.example/p" style="display:none">b')).toBe('ab')
})

it('handles pathological input in linear time', () => {
  for (const html of [
    '<div>',
    '<b><i>',
    '<p><b>',
    '<td><li>',
    '<',
    '<a ',
    '<!--',
    '&#x',
    '<p style="',
    '<svg>',
    '<svg></math>',
    '<svg><p>',
    '<option>',
  ])
    expect(typeof textOfHtml(sanitise(html.repeat(100_000)))).toBe('string')
})

it('converts HTML to text', () => {
  expect(
    textOfHtml(
      '<h1>Title</h1><p>One <a href="https://ok.example/">link</a></p><ul><li>a</li><li>b</li></ul>',
    ),
  ).toBe('Title\n\nOne link <https://ok.example/>\n\n * a\n * b')
})
