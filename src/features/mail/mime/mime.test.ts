import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isReplySubject, readAddresses, toSubjectKey } from './addresses.ts'
import { decodeWords, fieldsNamed, readHeader } from './header-fields.ts'
import { readDate } from './message.ts'

const DATA = '../shared/data/eml-expected'
const readJsonLines = <T>(file: string): T[] =>
  readFileSync(`${DATA}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const readField = (name: string, value: string): string =>
  fieldsNamed(readHeader(Buffer.from(`${name}: ${value}`)), name)[0] ?? ''

interface Named {
  name: string | null
  address: string | null
}
const formatAddresses = (list: readonly Named[]): string =>
  list.map(({ name, address }) => `${name ?? ''}|${address ?? ''}`).join(';')

describe.skipIf(!existsSync(DATA))('reference headers', () => {
  it('parses all address headers as expected', () => {
    interface Case {
      id: string
      header: string
      expected: { List?: Named[]; Group?: { addresses: Named[] }[] }
    }
    const cases = readJsonLines<Case>('header_address.public.jsonl')
    const failures = cases.filter(({ header, expected }) => {
      const expectedValue = expected.List ?? expected.Group?.flatMap(({ addresses }) => addresses) ?? []
      return formatAddresses(readAddresses(readField('to', header))) !== formatAddresses(expectedValue)
    })
    console.log(`address headers: ${cases.length - failures.length} of ${cases.length}`)
    expect(failures.map(({ id }) => id)).toEqual([])
  })

  it('parses all date headers as expected', () => {
    interface Case {
      id: string
      header: string
      expected: Record<
        'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'tz_hour' | 'tz_minute',
        number
      > & {
        tz_before_gmt: boolean
      }
    }
    const cases = readJsonLines<Case>('header_date.public.jsonl')
    const failures = cases.filter(({ header, expected: e }) => {
      const offset = e && (e.tz_before_gmt ? -1 : 1) * (e.tz_hour * 60 + e.tz_minute)
      const expectedValue = e && Date.UTC(e.year, e.month - 1, e.day, e.hour, e.minute - offset, e.second)
      return (readDate(readField('date', header))?.getTime() ?? null) !== expectedValue
    })
    console.log(`date headers: ${cases.length - failures.length} of ${cases.length}`)
    expect(failures.map(({ id }) => id)).toEqual([])
  })
})

it.each([
  ['a@b.example', '|a@b.example'],
  ['A B <a@b.example>', 'A B|a@b.example'],
  ['"B, A" <a@b.example>; c@d.example', 'B, A|a@b.example;|c@d.example'],
  ['=?utf-8?q?Ren=C3=A9, Paul?= <a@b.example>', 'René, Paul|a@b.example'],
  ['A <a@b.example', 'A|a@b.example'],
  ['A <a@b.example> B <c@d.example>', 'A|a@b.example;B|c@d.example'],
  ['Friends: a@b.example, C <c@d.example>;', '|a@b.example;C|c@d.example'],
  ['"john doe"@b.example', '|"john doe"@b.example'],
  ['John <"john (joe) > doe"@b.example>, c@d.example', 'John|"john (joe) > doe"@b.example;|c@d.example'],
  ['"john \\"joe\\" doe"@b.example', '|"john \\"joe\\" doe"@b.example'],
  ['a@[IPv6:2001:db8::1]', '|a@[IPv6:2001:db8::1]'],
  ['MAILER-DAEMON', 'MAILER-DAEMON|'],
  ['Grüße <a@b.example>', 'Grüße|a@b.example'],
  ['', ''],
  [',,;', ''],
])('parses the addresses in %j', (field, expected) => {
  expect(formatAddresses(readAddresses(latin1(field)))).toBe(expected)
})

it.each([
  ['Sun, 1 Mar 2026 14:00:00 +0200', '2026-03-01T12:00:00.000Z'],
  ['1 Mar 26 14:00 EST', '2026-03-01T19:00:00.000Z'],
  ['Sun Mar  1 14:00:00 2026', '2026-03-01T14:00:00.000Z'],
  ['May 8, 2005 1:17 PM', '2005-05-08T13:17:00.000Z'],
  ['2026-03-01T14:00:00+02:00', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01 14:00:00', '2026-03-01T14:00:00.000Z'],
  ['1 March 2026 14:00:00 GMT+0200', '2026-03-01T12:00:00.000Z'],
  ['Wed, 20 Sep 1995 00:19:00 (EDT) -0400', '1995-09-20T04:19:00.000Z'],
  ['32 Mar 2026 14:00:00 +0000', undefined],
  ['Sat, 1 Jan 0000 00:00:00 +1400', undefined],
  ['Fri, 31 Dec 9999 23:59:59 -0100', undefined],
  ['tomorrow', undefined],
  ['', undefined],
])('parses the date %j', (field, expected) => {
  expect(readDate(field)?.toISOString()).toBe(expected)
})

it.each([
  ['=?iso-8859-1?q?caf=E9?=', 'café'],
  ['=?utf-8?b?4oKs?= =?utf-8?q?_5?=', '€ 5'],
  ['=?utf-8?b?4oI=?= =?utf-8?b?rA==?=', '€'],
  ['a =?utf-8?q?b?= c', 'a b c'],
  ['=?iso-2022-jp?b?GyRCJDMbKEI=?=', 'こ'],
  ['=?utf-7?q?Hi_+AOk-?=', 'Hi é'],
  ['=?koi8-r?b?8NLJ18XU?=', 'Привет'],
  ['=?nonsense?q?abc?=', 'abc'],
  ['=?utf-8?q?broken', '=?utf-8?q?broken'],
  ['caf\xe9', 'café'],
])('decodes the words in %j', (field, expected) => {
  expect(decodeWords(field)).toBe(expected)
})

it.each([
  ['Re: Lunch', 'lunch', true],
  ['RE: AW: Fwd: Lunch', 'lunch', true],
  ['Re[2]: Lunch', 'lunch', true],
  ['[list] Re: Lunch', 'lunch', true],
  ['Rechnung: März', 'rechnung: marz', false],
  ['回复：你好', '你好', true],
  ['Re:', '', true],
])('normalizes the subject %j', (subject, key, isReply) => {
  expect([toSubjectKey(subject), isReplySubject(subject)]).toEqual([key, isReply])
})
