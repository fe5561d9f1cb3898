import { describe, expect, it } from 'vitest'
import { hasData, percent } from '../bench/nlu/data.ts'
import {
  eventCases,
  f1,
  intentCases,
  readCase,
  scoreEventRequests,
  scoreEvents,
} from '../bench/nlu/smcalflow.ts'
import { type DetectedMeeting, type DetectOptions, detectMeetings } from '../src/nlu/meetings/detect.ts'
import { findLinks } from '../src/nlu/meetings/title.ts'

describe.skipIf(!hasData('meeting-smcalflow'))('event requests, on the public half of the data', () => {
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

  it('recognizes requests to create an event', () => {
    const figure = f1(scoreEventRequests(intentCases()))
    console.log(`create or not: F1 ${figure.toFixed(3)}`)
    expect(figure).toBeGreaterThanOrEqual(0.925)
  })
})

const NOW = Date.parse('2024-05-15T09:00:00Z')
const detect = (text: string, more: Partial<DetectOptions> = {}) =>
  detectMeetings(text, { now: NOW, timezone: 'Europe/Berlin', ...more })
const when = ({ start, end }: DetectedMeeting): string =>
  `${new Date(start).toISOString().slice(0, 16)}/${new Date(end).toISOString().slice(0, 16)}`

describe('times of neighbours', () => {
  it.each([
    ['Can we talk next week? I am free on Thursday at 3pm.', '2024-05-23T13:00'],
    ['Lass uns in der Woche vom 3.6. reden. Mittwoch 11 Uhr?', '2024-06-05T09:00'],
    ['Können wir uns in der 22. Kalenderwoche treffen? Donnerstag um 10 Uhr wäre gut.', '2024-05-30T08:00'],
    ['Are you free on Thursday between 2 and 4 (my time, London)?', '2024-05-16T13:00'],
    ['Shall we meet on Thursday at 3pm or Friday at 10am? All times are CET.', '2024-05-16T13:00'],
  ])('give their week and zone: %s', (text, start) => {
    expect(detect(text).meetings.map(when)[0]?.slice(0, 16)).toBe(start)
  })

  it.each([
    [
      'Could we have a call next week, say Tuesday at 10am or Wednesday at 2pm?',
      ['2024-05-21T08:00', '2024-05-22T12:00'],
    ],
    [
      'Next week works better for us. Would Tuesday or Wednesday at 11am suit you?',
      ['2024-05-21T09:00', '2024-05-22T09:00'],
    ],
    ['Wie wäre es in KW 48, Dienstag um 10 Uhr?', ['2024-11-26T09:00']],
    ['Treffen wir uns in der KW 23? Montag 14 Uhr passt mir gut.', ['2024-06-03T12:00']],
    [
      'Vorschlag: KW 21, Mittwoch oder Freitag um 9:30 Uhr. Können wir uns da treffen?',
      ['2024-05-22T07:30', '2024-05-24T07:30'],
    ],
    ['Can we meet on Friday between 2 and 4 my time (London)?', ['2024-05-17T13:00']],
    ['Would Monday at 9am my time (New York) work for a call?', ['2024-05-20T13:00']],
    ['Shall we talk the week of June 10? Thursday at 4pm is good for me.', ['2024-06-13T14:00']],
    [
      'Übernächste Woche hätte ich Zeit für ein Treffen: Dienstag um 15 Uhr oder Donnerstag um 11 Uhr.',
      ['2024-05-28T13:00', '2024-05-30T09:00'],
    ],
    [
      'Are you available in calendar week 24 for a meeting? Tuesday, 3pm would be ideal.',
      ['2024-06-11T13:00'],
    ],
    [
      'Können wir nächste Woche telefonieren? Mir passt Montag um 9 Uhr (Londoner Zeit).',
      ['2024-05-20T08:00'],
    ],
    ['Could we meet the week after next? Friday at noon works for me.', ['2024-05-31T10:00']],
    ['I can do 3pm UK time on Thursday for the meeting. Does that suit you?', ['2024-05-16T14:00']],
  ])('give their week and zone to each proposal: %s', (text, starts) => {
    expect(detect(text).meetings.map(({ start }) => new Date(start).toISOString().slice(0, 16))).toEqual(
      starts,
    )
  })

  it('lets "in two weeks" name the week of the next weekday', () => {
    const { meetings } = detect('Let us meet in two weeks. Is Wednesday at 10am possible?')
    expect(meetings.map(when).at(-1)).toContain('2024-05-29T08:00')
  })

  it.each([
    ['Could we meet on Thursday at 3pm?', true, false],
    ['Could we meet on Thursday at 3pm my time?', false, false],
    ['Are you free on Thursday between 2pm and 4pm?', true, true],
    ['Shall we meet tomorrow afternoon?', false, true],
  ])('are certain, or name a window: %s', (text, isCertain, isWindow) => {
    expect(detect(text).meetings[0]).toMatchObject({ isCertain, isWindow })
  })
})

describe('meeting detection', () => {
  it('separates several proposals and gives evidence for each', () => {
    const text =
      'Hi Bob,\n\ncan we meet on Tuesday at 10am or Thursday, 2pm to 3pm (London time)?\n\nBest,\nAnn'
    const { detected, meetings } = detect(text)
    expect(detected).toBe(true)
    expect(meetings.map(when)).toEqual([
      '2024-05-21T08:00/2024-05-21T09:00',
      '2024-05-23T13:00/2024-05-23T14:00',
    ])
    expect(meetings.map(({ timezone }) => timezone)).toEqual(['Europe/Berlin', 'Europe/London'])
    for (const { evidence } of meetings)
      for (const { text: piece, offset } of evidence)
        expect(text.slice(offset, offset + piece.length)).toBe(piece)
  })

  it('applies a single hour to both days of an alternative', () => {
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
  ])('recognizes one time in several time zones: %s', (text) => {
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
    // The doubt between noon and midnight must not prevent the detection.
    ['Meeting with Bob on 5 June 2024 at 11:00', 'Meeting with Bob', '2024-06-05T09:00'],
    ['Lunch with Ana on Friday at 12:30', 'Lunch with Ana', '2024-05-17T10:30'],
    ['Video call on Monday at 10', 'Video call', '2024-05-20T08:00'],
  ])('detects the meeting in: %s', (text, title, start) => {
    const [meeting] = detect(text).meetings
    expect([meeting?.title, meeting && when(meeting).slice(0, 16)]).toEqual([title, start])
  })

  it('reads an invitation with labelled lines, a link and a time zone', () => {
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

  it('removes the prefix and suffix that calendars add to a title', () => {
    const subject = 'Invitation: Sync @ Thu May 16, 2024 2pm - 3pm (CET) (me@example.org)'
    const { meetings } = detect('When: Thu May 16, 2024 2pm – 3pm Central European Time', { subject })
    expect(meetings[0]?.title).toBe('Sync')
  })

  it('resolves an hour in another time zone without a date to the next one there', () => {
    const late = Date.parse('2024-05-15T18:00:00Z')
    const startOf = (text: string) => detect(text, { now: late }).meetings.map(({ start }) => start)
    // 20:00 in Berlin is 14:00 in New York.
    expect(startOf('Can we meet at 3pm EST?')).toEqual([Date.parse('2024-05-15T19:00:00Z')])
    expect(startOf('Can we meet at 1pm EST?')).toEqual([Date.parse('2024-05-16T17:00:00Z')])
  })

  it('ignores an unknown time zone', () => {
    const { meetings } = detect('Let us meet tomorrow at 10am Europe/Nowhere')
    expect(meetings.map(({ start, timezone }) => [start, timezone])).toEqual([
      [Date.parse('2024-05-16T08:00:00Z'), 'Europe/Berlin'],
    ])
  })

  it('reads "my time" in the time zone of the writer', () => {
    const { meetings } = detect('Shall we talk tomorrow at 9am my time?', {
      writerTimezone: 'America/New_York',
    })
    expect(meetings.map(when)).toEqual(['2024-05-16T13:00/2024-05-16T14:00'])
  })

  it('detects a recurring meeting', () => {
    const { meetings } = detect(
      'Our weekly sync call is every Monday at 9am, please join: https://meet.google.com/abc-defg-hij',
    )
    expect(meetings.map(({ recurrence }) => recurrence)).toEqual(['FREQ=WEEKLY;BYDAY=MO'])
    expect(meetings.map(when)).toEqual(['2024-05-20T07:00/2024-05-20T08:00'])
  })

  it('creates an all-day meeting for a date without an hour', () => {
    const { meetings } = detect('Can we meet for lunch on Friday?')
    expect(meetings[0]).toMatchObject({ allDay: true, title: 'Lunch' })
    expect(meetings.map(when)).toEqual(['2024-05-16T22:00/2024-05-17T22:00'])
  })

  it('ignores quoted text', () => {
    const { meetings } = detect(
      "Yes, Friday at noon works great for lunch at Luigi's.\n\nOn Mon, 13 May 2024, Ann <a@b.example> wrote:\n> Can we meet Monday at 1pm?",
    )
    expect(meetings.map(when)).toEqual(['2024-05-17T10:00/2024-05-17T11:00'])
    expect(meetings[0]?.location).toBe("Luigi's")
  })

  it('reads a forwarded mail without a comment', () => {
    const text =
      '---------- Forwarded message ---------\nFrom: Ole Berg <ole@example.org>\nDate: Mon, 13 May 2024 at 09:12\nSubject: Kickoff\nTo: Mia <mia@example.org>\n\nKickoff meeting, Monday 20 May, 10:00-11:30, Room Elbe'
    const { meetings } = detect(text)
    expect(meetings.map(when)).toEqual(['2024-05-20T08:00/2024-05-20T09:30'])
    expect(text.slice(meetings[0]?.evidence[0]?.offset)).toMatch(/^Monday 20 May/)
    expect(detect(`Please ignore.\n\n${text}`).meetings).toEqual([])
  })

  it.each([
    'Thanks for the meeting yesterday at 3pm, it was great.',
    'Invoice 4711, amount 120 EUR. Due date: June 1, 2024. Please pay by Friday.',
    'Our office is open Monday to Friday from 9am to 5pm. Closed on public holidays.',
    'Flash sale! 50% off until Sunday at midnight. Unsubscribe here.',
    'I will deliver the report by Thursday 5pm.',
    'Unfortunately the meeting on Friday at 3pm is cancelled.',
    'Ich war am Montag um 9 beim Arzt.',
    'Server restarts: Tuesday 02:00, Thursday 02:00.',
    'The deadline for the workshop registration is Friday 5pm.',
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
    [
      'Could we meet about the roadmap? I am free:\n- Thursday 10:00\n- Friday 9am\nLet me know.',
      ['2024-05-16T08:00', '2024-05-17T07:00'],
    ],
    ['I need to move our Friday 10am meeting to Monday at 11.', ['2024-05-20T09:00']],
    ['Can we push our call from Thursday 2pm to Friday 4pm?', ['2024-05-17T14:00']],
    ["I can't do Thursday at 3, how about Friday at 11?", ['2024-05-17T09:00']],
    ['Donnerstag um 15 Uhr geht bei mir nicht, wie wäre es mit Freitag um 11?', ['2024-05-17T09:00']],
    ['Hast du morgen um 18:30 Uhr Zeit für ein Bier?', ['2024-05-16T16:30']],
    ['Wann passt es dir? Ich könnte am 19. um 10.', ['2024-05-19T08:00']],
    ['I can do Monday 2-3pm or Wednesday 11-12.', ['2024-05-20T12:00', '2024-05-22T09:00']],
    ['Lunch on Friday? Say 12:30?', ['2024-05-17T10:30']],
    [
      'Which of these suits you for the interview:\n1. Monday, 9:30am\n2. Tuesday, 3pm',
      ['2024-05-20T07:30', '2024-05-21T13:00'],
    ],
    ['Friday 1pm works. See you there!', ['2024-05-17T11:00']],
    ['Monday 4pm suits.', ['2024-05-20T14:00']],
    ['The going away party is on Friday at 5pm.', ['2024-05-17T15:00']],
    ["I've booked a table for lunch on Friday at 1pm.", ['2024-05-17T11:00']],
    ["Shall we meet? I'm busy on Monday at 9.", []],
    ['Tomorrow at 9 is perfect, talk then.', ['2024-05-16T07:00']],
    ['Thursday is no good for me, but Friday at 10 would work.', ['2024-05-17T08:00']],
    ['My availability:\n* Mon 20 May 3pm\n* Tue 21 May 11:30am', ['2024-05-20T13:00', '2024-05-21T09:30']],
    ["I can't make it on Monday at 4. Could we do Wednesday at 4 instead?", ['2024-05-22T14:00']],
    ['The committee has been moved from Monday 20 May to Tuesday 21 May, 9:00.', ['2024-05-21T07:00']],
    ['We are having people over on Saturday at 7.30pm. Would you like to join us?', ['2024-05-18T17:30']],
    ['From next week on we hold the review every Thursday at 3pm.', ['2024-05-23T13:00']],
    ['Tomorrow 3pm works for me, see you then!', ['2024-05-16T13:00']],
    ['Passt dir Dienstag um 10 oder Donnerstag um 14 Uhr?', ['2024-05-21T08:00', '2024-05-23T12:00']],
    ['Der Termin am Freitag um 10 Uhr muss leider ausfallen.', []],
    ['The shop has been down since 9:40. Please call me at once.', []],
    ["Can you check the budget? I'll talk to the auditors on Friday.", []],
    ['I cannot make Thursday at 2pm. Would Friday at 11 work instead?', ['2024-05-17T09:00']],
    ['Could we do a call on Tuesday at 3 or 4pm?', ['2024-05-21T13:00', '2024-05-21T14:00']],
    ['Let me know if 3pm or 4pm on Friday works for our call.', ['2024-05-17T13:00', '2024-05-17T14:00']],
    ['Are you around next Monday or Thursday, both at 4pm?', ['2024-05-20T14:00', '2024-05-23T14:00']],
    ['Could we talk tomorrow afternoon, say at 3:30?', ['2024-05-16T13:30']],
    ['Our sync moves from Mondays 10:00 to Tuesdays 9:30.', ['2024-05-21T07:30']],
    ['The review originally planned for Friday 10am takes place on Monday at 1pm.', ['2024-05-20T11:00']],
    [
      'Der Termin am 21.05. um 15 Uhr wird verschoben, neuer Vorschlag: 28.05., gleiche Uhrzeit.',
      ['2024-05-28T13:00'],
    ],
    ['Our board visits on 4 June. Would you join us for dinner at 7pm?', ['2024-06-04T17:00']],
    [
      'Proposed slots:\n- Mon 20 May, 9:00–9:30\n- Tue 21 May, 14:00',
      ['2024-05-20T07:00', '2024-05-21T12:00'],
    ],
    ['Ich schlage Dienstag, 28. Mai, 16:00 Uhr vor.', ['2024-05-28T14:00']],
    ['Every first Wednesday of the month we have our book club at 7:30pm.', ['2024-06-05T17:30']],
    ['Webinar on 15 July at 11am EST', ['2024-07-15T15:00']],
    ["We have to move Friday's review, can you do Monday at 2?", ['2024-05-20T12:00']],
    ['Would 9am ET / 3pm CET on Thursday be OK?', ['2024-05-16T13:00']],
    ['Does 4pm work for you today? Otherwise tomorrow at 9.', ['2024-05-15T14:00', '2024-05-16T07:00']],
    ['Conference: 10–12 September, Lisbon', ['2024-09-09T22:00']],
    ['Confirmed for Wednesday 22 May at 11:00, Room B.', ['2024-05-22T09:00']],
    ['Could you do 11:30 instead of 11 tomorrow?', ['2024-05-16T09:30']],
    ['Our Thursday 3pm call is postponed to next week, same time.', ['2024-05-23T13:00']],
    [
      'Das Meeting am Donnerstag um 15 Uhr wird auf nächste Woche verschoben, gleiche Zeit.',
      ['2024-05-23T13:00'],
    ],
    ['Let’s meet for breakfast at 7:45.', ['2024-05-16T05:45']],
    ['Could we have a call tomorrow at 7:45?', ['2024-05-16T05:45']],
    ['Dinner at 7:45 on Friday?', ['2024-05-17T17:45']],
    ['Dinner meeting on Monday at 10:00.', ['2024-05-20T08:00']],
    ['Works. Thursday 4pm then?', ['2024-05-16T14:00']],
    ['Schulung am 3.6., 9-12 Uhr und 13-16 Uhr', ['2024-06-03T07:00', '2024-06-03T11:00']],
    [
      'I’m free for a call Mon 20th 2-4pm, Tue 21st after 3, or Wed 22nd at 11.',
      ['2024-05-20T12:00', '2024-05-21T13:00', '2024-05-22T09:00'],
    ],
    [
      'Rehearsals: 24, 26 and 30 May at 18:00, please come to every meeting.',
      ['2024-05-24T16:00', '2024-05-26T16:00', '2024-05-30T16:00'],
    ],
    ['Video call Friday, 9am London / 10am Berlin', ['2024-05-17T08:00']],
    ['Der Elternabend findet am 22.5. statt. Beginn ist um 19:30 Uhr in der Aula.', ['2024-05-22T17:30']],
    ['Sommerfest am 6. Juli ab 15 Uhr im Hof, bitte kommt zahlreich!', ['2024-07-06T13:00']],
    ['Your table for 4 is booked for Saturday at 8.', ['2024-05-18T18:00']],
    ['Can we meet the next two Mondays at 10?', ['2024-05-20T08:00']],
    [
      'Choir rehearsals on 22 May, 2 Jun and 9 Jun, always 19:00.',
      ['2024-05-22T17:00', '2024-06-02T17:00', '2024-06-09T17:00'],
    ],
    [
      'Könnten wir das Gespräch von Donnerstag 10 Uhr auf Freitag zur gleichen Zeit verschieben?',
      ['2024-05-17T08:00'],
    ],
    ["Hi team, instead of Thu 10:00 we'll meet Thu 14:00.", ['2024-05-16T12:00']],
    ["Last year's party was on 5 December at 7pm.", []],
    ['Meeting: 2024-05-20T10', ['2024-05-20T08:00']],
    ['I will call you within 14 days about the meeting.', []],
  ])('finds the final times in %j', (text, starts) => {
    expect(detect(text).meetings.map(({ start }) => new Date(start).toISOString().slice(0, 16))).toEqual(
      starts,
    )
  })

  it.each([
    ['Interview tomorrow, 3pm, with Dr. Patel (Room 4.12).', 'Room 4.12', 'Interview with Dr. Patel'],
    [
      'Einladung zum Gespräch morgen um 14 Uhr im Büro (Hauptstraße 5, 80331 München).',
      'Büro (Hauptstraße 5, 80331 München)',
      'Gespräch',
    ],
    [
      'Can we connect tomorrow at 9 am? https://teams.microsoft.com/l/meetup-join/19%3ameeting_abc/0',
      null,
      'Meeting',
    ],
  ])('finds location and title in: %s', (text, location, title) => {
    expect(detect(text).meetings[0]).toMatchObject({ location, title })
  })

  it.each([
    ['https://meet.google.com/abc-defg-hij', 'meet'],
    ['https://us02web.zoom.us/j/8123?pwd=x', 'zoom'],
    ['https://teams.microsoft.com/l/meetup-join/19%3ameeting', 'teams'],
    ['https://acme.webex.com/meet/ann', 'webex'],
    ['https://meet.jit.si/Standup', 'jitsi'],
    ['https://whereby.com/ann', 'whereby'],
  ])('recognizes the meeting link %s', (url, kind) => {
    expect(findLinks(`Join here: ${url}.`)).toEqual([{ kind, text: url, offset: 11 }])
  })

  it('recognizes a phone number to dial in', () => {
    expect(findLinks('Dial-in: +49 30 1234 5678, PIN 99')).toEqual([
      { kind: 'phone', text: '+49 30 1234 5678', offset: 9 },
    ])
  })
})
