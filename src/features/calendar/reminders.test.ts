import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextReminder, remindersAfter } from './reminder-times.ts'

const MINUTE_MS = 60_000
const FIRST = Date.parse('2026-03-02T08:00:00.000Z')
const isoOf = (ms: number): string => new Date(ms).toISOString()

const every = (minutes: number, length: number, minutesBefore: number[]) => ({
  start: isoOf(FIRST),
  end: isoOf(FIRST + length * MINUTE_MS),
  allDay: false,
  timezone: 'UTC',
  recurrence: `FREQ=MINUTELY;INTERVAL=${minutes};COUNT=40`,
  exdates: [],
  rdates: [],
  status: 'confirmed' as const,
  reminders: minutesBefore.map((before) => ({ minutesBefore: before })),
})

it('yields all reminders after an instant in order, of occurrences that are not over', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 90 }),
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 4 }),
      fc.integer({ min: -300, max: 2000 }),
      fc.integer({ min: 0, max: 300 }),
      fc.array(fc.nat({ max: 39 }), { maxLength: 4 }),
      (interval, length, before, after, ago, changed) => {
        const since = FIRST + after * MINUTE_MS
        const now = since + ago * MINUTE_MS
        const skipped = new Set(changed.map((n) => FIRST + n * interval * MINUTE_MS))
        const expected = Array.from({ length: 40 }, (_, n) => FIRST + n * interval * MINUTE_MS)
          .filter((start) => !skipped.has(start) && start + length * MINUTE_MS > now)
          .flatMap((start) =>
            [...new Set(before)].map((minutes) => [start - minutes * MINUTE_MS, start] as const),
          )
          .filter(([at]) => at > since)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        const yielded = remindersAfter(every(interval, length, before), isoOf(since), new Date(now), skipped)
          .map(({ at, start }) => [Date.parse(at), Date.parse(start)] as const)
          .toArray()
          .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        expect(yielded).toEqual(expected)
      },
    ),
  )
})

it('yields alarms relative to the start or end, up to an hour after the event', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 90 }),
      fc.integer({ min: 1, max: 200 }),
      fc.uniqueArray(
        fc.record({
          of: fc.constantFrom('start' as const, 'end' as const),
          after: fc.integer({ min: -300, max: 300 }).map((minutes) => minutes * MINUTE_MS),
        }),
        { maxLength: 4, selector: ({ of, after }) => `${of} ${after}` },
      ),
      fc.integer({ min: -300, max: 2000 }),
      fc.integer({ min: 0, max: 300 }),
      (interval, length, alarms, after, ago) => {
        const since = FIRST + after * MINUTE_MS
        const now = since + ago * MINUTE_MS
        const expected = Array.from({ length: 40 }, (_, n) => FIRST + n * interval * MINUTE_MS)
          .flatMap((start) => alarms.map((alarm) => ({ ...alarm, start, end: start + length * MINUTE_MS })))
          .map(({ of, after, start, end }) => ({ at: (of === 'end' ? end : start) + after, start, end }))
          .filter(({ at, end }) => at > since && (end > now || (at >= end && at + 60 * MINUTE_MS > now)))
          .map(({ at, start }) => `${at} ${start}`)
        const fields = { ...every(interval, length, []), alarms }
        const yielded = remindersAfter(fields, isoOf(since), new Date(now))
          .map(({ at, start }) => `${Date.parse(at)} ${Date.parse(start)}`)
          .toArray()
        expect(yielded.toSorted()).toEqual(expected.toSorted())
      },
    ),
  )
})

it('yields a fixed-time alarm once, for the occurrence at that time or for an event that is over', () => {
  const at = FIRST + 100 * MINUTE_MS
  const listDue = (fields: ReturnType<typeof every>, now: number) =>
    remindersAfter({ ...fields, alarms: [{ of: 'once', at }] }, isoOf(FIRST), new Date(now))
      .map(({ start, minutesBefore }) => [start, minutesBefore])
      .toArray()
  expect(listDue(every(60, 10, []), FIRST)).toEqual([[isoOf(FIRST + 120 * MINUTE_MS), 20]])
  const once = { ...every(60, 10, []), recurrence: null as unknown as string }
  expect(listDue(once, at)).toEqual([[isoOf(FIRST), -100]])
  expect(listDue(once, at + 60 * MINUTE_MS)).toEqual([])
})

it('yields reminders in order of their due time', () => {
  const ats = remindersAfter(every(7, 1, [0, 50, 13]), isoOf(FIRST - 1e7), new Date(FIRST - 1e7))
    .map(({ at }) => at)
    .toArray()
  expect(ats).toHaveLength(120)
  expect(ats).toEqual(ats.toSorted())
})

it('expands a rule only up to the next reminder', () => {
  const fields = {
    ...every(
      5,
      1,
      Array.from({ length: 20 }, (_, n) => (n === 0 ? 0 : 40_320 - n)),
    ),
    recurrence: 'FREQ=MINUTELY;INTERVAL=5',
  }
  expect(nextReminder(fields, isoOf(FIRST), new Date(FIRST))).toBe('2026-03-02T08:01:00.000Z')
})
