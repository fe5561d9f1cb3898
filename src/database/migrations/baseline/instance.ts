import type { Dialect } from './dialect.ts'

/** PostgreSQL numbers the changes at their commit: see change-order.ts. */
const changeOrder = [
  'create unique index changes_order on changes ("position")',
  'create index changes_unplaced on changes (id) where "position" is null',
  'create index changes_user_order on changes ("userId", "position")',
]

/** PostgreSQL uses pg-boss. Its finished jobs are many, so the indexes of a worker leave them out. */
const sqliteQueue = [
  `create table "jobs" (
    "id" text primary key,
    "name" text not null,
    "payload" text not null,
    "state" text not null,
    "runAt" text not null,
    "dueAt" text,
    "attempts" integer not null,
    "leaseOwner" text,
    "error" text,
    "createdAt" text not null,
    "finishedAt" text,
    "singletonKey" text
  )`,
  'create index jobs_due on jobs ("dueAt", name) where "dueAt" is not null',
  `create unique index jobs_singleton on jobs (name, "singletonKey")
    where "singletonKey" is not null and "dueAt" is not null`,
  'create index jobs_finished on jobs (state, "finishedAt") where "finishedAt" is not null',
  'create index "jobs_listed" on "jobs" ("createdAt", "id")',
  'create index "jobs_in_state" on "jobs" ("state", "createdAt", "id")',
]

/** Creates the tables that all features share: idempotency keys, the change log, undo, and jobs. */
export const instance = ({ id, isPostgres, required }: Dialect): string[] => [
  `create table "idempotency_keys" (
    "scope" text primary key,
    "bodyHash" text not null,
    "claim" text not null,
    "answer" text,
    "expiresAt" text not null,
    "processId" bigint
  )`,
  'create index "idempotency_keys_expiry" on "idempotency_keys" ("expiresAt")',
  `create table "changes" (
    ${id},
    "type" text not null,
    "subject" text not null,
    "data" text not null,
    "at" text not null,
    "position" ${isPostgres ? 'bigint' : 'integer'},
    "userId" bigint${required}
  )`,
  'create index changes_user on changes ("userId", id)',
  ...(isPostgres ? changeOrder : []),
  `create table "samples" (
    "userId" bigint not null references "users" ("id") on delete cascade,
    "kind" text not null,
    "reference" text not null,
    constraint "samples_account_pk" primary key ("userId", "kind", "reference")
  )`,
  `create table "restores" (
    "epoch" bigint primary key
  )`,
  `create table "actions" (
    ${id},
    "kind" text not null,
    "summary" text not null,
    "payload" text not null,
    "at" text not null,
    "undoneAt" text,
    "userId" bigint${required} references users (id) on delete cascade
  )`,
  'create index "actions_age" on "actions" ("at")',
  'create index actions_user on actions ("userId", id)',
  `create table "action_parts" (
    ${id},
    "actionId" bigint not null references "actions" ("id") on delete cascade,
    "payload" text not null
  )`,
  'create index "action_parts_action" on "action_parts" ("actionId", "id")',
  ...(isPostgres ? [] : sqliteQueue),
  `create table "job_progress" (
    "jobId" text primary key,
    "done" bigint not null,
    "total" bigint,
    "note" text not null,
    "updatedAt" text not null
  )`,
  `create table "job_schedules" (
    "name" text primary key,
    "tickedAt" text not null
  )`,
]
