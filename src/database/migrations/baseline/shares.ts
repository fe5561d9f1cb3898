import type { Dialect } from './dialect.ts'

export const shares = ({ id }: Dialect): string[] => [
  `create table "shares" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "kind" text not null,
    "resourceId" bigint not null,
    "email" text not null,
    "emailKey" text not null,
    "memberId" bigint references "users" ("id") on delete cascade,
    "role" text not null,
    "status" text not null,
    "visible" integer not null,
    "color" text,
    "version" integer not null,
    "createdAt" text not null,
    "updatedAt" text not null
  )`,
  'create unique index "shares_resource" on "shares" ("userId", "kind", "resourceId", "emailKey")',
  'create index "shares_member" on "shares" ("memberId", "kind", "resourceId") where "memberId" is not null',
  'create index "shares_email" on "shares" ("emailKey", "status")',
]
