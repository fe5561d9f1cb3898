import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Span } from './plan-blocks.ts'
import { freeSpans, type PlanRules, type PlanTask, planTasks } from './planner.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const rules = (given: Partial<PlanRules> = {}): PlanRules => ({
  nowMs: 0,
  longestMinutes: 90,
  bufferMinutes: 0,
  minutesPerDay: null,
  dayOf: (ms) => Math.floor(ms / DAY),
  ...given,
})
const hours = (start: number, end: number): Span => ({ start: start * HOUR, end: end * HOUR })
const task = (id: number, minutes: number, dueHour: number | null = null): PlanTask => ({
  id,
  minutes,
  dueMs: dueHour === null ? null : dueHour * HOUR,
})
/** `1@9:00+60`: task 1 at nine for an hour. */
const formatBlock = ({ taskId, start, end }: { taskId: number } & Span) =>
  `${taskId}@${new Date(start).toISOString().slice(11, 16)}+${(end - start) / MINUTE}`

describe('freeSpans', () => {
  it.each<[string, Span[], Span[], number, Span[]]>([
    ['returns open time if nothing is busy', [hours(9, 17)], [], 0, [hours(9, 17)]],
    ['excludes busy time', [hours(9, 17)], [hours(12, 13)], 0, [hours(9, 12), hours(13, 17)]],
    [
      'keeps a buffer around busy time',
      [hours(9, 17)],
      [hours(12, 13)],
      30,
      [hours(9, 11.5), hours(13.5, 17)],
    ],
    [
      'keeps a buffer to busy time outside the open span',
      [hours(9, 17)],
      [hours(8, 9)],
      30,
      [hours(9.5, 17)],
    ],
    [
      'accepts overlapping and nested busy spans in any order',
      [hours(9, 17)],
      [hours(13, 15), hours(10, 14), hours(11, 12)],
      0,
      [hours(9, 10), hours(15, 17)],
    ],
    ['returns nothing if everything is busy', [hours(9, 17)], [hours(0, 24)], 0, []],
    ['merges overlapping open spans', [hours(9, 12), hours(11, 13)], [], 0, [hours(9, 13)]],
    [
      'starts spans at multiples of five minutes',
      [{ start: 9 * HOUR + 1, end: 10 * HOUR }],
      [],
      0,
      [{ start: 9 * HOUR + 5 * MINUTE, end: 10 * HOUR }],
    ],
    ['takes no notice of what lasts no time', [hours(9, 17)], [hours(12, 12)], 30, [hours(9, 17)]],
  ])('%s', (_title, open, busy, buffer, expected) => {
    expect(freeSpans(open, busy, buffer)).toEqual(expected)
  })
})

describe('planTasks', () => {
  it.each<[string, PlanTask[], Span[], Partial<PlanRules>, string[], string[]]>([
    [
      'plans tasks in the given order',
      [task(1, 30), task(2, 60)],
      [hours(9, 12)],
      {},
      ['1@09:00+30', '2@09:30+60'],
      [],
    ],
    ['cuts what is long', [task(1, 200)], [hours(9, 17)], {}, ['1@09:00+90', '1@10:30+90', '1@12:00+20'], []],
    ['leaves no crumb', [task(1, 100)], [hours(9, 17)], {}, ['1@09:00+85', '1@10:25+15'], []],
    [
      'keeps a buffer between blocks',
      [task(1, 120), task(2, 30)],
      [hours(9, 17)],
      { bufferMinutes: 10 },
      ['1@09:00+90', '1@10:40+30', '2@11:20+30'],
      [],
    ],
    [
      'does not split a task that fits into one span',
      [task(1, 60)],
      [hours(9, 9.5), hours(14, 15)],
      {},
      ['1@14:00+60'],
      [],
    ],
    [
      'continues a task in the next free span',
      [task(1, 60)],
      [hours(9, 9.5), hours(14, 14.5)],
      {},
      ['1@09:00+30', '1@14:00+30'],
      [],
    ],
    [
      'skips a gap that is too short for one task and uses it for a shorter one',
      [task(1, 60), task(2, 10)],
      [{ start: 9 * HOUR, end: 9 * HOUR + 10 * MINUTE }, hours(14, 16)],
      {},
      ['2@09:00+10', '1@14:00+60'],
      [],
    ],
    [
      'ends blocks before the due date',
      [task(1, 60, 10)],
      [hours(9.5, 17)],
      {},
      ['1@09:30+30'],
      ['1 misses 30: due_too_soon'],
    ],
    ['gives overdue tasks the earliest free time', [task(1, 60, -5)], [hours(9, 17)], {}, ['1@09:00+60'], []],
    [
      'reports tasks without enough free time',
      [task(1, 60), task(2, 60)],
      [hours(9, 10)],
      {},
      ['1@09:00+60'],
      ['2 misses 60: no_time'],
    ],
    [
      'respects the limit of minutes per day',
      [task(1, 120)],
      [hours(9, 17), hours(33, 41)],
      { minutesPerDay: 60 },
      ['1@09:00+60', '1@09:00+60'],
      [],
    ],
    [
      'splits tasks even if blocks must be short',
      [task(1, 20)],
      [hours(9, 17)],
      { longestMinutes: 15 },
      ['1@09:00+13', '1@09:15+7'],
      [],
    ],
    ['has nothing for a task that needs nothing', [task(1, 0)], [hours(9, 17)], {}, [], []],
  ])('%s', (_title, tasks, free, given, blocks, misses) => {
    const plan = planTasks(tasks, free, rules(given))
    expect(plan.blocks.map(formatBlock)).toEqual(blocks)
    expect(
      plan.unplanned.map(
        ({ taskId, missingMinutes, reason }) => `${taskId} misses ${missingMinutes}: ${reason}`,
      ),
    ).toEqual(misses)
  })

  const span = fc
    .record({ start: fc.integer({ min: 0, max: 4 * 24 * 60 }), length: fc.integer({ min: 0, max: 600 }) })
    .map(({ start, length }): Span => ({ start: start * MINUTE, end: (start + length) * MINUTE }))
  const tasks = fc.array(
    fc.record({
      minutes: fc.integer({ min: 1, max: 600 }),
      dueMs: fc.option(fc.integer({ min: -DAY, max: 5 * DAY })),
    }),
    { maxLength: 12 },
  )
  const settings = fc.record({
    longestMinutes: fc.integer({ min: 15, max: 240 }),
    bufferMinutes: fc.integer({ min: 0, max: 45 }),
    minutesPerDay: fc.option(fc.integer({ min: 15, max: 600 })),
  })

  it('satisfies all rules and accounts for every minute with arbitrary input', () => {
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 8 }),
        fc.array(span, { maxLength: 8 }),
        tasks,
        settings,
        (open, busy, given, set) => {
          const asked = given.map((one, index) => ({ id: index + 1, ...one }))
          const plan = planTasks(asked, freeSpans(open, busy, set.bufferMinutes), rules(set))
          const buffer = set.bufferMinutes * MINUTE
          for (const [index, block] of plan.blocks.entries()) {
            expect(block.end).toBeGreaterThan(block.start)
            expect(block.end - block.start).toBeLessThanOrEqual(set.longestMinutes * MINUTE)
            expect(block.start % (5 * MINUTE)).toBe(0)
            for (const one of busy.filter(({ start, end }) => end > start))
              expect(block.end + buffer <= one.start || block.start >= one.end + buffer).toBe(true)
            const before = plan.blocks[index - 1]
            if (before) expect(block.start).toBeGreaterThanOrEqual(before.end)
            const dueMs = asked.find(({ id }) => id === block.taskId)?.dueMs ?? null
            if (dueMs !== null && dueMs > 0) expect(block.end).toBeLessThanOrEqual(dueMs)
            // Check each minute, because open spans may touch or overlap.
            for (let at = block.start; at < block.end; at += MINUTE)
              expect(open.some(({ start, end }) => start <= at && at < end)).toBe(true)
          }
          const perDay = Map.groupBy(plan.blocks, ({ start }) => Math.floor(start / DAY))
          for (const blocks of perDay.values())
            expect(blocks.reduce((sum, { start, end }) => sum + end - start, 0)).toBeLessThanOrEqual(
              (set.minutesPerDay ?? Infinity) * MINUTE,
            )
          for (const { id, minutes } of asked) {
            const found = plan.blocks.filter(({ taskId }) => taskId === id)
            const planned = found.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0)
            const missing = plan.unplanned.find(({ taskId }) => taskId === id)?.missingMinutes ?? 0
            expect(planned + missing).toBe(minutes)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
