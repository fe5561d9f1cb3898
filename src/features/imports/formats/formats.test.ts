import { afterAll, describe, expect, it } from 'vitest'
import {
  calendar,
  card,
  gzip,
  mbox,
  message,
  TICKTICK,
  TODOIST,
  tar,
  zip,
} from '../../../../test/support/import-files.ts'
import { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { createVCardReader } from '../../contacts/vcard-reader.ts'
import { readMessageHead } from '../../mail/messages/message-head.ts'
import type { ImportRecord } from '../import-record.ts'
import { decodeText } from './csv.ts'
import { readDay, readTime, readTimestamp, toRecurrence } from './dates.ts'
import { readMaildirPath, readMarks, toMaildirMarks } from './mail-marks.ts'
import { readFromDate, splitMbox } from './mbox.ts'
import { RecordReader } from './reader.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const split = async (file: string, size = 7): Promise<string[]> =>
  (await Array.fromAsync(splitMbox(inChunks(Buffer.from(file, 'latin1'), size)))).map(({ raw }) =>
    String(raw),
  )

const workers = new WorkerPool()
afterAll(() => workers.close())
const readCards = createVCardReader({ workers })

/** The calendar feature has its own tests. Here, each event is one line. */
const readEvents = async function* (_user: number, bytes: Uint8Array): AsyncGenerator<never> {
  let line = 0
  for (const text of Buffer.from(bytes).toString().split('\r\n')) {
    line++
    if (text.startsWith('SUMMARY:'))
      yield { line, event: { text }, title: text.slice(8), start: null, warning: null } as never
  }
}

const read = async (filename: string, content: string | Buffer): Promise<ImportRecord[]> => {
  const bytes = Buffer.from(content)
  const upload = {
    filename,
    size: bytes.length,
    read: async (at: number, length: number) => bytes.subarray(at, at + length),
    stream: () => inChunks(bytes, 1000),
  }
  const reader = new RecordReader({ workers, readHead: readMessageHead, readCards, readEvents })
  const options = {
    userId: 1,
    timezone: 'Europe/Vienna',
    now: Date.UTC(2026, 10, 17),
    format: undefined,
    maxBytes: 1e9,
  }
  return Array.fromAsync(reader.read(upload, options))
}
const of = <K extends ImportRecord['kind']>(records: ImportRecord[], kind: K) =>
  records.filter((record): record is ImportRecord & { kind: K } => record.kind === kind)
const problemsOf = (records: ImportRecord[]) =>
  records.flatMap(({ problems = [] }) =>
    problems.map(({ severity, field, value }) => [severity, field, value]),
  )

describe('an mbox file', () => {
  const first = message({ subject: 'One', text: 'Hello\n\nFrom me to you' })
  const file = mbox(
    { subject: 'One', text: 'Hello\n\nFrom me to you' },
    { subject: 'Two', text: '>From x\n>>From y' },
  )

  it('is split at separators only, in chunks of any size', async () => {
    for (const size of [1, 5, 64, 10_000]) {
      const [one, two] = await split(file, size)
      expect(one).toBe(first)
      expect(two).toContain('\nFrom x\n>From y\n')
    }
  })

  it('respects Content-Length, and ignores a wrong one', async () => {
    const body = 'a\n\nFrom b@example.org Mon Mar  2 09:00:00 2020\nc\n'
    const counted = `From x Mon Mar  2 09:00:00 2020\nSubject: A\nContent-Length: ${body.length}\n\n${body}\n${mbox({ subject: 'B' })}`
    expect(await split(counted)).toHaveLength(2)
    expect(await split(counted.replace(`h: ${body.length}`, 'h: 3'))).toHaveLength(3)
  })

  it('has dates in its separators', () => {
    expect(readFromDate('x@y Mon Mar  2 09:08:07 2020')).toBe('2020-03-02T09:08:07.000Z')
    expect(readFromDate('123@xxx Mon Mar 02 09:08:07 +0100 2020')).toBe('2020-03-02T08:08:07.000Z')
    expect(readFromDate('- nothing')).toBeNull()
  })

  it('survives truncation at every byte', async () => {
    for (let end = 0; end <= file.length; end += 3) {
      const messages = await split(file.slice(0, end), 50)
      expect(messages.length).toBeLessThanOrEqual(2)
    }
  })
})

describe('the marks of a message', () => {
  const head = (...header: string[]) => readMessageHead(Buffer.from(message({ subject: 'A', header })))

  it('come from Gmail labels', () => {
    const marks = (labels: string) => readMarks(head(`X-Gmail-Labels: ${labels}`), 'All mail.mbox')
    expect(marks('Inbox,Unread,Work/Plans')).toMatchObject({
      folder: 'inbox',
      read: false,
      tags: ['Work/Plans'],
    })
    expect(marks('Gesendet,Markiert')).toMatchObject({ folder: 'sent', read: true, starred: true, tags: [] })
    expect(marks('Papierkorb,Posteingang')).toMatchObject({ folder: 'trash' })
    expect(marks(`Kategorie "Werbung",${'x'.repeat(60)}`).lost).toEqual(['x'.repeat(60)])
  })

  it('come from Thunderbird, Unix programs and Maildir', () => {
    expect(readMarks(head('X-Mozilla-Status: 0005', 'X-Mozilla-Keys: $label1 family'), 'Sent')).toMatchObject(
      {
        folder: 'sent',
        read: true,
        starred: true,
        tags: ['Important', 'family'],
      },
    )
    expect(readMarks(head('X-Mozilla-Status: 0009'), 'x').isExpunged).toBe(true)
    expect(readMarks(head('Status: O'), 'Inbox')).toMatchObject({ folder: 'inbox', read: false })
    const place = readMaildirPath('Maildir/.Work.Plans/cur/1583139600.M1.host:2,FS')
    expect(place).toEqual({ mailbox: 'Work/Plans', flags: 'FS', isNew: false })
    expect(place && toMaildirMarks(head(), place)).toMatchObject({
      folder: 'archive',
      tags: ['Work/Plans'],
      read: true,
      starred: true,
    })
    expect(readMaildirPath('Maildir/new/1.host')).toMatchObject({ mailbox: 'inbox', isNew: true })
    expect(readMaildirPath('Maildir/tmp/1.host')).toBeUndefined()
  })
})

describe('a table', () => {
  it('is decoded from UTF-8, UTF-16 and Windows-1252', () => {
    expect(decodeText(Buffer.from('Größe'))).toBe('Größe')
    expect(decodeText(Buffer.from('\uFEFFGröße', 'utf16le'))).toContain('Größe')
    expect(decodeText(Buffer.from('Größe', 'latin1'))).toBe('Größe')
  })

  it('of Outlook has German or English contacts', async () => {
    const german =
      'Vorname;Nachname;Firma;E-Mail-Adresse;Mobiltelefon;Geburtstag\r\nÄnne;Groß;Müller GmbH;aenne@example.org;+43 1;6.5.1980\r\n;;;kein Postfach;;\r\n'
    const records = await read('Kontakte.csv', Buffer.from(german, 'latin1'))
    expect(of(records, 'contacts')[0]?.card).toMatchObject({
      name: 'Änne Groß',
      organization: 'Müller GmbH',
      addresses: [{ address: 'aenne@example.org' }],
      phones: [{ number: '+43 1', label: 'mobile' }],
      birthday: '1980-05-06',
      notes: '',
    })
    expect(problemsOf(records)).toEqual([['skipped', '', 'kein Postfach']])
    const english =
      'First Name,Last Name,E-mail Address,E-mail 2 Address\nBen,Okafor,ben@example.net,b@example.net\n'
    expect(of(await read('c.csv', english), 'contacts')[0]?.card.addresses).toHaveLength(2)
    const google =
      'Name,Given Name,Family Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Value\nBen,Ben,,* Work,ben@example.net ::: b@example.net,1 ::: 2\n'
    expect(of(await read('g.csv', google), 'contacts')[0]?.card).toMatchObject({
      addresses: [{ label: 'Work' }, {}],
      phones: [{}, {}],
    })
  })

  it('of Google and Outlook has birthdays, postal addresses, websites and categories', async () => {
    const google = [
      'First Name,Last Name,Birthday,Labels,E-mail 1 - Label,E-mail 1 - Value,Address 1 - Label,Address 1 - Street,Address 1 - City,Address 1 - Postal Code,Address 1 - Country,Website 1 - Label,Website 1 - Value',
      'Ana,Ruiz, --04-12,Choir ::: * myContacts,* Work,ana@example.org,Home,Ringstraße 1,Wien,1010,AT,Blog,ruiz.example',
    ]
    expect(of(await read('contacts.csv', google.join('\n')), 'contacts')[0]?.card).toMatchObject({
      birthday: '--04-12',
      categories: ['Choir'],
      postalAddresses: [
        { label: 'home', street: 'Ringstraße 1', city: 'Wien', postalCode: '1010', country: 'AT' },
      ],
      websites: [{ label: 'Blog', url: 'https://ruiz.example' }],
    })
    const outlook = [
      'First Name,E-mail Address,Business Street,Business City,Business Country/Region,Web Page,Birthday,Categories',
      'Ben,ben@example.net,Main St 1,Leeds,UK,http://ben.example,5/6/1980,Work;Golf',
      'Cleo,cleo@example.net,,,,,0/0/00,',
    ]
    const records = await read('contacts.csv', outlook.join('\n'))
    expect(of(records, 'contacts').map(({ card }) => card)).toMatchObject([
      {
        birthday: '1980-05-06',
        categories: ['Work', 'Golf'],
        postalAddresses: [{ label: 'work', street: 'Main St 1', city: 'Leeds', country: 'UK' }],
        websites: [{ label: '', url: 'http://ben.example' }],
      },
      { birthday: '', postalAddresses: [] },
    ])
    expect(problemsOf(records)).toEqual([])
  })

  it('of Outlook has events', async () => {
    const english =
      'Subject,Start Date,Start Time,End Date,End Time,All day event,Show time as\nLunch,1/31/2026,12:00:00 PM,1/31/2026,1:00:00 PM,False,2\nBroken,soon,,,,,\n'
    const records = await read('calendar.csv', english)
    expect(of(records, 'events').map(({ title, line }) => [title, line])).toEqual([['Lunch', 2]])
    expect(problemsOf(records)).toEqual([['skipped', 'Start Date', 'soon']])
    const german = 'Betreff;Beginnt am;Beginnt um;Ganztägiges Ereignis\nMesse;31.01.2026;00:00:00;Ein\n'
    expect(of(await read('k.csv', Buffer.from(german)), 'events')).toHaveLength(1)
  })

  it('of Outlook is read row by row, and names each value that was not kept', async () => {
    const header =
      '"Subject","Start Date","Start Time","End Date","End Time","Reminder on/off","Reminder Date","Reminder Time","Private","Show time as","Meeting Organizer","Priority"'
    const rows = [
      '"Lunch","1/31/2026","9:00 AM","1/31/2026","10:00 AM","True","1/31/2026","8:45 AM","False","2","",""',
      '"Nowhere","13/45/2026","9:00 AM","","","False","","","False","2","",""',
      '"Review","2/3/2026","9:00 AM","2/30/2026","10:00 AM","True","soon","8:45 AM","True","4","Ana Ruiz","High"',
      '"Walk","2/4/2026","9:00 AM","2/4/2026","10:00 AM","False","","","False","1","","Normal"',
    ]
    const records = await read('calendar.csv', [header, ...rows, ''].join('\r\n'))
    expect(of(records, 'events').map(({ title, line }) => [title, line])).toEqual([
      ['Lunch', 2],
      ['Review', 4],
      ['Walk', 5],
    ])
    expect(problemsOf(records)).toEqual([
      ['unknown', 'Meeting Organizer', 'Ana Ruiz'],
      ['unknown', 'Priority', 'High'],
      ['skipped', 'Start Date', '13/45/2026'],
      ['changed', 'End Date', '2/30/2026'],
      ['changed', 'Reminder', 'soon 8:45 AM'],
      ['changed', 'Show time as', '4'],
    ])
  })

  it('of TickTick has subtasks below their task, starts, and no technical columns in the notes', async () => {
    const rows = [
      '"List Name","Title","Start Date","Due Date","Status","taskId","parentId","projectKind"',
      '"Chores","Wipe","","","0","2","1","TASK"',
      '"Chores","Clean","2026-01-01T08:00:00+0000","2026-01-02T08:00:00+0000","0","1","","TASK"',
      '"Chores","Alone","","","0","3","77","TASK"',
    ]
    const records = await read('TickTick.csv', rows.join('\r\n'))
    expect(
      of(records, 'tasks').map(({ task, place }) => [task.title, task.notes, task.startAt, place]),
    ).toEqual([
      ['Clean', '', '2026-01-01T08:00:00.000Z', { ref: '1', parent: undefined, section: '' }],
      ['Wipe', '', undefined, { ref: '2', parent: '1', section: '' }],
      ['Alone', '', undefined, { ref: '3', parent: '77', section: '' }],
    ])
    expect(problemsOf(records)).toEqual([['changed', 'parentId', '77']])
  })

  it('of Todoist and TickTick has tasks', async () => {
    expect(
      of(await read('Private.csv', TODOIST), 'tasks').map(({ task }) => [task.title, task.dueDay]),
    ).toEqual([
      ['Buy milk', '2026-12-01'],
      ['Take the receipt', null],
      ['Water plants', '2026-11-17'],
      ['Look at the sky', null],
    ])
    expect(of(await read('TickTick.csv', TICKTICK), 'tasks').map(({ line }) => line)).toEqual([8, 10])
  })

  it('has dates in several notations', () => {
    expect(readDay('1/31/2026', false)).toBe('2026-01-31')
    expect(readDay('3/4/2026', true)).toBe('2026-04-03')
    expect(readDay('31.02.2026', false)).toBeNull()
    expect(readTime('12:05:00 AM')).toBe(300)
    expect(readTime('25:00')).toBeNull()
    expect(readTimestamp('0001-01-01T00:00:00Z')).toBeNull()
    expect(toRecurrence('RRULE:FREQ=WEEKLY;INTERVAL=2')).toBe('FREQ=WEEKLY;INTERVAL=2')
    expect(toRecurrence('ERULE:NAME=FORGETTINGCURVE')).toBeNull()
  })
})

describe('other formats', () => {
  it('names projects of Vikunja that are archived, nested, empty, or have a description', async () => {
    const data = [
      { id: 1, title: 'Home', description: '<p>Our <b>flat</b></p>', tasks: [{ title: 'Sweep' }] },
      { id: 2, title: 'Past', is_archived: true, parent_project_id: 1, tasks: [{ title: 'Paint' }] },
      { id: 3, title: 'Blank', tasks: null },
    ]
    const records = await read('data.json', JSON.stringify(data))
    expect(of(records, 'tasks').map(({ task }) => [task.list, task.title])).toEqual([
      ['Home', 'Sweep'],
      ['Past', 'Paint'],
    ])
    expect(problemsOf(records)).toEqual([
      ['changed', 'description', 'Our flat\n'],
      ['changed', 'is_archived', 'Past'],
      ['changed', 'parent_project_id', 'Home'],
      ['skipped', 'title', 'Blank'],
    ])
  })

  it('keeps what Vikunja has and Factotum has not', async () => {
    const data = [
      {
        title: 'Home',
        tasks: [
          {
            title: 'Paint',
            description: '<p>Two <b>coats</b></p>',
            priority: 4,
            labels: [{ title: 'diy' }],
            due_date: '2026-12-01T10:00:00Z',
            repeat_after: 604800,
            percent_done: 0.5,
          },
          {
            title: 'Old',
            done: true,
            done_at: '2025-01-01T00:00:00Z',
            due_date: '0001-01-01T00:00:00Z',
            repeat_after: 3600,
          },
        ],
        child_projects: [{ title: 'Garden', tasks: [{ title: 'Dig' }, { title: ' ' }] }],
      },
    ]
    const records = await read(
      'export.zip',
      await zip({ 'data.json': JSON.stringify(data), VERSION: 'v0.24' }),
    )
    const tasks = of(records, 'tasks').map(({ task }) => task)
    expect(tasks).toMatchObject([
      {
        title: 'Paint',
        list: 'Home',
        priority: 'urgent',
        tags: ['diy'],
        recurrence: 'FREQ=WEEKLY;INTERVAL=1',
        notes: 'Two coats',
        percentComplete: 50,
      },
      { title: 'Old', status: 'done', completedAt: '2025-01-01T00:00:00.000Z', dueAt: null },
      { title: 'Dig', list: 'Garden' },
    ])
    expect(problemsOf(records).map(([severity, field]) => [severity, field])).toEqual([
      ['skipped', 'title'],
      ['changed', 'repeat_after'],
      ['unknown', 'file'],
    ])
  })

  it('reads a Maildir from a tar archive', async () => {
    const files = {
      'Maildir/cur/1583139600.a.host:2,S': message({ subject: 'A' }),
      'Maildir/.Sent/new/1583139601.b.host': message({ subject: 'B' }),
    }
    const mails = of(await read('m.tgz', await gzip(await tar(files))), 'emails')
    expect(mails.map(({ marks, receivedAt }) => [marks.folder, marks.read, receivedAt])).toEqual([
      ['inbox', true, '2020-03-02T09:00:00.000Z'],
      ['sent', false, '2020-03-02T09:00:01.000Z'],
    ])
  })

  it('fails with a reason, or reads a part, when a file is truncated', async () => {
    const whole = [
      ['a.zip', await zip({ 'a.ics': calendar('A', 'B'), 'b.vcf': card('A', 'a@example.org') })],
      ['a.tgz', await gzip(await tar({ 'a.ics': calendar('A', 'B'), 'b.csv': TODOIST }))],
      ['a.csv', Buffer.from(TICKTICK)],
      ['b.csv', Buffer.from(TODOIST)],
      ['c.vcf', Buffer.from(card('A', 'a@example.org', 'BDAY:1980-01-01'))],
    ] as const
    for (const [name, bytes] of whole)
      for (let step = 1; step <= 15; step++) {
        const part = bytes.subarray(0, Math.floor((bytes.length * step) / 16))
        const result = await read(name, part).catch((error: Error) => error)
        if (result instanceof Error)
          expect([name, result.name, result.message.length > 10]).toEqual([name, 'AppError', true])
      }
  })
})
