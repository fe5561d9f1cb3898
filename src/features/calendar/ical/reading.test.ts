import { describe, expect, it } from 'vitest'
import {
  calendarWith,
  entriesIn,
  HOME,
  readAll,
  readEventOf,
  reasonFor,
} from '../../../../test/support/icalendar.ts'
import { openCalendar } from './parser.ts'

describe('an event', () => {
  it('is parsed with all fields', async () => {
    const entry = await readEventOf(
      'DTSTAMP:20240101T000000Z',
      'LAST-MODIFIED:20240102T030405Z',
      'SEQUENCE:3',
      'DTSTART;TZID=America/New_York:20240301T090000',
      'DTEND;TZID=America/New_York:20240301T101500',
      'SUMMARY: Plan\\, then do\\; or not ',
      'DESCRIPTION:One\\nTwo \\\\o/',
      'LOCATION:Room 5',
      'STATUS:TENTATIVE',
      'TRANSP:TRANSPARENT',
      'ORGANIZER;CN="Doe, Jane":MAILTO:jane@example.com',
      'ATTENDEE;CN=Joe;PARTSTAT=ACCEPTED:mailto:joe@example.com',
      'ATTENDEE;PARTSTAT=DELEGATED:ann@example.com',
      'CATEGORIES:Work,Plans\\, big',
      'CATEGORIES:Work',
      'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20240401T000000Z',
      'EXDATE;TZID=America/New_York:20240315T090000',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT1H',
      'END:VALARM',
      'X-FOO:bar',
    )
    expect(entry).toEqual({
      uid: 'one@example.com',
      recurrenceId: null,
      sequence: 3,
      revisedAt: '2024-01-02T03:04:05.000Z',
      title: 'Plan, then do; or not',
      description: 'One\nTwo \\o/',
      location: 'Room 5',
      meetingUrl: null,
      start: '2024-03-01T14:00:00.000Z',
      end: '2024-03-01T15:15:00.000Z',
      allDay: false,
      timezone: 'America/New_York',
      status: 'tentative',
      busy: false,
      organizer: { name: 'Doe, Jane', email: 'jane@example.com' },
      attendees: [
        { name: 'Joe', email: 'joe@example.com', status: 'accepted' },
        { name: '', email: 'ann@example.com', status: 'declined' },
      ],
      reminders: [{ minutesBefore: 60 }],
      tags: ['Work', 'Plans, big'],
      recurrence: 'FREQ=WEEKLY;UNTIL=20240401T000000Z;BYDAY=FR',
      exdates: ['2024-03-15T13:00:00.000Z'],
      rdates: [],
      extra: entry.extra,
    })
    expect(entry.extra).toContain('X-FOO:bar')
  })

  it('that lasts all day starts at midnight in the default zone', async () => {
    const days = ['2024-03-30T23:00:00.000Z', '2024-03-31T22:00:00.000Z']
    for (const lines of [
      ['DTSTART;VALUE=DATE:20240331', 'DTEND;VALUE=DATE:20240401'],
      ['DTSTART:20240331', 'DTEND:20240331'],
      ['DTSTART;VALUE=DATE:20240331', 'DURATION:P1D'],
      ['DTSTART;VALUE=DATE:20240331', 'DURATION:PT24H'],
      ['DTSTART;VALUE=DATE:20240331'],
      ['DTSTART;VALUE=DATE:20240331', 'DTEND;VALUE=DATE:20240301'],
      ['DTSTART;VALUE=DATE;TZID=America/New_York:20240331'],
      ['DTSTART:20240331T000000', 'DTEND:20240401T000000', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'],
    ]) {
      const { start, end, allDay, timezone } = await readEventOf(...lines)
      expect([start, end]).toEqual(days)
      expect([allDay, timezone]).toEqual([true, HOME])
    }
  })

  it.each([
    ['DTEND:20240301T100000Z', 3600],
    ['DURATION:PT1H', 3600],
    ['DURATION:P1D', 86_400],
    ['DTEND:20240301T090000Z', 60],
    ['DTEND:20240201T090000Z', 60],
    ['DURATION:-PT1H', 60],
    ['DURATION:P1Y', 60],
    ['DTEND;VALUE=DATE:20240302', 54_000],
    ['X-NOTHING:at all', 60],
  ])('with %s lasts %d seconds', async (line, seconds) => {
    const { start, end } = await readEventOf('DTSTART:20240301T090000Z', line)
    expect((Date.parse(end) - Date.parse(start)) / 1000).toBe(seconds)
  })

  it('with a duration of days ends at the same local time', async () => {
    const entry = await readEventOf('DTSTART;TZID=Europe/Berlin:20240330T120000', 'DURATION:P1D')
    expect(entry.end).toBe('2024-03-31T10:00:00.000Z')
  })

  it('with floating times uses the default zone, or the zone of its calendar', async () => {
    expect(await readEventOf('DTSTART:20240701T090000')).toMatchObject({
      start: '2024-07-01T07:00:00.000Z',
      timezone: HOME,
    })
    const text = calendarWith('UID:1', 'DTSTART:20240701T090000').replace(
      'VERSION:2.0',
      'X-WR-TIMEZONE:Asia/Tokyo',
    )
    expect(await entriesIn(text)).toMatchObject([
      { start: '2024-07-01T00:00:00.000Z', timezone: 'Asia/Tokyo' },
    ])
  })

  it('in UTC stays in UTC, and with a TZID keeps its instant and the zone', async () => {
    expect(await readEventOf('DTSTART:20240701T090000Z')).toMatchObject({ timezone: 'UTC' })
    expect(await readEventOf('DTSTART;TZID=Asia/Tokyo:20240701T090000Z')).toMatchObject({
      start: '2024-07-01T09:00:00.000Z',
      timezone: 'Asia/Tokyo',
    })
  })

  it('excludes and adds occurrences in all date forms', async () => {
    const series = ['DTSTART;TZID=America/New_York:20240301T090000', 'RRULE:FREQ=DAILY']
    for (const exdate of [
      'EXDATE;TZID=America/New_York:20240302T090000',
      'EXDATE:20240302T140000Z',
      'EXDATE:20240302T090000',
      'EXDATE;VALUE=DATE:20240302',
      'EXDATE;TZID=Europe/Berlin:20240302T150000,,20240302T150000',
    ])
      expect((await readEventOf(...series, exdate)).exdates).toEqual(['2024-03-02T14:00:00.000Z'])
    const days = ['DTSTART;VALUE=DATE:20240301', 'RRULE:FREQ=DAILY']
    for (const exdate of ['EXDATE;VALUE=DATE:20240302', 'EXDATE:20240302T080000', 'EXDATE:20240301T230000Z'])
      expect((await readEventOf(...days, exdate)).exdates).toEqual(['2024-03-01T23:00:00.000Z'])
    const rdate = 'RDATE;VALUE=PERIOD:20240305T140000Z/20240305T160000Z,20240306T140000Z/PT2H'
    expect((await readEventOf(...series, rdate)).rdates).toEqual([
      '2024-03-05T14:00:00.000Z',
      '2024-03-06T14:00:00.000Z',
    ])
  })

  it('is kept if some of its dates cannot be parsed', async () => {
    const series = ['DTSTART:20240301T090000Z', 'RRULE:FREQ=DAILY']
    expect(await readEventOf(...series, 'EXDATE;VALUE=DATE:', 'RDATE;VALUE=TIME:083000')).toMatchObject({
      exdates: [],
      rdates: [],
    })
  })

  it('replaces an occurrence of a series', async () => {
    const timed = ['DTSTART:20240305T100000Z', 'RECURRENCE-ID;TZID=Europe/Berlin:20240305T090000']
    expect((await readEventOf(...timed)).recurrenceId).toBe('2024-03-05T08:00:00.000Z')
    const days = ['DTSTART;VALUE=DATE:20240306', 'RECURRENCE-ID;VALUE=DATE:20240305', 'RRULE:FREQ=DAILY']
    expect(await readEventOf(...days)).toMatchObject({
      recurrenceId: '2024-03-04T23:00:00.000Z',
      recurrence: null,
    })
  })

  it('without a UID gets one derived from its content', async () => {
    const lines = ['DTSTART:20240301T090000Z', 'SUMMARY:One', 'DTSTAMP:20240101T000000Z']
    const [one] = await entriesIn(calendarWith(...lines))
    const [again] = await entriesIn(calendarWith('UID:', ...lines.slice(0, 2), 'DTSTAMP:20250505T000000Z'))
    const [other] = await entriesIn(calendarWith(...lines, 'LOCATION:Elsewhere'))
    expect(one?.uid).toMatch(/^derived-[0-9a-f]{40}$/)
    expect(again?.uid).toBe(one?.uid)
    expect(other?.uid).not.toBe(one?.uid)
  })

  it('may be encoded as quoted-printable', async () => {
    const entry = await readEventOf(
      'DTSTART:20240301T090000Z',
      'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Gr=FC=DFe =3D)',
      'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:one=0Atwo=\r\nthree ä',
    )
    expect(entry.title).toBe('Grüße =)')
    expect(entry.description).toBe('one\ntwothree ä')
  })

  it('contains no characters that a database would reject', async () => {
    const entry = await readEventOf(
      'DTSTART:20240301T090000Z',
      'SUMMARY:one\u0000two\ud800\u0007',
      'X-FOO:\u0000\udfff',
      'ATTENDEE;CN=a\u0000b:mailto:a@b.test',
    )
    expect(JSON.stringify(entry)).not.toMatch(/\\u0000|\\ud800|\\udfff|\\u0007/)
    expect(entry.title).toBe('onetwo\ufffd')
  })
})

describe('the parser skips an event and reports the reason', () => {
  it.each([
    ['DTSTART:20241301', 'DTSTART cannot be parsed: 20241301.'],
    ['DTSTART:', 'DTSTART cannot be parsed: .'],
    ['DTSTART:-0011130T100000', 'DTSTART cannot be parsed: -0011130T100000.'],
    ['DTSTART;TZID=Asia/Tokyo:00010101T000000', 'The event is outside of the years 1 to 9999.'],
  ])('if it has %s', async (line, reason) => {
    expect(await reasonFor(line)).toBe(reason)
  })

  it('if its recurrence rule is invalid', async () => {
    expect(await reasonFor('DTSTART:20240301T090000Z', 'RRULE:FREQ=SOMETIMES')).toMatch(/^RRULE: FREQ takes/)
  })

  it('if its RECURRENCE-ID cannot be parsed', async () => {
    expect(await reasonFor('DTSTART:20240301T090000Z', 'RECURRENCE-ID:never')).toBe(
      'The RECURRENCE-ID of the event cannot be parsed.',
    )
    expect(await readEventOf('DTSTART:20240301T090000Z', 'RECURRENCE-ID:')).toMatchObject({
      recurrenceId: null,
    })
  })

  it('if its UID is too long for an index', async () => {
    expect(await readAll(calendarWith('DTSTART:20240301T090000Z', `UID:${'語'.repeat(334)}`))).toMatchObject([
      { kind: 'skipped', reason: 'The UID of the event is longer than 1000 octets.' },
    ])
  })

  it('if it is too large', async () => {
    const start = 'DTSTART:20240301T090000Z'
    expect(await reasonFor(start, `SUMMARY:${'x'.repeat(5001)}`)).toBe(
      'SUMMARY of the event is longer than 5000 characters.',
    )
    const guests = Array.from({ length: 5001 }, (_, index) => `ATTENDEE:mailto:a${index}@b.test`)
    expect(await reasonFor(start, ...guests)).toBe('The event has more than 5000 attendees.')
  })

  it('without affecting other events', async () => {
    const found = await readAll(
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:bad',
        'DTSTART:nonsense',
        'END:VEVENT',
        'BEGIN:VTODO',
        'UID:todo',
        'END:VTODO',
        'BEGIN:VEVENT',
        'UID:good',
        'DTSTART:20240301T090000Z',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\n'),
    )
    expect(found).toMatchObject([
      { kind: 'skipped', uid: 'bad', line: 2 },
      { kind: 'skipped', uid: 'todo', line: 6, reason: 'A VTODO is not an event.' },
      { kind: 'entry', line: 9, entry: { uid: 'good' } },
    ])
  })
})

describe('a calendar file', () => {
  const event = (uid: string): string => `BEGIN:VEVENT\nUID:${uid}\nDTSTART:20240301T090000Z\nEND:VEVENT\n`
  const uidsIn = async (text: string): Promise<string[]> => (await entriesIn(text)).map(({ uid }) => uid)

  it.each([
    ['no end', `BEGIN:VCALENDAR\n${event('1')}${event('2')}`],
    ['no beginning', `${event('1')}${event('2')}`],
    [
      'several calendars',
      `BEGIN:VCALENDAR\n${event('1')}END:VCALENDAR\nBEGIN:VCALENDAR\n${event('2')}END:VCALENDAR`,
    ],
    ['a calendar in a calendar', `BEGIN:VCALENDAR\nBEGIN:VCALENDAR\n${event('1')}${event('2')}`],
    [
      'text around it',
      `Hello,\nhere it is:\nBEGIN:VCALENDAR\n${event('1')}${event('2')}END:VCALENDAR\n-- \nMe`,
    ],
    ['names in small letters', `begin:vcalendar\n${event('1').toLowerCase()}${event('2').toLowerCase()}`],
    ['a mark before it', `\ufeffBEGIN:VCALENDAR\n${event('1')}${event('2')}`],
    ['components of another kind', `BEGIN:VCALENDAR\nBEGIN:X-A\nNAME:x\nEND:X-A\n${event('1')}${event('2')}`],
    ['an event without its end', `BEGIN:VCALENDAR\n${event('1').replace('END:VEVENT\n', '')}${event('2')}`],
  ])('may have %s', async (_, text) => {
    expect(await uidsIn(text)).toEqual(['1', '2'])
  })

  it('that ends inside an event lacks only that event', async () => {
    const found = await readAll(`BEGIN:VCALENDAR\n${event('1')}BEGIN:VEVENT\nUID:2\nDTSTART:20240301T09`)
    expect(found).toMatchObject([
      { kind: 'entry' },
      { kind: 'skipped', uid: '2', reason: 'The file ends inside the event.' },
    ])
  })

  it('has its name, zone and method at any position', async () => {
    const file = await openCalendar(
      `BEGIN:VCALENDAR\n${event('1')}X-WR-CALNAME:Home\\, sweet\nX-WR-TIMEZONE:Tokyo Standard Time\nMETHOD\n :publish\nEND:VCALENDAR`,
      { timezone: HOME },
    )
    expect(file).toMatchObject({
      isCalendar: true,
      name: 'Home, sweet',
      timezone: 'Asia/Tokyo',
      method: 'PUBLISH',
    })
  })

  it('is parsed in steps that let other work run', async () => {
    let turns = 0
    const count = (): void => {
      turns++
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    await openCalendar(`BEGIN:VCALENDAR\n${event('1').repeat(50_000)}`, { timezone: HOME })
    clearImmediate(turn)
    expect(turns).toBeGreaterThan(5)
  })

  it('is rejected without a calendar in it', async () => {
    for (const text of ['', 'Hello', '<html>BEGIN:VCALENDAR</html>', '{}'])
      expect(await openCalendar(text, { timezone: HOME })).toMatchObject({ isCalendar: false })
  })

  it('with METHOD:CANCEL cancels events, even without times', async () => {
    const text =
      'BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nUID:1\nSEQUENCE:2\nEND:VEVENT\nEND:VCALENDAR\n'
    expect(await readAll(text)).toMatchObject([
      { kind: 'undated', method: 'CANCEL', entry: { uid: '1', sequence: 2, status: 'cancelled' } },
    ])
    expect(await readAll(`BEGIN:VCALENDAR\n${event('1')}METHOD:CANCEL\n`)).toMatchObject([
      { kind: 'entry', entry: { status: 'cancelled' } },
    ])
  })
})

describe('alarms', () => {
  const withAlarm = (...lines: string[]) =>
    readEventOf('DTSTART:20240301T090000Z', 'BEGIN:VALARM', ...lines, 'END:VALARM')

  it.each([
    ['TRIGGER:-PT15M', 15],
    ['TRIGGER;RELATED=START:-P1DT2H', 1560],
    ['TRIGGER:PT0S', 0],
    ['TRIGGER;VALUE=DURATION:-P1W', 10_080],
  ])('with %s become reminders %d minutes before', async (trigger, minutesBefore) => {
    expect((await withAlarm('ACTION:DISPLAY', trigger)).reminders).toEqual([{ minutesBefore }])
  })

  it.each([
    'TRIGGER:PT15M',
    'TRIGGER;RELATED=END:-PT5M',
    'TRIGGER;VALUE=DATE-TIME:20240301T080000Z',
    'TRIGGER:-PT30S',
    'TRIGGER:nonsense',
  ])('with %s are kept without becoming reminders', async (trigger) => {
    const { reminders, extra } = await withAlarm('ACTION:AUDIO', trigger)
    expect(reminders).toEqual([])
    expect(extra).toContain(trigger.replace(/.*:/, ''))
  })
})
