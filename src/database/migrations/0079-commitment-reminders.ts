import { type Kysely, sql } from 'kysely'

interface Promised {
  id: number
  dueAt: string
  dueDay: string | null
}

const MORNING_MS = 8 * 3_600_000

/** The time at which the person is reminded of an open promise. Promises of a day remind in its morning. */
export const commitmentReminders = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('commitments').addColumn('remindAt', 'text').execute()
  const { rows } = await sql<Promised>`
    select id, "dueAt", "dueDay" from commitments where status = 'open' and "dueAt" is not null`.execute(db)
  for (const { id, dueAt, dueDay } of rows) {
    const remindAt = new Date(Date.parse(dueAt) + (dueDay === null ? 0 : MORNING_MS)).toISOString()
    await sql`update commitments set "remindAt" = ${remindAt} where id = ${id}`.execute(db)
  }
  await sql`create index commitments_remind on commitments ("remindAt") where "remindAt" is not null`.execute(
    db,
  )
}
