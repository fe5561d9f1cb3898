import type { Db } from '../../src/database/db.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'

/** Inserts rows into every AI table. */
export const fillAi = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  const userId = await getLocalUserId(db)
  await db.insertInto('ai_settings').values({ userId, model: 'model_b', version: 3, updatedAt: at }).execute()
  for (const [n, text] of texts.entries()) {
    await db
      .insertInto('ai_keys')
      .values({
        userId,
        provider: `p${n}`,
        key: n === 0 ? null : text,
        baseUrl: n === 0 ? null : text,
        givenFor: text,
        hint: text,
        verified: n % 2,
        reason: n % 2 ? null : text,
        model: n === 0 ? null : text,
        isLocal: n % 2,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    const asked = { model: 'model_a', inputTokens: n, outputTokens: 2 ** 40 }
    await db
      .insertInto('ai_requests')
      .values({
        userId,
        at,
        day: '2026-03-01',
        purpose: text,
        engine: 'llm',
        provider: 'openai',
        providerModel: text,
        ...asked,
        tokenId: n === 0 ? null : text,
        outcome: 'answered',
        costNano: n === 0 ? null : 2 ** 50,
      })
      .execute()
    await db
      .insertInto('ai_days')
      .values({
        userId,
        day: `2026-03-0${n + 1}`,
        ...asked,
        tokenId: text,
        requests: 1,
        costNano: 2 ** 50,
        unpriced: 0,
      })
      .execute()
    const id = `c${n}`
    const turn = n === 0 ? { turn: null, turnUntil: null } : { turn: text, turnUntil: at }
    await db
      .insertInto('ai_conversations')
      .values({
        id,
        userId,
        tokenId: n === 0 ? null : text,
        title: text,
        words: text,
        ...turn,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    await db
      .insertInto('ai_messages')
      .values({ conversationId: id, at, content: JSON.stringify({ text }), words: text })
      .execute()
    await db
      .insertInto('ai_actions')
      .values({
        id: `a${n}`,
        userId,
        conversationId: n === 0 ? null : id,
        tokenId: null,
        source: 'chat',
        tool: text,
        input: JSON.stringify({ text }),
        summary: text,
        language: n % 2 ? 'en' : 'de',
        about: n === 0 ? null : text,
        status: 'pending',
        result: n === 0 ? null : text,
        error: n === 0 ? null : text,
        journalId: n === 0 ? null : n,
        version: n,
        createdAt: at,
        expiresAt: at,
        decidedAt: n === 0 ? null : at,
      })
      .execute()
  }
}
