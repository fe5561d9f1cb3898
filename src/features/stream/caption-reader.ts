import { invalid } from '../../platform/errors.ts'
import { createPageWriter } from '../../platform/workers/pages.ts'
import { MAX_TEXT_LENGTH } from './schema.ts'
import { type Cue, plainTextOf, readCueText, readWebvtt, speakerOf, writeCueText } from './webvtt.ts'

/* Parses caption files. Large files are parsed in a worker thread: see captions.ts. */

const MAX_CUES = 100_000
const MAX_LINE_LENGTH = 10_000
/** Limits the total length of style sheets and regions of a file, in characters. */
export const MAX_BLOCKS_LENGTH = 200_000

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

/** Extracts speaker and text. Keeps the markup only if it contains more than these. */
const contentOf = ({ text: markup }: Cue) => {
  const nodes = readCueText(markup)
  const cue = { speaker: speakerOf(nodes), text: plainTextOf(nodes) }
  return { ...cue, markup: writeCueText(cue) === markup ? null : markup }
}

const findFault = ({ id, startMs, endMs, settings, text }: Cue): string | undefined => {
  if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs)) return 'has a time that is too large'
  if (text.length > MAX_TEXT_LENGTH) return `is longer than ${MAX_TEXT_LENGTH} characters`
  if (id.length > MAX_LINE_LENGTH || settings.length > MAX_LINE_LENGTH) return 'has a line that is too long'
  return undefined
}

/** Parses a caption file. Skips invalid cues, as the standard requires. */
export const readCaptionFile = (bytes: Uint8Array): CaptionFile => {
  const file = readWebvtt(new TextDecoder().decode(bytes))
  if (!file) throw invalid('This is not a WebVTT file. The first line must start with WEBVTT.')
  if (file.cues.length > MAX_CUES) throw invalid(`The file has more than ${MAX_CUES} cues.`)
  if (file.blocks.reduce((sum, { length }) => sum + length, 0) > MAX_BLOCKS_LENGTH)
    throw invalid(`The style sheets and regions of the file are longer than ${MAX_BLOCKS_LENGTH} characters.`)
  for (const [index, cue] of file.cues.entries()) {
    const fault = findFault(cue)
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
  /** Pages of `ReadCaption`. */
  pages: Uint8Array[]
  blocks: string[]
}

/** Entry point for the worker thread. */
export const readCaptionPages = ({ bytes }: { bytes: Uint8Array }): CaptionPages => {
  const file = readCaptionFile(bytes)
  const writer = createPageWriter()
  for (const caption of file.captions) writer.add(caption)
  return { pages: writer.finish(), blocks: file.blocks }
}
