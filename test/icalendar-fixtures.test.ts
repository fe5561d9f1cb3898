import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import type { Entry, Extra, Found } from '../src/features/calendar/ical/entry.ts'
import { writeEntry } from '../src/features/calendar/ical/event.ts'
import { calendarHead, calendarTail } from '../src/features/calendar/ical/parser.ts'
import { timezoneComponents } from '../src/features/calendar/ical/zones.ts'
import { decodeCalendar, readLine, unfold } from '../src/platform/icalendar/text.ts'
import { offsetAt, toWall, transitionsBetween } from '../src/recurrence/time-zones.ts'
import { entriesIn, HOME, readAll } from './support/icalendar.ts'

// Parses calendars of many programs, and checks the output of Factotum with other parsers.

const FIXTURES = '../shared/data/ics-fixtures'
const isThere = existsSync(FIXTURES)
if (!isThere) console.log(`Skipped: the public calendar files are not at ${FIXTURES}.`)
const python = process.env.TEST_PYTHON_ICALENDAR

interface Fixture {
  file: string
  balanced: boolean
  vevent: number
  vevent_uids: string[]
  invalid_by_name: boolean
}

const listed = <T>(name: string): T[] =>
  isThere
    ? readFileSync(`${FIXTURES}/${name}`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
    : []

const fixtures = listed<Fixture>('index.public.jsonl')
const wellFormed = fixtures.filter((fixture) => fixture.balanced && !fixture.invalid_by_name)
const textOf = ({ file }: Fixture): string => decodeCalendar(readFileSync(`${FIXTURES}/${file}`))

const STAMP = '2026-01-01T00:00:00.000Z'
const withStamp = (entry: Entry): Entry => ({ ...entry, revisedAt: entry.revisedAt ?? STAMP })

/** Writes all parsed entries as one calendar. */
const written = (entries: Entry[]): string => {
  const zones = Map.groupBy(entries, ({ timezone }) => timezone)
  const years = (timezone: string): number[] =>
    (zones.get(timezone) ?? []).map(({ start }) => Number(start.slice(0, 4)))
  return [
    calendarHead({ name: 'Fixtures', timezone: HOME }),
    timezoneComponents(
      [...zones.keys()].map((timezone) => ({
        timezone,
        fromYear: Math.min(2000, ...years(timezone)),
        untilYear: Math.max(...years(timezone)),
      })),
    ),
    ...entries.map((entry) => writeEntry(entry, STAMP)),
    calendarTail(),
  ].join('')
}

const keptOf = ({ extra }: Entry): Extra => JSON.parse(extra ?? '{}') as Extra

/** Formats an instant as other parsers do: a date, a local time, or UTC. */
const formatInstant = (entry: Entry, instant: string): string => {
  const wall = new Date(toWall(Date.parse(instant), entry.timezone)).toISOString()
  if (entry.allDay) return wall.slice(0, 10)
  return keptOf(entry).floating === entry.timezone ? wall.slice(0, 19) : instant
}

const guestsOf = (entry: Entry): number =>
  entry.attendees.length + (keptOf(entry).lines ?? []).filter((line) => line.startsWith('ATTENDEE')).length

const everyEntry = async (): Promise<Entry[]> =>
  (await Promise.all(fixtures.map((fixture) => entriesIn(textOf(fixture))))).flat()

describe.skipIf(!isThere)('calendar files of other programs', () => {
  it('exist', () => {
    expect(wellFormed.length).toBeGreaterThan(100)
  })

  it.each(fixtures.map((fixture) => [fixture.file.replace(/^.*\//, ''), fixture] as const))(
    '%s: every event is parsed',
    async (_, fixture) => {
      const found = await readAll(textOf(fixture))
      const isOther = (one: Found): boolean => one.kind === 'skipped' && /is not an event/.test(one.reason)
      const events = found.filter((one) => one.kind !== 'skipped')
      const uids = new Set(events.map(({ entry }) => entry.uid))
      expect(found.filter((one) => one.kind === 'skipped' && !isOther(one)).length).toBe(
        // Its rule ends on the 56th of month 34.
        fixture.file.endsWith('invalid__smallcluster.ics') ? 1 : 0,
      )
      if (!wellFormed.includes(fixture)) return
      expect(events.length).toBe(fixture.vevent)
      expect(fixture.vevent_uids.filter((uid) => !uids.has(uid))).toEqual([])
    },
  )

  it('are the same after writing and parsing', async () => {
    for (const fixture of fixtures) {
      const entries = await entriesIn(textOf(fixture))
      expect(await entriesIn(written(entries))).toEqual(entries.map(withStamp))
    }
  })

  it('are the same for ical.js after writing', async () => {
    const entries = await everyEntry()
    const calendar = new ICAL.Component(ICAL.parse(written(entries)))
    const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
    const parsed = events.map(
      ({ uid, summary, description, location, attendees, startDate, endDate }, index) => {
        const { timezone, allDay } = entries[index] as Entry
        const isoOf = (time: ICAL.Time): string =>
          allDay || time.zone.tzid === 'floating' ? time.toString() : time.toJSDate().toISOString()
        return {
          uid,
          title: summary ?? '',
          description: description ?? '',
          location: location ?? '',
          start: isoOf(startDate),
          end: isoOf(endDate),
          zone: startDate.zone.tzid === 'floating' ? timezone : startDate.zone.tzid,
          attendees: attendees.length,
        }
      },
    )
    expect(parsed).toEqual(
      entries.map((entry) => {
        const { uid, title, description, location, start, end, allDay, timezone } = entry
        // An event without a duration has none in the other parser either.
        const takesNone = keptOf(entry).ending === 'none' && !allDay
        return {
          uid,
          title,
          description,
          location,
          start: formatInstant(entry, start),
          end: formatInstant(entry, takesNone ? start : end),
          zone: timezone,
          attendees: guestsOf(entry),
        }
      }),
    )
  })

  it.skipIf(!python)('are the same for python-icalendar after writing', async () => {
    const entries = await everyEntry()
    const timezones = [...new Set(entries.map(({ timezone }) => timezone))].filter((zone) => zone !== 'UTC')
    const instants = timezones
      .flatMap((zone) => transitionsBetween(zone, Date.UTC(2000, 0, 1), Date.UTC(2036, 0, 1)))
      .flatMap(({ at }) => [at - 7_200_000, at + 7_200_000])
    const { stdout, stderr } = spawnSync(python as string, ['test/support/read_calendar.py'], {
      input: JSON.stringify({ ics: written(entries), instants }),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (stdout === '') throw new Error(stderr)
    const read = JSON.parse(stdout) as {
      events: { description: string }[]
      zones: Record<string, number[]>
    }
    // Older versions treat these as escapes.
    const plain = (text: string): string =>
      text.replace(/%(?:2C|3A|3B|5C)/gi, (code) => decodeURIComponent(code))
    expect(read.events.map((event) => ({ ...event, description: plain(event.description) }))).toEqual(
      entries.map((entry) => {
        const { uid, title, description, start, end, exdates, reminders } = entry
        const kept = keptOf(entry)
        const inner = (kept.components ?? []).filter(([first]) => first === 'BEGIN:VALARM')
        return {
          uid,
          title,
          description: plain(description),
          start: formatInstant(entry, start),
          end: kept.ending === undefined ? formatInstant(entry, end) : null,
          exdates: exdates.map((exdate) => formatInstant(entry, exdate)),
          attendees: guestsOf(entry),
          alarms: reminders.length + inner.length,
        }
      }),
    )
    const wrong = timezones.flatMap((zone) =>
      instants
        .filter((instant, index) => read.zones[zone]?.[index] !== offsetAt(instant, zone))
        .map((instant) => `${zone} ${new Date(instant).toISOString()}`),
    )
    expect(wrong).toEqual([])
  })
})

describe.skipIf(!isThere)('test lines of ical.js', () => {
  type Jcal = [string, [string, Record<string, string | string[]>, string, ...unknown[]][], Jcal[]]
  const pairs = listed<{ id: string; ics: string; jcal: Jcal | Jcal[] }>('jcal_pairs.public.jsonl')
  const propertiesOf = ([, properties, components]: Jcal): Jcal[1] => [
    ...properties,
    ...components.flatMap(propertiesOf),
  ]

  it.each(pairs.map(({ id, ics, jcal }) => [id, ics, jcal] as const))(
    '%s are parsed in the same way',
    (_, ics, jcal) => {
      const components = (typeof jcal[0] === 'string' ? [jcal] : jcal) as Jcal[]
      const lines = unfold(ics, 0, ics.length)
        .flatMap((line) => readLine(line) ?? [])
        .filter(({ name }) => name !== 'BEGIN' && name !== 'END')
      expect(
        lines.map(({ name, parameters }) => [
          name.toLowerCase(),
          Object.fromEntries(
            parameters
              .filter((parameter) => parameter.name !== 'VALUE')
              .map((parameter) => [parameter.name.toLowerCase(), parameter.values.join(',')]),
          ),
        ]),
      ).toEqual(components.flatMap(propertiesOf).map(([name, parameters]) => [name, parameters]))
    },
  )
})
