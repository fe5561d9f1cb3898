import { writeTimestamp } from './timestamps.ts'
import type { WrittenCue } from './writer.ts'

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
