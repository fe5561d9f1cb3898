import { cleanText, decodeCarets, writeParameter } from './text.ts'

/** A content line (RFC 5545, 3.1), its name in capitals and its value as it stands in the file. */
export interface ContentLine {
  name: string
  parameters: Parameter[]
  value: string
}

export interface Parameter {
  name: string
  values: string[]
}

/** More lines than this are not read: what has them is refused for it. */
export const MOST_LINES = 50_000

/** More than any property may have: what is folded onto a longer line is left out. */
const LONGEST_LINE = 1_100_000

/** A line with more parameters, or more values of one, was not written by a calendar program. */
const MOST_PARAMETERS = 1000
const MOST_VALUES = 10_000

const LINE_BREAK = /\r\n?|\n/g

/** Lines as they stand in the file, without the empty ones. */
export function* physicalLines(
  text: string,
  from: number,
  until: number,
): Generator<string, void, undefined> {
  let start = from
  while (start < until) {
    LINE_BREAK.lastIndex = start
    const found = LINE_BREAK.exec(text)
    const end = found && found.index < until ? found.index : until
    if (end > start) yield text.slice(start, end)
    start = found ? found.index + found[0].length : until
  }
}

/**
 * Whole lines, put together again from folded ones. Empty lines do not end a line: the first calendars of Mozilla had
 * them in the middle.
 */
export const unfold = (text: string, from: number, until: number): string[] => {
  const lines: string[] = []
  let pieces: string[] = []
  let length = 0
  const finish = (): void => {
    if (pieces.length > 0) lines.push(pieces.length === 1 ? (pieces[0] as string) : pieces.join(''))
  }
  for (const line of physicalLines(text, from, until)) {
    const last = pieces.at(-1)
    length += line.length
    if (last !== undefined && (line[0] === ' ' || line[0] === '\t')) {
      if (length <= LONGEST_LINE) pieces.push(line.slice(1))
    } else if (last?.endsWith('=') && QUOTED_PRINTABLE.test(pieces[0] as string)) {
      if (length <= LONGEST_LINE) pieces.splice(-1, 1, last.slice(0, -1), line)
    } else {
      finish()
      pieces = [line]
      length = line.length
      if (lines.length > MOST_LINES) break
    }
  }
  finish()
  return joinBrokenText(lines)
}

/** vCalendar 1.0 goes on after a `=` at the end of the line, without any mark on the next one. */
const QUOTED_PRINTABLE = /^[^:]{0,200};\s*(?:ENCODING=)?QUOTED-PRINTABLE/i

const NAME = /^\s*([A-Za-z0-9_.-]+)\s*(?=[;:])/
const PROSE = /^\s*(?:DESCRIPTION|SUMMARY|LOCATION|COMMENT|X-ALT-DESC)\b/i

/** Names that are in small letters, yet no words of a text. */
const KNOWN =
  /^(?:begin|end|uid|dtstart|dtend|dtstamp|duration|summary|description|location|status|transp|class|priority|sequence|created|last-modified|organizer|attendee|categories|url|geo|comment|contact|attach|resources|related-to|request-status|recurrence-id|rrule|rdate|exrule|exdate|trigger|action|repeat|acknowledged|tz.*|x-.*)$/i

/** Lines that programs broke without folding them belong to the text before them; others that are none are dropped. */
const joinBrokenText = (lines: string[]): string[] => {
  const joined: string[] = []
  let prose: string[] | undefined
  const finish = (): void => {
    if (prose && prose.length > 1) joined[joined.length - 1] = prose.join('\\n')
  }
  for (const line of lines) {
    const name = NAME.exec(line.slice(0, 200))?.[1]
    const isProperty = name !== undefined && (KNOWN.test(name) || name === name.toUpperCase())
    if (prose && !isProperty) prose.push(line)
    else if (name !== undefined) {
      finish()
      joined.push(line)
      prose = PROSE.test(line) ? [line] : undefined
    }
  }
  finish()
  return joined
}

/** Undefined for what is no content line: it has no name, or no colon. */
export const readLine = (raw: string): ContentLine | undefined => {
  const found = NAME.exec(raw.length > 300 ? raw.slice(0, 300) : raw)
  if (!found) return undefined
  const parameters: Parameter[] = []
  let position = found[0].length
  while (raw[position] === ';') {
    const { parameter, end } = readParameter(raw, position + 1)
    if (parameter) parameters.push(parameter)
    position = end
    if (parameters.length > MOST_PARAMETERS || (parameter && parameter.values.length > MOST_VALUES))
      return undefined
  }
  if (raw[position] !== ':') return undefined
  return { name: (found[1] as string).toUpperCase(), parameters, value: raw.slice(position + 1) }
}

const UNTIL_EQUALS = /[^=;:]*/y
const UNQUOTED = /[^;:,]*/y

const match = (pattern: RegExp, text: string, position: number): string => {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0] ?? ''
}

const readParameter = (raw: string, start: number): { parameter: Parameter | undefined; end: number } => {
  const name = match(UNTIL_EQUALS, raw, start)
  let end = start + name.length
  if (raw[end] !== '=') return { parameter: undefined, end }
  const values: string[] = []
  do {
    end++
    const closing = raw[end] === '"' ? raw.indexOf('"', end + 1) : -1
    if (closing !== -1) {
      values.push(decodeCarets(raw.slice(end + 1, closing)))
      end = closing + 1 + match(UNQUOTED, raw, closing + 1).length
    } else {
      const value = match(UNQUOTED, raw, end)
      values.push(decodeCarets(value.replaceAll('"', '')))
      end += value.length
    }
  } while (raw[end] === ',' && values.length <= MOST_VALUES)
  return { parameter: { name: name.trim().toUpperCase(), values }, end }
}

/** A parameter's text. Commas that nobody quoted were meant as commas. */
export const parameterOf = (line: ContentLine, name: string): string | undefined =>
  line.parameters.find((parameter) => parameter.name === name)?.values.join(',')

/** A line in its regular form, for files of our own: others' slips are not passed on. Undefined for one without sense. */
export const regularLine = (line: ContentLine): string | undefined =>
  /^[A-Z0-9-]+$/.test(line.name)
    ? `${line.name}${line.parameters.map((parameter) => `;${regularParameter(parameter)}`).join('')}:${cleanText(line.value)}`
    : undefined

export const regularParameter = ({ name, values }: Parameter): string =>
  `${name.replace(/[^A-Z0-9-]/g, '')}=${values.map(writeParameter).join(',')}`
