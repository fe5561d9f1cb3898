import { toInstant } from '../../nlu/time-zones.ts'
import type { Sample } from '../accounts/data/parts.ts'
import type { SampleMail } from '../accounts/data/sample/content.ts'
import type { NewEmail } from './messages/schema.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const toMinutes = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const dateOf = ({ now, dayOf, zone }: Sample, day: number, time: string): Date =>
  day === 0
    ? new Date(now.getTime() - toMinutes(time) * MINUTE_MS)
    : new Date(toInstant(dayOf(day) * DAY_MS + toMinutes(time) * MINUTE_MS, zone))

const domainOf = (person: string): string => /@([^>]+)/.exec(person)?.[1] ?? 'sample.example'

/** Converts the messages of the sample. An answer has the subject and the references of its conversation. */
export const toSampleEmails = (sample: Sample): NewEmail[] => {
  const { content, textOf } = sample
  const person = (key: string): string => content.people[key] as string
  const known = new Map<string, { messageId: string; references: string[]; subject: string }>()
  return content.mails.map(([day, time, from, given, text, more = {}]: SampleMail, index) => {
    const { key, re, to = ['me'], cc = [], folder, tags = [], unread = false, starred = false } = more
    const before = re === undefined ? undefined : known.get(re)
    const messageId = `sample-${index + 1}@${domainOf(person(from))}`
    const references = before ? [...before.references, before.messageId] : []
    const subject = before ? `Re: ${before.subject}` : textOf(given)
    if (key !== undefined)
      known.set(key, { messageId, references, subject: before?.subject ?? textOf(given) })
    return {
      from: person(from),
      to: to.map(person),
      cc: cc.map(person),
      subject,
      text: textOf(text),
      date: dateOf(sample, day, time).toISOString(),
      messageId,
      ...(before && { inReplyTo: before.messageId, references }),
      folder: folder ?? (from === 'me' ? 'sent' : 'inbox'),
      tags: [...tags],
      read: !unread,
      starred,
    }
  })
}

const encodeWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

const writePart = (headers: readonly string[], body: string | Buffer): string =>
  [
    ...headers,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n'),
  ].join('\r\n')

const writeMessage = (
  { content }: Sample,
  { from, subject, date, id }: { from: string; subject: string; date: Date; id: string },
  headers: readonly string[],
  parts: readonly string[],
): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${content.people.me}`,
      `Subject: ${encodeWord(subject)}`,
      `Date: ${date.toUTCString()}`,
      `Message-ID: <${id}@${domainOf(from)}>`,
      ...headers,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="sample"',
      '',
      ...parts.flatMap((part) => ['--sample', part]),
      '--sample--',
      '',
    ].join('\r\n'),
  )

const TEXT = ['Content-Type: text/plain; charset=utf-8']

/** Writes a page with a few lines of text. */
const writePdf = (lines: readonly string[]): Buffer => {
  const encoded = lines.map(
    (line, index) => `${index === 0 ? '' : '0 -28 Td '}(${line.replace(/[()\\]/g, '\\$&')}) Tj`,
  )
  const stream = `BT /F1 16 Tf 72 760 Td ${encoded.join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

const toStamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

const INVITED_MINUTES = 45

/** Messages that need headers or parts of their own: newsletters, an invitation, and an invoice as a PDF. */
export const writeSampleMessages = (sample: Sample): { raw: Buffer; tags: string[] }[] => {
  const { content, now, textOf, dayOf, zone } = sample
  const { newsletters, invitation, invoice, people } = content
  const news = newsletters.map(({ day, time, subject, html }, index) => ({
    raw: writeMessage(
      sample,
      {
        from: 'The Weekly Loom <news@weeklyloom.example>',
        subject,
        date: dateOf(sample, day, time),
        id: `sample-loom-${index}`,
      },
      [
        'List-Id: The Weekly Loom <loom.weeklyloom.example>',
        'List-Unsubscribe: <https://weeklyloom.example/leave/robin>',
      ],
      [writePart(['Content-Type: text/html; charset=utf-8'], html)],
    ),
    tags: ['newsletter'],
  }))
  const organizer = people[invitation.from] as string
  const address = (person: string): string => /<([^>]+)>/.exec(person)?.[1] as string
  const start = toInstant(dayOf(invitation.day) * DAY_MS + toMinutes(invitation.time) * MINUTE_MS, zone)
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Factotum//Sample//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:sample-invitation@factotum',
    `DTSTAMP:${toStamp(now.getTime())}`,
    `DTSTART:${toStamp(start)}`,
    `DTEND:${toStamp(start + INVITED_MINUTES * MINUTE_MS)}`,
    `SUMMARY:${invitation.title}`,
    `LOCATION:${invitation.location.replaceAll(',', '\\,')}`,
    `ORGANIZER;CN=Li Wei:mailto:${address(organizer)}`,
    `ATTENDEE;CN=Robin Sample;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${address(people.me as string)}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
  const invited = writeMessage(
    sample,
    {
      from: organizer,
      subject: invitation.subject,
      date: dateOf(sample, 0, '3:20'),
      id: 'sample-invitation',
    },
    [],
    [
      writePart(TEXT, invitation.text),
      writePart(['Content-Type: text/calendar; charset=utf-8; method=REQUEST'], calendar),
    ],
  )
  const charged = writeMessage(
    sample,
    {
      from: people.host as string,
      subject: invoice.subject,
      date: dateOf(sample, -1, '07:15'),
      id: 'sample-invoice',
    },
    [],
    [
      writePart(TEXT, textOf(invoice.text)),
      writePart(
        [
          `Content-Type: application/pdf; name="${invoice.filename}"`,
          `Content-Disposition: attachment; filename="${invoice.filename}"`,
        ],
        writePdf(invoice.lines),
      ),
    ],
  )
  return [...news, { raw: invited, tags: [] }, { raw: charged, tags: [] }]
}
