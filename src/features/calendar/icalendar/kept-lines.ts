import type { Entry } from './entry.ts'
import { type Extra, printOf, type Tie, type TiedField } from './extra.ts'
import { type ContentLine, regularLine, regularParameter } from './lines.ts'
import { linkLines, tellsLink } from './meeting-links.ts'

/** Inline attachments above this size are left behind. */
const LONGEST_KEPT_LINE = 100_000

const MODELLED = new Set(
  'UID RECURRENCE-ID SEQUENCE LAST-MODIFIED DTSTAMP SUMMARY DESCRIPTION LOCATION DTSTART DTEND DURATION STATUS TRANSP ORGANIZER ATTENDEE CATEGORIES RRULE EXRULE EXDATE RDATE METHOD BEGIN END'.split(
    ' ',
  ),
)

/** What says again what one of our fields says. */
const RESTATES: Record<string, TiedField> = {
  'X-ALT-DESC': 'description',
  'STYLED-DESCRIPTION': 'description',
  GEO: 'location',
  'STRUCTURED-LOCATION': 'location',
  'X-APPLE-STRUCTURED-LOCATION': 'location',
  'X-MICROSOFT-LOCATIONS': 'location',
  'X-MICROSOFT-LOCATIONDISPLAYNAME': 'location',
  'X-MICROSOFT-CDO-BUSYSTATUS': 'busy',
  'X-MICROSOFT-CDO-ALLDAYEVENT': 'allDay',
}

const TEXTS: readonly [TiedField, string][] = [
  ['title', 'SUMMARY'],
  ['description', 'DESCRIPTION'],
  ['location', 'LOCATION'],
  ['tags', 'CATEGORIES'],
]

type Tied = Pick<Entry, TiedField>

/** The lines that are kept, apart from those that fall away with a field. */
export const keptLines = (
  lines: ContentLine[],
  fields: Tied,
  unread: Set<ContentLine>,
): Pick<Extra, 'lines' | 'tied'> => {
  const free: string[] = []
  const ties = new Map<TiedField, Required<Pick<Tie, 'lines' | 'parameters'>>>()
  const tieOf = (field: TiedField) => {
    const tie = ties.get(field) ?? { lines: [], parameters: '' }
    ties.set(field, tie)
    return tie
  }
  const ours = fields.meetingUrl === null ? [] : linkLines(fields.meetingUrl, true)
  for (const line of lines) {
    const isKept = unread.has(line) || !MODELLED.has(line.name)
    const regular = isKept && line.value.length <= LONGEST_KEPT_LINE ? regularLine(line) : undefined
    if (regular === undefined || ours.includes(regular)) continue
    const tellsMeeting = fields.meetingUrl !== null && tellsLink(line, fields.meetingUrl)
    const field = tellsMeeting ? 'meetingUrl' : RESTATES[line.name]
    if (field) tieOf(field).lines.push(regular)
    else free.push(regular)
  }
  for (const [field, name] of TEXTS) {
    const line = lines.find((candidate) => candidate.name === name && candidate.value.trim() !== '')
    const parameters = line?.parameters.filter(
      ({ name: own }) => !/^(?:ENCODING|CHARSET|VALUE|QUOTED-PRINTABLE)$/.test(own),
    )
    if (parameters && parameters.length > 0)
      tieOf(field).parameters = parameters.map(regularParameter).join(';')
  }
  const tied = [...ties].sort().map(
    ([field, tie]): Tie => ({
      field,
      print: printOf(fields[field]),
      ...(tie.lines.length > 0 ? { lines: tie.lines } : {}),
      ...(tie.parameters === '' ? {} : { parameters: tie.parameters }),
    }),
  )
  return { lines: free, tied }
}
