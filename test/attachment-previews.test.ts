import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { unzip } from './support/unzip.ts'

const INNER = [
  'From: Ana Ruiz <ana@example.org>',
  'To: ben@example.org',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  'Date: Sun, 1 Mar 2026 12:00:00 +0000',
  '',
  'The inner text',
]
const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//example//EN',
  'BEGIN:VEVENT',
  'UID:1@example.org',
  'DTSTAMP:20260301T000000Z',
  'DTSTART:20260305T090000Z',
  'DTEND:20260305T100000Z',
  'SUMMARY:Rehearsal',
  'LOCATION:Hall 2',
  'END:VEVENT',
  'END:VCALENDAR',
]

const part = (type: string, filename: string, content: string): string[] => [
  '--b',
  `Content-Type: ${type}; name="${filename}"`,
  `Content-Disposition: attachment; filename="${filename}"`,
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(content, 'latin1').toString('base64'),
]

const compose = (...parts: string[][]): Buffer =>
  Buffer.from(
    [
      'From: ana@example.org',
      'Subject: Files',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...parts.flat(),
      '--b--',
      '',
    ].join('\r\n'),
  )

onOneDatabase('sqlite', 'previews of attachments', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const store = async (...parts: string[][]) => {
    const headers = { 'content-type': 'message/rfc822' }
    const { body } = await instance.call('POST', '/api/emails', { body: compose(...parts), headers })
    return body as { id: number; attachments: { id: string }[] }
  }
  const preview = async (...given: string[]) => {
    const { id, attachments } = await store(given)
    const { status, body } = await instance.get(`/api/emails/${id}/attachments/${attachments[0]?.id}/preview`)
    expect(status).toBe(200)
    return body
  }

  it('contain the text of a file, in its charset', async () => {
    expect(await preview(...part('text/plain', 'notes.txt', 'Gr\xfc\xdfe'))).toEqual({
      kind: 'text',
      text: 'Grüße',
      truncated: false,
      email: null,
      events: null,
    })
  })

  it('contain the beginning of a long text', async () => {
    const { text, truncated } = await preview(...part('text/csv', 'rows.csv', 'a,b\n'.repeat(100_000)))
    expect([text.length, truncated]).toEqual([256 * 1024, true])
  })

  it('contain the fields and the text of an attached email', async () => {
    const content = INNER.join('\r\n')
    const found = await preview(...part('application/octet-stream', 'forwarded.eml', content))
    expect(found).toMatchObject({ kind: 'email', text: expect.stringContaining('The inner text') })
    expect(found.email).toEqual({
      from: { name: 'Ana Ruiz', address: 'ana@example.org' },
      to: [{ name: '', address: 'ben@example.org' }],
      subject: 'Grüße',
      date: '2026-03-01T12:00:00.000Z',
      attachments: [],
    })
  })

  it('contain the events of a calendar', async () => {
    const { kind, events } = await preview(...part('text/calendar', 'event.ics', CALENDAR.join('\r\n')))
    expect(kind).toBe('calendar')
    expect(events).toEqual([
      {
        title: 'Rehearsal',
        start: '2026-03-05T09:00:00.000Z',
        end: '2026-03-05T10:00:00.000Z',
        allDay: false,
        location: 'Hall 2',
      },
    ])
  })

  it('contain the text of a calendar that cannot be read', async () => {
    expect(await preview(...part('text/calendar', 'event.ics', 'not a calendar'))).toMatchObject({
      kind: 'text',
      text: expect.stringContaining('not a calendar'),
    })
  })

  it('do not exist for other files', async () => {
    expect(await preview(...part('application/x-tar', 'files.tar', 'x'))).toMatchObject({ kind: 'none' })
  })

  it('do not exist for an attachment of another email', async () => {
    const [one, other] = [
      await store(part('text/plain', 'a.txt', 'a')),
      await store(part('text/plain', 'b.txt', 'b')),
    ]
    const path = `/api/emails/${one.id}/attachments/${other.attachments[0]?.id}/preview`
    expect((await instance.get(path)).status).toBe(404)
  })

  it('come with a zip file of all attachments, with unique names', async () => {
    const { id } = await store(
      part('text/plain', 'a.txt', 'first'),
      part('text/plain', 'a.txt', 'second'),
      part('text/plain', 'b', 'third'),
    )
    const response = await fetch(`${instance.url}/api/emails/${id}/attachments.zip`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(await unzip(Buffer.from(await response.arrayBuffer()))).toEqual({
      'a.txt': 'first',
      'a (2).txt': 'second',
      b: 'third',
    })
    const { id: empty } = (await instance.post('/api/emails', { from: 'a@b.example' })).body
    expect((await instance.get(`/api/emails/${empty}/attachments.zip`)).status).toBe(404)
  })
})
