import { plainTextOf, readCueText, speakerOf } from '../../engine/captions/cue-text.ts'
import { type Cue, readWebvtt } from '../../engine/captions/webvtt-reading.ts'
import { writeCueText } from '../../engine/captions/webvtt-writing.ts'
import { invalid } from '../../platform/errors.ts'
import { createPageWriter } from '../../platform/workers/pages.ts'
import { LONGEST_TEXT } from './caption-schema.ts'

/* Reads files of captions. Large ones are read in a worker thread: see caption-import.ts. */

const MOST_CUES = 100_000
const LONGEST_LINE = 10_000
/** Of all style sheets and regions of a file, in characters. */
export const LONGEST_BLOCKS = 200_000

export interface ReadCaption {
  cueId: string | null
  startMs: number
  endMs: number
  settings: string | null
  speaker: string | null
  text: string
  markup: string | null
}

export interface CaptionFile {
  captions: ReadCaption[]
  blocks: string[]
}

/** What a cue says, and its markup where that says more. */
const contentOf = ({ text: markup }: Cue) => {
  const nodes = readCueText(markup)
  const said = { speaker: speakerOf(nodes), text: plainTextOf(nodes) }
  return { ...said, markup: writeCueText(said) === markup ? null : markup }
}

const faultOf = ({ id, startMs, endMs, settings, text }: Cue): string | undefined => {
  if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs)) return 'is at no time we can keep'
  if (text.length > LONGEST_TEXT) return `is longer than ${LONGEST_TEXT} characters`
  if (id.length > LONGEST_LINE || settings.length > LONGEST_LINE) return 'has a line that is too long'
  return undefined
}

/** Reads a file of captions. What is broken in it is passed over as the standard says. */
export const readCaptionFile = (bytes: Uint8Array): CaptionFile => {
  const file = readWebvtt(new TextDecoder().decode(bytes))
  if (!file) throw invalid('This is no WebVTT file: its first line must begin with WEBVTT.')
  if (file.cues.length > MOST_CUES) throw invalid(`The file has more than ${MOST_CUES} cues.`)
  if (file.blocks.reduce((sum, { length }) => sum + length, 0) > LONGEST_BLOCKS)
    throw invalid(`Its style sheets and regions are longer than ${LONGEST_BLOCKS} characters.`)
  for (const [index, cue] of file.cues.entries()) {
    const fault = faultOf(cue)
    if (fault !== undefined) throw invalid(`Cue ${index + 1} of the file ${fault}.`)
  }
  const captions = file.cues.map((cue) => ({
    ...contentOf(cue),
    cueId: cue.id || null,
    settings: cue.settings || null,
    startMs: cue.startMs,
    endMs: cue.endMs,
  }))
  return { captions, blocks: file.blocks }
}

export interface CaptionPages {
  /** Of `ReadCaption`. */
  pages: Uint8Array[]
  blocks: string[]
}

/** The same in a worker thread. */
export const readCaptionPages = ({ bytes }: { bytes: Uint8Array }): CaptionPages => {
  const file = readCaptionFile(bytes)
  const writer = createPageWriter()
  for (const caption of file.captions) writer.add(caption)
  return { pages: writer.finish(), blocks: file.blocks }
}
