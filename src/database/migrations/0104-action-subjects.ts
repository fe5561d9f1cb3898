import { type Kysely, sql } from 'kysely'

/**
 * The items that an action is about. Rows of an earlier version have no `hasSubjects`, and version 0.2.0 may write more of
 * them beside this one. Their subjects are read from their payloads until they expire after 29 days.
 */
export const actionSubjects = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table actions add column "hasSubjects" integer`.execute(db)
  await sql`create index actions_without_subjects on actions ("userId", kind)
    where "hasSubjects" is null`.execute(db)
  await sql`create table action_subjects (
    "userId" bigint not null references users (id) on delete cascade,
    kind text not null,
    "subjectId" text not null,
    "actionId" bigint not null references actions (id) on delete cascade,
    constraint action_subjects_pk primary key ("userId", kind, "subjectId", "actionId"))`.execute(db)
  await sql`create index action_subjects_action on action_subjects ("actionId")`.execute(db)
}
