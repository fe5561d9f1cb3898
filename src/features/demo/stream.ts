import type { MarkedSample } from './marks.ts'
import type { Sample } from './sample.ts'

const HOUR_MS = 3_600_000
const CAPTION_MS = 3_500

/** Adds a stream of the evening before and two milestones in progress. */
export const fillStream = async (sample: Sample): Promise<void> => {
  const { tx, userId, now, content } = sample
  const { language, title, scene, captions, milestones } = content.stream
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const startedAt = at(-20 * HOUR_MS)
  const stamps = { version: 1, createdAt: startedAt, updatedAt: startedAt }
  const { id: streamId } = await tx
    .insertInto('streams')
    .values({
      userId,
      title,
      scene,
      rehearsal: 0,
      open: null,
      peakViewers: 37,
      startedAt,
      stoppedAt: at(-19 * HOUR_MS),
      version: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sample.mark('stream', streamId)
  await tx
    .insertInto('captions')
    .values(
      captions.map(([text, second]) => ({
        userId,
        streamId,
        language,
        speaker: 'Ada',
        text,
        markup: null,
        cueId: null,
        settings: null,
        startMs: second * 1000,
        endMs: second * 1000 + CAPTION_MS,
        imported: 0,
        ...stamps,
      })),
    )
    .execute()
  await tx
    .insertInto('caption_tracks')
    .values({ streamId, language, captions: captions.length, blocks: '[]' })
    .execute()
  for (const [name, unit, current, target] of milestones) {
    const { id } = await tx
      .insertInto('milestones')
      .values({
        userId,
        title: name,
        unit,
        current,
        target,
        source: 'manual',
        countsFrom: startedAt,
        reachedAt: null,
        hidden: 0,
        ...stamps,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sample.mark('milestone', id)
  }
}

export const removeStream = async (sample: MarkedSample): Promise<void> => {
  await sample.deleteRows('streams', 'stream')
  await sample.deleteRows('milestones', 'milestone')
}
