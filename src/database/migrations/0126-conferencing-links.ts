import { type Kysely, sql } from 'kysely'

/** The template of an account for links to video calls. */
export const conferencingLinks = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table users add column "conferencingLink" text`.execute(db)
}
