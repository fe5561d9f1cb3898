import type { Dialect } from './dialect.ts'

export const contacts = ({ id, byteOrder }: Dialect): string[] => [
  `create table "contacts" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "name" text not null,
    "givenName" text not null,
    "familyName" text not null,
    "organization" text not null,
    "jobTitle" text not null,
    "phones" text not null,
    "notes" text not null,
    "isEdited" integer not null,
    "isKnown" integer not null,
    "sortKey" text${byteOrder} not null,
    "version" integer not null,
    "createdAt" text not null,
    "updatedAt" text not null
  )`,
  'create index "contacts_user" on "contacts" ("userId", "id")',
  'create index "contacts_sortKey" on "contacts" ("userId", "sortKey", "id")',
  'create index "contacts_known" on "contacts" ("userId", "sortKey", "id") where "isKnown" = 1',
  `create table "contact_addresses" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "contactId" bigint references "contacts" ("id") on delete set null,
    "address" text not null,
    "localPart" text not null,
    "label" text not null,
    "place" integer not null,
    "sent" integer not null,
    "received" integer not null,
    "lastUsedAt" text,
    "score" bigint not null,
    "hiddenAt" text
  )`,
  'create unique index "contact_addresses_address" on "contact_addresses" ("userId", "address")',
  `create index "contact_addresses_contact" on "contact_addresses" ("contactId", "userId")
    where "contactId" is not null`,
  `create index "contact_addresses_score" on "contact_addresses" ("userId", "score", "id")
    where "contactId" is not null`,
  `create index "contact_addresses_localPart" on "contact_addresses" ("userId", "localPart", "contactId")
    where "contactId" is not null`,
  `create table "contact_terms" (
    "userId" bigint not null references "users" ("id") on delete cascade,
    "term" text${byteOrder} not null,
    "contactId" bigint not null references "contacts" ("id") on delete cascade,
    "addressId" bigint not null,
    constraint "contact_terms_key" primary key ("userId", "term", "contactId", "addressId")
  )`,
  'create index "contact_terms_contact" on "contact_terms" ("contactId", "addressId", "term")',
  `create table "contact_uses" (
    ${id},
    "userId" bigint not null references "users" ("id") on delete cascade,
    "address" text not null,
    "name" text not null,
    "direction" text not null,
    "isBulk" integer not null,
    "usedAt" text not null
  )`,
  'create index "contact_uses_address" on "contact_uses" ("userId", "address", "direction")',
]
