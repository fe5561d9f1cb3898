import { createHash } from 'node:crypto'
import { type ImportRecord, onlyProblems, type Problem, Problems, toProblem } from '../import-record.ts'
import { type CsvRow, findUnknownColumns, NamedRow, toColumnKey } from './csv.ts'
import { hasDayFirst, readDay, readTime } from './dates.ts'
import { joinNotes, type TableContext } from './table.ts'

/** The columns of a calendar that become fields of an event, in English and German. Others go to the description. */
const CALENDAR_COLUMNS = [
  ...['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time', 'All day event', 'Reminder on/off'],
  ...['Reminder Date', 'Reminder Time', 'Description', 'Location', 'Private', 'Show time as', 'Categories'],
  ...['Sensitivity', 'Betreff', 'Beginnt am', 'Beginnt um', 'Endet am', 'Endet um'],
  ...['Ganztägiges Ereignis', 'Erinnerung Ein/Aus', 'Erinnerung am', 'Erinnerung um', 'Beschreibung', 'Ort'],
  ...['Privat', 'Zeitspanne zeigen als', 'Kategorien', 'Vertraulichkeit'],
]

/** Values that Outlook writes for every event. */
const isDefault = (name: string, value: string): boolean =>
  /^priori/i.test(name) && /^(?:normal|mittel)$/i.test(value)

export const isCalendarHeader = (keys: ReadonlySet<string>): boolean =>
  (keys.has('subject') && keys.has('startdate')) || (keys.has('betreff') && keys.has('beginntam'))

const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')

const isTrue = (text: string): boolean => /^(?:true|wahr|ein|on|yes|ja|1)$/i.test(text)

/** A wall-clock time as milliseconds of UTC. */
const toWall = (day: string, seconds: number): number => Date.parse(`${day}T00:00:00Z`) + seconds * 1000

const toLocal = (wall: number): string => new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

const dayAfter = (day: string): string => new Date(toWall(day, 86_400)).toISOString().slice(0, 10)

const compact = (day: string): string => day.replaceAll('-', '')

interface When {
  lines: string[]
  start: number
}

const readWhen = (
  row: NamedRow,
  timezone: string,
  isDayFirst: boolean,
  problems: Problems,
): When | undefined => {
  const startDay = readDay(row.get('Start Date', 'Beginnt am'), isDayFirst)
  if (startDay === null) return undefined
  const read = <T>(field: string, value: string, parse: (text: string) => T | null, reason: string) => {
    const result = value === '' ? null : parse(value)
    if (value !== '' && result === null) problems.changed(field, value, reason)
    return result
  }
  const parseDay = (text: string) => readDay(text, isDayFirst)
  const startTime = read(
    'Start Time',
    row.get('Start Time', 'Beginnt um'),
    readTime,
    'This is no time. The event became an all-day event.',
  )
  const endTime = read('End Time', row.get('End Time', 'Endet um'), readTime, 'This is no time.')
  const endDay =
    read(
      'End Date',
      row.get('End Date', 'Endet am'),
      parseDay,
      'This is no date. The event ends on the day of its start.',
    ) ?? startDay
  if (isTrue(row.get('All day event', 'Ganztägiges Ereignis')) || startTime === null) {
    // Outlook writes the day after the last one, at midnight.
    const last =
      endDay > startDay && (endTime ?? 0) === 0 ? endDay : dayAfter(endDay < startDay ? startDay : endDay)
    return {
      lines: [`DTSTART;VALUE=DATE:${compact(startDay)}`, `DTEND;VALUE=DATE:${compact(last)}`],
      start: toWall(startDay, 0),
    }
  }
  const start = toWall(startDay, startTime)
  const end = endTime === null ? start : toWall(endDay, endTime)
  return {
    lines: [
      `DTSTART;TZID=${timezone}:${toLocal(start)}`,
      ...(end > start ? [`DTEND;TZID=${timezone}:${toLocal(end)}`] : []),
    ],
    start,
  }
}

/** A row, and the text of its unknown columns. */
type Row = { row: NamedRow; others: string }

const readReminder = (row: NamedRow, start: number, isDayFirst: boolean, problems: Problems): string[] => {
  if (!isTrue(row.get('Reminder on/off', 'Erinnerung Ein/Aus'))) return []
  const givenDay = row.get('Reminder Date', 'Erinnerung am')
  const givenTime = row.get('Reminder Time', 'Erinnerung um')
  const day = readDay(givenDay, isDayFirst)
  const time = readTime(givenTime)
  const minutes =
    day === null || time === null ? Number.NaN : Math.round((start - toWall(day, time)) / 60_000)
  if (minutes >= 0) return ['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER:-PT${minutes}M`, 'END:VALARM']
  problems.changed(
    'Reminder',
    `${givenDay} ${givenTime}`.trim(),
    'The reminder is no time before the start. It was not imported.',
  )
  return []
}

const CLASSES: Readonly<Record<string, string>> = {
  private: 'PRIVATE',
  privat: 'PRIVATE',
  personal: 'PRIVATE',
  persönlich: 'PRIVATE',
  confidential: 'CONFIDENTIAL',
  vertraulich: 'CONFIDENTIAL',
}

const toEvent = ({ row, others }: Row, when: When, isDayFirst: boolean, problems: Problems): string[] => {
  const reminder = readReminder(row, when.start, isDayFirst, problems)
  const title = row.get('Subject', 'Betreff')
  const location = row.get('Location', 'Ort')
  const notes = joinNotes(row.get('Description', 'Beschreibung'), others)
  const categories = row
    .get('Categories', 'Kategorien')
    .split(/[;,]/)
    .map((category) => category.trim())
    .filter((category) => category !== '')
  const secrecy = isTrue(row.get('Private', 'Privat'))
    ? 'PRIVATE'
    : CLASSES[row.get('Sensitivity', 'Vertraulichkeit').toLowerCase()]
  const busyStatus = row.get('Show time as', 'Zeitspanne zeigen als')
  const isFree = /^(?:free|frei|3|verfügbar)$/i.test(busyStatus)
  const isTentative = /^(?:tentative|mit vorbehalt|1)$/i.test(busyStatus)
  if (!isFree && !isTentative && !/^(?:|busy|gebucht|beschäftigt|2)$/i.test(busyStatus))
    problems.changed('Show time as', busyStatus, 'Factotum has no such value. The event is shown as busy.')
  // Other members of a shared calendar see a private event as busy.
  if (secrecy !== undefined) categories.push('private')
  const lines = [
    ...when.lines,
    `SUMMARY:${escapeText(title)}`,
    ...(location === '' ? [] : [`LOCATION:${escapeText(location)}`]),
    ...(notes === '' ? [] : [`DESCRIPTION:${escapeText(notes)}`]),
    ...(categories.length === 0 ? [] : [`CATEGORIES:${categories.map(escapeText).join(',')}`]),
    ...(secrecy === undefined ? [] : [`CLASS:${secrecy}`]),
    ...(isFree ? ['TRANSP:TRANSPARENT'] : []),
    ...(isTentative ? ['STATUS:TENTATIVE'] : []),
  ]
  // The same row has the same UID, so that a second import adds nothing.
  const uid = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32)
  return ['BEGIN:VEVENT', `UID:${uid}@outlook-csv`, ...lines, ...reminder, 'END:VEVENT']
}

/** Rows as a calendar, which the calendar feature reads. `starts` maps its lines to those of the table. */
export interface CalendarRows {
  kind: 'calendar'
  text: string
  starts: { line: number; row: number }[]
}

/** Rows of one calendar. */
const CALENDAR_ROWS = 500

const toCalendarRows = (
  rows: readonly Row[],
  { file, timezone, isDayFirst }: { file: string; timezone: string; isDayFirst: boolean },
): { calendar: CalendarRows; problems: Problem[] } => {
  const output = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Factotum//Outlook CSV//EN']
  const starts: CalendarRows['starts'] = []
  const problems: Problem[] = []
  for (const entry of rows) {
    const { row } = entry
    const found = new Problems({ file, line: row.line })
    const when = readWhen(row, timezone, isDayFirst, found)
    if (when) {
      starts.push({ line: output.length + 1, row: row.line })
      output.push(...toEvent(entry, when, isDayFirst, found))
    } else
      problems.push(
        toProblem(
          { file, line: row.line, field: 'Start Date', value: row.get('Start Date', 'Beginnt am') },
          'skipped',
          'There is no such date. Factotum reads 1/31/2026, 31/1/2026, 31.01.2026 and 2026-01-31.',
        ),
      )
    problems.push(...found.all)
  }
  output.push('END:VCALENDAR')
  return { calendar: { kind: 'calendar', text: `${output.join('\r\n')}\r\n`, starts }, problems }
}

/** Reads a calendar of Outlook. */
export async function* readCalendarTable(
  header: CsvRow,
  rows: AsyncIterable<CsvRow>,
  { file, timezone }: TableContext,
): AsyncGenerator<ImportRecord | CalendarRows> {
  const columns = new Map(header.cells.map((name, index) => [toColumnKey(name), index]))
  const known = new Set(CALENDAR_COLUMNS.map(toColumnKey))
  const unknown = findUnknownColumns(header.cells, (key) => known.has(key))
  const reported = new Map<string, Problem>()
  const all: Row[] = []
  for await (const cells of rows) {
    const row = new NamedRow(cells, columns)
    const values = unknown.flatMap(({ index, name }) =>
      row.at(index) === '' || isDefault(name, row.at(index)) ? [] : [{ name, value: row.at(index) }],
    )
    for (const { name, value } of values)
      if (!reported.has(name))
        reported.set(
          name,
          toProblem(
            { file, line: row.line, field: name, value },
            'unknown',
            'Factotum has no field for this column. Its values were added to the description.',
          ),
        )
    all.push({ row, others: values.map(({ name, value }) => `${name}: ${value}`).join('\n') })
  }
  if (reported.size > 0) yield onlyProblems(file, ...reported.values())
  const isDayFirst = hasDayFirst(all.map(({ row }) => row.get('Start Date', 'Beginnt am')))
  for (let at = 0; at < all.length; at += CALENDAR_ROWS) {
    const part = all.slice(at, at + CALENDAR_ROWS)
    const { calendar, problems } = toCalendarRows(part, { file, timezone, isDayFirst })
    if (problems.length > 0) yield onlyProblems(file, ...problems)
    if (calendar.starts.length > 0) yield calendar
  }
}
