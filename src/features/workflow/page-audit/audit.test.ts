import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Audit, type AuditOptions, auditPage } from './audit.ts'
import { de } from './locales/de.ts'
import { en } from './locales/en.ts'
import { writeMarkdown } from './markdown.ts'
import { COST, type Delivery, decodePage } from './page.ts'

const GOOD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>Hand-made chairs from Graz</title>
<meta name="description" content="Chairs of ash and oak, made by hand in our workshop in Graz and sent all over Europe.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="https://chairs.example/"><link rel="icon" href="/icon.svg">
<meta property="og:title" content="Chairs"><meta property="og:description" content="Made by hand">
<meta property="og:image" content="https://chairs.example/a.jpg"><meta property="og:url" content="https://chairs.example/">
<meta property="og:type" content="website"><meta name="twitter:card" content="summary">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Chairs","url":"https://chairs.example/"}</script>
</head><body><main><h1>Chairs</h1><h2>Oak</h2><p>Words.</p>
<img src="/a.jpg" alt="An oak chair" width="10" height="10"><a href="/oak">All oak chairs</a>
<form action="/ask"><label for="mail">E-mail</label><input id="mail" type="email" autocomplete="email"><button>Ask</button></form>
</main></body></html>`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-encoding': 'br',
  'cache-control': 'max-age=60',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': "default-src 'self'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

const delivered = (change: Partial<Delivery> = {}, headers: Record<string, string> = HEADERS): Delivery => ({
  status: 200,
  headers: new Map(Object.entries(headers)),
  cookies: [],
  bytes: 2000,
  redirects: 0,
  waitedMs: 20,
  charset: 'utf-8',
  undecodable: 0,
  robotsTxt: 'User-agent: *\nAllow: /\nSitemap: https://chairs.example/sitemap.xml',
  ...change,
})

const URL_ = 'https://chairs.example/'
const audit = (html: string, delivery: Delivery | null = delivered(), options: AuditOptions = {}): Audit =>
  auditPage({ html, url: URL_, delivery }, options)
const findingsOf = (report: Audit) => report.sections.flatMap(({ findings }) => findings)
const found = (report: Audit, check: string) => findingsOf(report).find((finding) => finding.check === check)

describe('a page without faults', () => {
  it('gets 100 points and no findings', () => {
    const report = audit(GOOD)
    expect(findingsOf(report)).toEqual([])
    expect(report.score).toBe(100)
    expect(report.sections.map(({ heading }) => heading)).toHaveLength(9)
  })
})

/** Each case adds one fault to the page without faults. */
const FAULTS: [check: string, from: string, to: string, evidence: string][] = [
  ['title', '<title>Hand-made chairs from Graz</title>', '', ''],
  ['title', 'Hand-made chairs from Graz', ' ', '<title> '],
  ['title', 'Hand-made chairs from Graz', 'Chairs', '<title>Chairs'],
  ['description', '<meta name="description"', '<meta name="keywords"', ''],
  ['canonical', 'href="https://chairs.example/"', 'href="https://other.example/"', 'other.example'],
  ['charset', '<meta charset="utf-8">', '', ''],
  ['doctype', '<!doctype html>', '', '<html lang="en">'],
  ['icon', '<link rel="icon" href="/icon.svg">', '', ''],
  ['main-heading', '<h1>Chairs</h1>', '', '<h2>Oak'],
  ['main-heading', '<h2>Oak</h2>', '<h1>Oak</h1>', '<h1>Chairs\n<h1>Oak'],
  ['heading-order', '<h2>Oak</h2>', '<h4>Oak</h4>', '<h4>Oak'],
  ['empty-headings', '<h2>Oak</h2>', '<h2> </h2>', '<h2> '],
  ['main-landmark', '<main>', '<div>', ''],
  ['language', '<html lang="en">', '<html>', '<html>'],
  ['language', 'lang="en"', 'lang="english!"', '<html lang="english!">'],
  ['viewport', '<meta name="viewport"', '<meta name="v"', ''],
  ['viewport', 'initial-scale=1"', 'user-scalable=no"', 'user-scalable=no'],
  ['image-alternatives', ' alt="An oak chair"', '', '<img src="/a.jpg" width="10" height="10">'],
  ['image-file-names', 'An oak chair', 'IMG_1.jpg', 'alt="IMG_1.jpg"'],
  ['form-labels', '<label for="mail">', '<label for="male">', '<input id="mail"'],
  ['button-names', '<button>Ask', '<button>', '<button>'],
  ['autocomplete', ' autocomplete="email"', '', '<input id="mail" type="email">'],
  ['link-names', 'All oak chairs', '', '<a href="/oak">'],
  ['vague-links', 'All oak chairs', 'Read more…', '<a href="/oak">'],
  ['scripted-links', 'href="/oak"', 'href="javascript:go()"', 'javascript:go()'],
  ['empty-links', 'href="/oak"', 'href="#"', '<a href="#">'],
  ['broken-addresses', 'href="/oak"', 'href="https://a b:x/"', 'https://a b:x/'],
  ['insecure-links', 'href="/oak"', 'href="http://oak.example/"', 'http://oak.example/'],
  ['structured-data-syntax', '"name":"Chairs",', '"name":"Chairs",,', '"name":"Chairs",,'],
  ['structured-data-context', '"@context":"https://schema.org",', '', '"@type":"Organization"'],
  ['structured-data-type', '"@type":"Organization",', '', '"@context"'],
  ['structured-data-properties', ',"url":"https://chairs.example/"}', '}', '"name":"Chairs"}'],
  ['open-graph', '<meta property="og:image"', '<meta property="og:imago"', 'og:title'],
  ['card-image', 'content="https://chairs.example/a.jpg"', 'content="/a.jpg"', 'content="/a.jpg"'],
  ['twitter-card', 'content="summary"', 'content="big"', 'content="big"'],
  ['noindex', '</head>', '<meta name="robots" content="noindex, follow"></head>', 'noindex, follow'],
  ['nofollow', '</head>', '<meta name="googlebot" content="nofollow"></head>', 'nofollow'],
  ['mixed-content', 'src="/a.jpg"', 'src="http://chairs.example/a.jpg"', 'src="http://chairs.example/a.jpg"'],
  ['insecure-forms', 'action="/ask"', 'action="http://x.example/"', 'action="http://x.example/"'],
  ['script-integrity', '</head>', '<script defer src="//cdn.example/a.js"></script></head>', 'cdn.example'],
  ['blocking-scripts', '</head>', '<script src="/a.js"></script></head>', '<script src="/a.js">'],
  ['image-sizes', ' width="10"', '', '<img'],
  ['frame-titles', '</main>', '<iframe src="/map"></iframe></main>', '<iframe src="/map">'],
  ['repeated-ids', '<h2>', '<h2 id="mail">', '<input id="mail"'],
]

describe('a fault in a page', () => {
  it.each(FAULTS)('is found: %s (%s → %s)', (check, from, to, evidence) => {
    expect(GOOD).toContain(from)
    const html = GOOD.replace(from, to)
    const report = audit(html, delivered({}, { ...HEADERS, 'content-type': 'text/html' }))
    const finding = found(report, check)
    expect(finding).toBeDefined()
    expect(finding?.evidence).toContain(evidence)
    for (const line of finding?.evidence.split('\n') ?? [])
      expect(`${html}\ncontent-type: text/html`).toContain(line)
    expect(finding?.remedy).not.toBe('')
    expect(report.score).toBeLessThan(100)
    expect(findingsOf(report).filter((other) => other.check !== check)).toEqual([])
  })

  it('is ignored in templates, comments, SVG and scripts', () => {
    const hidden =
      '<template><h1></h1><img src=x></template><!-- <img src=x> --><svg><title></title></svg><noscript><img src="/p"></noscript>'
    const quiet = audit(GOOD.replace('</main>', `${hidden}</main>`))
    expect(findingsOf(quiet)).toEqual([])
    const scripted = GOOD.replace('</main>', '<script>"<h1></h1><img src=x>"</script></main>')
    expect(findingsOf(audit(scripted))).toEqual([])
  })

  it('is not reported for microdata instead of JSON-LD, which is only noted', () => {
    const html = GOOD.replace(/<script type="application\/ld\+json">.*<\/script>/, '').replace(
      '<main>',
      '<main itemscope itemtype="https://schema.org/Store">',
    )
    expect(findingsOf(audit(html))).toEqual([
      expect.objectContaining({
        check: 'microdata',
        severity: 'info',
        evidence: expect.stringContaining('itemscope'),
      }),
    ])
    expect(audit(html).score).toBe(100)
  })

  it('is found even in broken HTML', () => {
    const report = audit('<H1 ID=a>Chairs<h1 id="a"><a href=x><IMG src=y<p><img alt>', null)
    expect(found(report, 'main-heading')?.evidence).toBe(
      '<H1 ID=a>Chairs\n<h1 id="a"><a href=x><IMG src=y<p><img alt>',
    )
    expect(found(report, 'image-alternatives')?.text).toContain('1 of 2 images')
  })
})

describe('a fault in the delivery', () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(HEADERS).filter(([key]) => key !== name))
  it.each([
    ['transport-security', 'strict-transport-security'],
    ['content-type-options', 'x-content-type-options'],
    ['referrer-policy', 'referrer-policy'],
    ['compression', 'content-encoding'],
    ['caching', 'cache-control'],
  ])('is found: %s without %s', (check, header) => {
    expect(findingsOf(audit(GOOD, delivered({}, without(header)))).map((finding) => finding.check)).toEqual([
      check,
    ])
  })

  it.each([
    ['content-security-policy', "script-src 'unsafe-inline'; frame-ancestors 'self'", 'unsafe-inline'],
    ['framing', "default-src 'self'", ''],
  ])('is found in the policy: %s', (check, policy, evidence) => {
    const finding = found(
      audit(GOOD, delivered({}, { ...HEADERS, 'content-security-policy': policy })),
      check,
    )
    expect(finding?.evidence).toContain(evidence)
  })

  it('is found: robots, cookies, response time, redirects, encoding', () => {
    const report = audit(
      GOOD,
      delivered(
        {
          robotsTxt: 'User-agent: a\nUser-agent: *\nDisallow: /\nAllow: /ok # not this\n',
          cookies: ['sid=secret; Path=/; HttpOnly'],
          waitedMs: 2500,
          redirects: 3,
          undecodable: 4,
        },
        { ...HEADERS, 'x-robots-tag': 'noindex' },
      ),
    )
    const checks = findingsOf(report).map((finding) => finding.check)
    const expected = [
      'robots-disallow',
      'sitemap',
      'noindex-header',
      'cookies',
      'response-time',
      'redirects',
      'charset',
    ]
    expect(checks.toSorted()).toEqual(expected.toSorted())
    expect(found(report, 'robots-disallow')?.evidence).toBe('Disallow: /')
    expect(found(report, 'cookies')?.evidence).toBe('set-cookie: sid; Path=/; HttpOnly')
    expect(JSON.stringify(report)).not.toContain('secret')
  })

  it.each([
    ['Disallow: /', true],
    ['Disallow: /\nAllow: /$', false],
    ['Disallow: /shop', false],
    ['Disallow: /*?page=', true],
    ['Disallow: *page=2$', true],
    ['Disallow: *page=3$', false],
    ['Disallow: /a\nAllow: /a*page', false],
    ['Disallow:', false],
  ])('follows the longest rule in robots.txt (%j)', (rules, isForbidden) => {
    const page = {
      html: GOOD,
      url: 'https://chairs.example/a?page=2',
      delivery: delivered({ robotsTxt: `User-agent: *\n${rules}` }),
    }
    const path = rules.includes('/$') ? { ...page, url: URL_ } : page
    expect(found(auditPage(path), 'robots-disallow') !== undefined).toBe(isForbidden)
  })
})

describe('the score', () => {
  it('matches its explanation', () => {
    const report = audit('<p>Hello</p>', null)
    for (const { score, findings } of report.sections)
      expect(score).toBe(Math.max(0, 100 - findings.reduce((sum, { severity }) => sum + COST[severity], 0)))
    const weights = report.sections.reduce((sum, { weight }) => sum + weight, 0)
    const mean = report.sections.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights
    expect(report.score).toBe(Math.floor(mean))
    expect(report.explanation).toContain(`= ${report.score}, rounded down.`)
    expect(report.summary).toContain('was not fetched')
  })

  it('covers only the requested sections, under any of their names', () => {
    expect(audit(GOOD, null, { focus: ['Security'] }).sections.map(({ key }) => key)).toEqual(['security'])
    expect(audit(GOOD, null, { focus: ['structured_data', 'speed'] }).sections).toHaveLength(2)
    const strange = audit(GOOD, null, { focus: ['conversion'], company: 'Chairs & Co' })
    expect(strange.sections).toHaveLength(9)
    expect(strange.summary).toContain('There is no check for: conversion.')
    expect(strange.title).toBe('Digital audit of Chairs & Co')
    const nameless = auditPage({ url: null, html: '<p>Hello', delivery: null })
    expect([nameless.title, nameless.summary.slice(0, 11)]).toEqual([
      'Digital audit of the page',
      'The page is',
    ])
  })
})

describe('a German report', () => {
  /** English words that are neither German words nor part of a quoted value. */
  const ENGLISH =
    /\b(?:the|is|are|has|have|no|not|of|and|or|with|without|that|this|its?|each|page|finding|points|add|use|give|send|score)\b/i
  /** Removes markup, header values, JSON and URLs, which are the same in every language. */
  const withoutCode = (text: string): string =>
    text
      .replace(/<[^>]*>/g, '')
      .replace(/\bSende [\w-]+: .*$/, '')
      .replace(/[„"][^“"]*[“"]/g, '')
      .replace(/https?:\S+/g, '')
  const expectGerman = (german: string, english: string): void => {
    expect(german).not.toBe(english)
    expect(withoutCode(german)).not.toMatch(ENGLISH)
  }

  const BROKEN_DELIVERY = delivered(
    {
      cookies: ['sid=1'],
      waitedMs: 2500,
      redirects: 3,
      undecodable: 4,
      bytes: 3_000_000,
      robotsTxt: null,
    },
    { 'x-robots-tag': 'noindex' },
  )
  const reports: [html: string, delivery: Delivery | null][] = [
    ...FAULTS.map(([, from, to]): [string, Delivery | null] => [GOOD.replace(from, to), null]),
    [GOOD, BROKEN_DELIVERY],
    [GOOD, delivered({ robotsTxt: 'User-agent: *\nDisallow: /' })],
    [GOOD, delivered({}, { ...HEADERS, 'content-security-policy': "script-src 'unsafe-inline'" })],
    ['', null],
    [`${GOOD}${'<script src="/a.js"></script>'.repeat(30)}<script>${'x'.repeat(200_000)}</script>`, null],
    [`${GOOD}${'<b>'.repeat(2_000)}`, null],
    [`${GOOD}${'<b>'.repeat(310_000)}`, null],
    [GOOD.replace('<title>', '<title>Chairs</title><title>'), null],
    [
      GOOD.replace('<script type="application/ld+json">', '<script>').replace('<main>', '<main itemscope>'),
      null,
    ],
  ]

  it('has no English sentence and the same scores and evidence', () => {
    const checks = new Set<string>()
    for (const [html, delivery] of reports) {
      const english = audit(html, delivery, { focus: ['conversion'] })
      const german = audit(html, delivery, { focus: ['conversion'], language: 'de' })
      expect(german.score).toBe(english.score)
      for (const [index, section] of german.sections.entries()) {
        const original = english.sections[index]
        expect(section.findings).toHaveLength(original?.findings.length ?? -1)
        for (const [at, { check, severity, text, evidence, remedy }] of section.findings.entries()) {
          const same = original?.findings[at]
          expect({ check, severity, evidence }).toEqual({
            check: same?.check,
            severity: same?.severity,
            evidence: same?.evidence,
          })
          checks.add(check)
          expectGerman(text, same?.text ?? '')
          if (remedy !== '' || same?.remedy !== '') expectGerman(remedy, same?.remedy ?? '')
        }
      }
      expectGerman(german.title, english.title)
      expectGerman(german.summary, english.summary)
      expectGerman(german.explanation, english.explanation)
      expect(german.summary.startsWith(german.verdict)).toBe(true)
    }
    // Every check of the English tests is covered, and those of the delivery.
    expect(checks.size).toBeGreaterThan(55)
  })

  it('has German headings and labels in Markdown', () => {
    const text = writeMarkdown(audit('<p>Hallo', null, { company: 'Stuhl AG', language: 'de' }), URL_)
    expect(text).toContain(
      '# Website-Audit von Stuhl AG\n\nSeite: <https://chairs.example/>\n\n**Punktzahl: ',
    )
    expect(text).toContain('| Bereich | Punkte | Gewicht |')
    expect(text).toContain('- **kritisch**: Die Seite hat keinen Titel.')
    expect(text).toContain('### Empfehlungen\n\n- Schreibe einen einzigen Titel')
    expect(writeMarkdown(audit(GOOD, delivered(), { language: 'de' }), null)).toContain('Keine Probleme.')
  })

  it('counts in German', () => {
    expect(audit(GOOD, delivered(), { company: 'Stuhl AG', language: 'de' }).summary).toBe(
      'Die Seite von Stuhl AG ist in sehr gutem Zustand: 100 von 100 Punkten, keine Probleme.',
    )
    const images = (count: number): string =>
      GOOD.replace('</main>', `${'<img src="/b.jpg" width="1" height="1">'.repeat(count)}</main>`)
    const text = (count: number) =>
      found(audit(images(count), delivered(), { language: 'de' }), 'image-alternatives')?.text
    expect([text(1), text(2)]).toEqual([
      '1 von 2 Bildern hat keinen Alternativtext.',
      '2 von 3 Bildern haben keinen Alternativtext.',
    ])
    const slow = audit(GOOD, delivered({ waitedMs: 2_500 }), { language: 'de' })
    expect(found(slow, 'response-time')?.text).toBe('Der Server begann erst nach 2,5 s mit der Antwort.')
  })

  it('translates every constant text', () => {
    const same: string[] = []
    const walk = (german: object, english: object, path: string): void => {
      for (const [key, text] of Object.entries(german)) {
        const other = (english as Record<string, unknown>)[key]
        if (typeof text === 'object') walk(text, other as object, `${path}${key}.`)
        else if (text === other) same.push(`${path}${key}`)
      }
    }
    walk(de, en, '')
    expect(same).toEqual(['sectionHeadings.links'])
  })
})

describe('the Markdown report', () => {
  it('contains every finding and escapes the text of the page', () => {
    const html = '<title>x</title><h1>```\n# Owned\n</h1><a href="[x](javascript:y)"></a>'
    const report = audit(html, null, { company: '# <script>[a](b)|' })
    const text = writeMarkdown(report, URL_)
    for (const finding of findingsOf(report)) expect(text).toContain(`**${finding.severity}**`)
    expect(text.split('\n')[0]).toBe('# Digital audit of \\# \\<script\\>\\[a\\](b)\\|')
    expect(text).toContain('````text')
    expect(text).not.toMatch(/^# Owned/m)
  })
})

describe('page decoding', () => {
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)
  it.each([
    [
      'uses the charset of the HTTP header',
      bytes('caf\xe9', 'latin1'),
      'text/html; charset=ISO-8859-1',
      'café',
      'windows-1252',
      0,
    ],
    [
      'uses the charset of a <meta> tag',
      bytes('<meta charset=latin1>\xe9', 'latin1'),
      'text/html',
      '<meta charset=latin1>é',
      'windows-1252',
      0,
    ],
    [
      'prefers the byte order mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('é', 'utf16le')]),
      'text/html; charset=utf-8',
      'é',
      'utf-16le',
      0,
    ],
    ['defaults to UTF-8', bytes('é'), '', 'é', 'utf-8', 0],
    ['ignores an unknown charset', bytes('é'), 'text/html; charset=klingon', 'é', 'utf-8', 0],
    [
      'counts characters that do not match the charset',
      bytes('\xe9\xe9', 'latin1'),
      'text/html; charset=utf-8',
      '\ufffd\ufffd',
      'utf-8',
      2,
    ],
  ])('%s', (_how, given, contentType, html, charset, undecodable) => {
    expect(decodePage(given, contentType)).toEqual({ html, charset, undecodable })
  })
})

describe('a hostile page', () => {
  const SIZE = 5_000_000
  const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length))
  it.each([
    ['open tags', fill('<b>')],
    ['end tags without a beginning', fill('<b>').slice(SIZE / 2) + fill('</q>').slice(SIZE / 2)],
    ['links in links', fill('<a href=x>')],
    ['pictures', fill('<img src=a>')],
    ['labels in labels', fill('<label><input>')],
    ['attributes', `<p ${fill('a=b ')}`],
    ['ampersands', fill('&')],
    ['openings', fill('<')],
    ['unended quotes', `<a href="${fill('x')}`],
    ['brackets in structured data', `<script type="application/ld+json">${fill('[')}`],
    ['ticks', `<h1>${fill('`')}`],
    ['blanks', `<title>${fill(' ')}`],
  ])('is audited like any other: 5 MB of %s', (_what, html) => {
    const report = audit(html, null)
    expect(report.score).toBeGreaterThanOrEqual(0)
    expect(writeMarkdown(report, null).length).toBeLessThan(20_000)
  })

  it('has findings that quote the page only', () => {
    const pieces = [
      '<',
      '>',
      '</',
      '"',
      "'",
      '=',
      ' ',
      '&',
      '&amp;',
      '&#0;',
      '\0',
      '\ud800',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '{',
      '}',
      '<a ',
      'href=',
      '<img ',
      'alt=',
      '<h1>',
      '</h1>',
      '<title>',
      '</title>',
      '<meta name=robots content=noindex>',
      '<svg>',
      '<script type=application/ld+json>',
      '</script>',
      '{"@type":"Product"}',
      '[null]',
      '<input ',
      '<label>',
      '<form action=http:',
      '<html lang=',
      '<base href=',
      '<link rel=canonical href=',
      '<iframe src=//',
      'constructor',
      '__proto__',
      '<p id=a itemscope>',
    ]
    const page = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(page, fc.boolean(), (parts, isFetched) => {
        const html = parts.join('')
        const report = audit(html, isFetched ? delivered() : null)
        expect(report.score >= 0 && report.score <= 100).toBe(true)
        writeMarkdown(report, URL_)
        const source = `${html.toWellFormed()}\ncontent-type: ${HEADERS['content-type']}`
        for (const { evidence } of findingsOf(report))
          for (const line of evidence.split(/\r\n|\r|\n/)) expect(source).toContain(line)
      }),
      { numRuns: 500 },
    )
  })
})
