import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * Folders keep the names and the hierarchy of their mail server, and emails know their folder. Placements keep the
 * keywords of the server.
 */
export const serverFolders = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await addFolderColumns(db, engine)
  await sql`alter table mail_placements add column keywords text not null default '[]'`.execute(db)
  await sql`alter table emails add column "folderId" bigint`.execute(db)
  await fillFolderIds(db)
  await sql`create index emails_server_folder on emails ("userId", "folderId", position)
    where "folderId" is not null`.execute(db)
  await sql`create index emails_server_folder_unread on emails ("userId", "folderId", position)
    where read = 0 and "folderId" is not null`.execute(db)
  await sql`create index mail_folders_user on mail_folders ("userId", id)`.execute(db)
  await sql`insert into tallies (name, amount)
    select 'folder-emails/' || cast("userId" as text) || '/' || cast("folderId" as text), count(*)
    from emails where "folderId" is not null group by "userId", "folderId"`.execute(db)
}

const addFolderColumns = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  // SQLite cannot add a column that must not be null and has no default.
  await sql`alter table mail_folders add column "userId" bigint references users (id) on delete cascade`.execute(
    db,
  )
  await sql`update mail_folders set "userId" =
    (select "userId" from mail_accounts where mail_accounts.id = mail_folders."accountId")`.execute(db)
  if (engine === 'postgres')
    await sql`alter table mail_folders alter column "userId" set not null`.execute(db)
  await sql`alter table mail_folders add column name text not null default ''`.execute(db)
  await sql`alter table mail_folders add column "parentId" bigint`.execute(db)
  await sql`alter table mail_folders add column selectable integer not null default 1`.execute(db)
  await sql`alter table mail_folders add column subscribed integer not null default 1`.execute(db)
  // The next sync reads the names, the hierarchy and, once, the keywords of all messages.
  await sql`update mail_folders set name = path, "highestModseq" = null`.execute(db)
}

/** The folder that decides the folder of an email with several placements, as in the sync. */
const fillFolderIds = async (db: Kysely<unknown>): Promise<void> => {
  await sql`update emails set "folderId" = (
    select mail_placements."folderId" from mail_placements
    join mail_folders on mail_folders.id = mail_placements."folderId"
    where mail_placements."emailId" = emails.id and mail_placements."goneAt" is null
    order by case coalesce(mail_folders.use, '')
      when 'inbox' then 0 when 'sent' then 1 when 'drafts' then 2 when '' then 3
      when 'archive' then 4 when 'all' then 5 when 'junk' then 6 else 7 end,
      mail_placements."folderId"
    limit 1)
    where "accountId" is not null`.execute(db)
  await sql`update emails set folder = 'other' where folder = 'archive' and "folderId" in
    (select id from mail_folders where use is null)`.execute(db)
}
