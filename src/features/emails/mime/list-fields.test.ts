import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ListMail, listMail } from '../../../../test/support/list-mail.ts'
import { readHeader } from './header-fields.ts'
import { mailingListOf, waysOutOf } from './list-fields.ts'

const URL_OF_LIST = 'https://news.example.org/u?t=s3cret'
const waysIn = (mail: ListMail) => waysOutOf(readHeader(Buffer.from(listMail(mail), 'latin1')))
const listIn = (mail: ListMail) =>
  mailingListOf(readHeader(Buffer.from(listMail(mail), 'latin1')), 'News@Example.org')

describe('the ways out of a list', () => {
  it.each<[string, string[]]>([
    [`<${URL_OF_LIST}>`, [URL_OF_LIST, URL_OF_LIST]],
    [`<mailto:leave@example.org>, <${URL_OF_LIST}>`, [URL_OF_LIST, 'leave@example.org', URL_OF_LIST]],
    // Folded in the middle, as RFC 2369 allows.
    ['<https://news.example.org/\r\n\tu?t=s3cret>', [URL_OF_LIST, URL_OF_LIST]],
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
  ])('in %j', (unsubscribe, expected) => {
    const ways = waysIn({ unsubscribe })
    expect(ways.map((way) => (way.by === 'mail' ? way.address : way.url))).toEqual(expected)
  })

  it('a letter says what the list asks for, and goes to nobody else', () => {
    const asked =
      '<mailto:leave@example.org?subject=Leave%20me&body=token%3A%201%0Atwo&cc=x@y.example&bcc=z@y.example>'
    expect(waysIn({ unsubscribe: asked })).toEqual([
      { by: 'mail', address: 'leave@example.org', subject: 'Leave me', text: 'token: 1\ntwo' },
    ])
    const [letter] = waysIn({ unsubscribe: '<mailto:leave@example.org?subject=%0d%0aBcc:x@y.example>' })
    expect(letter).toMatchObject({ subject: 'Bcc:x@y.example' })
    expect(waysIn({ unsubscribe: '<MAILTO:leave@example.org>' })).toMatchObject([{ subject: 'unsubscribe' }])
  })

  it.each<[string, ListMail]>([
    ['it does not ask for a post', { post: null }],
    ['it asks for another post', { post: 'List-Unsubscribe=Two-Clicks' }],
    ['nothing is signed', { signed: 'From:Subject' }],
    ['the post is not signed', { signed: 'From:List-Unsubscribe' }],
    ['nobody looked at the signature', { found: null }],
    ['the signature is wrong', { found: 'mx.home.example; dkim=fail header.i=@example.org' }],
    ['another signed it', { found: 'mx.home.example; dkim=pass header.d=other.example' }],
    [
      'another with an ending like it signed it',
      { found: 'mx.home.example; dkim=pass header.d=notexample.org' },
    ],
    ['only a comment says so', { found: 'mx.home.example; none (; dkim=pass header.d=example.org)' }],
    [
      'the sender says so, and our server does not',
      {
        found: 'mx.home.example; dkim=none',
        more: ['Authentication-Results: mx.liar.example; dkim=pass header.d=example.org'],
      },
    ],
    ['there are two', { more: ['List-Unsubscribe: <https://other.example/>'] }],
    ['it is not https', { unsubscribe: '<http://news.example.org/u>' }],
  ])('one click is not enough where %s', (_why, mail) => {
    expect(waysIn({ unsubscribe: `<${URL_OF_LIST}>`, ...mail }).map(({ by }) => by)).toEqual(['page'])
  })

  it.each([
    'mx.home.example; dkim=pass header.i=@example.org header.s=k1',
    'mx.home.example 1; spf=pass smtp.mailfrom=x.example;\r\n\tdkim=pass (good; 2048 bit) header.d=Example.org',
    'mx.home.example; dkim=fail header.d=x.example; dkim=pass header.i=news@mail.example.org',
    'mx.home.example; dmarc=pass header.from=example.org\r\nAuthentication-Results: mx.home.example; dkim=pass header.d="example.org"',
  ])('one click is enough when our server says %j', (found) => {
    expect(waysIn({ unsubscribe: `<${URL_OF_LIST}>`, found })[0]).toEqual({
      by: 'one-click',
      url: URL_OF_LIST,
    })
  })
})

describe('the list', () => {
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
  ])('called %j', (listId, expected) => {
    expect(listIn({ listId })).toEqual(expected && { ...expected, unsubscribe: null })
  })

  it('has the sender’s address for a name where it says only how to leave', () => {
    expect(listIn({ listId: null, unsubscribe: '<mailto:leave@example.org>' })).toEqual({
      ...{ id: 'news@example.org', name: '', unsubscribe: 'mail' },
    })
  })

  it('whatever stands in the header, what comes of it can be shown and asked', () => {
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
        for (const way of waysIn(mail)) {
          if (way.by === 'mail') expect(way.address).toMatch(/^[^\s@,<>]+@[^\s@,<>]+$/)
          else expect(new URL(way.url).protocol).toMatch(way.by === 'one-click' ? /^https:$/ : /^https?:$/)
          if (way.by === 'mail') expect(`${way.subject}`).not.toMatch(/[\r\n]/)
        }
        const list = listIn(mail)
        if (list) expect(list.id).toMatch(/^\S{1,255}$/)
      }),
    )
  })

  it('hostile lengths take no longer than a look', () => {
    for (const unsubscribe of [
      '('.repeat(200_000),
      '<'.repeat(200_000),
      '<a>,'.repeat(50_000),
      '\\('.repeat(99_999),
    ])
      expect(waysIn({ unsubscribe, found: unsubscribe, listId: unsubscribe })).toEqual([])
  })
})
