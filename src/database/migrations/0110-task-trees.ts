import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

const UID = {
  sqlite: sql.raw('lower(hex(randomblob(16)))'),
  postgres: sql.raw("replace(gen_random_uuid()::text, '-', '')"),
}

/** The order of texts byte by byte. */
const BYTES = { sqlite: 'text', postgres: 'text collate "C"' }

/** A valid position: a letter that tells the number of digits, and the digits. */
const toPosition = {
  sqlite: (digits: number, number: string) => `printf('%0${digits}d', ${number})`,
  postgres: (digits: number, number: string) => `lpad((${number})::text, ${digits}, '0')`,
}

const UNLINK = 'update tasks set "parentId" = null, version = version + 1 where "parentId" = old.id'

/**
 * Version 0.2.0 inserts tasks without a uid and a position, which go to the end of their list. It deletes a task without its
 * subtasks, which become tasks of their own.
 */
const TRIGGERS = {
  sqlite: [
    `create trigger tasks_leave_tasks after delete on tasks begin ${UNLINK}; end`,
    `create trigger tasks_uid after insert on tasks when new.uid is null begin
      update tasks set uid = lower(hex(randomblob(16))), position = 'h' || ${toPosition.sqlite(8, 'new.id')}
      where id = new.id; end`,
  ],
  postgres: [
    // A restore drops the tables, and the functions stay.
    `create or replace function tasks_leave_tasks() returns trigger language plpgsql as $$
      begin ${UNLINK}; return null; end $$`,
    `create trigger tasks_leave_tasks after delete on tasks for each row execute function tasks_leave_tasks()`,
    `create or replace function tasks_uid() returns trigger language plpgsql as $$ begin
      new.uid := replace(gen_random_uuid()::text, '-', '');
      new.position := 'h' || ${toPosition.postgres(8, 'new.id')};
      return new; end $$`,
    `create trigger tasks_uid before insert on tasks for each row when (new.uid is null) execute function tasks_uid()`,
  ],
}

/** Subtasks, sections, an order of one's own, start dates, assignees, and the iCalendar identity of tasks. */
export const taskTrees = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('task_sections'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('listId', 'bigint', (column) =>
      column.notNull().references('task_lists.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('position', sql.raw(BYTES[engine]), (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  for (const column of [
    'uid text',
    '"parentId" bigint',
    '"sectionId" bigint references task_sections (id) on delete set null',
    `position ${BYTES[engine]} not null default ''`,
    '"startAt" text',
    '"startDay" text',
    '"percentComplete" integer not null default 0',
    '"assigneeId" bigint references users (id) on delete set null',
    `"recurrenceFrom" text not null default 'due'`,
    'extra text',
  ])
    await sql.raw(`alter table tasks add column ${column}`).execute(db)
  await sql`update tasks set uid = ${UID[engine]}, position = 'g' || ${sql.raw(toPosition[engine](7, 'ranks.number'))}
    from (select id, row_number() over (partition by "listId" order by place, id) as number from tasks) as ranks
    where ranks.id = tasks.id`.execute(db)
  for (const statement of TRIGGERS[engine]) await sql.raw(statement).execute(db)
  for (const index of [
    'index task_sections_list on task_sections ("listId", position, id)',
    'index task_sections_user on task_sections ("userId", id)',
    // Version 0.2.0 could not obey a unique index.
    'index tasks_uid on tasks ("listId", uid)',
    'index tasks_siblings on tasks ("listId", "parentId", "sectionId", position, id)',
    'index tasks_list_position on tasks ("userId", "listId", position, id)',
    `index tasks_list_open on tasks ("userId", "listId", position, id) where "closedAt" is null`,
    'index tasks_parent on tasks ("parentId", position, id) where "parentId" is not null',
    'index tasks_section on tasks ("sectionId", position, id) where "sectionId" is not null',
    'index tasks_assignee on tasks ("assigneeId", id) where "assigneeId" is not null',
  ])
    await sql.raw(`create ${index}`).execute(db)
}
