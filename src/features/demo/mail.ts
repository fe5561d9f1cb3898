import type { Db } from '../../database/db.ts'
import type { Emails } from '../mail/messages/emails.ts'
import type { NewEmail } from '../mail/messages/schema.ts'
import { INVITATION, MAILS, type SampleMail, type SampleTime } from './items.ts'
import type { MarkedSample } from './marks.ts'
import { type Sample, toMinutes } from './sample.ts'

export interface MailServices {
  emails: Pick<Emails, 'create' | 'stage' | 'importStaged' | 'change' | 'remove' | 'eraseAccount'>
  /** Deletes the contacts that a mail has made. */
  forgetContacts: (tx: Db, userId: number, emailId: number) => Promise<void>
}

const MINUTE_MS = 60_000

/** For today, the time is how long ago the message arrived. */
const dateOf = (sample: Sample, day: number, time: SampleTime): Date =>
  day === 0 ? new Date(sample.now.getTime() - toMinutes(time) * MINUTE_MS) : sample.at(day, time)

const domainOf = (person: string): string => /@([^>]+)/.exec(person)?.[1] ?? 'sample.example'

/** Converts the messages of the sample. An answer has the subject and the references of its conversation. */
const toNewEmails = (sample: Sample): NewEmail[] => {
  const { content } = sample
  const person = (key: string): string => content.people[key] as string
  const known = new Map<string, { messageId: string; references: string[]; subject: string }>()
  return Object.entries<SampleMail>(MAILS).map(([name, mail], index) => {
    const { day, time, from, re, to = ['me'], cc = [], folder, tags, unread = false, starred = false } = mail
    const { subject: given = '', text } = content.mails[name as keyof typeof MAILS]
    const before = re === undefined ? undefined : known.get(re)
    const messageId = `sample-${index + 1}@${domainOf(person(from))}`
    const references = before ? [...before.references, before.messageId] : []
    const subject = before?.subject ?? sample.textOf(given)
    known.set(name, { messageId, references, subject })
    return {
      from: person(from),
      to: to.map(person),
      cc: cc.map(person),
      subject: before ? `Re: ${subject}` : subject,
      text: sample.textOf(text),
      date: dateOf(sample, day, time).toISOString(),
      messageId,
      ...(before && { inReplyTo: before.messageId, references }),
      folder: folder ?? (from === 'me' ? 'sent' : 'inbox'),
      tags: sample.tagsOf(tags),
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
const writeMessages = (sample: Sample): { raw: Buffer; tags: string[] }[] => {
  const { content, now } = sample
  const { newsletters, invitation, invoice, people } = content
  const news = newsletters.map(([subject, html], index) => ({
    raw: writeMessage(
      sample,
      {
        from: 'The Weekly Loom <news@weeklyloom.example>',
        subject,
        date: dateOf(sample, 7 * index - 9, '06:55'),
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
  const start = sample.at(INVITATION.day, INVITATION.time).getTime()
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
      writePart(TEXT, sample.textOf(invoice.text)),
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

export const fillMail = async (sample: Sample, { emails }: MailServices): Promise<void> => {
  const { userId } = sample
  for (const mail of toNewEmails(sample)) {
    const { id } = await emails.create(userId, mail)
    await sample.mark('email', id)
  }
  for (const { raw, tags } of writeMessages(sample)) {
    const { id } = await emails.importStaged(userId, await emails.stage(raw))
    if (tags.length > 0) await emails.change(userId, id, { tags }, undefined)
    await sample.mark('email', id)
  }
}

/** Removes the emails, and the promises and contacts that come from them. */
export const removeMail = async (
  sample: MarkedSample,
  { emails, forgetContacts }: MailServices,
): Promise<void> => {
  const { tx, userId } = sample
  const ids = sample.idsOf('email')
  if (ids.length > 0)
    await tx.deleteFrom('commitments').where('userId', '=', userId).where('emailId', 'in', ids).execute()
  for (const id of ids) await forgetContacts(tx, userId, id)
  for (const id of ids) await emails.remove(tx, userId, id)
  if (sample.isLeaving) await emails.eraseAccount(tx, userId)
}
