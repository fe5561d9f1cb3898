import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type QuickTask, readQuickTask } from '../src/nlu/quick-task.ts'

const NOW = Date.parse('2024-05-15T09:00:00Z')
const read = (text: string): QuickTask => readQuickTask(text, { now: NOW })
const dueOf = ({ due }: QuickTask): string | undefined =>
  due &&
  new Date(due.day * 86_400_000 + (due.seconds ?? 0) * 1000)
    .toISOString()
    .slice(0, due.seconds === undefined ? 10 : 16)

describe('readQuickTask', () => {
  it.each([
    ['pay rent every month on the 1st !high #home', 'pay rent', '2024-06-01'],
    ['Call mom tomorrow at 5pm', 'Call mom', '2024-05-16T17:00'],
    ['send report by Friday', 'send report', '2024-05-17'],
    ['buy milk', 'buy milk', undefined],
    ['Submit taxes by end of May', 'Submit taxes', '2024-05-31'],
    ['review PR #42 today', 'review PR #42', '2024-05-15'],
    ['remind me to water the plants on Sunday', 'water the plants', '2024-05-19'],
    ['read "Monday or Friday" tonight', 'read "Monday or Friday"', '2024-05-15T20:00'],
    ['Dentist 24.5. 8:30', 'Dentist', '2024-05-24T08:30'],
    ['Miete überweisen am 1. jeden Monats', 'Miete überweisen', '2024-06-01'],
    ['Steuererklärung bis 31.7. abgeben', 'Steuererklärung abgeben', '2024-07-31'],
    ['morgen um 9 Uhr Anna anrufen', 'Anna anrufen', '2024-05-16T09:00'],
    ['Miete zahlen jeden Monat am 1. !hoch', 'Miete zahlen', '2024-06-01'],
    ['am ersten Montag im Monat Bericht schicken', 'Bericht schicken', '2024-06-03'],
    ['send the report on the last Friday of the month', 'send the report', '2024-05-31'],
    ['Reise buchen bis Ende des Monats', 'Reise buchen', '2024-05-31'],
    ['am 31.02.2025 Probe', 'am 31.02.2025 Probe', undefined],
    ['jeden Montag Müll rausbringen', 'Müll rausbringen', '2024-05-20'],
    ['take pills daily at 8am and 8pm', 'take pills', '2024-05-15T20:00'],
    ['Tabletten täglich um 8 und um 20 Uhr', 'Tabletten', '2024-05-15T20:00'],
    ['pay rent on the 1st of every month', 'pay rent', '2024-06-01'],
    ['read chapter 5 tonight', 'read chapter 5', '2024-05-15T20:00'],
    ["buy tickets for Friday's concert", "buy tickets for Friday's concert", undefined],
    ['Plan the June review', 'Plan the June review', undefined],
    ['Check Q3 numbers', 'Check Q3 numbers', undefined],
    ['Ask April about the offsite', 'Ask April about the offsite', undefined],
    ['review the quarterly report', 'review the quarterly report', undefined],
    ['Reifen wechseln im Oktober', 'Reifen wechseln', '2024-10-01'],
    ['Blumen für Muttertag bestellen', 'Blumen für Muttertag bestellen', undefined],
    ['clean the garage this week', 'clean the garage', '2024-05-19'],
    ['buy paint this weekend', 'buy paint', '2024-05-18'],
    ['renew the licence next month', 'renew the licence', '2024-06-01'],
    ['Review sales for this quarter', 'Review sales for this quarter', undefined],
    ['reply to the mail from yesterday', 'reply to the mail from yesterday', undefined],
    ['listen to 1990s music', 'listen to 1990s music', undefined],
    ['call mum sat', 'call mum', '2024-05-18'],
    ['Sat: mow lawn', 'mow lawn', '2024-05-18'],
    ['call Mo', 'call Mo', undefined],
    ['pay Fr. Meier', 'pay Fr. Meier', undefined],
    ['send report by 5', 'send report', '2024-05-15T17:00'],
    ['call dentist after lunch', 'call dentist', '2024-05-15T14:00'],
    ['buy tickets for the 8pm show', 'buy tickets for the 8pm show', undefined],
    ['prepare slides for Monday meeting', 'prepare slides for Monday meeting', undefined],
    ['tell Bob it moved to Friday', 'tell Bob it moved to Friday', undefined],
    ['daily standup 8:30', 'standup', '2024-05-16T08:30'],
    ['Kuchen backen für Sonntag', 'Kuchen backen', '2024-05-19'],
    ['sit in the sun', 'sit in the sun', undefined],
    ['Oma anrufen So', 'Oma anrufen', '2024-05-19'],
    ['Elternabend Do 19:30', 'Elternabend', '2024-05-16T19:30'],
    ['gym mon wed fri 7am', 'gym', '2024-05-17T07:00'],
    ['dentist tue 3 or 4pm', 'dentist', '2024-05-21T15:00'],
    ['meet Ben 3 or 4pm tomorrow', 'meet Ben', '2024-05-16T15:00'],
    ['Müll rausbringen jeden Donnerstagabend', 'Müll rausbringen', '2024-05-16T18:00'],
    ['meditate every morning', 'meditate', '2024-05-16T08:00'],
    ['school run 7:45', 'school run', '2024-05-16T07:45'],
    ['gym 7:45 tomorrow', 'gym', '2024-05-16T07:45'],
    ['dinner 7:45', 'dinner', '2024-05-15T19:45'],
    ['drinks at 9', 'drinks', '2024-05-15T21:00'],
    ['train 6:52 tomorrow', 'train', '2024-05-16T06:52'],
    ['send slides COB tomorrow', 'send slides', '2024-05-16T17:00'],
    ['file it by close of business Friday', 'file it', '2024-05-17T17:00'],
    ['close the books at quarter end', 'close the books', '2024-06-30'],
    ['return parcel within 14 days', 'return parcel', '2024-05-29'],
    ['Rechnung zahlen innerhalb von 3 Werktagen', 'Rechnung zahlen', '2024-05-20'],
    ['pay invoice 4711 net 30', 'pay invoice 4711', '2024-06-14'],
    ['mid-June plan party', 'plan party', '2024-06-11'],
    ["reply to Tom's mail of 12 Apr", "reply to Tom's mail of 12 Apr", undefined],
    ['check invoice from 3 May', 'check invoice from 3 May', undefined],
    ['pay the 15/4 invoice', 'pay the 15/4 invoice', undefined],
    ['deploy 2024-05-20T10', 'deploy', '2024-05-20T10:00'],
    ['12 noon lunch w/ Kay', 'lunch w/ Kay', '2024-05-15T12:00'],
    ['2moro buy milk', 'buy milk', '2024-05-16'],
    ['mtg w/ Bob thurs 2p', 'mtg w/ Bob', '2024-05-16T14:00'],
    ['nxt fri submit timesheet', 'submit timesheet', '2024-05-24'],
    ['first thing tomorrow email HR', 'email HR', '2024-05-16T08:00'],
    ['heute noch Müll rausbringen', 'Müll rausbringen', '2024-05-15'],
    ['am 24. Geschenke einpacken', 'Geschenke einpacken', '2024-05-24'],
    ['Torte zum 50. Geburtstag', 'Torte zum 50. Geburtstag', undefined],
    ['retro notes (due Friday)', 'retro notes', '2024-05-17'],
    ['[Fri] retro notes', 'retro notes', '2024-05-17'],
    ['due: 2024-06-01 file taxes', 'file taxes', '2024-06-01'],
    ['fix foo() tomorrow', 'fix foo()', '2024-05-16'],
    ['order cake 2w before 1 June', 'order cake', '2024-05-18'],
    ['paint fence first half of June', 'paint fence', '2024-06-01'],
    ['buy a 3d printer', 'buy a 3d printer', undefined],
    ['Bericht schreiben nächste Woche !dringend #arbeit', 'Bericht schreiben', '2024-05-20'],
  ])('parses "%s" as "%s", due %s', (text, title, due) => {
    const task = read(text)
    expect(task.title).toBe(title)
    expect(dueOf(task)).toBe(due)
  })

  // The current time is 9:00 in Berlin and 3:00 in New York.
  it.each([
    ['call bob at 10am EST', 'call bob', '2024-05-15T16:00'],
    ['call bob (10am EST)', 'call bob', '2024-05-15T16:00'],
    ['call bob at 10am est tomorrow !high', 'call bob', '2024-05-16T16:00'],
    ['call bob at 4am EST', 'call bob', '2024-05-15T10:00'],
    ['call bob at 2am EST', 'call bob', '2024-05-16T08:00'],
    ['um 10 Uhr MEZ Anna anrufen', 'Anna anrufen', '2024-05-15T10:00'],
    ['Anruf um 9 Uhr New Yorker Zeit', 'Anruf', '2024-05-15T15:00'],
    ['webinar 2pm London time on Friday', 'webinar', '2024-05-17T15:00'],
    ['ping Ana 9am PT / 12pm ET tomorrow', 'ping Ana', '2024-05-16T18:00'],
    ['meeting at 10:00 UTC+5:30 tomorrow', 'meeting', '2024-05-16T06:30'],
    ['call mom at 6pm my time', 'call mom', '2024-05-15T18:00'],
    ['deploy Friday 9am Europe/Berlin', 'deploy', '2024-05-17T09:00'],
    ['pay invoice by Friday EST', 'pay invoice', '2024-05-17'],
    ['submit paper by 23:59 AoE Friday', 'submit paper', '2024-05-18T13:59'],
    ['buy EST stickers', 'buy EST stickers', undefined],
    ['read about GMT', 'read about GMT', undefined],
    ['learn PST syntax tomorrow', 'learn PST syntax', '2024-05-16'],
    ['book Monday CT scan', 'book CT scan', '2024-05-20'],
    ['visit 3pm West Side gallery', 'visit West Side gallery', '2024-05-15T15:00'],
    ['meet at 10am Europe/Nowhere', 'meet Europe/Nowhere', '2024-05-15T10:00'],
  ])('converts a time in another zone: %s', (text, title, due) => {
    const task = readQuickTask(text, { now: NOW, timezone: 'Europe/Berlin' })
    expect([task.title, dueOf(task)]).toEqual([title, due])
  })

  it.each([
    ['standup every weekday at 9am PST', '2024-05-15T18:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['call Sydney every Monday at 7am AEST', '2024-05-19T23:00', 'FREQ=WEEKLY;BYDAY=SU'],
    ['every weekday at 7am AEST call', '2024-05-15T23:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,SU'],
    ['pills daily at 8am and 8pm EST', '2024-05-15T14:00', 'FREQ=DAILY;BYHOUR=2,14'],
    ['report every month on the 15th at 1am JST', '2024-06-14T18:00', 'FREQ=MONTHLY;BYMONTHDAY=14'],
  ])('converts a recurrence in another zone: %s', (text, due, recurrence) => {
    const task = readQuickTask(text, { now: NOW, timezone: 'Europe/Berlin' })
    expect([dueOf(task), task.recurrence]).toEqual([due, recurrence])
  })

  it('reports the zone separately from the time', () => {
    const readParts = (text: string) =>
      readQuickTask(text, { now: NOW, timezone: 'Europe/Berlin' }).understood.map((piece) => {
        expect(text.slice(piece.offset, piece.offset + piece.text.length)).toBe(piece.text)
        return [piece.kind, piece.text]
      })
    expect(readParts('call bob at 10am EST')).toEqual([
      ['due', 'at 10am'],
      ['zone', 'EST'],
    ])
    expect(readParts('at 10am (Berlin time) on Friday call bob')).toEqual([
      ['due', 'at 10am'],
      ['zone', 'Berlin time'],
      ['due', 'on Friday'],
    ])
  })

  it('reports the recognized parts and their positions', () => {
    const text = 'pay rent every month on the 1st !high #home'
    const { recurrence, priority, tags, understood } = read(text)
    expect({ recurrence, priority, tags }).toEqual({
      recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1',
      priority: 'high',
      tags: ['home'],
    })
    expect(understood.map(({ kind, text: piece }) => [kind, piece])).toEqual([
      ['recurrence', 'every month on the 1st'],
      ['priority', '!high'],
      ['tag', '#home'],
    ])
    for (const { text: piece, offset } of understood)
      expect(text.slice(offset, offset + piece.length)).toBe(piece)
  })

  it.each([
    ['a !!', 'high'],
    ['a !!!', 'urgent'],
    ['p1 a', 'urgent'],
    ['a p2', 'high'],
    ['a !low', 'low'],
    ['a prio: hoch', 'high'],
    ['low priority: a', 'low'],
    ['a (high priority)', 'high'],
    ['wichtig: a', 'high'],
    ['a!', 'normal'],
    ['what a day!', 'normal'],
  ])('parses the priority of "%s" as %s', (text, priority) => {
    expect(read(text).priority).toBe(priority)
  })

  it.each([
    ['gym every weekday 6:30', '2024-05-16T06:30'],
    ['gym every Wednesday 6:30', '2024-05-22T06:30'],
    ['poker every Wednesday at 8', '2024-05-15T20:00'],
  ])('starts "%s" at the next occurrence, %s', (text, due) => {
    expect(dueOf(read(text))).toBe(due)
  })

  it('combines a recurrence with its hour', () => {
    const task = read('standup every weekday at 9:15')
    expect(task.recurrence).toBe('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR')
    expect(dueOf(task)).toBe('2024-05-15T09:15')
    expect(task.title).toBe('standup')
  })

  it.each([
    ['pay rent every 15th', 'pay rent', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['Miete jeden 15. des Monats zahlen', 'Miete zahlen', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['Miete jeden 1.', 'Miete', 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ['gym every mon wed fri', 'gym', 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['gym every mon tue wed thu fri', 'gym', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['gym every Tue/Thu 7pm', 'gym', 'FREQ=WEEKLY;BYDAY=TU,TH'],
    ['gym on Mondays, Wednesdays and Fridays', 'gym', 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['Müll jeden Di', 'Müll', 'FREQ=WEEKLY;BYDAY=TU'],
    ['Sport jeden Mo, Mi und Fr', 'Sport', 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['jeden Montag mit Ana essen', 'mit Ana essen', 'FREQ=WEEKLY;BYDAY=MO'],
    ['every Monday do laundry', 'do laundry', 'FREQ=WEEKLY;BYDAY=MO'],
    ['pay every 2nd day', 'pay', 'FREQ=DAILY;INTERVAL=2'],
    ['Mon-Fri 8am walk dog', 'walk dog', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Mo-Fr 8 Uhr Hund raus', 'Hund raus', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['weekends water garden', 'water garden', 'FREQ=WEEKLY;BYDAY=SA,SU'],
    ['weekly 1:1 with Kim thursdays 14:00', 'weekly 1:1 with Kim', 'FREQ=WEEKLY;BYDAY=TH'],
    ['bi-weekly report on Fridays', 'bi-weekly report', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'],
    ['gym the next two Mondays', 'gym', 'FREQ=WEEKLY;BYDAY=MO;COUNT=2'],
    ['die nächsten drei Freitage Blumen gießen', 'Blumen gießen', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3'],
  ])('parses "%s" as "%s" with %s', (text, title, recurrence) => {
    expect(read(text)).toMatchObject({ title, recurrence })
  })

  // The recurring dates that Todoist documents, and their German forms.
  it.each([
    ['every 3rd friday', 'FREQ=MONTHLY;BYDAY=3FR', '2024-05-17'],
    ['jeden 3. Freitag', 'FREQ=MONTHLY;BYDAY=3FR', '2024-05-17'],
    ['every last friday', 'FREQ=MONTHLY;BYDAY=-1FR', '2024-05-31'],
    ['ev last fri', 'FREQ=MONTHLY;BYDAY=-1FR', '2024-05-31'],
    ['jeden letzten Freitag', 'FREQ=MONTHLY;BYDAY=-1FR', '2024-05-31'],
    ['on the last Thursday of every month', 'FREQ=MONTHLY;BYDAY=-1TH', '2024-05-30'],
    ['am letzten Donnerstag jeden Monats', 'FREQ=MONTHLY;BYDAY=-1TH', '2024-05-30'],
    ['every second Tuesday', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '2024-05-21'],
    ['every other Tuesday', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '2024-05-21'],
    ['every 27', 'FREQ=MONTHLY;BYMONTHDAY=27', '2024-05-27'],
    ['every 2, 15, 27', 'FREQ=MONTHLY;BYMONTHDAY=2,15,27', '2024-05-15'],
    ['every 2nd, 15th and 27th', 'FREQ=MONTHLY;BYMONTHDAY=2,15,27', '2024-05-15'],
    ['jeden 2., 15., 27.', 'FREQ=MONTHLY;BYMONTHDAY=2,15,27', '2024-05-15'],
    ['jeden 1. und 15.', 'FREQ=MONTHLY;BYMONTHDAY=1,15', '2024-05-15'],
    ['every first day of the month', 'FREQ=MONTHLY;BYMONTHDAY=1', '2024-06-01'],
    ['every last day of the month', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2024-05-31'],
    ['jeden ersten Tag im Monat', 'FREQ=MONTHLY;BYMONTHDAY=1', '2024-06-01'],
    ['jeden letzten Tag des Monats', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2024-05-31'],
    ['jeden 3. Tag', 'FREQ=DAILY;INTERVAL=3', '2024-05-15'],
    ['am zweiten Montag jeden Monats', 'FREQ=MONTHLY;BYDAY=2MO', '2024-06-10'],
    ['every monday through friday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2024-05-15'],
    ['jeden Montag bis Freitag', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2024-05-15'],
    ['jeden Arbeitstag', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2024-05-15'],
    ['jeden letzten Arbeitstag', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2024-05-31'],
    ['jeden 15. Werktag', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=15', '2024-05-21'],
    ['ev 7 may', 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=7', '2025-05-07'],
    ['every last day', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2024-05-31'],
    ['jeden letzten Tag', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2024-05-31'],
    ['ev weekday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2024-05-15'],
    ['every first workday', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', '2024-06-03'],
    ['jeden ersten Werktag', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', '2024-06-03'],
    ['every 15th workday', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=15', '2024-05-21'],
    ['every mon, tues, wed, and fri', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,FR', '2024-05-15'],
    ['every! 2 weeks', 'FREQ=WEEKLY;INTERVAL=2', '2024-05-15'],
    ['jeden! Tag', 'FREQ=DAILY', '2024-05-15'],
    ['every day ending Aug 31', 'FREQ=DAILY;UNTIL=20240831', '2024-05-15'],
    // 1 May was a week ago: the series counts from it.
    ['every 14 days starting 1 May', 'FREQ=DAILY;INTERVAL=14', '2024-05-15'],
    ['every 10 days starting 1 May', 'FREQ=DAILY;INTERVAL=10', '2024-05-21'],
    ['alle 10 Tage ab 1. Mai', 'FREQ=DAILY;INTERVAL=10', '2024-05-21'],
    ['every day from 10 May until 20 May', 'FREQ=DAILY;UNTIL=20240520', '2024-05-15'],
    ['every 2 weeks starting 1 May 2023', 'FREQ=WEEKLY;INTERVAL=2', '2024-05-27'],
    ['every 3 months starting 10 August', 'FREQ=MONTHLY;INTERVAL=3', '2024-08-10'],
  ])('parses "%s" as Todoist does: %s from %s on', (words, recurrence, due) => {
    const task = read(`water plants ${words}`)
    expect([task.title, task.recurrence, dueOf(task)?.slice(0, 10)]).toEqual([
      'water plants',
      recurrence,
      due,
    ])
  })

  it('reads each numbered weekday as that of the month, in digits and words', () => {
    const days = {
      MO: ['Monday', 'mon', 'Montag'],
      TU: ['Tuesday', 'tue', 'Dienstag'],
      WE: ['Wednesday', 'wed', 'Mittwoch'],
      TH: ['Thursday', 'thu', 'Donnerstag'],
      FR: ['Friday', 'fri', 'Freitag'],
      SA: ['Saturday', 'sat', 'Samstag'],
      SU: ['Sunday', 'sun', 'Sonntag'],
    }
    const orders = [
      [1, '1st', '1.', 'first', 'ersten'],
      [2, '2nd', '2.', '2nd', '2.'],
      [3, '3rd', '3.', 'third', 'dritten'],
      [4, '4th', '4.', 'fourth', 'vierten'],
      [5, '5th', '5.', 'fifth', 'fünften'],
    ] as const
    for (const [code, [full, short, german]] of Object.entries(days))
      for (const [n, digits, germanDigits, word, germanWord] of orders)
        for (const words of [
          `every ${digits} ${full}`,
          `ev ${digits} ${short}`,
          `every ${word} ${full}`,
          `every! ${digits} ${full}`,
          `jeden ${germanDigits} ${german}`,
          `jeden ${germanWord} ${german}`,
        ]) {
          const task = read(`call Ana ${words}`)
          const expected = ['call Ana', `FREQ=MONTHLY;BYDAY=${n}${code}`]
          expect([words, task.title, task.recurrence]).toEqual([words, ...expected])
          const due = new Date(dueOf(task) as string)
          expect([words, Math.ceil(due.getUTCDate() / 7)]).toEqual([words, n])
        }
  })

  // Todoist's forms, made of their parts. A lost part would stay in the title or change the rule.
  it('reads the parts of a recurrence of Todoist independently of each other', () => {
    const part = <T>(...choices: T[]) => fc.constantFrom(...choices)
    const repeats = part(
      ['every day', 'FREQ=DAILY'],
      ['every 3 days', 'FREQ=DAILY;INTERVAL=3'],
      ['every other week', 'FREQ=WEEKLY;INTERVAL=2'],
      ['ev weekday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      ['every mon, fri', 'FREQ=WEEKLY;BYDAY=MO,FR'],
      ['every 3rd friday', 'FREQ=MONTHLY;BYDAY=3FR'],
      ['every 2, 15, 27', 'FREQ=MONTHLY;BYMONTHDAY=2,15,27'],
      ['every last day', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
      ['every 15th workday', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=15'],
      ['jeden Tag', 'FREQ=DAILY'],
      ['alle 2 Wochen', 'FREQ=WEEKLY;INTERVAL=2'],
      ['jeden Montag und Freitag', 'FREQ=WEEKLY;BYDAY=MO,FR'],
      ['jeden 3. Freitag', 'FREQ=MONTHLY;BYDAY=3FR'],
      ['jeden letzten Tag', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    )
    const hours = part(['', undefined], [' at 9am', '09:00'], [' at 20:15', '20:15'], [' um 7 Uhr', '07:00'])
    const ends = part(
      ['', ''],
      [' until 3 Aug 2025', ';UNTIL=20250803'],
      [' bis 3.8.2025', ';UNTIL=20250803'],
    )
    fc.assert(
      fc.property(repeats, hours, ends, ([words, rule], [hour, time], [end, until]) => {
        const task = read(`water plants ${words}${hour}${end}`)
        expect([task.title, task.recurrence, dueOf(task)?.slice(11)]).toEqual([
          'water plants',
          `${rule}${until}`,
          time ?? '',
        ])
      }),
      { numRuns: 300 },
    )
  })

  it('keeps a number in the title that is no day', () => {
    expect(read('a bus for every 27 people').recurrence).toBeUndefined()
    expect(read('charge the EV').title).toBe('charge the EV')
  })

  it.each([
    'invoice clients every last working day of the month',
    'jeden letzten Werktag im Monat abrechnen',
  ])('parses the last working day of the month: %s', (text) => {
    const task = read(text)
    expect(task.recurrence).toBe('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1')
    expect(dueOf(task)).toBe('2024-05-31')
  })

  it('sets the due day without a time if the evening has already begun', () => {
    const late = readQuickTask('finish slides tonight', { now: Date.parse('2024-05-15T22:40:00Z') })
    expect(dueOf(late)).toBe('2024-05-15')
  })

  it('parses the estimated duration', () => {
    const essay = read('write essay for 2h tomorrow')
    expect([essay.title, dueOf(essay), essay.estimateMinutes]).toEqual(['write essay', '2024-05-16', 120])
    expect(read('write minutes for 45 minutes tomorrow')).toMatchObject({
      title: 'write minutes',
      estimateMinutes: 45,
    })
  })

  it('keeps the line as title if nothing else is left', () => {
    expect(read('tomorrow').title).toBe('tomorrow')
    expect(read('#home').title).toBe('#home')
  })
})
