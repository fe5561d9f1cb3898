import { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { AiDayRow, AiMessageRow } from '../../database/tables/ai.ts'
import type { DataPart } from '../settings/data/parts.ts'

/** What was used; keys are secrets, and stay. */
async function* days(view: Db): AsyncGenerator<string> {
  const rows = everyRow<Selectable<AiDayRow>>((after, limit) =>
    view
      .selectFrom('ai_days')
      .selectAll()
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) => {
          const { day, model, tokenId } = after as Selectable<AiDayRow>
          return eb(refTuple('day', 'model', 'tokenId'), '>', tuple(day, model, tokenId))
        }),
      )
      .orderBy('day')
      .orderBy('model')
      .orderBy('tokenId')
      .limit(limit)
      .execute(),
  )
  for await (const { costNano, ...day } of rows)
    yield `${JSON.stringify({ ...day, costUsd: costNano / 1e9 })}\n`
}

/** One line for each thing that was said. */
async function* messages(view: Db): AsyncGenerator<string> {
  const rows = everyRow<Selectable<AiMessageRow>>((after, limit) =>
    view
      .selectFrom('ai_messages')
      .selectAll()
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const { conversationId, at, content } of rows) {
    const { role, text } = JSON.parse(content) as { role?: string; text?: string }
    yield `${JSON.stringify({ conversationId, at, role, text })}\n`
  }
}

const TABLES = [
  'ai_actions',
  'ai_messages',
  'ai_conversations',
  'ai_days',
  'ai_requests',
  'ai_keys',
  'ai_settings',
] as const

const DAY_MS = 86_400_000
/** Requests a day. They are told apart from real ones by a token that there is not. */
const SAMPLE_WEEK = [4, 11, 7, 15, 9, 2, 6]
const SAMPLE_TOKEN = 'sample'

export const aiPart: DataPart = {
  async addToExport(zip, view) {
    zip.addReadStream(Readable.from(days(view)), 'ai/usage.jsonl')
    zip.addReadStream(Readable.from(messages(view)), 'ai/conversations.jsonl')
  },
  async wipe(tx) {
    for (const table of TABLES) await tx.deleteFrom(table).execute()
  },
  async fillSample(tx, { now, mark }) {
    for (const [index, requests] of SAMPLE_WEEK.entries()) {
      const day = new Date(now.getTime() - (SAMPLE_WEEK.length - index) * DAY_MS).toISOString().slice(0, 10)
      const tokens = { inputTokens: requests * 820, outputTokens: requests * 210 }
      const cost = { costNano: requests * 5_200_000, unpriced: 0 }
      await tx
        .insertInto('ai_days')
        .values({ day, model: 'model_a', tokenId: SAMPLE_TOKEN, requests, ...tokens, ...cost })
        .execute()
      await mark('ai-day', day)
    }
  },
  async removeSample(tx) {
    await tx.deleteFrom('ai_days').where('tokenId', '=', SAMPLE_TOKEN).execute()
  },
}
