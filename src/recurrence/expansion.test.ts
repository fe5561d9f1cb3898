import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countBefore, expandRule, lastCounted } from './expansion.ts'
import { type Rule, readRule } from './rule.ts'

const ruleOf = (text: string): Rule => {
  const read = readRule(text)
  if ('fault' in read) throw new Error(`${text}: ${read.fault}`)
  return read.rule
}

const at = (text: string): number => Date.parse(text.length === 10 ? text : `${text}Z`)

const firstOf = (text: string, start: string, count = 6): string[] =>
  expandRule(ruleOf(text), at(start))
    .take(count)
    .map((wall) => new Date(wall).toISOString().slice(0, start.length))
    .toArray()

const upTo = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => from + index).join()

describe('rule expansion', () => {
  it.each([
    ['FREQ=DAILY;INTERVAL=10;COUNT=3', '1997-09-02', '1997-09-02 1997-09-12 1997-09-22'],
    [
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
      '1997-08-05',
      '1997-08-05 1997-08-10 1997-08-19 1997-08-24',
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
      '1997-08-05',
      '1997-08-05 1997-08-17 1997-08-19 1997-08-31',
    ],
    ['FREQ=MONTHLY;COUNT=3;BYDAY=-2MO', '1997-09-22', '1997-09-22 1997-10-20 1997-11-17'],
    ['FREQ=MONTHLY;COUNT=4', '2026-01-31', '2026-01-31 2026-03-31 2026-05-31 2026-07-31'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3', '1997-09-02', '1998-02-13 1998-03-13 1998-11-13'],
    ['FREQ=YEARLY;COUNT=3', '2024-02-29', '2024-02-29 2028-02-29 2032-02-29'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3', '1997-05-12', '1997-05-12 1998-05-11 1999-05-17'],
    ['FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA;INTERVAL=6;COUNT=2', '2010-01-02', '2010-01-02 2016-01-02'],
    [
      'FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200;COUNT=4',
      '1997-01-01',
      '1997-01-01 1997-04-10 1997-07-19 2000-01-01',
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
      '2026-01-30',
      '2026-01-30 2026-02-27 2026-03-31',
    ],
    [
      'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4',
      '2026-12-30',
      '2027-01-01 2027-01-04 2027-01-08 2027-01-11',
    ],
    [
      'FREQ=YEARLY;BYDAY=MO,1TU;BYMONTH=1;COUNT=6',
      '2026-01-01',
      '2026-01-05 2026-01-06 2026-01-12 2026-01-19 2026-01-26 2027-01-04',
    ],
    ['RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=3', '2024-02-29', '2024-02-29 2025-03-01 2026-03-01'],
    ['RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD;COUNT=3', '2024-02-29', '2024-02-29 2025-02-28 2026-02-28'],
    [
      'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4',
      '2026-01-31',
      '2026-01-31 2026-02-28 2026-03-31 2026-04-30',
    ],
    [
      'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;BYMONTHDAY=1,31;COUNT=6',
      '2026-03-31',
      '2026-03-31 2026-04-01 2026-05-01 2026-05-31 2026-06-01 2026-07-01',
    ],
    [
      'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z',
      '1997-09-02T09:00',
      '1997-09-02T09:00 1997-09-02T12:00 1997-09-02T15:00',
    ],
    [
      'FREQ=HOURLY;INTERVAL=7;BYHOUR=9,16;COUNT=3',
      '1997-09-02T09:00',
      '1997-09-02T09:00 1997-09-02T16:00 1997-09-09T09:00',
    ],
    [
      'FREQ=MINUTELY;INTERVAL=90;COUNT=3',
      '1997-09-02T09:00',
      '1997-09-02T09:00 1997-09-02T10:30 1997-09-02T12:00',
    ],
    [
      'FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;BYSETPOS=1,-1;COUNT=3',
      '1997-09-02T10:00',
      '1997-09-02T17:30 1997-09-03T09:00 1997-09-03T17:30',
    ],
    ['FREQ=DAILY;UNTIL=19970903', '1997-09-02T23:00', '1997-09-02T23:00 1997-09-03T23:00'],
  ])('expands %s from %s to %s', (rule, start, expected) => {
    expect(firstOf(rule, start).join(' ')).toBe(expected)
  })

  const HOSTILE: [rule: string, found: number][] = [
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 0],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31', 0],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 0],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 0],
    ['FREQ=SECONDLY;INTERVAL=2;BYSECOND=1,3,5', 0],
    ['FREQ=HOURLY;INTERVAL=24;BYHOUR=5', 0],
    ['FREQ=HOURLY;INTERVAL=168;BYDAY=TU', 0],
    ['FREQ=HOURLY;INTERVAL=7;BYDAY=TH;BYHOUR=1', 0],
    [`FREQ=SECONDLY;INTERVAL=7;BYDAY=TH;BYHOUR=0,7;BYMINUTE=0,7,14,21;BYSECOND=${upTo(5, 1)}`, 0],
    ['FREQ=DAILY;INTERVAL=7;BYDAY=TU', 0],
    ['FREQ=DAILY;INTERVAL=14;BYDAY=MO,TU,WE,FR,SA,SU', 0],
    ['FREQ=MONTHLY;INTERVAL=12;BYMONTH=2', 0],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6', 0],
    ['FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TU;BYMONTHDAY=13;BYSETPOS=2', 0],
    ['FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6', 0],
    ['FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1', 0],
    ['FREQ=MINUTELY;BYHOUR=1;BYSETPOS=2', 0],
    ['FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO', 0],
    ['FREQ=YEARLY;INTERVAL=999999999', 1],
    ['FREQ=MONTHLY;INTERVAL=999999999', 1],
    ['FREQ=WEEKLY;INTERVAL=999999999', 1],
    ['FREQ=DAILY;INTERVAL=999999999', 1],
    ['FREQ=SECONDLY;INTERVAL=999999999', 3],
    [`FREQ=DAILY;BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)};BYSETPOS=366,-366`, 3],
    ['FREQ=SECONDLY', 3],
  ]

  it.each(HOSTILE)('terminates for %s', (rule, found) => {
    expect(firstOf(rule, '1970-01-01T00:00:00', 3)).toHaveLength(found)
  })

  it('stops at the end of the year 9999', () => {
    expect(firstOf('FREQ=YEARLY', '9998-05-01')).toEqual(['9998-05-01', '9999-05-01'])
    expect(firstOf('FREQ=DAILY', '9999-12-30')).toEqual(['9999-12-30', '9999-12-31'])
    expect(firstOf('FREQ=WEEKLY;BYDAY=TH,SU', '9999-12-30')).toEqual(['9999-12-30'])
  })

  it('finds recurrences that are centuries apart', () => {
    expect(firstOf('FREQ=YEARLY;INTERVAL=300;BYMONTH=2;BYMONTHDAY=29', '1900-01-01', 2)).toEqual([
      '2800-02-29',
      '4000-02-29',
    ])
  })

  it('keeps the fraction of a second of the start', () => {
    const start = at('2026-01-01T09:00:00.250')
    expect([...expandRule(ruleOf('FREQ=DAILY;COUNT=2'), start)]).toEqual([start, start + 86_400_000])
  })

  const RULES = [
    'FREQ=DAILY',
    'FREQ=DAILY;INTERVAL=11;BYMONTH=1,6,12',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,FR;WKST=SU',
    'FREQ=WEEKLY;BYDAY=MO,WE,SA;BYSETPOS=-1;WKST=TH',
    'FREQ=MONTHLY;INTERVAL=5',
    'FREQ=MONTHLY;BYDAY=-1FR,2TU;BYHOUR=8,20',
    'FREQ=YEARLY;INTERVAL=3;BYWEEKNO=1,-1;BYDAY=MO,SU',
    'FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=1,50,-1',
    'FREQ=HOURLY;INTERVAL=31;BYDAY=SA,SU',
    'FREQ=MINUTELY;INTERVAL=1001;BYHOUR=3,4,5',
    'FREQ=SECONDLY;INTERVAL=100003',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;BYMONTHDAY=1,30,31',
  ].map(ruleOf)

  const rule = fc.constantFrom(...RULES)
  const start = fc
    .integer({ min: at('1960-01-01') / 1000, max: at('2030-01-01') / 1000 })
    .map((second) => second * 1000)
  const days = fc.integer({ min: 0, max: 4000 })

  it('returns the same recurrences for a window as from the start', () => {
    fc.assert(
      fc.property(rule, start, days, days, (rule, start, skipped, length) => {
        const from = start + skipped * 86_400_000
        const until = from + length * 43_200_000
        const all = expandRule(rule, start, start, until).filter((wall) => wall >= from)
        expect([...expandRule(rule, start, from, until)]).toEqual([...all])
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    'FREQ=DAILY;BYDAY=MO,TU;COUNT=99999',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO;COUNT=50000',
    'FREQ=MONTHLY;BYDAY=1MO,-1FR;BYSETPOS=-1;COUNT=20000',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=1500',
    // These would continue after the year 9999.
    'FREQ=MONTHLY;COUNT=100000',
    'FREQ=YEARLY;INTERVAL=70;COUNT=1000',
  ])('finds the last recurrence of %s', (text) => {
    const rule = ruleOf(text)
    const start = at('2026-01-01')
    expect(lastCounted(rule, start)).toBe([...expandRule(rule, start)].at(-1))
  })

  it('counts skipped years and single recurrences alike', () => {
    fc.assert(
      fc.property(rule, start, fc.integer({ min: 1, max: 400 }), days, (rule, start, count, skipped) => {
        const counted = { ...rule, count }
        const all = [...expandRule(rule, start).take(count)]
        const from = start + skipped * 86_400_000
        expect([...expandRule(counted, start)]).toEqual(all)
        expect([...expandRule(counted, start, from)]).toEqual(all.filter((wall) => wall >= from))
        expect(lastCounted(counted, start)).toBe(all.at(-1))
        expect(countBefore(counted, start, from)).toBe(all.filter((wall) => wall < from).length)
      }),
      { numRuns: 300 },
    )
  })
})
