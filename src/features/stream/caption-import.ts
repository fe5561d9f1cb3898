import { plainTextOf, readCueText, speakerOf } from '../../engine/captions/cue-text.ts'
import { type Cue, readWebvtt } from '../../engine/captions/webvtt-reading.ts'
import { writeCueText } from '../../engine/captions/webvtt-writing.ts'
import { invalid } from '../../platform/errors.ts'
import { type ImportQuery, LONGEST_TEXT } from './caption-schema.ts'
import { addToTrack, deleteCaptions, insertCaptions, setTrackBlocks } from './caption-store.ts'
import { viewOfCaption } from './captions.ts'
import { canonicalLanguage } from './languages.ts'
import type { Stage } from './stage.ts'
import { listTracks } from './store.ts'
import { streamForCaptions } from './streams.ts'

const MOST_CUES = 100_000
const LONGEST_LINE = 10_000
const SHOWN = 200

/** What a cue says, and its markup where that says more. */
const contentOf = ({ text: markup }: Cue) => {
  const nodes = readCueText(markup)
  const said = { speaker: speakerOf(nodes), text: plainTextOf(nodes) }
  return { ...said, markup: writeCueText(said) === markup ? null : markup }
}

const check = ({ id, startMs, endMs, settings, text }: Cue, index: number): void => {
  const refuse = (what: string) => invalid(`Cue ${index + 1} of the file ${what}.`)
  if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs))
    throw refuse('is at no time we can keep')
  if (text.length > LONGEST_TEXT) throw refuse(`is longer than ${LONGEST_TEXT} characters`)
  if (id.length > LONGEST_LINE || settings.length > LONGEST_LINE) throw refuse('has a line that is too long')
}

/** Reads a file of captions. What is broken in it is passed over as the standard says. */
export const readCaptionFile = (bytes: Buffer) => {
  const file = readWebvtt(new TextDecoder().decode(bytes))
  if (!file) throw invalid('This is no WebVTT file: its first line must begin with WEBVTT.')
  if (file.cues.length > MOST_CUES) throw invalid(`The file has more than ${MOST_CUES} cues.`)
  file.cues.forEach(check)
  return file
}

export type CaptionImport = ReturnType<typeof createCaptionImport>

export const createCaptionImport =
  ({ stage, usualLanguage }: { stage: Stage; usualLanguage: () => Promise<string> }) =>
  async (bytes: Buffer, { streamId, language: given, replace }: ImportQuery) => {
    const file = readCaptionFile(bytes)
    const language = canonicalLanguage(given ?? (await usualLanguage()))
    return stage.change(async (scene) => {
      const { tx, now, tell } = scene
      const stream = await streamForCaptions(scene, streamId)
      if (replace) await deleteCaptions(tx, stream.id, language)
      const made = await insertCaptions(
        tx,
        file.cues.map((cue) => ({
          ...{ streamId: stream.id, language, ...contentOf(cue) },
          ...{ cueId: cue.id || null, settings: cue.settings || null },
          ...{ startMs: cue.startMs, endMs: cue.endMs },
          ...{ imported: 1, version: 1, createdAt: now, updatedAt: now },
        })),
      )
      if (made.length > 0) {
        await addToTrack(tx, stream.id, language, made.length)
        const track = (await listTracks(tx, [stream.id])).find((one) => one.language === language)
        const blocks = new Set([...(JSON.parse(track?.blocks ?? '[]') as string[]), ...file.blocks])
        await setTrackBlocks(tx, stream.id, language, [...blocks])
      }
      const imported = made.length
      await tell('stream.captions_imported', stream.id, { streamId: stream.id, language, imported })
      return { imported, streamId: stream.id, language, captions: made.slice(0, SHOWN).map(viewOfCaption) }
    })
  }
