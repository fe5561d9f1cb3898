import { describe, expect, it } from 'vitest'
import { ctCases, isCtRight, readCt } from '../bench/nlu/ctparse.ts'
import { hasData, percent, type Rate, rate } from '../bench/nlu/data.ts'
import {
  ducklingCore,
  ducklingDurations,
  ducklingNegatives,
  isDucklingRight,
  isDurationRight,
  readDuckling,
} from '../bench/nlu/duckling.ts'
import { isRecognizersRight, readRecognizers, recognizersCases } from '../bench/nlu/recognizers.ts'
import { readTimes, type TimeExpression } from '../src/nlu/dates/read.ts'
import type { Moment } from '../src/nlu/dates/values.ts'

const NOW = Date.parse('2024-05-15T09:00:00Z')
const read = (text: string): TimeExpression[] => readTimes(text, { now: NOW })
const wall = ({ start }: TimeExpression): string | undefined =>
  start && new Date(start.day * 86_400_000 + (start.seconds ?? 0) * 1000).toISOString().slice(0, 16)

const report = (name: string, result: Rate): number => {
  console.log(`${name}: ${percent(result).toFixed(1)} % of ${result.of}`)
  return percent(result)
}

describe('readTimes', () => {
  it.each([
    ['see you tomorrow at 3pm', '2024-05-16T15:00'],
    ['wir treffen uns übermorgen um halb acht', '2024-05-17T19:30'],
    ['am Dienstag, den 21.5. um 14 Uhr', '2024-05-21T14:00'],
    ['in zwei Wochen', '2024-05-29T00:00'],
    ['nächsten Montag um 9:15 Uhr', '2024-05-20T09:15'],
    ['kommenden Freitag', '2024-05-17T00:00'],
    ['the last Friday of June', '2024-06-28T00:00'],
    ['half past nine tomorrow morning', '2024-05-16T09:30'],
    ['on Friday at half three', '2024-05-17T15:30'],
    ['ten to six tonight', '2024-05-15T17:50'],
    ['um fünf nach halb sechs', '2024-05-15T17:35'],
    ['morgen früh um viertel acht', '2024-05-16T07:15'],
    ['around 3ish tomorrow', '2024-05-16T15:00'],
    ['a week on Tuesday', '2024-05-28T00:00'],
    ['two weeks ago on Friday', '2024-05-03T00:00'],
    ['this coming weekend', '2024-05-18T00:00'],
    ['half an hour before noon', '2024-05-15T11:30'],
    ['every weekday at 7:15', '2024-05-16T07:15'],
    ['zwischen 10 und 12 Uhr am Freitag', '2024-05-17T10:00'],
    ['um drei Viertel acht', '2024-05-15T19:45'],
    ['a year ago today', '2023-05-15T00:00'],
    ['Labor Day weekend', '2024-08-31T00:00'],
    ['between Christmas and New Year', '2024-12-25T00:00'],
    ['am 1. Advent', '2024-12-01T00:00'],
    ['zum Monatsersten', '2024-06-01T00:00'],
    ['this time next week', '2024-05-22T09:00'],
    ['vom 23.12. bis einschließlich 6.1.', '2024-12-23T00:00'],
    ['morgen in einer Woche', '2024-05-23T00:00'],
    ['at 9 sharp', '2024-05-15T09:00'],
    ['von Montag bis Mittwoch, jeweils 9-17 Uhr', '2024-05-20T09:00'],
    ['the report is late since 8am', '2024-05-15T08:00'],
    ['alle 14 Tage montags um 20 Uhr', '2024-05-20T20:00'],
    ['zwischen dem 4. und 8. Juni', '2024-06-04T00:00'],
    ['the second Monday after Easter', '2025-04-28T00:00'],
    ['am Tag vor Heiligabend', '2024-12-23T00:00'],
    ['14-tägig mittwochs', '2024-05-15T00:00'],
    ['innerhalb von 3 Werktagen', '2024-05-15T00:00'],
    ['Rosh Hashanah', '2024-10-03T00:00'],
    ['Passover 2026', '2026-04-02T00:00'],
    ['Hanukkah 2026', '2026-12-05T00:00'],
    ['Chinese New Year', '2025-01-29T00:00'],
    ['Orthodox Easter 2026', '2026-04-12T00:00'],
    ['Buß- und Bettag', '2024-11-20T00:00'],
    ['Victoria Day', '2024-05-20T00:00'],
    ['am übernächsten Samstag', '2024-06-01T00:00'],
    ['EOD Friday', '2024-05-17T23:59'],
    ['Friday EOD', '2024-05-17T23:59'],
    ['tomorrow week', '2024-05-23T00:00'],
    ['Friday fortnight', '2024-05-31T00:00'],
    ['Montag in einer Woche', '2024-05-27T00:00'],
    ['the Friday after next', '2024-05-24T00:00'],
    ['two Fridays ago', '2024-05-03T00:00'],
    ['Christmas Eve', '2024-12-24T00:00'],
    ["New Year's Eve at 8pm", '2024-12-31T20:00'],
    ['Tag der Deutschen Einheit', '2024-10-03T00:00'],
    ['03-May-26', '2026-05-03T00:00'],
    ['on 03.04.2026', '2026-04-03T00:00'],
    ['2026-05-03T18:30:00Z', '2026-05-03T18:30'],
    ['4pm AEST on Thursday', '2024-05-16T16:00'],
    ['10:00 GMT+5:30', '2024-05-15T10:00'],
    ['9 to 5 tomorrow', '2024-05-16T09:00'],
    ['bis zum 20.', '2024-05-20T00:00'],
    ['bis Monatsende', '2024-05-21T00:00'],
    ['am Wochenende', '2024-05-18T00:00'],
    ['in der 22. KW', '2024-05-27T00:00'],
    ['the second half of June', '2024-06-16T00:00'],
    ['the Monday after Easter', '2025-04-21T00:00'],
    ['the last working day of the month', '2024-05-31T00:00'],
    ['am zweiten Weihnachtstag', '2024-12-26T00:00'],
    ['das Geschenk am 21. besorgen', '2024-05-21T00:00'],
    ['COB Friday', '2024-05-17T17:00'],
    ['bis zur zweiten Jahreshälfte', '2024-07-01T00:00'],
    ['every first working day of the month at 9am', '2024-06-03T09:00'],
    ['2w before 1 June', '2024-05-18T00:00'],
    ['two weeks before Christmas', '2024-12-11T00:00'],
    ['first half of June', '2024-06-01T00:00'],
    ['zweite Aprilhälfte', '2025-04-16T00:00'],
    ['in der ersten Maihälfte', '2024-05-01T00:00'],
    ['in der 2. Jahreshälfte', '2024-07-01T00:00'],
    ['the next two Mondays', '2024-05-20T00:00'],
    ['die kommenden drei Freitage um 10 Uhr', '2024-05-17T10:00'],
    ['on wensday at 5', '2024-05-22T17:00'],
    ['thurdsay 3pm', '2024-05-16T15:00'],
    ['am mitwoch um 10', '2024-05-22T10:00'],
    ['5 feburary', '2025-02-05T00:00'],
    ['12. Setpember', '2024-09-12T00:00'],
    ['für den 28. um 10 Uhr', '2024-05-28T10:00'],
    ['für den 28. Zahnarzt eintragen', '2024-05-28T00:00'],
    ['viertel vor neun', '2024-05-16T08:45'],
    ['dreiviertel acht', '2024-05-15T19:45'],
    ['eine halbe Stunde vor 15 Uhr', '2024-05-15T14:30'],
    ['eine Viertelstunde vor 8', '2024-05-15T19:45'],
    ['quarter to nine tomorrow', '2024-05-16T08:45'],
    ['ten to 6pm', '2024-05-15T17:50'],
    ['Morning run tomorrow at 6:15', '2024-05-16T06:15'],
    ['Afternoon tea on Sunday at 4pm', '2024-05-19T16:00'],
    ['Evening walk at 7 on Friday', '2024-05-17T19:00'],
    ['Morning meeting with Ana at 9:30 on Friday', '2024-05-17T09:30'],
    ['weekly report on 3 December', '2024-12-03T00:00'],
    ['annual checkup on Friday', '2024-05-17T00:00'],
    ['daily stand-up tomorrow at 9', '2024-05-16T09:00'],
    ['am 2. Montag im Juni', '2024-06-10T00:00'],
    ['am 4.7. ganz früh', '2024-07-04T08:00'],
    ['Wecker auf 6 Uhr', '2024-05-16T06:00'],
    ['Zahnarzt um 5 Uhr', '2024-05-15T17:00'],
    ['later this month', '2024-05-15T00:00'],
  ])('resolves "%s" to %s', (text, expected) => {
    expect(read(text).map(wall)).toEqual([expected])
  })

  it.each([
    ['dinner on Friday, 5 to 6:15pm', '2024-05-17T17:00', '2024-05-17T18:15'],
    ['5 to 6pm', '2024-05-15T17:00', '2024-05-15T18:00'],
    ['tomorrow, 10 to 11:30', '2024-05-16T10:00', '2024-05-16T11:30'],
    ['11. auf 12.', '2024-06-11T00:00', '2024-06-12T00:00'],
    ['vom 11. auf den 12. Juni', '2024-06-11T00:00', '2024-06-12T00:00'],
    ['27.9. mittags bis 29.9. morgens', '2024-09-27T12:00', '2024-09-29T12:00'],
    ['earlier this year', '2024-01-01T00:00', '2024-05-15T00:00'],
  ])('parses the range "%s"', (text, from, to) => {
    const [range] = read(text)
    expect([range, range && { ...range, start: range.end as Moment }].map((one) => one && wall(one))).toEqual(
      [from, to],
    )
  })

  it.each(['Sundry items for Frida', 'Augusta and Montaigne', 'a montage of Mondial'])(
    'takes no other word for a misspelled name: %s',
    (text) => {
      expect(read(text)).toEqual([])
    },
  )

  it.each([
    ['am 12. und 13. Juni', ['2024-06-12', '2024-06-13']],
    ['the 5th, 6th and 7th of June', ['2024-06-05', '2024-06-06', '2024-06-07']],
    ['am 5. und am 12. Juni jeweils um 10 Uhr', ['2024-06-05', '2024-06-12']],
    ['Thursday or Friday of next week', ['2024-05-23', '2024-05-24']],
    ['on June 12 and 13', ['2024-06-12', '2024-06-13']],
    ['on June 12 and 13 people came', ['2024-06-12']],
  ])('completes each day of a list: %s', (text, days) => {
    expect(read(text).map((time) => wall(time)?.slice(0, 10))).toEqual(days)
  })

  it('moves the first half of a month to the next year after the middle of the month', () => {
    const [half] = readTimes('in the first half of May', { now: Date.parse('2024-05-20T09:00:00Z') })
    expect(half && wall(half)).toBe('2025-05-01T00:00')
  })

  it('returns the position of each time', () => {
    const text = 'Either Tuesday at 10 or Thursday, 2pm to 3pm (Berlin time), works for me.'
    const found = read(text)
    expect(found.map(({ text }) => text)).toEqual(['Tuesday at 10', 'Thursday, 2pm to 3pm'])
    expect(
      found.every(({ offset, text: piece }) => text.slice(offset, offset + piece.length) === piece),
    ).toBe(true)
    expect(found[1]?.zone?.name).toBe('Europe/Berlin')
  })

  it.each([
    ['every Monday and Thursday at 8am', 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['jeden zweiten Dienstag', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['every 3 months', 'FREQ=MONTHLY;INTERVAL=3'],
    ['monthly on the 15th', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['every weekday until June 30', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20240630'],
    ['the last Friday of every month', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['täglich um 7 Uhr', 'FREQ=DAILY'],
    ['daily at 8am and 8pm', 'FREQ=DAILY;BYHOUR=8,20'],
    ['daily at 9, 13 and 18', 'FREQ=DAILY;BYHOUR=9,13,18'],
    ['daily at 6:30 and 18:30', 'FREQ=DAILY;BYHOUR=6,18'],
    ['am 5. und 20. jedes Monats', 'FREQ=MONTHLY;BYMONTHDAY=5,20'],
    ['um 8 und 20 Uhr täglich', 'FREQ=DAILY;BYHOUR=8,20'],
    ['fortnightly on Mondays', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'],
    ['monthly on the last Friday', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['every 1st and 15th', 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
    ['every Friday for 6 weeks', 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20240627'],
    ['every day except Sunday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA'],
    ['jeden letzten Freitag im Monat um 16 Uhr', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['jeden 2. Dienstag', 'FREQ=MONTHLY;BYDAY=2TU'],
    ['halbjährlich', 'FREQ=MONTHLY;INTERVAL=6'],
    ['weekly review every Sunday', 'FREQ=WEEKLY;BYDAY=SU'],
    ['a fortnightly sync on Tuesdays', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
  ])('parses the recurrence "%s" as %s', (text, expected) => {
    expect(read(text).map(({ rule }) => rule)).toEqual([expected])
  })

  it.each([
    ['jeden Dienstag um 18 Uhr Yoga bis 15. Januar', 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20250115'],
    ['every Tuesday at 6pm yoga with Ana until January 15', 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20250115'],
    ['jeden Montag Sport bis Ende Juni', 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20240630'],
  ])('ends the series of "%s", and both expressions describe it', (text, rule) => {
    expect(read(text).map((one) => one.rule)).toEqual([rule, rule])
  })

  it.each([
    ['every 31st', '2024-05-31'],
    ['every month on the 31st starting 1 June', '2024-07-31'],
    ['every February 29', '2028-02-29'],
    ['every last working day of the month', '2024-05-31'],
    ['every Tuesday starting June 1', '2024-06-04'],
  ])('starts the series "%s" on the first day of its rule', (text, day) => {
    expect(read(text).map((one) => wall(one)?.slice(0, 10))).toEqual([day])
  })

  it.each([
    ['2pm Central European Time', 'Europe/Berlin'],
    ['9am India Standard Time on Friday', 'Asia/Kolkata'],
    ['2pm Central time', 'America/Chicago'],
    ['at 5pm (London)', 'Europe/London'],
    ['um 9 Uhr (Wien)', 'Europe/Vienna'],
    ['um 17 Uhr Tokioter Zeit', 'Asia/Tokyo'],
    ['um 9 Uhr New Yorker Ortszeit', 'America/New_York'],
    ['5pm my time (London)', 'Europe/London'],
    ['at 5pm my time in Berlin', 'Europe/Berlin'],
    ['5pm my time', ''],
  ])('parses the zone in "%s" as %s', (text, zone) => {
    expect(read(text)[0]?.zone?.name).toBe(zone)
  })

  it.each([
    'You may march on, but I second that.',
    'The sun sat on the wall.',
    'Version 2.10 costs 12.50 € and weighs 3.5 kg.',
    'Call +49 30 123456-78 or 650-283-4757.',
    'https://example.com/2024/05/16/report?at=15:00',
    'Good morning, and good night!',
    'room 12.10',
    'read chapter 5',
    '24/7 support, twice a week',
    'Der Preis stieg von 3 auf 4 Euro.',
    'Make it 3/4 of the page.',
    'They say 10 people came.',
    'Ask Mon Ami for a table.',
    'building 4',
    'der 2. Tag',
  ])('finds no time in "%s"', (text) => {
    expect(read(text).map(({ text }) => text)).toEqual([])
  })

  it('parses a megabyte of repeated digits, marks and words', () => {
    for (const piece of [
      '1 ',
      '12:',
      'may ',
      '1/',
      'next ',
      'monday ',
      '- ',
      '5-7 ',
      'a.',
      "1'",
      '12.12.',
      'from 1 to ',
    ])
      expect(read(piece.repeat(1_000_000 / piece.length))).toBeInstanceOf(Array)
  })
})

describe.skipIf(!hasData('datetime-duckling'))('accuracy on public date sets', () => {
  it('is at least 85 % on Duckling without holidays', () => {
    const result = rate(ducklingCore(), (one) => isDucklingRight(one, readDuckling(one)))
    expect(report('duckling core', result)).toBeGreaterThanOrEqual(85)
  })

  it('is at least 95 % on Duckling durations', () => {
    expect(report('duckling durations', rate(ducklingDurations(), isDurationRight))).toBeGreaterThanOrEqual(
      95,
    )
  })

  it('includes no false positive on Duckling negatives', () => {
    expect(rate(ducklingNegatives(), (one) => readDuckling(one) === undefined).wrong).toEqual([])
  })

  it('is at least 80 % on ctparse in English and 86 % in German', () => {
    const result = (part: 'en' | 'de_other') => rate(ctCases(part), (one) => isCtRight(one, readCt(one)))
    expect(report('ctparse English', result('en'))).toBeGreaterThanOrEqual(80)
    expect(report('ctparse German', result('de_other'))).toBeGreaterThanOrEqual(86)
  })

  it('is at least 85 % on Recognizers-Text, 20 points above its own package', () => {
    const result = rate(recognizersCases(), (one) => isRecognizersRight(one, readRecognizers(one)))
    expect(report('recognizers', result)).toBeGreaterThanOrEqual(85)
  })
})
