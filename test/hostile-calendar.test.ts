import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { scanComponents } from '../src/features/calendar/ical/parser.ts'
import { guessZone } from '../src/features/calendar/ical/zone-names.ts'
import { instantAmong, offsetAmong } from '../src/features/calendar/ical/zones.ts'
import { readLine } from '../src/platform/icalendar/text.ts'
import { createSteps } from '../src/recurrence/days.ts'
import { type Rule, readRule } from '../src/recurrence/rule.ts'
import { lastStart, occurrencesBetween } from '../src/recurrence/series.ts'
import type { Transition } from '../src/recurrence/time-zones.ts'
import { onOneDatabase } from './support/databases.ts'
import {
  calendarEvent,
  calendarFile,
  HOSTILE_CALENDARS,
  HOSTILE_CAPTIONS,
  RULES_THAT_NEVER_MATCH,
} from './support/hostile-files.ts'
import { type Instance, type InstanceOptions, startInstance } from './support/instance.ts'
import { sampleOf } from './support/scale.ts'
import { InterceptedPool } from './support/worker-pools.ts'

const NEVER = Date.parse('9999-12-31T23:59:59.999Z')
const EVENTS = '/api/calendar/events'

const ruleOf = (text: string): Rule => {
  const read = readRule(text)
  if ('fault' in read) throw new Error(read.fault)
  return read.rule
}

describe('a rule that never matches', () => {
  const seriesOf = (...rules: string[]) => ({
    start: Date.UTC(2024, 2, 1, 9),
    timezone: 'Europe/Berlin',
    allDay: false,
    rules: rules.map(ruleOf),
    excluded: [],
    added: [],
  })

  /** The whole step budget, and the cost of the last step. */
  const MAX_STEPS = createSteps().left + 100_000

  it.each(RULES_THAT_NEVER_MATCH)('%s takes a bounded number of steps', (rule) => {
    const steps = createSteps()
    const given = steps.left
    const series = seriesOf(rule)
    expect([...occurrencesBetween(series, series.start + 1, NEVER, steps).take(3)].length).toBeLessThan(3)
    expect(given - steps.left).toBeLessThan(MAX_STEPS)
  })

  it('costs no more when an event has twenty of them', () => {
    const steps = createSteps()
    const given = steps.left
    const rules = Array.from({ length: 20 }, (_, index) => RULES_THAT_NEVER_MATCH[index % 7] as string)
    const series = seriesOf(...rules)
    expect(occurrencesBetween(series, series.start + 1, NEVER, steps).next().done).toBe(true)
    expect(given - steps.left).toBeLessThan(MAX_STEPS)
  })

  it('is not reported to end too early', () => {
    expect(lastStart(seriesOf('FREQ=SECONDLY;INTERVAL=86399;BYHOUR=3;BYMINUTE=3;COUNT=100000'))).toBeNull()
    expect(lastStart(seriesOf('FREQ=DAILY;COUNT=3'))).toBe(Date.UTC(2024, 2, 3, 9))
  })
})

describe('the time zones of a hostile calendar', () => {
  afterEach(() => vi.restoreAllMocks())

  it('are resolved in a few steps, regardless of the number of offset changes', () => {
    const HOUR = 3_600_000
    let reads = 0
    const changes = Array.from(
      { length: 5000 },
      (_, index): Transition => ({
        at: index * 30 * 24 * HOUR,
        before: (index % 2) * HOUR,
        after: ((index + 1) % 2) * HOUR,
      }),
    )
    const counted = new Proxy(changes, {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads++
        return Reflect.get(target, name, receiver)
      },
    })
    for (let index = 0; index < 3000; index++) {
      const wall = (index * 50 * 24 + 12) * HOUR
      expect(instantAmong(counted, wall) + offsetAmong(changes, instantAmong(changes, wall))).toBe(wall)
    }
    expect(reads / 3000).toBeLessThan(50)
  })

  it('are guessed from a list of cities that is built once', () => {
    const listed = vi.spyOn(Intl, 'supportedValuesOf')
    for (let index = 0; index < 1000; index++) guessZone(`Nowhere ${index}`)
    expect(guessZone('(UTC+01:00) Amsterdam, Berlin')).toBe('Europe/Amsterdam')
    expect(listed.mock.calls.length).toBeLessThanOrEqual(1)
  })
})

describe('the lines of a hostile calendar', () => {
  it('have a bounded number of parameters', () => {
    expect(readLine(`X-A${';a=b'.repeat(100_000)}:c`)).toBeUndefined()
    expect(readLine(`X-A${';a=b'.repeat(500)}:c`)?.parameters).toHaveLength(500)
  })

  it('contain a bounded number of calendar names', () => {
    const met = scanComponents(calendarFile('NAME:a\r\n'.repeat(20_000))).filter(
      ({ kind }) => kind === 'property',
    )
    expect([...met]).toHaveLength(5000)
  })
})

const closing: Instance[] = []
afterEach(async () => {
  for (const instance of closing.splice(0)) await instance.close()
})
const start = async (options: InstanceOptions = {}): Promise<Instance> => {
  const instance = await startInstance(options)
  closing.push(instance)
  return instance
}
const importFile = (instance: Instance, body: string, headers: Record<string, string> = {}) =>
  instance.call('POST', '/api/calendar/import', {
    body,
    headers: { 'content-type': 'text/calendar', ...headers },
  })
const importCaptions = (instance: Instance, body: string, headers: Record<string, string> = {}) =>
  instance.call('POST', '/api/stream/captions', { body, headers: { 'content-type': 'text/vtt', ...headers } })

/** Counts finished tasks, with or without a result. */
const ended = (instance: Instance): number => {
  const { completed, failed } = instance.app.workers.statistics()
  return [...Object.values(completed), ...Object.values(failed)].reduce((sum, count) => sum + count, 0)
}

onOneDatabase('postgres', 'a hostile file', (engine) => {
  it('is parsed in a worker thread if it is not small', async () => {
    const instance = await start({ engine })
    const small = await importFile(instance, calendarFile(calendarEvent('small', 'SUMMARY:Lunch')))
    expect([small.status, small.body.created]).toEqual([200, 1])
    expect((await importCaptions(instance, 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n')).status).toBe(201)
    expect(instance.app.workers.statistics().started).toBe(0)
    const large = await importFile(
      instance,
      calendarFile(calendarEvent('large', `DESCRIPTION:${'long '.repeat(10_000)}`)),
    )
    expect([large.status, large.body.created]).toEqual([200, 1])
    const captions = await importCaptions(
      instance,
      `WEBVTT\n\n${'00:00.000 --> 00:01.000\nHello\n\n'.repeat(1000)}`,
    )
    expect([captions.status, captions.body.imported]).toEqual([201, 1000])
    expect(instance.app.workers.statistics().completed).toEqual({ readFound: 1, readCaptionPages: 1 })
  })

  it('with rules that never match creates events, and their windows and expansion terminate', async () => {
    const instance = await start({ engine })
    const rules = RULES_THAT_NEVER_MATCH.map((rule) => `RRULE:${rule}`)
    const file = calendarFile(...[1, 2, 3].map((uid) => calendarEvent(uid, ...rules)))
    expect((await importFile(instance, file)).body).toMatchObject({ created: 3, skippedCount: 0 })
    await instance.app.jobs.start()
    const window = `${EVENTS}?start=2024-01-01T00:00:00Z&end=9000-01-01T00:00:00Z`
    const { status, body } = await instance.get(window)
    expect(status).toBe(200)
    expect(body.events.map(({ start: at }: { start: string }) => at)).toEqual(
      Array.from({ length: 3 }, () => '2024-03-01T09:00:00.000Z'),
    )
  })
})

describe('the parsing of each hostile file', () => {
  /** Its worker thread loads the parsers once for all files. */
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it.each(sampleOf(HOSTILE_CALENDARS, 3).map(({ name, make }) => [name, make] as const))(
    'calendar with %s does not block the main thread',
    async (_, make) => {
      const before = ended(instance)
      const { status, body } = await importFile(instance, make())
      expect(ended(instance) - before).toBe(1)
      // A busy machine may exceed the time limit.
      if (status !== 200) expect([status, body.code]).toEqual([400, 'unreadable_calendar'])
    },
  )

  it.each(sampleOf(HOSTILE_CAPTIONS, 2).map(({ name, make }) => [name, make] as const))(
    'caption file with %s does not block the main thread',
    async (_, make) => {
      const before = ended(instance)
      const { status, body } = await importCaptions(instance, make())
      expect(ended(instance) - before).toBe(1)
      if (status !== 201) expect([status, body.code]).toEqual([400, 'unreadable_captions'])
    },
  )
})

describe('a file that exceeds the limits', () => {
  const LONG = calendarFile(calendarEvent('long', `DESCRIPTION:${'long '.repeat(10_000)}`))
  const hurried = () => new InterceptedPool((options) => ({ ...options, timeoutMs: 0 }))

  it('is rejected with a 400 that contains the reason', async () => {
    const instance = await start({ deps: { workers: hurried() } })
    // The limit must pass before this thread reads the answer of the worker.
    const many = calendarFile(...Array.from({ length: 20_000 }, (_, uid) => calendarEvent(uid)))
    const calendar = await importFile(instance, many)
    expect([calendar.status, calendar.body.code]).toEqual([400, 'unreadable_calendar'])
    expect(calendar.body.detail).toMatch(/took longer than/)
    const captions = await importCaptions(instance, `WEBVTT\n\n${'NOTE\n\n'.repeat(200_000)}`)
    expect([captions.status, captions.body.code]).toEqual([400, 'unreadable_captions'])
  })

  it('has too many style sheets', async () => {
    const instance = await start()
    const styled = `WEBVTT\n\n${'STYLE\n::cue { color: red }\n\n'.repeat(20_000)}`
    const { status, body } = await importCaptions(instance, styled)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.detail).toMatch(/style sheets and regions of the file are longer/)
  })

  it('does not block other writers while it is parsed', async () => {
    let writes = 0
    const workers = new InterceptedPool(async (options) => {
      // Another writer would wait here for the transaction of the idempotency key.
      await instance.post('/api/tasks', { title: 'Meanwhile' })
      writes++
      return options
    })
    const instance: Instance = await start({ deps: { workers } })
    const headers = { 'idempotency-key': 'hostile-calendar' }
    expect((await importFile(instance, LONG, headers)).body).toMatchObject({ created: 1 })
    expect((await importFile(instance, LONG, headers)).body).toMatchObject({ created: 1 })
    const captions = `WEBVTT\n\n${'00:00.000 --> 00:01.000\nHello\n\n'.repeat(1000)}`
    expect((await importCaptions(instance, captions, headers)).body).toMatchObject({ imported: 1000 })
    expect(writes).toBe(2)
  })
})
