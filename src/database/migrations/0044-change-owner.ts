import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * Adds the account of changes and undoable actions. Existing rows belong to the owner or the local account, except
 * changes that name their account in the subject.
 */
export const changeOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  // Not a foreign key: positions continue from the newest change, so an account's changes outlive it, without data.
  await sql`alter table changes add column "userId" bigint`.execute(db)
  await sql`
    update changes set "userId" = cast(subject as bigint)
    where type in ('notification.created', 'notification.changed', 'mail_account.failing', 'calendar_account.failing',
      'calendar_account.conflict', 'billing.budget_reached')`.execute(db)
  await sql`
    update changes set "userId" = (select id from users where role in ('owner', 'local'))
    where "userId" is null`.execute(db)

  await sql`alter table actions add column "userId" bigint references users (id) on delete cascade`.execute(
    db,
  )
  await sql`update actions set "userId" = (select id from users where role in ('owner', 'local'))`.execute(db)
  await sql`create index actions_user on actions ("userId", id)`.execute(db)

  await sql`drop index webhooks_enabled`.execute(db)
  await sql`create index webhooks_enabled on webhooks ("userId", id) where enabled = 1`.execute(db)

  if (engine === 'sqlite') return
  await sql`alter table changes alter column "userId" set not null`.execute(db)
  await sql`alter table actions alter column "userId" set not null`.execute(db)
}
