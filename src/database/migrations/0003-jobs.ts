import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** The job queue of SQLite; PostgreSQL uses pg-boss. Both engines store progress and schedules alike. */
export const jobs = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  if (engine === 'sqlite') await createQueue(db)
  await db.schema
    .createTable('job_progress')
    .addColumn('jobId', 'text', (column) => column.primaryKey())
    .addColumn('done', 'bigint', (column) => column.notNull())
    .addColumn('total', 'bigint')
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('job_schedules')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('tickedAt', 'text', (column) => column.notNull())
    .execute()
}

const createQueue = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('runAt', 'text', (column) => column.notNull())
    .addColumn('dueAt', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('leaseOwner', 'text')
    .addColumn('error', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('finishedAt', 'text')
    .addColumn('singletonKey', 'text')
    .execute()
  // Partial, so that the many finished jobs cost a worker nothing.
  await sql`create index jobs_due on jobs ("dueAt", name) where "dueAt" is not null`.execute(db)
  await sql`create unique index jobs_singleton on jobs (name, "singletonKey")
    where "singletonKey" is not null and "dueAt" is not null`.execute(db)
  await sql`create index jobs_finished on jobs (state, "finishedAt") where "finishedAt" is not null`.execute(
    db,
  )
  await db.schema.createIndex('jobs_listed').on('jobs').columns(['createdAt', 'id']).execute()
  await db.schema.createIndex('jobs_in_state').on('jobs').columns(['state', 'createdAt', 'id']).execute()
}
