/** Characters that databases reject (NUL) and text does not need. Tabs and line feeds stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f]/g

export const cleanText = (text: string): string => text.toWellFormed().replace(UNWANTED, '')

const ESCAPED = /\\([\\;,:"nN])/g

/** RFC 5545, 3.3.11. Other backslashes are literal: many programs write paths without escapes. */
export const unescapeText = (value: string): string =>
  value.includes('\\')
    ? value.replace(ESCAPED, (_, character: string) => (/[nN]/.test(character) ? '\n' : character))
    : value

const SPECIAL = /\r\n?|[\n\\;,]/g

export const escapeText = (text: string): string =>
  cleanText(text.replace(SPECIAL, (found) => (/[\r\n]/.test(found) ? '\\n' : `\\${found}`)))

/** Splits a list such as CATEGORIES at commas that are not escaped. */
export const splitList = (value: string): string[] => {
  const values: string[] = []
  let start = 0
  for (let index = 0; index < value.length; index++) {
    if (value[index] === '\\') index++
    else if (value[index] === ',') {
      values.push(value.slice(start, index))
      start = index + 1
    }
  }
  values.push(value.slice(start))
  return values
}

/** For vCalendar 1.0, which old phones and scripts still write. */
export const decodeQuotedPrintable = (value: string, charset: string): string => {
  const bytes = Buffer.from(value)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] === EQUALS ? hexAt(bytes, index + 1) : undefined
    bytes[length++] = code ?? (bytes[index] as number)
    if (code !== undefined) index += 2
  }
  return decodeAs(charset, bytes.subarray(0, length))
}

const EQUALS = 0x3d

const hexAt = (bytes: Uint8Array, index: number): number | undefined => {
  const digits = String.fromCharCode(bytes[index] ?? 0, bytes[index + 1] ?? 0)
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const decodeAs = (charset: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** RFC 6868. */
export const decodeCarets = (value: string): string =>
  value.includes('^')
    ? value.replace(/\^([n^'])/g, (_, character: string) =>
        character === 'n' ? '\n' : character === "'" ? '"' : '^',
      )
    : value

/** Formats a parameter value and quotes it if necessary. */
export const writeParameter = (value: string): string => {
  const encoded = cleanText(value).replace(/[\^\n"]/g, (character) =>
    character === '\n' ? '^n' : character === '"' ? "^'" : '^^',
  )
  return /[;:,]/.test(encoded) ? `"${encoded}"` : encoded
}

const MAX_OCTETS = 75

/** Folds a content line before the 76th octet, never inside a character (RFC 5545, 3.1). */
export const fold = (text: string): string => {
  // A line break in the text must not start a second content line.
  const line = text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]+/g, ' ') : text
  if (line.length <= MAX_OCTETS && Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`
  let folded = ''
  let start = 0
  let octets = 0
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index)
    const isPair = code >= 0xd800 && code <= 0xdbff
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3
    if (octets + size > MAX_OCTETS) {
      folded += `${line.slice(start, index)}\r\n `
      start = index
      octets = 1
    }
    octets += size
    if (isPair) index++
  }
  return `${folded}${line.slice(start)}\r\n`
}

/** A content line (RFC 5545, 3.1): the name in upper case, the value as in the file. */
export interface ContentLine {
  name: string
  parameters: Parameter[]
  value: string
}

export interface Parameter {
  name: string
  values: string[]
}

/** The lines of a component, and the lines of each nested component including BEGIN and END. */
export interface Component {
  lines: string[]
  inner: string[][]
}

/** Limit of lines per component. Components with more are rejected. */
export const MAX_LINES = 50_000

/** Above the limit of every property. Continuation lines beyond it are dropped. */
const MAX_LINE_LENGTH = 1_100_000

/** A line with more parameters or values is not from a calendar program. */
const MAX_PARAMETERS = 1000
const MAX_VALUES = 10_000

const LINE_BREAK = /\r\n?|\n/g

/** Yields the lines of the file, without empty ones. */
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
 * Joins folded lines. Empty lines do not end a line: early Mozilla calendars contain them inside of folded
 * lines.
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
      if (length <= MAX_LINE_LENGTH) pieces.push(line.slice(1))
    } else if (last?.endsWith('=') && QUOTED_PRINTABLE.test(pieces[0] as string)) {
      if (length <= MAX_LINE_LENGTH) pieces.splice(-1, 1, last.slice(0, -1), line)
    } else {
      finish()
      pieces = [line]
      length = line.length
      if (lines.length > MAX_LINES) break
    }
  }
  finish()
  return joinBrokenText(lines)
}

/** vCalendar 1.0 continues a line after a trailing `=`, without a mark on the next line. */
const QUOTED_PRINTABLE = /^[^:]{0,200};\s*(?:ENCODING=)?QUOTED-PRINTABLE/i

const NAME = /^\s*([A-Za-z0-9_.-]+)\s*(?=[;:])/
const PROSE = /^\s*(?:DESCRIPTION|SUMMARY|LOCATION|COMMENT|X-ALT-DESC)\b/i

/** Property names that may be in lower case. */
const KNOWN =
  /^(?:begin|end|uid|dtstart|dtend|dtstamp|duration|summary|description|location|status|transp|class|priority|sequence|created|last-modified|organizer|attendee|categories|url|geo|comment|contact|attach|resources|related-to|request-status|recurrence-id|rrule|rdate|exrule|exdate|trigger|action|repeat|acknowledged|tz.*|x-.*)$/i

/**
 * Joins text lines that a program broke without folding to the line before. Drops other lines that are not
 * content lines.
 */
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

/** Returns undefined if the text has no property name or no colon. */
export const readLine = (raw: string): ContentLine | undefined => {
  const found = NAME.exec(raw.length > 300 ? raw.slice(0, 300) : raw)
  if (!found) return undefined
  const parameters: Parameter[] = []
  let position = found[0].length
  while (raw[position] === ';') {
    const { parameter, end } = readParameter(raw, position + 1)
    if (parameter) parameters.push(parameter)
    position = end
    if (parameters.length > MAX_PARAMETERS || (parameter && parameter.values.length > MAX_VALUES))
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
  } while (raw[end] === ',' && values.length <= MAX_VALUES)
  return { parameter: { name: name.trim().toUpperCase(), values }, end }
}

/** Returns the value of a parameter. Unquoted commas are part of the value. */
export const parameterOf = (line: ContentLine, name: string): string | undefined =>
  line.parameters.find((parameter) => parameter.name === name)?.values.join(',')

/**
 * Formats a line in normalized form, so that exports do not repeat the errors of others. Returns undefined if
 * its name is invalid.
 */
export const regularLine = (line: ContentLine): string | undefined =>
  /^[A-Z0-9-]+$/.test(line.name)
    ? `${line.name}${line.parameters.map((parameter) => `;${regularParameter(parameter)}`).join('')}:${cleanText(line.value)}`
    : undefined

export const regularParameter = ({ name, values }: Parameter): string =>
  `${name.replace(/[^A-Z0-9-]/g, '')}=${values.map(writeParameter).join(',')}`

const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09

/** Decodes a calendar file. RFC 5545 permits only UTF-8, but programs use other encodings. */
export const decodeCalendar = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decodeUtf8(bytes) ?? decodeSplit(bytes) ?? decodeDamaged(bytes)
}

const SPLIT_CHARACTER = /[\x80-\xff]\r?\n[ \t][\x80-\xbf]/

/** Test first: split characters are rare, and the repair visits every byte. */
const decodeSplit = (bytes: Uint8Array): string | undefined =>
  SPLIT_CHARACTER.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
    ? decodeUtf8(joinSplitCharacters(bytes))
    : undefined

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Some programs fold after 75 octets even inside a character (RFC 5545, 3.1 warns about it). */
const joinSplitCharacters = (bytes: Uint8Array): Uint8Array => {
  const joined = new Uint8Array(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const fold = foldLength(bytes, index)
    const insideCharacter =
      fold > 0 && (joined[length - 1] ?? 0) >= 0x80 && ((bytes[index + fold] ?? 0) & 0xc0) === 0x80
    if (insideCharacter) index += fold
    joined[length++] = bytes[index] as number
  }
  return joined.subarray(0, length)
}

const foldLength = (bytes: Uint8Array, index: number): number => {
  const breakLength = bytes[index] === CR && bytes[index + 1] === LF ? 2 : bytes[index] === LF ? 1 : 0
  const after = bytes[index + breakLength]
  return breakLength > 0 && (after === SPACE || after === TAB) ? breakLength + 1 : 0
}

/**
 * Decodes as Windows-1252, unless most non-ASCII characters are valid UTF-8. Then only the broken characters
 * are lost.
 */
const decodeDamaged = (bytes: Uint8Array): string => {
  const text = new TextDecoder('utf-8').decode(bytes)
  let [broken, good] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0xfffd) broken++
    else if (code >= 0x80) good++
  }
  return good > broken ? text : new TextDecoder('windows-1252').decode(bytes)
}
