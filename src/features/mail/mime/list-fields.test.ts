import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ListMail, listMail } from '../../../../test/support/list-mail.ts'
import { readHeader } from './header-fields.ts'
import { listUnsubscribeMethods, readMailingList } from './list-fields.ts'

const LIST_URL = 'https://news.example.org/u?t=s3cret'
const readMethods = (mail: ListMail) =>
  listUnsubscribeMethods(readHeader(Buffer.from(listMail(mail), 'latin1')))
const readList = (mail: ListMail) =>
  readMailingList(readHeader(Buffer.from(listMail(mail), 'latin1')), 'News@Example.org')

describe('unsubscribe methods', () => {
  it.each<[string, string[]]>([
    [`<${LIST_URL}>`, [LIST_URL, LIST_URL]],
    [`<mailto:leave@example.org>, <${LIST_URL}>`, [LIST_URL, 'leave@example.org', LIST_URL]],
    // Folded inside the URL, which RFC 2369 allows.
    ['<https://news.example.org/\r\n\tu?t=s3cret>', [LIST_URL, LIST_URL]],
    ['(leave (here) \\) ) <mailto:leave@example.org> (or not)', ['leave@example.org']],
    ['<https://a.example/(x)>', ['https://a.example/(x)', 'https://a.example/(x)']],
    ['<http://a.example/x>', ['http://a.example/x']],
    ['<http://a.example/x>, <https://b.example/y>', ['https://b.example/y', 'https://b.example/y']],
    ['<mailto:a@b.example,c@d.example>', ['a@b.example']],
    ['<javascript:alert(1)>', []],
    ['<data:text/html,hi>, <file:///etc/passwd>, <ftp://a.example/>', []],
    ['<https://user:secret@a.example/>', []],
    ['<https://>, <http:>, <mailto:>, <mailto:nobody>', []],
    ['<mailto:a%0d%0aBcc:x@b.example>', []],
    ['https://no.brackets.example/', []],
    ['NO', []],
    [`<https://a.example/${'x'.repeat(3_000)}>`, []],
  ])('are read from %j', (unsubscribe, expected) => {
    const ways = readMethods({ unsubscribe })
    expect(ways.map((way) => (way.by === 'mail' ? way.address : way.url))).toEqual(expected)
  })

  it('use the subject and body of a mailto URL, but not its additional recipients', () => {
    const asked =
      '<mailto:leave@example.org?subject=Leave%20me&body=token%3A%201%0Atwo&cc=x@y.example&bcc=z@y.example>'
    expect(readMethods({ unsubscribe: asked })).toEqual([
      { by: 'mail', address: 'leave@example.org', subject: 'Leave me', text: 'token: 1\ntwo' },
    ])
    const [mailto] = readMethods({ unsubscribe: '<mailto:leave@example.org?subject=%0d%0aBcc:x@y.example>' })
    expect(mailto).toMatchObject({ subject: 'Bcc:x@y.example' })
    expect(readMethods({ unsubscribe: '<MAILTO:leave@example.org>' })).toMatchObject([
      { subject: 'unsubscribe' },
    ])
  })

  it.each<[string, ListMail]>([
    ['List-Unsubscribe-Post is missing', { post: null }],
    ['List-Unsubscribe-Post has another value', { post: 'List-Unsubscribe=Two-Clicks' }],
    ['neither field is signed', { signed: 'From:Subject' }],
    ['List-Unsubscribe-Post is not signed', { signed: 'From:List-Unsubscribe' }],
    ['the signature was not verified', { found: null }],
    ['the signature is invalid', { found: 'mx.home.example; dkim=fail header.i=@example.org' }],
    ['another domain signed it', { found: 'mx.home.example; dkim=pass header.d=other.example' }],
    [
      'a domain with the same suffix signed it',
      { found: 'mx.home.example; dkim=pass header.d=notexample.org' },
    ],
    [
      'only a comment claims a valid signature',
      { found: 'mx.home.example; none (; dkim=pass header.d=example.org)' },
    ],
    [
      'the sender claims a valid signature, but the receiving server does not',
      {
        found: 'mx.home.example; dkim=none',
        more: ['Authentication-Results: mx.liar.example; dkim=pass header.d=example.org'],
      },
    ],
    ['there are two List-Unsubscribe fields', { more: ['List-Unsubscribe: <https://other.example/>'] }],
    ['the URL is not https', { unsubscribe: '<http://news.example.org/u>' }],
  ])('do not include one-click if %s', (_why, mail) => {
    expect(readMethods({ unsubscribe: `<${LIST_URL}>`, ...mail }).map(({ by }) => by)).toEqual(['page'])
  })

  it.each([
    'mx.home.example; dkim=pass header.i=@example.org header.s=k1',
    'mx.home.example 1; spf=pass smtp.mailfrom=x.example;\r\n\tdkim=pass (good; 2048 bit) header.d=Example.org',
    'mx.home.example; dkim=fail header.d=x.example; dkim=pass header.i=news@mail.example.org',
    'mx.home.example; dmarc=pass header.from=example.org\r\nAuthentication-Results: mx.home.example; dkim=pass header.d="example.org"',
  ])('include one-click if the receiving server reports %j', (found) => {
    expect(readMethods({ unsubscribe: `<${LIST_URL}>`, found })[0]).toEqual({
      by: 'one-click',
      url: LIST_URL,
    })
  })
})

describe('mailing list', () => {
  it.each<[string | null, { id: string; name: string } | null]>([
    ['Example News <News.Example.org>', { id: 'news.example.org', name: 'Example News' }],
    ['"Grüße, =?utf-8?q?f=C3=BCr?= dich" <a.b>', { id: 'a.b', name: 'Grüße, für dich' }],
    ['<a.b>', { id: 'a.b', name: '' }],
    ['a.b', { id: 'a.b', name: '' }],
    ['a b c', null],
    ['<>', null],
    [`<${'x'.repeat(300)}>`, null],
    ['<a\xe9b>', null],
    [null, null],
  ])('is read from the List-Id %j', (listId, expected) => {
    expect(readList({ listId })).toEqual(expected && { ...expected, unsubscribe: null })
  })

  it('uses the sender’s address as id if there is no List-Id', () => {
    expect(readList({ listId: null, unsubscribe: '<mailto:leave@example.org>' })).toEqual({
      id: 'news@example.org',
      name: '',
      unsubscribe: 'mail',
    })
  })

  it('yields valid ids, addresses and URLs for arbitrary headers', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        '<',
        '>',
        '(',
        ')',
        ',',
        '"',
        '\\',
        '\r\n ',
        'https://',
        'mailto:',
        'javascript:',
        '%0a',
        '%',
        '@',
        '?subject=',
      ),
      fc.webUrl({ withQueryParameters: true }).map((url) => `<${url}>`),
      fc.emailAddress().map((address) => `<mailto:${address}?subject=x>`),
    )
    const field = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(field, field, field, (unsubscribe, listId, found) => {
        const mail = { unsubscribe, listId, found }
        for (const way of readMethods(mail)) {
          if (way.by === 'mail') expect(way.address).toMatch(/^[^\s@,<>]+@[^\s@,<>]+$/)
          else expect(new URL(way.url).protocol).toMatch(way.by === 'one-click' ? /^https:$/ : /^https?:$/)
          if (way.by === 'mail') expect(`${way.subject}`).not.toMatch(/[\r\n]/)
        }
        const list = readList(mail)
        if (list) expect(list.id).toMatch(/^\S{1,255}$/)
      }),
    )
  })

  it('handles very long fields quickly', () => {
    for (const unsubscribe of [
      '('.repeat(200_000),
      '<'.repeat(200_000),
      '<a>,'.repeat(50_000),
      '\\('.repeat(99_999),
    ])
      expect(readMethods({ unsubscribe, found: unsubscribe, listId: unsubscribe })).toEqual([])
  })
})
