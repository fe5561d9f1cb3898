import { type Kysely, sql } from 'kysely'

/**
 * A running tally of the storage of each account, and a limit for it. The owner chooses the mail account that sends
 * the mail of the service. No foreign key refers to that account: `instance_settings` is restored before it.
 */
export const storageQuota = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('users').addColumn('storageQuotaBytes', 'bigint').execute()
  await db.schema.alterTable('instance_settings').addColumn('defaultStorageQuotaBytes', 'bigint').execute()
  await db.schema.alterTable('instance_settings').addColumn('mailAccountId', 'text').execute()
  await sql`delete from tallies where name like 'storage/%'`.execute(db)
  await sql`
    insert into tallies (name, amount)
    select 'storage/' || cast(users.id as text),
      (select coalesce(sum(octet_length(body.text) + coalesce(octet_length(body.html), 0)), 0)
        from emails join email_bodies as body on body."emailId" = emails.id where emails."userId" = users.id)
      + (select coalesce(sum(blobs.size), 0)
        from emails join blobs on blobs.hash = emails."rawBlob" where emails."userId" = users.id)
      + (select coalesce(sum(size), 0) from attachments where "userId" = users.id)
    from users`.execute(db)
}
