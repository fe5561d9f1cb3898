import { expect, it } from 'vitest'
import type { Entry } from './entry.ts'
import { writeEntry } from './event.ts'
import { openCalendar } from './parser.ts'
import { expandRangedChanges } from './this-and-future.ts'

const read = async (...events: string[]): Promise<Entry[]> => {
  const text = ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n')
  const { found } = await openCalendar(text, { timezone: 'Europe/Berlin' })
  return [...found()].flatMap((one) => (one.kind === 'entry' ? [one.entry] : []))
}
const event = (summary: string, ...lines: string[]): string =>
  ['BEGIN:VEVENT', 'UID:one', `SUMMARY:${summary}`, ...lines, 'END:VEVENT'].join('\r\n')
const at = (from: string, until: string) => [
  `DTSTART;TZID=Europe/Berlin:${from}`,
  `DTEND;TZID=Europe/Berlin:${until}`,
]
const nine = at('20260320T090000', '20260320T100000')
const changed = (start: string, day: string, hours: [string, string], ...lines: string[]): string[] => [
  `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:${start}`,
  ...at(`${day}T${hours[0]}`, `${day}T${hours[1]}`),
  ...lines,
]
const listed = (entries: Entry[]) =>
  entries.map(({ title, recurrenceId, start }) => [title, recurrenceId, start])
const again = (entries: readonly Entry[]) => read(...entries.map((entry) => writeEntry(entry, entry.start)))

it('a ranged change shifts later occurrences in local time, up to the next change, except those with their own change', async () => {
  const entries = await read(
    event('Nine', ...nine, 'RRULE:FREQ=WEEKLY;COUNT=6', 'EXDATE;TZID=Europe/Berlin:20260403T090000'),
    event('Two', ...changed('20260417T090000', '20260417', ['140000', '150000'])),
    event(
      'Alone',
      'RECURRENCE-ID;TZID=Europe/Berlin:20260410T090000',
      ...at('20260411T090000', '20260411T100000'),
    ),
    event('Eleven', ...changed('20260327T090000', '20260327', ['110000', '113000'])),
  )
  expect(listed(expandRangedChanges(entries))).toEqual([
    ['Nine', null, '2026-03-20T08:00:00.000Z'],
    ['Alone', '2026-04-10T07:00:00.000Z', '2026-04-11T07:00:00.000Z'],
    ['Eleven', '2026-03-27T08:00:00.000Z', '2026-03-27T10:00:00.000Z'],
    ['Two', '2026-04-17T07:00:00.000Z', '2026-04-17T12:00:00.000Z'],
    ['Two', '2026-04-24T07:00:00.000Z', '2026-04-24T12:00:00.000Z'],
  ])
  expect(writeEntry(expandRangedChanges(entries)[2] as Entry, '')).not.toContain('RANGE')
})

it('the last copy keeps the range if the series has no end, and a second expansion adds nothing', async () => {
  const entries = await read(
    event('Nine', ...nine, 'RRULE:FREQ=DAILY'),
    event('Ten', ...changed('20260321T090000', '20260321', ['100000', '110000'])),
  )
  const expanded = expandRangedChanges(entries)
  expect(expanded).toHaveLength(501)
  const texts = expanded.map((entry) => writeEntry(entry, ''))
  expect(texts.findIndex((text) => text.includes('RANGE=THISANDFUTURE'))).toBe(500)
  const expandedAgain = expandRangedChanges(await again(expanded))
  expect(listed(expandedAgain)).toEqual(listed(expanded))
})

it('an all-day change is copied as days, and only the named occurrence keeps a fixed-time alarm', async () => {
  const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER;VALUE=DATE-TIME:20260101T090000Z', 'END:VALARM']
  const entries = await read(
    event('Day', 'DTSTART;VALUE=DATE:20260327', 'RRULE:FREQ=DAILY;COUNT=4'),
    event(
      'Eve',
      'RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260328',
      'DTSTART;VALUE=DATE:20260327',
      ...alarm,
    ),
  )
  const expanded = expandRangedChanges(entries)
  expect(listed(expanded).slice(2)).toEqual([
    ['Eve', '2026-03-28T23:00:00.000Z', '2026-03-27T23:00:00.000Z'],
    ['Eve', '2026-03-29T22:00:00.000Z', '2026-03-28T23:00:00.000Z'],
  ])
  const texts = expanded.map((entry) => writeEntry(entry, ''))
  expect(texts[3]).toContain('RECURRENCE-ID;VALUE=DATE:20260330\r\n')
  expect(texts.map((text) => text.includes('VALARM'))).toEqual([false, true, false, false])
})
