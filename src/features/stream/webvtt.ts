import { createRequire } from 'node:module'

/** A time in milliseconds, and the position after it in the text. */
export interface Timestamp {
  ms: number
  end: number
}

const TIMESTAMP = /(\d+):(\d+)(?::(\d+))?\.(\d+)/y

/** WebVTT, section 6.3: "collect a WebVTT timestamp". */
const readTimestamp = (text: string, from: number): Timestamp | undefined => {
  TIMESTAMP.lastIndex = from
  const match = TIMESTAMP.exec(text)
  if (!match) return undefined
  const [whole, first = '', second = '', third, fraction = ''] = match
  // Two parts are minutes and seconds, so the first must have two digits and be at most 59.
  const withHours = third !== undefined
  if (!withHours && (first.length !== 2 || Number(first) > 59)) return undefined
  if (second.length !== 2 || (withHours && third.length !== 2) || fraction.length !== 3) return undefined
  const [hours, minutes, seconds] = withHours
    ? [Number(first), Number(second), Number(third)]
    : [0, Number(first), Number(second)]
  if (minutes > 59 || seconds > 59) return undefined
  const ms = hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + Number(fraction)
  return { ms, end: from + whole.length }
}

/** `mark` precedes the milliseconds: a full stop in WebVTT, a comma in SubRip. */
export const writeTimestamp = (ms: number, mark: '.' | ',' = '.'): string => {
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0')
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${part(hours)}:${part(minutes)}:${part(seconds % 60)}${mark}${part(ms % 1000, 3)}`
}

/** Nodes of a cue text (WebVTT, section 6.4). */
export type CueNode = { kind: 'text'; text: string } | { kind: 'timestamp'; ms: number } | CueElement

export interface CueElement {
  kind: 'c' | 'i' | 'b' | 'u' | 'ruby' | 'rt' | 'v' | 'lang'
  classes: string[]
  /** Speaker (`v`) or language (`lang`). */
  annotation: string
  children: CueNode[]
}

type Token =
  | { kind: 'text'; text: string }
  | { kind: 'start'; name: string; classes: string[]; annotation: string }
  | { kind: 'end'; name: string }
  | { kind: 'timestamp'; text: string }

/** Loaded on first use, because the table of HTML entities is large. */
const require = createRequire(import.meta.url)
const decodeCharacters = (text: string): string =>
  text.includes('&') ? (require('entities') as typeof import('entities')).decodeHTML(text) : text

/** Matches tag name, classes and annotation. */
const TAG = /^([^\t\n\f .]*)((?:\.[^\t\n\f .]*)*)([\t\n\f ][\s\S]*)?$/

const readTag = (inside: string): Token => {
  if (inside.startsWith('/')) return { kind: 'end', name: inside.slice(1) }
  if (/^\d/.test(inside)) return { kind: 'timestamp', text: inside }
  const [, name = '', classes = '', annotation = ''] = TAG.exec(inside) ?? []
  return {
    kind: 'start',
    name,
    classes: classes.split('.').filter((one) => one !== ''),
    annotation: decodeCharacters(annotation)
      .replace(/[\t\n\f\r ]+/g, ' ')
      .replace(/^ | $/g, ''),
  }
}

/** WebVTT, section 6.5. A tag ends at `>` or at the end of the text. */
function* tokenize(text: string): Generator<Token> {
  let at = 0
  while (at < text.length) {
    if (text[at] === '<') {
      const close = text.indexOf('>', at)
      const end = close < 0 ? text.length : close
      yield readTag(text.slice(at + 1, end))
      at = end + 1
    } else {
      const open = text.indexOf('<', at)
      const end = open < 0 ? text.length : open
      yield { kind: 'text', text: decodeCharacters(text.slice(at, end)) }
      at = end
    }
  }
}

const ELEMENTS = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt', 'v', 'lang'])

/** WebVTT, section 6.4. Ignores misplaced tags. Unclosed elements end with the text. */
export const readCueText = (markup: string): CueNode[] => {
  const root: CueNode[] = []
  const open: CueElement[] = []
  for (const token of tokenize(markup.replaceAll('\0', '\uFFFD'))) {
    const current = open.at(-1)
    const children = current?.children ?? root
    if (token.kind === 'text') {
      children.push(token)
    } else if (token.kind === 'timestamp') {
      const stamp = readTimestamp(token.text, 0)
      if (stamp?.end === token.text.length) children.push({ kind: 'timestamp', ms: stamp.ms })
    } else if (token.kind === 'start') {
      if (!ELEMENTS.has(token.name) || (token.name === 'rt' && current?.kind !== 'ruby')) continue
      const { classes, annotation } = token
      const element: CueElement = {
        kind: token.name as CueElement['kind'],
        classes,
        annotation,
        children: [],
      }
      children.push(element)
      open.push(element)
    } else if (current?.kind === token.name) {
      open.pop()
    } else if (token.name === 'ruby' && current?.kind === 'rt') {
      open.length -= 2
    }
  }
  return root
}

/** Returns the text without markup. */
export const plainTextOf = (nodes: readonly CueNode[]): string =>
  nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      return node.kind === 'timestamp' ? '' : plainTextOf(node.children)
    })
    .join('')

/** Returns the speaker if a single voice element contains the whole text. */
export const speakerOf = (nodes: readonly CueNode[]): string | null => {
  const spoken = nodes.filter((node) => node.kind !== 'text' || node.text.trim() !== '')
  const [only] = spoken
  return spoken.length === 1 && only?.kind === 'v' && only.annotation !== '' ? only.annotation : null
}

export interface Cue {
  id: string
  startMs: number
  endMs: number
  /** For example `align:start line:0`. Contains only settings that the standard defines. */
  settings: string
  /** Original text with markup. */
  text: string
}

export interface WebvttFile {
  cues: Cue[]
  /** Style sheets and regions before the first cue, including their first lines. */
  blocks: string[]
}

const SETTINGS = new Set(['vertical', 'line', 'position', 'size', 'align', 'region'])
const WHITESPACE = /[\t\n\f\r ]+/

/** If a setting occurs several times, the last one applies, so exact duplicates are removed. */
const readSettings = (text: string): string => {
  const settings = text.split(WHITESPACE).filter((setting) => {
    const colon = setting.indexOf(':')
    return colon > 0 && colon < setting.length - 1 && SETTINGS.has(setting.slice(0, colon))
  })
  return [...new Set(settings.reverse())].reverse().join(' ')
}

const skipWhitespace = (line: string, from: number): number => {
  let at = from
  while (at < line.length && '\t\n\f\r '.includes(line[at] as string)) at++
  return at
}

/** WebVTT, section 6.3: "collect WebVTT cue timings and settings". */
const readTimings = (line: string): Omit<Cue, 'id' | 'text'> | undefined => {
  const start = readTimestamp(line, skipWhitespace(line, 0))
  if (!start) return undefined
  const arrow = skipWhitespace(line, start.end)
  if (!line.startsWith('-->', arrow)) return undefined
  const end = readTimestamp(line, skipWhitespace(line, arrow + 3))
  if (!end) return undefined
  return { startMs: start.ms, endMs: end.ms, settings: readSettings(line.slice(end.end)) }
}

const BLOCK_NAME = /^(STYLE|REGION)[\t\n\f\r ]*$/

/**
 * Parses a file with the algorithm of the standard (W3C WebVTT, section 6.1).
 * The standard defines the meaning of invalid lines too, so all conforming parsers find the same cues.
 * Returns undefined if it is not a WebVTT file.
 */
export const readWebvtt = (content: string): WebvttFile | undefined => {
  const text = content
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .replace(/\r\n?/g, '\n')
  if (!/^WEBVTT(?![^\t\n ])/.test(text)) return undefined
  const file: WebvttFile = { cues: [], blocks: [] }
  // Read one line at a time: splitting a file with millions of empty lines would need much memory.
  let line: string | undefined
  let next = 0
  const readLine = (): void => {
    // A line feed at the end of the file does not start a new line.
    if (next >= text.length) {
      line = undefined
      return
    }
    const end = text.indexOf('\n', next)
    line = text.slice(next, end < 0 ? text.length : end)
    next = end < 0 ? text.length : end + 1
  }

  /** WebVTT, section 6.1: "collect a WebVTT block". */
  const readBlock = (inHeader: boolean): void => {
    let timings: Omit<Cue, 'id' | 'text'> | undefined
    let id = ''
    let sawArrow = false
    let block: string | undefined
    let buffer: string[] = []
    for (let count = 1; line !== undefined; count++) {
      if (line.includes('-->')) {
        // The line belongs to the next block.
        if (inHeader || sawArrow || count > 2) break
        sawArrow = true
        timings = readTimings(line)
        if (timings) {
          id = buffer.join('\n')
          buffer = []
        }
      } else if (line === '') {
        break
      } else {
        const [first = ''] = buffer
        if (!inHeader && count === 2 && file.cues.length === 0 && !sawArrow && BLOCK_NAME.test(first)) {
          block = first.trim()
          buffer = []
        }
        buffer.push(line)
      }
      readLine()
    }
    if (timings) file.cues.push({ id, ...timings, text: buffer.join('\n') })
    else if (block !== undefined) file.blocks.push([block, ...buffer].join('\n'))
  }

  const skipEmptyLines = (): void => {
    while (line === '') readLine()
  }
  readLine()
  readLine()
  if (line !== '') readBlock(true)
  skipEmptyLines()
  while (line !== undefined) {
    readBlock(false)
    skipEmptyLines()
  }
  return file
}

/** A cue to be written to a file. */
export interface WrittenCue {
  /** Identifier from an imported file. */
  id: string | null
  startMs: number
  endMs: number
  settings: string | null
  speaker: string | null
  text: string
  /** WebVTT markup that replaces speaker and text. */
  markup: string | null
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** An empty line would end the cue, so its line feed is written as a character reference. */
const joinLines = (text: string): string => {
  const [first = '', ...rest] = text.split('\n')
  const written = [first]
  let isEmptyLine = first === ''
  for (const part of rest) {
    written.push(isEmptyLine ? '&#10;' : '\n', part)
    isEmptyLine = !isEmptyLine && part === ''
  }
  const isOpen = isEmptyLine && rest.length > 0
  return isOpen ? `${written.slice(0, -2).join('')}&#10;` : written.join('')
}

/** Escapes speaker and text, so that every conforming parser returns the same text. */
export const writeCueText = ({ speaker, text }: Pick<WrittenCue, 'speaker' | 'text'>): string =>
  `${speaker === null ? '' : `<v ${escapeText(speaker)}>`}${joinLines(escapeText(text))}`

export const writeCue = (cue: WrittenCue): string => {
  const { id, startMs, endMs, settings, markup } = cue
  const times = `${writeTimestamp(startMs)} --> ${writeTimestamp(endMs)}`
  const text = markup ?? writeCueText(cue)
  return `\n${id ? `${id}\n` : ''}${times}${settings ? ` ${settings}` : ''}\n${text === '' ? '' : `${text}\n`}`
}

/** Writes the signature and the blocks before the first cue. */
export const writeHeader = (blocks: readonly string[]): string =>
  ['WEBVTT\n', ...blocks.map((block) => `${block}\n`)].join('\n')

const TIMES = /(\d\s*)-->(?=\s*\d)/g
/**
 * Invisible character without a line break. It keeps the look of the arrow, but parsers no longer read the
 * line as times.
 */
const WORD_JOINER = '\u2060'

/**
 * SubRip has no standard and no escaping. An empty line would end the caption, so empty lines are removed.
 * A line that looks like times is changed, so that parsers do not misread it.
 */
const writeText = ({ speaker, text }: Pick<WrittenCue, 'speaker' | 'text'>): string =>
  `${speaker === null ? '' : `${speaker}: `}${text}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(TIMES, `$1--${WORD_JOINER}>`))
    .join('\n')

export const writeSrtCue = (cue: WrittenCue, number: number): string =>
  `${number}\n${writeTimestamp(cue.startMs, ',')} --> ${writeTimestamp(cue.endMs, ',')}\n${writeText(cue)}\n\n`
