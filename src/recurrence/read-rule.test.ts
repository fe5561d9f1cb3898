import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf } from './days.ts'
import { FREQUENCIES, type Rule, readRule, writeRule } from './rule.ts'

const canonical = (text: string): string => {
  const read = readRule(text)
  return 'rule' in read ? writeRule(read.rule) : read.fault
}

const fault = (text: string): string | undefined => {
  const read = readRule(text)
  return 'fault' in read ? read.fault : undefined
}

const list = (min: number, max: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 5 })
    .map((values) => values.filter((value) => value !== 0 || min === 0).sort((a, b) => a - b))
    .filter((values) => values.length > 0)

const until = fc.record({
  wall: fc
    .integer({ min: dayOf(1, 1, 1) * 86_400, max: dayOf(9999, 12, 31) * 86_400 })
    .map((second) => second * 1000),
  kind: fc.constantFrom('local' as const, 'utc' as const),
})

const anyRule: fc.Arbitrary<Rule> = fc
  .record(
    {
      frequency: fc.constantFrom(...FREQUENCIES),
      interval: fc.integer({ min: 1, max: 1000 }),
      weekStart: fc.integer({ min: 0, max: 6 }),
      until,
      byMonth: list(1, 12),
      byWeekNumber: list(-53, 53),
      byYearDay: list(-366, 366),
      byMonthDay: list(-31, 31),
      byHour: list(0, 23),
      byMinute: list(0, 59),
      bySecond: list(0, 59),
    },
    { requiredKeys: ['frequency', 'interval', 'weekStart'] },
  )
  .map((rule) => rule as Rule)

describe('readRule', () => {
  it.each([
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['RRULE:FREQ=WEEKLY;BYDAY=WE,MO', 'FREQ=WEEKLY;BYDAY=MO,WE'],
    [' rrule:freq=weekly;byday=mo;wkst=su ', 'FREQ=WEEKLY;BYDAY=MO;WKST=SU'],
    ['INTERVAL=2;FREQ=MONTHLY;BYDAY=-1FR,+2TU', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR,2TU'],
    ['FREQ=DAILY;INTERVAL=1;WKST=MO;COUNT=010;', 'FREQ=DAILY;COUNT=10'],
    ['FREQ=DAILY;UNTIL=20261231', 'FREQ=DAILY;UNTIL=20261231'],
    ['FREQ=DAILY;UNTIL=20261231T225960Z', 'FREQ=DAILY;UNTIL=20261231T225959Z'],
    ['FREQ=DAILY;UNTIL=20261231T225959', 'FREQ=DAILY;UNTIL=20261231T225959'],
    ['FREQ=DAILY;BYHOUR=9,8,9;BYMINUTE=0;BYSECOND=60', 'FREQ=DAILY;BYHOUR=8,9;BYMINUTE=0;BYSECOND=59'],
    ['FREQ=YEARLY;BYWEEKNO=-1,20;BYDAY=MO', 'FREQ=YEARLY;BYWEEKNO=-1,20;BYDAY=MO'],
    ['FREQ=YEARLY;BYMONTH=01,12;BYMONTHDAY=-1', 'FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=-1'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT', 'FREQ=MONTHLY'],
    ['FREQ=MONTHLY;SKIP=FORWARD;RSCALE=gregorian', 'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD'],
  ])('normalizes %s to %s', (text, written) => {
    expect(canonical(text)).toBe(written)
    expect(canonical(written)).toBe(written)
  })

  it.each([
    ['', /empty/],
    ['RRULE:', /empty/],
    ['DAILY', /DAILY is not a part/],
    ['FREQ=FORTNIGHTLY', /FREQ takes SECONDLY, .* not FORTNIGHTLY/],
    ['INTERVAL=2', /no FREQ/],
    ['FREQ=DAILY;INTERVAL=0', /INTERVAL takes a whole number/],
    ['FREQ=DAILY;INTERVAL=-1', /INTERVAL takes a whole number/],
    ['FREQ=DAILY;INTERVAL=1.5', /INTERVAL takes a whole number/],
    ['FREQ=DAILY;INTERVAL=1e3', /INTERVAL takes a whole number/],
    ['FREQ=DAILY;COUNT=0', /COUNT takes a whole number/],
    ['FREQ=DAILY;COUNT=100001', /COUNT takes a whole number from 1 to 100000/],
    ['FREQ=DAILY;COUNT=3;UNTIL=20261231', /both COUNT and UNTIL/],
    ['FREQ=DAILY;UNTIL=20260230', /UNTIL takes a day/],
    ['FREQ=DAILY;UNTIL=20261231T240000Z', /UNTIL takes a day/],
    ['FREQ=DAILY;UNTIL=tomorrow', /UNTIL takes a day/],
    ['FREQ=YEARLY;BYMONTH=13', /BYMONTH takes numbers from 1 to 12; not 13/],
    ['FREQ=YEARLY;BYMONTH=-1', /BYMONTH takes numbers/],
    ['FREQ=YEARLY;BYMONTH=1,', /not nothing/],
    ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY takes numbers from 1 to 31, or from -31 to -1; not 0/],
    ['FREQ=MONTHLY;BYMONTHDAY=32', /BYMONTHDAY takes/],
    ['FREQ=YEARLY;BYYEARDAY=367', /BYYEARDAY takes/],
    ['FREQ=YEARLY;BYWEEKNO=54', /BYWEEKNO takes/],
    ['FREQ=DAILY;BYHOUR=24', /BYHOUR takes/],
    ['FREQ=DAILY;BYMINUTE=60', /BYMINUTE takes/],
    ['FREQ=DAILY;BYSECOND=61', /BYSECOND takes/],
    ['FREQ=WEEKLY;BYDAY=XX', /BYDAY takes days such as MO/],
    ['FREQ=MONTHLY;BYDAY=0MO', /BYDAY takes days/],
    ['FREQ=YEARLY;BYDAY=54MO', /BYDAY takes days/],
    ['FREQ=WEEKLY;BYDAY=5MO', /BYDAY counts days, as in 2TU, only with/],
    ['FREQ=MONTHLY;BYDAY=6MO', /at most five/],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-6MO', /at most five/],
    ['FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO', /together with BYWEEKNO/],
    ['FREQ=MONTHLY;BYSETPOS=1', /BYSETPOS needs another part/],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', /BYSETPOS takes/],
    ['FREQ=WEEKLY;WKST=MONDAY', /WKST takes/],
    ['FREQ=DAILY;FREQ=DAILY', /FREQ occurs more than once/],
    ['FREQ=DAILY;COUNT=', /COUNT has no value/],
    ['FREQ=DAILY;COUNT=1=2', /COUNT has no value, or more than one/],
    ['FREQ=DAILY;;COUNT=1', /An empty part/],
    ['FREQ=DAILY;BYEASTER=1', /BYEASTER is not a part/],
    ['FREQ=DAILY;__PROTO__=1', /is not a part/],
    ['FREQ=DAILY;CONSTRUCTOR=1', /is not a part/],
    ['FREQ=MONTHLY;SKIP=FORWARD', /SKIP needs RSCALE/],
    ['RSCALE=HEBREW;FREQ=MONTHLY', /RSCALE takes GREGORIAN/],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;SKIP=FORWARD', /SKIP cannot be combined/],
    [`FREQ=DAILY;BYHOUR=${'9,'.repeat(1000)}9`, /at most 2000 characters/],
    [`FREQ=DAILY;${'X'.repeat(1500)}=1`, /^X{160}… is not a part/],
  ])('rejects %s', (text, message) => {
    expect(fault(text)).toMatch(message)
  })

  it('parses every formatted rule back to the same rule', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        expect(readRule(writeRule(rule))).toEqual({ rule })
      }),
    )
  })

  it('returns a rule or a fault for any text', () => {
    const token = fc.constantFrom(
      'FREQ',
      'DAILY',
      'BYDAY',
      '=',
      ';',
      ',',
      '-',
      '1',
      '53',
      'MO',
      'UNTIL',
      'Z',
      'T',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(token, fc.string()), { maxLength: 20 }), (tokens) => {
        const read = readRule(tokens.join(''))
        expect('rule' in read || read.fault.length > 10).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
