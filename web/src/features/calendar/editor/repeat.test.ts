import { describe, expect, it } from 'vitest'
import { createDayWords, dayOf } from '../days.ts'
import { moveRepeat, type Pattern, readRepeat, SIMPLE, writeRepeat } from './repeat.ts'
import { describeRepeat } from './repeat-text.ts'

/** Tuesday, the first of its month. */
const START = { start: dayOf('2026-03-03'), allDay: false, timezone: 'Europe/Berlin' }

const write = (change: Partial<Pattern>, context = START) =>
  writeRepeat({ kind: 'pattern', pattern: { ...SIMPLE, ...change } }, context)

describe('the recurrence rule of the form', () => {
  it.each([
    ['FREQ=WEEKLY;BYDAY=TU', {}],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=8',
      {
        every: 2,
        days: ['TU', 'TH'],
        ending: { kind: 'after', times: 8 },
      },
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=3', { unit: 'month' }],
    ['FREQ=MONTHLY;BYDAY=1TU', { unit: 'month', monthly: 'weekday' }],
    ['FREQ=DAILY', { unit: 'day' }],
    ['FREQ=YEARLY', { unit: 'year' }],
  ] as const)('is %s, and is read back', (rule, change) => {
    expect(write(change)).toBe(rule)
    expect(writeRepeat(readRepeat(rule, START), START)).toBe(rule)
  })

  it('ends with the last second of a day in the time zone of the event', () => {
    const ending = { kind: 'on', day: '2026-03-31' } as const
    expect(write({ unit: 'day', ending })).toBe('FREQ=DAILY;UNTIL=20260331T215959Z')
    expect(write({ unit: 'day', ending }, { ...START, allDay: true })).toBe('FREQ=DAILY;UNTIL=20260331')
    expect(readRepeat('FREQ=DAILY;UNTIL=20260331T215959Z', START)).toMatchObject({ pattern: { ending } })
  })

  it.each(['FREQ=HOURLY', 'FREQ=WEEKLY;BYSETPOS=1;BYDAY=TU', 'FREQ=MONTHLY;BYDAY=2WE'])(
    'keeps %s as text, because the form cannot show it',
    (rule) => {
      expect(readRepeat(rule, START)).toEqual({ kind: 'rule', text: rule })
      expect(writeRepeat(readRepeat(rule, START), START)).toBe(rule)
    },
  )

  it('moves its weekdays with the event', () => {
    const to = { ...START, start: dayOf('2026-03-04') }
    expect(moveRepeat('FREQ=WEEKLY;BYDAY=TU,SU', START, to)).toBe('FREQ=WEEKLY;BYDAY=WE,MO')
    expect(moveRepeat('FREQ=HOURLY', START, to)).toBe('FREQ=HOURLY')
  })

  it('is described in words', () => {
    const describeRule = (rule: string) =>
      describeRepeat(readRepeat(rule, START), START.start, createDayWords('en-GB'))
    expect(describeRule('FREQ=WEEKLY;BYDAY=TU,TH;COUNT=8')).toBe(
      'Every week on Tuesday and Thursday, 8 times',
    )
    expect(describeRule('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR')).toBe('Every week on weekdays')
    expect(describeRule('FREQ=HOURLY')).toContain('FREQ=HOURLY')
  })
})
