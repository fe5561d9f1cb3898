import type { Entry, Found } from '../../src/features/calendar/ical/entry.ts'
import { openCalendar } from '../../src/features/calendar/ical/parser.ts'

export const HOME = 'Europe/Berlin'

export const readAll = async (text: string, timezone = HOME): Promise<Found[]> => [
  ...(await openCalendar(text, { timezone })).found(),
]

export const entriesIn = async (text: string, timezone = HOME): Promise<Entry[]> =>
  (await readAll(text, timezone)).flatMap((found) => (found.kind === 'entry' ? [found.entry] : []))

/** Creates a calendar with one event of these lines. */
export const calendarWith = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')

/** Parses an event of these lines. A skipped event fails the test with its reason. */
export const readEventOf = async (...lines: string[]): Promise<Entry> => {
  const [found] = await readAll(calendarWith('UID:one@example.com', ...lines))
  if (found?.kind !== 'entry')
    throw new Error(found?.kind === 'skipped' ? found.reason : 'There is no event.')
  return found.entry
}

/** Returns why an event of these lines is skipped. */
export const reasonFor = async (...lines: string[]): Promise<string> => {
  const [found] = await readAll(calendarWith('UID:one@example.com', ...lines))
  if (found?.kind !== 'skipped') throw new Error('It is not skipped.')
  return found.reason
}
