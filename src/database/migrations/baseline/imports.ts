import type { Dialect } from './dialect.ts'

export const imports = ({ id }: Dialect): string[] => [
  `create table "file_imports" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "filename" text not null,
    "format" text,
    "size" bigint not null,
    "state" text not null,
    "options" text not null,
    "analysis" text,
    "counts" text not null,
    "doneRecords" bigint not null,
    "problemCount" bigint not null,
    "error" text,
    "version" integer not null,
    "createdAt" text not null,
    "updatedAt" text not null,
    "finishedAt" text
  )`,
  'create index "file_imports_user" on "file_imports" ("userId", "id")',
  'create index "file_imports_state" on "file_imports" ("state", "updatedAt")',
  `create table "file_import_pieces" (
    "importId" bigint not null references "file_imports" ("id") on delete cascade,
    "number" integer not null,
    "userId" bigint not null references "users" ("id") on delete cascade,
    "size" integer not null,
    "blob" text not null,
    constraint "file_import_pieces_key" primary key ("importId", "number")
  )`,
  'create index "file_import_pieces_blob" on "file_import_pieces" ("blob")',
  'create index "file_import_pieces_user" on "file_import_pieces" ("userId")',
  `create table "file_import_items" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "importId" bigint not null references "file_imports" ("id") on delete cascade,
    "kind" text not null,
    "key" text not null,
    "itemId" bigint,
    "payload" text not null
  )`,
  'create index "file_import_items_import" on "file_import_items" ("importId", "id")',
  'create index "file_import_items_key" on "file_import_items" ("userId", "kind", "key")',
  `create table "file_import_problems" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "importId" bigint not null references "file_imports" ("id") on delete cascade,
    "severity" text not null,
    "file" text not null,
    "line" bigint,
    "field" text not null,
    "value" text not null,
    "reason" text not null
  )`,
  'create index "file_import_problems_import" on "file_import_problems" ("importId", "id")',
  'create index "file_import_problems_user" on "file_import_problems" ("userId")',
]
