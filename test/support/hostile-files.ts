/* A calendar or caption file that was made to cost its reader time or memory. */

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
