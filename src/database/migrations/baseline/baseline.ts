import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../database.ts'
import { createWordIndex, emailWords } from '../../word-index.ts'
import { accounts } from './accounts.ts'
import { calendar } from './calendar.ts'
import { commitments } from './commitments.ts'
import { contacts } from './contacts.ts'
import { type Dialect, dialects } from './dialect.ts'
import { imports } from './imports.ts'
import { instance } from './instance.ts'
import { integrations } from './integrations.ts'
import { links } from './links.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { shares } from './shares.ts'
import { stream } from './stream.ts'
import { tasks } from './tasks.ts'

/** In this order, because PostgreSQL creates the table of a foreign key first. */
const SUBJECTS: readonly ((dialect: Dialect) => string[])[] = [
  accounts,
  instance,
  calendar,
  tasks,
  mail,
  contacts,
  commitments,
  imports,
  notifications,
  shares,
  stream,
  integrations,
]

/** SQLite keeps the text of a statement, so the layout of the source must not be part of it. */
const joinLines = (statement: string): string =>
  statement.replace(/\(\s+/g, '(').replace(/\s+\)/g, ')').replace(/\s+/g, ' ')

/** PostgreSQL named these after the temporary tables of 0.2.0. A later migration must find one name. */
const CONSTRAINTS = [
  ['activity', 'activity_pkey', 'activity_pkey1'],
  ['activity', 'activity_userId_fkey', 'activity_userId_fkey1'],
  ['ai_days', 'ai_days_userId_fkey', 'ai_days_new_userId_fkey'],
  ['ai_keys', 'ai_keys_userId_fkey', 'ai_keys_new_userId_fkey'],
  ['ai_settings', 'ai_settings_userId_fkey', 'ai_settings_new_userId_fkey'],
  ['email_links', 'email_links_emailId_fkey', 'email_links_emailId_fkey1'],
  ['email_tags', 'email_tags_emailId_fkey', 'email_tags_emailId_fkey1'],
  ['unsubscriptions', 'unsubscriptions_emailId_fkey', 'unsubscriptions_emailId_fkey1'],
] as const

const createSearch = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const statement of emailWords(db).create()) await statement.execute(db)
  for (const [table, index] of [
    ['tasks', 'task_words'],
    ['ai_messages', 'ai_message_words'],
  ] as const) {
    await createWordIndex(db, table, index)
    if (engine === 'postgres') continue
    const words = sql.table(index)
    await sql`insert into ${words} (${words}, rank) values ('secure-delete', 1)`.execute(db)
  }
}

/** The first registration takes the local account over. */
const CREATED_AT = '2026-01-01T00:00:00.000Z'

const WORKING_HOURS = JSON.stringify(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
    day,
    start: '09:00',
    end: '17:00',
  })),
)

/** Before anybody registers, calls without a token act as the local account. It has no email and no password. */
const createLocalAccount = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    insert into users (email, "emailKey", name, "passwordHash", role, timezone, locale, "weekStart", "workingHours",
      version, "createdAt", "updatedAt")
    values ('', '', '', '', 'local', 'UTC', 'en', 'monday', ${WORKING_HOURS}, 1, ${CREATED_AT}, ${CREATED_AT})`.execute(
    db,
  )
  await sql`
    insert into calendars ("userId", name, color, "isDefault", visible, version, "createdAt", "updatedAt")
    select id, 'Calendar', '#3366cc', 1, 1, 1, "createdAt", "createdAt" from users`.execute(db)
  await sql`
    insert into task_lists ("userId", name, color, "isInbox", visible, version, "createdAt", "updatedAt")
    select id, 'Inbox', '#3b82f6', 1, 1, 1, "createdAt", "createdAt" from users`.execute(db)
  await sql`insert into tallies (name, amount) select 'storage/' || cast(id as text), 0 from users`.execute(
    db,
  )
}

/** Creates the schema of version 0.2.0 in an empty database. */
export const createBaseline = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  const dialect = dialects[engine]
  const statements = [...SUBJECTS, links].flatMap((subject) => subject(dialect))
  for (const statement of statements) await sql.raw(joinLines(statement)).execute(db)
  if (dialect.isPostgres)
    for (const [table, from, to] of CONSTRAINTS)
      await sql`alter table ${sql.table(table)} rename constraint ${sql.ref(from)} to ${sql.ref(to)}`.execute(
        db,
      )
  await createSearch(db, engine)
  await createLocalAccount(db)
}
