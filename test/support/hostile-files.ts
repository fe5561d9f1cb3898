/* Files that were made to cost their reader time or memory. */

export interface HostileFile {
  name: string
  make(): string
}

const many = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('')

export const calendarFile = (...components: string[]): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${components.join('')}END:VCALENDAR\r\n`

export const calendarEvent = (uid: number | string, ...lines: string[]): string =>
  ['BEGIN:VEVENT', `UID:hostile-${uid}`, 'DTSTART:20240301T090000Z', ...lines, 'END:VEVENT', ''].join('\r\n')

/** Rules that match no day or no time. */
export const RULES_THAT_NEVER_MATCH: readonly string[] = [
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5',
  'FREQ=DAILY;INTERVAL=99991;BYMONTH=2;BYMONTHDAY=30;COUNT=5',
  'FREQ=MONTHLY;INTERVAL=7;BYDAY=MO,TU,WE,TH;BYSETPOS=300;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12',
  'FREQ=MINUTELY;INTERVAL=1440;BYHOUR=3',
  'FREQ=HOURLY;INTERVAL=24;BYHOUR=3;UNTIL=99991231T000000Z',
  'FREQ=SECONDLY;INTERVAL=86400;BYHOUR=3;BYMINUTE=7;BYSECOND=9',
  'FREQ=SECONDLY;INTERVAL=7919;BYHOUR=3;BYMINUTE=7;BYSECOND=9;COUNT=100000',
]

const zoneRule = (index: number): string =>
  [
    'BEGIN:DAYLIGHT',
    `DTSTART:${1900 + (index % 100)}0101T000000`,
    `TZOFFSETFROM:+0${index % 10}07`,
    `TZOFFSETTO:+0${(index + 1) % 10}07`,
    `RRULE:FREQ=YEARLY;BYMONTH=${1 + (index % 12)};BYDAY=1SU`,
    'END:DAYLIGHT',
    '',
  ].join('\r\n')

const zone = (name: string, rules: number): string =>
  `BEGIN:VTIMEZONE\r\nTZID:${name}\r\n${many(rules, zoneRule)}END:VTIMEZONE\r\n`

const zoned = (index: number, tzid: string): string =>
  `BEGIN:VEVENT\r\nUID:zoned-${index}\r\nDTSTART;TZID=${tzid}:${1950 + (index % 100)}0301T090000\r\nEND:VEVENT\r\n`

export const HOSTILE_CALENDARS: readonly HostileFile[] = [
  {
    name: '2,000 zone rules and 3,000 events',
    make: () =>
      calendarFile(
        zone('Here', 2000),
        many(3000, (index) => zoned(index, 'Here')),
      ),
  },
  {
    name: '16 zone rules and 3,000 events',
    make: () =>
      calendarFile(
        zone('Here', 16),
        many(3000, (index) => zoned(index, 'Here')),
      ),
  },
  {
    name: '5,000 zones that nobody knows',
    make: () => calendarFile(many(5000, (index) => zoned(index, `Nowhere ${index}`))),
  },
  {
    name: 'a property with a million parameters',
    make: () => calendarFile(calendarEvent(1, `X-A${';a=b'.repeat(1_000_000)}:c`)),
  },
  {
    name: '300,000 names of a calendar',
    make: () => calendarFile('NAME:a\r\n'.repeat(300_000), calendarEvent(1)),
  },
  {
    name: 'a description folded after each character',
    make: () => calendarFile(calendarEvent(1, `DESCRIPTION:${'x\r\n '.repeat(2_000_000)}`)),
  },
  {
    name: 'a million properties in an event',
    make: () => calendarFile(calendarEvent(1, 'X:1\r\n'.repeat(1_000_000))),
  },
  {
    name: 'links that end in 2,000 dots',
    make: () =>
      calendarFile(
        many(20, (index) =>
          calendarEvent(index, `DESCRIPTION:${`https://a${'.'.repeat(1900)}x `.repeat(100)}`),
        ),
      ),
  },
  {
    name: 'titles of 5,000 line feeds',
    make: () => calendarFile(many(500, (index) => calendarEvent(index, `SUMMARY:${'\\n '.repeat(1600)}x`))),
  },
  {
    name: '3,000 rules that never match',
    make: () =>
      calendarFile(
        many(150, (event) =>
          calendarEvent(
            event,
            ...Array.from(
              { length: 20 },
              (_, index) =>
                `RRULE:${RULES_THAT_NEVER_MATCH[(event + index) % RULES_THAT_NEVER_MATCH.length]};WKST=${['MO', 'TU', 'WE'][index % 3]}`,
            ),
            'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM',
          ),
        ),
      ),
  },
]

const cue = (text: string): string => `00:00:00.000 --> 00:00:01.000\n${text}\n\n`
const captions = (...blocks: string[]): string => `WEBVTT\n\n${blocks.join('')}`

export const HOSTILE_CAPTIONS: readonly HostileFile[] = [
  { name: '1 MB of short cues', make: () => captions(cue('a').repeat(26_000)) },
  { name: '1 MB of tags in cues', make: () => captions(cue('<b>'.repeat(1600)).repeat(200)) },
  { name: '1 MB of ampersands in cues', make: () => captions(cue('&'.repeat(4900)).repeat(200)) },
  { name: '1 MB of lines in cues', make: () => captions(cue('a\n'.repeat(2400)).repeat(200)) },
  { name: '1 MB of arrows', make: () => captions('-->\n'.repeat(250_000)) },
  { name: '10 MB of empty lines', make: () => captions('\n'.repeat(10_000_000)) },
]

const MEGABYTE = 1024 * 1024
const vcard = (...lines: string[]): string => `BEGIN:VCARD\nVERSION:3.0\n${lines.join('\n')}\nEND:VCARD\n`

/** vCard files below the limit of their route. */
export const HOSTILE_VCARDS: readonly HostileFile[] = [
  { name: '2.8 million properties in one card', make: () => vcard('FN:x', 'X-A:b\n'.repeat(2_800_000)) },
  { name: '2 million cards in each other', make: () => 'BEGIN:VCARD\n'.repeat(2_000_000) },
  { name: '20,000 cards', make: () => many(20_000, (index) => vcard(`FN:Person ${index}`, `TEL:${index}`)) },
  {
    name: '20,000 cards with long notes',
    make: () => many(20_000, () => vcard('FN:x', `NOTE:${'\\\\n'.repeat(300)}`)),
  },
  { name: 'a line of 20 MB', make: () => vcard('FN:x', `NOTE:${'x'.repeat(20 * MEGABYTE)}`) },
  { name: '20 MB of parameters', make: () => vcard('FN:x', `TEL${';a=b'.repeat(15_000)}:1\n`.repeat(300)) },
  { name: 'a photo in 6 million lines', make: () => vcard('FN:x', `PHOTO:\n${' x\n'.repeat(6_000_000)}`) },
]

export interface HostileUpload extends HostileFile {
  filename: string
}

const contact = (index: number): string =>
  `Person ${index},person${index}@example.org,"${'note '.repeat(20)}"\n`
const ticktickRow = (index: number): string => `"","List ${index % 9}","Task ${index}","","","0"\n`

/** Files of other programs for `POST /api/imports`. */
export const HOSTILE_UPLOADS: readonly HostileUpload[] = [
  {
    name: '58 MB of cards in each other',
    filename: 'contacts.vcf',
    make: () => 'BEGIN:VCARD\n'.repeat(4_800_000),
  },
  {
    name: '150,000 contacts in a table',
    filename: 'contacts.csv',
    make: () => `Name,E-mail Address,Hobby\n${many(150_000, contact)}`,
  },
  {
    name: '30 MB of quotes in a table',
    filename: 'contacts.csv',
    make: () => `Name,E-mail Address\n${'"'.repeat(30 * MEGABYTE)}`,
  },
  {
    name: '30 million empty cells',
    filename: 'contacts.csv',
    make: () => `Name,E-mail Address\n${`${','.repeat(1000)}\n`.repeat(30_000)}`,
  },
  {
    name: '100,000 tasks of TickTick',
    filename: 'ticktick.csv',
    make: () => `"Folder Name","List Name","Title","Tags","Content","Status"\n${many(100_000, ticktickRow)}`,
  },
  {
    name: '20,000 dates of Todoist in words',
    filename: 'Project.csv',
    make: () =>
      `TYPE,CONTENT,PRIORITY,INDENT,DATE\n${'task,x,4,1,every third moon of May at 5 pm or 6 am\n'.repeat(20_000)}`,
  },
  {
    name: '100,000 rows of an Outlook calendar',
    filename: 'calendar.csv',
    make: () =>
      `Subject,Start Date,Start Time,End Date,End Time\n${many(100_000, (index) => `Event ${index},1/${(index % 28) + 1}/2026,9:00 AM,1/1/2026,10:00 AM\n`)}`,
  },
  {
    name: '60 MB of nested lists',
    filename: 'data.json',
    make: () => `${'['.repeat(30 * MEGABYTE)}${']'.repeat(30 * MEGABYTE)}`,
  },
  {
    name: '300,000 tasks of Vikunja',
    filename: 'data.json',
    make: () =>
      `[{"title":"A","tasks":[${Array(300_000).fill('{"title":"<p>a","description":"<<<<<<<<"}').join()}]}]`,
  },
  {
    name: '300,000 tasks of Google',
    filename: 'Tasks.json',
    make: () =>
      `{"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","title":"A","items":[${Array(300_000).fill('{"kind":"tasks#task","title":"a","status":"needsAction"}').join()}]}]}`,
  },
  {
    name: 'a message with 40 MB of headers',
    filename: 'mail.eml',
    make: () => `From: ana@example.org\nSubject: a\n${'X-A: b\n'.repeat(6_000_000)}\nHello\n`,
  },
  {
    name: '15 MB of numbers',
    filename: 'data.json',
    make: () => `[${'1,'.repeat(7_500_000)}1]`,
  },
  {
    name: '45 MB of escaped separators in a message',
    filename: 'mail.mbox',
    make: () => `From x Mon Mar  2 09:00:00 2020\nSubject: a\n\n${'>From x\n'.repeat(6_000_000)}`,
  },
  {
    name: '40 MB of lines that are almost separators',
    filename: 'mail.mbox',
    make: () =>
      `From x Mon Mar  2 09:00:00 2020\nSubject: a\n\n${`From ${'1:11 '.repeat(190)}\n\n`.repeat(42_000)}`,
  },
  {
    name: '300,000 empty messages',
    filename: 'mail.mbox',
    make: () => 'From x Mon Mar  2 09:00:00 2020\n\n'.repeat(300_000),
  },
  {
    name: '60 MB of a calendar',
    filename: 'calendar.ics',
    make: () => calendarFile('X:1\r\n'.repeat(12 * MEGABYTE), calendarEvent(1)),
  },
]
