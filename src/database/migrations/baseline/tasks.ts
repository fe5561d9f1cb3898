import type { Dialect } from './dialect.ts'

export const tasks = ({ id, required }: Dialect): string[] => [
  `create table "task_lists" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "name" text not null,
    "color" text not null,
    "isInbox" integer not null,
    "visible" integer not null,
    "version" integer not null,
    "createdAt" text not null,
    "updatedAt" text not null
  )`,
  'create index "task_lists_user" on "task_lists" ("userId", "id")',
  'create unique index "task_lists_inbox" on "task_lists" ("userId") where "isInbox" = 1',
  `create table "tasks" (
    ${id},
    "title" text not null,
    "notes" text not null,
    "status" text not null,
    "priority" text not null,
    "dueAt" text,
    "remindAt" text,
    "estimateMinutes" integer,
    "tags" text not null,
    "recurrence" text,
    "emailId" bigint,
    "eventId" bigint,
    "completedAt" text,
    "closedAt" text,
    "createdAt" text not null,
    "updatedAt" text not null,
    "version" integer not null,
    "place" bigint not null,
    "duePlace" bigint,
    "words" text not null,
    "nextReminderAt" text,
    "remindedFor" text,
    "dueWall" text,
    "successorId" bigint,
    "dueDay" text,
    "lateAt" text,
    "dueZone" text,
    "userId" bigint${required} references users(id) on delete cascade,
    "listId" bigint${required} references task_lists(id),
    "changedBy" text,
    "sourceKey" text
  )`,
  'create index "tasks_nextReminderAt" on "tasks" ("nextReminderAt") where "nextReminderAt" is not null',
  'create index "tasks_emailId" on "tasks" ("emailId") where "emailId" is not null',
  'create index "tasks_eventId" on "tasks" ("eventId") where "eventId" is not null',
  'create index "tasks_by_place" on "tasks" ("userId", "place", "id")',
  'create index "tasks_by_due" on "tasks" ("userId", "duePlace", "id") where "duePlace" is not null',
  'create index "tasks_by_status_place" on "tasks" ("userId", "status", "place", "id")',
  `create index "tasks_by_status_due" on "tasks" ("userId", "status", "duePlace", "id")
    where "duePlace" is not null`,
  'create index "tasks_by_priority_place" on "tasks" ("userId", "priority", "place", "id")',
  `create index "tasks_by_priority_due" on "tasks" ("userId", "priority", "duePlace", "id")
    where "duePlace" is not null`,
  'create index "tasks_by_status_priority_place" on "tasks" ("userId", "status", "priority", "place", "id")',
  `create index "tasks_by_status_priority_due" on "tasks" ("userId", "status", "priority", "duePlace", "id")
    where "duePlace" is not null`,
  'create index "tasks_completedAt" on "tasks" ("userId", "completedAt") where "completedAt" is not null',
  'create index "tasks_lateAt" on "tasks" ("userId", "lateAt", "id") where "lateAt" is not null',
  `create index "tasks_priority_lateAt" on "tasks" ("userId", "priority", "lateAt", "id")
    where "lateAt" is not null`,
  'create index "tasks_dueZone" on "tasks" ("userId", "dueZone", "id") where "dueZone" is not null',
  'create index "tasks_created" on "tasks" ("userId", "createdAt")',
  'create index "tasks_user" on "tasks" ("userId", "id")',
  'create index "tasks_list_place" on "tasks" ("userId", "listId", "place", "id")',
  `create index "tasks_list_due" on "tasks" ("userId", "listId", "duePlace", "id")
    where "duePlace" is not null`,
  'create index "tasks_list_status_place" on "tasks" ("userId", "listId", "status", "place", "id")',
  `create index "tasks_list_status_due" on "tasks" ("userId", "listId", "status", "duePlace", "id")
    where "duePlace" is not null`,
  'create index "tasks_list_lateAt" on "tasks" ("userId", "listId", "lateAt", "id") where "lateAt" is not null',
  'create index "tasks_list" on "tasks" ("listId", "id")',
  'create index "tasks_source" on "tasks" ("userId", "sourceKey") where "sourceKey" is not null',
  `create table "task_tags" (
    "taskId" bigint not null references "tasks" ("id") on delete cascade,
    "tag" text not null,
    "status" text not null,
    "priority" text not null,
    "place" bigint not null,
    "duePlace" bigint,
    "userId" bigint${required} references users(id) on delete cascade,
    constraint "task_tags_pk" primary key ("taskId", "tag")
  )`,
  'create index "task_tags_by_place" on "task_tags" ("userId", "tag", "place", "taskId")',
  `create index "task_tags_by_due" on "task_tags" ("userId", "tag", "duePlace", "taskId")
    where "duePlace" is not null`,
  'create index "task_tags_by_status_place" on "task_tags" ("userId", "tag", "status", "place", "taskId")',
  `create index "task_tags_by_status_due" on "task_tags" ("userId", "tag", "status", "duePlace", "taskId")
    where "duePlace" is not null`,
  'create index "task_tags_by_priority_place" on "task_tags" ("userId", "tag", "priority", "place", "taskId")',
  `create index "task_tags_by_priority_due" on "task_tags" ("userId", "tag", "priority", "duePlace", "taskId")
    where "duePlace" is not null`,
  `create index "task_tags_by_status_priority_place"
    on "task_tags" ("userId", "tag", "status", "priority", "place", "taskId")`,
  `create index "task_tags_by_status_priority_due" on "task_tags" ("userId", "tag", "status", "priority", "duePlace", "taskId")
    where "duePlace" is not null`,
  `create table "task_blocks" (
    "eventId" bigint primary key,
    "taskId" bigint not null references "tasks" ("id") on delete cascade,
    "actionId" bigint not null,
    "userId" bigint${required} references users(id) on delete cascade
  )`,
  'create index "task_blocks_task" on "task_blocks" ("taskId")',
  'create index "task_blocks_user" on "task_blocks" ("userId", "taskId")',
  `create table "task_reminders" (
    "userId" bigint not null references "users" ("id") on delete cascade,
    "taskId" bigint not null references "tasks" ("id") on delete cascade,
    "remindAt" text not null,
    "nextReminderAt" text,
    constraint "task_reminders_pk" primary key ("userId", "taskId")
  )`,
  'create index "task_reminders_task" on "task_reminders" ("taskId")',
  `create index "task_reminders_next" on "task_reminders" ("nextReminderAt")
    where "nextReminderAt" is not null`,
  `create table "task_alarm" (
    "id" integer primary key,
    "ringsAt" text
  )`,
]
