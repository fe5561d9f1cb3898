import { type Kysely, sql } from 'kysely'

/** Travel and buffer time before and after an event. */
export const eventBuffers = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table events add column "bufferBefore" integer`.execute(db)
  await sql`alter table events add column "bufferAfter" integer`.execute(db)
}
