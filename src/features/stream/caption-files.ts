import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import { writeSrtCue } from '../../engine/captions/srt-writing.ts'
import { type WrittenCue, writeCue, writeHeader } from '../../engine/captions/webvtt-writing.ts'
import type { FileQuery } from './caption-schema.ts'
import { type CaptionRecord, listCaptions } from './caption-store.ts'
import { canonicalLanguage, chooseLanguage } from './languages.ts'
import { listTracks, type TrackRecord } from './store.ts'
import { streamInQuestion } from './streams.ts'

type Track = Pick<TrackRecord, 'streamId' | 'language' | 'blocks'>

const cuesOf = (db: Db, { streamId, language }: Track): AsyncGenerator<CaptionRecord> =>
  everyRow<CaptionRecord>((last, limit) =>
    listCaptions(db, { streamId, language, order: 'asc' }, { limit, after: last && [last.startMs, last.id] }),
  )

const writtenOf = (caption: CaptionRecord): WrittenCue => ({ ...caption, id: caption.cueId })

/** WebVTT has its cues in the order of their starts. */
export async function* writeVttTrack(db: Db, track: Track): AsyncGenerator<string> {
  yield writeHeader(JSON.parse(track.blocks) as string[])
  for await (const caption of cuesOf(db, track)) yield writeCue(writtenOf(caption))
}

async function* writeSrtTrack(db: Db, track: Track): AsyncGenerator<string> {
  let number = 1
  for await (const caption of cuesOf(db, track))
    if (caption.text.trim() !== '') yield writeSrtCue(writtenOf(caption), number++)
}

export type CaptionFiles = ReturnType<typeof createCaptionFiles>

/** The captions of a stream in one language, as a file that players take. */
export const createCaptionFiles = ({
  db,
  usualLanguage,
}: {
  db: Db
  usualLanguage: () => Promise<string>
}) => {
  const find = async ({ streamId, language }: FileQuery) => {
    const stream = await streamInQuestion(db, streamId)
    const tracks = stream ? await listTracks(db, [stream.id]) : []
    const wanted = language === undefined ? undefined : canonicalLanguage(language)
    const chosen = chooseLanguage(
      tracks.map((track) => track.language),
      wanted,
      await usualLanguage(),
    )
    const track = tracks.find((one) => one.language === chosen)
    // Without captions there is a file without cues.
    return track ?? { streamId: stream?.id ?? 0, language: chosen, blocks: '[]' }
  }
  const named = (track: Track, extension: string): string =>
    `stream-${track.streamId}.${track.language}.${extension}`
  return {
    async vtt(query: FileQuery) {
      const track = await find(query)
      return { filename: named(track, 'vtt'), language: track.language, chunks: writeVttTrack(db, track) }
    },
    async srt(query: FileQuery) {
      const track = await find(query)
      return { filename: named(track, 'srt'), language: track.language, chunks: writeSrtTrack(db, track) }
    },
  }
}
