import { decodeCharset } from './charsets.ts'
import { decodeWords } from './encoded-words.ts'

/*
 * The structured fields that say how a body is read (RFC 2045, 5.1; RFC 2183), with parameters that are continued or
 * encoded (RFC 2231). Fields are `latin1` text, one character a byte.
 */

export interface ContentField {
  /** In lower case. */
  value: string
  /** The first of each name counts. */
  parameters: ReadonlyMap<string, string>
}

const LONGEST_FIELD = 20_000
const MOST_PARAMETERS = 100

/**
 * Without comments. In the value of a parameter a parenthesis opens one only after a space: `filename=Invoice(1).pdf`
 * has none. One that is never closed is dropped only where no parameter would be lost with it.
 */
const stripComments = (field: string): string => {
  let kept = ''
  let depth = 0
  let opened = 0
  let isQuoted = false
  let isParameter = false
  for (let at = 0; at < field.length; at++) {
    const character = field[at] as string
    if (character === '\\') {
      if (depth === 0) kept += character + (field[at + 1] ?? '')
      at++
      continue
    }
    if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (
      !isQuoted &&
      character === '(' &&
      (!isParameter || kept === '' || /[ \t]/.test(field[at - 1] ?? ''))
    ) {
      if (depth++ === 0) opened = at
      continue
    } else if (!isQuoted && character === ')' && depth > 0) {
      depth--
      continue
    } else if (!isQuoted && depth === 0 && (character === '=' || character === ';'))
      isParameter = character === '='
    if (depth === 0) kept += character
  }
  return depth > 0 && field.indexOf(';', opened) >= 0 ? field : kept
}

/** Pieces between semicolons that stand in no quotes. */
const splitParameters = (field: string): string[] => {
  const pieces: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < field.length && pieces.length < MOST_PARAMETERS; at++) {
    const character = field[at]
    if (character === '\\' && isQuoted) at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === ';' && !isQuoted) {
      pieces.push(field.slice(start, at))
      start = at + 1
    }
  }
  pieces.push(field.slice(start))
  return pieces
}

/** A token or a quoted string; what follows the closing quote is not part of it. */
const unquote = (text: string): string => {
  const trimmed = text.trim()
  if (!trimmed.includes('"')) return trimmed
  let value = ''
  let isQuoted = false
  for (let at = 0; at < trimmed.length; at++) {
    const character = trimmed[at] as string
    if (character === '"') {
      if (isQuoted) break
      isQuoted = true
    } else if (character === '\\' && isQuoted) value += trimmed[++at] ?? ''
    else value += character
  }
  return value
}

const percentDecoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

interface Section {
  number: number
  isEncoded: boolean
  value: string
}

/** RFC 2231, 3 and 4: only sections whose name ends in an asterisk are percent-encoded. */
const joinSections = (sections: readonly Section[]): string => {
  let charset = 'utf-8'
  const ordered = sections.toSorted((a, b) => a.number - b.number)
  const bytes = ordered
    .map(({ value, isEncoded }, index) => {
      if (!isEncoded) return value
      const [, label, rest] = (index === 0 && /^([^']*)'[^']*'(.*)$/s.exec(value)) || []
      if (rest === undefined) return percentDecoded(value)
      charset = label || charset
      return percentDecoded(rest)
    })
    .join('')
  return decodeCharset(Buffer.from(bytes, 'latin1'), charset)
}

export const parseContentField = (field: string): ContentField => {
  const [value = '', ...pieces] = splitParameters(stripComments(field.slice(0, LONGEST_FIELD)))
  const parameters = new Map<string, string>()
  const continued = new Map<string, Section[]>()
  for (const piece of pieces) {
    const equals = piece.indexOf('=')
    const name = (equals < 0 ? piece : piece.slice(0, equals)).trim().toLowerCase()
    if (name === '') continue
    const text = equals < 0 ? '' : unquote(piece.slice(equals + 1))
    const [, base, number, star] = /^(.*?)\*(?:(\d{1,3})(\*)?)?$/.exec(name) ?? []
    if (base === undefined) {
      if (!parameters.has(name)) parameters.set(name, decodeWords(text))
      continue
    }
    const section = {
      number: Number(number ?? 0),
      isEncoded: number === undefined || star !== undefined,
      value: text,
    }
    continued.set(base, [...(continued.get(base) ?? []), section])
  }
  for (const [name, sections] of continued) parameters.set(name, joinSections(sections))
  return { value: unquote(value).toLowerCase(), parameters }
}

/** The first word of Content-Transfer-Encoding. */
export const parseEncoding = (field: string): string =>
  /[\w-]+/.exec(stripComments(field.slice(0, LONGEST_FIELD)).toLowerCase())?.[0] ?? ''
