import { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { AiDayRow } from '../../database/tables/ai.ts'
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

const TABLES = [
  'ai_actions',
  'ai_messages',
  'ai_conversations',
  'ai_days',
  'ai_requests',
  'ai_keys',
  'ai_settings',
] as const

export const aiPart: DataPart = {
  async addToExport(zip, view) {
    zip.addReadStream(Readable.from(days(view)), 'ai/usage.jsonl')
  },
  async wipe(tx) {
    for (const table of TABLES) await tx.deleteFrom(table).execute()
  },
  async fillSample() {},
  async removeSample() {},
}
