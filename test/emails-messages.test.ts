import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'

const EXPECTED = '../shared/data/eml-expected'
const ROBUSTNESS = '../shared/data/eml-robustness/eml.public'

const lines = (...text: string[]): Buffer => Buffer.from(text.join('\r\n'), 'latin1')

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const NEWSLETTER = lines(
  'From: =?utf-8?q?K=C3=A4the?= <kaethe@example.org>',
  'To: Ben <ben@example.org>, "Dee, Ann" <dee@example.org>',
  'Subject: =?utf-8?b?w5xiZXJzaWNodA==?= for you',
  'Date: Sun, 1 Mar 2026 14:00:00 +0200',
  'Message-ID: <n1@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=b1',
  '',
  '--b1',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p onclick=3D"steal()">Gr=FC=DFe</p><img src=3D"cid:pic@1"><img src=3D"https://track.example/p.gif?id=3D1" width=3D1 height=3D1>',
  '<img src=3D"https://cdn.example/logo.png" width=3D80><script>alert(1)</script><form action=3D"https://x.example"><input></form>',
  '--b1',
  'Content-Type: image/png; name="pic.png"',
  'Content-ID: <pic@1>',
  'Content-Disposition: inline; filename="pic.png"',
  'Content-Transfer-Encoding: base64',
  '',
  PIXEL.toString('base64'),
  '--b1',
  'Content-Type: text/html',
  "Content-Disposition: attachment; filename*=utf-8''B%C3%B6se%2F..%2Fseite.html",
  '',
  '<script>alert(1)</script>',
  '--b1--',
  '',
)

onOneDatabase('sqlite', 'raw messages', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const store = (raw: Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    instance.call('POST', '/api/emails', {
      body: raw,
      headers: { 'content-type': 'message/rfc822', ...headers },
    })
  const fetchBytes = async (path: string): Promise<{ response: Response; bytes: Buffer }> => {
    const response = await fetch(`${instance.url}${path}`)
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('are parsed into envelope, text, images and attachments', async () => {
    const { status, body } = await store(NEWSLETTER)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      messageId: 'n1@example.org',
      folder: 'inbox',
      read: false,
      from: { name: 'Käthe', address: 'kaethe@example.org' },
      to: [
        { name: 'Ben', address: 'ben@example.org' },
        { name: 'Dee, Ann', address: 'dee@example.org' },
      ],
      subject: 'Übersicht for you',
      date: '2026-03-01T12:00:00.000Z',
      text: 'Grüße',
      snippet: 'Grüße',
      attachments: [
        { filename: 'pic.png', contentType: 'image/png', size: PIXEL.length },
        { filename: 'seite.html', contentType: 'text/html', size: expect.any(Number) },
      ],
    })
  })

  it('are sanitized: own images are linked, remote images deferred, tracking pixels without address', async () => {
    const { body } = await store(NEWSLETTER)
    expect(body.html).toBe(
      `<p>Grüße</p><img src="/api/emails/${body.id}/attachments/${body.attachments[0].id}" /><img width="1" height="1" />\n<img width="80" data-src="https://cdn.example/logo.png" />`,
    )
  })

  it('are stored byte for byte', async () => {
    const { body } = await store(NEWSLETTER)
    const { response, bytes } = await fetchBytes(`/api/emails/${body.id}/raw`)
    expect(response.headers.get('content-type')).toContain('message/rfc822')
    expect(bytes.equals(NEWSLETTER)).toBe(true)
    const made = await instance.post('/api/emails', { from: 'a@b.example' })
    expect((await instance.get(`/api/emails/${made.body.id}/raw`)).status).toBe(404)
  })

  it('have attachments that are served as downloads, never as pages', async () => {
    const { body } = await store(NEWSLETTER)
    const [picture, page] = body.attachments
    const seen = await fetchBytes(`/api/emails/${body.id}/attachments/${picture.id}`)
    expect(seen.bytes.equals(PIXEL)).toBe(true)
    expect(seen.response.headers.get('content-type')).toBe('image/png')
    const { response } = await fetchBytes(`/api/emails/${body.id}/attachments/${page.id}`)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="seite\.html"/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    const again = await fetch(`${instance.url}/api/emails/${body.id}/attachments/${picture.id}`, {
      headers: { 'if-none-match': seen.response.headers.get('etag') as string },
    })
    expect(again.status).toBe(304)
    const other = await store(lines('From: a@b.example', '', 'x'))
    expect((await instance.get(`/api/emails/${other.body.id}/attachments/${picture.id}`)).status).toBe(404)
  })

  it('are stored once per Idempotency-Key, compared by their bytes', async () => {
    const headers = { 'idempotency-key': 'raw-1' }
    const [first, second] = [await store(NEWSLETTER, headers), await store(NEWSLETTER, headers)]
    expect(second.body.id).toBe(first.body.id)
    const other = await store(lines('From: a@b.example', '', 'x'), headers)
    expect(other.body.code).toBe('idempotency_mismatch')
  })

  it.runIf(engine === 'sqlite')('leave no staged files behind if they are replayed or rejected', async () => {
    const headers = { 'idempotency-key': 'raw-2' }
    expect((await store(NEWSLETTER, headers)).status).toBe(201)
    expect((await store(NEWSLETTER, headers)).headers.get('idempotency-replayed')).toBe('true')
    expect((await store(Buffer.concat([NEWSLETTER, NEWSLETTER]), headers)).status).toBe(409)
    expect((await store(Buffer.alloc(0))).status).toBe(400)
    const drafts = join(instance.place.dataDir, 'blobs', 'drafts')
    await expect.poll(() => readdirSync(drafts)).toEqual([])
  })

  it.each([
    ['a single line', lines('hello')],
    ['no header', lines('', 'just text', 'and more')],
    ['no body', lines('Subject: only a header')],
    ['random bytes', Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919 + (n >> 3)) % 256))],
    ['NUL in the subject and the text', lines('Subject: a\0b', 'From: a@b.example', '', 'x\0y')],
    [
      'NUL in Message-ID, References and In-Reply-To',
      lines('Message-ID: <a\0b@c>', 'References: <x\0@y> <z@y>', 'In-Reply-To: <q\0@x>', '', 'x'),
    ],
    [
      'NUL in a Content-ID',
      lines(
        'Content-Type: multipart/related; boundary=b',
        '',
        '--b',
        'Content-Type: image/png',
        'Content-ID: <x\0y@z>',
        '',
        'x',
        '--b--',
      ),
    ],
    [
      'NUL and an unpaired surrogate in UTF-7',
      lines('Content-Type: text/plain; charset=utf-7', '', '+AAA- +2AA-'),
    ],
    ['a boundary that never occurs', lines('Content-Type: multipart/mixed; boundary=never', '', 'text')],
    ['an unpaired surrogate', lines('Subject: =?utf-16be?b?2AA=?=', '', 'x')],
    [
      'deeply nested multiparts',
      Buffer.from(
        Array.from(
          { length: 400 },
          (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
        ).join(''),
      ),
    ],
    [
      'very many parts',
      Buffer.from(`Content-Type: multipart/mixed; boundary=a\n\n${'--a\n\nx\n'.repeat(20_000)}`),
    ],
    ['very deep HTML', Buffer.from(`Content-Type: text/html\n\n${'<div>'.repeat(60_000)}x`)],
    ['an unterminated encoded word', Buffer.from(`Subject: ${'=?a?q?'.repeat(40_000)}\n\nx`)],
    ['an unterminated comment', Buffer.from(`To: ${'('.repeat(200_000)}\n\nx`)],
  ])('with %s are stored', async (_what, raw) => {
    const { status, body } = await store(raw)
    expect(status).toBe(201)
    const { bytes } = await fetchBytes(`/api/emails/${body.id}/raw`)
    expect(bytes.equals(raw)).toBe(true)
    expect((await instance.get(`/api/emails/${body.id}`)).status).toBe(200)
  })

  it('are rejected if they are empty, too large or have the wrong content type', async () => {
    expect((await store(Buffer.alloc(0))).status).toBe(400)
    expect((await store(Buffer.alloc(25 * 1024 * 1024 + 1, 65))).status).toBe(413)
    const { status } = await instance.call('POST', '/api/emails', {
      body: NEWSLETTER,
      headers: { 'content-type': 'text/plain' },
    })
    expect(status).toBe(415)
  })

  it.skipIf(!existsSync(ROBUSTNESS))('from real programs are all stored with visible content', async () => {
    const files = readdirSync(ROBUSTNESS)
    expect(files.length).toBeGreaterThan(80)
    let empty = 0
    for (const file of files) {
      const raw = readFileSync(join(ROBUSTNESS, file))
      const { status, body } = await store(raw)
      expect([file, status]).toEqual([file, 201])
      if (body.subject === '' && body.text === '' && body.attachments.length === 0) empty++
    }
    console.log(`eml-robustness: ${files.length} stored, ${empty} without subject, text and attachments`)
    expect(empty / files.length).toBeLessThan(0.05)
  })
})

interface Case {
  file: string
  subject: string | null
  from: { name: string | null; address: string | null }[]
  to: { name: string | null; address: string | null }[]
  date: string | null
}

describe.skipIf(!existsSync(EXPECTED))('reference messages', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  const formatAddresses = (list: { name: string | null; address: string | null }[]) =>
    list.map(({ name, address }) => `${name ?? ''}|${address ?? ''}`).join(';')

  it('have the expected subject, sender, recipients and date', async () => {
    const [file = ''] = globSync(`${EXPECTED}/messages.*.jsonl`)
    const cases = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case)
    let correct = 0
    for (const { file: name, subject, from, to, date } of cases) {
      const raw = readFileSync(join(EXPECTED, name))
      const { body } = await instance.call('POST', '/api/emails', {
        body: raw,
        headers: { 'content-type': 'message/rfc822' },
      })
      const isCorrect =
        body.subject === (subject ?? '') &&
        formatAddresses(body.from === null ? [] : [body.from]) === formatAddresses(from) &&
        formatAddresses(body.to) === formatAddresses(to) &&
        (date === null || Date.parse(body.date) === Date.parse(date))
      if (isCorrect) correct++
    }
    console.log(`eml-expected: correct headers in ${correct} of ${cases.length}`)
    expect(correct / cases.length).toBeGreaterThanOrEqual(0.95)
  })
})
