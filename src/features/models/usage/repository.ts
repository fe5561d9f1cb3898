import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { prepareRows } from '../../../database/prepared.ts'
import type { AiDayRow, AiRequestRow } from '../../../database/tables/integrations.ts'

export type DayRecord = Selectable<AiDayRow>

const insertAll = prepareRows<Insertable<AiRequestRow>>(
  [
    ...(['at', 'day', 'purpose', 'engine', 'model', 'provider', 'providerModel', 'tokenId'] as const),
    ...(['outcome', 'inputTokens', 'outputTokens', 'costNano'] as const),
  ],
  (db, rows) => db.insertInto('ai_requests').values(rows),
)

export const insertRequests = async (tx: Db, rows: readonly Insertable<AiRequestRow>[]): Promise<void> => {
  await insertAll(tx, rows)
}

export const addToDay = async (tx: Db, row: AiDayRow): Promise<void> => {
  await tx
    .insertInto('ai_days')
    .values(row)
    .onConflict((there) =>
      there.columns(['day', 'model', 'tokenId']).doUpdateSet((eb) => ({
        requests: eb('ai_days.requests', '+', row.requests),
        inputTokens: eb('ai_days.inputTokens', '+', row.inputTokens),
        outputTokens: eb('ai_days.outputTokens', '+', row.outputTokens),
        costNano: eb('ai_days.costNano', '+', row.costNano),
        unpriced: eb('ai_days.unpriced', '+', row.unpriced),
      })),
    )
    .execute()
}

/** Returns one row per day, model and token. */
export const listDays = (db: Db, from: string): Promise<DayRecord[]> =>
  db
    .selectFrom('ai_days')
    .selectAll()
    .where('day', '>=', from)
    .orderBy('day')
    .orderBy('model')
    .orderBy('tokenId')
    .execute()

export const deleteRequestsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('ai_requests').where('at', '<', at).execute()
}
