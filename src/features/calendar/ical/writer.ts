import { toInstant, toWall } from '../../../nlu/time-zones.ts'
import { EXCLUDING } from '../series.ts'
import { alarmLines } from './alarms.ts'
import { type Entry, type Extra, hashField, readExtra, type Tie, type TiedField } from './entry.ts'
import { DAY, endAfter, MINUTE, NO_END, writeDate, writeDateTime, writeDuration } from './event-times.ts'
import { linkLines } from './meeting-links.ts'
import { writeAttendee, writeOrganizer } from './people.ts'
import { floatingRules, readRecurrence } from './rules.ts'
import { cleanText, escapeText, fold, writeParameter } from './text.ts'

/** The form of the times of an event: dates, UTC, local time with a zone, or floating. */
interface Form {
  parameters: string
  write: (instantMs: number) => string
}

const formOf = ({ allDay, timezone }: Entry, extra: Extra): Form => {
  if (allDay) return { parameters: ';VALUE=DATE', write: (instant) => writeDate(toWall(instant, timezone)) }
  if (extra.floating === timezone)
    return { parameters: '', write: (instant) => writeDateTime(toWall(instant, timezone)) }
  if (timezone === 'UTC') return { parameters: '', write: writeUtc }
  return {
    parameters: `;TZID=${writeParameter(timezone)}`,
    write: (instant) => writeDateTime(toWall(instant, timezone)),
  }
}

const writeUtc = (instantMs: number): string => `${writeDateTime(instantMs)}Z`

/** Writes an event as a VEVENT. `stampedAt` is the DTSTAMP for events without a modification time. */
export const writeEntry = (entry: Entry, stampedAt: string): string => {
  const extra = readExtra(entry.extra)
  const form = formOf(entry, extra)
  const stamp = writeUtc(Date.parse(entry.revisedAt ?? stampedAt))
  const start = Date.parse(entry.start)
  let text = ''
  const write = (line: string): void => {
    text += fold(line)
  }
  write('BEGIN:VEVENT')
  write(`UID:${escapeText(entry.uid)}`)
  write(`DTSTAMP:${stamp}`)
  write(`DTSTART${form.parameters}:${form.write(start)}`)
  const ending = endLine(entry, extra, form, start)
  if (ending !== undefined) write(ending)
  if (entry.recurrenceId !== null) write(recurrenceIdLine(entry, entry.recurrenceId, extra, form))
  if (entry.recurrence !== null)
    for (const rule of rulesOf(entry.recurrence, entry, extra))
      write(cleanText(rule.startsWith(EXCLUDING) ? rule : `RRULE:${rule}`))
  if (entry.exdates.length > 0) write(datesLine('EXDATE', entry.exdates, form))
  if (entry.rdates.length > 0) writeRdates(write, entry.rdates, extra, form)
  writeTexts(write, entry, extra)
  if (entry.revisedAt !== null) write(`LAST-MODIFIED:${stamp}`)
  write(`SEQUENCE:${entry.sequence}`)
  write(`STATUS:${entry.status.toUpperCase()}`)
  write(entry.busy ? 'TRANSP:OPAQUE' : 'TRANSP:TRANSPARENT')
  writePeople(write, entry, extra)
  if (entry.meetingUrl !== null) writeMeeting(write, entry, entry.meetingUrl, extra)
  extra.lines?.forEach(write)
  for (const tie of extra.tied ?? [])
    if (tie.field !== 'meetingUrl' && holds(tie, entry)) tie.lines?.forEach(write)
  writeInner(write, entry, extra)
  write('END:VEVENT')
  return text
}

type Write = (line: string) => void

const holds = (tie: Tie, entry: Entry): boolean => tie.print === hashField(entry[tie.field])

/** Writes the end in its original form, if that is still correct. */
const endLine = (entry: Entry, { ending }: Extra, form: Form, start: number): string | undefined => {
  const end = Date.parse(entry.end)
  if (ending !== undefined) {
    const { allDay, timezone } = entry
    const wall = toWall(start, timezone)
    if (ending === NO_END && (allDay ? toWall(end, timezone) - wall === DAY : end - start === MINUTE))
      return undefined
    const zone = { name: timezone, toInstant: (other: number) => toInstant(other, timezone) }
    if (endAfter(ending, { start, wall, allDay, zone }, timezone) === end) return `DURATION:${ending}`
  }
  return `DTEND${form.parameters}:${form.write(end)}`
}

const recurrenceIdLine = (
  entry: Entry,
  recurrenceId: string,
  { recurrenceId: kept }: Extra,
  form: Form,
): string => {
  const instant = Date.parse(recurrenceId)
  const wall = toWall(instant, entry.timezone)
  const range = kept?.range ? `;RANGE=${writeParameter(kept.range)}` : ''
  if (kept?.day) return `RECURRENCE-ID${range};VALUE=DATE:${kept.day}`
  // An occurrence of a timed series may be an all-day event.
  if (entry.allDay && (kept || wall % DAY !== 0)) return `RECURRENCE-ID${range}:${writeUtc(instant)}`
  return `RECURRENCE-ID${range}${form.parameters}:${form.write(instant)}`
}

/** RFC 5545, 3.3.10: UNTIL must have the same value type as DTSTART. */
const rulesOf = (recurrence: string, { allDay, timezone }: Entry, extra: Extra): string[] => {
  const isOdd = allDay ? /UNTIL=\d{8}T/ : /UNTIL=\d{8}(?:T\d{6})?(?![\dTZ])/
  const zone = { name: timezone, toInstant: (wall: number) => toInstant(wall, timezone) }
  return recurrence.split('\n').map((line) => {
    const name = line.startsWith(EXCLUDING) ? EXCLUDING : ''
    const rule = line.slice(name.length)
    const read = isOdd.test(rule) ? readRecurrence(rule, zone, allDay) : undefined
    const regular = read && 'recurrence' in read ? read.recurrence : rule
    return name + (extra.floating === timezone ? floatingRules(regular, timezone) : regular)
  })
}

const datesLine = (name: string, dates: string[], form: Form): string =>
  `${name}${form.parameters}:${dates.map((date) => form.write(Date.parse(date))).join(',')}`

const writeRdates = (write: Write, rdates: string[], { periods = [] }: Extra, form: Form): void => {
  const lengths = new Map(periods.map(({ start, length }) => [start, length]))
  const plain = rdates.filter((date) => !lengths.has(date))
  const long = rdates
    .filter((date) => lengths.has(date))
    .map((date) => `${writeUtc(Date.parse(date))}/${writeDuration(lengths.get(date) as number)}`)
  if (plain.length > 0) write(datesLine('RDATE', plain, form))
  if (long.length > 0) write(`RDATE;VALUE=PERIOD:${long.join(',')}`)
}

const writeTexts = (write: Write, entry: Entry, { tied = [] }: Extra): void => {
  const parametersOf = (field: TiedField): string => {
    const tie = tied.find((candidate) => candidate.field === field)
    return tie?.parameters && holds(tie, entry) ? `;${tie.parameters}` : ''
  }
  const { title, description, location, tags } = entry
  write(`SUMMARY${parametersOf('title')}:${escapeText(title)}`)
  if (description !== '') write(`DESCRIPTION${parametersOf('description')}:${escapeText(description)}`)
  if (location !== '') write(`LOCATION${parametersOf('location')}:${escapeText(location)}`)
  if (tags.length > 0) write(`CATEGORIES${parametersOf('tags')}:${tags.map(escapeText).join(',')}`)
}

const writePeople = (write: Write, { organizer, attendees }: Entry, extra: Extra): void => {
  if (organizer) write(writeOrganizer(organizer, extra.organizer))
  if (attendees.length === 0) return
  const kept = new Map(extra.people?.map((person) => [person.email, person]))
  for (const attendee of attendees) write(writeAttendee(attendee, kept.get(attendee.email)))
}

const writeMeeting = (write: Write, entry: Entry, link: string, { tied = [], lines = [] }: Extra): void => {
  const tiedLines = tied.find((tie) => tie.field === 'meetingUrl' && holds(tie, entry))?.lines
  if (tiedLines) tiedLines.forEach(write)
  else
    linkLines(cleanText(link).replace(/\s/g, ''), !lines.some((line) => /^URL[;:]/.test(line))).forEach(write)
}

const writeInner = (write: Write, { reminders, title }: Entry, extra: Extra): void => {
  const kept = new Map(extra.alarms?.map(({ minutesBefore, lines }) => [minutesBefore, lines]))
  for (const { minutesBefore } of reminders)
    (kept.get(minutesBefore) ?? alarmLines(minutesBefore, title)).forEach(write)
  for (const component of extra.components ?? []) component.forEach(write)
}
