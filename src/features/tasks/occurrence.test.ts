import { describe, expect, it } from 'vitest'
import { nextOccurrence, type Recurring, readRecurrence } from './occurrence.ts'

const BERLIN = 'Europe/Berlin'
const next = (
  task: Partial<Recurring & { recurrenceFrom: string }>,
  now = '2026-01-01T00:00:00Z',
  timezone = BERLIN,
) =>
  nextOccurrence(
    {
      recurrence: 'FREQ=DAILY',
      recurrenceFrom: 'due',
      dueAt: null,
      dueDay: null,
      remindAt: null,
      dueWall: null,
      ...task,
    },
    Date.parse(now),
    timezone,
  )

describe('nextOccurrence', () => {
  it.each([
    ['FREQ=DAILY', '2026-01-05T08:00:00.000Z', '2026-01-06T08:00:00.000Z'],
    ['FREQ=WEEKLY', '2026-01-05T08:00:00.000Z', '2026-01-12T08:00:00.000Z'],
    ['FREQ=WEEKLY;INTERVAL=2', '2026-01-05T08:00:00.000Z', '2026-01-19T08:00:00.000Z'],
    ['FREQ=WEEKLY;BYDAY=MO,TH', '2026-01-05T08:00:00.000Z', '2026-01-08T08:00:00.000Z'],
    ['FREQ=MONTHLY', '2026-01-31T08:00:00.000Z', '2026-03-31T07:00:00.000Z'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-01-31T08:00:00.000Z', '2026-02-28T08:00:00.000Z'],
    ['FREQ=MONTHLY;BYDAY=2TU', '2026-01-13T08:00:00.000Z', '2026-02-10T08:00:00.000Z'],
    ['FREQ=YEARLY', '2028-02-29T08:00:00.000Z', '2032-02-29T08:00:00.000Z'],
    ['FREQ=HOURLY;INTERVAL=6', '2026-01-05T08:00:00.000Z', '2026-01-05T14:00:00.000Z'],
  ])('with %s after %s is due at %s', (recurrence, dueAt, expected) => {
    expect(next({ recurrence, dueAt })?.dueAt).toBe(expected)
  })

  it('keeps the wall-clock hour across daylight saving changes', () => {
    expect(next({ dueAt: '2026-03-28T08:00:00.000Z' })?.dueAt).toBe('2026-03-29T07:00:00.000Z')
    expect(next({ dueAt: '2026-10-24T07:00:00.000Z' })?.dueAt).toBe('2026-10-25T08:00:00.000Z')
  })

  it('returns to its hour after a day on which clocks skip that hour', () => {
    const skipped = next({ dueAt: '2026-03-28T01:30:00.000Z' })
    expect(skipped).toMatchObject({ dueAt: '2026-03-29T01:30:00.000Z', dueWall: '2026-03-29T02:30:00.000Z' })
    expect(next(skipped as Recurring)).toMatchObject({ dueAt: '2026-03-30T00:30:00.000Z', dueWall: null })
  })

  it('skips past occurrences and never precedes the completed one', () => {
    const daily = { dueAt: '2026-01-05T08:00:00.000Z' }
    expect(next(daily, '2026-01-20T07:59:00Z')?.dueAt).toBe('2026-01-20T08:00:00.000Z')
    expect(next(daily, '2026-01-20T08:00:00Z')?.dueAt).toBe('2026-01-21T08:00:00.000Z')
    expect(next(daily, '2025-12-01T00:00:00Z')?.dueAt).toBe('2026-01-06T08:00:00.000Z')
    const fortnightly = { recurrence: 'FREQ=WEEKLY;INTERVAL=2', dueAt: '2026-01-05T08:00:00.000Z' }
    expect(next(fortnightly, '2046-01-01T00:00:00Z')?.dueAt).toBe('2046-01-08T08:00:00.000Z')
  })

  it('ends after COUNT occurrences, including skipped ones', () => {
    const task = { recurrence: 'FREQ=DAILY;COUNT=4', dueAt: '2026-01-05T08:00:00.000Z' }
    expect(next(task)).toMatchObject({ dueAt: '2026-01-06T08:00:00.000Z', recurrence: 'FREQ=DAILY;COUNT=3' })
    expect(next(task, '2026-01-07T09:00:00Z')?.recurrence).toBe('FREQ=DAILY;COUNT=1')
    expect(next(task, '2026-01-08T09:00:00Z')).toBeUndefined()
    expect(next({ ...task, recurrence: 'FREQ=DAILY;COUNT=1' })).toBeUndefined()
    // The due date counts as the first occurrence even if the rule does not match it.
    const off = { recurrence: 'FREQ=WEEKLY;BYDAY=FR;COUNT=2', dueAt: '2026-01-05T08:00:00.000Z' }
    expect(next(off)).toMatchObject({
      dueAt: '2026-01-09T08:00:00.000Z',
      recurrence: 'FREQ=WEEKLY;COUNT=1;BYDAY=FR',
    })
  })

  it('ends after UNTIL', () => {
    const dueAt = '2026-01-05T08:00:00.000Z'
    expect(next({ recurrence: 'FREQ=DAILY;UNTIL=20260106', dueAt })?.dueAt).toBe('2026-01-06T08:00:00.000Z')
    expect(next({ recurrence: 'FREQ=DAILY;UNTIL=20260105', dueAt })).toBeUndefined()
    expect(next({ recurrence: 'FREQ=DAILY;UNTIL=20260106T080000Z', dueAt })?.dueAt).toBe(
      '2026-01-06T08:00:00.000Z',
    )
    expect(next({ recurrence: 'FREQ=DAILY;UNTIL=20260106T075959Z', dueAt })).toBeUndefined()
  })

  it('keeps the wall-clock distance between reminder and due date', () => {
    const task = { dueAt: '2026-03-28T08:00:00.000Z', remindAt: '2026-03-27T17:00:00.000Z' }
    expect(next(task)).toMatchObject({
      dueAt: '2026-03-29T07:00:00.000Z',
      remindAt: '2026-03-28T17:00:00.000Z',
    })
    expect(next({ remindAt: '2026-01-05T08:00:00.000Z' })).toMatchObject({
      dueAt: null,
      remindAt: '2026-01-06T08:00:00.000Z',
    })
  })

  it('counts from the day of completion if there is no due date', () => {
    expect(next({}, '2026-05-04T15:00:00Z')).toMatchObject({
      dueAt: '2026-05-04T22:00:00.000Z',
      dueDay: '2026-05-05',
    })
    expect(next({ recurrence: 'FREQ=DAILY;BYHOUR=8' }, '2026-05-04T15:00:00Z')).toMatchObject({
      dueAt: '2026-05-05T06:00:00.000Z',
      dueDay: null,
    })
  })

  it('of a due day is a day, and stays today until today is over', () => {
    const task = { dueDay: '2026-01-05', dueAt: '2026-01-04T23:00:00.000Z' }
    const day = (now: string, recurrence = 'FREQ=DAILY') => next({ ...task, recurrence }, now)?.dueDay
    expect(day('2026-01-05T12:00:00Z')).toBe('2026-01-06')
    expect(day('2026-01-09T22:59:59Z')).toBe('2026-01-09')
    expect(day('2026-01-09T23:00:00Z')).toBe('2026-01-10')
    expect(day('2026-01-05T12:00:00Z', 'FREQ=DAILY;UNTIL=20260105')).toBeUndefined()
    expect(day('2026-01-07T12:00:00Z', 'FREQ=DAILY;COUNT=3')).toBe('2026-01-07')
    // Only `dueDay` counts, whatever time zone `dueAt` was calculated in.
    expect(next({ ...task, dueAt: '2026-01-04T15:00:00.000Z' })?.dueDay).toBe('2026-01-06')
    const skipped = { dueDay: '2018-11-03', dueAt: '2018-11-03T03:00:00.000Z' }
    expect(next(skipped, '2018-11-03T12:00:00Z', 'America/Sao_Paulo')).toMatchObject({
      dueDay: '2018-11-04',
      dueAt: '2018-11-04T03:00:00.000Z',
      dueWall: null,
    })
  })

  it('returns undefined if the rule never matches', () => {
    const recurrence = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'
    expect(next({ recurrence, dueAt: '2026-01-05T08:00:00.000Z' })).toBeUndefined()
  })
})

describe('readRecurrence', () => {
  it('returns the canonical form of a rule', () => {
    expect(readRecurrence('rrule:byday=mo;freq=weekly')).toBe('FREQ=WEEKLY;BYDAY=MO')
  })
  it.each(['', 'weekly', 'FREQ=SOMETIMES', 'FREQ=DAILY;COUNT=0', 'FREQ=SECONDLY', 'FREQ=MINUTELY'])(
    'rejects “%s”',
    (text) => {
      expect(() => readRecurrence(text)).toThrow(/^recurrence /)
    },
  )
})
