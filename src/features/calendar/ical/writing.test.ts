import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { entriesIn, readEventOf } from '../../../../test/support/icalendar.ts'
import { fold, unfold } from '../../../platform/icalendar/text.ts'
import type { Entry } from './entry.ts'
import { writeEntry } from './event.ts'
import { calendarHead, calendarTail } from './parser.ts'

const STAMP = '2026-01-01T00:00:00.000Z'

const plain: Entry = {
  uid: 'one@example.com',
  recurrenceId: null,
  sequence: 0,
  revisedAt: '2024-01-02T00:00:00.000Z',
  title: 'One',
  description: '',
  location: '',
  meetingUrl: null,
  start: '2024-07-01T07:00:00.000Z',
  end: '2024-07-01T08:00:00.000Z',
  allDay: false,
  timezone: 'Europe/Berlin',
  status: 'confirmed',
  busy: true,
  organizer: null,
  attendees: [],
  reminders: [],
  tags: [],
  recurrence: null,
  exdates: [],
  rdates: [],
  extra: null,
}

const write = (entry: Partial<Entry>): string =>
  calendarHead({ name: 'Ours' }) + writeEntry({ ...plain, ...entry }, STAMP) + calendarTail()

const linesOf = (entry: Partial<Entry>): string[] => {
  const text = write(entry)
  return unfold(text, 0, text.length)
}

/** Parses the result with an independent parser. */
const foreign = (entry: Partial<Entry>) =>
  new ICAL.Event(new ICAL.Component(ICAL.parse(write(entry))).getFirstSubcomponent('vevent') ?? undefined)

/** Texts with special characters of iCalendar, multi-byte characters, and awkward folding positions. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        ',',
        ';',
        ':',
        '"',
        '\\',
        '\\n',
        "'",
        '^',
        '=',
        ' ',
        '\t',
        'BEGIN:VEVENT',
        '🎄',
        'é',
        '語',
      ),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.nat(80).map((length) => 'x'.repeat(length)),
    ),
    { maxLength: 12 },
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are never stored
  .map((parts) => parts.join('').replace(/[\0-\x08\x0b-\x1f\x7f]/g, ''))
const line = text.map((words) => words.replace(/\s+/g, ' ').trim())

describe('a folded line', () => {
  it('has at most 75 octets per part, and unfolds to the original', () => {
    fc.assert(
      fc.property(text, (words) => {
        const whole = `X-A:${words.replaceAll('\n', '\\n')}`
        const folded = fold(whole)
        for (const part of folded.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75)
        expect(folded.isWellFormed()).toBe(true)
        expect(unfold(folded, 0, folded.length)).toEqual([whole])
      }),
    )
  })

  it.each([70, 71, 72, 73, 74, 75, 76])(
    'of %d octets before a wide character is folded beside it',
    (length) => {
      const whole = `X:${'x'.repeat(length - 2)}🎄é語`
      for (const part of fold(whole).split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75)
      expect(fold(whole).replaceAll('\r\n ', '')).toBe(`${whole}\r\n`)
    },
  )
})

describe('written events are parsed with the same content', () => {
  it('for all texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        line,
        text,
        line,
        fc.uniqueArray(
          line.filter((tag) => tag !== ''),
          { maxLength: 4 },
        ),
        text.map((name) => name.replaceAll('\\', '').replace(/\s+/g, ' ').trim()),
        async (title, description, location, tags, name) => {
          const entry: Entry = {
            ...plain,
            title,
            description: description.trim() === '' ? '' : description,
            location,
            tags,
            organizer: { name, email: 'me@example.com' },
            attendees: [{ name, email: 'you@example.com', status: 'tentative' }],
          }
          const [read] = await entriesIn(write(entry))
          expect({ ...read, meetingUrl: null }).toEqual(entry)
          const other = foreign(entry)
          expect(other.summary).toBe(entry.title)
          expect(other.description ?? '').toBe(entry.description)
        },
      ),
    )
  })

  it.each<[string, Partial<Entry>]>([
    ['in a zone', {}],
    ['in UTC', { timezone: 'UTC' }],
    ['floating', { extra: '{"floating":"Europe/Berlin"}' }],
    [
      'floating with an end',
      { extra: '{"floating":"Europe/Berlin"}', recurrence: 'FREQ=DAILY;UNTIL=20240801T070000Z' },
    ],
    [
      'of whole days',
      {
        allDay: true,
        start: '2024-06-30T22:00:00.000Z',
        end: '2024-07-02T22:00:00.000Z',
        recurrence: 'FREQ=MONTHLY;UNTIL=20250101',
        exdates: ['2024-07-31T22:00:00.000Z'],
      },
    ],
    [
      'that repeats',
      {
        recurrence: 'FREQ=WEEKLY;BYDAY=MO\nFREQ=MONTHLY;BYMONTHDAY=1',
        exdates: ['2024-07-08T07:00:00.000Z', '2024-12-02T08:00:00.000Z'],
        rdates: ['2024-07-10T07:00:00.000Z'],
      },
    ],
    ['that replaces an occurrence', { recurrenceId: '2024-07-01T06:00:00.000Z' }],
    [
      'of a whole day that replaces an hour',
      {
        recurrenceId: '2024-07-01T06:00:00.000Z',
        allDay: true,
        start: '2024-06-30T22:00:00.000Z',
        end: '2024-07-01T22:00:00.000Z',
      },
    ],
    ['that is cancelled', { status: 'cancelled', sequence: 4 }],
    ['that takes no time from others', { busy: false, status: 'tentative' }],
    ['with reminders', { reminders: [{ minutesBefore: 0 }, { minutesBefore: 1440 }] }],
    ['with a meeting', { meetingUrl: 'https://calls.example.com/1?a=b;c,d' }],
    [
      'with people',
      {
        organizer: { name: '', email: 'me@example.com' },
        attendees: [{ name: 'Ann "A" Lee', email: 'a%b@example.com', status: 'declined' }],
      },
    ],
    [
      'long ago',
      { start: '1850-01-01T00:00:00.000Z', end: '1850-01-01T01:00:00.000Z', timezone: 'America/New_York' },
    ],
  ])('for an event %s', async (_, entry) => {
    expect(await entriesIn(write(entry))).toEqual([{ ...plain, ...entry }])
  })
})

describe('a recurrence rule', () => {
  it.each<[string, string, Partial<Entry>]>([
    ['UNTIL=20241231', 'UNTIL=20241231T225959Z', {}],
    ['UNTIL=20241231T090000', 'UNTIL=20241231T080000Z', {}],
    ['UNTIL=20241231T080000Z', 'UNTIL=20241231T080000Z', {}],
    ['UNTIL=20241231T080000Z', 'UNTIL=20241231T090000', { extra: '{"floating":"Europe/Berlin"}' }],
    ['UNTIL=20241231T120000Z', 'UNTIL=20241231', { allDay: true }],
  ])('with %s is written with %s', (said, written, entry) => {
    expect(linesOf({ ...entry, recurrence: `FREQ=DAILY;${said}` })).toContain(`RRULE:FREQ=DAILY;${written}`)
  })
})

describe('data without a field', () => {
  const said = [
    'DTSTAMP:20240101T000000Z',
    'DTSTART;TZID=Europe/Berlin:20240701T090000',
    'DURATION:PT90M',
    'SUMMARY;LANGUAGE=en:One',
    'DESCRIPTION;ALTREP="cid:1@x":Two',
    'X-ALT-DESC;FMTTYPE=text/html:<b>Two</b>',
    'LOCATION:Lobby',
    'GEO:1.5;2.5',
    'CLASS:PRIVATE',
    'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
    'ORGANIZER;CN=Me;SENT-BY="mailto:aide@example.com":mailto:me@example.com',
    'ATTENDEE;CN=Ann;ROLE=CHAIR;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:b@example.com":mailto:a@example.com',
    'ATTENDEE;CUTYPE=ROOM;CN=Room:urn:uuid:1234',
    'BEGIN:VALARM',
    'UID:alarm-1',
    'ACTION:AUDIO',
    'TRIGGER:-PT10M',
    'END:VALARM',
    'BEGIN:VALARM',
    'ACTION:EMAIL',
    'TRIGGER;VALUE=DATE-TIME:20240630T090000Z',
    'END:VALARM',
  ]
  const kept = [
    'DURATION:PT90M',
    'SUMMARY;LANGUAGE=en:One',
    'DESCRIPTION;ALTREP="cid:1@x":Two',
    'X-ALT-DESC;FMTTYPE=text/html:<b>Two</b>',
    'GEO:1.5;2.5',
    'CLASS:PRIVATE',
    'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
    'ORGANIZER;CN=Me;SENT-BY="mailto:aide@example.com":mailto:me@example.com',
    'ATTENDEE;CN=Ann;PARTSTAT=DELEGATED;ROLE=CHAIR;DELEGATED-TO="mailto:b@example.com":mailto:a@example.com',
    'ATTENDEE;CUTYPE=ROOM;CN=Room:urn:uuid:1234',
    'UID:alarm-1',
    'TRIGGER;VALUE=DATE-TIME:20240630T090000Z',
  ]

  it('is written as it was read', async () => {
    const entry = await readEventOf(...said)
    expect(linesOf(entry)).toEqual(expect.arrayContaining(kept))
    expect(await entriesIn(write(entry))).toEqual([entry])
  })

  it('is dropped when its field changes', async () => {
    const changed = linesOf({
      ...(await readEventOf(...said)),
      end: '2024-07-01T09:00:00.000Z',
      title: 'Uno',
      description: 'Dos',
      location: 'Attic',
      meetingUrl: 'https://calls.example.com/1',
      organizer: { name: 'You', email: 'you@example.com' },
      attendees: [{ name: 'Ann', email: 'a@example.com', status: 'accepted' }],
      reminders: [{ minutesBefore: 20 }],
    })
    const gone = kept.filter((line) => !changed.includes(line))
    expect(gone).toEqual(kept.filter((line) => !/^(?:CLASS|ATTENDEE;CUTYPE|TRIGGER)/.test(line)))
    expect(changed).toEqual(
      expect.arrayContaining([
        'DTEND;TZID=Europe/Berlin:20240701T110000',
        'SUMMARY:Uno',
        'DESCRIPTION:Dos',
        'URL:https://calls.example.com/1',
        'ORGANIZER;CN=You:mailto:you@example.com',
        'ATTENDEE;CN=Ann;PARTSTAT=ACCEPTED;ROLE=CHAIR;DELEGATED-TO="mailto:b@example.com":mailto:a@example.com',
        'TRIGGER:-PT20M',
      ]),
    )
  })

  it.each([
    [['DTSTART:20240701T090000Z'], 'DTEND', false],
    [['DTSTART:20240701T090000Z', 'ORGANIZER;CN=Us:urn:uuid:1'], 'ORGANIZER;CN=Us:urn:uuid:1', true],
    [['DTSTART:20240701T090000Z', 'DTEND:20240701T090000Z'], 'DTEND', false],
    [['DTSTART;VALUE=DATE:20240701'], 'DTEND', false],
    [['DTSTART;VALUE=DATE:20240701', 'DTEND;VALUE=DATE:20240702'], 'DTEND;VALUE=DATE:20240702', true],
    [['DTSTART;VALUE=DATE:20240701', 'DURATION:P2D'], 'DURATION:P2D', true],
    [
      ['DTSTART:20240701T090000Z', 'RRULE:FREQ=DAILY', 'RDATE;VALUE=PERIOD:20240702T100000Z/PT3H'],
      'RDATE;VALUE=PERIOD:20240702T100000Z/PT3H',
      true,
    ],
    [
      ['DTSTART:20240701T090000Z', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20240701T080000Z'],
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20240701T080000Z',
      true,
    ],
    [
      ['DTSTART:20240701T090000Z', 'RECURRENCE-ID;VALUE=DATE:20240701'],
      'RECURRENCE-ID;VALUE=DATE:20240701',
      true,
    ],
  ])('in %j contains %s after a round trip: %s', async (lines, wanted, isThere) => {
    const entry = await readEventOf(...lines)
    expect(linesOf(entry).some((line) => line.startsWith(wanted))).toBe(isThere)
    expect(await entriesIn(write(entry))).toEqual([{ ...entry, revisedAt: STAMP }])
  })
})

describe('a calendar', () => {
  it('starts with its header', () => {
    expect(
      calendarHead({ name: 'A, B', timezone: 'Europe/Berlin', method: 'PUBLISH', refreshMinutes: 60 }),
    ).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Factotum//Calendar//EN',
        'CALSCALE:GREGORIAN',
        'METHOD:PUBLISH',
        'NAME:A\\, B',
        'X-WR-CALNAME:A\\, B',
        'X-WR-TIMEZONE:Europe/Berlin',
        'REFRESH-INTERVAL;VALUE=DURATION:PT60M',
        'X-PUBLISHED-TTL:PT60M',
        '',
      ].join('\r\n'),
    )
  })

  it('contains only complete content lines', () => {
    const hostile = 'x\r\nEND:VEVENT\r\nATTACH:http://evil.test'
    const lines = linesOf({
      title: hostile,
      uid: hostile,
      location: hostile,
      tags: [hostile],
      timezone: 'UTC',
      recurrence: 'FREQ=DAILY',
      organizer: { name: hostile, email: hostile },
      attendees: [{ name: hostile, email: hostile, status: 'accepted' }],
      meetingUrl: hostile,
    })
    expect(lines.filter((line) => /^(?:END:VEVENT|ATTACH)/.test(line))).toEqual(['END:VEVENT'])
  })
})
