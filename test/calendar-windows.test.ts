import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { createExpansion } from '../src/features/calendar/event-writer.ts'
import { DAY } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

// Compares windows over random calendars with the simplest model: all events in memory, scanned completely.

const EVENTS = '/api/calendar/events'
const HOUR = 3_600_000
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Chatham'] as const

const isoOf = (ms: number): string => new Date(ms).toISOString()

interface Plan {
  /** In hours from now. */
  start: number
  hours: number
  zone: (typeof ZONES)[number]
  repeats: { days: number; count: number | null } | null
  added: number[]
  left: number[]
  changed: { nth: number; move: number; hours: number; cancelled: boolean }[]
}

const plan: fc.Arbitrary<Plan> = fc.record({
  start: fc.oneof(
    fc.integer({ min: -700 * 24, max: 500 * 24 }),
    // At the limits of the expansion in advance.
    fc.integer({ min: -102 * 24, max: -98 * 24 }),
    fc.integer({ min: 398 * 24, max: 402 * 24 }),
  ),
  hours: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 30, max: 9000 })),
  zone: fc.constantFrom(...ZONES),
  repeats: fc.option(
    fc.record({
      days: fc.integer({ min: 1, max: 40 }),
      count: fc.option(fc.integer({ min: 1, max: 1500 }), { nil: null }),
    }),
    { nil: null, freq: 3 },
  ),
  added: fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 3 }),
  left: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
  changed: fc.array(
    fc.record({
      nth: fc.nat({ max: 20 }),
      move: fc.integer({ min: -2000, max: 2000 }),
      hours: fc.integer({ min: 1, max: 200 }),
      cancelled: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
})

interface ListedEvent {
  id: number
  start: string
  end: string
  occurrenceStart: string | null
  status: string
}

/** Covers every tested window. */
const HORIZON = 1400 * DAY

const startsOf = ({ zone, repeats, added, left }: Plan, first: number, now: number): number[] => {
  if (repeats === null) return [first]
  const begin = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(zone)
  const starts = new Set<number>()
  for (let n = 0; repeats.count === null || n < repeats.count; n++) {
    const start = begin.add({ days: n * repeats.days }).epochMilliseconds
    if (start > now + HORIZON) break
    starts.add(start)
  }
  for (const hours of added) starts.add(first + hours * HOUR)
  const ordered = [...starts].sort((a, b) => a - b)
  const out = new Set(left.filter((nth) => nth > 0).map((nth) => ordered[nth]))
  return ordered.filter((start) => !out.has(start))
}

onOneDatabase('sqlite', 'calendar windows', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
  })
  afterAll(() => instance.close())

  const expand = async (): Promise<void> => {
    const expansion = createExpansion({ db: instance.database.db, clock: instance.clock })
    while (await expansion.expandNext());
  }

  /** Creates the planned event, and returns its expected occurrences. */
  const enter = async (one: Plan, now: number): Promise<ListedEvent[]> => {
    const first = now + one.start * HOUR
    const starts = startsOf(one, first, now)
    const left = startsOf({ ...one, left: [] }, first, now).filter((start) => !starts.includes(start))
    const { body, status } = await instance.post(EVENTS, {
      title: 'x',
      start: isoOf(first),
      end: isoOf(first + one.hours * HOUR),
      timezone: one.zone,
      ...(one.repeats && {
        recurrence: `FREQ=DAILY;INTERVAL=${one.repeats.days}${one.repeats.count ? `;COUNT=${one.repeats.count}` : ''}`,
        rdates: one.added.map((hours) => isoOf(first + hours * HOUR)),
        exdates: left.map(isoOf),
      }),
    })
    expect([status, body.errors]).toEqual([201, undefined])
    const entries = new Map(
      starts.map((start) => [
        start,
        {
          id: body.id,
          start: isoOf(start),
          end: isoOf(start + one.hours * HOUR),
          occurrenceStart: one.repeats ? isoOf(start) : null,
          status: 'confirmed',
        },
      ]),
    )
    for (const { nth, move, hours, cancelled } of one.repeats ? one.changed : []) {
      const start = starts[nth]
      if (start === undefined) continue
      const status = cancelled ? 'cancelled' : 'confirmed'
      const [from, until] = [isoOf(start + move * HOUR), isoOf(start + (move + hours) * HOUR)]
      const answer = await instance.call('PATCH', `${EVENTS}/${body.id}?occurrence=${isoOf(start)}`, {
        body: { start: from, end: until, status },
      })
      expect([answer.status, answer.body.errors]).toEqual([200, undefined])
      entries.set(start, { id: body.id, start: from, end: until, occurrenceStart: isoOf(start), status })
    }
    return [...entries.values()]
  }

  const textOf = ({ id, start, end, occurrenceStart, status }: ListedEvent): string =>
    [start, end, id, occurrenceStart, status].join(' ')

  const walk = async (query: string, limit: number): Promise<string[]> => {
    const seen: ListedEvent[] = []
    for (let cursor = ''; ; ) {
      const { body } = await instance.get(`${EVENTS}?${query}&limit=${limit}${cursor}`)
      seen.push(...body.events)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    const starts = seen.map(({ start }) => start)
    expect(starts).toEqual(starts.toSorted())
    return seen.map(textOf)
  }

  const window = fc.record({
    /** In hours from now. */
    from: fc.oneof(
      fc.integer({ min: -800 * 24, max: 900 * 24 }),
      fc.integer({ min: -101 * 24, max: -99 * 24 }),
      fc.integer({ min: 399 * 24, max: 401 * 24 }),
    ),
    hours: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 50, max: 2000 })),
    limit: fc.integer({ min: 1, max: 9 }),
    standing: fc.boolean(),
  })

  it('return the events in pages, regardless of the expansion in advance', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plan, { minLength: 1, maxLength: 8 }),
        fc.array(window, { minLength: 3, maxLength: 3 }),
        async (plans, windows) => {
          await instance.database.db.deleteFrom('events').modifyEnd(ALL_ACCOUNTS).execute()
          const now = Math.floor(instance.clock.now().getTime() / HOUR) * HOUR
          const all = (await Promise.all(plans.map((one) => enter(one, now)))).flat()
          const check = async (): Promise<void> => {
            for (const { from: hours, hours: length, limit, standing } of windows) {
              const [from, until] = [isoOf(now + hours * HOUR), isoOf(now + (hours + length) * HOUR)]
              const expected = all
                .filter(({ start, end }) => start < until && end > from)
                .filter(({ status }) => !standing || status === 'confirmed')
              const query = `start=${from}&end=${until}${standing ? '&status=confirmed' : ''}`
              const whole = await walk(query, 200)
              expect(whole.toSorted()).toEqual(expected.map(textOf).sort())
              if (whole.length < 150) expect(await walk(query, limit)).toEqual(whole)
            }
          }
          await check()
          await expand()
          await check()
          instance.clock.advance(300 * DAY)
          await check()
          await expand()
          await check()
          instance.clock.advance(-300 * DAY)
        },
      ),
      { numRuns: Number(process.env.TEST_RUNS ?? 4) },
    )
  })
})
