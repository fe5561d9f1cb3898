import { describe, expect, it } from 'vitest'
import { hasData, percent } from '../bench/engine/data.ts'
import { eventCases, f1, intentCases, readCase, scoreEvents, scoreWishes } from '../bench/engine/smcalflow.ts'
import { type DetectedMeeting, type DetectOptions, detectMeetings } from '../src/engine/meetings/detect.ts'
import { findLinks } from '../src/engine/meetings/links.ts'

describe.skipIf(!hasData('meeting-smcalflow'))('meeting requests, on the public half', () => {
  it('reads start, title, people, place and length', () => {
    const scores = scoreEvents(eventCases(), readCase)
    const figures = {
      start: percent(scores.start),
      title: percent(scores.title),
      people: f1(scores.people),
      place: f1(scores.place),
      duration: f1(scores.duration),
    }
    console.log(figures)
    expect(figures.start).toBeGreaterThanOrEqual(95)
    expect(figures.title).toBeGreaterThanOrEqual(85)
    expect(figures.people).toBeGreaterThanOrEqual(0.95)
    expect(figures.place).toBeGreaterThanOrEqual(0.88)
    expect(figures.duration).toBeGreaterThanOrEqual(0.97)
  })

  it('knows who wants an event made', () => {
    const figure = f1(scoreWishes(intentCases()))
    console.log(`create or not: F1 ${figure.toFixed(3)}`)
    expect(figure).toBeGreaterThanOrEqual(0.925)
  })
})

const NOW = Date.parse('2024-05-15T09:00:00Z')
const detect = (text: string, more: Partial<DetectOptions> = {}) =>
  detectMeetings(text, { now: NOW, timezone: 'Europe/Berlin', ...more })
const when = ({ start, end }: DetectedMeeting): string =>
  `${new Date(start).toISOString().slice(0, 16)}/${new Date(end).toISOString().slice(0, 16)}`

describe('finding meetings in mails', () => {
  it('keeps several proposals apart, each with its evidence', () => {
    const text =
      'Hi Bob,\n\ncan we meet on Tuesday at 10am or Thursday, 2pm to 3pm (London time)?\n\nBest,\nAnn'
    const { detected, meetings } = detect(text)
    expect(detected).toBe(true)
    expect(meetings.map(when)).toEqual([
      '2024-05-21T08:00/2024-05-21T09:00',
      '2024-05-16T13:00/2024-05-16T14:00',
    ])
    expect(meetings.map(({ timezone }) => timezone)).toEqual(['Europe/Berlin', 'Europe/London'])
    for (const { evidence } of meetings)
      for (const { text: piece, offset } of evidence)
        expect(text.slice(offset, offset + piece.length)).toBe(piece)
  })

  it('gives both days of an alternative the hour that is said once', () => {
    const { meetings } = detect('Is Monday or Tuesday at 3pm good for a 30 minute call?')
    expect(meetings.map(when)).toEqual([
      '2024-05-20T13:00/2024-05-20T13:30',
      '2024-05-21T13:00/2024-05-21T13:30',
    ])
  })

  it.each([
    'Webinar Thursday 10am PT / 1pm ET',
    'Webinar Thursday 10am PT (1pm ET, 6pm BST)',
    'Webinar on Thursday at 10am PDT | 19:00 CEST',
  ])('knows an hour that is told on several clocks: %s', (text) => {
    expect(detect(text).meetings.map(when)).toEqual(['2024-05-16T17:00/2024-05-16T18:00'])
  })

  it('reads a German invitation', () => {
    const { meetings } = detect(
      'Hallo Frau Schmidt,\n\nwollen wir uns am Donnerstag, den 23.5. um 14 Uhr zum Mittagessen im Café Central treffen?',
    )
    expect(meetings.map(when)).toEqual(['2024-05-23T12:00/2024-05-23T13:00'])
    expect(meetings[0]).toMatchObject({ title: 'Mittagessen', location: 'Café Central' })
  })

  it.each([
    ['Können wir am Dienstag, den 21.5. um 9:30 Uhr telefonieren?', 'Telefonat', '2024-05-21T07:30'],
    ['Wir sehen uns Samstag um 8 Uhr.', 'Treffen', '2024-05-18T06:00'],
    ['Wollen wir uns übermorgen halb vier treffen?', 'Treffen', '2024-05-17T13:30'],
    ['Ihr Arzttermin ist am 3. Juni um 11:15 Uhr.', 'Arzttermin', '2024-06-03T09:15'],
    ['Die Abteilungssitzung ist am Montag um 14 Uhr.', 'Abteilungssitzung', '2024-05-20T12:00'],
    ['Kaffee mit Anna morgen um 15 Uhr?', 'Kaffee mit Anna', '2024-05-16T13:00'],
    // An hour that may be before noon or after is an hour all the same.
    ['Meeting with Bob on 5 June 2024 at 11:00', 'Meeting with Bob', '2024-06-05T09:00'],
    ['Lunch with Ana on Friday at 12:30', 'Lunch with Ana', '2024-05-17T10:30'],
    ['Video call on Monday at 10', 'Video call', '2024-05-20T08:00'],
  ])('reads %s', (text, title, start) => {
    const [meeting] = detect(text).meetings
    expect([meeting?.title, meeting && when(meeting).slice(0, 16)]).toEqual([title, start])
  })

  it('reads an invitation line by line, with its link and its zone', () => {
    const { meetings } = detect(
      'When: Wednesday, May 22, 2024 3:00 PM – 4:00 PM PDT\nWhere: Room 5\nJoin: https://zoom.us/j/123456789',
      { subject: 'Re: Roadmap' },
    )
    expect(meetings.map(when)).toEqual(['2024-05-22T22:00/2024-05-22T23:00'])
    expect(meetings[0]).toMatchObject({
      title: 'Roadmap',
      location: 'Room 5',
      meetingUrl: 'https://zoom.us/j/123456789',
      timezone: 'America/Los_Angeles',
      endStated: true,
    })
  })

  it('takes "my time" for the time of the writer', () => {
    const { meetings } = detect('Shall we talk tomorrow at 9am my time?', {
      writerTimezone: 'America/New_York',
    })
    expect(meetings.map(when)).toEqual(['2024-05-16T13:00/2024-05-16T14:00'])
  })

  it('knows a meeting that comes back', () => {
    const { meetings } = detect(
      'Our weekly sync call is every Monday at 9am, please join: https://meet.google.com/abc-defg-hij',
    )
    expect(meetings.map(({ recurrence }) => recurrence)).toEqual(['FREQ=WEEKLY;BYDAY=MO'])
    expect(meetings.map(when)).toEqual(['2024-05-20T07:00/2024-05-20T08:00'])
  })

  it('makes a whole day of a day without an hour', () => {
    const { meetings } = detect('Can we meet for lunch on Friday?')
    expect(meetings[0]).toMatchObject({ allDay: true, title: 'Lunch' })
    expect(meetings.map(when)).toEqual(['2024-05-16T22:00/2024-05-17T22:00'])
  })

  it('cuts off what is quoted', () => {
    const { meetings } = detect(
      "Yes, Friday at noon works great for lunch at Luigi's.\n\nOn Mon, 13 May 2024, Ann <a@b.example> wrote:\n> Can we meet Monday at 1pm?",
    )
    expect(meetings.map(when)).toEqual(['2024-05-17T10:00/2024-05-17T11:00'])
    expect(meetings[0]?.location).toBe("Luigi's")
  })

  it.each([
    'Thanks for the meeting yesterday at 3pm, it was great.',
    'Invoice 4711, amount 120 EUR. Due date: June 1, 2024. Please pay by Friday.',
    'Our office is open Monday to Friday from 9am to 5pm. Closed on public holidays.',
    'Flash sale! 50% off until Sunday at midnight. Unsubscribe here.',
    'I will deliver the report by Thursday 5pm.',
    'Unfortunately the meeting on Friday at 3pm is cancelled.',
    'Der Liefertermin ist Dienstag, der 21.5. um 12 Uhr.',
    'Der Abgabetermin für den Bericht ist Freitag um 17 Uhr.',
    'Termin am 31.02.2025 um 10 Uhr',
    'Meeting on 02/31/2025 at 10am',
    'Wir haben Montag bis Freitag von 9 bis 17 Uhr geöffnet.',
    'Rechnung Nr. 12, fällig am 01.06.2024, Betrag 99,00 EUR',
    'Your order was shipped and will arrive on Tuesday, May 21 between 9am and 1pm.',
  ])('finds no meeting in: %s', (text) => {
    expect(
      detect(text).meetings.map(({ title, start }) => `${title} ${new Date(start).toISOString()}`),
    ).toEqual([])
  })

  it.each([
    ['https://meet.google.com/abc-defg-hij', 'meet'],
    ['https://us02web.zoom.us/j/8123?pwd=x', 'zoom'],
    ['https://teams.microsoft.com/l/meetup-join/19%3ameeting', 'teams'],
    ['https://acme.webex.com/meet/ann', 'webex'],
    ['https://meet.jit.si/Standup', 'jitsi'],
    ['https://whereby.com/ann', 'whereby'],
  ])('knows %s', (url, kind) => {
    expect(findLinks(`Join here: ${url}.`)).toEqual([{ kind, text: url, offset: 11 }])
  })

  it('knows a number to dial', () => {
    expect(findLinks('Dial-in: +49 30 1234 5678, PIN 99')).toEqual([
      { kind: 'phone', text: '+49 30 1234 5678', offset: 9 },
    ])
  })
})
