import { writeTimestamp } from './timestamps.ts'

/** A caption, as a file has it. */
export interface WrittenCue {
  /** The identifier that it came with. */
  id: string | null
  startMs: number
  endMs: number
  settings: string | null
  speaker: string | null
  text: string
  /** Takes the place of speaker and text: it is WebVTT already. */
  markup: string | null
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** An empty line would end the cue: the line feed that would make one is written as a character reference. */
const keepTogether = (text: string): string => {
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

/** Text as a cue's text, so that every conforming reader gets the same text back. */
export const writeCueText = ({ speaker, text }: Pick<WrittenCue, 'speaker' | 'text'>): string =>
  `${speaker === null ? '' : `<v ${escapeText(speaker)}>`}${keepTogether(escapeText(text))}`

export const writeCue = (cue: WrittenCue): string => {
  const { id, startMs, endMs, settings, markup } = cue
  const times = `${writeTimestamp(startMs)} --> ${writeTimestamp(endMs)}`
  const text = markup ?? writeCueText(cue)
  return `\n${id ? `${id}\n` : ''}${times}${settings ? ` ${settings}` : ''}\n${text === '' ? '' : `${text}\n`}`
}

/** What stands before the first cue. */
export const writeHeader = (blocks: readonly string[]): string =>
  ['WEBVTT\n', ...blocks.map((block) => `${block}\n`)].join('\n')
