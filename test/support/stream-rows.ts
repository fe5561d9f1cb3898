import type { Db } from '../../src/database/db.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'

/** Inserts rows into every stream table, one for each text. */
export const fillStream = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  const userId = await getLocalUserId(db)
  await db
    .insertInto('stream_state')
    .values({
      userId,
      title: texts[1] as string,
      scene: texts[2] as string,
      viewers: 3,
      held: 0,
      clearedThrough: 2,
      revision: 40,
      version: 7,
      updatedAt: at,
    })
    .execute()
  for (const [n, text] of texts.entries()) {
    const { id: streamId } = await db
      .insertInto('streams')
      .values({
        userId,
        title: text,
        scene: text,
        rehearsal: n % 2,
        startedAt: at,
        stoppedAt: n === 0 ? null : at,
        open: n === 0 ? 1 : null,
        peakViewers: n,
        version: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('caption_tracks')
      .values({ streamId, language: 'de', captions: 1, blocks: JSON.stringify([text]) })
      .execute()
    await db
      .insertInto('captions')
      .values({
        userId,
        streamId,
        language: 'de',
        speaker: text,
        text,
        markup: n % 2 ? text : null,
        cueId: text,
        settings: null,
        startMs: n * 1000,
        endMs: 3_600_000_000_000 + n,
        imported: n % 2,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    await db
      .insertInto('milestones')
      .values({
        userId,
        title: text,
        unit: text,
        target: 1_000_000_000_000,
        current: n,
        source: 'manual',
        countsFrom: at,
        reachedAt: n ? at : null,
        hidden: n % 2,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    await db
      .insertInto('stream_credentials')
      .values({
        userId,
        platform: `p${n}`,
        serverUrl: text,
        fields: JSON.stringify([text]),
        hint: text,
        secret: text,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
  }
}
