import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { sampleOf } from './support/scale.ts'

const NAUGHTY = '../shared/data/security-vectors/blns.public.jsonl'

/** Identified by their subjects. Each is one day older than the one before. */
const MAILS: Record<string, unknown>[] = [
  {
    subject: 'Rechnung März',
    from: 'Käthe Größe <kaethe@firma.example>',
    text: 'Die Rechnung liegt bei.',
    tags: ['Geld'],
  },
  {
    subject: 'Invoice',
    from: 'Ana Ruiz <ana@example.org>',
    text: 'Your invoice is attached, please pay.',
    starred: true,
  },
  {
    subject: 'Trip',
    from: 'ben@example.org',
    to: ['Ana Ruiz <ana@example.org>'],
    text: 'Quick brown fox jumps',
    read: true,
  },
  {
    subject: 'Fox hunt',
    from: 'cy@example.org',
    cc: ['dee@example.net'],
    text: 'The fox was brown and quick',
    folder: 'archive',
  },
  { subject: '会議の予定', from: 'yuki@example.jp', text: '明日の会議は東京駅で行います。' },
  {
    subject: 'A "quoted" thing',
    from: "o'hara@example.org",
    text: "it's 100% C++ & foo_bar; x=1",
    tags: ['Läuft'],
  },
]

onEveryDatabase('email search', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'Europe/Berlin' } })
    for (const [index, mail] of MAILS.entries()) {
      const date = new Date(Date.UTC(2026, 2, 20 - index, 12)).toISOString()
      const made = await instance.post('/api/emails', { date, ...mail })
      expect([mail.subject, made.status]).toEqual([mail.subject, 201])
    }
  })
  afterAll(() => instance.close())

  const search = async (q: string, more = '') => {
    const answer = await instance.get(`/api/emails?q=${encodeURIComponent(q)}${more}`)
    expect([q, answer.status]).toEqual([q, 200])
    return answer.body as {
      emails: {
        subject: string
        snippet: string
        from: { name: string; address: string }
        highlights: { field: string; excerpt?: string; ranges: { start: number; end: number }[] }[]
      }[]
      nextCursor: string | null
      hints?: { term: string; message: string }[]
    }
  }
  it('explains a known operator with an invalid value', async () => {
    for (const q of ['is:bogus', 'has:wings', 'in:nowhere', 'before:someday', 'after:']) {
      const { emails, hints } = await search(q)
      expect([q, emails, hints?.length ?? 0]).toEqual([q, [], q === 'after:' ? 0 : 1])
    }
    const { hints } = await search('invoice is:bogus')
    expect(hints).toEqual([
      {
        term: 'is:bogus',
        message: 'is: does not accept “bogus”. Use one of unread, read, starred, unstarred, pinned, snoozed.',
      },
    ])
    expect(await search('invoice is:unread')).not.toHaveProperty('hints')
    const rule = { name: 'Never', q: 'is:bogus', does: { tags: ['never'] } }
    const refused = await instance.post('/api/mail-rules', rule)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('bogus')])
  })

  it('accepts relative dates in before: and after:', async () => {
    const daysAgo = (days: number) =>
      new Date(instance.clock.now().getTime() - days * 86_400_000).toISOString()
    const made: number[] = []
    for (const days of [0, 1, 3, 20]) {
      const email = { subject: `zebra ${days}`, from: 'zoo@example.org', text: 'zebra', date: daysAgo(days) }
      made.push((await instance.post('/api/emails', email)).body.id)
    }
    expect(await subjects('zebra after:today')).toEqual(['zebra 0'])
    expect(await subjects('zebra after:yesterday')).toEqual(['zebra 0', 'zebra 1'])
    expect(await subjects('zebra before:yesterday')).toEqual(['zebra 3', 'zebra 20'])
    expect(await subjects('zebra before:2w')).toEqual(['zebra 20'])
    expect(await subjects('zebra after:7d')).toEqual(['zebra 0', 'zebra 1', 'zebra 3'])
    expect(await subjects('zebra after:1m before:1d')).toEqual(['zebra 3', 'zebra 20'])
    for (const id of made) await instance.call('DELETE', `/api/emails/${id}`)
  })

  const subjects = async (q: string, more = '') =>
    (await search(q, more)).emails.map(({ subject }) => subject)

  it.each([
    ['a word in any position', 'invoice', ['Invoice']],
    ['words in any order', 'quick fox', ['Trip', 'Fox hunt']],
    ['a phrase', '"brown fox"', ['Trip']],
    ['a phrase with an unclosed quote', '"brown fox', ['Trip']],
    ['accented words without accents', 'marz kathe', ['Rechnung März']],
    ['unaccented words with accents', 'ínvoice', ['Invoice']],
    ['ß as ss', 'grosse', ['Rechnung März']],
    ['a word by its prefix', 'rechn*', ['Rechnung März']],
    ['no prefix without an asterisk', 'rechn', []],
    ['a sender by name', 'from:ruiz', ['Invoice']],
    ['a sender by address', 'from:ana@example.org', ['Invoice']],
    ['a recipient', 'to:ana', ['Trip']],
    ['a CC recipient', 'cc:dee', ['Fox hunt']],
    ['words in the subject only', 'subject:fox', ['Fox hunt']],
    ['a quoted name', 'from:"ana ruiz"', ['Invoice']],
    ['emails without a word', 'fox -trip', ['Fox hunt']],
    ['emails not from a sender', 'fox -from:cy', ['Trip']],
    ['emails by exclusions only', '-fox -"会議" -thing', ['Rechnung März', 'Invoice']],
    ['a tag in any case', 'tag:geld', ['Rechnung März']],
    ['a tag with an accent', 'tag:lauft', ['A "quoted" thing']],
    ['emails without a tag', 'rechnung -tag:geld', []],
    ['unread emails', 'is:unread fox', ['Fox hunt']],
    ['read emails', 'is:read', ['Trip']],
    ['starred emails', 'is:starred', ['Invoice']],
    ['emails in a folder', 'in:archive', ['Fox hunt']],
    ['emails outside a folder', 'fox -folder:archive', ['Trip']],
    ['emails with an attachment', 'has:attachment', []],
    ['emails before a date', 'before:2026-03-16', ['A "quoted" thing']],
    ['emails from a date on', 'after:2026/03/20', ['Rechnung März']],
    ['emails between two dates', 'after:2026-03-18 before:2026-03-19 quick', ['Trip']],
    ['part of a text without spaces', '東京', ['会議の予定']],
    ['part of a subject without spaces', 'subject:会議', ['会議の予定']],
    ['no separated characters', '東議', []],
    ['nothing for a value named like an object property', 'is:constructor', []],
    ['nothing for an operator named like an object property', 'constructor:fox __proto__:fox', []],
    ['words joined by punctuation', 'foo bar', ['A "quoted" thing']],
  ])('finds %s', async (_what, q, expected) => {
    expect(await subjects(q)).toEqual(expected)
    expect((await subjects(q, '&sort=best')).toSorted()).toEqual(expected.toSorted())
  })

  it('interprets dates in the time zone of the instance', async () => {
    await instance.post('/api/emails', {
      from: 'a@b.example',
      subject: 'Mitternacht',
      date: '2026-06-30T22:30:00Z',
    })
    expect(await subjects('mitternacht after:2026-07-01')).toEqual(['Mitternacht'])
    expect(await subjects('mitternacht before:2026-07-01')).toEqual([])
  })

  it('sorts by date or by relevance, across pages', async () => {
    const words = [
      'walrus',
      'walrus walrus walrus',
      'a walrus among many other animals of the sea and the land',
    ]
    for (const [index, text] of words.entries())
      await instance.post('/api/emails', {
        from: 'zoo@example.org',
        subject: index === 0 ? 'Walrus' : `Animals ${index}`,
        text,
        date: `2020-01-0${index + 1}T00:00:00Z`,
      })
    expect(await subjects('walrus')).toEqual(['Animals 2', 'Animals 1', 'Walrus'])
    expect((await subjects('walrus', '&sort=best'))[0]).toBe('Walrus')
    for (const sort of ['newest', 'best']) {
      const first = await search('walrus', `&sort=${sort}&limit=2`)
      const second = await search('walrus', `&sort=${sort}&limit=2&cursor=${first.nextCursor}`)
      const all = [...first.emails, ...second.emails].map(({ subject }) => subject)
      expect(all.toSorted()).toEqual(['Animals 1', 'Animals 2', 'Walrus'])
      expect(second.nextCursor).toBeNull()
    }
  })

  it('returns the positions of the matches', async () => {
    const findHighlights = async (q: string) => {
      const [email] = (await search(q)).emails
      const texts: Record<string, string | undefined> = {
        subject: email?.subject,
        snippet: email?.snippet,
        'from.name': email?.from.name,
        'from.address': email?.from.address,
      }
      return email?.highlights.map(({ field, ranges }) => [
        field,
        ...ranges.map(({ start, end }) => texts[field]?.slice(start, end)),
      ])
    }
    expect(await findHighlights('invoice pay')).toEqual([
      ['subject', 'Invoice'],
      ['snippet', 'invoice', 'pay'],
    ])
    expect(await findHighlights('from:kaethe marz')).toEqual([
      ['subject', 'März'],
      ['from.address', 'kaethe'],
    ])
    expect(await findHighlights('from:ruiz inv* "please pay"')).toEqual([
      ['subject', 'Invoice'],
      ['from.name', 'Ruiz'],
      ['snippet', 'invoice', 'please', 'pay'],
    ])
    expect(await findHighlights('東京')).toEqual([['snippet', '東京']])
    expect((await instance.get('/api/emails?limit=1')).body.emails[0]).not.toHaveProperty('highlights')
  })

  it('returns an excerpt on request if the match is in no other field', async () => {
    const text = `${'nothing to see here. '.repeat(40)}then the Pangolin came. ${'and more. '.repeat(40)}`
    await instance.post('/api/emails', { from: 'zoo@example.org', subject: 'Long', text })
    expect((await search('pangolin')).emails[0]?.highlights).toEqual([])
    const [found] = (await search('pangolin', '&excerpts=true')).emails
    const [highlight] = found?.highlights ?? []
    expect(highlight).toMatchObject({
      field: 'text',
      excerpt: expect.stringContaining('then the Pangolin came'),
    })
    expect(highlight?.ranges.map(({ start, end }) => highlight.excerpt?.slice(start, end))).toEqual([
      'Pangolin',
    ])
  })

  it.each([
    '"',
    '""',
    '*',
    '-',
    '--',
    ':',
    'from:',
    'tag:""',
    '-"',
    '((',
    ') OR (',
    'a AND',
    'NOT',
    'NEAR(a b)',
    'subject:*',
    '^a',
    '{a b}:c',
    "'; drop table emails; --",
    '\\',
    "a'b",
    '!a & | b',
    '<->',
    'before:banana',
    'is:purple',
    'in:space',
    '%',
    '_',
    '\u{1F600}',
    'ﷺ',
    'a'.repeat(900),
    'word '.repeat(150),
    '- - -',
    'from:"',
    '-from:-',
    '\u0301',
    'İ',
  ])('accepts %j without an error', async (q) => {
    expect(await subjects(q)).not.toContain('Invoice')
    await search(q, '&sort=best')
  })

  it('ignores a query of white space', async () => {
    expect((await instance.get('/api/emails?q=%20%20')).body.emails.length).toBeGreaterThan(5)
  })

  it.skipIf(!existsSync(NAUGHTY))('accepts all naughty strings', async () => {
    const strings = readFileSync(NAUGHTY, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { s: string }).s)
      .filter((text) => text.length > 0 && text.length <= 1000 && text.isWellFormed() && !text.includes('\0'))
    expect(strings.length).toBeGreaterThan(100)
    for (const text of sampleOf(strings, 100)) {
      await search(text)
      await search(`subject:"${text}"`)
    }
  })

  it('removes the words of deleted emails from the index', async () => {
    const { body } = await instance.post('/api/emails', { from: 'a@b.example', subject: 'Ephemeral' })
    expect(await subjects('ephemeral')).toEqual(['Ephemeral'])
    await instance.call('DELETE', `/api/emails/${body.id}`)
    expect(await subjects('ephemeral')).toEqual([])
    await instance.app.features.emails.prune()
    if (engine === 'sqlite') {
      const { rows } = await sql<{ block: Buffer }>`select block from email_words_data`.execute(
        instance.database.db,
      )
      expect(rows.some(({ block }) => block.includes('phemeral'))).toBe(false)
    }
    expect(await subjects('invoice')).toEqual(['Invoice'])
  })
})
