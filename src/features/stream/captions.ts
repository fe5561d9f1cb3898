import type { Db } from '../../database/db.ts'
import { invalid, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type {
  CaptionChange,
  CaptionClearing,
  CaptionQuery,
  CaptionWish,
  NewCaption,
} from './caption-schema.ts'
import {
  addToTrack,
  type CaptionRecord,
  deleteCaption,
  deleteCaptions,
  findCaption,
  insertCaptions,
  listCaptions,
  type NewCaption as NewCaptionRow,
  updateCaption,
} from './caption-store.ts'
import { elapsedMs, timesOf } from './caption-times.ts'
import { canonicalLanguage } from './languages.ts'
import type { Scene, Stage } from './stage.ts'
import type { StreamRecord } from './store.ts'
import { getStream, streamForCaptions, streamInQuestion } from './streams.ts'

export const viewOfCaption = (caption: CaptionRecord) => {
  const { startMs, endMs, settings: _, imported: __, ...shown } = caption
  return { ...shown, start: startMs / 1000, end: endMs / 1000 }
}

/** Lines end as WebVTT has them, and a name is one line. */
const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n')
const cleanSpeaker = (speaker: string | null): string | null => speaker?.trim().replace(/\s+/g, ' ') ?? null

const wishesOf = ({ captions, streamId: _, text, ...rest }: NewCaption): CaptionWish[] => {
  if (captions === undefined) {
    if (text === undefined) throw invalidField('text', 'is required, or several captions as captions')
    return [{ ...rest, text }]
  }
  if (text !== undefined || Object.keys(rest).length > 0)
    throw invalid('Give one caption by its fields, or several as captions, not both.')
  return captions
}

export type Captions = ReturnType<typeof createCaptions>

export const createCaptions = (deps: { db: Db; stage: Stage; usualLanguage: () => Promise<string> }) => {
  const { db, stage } = deps

  const rowOf = (
    wish: CaptionWish,
    path: string,
    given: { stream: StreamRecord; now: string; usual: string },
  ) => {
    const { stream, now, usual } = given
    const text = cleanText(wish.text)
    const otherwise = { startMs: elapsedMs(stream, now) }
    return {
      streamId: stream.id,
      language: wish.language === undefined ? usual : canonicalLanguage(wish.language, `${path}language`),
      speaker: cleanSpeaker(wish.speaker ?? null),
      text,
      ...timesOf(wish, { text, startedAt: stream.startedAt, otherwise, path }),
      ...{
        markup: null,
        cueId: null,
        settings: null,
        imported: 0,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
    } satisfies NewCaptionRow
  }

  const countTracks = async (tx: Db, rows: readonly { streamId: number; language: string }[]) => {
    const tracks = Map.groupBy(rows, ({ language }) => language)
    for (const [language, some] of tracks)
      await addToTrack(tx, (some[0] as { streamId: number }).streamId, language, some.length)
  }

  const get = async (tx: Db, id: number): Promise<CaptionRecord> => {
    const caption = await findCaption(tx, id)
    if (!caption) throw notFound('caption')
    return caption
  }

  const add = async (wish: NewCaption) => {
    const wishes = wishesOf(wish)
    const usual = canonicalLanguage(await deps.usualLanguage())
    return stage.change(async (scene: Scene) => {
      const stream = await streamForCaptions(scene, wish.streamId)
      const { tx, now } = scene
      const isBatch = wish.captions !== undefined
      const rows = wishes.map((one, index) =>
        rowOf(one, isBatch ? `captions.${index}.` : '', { stream, now, usual }),
      )
      const made = (await insertCaptions(tx, rows)).map(viewOfCaption)
      await countTracks(tx, rows)
      for (const caption of made) await scene.tell('stream.caption_added', caption.id, { caption })
      return made
    })
  }

  return {
    add,

    async list({ streamId, language, order, limit, cursor }: CaptionQuery) {
      const after = readCursor(cursor, 'integer', 'integer')
      const stream = await streamInQuestion(db, streamId)
      if (!stream) return { captions: [], nextCursor: null }
      const filter = {
        streamId: stream.id,
        language: language === undefined ? undefined : canonicalLanguage(language),
        order,
      }
      const rows = await listCaptions(db, filter, { limit: limit + 1, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.startMs, row.id])
      return { captions: page.map(viewOfCaption), nextCursor }
    },

    get: async (id: number) => viewOfCaption(await get(db, id)),

    /** A correction of what was imported is text of ours: its markup goes. */
    correct: (id: number, wish: CaptionChange, ifMatch: string | undefined) =>
      stage.change(async ({ tx, now, tell }) => {
        const before = await get(tx, id)
        requireMatch(ifMatch, before)
        const { startedAt } = await getStream(tx, before.streamId)
        const text = wish.text === undefined ? before.text : cleanText(wish.text)
        const speaker = wish.speaker === undefined ? before.speaker : cleanSpeaker(wish.speaker)
        const language = wish.language === undefined ? before.language : canonicalLanguage(wish.language)
        const isReworded = text !== before.text || speaker !== before.speaker
        const after = await updateCaption(tx, id, {
          ...{ text, speaker, language, updatedAt: now },
          ...timesOf(wish, { text, startedAt, otherwise: before }),
          ...(isReworded && { markup: null }),
        })
        if (language !== before.language) {
          await addToTrack(tx, before.streamId, before.language, -1)
          await addToTrack(tx, before.streamId, language, 1)
        }
        const caption = viewOfCaption(after)
        await tell('stream.caption_corrected', id, { caption })
        return caption
      }),

    remove: (id: number, ifMatch: string | undefined): Promise<void> =>
      stage.change(async ({ tx, tell }) => {
        const caption = await get(tx, id)
        requireMatch(ifMatch, caption)
        await deleteCaption(tx, id)
        await addToTrack(tx, caption.streamId, caption.language, -1)
        await tell('stream.caption_removed', id, { captionId: id, streamId: caption.streamId })
      }),

    /** Removes what the list of the same query shows. */
    clear: (query: CaptionClearing): Promise<void> =>
      stage.change(async ({ tx, tell }) => {
        const stream = await streamInQuestion(tx, query.streamId)
        if (!stream) return
        const language = query.language === undefined ? undefined : canonicalLanguage(query.language)
        await deleteCaptions(tx, stream.id, language)
        const data = { streamId: stream.id, language: language ?? null }
        await tell('stream.captions_cleared', stream.id, data)
      }),
  }
}
