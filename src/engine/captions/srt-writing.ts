import { writeTimestamp } from './timestamps.ts'
import type { WrittenCue } from './webvtt-writing.ts'

const TIMES = /(\d\s*)-->(?=\s*\d)/g
/** Shows nothing and allows no line break: the arrow looks as before, but no reader takes the line for times. */
const WORD_JOINER = '\u2060'

/**
 * SubRip has no standard and no way to escape. An empty line would end the caption, so there is none; a line that
 * reads as times is kept from being taken for some.
 */
const writeText = ({ speaker, text }: Pick<WrittenCue, 'speaker' | 'text'>): string =>
  `${speaker === null ? '' : `${speaker}: `}${text}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(TIMES, `$1--${WORD_JOINER}>`))
    .join('\n')

export const writeSrtCue = (cue: WrittenCue, number: number): string =>
  `${number}\n${writeTimestamp(cue.startMs, ',')} --> ${writeTimestamp(cue.endMs, ',')}\n${writeText(cue)}\n\n`
