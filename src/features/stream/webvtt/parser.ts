import { readTimestamp } from './timestamps.ts'

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
