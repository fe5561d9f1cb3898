import { writeTimestamp } from './timestamps.ts'

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
