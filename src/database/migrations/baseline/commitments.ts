import type { Dialect } from './dialect.ts'

export const commitments = ({ id }: Dialect): string[] => [
  `create table "commitments" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "direction" text not null,
    "personName" text not null,
    "personAddress" text not null,
    "text" text not null,
    "quote" text not null,
    "quoteOffset" integer not null,
    "emailId" bigint references "emails" ("id") on delete set null,
    "threadId" bigint,
    "subject" text not null,
    "promisedAt" text not null,
    "confidence" integer not null,
    "dueAt" text,
    "dueDay" text,
    "lateAt" text,
    "place" bigint not null,
    "status" text not null,
    "closedAt" text,
    "closedBy" text,
    "closingEmailId" bigint references "emails" ("id") on delete set null,
    "closingQuote" text,
    "taskId" bigint references "tasks" ("id") on delete set null,
    "isPrivate" integer not null,
    "version" integer not null,
    "createdAt" text not null,
    "updatedAt" text not null
  )`,
  'create index "commitments_place" on "commitments" ("userId", "place", "id")',
  'create index "commitments_status" on "commitments" ("userId", "status", "place", "id")',
  'create index "commitments_direction" on "commitments" ("userId", "direction", "place", "id")',
  'create index "commitments_list" on "commitments" ("userId", "direction", "status", "place", "id")',
  'create index "commitments_person" on "commitments" ("userId", "personAddress", "place", "id")',
  'create index "commitments_emailId" on "commitments" ("emailId", "userId") where "emailId" is not null',
  `create index "commitments_closingEmailId" on "commitments" ("closingEmailId", "userId")
    where "closingEmailId" is not null`,
  'create index "commitments_taskId" on "commitments" ("taskId", "userId") where "taskId" is not null',
  `create table "commitment_mails" (
    "emailId" bigint primary key references "emails" ("id") on delete cascade,
    "userId" bigint not null references "users" ("id") on delete cascade
  )`,
  'create index "commitment_mails_user" on "commitment_mails" ("userId", "emailId")',
]
