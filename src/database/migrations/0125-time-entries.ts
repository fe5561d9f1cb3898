import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Time that people spent on tasks. It belongs to the owner of the list. */
export const timeEntries = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('time_entries'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('taskId', 'bigint', (column) => column.notNull().references('tasks.id').onDelete('cascade'))
    .addColumn('personId', 'bigint', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('memberName', 'text')
    .addColumn('startedAt', 'text', (column) => column.notNull())
    .addColumn('endedAt', 'text')
    .addColumn('seconds', 'bigint')
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await sql`create index time_entries_task on time_entries ("taskId", "startedAt", id)`.execute(db)
  await sql`create index time_entries_user on time_entries ("userId", id)`.execute(db)
  await sql`create index time_entries_person on time_entries ("personId", "startedAt", id)
    where "personId" is not null`.execute(db)
  await sql`create index time_entries_open on time_entries ("userId")
    where "endedAt" is null`.execute(db)
  await sql`create unique index time_entries_running on time_entries ("personId")
    where "endedAt" is null and "personId" is not null`.execute(db)
}
