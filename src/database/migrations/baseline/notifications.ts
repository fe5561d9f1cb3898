import type { Dialect } from './dialect.ts'

export const notifications = ({ id }: Dialect): string[] => [
  `create table "notification_settings" (
    "userId" bigint primary key references "users" ("id") on delete cascade,
    "chosen" text not null,
    "version" integer not null,
    "updatedAt" text not null
  )`,
  `create table "notifications" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "key" text not null,
    "kind" text not null,
    "title" text not null,
    "body" text not null,
    "link" text,
    "inConsole" integer not null,
    "readAt" text,
    "clearedAt" text,
    "version" integer not null,
    "createdAt" text not null,
    "actionId" bigint
  )`,
  'create unique index "notifications_once" on "notifications" ("userId", "key")',
  `create index notifications_listed on notifications ("userId", id)
    where "inConsole" = 1 and "clearedAt" is null`,
  `create index notifications_listed_kind on notifications ("userId", kind, id)
    where "inConsole" = 1 and "clearedAt" is null`,
  `create index notifications_unread on notifications ("userId", id)
    where "inConsole" = 1 and "clearedAt" is null and "readAt" is null`,
  'create index "notifications_age" on "notifications" ("createdAt")',
  `create table "notification_mails" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "messageId" text not null unique,
    "state" text not null,
    "attempt" text,
    "attempts" integer not null,
    "error" text,
    "createdAt" text not null,
    "updatedAt" text not null
  )`,
  'create index "notification_mails_user" on "notification_mails" ("userId")',
  'create index "notification_mails_age" on "notification_mails" ("createdAt")',
  `create table "notification_deliveries" (
    ${id},
    "notificationId" bigint not null references "notifications" ("id") on delete cascade,
    "userId" bigint not null references "users" ("id") on delete cascade,
    "channel" text not null,
    "state" text not null,
    "heldBy" text,
    "dueAt" text not null,
    "mailId" bigint references "notification_mails" ("id") on delete set null,
    "error" text,
    "finishedAt" text
  )`,
  `create unique index "notification_deliveries_once"
    on "notification_deliveries" ("notificationId", "channel")`,
  'create index "notification_deliveries_mail" on "notification_deliveries" ("mailId")',
  'create index "notification_deliveries_user" on "notification_deliveries" ("userId", "state", "dueAt")',
  `create index notification_deliveries_due on notification_deliveries ("dueAt", "userId") where state = 'waiting'`,
]
