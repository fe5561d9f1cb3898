import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'

/* Files of other programs, for the tests of imports. */

export interface TestMail {
  id?: string
  subject: string
  header?: string[]
  text?: string
}

export const message = ({ id, subject, header = [], text = 'Hello' }: TestMail): string =>
  [
    ...(id === undefined ? [] : [`Message-ID: <${id}@example.org>`]),
    'From: Ana Ruiz <ana@example.org>',
    'To: ben@example.net',
    'Date: Mon, 02 Mar 2020 10:00:00 +0100',
    `Subject: ${subject}`,
    ...header,
    '',
    text,
    '',
  ].join('\n')

export const mbox = (...mails: readonly TestMail[]): string =>
  mails.map((mail) => `From ana@example.org Mon Mar  2 09:00:00 2020\n${message(mail)}\n`).join('')

export const calendar = (...titles: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...titles.flatMap((title, index) => [
      'BEGIN:VEVENT',
      `UID:${title.replaceAll(' ', '-')}@example.org`,
      'DTSTAMP:20200101T000000Z',
      `DTSTART:202003${String((index % 28) + 1).padStart(2, '0')}T090000`,
      `SUMMARY:${title}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

export const card = (name: string, address: string, ...lines: string[]): string =>
  ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `EMAIL:${address}`, ...lines, 'END:VCARD', ''].join('\r\n')

type Files = Readonly<Record<string, string | Buffer>>

const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(stream))

/** `isZip64`: the format of archives above 4 GB. */
export const zip = (files: Files, { isZip64 = false } = {}): Promise<Buffer> => {
  const archive = new ZipFile()
  for (const [name, content] of Object.entries(files))
    archive.addBuffer(Buffer.from(content), name, { forceZip64Format: isZip64 })
  archive.end({ forceZip64Format: isZip64, comment: '' })
  return collect(archive.outputStream as unknown as AsyncIterable<Uint8Array>)
}

export const tar = (files: Files, links: Readonly<Record<string, string>> = {}): Promise<Buffer> => {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, Buffer.from(content))
  for (const [name, linkname] of Object.entries(links)) archive.entry({ name, type: 'symlink', linkname })
  archive.finalize()
  return collect(archive as unknown as AsyncIterable<Uint8Array>)
}

export const gzip = (bytes: Buffer): Promise<Buffer> =>
  collect(Readable.from([bytes]).pipe(createGzip()) as AsyncIterable<Uint8Array>)

export const TODOIST = [
  '\uFEFFTYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,COLOUR',
  'section,Errands,,,,,,,,,',
  'task,Buy milk @shop,"2 litres, fresh",1,1,Ana (1),,2026-12-01,en,Europe/Vienna,',
  'task,Take the receipt,,4,2,Ana (1),Ben (2),,en,,',
  'note,Ask for a bag,,,,,,,,,',
  'task,Water plants,,3,1,,,every day,en,,',
  'task,Look at the sky,,4,1,,,every other full moon,en,,blue',
  'planet,Mars,,,,,,,,,',
  '',
].join('\r\n')

export const TICKTICK = [
  '"Date: 2026-01-01+0000"',
  '"Version: 7.1"',
  '"Status: ',
  '0 Normal',
  '1 Completed',
  '2 Archived"',
  '"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","Order","Timezone","Is All Day","Is Floating","Pomodoros"',
  '"Home","Chores","Clean the windows","CHECKLIST","spring,glass","▫Kitchen\n▪Bath","Y","","2026-12-24T08:00:00+0000","-PT15M","FREQ=WEEKLY;INTERVAL=2","5","0","2025-01-01T00:00:00+0000","","0","Europe/Vienna","false","false","4"',
  '"","Chores","Old job","TEXT","","","N","","","","","0","2","2025-01-01T00:00:00+0000","2025-02-01T00:00:00+0000","0","UTC","true","false",""',
  '',
].join('\r\n')
