import { readTimestamp } from './timestamps.ts'

export interface Cue {
  id: string
  startMs: number
  endMs: number
  /** Such as `align:start line:0`; only settings that the standard names. */
  settings: string
  /** As it stands in the file, with its markup. */
  text: string
}

export interface WebvttFile {
  cues: Cue[]
  /** Style sheets and regions, each with its first line, as they stand before the first cue. */
  blocks: string[]
}

const SETTINGS = new Set(['vertical', 'line', 'position', 'size', 'align', 'region'])
const WHITESPACE = /[\t\n\f\r ]+/

/** Of settings that are given again the last one holds, so that those before it need not be kept. */
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

/** WebVTT, 6.3: "collect WebVTT cue timings and settings". */
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
 * Reads a file by the algorithm of the standard (W3C WebVTT, 6.1), which says what every line means, however broken:
 * all conforming readers find the same cues. Undefined when it is no WebVTT file.
 */
export const readWebvtt = (content: string): WebvttFile | undefined => {
  const text = content
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .replace(/\r\n?/g, '\n')
  if (!/^WEBVTT(?![^\t\n ])/.test(text)) return undefined
  const lines = text.split('\n')
  // A line feed at the end of the file begins no line.
  if (lines.at(-1) === '') lines.pop()
  const file: WebvttFile = { cues: [], blocks: [] }
  let at = 1

  /** WebVTT, 6.1: "collect a WebVTT block". */
  const readBlock = (inHeader: boolean): void => {
    let timings: Omit<Cue, 'id' | 'text'> | undefined
    let id = ''
    let sawArrow = false
    let block: string | undefined
    let buffer: string[] = []
    for (let count = 1; at < lines.length; count++) {
      const line = lines[at] as string
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
      at++
    }
    if (timings) file.cues.push({ id, ...timings, text: buffer.join('\n') })
    else if (block !== undefined) file.blocks.push([block, ...buffer].join('\n'))
  }

  const skipEmptyLines = (): void => {
    while (lines[at] === '') at++
  }
  if (lines[at] !== '') readBlock(true)
  skipEmptyLines()
  while (at < lines.length) {
    readBlock(false)
    skipEmptyLines()
  }
  return file
}
