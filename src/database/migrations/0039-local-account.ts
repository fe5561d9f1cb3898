import { type Kysely, sql } from 'kysely'

/**
 * Calls without a token act as the owner. Before anybody registers they act as the local account, which has no email
 * and no password. The first registration takes it over.
 */
export const localAccount = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create unique index users_local on users (role) where role = 'local'`.execute(db)
  await sql`
    insert into users (email, "emailKey", name, "passwordHash", role, timezone, locale, "weekStart", "workingHours",
      version, "createdAt", "updatedAt")
    select '', '', '', '', 'local', 'UTC', 'en', 'monday', ${WORKING_HOURS}, 1, ${CREATED_AT}, ${CREATED_AT}
    where not exists (select 1 from users where role = 'owner')`.execute(db)
}

/** The registration replaces it. */
const CREATED_AT = '2026-01-01T00:00:00.000Z'

const WORKING_HOURS = JSON.stringify(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
    day,
    start: '09:00',
    end: '17:00',
  })),
)
