import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * An email can lie in several folders of its server. Those besides the main one are in `email_folders`. Placements that
 * an older version linked without comparing the contents are checked by the next sync.
 */
export const mailPlacements = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await sql`alter table emails add column "contentHash" text`.execute(db)
  await sql`alter table emails add column "otherFolders" text`.execute(db)
  await sql`alter table mail_placements add column "receivedAt" text`.execute(db)
  await sql`alter table mail_placements add column "objectId" text`.execute(db)
  await sql`alter table mail_placements add column unchecked integer not null default 0`.execute(db)
  await sql`create index mail_placements_unchecked on mail_placements ("accountId", "folderId")
    where unchecked > 0`.execute(db)
  await sql`create table email_folders (
    "userId" bigint not null references users (id) on delete cascade,
    "emailId" bigint not null references emails (id) on delete cascade,
    "folderId" bigint not null,
    folder text not null,
    position bigint not null,
    unread integer not null,
    constraint email_folders_pk primary key ("emailId", "folderId"))`.execute(db)
  await sql`create index email_folders_folder on email_folders ("userId", "folderId", position)`.execute(db)
  await sql`create index email_folders_role on email_folders ("userId", folder, position)`.execute(db)
  await createTriggers(db, engine)
  await fillFolders(db, engine)
  await markUnchecked(db)
}

const UNREAD = (email: string): string =>
  `case when ${email}.read = 0 and ${email}."snoozedUntil" is null then 1 else 0 end`

const key = (row: string): string => `cast(${row}."userId" as text) || '/' || cast(${row}."folderId" as text)`

const count = (tally: string, row: string, amount: string, when = '1 = 1'): string =>
  `insert into tallies (name, amount) select '${tally}/' || ${key(row)}, ${amount} where ${when};`

/** The tallies of folders count these rows too. A deletion of the email deletes them by the foreign key. */
const TRIGGERS = [
  {
    name: 'email_folders_added',
    event: 'insert on email_folders',
    when: '1 = 1',
    body: count('folder-emails', 'new', '1') + count('unread-in-folder', 'new', '1', 'new.unread = 1'),
  },
  {
    name: 'email_folders_removed',
    event: 'delete on email_folders',
    when: '1 = 1',
    body: count('folder-emails', 'old', '-1') + count('unread-in-folder', 'old', '-1', 'old.unread = 1'),
  },
  {
    name: 'email_folders_marked',
    event: 'update of unread on email_folders',
    when: 'old.unread <> new.unread',
    body: count('unread-in-folder', 'new', 'new.unread - old.unread'),
  },
  {
    name: 'email_folders_read',
    event: 'update of read, "snoozedUntil" on emails',
    when: `${UNREAD('old')} <> ${UNREAD('new')}`,
    body: `update email_folders set unread = ${UNREAD('new')} where "emailId" = new.id;`,
  },
]

const createTriggers = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const { name, event, when, body } of TRIGGERS) {
    const header = sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} for each row when (${sql.raw(when)})`
    if (engine === 'sqlite') {
      await sql`${header} begin ${sql.raw(body)} end`.execute(db)
      continue
    }
    // A restore drops the tables, and the functions stay.
    await sql`create or replace function ${sql.ref(name)}() returns trigger language plpgsql as $$
      begin ${sql.raw(body)} return null; end $$`.execute(db)
    await sql`${header} execute function ${sql.ref(name)}()`.execute(db)
  }
}

/** A folder of all messages (RFC 6154) presents those of the other folders. It counts only if there is no other. */
const isOrdinary = sql`coalesce(mail_folders.use, '') <> 'all'`

/** Emails with waiting changes are left out: their folder here is newer than their placement. */
const fillFolders = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await sql`insert into email_folders ("userId", "emailId", "folderId", folder, position, unread)
    select distinct emails."userId", emails.id, mail_placements."folderId",
      case when mail_folders.use in ('inbox', 'sent', 'drafts', 'archive', 'junk', 'trash')
        then mail_folders.use else 'other' end,
      emails.position, ${sql.raw(UNREAD('emails'))}
    from mail_placements
    join mail_folders on mail_folders.id = mail_placements."folderId"
    join emails on emails.id = mail_placements."emailId"
    where mail_placements."goneAt" is null and mail_placements."folderId" <> emails."folderId" and ${isOrdinary}
      and not exists (select 1 from mail_pushes where mail_pushes."emailId" = emails.id)`.execute(db)
  const list =
    engine === 'sqlite'
      ? sql`json_group_array(json_object('id', "folderId", 'role', folder))`
      : sql`json_agg(json_build_object('id', "folderId", 'role', folder))::text`
  await sql`update emails set "otherFolders" =
    (select ${list} from email_folders where email_folders."emailId" = emails.id)
    where id in (select "emailId" from email_folders)`.execute(db)
}

/** A message sent from here is recognised in the sent folder by its Message-ID alone, so it needs no check. */
const markUnchecked = async (db: Kysely<unknown>): Promise<void> => {
  const ordinary = sql`(select id from mail_folders where ${isOrdinary})`
  await sql`update mail_placements set unchecked = 1
    where "goneAt" is null and "folderId" in ${ordinary}
      and "emailId" in (
        select "emailId" from mail_placements
        where "emailId" is not null and "goneAt" is null and "folderId" in ${ordinary}
        group by "emailId" having count(*) > 1)
      and not ("folderId" in (select id from mail_folders where use = 'sent')
        and "emailId" in (select id from emails where "deliveryStatus" is not null))`.execute(db)
}
