import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Rule, readRule, writeRule } from './rule.ts'
import { continueFrom, endBefore, lastStart, occurrencesBetween, occursAt, type Series } from './series.ts'
import { toInstant, toWall } from './time-zones.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const EVER = Date.parse('9999-12-31T00:00:00Z')

const ruleOf = (text: string): Rule => {
  const read = readRule(text)
  if ('fault' in read) throw new Error(`${text}: ${read.fault}`)
  return read.rule
}

/** Creates a series. Times without an offset are wall-clock times in the zone. */
const seriesOf = (start: string, rules: string[], more: Partial<Series> = {}): Series => {
  const timezone = more.timezone ?? 'Europe/Berlin'
  return {
    start: start.endsWith('Z') ? Date.parse(start) : toInstant(Date.parse(`${start}Z`), timezone),
    timezone,
    allDay: false,
    rules: rules.map(ruleOf),
    excluded: [],
    added: [],
    ...more,
  }
}

const isoOf = (instant: number): string => new Date(instant).toISOString().slice(0, 16)
const wallOf = (series: Series, instant: number): string => isoOf(toWall(instant, series.timezone))

const walls = (series: Series, from = series.start, until = EVER, most = 12): string[] =>
  occurrencesBetween(series, from, until)
    .take(most)
    .map((instant) => wallOf(series, instant))
    .toArray()

describe('occurrences of a series', () => {
  it('keep their wall-clock time when daylight saving time starts and ends', () => {
    const series = seriesOf('2026-01-05T09:00', ['FREQ=WEEKLY'])
    const year = occurrencesBetween(series, series.start, Date.parse('2027-01-01')).toArray()
    expect(year).toHaveLength(52)
    expect(new Set(year.map((instant) => wallOf(series, instant).slice(11)))).toEqual(new Set(['09:00']))
    expect(new Set(year.map((instant) => isoOf(instant).slice(11)))).toEqual(new Set(['08:00', '07:00']))
  })

  it('move a skipped time forward without a duplicate', () => {
    const series = seriesOf('2026-03-28T02:30', ['FREQ=DAILY;COUNT=3'])
    expect(walls(series)).toEqual(['2026-03-28T02:30', '2026-03-29T03:30', '2026-03-30T02:30'])
    const twice = seriesOf('2026-03-28T02:00', ['FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;COUNT=8'])
    expect(walls(twice, Date.parse('2026-03-28T23:00Z'), Date.parse('2026-03-29T22:00Z'))).toEqual([
      '2026-03-29T03:00',
      '2026-03-29T03:30',
    ])
  })

  it('use the first of two equal wall-clock times', () => {
    const series = seriesOf('2026-10-24T02:30', ['FREQ=DAILY;COUNT=3'])
    expect(occurrencesBetween(series, series.start, EVER).map(isoOf).toArray()).toEqual([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })

  it('can start at the second of two equal wall-clock times', () => {
    const series = seriesOf('2026-10-25T01:30Z', ['FREQ=DAILY;COUNT=2'])
    expect(occurrencesBetween(series, 0, EVER).map(isoOf).toArray()).toEqual([
      '2026-10-25T01:30',
      '2026-10-26T01:30',
    ])
  })

  it('contain every day around the day that Samoa skipped', () => {
    const series = seriesOf('2011-12-28T09:00', ['FREQ=DAILY;COUNT=5'], { timezone: 'Pacific/Apia' })
    expect(walls(series)).toEqual([
      '2011-12-28T09:00',
      '2011-12-29T09:00',
      '2011-12-31T09:00',
      '2012-01-01T09:00',
    ])
  })

  it('that last all day start at midnight of the zone', () => {
    const series = seriesOf('2026-03-27T00:00', ['FREQ=DAILY;BYHOUR=9;COUNT=4'], { allDay: true })
    expect(walls(series).every((wall) => wall.endsWith('T00:00'))).toBe(true)
    const inCairo = seriesOf('2026-04-24T01:00', ['FREQ=DAILY;COUNT=3'], {
      allDay: true,
      timezone: 'Africa/Cairo',
    })
    expect(walls(inCairo)).toEqual(['2026-04-24T01:00', '2026-04-25T00:00', '2026-04-26T00:00'])
    const hourly = seriesOf('2026-03-27T00:00', ['FREQ=HOURLY;INTERVAL=12;COUNT=3'], { allDay: true })
    expect(walls(hourly)).toEqual(['2026-03-27T00:00', '2026-03-28T00:00', '2026-03-29T00:00'])
  })

  it('include and count the start even if no rule matches it', () => {
    const series = seriesOf('2026-01-01T09:00', ['FREQ=WEEKLY;BYDAY=MO;COUNT=3'])
    expect(walls(series)).toEqual(['2026-01-01T09:00', '2026-01-05T09:00', '2026-01-12T09:00'])
    expect(walls(seriesOf('2026-01-01T09:00', []))).toEqual(['2026-01-01T09:00'])
  })

  it('combine rules and added dates without excluded dates', () => {
    const series = seriesOf('2026-01-05T09:00', ['FREQ=WEEKLY;COUNT=4', 'FREQ=DAILY;COUNT=2'], {
      added: ['2026-01-20T15:00Z', '2025-12-24T08:00Z', '2026-01-05T08:00Z'].map(Date.parse),
      excluded: [Date.parse('2026-01-12T08:00Z'), Date.parse('2026-01-13T08:00Z')],
    })
    expect(walls(series, 0)).toEqual([
      '2025-12-24T09:00',
      '2026-01-05T09:00',
      '2026-01-06T09:00',
      '2026-01-19T09:00',
      '2026-01-20T16:00',
      '2026-01-26T09:00',
    ])
  })

  it('omit the matches of exclusion rules', () => {
    const series = seriesOf('2026-01-05T09:00', ['FREQ=DAILY;COUNT=8'], {
      exclusionRules: [ruleOf('FREQ=WEEKLY;BYDAY=SA,SU'), ruleOf('FREQ=DAILY;INTERVAL=4')],
    })
    expect(walls(series)).toEqual([
      '2026-01-06T09:00',
      '2026-01-07T09:00',
      '2026-01-08T09:00',
      '2026-01-12T09:00',
    ])
  })

  it.each([
    ['FREQ=DAILY;UNTIL=20260103T080000Z', false, '2026-01-03T09:00'],
    ['FREQ=DAILY;UNTIL=20260103T075959Z', false, '2026-01-02T09:00'],
    ['FREQ=DAILY;UNTIL=20260103T090000', false, '2026-01-03T09:00'],
    ['FREQ=DAILY;UNTIL=20260103', false, '2026-01-03T09:00'],
    ['FREQ=DAILY;UNTIL=20260103', true, '2026-01-03T00:00'],
    ['FREQ=DAILY;UNTIL=20260102T230000Z', true, '2026-01-03T00:00'],
    ['FREQ=DAILY;UNTIL=20260103T000000Z', true, '2026-01-03T00:00'],
    ['FREQ=DAILY;UNTIL=20260102T225959Z', true, '2026-01-02T00:00'],
    ['FREQ=DAILY;UNTIL=20200101T000000Z', false, '2026-01-01T09:00'],
  ])('with %s (all day: %s) end at %s', (rule, allDay, last) => {
    const series = seriesOf(allDay ? '2026-01-01T00:00' : '2026-01-01T09:00', [rule], { allDay })
    expect(walls(series).at(-1)).toBe(last)
    expect(wallOf(series, lastStart(series) ?? 0)).toBe(last)
  })

  it('have a last start unless the series has no end', () => {
    const last = (rules: string[], more: Partial<Series> = {}) => {
      const series = seriesOf('2026-01-05T09:00', rules, more)
      const found = lastStart(series)
      return found === null ? null : wallOf(series, found)
    }
    expect(last(['FREQ=DAILY'])).toBeNull()
    expect(last(['FREQ=DAILY;COUNT=3', 'FREQ=YEARLY'])).toBeNull()
    expect(last([])).toBe('2026-01-05T09:00')
    expect(last(['FREQ=WEEKLY;COUNT=30000'])).toBe('2600-12-15T09:00')
    expect(last(['FREQ=YEARLY;UNTIL=20991231T000000Z'])).toBe('2099-01-05T09:00')
    expect(last(['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5'])).toBe('2026-01-05T09:00')
    expect(last(['FREQ=DAILY;COUNT=3'], { added: [Date.parse('2026-02-01T08:00Z')] })).toBe(
      '2026-02-01T09:00',
    )
    expect(last(['FREQ=DAILY;COUNT=3'], { excluded: [Date.parse('2026-01-07T08:00Z')] })).toBe(
      '2026-01-06T09:00',
    )
    expect(last(['FREQ=DAILY;COUNT=1'], { excluded: [Date.parse('2026-01-05T08:00Z')] })).toBe(
      '2026-01-05T09:00',
    )
  })

  it('are the only instants at which the series occurs', () => {
    const series = seriesOf('2026-01-05T09:00', ['FREQ=WEEKLY'], {
      excluded: [Date.parse('2026-01-12T08:00Z')],
    })
    expect(occursAt(series, Date.parse('2026-07-06T07:00Z'))).toBe(true)
    expect(occursAt(series, Date.parse('2026-07-06T08:00Z'))).toBe(false)
    expect(occursAt(series, Date.parse('2026-01-12T08:00Z'))).toBe(false)
    expect(occursAt(series, Date.parse('2025-12-29T08:00Z'))).toBe(false)
  })

  it('are computed lazily', () => {
    const series = seriesOf('1970-01-01T09:00', ['FREQ=SECONDLY'])
    expect(walls(series, Date.parse('2026-01-01T00:00Z'), EVER, 2)).toEqual([
      '2026-01-01T01:00',
      '2026-01-01T01:00',
    ])
  })
})

describe('splitting a series', () => {
  const cutAt = (series: Series, index: number): [Series, Series] => {
    const instant = occurrencesBetween(series, 0, EVER).drop(index).next().value as number
    return [
      { ...series, rules: endBefore(series, instant), added: series.added.filter((date) => date < instant) },
      {
        ...series,
        start: instant,
        rules: continueFrom(series, instant),
        added: series.added.filter((date) => date > instant),
      },
    ]
  }
  const texts = ({ rules }: Series): string[] => rules.map(writeRule)

  it.each([
    ['FREQ=DAILY', 'FREQ=DAILY;UNTIL=20260107T075959Z', 'FREQ=DAILY'],
    ['FREQ=DAILY;COUNT=10', 'FREQ=DAILY;UNTIL=20260107T075959Z', 'FREQ=DAILY;COUNT=8'],
    ['FREQ=DAILY;UNTIL=20270101', 'FREQ=DAILY;UNTIL=20260107T075959Z', 'FREQ=DAILY;UNTIL=20270101'],
    [
      'FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4',
      'FREQ=WEEKLY;UNTIL=20260108T075959Z;BYDAY=TU,TH',
      'FREQ=WEEKLY;COUNT=2;BYDAY=TU,TH',
    ],
  ])('turns %s into %s and %s', (rule, ending, continuing) => {
    const [before, after] = cutAt(seriesOf('2026-01-05T09:00', [rule]), 2)
    expect(texts(before)).toEqual([ending])
    expect(texts(after)).toEqual([continuing])
  })

  it('ends an all-day series with a date', () => {
    const [before] = cutAt(seriesOf('2026-01-05T00:00', ['FREQ=DAILY'], { allDay: true }), 2)
    expect(texts(before)).toEqual(['FREQ=DAILY;UNTIL=20260106'])
  })

  it('keeps a rule that has already ended and does not continue it', () => {
    const [before, after] = cutAt(seriesOf('2026-01-05T09:00', ['FREQ=DAILY;COUNT=2', 'FREQ=WEEKLY']), 3)
    expect(texts(before)).toEqual(['FREQ=DAILY;COUNT=2', 'FREQ=WEEKLY;UNTIL=20260119T075959Z'])
    expect(texts(after)).toEqual(['FREQ=WEEKLY'])
  })

  it.each([
    ['FREQ=WEEKLY;COUNT=20', 'Europe/Berlin', '2026-01-05T09:00'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;WKST=SU;COUNT=20', 'Europe/Berlin', '2026-01-05T09:00'],
    ['FREQ=DAILY;COUNT=20', 'Europe/Berlin', '2026-03-20T02:30'],
    ['FREQ=DAILY;COUNT=20', 'Europe/Berlin', '2026-10-20T02:30'],
    ['FREQ=DAILY;COUNT=20', 'Pacific/Apia', '2011-12-20T09:00'],
    ['FREQ=WEEKLY;COUNT=20', 'Pacific/Apia', '2011-12-02T09:00'],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=20', 'America/New_York', '2026-01-30T09:00'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=20', 'America/New_York', '2026-01-31T09:00'],
    ['RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=20', 'America/New_York', '2024-02-29T09:00'],
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=20', 'America/New_York', '2026-01-01T09:00'],
    ['FREQ=MONTHLY;UNTIL=20271231', 'America/New_York', '2026-01-31T09:00'],
  ])('preserves all occurrences of %s in %s from %s', (rule, timezone, start) => {
    const first = seriesOf(start, [], { timezone }).start
    const added = rule.includes('INTERVAL') ? [] : [first + 10.5 * DAY]
    const series = seriesOf(start, [rule], { timezone, added })
    const whole = occurrencesBetween(series, 0, EVER).take(100).toArray()
    for (let index = 1; index < whole.length; index++) {
      const halves = cutAt(series, index).map((half) => occurrencesBetween(half, 0, EVER).toArray())
      expect(halves).toEqual([whole.slice(0, index), whole.slice(index)])
    }
  })
})

describe('occurrencesBetween', () => {
  const RULES = [
    'FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30',
    'FREQ=DAILY;COUNT=700',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,SA;UNTIL=20280101T000000Z',
    'FREQ=MONTHLY;BYDAY=-1SU,1SU',
    'FREQ=HOURLY;INTERVAL=5',
  ]
  const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Chatham', 'UTC']

  it('returns exactly the occurrences of the window', () => {
    const hours = fc.integer({ min: -1000, max: 20_000 })
    const cases = [fc.constantFrom(...RULES), fc.constantFrom(...ZONES), hours, fc.nat(3000)] as const
    fc.assert(
      fc.property(...cases, (rule, timezone, skipped, length) => {
        const series = seriesOf('2025-09-27T02:30', [rule], { timezone })
        const from = series.start + skipped * HOUR
        const until = from + length * HOUR
        const all = occurrencesBetween(series, series.start - DAY, until).filter((instant) => instant >= from)
        const seen = occurrencesBetween(series, from, until).toArray()
        expect(seen).toEqual(all.toArray())
        expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
      }),
      { numRuns: 200 },
    )
  })
})
