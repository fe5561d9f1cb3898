import type { Dialect } from './dialect.ts'

export const accounts = ({ id }: Dialect): string[] => [
  `create table "users" (
    ${id},
    "email" text not null,
    "emailKey" text not null unique,
    "name" text not null,
    "passwordHash" text not null,
    "role" text not null,
    "timezone" text not null,
    "locale" text not null,
    "weekStart" text not null,
    "workingHours" text not null,
    "avatarHash" text,
    "twoFactorSecret" text,
    "twoFactorEnabledAt" text,
    "twoFactorStep" integer,
    "version" integer not null,
    "createdAt" text not null,
    "updatedAt" text not null,
    "disabledAt" text,
    "storageQuotaBytes" bigint,
    "remoteImages" text default 'ask' not null,
    "imageSenders" text default '[]' not null
  )`,
  `create unique index "users_owner" on "users" ("role") where "role" = 'owner'`,
  `create unique index users_local on users (role) where role = 'local'`,
  `create table "avatars" (
    "userId" bigint primary key references "users" ("id") on delete cascade,
    "contentType" text not null,
    "content" text not null
  )`,
  `create table "sessions" (
    "id" text primary key,
    "userId" bigint not null references "users" ("id") on delete cascade,
    "createdAt" text not null,
    "lastSeenAt" text not null,
    "expiresAt" text not null,
    "endsAt" text not null,
    "ip" text not null,
    "userAgent" text not null
  )`,
  'create index "sessions_user" on "sessions" ("userId", "createdAt", "id")',
  'create index "sessions_expiry" on "sessions" ("expiresAt")',
  `create table "refresh_tokens" (
    "hash" text primary key,
    "sessionId" text not null references "sessions" ("id") on delete cascade,
    "createdAt" text not null,
    "usedAt" text,
    "generation" integer default 0 not null
  )`,
  'create index "refresh_tokens_session" on "refresh_tokens" ("sessionId", "generation")',
  `create table "backup_codes" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "hash" text not null,
    "usedAt" text
  )`,
  'create index "backup_codes_user" on "backup_codes" ("userId", "hash")',
  `create table "access_tokens" (
    "id" text primary key,
    "userId" bigint not null references "users" ("id") on delete cascade,
    "name" text not null,
    "hash" text not null unique,
    "hint" text not null,
    "scopes" text not null,
    "createdAt" text not null,
    "expiresAt" text,
    "lastUsedAt" text,
    "version" integer not null
  )`,
  'create index "access_tokens_user" on "access_tokens" ("userId", "createdAt", "id")',
  `create table "feed_tokens" (
    "id" text primary key,
    "userId" bigint not null references "users" ("id") on delete cascade,
    "name" text not null,
    "purpose" text not null,
    "hash" text not null unique,
    "hint" text not null,
    "createdAt" text not null,
    "lastUsedAt" text,
    "calendarId" bigint
  )`,
  'create index "feed_tokens_user" on "feed_tokens" ("userId", "createdAt", "id")',
  `create table "invitations" (
    "id" text primary key,
    "createdBy" bigint not null references "users" ("id") on delete cascade,
    "email" text,
    "hash" text not null unique,
    "createdAt" text not null,
    "expiresAt" text not null,
    "acceptedAt" text
  )`,
  'create index "invitations_creator" on "invitations" ("createdBy", "createdAt", "id")',
  'create index "invitations_expiry" on "invitations" ("expiresAt")',
  `create table "password_resets" (
    "hash" text primary key,
    "userId" bigint not null references "users" ("id") on delete cascade,
    "createdAt" text not null,
    "expiresAt" text not null,
    "usedAt" text,
    "browserHash" text,
    "withheldAt" text
  )`,
  'create index "password_resets_user" on "password_resets" ("userId", "createdAt")',
  'create index "password_resets_expiry" on "password_resets" ("expiresAt")',
  `create table "activity" (
    ${id},
    "userId" bigint references "users" ("id") on delete set null,
    "at" text not null,
    "action" text not null,
    "ip" text not null,
    "userAgent" text not null,
    "details" text not null,
    "salt" text default '' not null,
    "commitment" text default '' not null,
    "position" bigint,
    "hash" text
  )`,
  'create index "activity_user" on "activity" ("userId", "at", "id")',
  'create index "activity_action" on "activity" ("userId", "action", "at", "id")',
  'create unique index "activity_position" on "activity" ("position") where "position" is not null',
  'create index "activity_unsealed" on "activity" ("id") where "position" is null',
  `create table "activity_seal" (
    "id" integer primary key,
    "sealed" text not null
  )`,
  `create table "attempts" (
    ${id},
    "kind" text not null,
    "subject" text not null,
    "at" text not null
  )`,
  'create index "attempts_subject" on "attempts" ("kind", "subject", "at")',
  'create index "attempts_age" on "attempts" ("at")',
  `create table "instance_settings" (
    "id" integer primary key,
    "registration" text,
    "version" integer not null,
    "updatedAt" text not null,
    "defaultStorageQuotaBytes" bigint,
    "mailAccountId" text
  )`,
]
